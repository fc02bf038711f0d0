//! Iterative deepening alpha-beta with threats: the built-in engine.
//!
//! The search is the SDK's, [`tengen_sdk::search`], and so are the openings. This crate adds what
//! makes an engine of it: options, draws, and a little variety.
//!
//! ```
//! use alphabeta::AlphaBeta;
//! use tengen_sdk::{Engine, GameInfo, Limits, Position, Rule, Size, Thinking};
//!
//! let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
//! for point in ["h8", "a1", "h9", "a2", "h10", "a3", "h11", "a5"] {
//!     position.play(point.parse().unwrap()).unwrap();
//! }
//! let game = GameInfo::new(Rule::Freestyle, Size::STANDARD);
//! let limits = Limits { nodes: Some(1000), ..Limits::default() };
//! let mut engine = AlphaBeta::default();
//! engine.new_game(&game);
//! let choice = engine.choose(&position, &Thinking::free().in_game(&game).with_limits(limits));
//! assert_eq!(choice.score.win_in, Some(1));
//! ```

mod engine;
mod options;
mod seeded_eval;

pub use engine::AlphaBeta;

/// The engine, for a program that links it in.
pub const EXPORTS: tengen_sdk::Exports = tengen_sdk::exports!(AlphaBeta);

#[cfg(feature = "export")]
tengen_sdk::export_engine!(AlphaBeta);
