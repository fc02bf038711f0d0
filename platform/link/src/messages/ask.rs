//! What a server asks an engine.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{Limits, Nanos};
use tengen_players::{EngineQuestion, GameSetup};
use tengen_rules::{Ask, Move, Point, Seat};

use crate::view::{millis, nanos};

/// A question to an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AskMessage {
    pub table: String,
    /// Its number.
    pub question: u64,
    pub seat: Seat,
    /// Every stone from the empty board.
    pub moves: Vec<Move>,
    pub ask: Ask,
    /// The fifth moves on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<Point>,
    /// From how many to how many fifth moves are to be offered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fifth: Option<(u8, u8)>,
    /// What the answer may take.
    pub limits: AskLimits,
}

/// What an answer may take; times are in milliseconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskLimits {
    /// The time that the engine can plan with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub own: Option<u64>,
    /// The time of its opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opponent: Option<u64>,
    /// The most that this answer may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hard: Option<u64>,
    /// How late it may be and still count. It is no time to think.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    #[serde(default)]
    pub draw_offered: bool,
    /// Whether the last answer was refused.
    #[serde(default)]
    pub retry: bool,
}

impl AskMessage {
    /// The question as it is put at a table.
    pub fn new(table: &str, question: &EngineQuestion) -> AskMessage {
        AskMessage {
            table: table.to_owned(),
            question: question.number,
            seat: question.setup.seat,
            moves: question.moves.clone(),
            ask: question.ask,
            offered: question.offered.clone(),
            fifth: question.fifth_moves,
            limits: AskLimits::new(question.limits, question.patience),
        }
    }

    /// The question to an engine of this machine in that game. So much of its time is left to the
    /// way there and back.
    pub fn question(self, game: u64, setup: GameSetup, reserve: Nanos) -> EngineQuestion {
        EngineQuestion {
            number: self.question,
            game,
            setup: GameSetup { seat: self.seat, ..setup },
            moves: self.moves,
            ask: self.ask,
            offered: self.offered,
            fifth_moves: self.fifth,
            limits: self.limits.read(reserve),
            patience: self.limits.patience(),
        }
    }
}

impl AskLimits {
    /// Writes limits, and how long the answer is waited for.
    pub fn new(limits: Limits, patience: Option<Nanos>) -> AskLimits {
        let Limits { own, opponent, hard, nodes, depth, draw_offered, retry } = limits;
        let margin = patience.zip(hard).map(|(patience, hard)| patience.saturating_sub(hard));
        let [own, opponent, hard, margin] =
            [own, opponent, hard, margin].map(|span| span.map(millis));
        AskLimits { own, opponent, hard, margin, nodes, depth, draw_offered, retry }
    }

    /// How long to wait for the answer. A server that gives no margin has none.
    pub fn patience(&self) -> Option<Nanos> {
        self.hard.map(|hard| nanos(hard.saturating_add(self.margin.unwrap_or(0))))
    }

    /// Reads them again. So much of the own time is left to the way there and back.
    pub fn read(&self, reserve: Nanos) -> Limits {
        let AskLimits { own, opponent, hard, nodes, depth, draw_offered, retry, .. } = *self;
        let rest = |millis| nanos(millis).saturating_sub(reserve).max(1_000_000);
        Limits {
            own: own.map(rest),
            opponent: opponent.map(nanos),
            hard: hard.map(rest),
            nodes,
            depth,
            draw_offered,
            retry,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_were_written() {
        let second = Some(1_000_000_000);
        let limits = Limits { own: second, hard: second, depth: Some(4), ..Limits::default() };
        let patience = Some(1_500_000_001);
        let text = serde_json::to_string(&AskLimits::new(limits, patience)).unwrap();
        let read: AskLimits = serde_json::from_str(&text).unwrap();
        assert_eq!(read.read(0), limits, "{text}");
        assert_eq!(read.read(100_000_000).own, Some(900_000_000));
        assert_eq!(read.read(2_000_000_000).hard, Some(1_000_000), "something is always left");
        assert_eq!(read.patience(), Some(1_500_000_000), "{text}");
        let told = |text: &str| serde_json::from_str::<AskLimits>(text).unwrap().patience();
        assert_eq!(told(r#"{"own":9000,"hard":1000}"#), Some(1_000_000_000), "an older server");
        assert_eq!(told(r#"{"margin":500,"depth":3,"later":true}"#), None, "no clock");
    }
}
