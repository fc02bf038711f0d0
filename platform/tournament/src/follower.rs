//! A running event, for the terminal, the window and the page that follow it.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::Serialize;
use tengen_arbiter::{ClockFace, Game, GameResult, HistoryEntry, Nanos};
use tengen_players::{Listener, SearchProgress};
use tengen_rules::{BySeat, Color, Move, Seat, Size};

use crate::{
    Change, ChangeKind, Event, EventConfig, EventProgress, GameEnd, PairTest, ScheduledGame,
    SpoiledGames, StageSummary, Standing, Summary, Tally, TestState, Watcher,
};

/// The shortest time between two computations of the standings.
const STANDINGS: Duration = Duration::from_secs(1);
/// How much longer than one computation it rests: with a thousand engines that takes a while, on
/// the CPUs that the engines use.
const SHARE: u32 = 10;

/// Follows an event that this process plays.
///
/// It [watches](Watcher) the games and is told the progress; everything else reads from it. The
/// thread of a game only copies what is new: each table has a slot of its own, so that no two games
/// wait for each other.
pub struct EventFollower {
    dir: PathBuf,
    tables: Vec<Mutex<FollowedTable>>,
    /// What the engine that is asked at each table said last.
    searches: Vec<Arc<FollowedSearch>>,
    /// Whether the engines are listened to while they think.
    is_listening: AtomicBool,
    state: Mutex<FollowerState>,
    /// Whether there is something at a table that [`EventFollower::wait`] has not told.
    has_news: AtomicBool,
    waiting: Mutex<()>,
    news: Condvar,
}

/// What is known of the whole event.
struct FollowerState {
    event: FollowedEvent,
    tally: Tally,
    spoiled: SpoiledGames,
    /// When the standings are to be computed next.
    due: Option<Instant>,
    /// The number of games as the run told it last. That of a change is known before the run
    /// knows it.
    told: u64,
    /// When the event is to be read again, since it was changed.
    outdated: Option<Instant>,
}

/// A running event at one moment.
#[derive(Clone, Debug)]
pub struct FollowedEvent {
    /// As the event is now: engines may be added.
    pub config: Arc<EventConfig>,
    pub labels: Arc<[String]>,
    pub total: u64,
    pub finished: u64,
    /// Whether it begins no games for the moment, by an order from here or from elsewhere.
    pub is_paused: bool,
    /// Whether it was ordered to stop, now or after the games that are being played.
    pub is_stopping: bool,
    /// How the engines stand, as of a moment ago.
    pub standings: Arc<FollowedStandings>,
    /// The workers of other processes that play it, by name; none where this one does.
    pub workers: Arc<[FollowedWorker]>,
}

/// A worker of another process that plays games of a running event.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowedWorker {
    pub name: String,
    /// Its system and processor.
    pub machine: String,
    /// How many games it plays at once.
    pub tables: usize,
    /// How many games of this event it has played in this run.
    pub games: u64,
    /// How many in the last minute.
    pub last_minute: u64,
    /// How long the server took to take what it told last, in milliseconds.
    pub lag_ms: f64,
    /// For how long nothing was heard of it, in seconds.
    pub silent: f64,
    /// Why it plays no games, or none of some engines; empty where it plays all.
    pub note: String,
}

/// How the engines of a running event stand.
#[derive(Clone, Debug, Default)]
pub struct FollowedStandings {
    pub standings: Vec<Standing>,
    /// How the test stands, where the event is one.
    pub test: Option<TestState>,
    /// How the tests stand, where it is several.
    pub tests: Vec<PairTest>,
    /// How the stages stand, where rounds are drawn as the event goes on. What is drawn after a
    /// game is seen with the next one.
    pub stages: Vec<StageSummary>,
}

/// A game at a table, as far as it has come.
#[derive(Clone, Debug)]
pub struct FollowedGame {
    pub scheduled: ScheduledGame,
    pub size: Size,
    pub moves: Vec<Move>,
    pub colors: BySeat<Color>,
    /// What the clocks showed when they last stopped.
    pub clocks: BySeat<Option<ClockFace>>,
    /// The seat that is asked.
    pub turn: Option<Seat>,
    /// When it was looked at last: the question was about to be put then.
    pub since: Instant,
    /// Its result, and the words about its end, if it is over.
    pub end: Option<(GameResult, Option<String>)>,
}

