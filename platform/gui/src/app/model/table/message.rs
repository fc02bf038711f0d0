//! The messages of a server of tables, as far as the window needs them. What it sends besides is
//! passed over.

use serde::{Deserialize, Serialize};
use tengen_rules::Seat;

use super::step_fields::StepFields;

/// What the players of a table may ask of each other.
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

/// The settings of a table, as the protocol writes them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct TableTerms {
    /// What wins.
    pub rule: String,
    /// The board: `15`, or `20x15`.
    pub size: String,
    /// The opening procedure.
    pub opening: String,
    /// The time control of both.
    pub time: String,
    /// The lag that is forgiven, in seconds.
    pub margin: f64,
    /// What a late answer costs: `loss`, or `substitute`.
    pub late: String,
    /// The number of stones at which the game is drawn.
    pub move_limit: Option<u32>,
    /// Whether players may pass.
    pub passing: bool,
    /// Whether a draw may be offered.
    pub draws: bool,
    /// Whether a move may be taken back.
    pub undo: bool,
    /// Whether the game may be paused.
    pub pause: bool,
    /// Whether a seat may be handed to an engine of the server.
    pub engines: bool,
    /// Whether there is chat.
    pub chat: bool,
    /// Whether seats are exchanged for the next game.
    pub swap: bool,
    /// After how many seconds a player who is away loses.
    pub absence: Option<u32>,
    /// Whether the table is in the list.
    pub public: bool,
    /// What it is called.
    pub title: String,
}

impl Default for TableTerms {
    fn default() -> TableTerms {
        TableTerms {
            rule: "freestyle".to_owned(),
            size: "15".to_owned(),
            opening: "none".to_owned(),
            time: "300+5".to_owned(),
            margin: 0.0,
            late: "loss".to_owned(),
            move_limit: None,
            passing: false,
            draws: true,
            undo: true,
            pause: true,
            engines: true,
            chat: true,
            swap: true,
            absence: None,
            public: true,
            title: String::new(),
        }
    }
}

/// A message of a server.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(in crate::app) enum ServerMessage {
    Welcome {
        #[serde(default)]
        engines: Vec<NamedEngine>,
    },
    Error {
        code: String,
        message: String,
        #[serde(default)]
        room: Option<String>,
    },
    Lobby {
        rooms: Vec<TableListing>,
    },
    Listed {
        room: TableListing,
    },
    Unlisted {
        room: String,
    },
    Table(Box<TableMessage>),
    State {
        room: String,
        state: TableState,
    },
    Step(Box<StepMessage>),
    Over(Box<OverMessage>),
    Chat {
        room: String,
        line: ChatLine,
    },
    Closed {
        room: String,
        reason: String,
    },
    /// Something that the window has no use for.
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

/// An engine of a server.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct NamedEngine {
    pub id: String,
    pub name: String,
}

/// A table in the list of a server.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct TableListing {
    /// Its id.
    pub room: String,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    /// Its settings.
    pub settings: TableTerms,
    /// How far it is: `open`, `playing`, `paused`, `over`.
    pub phase: String,
    /// Who sits there; none is a free seat.
    pub seats: [Option<String>; 2],
    /// How many look on.
    pub viewers: u64,
    /// When it was opened, in milliseconds since 1970.
    #[serde(default)]
    pub opened: u64,
}

/// Something that was said at a table.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub struct ChatLine {
    /// Who said it.
    pub from: String,
    /// The seat of who said it, 0 or 1; none looked on.
    pub seat: Option<u8>,
    /// What was said.
    pub text: String,
}

/// All of a table.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct TableMessage {
    pub room: String,
    pub settings: TableTerms,
    pub you: OwnPlace,
    #[serde(default)]
    pub keys: TableKeys,
    pub state: TableState,
    pub live: Option<LiveGame>,
    pub question: Option<u64>,
    pub waiting: Option<u8>,
    pub now: u64,
    #[serde(default)]
    pub chat: Vec<ChatLine>,
}

/// Who one is at a table.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct OwnPlace {
    pub seat: Option<u8>,
    pub key: Option<String>,
    pub host: bool,
    pub host_key: Option<String>,
}

/// The keys that one may hand on.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::app) struct TableKeys {
    pub invite: Option<String>,
    pub watch: Option<String>,
}

/// Who is there, and what is asked for.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct TableState {
    pub phase: String,
    pub seats: [Option<SitterMessage>; 2],
    pub requests: Vec<RequestMessage>,
    pub score: [f64; 2],
    pub games: u64,
    pub viewers: u64,
}

#[derive(Debug, Deserialize)]
pub(in crate::app) struct SitterMessage {
    pub name: String,
    pub kind: String,
    pub here: bool,
    pub lag: Option<u64>,
}

#[derive(Debug, Deserialize)]
pub(in crate::app) struct RequestMessage {
    pub seat: u8,
    pub what: TableRequest,
}

/// A game, and how its clocks stand.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct LiveGame {
    pub game: GameMessage,
    pub asked: Option<u8>,
    #[serde(default)]
    pub since: u64,
    pub left: [Option<u64>; 2],
}

/// A game as the page shows it.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct GameMessage {
    pub number: u64,
    pub steps: Vec<StepFields>,
    pub result: Option<ResultMessage>,
}

/// An action, and the clocks after it.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct StepMessage {
    pub room: String,
    pub number: u64,
    pub place: usize,
    pub step: StepFields,
    pub asked: Option<u8>,
    #[serde(default)]
    pub since: u64,
    pub left: [Option<u64>; 2],
    pub question: Option<u64>,
    pub waiting: Option<u8>,
    pub now: u64,
}

/// How a game ended.
#[derive(Debug, Deserialize)]
pub(in crate::app) struct OverMessage {
    pub room: String,
    pub number: u64,
    pub result: ResultMessage,
    #[serde(default)]
    pub left: Option<[Option<u64>; 2]>,
}

#[derive(Debug, Deserialize)]
pub(in crate::app) struct ResultMessage {
    pub winner: Option<u8>,
    pub by: String,
    pub detail: Option<String>,
}

/// A seat as the protocol has it.
pub(in crate::app) fn seat_of(number: u8) -> Seat {
    if number == 0 { Seat::First } else { Seat::Second }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_is_passed_over() {
        let read = |text: &str| ServerMessage::read(text).unwrap();
        assert!(matches!(read(r#"{"type":"ask","room":"r","question":1}"#), ServerMessage::Other));
        let welcome = read(r#"{"type":"welcome","version":1,"engines":[],"more":{"a":1}}"#);
        assert!(matches!(welcome, ServerMessage::Welcome { .. }));
        assert!(ServerMessage::read("[]").is_err());
    }
}
