//! A game that somebody plays: persons and engines on the seats, on a thread of its own.
//!
//! The arbiter's table asks two *chairs*. A chair puts a question to whoever sits on it: an engine,
//! or a person, for whom it waits at the *desk*, where the window lays down what was clicked. All
//! that is not an answer to the open question (a pause, a move taken back, another one on the seat,
//! the end) is a *wish*: it makes the table stand up from the question, the *runner* does it with
//! the game, and sits down again.
//!
//! **Clocks.** A pause on a person's turn stops its clock at once and keeps what the turn took; an
//! engine's answer is awaited first. A move taken back gives its time back: the game stands again
//! as it stood before it, clocks too, so that its record replays. An engine that is interrupted by
//! a wish begins its turn anew, with what it took charged.

mod command;
mod game_loop;
mod handle;
mod hint;
mod recording;
mod seat_player;
mod show;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tengen_arbiter::{HistoryEntry, Nanos};
use tengen_players::Time;
use tengen_record::GameRecord;
use tengen_rules::Seat;

use super::archive::GameFile;
use super::{EngineOutput, EngineProvider, GameForm, GameFormProblem, Snapshot};
use game_loop::GameLoop;
use handle::GameHandle;

pub use command::GameCommand;

/// A game on a thread of its own, for whoever plays or watches.
///
/// Dropping it leaves the game where it is and waits for the thread.
pub struct GameSession {
    handle: Arc<GameHandle>,
    provider: Arc<dyn EngineProvider>,
    setup: GameForm,
    /// Where it is kept once it is over.
    path: Option<PathBuf>,
    thread: Option<JoinHandle<()>>,
}

/// What a game is played with.
pub struct GameContext {
    /// Where its engines come from.
    pub provider: Arc<dyn EngineProvider>,
    /// Its clock.
    pub time: Arc<dyn Time + Send + Sync>,
    /// What people at this window are called.
    pub person: String,
}

impl GameSession {
    /// Begins a game, or goes on with one that was kept, which then rests until it is continued.
    /// The sheet keeps it as it goes; none keeps nothing.
    ///
    /// # Errors
    /// When it cannot be played as it was set up.
    pub fn start(
        setup: GameForm,
        history: Option<Vec<HistoryEntry>>,
        file: Option<GameFile>,
        context: GameContext,
    ) -> Result<GameSession, GameFormProblem> {
        let provider = Arc::clone(&context.provider);
        let path = file.as_ref().map(GameFile::path);
        let runner = GameLoop::new(setup.clone(), history, file, &context)?;
        let handle =
            GameHandle::new(runner.snapshot(), setup.seats.clone(), context.person, context.time);
        let handle = Arc::new(handle);
        let shared = Arc::clone(&handle);
        let thread = thread::Builder::new()
            .name("game".to_owned())
            .spawn(move || runner.run(&shared))
            .expect("the system has a thread left");
        Ok(GameSession { handle, provider, setup, path, thread: Some(thread) })
    }

    /// The game as it is.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.handle.snapshot()
    }

    /// All that was done in it so far, once something was.
    pub fn record(&self) -> Option<Arc<GameRecord>> {
        self.handle.record()
    }

    /// The file that it is kept in, once it is over.
    pub fn path(&self) -> Option<&Path> {
        let snapshot = self.snapshot();
        let is_written = self.record().is_some_and(|record| !record.actions.is_empty());
        let is_kept = snapshot.result.is_some() && snapshot.save_error.is_none() && is_written;
        self.path.as_deref().filter(|_| is_kept)
    }

    /// What the engine on a seat says.
    pub fn output(&self, seat: Seat) -> Arc<EngineOutput> {
        Arc::clone(&self.handle.outputs[seat])
    }

    /// How it was set up, with those who sit there now.
    pub fn setup(&self) -> GameForm {
        GameForm { seats: self.handle.specs(), ..self.setup.clone() }
    }

    /// Asks for something. Returns at once; what does not fit does nothing.
    pub fn send(&self, command: GameCommand) {
        if let GameCommand::Hint(engine) = &command {
            hint::ask(&self.handle, &self.provider, engine.clone(), self.setup.budget());
        } else {
            self.handle.send(command);
        }
    }

    /// The moment now, on the clock of the snapshots.
    pub fn now(&self) -> Nanos {
        self.handle.time.now()
    }

    /// Calls `wake` after each new snapshot, on some thread; it must return at once. Once in a
    /// game.
    pub fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        self.handle.on_change(Box::new(wake));
    }

    /// Waits for a snapshot of some kind. One that is replaced at once may be missed.
    pub fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        self.handle.wait_until(condition);
    }
}

impl Drop for GameSession {
    fn drop(&mut self) {
        self.handle.quit();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the game's thread panicked");
        }
    }
}
