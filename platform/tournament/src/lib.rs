//! Schedules, the table that runs a game, concurrency, the store, resume.
#![forbid(unsafe_code)]

mod config;
mod finished;
mod schedule;
mod store;
mod tally;

pub use config::{
    Alike, ConfigError, EngineEntry, EventConfig, FifthMoves, Forbidden, Format, Illegal,
    Isolation, Late, Openings, ParseOptionError, Seconds,
};
pub use finished::FinishedGame;
pub use schedule::{Schedule, ScheduledGame};
pub use store::StoreError;
pub use tally::Tally;
