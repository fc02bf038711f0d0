//! The messages of clients: text to types. The format is in `docs/protocol.md`.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tengen_arbiter::{Action, HistoryEntry, SearchInfo};
use tengen_record::action_from_json;
use tengen_rules::{Move, Seat};

use super::messages::TableRequest;
use super::settings::{TableSettings, known_settings};

/// The version of the protocol.
pub const PROTOCOL_VERSION: u64 = 1;
/// The most bytes of a client's message.
pub const MOST_BYTES: usize = 4096;
/// The most signs of a name, and of what says which program a client is.
pub const MOST_NAME: usize = 32;

/// What kind of player a client is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// A person, who is asked again after an illegal answer.
    #[default]
    Person,
    /// An engine, which is told the whole position with each question, and loses by an illegal
    /// answer.
    Engine,
}

/// A format of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordFormat {
    /// The record itself.
    Json,
    /// Smart Game Format.
    Sgf,
    /// Piskvork's.
    Psq,
}

/// The first message of a client.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The version of the protocol that it speaks.
    pub version: u64,
    /// What people call it.
    #[serde(default)]
    pub name: String,
    /// Whether it is a person or an engine.
    #[serde(default)]
    pub kind: ClientKind,
    /// What program it is.
    #[serde(default)]
    pub agent: String,
    /// The password of the server's owner.
    pub password: Option<String>,
}

/// What a client did at a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Act {
    /// The number of the question that it answers; none for a resignation.
    pub question: Option<u64>,
    /// What it did.
    pub action: Action,
    /// What it says of its search.
    pub info: Option<SearchInfo>,
    /// The variation that it expects.
    pub pv: Vec<Move>,
}

/// What a client says to one room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RoomMessage {
    /// Come in; with the key of a seat, sit on it.
    Enter {
        /// What one may do.
        key: Option<String>,
    },
    /// Take a seat.
    Sit {
        /// Which; none is any that is free.
        seat: Option<Seat>,
        /// An invitation.
        key: Option<String>,
    },
    /// Give a seat up.
    Stand,
    /// Be told no more.
    Leave,
    /// Play.
    Act(Box<Act>),
    /// Ask the other player.
    Request(TableRequest),
    /// Answer the other player.
    Reply(TableRequest, bool),
    /// Ask no more.
    Withdraw(TableRequest),
    /// End a pause.
    Resume,
    /// Let an engine of the server play; none takes the seat back.
    Engine(Option<String>),
    /// Say something.
    Chat(String),
    /// Have a game as a file.
    Record {
        /// Its number in the room; none is the newest.
        game: Option<u64>,
        /// As what.
        format: RecordFormat,
    },
    /// Free a seat.
    Remove(Seat),
    /// End the table.
    Close,
}

/// A message of a client.
#[derive(Clone, PartialEq, Debug)]
pub enum ClientMessage {
    /// Who it is.
    Hello(Hello),
    /// Whether it wants to be told of the public tables.
    List(bool),
    /// Open a table.
    Host {
        /// Its settings.
        table: TableSettings,
        /// Where the host sits; none is nowhere.
        seat: Option<Seat>,
    },
    /// Another name from now on.
    Name(String),
    /// Something that concerns one room.
    Room {
        /// Its id.
        room: String,
        /// What it is.
        message: RoomMessage,
    },
}

