//! Test helpers: a virtual clock, misbehaving players.
#![forbid(unsafe_code)]

mod dice;
mod erratic;
mod exchange_log;
mod misbehaving;
mod paced;
mod virtual_time;

pub use dice::Dice;
pub use erratic::{Erratic, ErraticConfig};
pub use exchange_log::{ExchangeLog, LoggedExchange, PlayerEvent};
pub use misbehaving::{Misbehaving, Misbehavior};
pub use paced::Paced;
pub use virtual_time::VirtualTime;
