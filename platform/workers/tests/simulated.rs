//! An event that a thousand simulated workers play, in virtual time: some die, freeze or lie, and
//! what they send is late, lost or comes twice.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use tengen_arbiter::GameResult;
use tengen_players::{Player, RandomLegal};
use tengen_record::RecordWorker;
use tengen_testkit::{Dice, VirtualTime};
use tengen_tournament::{
    Affinity, EngineEntry, Event, EventConfig, GameJob, JobTable, JobTables, PlayedJob, Roster,
    RunOutcome, SpoiledOption, Stop, TableCpus,
};
use tengen_workers::{DispatchNews, Dispatcher, JobBus, JobReport, Returned};

/// Milliseconds of virtual time.
type Millis = u64;

/// How long a worker may be silent until its job is given to another one.
const LEASE: Millis = 30_000;
/// What passes while the coordinator looks once.
const STEP: Millis = 250;
const WORKERS: usize = 1000;
/// One worker in so many sends games that were not played so.
const LIARS: usize = 100;

struct RandomPlayers;

impl Roster for RandomPlayers {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(RandomLegal::new())
    }
}

fn config(games: u32, spoiled: SpoiledOption) -> EventConfig {
    EventConfig {
        size: "7".parse().unwrap(),
        tc: "nodes=1000".parse().unwrap(),
        games,
        seed: 3,
        spoiled,
        engines: (0..3).map(|engine| EngineEntry::new(format!("e{engine}"))).collect(),
        ..EventConfig::default()
    }
}

/// A job at the server.
struct SentJob {
    job: GameJob,
    /// When it may be given to a worker, again if it was given before.
    free_at: Millis,
}

/// What a worker does with a job.
#[derive(Clone, Copy)]
struct PlannedResult {
    at: Millis,
    worker: usize,
    job: GameJob,
    /// Whether it gives the job up instead.
    gives_up: bool,
}

/// The server and the workers, which go on while coordinators come and go.
struct Network {
    now: Millis,
    dice: Dice,
    jobs: BTreeMap<u64, SentJob>,
    /// The results by their sequence numbers.
    results: BTreeMap<u64, JobReport>,
    last: u64,
    planned: Vec<PlannedResult>,
    /// When each worker is free.
    busy: Vec<Millis>,
    aside: BTreeSet<usize>,
    is_paused: bool,
    /// What happened, so that nothing is tried that does not come about.
    lost: u32,
    late: u32,
    twice: u32,
    swallowed: u32,
}

impl Network {
    fn new() -> Network {
        Network {
            now: 0,
            dice: Dice::new(5),
            jobs: BTreeMap::new(),
            results: BTreeMap::new(),
            last: 0,
            planned: Vec::new(),
            busy: vec![0; WORKERS],
            aside: BTreeSet::new(),
            is_paused: false,
            lost: 0,
            late: 0,
            twice: 0,
            swallowed: 0,
        }
    }

