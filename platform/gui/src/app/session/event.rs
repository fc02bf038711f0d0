//! Events in the window: matches and tournaments as on the command line, in a folder, on their own
//! threads; and matches that are watched and not saved. Viewers see only the newest state and never
//! block a game.

mod command;
mod entrant;
mod form;
mod form_field;
mod form_problem;
mod lineup;
mod past_event;
mod pause;
mod runner;
mod session;
mod standings;
mod watched;

use std::path::PathBuf;

use tengen_tournament::EventConfig;

use crate::app::model::ListenTerms;

pub use command::{EventChange, EventCommand, EventPage};
pub use entrant::Entrant;
pub use form::{EventForm, is_crowded};
pub use form_field::FormField;
pub use form_problem::EventFormProblem;
pub(in crate::app) use lineup::EventLineUp;
pub use lineup::{EventNote, RemoteTeam, TeamPresence};
pub use past_event::PastEvent;
pub use session::{EventPhase, EventSession, EventSnapshot};
pub use watched::RosterFactory;

/// Where an event comes from.
#[derive(Clone, Debug)]
pub(in crate::app) enum EventSource {
    /// A new one, and where it is to be served.
    New(Box<EventConfig>, Option<ListenTerms>),
    /// An event in a folder, to be viewed.
    Folder(PathBuf),
    /// A damaged event in a folder, to be repaired.
    Damaged(PathBuf),
    /// An event in a folder that is not running, to be changed.
    Changed(PathBuf, EventChange),
}
