//! The client's end of the connection.

mod connection;
mod engine_seat;
mod error;
mod event_seats;
mod remote_engine;
mod table_seat;
#[cfg(test)]
mod tests;

pub use self::connection::{Connection, ConnectionOptions, LinkEvent, LinkSender, PING};
pub use self::error::ConnectionError;
pub use self::remote_engine::{RemoteEngine, RemoteError, RemoteNews, RemotePlace};
