//! What the window needs of the network.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tengen_lineup::EngineProvider;
use tengen_link::messages::{ClientKind, ClientMessage, Hello, PROTOCOL_VERSION};
use tengen_link::{Connection, ConnectionOptions, LinkEvent, LinkSender, RemoteEngine, RemoteNews};

use crate::app::model::{ServerTerms, TableAddress};

/// What happens on a connection is told here, on its thread.
pub type LinkTell = Box<dyn FnMut(LinkEvent, &LinkSender) + Send>;

/// Connects to servers, and runs one. A call may be slow: none but `connect` is made on the
/// window's thread.
pub trait TableNetwork: Send + Sync {
    /// Connects to a server, on a thread, and again when the connection breaks.
    ///
    /// # Errors
    /// When the system has no thread left.
    fn connect(&self, options: ConnectionOptions, tell: LinkTell) -> io::Result<Connection>;

    /// Starts a server in this process, on threads of its own. It ends when it is dropped.
    ///
    /// # Errors
    /// Why it cannot listen there, as a message to the user.
    fn serve(&self, setup: ServerSetup) -> Result<Arc<dyn OpenServer>, String>;

    /// Lets an engine play elsewhere, until all has been played or it is to stop. What happens is
    /// told on this thread.
    ///
    /// # Errors
    /// Why it cannot play, or not any more, as a message to the user.
    fn play(
        &self,
        engine: RemoteEngine,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), String>;
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

impl TableGuest {
    /// A connection of this guest to a server.
    pub(super) fn options(&self, server: &TableAddress) -> ConnectionOptions {
        let TableGuest { name, password, authority } = self.clone();
        let (version, kind) = (PROTOCOL_VERSION, ClientKind::Person);
        let agent = format!("tengen {}", env!("CARGO_PKG_VERSION"));
        let hello = Hello { version, name, kind, agent, password };
        let greeting = ClientMessage::Hello(hello);
        ConnectionOptions { address: server.clone(), greeting, authority }
    }
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
