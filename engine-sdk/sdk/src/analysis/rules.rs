use tengen_rules::{Color, Rule};

/// What wins on a line for one colour; the colours differ under renju only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LineRule {
    /// Five or more: freestyle, and White under renju.
    FiveOrMore,
    /// Exactly five; a double-four on one line is as good as a straight four.
    Exactly,
    /// Exactly five; only straight fours count as what a three aims at (RIF 9.2).
    Renju,
    /// Six or more, or a five with an end that the opponent does not block.
    Caro,
}

impl LineRule {
    pub(super) const fn new(rule: Rule, color: Color) -> LineRule {
        match (rule, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => LineRule::FiveOrMore,
            (Rule::Standard, _) => LineRule::Exactly,
            (Rule::Renju, Color::Black) => LineRule::Renju,
            (Rule::Caro, _) => LineRule::Caro,
        }
    }

    /// Whether a row of this length wins, its ends being blocked by the opponent as told.
    pub(super) const fn wins(self, length: u32, blocked: (bool, bool)) -> bool {
        match self {
            LineRule::FiveOrMore => length >= 5,
            LineRule::Exactly | LineRule::Renju => length == 5,
            LineRule::Caro => length >= 6 || (length == 5 && !(blocked.0 && blocked.1)),
        }
    }

    /// Whether a row that is too long is worth nothing.
    pub(super) const fn caps_length(self) -> bool {
        matches!(self, LineRule::Exactly | LineRule::Renju)
    }
}
