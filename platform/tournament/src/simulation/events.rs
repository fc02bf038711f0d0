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
use crate::store::{Commit, StoreWriter, StoredGame};
use crate::{Event, EventConfig, EventError, FinishedGame, Stop, StoreError, Tally};

#[test]
fn events_keep_what_they_tell() {
    let reached = Coverage::default();
    simulate("events_keep_what_they_tell", 0..700, |seed| {
        let mut dice = Dice::new(seed);
        let world = Scenario::draw(&mut dice, 4, 9);
        let mut trial = EventTrial::new(dice, world, &reached);
        let mut runs = 0;
        while !trial.run(runs < 20) {
            runs += 1;
        }
        trial.finish();
    });
    reached.assert_all(&[
        "stopped",
        "disk full",
        "sealed",
        "killed",
        "killed between a commit and its telling",
        "damage that matters",
        "damage that does not",
        "pairs played again",
    ]);
}

/// An event that is played again and again until it is finished, whatever comes between.
struct EventTrial<'a> {
    reached: &'a Coverage,
    dice: Dice,
    world: Scenario,
    /// The games as they are when nothing comes between.
    expected: BTreeMap<u64, StoredGame>,
    told: BTreeMap<u64, FinishedGame>,
    folder: TempDir,
    /// The event's folder, a new one after each crash.
    dir: PathBuf,
}

/// What comes between.
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
    fn new(dice: Dice, world: Scenario, reached: &'a Coverage) -> EventTrial<'a> {
        // In memory where there is such a file system: thousands of events wait for the disk.
        let memory = Path::new("/dev/shm");
        let folder = if memory.is_dir() { tempfile::tempdir_in(memory) } else { TempDir::new() };
        let folder = folder.unwrap();
        let dir = folder.path().join("0");
        let event = Event::create(&dir, world.config.clone()).unwrap();
        assert_eq!(*event.config(), world.config);
        let expected = undisturbed(&world);
        EventTrial { reached, dice, world, expected, told: BTreeMap::new(), folder, dir }
    }

    /// One run of the program. Whether the event is finished.
    fn run(&mut self, disturbed: bool) -> bool {
        let mut event = Event::open(&self.dir).unwrap();
        let unfinished = event.take_stock().unwrap();
        self.compare(&event);
        let fates = [
            Interruption::End,
            Interruption::Stop,
            Interruption::Full,
            Interruption::Sealed,
            Interruption::Crash,
        ];
        let fate = if disturbed { self.dice.pick(&fates) } else { Interruption::End };
        let stop = Arc::new(Stop::new());
        let players = SimulatedRoster::new(&self.world.tempers, &stop);
        if fate == Interruption::Stop {
            players.stop_after(self.dice.below(200));
        }
        let mut writer = StoreWriter::open(&event.database(), event.schedule()).unwrap();
        if fate == Interruption::Full {
            writer.leave_room_for(0);
        }
        let mut commits = if fate == Interruption::Sealed { self.dice.below(9) } else { u64::MAX };
        let queue = GameQueue::new(event.config(), unfinished, &players, &stop);
        let desks: Vec<SimulatedWorker> =
            (0..self.world.config.concurrency).map(|_| SimulatedWorker::default()).collect();
        let mut tables: Vec<_> =
            desks.iter().map(|desk| (desk, Some(queue.worker(&*desk.time)))).collect();
        let mut steps = if fate == Interruption::Crash { self.dice.below(60) } else { u64::MAX };
        let mut ended = VecDeque::new();
        loop {
            if steps == 0 {
                self.reached.note("killed");
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
                let (desk, table) = &mut tables[self.dice.pick(&open)];
                players.sit_at(desk);
                let game = table.as_mut().and_then(|table| table.play());
                let happenings = desk.journal.take();
                match game {
                    Some(delivery) => {
                        check_all(&self.world.config, &delivery, happenings);
                        ended.push_back(delivery);
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
                Ok(_) if fate == Interruption::Crash && self.dice.chance(100) => {
                    self.reached.note("killed between a commit and its telling");
                    self.crash();
                    return false;
                }
                Ok(told) => self.tell(told),
                Err(error) => {
                    match (&error, fate) {
                        (StoreError::Full { .. }, Interruption::Full) => {
                            self.reached.note("disk full")
                        }
                        (StoreError::Refused { .. }, Interruption::Sealed) => {
                            self.reached.note("sealed")
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
            self.reached.note("stopped");
        }
        drop(event);
        let event = Event::open(&self.dir).unwrap();
        assert_eq!(event.tally().len(), self.told.len() as u64, "what is stored was told");
        event.tally().len() == event.schedule().len()
    }

    fn tell(&mut self, told: Commit) {
        let mut tally = Tally::default();
        for game in &told.games {
            tally.add_game(game.seats, game.result);
            assert_eq!(self.told.insert(game.number, *game), None, "told twice");
        }
        assert_eq!(tally.games, told.tally.games);
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
            assert_eq!(game, &self.expected[number]);
            self.told.entry(*number).or_insert(FinishedGame {
                number: *number,
                seats: game.seats,
                result: game.result,
                plies: game.plies,
                conditions: game.conditions,
            });
        }
        assert!(self.told.keys().eq(stored.keys()), "a game was told and is not there");
        assert!(self.told.values().all(|told| told.result == stored[&told.number].result));
    }

    /// The event is finished: everything that can be asked of it says the same.
    fn finish(mut self) {
        let mut event = Event::open(&self.dir).unwrap();
        assert_eq!(event.take_stock().unwrap(), []);
        self.compare(&event);
        assert_eq!(self.told.len() as u64, event.schedule().len());
        standings_are_sums(&self.world.config, &event, self.told.values());
        let spoiled = self.told.values().filter(|game| game.conditions.is_spoiled()).count();
        let replayed = self.told.values().filter(|game| game.conditions.replays > 0).count();
        let counted = event.summary().spoiled;
        assert_eq!((counted.games, counted.replayed), (spoiled as u64, replayed as u64));
        if replayed > 0 {
            self.reached.note("pairs played again");
        }
        if self.dice.chance(300) {
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
                self.reached.note("damage that does not");
                self.compare(&event);
            }
            Err(EventError::Store(StoreError::Damaged { .. })) => {
                self.reached.note("damage that matters");
                Event::repair(&self.dir).unwrap().unwrap();
                self.told.clear();
                while !self.run(false) {}
                let event = Event::open(&self.dir).unwrap();
                standings_are_sums(&self.world.config, &event, self.told.values());
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The games when nothing comes between them.
fn undisturbed(world: &Scenario) -> BTreeMap<u64, StoredGame> {
    let (stop, desk) = (Arc::new(Stop::new()), SimulatedWorker::default());
    let players = SimulatedRoster::new(&world.tempers, &stop);
    players.sit_at(&desk);
    let all = std::iter::once(1..world.config.schedule().len() + 1).collect();
    let queue = GameQueue::new(&world.config, all, &players, &stop);
    let mut worker = queue.worker(&*desk.time);
    let games = std::iter::from_fn(|| worker.play()).flat_map(|delivery| delivery.games);
    games.map(|game| (game.number, game)).collect()
}

/// Who has how many points, wins and losses of which kind, counted one by one.
fn standings_are_sums<'a>(
    config: &EventConfig,
    event: &Event,
    games: impl Iterator<Item = &'a FinishedGame> + Clone,
) {
    let summary = event.summary();
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
