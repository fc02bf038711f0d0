//! The queue of games that the workers of an event take.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::Duration;

use tengen_players::Time;
use tengen_record::RecordRuling;

use super::left_games::{LeftGames, NextGames, PutOffGame};
use super::player_pool::PlayerPool;
use super::worker::Worker;
use super::{Change, ChangeKind, Roster, Watcher};
use crate::store::Ruling;
use crate::{EventConfig, Schedule, ScheduledGame, SpoiledOption, Stop};

/// How many games a worker reads in search of one that can be begun, before it lets others at the
/// queue.
const MOST_READ: usize = 4096;

/// How often a paused worker checks whether it still has to wait, and one of those that wait for
/// put-off games does. When another worker frees engines, a waiting one is woken at once.
const PAUSE: Duration = Duration::from_millis(20);

/// How often the others check; that one wakes them.
const LONG_PAUSE: Duration = Duration::from_secs(1);

/// The games of an event that are still to be played, shared by what plays them.
pub struct GameQueue<'a> {
    pub(super) config: &'a EventConfig,
    /// How often two engines meet at most, where a test has a book.
    meetings: Option<u64>,
    schedule: Schedule,
    pub(super) roster: &'a dyn Roster,
    pub(super) stop: &'a Stop,
    pub(super) watcher: &'a dyn Watcher,
    pub(super) players: PlayerPool,
    /// That the games cannot be saved any more.
    failed: AtomicBool,
    left: Mutex<LeftGames>,
    /// That there may be a game for a worker that waits, or nothing any more.
    news: Condvar,
    /// Whether no game is begun for the moment.
    is_paused: AtomicBool,
    // `left` is locked before these two, never after them.
    /// The engines that play no more games.
    gone: RwLock<BTreeSet<usize>>,
    /// What a referee ordered of games that are being played, or are to be.
    game_orders: Mutex<GameOrders>,
    /// The pairings that have finished their tests: they play no more.
    decided: RwLock<BTreeSet<(usize, usize)>>,
}

/// What a referee ordered of single games.
#[derive(Debug, Default)]
struct GameOrders {
    paused: BTreeSet<u64>,
    ended: BTreeMap<u64, (Ruling, RecordRuling)>,
}

/// Games that a worker plays. Their engines are freed when it is dropped.
pub(super) struct TakenGames<'a> {
    pub queue: &'a GameQueue<'a>,
    pub games: NextGames,
}

impl Drop for TakenGames<'_> {
    fn drop(&mut self) {
        self.queue.roster.free(self.games.seats());
        self.queue.left().playing -= 1;
        self.queue.news.notify_one();
    }
}

/// What there is for a worker.
pub(super) enum WorkerTurn {
    Play(NextGames),
    /// It has read much, and others may want to.
    ReadOn,
    /// Nothing now.
    Wait,
    /// Nothing any more.
    Over,
}

/// What is not played any more.
struct Dropped<'a> {
    gone: RwLockReadGuard<'a, BTreeSet<usize>>,
    decided: RwLockReadGuard<'a, BTreeSet<(usize, usize)>>,
}

impl Dropped<'_> {
    /// Whether two engines play each other no more.
    fn has(&self, [first, second]: [usize; 2]) -> bool {
        let is_gone = |engine| self.gone.contains(engine);
        let is_decided = |pairing| self.decided.contains(&pairing);
        is_gone(&first)
            || is_gone(&second)
            || is_decided((first, second))
            || is_decided((second, first))
    }
}

