//! A match in a tab.

use std::sync::Arc;
use std::time::Duration;

use tengen_arbiter::Nanos;
use tengen_players::Time;
use tengen_tournament::{ConfigError, EventConfig, Roster, SpoiledOption};

use super::MatchCommand;
use super::handle::MatchHandle;
use super::match_loop::MatchLoop;
use crate::app::model::Snapshot;
use crate::app::session::EngineOutput;
use crate::app::storage::worker_thread::JoinedThread;

/// Creates the roster of a match. An interrupted roster is not used again: every player of it must
/// return at once from then on, and the next game gets players of a new one.
pub type RosterFactory = Box<dyn Fn() -> Arc<dyn Roster + Send + Sync> + Send>;

/// The configuration of a match.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// The match; its folders and concurrency are not used.
    pub event: EventConfig,
    /// How long a finished game is shown before the next one starts.
    pub interval: Duration,
}

/// A match on a thread of its own, one game after another.
///
/// Dropping it stops the running game and waits for the thread.
pub struct MatchSession {
    handle: Arc<MatchHandle>,
    _thread: JoinedThread,
}

impl MatchSession {
    /// Starts the first game.
    ///
    /// # Errors
    /// When the configuration is not valid.
    pub fn start(
        config: MatchConfig,
        roster_factory: RosterFactory,
        time: Arc<dyn Time + Send + Sync>,
    ) -> Result<MatchSession, ConfigError> {
        config.event.validate()?;
        // A result counts as soon as it is seen.
        let event = EventConfig { spoiled: SpoiledOption::Keep, ..config.event };
        let runner = MatchLoop::new(event, config.interval);
        let handle = Arc::new(MatchHandle::new(runner.first_snapshot(), roster_factory, time));
        let shared = Arc::clone(&handle);
        let thread = JoinedThread::spawn("match", move || runner.run(&shared))
            .expect("the system has a thread left");
        Ok(MatchSession { handle, _thread: thread })
    }

    /// The current state of the match.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.handle.state.snapshot()
    }

    /// The output of an engine, by its index.
    pub fn output(&self, engine: usize) -> Option<Arc<EngineOutput>> {
        self.handle.outputs.get(engine).cloned()
    }

    /// Sends a command. Returns at once.
    pub fn send(&self, command: MatchCommand) {
        self.handle.send(command);
    }

    /// The current time, on the clock of the snapshots.
    pub fn now(&self) -> Nanos {
        self.handle.time.now()
    }

    /// Calls `wake` after each new snapshot, on some thread; it must return at once. May be called
    /// once.
    pub fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        self.handle.state.on_change(Box::new(wake));
    }

    /// Waits for a snapshot that fits. One that is replaced at once may be missed.
    pub fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        self.handle.state.wait_until(condition);
    }
}

impl Drop for MatchSession {
    fn drop(&mut self) {
        self.handle.quit();
    }
}