#[derive(Clone, Debug)]
pub struct GameNews {
    pub game: FollowedGame,
    /// Whether the game is told from its start.
    pub is_begun: bool,
    /// What was done in it since.
    pub actions: Vec<HistoryEntry>,
}

/// What an engine that thinks said last of its search.
#[derive(Debug, Default)]
struct FollowedSearch(Mutex<SearchNews>);

/// The newest state of a search at a table.
#[derive(Clone, Debug, Default)]
pub struct SearchNews {
    /// The number of the game.
    pub number: u64,
    /// How many actions there were before the question.
    pub actions: usize,
    /// What was said of it; none before anything was.
    pub progress: Option<SearchProgress>,
    /// How many were told before it.
    told: u64,
}

impl Listener for FollowedSearch {
    fn progress(&self, progress: SearchProgress) {
        // The other lines of a search for several are worse.
        if progress.line <= 1 {
            let mut news = lock(&self.0);
            news.told += 1;
            news.progress = Some(progress);
        }
    }

    fn message(&self, _text: &str) {}
}

/// How much of a table a reader knows.
#[derive(Clone, Copy, Default, Debug)]
pub struct TableCursor {
    serial: u64,
    actions: usize,
    looks: u64,
}

/// The game at a table, and the one before it: a reader that comes late sees its end.
#[derive(Default)]
struct FollowedTable {
    before: Option<PlayedGame>,
    now: Option<PlayedGame>,
}

struct PlayedGame {
    /// The number of the game at its table, counted from 1. A replay gets a new number.
    serial: u64,
    /// How often it was looked at.
    looks: u64,
    actions: Vec<HistoryEntry>,
    game: FollowedGame,
}

impl FollowedGame {
    fn new(scheduled: &ScheduledGame, game: &Game) -> FollowedGame {
        FollowedGame {
            scheduled: *scheduled,
            size: game.position().size(),
            moves: Vec::new(),
            colors: game.colors(),
            clocks: BySeat::default(),
            turn: None,
            since: Instant::now(),
            end: None,
        }
    }

    fn look(&mut self, game: &Game) {
        let moves = game.position().moves();
        // An opening procedure may take stones back.
        let known = self.moves.iter().zip(moves).take_while(|(one, other)| one == other).count();
        self.moves.truncate(known);
        self.moves.extend_from_slice(&moves[known..]);
        self.colors = game.colors();
        self.clocks = BySeat::from_fn(|seat| game.clock(seat).face(0));
        self.turn = game.asked().map(|(seat, _)| seat);
        self.since = Instant::now();
    }

    /// What a seat's clock shows now.
    pub fn clock(&self, seat: Seat) -> Option<ClockFace> {
        let stopped = self.clocks[seat]?;
        let running = self.since.elapsed().as_nanos().try_into().unwrap_or(Nanos::MAX);
        Some(if self.turn == Some(seat) { stopped.after(running) } else { stopped })
    }
}

impl FollowedTable {
    fn look(&mut self, scheduled: &ScheduledGame, game: &Game, end: Option<&GameEnd>) {
        let history = game.history();
        // A replay has the same number, and fewer actions. If it has none, the game may simply have
        // waited for its engines since it was set up.
        let is_same = |now: &PlayedGame| {
            now.game.scheduled.number == scheduled.number
                && now.actions.len() <= history.len()
                && !history.is_empty()
        };
        if !self.now.as_ref().is_some_and(is_same) {
            let serial = 1 + self.now.as_ref().map_or(0, |now| now.serial);
            let ended = self.now.take().filter(|now| now.game.end.is_some());
            self.before = ended.or(self.before.take());
            let game = FollowedGame::new(scheduled, game);
            self.now = Some(PlayedGame { serial, looks: 0, actions: Vec::new(), game });
        }
        let Some(now) = &mut self.now else { return };
        now.looks += 1;
        now.actions.extend_from_slice(&history[now.actions.len()..]);
        now.game.look(game);
        if let (Some(end), Some(result)) = (end, game.result()) {
            now.game.end = Some((result, end.detail.clone()));
        }
    }

