//! The messages between a server and its clients, in both directions. The format is in
//! `docs/protocol.md`.
//!
//! A client passes over keys and types that it does not know: a later server of the same version
//! may send more. A server refuses them.

mod ask;
mod chat;
mod client;
mod event;
mod settings;
mod table;

use serde::{Deserialize, Deserializer, Serialize};

use crate::text::plain;

pub use self::ask::{AskLimits, AskMessage};
pub use self::chat::{ChatLine, ChatPicture, PictureFormat};
pub use self::client::{
    Act, BadMessage, ClientKind, ClientMessage, Heard, Hello, JoinMessage, MOST_BYTES, MOST_LINE,
    MOST_NAME, MOST_PICTURE_BYTES, MOST_SAID, MOST_TABLES, Numbered, PROTOCOL_VERSION,
    RecordFormat, TableInput, ToTable, read_message,
};
pub use self::event::{GameMessage, GameSettings, Joined, JoinedLimits};
pub use self::settings::{MOST_TITLE, TableSettings, known_settings};
pub use self::table::{
    LinkKeys, LiveGame, MessageLimits, NamedEngine, OpenRequest, OverMessage, OwnPlace, Sitter,
    SitterKind, StepMessage, TableClaim, TableListing, TableMessage, TablePhase, TableRequest,
    TableState, Welcome,
};

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<'a> {
    /// The connection to the tables is made.
    Welcome(Welcome),
    /// The connection to the event is made.
    Joined(Joined),
    Error(ErrorMessage),
    /// The public tables, the newest first.
    Lobby {
        #[serde(deserialize_with = "readable")]
        tables: Vec<TableListing>,
    },
    /// A table is new in the list, or has changed.
    Listed {
        table: TableListing,
    },
    /// A table is in the list no more.
    Unlisted {
        /// Its id.
        table: String,
    },
    Table(Box<TableMessage<'a>>),
    /// Which players are there, and what is asked for.
    State {
        /// The id of the table.
        table: String,
        state: TableState,
    },
    Step(Box<StepMessage<'a>>),
    /// A game of an event begins.
    Game(GameMessage),
    /// A question to an engine.
    Ask(Box<AskMessage>),
    Over(Box<OverMessage>),
    Chat {
        /// The id of the table.
        table: String,
        line: ChatLine,
    },
    /// A game as a file.
    Record {
        /// The id of the table.
        table: String,
        game: u64,
        format: RecordFormat,
        /// The text of the file.
        text: String,
    },
    /// The table is gone.
    Closed {
        /// Its id.
        table: String,
        reason: String,
    },
    /// What those that wait for an opponent want to play.
    Seeks {
        #[serde(deserialize_with = "readable_settings")]
        seeks: Vec<TableSettings>,
    },
    /// An opponent is found.
    Paired {
        /// The id of the table.
        table: String,
        /// The key of the seat there.
        key: String,
    },
    /// The server is there.
    Beat {
        /// Its clock, in milliseconds since 1970.
        #[serde(default)]
        now: u64,
    },
    /// The event is over for this engine.
    End {
        reason: String,
    },
    /// A message of a type that this version knows, and with a word that it does not know.
    #[serde(skip)]
    Unreadable(UnreadableMessage),
    /// Something that this version does not know.
    #[serde(other)]
    Other,
}

/// What cannot be read of a message. The connection goes on: the rest of what is on it can be.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct UnreadableMessage {
    /// Its type.
    #[serde(rename = "type")]
    pub kind: String,
    /// The id of the table that it is for.
    #[serde(default, deserialize_with = "table_id")]
    pub table: Option<String>,
    /// What is wrong with it.
    #[serde(skip)]
    pub problem: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorMessage {
    /// What kind of refusal it is.
    pub code: String,
    /// Why, for people.
    pub message: String,
    /// The table that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<String>,
}

/// A message of a server with the number of the message that it answers.
pub type ServerAnswer<'a> = Numbered<ServerMessage<'a>>;

impl ServerMessage<'static> {
    /// Reads a message.
    ///
    /// # Errors
    /// When it is no JSON, or no object with a type.
    pub fn read(text: &str) -> Result<ServerAnswer<'static>, String> {
        let error = match serde_json::from_str(text) {
            Ok(answer) => return Ok(answer),
            Err(error) => plain(&error.to_string(), MOST_LINE),
        };
        let head: Result<Numbered<UnreadableMessage>, _> = serde_json::from_str(text);
        let Ok(Numbered { message, id }) = head else { return Err(error) };
        let problem = format!("{}: {error}", plain(&message.kind, MOST_NAME));
        let message = UnreadableMessage { problem, ..message };
        Ok(Numbered { message: ServerMessage::Unreadable(message), id })
    }
}

