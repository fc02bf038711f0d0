//! Runs an event: workers, the store's thread, progress, changes, stops.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use tengen_players::Time;

use super::journal::Journal;
use super::live_test::LiveTest;
use super::lock::{lock, run_of};
use super::queue::GameQueue;
use super::steering::{Extent, Steering, is_for, obey};
use super::stopping::until_stopped;
use super::{Change, ChangeKind, Event, EventError, Roster, Watcher, course, freeze, records};
use crate::affinity;
use crate::store::{Commit, FileIdentity, Store, StoreThread, StoredGame};
use crate::{EventConfig, FinishedGame, Incident, Stop, Tally};

/// How soon a request to stop is seen by the thread that looks after the others.
const TICK: Duration = Duration::from_millis(10);
/// How often that thread makes sure that the database is still there.
const CHECK: Duration = Duration::from_millis(500);
/// How often it looks for changes of the event.
const STEER: Duration = Duration::from_millis(100);

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
    /// What there is to tell of these at once, and of those that are played again.
    pub incidents: &'a [Incident],
    /// All finished games, counted.
    pub tally: &'a Tally,
    /// What this telling adds to that: its games, the pairs that they complete, and those that are
    /// no evidence from now on.
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
struct RunContext<'a> {
    roster: &'a dyn Roster,
    time: &'a dyn Time,
    stop: &'a Stop,
    watcher: &'a dyn Watcher,
    /// The games that were finished before it.
    before: u64,
    /// Its name, where the lock has it.
    name: &'a Option<String>,
}

