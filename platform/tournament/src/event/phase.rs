//! A phase of a run: the games known at its beginning are played, saved and reported.

use std::ops::Range;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::journal::Journal;
use super::live_test::LiveTest;
use super::queue::GameQueue;
use super::run::{RunContext, STEER};
use super::steering::{Extent, Steering};
use super::stopping::until_stopped;
use super::workforce::{GameSink, Threads, Workforce};
use super::{Event, EventError, EventProgress, RunOutcome};
use crate::affinity;
use crate::formats::Course;
use crate::store::{Commit, FileIdentity, Store, StoreError, StoreThread};
use crate::{FinishedGame, Incident, SpoiledGames, Tally};

/// How soon the thread that looks after the others sees a request to stop.
const TICK: Duration = Duration::from_millis(10);
/// How often that thread makes sure that the database is still there: SQLite goes on writing into a
/// deleted file without an error.
const CHECK: Duration = Duration::from_millis(500);

/// What is told of a run.
type ProgressObserver<'a> = &'a mut dyn FnMut(&EventProgress<'_>);

impl Event {
    /// Has the games of these numbers played by a workforce, or else by threads of this process.
    pub(super) fn run_phase(
        &mut self,
        run: RunContext<'_>,
        workforce: Option<&mut dyn Workforce>,
        unfinished: Vec<Range<u64>>,
        observer: ProgressObserver<'_>,
    ) -> Result<RunOutcome, EventError> {
        if run.stop.is_requested() {
            return Ok(RunOutcome::Stopped);
        }
        let mut extent = Extent::new(self.schedule(), self.config.gone(), &self.tally);
        if self.are_tests_over() || self.tally.len() == extent.total() {
            return Ok(RunOutcome::Finished);
        }
        match workforce {
            Some(workforce) => self.play(run, workforce, unfinished, &mut extent, observer)?,
            None => {
                let cpus = affinity::plan(&self.config)?;
                let _claims = affinity::claim(&cpus);
                let left = usize::try_from(extent.total() - self.tally.len()).unwrap_or(usize::MAX);
                let number = self.config.concurrency.min(left);
                let mut threads = Threads { number, cpus, time: run.time };
                self.play(run, &mut threads, unfinished, &mut extent, observer)?;
            }
        }
        let is_finished = self.tally.len() == extent.total() || self.is_test_over();
        Ok(if is_finished { RunOutcome::Finished } else { RunOutcome::Stopped })
    }

    /// Has these games played, until they are or the run is to stop.
    fn play(
        &mut self,
        run: RunContext<'_>,
        workforce: &mut dyn Workforce,
        unfinished: Vec<Range<u64>>,
        extent: &mut Extent,
        observer: ProgressObserver<'_>,
    ) -> Result<(), EventError> {
        let (database, schedule, last) = (self.database(), self.schedule(), self.store.last()?);
        let (event, config, handle) = (&*self, &self.config, self.store.interrupt_handle());
        let begin = || Journal::begin(event, config, last, run.stop);
        let Some(journal) = until_stopped(&handle, run.stop, begin)? else { return Ok(()) };
        let (store, games, commits) = StoreThread::start(&database, schedule.clone())?;
        let test_store = config.sprt.map(|_| Store::open(&database)).transpose()?;
        let test = test_store
            .map(|store| LiveTest::new(schedule.clone(), config, &self.tally, &unfinished, store));
        let queue = GameQueue::new(config, schedule, unfinished, run.roster, run.stop);
        let queue = queue.watched_by(run.watcher);
        if let Some(test) = &test {
            queue.pass_over(test.over());
        }
        queue.pause(run.is_paused.get());
        let books = Books {
            tally: &mut self.tally,
            spoiled: &mut self.spoiled,
            course: &mut self.course,
            extent,
            journal,
            test: test.as_ref(),
            before: run.before,
            observer,
        };
        let steering = Steering {
            run,
            store: &self.store,
            last_change: &mut self.last_change,
            is_outdated: &mut self.is_outdated,
            is_overruled: false,
        };
        let (identity, begun) = (store.identity(), Instant::now());
        let mut care = PhaseCare {
            queue: &queue,
            commits,
            books,
            steering,
            database: &database,
            identity,
            lost: None,
            checked: begun,
            steered: begun,
        };
        let sink = GameSink::new(games, &queue).tested_by(test.as_ref());
        workforce.play(&queue, sink, &mut || care.step());
        let PhaseCare { books, lost, .. } = care;
        (self.records, self.exports_are) = books.journal.end();
        // Any loss that the thread reports follows from this.
        let finished = store.finish();
        lost.map_or(finished, Err)?;
        // It may have gone after the last commit.
        Ok(identity.check(&database)?)
    }
}

/// What a run does while its games are played.
struct PhaseCare<'a> {
    queue: &'a GameQueue<'a>,
    commits: Receiver<Commit>,
    books: Books<'a>,
    steering: Steering<'a>,
    database: &'a Path,
    identity: FileIdentity,
    /// That the database is not what it was.
    lost: Option<StoreError>,
    checked: Instant,
    steered: Instant,
}

