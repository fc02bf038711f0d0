//! Actions in JSON, the same in records, messages and the page: `{"move":"h8"}` is what was done,
//! and an action of a game also has `seat`, `ns`, `clock` and whatever else is known.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_rules::{Answer, Color, Move, Point, Seat, serde_words};

use crate::{Action, Cause, Correction, HistoryEntry, Nanos, SearchInfo, Termination, TimeControl};

serde_words! {
    Termination: "a termination";
    Cause: "a cause";
}

impl Serialize for TimeControl {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TimeControl {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<TimeControl, D::Error> {
        struct TimeVisitor;

        impl Visitor<'_> for TimeVisitor {
            type Value = TimeControl;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a time control as a string")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<TimeControl, E> {
                text.parse().map_err(E::custom)
            }
        }

        from.deserialize_str(TimeVisitor)
    }
}

/// What a player said of its search, with the variation that it expects. What is not known is left
/// out.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, bound(deserialize = "V: Deserialize<'de> + Default"))]
pub struct SearchObject<V: AsRef<[Move]> = Vec<Move>> {
    #[serde(skip_serializing_if = "Option::is_none")]
    eval: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_in: Option<i32>,
    #[serde(skip_serializing_if = "is_zero")]
    depth: u32,
    #[serde(skip_serializing_if = "is_zero")]
    seldepth: u32,
    #[serde(skip_serializing_if = "is_zero")]
    nodes: u64,
    #[serde(skip_serializing_if = "has_no_moves")]
    pv: V,
}

fn is_zero<N: Default + PartialEq>(number: &N) -> bool {
    *number == N::default()
}

fn has_no_moves(line: &impl AsRef<[Move]>) -> bool {
    line.as_ref().is_empty()
}

impl<V: AsRef<[Move]>> SearchObject<V> {
    /// What is known of a search; none where nothing is.
    pub fn new(info: Option<SearchInfo>, pv: V) -> Option<SearchObject<V>> {
        if info.is_none() && has_no_moves(&pv) {
            return None;
        }
        let SearchInfo { eval, win_in, depth, seldepth, nodes } = info.unwrap_or_default();
        Some(SearchObject { eval, win_in, depth, seldepth, nodes, pv })
    }

    /// The numbers, and the variation.
    pub fn parts(self) -> (SearchInfo, V) {
        let SearchObject { eval, win_in, depth, seldepth, nodes, pv } = self;
        (SearchInfo { eval, win_in, depth, seldepth, nodes }, pv)
    }
}

/// All keys of an action of a game, those that say what was done before the others.
const KEYS: &[&str] = &[
    "place",
    "declare",
    "swap",
    "choose",
    "offer",
    "pick",
    "move",
    "pass",
    "resign",
    "claim",
    "offer_draw",
    "accept_draw",
    "seat",
    "ns",
    "clock",
    "ready",
    "given_back",
    "unasked",
    "lag",
    "legal",
    "substituted",
    "info",
    "said",
];
/// The keys that say what was done: an action has one of them.
const DONE: &[&str] = KEYS.split_at(12).0;
const ONE_OF: &str = "place, declare, swap, choose, offer, pick, move, pass, resign, claim, \
                      offer_draw or accept_draw";

impl Action {
    /// Writes the key that says what was done.
    fn write<S: SerializeStruct>(&self, to: &mut S) -> Result<(), S::Error> {
        match self {
            Action::Answer(Answer::Place(points)) => to.serialize_field("place", points),
            Action::Answer(Answer::Declare(count)) => to.serialize_field("declare", count),
            Action::Answer(Answer::Swap(swap)) => to.serialize_field("swap", swap),
            Action::Answer(Answer::Choose(color)) => to.serialize_field("choose", color),
            Action::Answer(Answer::Offer(points)) => to.serialize_field("offer", points),
            Action::Answer(Answer::Pick(point)) => to.serialize_field("pick", point),
            Action::Answer(Answer::Move(Move::Stone(point))) => to.serialize_field("move", point),
            Action::Answer(Answer::Move(Move::Pass)) => to.serialize_field("pass", &true),
            Action::Resign => to.serialize_field("resign", &true),
            Action::Claim => to.serialize_field("claim", &true),
            Action::OfferDraw => to.serialize_field("offer_draw", &true),
            Action::AcceptDraw => to.serialize_field("accept_draw", &true),
        }
    }
}

impl Serialize for Action {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_struct("Action", 1)?;
        self.write(&mut object)?;
        object.end()
    }
}

