//! What is changed in an event after it was made.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::store::Ruling;

/// A change of an event. The event's database has all of them, numbered, each with what it changed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Change {
    /// Its number, counted from 1.
    pub number: u64,
    /// When it was made.
    pub date: String,
    /// What was done.
    pub kind: ChangeKind,
    /// The same in words.
    pub text: String,
    /// The run that it is an order to, as the event's lock names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// The referee that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why a referee ends a game that is being played; it is in the text, too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Change { date, text, by, .. } = self;
        match by {
            Some(by) => write!(f, "{date}, {by}: {text}"),
            None => write!(f, "{date}: {text}"),
        }
    }
}

/// What is done to an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeKind {
    /// It got more games.
    Extended,
    /// It got engines.
    Added,
    /// The engine at this place plays no more games.
    Removed(usize),
    /// It was made of other events.
    Merged,
    /// No game is begun.
    Paused,
    /// Games are begun again.
    Continued,
    /// The games that are being played are the last of this run.
    Stopped,
    /// The games that are being played are given up.
    StoppedNow,
    /// A referee ruled on the finished game of that number.
    Ruled(u64),
    /// A referee ends the game of that number, which is being played, with this ruling.
    Ended(u64, Ruling),
    /// No question of the game of that number is put.
    GamePaused(u64),
    /// Its questions are put again.
    GameContinued(u64),
    /// A referee began the next round.
    Begun,
    /// A referee warned the engine at this place.
    Warned(usize),
    /// A referee took back the act of the change of that number.
    Undone(u64),
}

impl ChangeKind {
    /// Its name, as JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            ChangeKind::Extended => "extended",
            ChangeKind::Added => "added",
            ChangeKind::Removed(_) => "removed",
            ChangeKind::Merged => "merged",
            ChangeKind::Paused => "paused",
            ChangeKind::Continued => "continued",
            ChangeKind::Stopped => "stopped",
            ChangeKind::StoppedNow => "stopped_now",
            ChangeKind::Ruled(_) => "ruled",
            ChangeKind::Ended(..) => "ended",
            ChangeKind::GamePaused(_) => "game_paused",
            ChangeKind::GameContinued(_) => "game_continued",
            ChangeKind::Begun => "begun",
            ChangeKind::Warned(_) => "warned",
            ChangeKind::Undone(_) => "undone",
        }
    }

    /// Whether it is an order about a game that is being played.
    pub fn is_of_running_game(self) -> bool {
        use ChangeKind::{Ended, GameContinued, GamePaused};
        matches!(self, Ended(..) | GamePaused(_) | GameContinued(_))
    }

    /// Whether results may be other ones since then.
    pub fn is_ruling(self) -> bool {
        matches!(self, ChangeKind::Ruled(_) | ChangeKind::Undone(_))
    }

    /// Whether it says what the process that plays the event is to do, and changes nothing else.
    pub fn is_order(self) -> bool {
        use ChangeKind::{Continued, Paused, Stopped, StoppedNow};
        matches!(self, Paused | Continued | Stopped | StoppedNow) || self.is_of_running_game()
    }
}
