//! An engine of this machine that plays elsewhere: at a table of a server, or in an event.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use tengen_arbiter::{Action, GameResult, Nanos, SearchObject};
use tengen_players::{EngineNews, ListedEngine, Reply};
use tengen_rules::Seat;
use thiserror::Error;

use super::event_seats::EventSeats;
use super::table_seat::TableSeat;
use super::{Connection, ConnectionError, ConnectionOptions, LinkEvent, LinkSender};
use crate::messages::{
    Act, ClientKind, ClientMessage, Hello, JoinMessage, PROTOCOL_VERSION, ServerAnswer,
    ServerMessage, TableSettings,
};
use crate::{TableAddress, TableEngines};

/// How often it is looked whether to stop.
const LOOK: Duration = Duration::from_millis(100);

/// An engine of this machine that is to play elsewhere.
pub struct RemoteEngine {
    /// The server, with the table or the key of the event.
    pub address: TableAddress,
    /// What it is called there.
    pub name: String,
    /// A certificate authority beside those that the system trusts.
    pub authority: Option<PathBuf>,
    pub engine: ListedEngine,
    /// What starts it.
    pub engines: Arc<dyn TableEngines>,
    /// What it plays in.
    pub place: RemotePlace,
    /// How much of its time it leaves for the way there and back.
    pub reserve: Nanos,
}

/// What an engine plays in elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub enum RemotePlace {
    Table {
        /// The table to open, where the address names none.
        settings: Box<TableSettings>,
        /// The seat that it wants; none is any.
        seat: Option<Seat>,
        /// How many games it plays there.
        games: u64,
    },
    Event {
        /// How many games it plays at once, each with an engine of its own.
        tables: u64,
    },
}

/// What there is to tell meanwhile.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RemoteNews {
    /// It sits at a table.
    Seated {
        seat: Seat,
        /// The part after the server's address that lets another one play.
        invite: String,
    },
    /// It is in the event.
    Joined {
        event: String,
        /// What the engine is called there.
        name: String,
    },
    /// A game has begun.
    Began(u64),
    Over {
        /// Its number at the table or in the event.
        number: u64,
        /// Whether this engine won; none is a draw, or no result.
        won: Option<bool>,
        result: GameResult,
        /// What there is to say about that.
        detail: Option<String>,
    },
    /// Something does not work.
    Problem(String),
    /// The connection is gone; it is tried again.
    Lost(String),
    /// It is there again.
    Back,
    /// The event is over for this engine.
    End(String),
}

/// Why an engine does not play any more.
#[derive(Debug, Error)]
pub enum RemoteError {
    /// There is no connection.
    #[error(transparent)]
    Connection(#[from] ConnectionError),
    /// The server does not let it sit there.
    #[error("{server}: {message}")]
    NoSeat { server: String, message: String },
    /// The table is gone.
    #[error("the table was closed: {0}")]
    Closed(String),
    /// Another client has the same key.
    #[error("another client has come with this key, and plays in place of this one")]
    Replaced,
    /// The engine cannot play.
    #[error("{0}")]
    Engine(String),
}

/// The events of an engine's client.
pub(super) enum Happened {
    Link(LinkEvent),
    /// Of which engine, and what.
    Engine(u64, EngineNews),
}

/// Takes the messages of the server and the news of the engines. It answers through the sender.
pub(super) trait RemoteGames {
    /// Takes note of a new connection.
    fn come(&mut self, greeting: ServerMessage<'static>, tell: &mut dyn FnMut(RemoteNews));

    /// The connection is gone.
    fn lose(&mut self);

    /// Takes a message. Whether all has been played.
    fn hear(
        &mut self,
        message: ServerAnswer<'static>,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<bool, RemoteError>;

    /// Takes what an engine did.
    fn take(
        &mut self,
        engine: u64,
        news: EngineNews,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), RemoteError>;
}

impl RemoteEngine {
    /// How much of its time is usually left for the way there and back.
    pub const USUAL_RESERVE: Nanos = 100_000_000;

    /// Plays until all has been played, or it is told to stop.
    ///
    /// # Errors
    /// When it cannot play, or not any more.
    pub fn play(
        self,
        stop: &AtomicBool,
        tell: &mut dyn FnMut(RemoteNews),
    ) -> Result<(), RemoteError> {
        let (happens, happened) = mpsc::channel();
        let of_link = happens.clone();
        let options = ConnectionOptions {
            address: self.address.clone(),
            greeting: self.greeting(),
            authority: self.authority.clone(),
        };
        let server = self.address.server();
        let connection = Connection::open(options, move |event, _: &LinkSender| {
            // The client may have gone.
            let _gone = of_link.send(Happened::Link(event));
        });
        let connection =
            connection.map_err(|cause| ConnectionError::Unreachable { server, cause })?;
        let sender = connection.sender().clone();
        let mut games: Box<dyn RemoteGames + '_> = match self.place {
            RemotePlace::Table { .. } => Box::new(TableSeat::new(&self, sender, happens)),
            RemotePlace::Event { .. } => Box::new(EventSeats::new(&self, sender, happens)),
        };
        let (mut has_come, mut is_lost) = (false, false);
        while !stop.load(Ordering::SeqCst) {
            let event = match happened.recv_timeout(LOOK) {
                Ok(Happened::Link(event)) => event,
                Ok(Happened::Engine(engine, news)) => {
                    games.take(engine, news, tell)?;
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            match event {
                LinkEvent::Connecting => {}
                LinkEvent::Connected(greeting) => {
                    if std::mem::take(&mut is_lost) {
                        tell(RemoteNews::Back);
                    }
                    has_come = true;
                    games.come(*greeting, tell);
                }
                LinkEvent::Message(message) => {
                    if games.hear(*message, tell)? {
                        break;
                    }
                }
                // It ended while the line was broken.
                LinkEvent::Refused(ConnectionError::Refused { code, message, .. })
                    if has_come && code == "over" =>
                {
                    tell(RemoteNews::End(message));
                    break;
                }
                LinkEvent::Broken(error) if has_come => {
                    if !std::mem::replace(&mut is_lost, true) {
                        games.lose();
                        tell(RemoteNews::Lost(error.to_string()));
                    }
                }
                LinkEvent::Broken(error) | LinkEvent::Refused(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn greeting(&self) -> ClientMessage {
        let (version, name) = (PROTOCOL_VERSION, self.name.clone());
        let agent = format!("tengen {}", env!("CARGO_PKG_VERSION"));
        match self.place {
            RemotePlace::Table { .. } => {
                let kind = ClientKind::Engine;
                ClientMessage::Hello(Hello { version, name, kind, agent, password: None })
            }
            RemotePlace::Event { tables } => {
                let key = self.address.team.clone().unwrap_or_default();
                ClientMessage::Join(JoinMessage { version, key, name, agent, tables })
            }
        }
    }
}

/// The message with an answer.
pub(super) fn act(question: u64, action: Action, reply: Reply) -> Act {
    let info = SearchObject::new(reply.info, reply.pv);
    Act { info, ..Act::new(Some(question), action) }
}
