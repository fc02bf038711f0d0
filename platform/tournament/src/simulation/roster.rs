//! The players of a simulated event.

use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_arbiter::{Failure, GameResult};
use tengen_players::{Fault, GameSetup, Player, Reply, Request, Time, Timing};
use tengen_testkit::{Erratic, ErraticConfig, ExchangeLog, VirtualTime};

use crate::{Roster, Stop};

/// The clock and the log of one worker of a simulated event.
#[derive(Clone, Debug, Default)]
pub(super) struct SimulatedWorker {
    pub time: Arc<VirtualTime>,
    pub log: ExchangeLog,
}

/// Simulated players, which play for the worker that is set.
pub(super) struct SimulatedRoster {
    player_configs: Vec<ErraticConfig>,
    /// The worker that plays now.
    context: Arc<Mutex<SimulatedWorker>>,
    countdown: Arc<StopCountdown>,
}

/// Requests a stop after a number of questions.
#[derive(Debug)]
struct StopCountdown {
    questions: AtomicI64,
    stop: Arc<Stop>,
}

impl SimulatedRoster {
    pub fn new(player_configs: &[ErraticConfig], stop: &Arc<Stop>) -> SimulatedRoster {
        let countdown =
            StopCountdown { questions: AtomicI64::new(i64::MAX), stop: Arc::clone(stop) };
        SimulatedRoster {
            player_configs: player_configs.to_vec(),
            context: Arc::default(),
            countdown: Arc::new(countdown),
        }
    }

    /// Lets this worker play from now on.
    pub fn use_context(&self, context: &SimulatedWorker) {
        *lock(&self.context) = context.clone();
    }

    /// Requests a stop after this many more questions.
    pub fn stop_after(&self, questions: u64) {
        self.countdown.questions.store(questions as i64, Ordering::Relaxed);
    }
}

impl Roster for SimulatedRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let SimulatedWorker { time, log } = lock(&self.context).clone();
        let erratic = Erratic::new(self.player_configs[engine], time, log);
        let (context, countdown) = (Arc::clone(&self.context), Arc::clone(&self.countdown));
        Box::new(StoppablePlayer { erratic, context, countdown })
    }
}

/// A player that fails when it is stopped, as an engine's process does.
struct StoppablePlayer {
    erratic: Erratic,
    context: Arc<Mutex<SimulatedWorker>>,
    countdown: Arc<StopCountdown>,
}

impl StoppablePlayer {
    fn is_stopped(&self) -> bool {
        if self.countdown.questions.fetch_sub(1, Ordering::Relaxed) == 0 {
            self.countdown.stop.request();
        }
        self.countdown.stop.is_requested()
    }
}

impl Player for StoppablePlayer {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        let SimulatedWorker { time, log } = lock(&self.context).clone();
        self.erratic.move_to(time, log);
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

fn lock(context: &Mutex<SimulatedWorker>) -> MutexGuard<'_, SimulatedWorker> {
    context.lock().unwrap_or_else(PoisonError::into_inner)
}

fn killed() -> Fault {
    Fault { failure: Failure::Crash, detail: "killed by a signal".to_owned() }
}
