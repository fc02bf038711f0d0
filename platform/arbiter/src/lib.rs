//! One game of five in a row as a deterministic state machine: inputs with a time stamp in, orders
//! out. It owns no clock, no thread and no player.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod action;
mod result;
mod time;

pub use action::Action;
pub use result::{Failure, GameResult, Termination};
pub use time::{Limits, Nanos, ParseTimeControlError, TimeControl};
