//! Schedules, the table that runs a game, concurrency, the store, resume.
//!
//! An [`Event`] lies in a folder. It is made from an [`EventConfig`], and run by anybody who can
//! seat players ([`Roster`]) and tell the time; it knows nothing of engines or processes.
#![forbid(unsafe_code)]

mod affinity;
mod config;
mod event;
mod finished;
mod schedule;
mod stop;
mod store;
mod summary;
mod table;
mod tally;

pub use config::{
    Affinity, Alike, ConfigError, EngineEntry, EventConfig, FifthMoves, Forbidden, Format, Illegal,
    Isolation, Late, Openings, ParseOptionError, Seconds,
};
pub use event::{Event, EventError, Outcome, Progress, Roster};
pub use finished::FinishedGame;
pub use schedule::{Schedule, ScheduledGame};
pub use stop::Stop;
pub use store::StoreError;
pub use summary::{Standing, Summary};
pub use table::{Halted, Notes, Sitting, Table};
pub use tally::Tally;
