//! Runs an event: workers, the store's thread, progress, stops.

use std::collections::BTreeSet;
use std::fs::{File, TryLockError};
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_players::{Player, Time};

use super::journal::Journal;
use super::live_test::LiveTest;
use super::queue::GameQueue;
use super::{Event, EventError, LOCK, Watcher, course};
use crate::affinity;
use crate::store::{Commit, Store, StoreThread, is_odd_file};
use crate::{EventConfig, FinishedGame, Stop, Tally};

/// How soon a request to stop is seen by the thread that looks after the others.
const TICK: Duration = Duration::from_millis(10);
/// How often that thread makes sure that the database is still there.
const CHECK: Duration = Duration::from_millis(500);
/// How long the lock of a process that was killed may stay: what it was starting at that moment has
/// it too, until that has become the host of an engine.
const LINGER: Duration = Duration::from_millis(500);

/// Who can play in an event.
pub trait Roster: Sync {
    /// Makes a player of the event's engine of that number. It is called on the thread on which
    /// the player then plays its games and is dropped.
    fn player(&self, engine: usize) -> Box<dyn Player>;

    /// Makes every player that is being waited for return at once, with whatever it likes. Called
    /// again and again until all have.
    fn interrupt(&self);
}

/// How far an event has come. All that is told is on the disk.
#[derive(Clone, Copy, Debug)]
pub struct EventProgress<'a> {
    /// The games of the event.
    pub total: u64,
    /// Those that are finished.
    pub finished: u64,
    /// Those that were finished before this run.
    pub before: u64,
    /// Those that are new in this telling, in the order in which they ended.
    pub games: &'a [FinishedGame],
    /// All finished games, counted.
    pub tally: &'a Tally,
    /// What this telling adds to that: its games, and the pairs that they complete.
    pub news: &'a Tally,
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// Every game is finished, or the event is a test that has decided.
    Finished,
    /// It was stopped; [`Event::run`] goes on with it.
    Stopped,
}

/// Who takes part in a run.
#[derive(Clone, Copy)]
struct Run<'a> {
    roster: &'a dyn Roster,
    time: &'a dyn Time,
    stop: &'a Stop,
    watcher: &'a dyn Watcher,
    /// The games that were finished before it.
    before: u64,
}

