//! The rules: what wins, and what is forbidden to Black.

use core::fmt;
use core::str::FromStr;

use crate::Color;

/// What wins, and what is forbidden.
///
/// ```
/// use tengen_rules::Rule;
/// assert_eq!("renju".parse(), Ok(Rule::Renju));
/// assert_eq!(Rule::from_number(Rule::Caro.number()), Some(Rule::Caro));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rule {
    // The numbers are those of the engine ABI.
    /// Five or more in a row win.
    Freestyle = 1,
    /// Exactly five win; a longer row neither wins nor loses.
    Standard,
    /// Black wins with exactly five and has forbidden moves; White wins with five or more (RIF).
    Renju,
    /// Six or more win; exactly five win unless the opponent blocks both ends.
    Caro,
}

impl Rule {
    /// Every rule, in the order of its numbers.
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

    /// Its number in the engine ABI.
    pub const fn number(self) -> u16 {
        self as u16
    }

    /// The rule with this number in the engine ABI.
    pub fn from_number(number: u16) -> Option<Rule> {
        Rule::ALL.into_iter().find(|rule| rule.number() == number)
    }

    /// Whether some points may be forbidden to the colour: to Black under renju.
    #[inline]
    pub const fn has_fouls(self, color: Color) -> bool {
        match self {
            Rule::Renju => matches!(color, Color::Black),
            Rule::Freestyle | Rule::Standard | Rule::Caro => false,
        }
    }

    /// Whether a five wins nothing where the opponent holds both its ends: it can be stopped there,
    /// too, and not only where it would be made.
    #[inline]
    pub const fn blocks_fives(self) -> bool {
        match self {
            Rule::Caro => true,
            Rule::Freestyle | Rule::Standard | Rule::Renju => false,
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
        f.write_str("not a rule: expected ")?;
        let last = Rule::ALL.len() - 1;
        Rule::ALL.into_iter().enumerate().try_for_each(|(place, rule)| match place {
            0 => write!(f, "{rule}"),
            _ if place == last => write!(f, " or {rule}"),
            _ => write!(f, ", {rule}"),
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The rule after it. A new rule needs an arm here, and then its place in [`Rule::ALL`].
    fn next(rule: Rule) -> Option<Rule> {
        match rule {
            Rule::Freestyle => Some(Rule::Standard),
            Rule::Standard => Some(Rule::Renju),
            Rule::Renju => Some(Rule::Caro),
            Rule::Caro => None,
        }
    }

    #[test]
    fn no_rule_is_forgotten_and_names_and_numbers_read_back() {
        let every = core::iter::successors(Some(Rule::Freestyle), |rule| next(*rule));
        assert!(every.eq(Rule::ALL));
        for (number, rule) in (1..).zip(Rule::ALL) {
            assert_eq!(rule.name().parse(), Ok(rule));
            assert_eq!(rule.number(), number);
            assert_eq!(Rule::from_number(number), Some(rule));
        }
        assert_eq!((Rule::from_number(0), Rule::from_number(5)), (None, None));
        assert_eq!("gomoku".parse::<Rule>(), Err(ParseRuleError));
        let told = "not a rule: expected freestyle, standard, renju or caro";
        assert_eq!(alloc::format!("{ParseRuleError}"), told);
    }

    #[test]
    fn renju_alone_has_fouls_and_caro_alone_blocks_fives() {
        let all = Rule::ALL.into_iter().flat_map(|rule| Color::ALL.map(|color| (rule, color)));
        let judged = all.filter(|(rule, color)| rule.has_fouls(*color));
        assert!(judged.eq([(Rule::Renju, Color::Black)]));
        assert!(Rule::ALL.into_iter().filter(|rule| rule.blocks_fives()).eq([Rule::Caro]));
    }
}
