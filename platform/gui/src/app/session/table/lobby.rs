//! The public tables of a server.

use std::sync::Arc;

use tengen_link::messages::{ClientMessage, ErrorMessage, ServerMessage};
use tengen_link::{Connection, LinkEvent, LinkSender};

use super::guest::TableGuest;
use crate::app::model::{ConnectionState, ServerRefusal, TableAddress, TableListing, Wake};
use crate::app::session::shared_state::SharedState;

/// The list of a server's public tables, kept up to date on a thread.
pub struct Lobby {
    state: Arc<SharedState<Arc<LobbySnapshot>>>,
    /// None where the system has no thread left.
    connection: Option<Connection>,
    server: TableAddress,
}

/// The public tables of a server at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct LobbySnapshot {
    /// How the server can be reached.
    pub connection: ConnectionState,
    /// The tables, the newest first.
    pub tables: Vec<TableListing>,
    /// Whether the list has come.
    pub is_known: bool,
    /// What the server refused.
    pub refusal: Option<ServerRefusal>,
}

impl Lobby {
    /// Connects to a server and asks for its tables.
    pub(in crate::app) fn open(server: TableAddress, guest: &TableGuest, wake: Wake) -> Lobby {
        let first = LobbySnapshot {
            connection: ConnectionState::Connecting,
            tables: Vec::new(),
            is_known: false,
            refusal: None,
        };
        let state = Arc::new(SharedState::new(Arc::new(first)));
        state.on_change(Box::new(move || wake()));
        let of_link = Arc::clone(&state);
        let tell = move |event, link: &LinkSender| {
            let mut state = of_link.lock();
            Arc::make_mut(&mut *state).take(event, link);
            drop(state);
            of_link.notify();
        };
        let opened = Connection::open(guest.options(&server), tell);
        if let Err(error) = &opened {
            Arc::make_mut(&mut *state.lock()).connection =
                ConnectionState::Closed(error.to_string());
        }
        Lobby { state, connection: opened.ok(), server }
    }

    /// The tables now.
    pub fn snapshot(&self) -> Arc<LobbySnapshot> {
        Arc::clone(&self.state.lock())
    }

    /// The server.
    pub fn server(&self) -> &TableAddress {
        &self.server
    }

    /// Tries now to connect again.
    pub(in crate::app) fn hurry(&self) {
        self.connection.iter().for_each(|connection| connection.sender().hurry());
    }
}

impl LobbySnapshot {
    fn take(&mut self, event: LinkEvent, link: &LinkSender) {
        match event {
            LinkEvent::Connecting => {}
            LinkEvent::Connected(greeting) => {
                self.take_message(*greeting, link);
                link.send(&ClientMessage::List { on: true });
            }
            LinkEvent::Broken(error) => {
                self.connection = ConnectionState::Broken(error.to_string());
            }
            LinkEvent::Refused(error) => {
                self.connection = ConnectionState::Closed(error.to_string());
            }
            LinkEvent::Message(message) => self.take_message(message.message, link),
        }
    }

    fn take_message(&mut self, message: ServerMessage<'static>, link: &LinkSender) {
        match message {
            ServerMessage::Welcome(_) => self.connection = ConnectionState::Connected,
            ServerMessage::Lobby { tables } => (self.tables, self.is_known) = (tables, true),
            ServerMessage::Listed { table } => {
                match self.tables.iter_mut().find(|known| known.id == table.id) {
                    Some(known) => *known = table,
                    None => self.tables.insert(0, table),
                }
            }
            ServerMessage::Unlisted { table } => self.tables.retain(|known| known.id != table),
            ServerMessage::Error(ErrorMessage { code, message, .. }) => {
                if is_final(&code) {
                    self.connection = ConnectionState::Closed(message.clone());
                    link.give_up();
                }
                self.refusal = Some(ServerRefusal { code, message });
            }
            _ => {}
        }
    }
}

/// Whether another try would be refused as well.
pub(super) fn is_final(code: &str) -> bool {
    matches!(code, "version" | "hello" | "password")
}
