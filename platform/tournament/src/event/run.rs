use std::fs::{File, TryLockError};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tengen_arbiter::Game;
use tengen_players::{Player, Time};
use tengen_record::{RecordedAction, pack};
use tengen_rules::BySeat;

use super::{Event, EventError, LOCK};
use crate::affinity;
use crate::store::{StoredGame, Told, Writer};
use crate::table::{Halted, Notes, Sitting, Table};
use crate::{EventConfig, FinishedGame, Schedule, ScheduledGame, Stop, Tally};

/// How soon a request to stop is seen by the thread that looks after the others.
const TICK: Duration = Duration::from_millis(10);

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
pub struct Progress<'a> {
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
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every game is finished.
    Finished,
    /// It was stopped; [`Event::run`] goes on with it.
    Stopped,
}

impl Event {
    /// Plays the games that are not finished, and tells `observer` of each after it was saved.
    ///
    /// As many threads as the event's concurrency take the unfinished games in the order of their
    /// numbers. Each has players of its own, made when first needed and kept for all its games.
    /// When `stop` is requested, games that are being played are given up without a trace,
    /// whatever their players do then; those that had ended are saved and told.
    ///
    /// # Errors
    /// When another process runs this event, or the database fails. What was told is saved then
    /// too.
    pub fn run(
        &mut self,
        roster: &dyn Roster,
        time: &dyn Time,
        stop: &Stop,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Outcome, EventError> {
        let _lock = self.lock()?;
        // Another process may have played on since this event was opened.
        self.tally = self.store.tally()?;
        let cpus = affinity::plan(&self.config)?;
        let schedule = self.schedule();
        let before = self.tally.len();
        let unfinished = self.store.unfinished(schedule.len())?;
        let left: u64 = unfinished.iter().map(|numbers| numbers.end - numbers.start).sum();
        let fits = before.checked_add(left) == Some(schedule.len());
        self.store.check(fits, "the games it has are not the ones it has counted")?;
        let workers = self.config.concurrency.min(usize::try_from(left).unwrap_or(usize::MAX));
        let (writer, games, tellings) = Writer::start(&self.database(), schedule)?;
        let hall = Hall {
            config: &self.config,
            schedule,
            roster,
            time,
            stop,
            failed: AtomicBool::new(false),
            tables: AtomicUsize::new(workers),
            numbers: Mutex::new(unfinished.into_iter().flatten()),
        };
        let tally = &mut self.tally;
        thread::scope(|scope| {
            let hall = &hall;
            let spawn = |number| {
                let (games, cpus) = (games.clone(), &cpus);
                thread::Builder::new()
                    .name(format!("table {number}"))
                    .spawn_scoped(scope, move || {
                        affinity::bind(cpus, number - 1);
                        hall.work(&games);
                    })
                    .expect("the system lets a program start some more threads")
            };
            let workers: Vec<_> = (1..=workers).map(spawn).collect();
            drop(games);
            hall.look_after(&tellings, |told| {
                *tally += &told.tally;
                observer(&Progress {
                    total: schedule.len(),
                    finished: tally.len(),
                    before,
                    games: &told.games,
                    tally,
                });
            });
            // The channel closes when no table is left, or when the store failed.
            hall.failed.store(true, Ordering::SeqCst);
            while hall.tables.load(Ordering::SeqCst) > 0
                && !workers.iter().all(|worker| worker.is_finished())
            {
                roster.interrupt();
                thread::sleep(TICK);
            }
        });
        writer.finish()?;
        let finished = self.tally.len() == schedule.len();
        Ok(if finished { Outcome::Finished } else { Outcome::Stopped })
    }

    /// Keeps other processes from playing the same event; until the file is dropped, or this
    /// process ends in whatever way.
    fn lock(&self) -> Result<File, EventError> {
        let path = self.dir.join(LOCK);
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(EventError::file(&path, "written"))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => Err(EventError::Running { dir: self.dir.clone() }),
            Err(TryLockError::Error(error)) => Err(EventError::file(&path, "locked")(error)),
        }
    }
}

