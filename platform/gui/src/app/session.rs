//! What runs in a tab on threads of its own: games, matches, tables, events and analyses.

pub(super) mod analysis;
mod engine_output;
pub(super) mod event;
mod game_session;
mod match_session;
mod shared_state;
mod show;
pub(super) mod table;

pub use analysis::{AnalysisCommand, AnalysisSession, AnalysisStatus};
pub use engine_output::{EngineOutput, LogLine};
pub use event::{
    Entrant, EventChange, EventCommand, EventForm, EventFormProblem, EventHost, EventPage,
    EventPhase, EventPlayers, EventSession, EventSnapshot, FormField, PastEvent, RunningGame,
    is_crowded,
};
pub use game_session::{GameCommand, GameContext, GameSession};
pub use match_session::{MatchCommand, MatchConfig, MatchSession, RosterFactory};
#[cfg(feature = "serve")]
pub use table::WebNetwork;
pub use table::{
    ConnectionProblem, Lobby, LobbySnapshot, NetworkEvent, OpenConnection, OpenServer, ServerSetup,
    TableAccess, TableCommand, TableContext, TableGuest, TableNetwork, TableSession,
};
