//! The server of an event that is played here, and the remote engines that come in there.

#[cfg(feature = "serve")]
mod team_links;
#[cfg(feature = "serve")]
mod with_server;
#[cfg(not(feature = "serve"))]
mod without_server;

use std::path::PathBuf;

use tengen_tournament::AbsentOption;

#[cfg(feature = "serve")]
pub use with_server::{LiveListener, LiveServer, serve_error};
#[cfg(not(feature = "serve"))]
pub use without_server::{LiveListener, LiveServer};

/// What is said in a build without the feature `serve`.
pub const NO_SERVER: &str = "this build of tengen has no server. In the folder of its source, \
     `cargo build --release` builds one with it; `tengen tournament report EVENT --html FILE` \
     needs none";

/// The file of an event's folder with the links of its remote engines.
pub const TEAM_LINKS: &str = "remote-links.txt";

/// What happens to an event's remote engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamChange {
    /// Others on this computer could read the keys of the teams in that file until now.
    Exposed(PathBuf),
    /// It is to come.
    Expected {
        /// What the event calls it.
        team: String,
        /// What lets it in: each program that has the link plays for the team.
        link: String,
        /// The file with the links of all teams.
        file: PathBuf,
        /// Why the link could not be written there.
        unwritten: Option<String>,
    },
    /// It is there.
    Connected {
        /// What the event calls it.
        team: String,
        /// What its engine and its program call themselves.
        engine: String,
        /// How many games it plays at once.
        tables: u64,
        /// Whether that ended an older connection of it.
        again: bool,
    },
    /// Its connection is gone.
    Gone(String),
    /// It was waited for in vain.
    GaveUp {
        /// What the event calls it.
        team: String,
        /// What becomes of it. With `Refuse`, the event has to stop.
        fate: AbsentOption,
        /// Why it could not be set aside, as the event says.
        problem: Option<String>,
    },
    /// No remote engine is there, so none is given up: it may be the line of this computer.
    NoneConnected,
}

/// What hears of the remote engines, from any thread.
pub type TeamChangeListener = Box<dyn Fn(TeamChange) + Send + Sync>;
