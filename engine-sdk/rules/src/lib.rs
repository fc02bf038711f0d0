//! Five-in-a-row adjudicated: colours, points, boards, rules, forbidden moves and opening
//! procedures. Pure: no I/O, no time, no randomness.
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod ask;
mod color;
mod mv;
mod point;
mod rule;
mod seat;
mod size;

pub use ask::{Answer, Ask, Zone};
pub use color::{ByColor, Color};
pub use mv::Move;
pub use point::{ParsePointError, Point};
pub use rule::{Foul, ParseRuleError, Rule};
pub use seat::{BySeat, Seat};
pub use size::{Size, SizeError};
