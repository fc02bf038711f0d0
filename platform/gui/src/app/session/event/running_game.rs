//! The running games of an event, as the window sees them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tengen_arbiter::{Game, GameResult, Nanos};
use tengen_players::Time;
use tengen_rules::{BySeat, Color, Move, Seat, Size};
use tengen_tournament::{Change, ScheduledGame, Stop, Watcher};

use crate::app::model::{Diagram, Stone};

/// The shortest time between two updates of the window.
const TELL: Nanos = 500_000_000;

/// A running game of an event.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RunningGame {
    pub number: u64,
    /// The engines by seat.
    pub seats: BySeat<usize>,
    /// The colours by seat.
    pub colors: BySeat<Color>,
    /// Its moves so far.
    pub moves: Vec<Move>,
    /// The time left by seat.
    pub left: BySeat<Option<Nanos>>,
    /// The side to move.
    pub turn: Option<Seat>,
    /// Its result, if it is over.
    pub result: Option<GameResult>,
}

impl RunningGame {
    /// The diagram of the board.
    pub fn diagram(&self, size: Size) -> Diagram {
        let stone = |(index, mv): (usize, &Move)| {
            mv.point().map(|point| Stone { point, color: Color::of_ply(index), ply: index + 1 })
        };
        let stones = self.moves.iter().enumerate().filter_map(stone).collect();
        let (row, forbidden, offered) = (Vec::new(), Vec::new(), Vec::new());
        Diagram { size, stones, row, forbidden, offered }
    }
}

/// Shows the running games of an event. Each worker has its own slot, so that no two wait for each
/// other; only new moves are copied.
pub(super) struct BoardWatcher<'a> {
    pub boards: &'a [Mutex<Option<RunningGame>>],
    pub pause: &'a PauseSwitch,
    pub stop: &'a Stop,
    pub time: &'a dyn Time,
    pub wake: &'a (dyn Fn() + Sync),
    /// Whether the boards were viewed since the last update.
    pub seen: &'a AtomicBool,
    pub updated_at: AtomicU64,
    /// Whether the event was changed, and what is shown of it is to be read again.
    pub has_changed: &'a AtomicBool,
}

impl Watcher for BoardWatcher<'_> {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        if let Some(board) = self.boards.get(table) {
            note(&mut lock(board), scheduled, game);
        }
        let (now, updated_at) = (self.time.now(), self.updated_at.load(Ordering::Relaxed));
        if now >= updated_at.saturating_add(TELL)
            && self.seen.load(Ordering::Relaxed)
            && self
                .updated_at
                .compare_exchange(updated_at, now, Ordering::Relaxed, Ordering::Relaxed)
                .is_ok()
        {
            self.seen.store(false, Ordering::Relaxed);
            (self.wake)();
        }
        if game.result().is_none() {
            self.pause.wait_while_paused(self.stop);
        }
    }

    fn changed(&self, _change: &Change) {
        self.has_changed.store(true, Ordering::Relaxed);
    }
}

fn note(board: &mut Option<RunningGame>, scheduled: &ScheduledGame, game: &Game) {
    let same = board.as_ref().is_some_and(|board| board.number == scheduled.number);
    if !same {
        let mut moves = board.take().map_or_else(Vec::new, |board| board.moves);
        moves.clear();
        *board = Some(RunningGame {
            number: scheduled.number,
            seats: scheduled.seats,
            colors: game.colors(),
            moves,
            left: BySeat::default(),
            turn: None,
            result: None,
        });
    }
    let Some(board) = board else { return };
    let moves = game.position().moves();
    board.moves.truncate(moves.len());
    board.moves.extend_from_slice(&moves[board.moves.len()..]);
    board.colors = game.colors();
    board.left = BySeat::from_fn(|seat| game.clock(seat).left());
    board.turn = game.asked().map(|(seat, _)| seat);
    board.result = game.result();
}

/// Pauses all workers before their next questions.
#[derive(Default)]
pub(super) struct PauseSwitch {
    wanted: AtomicBool,
    lock: Mutex<()>,
    changed: Condvar,
}

impl PauseSwitch {
    pub fn set(&self, wanted: bool) {
        let _guard = lock(&self.lock);
        self.wanted.store(wanted, Ordering::SeqCst);
        self.changed.notify_all();
    }

    pub fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }

    /// Waits for this interval, and longer while paused, unless it is to go on.
    pub fn rest(&self, interval: Duration, goes_on: impl Fn() -> bool) {
        let end = Instant::now() + interval;
        let mut guard = lock(&self.lock);
        while !goes_on() {
            let left = match end.saturating_duration_since(Instant::now()) {
                _ if self.is_wanted() => Duration::MAX,
                Duration::ZERO => return,
                left => left,
            };
            let waited = self.changed.wait_timeout(guard, left);
            guard = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Blocks while paused, unless the event is to stop.
    pub fn wait_while_paused(&self, stop: &Stop) {
        if !self.is_wanted() {
            return;
        }
        let rests = |(): &mut ()| self.is_wanted() && !stop.is_requested();
        let waited = self.changed.wait_while(lock(&self.lock), rests);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

/// No invariant spans a panic: every value is whole.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
