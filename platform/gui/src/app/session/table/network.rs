//! What the window needs of the network.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tengen_players::ListedEngine;
use tengen_web::play::TeamClientNews;

use crate::app::model::{EngineProvider, ServerTerms, TableAddress};

/// Connects to servers of tables, and runs one. Every call may be slow: none is made on the
/// window's thread.
pub trait TableNetwork: Send + Sync {
    /// Connects to a server and says who this is. What comes from it is told on some thread, in
    /// order, its welcome first, until the connection is dropped.
    ///
    /// # Errors
    /// Why there is no connection.
    fn connect(
        &self,
        server: &TableAddress,
        guest: &TableGuest,
        tell: Box<dyn Fn(NetworkEvent) + Send + Sync>,
    ) -> Result<Box<dyn OpenConnection>, ConnectionProblem>;

    /// Starts a server in this process, on threads of its own. It ends when it is dropped.
    ///
    /// # Errors
    /// Why it cannot listen there, as a message to the user.
    fn serve(&self, setup: ServerSetup) -> Result<Arc<dyn OpenServer>, String>;

    /// Plays for a team of an event elsewhere, until it is over for that team or is to stop. What
    /// happens is told on this thread.
    ///
    /// # Errors
    /// Why it cannot play, or not any more, as a message to the user.
    fn play_for_team(
        &self,
        entry: TeamEntry,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(TeamClientNews),
    ) -> Result<(), String>;
}

/// Who plays for a team of an event elsewhere.
#[derive(Clone)]
pub struct TeamEntry {
    /// Where, with the key of the team.
    pub address: TableAddress,
    /// The engine of this window.
    pub engine: ListedEngine,
    /// How many games it plays at once, each with an engine of its own.
    pub tables: u64,
    /// The file of a certificate to trust beside those of known authorities.
    pub authority: Option<PathBuf>,
    /// Starts the engine.
    pub provider: Arc<dyn EngineProvider>,
}

/// Who connects to a server.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableGuest {
    /// What the person at this window is called.
    pub name: String,
    /// The password of the server's owner.
    pub password: Option<String>,
    /// The file of a certificate to trust beside those of known authorities.
    pub authority: Option<PathBuf>,
}

/// Why there is no connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConnectionProblem {
    /// The reason, as a message to the user.
    pub reason: String,
    /// Whether another try would fail as well.
    pub is_final: bool,
}

/// What a connection brings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NetworkEvent {
    /// A message.
    Text(String),
    /// Its end, and why. Nothing comes after it.
    Closed(String),
}

/// A connection to a server. It ends when it is dropped.
pub trait OpenConnection: Send + Sync {
    /// Sends a message. Returns at once; after the end it does nothing.
    fn send(&self, text: String);
}

/// A server in this process. It ends when it is dropped.
pub trait OpenServer: Send + Sync {
    /// How it was told to run.
    fn terms(&self) -> &ServerTerms;

    /// Where this window reaches it.
    fn own_address(&self) -> TableAddress;

    /// Where others reach it.
    fn shown_address(&self) -> TableAddress;

    /// The password by which this window opens tables on it.
    fn password(&self) -> Option<String>;
}

/// What a server in this process is to be.
#[derive(Clone)]
pub struct ServerSetup {
    /// How it is to run.
    pub terms: ServerTerms,
    /// Where it keeps its tables; none is a folder that is gone with the server.
    pub folder: Option<PathBuf>,
    /// Starts its engines.
    pub provider: Arc<dyn EngineProvider>,
}
