use std::sync::Arc;

use super::{PastEvent, UserAction};

/// A dialog over the tables. One is open at a time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dialog {
    /// How everything looks and sounds.
    Settings {
        /// The path of a picture, as far as it is typed.
        picture: String,
    },
    /// The engines there are.
    Engines {
        /// The path or command of one more, as far as it is typed.
        path: String,
    },
    /// Which key does what.
    Keys {
        /// The deed that the next key pressed is given to.
        awaiting: Option<UserAction>,
        /// The deed that has just lost its key, and the one that has it now.
        taken: Option<(UserAction, UserAction)>,
    },
    /// The window is to be closed, and what lies on a table would be lost.
    CloseWindow,
    /// A table is to be left, and holds what no file does.
    UnsavedTab {
        /// The number of the table.
        tab: u64,
    },
    /// A table is to be left, and its event is running.
    RunningEvent {
        /// The number of the table.
        tab: u64,
    },
    /// What the program is, and where it keeps things.
    About,
    /// The events that were played before, the newest first.
    Events {
        /// What they are; none while their folders are read.
        past: Option<Arc<[PastEvent]>>,
    },
}
