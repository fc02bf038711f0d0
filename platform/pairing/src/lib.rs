//! Which players meet next: Swiss systems, knockouts, double elimination, ladders, groups.
//!
//! Everything here is a pure function of what was played so far and of a seed. Players are numbers
//! from 0, in the order of their seeding: 0 is the first seed. Points are counted in halves.
//!
//! ```
//! use tengen_pairing::{Round, Swiss};
//! // Five players, three rounds, and two half points for a round without an opponent.
//! let mut swiss = Swiss::new(5, 3, 2, 7);
//! let draw = swiss.next_round();
//! // The upper half meets the lower half; the last player has a bye.
//! let met = |pair: &[usize; 2]| (*pair.iter().min().unwrap(), *pair.iter().max().unwrap());
//! assert_eq!(draw.pairs.iter().map(met).collect::<Vec<_>>(), [(0, 2), (1, 3)]);
//! assert_eq!(draw.bye, Some(4));
//! ```
#![forbid(unsafe_code)]

mod bracket;
mod groups;
mod ladder;
mod matching;
mod places;
mod swiss;
mod tie_break;

pub use bracket::{Bracket, BracketMatch, BracketState, MatchSide, MatchSlot, Section};
pub use groups::{deal, mix_groups};
pub use ladder::Ladder;
pub use matching::{Cost, least_cost_matching};
pub use places::{PlaceLine, places};
pub use swiss::{Draw, Met, Round, Swiss};
pub use tie_break::TieBreak;

/// The players of so many, in an order that the seed draws.
pub fn lots(players: usize, seed: u64) -> Vec<usize> {
    let mut order: Vec<usize> = (0..players).collect();
    tengen_random::Random::new(seed).shuffle(&mut order);
    order
}
