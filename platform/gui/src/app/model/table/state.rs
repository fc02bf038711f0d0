//! What the window knows of a table beside its game.

use std::sync::Arc;

use tengen_players::ListedEngine;
use tengen_rules::{BySeat, Seat};

use super::{ChatLine, Sitter, SitterKind, TablePhase, TableRequest, TableSettings};

/// A table on a server, beside its game: who is there, what is asked for, what is said. It never
/// changes; the next one replaces it.
#[derive(Clone, PartialEq, Debug)]
pub struct TableInfo {
    /// How the server can be reached now.
    pub connection: ConnectionState,
    /// The server's host and port.
    pub server: String,
    /// The id of the table; none before the server has shown it.
    pub id: Option<String>,
    /// The settings of the table.
    pub settings: TableSettings,
    /// How far the table is.
    pub phase: TablePhase,
    /// The seat of this window.
    pub seat: Option<Seat>,
    /// Whether it was opened from this window.
    pub is_host: bool,
    /// Links to hand on.
    pub links: TableLinks,
    /// The link by which this window comes back to its seat.
    pub own_link: Option<String>,
    /// Who sits there; none is a free seat.
    pub sitters: BySeat<Option<Sitter>>,
    /// What is asked of the other player.
    pub requests: Vec<(Seat, TableRequest)>,
    /// How often each seat's player may still take back, where that is limited.
    pub undo_left: BySeat<Option<u32>>,
    /// What was asked for, by whom, and declined since the last move.
    pub declined: Vec<(Seat, TableRequest)>,
    /// The points of both seats' players.
    pub score: BySeat<f64>,
    /// How many games were begun.
    pub games: u64,
    /// How many look on.
    pub viewers: u64,
    /// What was said last.
    pub chat: Arc<Vec<ChatLine>>,
    /// The engines of the server that a seat may be handed to.
    pub engines: Arc<Vec<ListedEngine>>,
    /// Whether the server takes pictures.
    pub takes_pictures: bool,
    /// The engine of this computer that plays on this window's seat.
    pub own_engine: Option<String>,
    /// What the server refused last.
    pub refusal: Option<ServerRefusal>,
}

/// How a server can be reached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConnectionState {
    /// It is being connected to.
    Connecting,
    /// It is connected.
    Connected,
    /// It cannot be reached, for this reason; it is tried again.
    Broken(String),
    /// The table is gone, for this reason; it is not tried again.
    Closed(String),
}

/// Links to a table, where they may be handed on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableLinks {
    /// To play.
    pub play: Option<String>,
    /// To look on.
    pub watch: Option<String>,
}

/// What a server refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerRefusal {
    /// The kind, as the protocol names it: `illegal`.
    pub code: String,
    /// What the server says of it.
    pub message: String,
}

impl TableInfo {
    /// A table that has not been seen yet.
    pub(in crate::app) fn new(server: String, settings: TableSettings) -> TableInfo {
        TableInfo {
            connection: ConnectionState::Connecting,
            server,
            id: None,
            settings,
            phase: TablePhase::Open,
            seat: None,
            is_host: false,
            links: TableLinks::default(),
            own_link: None,
            sitters: BySeat::default(),
            requests: Vec::new(),
            undo_left: BySeat::default(),
            declined: Vec::new(),
            score: BySeat::default(),
            games: 0,
            viewers: 0,
            chat: Arc::default(),
            engines: Arc::default(),
            takes_pictures: false,
            own_engine: None,
            refusal: None,
        }
    }

    /// Whether the server can be spoken to.
    pub fn is_connected(&self) -> bool {
        self.connection == ConnectionState::Connected
    }

    /// Whether a game is under way.
    pub fn is_playing(&self) -> bool {
        matches!(self.phase, TablePhase::Playing | TablePhase::Paused)
    }

    /// Whether that seat asks for that.
    pub fn asks(&self, seat: Seat, request: TableRequest) -> bool {
        self.requests.contains(&(seat, request))
    }

    /// Whether the server's engine plays on this window's seat.
    pub fn is_handed_over(&self) -> bool {
        let sitter = self.seat.and_then(|seat| self.sitters[seat].as_ref());
        sitter.is_some_and(|sitter| sitter.kind == SitterKind::ServerEngine)
    }

    /// Whether anybody but this window's person sits there.
    pub fn has_others(&self) -> bool {
        let others = |seat: &Seat| Some(*seat) != self.seat && self.sitters[*seat].is_some();
        // This window looks on itself where it has no seat.
        let own = u64::from(self.seat.is_none());
        self.viewers > own || Seat::ALL.iter().any(others)
    }
}
