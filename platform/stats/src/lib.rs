//! Match statistics as pure numbers: scores, pairs of games, Elo with error bars, likelihood of
//! superiority, sequential tests.
//!
//! Every figure is of one player against the rest of its games, and none is ever NaN. A figure that
//! has no finite value (the Elo of a shutout, the error bar of a sample without spread) says so:
//! the value is infinite or the error `None`, never an invented number.
//!
//! A match of 3,402 pairs of games, the same opening played twice with colours swapped:
//!
//! ```
//! use tengen_stats::Pentanomial;
//! let pairs = Pentanomial { counts: [352, 579, 1264, 743, 464] };
//! let elo = pairs.sample().unwrap().elo();
//! assert_eq!(elo.to_string(), "+19.83 ± 6.77");
//! ```
//!
//! Single games, where nothing is paired:
//!
//! ```
//! use tengen_stats::WinDrawLoss;
//! let score = WinDrawLoss { wins: 1013, draws: 1998, losses: 896 };
//! assert_eq!(score.points(), 2012.0);
//! assert_eq!(score.sample().unwrap().elo().to_string(), "+10.41 ± 7.62");
//! ```
//!
//! A shutout: no finite figure, and nothing pretends to be one.
//!
//! ```
//! use tengen_stats::WinDrawLoss;
//! let elo = WinDrawLoss { wins: 10, draws: 0, losses: 0 }.sample().unwrap().elo();
//! assert_eq!((elo.finite(), elo.error()), (None, None));
//! assert_eq!(elo.to_string(), "+∞");
//! ```
#![forbid(unsafe_code)]

mod elo;
mod normal;
mod pentanomial;
mod sample;
mod score;
mod spread;
mod sprt;

pub use elo::{Elo, elo_of_rate, rate_of_elo};
pub use pentanomial::Pentanomial;
pub use sample::{Sample, performance};
pub use score::{PlayerOutcome, WinDrawLoss};
pub use spread::Spread;
pub use sprt::{Sprt, SprtDecision};
