//! The queue of games, and the workers that play them.

use std::collections::{BTreeSet, VecDeque};
use std::iter::Peekable;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread;
use std::time::Duration;

use tengen_arbiter::Game;
use tengen_players::{Player, Time};
use tengen_record::{Conditions, pack};
use tengen_rules::BySeat;

use super::{Roster, Watcher};
use crate::game_runner::{GameEnd, GameParams, GameRunner, Halted};
use crate::store::{GameBatch, StoredGame};
use crate::{EventConfig, Schedule, ScheduledGame, SpoiledOption, Stop};

/// The most players that an event keeps, and the fewest that each of its workers does.
const MOST_PLAYERS: usize = 1024;
const FEWEST_PLAYERS: usize = 4;

/// The games that may be put off. Those behind them wait until there are fewer.
const MOST_PUT_OFF: usize = 4096;

/// How often a worker that is paused, or whose games are put off, looks whether it still has to
/// wait. One whose engines are freed by another worker is woken at once.
const PAUSE: Duration = Duration::from_millis(20);

type GameNumbers = Peekable<std::iter::Flatten<std::vec::IntoIter<Range<u64>>>>;

/// The games of an event that are still to be played, shared by its workers.
pub(crate) struct GameQueue<'a> {
    config: &'a EventConfig,
    schedule: Schedule,
    roster: &'a dyn Roster,
    stop: &'a Stop,
    watcher: &'a dyn Watcher,
    /// That the games cannot be saved any more.
    failed: AtomicBool,
    left: Mutex<LeftGames>,
    /// That a worker has freed its engines.
    freed: Condvar,
    /// Whether no game is begun for the moment.
    is_paused: AtomicBool,
    /// The engines that play no more games.
    gone: RwLock<BTreeSet<usize>>,
    /// The pairings whose tests have decided: they play no more.
    decided: Mutex<BTreeSet<(usize, usize)>>,
}

/// The games that nobody has taken, and how many workers play.
struct LeftGames {
    numbers: GameNumbers,
    /// Those whose turn it was when somebody could not play.
    put_off: VecDeque<NextGames>,
    playing: usize,
}

/// A game, and with it the other one of its pair where pairs are played again as such.
#[derive(Clone, Copy)]
struct NextGames {
    first: ScheduledGame,
    twin: Option<ScheduledGame>,
}

impl NextGames {
    fn seats(&self) -> [usize; 2] {
        [self.first.seats.first, self.first.seats.second]
    }
}

/// Games that a worker plays. Their engines are freed when it is dropped.
struct TakenGames<'a> {
    queue: &'a GameQueue<'a>,
    games: NextGames,
}

impl Drop for TakenGames<'_> {
    fn drop(&mut self) {
        self.queue.roster.free(self.games.seats());
        self.queue.left().playing -= 1;
        self.queue.freed.notify_all();
    }
}

/// What there is for a worker.
enum WorkerTurn {
    Play(NextGames),
    /// Nothing now.
    Wait,
    /// Nothing any more.
    Over,
}

