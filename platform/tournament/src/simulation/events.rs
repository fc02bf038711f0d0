//! Simulated events that are stopped, killed and resumed.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;
use tengen_rules::Seat;
use tengen_testkit::Dice;

use super::games::check_all;
use super::roster::{SimulatedRoster, SimulatedWorker};
use super::scenario::Scenario;
use super::{Coverage, simulate};
use crate::event::GameQueue;
use crate::formats::Course;
use crate::store::{Commit, StoreWriter, StoredGame};
use crate::{Event, EventConfig, EventError, FinishedGame, Schedule, Stop, StoreError, Tally};

#[test]
fn events_keep_what_they_tell() {
    let coverage = Coverage::default();
    simulate("events_keep_what_they_tell", 0..700, |seed| {
        let mut dice = Dice::new(seed);
        let mut scenario = Scenario::draw(&mut dice, 4, 9);
        if let Some(format) = scenario.draw_format(&mut dice) {
            coverage.note(format);
        }
        let mut trial = EventTrial::new(dice, scenario, &coverage);
        let mut runs = 0;
        while !trial.run(runs < 20) {
            runs += 1;
        }
        trial.finish();
    });
    coverage.assert_all(&[
        "stopped",
        "disk full",
        "sealed",
        "killed",
        "killed between a commit and its telling",
        "damage that matters",
        "damage that does not",
        "games played again",
        "void",
        "swiss",
        "knockout",
        "double-elimination",
        "ladder",
        "groups",
        "stages",
        "a round drawn by another run",
    ]);
}

/// An event that is run again and again until it is finished, whatever interrupts it.
struct EventTrial<'a> {
    coverage: &'a Coverage,
    dice: Dice,
    scenario: Scenario,
    /// The games as they are when nothing comes between.
    expected: BTreeMap<u64, StoredGame>,
    /// All of them, as they are drawn in the end.
    schedule: Schedule,
    reported: BTreeMap<u64, FinishedGame>,
    folder: TempDir,
    /// The event's folder, a new one after each crash.
    dir: PathBuf,
}

/// What interrupts a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interruption {
    /// Nothing.
    End,
    /// Somebody stops the event within a question.
    Stop,
    /// The disk is full.
    Full,
    /// Nothing can be written any more.
    Sealed,
    /// The program is killed: between two steps, or between a commit and the telling of it.
    Crash,
}

