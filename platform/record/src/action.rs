//! Reads the actions of a record.

use std::fmt;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, SeqAccess, Visitor};
use tengen_arbiter::{Action, Correction, HistoryEntry, Nanos};
use tengen_rules::{Answer, Color, Move, Point, Seat};

use crate::info;
use crate::read::{ReadError, read_json};
use crate::text::{self, TextValue};

/// An action as an element of a record's list.
///
/// In JSON an object: `seat`, the one key that says what was done, `ns`, `clock` (null when no
/// game clock runs), `given_back` and `unasked` where a clock was corrected by them, `lag` where it
/// is known, `"legal":false` or `"substituted":true` where it was
/// so, and `info` (with `pv`), `ready` and `said` if there is any.
pub(crate) struct ActionField(pub HistoryEntry);

impl<'de> Deserialize<'de> for ActionField {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<ActionField, D::Error> {
        let mut object = from.deserialize_map(ActionVisitor)?;
        let (info, pv) = object.info.take().map(info::SearchObject::parts).unzip();
        let said = std::mem::take(&mut object.said);
        let (seat, spent, clock) = (object.seat, object.ns.unwrap_or(0), object.clock);
        let (lag, ready) = (object.lag, object.ready);
        let correction = Correction { given_back: object.given_back, unasked: object.unasked };
        let legal = object.legal.unwrap_or(true);
        let substituted = object.substituted.unwrap_or(false);
        let action = object.action().map_err(serde::de::Error::custom)?;
        let entry = HistoryEntry::new(seat, action, spent, clock);
        let pv = pv.unwrap_or_default();
        let entry = HistoryEntry { legal, substituted, correction, ..entry };
        Ok(ActionField(HistoryEntry { ready, info, pv, lag, said, ..entry }))
    }
}

/// For `#[serde(deserialize_with = "action::list")]`.
pub(crate) fn list<'de, D: serde::Deserializer<'de>>(
    from: D,
) -> Result<Vec<HistoryEntry>, D::Error> {
    struct ListVisitor;

    impl<'de> Visitor<'de> for ListVisitor {
        type Value = Vec<HistoryEntry>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of actions")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut actions = Vec::with_capacity(list.size_hint().unwrap_or(0).min(4096));
            while let Some(ActionField(entry)) = list.next_element()? {
                actions.push(entry);
            }
            Ok(actions)
        }
    }

    from.deserialize_seq(ListVisitor)
}

/// Reads one action as it stands in a record's list: what [`action_json`](crate::action_json)
/// writes.
///
/// # Errors
/// When it is no action.
pub fn action_from_json(text: &str) -> Result<HistoryEntry, ReadError> {
    read_json::<ActionField>(text).map(|ActionField(entry)| entry)
}

/// Takes an object alone: the fields of a struct may otherwise come as a list.
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

/// The object of an action as it is written down: every key it may have.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionObject {
    #[serde(with = "text")]
    seat: Seat,
    place: Option<Vec<TextValue<Point>>>,
    declare: Option<u8>,
    swap: Option<bool>,
    choose: Option<TextValue<Color>>,
    offer: Option<Vec<TextValue<Point>>>,
    pick: Option<TextValue<Point>>,
    r#move: Option<TextValue<Point>>,
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
    info: Option<info::SearchObject>,
    #[serde(default)]
    said: Vec<String>,
}

const ONE_OF: &str = "place, declare, swap, choose, offer, pick, move, pass, resign, claim, \
                      offer_draw or accept_draw";

impl ActionObject {
    /// What was done, if the object says one thing and no more.
    fn action(self) -> Result<Action, String> {
        let points =
            |list: Vec<TextValue<Point>>| list.into_iter().map(|TextValue(point)| point).collect();
        let stone = |TextValue(point)| Answer::Move(Move::Stone(point));
        let answers = [
            self.place.map(|list| Answer::Place(points(list))),
            self.declare.map(Answer::Declare),
            self.swap.map(Answer::Swap),
            self.choose.map(|TextValue(color)| Answer::Choose(color)),
            self.offer.map(|list| Answer::Offer(points(list))),
            self.pick.map(|TextValue(point)| Answer::Pick(point)),
            self.r#move.map(stone),
            self.pass.map(|True| Answer::Move(Move::Pass)),
        ];
        let others = [
            self.resign.map(|True| Action::Resign),
            self.claim.map(|True| Action::Claim),
            self.offer_draw.map(|True| Action::OfferDraw),
            self.accept_draw.map(|True| Action::AcceptDraw),
        ];
        let answers = answers.into_iter().flatten().map(Action::Answer);
        let mut said = answers.chain(others.into_iter().flatten());
        match (said.next(), said.next()) {
            (Some(action), None) => Ok(action),
            (None, _) => Err(format!("an action without what was done: expected one of {ONE_OF}")),
            (Some(_), Some(_)) => {
                Err(format!("an action that says several things: expected only one of {ONE_OF}"))
            }
        }
    }
}

/// The value of a key that only ever says yes.
struct True;

impl<'de> Deserialize<'de> for True {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<True, D::Error> {
        match bool::deserialize(from)? {
            true => Ok(True),
            false => Err(serde::de::Error::custom("expected true, or the key left out")),
        }
    }
}
