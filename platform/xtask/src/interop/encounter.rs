//! What is played.

/// Games of an engine against an opponent, in pairs with the sides changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Encounter {
    pub rule: Rule,
    /// The side of the board.
    pub size: u32,
    pub time: Time,
    pub opponent: Opponent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Rule {
    Freestyle,
    Standard,
    Renju,
}

impl Rule {
    pub(super) fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
        }
    }

    /// The number that Gomocup's protocol has for it, which c-gomoku-cli takes.
    pub(super) fn number(self) -> &'static str {
        match self {
            Rule::Freestyle => "0",
            Rule::Standard => "1",
            Rule::Renju => "4",
        }
    }
}

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Time {
    /// 0.3 s a move.
    Move,
    /// 5 s a game and 0.1 s more with each move.
    Game,
}

impl Time {
    /// As this program takes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Time::Move => "move=0.3",
            Time::Game => "5+0.1",
        }
    }

    /// As c-gomoku-cli takes it.
    pub(super) fn gomoku_cli(self) -> &'static str {
        match self {
            Time::Move => "0/0.3",
            Time::Game => "5/5+0.1",
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Opponent {
    /// The engine that is part of this program. Elsewhere it plays as a brain.
    Alphabeta,
    /// The same engine once more.
    Itself,
}

impl Opponent {
    pub(super) fn name(self) -> &'static str {
        match self {
            Opponent::Alphabeta => "alphabeta",
            Opponent::Itself => "itself",
        }
    }
}

const fn encounter(rule: Rule, size: u32, time: Time, opponent: Opponent) -> Encounter {
    Encounter { rule, size, time, opponent }
}

/// Every encounter of an engine.
pub(super) const ENCOUNTERS: [Encounter; 9] = [
    encounter(Rule::Freestyle, 15, Time::Move, Opponent::Itself),
    encounter(Rule::Freestyle, 15, Time::Move, Opponent::Alphabeta),
    encounter(Rule::Freestyle, 15, Time::Game, Opponent::Alphabeta),
    encounter(Rule::Freestyle, 20, Time::Move, Opponent::Alphabeta),
    encounter(Rule::Freestyle, 20, Time::Game, Opponent::Alphabeta),
    encounter(Rule::Standard, 15, Time::Move, Opponent::Alphabeta),
    encounter(Rule::Standard, 15, Time::Game, Opponent::Alphabeta),
    encounter(Rule::Renju, 15, Time::Move, Opponent::Alphabeta),
    encounter(Rule::Renju, 15, Time::Game, Opponent::Alphabeta),
];

/// The opening procedures, each played under renju against the opponent of this program. Others
/// have none of them.
pub(super) const OPENINGS: [&str; 9] =
    ["pro", "long-pro", "swap", "swap2", "rif", "contest", "yamaguchi", "soosorv8", "taraguchi10"];
