//! A match of engines: one game after another, on a thread of its own.

mod command;
mod desk;
mod runner;
mod session;

pub use command::MatchCommand;
pub use session::{Rosters, Session, SessionConfig};
