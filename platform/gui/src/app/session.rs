//! What runs in a tab on threads of its own: games, matches, tables, events and analyses.

pub(super) mod analysis;
mod engine_output;
pub(super) mod event;
mod game_session;
mod shared_state;
mod show;
pub(super) mod table;
mod team;

pub use analysis::{AnalysisCommand, AnalysisSession, AnalysisStatus};
pub use engine_output::{EngineOutput, LogLine};
pub use event::{
    Entrant, EventChange, EventCommand, EventForm, EventFormProblem, EventNote, EventPage,
    EventPhase, EventSession, EventSnapshot, FormField, PastEvent, RemoteTeam, RosterFactory,
    TeamPresence, is_crowded,
};
pub use game_session::{GameCommand, GameContext, GameSession};
pub use table::{
    Lobby, LobbySnapshot, TableAccess, TableCommand, TableContext, TableGuest, TableSession,
    WebServer,
};
pub use team::{TeamGameResult, TeamPhase, TeamSession, TeamSnapshot};
