//! Events in the window: matches and tournaments as the command line plays them, in a folder, on
//! threads of their own. Those who look on see the newest states only and keep nobody waiting.

mod command;
mod entrant;
mod form;
mod form_field;
mod form_problem;
mod past_event;
mod runner;
mod running_game;
mod session;
mod standings;

use std::path::PathBuf;
use std::sync::Arc;

use tengen_tournament::{EventConfig, Roster};

pub use command::{EventCommand, EventPage};
pub use entrant::Entrant;
pub use form::{EventForm, is_crowded};
pub use form_field::FormField;
pub use form_problem::EventFormProblem;
pub use past_event::PastEvent;
pub use running_game::RunningGame;
pub use session::{EventPhase, EventSession, EventSnapshot};

/// The players of an event.
pub type EventPlayers = Arc<dyn Roster + Send + Sync>;

/// Who seats the engines of events. Every call may be slow: none is made on the window's thread.
pub trait EventHost: Send + Sync {
    /// Finds the engines of a new event, and writes what they are into its configuration.
    ///
    /// # Errors
    /// Why they cannot play, in words for the person who chose them.
    fn enroll(&self, config: &mut EventConfig) -> Result<EventPlayers, String>;

    /// Finds the engines of an event that goes on, which must be the same as before.
    ///
    /// # Errors
    /// Why they cannot go on.
    fn gather(&self, config: &EventConfig) -> Result<EventPlayers, String>;

    /// The folder in which new events are made.
    fn folder(&self) -> PathBuf;
}

/// Which event to begin with.
#[derive(Clone, Debug)]
pub(in crate::app) enum EventSource {
    /// A new one.
    New(Box<EventConfig>),
    /// One that lies in a folder: to be looked at.
    Folder(PathBuf),
    /// One that lies in a folder and is damaged: to be made whole.
    Damaged(PathBuf),
}