impl<'a> GameQueue<'a> {
    /// A queue of the games of these numbers.
    pub(crate) fn new(
        config: &'a EventConfig,
        schedule: Schedule,
        unfinished: Vec<Range<u64>>,
        roster: &'a dyn Roster,
        stop: &'a Stop,
    ) -> GameQueue<'a> {
        GameQueue {
            config,
            // The parts of a merged test have their own positions.
            meetings: config.meetings_of_a_test().filter(|_| config.parts.is_empty()),
            schedule,
            roster,
            stop,
            watcher: &(),
            players: PlayerPool::new(config),
            failed: AtomicBool::new(false),
            left: Mutex::new(LeftGames::new(unfinished)),
            news: Condvar::new(),
            is_paused: AtomicBool::new(false),
            gone: RwLock::new(config.gone()),
            game_orders: Mutex::default(),
            decided: RwLock::default(),
        }
    }

    /// The same queue, which passes over no game of a test.
    pub(crate) fn of_all(self) -> GameQueue<'a> {
        GameQueue { meetings: None, ..self }
    }

    pub(crate) fn watched_by(self, watcher: &'a dyn Watcher) -> GameQueue<'a> {
        GameQueue { watcher, ..self }
    }

    /// A worker of this queue, with this clock.
    pub(crate) fn worker<'h>(&'h self, time: &'h dyn Time) -> Worker<'h> {
        Worker::new(self, time)
    }

    /// Reports that games cannot be saved any more: no game is started or needs to be finished.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
    }

    /// Begins no game until it is called again with `false`.
    pub(crate) fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::SeqCst);
    }

    /// Begins no game of that engine any more, and tells it so.
    pub(crate) fn remove(&self, engine: usize) {
        self.gone.write().unwrap_or_else(PoisonError::into_inner).insert(engine);
        self.roster.leave(engine);
    }

    /// Passes over the games of these pairings from now on, since their tests are over.
    pub(crate) fn pass_over(&self, decided: BTreeSet<(usize, usize)>) {
        *self.decided.write().unwrap_or_else(PoisonError::into_inner) = decided;
    }

    /// Whether no game is begun any more, and those that are being played need not be finished.
    pub fn is_halted(&self) -> bool {
        self.stop.is_requested() || self.failed.load(Ordering::Relaxed)
    }

    /// Whether no game is begun for the moment.
    pub fn is_paused(&self) -> bool {
        self.is_paused.load(Ordering::SeqCst)
    }

    /// Whether no other game is begun any more.
    pub fn is_closed(&self) -> bool {
        self.is_halted() || self.stop.is_closing()
    }

    /// Obeys what a referee orders of a game that is being played.
    pub(super) fn order(&self, change: &Change) {
        let mut orders = self.game_orders();
        match change.kind {
            ChangeKind::GamePaused(number) => drop(orders.paused.insert(number)),
            ChangeKind::GameContinued(number) => drop(orders.paused.remove(&number)),
            ChangeKind::Ended(number, ruling) => {
                let about = RecordRuling {
                    change: change.number,
                    by: change.by.clone().unwrap_or_default(),
                    date: change.date.clone(),
                    reason: change.reason.clone().unwrap_or_default(),
                    played: None,
                };
                orders.ended.insert(number, (ruling, about));
            }
            _ => {}
        }
    }

    fn game_orders(&self) -> MutexGuard<'_, GameOrders> {
        self.game_orders.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a referee ended that game.
    pub(super) fn is_ended(&self, number: u64) -> bool {
        self.game_orders().ended.contains_key(&number)
    }

    /// What a referee ruled of that game while it was played.
    pub(super) fn take_ended(&self, number: u64) -> Option<(Ruling, RecordRuling)> {
        self.game_orders().ended.remove(&number)
    }

    /// Blocks while a referee has that game paused. No clock may run.
    pub(super) fn wait_for_game(&self, number: u64) {
        let is_held = || {
            let orders = self.game_orders();
            orders.paused.contains(&number) && !orders.ended.contains_key(&number)
        };
        while is_held() && !self.is_halted() {
            thread::sleep(PAUSE);
        }
    }

    /// Blocks while the queue is paused.
    pub(super) fn wait_for_turn(&self) {
        while self.is_paused() && !self.is_closed() {
            thread::sleep(PAUSE);
        }
    }

    pub(super) fn left(&self) -> MutexGuard<'_, LeftGames> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn dropped(&self) -> Dropped<'_> {
        Dropped {
            gone: self.gone.read().unwrap_or_else(PoisonError::into_inner),
            decided: self.decided.read().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Puts off games that were taken and could not be begun.
    pub(super) fn put_off(&self, games: &NextGames) {
        self.left().put_off(games);
    }

    /// Waits for the next games that can be played, and takes them.
    pub(super) fn next(&self) -> Option<TakenGames<'_>> {
        let found = self.find();
        // There may be games for other workers too, and each woken worker wakes one more; or there
        // are none for any.
        match found {
            Some(_) => self.news.notify_one(),
            None => self.news.notify_all(),
        }
        found.map(|games| TakenGames { queue: self, games })
    }

    /// The next games that can be played now; their engines are taken.
    pub(super) fn try_next(&self) -> WorkerTurn {
        match (self.is_closed(), self.is_paused()) {
            (true, _) => WorkerTurn::Over,
            (false, true) => WorkerTurn::Wait,
            (false, false) => self.turn(&mut self.left()),
        }
    }

    fn find(&self) -> Option<NextGames> {
        loop {
            self.wait_for_turn();
            if self.is_closed() {
                return None;
            }
            let mut left = self.left();
            match self.turn(&mut left) {
                WorkerTurn::Play(games) => return Some(games),
                WorkerTurn::ReadOn => {}
                WorkerTurn::Wait => self.wait(left),
                WorkerTurn::Over => return None,
            }
        }
    }

    /// Waits until there may be a game. Many may wait, so that only one of them looks by itself.
    fn wait(&self, mut left: MutexGuard<'_, LeftGames>) {
        let is_lookout = !std::mem::replace(&mut left.has_lookout, true);
        let within = if is_lookout { PAUSE } else { LONG_PAUSE };
        let waited = self.news.wait_timeout(left, within);
        let mut left = waited.unwrap_or_else(PoisonError::into_inner).0;
        if is_lookout {
            left.has_lookout = false;
        }
    }

    fn turn(&self, left: &mut LeftGames) -> WorkerTurn {
        // An engine that cannot begin one game can begin no other one now.
        let mut refused = BTreeSet::new();
        let mut can_play = |seats: [usize; 2]| {
            if seats.iter().any(|seat| refused.contains(seat)) {
                return false;
            }
            match self.roster.take(seats, false) {
                Ok(()) => true,
                Err(engine) => {
                    refused.insert(engine);
                    false
                }
            }
        };
        {
            let dropped = self.dropped();
            left.forget(|pairing| dropped.has(pairing));
            if let Some(pairing) = left.pairings().into_iter().find(|one| can_play(*one)) {
                return self.take_put_off(left, pairing);
            }
            for _ in 0..MOST_READ {
                let Some(games) = self.read_next(left, &dropped) else { break };
                let is_new = self.meetings.is_none_or(|most| games.first.meeting <= most);
                if !is_new || dropped.has(games.seats()) {
                    continue;
                }
                if can_play(games.seats()) {
                    left.playing += 1;
                    return WorkerTurn::Play(games);
                }
                left.put_off(&games);
            }
        }
        if left.numbers.peek().is_some() {
            return WorkerTurn::ReadOn;
        }
        if !left.has_put_off() {
            return WorkerTurn::Over;
        }
        if left.playing > 0 {
            return WorkerTurn::Wait;
        }
        for pairing in left.pairings() {
            if self.is_halted() {
                return WorkerTurn::Over;
            }
            if self.roster.take(pairing, true).is_ok() {
                return self.take_put_off(left, pairing);
            }
        }
        WorkerTurn::Wait
    }

    /// Gives the first game of two engines that was put off; they are taken.
    fn take_put_off(&self, left: &mut LeftGames, pairing: [usize; 2]) -> WorkerTurn {
        let Some(PutOffGame { number, twin, replays }) = left.take(pairing) else {
            return WorkerTurn::Wait;
        };
        left.playing += 1;
        let (first, twin) = (self.game(number), twin.map(|twin| self.game(twin)));
        WorkerTurn::Play(NextGames { first, twin, replays })
    }

    fn game(&self, number: u64) -> ScheduledGame {
        self.schedule.get(number).expect("unfinished games are in the schedule")
    }

    /// The same games, with the other one of the pair if that comes next.
    pub(super) fn with_twin(&self, left: &mut LeftGames, games: NextGames) -> NextGames {
        if games.twin.is_some() || games.replays > 0 {
            return games;
        }
        let twin = self.schedule.twin(games.first.number);
        let twin = left.numbers.next_if(|next| Some(*next) == twin);
        NextGames { twin: twin.map(|twin| self.game(twin)), ..games }
    }

    fn read_next(&self, left: &mut LeftGames, dropped: &Dropped<'_>) -> Option<NextGames> {
        let first = self.game(left.numbers.next()?);
        let games = NextGames { first, twin: None, replays: 0 };
        if self.config.spoiled != SpoiledOption::ReplayPair || dropped.has(games.seats()) {
            return Some(games);
        }
        Some(self.with_twin(left, games))
    }
}