impl Event {
    /// Plays the games that are not finished, and tells `observer` of each after it was saved.
    ///
    /// As many threads as the event's concurrency take the unfinished games in the order of their
    /// numbers. Players are made when first needed, and wait for their next games at any of them.
    /// Where whole pairs are played again of which the host spoiled a game, a thread takes both
    /// games of a pair, and both are saved at once, so that neither has counted before.
    /// When `stop` is requested, games that are being played are given up without a trace,
    /// whatever their players do then; those that had ended are saved and told. What others
    /// [change](Event::order) meanwhile is obeyed: engines that were added play behind the games
    /// that were there.
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
        if self.store.is_frozen() || self.store.is_older() {
            self.store = Store::open_to_write(&self.database())?;
        }
        if self.store.is_older() {
            let (config, drawn) = (&self.config, course(&self.config, &self.store)?);
            let line = |game: &StoredGame| records::line(config, drawn.schedule(), game);
            self.store.bring_up_to_date(drawn.schedule(), &line)?;
            self.store = Store::open_to_write(&self.database())?;
        }
        // Orders that were there before are for other runs; this one may have some already.
        let (this_run, mut is_paused) = (run_of(&self.dir), false);
        self.follow(roster, |change| {
            if change.run.is_some() && change.run == this_run {
                watcher.changed(change);
                obey(change.kind, stop, &mut is_paused);
            }
        })?;
        let handle = self.store.interrupt_handle();
        let Some(mut unfinished) = until_stopped(&handle, stop, || self.take_stock())? else {
            return Ok(RunOutcome::Stopped);
        };
        let run =
            RunContext { roster, time, stop, watcher, before: self.tally.len(), name: &this_run };
        loop {
            let outcome = self.run_phase(run, unfinished, &mut is_paused, observer)?;
            let is_over = || stop.is_requested() || stop.is_closing();
            loop {
                let has_grown = self.follow(roster, |change| {
                    if is_for(change, &this_run) {
                        watcher.changed(change);
                        obey(change.kind, stop, &mut is_paused);
                    }
                })?;
                // Where rounds follow from each other, the next one is drawn.
                let drawn = self.course.schedule().len() + 1;
                let has_drawn = outcome == RunOutcome::Finished && self.course.grow();
                if is_over() {
                    return Ok(match self.is_finished() {
                        true => RunOutcome::Finished,
                        false => RunOutcome::Stopped,
                    });
                }
                if has_grown {
                    unfinished = self.store.unfinished(self.schedule().len())?;
                    break;
                }
                if has_drawn {
                    // All before them are finished.
                    let end = self.course.schedule().len() + 1;
                    unfinished = std::iter::once(drawn..end).collect();
                    break;
                }
                if !self.is_standing {
                    return Ok(outcome);
                }
                FileIdentity::of(&self.database()).check(&self.database())?;
                thread::sleep(STEER);
            }
        }
    }

    /// Lets a run go on when every game is finished, until it is stopped: engines may be added.
    pub fn set_standing(&mut self) {
        self.is_standing = true;
    }

    /// Takes in the changes that this does not know, and tells `obey` of each. Whether there was
    /// another one than an order, since this was asked last.
    fn follow(
        &mut self,
        roster: &dyn Roster,
        mut obey: impl FnMut(&Change),
    ) -> Result<bool, EventError> {
        let mut has_grown = std::mem::take(&mut self.is_outdated);
        loop {
            let changes = self.store.changes_after(self.last_change)?;
            for change in &changes {
                self.last_change = change.number;
                obey(change);
                has_grown |= !change.kind.is_order();
            }
            if !has_grown {
                return Ok(false);
            }
            let text = self.store.config()?;
            let config = EventConfig::from_toml(&text, &self.dir)?;
            config.validate()?;
            let (concurrency, cpus) = (self.config.concurrency, self.config.cpus.clone());
            self.config = EventConfig { concurrency, cpus, ..config };
            self.course = course(&self.config, &self.store)?;
            freeze(&self.dir, &text)?;
            let unfit = roster.join(&self.config);
            if unfit.is_empty() {
                return Ok(true);
            }
            for (place, reason) in unfit {
                self.remove_unfit(place, &reason)?;
            }
        }
    }

    /// Removes an engine that was added and does not start where the event is played.
    fn remove_unfit(&mut self, place: usize, reason: &str) -> Result<(), EventError> {
        let label = self.config.labels().swap_remove(place);
        let config = self.config.without_engine(place, reason)?;
        log::warn!("{label} does not play: {reason}");
        let text = format!("{label} was removed, for it does not play here: {reason}");
        let kind = ChangeKind::Removed(place);
        // Somebody else may be changing the event: then it is tried again.
        match self.write(kind, text, Some(&config), "while it ran", None) {
            Ok(_) | Err(EventError::Stale { .. }) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Plays the games of these numbers.
    fn run_phase(
        &mut self,
        run: RunContext<'_>,
        unfinished: Vec<Range<u64>>,
        is_paused: &mut bool,
        observer: &mut dyn FnMut(&EventProgress<'_>),
    ) -> Result<RunOutcome, EventError> {
        let RunContext { roster, time, stop, watcher, before, name } = run;
        if stop.is_requested() {
            return Ok(RunOutcome::Stopped);
        }
        let gone = self.config.gone();
        let total = self.schedule().len_without(&gone) + self.tally.games_of_any(&gone);
        if self.are_tests_over() || self.tally.len() == total {
            return Ok(RunOutcome::Finished);
        }
        let cpus = affinity::plan(&self.config)?;
        let _claims = affinity::claim(&cpus);
        let schedule = self.schedule();
        let left = usize::try_from(total - self.tally.len()).unwrap_or(usize::MAX);
        let workers = self.config.concurrency.min(left);
        let database = self.database();
        let handle = self.store.interrupt_handle();
        let last = self.store.last()?;
        let (event, config) = (&*self, &self.config);
        let begin = || Journal::begin(event, config, last, stop);
        let Some(mut journal) = until_stopped(&handle, stop, begin)? else {
            return Ok(RunOutcome::Stopped);
        };
        let (store, games, commits) = StoreThread::start(&database, schedule.clone())?;
        let identity = store.identity();
        let mut lost = None;
        let config = &self.config;
        let live = match config.sprt {
            Some(_) => Some(LiveTest::new(
                schedule.clone(),
                config,
                &self.tally,
                &unfinished,
                Store::open(&database)?,
            )),
            None => None,
        };
        let queue =
            GameQueue::new(config, schedule.clone(), unfinished, roster, stop).watched_by(watcher);
        if let Some(live) = &live {
            queue.pass_over(live.over());
        }
        queue.pause(*is_paused);
        // The tables whose players are not gone yet.
        let tables = AtomicUsize::new(workers);
        // Processes die with the thread that started them, and may play at other tables.
        let stays = Mutex::new(());
        let held = stays.lock();
        let mut extent = Extent::new(schedule.clone(), gone, &self.tally);
        let mut steering = Steering {
            store: &self.store,
            last_change: &mut self.last_change,
            is_outdated: &mut self.is_outdated,
            stop,
            watcher,
            is_paused,
            run: name,
        };
        let (tally, spoiled) = (&mut self.tally, &mut self.spoiled);
        let course = &mut self.course;
        thread::scope(|scope| {
            let (queue, tables, live, stays) = (&queue, &tables, &live, &stays);
            let spawn = |number| {
                let (games, cpus) = (games.clone(), &cpus);
                thread::Builder::new()
                    .name(format!("table {number}"))
                    .spawn_scoped(scope, move || {
                        affinity::bind(cpus, number - 1);
                        // It goes in this order, also where it panics: the worker with its players,
                        // the table, the channel, which closes when no table is left, so that
                        // nobody is interrupted then, and at last the thread.
                        let _stay = AtEnd(|| drop(stays.lock()));
                        let games = games;
                        let _leave = AtEnd(|| {
                            if thread::panicking() {
                                queue.fail();
                            }
                            tables.fetch_sub(1, Ordering::SeqCst);
                        });
                        let mut worker = queue.worker(time);
                        worker.number = number - 1;
                        let send = |game| games.send(game).is_ok();
                        while let Some(game) = worker.play()
                            && match live {
                                Some(live) => live.hand_in(game, queue, stop, send),
                                None => send(game),
                            }
                        {}
                    })
                    .expect("the system lets a program start some more threads");
            };
            (1..=workers).for_each(spawn);
            drop(games);
            let mut check = || match identity.check(&database) {
                Ok(()) => true,
                Err(error) => {
                    lost.get_or_insert(error);
                    false
                }
            };
            look_after(queue, roster, &commits, &mut check, |commit| match commit {
                Some(commit) => {
                    *tally += &commit.tally;
                    extent.add(&commit.games);
                    journal.add(&commit.stored);
                    if let Some(live) = live {
                        live.note_saved(&commit.games);
                    }
                    commit.games.iter().for_each(|game| spoiled.add(game));
                    commit
                        .discarded
                        .iter()
                        .for_each(|game| spoiled.add_discarded(&game.finished()));
                    for game in &commit.games {
                        course.note(game);
                    }
                    log_results(&commit.games);
                    let discarded =
                        commit.discarded.iter().filter_map(|game| Incident::of(game, true));
                    let stored = commit.stored.iter().filter_map(|game| Incident::of(game, false));
                    let incidents: Vec<Incident> = discarded.chain(stored).collect();
                    observer(&EventProgress {
                        total: if course.is_drawn() { course.total() } else { extent.total() },
                        finished: tally.len(),
                        before,
                        games: &commit.games,
                        incidents: &incidents,
                        tally,
                        news: &commit.tally,
                    });
                }
                None => {
                    let gone = steering.obey(queue);
                    if !gone.is_empty() {
                        extent.remove(gone, tally);
                    }
                }
            });
            // The channel closes when no table is left, or when the store failed.
            queue.fail();
            while tables.load(Ordering::SeqCst) > 0 {
                roster.interrupt();
                thread::sleep(TICK);
            }
            drop(held);
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
        let finished = self.tally.len() == extent.total() || self.is_test_over();
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

/// Does something when it goes, also while its thread panics.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// Passes on what the store tells, and now and then nothing: then it is time to look for changes.
/// Interrupts the players when they are to stop, or when their games cannot be saved any more.
fn look_after(
    queue: &GameQueue<'_>,
    roster: &dyn Roster,
    commits: &Receiver<Commit>,
    is_there: &mut dyn FnMut() -> bool,
    mut tell: impl FnMut(Option<&Commit>),
) {
    let (mut checked, mut steered) = (Instant::now(), Instant::now());
    loop {
        if checked.elapsed() >= CHECK {
            checked = Instant::now();
            if !queue.is_halted() && !is_there() {
                queue.fail();
            }
        }
        if steered.elapsed() >= STEER {
            steered = Instant::now();
            tell(None);
        }
        match commits.recv_timeout(TICK) {
            Ok(commit) => tell(Some(&commit)),
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
        let FinishedGame { number, result, .. } = game;
        let winner = result.winner.map_or("draw", |seat| seat.name());
        log::info!("game {number} is saved: {winner} by {}", result.termination);
    }
}
