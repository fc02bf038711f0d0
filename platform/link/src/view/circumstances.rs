//! The situation while a seat owes an answer: the question, and the forbidden points.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tengen_arbiter::Game;
use tengen_rules::{Ask, Foul, Point, Seat, Zone};

/// What holds while an answer is waited for.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Circumstances {
    /// The forbidden points and why, where they are forbidden to the player to move.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    forbidden: BTreeMap<Point, Foul>,
    /// The fifth moves on offer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    offered: Vec<Point>,
    /// What is asked, where that is more than one stone anywhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ask: Option<Asked>,
}

/// A question, and to whom it is put.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Asked {
    pub seat: Seat,
    #[serde(flatten)]
    pub ask: Ask,
}

impl Circumstances {
    /// What holds in a game that goes on, or is over.
    pub fn of(game: &Game, goes_on: bool) -> Circumstances {
        let position = game.position();
        let Some((seat, ask)) = game.asked().filter(|_| goes_on) else {
            return Circumstances::default();
        };
        let forbidden = position.forbidden().iter().collect();
        let is_usual = ask == Ask::Move { zone: Zone::Anywhere };
        let ask = (!is_usual).then_some(Asked { seat, ask });
        Circumstances { forbidden, offered: game.offered().to_vec(), ask }
    }
}