    fn news(&self, seen: &mut TableCursor) -> Option<GameNews> {
        let is_unseen = |game: &&PlayedGame| {
            game.serial > seen.serial || game.serial == seen.serial && game.looks > seen.looks
        };
        // Nothing is shown of a game that was over before it was looked at.
        let before = self.before.as_ref().filter(|before| before.serial == seen.serial);
        let next = before.into_iter().chain(&self.now).find(is_unseen)?;
        let is_begun = next.serial > seen.serial;
        let known = if is_begun { 0 } else { seen.actions };
        let PlayedGame { serial, looks, actions, game } = next;
        *seen = TableCursor { serial: *serial, looks: *looks, actions: actions.len() };
        Some(GameNews { game: game.clone(), is_begun, actions: actions[known..].to_vec() })
    }
}

impl EventFollower {
    /// Of an event that is to be run.
    pub fn new(event: &Event) -> EventFollower {
        let (config, summary) = (event.config(), event.summary());
        let standings = FollowedStandings {
            standings: summary.standings,
            test: summary.sprt,
            tests: summary.tests,
            stages: summary.stages,
        };
        let state = FollowerState {
            event: FollowedEvent {
                config: Arc::new(config.clone()),
                labels: config.labels().into(),
                total: event.total(),
                finished: event.tally().len(),
                is_paused: false,
                is_stopping: false,
                standings: Arc::new(standings),
                workers: Arc::default(),
            },
            tally: event.tally().clone(),
            spoiled: summary.spoiled,
            due: None,
            told: event.total(),
            outdated: None,
        };
        EventFollower {
            dir: event.dir().to_owned(),
            tables: (0..config.concurrency).map(|_| Mutex::default()).collect(),
            searches: (0..config.concurrency).map(|_| Arc::default()).collect(),
            is_listening: AtomicBool::new(false),
            state: Mutex::new(state),
            has_news: AtomicBool::new(false),
            waiting: Mutex::default(),
            news: Condvar::new(),
        }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The event as it is now, without its games.
    pub fn event(&self) -> FollowedEvent {
        lock(&self.state).event.clone()
    }

    /// Shows these workers from now on.
    pub fn set_workers(&self, workers: Vec<FollowedWorker>) {
        lock(&self.state).event.workers = workers.into();
    }

    pub fn labels(&self) -> Arc<[String]> {
        Arc::clone(&lock(&self.state).event.labels)
    }

    pub fn config(&self) -> Arc<EventConfig> {
        Arc::clone(&lock(&self.state).event.config)
    }

    /// The game at each table; one that is over stays until the next one begins.
    pub fn games(&self) -> Vec<Option<FollowedGame>> {
        let game =
            |slot: &Mutex<FollowedTable>| lock(slot).now.as_ref().map(|now| now.game.clone());
        self.tables.iter().map(game).collect()
    }

    pub fn tables(&self) -> usize {
        self.tables.len()
    }

    /// What is new at a table for a reader that has `seen` so much of it, and sees this now. Where
    /// another game has begun since, the end of the one that it knew comes first.
    pub fn news(&self, table: usize, seen: &mut TableCursor) -> Option<GameNews> {
        lock(self.tables.get(table)?).news(seen)
    }

    /// Listens from the next game of each table on to what engines say while they think.
    pub fn listen(&self) {
        self.is_listening.store(true, Ordering::SeqCst);
    }

    /// What the engine that thinks at a table said last, if a reader that knows `seen` lacks it.
    pub fn search(&self, table: usize, seen: &mut u64) -> Option<SearchNews> {
        let news = lock(&self.searches.get(table)?.0);
        let is_new = news.told != std::mem::replace(seen, news.told);
        (is_new && news.progress.is_some()).then(|| news.clone())
    }

    /// Waits until there is something new at a table, for one reader, and not longer than that.
    pub fn wait(&self, within: Duration) {
        let idle = |_: &mut ()| !self.has_news.load(Ordering::SeqCst);
        drop(self.news.wait_timeout_while(lock(&self.waiting), within, idle));
        self.has_news.store(false, Ordering::SeqCst);
    }

    /// The summary of what is saved, computed now: standings, cross table, terminations, tests.
    pub fn summary(&self) -> Summary {
        let state = lock(&self.state);
        let FollowerState { event, tally, spoiled, .. } = &*state;
        let (config, tally, spoiled) = (Arc::clone(&event.config), tally.clone(), spoiled.clone());
        let stages = event.standings.stages.clone();
        drop(state);
        Summary::of_event(&config, &tally, spoiled, stages, &self.dir)
    }

    /// Takes in what is on the disk. Whether the standings were computed anew.
    pub fn take_in(&self, progress: &EventProgress<'_>) -> bool {
        self.read_changes();
        let mut state = lock(&self.state);
        state.event.finished = progress.finished;
        if std::mem::replace(&mut state.told, progress.total) != progress.total {
            state.event.total = progress.total;
        }
        // Another process may have played on before this run began.
        if state.due.is_some() {
            state.tally += progress.news;
            progress.games.iter().for_each(|game| state.spoiled.add(game));
        } else {
            state.tally = progress.tally.clone();
            state.spoiled = progress.spoiled.clone();
        }
        let begun = Instant::now();
        if state.due.is_some_and(|due| begun < due) && progress.finished != progress.total {
            return false;
        }
        let FollowedEvent { config, labels, .. } = state.event.clone();
        let spoiled = state.spoiled.clone();
        // No reader waits for it.
        drop(state);
        let standings = Arc::new(FollowedStandings {
            standings: Summary::standings_of(progress.tally, &spoiled, &labels),
            test: config.test_state(progress.tally),
            tests: config.test_states(progress.tally),
            stages: progress.course.stages(&labels),
        });
        let cost = begun.elapsed();
        let mut state = lock(&self.state);
        state.event.standings = standings;
        state.due = Some(begun + STANDINGS.max(cost * SHARE));
        true
    }

    /// Takes in what was just changed in its folder, by this process.
    pub fn take_in_change(&self) {
        lock(&self.state).outdated = Some(Instant::now());
        self.read_changes();
    }

    /// Whether every game is finished, or its tests have decided.
    pub fn is_over(&self) -> bool {
        let state = lock(&self.state);
        let FollowedEvent { config, total, finished, .. } = &state.event;
        *total > 0 && finished == total || config.are_tests_over(&state.tally)
    }

    /// Reads the event again where it was changed. What cannot be read now is read a moment later.
    fn read_changes(&self) {
        let due = |due: &mut Instant| *due <= Instant::now();
        if lock(&self.state).outdated.take_if(due).is_none() {
            return;
        }
        match Event::open(&self.dir) {
            Ok(event) => {
                let mut state = lock(&self.state);
                state.event.config = Arc::new(event.config().clone());
                state.event.labels = event.config().labels().into();
                state.event.total = event.total();
            }
            Err(error) => {
                log::warn!("{}: cannot be looked at: {error}", self.dir.display());
                lock(&self.state).outdated = Some(Instant::now() + STANDINGS);
            }
        }
    }

    fn note(&self, table: usize, scheduled: &ScheduledGame, game: &Game, end: Option<&GameEnd>) {
        let Some(slot) = self.tables.get(table) else { return };
        lock(slot).look(scheduled, game, end);
        if self.is_listening.load(Ordering::Relaxed)
            && let Some(search) = self.searches.get(table)
        {
            let (mut news, actions) = (lock(&search.0), game.history().len());
            let told = news.told;
            *news = SearchNews { number: scheduled.number, actions, progress: None, told };
        }
        // Most often no reader has looked since the last news; then there is nothing more to do.
        if !self.has_news.load(Ordering::SeqCst) && !self.has_news.swap(true, Ordering::SeqCst) {
            // A reader that has just seen that there is nothing waits by now.
            drop(lock(&self.waiting));
            self.news.notify_all();
        }
    }
}

impl Watcher for EventFollower {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        self.note(table, scheduled, game, None);
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, end: &GameEnd) {
        self.note(table, scheduled, game, Some(end));
    }

    fn listener(&self, table: usize) -> Option<Arc<dyn Listener>> {
        let search = self.searches.get(table)?;
        let listens = self.is_listening.load(Ordering::SeqCst);
        listens.then(|| Arc::clone(search) as Arc<dyn Listener>)
    }

    fn changed(&self, change: &Change) {
        let mut state = lock(&self.state);
        match change.kind {
            ChangeKind::Paused => state.event.is_paused = true,
            ChangeKind::Continued => state.event.is_paused = false,
            ChangeKind::Stopped | ChangeKind::StoppedNow => state.event.is_stopping = true,
            _ => state.outdated = Some(Instant::now()),
        }
        drop(state);
        self.read_changes();
    }
}

/// No invariant spans a panic: every value is whole.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
