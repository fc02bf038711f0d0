//! The messages of a server of tables: the types that it writes, and that a client reads. The
//! format is in `docs/protocol.md`.
//!
//! A client passes over what it does not know: a later server of the same version may send more.

mod ask;
mod step;

use serde::{Deserialize, Serialize};

pub use self::ask::{AskLimits, AskMessage, AskedFields, ZoneFields};
pub use self::step::{GameFields, StepFields};
use super::settings::TableSettings;
pub use crate::game_view::{OpeningName, ResultView, TurnView};

/// What a player may ask of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableRequest {
    /// To take back one's last answer.
    Undo,
    /// To call it a draw.
    Draw,
    /// To stop the clocks.
    Pause,
    /// To play another game.
    Again,
}

/// How far a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TablePhase {
    /// A game is being played.
    Playing,
    /// Its clocks stand, since both agreed to that.
    Paused,
    /// The game is over.
    Over,
    /// A seat is free.
    #[default]
    #[serde(other)]
    Open,
}

/// What sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SitterKind {
    /// An engine of the server.
    #[serde(rename = "engine")]
    ServerEngine,
    /// An engine on another computer.
    #[serde(rename = "remote")]
    RemoteEngine,
    /// A person.
    #[serde(rename = "person", other)]
    Person,
}

/// An engine that a server has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct NamedEngine {
    /// What it is asked for by.
    pub id: String,
    /// What people call it.
    pub name: String,
}

/// The answer to `hello`.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Welcome {
    /// The version of the protocol.
    pub version: u64,
    /// The program.
    pub server: String,
    /// The server's clock, in milliseconds since 1970.
    pub now: u64,
    /// The engines that may be handed a seat.
    pub engines: Vec<NamedEngine>,
    /// Whether the password of the owner was right.
    pub owner: bool,
    /// How many tables there are.
    pub rooms: usize,
    /// How long texts may be, and how many tables one connection may be at.
    pub limits: MessageLimits,
}

/// How long texts may be, and how many tables one connection may be at.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageLimits {
    /// The most bytes of a message.
    pub message: usize,
    /// The most signs of a name.
    pub name: usize,
    /// The most signs of a line of chat.
    pub chat: usize,
    /// The most signs of a title.
    pub title: usize,
    /// The most tables of one connection.
    pub rooms: usize,
}

/// A public table in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableListing {
    /// Its id.
    pub room: String,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// Its settings.
    pub settings: TableSettings,
    /// How far it is.
    pub phase: TablePhase,
    /// Who sits there; none is a free seat.
    pub seats: [Option<String>; 2],
    /// How many look on.
    pub viewers: u64,
    /// When it was opened, in milliseconds since 1970.
    #[serde(default)]
    pub opened: u64,
}

/// Who is at a table, and what is asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableState {
    /// How far it is.
    pub phase: TablePhase,
    /// Who sits there; none is a free seat.
    pub seats: [Option<Sitter>; 2],
    /// What is asked of the other player.
    pub requests: Vec<OpenRequest>,
    /// What was asked for and declined since the last move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<OpenRequest>,
    /// The points of both seats' players.
    pub score: [f64; 2],
    /// How many games were begun.
    pub games: u64,
    /// How many look on.
    pub viewers: u64,
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Sitter {
    /// What they are called.
    pub name: String,
    /// What they are.
    pub kind: SitterKind,
    /// Whether they are connected.
    #[serde(rename = "here")]
    pub is_here: bool,
    /// How long a question and its answer take on their way, in milliseconds.
    pub lag: Option<u64>,
}

/// What the player on a seat asks of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OpenRequest {
    /// The seat of who asks, 0 or 1.
    pub seat: u8,
    /// What for.
    pub what: TableRequest,
}

/// Something that was said at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ChatLine {
    /// Who said it.
    pub from: String,
    /// The seat of who said it, 0 or 1; none looked on.
    pub seat: Option<u8>,
    /// What was said.
    pub text: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
}

/// Who one is at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnPlace {
    /// The own seat, 0 or 1; none looks on.
    pub seat: Option<u8>,
    /// The key of that seat.
    pub key: Option<String>,
    /// Whether one has opened the table.
    pub host: bool,
    /// The key of the host.
    pub host_key: Option<String>,
}