/// Some messages have a whole table there.
fn table_id<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let table = serde_json::Value::deserialize(from)?;
    Ok(table.as_str().map(|table| plain(table, MOST_NAME)))
}

/// The settings that can be read.
fn readable_settings<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<TableSettings>, D::Error> {
    let seeks = Vec::<serde_json::Value>::deserialize(from)?;
    Ok(seeks.into_iter().filter_map(|one| serde_json::from_value(one).ok()).collect())
}

/// The tables that can be read: a later server may have rules that this version does not know.
fn readable<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<TableListing>, D::Error> {
    let tables = Vec::<serde_json::Value>::deserialize(from)?;
    Ok(tables.into_iter().filter_map(|table| serde_json::from_value(table).ok()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over() {
        let read = |text: &str| ServerMessage::read(text).unwrap().message;
        assert!(matches!(read(r#"{"type":"later","table":"r"}"#), ServerMessage::Other));
        let welcome = read(r#"{"type":"welcome","version":2,"engines":[],"more":{"a":1}}"#);
        assert!(matches!(welcome, ServerMessage::Welcome(Welcome { version: 2, .. })));
        assert!(ServerMessage::read("[]").is_err());
        let listed = r#"{"type":"listed","table":{"table":"r","settings":{"komi":7},"phase":"later",
            "seats":{"first":null,"second":"Ada"},"viewers":0}}"#;
        let ServerMessage::Listed { table } = read(listed) else { panic!("{listed}") };
        assert_eq!((table.phase, table.settings), (TablePhase::Open, TableSettings::default()));
    }

    #[test]
    fn one_word_that_is_not_known_costs_one_message_or_one_table() {
        let table = |rule: &str| {
            format!(
                r#"{{"table":"{rule}","settings":{{"rule":"{rule}"}},"phase":"open",
                    "seats":{{"first":null,"second":null}},"viewers":0}}"#
            )
        };
        let listed = format!(r#"{{"type":"listed","id":3,"table":{}}}"#, table("go"));
        let read = ServerMessage::read(&listed).unwrap();
        let ServerMessage::Unreadable(unread) = read.message else { panic!("{listed}") };
        assert_eq!((unread.kind.as_str(), unread.table, read.id), ("listed", None, Some(3)));
        assert!(unread.problem.starts_with("listed: "), "{}", unread.problem);
        let lobby = format!(r#"{{"type":"lobby","tables":[{},{}]}}"#, table("go"), table("caro"));
        let ServerMessage::Lobby { tables } = ServerMessage::read(&lobby).unwrap().message else {
            panic!("{lobby}")
        };
        let tables: Vec<_> = tables.iter().map(|table| table.id.as_str()).collect();
        assert_eq!(tables, ["caro"]);
        let ask = r#"{"type":"ask","table":"7","question":1,"seat":"first","moves":[],"ask":"bid",
            "limits":{}}"#;
        let ServerMessage::Unreadable(unread) = ServerMessage::read(ask).unwrap().message else {
            panic!("{ask}")
        };
        assert_eq!((unread.kind.as_str(), unread.table.as_deref()), ("ask", Some("7")));
    }
}
