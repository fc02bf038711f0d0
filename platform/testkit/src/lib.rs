//! Test helpers: a virtual clock, misbehaving players, board diagrams.
#![forbid(unsafe_code)]

pub mod diagram;
mod misbehaving;
mod paced;
mod virtual_time;

pub use misbehaving::{Misbehaving, Misdeed};
pub use paced::Paced;
pub use virtual_time::VirtualTime;
