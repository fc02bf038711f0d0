//! Match statistics as pure numbers: scores, pairs of games, Elo with error bars, likelihood of
//! superiority, sequential tests.
//!
//! Every figure is of one player against the rest of its games, and none is ever NaN. A figure
//! without a finite value (the Elo of a shutout) is infinite, with an open interval, never an
//! invented number.
//!
//! A match of 3,402 pairs of games, the same opening played twice with colours swapped:
//!
//! ```
//! use tengen_stats::Pentanomial;
//! let pairs = Pentanomial { counts: [352, 579, 1264, 743, 464] };
//! let elo = pairs.sample().unwrap().elo();
//! assert_eq!(format!("{elo:.0}"), "+20 [+13, +27]");
//! assert!((elo.error().unwrap() - 6.77).abs() < 0.005, "as fastchess has it");
//! ```
//!
//! Single games, where nothing is paired:
//!
//! ```
//! use tengen_stats::WinDrawLoss;
//! let score = WinDrawLoss { wins: 1013, draws: 1998, losses: 896 };
//! assert_eq!(score.points(), 2012.0);
//! assert_eq!(format!("{:.0}", score.sample().unwrap().elo()), "+10 [+3, +18]");
//! ```
//!
//! A shutout: no finite figure, and nothing pretends to be one.
//!
//! ```
//! use tengen_stats::WinDrawLoss;
//! let elo = WinDrawLoss { wins: 10, draws: 0, losses: 0 }.sample().unwrap().elo();
//! assert_eq!((elo.finite(), elo.error()), (None, None));
//! assert!(elo.to_string().starts_with("> +"), "no more is known than a least difference");
//! ```
#![forbid(unsafe_code)]

mod elo;
mod normal;
mod pentanomial;
mod rating;
mod sample;
mod score;
mod sign_test;
mod spread;
mod sprt;
mod stratified;

pub use elo::{Elo, elo_of_rate, rate_of_elo};
pub use pentanomial::Pentanomial;
pub use rating::{
    Estimate, Meeting, RatingError, RatingList, RatingModel, RatingSettings, rating_list,
};
pub use sample::{Sample, performance};
pub use score::{PlayerOutcome, WinDrawLoss};
pub use sign_test::sign_test;
pub use spread::Spread;
pub use sprt::{Sprt, SprtDecision, SprtModel};
pub use stratified::{GroupFit, stratified};
