//! Test helpers: a virtual clock, misbehaving players, a client and a server that say anything.
#![forbid(unsafe_code)]

mod compiler;
mod dice;
mod engine_instance;
mod erratic;
mod exchange_log;
mod json_socket;
mod machine;
mod misbehaving;
mod paced;
mod raw_client;
mod scripted_server;
mod virtual_time;

pub use compiler::{compile_c, compile_source};
pub use dice::Dice;
pub use engine_instance::engine_instance;
pub use erratic::{Erratic, ErraticConfig};
pub use exchange_log::{ExchangeLog, LoggedExchange, PlayerEvent};
pub use machine::{control_groups, descriptors, shared_objects};
pub use misbehaving::{Misbehaving, Misbehavior};
pub use paced::Paced;
pub use raw_client::RawClient;
pub use scripted_server::ScriptedServer;
pub use virtual_time::VirtualTime;