impl PhaseCare<'_> {
    /// Takes in what is saved, and now and then looks for changes and for the database. Interrupts
    /// the players when they are to stop, or when their games cannot be saved any more. None when
    /// nothing more is saved.
    fn step(&mut self) -> Option<Vec<u64>> {
        if self.checked.elapsed() >= CHECK {
            self.checked = Instant::now();
            if !self.queue.is_halted()
                && let Err(error) = self.identity.check(self.database)
            {
                self.lost.get_or_insert(error);
                self.queue.fail();
            }
        }
        if self.steered.elapsed() >= STEER {
            self.steered = Instant::now();
            let was_overruled = std::mem::take(&mut self.steering.is_overruled);
            self.books.remove(self.steering.obey(self.queue));
            if self.steering.is_overruled {
                self.books.overrule(self.steering.store);
            }
            self.steering.is_overruled |= was_overruled;
        }
        let saved = match self.commits.recv_timeout(TICK) {
            Ok(commit) => {
                self.books.take_in(&commit);
                if self.steering.is_overruled {
                    // It may have been counted with what a referee ruled.
                    self.books.overrule(self.steering.store);
                }
                commit.games.iter().map(|game| game.number).collect()
            }
            Err(RecvTimeoutError::Timeout) => Vec::new(),
            // No table is left, or the store failed.
            Err(RecvTimeoutError::Disconnected) => return None,
        };
        if self.queue.is_halted() {
            self.queue.roster.interrupt();
        }
        Some(saved)
    }
}

/// What an event counts, and tells, of what is saved.
struct Books<'a> {
    tally: &'a mut Tally,
    spoiled: &'a mut SpoiledGames,
    course: &'a mut Course,
    extent: &'a mut Extent,
    journal: Journal<'a>,
    test: Option<&'a LiveTest<'a>>,
    /// The games that were finished before the run.
    before: u64,
    observer: ProgressObserver<'a>,
}

impl Books<'_> {
    fn take_in(&mut self, commit: &Commit) {
        *self.tally += &commit.tally;
        self.extent.add(&commit.games);
        self.journal.add(&commit.stored);
        if let Some(test) = self.test {
            test.note_saved(&commit.games);
        }
        for game in &commit.games {
            self.spoiled.add(game);
            self.course.note(game);
        }
        for game in &commit.discarded {
            self.spoiled.add_discarded(&game.finished());
        }
        log_results(&commit.games);
        let discarded = commit.discarded.iter().filter_map(|game| Incident::of(game, true));
        let stored = commit.stored.iter().filter_map(|game| Incident::of(game, false));
        let incidents: Vec<Incident> = discarded.chain(stored).collect();
        let is_drawn = self.course.is_drawn();
        (self.observer)(&EventProgress {
            total: if is_drawn { self.course.total() } else { self.extent.total() },
            finished: self.tally.len(),
            before: self.before,
            games: &commit.games,
            incidents: &incidents,
            tally: self.tally,
            news: &commit.tally,
            spoiled: self.spoiled,
            course: self.course,
        });
    }

    /// Counts anew what is saved, since a referee changed results.
    fn overrule(&mut self, store: &Store) {
        self.journal.outdate();
        match store.at_one_moment(|| (store.tally(), store.spoiled())) {
            Ok((Ok(tally), Ok(spoiled))) => {
                (*self.tally, *self.spoiled) = (tally, spoiled);
                self.extent.remove(Vec::new(), self.tally);
            }
            Ok((Err(error), _) | (_, Err(error))) | Err(error) => {
                log::warn!("cannot count the games anew: {error}");
            }
        }
    }

    /// Counts no more games of these engines as games to come.
    fn remove(&mut self, engines: Vec<usize>) {
        if !engines.is_empty() {
            self.extent.remove(engines, self.tally);
        }
    }
}

/// What is in the log is on the disk, like all that is told.
fn log_results(games: &[FinishedGame]) {
    for game in games {
        let FinishedGame { number, result, .. } = game;
        let winner = result.winner.map_or("draw", |seat| seat.name());
        log::info!("game {number} is saved: {winner} by {}", result.termination);
    }
}