/// Why a text is no message of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadMessage {
    /// Its number, where one could be read.
    pub id: Option<u64>,
    /// What is wrong with it.
    pub problem: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OnObject {
    on: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HostObject {
    #[serde(deserialize_with = "known_settings")]
    table: TableSettings,
    #[serde(default, deserialize_with = "seat_or_none")]
    seat: Option<Seat>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyObject {
    #[serde(default)]
    key: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SitObject {
    #[serde(default, deserialize_with = "seat_or_none")]
    seat: Option<Seat>,
    #[serde(default)]
    key: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RequestObject {
    what: TableRequest,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReplyObject {
    what: TableRequest,
    accept: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EngineObject {
    #[serde(default)]
    engine: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TextObject {
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NameObject {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordRequestObject {
    #[serde(default)]
    game: Option<u64>,
    format: RecordFormat,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SeatObject {
    #[serde(deserialize_with = "seat_or_none")]
    seat: Option<Seat>,
}

fn seat_or_none<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Seat>, D::Error> {
    match Option::<u8>::deserialize(from)? {
        None => Ok(None),
        Some(0) => Ok(Some(Seat::First)),
        Some(1) => Ok(Some(Seat::Second)),
        Some(other) => Err(serde::de::Error::custom(format!("seat {other}: expected 0 or 1"))),
    }
}

/// Reads a message of a client, and the number that it gave it.
///
/// # Errors
/// When it is none.
pub fn read_message(text: &str) -> Result<(Option<u64>, ClientMessage), BadMessage> {
    let MessageObject { id, kind, object } = read_object(text)?;
    let message = message(&kind, object).map_err(|problem| BadMessage { id, problem })?;
    Ok((id, message))
}

/// A message before its type is looked at.
pub(super) struct MessageObject {
    pub id: Option<u64>,
    pub kind: String,
    /// What there is beside its number and its type.
    pub object: Map<String, Value>,
}

/// Reads what all messages have in common.
pub(super) fn read_object(text: &str) -> Result<MessageObject, BadMessage> {
    let bad = |id, problem: String| BadMessage { id, problem };
    if text.len() > MOST_BYTES {
        return Err(bad(None, format!("longer than {MOST_BYTES} bytes")));
    }
    let mut object: Map<String, Value> =
        serde_json::from_str(text).map_err(|error| bad(None, format!("not JSON: {error}")))?;
    let id = match object.remove("id") {
        None => None,
        Some(id) => Some(
            id.as_u64().ok_or_else(|| bad(None, "`id` is not a whole number from 0 on".into()))?,
        ),
    };
    match object.remove("type") {
        Some(Value::String(kind)) => Ok(MessageObject { id, kind, object }),
        _ => Err(bad(id, "`type` is missing: expected a text".into())),
    }
}

fn message(kind: &str, mut object: Map<String, Value>) -> Result<ClientMessage, String> {
    match kind {
        "hello" => return Ok(ClientMessage::Hello(read(kind, object)?)),
        "list" => return Ok(ClientMessage::List(read::<OnObject>(kind, object)?.on)),
        "name" => return Ok(ClientMessage::Name(read::<NameObject>(kind, object)?.name)),
        "host" => {
            let HostObject { table, seat } = read(kind, object)?;
            return Ok(ClientMessage::Host { table, seat });
        }
        _ => {}
    }
    let room = match object.remove("room") {
        Some(Value::String(room)) => Ok(room),
        _ => Err(()),
    };
    let message = match kind {
        "enter" => RoomMessage::Enter { key: read::<KeyObject>(kind, object)?.key },
        "sit" => {
            let SitObject { seat, key } = read(kind, object)?;
            RoomMessage::Sit { seat, key }
        }
        "stand" => read(kind, object).map(|Nothing {}| RoomMessage::Stand)?,
        "leave" => read(kind, object).map(|Nothing {}| RoomMessage::Leave)?,
        "resume" => read(kind, object).map(|Nothing {}| RoomMessage::Resume)?,
        "close" => read(kind, object).map(|Nothing {}| RoomMessage::Close)?,
        "act" => RoomMessage::Act(Box::new(act(object)?)),
        "request" => RoomMessage::Request(read::<RequestObject>(kind, object)?.what),
        "withdraw" => RoomMessage::Withdraw(read::<RequestObject>(kind, object)?.what),
        "reply" => {
            let ReplyObject { what, accept } = read(kind, object)?;
            RoomMessage::Reply(what, accept)
        }
        "engine" => RoomMessage::Engine(read::<EngineObject>(kind, object)?.engine),
        "chat" => RoomMessage::Chat(read::<TextObject>(kind, object)?.text),
        "record" => {
            let RecordRequestObject { game, format } = read(kind, object)?;
            RoomMessage::Record { game, format }
        }
        "remove" => {
            let SeatObject { seat } = read(kind, object)?;
            RoomMessage::Remove(seat.ok_or("remove: `seat` is missing: expected 0 or 1")?)
        }
        _ => return Err(format!("unknown type `{}`", shorten(kind))),
    };
    let room = room.map_err(|()| format!("{kind}: `room` is missing: expected a room's id"))?;
    Ok(ClientMessage::Room { room, message })
}

/// The fields of a message of that type.
pub(super) fn read<T: DeserializeOwned>(
    kind: &str,
    object: Map<String, Value>,
) -> Result<T, String> {
    serde_json::from_value(Value::Object(object)).map_err(|error| format!("{kind}: {error}"))
}

/// The keys that say what is done: those of a record that a player at a table may use.
const DONE: [&str; 9] =
    ["move", "pass", "place", "choose", "swap", "declare", "offer", "pick", "resign"];

/// What was done, as an action of a record without what the arbiter writes there.
fn act(mut object: Map<String, Value>) -> Result<Act, String> {
    let question = match object.remove("question") {
        None => None,
        Some(number) => Some(number.as_u64().ok_or("act: `question` is not a whole number")?),
    };
    let entry = done(object, &DONE)?;
    if question.is_none() && entry.action != Action::Resign {
        return Err("act: `question` is missing: expected the number of the question".to_owned());
    }
    Ok(Act { question, action: entry.action, info: entry.info, pv: entry.pv })
}

/// What was done, by the keys of a record that may stand there; `info` may always.
pub(super) fn done(
    mut object: Map<String, Value>,
    allowed: &[&str],
) -> Result<HistoryEntry, String> {
    if let Some(key) =
        object.keys().find(|key| !allowed.contains(&key.as_str()) && key.as_str() != "info")
    {
        return Err(format!("act: unknown key `{}`", shorten(key)));
    }
    object.insert("seat".to_owned(), Value::from("first"));
    let text = Value::Object(object).to_string();
    action_from_json(&text).map_err(|error| format!("act: {}", error.message))
}

pub(super) fn shorten(text: &str) -> String {
    crate::text::plain(text, MOST_NAME)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tengen_rules::Answer;

    #[test]
    fn a_message_is_read_and_anything_else_is_named() {
        let (id, message) =
            read_message(r#"{"type":"act","id":7,"room":"r","question":3,"move":"h8"}"#).unwrap();
        assert_eq!(id, Some(7));
        let ClientMessage::Room { room, message: RoomMessage::Act(act) } = message else {
            panic!("{message:?}")
        };
        assert_eq!((room.as_str(), act.question), ("r", Some(3)));
        let h8 = Move::Stone("h8".parse().unwrap());
        assert_eq!(act.action, Action::Answer(Answer::Move(h8)));
        for (text, word) in [
            ("", "not JSON"),
            ("[]", "not JSON"),
            ("{}", "`type`"),
            (r#"{"type":"jump"}"#, "unknown type `jump`"),
            (r#"{"type":"sit"}"#, "`room`"),
            (r#"{"type":"sit","room":"r","seat":2}"#, "expected 0 or 1"),
            (r#"{"type":"chat","room":"r","text":"a","html":"b"}"#, "html"),
            (r#"{"type":"act","room":"r","move":"h8"}"#, "`question`"),
            (r#"{"type":"act","room":"r","question":1}"#, "expected one of"),
            (r#"{"type":"act","room":"r","question":1,"move":"h8","pass":true}"#, "several"),
            (r#"{"type":"act","room":"r","question":1,"move":"h8","ns":1}"#, "`ns`"),
            (r#"{"type":"act","room":"r","question":1,"offer_draw":true}"#, "`offer_draw`"),
            (r#"{"type":"host","table":{"rule":"chess"},"id":-1}"#, "`id`"),
        ] {
            let error = read_message(text).unwrap_err();
            assert!(error.problem.contains(word), "{text}: {}", error.problem);
        }
        let long = format!(r#"{{"type":"chat","room":"r","text":"{}"}}"#, "x".repeat(5000));
        assert!(read_message(&long).is_err());
    }
}
