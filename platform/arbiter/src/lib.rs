//! One game of five in a row as a deterministic state machine: inputs with a time stamp in, orders
//! out. It owns no clock, no thread and no player.
//!
//! A table polls an order, carries it out, and reports what happened and when:
//! ```
//! use tengen_arbiter::{Action, Game, GameConfig, Input, Order};
//! use tengen_arbiter::{Policies, Termination, TimeControl};
//! use tengen_rules::{Answer, BySeat, Move, OpeningSettings, Procedure, Rule, Seat, Size};
//!
//! let time: TimeControl = "60+1".parse()?;
//! let mut game = Game::new(GameConfig {
//!     rule: Rule::Renju,
//!     size: Size::STANDARD,
//!     opening: OpeningSettings::new(Procedure::None),
//!     time: BySeat { first: time, second: time },
//!     margin: BySeat::default(),
//!     policies: Policies::default(),
//! })?;
//!
//! let Some(Order::Ask { seat: Seat::First, patience, .. }) = game.poll_order() else { panic!() };
//! assert_eq!(patience, Some(60_000_000_001));
//! let written = 5_000; // nanoseconds, from whatever origin
//! game.handle(written, Seat::First, Input::Asked);
//! let answer = Answer::Move(Move::Stone("h8".parse()?));
//! game.handle(written + 2_000_000_000, Seat::First, Input::Act(Action::Answer(answer)));
//! assert_eq!(game.clock(Seat::First).left(), Some(59_000_000_000));
//!
//! let Some(Order::Ask { seat: Seat::Second, .. }) = game.poll_order() else { panic!() };
//! game.handle(2_100_000_000, Seat::Second, Input::Asked);
//! let too_late = game.next_timeout().unwrap();
//! game.handle_timeout(too_late);
//! let Some(Order::End(result)) = game.poll_order() else { panic!() };
//! assert_eq!((result.winner, result.termination), (Some(Seat::First), Termination::Timeout));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod action;
mod answer;
mod clock;
mod clock_face;
mod config;
mod correction;
mod entry;
mod forfeit_cause;
mod game;
mod input;
#[cfg(feature = "serde")]
mod json;
mod order;
mod policies;
mod result;
mod score_windows;
mod search_info;
mod time;
mod turn;

pub use action::Action;
pub use answer::legal_answer;
pub use clock::Clock;
pub use clock_face::ClockFace;
pub use config::GameConfig;
pub use correction::Correction;
pub use entry::HistoryEntry;
pub use forfeit_cause::{Cause, CpuStats, ForfeitCause};
pub use game::Game;
pub use input::{Handled, Input, SearchScore};
#[cfg(feature = "serde")]
pub use json::SearchObject;
pub use order::Order;
pub use policies::{
    Adjudication, DrawWindow, FoulPolicy, IllegalPolicy, LatePolicy, MarginPolicy, Policies,
    ResignBy, ResignWindow,
};
pub use result::{Failure, GameResult, Termination};
pub use search_info::SearchInfo;
pub use time::{ByoYomi, Limits, Nanos, ParseTimeControlError, TimeControl};
