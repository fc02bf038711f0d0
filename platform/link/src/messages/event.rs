//! What a server says to the remote engines of its event.

use serde::{Deserialize, Serialize};
use tengen_arbiter::TimeControl;
use tengen_players::{GameSetup, GameVariant};
use tengen_rules::{Alike, Seat};

/// The answer to `join`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Joined {
    pub version: u64,
    /// The program.
    pub server: String,
    pub event: String,
    /// What the event calls the engine.
    pub name: String,
    /// What will be played, so that the engine can be started.
    pub settings: GameVariant,
    /// The tables of the games that it plays by now: any other is given up.
    pub tables: Vec<String>,
    /// How long messages may be.
    pub limits: JoinedLimits,
}

/// How long messages may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct JoinedLimits {
    /// The most bytes of one.
    pub message: usize,
}

/// A game that begins.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameMessage {
    pub table: String,
    /// Its number in the event.
    pub number: u64,
    pub seat: Seat,
    /// What is played.
    pub settings: GameSettings,
    /// How long the engine has to get ready, in milliseconds.
    pub startup: u64,
}

/// What an engine is told of a game of an event.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameSettings {
    /// Rule, board and opening procedure.
    #[serde(flatten)]
    pub variant: GameVariant,
    /// When two offered fifth moves count as the same.
    #[serde(default)]
    pub alike: Alike,
    pub time: TimeControl,
    /// Whether draws may be offered.
    #[serde(default)]
    pub draws: bool,
    /// The seed for the engine's own randomness.
    #[serde(default)]
    pub seed: u64,
    /// Whether the same seed and limits must give the same play.
    #[serde(default)]
    pub reproducible: bool,
}

impl GameMessage {
    /// What the engine is told of the game.
    pub fn setup(&self) -> GameSetup {
        let GameSettings { variant, alike, time, draws, seed, reproducible } = self.settings;
        GameSetup {
            number: Some(self.number),
            alike,
            seed,
            reproducible,
            draw_offers: draws,
            ..variant.setup(self.seat, time)
        }
    }
}
