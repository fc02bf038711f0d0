//! The messages of a client of a server of tables.

use serde_json::{Map, Value, json};
use tengen_arbiter::{Action, SearchInfo};
use tengen_rules::{Answer, Move, Point, Seat};

use super::{TableAddress, TableSettings};

/// Writes the messages of a client.
pub(in crate::app) struct ClientText;

impl ClientText {
    /// To be told of the public tables.
    pub fn list() -> String {
        json!({ "type": "list", "on": true }).to_string()
    }

    /// Another name from now on.
    pub fn name(name: &str) -> String {
        json!({ "type": "name", "name": name }).to_string()
    }

    /// To open a table.
    pub fn host(settings: &TableSettings, seat: Option<Seat>) -> String {
        json!({ "type": "host", "table": settings, "seat": seat.map(|seat| seat as u8) })
            .to_string()
    }

    /// A message that has nothing but its type to the room of a link, and its key where it has one.
    pub fn with_key(kind: &str, link: &TableAddress) -> String {
        let mut message = json!({ "type": kind, "room": link.room });
        if let Some(key) = &link.key {
            message["key"] = key.as_str().into();
        }
        message.to_string()
    }

    /// To take a seat; none is any that is free.
    pub fn sit(link: &TableAddress, seat: Option<Seat>) -> String {
        let mut message = json!({ "type": "sit", "room": link.room });
        if let Some(seat) = seat {
            message["seat"] = (seat as u8).into();
        }
        if let Some(key) = &link.key {
            message["key"] = key.as_str().into();
        }
        message.to_string()
    }

    /// A message to a room with these keys besides.
    pub fn to_room(kind: &str, room: &str, more: Value) -> String {
        let mut message = Map::new();
        message.insert("type".to_owned(), kind.into());
        message.insert("room".to_owned(), room.into());
        if let Value::Object(more) = more {
            message.extend(more);
        }
        Value::Object(message).to_string()
    }

    /// What is done at a table; none for what is no message of the protocol.
    pub fn act(
        room: &str,
        question: Option<u64>,
        action: &Action,
        info: Option<&SearchInfo>,
        pv: &[Move],
    ) -> Option<String> {
        let points = |points: &[Point]| -> Value {
            points.iter().map(|point| Value::from(point.to_string())).collect()
        };
        let (key, value) = match action {
            Action::Answer(Answer::Move(Move::Stone(at))) => ("move", at.to_string().into()),
            Action::Answer(Answer::Move(Move::Pass)) => ("pass", true.into()),
            Action::Answer(Answer::Place(stones)) => ("place", points(stones)),
            Action::Answer(Answer::Choose(color)) => ("choose", color.name().into()),
            Action::Answer(Answer::Swap(swap)) => ("swap", (*swap).into()),
            Action::Answer(Answer::Declare(number)) => ("declare", (*number).into()),
            Action::Answer(Answer::Offer(moves)) => ("offer", points(moves)),
            Action::Answer(Answer::Pick(at)) => ("pick", at.to_string().into()),
            Action::Resign => ("resign", true.into()),
            Action::Claim | Action::OfferDraw | Action::AcceptDraw => return None,
        };
        let mut more = json!({ key: value });
        if let Some(question) = question {
            more["question"] = question.into();
        }
        if let Some(info) = info {
            let mut said = json!({
                "depth": info.depth, "seldepth": info.seldepth, "nodes": info.nodes,
            });
            if let Some(eval) = info.eval {
                said["eval"] = eval.into();
            }
            if let Some(win_in) = info.win_in {
                said["win_in"] = win_in.into();
            }
            let name =
                |mv: &Move| mv.point().map_or_else(|| "pass".to_owned(), |point| point.to_string());
            if !pv.is_empty() {
                said["pv"] = pv.iter().take(64).map(|mv| Value::from(name(mv))).collect();
            }
            more["info"] = said;
        }
        Some(ClientText::to_room("act", room, more))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actions_are_written_as_the_protocol_has_them() {
        let act = |action: &Action| ClientText::act("r", Some(3), action, None, &[]).unwrap();
        let h8 = Move::Stone("h8".parse().unwrap());
        let written = act(&Action::Answer(Answer::Move(h8)));
        assert_eq!(written, r#"{"move":"h8","question":3,"room":"r","type":"act"}"#);
        assert_eq!(ClientText::act("r", None, &Action::Claim, None, &[]), None);
        let info = SearchInfo { eval: Some(-7), depth: 4, nodes: 9, ..SearchInfo::default() };
        let action = Action::Answer(Answer::Move(h8));
        let said = ClientText::act("r", Some(1), &action, Some(&info), &[h8, Move::Pass]).unwrap();
        assert!(said.contains(r#""pv":["h8","pass"]"#) && said.contains(r#""eval":-7"#), "{said}");
        assert_eq!(
            ClientText::act("r", None, &Action::Resign, None, &[]).unwrap(),
            r#"{"resign":true,"room":"r","type":"act"}"#
        );
    }
}
