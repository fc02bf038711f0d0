//! What a server says about its tables.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use tengen_rules::{BySeat, Point, Seat};

use super::chat::ChatLine;
use super::settings::TableSettings;
use crate::view::{
    ByoYomiView, GameView, OpeningName, ResultView, StepView, TurnView, are_both_none,
};

/// What a player may ask of the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableRequest {
    /// To take back one's last answer.
    Undo,
    Draw,
    /// To stop the clocks.
    Pause,
    /// To play another game.
    Again,
}

/// How a player that waits for one that is away ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TableClaim {
    Win,
    Draw,
}

/// How far a table is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TablePhase {
    /// A game is being played.
    Playing,
    /// Its clocks stand, since both agreed to that.
    Paused,
    Over,
    /// A seat is free.
    #[default]
    #[serde(other)]
    Open,
}

/// What sits on a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum SitterKind {
    #[serde(rename = "engine")]
    ServerEngine,
    /// An engine on another computer.
    #[serde(rename = "remote")]
    RemoteEngine,
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
    pub tables: usize,
    /// How many milliseconds are between two beats; 0 where the server has none.
    pub beat: u64,
    /// How long texts may be, and how many tables one connection may be at.
    pub limits: MessageLimits,
}

/// How long texts may be, and how many tables one connection may be at.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct MessageLimits {
    /// The most bytes of a message.
    pub message: usize,
    /// The most bytes of a line of chat that has a picture; 0 where pictures are not taken.
    pub picture: usize,
    /// The most characters of a name.
    pub name: usize,
    /// The most characters of a line of chat.
    pub chat: usize,
    /// The most characters of a title.
    pub title: usize,
    /// The most tables of one connection.
    pub tables: usize,
}

/// A public table in the list.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableListing {
    #[serde(rename = "table")]
    pub id: String,
    /// What it is called.
    #[serde(default)]
    pub title: String,
    pub settings: TableSettings,
    /// How far it is.
    pub phase: TablePhase,
    /// The players by seat; none is a free seat.
    pub seats: BySeat<Option<String>>,
    /// How many look on.
    pub viewers: u64,
    /// When it was opened, in milliseconds since 1970.
    #[serde(default)]
    pub opened: u64,
}

/// Which players are at a table, and what is asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TableState {
    /// How far it is.
    pub phase: TablePhase,
    /// The players by seat; none is a free seat.
    pub seats: BySeat<Option<Sitter>>,
    /// What is asked of the other player.
    pub requests: Vec<OpenRequest>,
    /// What was asked for and declined since the last move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub declined: Vec<OpenRequest>,
    /// How often each seat's player may still take back in this game, where that is limited.
    #[serde(default, skip_serializing_if = "are_both_none")]
    pub undo_left: BySeat<Option<u32>>,
    /// From when on, in milliseconds since 1970, each seat's player may end the game because the
    /// other one is away.
    #[serde(default, skip_serializing_if = "are_both_none")]
    pub claims: BySeat<Option<u64>>,
    /// Which players are ready, where the first game waits for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ready: Option<BySeat<bool>>,
    /// The points of both seats' players.
    pub score: BySeat<f64>,
    /// How many games were begun.
    pub games: u64,
    /// How many look on.
    pub viewers: u64,
}

/// The player on a seat.
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
    /// The seat of the player that asks.
    pub seat: Seat,
    pub what: TableRequest,
}

/// What the client itself is at a table.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OwnPlace {
    /// The own seat; none looks on.
    pub seat: Option<Seat>,
    /// The key of that seat.
    pub key: Option<String>,
    /// Whether one has opened the table.
    pub host: bool,
    pub host_key: Option<String>,
}

/// The keys that one may hand on.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LinkKeys {
    /// With it a free seat can be taken.
    pub invite: Option<String>,
    /// With it a private table can be watched.
    pub watch: Option<String>,
}

/// A game, and how its clocks stand.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LiveGame<'a> {
    pub game: Cow<'a, GameView>,
    /// Its clocks.
    #[serde(flatten)]
    pub turn: TurnView,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TableMessage<'a> {
    #[serde(rename = "table")]
    pub id: String,
    pub settings: TableSettings,
    /// What the client itself is there.
    pub you: OwnPlace,
    /// The keys that it may hand on.
    #[serde(default)]
    pub keys: LinkKeys,
    pub state: TableState,
    /// The newest game; none before the first.
    pub live: Option<LiveGame<'a>>,
    /// The number of the open question.
    #[serde(default)]
    pub question: u64,
    /// The seat that owes the answer.
    pub waiting: Option<Seat>,
    /// The server's clock, in milliseconds since 1970.
    pub now: u64,
    /// The last lines that were said.
    #[serde(default)]
    pub chat: Vec<ChatLine>,
}

/// An action, and the clocks after it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StepMessage<'a> {
    pub table: String,
    pub number: u64,
    /// How many steps there were before it.
    pub place: usize,
    pub step: Cow<'a, StepView>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opening: Option<OpeningName>,
    /// The clocks.
    #[serde(flatten)]
    pub turn: TurnView,
    /// The number of the open question.
    #[serde(default)]
    pub question: u64,
    /// The seat that owes the answer.
    pub waiting: Option<Seat>,
    /// The server's clock, in milliseconds since 1970.
    pub now: u64,
}

/// The end of a game, at a table or of an event.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OverMessage {
    pub table: String,
    pub number: u64,
    pub result: ResultView,
    /// The stones of the winning row.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub row: Vec<Point>,
    /// What is on the clocks, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<BySeat<Option<u64>>>,
    /// The periods of byo-yomi of each clock that has some.
    #[serde(default, skip_serializing_if = "are_both_none")]
    pub byo_yomi: BySeat<Option<ByoYomiView>>,
}