    /// Lets workers take jobs and send what they played.
    fn step(&mut self, play: &mut dyn FnMut(&GameJob) -> PlayedJob) {
        self.now += STEP;
        let now = self.now;
        let due: Vec<_> = self.planned.extract_if(.., |planned| planned.at <= now).collect();
        for PlannedResult { worker, job, gives_up, .. } in due {
            let played = if gives_up { Returned::GivenUp } else { Returned::Games(play(&job)) };
            self.publish(worker, &job, played);
        }
        if self.is_paused {
            return;
        }
        let mut free: Vec<usize> = (0..WORKERS)
            .filter(|worker| self.busy[*worker] <= now && !self.aside.contains(worker))
            .collect();
        let waiting: Vec<u64> =
            self.jobs.iter().filter(|(_, job)| job.free_at <= now).map(|(job, _)| *job).collect();
        for number in waiting {
            let Some(worker) = free.pop() else { break };
            let sent = self.jobs.get_mut(&number).unwrap();
            sent.free_at = now + LEASE;
            let job = sent.job;
            let length = 1000 + self.dice.below(10_000);
            self.busy[worker] = now + length;
            let planned = |at, gives_up| PlannedResult { at, worker, job, gives_up };
            match self.dice.below(20) {
                // It dies, and another one takes its place.
                0 => self.lost += 1,
                // It acknowledges the job and sends nothing.
                3 => {
                    self.swallowed += 1;
                    self.jobs.remove(&number);
                }
                // It is frozen, or cut off, for longer than its job is kept for it.
                1 => {
                    self.late += 1;
                    let at = now + length + LEASE + self.dice.below(20_000);
                    self.busy[worker] = at;
                    self.planned.push(planned(at, false));
                }
                // The network is slow, and what it sends comes twice.
                2 => {
                    self.twice += 1;
                    for lag in [self.dice.below(5000), 5000] {
                        self.planned.push(planned(now + length + lag, false));
                    }
                }
                // It is stopped in order.
                4 => self.planned.push(planned(now + length / 2, true)),
                _ => self.planned.push(planned(now + length, false)),
            }
        }
    }

    /// The server takes one result of a job.
    fn publish(&mut self, worker: usize, job: &GameJob, mut played: Returned) {
        let number = job.first.number;
        self.jobs.remove(&number);
        // What comes when the first was read and removed already is the dispatcher's to know.
        if self.results.values().any(|report| report.job == number) {
            return;
        }
        if let Returned::Games(played) = &mut played
            && worker.is_multiple_of(LIARS)
        {
            let GameResult { winner, termination } = played.games[0].result;
            let winner = winner.map(|seat| !seat);
            played.games[0].result = GameResult { winner, termination };
            played.games[0].actions.truncate(3);
        }
        self.last += 1;
        let worker = RecordWorker { name: worker.to_string(), ..RecordWorker::default() };
        let report = JobReport { job: number, sequence: self.last, worker, played, size: 100 };
        self.results.insert(self.last, report);
    }
}

/// A coordinator's end of the line.
struct SimulatedBus<'a, 't> {
    network: &'a RefCell<Network>,
    table: &'a RefCell<JobTable<'t>>,
    /// The last result that it has received.
    received: u64,
}

impl JobBus for SimulatedBus<'_, '_> {
    fn class(&self, _job: &GameJob) -> usize {
        0
    }

    fn room(&mut self, _class: usize) -> usize {
        2 * WORKERS
    }

    fn send(&mut self, job: &GameJob) {
        let mut network = self.network.borrow_mut();
        let free_at = network.now;
        network.jobs.entry(job.first.number).or_insert(SentJob { job: *job, free_at });
    }

    fn receive(&mut self) -> Option<JobReport> {
        let mut network = self.network.borrow_mut();
        let next = network.results.range(self.received + 1..).next();
        if let Some((sequence, report)) = next {
            self.received = *sequence;
            return Some(report.clone());
        }
        network.step(&mut |job| self.table.borrow_mut().play(job).expect("nothing stops it"));
        None
    }

    fn forget(&mut self, sequence: u64) {
        self.network.borrow_mut().results.remove(&sequence);
    }

    fn send_again(&mut self, job: &GameJob, sequence: u64) {
        self.forget(sequence);
        self.send(job);
    }

    fn pause(&mut self, is_paused: bool) {
        self.network.borrow_mut().is_paused = is_paused;
    }

    fn set_aside(&mut self, worker: &str, _reason: &str) {
        self.network.borrow_mut().aside.insert(worker.parse().unwrap());
    }

    fn has_others(&mut self, _user: &str) -> bool {
        true
    }

    fn note_played(&mut self, _worker: &str) {}

    fn take_failing(&mut self) -> BTreeSet<String> {
        BTreeSet::new()
    }

