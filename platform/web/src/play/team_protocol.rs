//! The messages of a team's client: text to types. The format is in `docs/protocol.md`.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tengen_arbiter::{Action, Nanos, SearchInfo};
use tengen_players::{AT_WORK, DENIED};
use tengen_rules::Move;

use super::protocol::{BadMessage, MessageObject, done, read, read_object, shorten};
use crate::text::plain;

/// The most games that a team's engine may play at once.
pub const MOST_TABLES: u64 = 64;
/// What is kept of what an engine says with one answer: lines, and signs of each.
pub(super) const MOST_SAID: usize = 16;
pub(super) const MOST_LINE: usize = 200;

/// The first message of a team's client.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinMessage {
    /// The version of the protocol that it speaks.
    pub version: u64,
    /// The team's key.
    pub key: String,
    /// What its engine is called.
    #[serde(default)]
    pub name: String,
    /// What program it is.
    #[serde(default)]
    pub agent: String,
    /// How many games its engine plays at once.
    #[serde(default = "one")]
    pub tables: u64,
}

fn one() -> u64 {
    1
}

/// What a team's engine did in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TeamAct {
    /// The number of the question that it answers.
    pub question: u64,
    /// What it did.
    pub action: Action,
    /// Whether it offers a draw along with that.
    pub offers_draw: bool,
    /// What it took by the clock at its own end.
    pub took: Option<Nanos>,
    /// What it says of its search.
    pub info: Option<SearchInfo>,
    /// The variation that it expects.
    pub pv: Vec<Move>,
    /// What it said to people.
    pub said: Vec<String>,
}

/// A message of a team's client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamMessage {
    /// Who it is.
    Join(JoinMessage),
    /// Its engine is ready for a game.
    Ready {
        /// The game's room.
        room: String,
    },
    /// Its engine answers.
    Act {
        /// The game's room.
        room: String,
        /// The answer.
        act: Box<TeamAct>,
    },
    /// Its engine cannot play that game, or not any more.
    Failed {
        /// The game's room.
        room: String,
        /// Why.
        reason: String,
    },
}

