//! What clients say: at tables, and for remote engines of an event.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tengen_arbiter::{Action, SearchObject};
use tengen_rules::Seat;

use super::settings::{TableSettings, known_settings};
use super::table::{TableClaim, TableRequest};
use crate::text::plain;

pub const PROTOCOL_VERSION: u64 = 2;
/// The most bytes of a message, without a picture.
pub const MOST_BYTES: usize = 4096;
/// The most bytes of a line of chat that has a picture.
pub const MOST_PICTURE_BYTES: usize = 64 * 1024;
/// The most characters of a name, and of what says which program a client is.
pub const MOST_NAME: usize = 32;
/// The most games that a remote engine may play at once.
pub const MOST_TABLES: u64 = 64;
/// What is kept of what an engine says with one answer: lines, and characters of each.
pub const MOST_SAID: usize = 16;
/// The most characters of a line that an engine says.
pub const MOST_LINE: usize = 200;

/// What kind of player a client is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientKind {
    /// A person, which is asked again after an illegal answer.
    #[default]
    Person,
    /// An engine: it gets the whole position with each question, and loses by an illegal answer.
    Engine,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RecordFormat {
    /// The record itself.
    Json,
    /// Smart Game Format.
    Sgf,
    /// Piskvork's.
    Psq,
    /// What draws it: the view of a game, and the names.
    View,
}

/// The first message of a client of tables.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
}

/// The first message of a client of a remote engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JoinMessage {
    pub version: u64,
    /// The key of the remote engine.
    pub key: String,
    /// What the engine is called.
    #[serde(default)]
    pub name: String,
    #[serde(default)]
    pub agent: String,
    /// How many games the engine plays at once.
    #[serde(default = "one")]
    pub tables: u64,
}

fn one() -> u64 {
    1
}

/// What a client did: `question`, and one key that says what was done, as in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Act {
    /// The number of the question that it answers; none for a resignation at a table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<u64>,
    #[serde(flatten)]
    pub action: Action,
    /// Whether it offers a draw along with that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub draw: bool,
    /// What it took by the clock at its own end, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<u64>,
    /// What it says of its search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<SearchObject>,
    /// What it said to people, a line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
}

impl Act {
    /// An answer of which no more is known.
    pub fn new(question: Option<u64>, action: Action) -> Act {
        Act { question, action, draw: false, took: None, info: None, said: Vec::new() }
    }
}

/// What a client says to one table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum TableInput {
    /// Come in; with the key of a seat, sit on it.
    Enter {
        /// What the client may do.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// Take a seat.
    Sit {
        /// Which; none is any that is free.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        seat: Option<Seat>,
        /// An invitation.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        key: Option<String>,
    },
    /// Give a seat up.
    Stand {},
    /// Be told no more.
    Leave {},
    /// The player is ready for the first game, or the engine for a game of an event.
    Ready {},
    Act(Box<Act>),
    /// The engine cannot play this game of an event, or not any more.
    Failed {
        #[serde(default)]
        reason: String,
    },
    /// Ask the other player.
    Request {
        what: TableRequest,
    },
    /// Answer the other player.
    Reply {
        what: TableRequest,
        /// Whether it is granted.
        accept: bool,
    },
    /// Ask no more.
    Withdraw {
        what: TableRequest,
    },
    /// End the game, because the other player is away for long.
    Claim {
        what: TableClaim,
    },
    Resume {},
    /// Let an engine of the server play; none takes the seat back.
    Engine {
        /// Its id.
        #[serde(default)]
        engine: Option<String>,
    },
    Chat {
        /// It may be empty beside a picture.
        text: String,
        /// A PNG or JPEG file in base64.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        picture: Option<String>,
    },
    /// Have a game as a file.
    Record {
        /// Its number at the table; none is the newest.
        #[serde(default)]
        game: Option<u64>,
        format: RecordFormat,
    },
    /// Free a seat.
    Remove {
        seat: Seat,
    },
    Close {},
}

