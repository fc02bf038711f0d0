//! What is played.

/// Games of an engine against an opponent, in pairs with the sides changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Match {
    pub rule: GameRule,
    /// The side of the board.
    pub size: u32,
    pub time: TimeLimit,
    pub opponent: Opponent,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameRule {
    Freestyle,
    Standard,
    Renju,
}

impl GameRule {
    pub(super) fn name(self) -> &'static str {
        match self {
            GameRule::Freestyle => "freestyle",
            GameRule::Standard => "standard",
            GameRule::Renju => "renju",
        }
    }

    /// The number that Gomocup's protocol has for it, which c-gomoku-cli takes.
    pub(super) fn number(self) -> &'static str {
        match self {
            GameRule::Freestyle => "0",
            GameRule::Standard => "1",
            GameRule::Renju => "4",
        }
    }
}

/// A time control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum TimeLimit {
    /// 0.3 s a move.
    Move,
    /// 5 s a game and 0.1 s more with each move.
    Game,
}

impl TimeLimit {
    /// As this program takes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            TimeLimit::Move => "move=0.3",
            TimeLimit::Game => "5+0.1",
        }
    }

    /// As c-gomoku-cli takes it.
    pub(super) fn gomoku_cli(self) -> &'static str {
        match self {
            TimeLimit::Move => "0/0.3",
            TimeLimit::Game => "5/5+0.1",
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

const fn encounter(rule: GameRule, size: u32, time: TimeLimit, opponent: Opponent) -> Match {
    Match { rule, size, time, opponent }
}

/// Every encounter of an engine.
pub(super) const ENCOUNTERS: [Match; 9] = [
    encounter(GameRule::Freestyle, 15, TimeLimit::Move, Opponent::Itself),
    encounter(GameRule::Freestyle, 15, TimeLimit::Move, Opponent::Alphabeta),
    encounter(GameRule::Freestyle, 15, TimeLimit::Game, Opponent::Alphabeta),
    encounter(GameRule::Freestyle, 20, TimeLimit::Move, Opponent::Alphabeta),
    encounter(GameRule::Freestyle, 20, TimeLimit::Game, Opponent::Alphabeta),
    encounter(GameRule::Standard, 15, TimeLimit::Move, Opponent::Alphabeta),
    encounter(GameRule::Standard, 15, TimeLimit::Game, Opponent::Alphabeta),
    encounter(GameRule::Renju, 15, TimeLimit::Move, Opponent::Alphabeta),
    encounter(GameRule::Renju, 15, TimeLimit::Game, Opponent::Alphabeta),
];

/// The opening procedures, each played under renju against the opponent of this program. Others
/// have none of them.
pub(super) const OPENINGS: [&str; 9] =
    ["pro", "long-pro", "swap", "swap2", "rif", "contest", "yamaguchi", "soosorv8", "taraguchi10"];
