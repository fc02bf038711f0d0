//! What the tests of events share: rosters of simulated players, and a folder to play in.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};

use tempfile::TempDir;
use tengen_arbiter::Failure;
use tengen_players::{Fault, GameSetup, Player, RandomLegal, Reply, Request, Time};
use tengen_testkit::{Misbehaving, Misbehavior, VirtualTime};
use tengen_tournament::{
    EngineEntry, Event, EventConfig, EventProgress, Roster, RunOutcome, SpoiledOption, Stop,
};

/// An event's folder that goes when the test does.
pub struct TestEvent {
    _folder: TempDir,
    pub dir: PathBuf,
}

impl TestEvent {
    pub fn new() -> TestEvent {
        let folder = tempfile::tempdir().unwrap();
        TestEvent { dir: folder.path().join("cup"), _folder: folder }
    }

    /// With an event that is made in it.
    pub fn with(config: EventConfig) -> (TestEvent, Event) {
        let test = TestEvent::new();
        let event = Event::create(&test.dir, config).unwrap();
        (test, event)
    }

    /// The same, played to its end.
    pub fn finished(config: EventConfig) -> (TestEvent, Event) {
        let test = TestEvent::new();
        let event = finish(&test.dir, config);
        (test, event)
    }
}

/// Small boards, so that random games are short.
pub fn config(engines: usize, games: u32, seed: u64) -> EventConfig {
    EventConfig {
        size: "7".parse().unwrap(),
        tc: "nodes=1000".parse().unwrap(),
        games,
        seed,
        concurrency: 2,
        spoiled: SpoiledOption::Keep,
        engines: (0..engines).map(|engine| EngineEntry::new(format!("e{engine}"))).collect(),
        ..EventConfig::default()
    }
}

/// Engine 0 misbehaves in this way at its third stone, if in any; the others play at random.
pub struct MisbehavingRoster {
    pub misdeed: Option<Misbehavior>,
    pub time: Arc<VirtualTime>,
    pub made: AtomicUsize,
}

impl MisbehavingRoster {
    pub fn new(misdeed: Option<Misbehavior>) -> MisbehavingRoster {
        MisbehavingRoster { misdeed, time: Arc::default(), made: AtomicUsize::new(0) }
    }
}

impl Roster for MisbehavingRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        self.made.fetch_add(1, Ordering::Relaxed);
        match self.misdeed {
            Some(misdeed) if engine == 0 => {
                Box::new(Misbehaving::new(misdeed, 3, Arc::clone(&self.time)))
            }
            _ => Box::new(RandomLegal::new()),
        }
    }
}

/// Runs an event with players that do not misbehave.
pub fn run(event: &mut Event, stop: &Stop, tell: &mut dyn FnMut(&EventProgress<'_>)) -> RunOutcome {
    let roster = MisbehavingRoster::new(None);
    event.run(&roster, &*roster.time, stop, tell).unwrap()
}

/// Plays an event to its end.
pub fn finish(dir: &Path, config: EventConfig) -> Event {
    let mut event = Event::create(dir, config).unwrap();
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    event
}

/// The exported records.
pub fn export(event: &Event) -> String {
    let path = event.dir().join("games.jsonl");
    event.export_records(&path).unwrap();
    std::fs::read_to_string(path).unwrap()
}

/// Players that wait until they are interrupted, and then die, as the process of an engine does.
#[derive(Default)]
pub struct WaitingRoster {
    state: Arc<WaitingState>,
}

#[derive(Default)]
struct WaitingState {
    /// How many wait, and whether they have been interrupted.
    waiting: Mutex<(usize, bool)>,
    changed: Condvar,
}

impl WaitingRoster {
    /// Blocks until so many players are being waited for.
    pub fn wait_for(&self, players: usize) {
        let state = self.state.waiting.lock().unwrap();
        drop(self.state.changed.wait_while(state, |state| state.0 < players).unwrap());
    }
}

impl Roster for WaitingRoster {
    fn player(&self, _engine: usize) -> Box<dyn Player> {
        Box::new(WaitingPlayer(Arc::clone(&self.state)))
    }

    fn interrupt(&self) {
        self.state.waiting.lock().unwrap().1 = true;
        self.state.changed.notify_all();
    }
}

struct WaitingPlayer(Arc<WaitingState>);

impl Player for WaitingPlayer {
    fn new_game(&mut self, _game: &GameSetup) -> Result<(), Fault> {
        Ok(())
    }

    fn ask(&mut self, _request: &Request<'_>, time: &dyn Time) -> Reply {
        let asked_at = time.now();
        let mut state = self.0.waiting.lock().unwrap();
        state.0 += 1;
        self.0.changed.notify_all();
        drop(self.0.changed.wait_while(state, |state| !state.1).unwrap());
        let fault = Fault { failure: Failure::Crash, detail: "killed by a signal".to_owned() };
        Reply::new(asked_at, time.now(), Err(fault))
    }
}