/// All that the tables of an event share.
struct Hall<'a, N> {
    config: &'a EventConfig,
    schedule: Schedule,
    roster: &'a dyn Roster,
    time: &'a dyn Time,
    stop: &'a Stop,
    /// That the games cannot be saved any more.
    failed: AtomicBool,
    /// The tables whose players are not gone yet.
    tables: AtomicUsize,
    numbers: Mutex<N>,
}

impl<N: Iterator<Item = u64> + Send> Hall<'_, N> {
    /// Passes on what the store tells, and interrupts the players when they are to stop.
    fn look_after(&self, tellings: &Receiver<Told>, mut tell: impl FnMut(&Told)) {
        loop {
            match tellings.recv_timeout(TICK) {
                Ok(told) => tell(&told),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return,
            }
            if self.stop.is_requested() {
                self.roster.interrupt();
            }
        }
    }

    fn is_halted(&self) -> bool {
        self.stop.is_requested() || self.failed.load(Ordering::Relaxed)
    }

    fn next(&self) -> Option<ScheduledGame> {
        let mut numbers = self.numbers.lock().unwrap_or_else(PoisonError::into_inner);
        let number = numbers.next()?;
        Some(self.schedule.get(number).expect("unfinished games are in the schedule"))
    }

    /// One table's work.
    fn work(&self, games: &SyncSender<StoredGame>) {
        self.play_all(games);
        self.tables.fetch_sub(1, Ordering::SeqCst);
    }

    /// Game after game with players of this table's own, which are gone when it returns.
    fn play_all(&self, games: &SyncSender<StoredGame>) {
        let mut players: Vec<Option<Box<dyn Player>>> = Vec::new();
        players.resize_with(self.config.engines.len(), || None);
        let mut notes = Notes::default();
        let mut actions = Vec::new();
        while !self.is_halted()
            && let Some(scheduled) = self.next()
        {
            let Ok(game) = self.play(&scheduled, &mut players, &mut notes) else {
                return;
            };
            if games.send(stored(&scheduled, &game, &mut notes, &mut actions)).is_err() {
                return;
            }
        }
    }

    fn play(
        &self,
        scheduled: &ScheduledGame,
        players: &mut [Option<Box<dyn Player>>],
        notes: &mut Notes,
    ) -> Result<Game, Halted> {
        let mut game = Game::new(self.config.game(scheduled)).expect("the event was validated");
        let seats = [scheduled.seats.first, scheduled.seats.second];
        let [first, second] =
            players.get_disjoint_mut(seats).expect("two engines of the event sit at a table");
        let first = first.get_or_insert_with(|| self.roster.player(seats[0])).as_mut();
        let second = second.get_or_insert_with(|| self.roster.player(seats[1])).as_mut();
        let sitting = Sitting {
            opening: self.config.opening,
            seed: scheduled.seed,
            draw_offers: self.config.draw_offers,
        };
        let halted = || self.is_halted();
        let table = Table { time: self.time, stall: self.config.stall(), halted: &halted };
        table.play(&mut game, sitting, BySeat { first, second }, notes)?;
        Ok(game)
    }
}

/// A game as it is stored; the buffers keep their memory for the next one.
fn stored(
    scheduled: &ScheduledGame,
    game: &Game,
    notes: &mut Notes,
    actions: &mut Vec<RecordedAction>,
) -> StoredGame {
    let infos = notes.infos.iter().copied().chain(std::iter::repeat(None));
    actions.clear();
    actions.extend(
        game.history()
            .iter()
            .zip(infos)
            .map(|(entry, info)| RecordedAction { entry: entry.clone(), info }),
    );
    let result = game.result().expect("the game was played to its end");
    if let (Some(winner), Some(detail)) = (result.winner, &notes.detail) {
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
        packed: pack(actions),
        detail: notes.detail.take(),
    }
}
