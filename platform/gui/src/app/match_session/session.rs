use std::sync::Arc;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tengen_arbiter::Nanos;
use tengen_players::Time;
use tengen_tournament::{ConfigError, EventConfig, Roster};

use super::MatchCommand;
use super::handle::MatchHandle;
use super::match_loop::MatchLoop;
use crate::app::{EngineOutput, Snapshot};

/// Makes the source of a match's players. A source that was interrupted is not used again: every
/// player of it must return at once from then on, and the next game has players of a new one.
pub type RosterFactory = Box<dyn Fn() -> Arc<dyn Roster + Send + Sync> + Send>;

/// What a session plays.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// The match; its folders and its concurrency are not used.
    pub event: EventConfig,
    /// How long a finished game is left on the board before the next one begins.
    pub interval: Duration,
}

/// A match that is played on a thread of its own, one game after another, for whoever watches.
///
/// Dropping it gives up the running game and waits for the thread.
pub struct MatchSession {
    handle: Arc<MatchHandle>,
    thread: Option<JoinHandle<()>>,
}

impl MatchSession {
    /// Begins the first game.
    ///
    /// # Errors
    /// When the event cannot be held as configured.
    pub fn start(
        config: MatchConfig,
        roster_factory: RosterFactory,
        time: Arc<dyn Time + Send + Sync>,
    ) -> Result<MatchSession, ConfigError> {
        config.event.validate()?;
        let names = names(&config.event);
        let runner = MatchLoop::new(config, names);
        let handle = Arc::new(MatchHandle::new(runner.first_snapshot(), roster_factory, time));
        let shared = Arc::clone(&handle);
        let thread = thread::Builder::new()
            .name("match".to_owned())
            .spawn(move || runner.run(&shared))
            .expect("the system has a thread left");
        Ok(MatchSession { handle, thread: Some(thread) })
    }

    /// The match as it is.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.handle.snapshot()
    }

    /// What an engine of the match says, by its number; none has no such number.
    pub fn output(&self, engine: usize) -> Option<Arc<EngineOutput>> {
        self.handle.outputs.get(engine).cloned()
    }

    /// Asks for something. Returns at once.
    pub fn send(&self, command: MatchCommand) {
        self.handle.send(command);
    }

    /// The moment now, on the clock of the snapshots.
    pub fn now(&self) -> Nanos {
        self.handle.time.now()
    }

    /// Calls `wake` after each new snapshot, on some thread; it must return at once. Once in a
    /// session.
    pub fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        self.handle.on_change(Box::new(wake));
    }

    /// Waits for a snapshot of some kind. One that is replaced at once may be missed.
    pub fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        self.handle.wait_until(condition);
    }
}

impl Drop for MatchSession {
    fn drop(&mut self) {
        self.handle.quit();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the match's thread panicked");
        }
    }
}

/// How people read the engines: by the names they give themselves, where these tell them apart.
fn names(event: &EventConfig) -> Vec<String> {
    let labels = event.labels();
    let own = |name: &str| event.engines.iter().filter(|engine| engine.name == name).count() == 1;
    let engines = event.engines.iter().zip(labels);
    engines
        .map(
            |(engine, label)| {
                if !engine.name.is_empty() && own(&engine.name) {
                    engine.name.clone()
                } else {
                    label
                }
            },
        )
        .collect()
}
