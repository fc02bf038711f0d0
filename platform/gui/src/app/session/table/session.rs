//! A table on a server in a tab.

use std::sync::Arc;

use tengen_arbiter::Nanos;
use tengen_lineup::EngineProvider;
use tengen_players::Time;
use tengen_rules::Seat;

use super::TableCommand;
use super::guest::TableGuest;
use super::shared::TableShared;
use super::web_server::WebServer;
use crate::app::model::{ConnectionState, Snapshot, TableAddress, TableInfo, TableSettings};
use crate::app::session::{EngineOutput, GameCommand};
use tengen_link::{Connection, LinkSender};

/// How one comes to a table.
#[derive(Clone, PartialEq, Debug)]
pub enum TableAccess {
    /// By a link, to sit down if a seat is free, or to look on.
    Enter {
        /// Whether to sit down.
        sits: bool,
    },
    /// By opening it.
    Host {
        /// Its settings.
        settings: TableSettings,
        /// Where to sit; none looks on.
        seat: Option<Seat>,
    },
}

/// What a table needs from outside.
pub struct TableContext {
    /// Who comes.
    pub guest: TableGuest,
    /// Starts the engines of this computer.
    pub provider: Arc<dyn EngineProvider>,
    /// The clock of the window.
    pub time: Arc<dyn Time + Send + Sync>,
    /// The server, where it runs in this process.
    pub server: Option<Arc<WebServer>>,
}

/// A table on a server, with a connection on threads of its own.
///
/// Dropping it leaves the table; one that was opened here, on a server in this process, ends.
pub struct TableSession {
    shared: Arc<TableShared>,
    /// None once the table is left.
    connection: Option<Connection>,
    server: Option<Arc<WebServer>>,
    address: TableAddress,
}

impl TableSession {
    /// Goes to a table. The connection is made on a thread.
    pub fn start(address: TableAddress, entry: TableAccess, context: TableContext) -> TableSession {
        let TableContext { guest, provider, time, server } = context;
        // Others come by another address than this computer, where the server is on all.
        let shown = match &server {
            Some(server) => server.shown_address(),
            None => address.clone(),
        };
        let shared = TableShared::new(&shown, entry, guest.name.clone(), provider, time);
        let shared = Arc::new(shared);
        let of_link = Arc::clone(&shared);
        let tell = move |event, link: &LinkSender| of_link.take(event, link);
        let opened = Connection::open(guest.options(&address), tell);
        match &opened {
            Ok(connection) => shared.set_link(connection.sender()),
            Err(error) => shared.close(error.to_string()),
        }
        TableSession { shared, connection: opened.ok(), server, address: shown }
    }

    /// The current state of its game.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.shared.state.snapshot()
    }

    /// Who is there, what is asked for, what is said.
    pub fn info(&self) -> Arc<TableInfo> {
        Arc::clone(&self.shared.state.lock().info)
    }

    /// The output of the engine of this computer on a seat; none where none has played.
    pub fn output(&self, seat: Seat) -> Option<Arc<EngineOutput>> {
        let info = self.info();
        let plays = info.seat == Some(seat) && info.own_engine.is_some();
        let output = &self.shared.outputs[seat];
        let has_said = output.read_log(|log, _| !log.is_empty());
        (plays || has_said).then(|| Arc::clone(output))
    }

    /// Where others reach its server.
    pub fn address(&self) -> &TableAddress {
        &self.address
    }

    /// Whether its server runs in this process.
    pub fn is_hosted_here(&self) -> bool {
        self.server.is_some()
    }

    /// Whether it ends when it is left: it was opened here, on a server in this process.
    pub(in crate::app) fn ends_when_left(&self) -> bool {
        let info = self.info();
        self.is_hosted_here() && info.is_host && info.is_connected()
    }

    /// Whether a link leads to it. A server in this process has two addresses where it listens on
    /// all: others come by another one than this computer.
    pub(in crate::app) fn is_at(&self, link: &TableAddress) -> bool {
        let info = self.info();
        let is_own = |server: &Arc<WebServer>| server.own_address().host == link.host;
        (info.server == link.host || self.server.as_ref().is_some_and(is_own))
            && info.id == link.table
            && !matches!(info.connection, ConnectionState::Closed(_))
    }

    /// The server, where it runs in this process.
    pub(in crate::app) fn server(&self) -> Option<&Arc<WebServer>> {
        self.server.as_ref()
    }

    /// The current time, on the clock of the snapshots.
    pub fn now(&self) -> Nanos {
        self.shared.time.now()
    }

    /// Sends a command of the game: an answer, a resignation, or why a click was not accepted.
    /// Returns at once; one that does not fit does nothing.
    pub fn play(&self, command: GameCommand) {
        self.shared.play(command);
    }

    /// Sends a command. Returns at once; one that does not fit does nothing.
    pub fn send(&self, command: TableCommand) {
        self.shared.send(command);
    }

    /// Calls `wake` after each change, on some thread; it must return at once. May be called once.
    pub fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        let wake = Arc::new(wake);
        // An engine may take the seat at any time.
        for seat in Seat::ALL {
            let wake = Arc::clone(&wake);
            self.shared.outputs[seat].on_update(move || wake());
        }
        self.shared.state.on_change(Box::new(move || wake()));
    }

    /// Waits for a snapshot that fits. One that is replaced at once may be missed.
    pub fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        self.shared.state.wait_until(condition);
    }

    /// Waits for a state of the table that fits.
    pub fn wait_for(&self, condition: impl Fn(&TableInfo) -> bool) {
        let state = &self.shared.state;
        drop(state.wait_while(state.lock(), |state| !condition(&state.info)));
    }
}

impl Drop for TableSession {
    fn drop(&mut self) {
        if self.ends_when_left() {
            self.send(TableCommand::End);
            self.shared.wait_closed();
        }
        drop(self.connection.take());
        let engines = self.shared.state.lock().stop_engine();
        drop(engines);
    }
}
