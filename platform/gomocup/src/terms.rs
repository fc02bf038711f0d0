//! The terms of a game with a brain.

use alloc::string::String;
use alloc::vec::Vec;

use tengen_arbiter::TimeControl;
use tengen_rules::{Rule, Size};

/// What a brain is sent of a game before it begins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTerms {
    pub rule: Rule,
    pub size: Size,
    /// The brain's time. A cap on one move is its `timeout_turn`, the game's time its
    /// `timeout_match`.
    pub time: TimeControl,
    pub game_type: GameType,
    /// The most memory the brain may use, in bytes.
    pub max_memory: Option<u64>,
    /// Where it may keep files over many games; an absolute path.
    pub folder: Option<String>,
    /// How many threads it may use (Yixin).
    pub threads: Option<u32>,
    /// Keys of `INFO` of the brain's own with their values, sent in this order behind all others.
    pub options: Vec<(String, String)>,
    /// Whether every position that has a stone is sent whole, by BOARD.
    pub send_board: bool,
}

impl GameTerms {
    /// A game against another brain without limits.
    pub const fn new(rule: Rule, size: Size) -> GameTerms {
        let time = TimeControl {
            main: None,
            increment: 0,
            session: None,
            byo_yomi: None,
            per_move: None,
            nodes: None,
            depth: None,
        };
        let game_type = GameType::Brain;
        GameTerms {
            rule,
            size,
            time,
            game_type,
            max_memory: None,
            folder: None,
            threads: None,
            options: Vec::new(),
            send_board: false,
        }
    }
}

/// What a game is against, the number of `INFO game_type`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameType {
    /// Another brain.
    Brain = 1,
    /// Other brains, in a tournament.
    Tournament = 2,
}
