//! Reads the finished games of an event from its folder, again and again while it grows.

use std::collections::VecDeque;
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use axum::body::Bytes;
use serde::Serialize;
use tengen_link::plain;
use tengen_record::{GameRecord, GameReplay};
use tengen_rules::BySeat;
use tengen_tournament::{Event, EventError, TestState};

use super::game_list::{FoundGames, GameList, GameQuery};
use super::hub::Hub;
use super::news::now;
use crate::event_view::{EventView, MOST_LABEL, ranking};
use crate::figures::{Figures, FiguresView, black_seat};
use crate::game_row::GameRow;
use crate::rating_curve::{RatedGame, RatingCurve, RatingCurveView};
use crate::report::EventData;

/// How often to check whether the event has grown.
const TICK: Duration = Duration::from_millis(250);
/// How often it is read at most.
const INTERVAL: Duration = Duration::from_secs(2);
/// How much longer than a read took it is left alone: engines may play on the same machine.
const REST: u32 = 40;
/// How many states of it may wait for their time, if everything is shown with a delay.
const MOST_WAITING: u32 = 16;

/// An event that is served.
pub(super) struct Reader {
    dir: PathBuf,
    title: String,
    delay: Duration,
    /// How often it is read at most.
    interval: Duration,
    /// What games are read from when a client asks for one.
    event: Mutex<Event>,
    shown: Mutex<Arc<Shown>>,
    /// What was read when it was opened, and what that took.
    first: Mutex<Option<Reading>>,
}

/// The event as viewers see it.
pub(super) struct Shown {
    /// The event, for the page.
    pub json: Bytes,
    /// Tells states from each other, also those of another run of the server.
    pub state: u64,
    /// What stands in a list of events.
    pub figures: ListedFigures,
    /// The games that are listed.
    numbers: Arc<Numbers>,
    /// Whether no others may be seen.
    is_delayed: bool,
}

/// How far an event has come, as it stands in a list of events.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ListedFigures {
    finished: u64,
    total: u64,
    /// Whether all is played that is to be.
    over: bool,
    /// Wins, draws and losses of the first of two engines.
    score: Option<[u64; 3]>,
    /// How its test stands.
    sprt: Option<TestState>,
}

impl ListedFigures {
    fn new(event: &Event) -> ListedFigures {
        let (config, tally) = (event.config(), event.tally());
        let score = (config.engines.len() == 2).then(|| {
            let score = tally.total(0);
            [score.wins, score.draws, score.losses]
        });
        let (finished, total, over) = (tally.len(), event.total(), event.is_finished());
        ListedFigures { finished, total, over, score, sprt: config.test_state(tally) }
    }
}

/// Numbers in rising order, as ranges: those of finished games are nearly all that there are.
#[derive(Default, Debug)]
struct Numbers {
    ranges: Vec<RangeInclusive<u64>>,
    /// A bit for each game up to the last one whose second seat had Black at its end.
    black_second: Vec<u64>,
}

impl Numbers {
    fn push(&mut self, number: u64, is_black_second: bool) {
        match self.ranges.last_mut() {
            Some(range) if *range.end() + 1 == number => *range = *range.start()..=number,
            _ => self.ranges.push(number..=number),
        }
        if is_black_second {
            let place = (number / 64) as usize;
            self.black_second.resize(place + 1, 0);
            self.black_second[place] |= 1 << (number % 64);
        }
    }

    /// Whether the second seat of the game had Black at its end.
    fn is_black_second(&self, number: u64) -> bool {
        let bits = self.black_second.get((number / 64) as usize);
        bits.is_some_and(|bits| bits >> (number % 64) & 1 == 1)
    }

    fn contains(&self, number: u64) -> bool {
        let place = self.ranges.partition_point(|range| *range.end() < number);
        self.ranges.get(place).is_some_and(|range| range.contains(&number))
    }
}

/// What takes reading every game.
struct Contents {
    figures: FiguresView,
    ratings: RatingCurveView,
    numbers: Arc<Numbers>,
}

/// The state of the thread that reads.
struct Reading {
    /// As the files were when the standings were read.
    stamp: Stamp,
    contents: Contents,
    /// Every game, and the standings alone.
    games: LastRead,
    standings: LastRead,
    /// Whether the games are older than the standings.
    is_stale: bool,
    /// The newest state.
    state: u64,
    waiting: VecDeque<(Instant, Arc<Shown>)>,
    /// Whether it was read after its last game.
    is_final: bool,
}

/// When something was read last, and what that took.
#[derive(Clone, Copy)]
struct LastRead(Instant, Duration);