impl<'a> GameQueue<'a> {
    /// A queue of the games of these numbers.
    pub fn new(
        config: &'a EventConfig,
        schedule: Schedule,
        unfinished: Vec<Range<u64>>,
        roster: &'a dyn Roster,
        stop: &'a Stop,
    ) -> GameQueue<'a> {
        GameQueue {
            config,
            schedule,
            roster,
            stop,
            watcher: &(),
            failed: AtomicBool::new(false),
            left: Mutex::new(LeftGames {
                numbers: unfinished.into_iter().flatten().peekable(),
                put_off: VecDeque::new(),
                playing: 0,
            }),
            freed: Condvar::new(),
            is_paused: AtomicBool::new(false),
            gone: RwLock::new(config.gone()),
            decided: Mutex::default(),
        }
    }

    /// The same queue, with a watcher.
    pub fn watched_by(self, watcher: &'a dyn Watcher) -> GameQueue<'a> {
        GameQueue { watcher, ..self }
    }

    /// Reports that games cannot be saved any more: no game is started or needs to be finished.
    pub fn fail(&self) {
        self.failed.store(true, Ordering::SeqCst);
    }

    /// Begins no game until it is called again with `false`.
    pub fn pause(&self, is_paused: bool) {
        self.is_paused.store(is_paused, Ordering::SeqCst);
    }

    /// Begins no game of that engine any more.
    pub fn remove(&self, engine: usize) {
        self.gone.write().unwrap_or_else(PoisonError::into_inner).insert(engine);
    }

    /// Blocks while the queue is paused.
    fn wait_for_turn(&self) {
        let is_waiting = || self.is_paused.load(Ordering::SeqCst);
        while is_waiting() && !self.is_halted() && !self.stop.is_closing() {
            thread::sleep(PAUSE);
        }
    }

    /// A worker of this queue, with this clock.
    pub fn worker<'h>(&'h self, time: &'h dyn Time) -> Worker<'h> {
        let mut players = Vec::new();
        players.resize_with(self.config.engines.len(), || None);
        let most = (MOST_PLAYERS / self.config.concurrency.max(1)).max(FEWEST_PLAYERS);
        Worker { queue: self, number: 0, time, players, present: VecDeque::new(), most }
    }

    /// Passes over the games of these pairings from now on, since their tests have decided.
    pub fn pass_over(&self, decided: BTreeSet<(usize, usize)>) {
        *self.decided.lock().unwrap_or_else(PoisonError::into_inner) = decided;
    }

    fn is_passed_over(&self, game: &ScheduledGame) -> bool {
        let BySeat { first, second } = game.seats;
        let decided = self.decided.lock().unwrap_or_else(PoisonError::into_inner);
        decided.contains(&(first, second)) || decided.contains(&(second, first))
    }

    pub fn is_halted(&self) -> bool {
        self.stop.is_requested() || self.failed.load(Ordering::Relaxed)
    }

    fn left(&self) -> MutexGuard<'_, LeftGames> {
        self.left.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next games whose engines can play. Waits for them.
    fn next(&self) -> Option<TakenGames<'_>> {
        loop {
            self.wait_for_turn();
            if self.is_halted() || self.stop.is_closing() {
                return None;
            }
            let mut left = self.left();
            match self.turn(&mut left) {
                WorkerTurn::Play(games) => return Some(TakenGames { queue: self, games }),
                WorkerTurn::Wait => drop(self.freed.wait_timeout(left, PAUSE)),
                WorkerTurn::Over => return None,
            }
        }
    }

    fn turn(&self, left: &mut LeftGames) -> WorkerTurn {
        left.put_off.retain(|games| !self.is_dropped(&games.first));
        if let Some(games) = self.take_put_off(left, false) {
            return WorkerTurn::Play(games);
        }
        while left.put_off.len() < MOST_PUT_OFF {
            // There may be millions that are passed over.
            if self.is_halted() {
                return WorkerTurn::Over;
            }
            let Some(games) = self.read_next(&mut left.numbers) else { break };
            if self.is_dropped(&games.first) {
                continue;
            }
            if self.roster.take(games.seats(), false) {
                left.playing += 1;
                return WorkerTurn::Play(games);
            }
            left.put_off.push_back(games);
        }
        if left.put_off.is_empty() {
            return WorkerTurn::Over;
        }
        let last = (left.playing == 0).then(|| self.take_put_off(left, true)).flatten();
        last.map_or(WorkerTurn::Wait, WorkerTurn::Play)
    }

    /// The first of the games that were put off whose engines can be taken.
    fn take_put_off(&self, left: &mut LeftGames, nothing_else: bool) -> Option<NextGames> {
        let can_play = |games: &NextGames| self.roster.take(games.seats(), nothing_else);
        let place = left.put_off.iter().position(can_play)?;
        left.playing += 1;
        left.put_off.remove(place)
    }

    fn read_next(&self, numbers: &mut GameNumbers) -> Option<NextGames> {
        let game =
            |number| self.schedule.get(number).expect("unfinished games are in the schedule");
        let first = game(numbers.next()?);
        let twin = self.schedule.twin(first.number);
        let twin = twin.filter(|_| self.config.spoiled == SpoiledOption::Replay);
        let is_left = !self.is_dropped(&first);
        let twin = numbers.next_if(|next| is_left && Some(*next) == twin).map(game);
        Some(NextGames { first, twin })
    }

    /// Whether a game is not to be played any more.
    fn is_dropped(&self, game: &ScheduledGame) -> bool {
        let gone = self.gone.read().unwrap_or_else(PoisonError::into_inner);
        gone.iter().any(|one| game.seat_of(*one).is_some()) || self.is_passed_over(game)
    }
}

/// Plays one game after another, with players of its own, made when first needed and kept for all
/// its games.
pub(crate) struct Worker<'a> {
    queue: &'a GameQueue<'a>,
    /// Its number, counted from 0.
    pub number: usize,
    time: &'a dyn Time,
    players: Vec<Option<Box<dyn Player>>>,
    /// Those that are there, the one that played last at the end.
    present: VecDeque<usize>,
    /// How many may be there.
    most: usize,
}

