//! Runs an event: one phase of games after another, with the changes that are made meanwhile.

use std::cell::Cell;
use std::ops::{ControlFlow, Range};
use std::thread;
use std::time::Duration;

use tengen_players::Time;

use super::lock::{lock, run_of};
use super::stopping::until_stopped;
use super::{
    Change, ChangeKind, Event, EventError, Roster, Watcher, Workforce, course, freeze, records,
};
use crate::formats::Course;
use crate::store::{FileIdentity, Store, StoredGame};
use crate::{EventConfig, FinishedGame, Incident, SpoiledGames, Stop, Tally};

/// How often a run looks for changes of the event.
pub(super) const STEER: Duration = Duration::from_millis(100);

/// How far an event has come. All that is reported is on the disk.
#[derive(Clone, Copy, Debug)]
pub struct EventProgress<'a> {
    /// The games of the event.
    pub total: u64,
    /// Those that are finished.
    pub finished: u64,
    /// Those that were finished before this run.
    pub before: u64,
    /// Those that are new in this report, in the order in which they ended.
    pub games: &'a [FinishedGame],
    /// The incidents among these, and among those that are played again.
    pub incidents: &'a [Incident],
    /// All finished games, counted.
    pub tally: &'a Tally,
    /// What this report adds to that: its games, the pairs that they complete, and the pairs that
    /// are no evidence from now on.
    pub news: &'a Tally,
    pub(crate) spoiled: &'a SpoiledGames,
    pub(crate) course: &'a Course,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunOutcome {
    /// Every game is finished, or the event is a test that has decided.
    Finished,
    /// It was stopped; [`Event::run`] goes on with it.
    Stopped,
}

/// What a run is given, and what was ordered of it.
#[derive(Clone, Copy)]
pub(super) struct RunContext<'a> {
    pub roster: &'a dyn Roster,
    pub time: &'a dyn Time,
    pub stop: &'a Stop,
    pub watcher: &'a dyn Watcher,
    /// The games that were finished before it.
    pub before: u64,
    /// Its name, where the lock has it.
    pub name: Option<&'a str>,
    pub is_paused: &'a Cell<bool>,
}

impl RunContext<'_> {
    /// Whether a change is none, or an order that may be one, for another run.
    pub fn is_for(&self, change: &Change) -> bool {
        change.run.is_none() || self.name.is_none() || change.run.as_deref() == self.name
    }

    /// Does what is ordered, and shows any change to the watcher.
    pub fn obey(&self, change: &Change) {
        self.watcher.changed(change);
        match change.kind {
            ChangeKind::Paused => self.is_paused.set(true),
            ChangeKind::Continued => self.is_paused.set(false),
            ChangeKind::Stopped => self.stop.close(),
            ChangeKind::StoppedNow => self.stop.request(),
            _ => {}
        }
    }
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
        self.run_by(None, roster, time, stop, observer, watcher)
    }

    /// The same, and a workforce plays the games; without one, threads of this process do.
    ///
    /// # Errors
    /// As [`Event::run`].
    pub fn run_by(
        &mut self,
        mut workforce: Option<&mut dyn Workforce>,
        roster: &dyn Roster,
        time: &dyn Time,
        stop: &Stop,
        observer: &mut dyn FnMut(&EventProgress<'_>),
        watcher: &dyn Watcher,
    ) -> Result<RunOutcome, EventError> {
        let _lock = lock(&self.dir)?;
        self.open_to_write()?;
        // Orders that were there before are for other runs; this one may have some already.
        let (name, is_paused) = (run_of(&self.dir), Cell::new(false));
        let mut run = RunContext {
            roster,
            time,
            stop,
            watcher,
            before: 0,
            name: name.as_deref(),
            is_paused: &is_paused,
        };
        self.follow(roster, |change| {
            if change.run.is_some() && change.run.as_deref() == run.name {
                run.obey(change);
            }
        })?;
        let handle = self.store.interrupt_handle();
        let Some(mut unfinished) = until_stopped(&handle, stop, || self.take_stock())? else {
            return Ok(RunOutcome::Stopped);
        };
        run.before = self.tally.len();
        loop {
            let workforce: Option<&mut dyn Workforce> = match &mut workforce {
                Some(workforce) => Some(&mut **workforce),
                None => None,
            };
            let outcome = self.run_phase(run, workforce, unfinished, observer)?;
            unfinished = match self.next_games(run, outcome)? {
                ControlFlow::Continue(games) => games,
                ControlFlow::Break(outcome) => return Ok(outcome),
            };
        }
    }

    /// Makes the database one that is written to, in the format of today.
    fn open_to_write(&mut self) -> Result<(), EventError> {
        if self.store.is_only_read() {
            self.store = Store::open_to_write(&self.database())?;
        }
        if self.store.is_older() {
            let (config, drawn) = (&self.config, course(&self.config, &self.store)?);
            let line = |game: &StoredGame| records::line(config, drawn.schedule(), game);
            self.store.bring_up_to_date(drawn.schedule(), &line)?;
            self.store = Store::open_to_write(&self.database())?;
        }
        Ok(())
    }

    /// The games that are to be played after a phase that ended so: those that were added, or
    /// those of the next round. Without any the run is over, or waits for more.
    fn next_games(
        &mut self,
        run: RunContext<'_>,
        outcome: RunOutcome,
    ) -> Result<ControlFlow<RunOutcome, Vec<Range<u64>>>, EventError> {
        let mut told = false;
        loop {
            let has_grown = self.follow(run.roster, |change| {
                if run.is_for(change) {
                    run.obey(change);
                }
            })?;
            let drawn = self.course.schedule().len() + 1;
            let has_drawn = outcome == RunOutcome::Finished && self.course.grow();
            if run.stop.is_requested() || run.stop.is_closing() {
                return Ok(ControlFlow::Break(match self.is_finished() {
                    true => RunOutcome::Finished,
                    false => RunOutcome::Stopped,
                }));
            }
            if has_grown {
                return Ok(ControlFlow::Continue(self.store.unfinished(self.schedule().len())?));
            }
            if has_drawn {
                // All before them are finished.
                let end = self.course.schedule().len() + 1;
                return Ok(ControlFlow::Continue(std::iter::once(drawn..end).collect()));
            }
            let awaits = self.awaits_referee();
            if std::mem::replace(&mut told, awaits) != awaits {
                run.watcher.awaits(awaits);
            }
            if !self.is_standing && !awaits {
                return Ok(ControlFlow::Break(outcome));
            }
            FileIdentity::of(&self.database()).check(&self.database())?;
            thread::sleep(STEER);
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
            // A referee may have changed results.
            (self.tally, self.spoiled) = (self.store.tally()?, self.store.spoiled()?);
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
        // Another process may be changing the event: then it is tried again.
        match self.write(kind, text, Some(&config), "while it ran", None) {
            Ok(_) | Err(EventError::Stale { .. }) => Ok(()),
            Err(error) => Err(error),
        }
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