    fn is_time_to_remind(&mut self) -> bool {
        self.network.borrow().now.is_multiple_of(LEASE)
    }

    fn failure(&mut self) -> Option<String> {
        None
    }

    fn call_back(&mut self) {
        self.network.borrow_mut().jobs.clear();
    }
}

/// Plays an event through the network, with a new coordinator after each so many games.
fn play_through_the_network(config: EventConfig, new_coordinators: &[u64]) {
    let folder = tempfile::tempdir().unwrap();
    let dir = folder.path().join("cup");
    let total = Event::create(&dir, config.clone()).unwrap().total();
    let (stop, time, network) = (Stop::new(), VirtualTime::default(), RefCell::new(Network::new()));
    let cpus = TableCpus::new(1, Affinity::None).unwrap();
    let tables = JobTables::new(&config, &RandomPlayers, &stop, &(), &cpus);
    let table = RefCell::new(tables.table(0, &time));
    let (mut told, mut aside) = (BTreeSet::new(), BTreeSet::new());
    let mut received = 0;
    for until in new_coordinators.iter().copied().chain([u64::MAX]) {
        let mut event = Event::open(&dir).unwrap();
        let stop = Stop::new();
        let mut tell = |news: DispatchNews| match news {
            DispatchNews::SetAside { worker, .. } => drop(aside.insert(worker)),
            DispatchNews::Unplayable { reason, .. } => panic!("{reason}"),
            DispatchNews::Counted { .. } | DispatchNews::Refused { .. } => {}
        };
        network.borrow_mut().jobs.clear();
        let bus = SimulatedBus { network: &network, table: &table, received: 0 };
        let mut dispatcher = Dispatcher::new(bus, &mut tell);
        let mut observe = |progress: &tengen_tournament::EventProgress<'_>| {
            for game in progress.games {
                assert!(told.insert(game.number), "game {} counts twice", game.number);
            }
            if progress.finished >= until {
                stop.request();
            }
        };
        let outcome = event
            .run_by(Some(&mut dispatcher), &RandomPlayers, &time, &stop, &mut observe, &())
            .unwrap();
        received = dispatcher.bus.received;
        let is_last = until == u64::MAX;
        assert_eq!(outcome == RunOutcome::Finished, is_last, "after {} games", told.len());
    }
    assert!(told.iter().copied().eq(1..=total), "every game counts once");
    let event = Event::open(&dir).unwrap();
    assert_eq!(event.recount().unwrap(), *event.tally());
    let by_worker = event.workers().unwrap();
    assert_eq!(by_worker.iter().map(|one| one.games).sum::<u64>(), total);
    assert!(by_worker.iter().all(|one| !one.is_suspicious()), "random players are alike anywhere");
    for record in event.records() {
        let record = record.unwrap();
        assert_eq!(tengen_record::replay(&record), Ok(record.result));
    }
    let network = network.into_inner();
    // What is left of jobs that were sent once more, and what comes after the last game, is removed
    // with the event.
    let left = network.results.keys().filter(|sequence| **sequence <= received).count();
    assert_eq!(left, 0, "results are left at the server");
    let Network { lost, late, twice, swallowed, .. } = network;
    assert!([lost, late, twice, swallowed].iter().all(|count| *count > 20), "it was tried");
    let is_liar = |name: &String| name.parse::<usize>().unwrap().is_multiple_of(LIARS);
    assert!(aside.iter().all(is_liar), "{aside:?}");
    // A new coordinator begins to count anew.
    assert!(!aside.is_empty() || !new_coordinators.is_empty());
}

#[test]
fn a_thousand_workers_play_each_game_once_in_spite_of_lag_loss_and_lies() {
    play_through_the_network(config(2000, SpoiledOption::Replay), &[]);
}

#[test]
fn coordinators_that_come_and_go_lose_nothing() {
    play_through_the_network(config(1000, SpoiledOption::ReplayPair), &[100, 101, 900, 2500]);
}