/// The keys that one may hand on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct TableKeys {
    /// With it a free seat can be taken.
    pub invite: Option<String>,
    /// With it a private table can be watched.
    pub watch: Option<String>,
}

/// A game, and how its clocks stand. The game is a [`GameView`](crate::GameView) where it is
/// written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveGame<Game> {
    /// The game.
    pub game: Game,
    /// Its clocks.
    #[serde(flatten)]
    pub turn: TurnView,
}

/// All of a table.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableMessage<Game> {
    /// Its id.
    pub room: String,
    /// Its settings.
    pub settings: TableSettings,
    /// Who one is there.
    pub you: OwnPlace,
    /// What one may hand on.
    #[serde(default)]
    pub keys: TableKeys,
    /// Who is there.
    pub state: TableState,
    /// The newest game; none before the first.
    pub live: Option<LiveGame<Game>>,
    /// The number of the open question.
    #[serde(default)]
    pub question: u64,
    /// The seat that owes the answer.
    pub waiting: Option<u8>,
    /// The server's clock, in milliseconds since 1970.
    pub now: u64,
    /// The last lines that were said.
    #[serde(default)]
    pub chat: Vec<ChatLine>,
}

/// An action, and the clocks after it. What a client draws it reads as [`StepFields`].
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepMessage<Step> {
    /// The id of the table.
    pub room: String,
    /// The number of the game.
    pub number: u64,
    /// How many steps there were before it.
    pub place: usize,
    /// The action.
    pub step: Step,
    /// The name of the opening, where it has one. A client finds it by itself.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningName>,
    /// The clocks.
    #[serde(flatten)]
    pub turn: TurnView,
    /// The number of the open question.
    #[serde(default)]
    pub question: u64,
    /// The seat that owes the answer.
    pub waiting: Option<u8>,
    /// The server's clock, in milliseconds since 1970.
    pub now: u64,
}

/// The end of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OverMessage {
    /// The id of the table.
    pub room: String,
    /// The number of the game.
    pub number: u64,
    /// How it ended.
    pub result: ResultView,
    /// The stones of the winning row.
    #[serde(default)]
    pub row: Vec<u16>,
    /// What is on the clocks, in milliseconds.
    #[serde(default)]
    pub left: Option<[Option<u64>; 2]>,
}

/// A message of a server, as a client reads it.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ServerMessage {
    /// The connection is made.
    Welcome(Welcome),
    /// Something was refused.
    Error {
        /// What kind of refusal it is.
        code: String,
        /// Why, for people.
        message: String,
        /// The table that it concerns.
        #[serde(default)]
        room: Option<String>,
    },
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
    Table(Box<TableMessage<GameFields>>),
    /// Who is there, and what is asked for.
    State {
        /// The id of the table.
        room: String,
        /// The state.
        state: TableState,
    },
    /// An action.
    Step(Box<StepMessage<StepFields>>),
    /// A game is over.
    Over(Box<OverMessage>),
    /// Somebody said something.
    Chat {
        /// The id of the table.
        room: String,
        /// What was said.
        line: ChatLine,
    },
    /// The table is gone.
    Closed {
        /// Its id.
        room: String,
        /// Why.
        reason: String,
    },
    /// Something that no client but an engine needs, or that this version does not know.
    #[serde(other)]
    Other,
}

impl ServerMessage {
    /// Reads a message.
    ///
    /// # Errors
    /// When it is none of this protocol.
    pub fn read(text: &str) -> Result<ServerMessage, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over() {
        let read = |text: &str| ServerMessage::read(text).unwrap();
        assert!(matches!(read(r#"{"type":"ask","room":"r","question":1}"#), ServerMessage::Other));
        let welcome = read(r#"{"type":"welcome","version":1,"engines":[],"more":{"a":1}}"#);
        assert!(matches!(welcome, ServerMessage::Welcome(Welcome { version: 1, .. })));
        assert!(ServerMessage::read("[]").is_err());
        let listed = r#"{"type":"listed","room":{"room":"r","settings":{"komi":7},"phase":"later",
            "seats":[null,"Ada"],"viewers":0}}"#;
        let ServerMessage::Listed { room } = read(listed) else { panic!("{listed}") };
        assert_eq!((room.phase, room.settings), (TablePhase::Open, TableSettings::default()));
    }
}
