//! Reads what is finished of an event from its folder, again and again while it grows.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;
use tengen_arbiter::Termination;
use tengen_record::{GameRecord, GameReplay};
use tengen_rules::BySeat;
use tengen_tournament::{Event, EventError};

use super::broadcast::now;
use super::hub::Hub;
use crate::event_view::{EventView, ranking, title};
use crate::figures::{Figures, FiguresView};
use crate::game_row::GameRow;
use crate::rating_curve::{RatingCurve, RatingCurveView};
use crate::report::{FORMAT, PROGRAM};

/// How often it is looked whether the event has grown.
const TICK: Duration = Duration::from_millis(250);
/// How often its standings are read at most.
const INTERVAL: Duration = Duration::from_secs(2);
/// How much longer its games are let be than it takes to read all of them: engines may play on the
/// same machine.
const REST: u32 = 40;
/// The newest games that are listed.
const MOST_LISTED: usize = 1000;

/// An event that is served.
pub(super) struct Reader {
    dir: PathBuf,
    title: String,
    delay: Duration,
    /// What games are read from when somebody asks for one.
    event: Mutex<Event>,
    shown: Mutex<Arc<Shown>>,
    /// What was read when it was opened, and what that took.
    first: Mutex<Option<Reading>>,
}

/// The event as viewers see it.
pub(super) struct Shown {
    /// The event, for the page.
    pub json: String,
    /// The numbers of the games that may be seen; all, where nothing is delayed.
    numbers: Option<Vec<u64>>,
}

/// What takes reading every game.
#[derive(Clone, Serialize)]
struct Contents {
    figures: FiguresView,
    ratings: RatingCurveView,
    terminations: [&'static str; Termination::ALL.len()],
    games: Vec<GameRow>,
    #[serde(skip)]
    numbers: Vec<u64>,
}

/// The state of the thread that reads.
struct Reading {
    stamp: Stamp,
    contents: Contents,
    /// When the games were read, and what it took.
    read: (Instant, Duration),
    looked: Instant,
    is_stale: bool,
    waiting: VecDeque<(Instant, Arc<Shown>)>,
}

/// How the files of a database look when nothing was written since.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Stamp([Option<(u64, SystemTime)>; 2]);

impl Stamp {
    fn of(dir: &Path) -> Stamp {
        Stamp(["event.db", "event.db-wal"].map(|name| {
            let file = fs::metadata(dir.join(name)).ok()?;
            Some((file.len(), file.modified().ok()?))
        }))
    }
}

impl Reader {
    /// Opens an event, and reads it for the first time.
    pub fn open(dir: &Path, delay: Duration) -> Result<Reader, EventError> {
        let (stamp, begun) = (Stamp::of(dir), Instant::now());
        let event = Event::open(dir)?;
        let contents = Contents::read(&event)?;
        let title = title(dir);
        let shown = Arc::new(compose(&event, &title, delay, &contents));
        let reading = Reading {
            stamp,
            contents,
            read: (begun, begun.elapsed()),
            looked: begun,
            is_stale: false,
            waiting: VecDeque::new(),
        };
        Ok(Reader {
            dir: dir.to_owned(),
            title,
            delay,
            event: Mutex::new(event),
            shown: Mutex::new(shown),
            first: Mutex::new(Some(reading)),
        })
    }

    /// What people call the event.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The event as viewers see it.
    pub fn shown(&self) -> Arc<Shown> {
        Arc::clone(&lock(&self.shown))
    }

    /// A finished game and who played it, if viewers may see it.
    pub fn game(&self, number: u64) -> Result<Option<(GameRecord, BySeat<usize>)>, EventError> {
        if !self.shown().has(number) {
            return Ok(None);
        }
        let event = self.event();
        let Some(scheduled) = event.schedule().get(number) else { return Ok(None) };
        Ok(event.game(number)?.map(|record| (record, scheduled.seats)))
    }

