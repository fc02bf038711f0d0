//! Tables where people and engines meet over the network. The protocol is in `docs/protocol.md`.
//!
//! `Tables` has all of them, a `table` is one with its `journal`, a `connection` is one client.
//! `Teams` are the remote engines of an event. The messages are those of `tengen-link`.

mod checked_table;
mod connection;
mod freezes;
mod guesses;
mod journal;
mod kept_games;
mod keys;
mod openers;
mod outbox;
mod picture_intake;
mod pings;
mod rate;
mod seekers;
mod socket;
mod table;
mod table_game;
mod tables;
mod teams;

use axum::extract::ws::Utf8Bytes;
use tengen_link::messages::{ErrorMessage, Numbered, ServerMessage};

pub(crate) use self::connection::join;
pub use self::tables::{PlayError, PlayOptions, Tables};
pub(crate) use self::teams::join_team;
pub use self::teams::{TeamListener, TeamNews, TeamOptions, Teams};

fn written(id: Option<u64>, message: ServerMessage<'_>) -> Utf8Bytes {
    let text = serde_json::to_string(&Numbered { message, id });
    text.expect("every key of a message is a string").into()
}

/// An error as a message to a client.
fn error_message(code: &str, message: &str, id: Option<u64>, table: Option<&str>) -> Utf8Bytes {
    let (code, message, table) = (code.to_owned(), message.to_owned(), table.map(str::to_owned));
    written(id, ServerMessage::Error(ErrorMessage { code, message, table }))
}

/// Lets this process open as many files as the system allows it: every connection is one. Windows
/// has no such limit.
pub fn raise_file_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        limit.current = limit.maximum;
        if let Err(error) = setrlimit(Resource::Nofile, limit) {
            log::debug!("the limit on open files stays: {error}");
        }
    }
}
