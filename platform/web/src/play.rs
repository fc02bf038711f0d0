//! Tables where people and engines meet over the network. The protocol is in `docs/protocol.md`.
//!
//! [`protocol`] reads what clients say, and [`messages`] are what servers say. With the feature
//! `server`: `Tables` has all rooms, a `connection` is one client, a `room` is one table with its
//! `journal`, and `Client` is the other end of the line. `Teams` are the remote engines of an
//! event, and a `TeamClient` is one of them at its own end of the line.

#[cfg(feature = "server")]
mod checked_table;
#[cfg(feature = "server")]
mod client;
#[cfg(feature = "server")]
mod connection;
#[cfg(feature = "server")]
mod engine_pool;
#[cfg(feature = "server")]
mod engines;
#[cfg(feature = "server")]
mod guesses;
#[cfg(feature = "server")]
mod journal;
#[cfg(feature = "server")]
mod kept_games;
#[cfg(feature = "server")]
mod keys;
pub mod messages;
#[cfg(feature = "server")]
mod openers;
#[cfg(feature = "server")]
mod outbox;
#[cfg(feature = "server")]
mod pings;
pub mod protocol;
#[cfg(feature = "server")]
mod rate;
#[cfg(feature = "server")]
mod remote;
#[cfg(feature = "server")]
mod room;
pub(crate) mod settings;
#[cfg(feature = "server")]
mod socket;
#[cfg(feature = "server")]
mod table_game;
#[cfg(feature = "server")]
mod tables;
#[cfg(feature = "server")]
mod team_client;
mod team_client_news;
pub mod team_protocol;
#[cfg(feature = "server")]
mod teams;

#[cfg(feature = "server")]
pub use self::client::{Client, ClientError, ClientEvent, ClientOptions, ClientSender, TableLink};
#[cfg(feature = "server")]
pub(crate) use self::connection::join;
#[cfg(feature = "server")]
pub use self::engines::TableEngines;
#[cfg(feature = "server")]
pub use self::remote::{RemoteError, RemoteGame, RemoteNews, RemoteSeat};
pub use self::settings::{Late, TableSettings};
#[cfg(feature = "server")]
pub use self::tables::{PlayError, PlayOptions, Tables};
#[cfg(feature = "server")]
pub use self::team_client::{TeamClient, TeamClientError};
pub use self::team_client_news::TeamClientNews;
#[cfg(feature = "server")]
pub(crate) use self::teams::join_team;
#[cfg(feature = "server")]
pub use self::teams::{TeamListener, TeamNews, TeamOptions, Teams};

/// An error as a client is told of it.
#[cfg(feature = "server")]
fn error_message(
    code: &str,
    message: &str,
    id: Option<u64>,
    room: Option<&str>,
) -> axum::extract::ws::Utf8Bytes {
    #[derive(serde::Serialize)]
    struct ErrorMessage<'a> {
        code: &'a str,
        message: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        room: Option<&'a str>,
    }
    room::written("error", id, ErrorMessage { code, message, room })
}

/// Lets this process open as many files as the system allows it: every connection is one.
#[cfg(all(feature = "server", unix))]
pub fn raise_file_limit() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum;
    if let Err(error) = setrlimit(Resource::Nofile, limit) {
        log::debug!("the limit on open files stays: {error}");
    }
}