impl Worker<'_> {
    /// Plays the next game that nobody has taken, or the next pair, to its end. None when there is
    /// no more, or when the queue is halted: the players are to be dropped then.
    pub fn play(&mut self) -> Option<GameBatch> {
        if self.queue.is_halted() {
            return None;
        }
        let taken = self.queue.next()?;
        let NextGames { first, twin } = taken.games;
        let mut discarded = Vec::new();
        for replays in 0.. {
            let is_last = self.queue.config.spoiled == SpoiledOption::Keep
                || replays == SpoiledOption::REPLAYS;
            let mut games = Vec::with_capacity(1 + usize::from(twin.is_some()));
            let mut lags = Vec::with_capacity(games.capacity());
            let mut is_spoiled = false;
            for scheduled in [Some(&first), twin.as_ref()].into_iter().flatten() {
                self.queue.wait_for_turn();
                let began = self.time.date();
                let (game, end) = self.play_game(scheduled).ok()?;
                lags.push(game.history().iter().filter_map(|entry| entry.lag).collect());
                let mut game = stored(scheduled, &game, end);
                (game.conditions.replays, game.conditions.began) = (replays, began);
                is_spoiled |= game.conditions.is_spoiled();
                games.push(game);
                // What it would be worth is not known without the other one.
                if is_spoiled && !is_last {
                    break;
                }
            }
            if !is_spoiled || is_last {
                let is_void = is_spoiled && self.queue.config.spoiled == SpoiledOption::Replay;
                games.iter_mut().for_each(|game| game.conditions.is_void = is_void);
                return Some(GameBatch { games, lags, discarded });
            }
            log::warn!("games {}: the host spoiled one; played again", named(&first, &twin));
            discarded.append(&mut games);
        }
        unreachable!("the last time is the last")
    }

    fn play_game(&mut self, scheduled: &ScheduledGame) -> Result<(Game, GameEnd), Halted> {
        let GameQueue { config, roster, watcher, .. } = self.queue;
        let number = self.number;
        let mut game = Game::new(config.game(scheduled)).expect("the event was validated");
        let seats = [scheduled.seats.first, scheduled.seats.second];
        self.make_room(seats);
        watcher.look(number, scheduled, &game);
        let [first, second] =
            self.players.get_disjoint_mut(seats).expect("two engines of the event sit at a table");
        let first = first.get_or_insert_with(|| roster.player(seats[0])).as_mut();
        let second = second.get_or_insert_with(|| roster.player(seats[1])).as_mut();
        let params = GameParams {
            number: Some(scheduled.number),
            opening: config.opening,
            seed: scheduled.seed,
            draw_offers: config.draw_offers,
        };
        let halted = || self.queue.is_halted();
        let runner = GameRunner { time: self.time, stall: config.stall(), halted: &halted };
        let both: BySeat<&mut dyn Player> = BySeat { first, second };
        let mut end = GameEnd::default();
        runner.play_watched(&mut game, params, both, &mut end, |game| {
            watcher.look(number, scheduled, game);
        })?;
        watcher.over(number, scheduled, &game, &end);
        Ok((game, end))
    }
}

impl Worker<'_> {
    /// Lets those go that have not played for longest, where these two would be too many: an engine
    /// that waits is a process, and so many of them are a burden to the machine.
    fn make_room(&mut self, seats: [usize; 2]) {
        self.present.retain(|engine| !seats.contains(engine));
        while self.present.len() + seats.len() > self.most
            && let Some(engine) = self.present.pop_front()
        {
            self.players[engine] = None;
        }
        self.present.extend(seats);
    }
}

/// Plays the games of these numbers on this thread, one after another, as an event does, but saves
/// none: only the watcher gets them. Returns when they are played or `stop` is requested.
///
/// The event must be valid.
pub fn play_unsaved(
    config: &EventConfig,
    numbers: Range<u64>,
    roster: &dyn Roster,
    stop: &Stop,
    time: &dyn Time,
    watcher: &dyn Watcher,
) {
    let queue = GameQueue::new(config, config.schedule(), vec![numbers], roster, stop);
    let queue = queue.watched_by(watcher);
    let mut worker = queue.worker(time);
    while worker.play().is_some() {}
}

fn named(first: &ScheduledGame, twin: &Option<ScheduledGame>) -> String {
    let twin = twin.map(|twin| format!(" and {}", twin.number)).unwrap_or_default();
    format!("{}{twin}", first.number)
}

/// A game as it is stored.
fn stored(scheduled: &ScheduledGame, game: &Game, end: GameEnd) -> StoredGame {
    let result = game.result().expect("the game was played to its end");
    if let (Some(winner), Some(detail)) = (result.winner, &end.detail) {
        let engine = scheduled.seats[!winner];
        let termination = result.termination;
        log::debug!("game {}: engine {engine} lost by {termination}: {detail}", scheduled.number);
    }
    StoredGame {
        number: scheduled.number,
        seats: scheduled.seats,
        result,
        plies: u32::try_from(game.position().board().count()).expect("a board has few points"),
        duration: game.history().iter().map(|entry| entry.spent).fold(0, u64::saturating_add),
        packed: pack(game.history()),
        line: StoredGame::line_of(scheduled.seats, game.history()),
        detail: end.detail,
        conditions: Conditions {
            forfeit: end.cause,
            stopped: end.stopped,
            ..Conditions::default()
        },
    }
}