/// Reads a message of a team's client, and the number that it gave it.
///
/// # Errors
/// When it is none.
pub fn read_team_message(text: &str) -> Result<(Option<u64>, TeamMessage), BadMessage> {
    let MessageObject { id, kind, object } = read_object(text)?;
    let message = message(&kind, object).map_err(|problem| BadMessage { id, problem })?;
    Ok((id, message))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReadyObject {
    room: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FailedObject {
    room: String,
    #[serde(default)]
    reason: String,
}

fn message(kind: &str, mut object: Map<String, Value>) -> Result<TeamMessage, String> {
    Ok(match kind {
        "join" => TeamMessage::Join(read(kind, object)?),
        "ready" => TeamMessage::Ready { room: read::<ReadyObject>(kind, object)?.room },
        "failed" => {
            let FailedObject { room, reason } = read(kind, object)?;
            TeamMessage::Failed { room, reason: plain(&reason, MOST_LINE) }
        }
        "act" => {
            let Some(Value::String(room)) = object.remove("room") else {
                return Err("act: `room` is missing: expected the room of a game".to_owned());
            };
            TeamMessage::Act { room, act: Box::new(act(object)?) }
        }
        _ => return Err(format!("unknown type `{}`", shorten(kind))),
    })
}

/// The keys that say what is done: those of a record that an engine may use.
const DONE: [&str; 11] = [
    "move",
    "pass",
    "place",
    "choose",
    "swap",
    "declare",
    "offer",
    "pick",
    "resign",
    "claim",
    "accept_draw",
];

fn act(mut object: Map<String, Value>) -> Result<TeamAct, String> {
    fn take<T: DeserializeOwned>(
        object: &mut Map<String, Value>,
        key: &str,
    ) -> Result<Option<T>, String> {
        let value = object.remove(key).map(serde_json::from_value).transpose();
        value.map_err(|error| format!("act: `{key}`: {error}"))
    }
    let question = take(&mut object, "question")?
        .ok_or("act: `question` is missing: expected the number of the question")?;
    let took: Option<u64> = take(&mut object, "took")?;
    let offers_draw = take(&mut object, "draw")?.unwrap_or(false);
    let said: Vec<String> = take(&mut object, "said")?.unwrap_or_default();
    let entry = done(object, &DONE)?;
    // What begins so is the word of a host.
    let is_hosts =
        |line: &String| [DENIED, AT_WORK].iter().any(|begin| line.starts_with(begin.trim_end()));
    let is_own = |line: &String| !line.is_empty() && !is_hosts(line);
    let said = said.iter().map(|line| plain(line.trim(), MOST_LINE)).filter(is_own);
    Ok(TeamAct {
        question,
        action: entry.action,
        offers_draw,
        took: took.map(|millis| millis.saturating_mul(1_000_000)),
        info: entry.info,
        pv: entry.pv,
        said: said.take(MOST_SAID).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::Answer;

    #[test]
    fn a_message_is_read_and_anything_else_is_named() {
        let text = r#"{"type":"act","id":7,"room":"r","question":3,"move":"h8","took":12,
            "draw":true,"said":["hello\u001b[2J","was denied /etc/passwd",""],
            "info":{"eval":3,"pv":["h8"]}}"#;
        let (id, message) = read_team_message(text).unwrap();
        let TeamMessage::Act { room, act } = message else { panic!("{message:?}") };
        assert_eq!((id, room.as_str(), act.question), (Some(7), "r", 3));
        let h8 = Move::Stone("h8".parse().unwrap());
        assert_eq!(act.action, Action::Answer(Answer::Move(h8)));
        assert_eq!((act.offers_draw, act.took), (true, Some(12_000_000)));
        assert_eq!(act.said, ["hello[2J"], "what a host says is no engine's to say");
        assert_eq!(act.pv, [h8]);
        let (_, message) = read_team_message(r#"{"type":"join","version":1,"key":"k"}"#).unwrap();
        let TeamMessage::Join(join) = message else { panic!("{message:?}") };
        assert_eq!((join.key.as_str(), join.tables), ("k", 1));
        for (text, word) in [
            ("", "not JSON"),
            ("{}", "`type`"),
            (r#"{"type":"jump"}"#, "unknown type `jump`"),
            (r#"{"type":"ready"}"#, "room"),
            (r#"{"type":"join","version":1}"#, "key"),
            (r#"{"type":"join","version":1,"key":"k","rooms":2}"#, "rooms"),
            (r#"{"type":"act","question":1,"move":"h8"}"#, "`room`"),
            (r#"{"type":"act","room":"r","move":"h8"}"#, "`question`"),
            (r#"{"type":"act","room":"r","question":1}"#, "expected one of"),
            (r#"{"type":"act","room":"r","question":1,"move":"h8","pass":true}"#, "several"),
            (r#"{"type":"act","room":"r","question":1,"move":"h8","ns":1}"#, "`ns`"),
            (r#"{"type":"act","room":"r","question":1,"move":"h8","took":-1}"#, "`took`"),
        ] {
            let error = read_team_message(text).unwrap_err();
            assert!(error.problem.contains(word), "{text}: {}", error.problem);
        }
        let many = vec!["x".repeat(9); 40];
        let text = serde_json::json!(
            { "type": "act", "room": "r", "question": 1, "pass": true, "said": many });
        let (_, message) = read_team_message(&text.to_string()).unwrap();
        let TeamMessage::Act { act, .. } = message else { panic!("{message:?}") };
        assert_eq!(act.said.len(), MOST_SAID);
        let long = format!(r#"{{"type":"failed","room":"r","reason":"{}"}}"#, "x".repeat(5000));
        assert!(read_team_message(&long).is_err());
    }
}
