//! The rules of five in a row: colours, points, boards, rules, forbidden moves and opening
//! procedures. Pure: no I/O, no time, no randomness, no dependencies.
//!
//! **Playing a game.** A [`Position`] checks each stone and tells how it ends the game.
//! ```
//! use tengen_rules::{Ending, Foul, Point, Position, Rule, Size};
//! let mut position = Position::new(Rule::Renju, Size::STANDARD);
//! for text in ["g8", "a1", "i8", "c1", "h7", "e1", "h9", "g1"] {
//!     let point: Point = text.parse()?;
//!     assert_eq!(position.play(point)?, None);
//! }
//! assert_eq!(position.play("h8".parse()?)?, Some(Ending::Foul(Foul::DoubleThree)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **Forbidden moves.** A [`Board`] judges one point, or all of them at once.
//! ```
//! use tengen_rules::{Board, Color, Foul, Size};
//! let mut board = Board::new(Size::STANDARD);
//! for text in ["d8", "f8", "g8", "h4", "h6", "h7"] {
//!     board.place(text.parse()?, Color::Black);
//! }
//! assert_eq!(board.foul("h8".parse()?), Some(Foul::DoubleFour));
//! assert_eq!(board.forbidden().len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//! [`Fouls`] is told of each stone and answers within nanoseconds: it is made for engines.
//!
//! **Opening procedures.** An [`Opening`] asks a seat and takes its answer until ordinary play
//! begins.
//! ```
//! use tengen_rules::{Answer, Ask, Color, Opening, OpeningSettings, Procedure, Rule, Seat, Size};
//! let settings = OpeningSettings::new(Procedure::Swap);
//! let mut opening = Opening::new(&settings, Rule::Standard, Size::STANDARD)?;
//! let stones = ["h8", "a1", "j9"].map(|text| text.parse().unwrap());
//! opening.answer(Seat::First, &Answer::Place(stones.to_vec()))?;
//! assert_eq!(opening.asked(), Some((Seat::Second, Ask::Choose)));
//! opening.answer(Seat::Second, &Answer::Choose(Color::Black))?;
//! assert_eq!(opening.asked(), None);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![warn(missing_docs)]
#![no_std]
#![forbid(unsafe_code)]

extern crate alloc;

mod alike;
mod ask;
mod board;
pub mod canonical;
mod color;
mod double_three;
mod forbidden;
mod forbidden_map;
mod foul_lines;
mod fouls;
mod illegal_answer;
#[cfg(feature = "serde")]
mod json;
mod line;
mod mv;
mod opening;
mod opening_settings;
mod pattern;
mod plan;
mod point;
mod position;
mod procedure;
mod rule;
mod seat;
mod setup;
mod size;
mod symmetry;
mod traits;
mod win_by_fours;
mod word;

pub use alike::Alike;
pub use ask::{Answer, Ask, Zone};
pub use board::Board;
pub use canonical::CanonicalOpening;
pub use color::{ByColor, Color};
pub use forbidden_map::ForbiddenMap;
pub use fouls::Fouls;
pub use illegal_answer::IllegalAnswer;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use json::read_word;
pub use mv::Move;
pub use opening::Opening;
pub use opening_settings::{OpeningError, OpeningSettings};
pub use point::{ParsePointError, Point};
pub use position::{Ending, IllegalMove, Position};
pub use procedure::{ParseProcedureError, Procedure};
pub use rule::{Foul, ParseRuleError, Rule};
pub use seat::{BySeat, Seat};
pub use setup::{Setup, SetupError};
pub use size::{Size, SizeError};
pub use symmetry::Symmetry;
pub use win_by_fours::FoursLimits;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
