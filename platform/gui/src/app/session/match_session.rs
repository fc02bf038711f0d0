//! A match of engines: one game after another, on a thread of its own.

mod command;
mod handle;
mod match_loop;
mod session;

pub use command::MatchCommand;
pub use session::{MatchConfig, MatchSession, RosterFactory};
