//! A game with persons and engines, on a thread of its own.
//!
//! The thread runs a [`GameLoop`]: the tournament's game runner asks two [`SeatPlayer`]s. A seat
//! player passes the question to an engine, or waits for a person's answer on the [`GameHandle`],
//! which the thread shares with the window. Everything else that changes a game (a pause, a
//! take-back, another player on a seat, the end) is a [`GameRequest`](handle::GameRequest): it
//! interrupts the open question, the loop handles it, and the game goes on.
//!
//! **Clocks.** A pause on a person's turn stops the clock at once and keeps the time used; an
//! engine's answer is awaited first. A take-back restores the clocks too, so that the record
//! replays. An engine that is interrupted by a request starts its turn again, with the time it used
//! charged.

mod command;
mod game_loop;
mod handle;
mod hint;
mod recording;
mod seat_player;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_arbiter::Nanos;
use tengen_lineup::EngineProvider;
use tengen_players::Time;
use tengen_record::GameRecord;
use tengen_rules::{BySeat, Seat};

use super::EngineOutput;
use crate::app::model::{GameForm, GameFormProblem, Snapshot};
use crate::app::storage::archive::GameFile;
use crate::app::storage::worker_thread::JoinedThread;
use game_loop::GameLoop;
use handle::GameHandle;

pub use command::GameCommand;

/// A game on a thread of its own.
///
/// Dropping it leaves the game where it is and waits for the thread.
pub struct GameSession {
    handle: Arc<GameHandle>,
    provider: Arc<dyn EngineProvider>,
    setup: GameForm,
    /// The file it is saved in once it is over.
    path: Option<PathBuf>,
    _thread: JoinedThread,
}

/// What a game needs from outside.
pub struct GameContext {
    /// Lists and starts its engines.
    pub provider: Arc<dyn EngineProvider>,
    /// Its clock.
    pub time: Arc<dyn Time + Send + Sync>,
    /// What a person at this window is called on either seat.
    pub persons: BySeat<String>,
}

impl GameSession {
    /// Starts a game, or continues a saved one, which is then paused. Without a file it is not
    /// saved.
    ///
    /// # Errors
    /// When it cannot be played with these settings.
    pub fn start(
        setup: GameForm,
        saved: Option<GameRecord>,
        file: Option<GameFile>,
        context: GameContext,
    ) -> Result<GameSession, GameFormProblem> {
        let provider = Arc::clone(&context.provider);
        let path = file.as_ref().map(GameFile::path);
        let mut persons = context.persons.clone();
        let saved_person = |seat: Seat| {
            let player = saved.as_ref()?.header.last_player(seat);
            player.is_person().then(|| player.name.clone())
        };
        for seat in Seat::ALL {
            persons[seat] = saved_person(seat).unwrap_or(std::mem::take(&mut persons[seat]));
        }
        let runner = GameLoop::new(setup.clone(), saved, file, &context)?;
        let handle = GameHandle::new(runner.snapshot(), setup.seats.clone(), persons, context.time);
        let handle = Arc::new(handle);
        let shared = Arc::clone(&handle);
        let thread = JoinedThread::spawn("game", move || runner.run(&shared))
            .expect("the system has a thread left");
        Ok(GameSession { handle, provider, setup, path, _thread: thread })
    }

    /// The current state of the game.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.handle.snapshot()
    }

    /// The record so far, once there is one.
    pub fn record(&self) -> Option<Arc<GameRecord>> {
        self.handle.record()
    }

    /// The file that it has once it is over, whether it is there yet or not.
    pub(in crate::app) fn file(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The file it is saved in, once it is over.
    pub fn path(&self) -> Option<&Path> {
        let snapshot = self.snapshot();
        let is_written = self.record().is_some_and(|record| !record.actions.is_empty());
        let is_kept = snapshot.result.is_some() && snapshot.save_error.is_none() && is_written;
        self.path.as_deref().filter(|_| is_kept)
    }

    pub fn output(&self, seat: Seat) -> Arc<EngineOutput> {
        Arc::clone(&self.handle.outputs[seat])
    }

    /// Its settings, with the current players.
    pub fn setup(&self) -> GameForm {
        GameForm { seats: self.handle.specs(), ..self.setup.clone() }
    }

    /// Sends a command. Returns at once; one that does not fit does nothing.
    pub fn send(&self, command: GameCommand) {
        if let GameCommand::Hint(engine) = &command {
            hint::ask(&self.handle, &self.provider, engine.clone(), self.setup.budget());
        } else {
            self.handle.send(command);
        }
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

impl Drop for GameSession {
    fn drop(&mut self) {
        self.handle.quit();
    }
}
