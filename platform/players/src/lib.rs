//! Who sits at the table: the `Player` trait, and players that need no engine.
#![forbid(unsafe_code)]

mod player;

pub use player::{Fault, GameSetup, Player, Reply, Request, SearchInfo, Time};
