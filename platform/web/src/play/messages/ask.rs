//! What a server asks an engine.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tengen_arbiter::{Limits, Nanos};
use tengen_rules::{Ask, Zone};

use crate::game_view::millis;

/// A question to an engine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct AskMessage {
    /// The id of the table.
    pub room: String,
    /// Its number.
    pub question: u64,
    /// The seat that is asked, 0 or 1.
    pub seat: u8,
    /// Every stone from the empty board.
    pub moves: Vec<String>,
    /// What is asked.
    pub ask: AskedFields,
    /// The fifth moves on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub offered: Vec<String>,
    /// From how many to how many fifth moves are to be offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fifth: Option<(u8, u8)>,
    /// What the answer may take.
    pub limits: AskLimits,
}

/// What is asked, with the numbers that mean something there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AskedFields {
    ask: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u8>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    canonical: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    zone: Option<ZoneFields>,
}

/// Where stones may lie: so far from the centre at most, or at least.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ZoneFields {
    /// At most.
    Within(u8),
    /// At least.
    Beyond(u8),
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
    /// The most nodes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The greatest depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Whether the opponent offers a draw.
    #[serde(default)]
    pub draw_offered: bool,
    /// Whether the last answer was refused.
    #[serde(default)]
    pub retry: bool,
}

impl AskedFields {
    /// Writes a question.
    pub fn new(ask: Ask) -> AskedFields {
        let (count, zone) = match ask {
            Ask::Place { count, zone, .. } | Ask::MoveOrOffer { zone, count } => {
                (Some(count), zone)
            }
            Ask::ChooseOrPlace { count } | Ask::Offer { count } => (Some(count), Zone::Anywhere),
            Ask::Move { zone } => (None, zone),
            Ask::Choose | Ask::Swap | Ask::Pick | Ask::Declare { .. } => (None, Zone::Anywhere),
        };
        let (min, max) = match ask {
            Ask::Declare { min, max } => (Some(min), Some(max)),
            _ => (None, None),
        };
        let zone = match zone {
            Zone::Anywhere => None,
            Zone::Within(radius) => Some(ZoneFields::Within(radius)),
            Zone::Beyond(radius) => Some(ZoneFields::Beyond(radius)),
        };
        let canonical = matches!(ask, Ask::Place { canonical: true, .. });
        AskedFields { ask: ask.name().into(), count, min, max, canonical, zone }
    }

    /// Reads it again; none if it is no question.
    pub fn read(&self) -> Option<Ask> {
        let zone = match self.zone {
            None => Zone::Anywhere,
            Some(ZoneFields::Within(radius)) => Zone::Within(radius),
            Some(ZoneFields::Beyond(radius)) => Zone::Beyond(radius),
        };
        let AskedFields { count, min, max, canonical, .. } = *self;
        let [count, min, max] = [count, min, max].map(Option::unwrap_or_default);
        Some(match &*self.ask {
            "place" => Ask::Place { count, zone, canonical },
            "choose" => Ask::Choose,
            "choose_or_place" => Ask::ChooseOrPlace { count },
            "swap" => Ask::Swap,
            "declare" => Ask::Declare { min, max },
            "offer" => Ask::Offer { count },
            "pick" => Ask::Pick,
            "move" => Ask::Move { zone },
            "move_or_offer" => Ask::MoveOrOffer { zone, count },
            _ => return None,
        })
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

    /// How long the answer is waited for. A server that tells no margin has none.
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

fn nanos(millis: u64) -> Nanos {
    millis.saturating_mul(1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_is_read_as_it_was_written() {
        let zone = Zone::Within(2);
        for ask in [
            Ask::Place { count: 3, zone, canonical: true },
            Ask::Choose,
            Ask::ChooseOrPlace { count: 2 },
            Ask::Swap,
            Ask::Declare { min: 1, max: 12 },
            Ask::Offer { count: 5 },
            Ask::Pick,
            Ask::Move { zone: Zone::Beyond(3) },
            Ask::MoveOrOffer { zone: Zone::Anywhere, count: 10 },
        ] {
            let text = serde_json::to_string(&AskedFields::new(ask)).unwrap();
            let read: AskedFields = serde_json::from_str(&text).unwrap();
            assert_eq!(read.read(), Some(ask), "{text}");
        }
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
