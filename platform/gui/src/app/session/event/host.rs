//! What the window needs of the program to play events, and to let remote engines come in.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_tournament::{AbsentOption, Event, EventConfig, EventFollower, Roster, Watcher};

use super::EventChange;
use crate::app::model::ListenTerms;

/// The players of an event.
pub type EventPlayers = Arc<dyn Roster + Send + Sync>;

/// Seats the engines of events. Every call may be slow: none is made on the window's thread.
pub trait EventHost: Send + Sync {
    /// Finds the engines of a new event, and takes the address where it is to be served, if it is.
    /// Gives the configuration with what was found.
    ///
    /// # Errors
    /// Why they cannot play, as a message to the user.
    fn enroll(
        &self,
        config: EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<(EventConfig, Box<dyn EventEngines>), String>;

    /// The same for an event that is resumed; its engines must be the same as before.
    ///
    /// # Errors
    /// Why it cannot be resumed.
    fn gather(
        &self,
        config: &EventConfig,
        listen: Option<&ListenTerms>,
    ) -> Result<Box<dyn EventEngines>, String>;

    /// Changes the event in a folder, whether it is being played or not.
    ///
    /// # Errors
    /// Why it cannot be changed so. Nothing is changed then.
    fn change(&self, dir: &Path, change: &EventChange) -> Result<(), String>;

    /// The folder in which new events are created.
    fn folder(&self) -> PathBuf;
}

/// The engines of an event that is about to be played.
pub trait EventEngines: Send {
    /// Seats them, and begins to serve the event where that was wanted. What happens to its remote
    /// engines is told from any thread.
    ///
    /// # Errors
    /// Why it cannot be served.
    fn seat(self: Box<Self>, event: &Event, tell: EventListener) -> Result<SeatedEvent, String>;
}

/// An event that can be played.
pub struct SeatedEvent {
    /// Its players.
    pub players: EventPlayers,
    /// What serves it, if it is served.
    pub server: Option<Box<dyn EventServer>>,
}

/// Players that need nothing else.
impl EventEngines for EventPlayers {
    fn seat(self: Box<Self>, _event: &Event, _tell: EventListener) -> Result<SeatedEvent, String> {
        Ok(SeatedEvent { players: *self, server: None })
    }
}

/// A server of an event in this process. It ends when it is dropped.
pub trait EventServer: Send + Sync {
    /// Where others see the event, for a browser.
    fn url(&self) -> String;

    /// What follows it, for its viewers and for the window.
    fn follower(&self) -> &Arc<EventFollower>;

    /// What is to see its games, the follower with it.
    fn watcher(&self) -> &dyn Watcher;

    /// Tells the clients that the event is over, or that it stops for now.
    fn end(&self, is_whole: bool);
}

/// What there is to tell of an event's engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventNews {
    /// All of them, as they are now.
    Teams(Vec<RemoteTeam>),
    /// What the organiser should know.
    Note(EventNote),
}

/// What the organiser should know of the engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EventNote {
    /// Others on this computer could read the keys of the teams in that file until now.
    KeysExposed(PathBuf),
    /// No remote engine is there, so none is given up: it may be this computer's line.
    NobodyThere,
    /// A remote engine was waited for in vain.
    GaveUp {
        /// What the event calls it.
        team: String,
        /// What becomes of it. With `Refuse`, the event stops.
        fate: AbsentOption,
    },
    /// Their links could not be written to a file, and why.
    LinksUnwritten(String),
    /// A file of an engine was changed, and the engine goes on with the copy that was made.
    Kept {
        /// What the event calls it.
        engine: String,
        /// The file.
        file: PathBuf,
    },
    /// A file of an engine was changed, and the engine plays no more.
    LeftOut {
        /// What the event calls it.
        engine: String,
        /// The file.
        file: PathBuf,
    },
    /// A file of an engine was changed, and the event stops.
    StoppedFor {
        /// What the event calls it.
        engine: String,
        /// The file.
        file: PathBuf,
    },
}

/// What hears of an event's engines, from any thread.
pub type EventListener = Arc<dyn Fn(EventNews) + Send + Sync>;

/// An engine of the event that plays from another machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RemoteTeam {
    /// What the event calls it.
    pub label: String,
    /// What lets it in. Whoever has it plays for that team.
    pub link: String,
    /// Whether it is there.
    pub state: TeamPresence,
}

/// Whether a remote engine is there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TeamPresence {
    /// It has not come yet.
    Expected,
    /// It is there.
    Connected {
        /// What its engine and its program call themselves.
        engine: String,
        /// How many games it plays at once.
        tables: u64,
    },
    /// Its connection is gone.
    Away,
    /// It was waited for in vain: it loses its games, or plays no more.
    GivenUp,
}
