//! What a brain may use, as set by INFO.

use tengen_arbiter::{Limits, Nanos};

use crate::{Info, UNLIMITED};

/// What a brain may use, as set by INFO; a value that was not sent is none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Allowance {
    /// The time for one move, in milliseconds; 0 is as fast as possible.
    pub turn_ms: Option<u64>,
    /// The time for the game, in milliseconds; none is unlimited.
    pub match_ms: Option<u64>,
    /// The time left for the game, in milliseconds; none is unlimited.
    pub left_ms: Option<u64>,
    /// What each move adds to it, in milliseconds.
    pub increment_ms: Option<u64>,
    /// The most memory, in bytes.
    pub max_memory: Option<u64>,
    /// The most nodes a search may visit.
    pub nodes: Option<u64>,
    /// The deepest it may look, in plies.
    pub depth: Option<u32>,
    pub threads: Option<u32>,
}

/// What a brain that is to be as fast as possible is given for a move.
const FASTEST_MS: u64 = 1;

impl Allowance {
    /// Takes one INFO; `rule` and what is no allowance is left to others.
    pub(super) fn take(&mut self, info: &Info<'_>) {
        match info {
            Info::TimeoutTurn(value) => self.turn_ms = time(*value),
            Info::TimeoutMatch(value) => self.match_ms = time(*value).filter(|ms| *ms > 0),
            Info::TimeLeft(value) => self.left_ms = time((*value).max(0)),
            Info::TimeIncrement(value) => self.increment_ms = above_zero(*value),
            Info::MaxMemory(value) => self.max_memory = above_zero(*value),
            Info::MaxNode(value) => self.nodes = above_zero(*value),
            Info::MaxDepth(value) => self.depth = above_zero(*value).map(at_most_u32),
            Info::ThreadNum(value) => self.threads = above_zero(*value).map(at_most_u32),
            Info::Rule(_)
            | Info::GameType(_)
            | Info::Folder(_)
            | Info::HashSize(_)
            | Info::Evaluate(_)
            | Info::Other { .. } => {}
        }
    }

    /// The limits of one question. A manager that never sent the time left still counts the game's.
    pub fn limits(&self) -> Limits {
        let own = self.left_ms.or(self.match_ms);
        let turn = self.turn_ms.map(|ms| ms.max(FASTEST_MS));
        let hard = match (own, turn) {
            (Some(own), Some(turn)) => Some(own.min(turn)),
            (own, turn) => own.or(turn),
        };
        Limits {
            own: own.map(nanos),
            hard: hard.map(nanos),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }
}

/// A time below 0 is none, and one that is not limited neither.
fn time(millis: i64) -> Option<u64> {
    if millis >= UNLIMITED { None } else { u64::try_from(millis).ok() }
}

fn above_zero(value: i64) -> Option<u64> {
    u64::try_from(value).ok().filter(|value| *value > 0)
}

fn at_most_u32(value: u64) -> u32 {
    value.try_into().unwrap_or(u32::MAX)
}

const fn nanos(millis: u64) -> Nanos {
    millis.saturating_mul(1_000_000)
}