/// A message to one table, which has its type beside the table's id.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ToTable {
    pub table: String,
    /// What it is told.
    #[serde(flatten)]
    pub message: TableInput,
}

impl ToTable {
    pub fn new(table: &str, message: TableInput) -> ToTable {
        ToTable { table: table.to_owned(), message }
    }
}

/// A message of a client that concerns no table, or opens one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum ClientMessage {
    /// The greeting, at tables.
    Hello(Hello),
    /// The greeting, in an event.
    Join(JoinMessage),
    /// Whether it wants to be told of the public tables.
    List {
        /// From now on, or no more.
        on: bool,
    },
    Host {
        #[serde(deserialize_with = "known_settings")]
        table: TableSettings,
        /// Where the host sits; none is nowhere.
        #[serde(default)]
        seat: Option<Seat>,
        /// The engine of the server that plays on the other seat, or on the second one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        engine: Option<String>,
    },
    /// Another name from now on.
    Name { name: String },
    /// Wait for an opponent who wants to play the same, or no more.
    Seek {
        on: bool,
        #[serde(default, deserialize_with = "known_settings")]
        table: TableSettings,
    },
    /// To hear a `beat` of the server every few seconds from now on, and to be given up soon where
    /// nothing comes from here, not even the answer to a ping.
    Beat {},
}

#[derive(Clone, PartialEq, Debug)]
pub enum Heard {
    Server(ClientMessage),
    Table(ToTable),
}

/// Why a text is no message of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadMessage {
    /// Its number, where one could be read.
    pub id: Option<u64>,
    /// What is wrong with it.
    pub problem: String,
}

/// A message with the number that the client gave it, which what answers it has too.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Numbered<M> {
    #[serde(flatten)]
    pub message: M,
    /// Its number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u64>,
}

/// The types of the messages that concern no table.
const TABLELESS: [&str; 7] = ["hello", "join", "list", "host", "name", "seek", "beat"];

/// Reads a message of a client, and the number that it gave it.
///
/// # Errors
/// When it is none.
pub fn read_message(text: &str) -> Result<(Option<u64>, Heard), BadMessage> {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "type")]
        kind: String,
        id: Option<u64>,
    }

    fn read<M: DeserializeOwned>(text: &str) -> Result<M, serde_json::Error> {
        serde_json::from_str(text).map(|Numbered { message, .. }: Numbered<M>| message)
    }

    let bad = |id, problem: String| BadMessage { id, problem: plain(&problem, MOST_LINE) };
    let long = |id, most| Err(bad(id, format!("longer than {most} bytes")));
    if text.len() > MOST_PICTURE_BYTES {
        return long(None, MOST_PICTURE_BYTES);
    }
    if !text.trim_start().starts_with('{') {
        return Err(bad(None, "not JSON: expected an object".to_owned()));
    }
    let Head { kind, id } = serde_json::from_str(text).map_err(|error| {
        let kind = if error.is_data() { "" } else { "not JSON: " };
        bad(None, format!("{kind}{error}"))
    })?;
    if text.len() > MOST_BYTES && kind != "chat" {
        return long(id, MOST_BYTES);
    }
    let message = match TABLELESS.contains(&kind.as_str()) {
        true => read(text).map(Heard::Server),
        false => read(text).map(Heard::Table),
    };
    let message =
        message.map_err(|error| bad(id, format!("{}: {error}", plain(&kind, MOST_NAME))))?;
    let picture = match &message {
        Heard::Table(ToTable { message: TableInput::Chat { picture, .. }, .. }) => picture.as_ref(),
        _ => None,
    };
    if text.len() > MOST_BYTES + picture.map_or(0, String::len) {
        return long(id, MOST_BYTES);
    }
    Ok((id, message))
}

#[cfg(test)]
mod tests {
    use tengen_rules::{Answer, Move};

    use super::*;

