//! Test helpers: a virtual clock, misbehaving players, a client that says anything.
#![forbid(unsafe_code)]

mod dice;
mod engine_instance;
mod erratic;
mod exchange_log;
mod machine;
mod misbehaving;
mod paced;
mod raw_client;
mod virtual_time;

pub use dice::Dice;
pub use engine_instance::engine_instance;
pub use erratic::{Erratic, ErraticConfig};
pub use exchange_log::{ExchangeLog, LoggedExchange, PlayerEvent};
pub use machine::{control_groups, descriptors, shared_objects};
pub use misbehaving::{Misbehaving, Misbehavior};
pub use paced::Paced;
pub use raw_client::RawClient;
pub use virtual_time::VirtualTime;
