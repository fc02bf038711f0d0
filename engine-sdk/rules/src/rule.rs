//! The rules: what wins, and what is forbidden to Black.

use core::fmt;
use core::str::FromStr;

use crate::Color;

/// What wins, and what is forbidden.
///
/// ```
/// use tengen_rules::Rule;
/// assert_eq!("renju".parse(), Ok(Rule::Renju));
/// assert_eq!(Rule::ALL.len(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five win; a longer row neither wins nor loses.
    Standard,
    /// Black wins with exactly five and has forbidden moves; White wins with five or more (RIF).
    Renju,
    /// Six or more win; exactly five win unless the opponent blocks both ends.
    Caro,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 4] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro];

    /// `freestyle`, `standard`, `renju` or `caro`.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
        }
    }

    /// Whether some points may be forbidden to the colour: to Black under renju.
    #[inline]
    pub const fn has_fouls(self, color: Color) -> bool {
        match self {
            Rule::Renju => matches!(color, Color::Black),
            Rule::Freestyle | Rule::Standard | Rule::Caro => false,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseRuleError;

impl fmt::Display for ParseRuleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a rule: expected freestyle, standard, renju or caro")
    }
}

impl core::error::Error for ParseRuleError {}

impl FromStr for Rule {
    type Err = ParseRuleError;

    fn from_str(text: &str) -> Result<Rule, ParseRuleError> {
        Rule::ALL.into_iter().find(|rule| rule.name() == text).ok_or(ParseRuleError)
    }
}

/// Why a black stone is forbidden under renju (RIF 9).
///
/// ```
/// use tengen_rules::{Board, Color, Foul, Size};
/// let mut board = Board::new(Size::STANDARD);
/// for point in ["g8", "i8", "h7", "h9"] {
///     board.place(point.parse().unwrap(), Color::Black);
/// }
/// assert_eq!(board.foul("h8".parse().unwrap()), Some(Foul::DoubleThree));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Foul {
    /// Six or more in an unbroken row.
    Overline,
    /// Two or more fours that meet in the stone.
    DoubleFour,
    /// Two or more threes that meet in the stone.
    DoubleThree,
}

impl Foul {
    /// Every foul.
    pub const ALL: [Foul; 3] = [Foul::Overline, Foul::DoubleFour, Foul::DoubleThree];

    /// `overline`, `double_four` or `double_three`.
    pub const fn name(self) -> &'static str {
        match self {
            Foul::Overline => "overline",
            Foul::DoubleFour => "double_four",
            Foul::DoubleThree => "double_three",
        }
    }
}

impl fmt::Display for Foul {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
