//! The [`Player`] trait: questions, replies, faults.

use serde::{Deserialize, Serialize};
use tengen_arbiter::{
    Action, Correction, CpuStats, Failure, GameResult, Limits, Nanos, SearchInfo, TimeControl,
};
use tengen_rules::{Alike, Ask, Move, Point, Procedure, Rule, Seat, Size};

use crate::Subscription;

/// The clock of a table: real in the program, simulated in tests.
pub trait Time: Sync {
    /// The moment now, in nanoseconds from this clock's origin. Never goes back.
    fn now(&self) -> Nanos;

    /// For how long in all this process has been kept from running, whatever stopped it: no player
    /// is charged for that time. Zero if it is not measured.
    fn stopped(&self) -> Nanos {
        0
    }

    /// For how long in all the machine has slept. No clock counts that time, but a player that
    /// noticed may behave differently. Zero if it is not measured.
    fn slept(&self) -> Nanos {
        0
    }

    /// The date, in seconds since the beginning of 1970; none if the clock has no date.
    fn date(&self) -> Option<u64> {
        None
    }
}

/// The kind of game that an engine is to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GameVariant {
    pub rule: Rule,
    pub size: Size,
    pub opening: Procedure,
}

impl GameVariant {
    /// What a player is told before a question that belongs to no event.
    pub fn setup(self, seat: Seat, time: TimeControl) -> GameSetup {
        GameSetup {
            number: None,
            rule: self.rule,
            size: self.size,
            opening: self.opening.number(),
            alike: Alike::default(),
            seat,
            time,
            seed: 0,
            reproducible: false,
            draw_offers: false,
        }
    }
}

/// What a player is told before a game.
#[derive(Clone, Debug)]
pub struct GameSetup {
    /// The number of the game in its event, for logs; players are not to know it.
    pub number: Option<u64>,
    pub rule: Rule,
    pub size: Size,
    /// The opening procedure, by its ABI number (`TENGEN_OPENING_*`).
    pub opening: u16,
    /// When two offered fifth moves count as the same.
    pub alike: Alike,
    pub seat: Seat,
    pub time: TimeControl,
    /// The seed for the player's own randomness.
    pub seed: u64,
    /// Whether the same seed and limits must give the same play.
    pub reproducible: bool,
    /// Whether draw offers are allowed.
    pub draw_offers: bool,
}

/// One question to a player: the position and the question travel together.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// Every ply so far, from the empty board.
    pub moves: &'a [Move],
    pub ask: Ask,
    /// The fifth moves on offer, when one must be picked.
    pub offered: &'a [Point],
    /// How many fifth moves Black is to offer: the number once it is settled, twice, or before that
    /// the range it may be declared from; none where none need be offered.
    pub fifth_moves: Option<(u8, u8)>,
    /// What the player may use.
    pub limits: Limits,
    /// When the host gives up waiting, counted from the moment the request is written: the first
    /// span that is too late, which is the hard limit, the margin and one nanosecond. None waits
    /// for ever (a person).
    pub patience: Option<Nanos>,
    /// Hears what is said meanwhile; none if nothing listens.
    pub watch: Option<Subscription<'a>>,
}

impl<'a> Request<'a> {
    /// A question without limits and without a listener.
    pub fn new(moves: &'a [Move], ask: Ask) -> Request<'a> {
        let (limits, patience, watch) = (Limits::default(), None, None);
        Request { moves, ask, offered: &[], fifth_moves: None, limits, patience, watch }
    }

    /// The same question when an answer has taken so long already. Some time always remains.
    pub fn after(self, spent: Nanos) -> Request<'a> {
        let rest = |span: Nanos| span.saturating_sub(spent).max(1);
        let Limits { own, hard, .. } = self.limits;
        Request {
            limits: Limits { own: own.map(rest), hard: hard.map(rest), ..self.limits },
            patience: self.patience.map(rest),
            ..self
        }
    }
}

/// How a player failed, and what there is to say about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind of failure.
    pub failure: Failure,
    /// What happened, for the log of that game; an engine's last words included.
    pub detail: String,
}

/// How a player met a request. Times are of the [`Time`] the table passed, stamped where the
/// request was written and where the answer's last byte was read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// When the request was about to be written: the clock starts.
    pub asked_at: Nanos,
    /// When the answer had been read, or the failure seen: the clock stops.
    pub answered_at: Nanos,
    /// Whether a draw is offered along with the answer.
    pub offers_draw: bool,
    /// The answer; `Ok(None)` when patience ran out without one, no earlier than that.
    pub outcome: Result<Option<Action>, Fault>,
    /// What the player said of its search, if anything.
    pub info: Option<SearchInfo>,
    /// The principal variation of that search, its first move first. It is unchecked: it was not
    /// played on a board.
    pub pv: Vec<Move>,
}

impl Reply {
    /// The most plies of a variation that are kept.
    pub const MOST_PV: usize = 64;

    /// A reply with nothing beside it.
    pub fn new(
        asked_at: Nanos,
        answered_at: Nanos,
        outcome: Result<Option<Action>, Fault>,
    ) -> Reply {
        Reply { asked_at, answered_at, offers_draw: false, outcome, info: None, pv: Vec::new() }
    }
}

/// What is known of the time of a question beside the stamps of its [`Reply`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Timing {
    /// What the player took by the clock at its own end of the line. The rest of the reply's time
    /// is the way there and back. Nothing is judged by it.
    pub own: Option<Nanos>,
    /// Where the time went, when it ran out or the player failed, and that is known.
    pub cpu_stats: Option<CpuStats>,
    /// What the player's host measured that its clock is to be corrected by: of the time between
    /// the stamps, and of the time before them.
    pub correction: Correction,
}

/// Begins a line about a path that a player was denied.
pub const DENIED: &str = "was denied ";

/// Begins a line about more working threads than a player was allowed.
pub const AT_WORK: &str = "was at work with ";

/// A player outlives its games: one that failed is made ready again by the next
/// [`Player::new_game`].
pub trait Player: Send {
    /// Prepares for a game.
    ///
    /// # Errors
    /// When the player could not be made ready; it loses the game by that failure.
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault>;

    /// Puts a question and waits for the answer, no longer than the request's patience.
    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply;

    /// What is known of the time of the last question, or of the last [`Player::new_game`].
    fn timing(&self) -> Timing {
        Timing::default()
    }

    /// How the player failed while its opponent was asked, if it did, as by computing in its
    /// opponent's time. Asked after each answer of the opponent.
    fn failed_unasked(&mut self) -> Option<Fault> {
        None
    }

    /// What the player has said to people since it was last taken, for the record: lines of bounded
    /// number and length. A line that begins with [`DENIED`] or [`AT_WORK`] is from its host: a
    /// path or a system call that it was denied, or a number of threads.
    fn take_said(&mut self) -> Vec<String> {
        Vec::new()
    }

    /// Tells how the game ended.
    fn end_game(&mut self, _result: GameResult) {}
}
