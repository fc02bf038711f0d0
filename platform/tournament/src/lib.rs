//! Schedules, the table that runs a game, concurrency, the store, resume.
#![forbid(unsafe_code)]

mod schedule;

pub use schedule::{Schedule, ScheduledGame};