    #[test]
    fn a_message_is_read_and_anything_else_is_named() {
        let (id, message) =
            read_message(r#"{"type":"act","id":7,"table":"r","question":3,"move":"h8"}"#).unwrap();
        assert_eq!(id, Some(7));
        let Heard::Table(ToTable { table, message: TableInput::Act(act) }) = &message else {
            panic!("{message:?}")
        };
        assert_eq!((table.as_str(), act.question), ("r", Some(3)));
        let h8 = Move::Stone("h8".parse().unwrap());
        assert_eq!(act.action, Action::Answer(Answer::Move(h8)));
        let Heard::Table(message) = message else { panic!("{message:?}") };
        let written = serde_json::to_string(&Numbered { message, id }).unwrap();
        assert_eq!(written, r#"{"table":"r","type":"act","question":3,"move":"h8","id":7}"#);
        let said = r#"{"type":"act","table":"r","question":3,"accept_draw":true,"took":12,
            "draw":true,"said":["hello"],"info":{"eval":3,"pv":["h8"]}}"#;
        let (_, message) = read_message(said).unwrap();
        let Heard::Table(ToTable { message: TableInput::Act(act), .. }) = message else {
            panic!("{message:?}")
        };
        assert_eq!((act.draw, act.took, act.action), (true, Some(12), Action::AcceptDraw));
        let (_, message) = read_message(r#"{"type":"join","version":2,"key":"k"}"#).unwrap();
        let Heard::Server(ClientMessage::Join(join)) = message else { panic!("{message:?}") };
        assert_eq!((join.key.as_str(), join.tables), ("k", 1));
        for (text, word) in [
            ("", "not JSON"),
            ("[]", "not JSON"),
            ("{}", "`type`"),
            (r#"{"type":"jump","table":"r"}"#, "unknown variant `jump`"),
            (r#"{"type":"sit"}"#, "`table`"),
            (r#"{"type":"stand","table":"r","now":true}"#, "`now`"),
            (r#"{"type":"sit","table":"r","seat":"third"}"#, "expected first, second"),
            (r#"{"type":"chat","table":"r","text":"a","html":"b"}"#, "html"),
            (r#"{"type":"act","table":"r","question":1}"#, "expected one of"),
            (r#"{"type":"act","table":"r","question":1,"move":"h8","pass":true}"#, "several"),
            (r#"{"type":"act","table":"r","question":1,"move":"h8","ns":1}"#, "`ns`"),
            (r#"{"type":"act","table":"r","question":1,"move":"h8","took":-1}"#, "-1"),
            (r#"{"type":"host","table":{"rule":"chess"},"id":-1}"#, "id"),
            (r#"{"type":"host","table":{"rule":"chess"}}"#, "`chess` is not a rule"),
            (r#"{"type":"host","table":{"komi":7}}"#, "komi"),
            (r#"{"type":"host","table":{},"seat":0}"#, "a seat as a string"),
            (r#"{"type":"join","version":2}"#, "key"),
            (r#"{"type":"join","version":2,"key":"k","seats":2}"#, "seats"),
        ] {
            let error = read_message(text).unwrap_err();
            assert!(error.problem.contains(word), "{text}: {}", error.problem);
        }
    }

    #[test]
    fn only_a_picture_makes_a_message_longer() {
        let long = |begin: &str, count: usize| format!("{begin}{}\"}}", "x".repeat(count));
        let shown = r#"{"type":"chat","id":7,"table":"r","text":"","picture":""#;
        assert!(read_message(&long(shown, 60_000)).is_ok());
        for (text, most) in [
            (long(r#"{"type":"chat","id":7,"table":"r","text":""#, 5000), "4096"),
            (long(r#"{"type":"chat","id":7,"table":"r","picture":"x","text":""#, 5000), "4096"),
            (long(r#"{"type":"engine","id":7,"table":"r","engine":""#, 5000), "4096"),
            (long(r#"{"type":"name","id":7,"name":""#, 5000), "4096"),
            (long(shown, 70_000), "65536"),
        ] {
            let bad = read_message(&text).unwrap_err();
            assert_eq!(bad.problem, format!("longer than {most} bytes"));
            assert_eq!(bad.id, (most == "4096").then_some(7));
        }
    }
}