impl LastRead {
    /// Whether it may be read again.
    fn is_over(self, interval: Duration) -> bool {
        let LastRead(at, cost) = self;
        at.elapsed() >= interval.max(cost.saturating_mul(REST))
    }
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
    /// Opens an event, and reads it for the first time. It is called so, or as it says itself.
    pub fn open(dir: &Path, name: &str, delay: Duration) -> Result<Reader, EventError> {
        let (stamp, begun) = (Stamp::of(dir), Instant::now());
        let event = Event::open(dir)?;
        let standings = LastRead(begun, begun.elapsed());
        let begun = Instant::now();
        let contents = Contents::read(&event)?;
        let games = LastRead(begun, begun.elapsed());
        let name = if name.is_empty() { event.title() } else { name.to_owned() };
        let (title, state) = (plain(&name, MOST_LABEL), now());
        let shown = Arc::new(compose(&event, &title, delay, &contents, state));
        let reading = Reading {
            stamp,
            contents,
            games,
            standings,
            is_stale: false,
            state,
            waiting: VecDeque::new(),
            is_final: false,
        };
        Ok(Reader {
            dir: dir.to_owned(),
            title,
            delay,
            interval: INTERVAL.max(delay / MOST_WAITING),
            event: Mutex::new(event),
            shown: Mutex::new(shown),
            first: Mutex::new(Some(reading)),
        })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// What people call the event.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The event as viewers see it.
    pub fn shown(&self) -> Arc<Shown> {
        Arc::clone(&lock(&self.shown))
    }

    /// A finished game and its players, if viewers may see it.
    pub fn game(&self, number: u64) -> Result<Option<(GameRecord, BySeat<usize>)>, EventError> {
        if !self.shown().has(number) {
            return Ok(None);
        }
        let event = self.event();
        let Some(scheduled) = event.schedule().get(number) else { return Ok(None) };
        Ok(event.game(number)?.map(|record| (record, scheduled.seats)))
    }

    /// The finished games that are asked for. It reads what a list has of each game, and plays
    /// again those that are shown.
    pub fn list(&self, query: &GameQuery) -> Result<GameList, EventError> {
        let (shown, event) = (self.shown(), self.event());
        let mut listing = FoundGames::new(query, &event.config().labels());
        event.list(&query.engines, query.end, |line| {
            if shown.numbers.contains(line.number) {
                listing.add(&line, shown.numbers.is_black_second(line.number));
            }
        })?;
        let (numbers, mut list) = query.part(listing);
        let schedule = event.schedule();
        for number in numbers {
            let (record, scheduled) = (event.game(number)?, schedule.get(number));
            let Some((record, scheduled)) = record.zip(scheduled) else { continue };
            let Ok(mut replay) = GameReplay::new(record.header.config()) else { continue };
            record.actions.iter().for_each(|entry| replay.act(entry));
            list.games.push(GameRow::new(&record, scheduled.seats, replay.game()));
        }
        Ok(list)
    }

    /// Reads the event again whenever it has grown, until the server is over, and tells viewers.
    pub fn keep_reading(&self, hub: &Hub, is_over: &AtomicBool) {
        let Some(mut reading) = lock(&self.first).take() else { return };
        while !is_over.load(Ordering::SeqCst) {
            thread::sleep(TICK);
            let has_ended = hub.has_ended();
            if let Err(error) = self.look(&mut reading, has_ended) {
                // It is tried again when something was written.
                log::warn!("{error}");
            }
            let mut newest = None;
            while reading.waiting.front().is_some_and(|(due, _)| *due <= Instant::now()) {
                newest = reading.waiting.pop_front();
            }
            if let Some((_, shown)) = newest {
                let state = shown.state;
                *lock(&self.shown) = shown;
                hub.changed(state);
            }
            if reading.is_final && reading.waiting.is_empty() {
                hub.is_read();
            }
        }
    }

    /// Reads what is new, if it is time; in any case after the last game.
    fn look(&self, reading: &mut Reading, has_ended: bool) -> Result<(), EventError> {
        let is_last = has_ended && !reading.is_final;
        // Whatever comes of it, it is not tried again and again.
        reading.is_final |= has_ended;
        let stamp = Stamp::of(&self.dir);
        let has_grown = stamp != reading.stamp;
        let games_due = is_last || reading.is_stale && reading.games.is_over(self.interval);
        let due = games_due || has_grown && reading.standings.is_over(self.interval);
        if !due {
            return Ok(());
        }
        (reading.stamp, reading.is_stale) = (stamp, reading.is_stale | has_grown);
        let begun = Instant::now();
        // It may have been given more games.
        let event = Event::open(&self.dir)?;
        reading.standings = LastRead(begun, begun.elapsed());
        if games_due {
            let begun = Instant::now();
            reading.contents = Contents::read(&event)?;
            reading.games = LastRead(begun, begun.elapsed());
            reading.is_stale = false;
        }
        let begun = Instant::now();
        reading.state = now().max(reading.state + 1);
        let contents = &reading.contents;
        let shown = compose(&event, &self.title, self.delay, contents, reading.state);
        reading.standings.1 += begun.elapsed();
        *lock(&self.event) = event;
        reading.waiting.push_back((Instant::now() + self.delay, Arc::new(shown)));
        Ok(())
    }

    fn event(&self) -> MutexGuard<'_, Event> {
        lock(&self.event)
    }
}

