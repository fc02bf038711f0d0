//! One game of five in a row as a deterministic state machine: inputs with a time stamp in, orders
//! out. It owns no clock, no thread and no player.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod action;
mod answer;
mod clock;
mod config;
mod entry;
mod game;
mod input;
mod order;
mod policies;
mod result;
mod time;
mod turn;
mod windows;

pub use action::Action;
pub use answer::legal_answer;
pub use clock::Clock;
pub use config::GameConfig;
pub use entry::Entry;
pub use game::Game;
pub use input::{Handled, Input, SearchScore};
pub use order::Order;
pub use policies::{
    Adjudication, DrawWindow, FoulPolicy, IllegalPolicy, LatePolicy, Policies, ResignWindow,
};
pub use result::{Failure, GameResult, Termination};
pub use time::{Limits, Nanos, ParseTimeControlError, TimeControl};
