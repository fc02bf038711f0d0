//! Test helpers: a virtual clock, misbehaving players, board diagrams.
#![forbid(unsafe_code)]

pub mod diagram;
mod dice;
mod erratic;
mod journal;
mod misbehaving;
mod paced;
mod virtual_time;

pub use dice::Dice;
pub use erratic::{Erratic, Temper};
pub use journal::{Exchange, Happening, Journal};
pub use misbehaving::{Misbehaving, Misdeed};
pub use paced::Paced;
pub use virtual_time::VirtualTime;
