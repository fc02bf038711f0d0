//! Events in the window: matches and tournaments as on the command line, in a folder, on their own
//! threads. Viewers see only the newest state and never block a game.

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

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_tournament::{EventConfig, Roster};

pub use command::{EventChange, EventCommand, EventPage};
pub use entrant::Entrant;
pub use form::{EventForm, is_crowded};
pub use form_field::FormField;
pub use form_problem::EventFormProblem;
pub use past_event::PastEvent;
pub use running_game::RunningGame;
pub use session::{EventPhase, EventSession, EventSnapshot};

/// The players of an event.
pub type EventPlayers = Arc<dyn Roster + Send + Sync>;

/// Seats the engines of events. Every call may be slow: none is made on the window's thread.
pub trait EventHost: Send + Sync {
    /// Finds the engines of a new event, and completes its configuration.
    ///
    /// # Errors
    /// Why they cannot play, as a message to the user.
    fn enroll(&self, config: &mut EventConfig) -> Result<EventPlayers, String>;

    /// Finds the engines of an event that is resumed; they must be the same as before.
    ///
    /// # Errors
    /// Why it cannot be resumed.
    fn gather(&self, config: &EventConfig) -> Result<EventPlayers, String>;

    /// Changes the event in a folder, whether it is being played or not.
    ///
    /// # Errors
    /// Why it cannot be changed so. Nothing is changed then.
    fn change(&self, dir: &Path, change: &EventChange) -> Result<(), String>;

    /// The folder in which new events are created.
    fn folder(&self) -> PathBuf;
}

/// Where an event comes from.
#[derive(Clone, Debug)]
pub(in crate::app) enum EventSource {
    /// A new one.
    New(Box<EventConfig>),
    /// An event in a folder, to be viewed.
    Folder(PathBuf),
    /// A damaged event in a folder, to be repaired.
    Damaged(PathBuf),
    /// An event in a folder that nobody plays, to be changed.
    Changed(PathBuf, EventChange),
}
