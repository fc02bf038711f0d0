use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tengen_arbiter::{Failure, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_testkit::{Erratic, ErraticConfig, ExchangeLog, VirtualTime};

use crate::{Roster, Stop};

/// What belongs to one table of a simulated event.
#[derive(Clone, Debug, Default)]
pub(super) struct SimulatedWorker {
    pub time: Arc<VirtualTime>,
    pub journal: ExchangeLog,
}

/// Seats simulated players.
pub(super) struct SimulatedRoster {
    tempers: Vec<ErraticConfig>,
    /// The table that is being played at.
    desk: Mutex<SimulatedWorker>,
    fuse: Arc<StopCountdown>,
}

/// Requests a stop when so many questions have been put.
#[derive(Debug)]
struct StopCountdown {
    questions: AtomicI64,
    stop: Arc<Stop>,
}

impl SimulatedRoster {
    pub fn new(tempers: &[ErraticConfig], stop: &Arc<Stop>) -> SimulatedRoster {
        let fuse = StopCountdown { questions: AtomicI64::new(i64::MAX), stop: Arc::clone(stop) };
        SimulatedRoster { tempers: tempers.to_vec(), desk: Mutex::default(), fuse: Arc::new(fuse) }
    }

    /// Seats whoever is made from now on at this desk.
    pub fn sit_at(&self, desk: &SimulatedWorker) {
        *self.desk.lock().unwrap_or_else(PoisonError::into_inner) = desk.clone();
    }

    /// Requests a stop within the question after so many more.
    pub fn stop_after(&self, questions: u64) {
        self.fuse.questions.store(questions as i64, Ordering::Relaxed);
    }
}

impl Roster for SimulatedRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let desk = self.desk.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let erratic = Erratic::new(self.tempers[engine], desk.time, desk.journal);
        Box::new(StoppablePlayer { erratic, fuse: Arc::clone(&self.fuse) })
    }

    fn interrupt(&self) {}
}

/// A player that dies of being stopped, as an engine's process does.
struct StoppablePlayer {
    erratic: Erratic,
    fuse: Arc<StopCountdown>,
}

impl StoppablePlayer {
    fn is_stopped(&self) -> bool {
        if self.fuse.questions.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.fuse.stop.request();
        }
        self.fuse.stop.is_requested()
    }
}

impl Player for StoppablePlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let ready = self.erratic.new_game(game);
        if self.is_stopped() { Err(killed()) } else { ready }
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let reply = self.erratic.ask(request, time);
        if self.is_stopped() { Reply { outcome: Err(killed()), ..reply } } else { reply }
    }

    fn timing(&self) -> Timing {
        self.erratic.timing()
    }

    fn end_game(&mut self, result: GameResult) {
        self.erratic.end_game(result);
    }
}

fn killed() -> Fault {
    Fault { failure: Failure::Crash, detail: "killed by a signal".to_owned() }
}
