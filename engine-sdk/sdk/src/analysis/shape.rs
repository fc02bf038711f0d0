//! The shapes that a stone makes on one line.

/// What a stone of one colour on an empty point would make of one line through that point.
///
/// Closed shapes reach a four but never an unstoppable one; open ones can. Shapes order by worth,
/// except [`Shape::Overline`], which is worth nothing.
///
/// ```
/// use tengen_sdk::analysis::{Analysis, Shape};
/// use tengen_sdk::{Color, Rule, Size};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// analysis.place("h8".parse()?, Color::Black);
/// analysis.place("i8".parse()?, Color::Black);
/// let [east, ..] = analysis.shapes("j8".parse()?, Color::Black);
/// assert_eq!(east, Shape::Three);
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Shape {
    /// No five can come of it.
    Dead,
    /// Four more stones make a five.
    ClosedOne,
    /// One more stone makes an open two.
    One,
    /// Three more stones make a five.
    ClosedTwo,
    /// One more stone makes an open three.
    Two,
    /// One more stone makes a four.
    ClosedThree,
    /// One more stone makes a four that no reply stops.
    Three,
    /// One more stone makes a five, and one reply stops it.
    Four,
    /// A row of four that no reply stops.
    StraightFour,
    /// Two fours on this one line, which no reply stops; a double-four for Black under renju.
    DoubleFour,
    /// A row too long to win: six or more, where the colour needs exactly five.
    Overline,
    /// The row that wins.
    Five,
}

impl Shape {
    /// The number of shapes; `shape as usize` is below it.
    pub const COUNT: usize = 12;
}

/// The shapes on the four lines through a point, of one colour.
///
/// ```
/// use tengen_sdk::analysis::{Shape, Shapes};
/// let shapes: Shapes = [Shape::Three, Shape::Dead, Shape::One, Shape::Dead];
/// assert_eq!(shapes.iter().max(), Some(&Shape::Three));
/// ```
pub type Shapes = [Shape; 4];
