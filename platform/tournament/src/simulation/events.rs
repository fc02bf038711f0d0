//! Simulated events that are stopped, killed and resumed.

use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};

use tempfile::TempDir;
use tengen_rules::Seat;
use tengen_testkit::Dice;

use super::games::check_all;
use super::roster::{SimulatedRoster, SimulatedWorker};
use super::scenario::Scenario;
use super::{Coverage, simulate};
use crate::event::{GameQueue, GameSink, LookAfter, Workforce};
use crate::formats::Course;
use crate::store::{Commit, GameBatch, StoreWriter, StoredGame};
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Interruption {
    /// Nothing.
    End,
    /// The event is stopped within a question.
    Stop,
    Full,
    /// Nothing can be written any more.
    Sealed,
    /// The program is killed: between two steps, or between a commit and the telling of it.
    Crash,
}

impl Interruption {
    const ALL: [Interruption; 5] = [
        Interruption::End,
        Interruption::Stop,
        Interruption::Full,
        Interruption::Sealed,
        Interruption::Crash,
    ];
}

/// More games than a scenario has, so that handing one in never waits.
const MOST_HANDED_IN: usize = 1024;

/// The threads of an event. One at a time makes a step, chosen at random.
struct SimulatedThreads<'a> {
    config: EventConfig,
    schedule: Schedule,
    players: &'a SimulatedRoster,
    dice: Dice,
}

impl Workforce for SimulatedThreads<'_> {
    fn play(&mut self, queue: &GameQueue<'_>, sink: GameSink<'_>, look_after: LookAfter<'_>) {
        let contexts: Vec<_> =
            (0..self.config.concurrency).map(|_| SimulatedWorker::default()).collect();
        let mut tables: Vec<_> = contexts
            .iter()
            .map(|context| (context, queue.worker(&*context.time), sink.clone()))
            .collect();
        drop(sink);
        loop {
            if tables.is_empty() || self.dice.chance(400) {
                match look_after() {
                    Some(_) => continue,
                    None => return,
                }
            }
            let chosen = self.dice.index(tables.len());
            let (context, worker, sink) = &mut tables[chosen];
            self.players.use_context(context);
            let batch = worker.play();
            let events = context.log.take();
            if let Some(batch) = &batch {
                check_all(&self.config, &self.schedule, batch, events);
            }
            if !batch.is_some_and(|batch| sink.put(batch)) {
                tables.remove(chosen);
            }
        }
    }
}

struct SimulatedSaving {
    interruption: Interruption,
    writer: StoreWriter,
    /// Those that are handed in.
    games: Receiver<GameBatch>,
    ended: VecDeque<GameBatch>,
    /// How many commits are left until nothing can be written, and steps until the program is
    /// killed.
    commits: u64,
    steps: u64,
    has_crashed: bool,
}

impl SimulatedSaving {
    /// Saves some of the games that have ended. Whether more may come.
    fn step(&mut self, trial: &mut EventTrial<'_>, queue: &GameQueue<'_>) -> bool {
        if self.steps == 0 {
            return self.crash("killed", trial);
        }
        self.steps -= 1;
        let is_open = loop {
            match self.games.try_recv() {
                Ok(batch) => self.ended.push_back(batch),
                Err(error) => break error == TryRecvError::Empty,
            }
        };
        if self.ended.is_empty() {
            return is_open;
        }
        if self.commits == 0 {
            self.writer.seal();
        }
        self.commits = self.commits.saturating_sub(1);
        let some = 1 + trial.dice.index(self.ended.len());
        let is_crash = self.interruption == Interruption::Crash;
        match self.writer.commit(self.ended.drain(..some)) {
            Ok(_) if is_crash && trial.dice.chance(100) => {
                return self.crash("killed between a commit and its telling", trial);
            }
            Ok(reported) => trial.tell(reported),
            Err(error) => {
                let expected = match (&error, self.interruption) {
                    (StoreError::Full { .. }, Interruption::Full) => "disk full",
                    (StoreError::Refused { .. }, Interruption::Sealed) => "sealed",
                    _ => panic!("{error}"),
                };
                trial.coverage.note(expected);
                queue.fail();
                self.ended.clear();
            }
        }
        true
    }

    fn crash(&mut self, how: &str, trial: &mut EventTrial<'_>) -> bool {
        trial.coverage.note(how);
        trial.crash();
        self.has_crashed = true;
        false
    }
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
        let interruption =
            if disturbed { self.dice.pick(&Interruption::ALL) } else { Interruption::End };
        let stop = Arc::new(Stop::new());
        let players = SimulatedRoster::new(&self.scenario.player_configs, &stop);
        if interruption == Interruption::Stop {
            players.stop_after(self.dice.below(200));
        }
        let writer = StoreWriter::open(&event.database(), event.schedule()).unwrap();
        if interruption == Interruption::Full {
            writer.leave_room_for(0);
        }
        if event.schedule() != event.config().schedule() {
            self.coverage.note("a round drawn by another run");
        }
        let queue = GameQueue::new(event.config(), event.schedule(), unfinished, &players, &stop);
        let (sink, games) = sync_channel(MOST_HANDED_IN);
        let mut threads = SimulatedThreads {
            config: self.scenario.config.clone(),
            schedule: self.schedule.clone(),
            players: &players,
            dice: Dice::new(self.dice.below(u64::MAX)),
        };
        let mut saving = SimulatedSaving {
            commits: if interruption == Interruption::Sealed {
                self.dice.below(9)
            } else {
                u64::MAX
            },
            steps: if interruption == Interruption::Crash { self.dice.below(60) } else { u64::MAX },
            interruption,
            writer,
            games,
            ended: VecDeque::new(),
            has_crashed: false,
        };
        threads.play(&queue, GameSink::new(sink, &queue), &mut || {
            saving.step(self, &queue).then(Vec::new)
        });
        if saving.has_crashed {
            return false;
        }
        saving.writer.close().unwrap();
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

    /// A few bytes of the database have changed. That is noticed, or it changes nothing; and a
    /// repair restores what is whole.
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

/// The points and wins of each engine, and its losses by kind, counted one by one.
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