impl Shown {
    fn has(&self, number: u64) -> bool {
        !self.is_delayed || self.numbers.contains(number)
    }
}

impl Contents {
    /// Reads every finished game.
    fn read(event: &Event) -> Result<Contents, EventError> {
        let (order, schedule) = (ranking(event), event.schedule());
        let mut figures = Figures::new(&order);
        let mut ratings = RatingCurve::new(schedule.clone(), &order, event.tally().counted());
        let mut numbers = Numbers::default();
        for record in event.records() {
            let record = record?;
            let number = record.header.game.unwrap_or(0);
            let Some(scheduled) = schedule.get(number) else { continue };
            let Ok(mut replay) = GameReplay::new(record.header.config()) else { continue };
            record.actions.iter().for_each(|entry| replay.act(entry));
            if !record.conditions.is_void {
                figures.add(&record, scheduled.seats, replay.game());
            }
            ratings.add(RatedGame::new(&record, scheduled.seats, event.is_again(number)));
            numbers.push(number, black_seat(replay.game()) == 1);
        }
        Ok(Contents {
            figures: figures.view(),
            ratings: ratings.view(),
            numbers: Arc::new(numbers),
        })
    }
}

fn compose(event: &Event, title: &str, delay: Duration, contents: &Contents, state: u64) -> Shown {
    let view = EventView::new(event, title.to_owned());
    let Contents { figures, ratings, numbers } = contents;
    let mut data = EventData::new(now() / 1000, &view, figures, ratings);
    data.state = Some(state);
    let json = serde_json::to_string(&data).expect("every key is a string");
    let (numbers, is_delayed) = (Arc::clone(numbers), !delay.is_zero());
    Shown { json: json.into(), state, figures: ListedFigures::new(event), numbers, is_delayed }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use tengen_players::{Player, RandomLegal, RealTime};
    use tengen_tournament::{EngineEntry, EventConfig, Roster, Stop};

    use super::*;

    struct Dice;

    impl Roster for Dice {
        fn player(&self, _engine: usize) -> Box<dyn Player> {
            Box::new(RandomLegal::new())
        }

        fn interrupt(&self) {}
    }

    /// An event that was opened before its games were played.
    fn grown(delay: Duration) -> (tempfile::TempDir, Reader) {
        let folder = tempfile::tempdir().unwrap();
        let config = EventConfig {
            engines: ["red", "blue"].map(EngineEntry::new).to_vec(),
            games: 2,
            tc: "inf".parse().unwrap(),
            ..EventConfig::default()
        };
        let mut event = Event::create(&folder.path().join("cup"), config).unwrap();
        let reader = Reader::open(event.dir(), "cup", delay).unwrap();
        event.run(&Dice, &RealTime::new(), &Stop::new(), &mut |_| {}).unwrap();
        (folder, reader)
    }

    #[test]
    fn with_a_delay_few_states_wait_for_their_time() {
        let (_folder, reader) = grown(Duration::from_secs(3600));
        assert!(reader.delay / MOST_WAITING <= reader.interval);
        let mut reading = lock(&reader.first).take().unwrap();
        for _ in 0..100 {
            reading.stamp = Stamp([None; 2]);
            reader.look(&mut reading, false).unwrap();
        }
        assert!(reading.waiting.is_empty(), "it is not time for the next");
        for _ in 0..100 {
            reader.look(&mut reading, true).unwrap();
        }
        assert_eq!(reading.waiting.len(), 1, "the last state comes whatever the time");
        assert!(reading.waiting[0].1.has(2) && !reader.shown().has(2));
    }

    #[test]
    fn what_is_costly_is_read_seldom() {
        let (_folder, reader) = grown(Duration::ZERO);
        let mut reading = lock(&reader.first).take().unwrap();
        let long_ago = Instant::now().checked_sub(Duration::from_secs(10)).unwrap();
        // The standings took a second: they are left alone for forty.
        (reading.standings, reading.games) = (
            LastRead(long_ago, Duration::from_secs(1)),
            LastRead(long_ago, Duration::from_secs(1)),
        );
        reader.look(&mut reading, false).unwrap();
        assert_eq!(reading.waiting.len(), 0);
        reading.standings.1 = Duration::from_millis(100);
        reader.look(&mut reading, false).unwrap();
        assert_eq!((reading.waiting.len(), reading.is_stale), (1, true), "the games are let be");
    }

    #[test]
    fn numbers_are_those_that_were_put_in() {
        let mut numbers = Numbers::default();
        let there = [1, 2, 3, 5, 8, 9];
        there.into_iter().for_each(|number| numbers.push(number, number % 3 == 2));
        let found: Vec<u64> = (0..12).filter(|number| numbers.contains(*number)).collect();
        assert_eq!((found, numbers.ranges.len()), (there.to_vec(), 3));
        let found: Vec<u64> = (0..99).filter(|number| numbers.is_black_second(*number)).collect();
        assert_eq!(found, [2, 5, 8]);
    }
}
