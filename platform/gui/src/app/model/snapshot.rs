//! The state of a game or match at one moment.

use std::sync::Arc;

use tengen_arbiter::{ClockFace, GameResult, Nanos, Termination, TimeControl};
use tengen_record::SearchInfo;
use tengen_rules::{
    Answer, Ask, BySeat, Color, Ending, Move, Point, Position, Procedure, Rule, Seat, Size,
};
use tengen_stats::WinDrawLoss;

use super::{Happenings, JournalError};

/// The phase of a game or match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The players of the next game are made ready.
    Starting,
    /// A game is running.
    Playing,
    /// A game is running, and pauses after the awaited answer.
    Pausing,
    /// It is paused; no clock runs.
    Paused,
    /// A game is over, and the next one of the match starts in a moment.
    Between,
    /// The running game is being aborted.
    Stopping,
    /// The game or match was stopped.
    Stopped,
    /// Every game is finished.
    Finished,
}

impl Phase {
    /// Whether nothing more happens by itself.
    pub fn is_over(self) -> bool {
        matches!(self, Phase::Stopped | Phase::Finished)
    }
}

/// A game or match at one moment. It never changes; the next one replaces it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub phase: Phase,
    pub rule: Rule,
    /// The board.
    pub size: Size,
    pub opening: Procedure,
    /// How many games were started in this session; a new number is a new game.
    pub number: u64,
    /// The players of the game shown.
    pub seats: BySeat<SeatInfo>,
    /// The moves of the game shown.
    pub rows: Arc<Vec<MoveRow>>,
    /// The offered fifth moves, while one is to be picked.
    pub offered: Vec<Point>,
    /// The range of fifth moves to offer.
    pub fifth_moves: Option<(u8, u8)>,
    pub asked: Option<OpenQuestion>,
    /// The last answer, if it was a decision: a swap, a colour, a number.
    pub decision: Option<(Seat, Answer)>,
    /// Every decision of the game, in order.
    pub decisions: Arc<Vec<Decision>>,
    /// The seats that another player took over, in order.
    pub handovers: Arc<Vec<SeatChange>>,
    /// What was said and happened beside the moves.
    pub happenings: Happenings,
    /// The seats that have answered anything.
    pub answered: BySeat<bool>,
    /// The seat with an open draw offer.
    pub draw_offer: Option<Seat>,
    /// The seat whose draw offer the last answer declined.
    pub draw_declined: Option<Seat>,
    /// Why the last click was not accepted.
    pub refusal: Option<String>,
    pub hint: Option<Hint>,
    /// Whether a person may pass.
    pub passing: bool,
    /// How often moves may still be taken back; none is any number of times.
    pub undo_left: Option<u32>,
    /// The result; none while the game is running, or when it was aborted.
    pub result: Option<GameResult>,
    /// Whether it is known why the result is what it is.
    pub is_reason_known: bool,
    /// Details of the end.
    pub detail: Option<String>,
    /// The engine that could not be started, and why, if the game could not start.
    pub start_failure: Option<(String, String)>,
    /// Why the game could not be saved.
    pub save_error: Option<Arc<JournalError>>,
    /// The match of the game, if any.
    pub series: Option<MatchInfo>,
}

/// An answer that is not a stone: a swap, a colour, a number, offered fifth moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// The number of plies on the board.
    pub after: usize,
    /// The seat that decided.
    pub seat: Seat,
    pub answer: Answer,
}

