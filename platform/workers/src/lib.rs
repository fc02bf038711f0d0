//! Plays an event on many machines, by way of a NATS server with JetStream.
//!
//! The process that runs the event, the coordinator, sends *jobs*: a game, or the two games of a
//! pair. Workers take them, play both engines of a game on their own machine, and send the records
//! back. The server only carries: what counts is what the coordinator has judged and saved in the
//! event's database.
//!
//! | kept by the server | holds | who writes |
//! |---|---|---|
//! | stream `TENGEN_JOBS` | jobs to be played, at most one message for each | coordinator |
//! | stream `TENGEN_RESULTS` | what was played, at most one message for each job | workers |
//! | bucket `tengen_events` | which events are played, and by which program | coordinator |
//! | bucket `tengen_workers` | which workers there are, and what each does | workers |
//! | objects `tengen_files` | event descriptions and engines, by their SHA-256 | coordinator |
//!
//! A worker publishes the result of a job first, and acknowledges the job then. So a job whose
//! worker is lost is given to another one, and the second result of a job is refused by the server
//! or, later, by the coordinator, which no longer waits for it.

#![forbid(unsafe_code)]

mod bus;
mod coordinator;
mod dispatch;
mod files;
mod message;
mod presence;
mod rights;
mod server;
mod turns;
mod worker;

pub use bus::{BusError, NatsOptions};
pub use coordinator::{Coordinator, CoordinatorError, EventFiles, NatsBus};
pub use dispatch::{DispatchNews, Dispatcher, JobBus, JobReport, Returned};
pub use message::{WorkerState, worker_name};
pub use rights::{RightsError, ServerUser, ServerUsers};
pub use worker::{WorkerError, WorkerNews, WorkerOptions, work};
