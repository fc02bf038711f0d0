//! The dialogs of the app.

use std::sync::Arc;

use tengen_rules::Seat;

use super::UserAction;
use crate::app::model::{ListenForm, UserFile};
use crate::app::session::PastEvent;

/// An open dialog. There is at most one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dialog {
    Settings {
        /// The typed paths of the user's files.
        typed: [String; UserFile::ALL.len()],
    },
    Engines {
        /// The typed path or command of a new engine.
        path: String,
    },
    Keys {
        /// The action that gets the next key pressed.
        awaiting: Option<UserAction>,
        /// The action that just lost its key, and the one that has it now.
        taken: Option<(UserAction, UserAction)>,
    },
    /// The window is to be closed and work would be lost.
    CloseWindow,
    /// A tab is to be closed that has unsaved work.
    UnsavedTab {
        /// The id of the tab.
        tab: u64,
    },
    /// A tab is to be closed whose event is running.
    RunningEvent {
        /// The id of the tab.
        tab: u64,
    },
    /// A tab is to be closed with a table where somebody is.
    LeaveTable {
        /// The id of the tab.
        tab: u64,
    },
    /// An event is to be resumed, and its address is not known, or failed.
    ServeEvent { form: ListenForm },
    /// A remote engine is to join the event of the active tab.
    AddRemote {
        /// Its typed name.
        name: String,
    },
    /// The person on a seat of the active game is to be named.
    NamePerson {
        seat: Seat,
        /// Its typed name.
        name: String,
    },
    /// What the program is, and where its files are.
    About,
    /// The past events, newest first.
    Events {
        /// The events; none while their folders are read.
        past: Option<Arc<[PastEvent]>>,
    },
}
