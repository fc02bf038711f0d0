//! The messages between a server and its clients, in both directions. The format is in
//! `docs/protocol.md`.
//!
//! A client passes over keys and types that it does not know: a later server of the same version
//! may send more. A server refuses them.

mod ask;
mod client;
mod event;
mod settings;
mod table;

use serde::{Deserialize, Serialize};

pub use self::ask::{AskLimits, AskMessage};
pub use self::client::{
    Act, BadMessage, ClientKind, ClientMessage, Heard, Hello, JoinMessage, MOST_BYTES, MOST_LINE,
    MOST_NAME, MOST_SAID, MOST_TABLES, Numbered, PROTOCOL_VERSION, RecordFormat, RoomMessage,
    ToRoom, read_message,
};
pub use self::event::{GameMessage, GameSettings, Joined, JoinedLimits};
pub use self::settings::{MOST_TITLE, TableSettings, known_settings};
pub use self::table::{
    ChatLine, LiveGame, MessageLimits, NamedEngine, OpenRequest, OverMessage, OwnPlace, Sitter,
    SitterKind, StepMessage, TableKeys, TableListing, TableMessage, TablePhase, TableRequest,
    TableState, Welcome,
};

/// A message of a server.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage<'a> {
    /// The connection to the tables is made.
    Welcome(Welcome),
    /// The connection to the event is made.
    Joined(Joined),
    /// Something was refused.
    Error(ErrorMessage),
    /// The public tables, the newest first.
    Lobby {
        /// The tables.
        rooms: Vec<TableListing>,
    },
    /// A table is new in the list, or has changed.
    Listed {
        /// The table.
        room: TableListing,
    },
    /// A table is in the list no more.
    Unlisted {
        /// Its id.
        room: String,
    },
    /// All of a table.
    Table(Box<TableMessage<'a>>),
    /// Who is there, and what is asked for.
    State {
        /// The id of the table.
        room: String,
        /// The state.
        state: TableState,
    },
    /// An action.
    Step(Box<StepMessage<'a>>),
    /// A game of an event begins.
    Game(GameMessage),
    /// A question to an engine.
    Ask(Box<AskMessage>),
    /// A game is over.
    Over(Box<OverMessage>),
    /// A line of chat.
    Chat {
        /// The id of the table.
        room: String,
        /// What was said.
        line: ChatLine,
    },
    /// A game as a file.
    Record {
        /// The id of the table.
        room: String,
        /// The number of the game.
        game: u64,
        /// As what.
        format: RecordFormat,
        /// The text of the file.
        text: String,
    },
    /// The table is gone.
    Closed {
        /// Its id.
        room: String,
        /// Why.
        reason: String,
    },
    /// The event is over for this engine.
    End {
        /// Why.
        reason: String,
    },
    /// Something that this version does not know.
    #[serde(other)]
    Other,
}

/// Something was refused.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ErrorMessage {
    /// What kind of refusal it is.
    pub code: String,
    /// Why, for people.
    pub message: String,
    /// The table that it concerns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub room: Option<String>,
}

/// A message of a server with the number of the message that it answers.
pub type ServerAnswer<'a> = Numbered<ServerMessage<'a>>;

impl ServerMessage<'static> {
    /// Reads a message.
    ///
    /// # Errors
    /// When it is none of this protocol.
    pub fn read(text: &str) -> Result<ServerAnswer<'static>, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over() {
        let read = |text: &str| ServerMessage::read(text).unwrap().message;
        assert!(matches!(read(r#"{"type":"later","room":"r"}"#), ServerMessage::Other));
        let welcome = read(r#"{"type":"welcome","version":2,"engines":[],"more":{"a":1}}"#);
        assert!(matches!(welcome, ServerMessage::Welcome(Welcome { version: 2, .. })));
        assert!(ServerMessage::read("[]").is_err());
        let listed = r#"{"type":"listed","room":{"room":"r","settings":{"komi":7},"phase":"later",
            "seats":{"first":null,"second":"Ada"},"viewers":0}}"#;
        let ServerMessage::Listed { room } = read(listed) else { panic!("{listed}") };
        assert_eq!((room.phase, room.settings), (TablePhase::Open, TableSettings::default()));
    }
}
