use core::fmt;

/// One ply in two bytes: `x | y << 8`, or a sentinel. `a1` = (0, 0) is the bottom left corner.
///
/// ```
/// use tengen_abi::MoveCode;
/// assert_eq!(MoveCode::xy(2, 1).0, 0x0102);
/// assert_eq!(MoveCode::xy(2, 1).stone(), Some((2, 1)));
/// assert_eq!(MoveCode::PASS.stone(), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct MoveCode(pub u16);

impl MoveCode {
    /// No stone; the turn goes over.
    pub const PASS: MoveCode = MoveCode(0xFFFE);
    /// No move at all.
    pub const NONE: MoveCode = MoveCode(0xFFFF);

    /// A stone in column `x` and row `y`, both counted from 0.
    pub const fn xy(x: u8, y: u8) -> MoveCode {
        MoveCode(x as u16 | (y as u16) << 8)
    }

    /// The column and the row of a stone; none for the sentinels. The point may lie off the board.
    pub const fn stone(self) -> Option<(u8, u8)> {
        match self {
            MoveCode::PASS | MoveCode::NONE => None,
            MoveCode(code) => Some((code as u8, (code >> 8) as u8)),
        }
    }
}

impl fmt::Debug for MoveCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            MoveCode::PASS => f.write_str("PASS"),
            MoveCode::NONE => f.write_str("NONE"),
            MoveCode(code) => write!(f, "({}, {})", code & 0xFF, code >> 8),
        }
    }
}