impl<'a> EventTrial<'a> {
    fn new(dice: Dice, scenario: Scenario, coverage: &'a Coverage) -> EventTrial<'a> {
        // In memory where there is such a file system: thousands of events wait for the disk.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { TempDir::new() };
        let folder = folder.unwrap();
        let dir = folder.path().join("0");
        let event = Event::create(&dir, scenario.config.clone()).unwrap();
        assert_eq!(*event.config(), scenario.config);
        let (expected, schedule) = uninterrupted(&scenario);
        EventTrial {
            coverage,
            dice,
            scenario,
            expected,
            schedule,
            reported: BTreeMap::new(),
            folder,
            dir,
        }
    }

    /// One run of the program. Whether the event is finished.
    fn run(&mut self, disturbed: bool) -> bool {
        let mut event = Event::open(&self.dir).unwrap();
        let unfinished = event.take_stock().unwrap();
        self.compare(&event);
        let interruptions = [
            Interruption::End,
            Interruption::Stop,
            Interruption::Full,
            Interruption::Sealed,
            Interruption::Crash,
        ];
        let interruption =
            if disturbed { self.dice.pick(&interruptions) } else { Interruption::End };
        let stop = Arc::new(Stop::new());
        let players = SimulatedRoster::new(&self.scenario.player_configs, &stop);
        if interruption == Interruption::Stop {
            players.stop_after(self.dice.below(200));
        }
        let mut writer = StoreWriter::open(&event.database(), event.schedule()).unwrap();
        if interruption == Interruption::Full {
            writer.leave_room_for(0);
        }
        let mut commits =
            if interruption == Interruption::Sealed { self.dice.below(9) } else { u64::MAX };
        if event.schedule() != event.config().schedule() {
            self.coverage.note("a round drawn by another run");
        }
        let queue = GameQueue::new(event.config(), event.schedule(), unfinished, &players, &stop);
        let contexts: Vec<SimulatedWorker> =
            (0..self.scenario.config.concurrency).map(|_| SimulatedWorker::default()).collect();
        let mut tables: Vec<_> =
            contexts.iter().map(|context| (context, Some(queue.worker(&*context.time)))).collect();
        let mut steps =
            if interruption == Interruption::Crash { self.dice.below(60) } else { u64::MAX };
        let mut ended = VecDeque::new();
        loop {
            if steps == 0 {
                self.coverage.note("killed");
                self.crash();
                return false;
            }
            steps -= 1;
            let open: Vec<usize> =
                (0..tables.len()).filter(|&table| tables[table].1.is_some()).collect();
            if open.is_empty() && ended.is_empty() {
                break;
            }
            if !open.is_empty() && (ended.is_empty() || self.dice.chance(600)) {
                let (context, table) = &mut tables[self.dice.pick(&open)];
                players.use_context(context);
                let game = table.as_mut().and_then(|table| table.play());
                let events = context.log.take();
                match game {
                    Some(batch) => {
                        check_all(&self.scenario.config, &self.schedule, &batch, events);
                        ended.push_back(batch);
                    }
                    None => *table = None,
                }
                continue;
            }
            if commits == 0 {
                writer.seal();
            }
            commits = commits.saturating_sub(1);
            let some = 1 + self.dice.index(ended.len());
            match writer.commit(ended.drain(..some)) {
                Ok(_) if interruption == Interruption::Crash && self.dice.chance(100) => {
                    self.coverage.note("killed between a commit and its telling");
                    self.crash();
                    return false;
                }
                Ok(reported) => self.tell(reported),
                Err(error) => {
                    match (&error, interruption) {
                        (StoreError::Full { .. }, Interruption::Full) => {
                            self.coverage.note("disk full")
                        }
                        (StoreError::Refused { .. }, Interruption::Sealed) => {
                            self.coverage.note("sealed")
                        }
                        _ => panic!("{error}"),
                    }
                    queue.fail();
                    ended.clear();
                }
            }
        }
        drop(tables);
        writer.close().unwrap();
        if stop.is_requested() {
            self.coverage.note("stopped");
        }
        drop(event);
        let event = Event::open(&self.dir).unwrap();
        assert_eq!(event.tally().len(), self.reported.len() as u64, "what is stored was told");
        event.is_finished()
    }

    fn tell(&mut self, reported: Commit) {
        let mut tally = Tally::default();
        for game in &reported.games {
            if !game.conditions.is_void {
                tally.add_game(game.seats, game.result);
            }
            assert_eq!(self.reported.insert(game.number, *game), None, "told twice");
        }
        assert_eq!(tally.counts().games, reported.tally.counts().games);
    }

    /// The files as they are, in another folder, as after a kill; perhaps with a torn end of the
    /// log, which a killed program has begun to write.
    fn crash(&mut self) {
        let number: u64 = self.dir.file_name().unwrap().to_str().unwrap().parse().unwrap();
        let dir = self.folder.path().join((number + 1).to_string());
        fs::create_dir(&dir).unwrap();
        for name in ["event.toml", "event.db", "event.db-wal"] {
            fs::copy(self.dir.join(name), dir.join(name)).unwrap();
        }
        if self.dice.chance(500) {
            let path = dir.join("event.db-wal");
            let mut log = fs::read(&path).unwrap();
            let torn = log[log.len() / 2..].to_vec();
            log.extend(&torn[..self.dice.index(torn.len())]);
            fs::write(&path, log).unwrap();
        }
        self.dir = dir;
    }

    /// What is stored is what was to be expected, and more than what was told at most.
    fn compare(&mut self, event: &Event) {
        let stored: BTreeMap<u64, StoredGame> = event
            .store()
            .games()
            .map(|game| game.map(|game| (game.number, game)).unwrap())
            .collect();
        for (number, game) in &stored {
            let expected = self.expected[number].clone();
            // The store finds out what is evidence.
            assert_eq!(game, &StoredGame { is_again: game.is_again, ..expected });
            self.reported.entry(*number).or_insert(game.finished());
        }
        assert!(self.reported.keys().eq(stored.keys()), "a game was told and is not there");
        assert!(
            self.reported
                .values()
                .all(|reported| reported.result == stored[&reported.number].result)
        );
    }

    /// The event is finished: everything that can be asked of it says the same.
    fn finish(mut self) {
        let mut event = Event::open(&self.dir).unwrap();
        assert_eq!(event.take_stock().unwrap(), []);
        self.compare(&event);
        assert_eq!(self.reported.len() as u64, event.schedule().len());
        assert_eq!((event.schedule(), event.total()), (self.schedule.clone(), event.tally().len()));
        standings_are_sums(&self.scenario.config, &event, self.reported.values());
        let of = |is: &dyn Fn(&FinishedGame) -> bool| {
            self.reported.values().filter(|game| is(game)).count() as u64
        };
        let spoiled = of(&|game| game.conditions.is_spoiled() && !game.conditions.is_void);
        let replayed = of(&|game| game.conditions.replays > 0 && !game.conditions.is_void);
        let counted = event.summary().spoiled;
        assert_eq!((counted.games, counted.replayed), (spoiled, replayed));
        assert_eq!(counted.void, of(&|game| game.conditions.is_void));
        if counted.void > 0 {
            self.coverage.note("void");
        }
        if replayed > 0 {
            self.coverage.note("games played again");
        }
        if self.dice.chance(600) {
            drop(event);
            self.damage();
        }
    }

    /// A few bytes of the database are not as they were. It is seen, or it is nothing; and a repair
    /// gives back what is whole.
    fn damage(&mut self) {
        let path = self.dir.join("event.db");
        let mut bytes = fs::read(&path).unwrap();
        for _ in 0..1 + self.dice.below(3) {
            let at = self.dice.index(bytes.len());
            bytes[at] ^= 1 << self.dice.below(8);
        }
        fs::write(&path, bytes).unwrap();
        match Event::open(&self.dir).and_then(|mut event| event.take_stock().map(|_| event)) {
            Ok(event) => {
                self.coverage.note("damage that does not");
                self.compare(&event);
            }
            Err(EventError::Store(StoreError::Damaged { .. })) => {
                self.coverage.note("damage that matters");
                Event::repair(&self.dir).unwrap().unwrap();
                self.reported.clear();
                while !self.run(false) {}
                let event = Event::open(&self.dir).unwrap();
                standings_are_sums(&self.scenario.config, &event, self.reported.values());
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The games when nothing comes between them.
fn uninterrupted(scenario: &Scenario) -> (BTreeMap<u64, StoredGame>, Schedule) {
    let (stop, context) = (Arc::new(Stop::new()), SimulatedWorker::default());
    let players = SimulatedRoster::new(&scenario.player_configs, &stop);
    players.use_context(&context);
    let mut course = Course::new(&scenario.config);
    let mut played = BTreeMap::new();
    loop {
        let schedule = course.schedule().clone();
        let drawn = std::iter::once(played.len() as u64 + 1..schedule.len() + 1).collect();
        let queue = GameQueue::new(&scenario.config, schedule, drawn, &players, &stop);
        let mut worker = queue.worker(&*context.time);
        let games = std::iter::from_fn(|| worker.play()).flat_map(|batch| batch.games);
        for game in games {
            assert!(course.note(&game.finished()));
            played.insert(game.number, game);
        }
        if !course.grow() {
            assert!(course.is_complete());
            return (played, course.schedule().clone());
        }
    }
}

/// Who has how many points, wins and losses of which kind, counted one by one.
fn standings_are_sums<'a>(
    config: &EventConfig,
    event: &Event,
    games: impl Iterator<Item = &'a FinishedGame> + Clone,
) {
    let summary = event.summary();
    let games = games.filter(|game| !game.conditions.is_void);
    assert_eq!(summary.games, games.clone().count() as u64);
    assert_eq!(summary.standings.len(), config.engines.len());
    for line in &summary.standings {
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        let mut causes = BTreeMap::new();
        for game in games.clone() {
            for seat in Seat::ALL.into_iter().filter(|&seat| game.seats[seat] == line.index) {
                match game.result.winner {
                    None => draws += 1,
                    Some(winner) if winner == seat => wins += 1,
                    Some(_) => {
                        losses += 1;
                        *causes.entry(game.result.termination).or_default() += 1;
                    }
                }
            }
        }
        assert_eq!((line.wins, line.draws, line.losses), (wins, draws, losses));
        assert_eq!(line.points, wins as f64 + 0.5 * draws as f64);
        assert_eq!(line.terminations, causes);
    }
}