    /// Reads the event again whenever it has grown, until the server is over, and tells viewers.
    pub fn keep_reading(&self, hub: &Hub, is_over: &AtomicBool) {
        let Some(mut reading) = lock(&self.first).take() else { return };
        while !is_over.load(Ordering::SeqCst) {
            thread::sleep(TICK);
            if let Err(error) = self.look(&mut reading) {
                // It is tried again when something was written.
                log::warn!("{error}");
            }
            let mut is_new = false;
            while reading.waiting.front().is_some_and(|(due, _)| *due <= Instant::now()) {
                if let Some((_, shown)) = reading.waiting.pop_front() {
                    *lock(&self.shown) = shown;
                    is_new = true;
                }
            }
            if is_new {
                hub.changed();
            }
        }
    }

    fn look(&self, reading: &mut Reading) -> Result<(), EventError> {
        let stamp = Stamp::of(&self.dir);
        let (read, cost) = reading.read;
        let is_due = reading.is_stale && read.elapsed() >= INTERVAL.max(cost * REST);
        let has_grown = stamp != reading.stamp && reading.looked.elapsed() >= INTERVAL;
        if !is_due && !has_grown {
            return Ok(());
        }
        (reading.stamp, reading.looked) = (stamp, Instant::now());
        reading.is_stale |= has_grown;
        // It may have been given more games.
        let event = Event::open(&self.dir)?;
        if is_due {
            let begun = Instant::now();
            reading.contents = Contents::read(&event)?;
            (reading.read, reading.is_stale) = ((begun, begun.elapsed()), false);
        }
        let shown = Arc::new(compose(&event, &self.title, self.delay, &reading.contents));
        *lock(&self.event) = event;
        reading.waiting.push_back((Instant::now() + self.delay, shown));
        Ok(())
    }

    fn event(&self) -> MutexGuard<'_, Event> {
        lock(&self.event)
    }
}

impl Shown {
    fn has(&self, number: u64) -> bool {
        self.numbers.as_ref().is_none_or(|numbers| numbers.binary_search(&number).is_ok())
    }
}

impl Contents {
    /// Reads every finished game.
    fn read(event: &Event) -> Result<Contents, EventError> {
        let (order, schedule) = (ranking(event), event.schedule());
        let mut figures = Figures::new(&order);
        let mut ratings = RatingCurve::new(schedule.clone(), &order, event.tally().counted());
        let (mut games, mut numbers) = (VecDeque::new(), Vec::new());
        for record in event.records() {
            let record = record?;
            let number = record.header.game.unwrap_or(0);
            let Some(scheduled) = schedule.get(number) else { continue };
            let Ok(mut replay) = GameReplay::new(record.header.config()) else { continue };
            record.actions.iter().for_each(|entry| replay.act(entry));
            if !record.conditions.is_void {
                figures.add(&record, scheduled.seats, replay.game());
                ratings.add(number, scheduled.seats, record.result);
            }
            games.push_front(GameRow::new(&record, scheduled.seats, replay.game()));
            games.truncate(MOST_LISTED);
            numbers.push(number);
        }
        Ok(Contents {
            figures: figures.view(),
            ratings: ratings.view(),
            terminations: GameRow::terminations(),
            games: games.into(),
            numbers,
        })
    }
}

fn compose(event: &Event, title: &str, delay: Duration, contents: &Contents) -> Shown {
    let view = EventView::new(event, title.to_owned(), None);
    let contents_json = json(contents);
    // Both are objects: the keys of the second go on where those of the first end.
    let json = format!(
        "{{\"format\":{FORMAT},\"program\":{},\"made\":{},\"event\":{},{}",
        json(&PROGRAM),
        now() / 1000,
        json(&view),
        &contents_json[1..]
    );
    let numbers = (!delay.is_zero()).then(|| contents.numbers.clone());
    Shown { json, numbers }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("every key is a string")
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