impl Event {
    /// Plays the games that are not finished, and tells `observer` of each after it was saved.
    ///
    /// As many threads as the event's concurrency take the unfinished games in the order of their
    /// numbers. Each has players of its own, made when first needed and kept for all its games.
    /// Where pairs are played again that the host spoiled, a thread takes both games of a pair, and
    /// both are saved at once, so that neither has counted before.
    /// When `stop` is requested, games that are being played are given up without a trace,
    /// whatever their players do then; those that had ended are saved and told.
    ///
    /// # Errors
    /// When another process runs this event, or the database fails or is not whole. What was told
    /// is saved then too.
    pub fn run(
        &mut self,
        roster: &dyn Roster,
        time: &dyn Time,
        stop: &Stop,
        observer: &mut dyn FnMut(&EventProgress<'_>),
    ) -> Result<RunOutcome, EventError> {
        self.run_watched(roster, time, stop, observer, &())
    }

    /// As [`Event::run`], and shows the games to `watcher` while they are played.
    ///
    /// # Errors
    /// As [`Event::run`].
    pub fn run_watched(
        &mut self,
        roster: &dyn Roster,
        time: &dyn Time,
        stop: &Stop,
        observer: &mut dyn FnMut(&EventProgress<'_>),
        watcher: &dyn Watcher,
    ) -> Result<RunOutcome, EventError> {
        let _lock = lock(&self.dir)?;
        if self.store.is_frozen() {
            self.store = Store::open_to_write(&self.database())?;
        }
        let config = crate::EventConfig::from_toml(&self.store.config()?, &self.dir)?;
        if config.games != self.config.games {
            let problem = "the event was given more games meanwhile; begin again";
            return Err(crate::ConfigError::option("games", problem).into());
        }
        let mut unfinished = self.take_stock()?;
        let before = self.tally.len();
        loop {
            let run = Run { roster, time, stop, watcher, before };
            let outcome = self.run_phase(run, unfinished, observer)?;
            if outcome == RunOutcome::Stopped || !self.course.grow() {
                return Ok(outcome);
            }
            unfinished = self.store.unfinished(self.schedule().len())?;
        }
    }

    /// Plays the games of these numbers: all that are drawn by now.
    fn run_phase(
        &mut self,
        run: Run<'_>,
        unfinished: Vec<Range<u64>>,
        observer: &mut dyn FnMut(&EventProgress<'_>),
    ) -> Result<RunOutcome, EventError> {
        let Run { roster, time, stop, watcher, before } = run;
        if stop.is_requested() {
            return Ok(RunOutcome::Stopped);
        }
        let cpus = affinity::plan(&self.config)?;
        let _claims = affinity::claim(&cpus);
        let schedule = self.schedule();
        if self.has_decided() || self.tally.len() == schedule.len() {
            return Ok(RunOutcome::Finished);
        }
        let left = usize::try_from(schedule.len() - self.tally.len()).unwrap_or(usize::MAX);
        let workers = self.config.concurrency.min(left);
        let database = self.database();
        let (store, games, commits) = StoreThread::start(&database, schedule.clone())?;
        let identity = store.identity();
        let mut journal = Journal::begin(self, &self.config, self.store.last()?);
        let mut lost = None;
        let config = &self.config;
        let has_decided = |tally: &Tally| config.have_decided(tally);
        let live = config.sprt.map(|_| {
            LiveTest::new(schedule.clone(), &has_decided, &self.tally, &unfinished, &self.store)
        });
        let queue = GameQueue::new(config, unfinished, roster, stop)
            .scheduled(schedule.clone())
            .watched_by(watcher);
        queue.pass_over(decided(config, &self.tally));
        // The tables whose players are not gone yet.
        let tables = AtomicUsize::new(workers);
        let (tally, spoiled) = (&mut self.tally, &mut self.spoiled);
        let course = &mut self.course;
        thread::scope(|scope| {
            let (queue, tables, live) = (&queue, &tables, &live);
            let spawn = |number| {
                let (games, cpus) = (games.clone(), &cpus);
                thread::Builder::new()
                    .name(format!("table {number}"))
                    .spawn_scoped(scope, move || {
                        affinity::bind(cpus, number - 1);
                        let mut worker = queue.worker(time);
                        worker.number = number - 1;
                        let send = |game| games.send(game).is_ok();
                        while let Some(game) = worker.play()
                            && match live {
                                Some(live) => live.hand_in(game, stop, send),
                                None => send(game),
                            }
                        {}
                        drop(worker);
                        tables.fetch_sub(1, Ordering::SeqCst);
                    })
                    .expect("the system lets a program start some more threads")
            };
            let workers: Vec<_> = (1..=workers).map(spawn).collect();
            drop(games);
            let mut check = || match identity.check(&database) {
                Ok(()) => true,
                Err(error) => {
                    lost.get_or_insert(error);
                    false
                }
            };
            look_after(queue, roster, &commits, &mut check, |commit| {
                *tally += &commit.tally;
                journal.add(&commit.stored);
                commit.games.iter().for_each(|game| spoiled.add(game));
                for game in &commit.games {
                    course.note(game);
                }
                log_results(&commit.games);
                observer(&EventProgress {
                    total: course.total(),
                    finished: tally.len(),
                    before,
                    games: &commit.games,
                    tally,
                    news: &commit.tally,
                });
                if config.have_decided(tally) {
                    stop.request();
                } else if config.sprt.is_some() {
                    queue.pass_over(decided(config, tally));
                }
            });
            // The channel closes when no table is left, or when the store failed.
            queue.fail();
            while tables.load(Ordering::SeqCst) > 0
                && !workers.iter().all(|worker| worker.is_finished())
            {
                roster.interrupt();
                thread::sleep(TICK);
            }
        });
        self.records = journal.end();
        if let Some(lost) = lost {
            // Whatever the thread says of it now follows from that.
            let _less = store.finish();
            return Err(lost.into());
        }
        store.finish()?;
        // It may have gone after the last commit.
        identity.check(&database)?;
        let finished = self.tally.len() == schedule.len() || self.is_test_over();
        Ok(if finished { RunOutcome::Finished } else { RunOutcome::Stopped })
    }

    /// Counts what is there, which must be whole, and gives the numbers of the games that are not
    /// finished.
    pub(crate) fn take_stock(&mut self) -> Result<Vec<Range<u64>>, EventError> {
        // Another process may have played on since this event was opened.
        self.tally = self.store.tally()?;
        self.spoiled = self.store.spoiled()?;
        self.course = course(&self.config, &self.store)?;
        let schedule = self.schedule();
        let unfinished = self.store.unfinished(schedule.len())?;
        self.store.verify(|number| schedule.twin(number))?;
        let left: u64 = unfinished.iter().map(|numbers| numbers.end - numbers.start).sum();
        let fits = self.tally.len().checked_add(left) == Some(schedule.len());
        self.store.check(fits, "the games it has are not the ones it has counted")?;
        Ok(unfinished)
    }
}

/// The pairings that play no more, since their tests have decided.
fn decided(config: &EventConfig, tally: &Tally) -> BTreeSet<(usize, usize)> {
    let open = config.open_tests(tally);
    config.tests().into_iter().filter(|pairing| !open.contains(pairing)).collect()
}

/// Keeps other processes from playing the same event; until the file is dropped, or this process
/// ends in whatever way. A process that has just ended may still have it for a moment.
pub(super) fn lock(dir: &Path) -> Result<File, EventError> {
    let begun = Instant::now();
    loop {
        match try_lock(dir) {
            Err(EventError::Running { .. }) if begun.elapsed() < LINGER => thread::sleep(TICK),
            done => return done,
        }
    }
}

/// The same, at once or not at all.
pub(super) fn try_lock(dir: &Path) -> Result<File, EventError> {
    let path = dir.join(LOCK);
    // To open a pipe would wait for its reader.
    if is_odd_file(&path) {
        let error = io::Error::new(io::ErrorKind::InvalidInput, "not a plain file");
        return Err(EventError::file(&path, "written")(error));
    }
    let file = File::options().read(true).create(true).append(true).open(&path);
    let file = file.map_err(EventError::file(&path, "written"))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(EventError::Running { dir: dir.to_owned() }),
        Err(TryLockError::Error(error)) => Err(EventError::file(&path, "locked")(error)),
    }
}

/// Passes on what the store tells, and interrupts the players when they are to stop, or when their
/// games cannot be saved any more.
fn look_after(
    queue: &GameQueue<'_>,
    roster: &dyn Roster,
    commits: &Receiver<Commit>,
    is_there: &mut dyn FnMut() -> bool,
    mut tell: impl FnMut(&Commit),
) {
    let mut checked = Instant::now();
    loop {
        if checked.elapsed() >= CHECK {
            checked = Instant::now();
            if !queue.is_halted() && !is_there() {
                queue.fail();
            }
        }
        match commits.recv_timeout(TICK) {
            Ok(commit) => tell(&commit),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if queue.is_halted() {
            roster.interrupt();
        }
    }
}

/// What is in the log is on the disk, like all that is told.
fn log_results(games: &[FinishedGame]) {
    for game in games {
        let FinishedGame { number, result, conditions, .. } = game;
        if let Some(forfeit) = conditions.forfeit.filter(|forfeit| forfeit.cause.is_host()) {
            log::warn!("game {number}, lost by {}, was {forfeit}", result.termination);
        }
        let winner = result.winner.map_or("draw", |seat| seat.name());
        log::info!("game {number} is saved: {winner} by {}", result.termination);
    }
}
