use core::fmt;
use core::str::FromStr;

/// How a game begins: who lays which stones, and who may take which colour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Procedure {
    /// Black plays anywhere.
    None,
    /// The event gives the position.
    Book,
    /// The centre, then anywhere, then outside the central 5×5.
    Pro,
    /// The centre, then anywhere, then outside the central 7×7.
    LongPro,
    /// Three stones by one seat; the other takes a colour.
    Swap,
    /// Three stones by one seat; the other takes a colour or lays two more and lets choose.
    Swap2,
    /// RIF classic: a canonical opening, a swap, two fifth moves.
    Rif,
    /// The 2013 competition rules: a canonical opening, three-move swap, N fifth moves.
    Contest,
    /// As [`Procedure::Contest`], with up to twelve fifth moves.
    Yamaguchi,
    /// Soosõrv-8: N is declared along with the fourth stone.
    Soosorv8,
    /// Taraguchi-10: a swap after every stone, or ten fifth moves.
    Taraguchi10,
}

impl Procedure {
    /// Every procedure, in the order of its numbers.
    pub const ALL: [Procedure; 11] = [
        Procedure::None,
        Procedure::Book,
        Procedure::Pro,
        Procedure::LongPro,
        Procedure::Swap,
        Procedure::Swap2,
        Procedure::Rif,
        Procedure::Contest,
        Procedure::Yamaguchi,
        Procedure::Soosorv8,
        Procedure::Taraguchi10,
    ];

    /// The word for it on the command line and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Procedure::None => "none",
            Procedure::Book => "book",
            Procedure::Pro => "pro",
            Procedure::LongPro => "long-pro",
            Procedure::Swap => "swap",
            Procedure::Swap2 => "swap2",
            Procedure::Rif => "rif",
            Procedure::Contest => "contest",
            Procedure::Yamaguchi => "yamaguchi",
            Procedure::Soosorv8 => "soosorv8",
            Procedure::Taraguchi10 => "taraguchi10",
        }
    }

    /// Its number in the engine ABI, 0 to 10.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The procedure with this number in the engine ABI.
    pub fn from_number(number: u16) -> Option<Procedure> {
        Procedure::ALL.get(usize::from(number)).copied()
    }
}

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no opening procedure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseProcedureError;

impl fmt::Display for ParseProcedureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an opening procedure: expected one of")?;
        Procedure::ALL.into_iter().try_for_each(|procedure| write!(f, " {procedure}"))
    }
}

impl core::error::Error for ParseProcedureError {}

impl FromStr for Procedure {
    type Err = ParseProcedureError;

    fn from_str(text: &str) -> Result<Procedure, ParseProcedureError> {
        Procedure::ALL.into_iter().find(|p| p.name() == text).ok_or(ParseProcedureError)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_read_back() {
        for (number, procedure) in (0..).zip(Procedure::ALL) {
            assert_eq!(procedure.name().parse(), Ok(procedure));
            assert_eq!(procedure.number(), number);
            assert_eq!(Procedure::from_number(number), Some(procedure));
        }
        assert_eq!(Procedure::from_number(11), None);
        assert_eq!("swap3".parse::<Procedure>(), Err(ParseProcedureError));
    }
}
