use std::sync::Arc;

use tengen_arbiter::{GameResult, Nanos, TimeControl};
use tengen_record::SearchInfo;
use tengen_rules::{Answer, Ask, BySeat, Color, Move, Point, Procedure, Rule, Seat, Size};
use tengen_stats::WinDrawLoss;

use super::archive::GameFileError;

/// What goes on at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The players of the next game are made ready.
    Starting,
    /// A game is played.
    Playing,
    /// A game is played, and will rest after the answer that is awaited.
    Pausing,
    /// The table rests; no clock runs.
    Paused,
    /// A game is over, and the next of the match begins by itself in a moment.
    Between,
    /// The running game is being given up.
    Stopping,
    /// The game or the match was stopped before its end.
    Stopped,
    /// Every game was played.
    Finished,
}

impl Phase {
    /// Whether nothing more comes by itself.
    pub fn is_over(self) -> bool {
        matches!(self, Phase::Stopped | Phase::Finished)
    }
}

/// A table at one moment. It never changes; the next one replaces it.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// What goes on.
    pub phase: Phase,
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// The opening procedure.
    pub opening: Procedure,
    /// How many games were begun at this table; a new number is a new game.
    pub number: u64,
    /// Who sits where in the game shown.
    pub seats: BySeat<SeatInfo>,
    /// The plies of the game shown, in order.
    pub rows: Arc<Vec<MoveRow>>,
    /// The fifth moves on offer, while one is to be picked.
    pub offered: Vec<Point>,
    /// How many fifth moves are to be offered: a number twice once it is settled.
    pub fifth_moves: Option<(u8, u8)>,
    /// Who owes which answer.
    pub asked: Option<OpenQuestion>,
    /// The decision that the last answer was, when it was no stone: a swap, a colour, a number.
    pub decision: Option<(Seat, Answer)>,
    /// Every decision of the game that was no stone, in order.
    pub decisions: Arc<Vec<Decision>>,
    /// Who has answered anything that stands.
    pub answered: BySeat<bool>,
    /// Whose offer of a draw stands.
    pub draw_offer: Option<Seat>,
    /// Whose offer of a draw was not taken by the last answer.
    pub draw_declined: Option<Seat>,
    /// What a person at the board is to be told of what it just did.
    pub refusal: Option<String>,
    /// What an engine was asked to advise.
    pub hint: Option<Hint>,
    /// How the game shown ended; none while it is played, or when it was given up.
    pub result: Option<GameResult>,
    /// What more there is to say about the end.
    pub detail: Option<String>,
    /// The engine that could not be fetched and why, where the game could not begin for that.
    pub start_failure: Option<(String, String)>,
    /// Why the game is not kept as it stands, where that could not be done.
    pub save_error: Option<Arc<GameFileError>>,
    /// The match that the game is of, if it is of one.
    pub series: Option<MatchInfo>,
}

/// An answer that is no stone: a swap, a colour, a number, fifth moves on offer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decision {
    /// How many plies lay on the board.
    pub after: usize,
    /// Whose it was.
    pub seat: Seat,
    /// What.
    pub answer: Answer,
}

/// A match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchInfo {
    /// How often it was begun at this table, from 1.
    pub round: u64,
    /// The number of the game shown, from 1.
    pub game: u64,
    /// How many games it has.
    pub games: u64,
    /// Its score, by engine.
    pub standings: Vec<MatchStanding>,
}

/// One of the two who play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeatInfo {
    /// Which colour marks it wherever it sits, from 0.
    pub accent: usize,
    /// Its name.
    pub name: String,
    /// Whether somebody at this window plays.
    pub is_person: bool,
    /// The colour it holds now.
    pub color: Color,
    /// Its time control.
    pub control: TimeControl,
    /// What was left of its game's time when its clock last stopped; none is unlimited.
    pub left: Option<Nanos>,
}

/// An open question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpenQuestion {
    /// Which question it is: no two of a game have the same number, and an answer names it.
    pub number: u64,
    /// To whom.
    pub seat: Seat,
    /// What.
    pub ask: Ask,
    /// Since when; none while the table rests before it is put.
    pub since: Option<Nanos>,
    /// What it took before, when it was put more than once.
    pub used: Nanos,
}

/// One ply of the game shown.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveRow {
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

/// Advice that was asked for, on the question that is open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hint {
    /// Who advises.
    pub name: String,
    /// What it says.
    pub advice: Advice,
}

/// How far advice has come.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Advice {
    /// It is being thought about.
    Awaited,
    /// It would answer so.
    Answer(Answer, Option<SearchInfo>),
    /// It would resign.
    Resign,
    /// There is none, for this reason.
    Failed(String),
}

/// An engine's score in a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchStanding {
    /// Its name.
    pub name: String,
    /// Its games.
    pub score: WinDrawLoss,
}

impl Snapshot {
    /// An empty board, the first game's, at which nobody sits and nothing goes on.
    pub(super) fn blank(size: Size) -> Snapshot {
        let nobody = |seat: Seat| SeatInfo {
            accent: usize::from(seat == Seat::Second),
            name: String::new(),
            is_person: false,
            color: if seat == Seat::First { Color::Black } else { Color::White },
            control: TimeControl::default(),
            left: None,
        };
        Snapshot {
            phase: Phase::Stopped,
            rule: Rule::Freestyle,
            size,
            opening: Procedure::None,
            number: 1,
            seats: BySeat::from_fn(nobody),
            rows: Arc::default(),
            offered: Vec::new(),
            fifth_moves: None,
            asked: None,
            decision: None,
            decisions: Arc::default(),
            answered: BySeat::default(),
            draw_offer: None,
            draw_declined: None,
            refusal: None,
            hint: None,
            result: None,
            detail: None,
            start_failure: None,
            save_error: None,
            series: None,
        }
    }

    /// The open question, when somebody at this window is to answer it and its clock runs.
    pub fn asks_person(&self) -> Option<OpenQuestion> {
        let asked = self.asked.filter(|asked| asked.since.is_some())?;
        self.seats[asked.seat].is_person.then_some(asked)
    }
}

/// A table at which nothing was played.
#[cfg(test)]
pub(super) fn empty() -> Snapshot {
    Snapshot { phase: Phase::Playing, ..Snapshot::blank(Size::STANDARD) }
}