/// `seat`, the one key that says what was done, `ns`, `clock` (null when no game clock runs),
/// `given_back` and `unasked` where a clock was corrected by them, `lag` where it is known,
/// `"legal":false` or `"substituted":true` where it was so, and `info` (with `pv`), `ready` and
/// `said` if there is any.
impl Serialize for HistoryEntry {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let HistoryEntry { seat, action, spent, correction, clock, legal, .. } = self;
        let HistoryEntry { substituted, ready, info, pv, lag, said, .. } = self;
        let mut object = to.serialize_struct("HistoryEntry", 4)?;
        object.serialize_field("seat", seat)?;
        action.write(&mut object)?;
        object.serialize_field("ns", spent)?;
        object.serialize_field("clock", clock)?;
        for (key, time) in [("given_back", correction.given_back), ("unasked", correction.unasked)]
        {
            if time > 0 {
                object.serialize_field(key, &time)?;
            }
        }
        if let Some(lag) = lag {
            object.serialize_field("lag", lag)?;
        }
        if !legal {
            object.serialize_field("legal", &false)?;
        }
        if *substituted {
            object.serialize_field("substituted", &true)?;
        }
        if let Some(report) = SearchObject::new(*info, pv.as_slice()) {
            object.serialize_field("info", &report)?;
        }
        if let Some(ready) = ready {
            object.serialize_field("ready", ready)?;
        }
        if !said.is_empty() {
            object.serialize_field("said", said)?;
        }
        object.end()
    }
}

/// The object of an action as it is read: every key that it may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionObject {
    seat: Option<Seat>,
    place: Option<Vec<Point>>,
    declare: Option<u8>,
    swap: Option<bool>,
    choose: Option<Color>,
    offer: Option<Vec<Point>>,
    pick: Option<Point>,
    r#move: Option<Point>,
    pass: Option<True>,
    resign: Option<True>,
    claim: Option<True>,
    offer_draw: Option<True>,
    accept_draw: Option<True>,
    ns: Option<Nanos>,
    clock: Option<Nanos>,
    ready: Option<Nanos>,
    #[serde(default)]
    given_back: Nanos,
    #[serde(default)]
    unasked: Nanos,
    lag: Option<Nanos>,
    legal: Option<bool>,
    substituted: Option<bool>,
    info: Option<SearchObject>,
    #[serde(default)]
    said: Vec<String>,
}

/// The value of a key that only ever says yes.
struct True;

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<True, D::Error> {
        match bool::deserialize(from)? {
            true => Ok(True),
            false => Err(de::Error::custom("expected true, or the key left out")),
        }
    }
}

/// Accepts only an object: serde would otherwise also read a struct from a list.
struct ActionVisitor;

impl<'de> Visitor<'de> for ActionVisitor {
    type Value = ActionObject;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an action as an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ActionObject, A::Error> {
        ActionObject::deserialize(MapAccessDeserializer::new(map))
    }
}

impl ActionObject {
    /// What was done, if the object says one thing and no more.
    fn action<E: de::Error>(self) -> Result<Action, E> {
        let answers = [
            self.place.map(Answer::Place),
            self.declare.map(Answer::Declare),
            self.swap.map(Answer::Swap),
            self.choose.map(Answer::Choose),
            self.offer.map(Answer::Offer),
            self.pick.map(Answer::Pick),
            self.r#move.map(|point| Answer::Move(Move::Stone(point))),
            self.pass.map(|True| Answer::Move(Move::Pass)),
        ];
        let others = [
            self.resign.map(|True| Action::Resign),
            self.claim.map(|True| Action::Claim),
            self.offer_draw.map(|True| Action::OfferDraw),
            self.accept_draw.map(|True| Action::AcceptDraw),
        ];
        let answers = answers.into_iter().flatten().map(Action::Answer);
        let mut done = answers.chain(others.into_iter().flatten());
        match (done.next(), done.next()) {
            (Some(action), None) => Ok(action),
            (None, _) => {
                let problem = "an action without what was done: expected one of";
                Err(E::custom(format!("{problem} {ONE_OF}")))
            }
            (Some(_), Some(_)) => {
                let problem = "an action that says several things: expected only one of";
                Err(E::custom(format!("{problem} {ONE_OF}")))
            }
        }
    }
}

/// The key that says what was done, alone or among others of a message (`flatten`).
impl<'de> Deserialize<'de> for Action {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Action, D::Error> {
        from.deserialize_struct("Action", DONE, ActionVisitor)?.action()
    }
}

impl<'de> Deserialize<'de> for HistoryEntry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<HistoryEntry, D::Error> {
        let mut object = from.deserialize_struct("HistoryEntry", KEYS, ActionVisitor)?;
        let (info, pv) = object.info.take().map(SearchObject::parts).unzip();
        let seat = object.seat.ok_or_else(|| de::Error::missing_field("seat"))?;
        let entry = HistoryEntry {
            legal: object.legal.unwrap_or(true),
            substituted: object.substituted.unwrap_or(false),
            correction: Correction { given_back: object.given_back, unasked: object.unasked },
            ready: object.ready,
            info,
            pv: pv.unwrap_or_default(),
            lag: object.lag,
            said: core::mem::take(&mut object.said),
            ..HistoryEntry::new(seat, Action::Resign, object.ns.unwrap_or(0), object.clock)
        };
        Ok(HistoryEntry { action: object.action()?, ..entry })
    }
}
