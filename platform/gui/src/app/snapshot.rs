use std::sync::Arc;

use tengen_arbiter::{GameResult, Nanos, TimeControl};
use tengen_record::SearchInfo;
use tengen_rules::{Ask, BySeat, Color, Move, Point, Rule, Seat, Size};
use tengen_stats::Score;

use super::Command;

/// What a match does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The players of the next game are made ready.
    Starting,
    /// A game is played.
    Playing,
    /// A game is played, and will rest after the answer that is awaited.
    Pausing,
    /// The match rests; no clock runs.
    Paused,
    /// A game is over, and the next begins by itself in a moment.
    Between,
    /// The running game is being given up.
    Stopping,
    /// The match was stopped before its last game.
    Stopped,
    /// Every game was played.
    Finished,
}

impl Phase {
    /// Whether the match is over.
    pub fn is_over(self) -> bool {
        matches!(self, Phase::Stopped | Phase::Finished)
    }

    /// Whether a command means anything now.
    pub fn allows(self, command: Command) -> bool {
        match command {
            Command::Pause => matches!(self, Phase::Starting | Phase::Playing | Phase::Between),
            Command::Continue => matches!(self, Phase::Pausing | Phase::Paused),
            Command::NewGame | Command::Stop => !self.is_over() && self != Phase::Stopping,
            Command::NewMatch => self.is_over(),
        }
    }
}

/// A match at one moment. It never changes; the next one replaces it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What the match does.
    pub phase: Phase,
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// How often a match was begun in this session, from 1.
    pub round: u64,
    /// The number of the game shown, from 1.
    pub game: u64,
    /// How many games the match has.
    pub games: u64,
    /// Who sits where in the game shown.
    pub seats: BySeat<Seated>,
    /// The plies of the game shown, in order.
    pub rows: Arc<Vec<Row>>,
    /// The fifth moves on offer, while one is to be picked.
    pub offered: Vec<Point>,
    /// Who owes which answer.
    pub asked: Option<Asked>,
    /// How the game shown ended; none while it is played, or when it was given up.
    pub result: Option<GameResult>,
    /// What more there is to say about the end.
    pub detail: Option<String>,
    /// The score of the match, by engine.
    pub standings: Vec<Standing>,
}

/// One of the two who play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Seated {
    /// Which of the match's engines it is, from 0.
    pub engine: usize,
    /// Its name.
    pub name: String,
    /// The colour it holds now.
    pub color: Color,
    /// Its time control.
    pub control: TimeControl,
    /// What was left of its game's time when its clock last stopped; none is unlimited.
    pub left: Option<Nanos>,
}

/// An open question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Asked {
    /// To whom.
    pub seat: Seat,
    /// What.
    pub ask: Ask,
    /// Since when; none while the match rests before it is put.
    pub since: Option<Nanos>,
}

/// One ply of the game shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its number, from 1.
    pub ply: usize,
    /// The stone, or a pass.
    pub mv: Move,
    /// The colour that played it.
    pub color: Color,
    /// Who laid it; none for a stone of a book.
    pub seat: Option<Seat>,
    /// What the answer it came with took.
    pub spent: Option<Nanos>,
    /// What the player said of its search.
    pub info: Option<SearchInfo>,
}

/// An engine's score in the match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Its games.
    pub score: Score,
}