/// A player who took over a seat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatChange {
    /// The number of plies before it.
    pub after: usize,
    pub seat: Seat,
    /// Who plays from there on.
    pub name: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchInfo {
    /// How often it was started, from 1.
    pub round: u64,
    /// The number of the game shown, from 1.
    pub game: u64,
    /// How many games it has.
    pub games: u64,
    /// Its score, by engine.
    pub standings: Vec<MatchStanding>,
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatInfo {
    /// The index of its accent colour.
    pub accent: usize,
    pub name: String,
    /// Whether it is a person at this window.
    pub is_person: bool,
    /// Its current colour.
    pub color: Color,
    pub control: TimeControl,
    /// What its clock showed when it last stopped; none is unlimited.
    pub clock: Option<ClockFace>,
    /// The time it has used for its answers so far.
    pub used: Nanos,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenQuestion {
    /// Its number, unique in a game; an answer names it.
    pub number: u64,
    /// The seat that is asked.
    pub seat: Seat,
    /// The question.
    pub ask: Ask,
    /// When it was put; none while paused before it.
    pub since: Option<Nanos>,
    /// The time already used, if it was put before.
    pub used: Nanos,
}

/// A ply of the game shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRow {
    /// Its number, from 1.
    pub ply: usize,
    /// The stone, or a pass.
    pub mv: Move,
    /// Its colour.
    pub color: Color,
    /// The seat that played it; none for a stone of a book.
    pub seat: Option<Seat>,
    /// The time of the answer.
    pub spent: Option<Nanos>,
    /// The search info of the player.
    pub info: Option<SearchInfo>,
    /// Whether the arbiter played it in place of a late answer.
    pub is_substitute: bool,
}

/// A hint on the open question.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// The engine.
    pub name: String,
    pub advice: Advice,
}

/// The state of a hint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// The engine is thinking.
    Awaited,
    /// It would give this answer.
    Answer(Answer, Option<SearchInfo>),
    /// It would resign.
    Resign,
    /// There is no hint, for this reason.
    Failed(String),
}

/// An engine's score in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchStanding {
    pub name: String,
    /// Its results.
    pub score: WinDrawLoss,
}

impl SeatInfo {
    /// A seat without a player.
    pub(crate) fn blank(seat: Seat) -> SeatInfo {
        SeatInfo {
            accent: usize::from(seat == Seat::Second),
            name: String::new(),
            is_person: false,
            color: if seat == Seat::First { Color::Black } else { Color::White },
            control: TimeControl::default(),
            clock: None,
            used: 0,
        }
    }
}

impl Snapshot {
    /// An empty board without players.
    pub(in crate::app) fn blank(size: Size) -> Snapshot {
        Snapshot {
            phase: Phase::Stopped,
            rule: Rule::Freestyle,
            size,
            opening: Procedure::None,
            number: 1,
            seats: BySeat::from_fn(SeatInfo::blank),
            rows: Arc::default(),
            offered: Vec::new(),
            fifth_moves: None,
            asked: None,
            decision: None,
            decisions: Arc::default(),
            handovers: Arc::default(),
            happenings: Happenings::default(),
            answered: BySeat::default(),
            draw_offer: None,
            draw_declined: None,
            refusal: None,
            hint: None,
            passing: false,
            undo_left: None,
            is_reason_known: true,
            result: None,
            detail: None,
            start_failure: None,
            save_error: None,
            series: None,
        }
    }

    /// Whether it was stopped before its end, and can go on.
    pub fn is_open(&self) -> bool {
        let is_aborted = |result: GameResult| result.termination == Termination::Aborted;
        self.phase == Phase::Stopped && self.result.is_some_and(is_aborted)
    }

    /// The position after the first plies, and whether one of them ended the game on the board;
    /// none if a stone cannot be laid.
    pub(in crate::app) fn position(&self, plies: usize) -> Option<(Position, bool)> {
        let (mut position, mut is_over) = (Position::new(self.rule, self.size), false);
        for row in self.rows.iter().take(plies) {
            let ending = match row.mv {
                Move::Stone(point) => position.play(point).ok()?,
                Move::Pass => position.pass(),
            };
            is_over |= ending.is_some_and(|ending| !matches!(ending, Ending::Foul(_)));
        }
        Some((position, is_over))
    }

    /// The open question, if it is to a person at this window and its clock runs.
    pub fn asks_person(&self) -> Option<OpenQuestion> {
        let asked = self.asked.filter(|asked| asked.since.is_some())?;
        self.seats[asked.seat].is_person.then_some(asked)
    }
}

/// A running game without moves.
#[cfg(test)]
pub(in crate::app) fn empty() -> Snapshot {
    Snapshot { phase: Phase::Playing, ..Snapshot::blank(Size::STANDARD) }
}
