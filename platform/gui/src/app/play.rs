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

mod chair;
mod command;
mod desk;
mod hint;
mod keeping;
mod runner;
mod showing;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tengen_arbiter::{HistoryEntry, Nanos};
use tengen_players::Time;
use tengen_record::GameRecord;
use tengen_rules::Seat;

use super::archive::Sheet;
use super::{Live, Setup, SetupProblem, Shelf, Snapshot};
use desk::Desk;
use runner::Runner;

pub use command::PlayCommand;

/// A game on a thread of its own, for whoever plays or watches.
///
/// Dropping it leaves the game where it is and waits for the thread.
pub struct Play {
    desk: Arc<Desk>,
    shelf: Arc<dyn Shelf>,
    setup: Setup,
    /// Where it is kept once it is over.
    path: Option<PathBuf>,
    thread: Option<JoinHandle<()>>,
}

/// What a game is played with.
pub struct Room {
    /// Where its engines come from.
    pub shelf: Arc<dyn Shelf>,
    /// Its clock.
    pub time: Arc<dyn Time + Send + Sync>,
    /// What people at this window are called.
    pub person: String,
}

impl Play {
    /// Begins a game, or goes on with one that was kept, which then rests until it is continued.
    /// The sheet keeps it as it goes; none keeps nothing.
    ///
    /// # Errors
    /// When it cannot be played as it was set up.
    pub fn start(
        setup: Setup,
        history: Option<Vec<HistoryEntry>>,
        sheet: Option<Sheet>,
        room: Room,
    ) -> Result<Play, SetupProblem> {
        let shelf = Arc::clone(&room.shelf);
        let path = sheet.as_ref().map(Sheet::path);
        let runner = Runner::new(setup.clone(), history, sheet, &room)?;
        let desk = Desk::new(runner.snapshot(), setup.seats.clone(), room.person, room.time);
        let desk = Arc::new(desk);
        let shared = Arc::clone(&desk);
        let thread = thread::Builder::new()
            .name("game".to_owned())
            .spawn(move || runner.run(&shared))
            .expect("the system has a thread left");
        Ok(Play { desk, shelf, setup, path, thread: Some(thread) })
    }

    /// The game as it is.
    pub fn snapshot(&self) -> Arc<Snapshot> {
        self.desk.snapshot()
    }

    /// All that was done in it so far, once something was.
    pub fn record(&self) -> Option<Arc<GameRecord>> {
        self.desk.record()
    }

    /// The file that it is kept in, once it is over.
    pub fn path(&self) -> Option<&Path> {
        let snapshot = self.snapshot();
        let is_written = self.record().is_some_and(|record| !record.actions.is_empty());
        let is_kept = snapshot.result.is_some() && snapshot.unkept.is_none() && is_written;
        self.path.as_deref().filter(|_| is_kept)
    }

    /// What the engine on a seat says.
    pub fn live(&self, seat: Seat) -> Arc<Live> {
        Arc::clone(&self.desk.lives[seat])
    }

    /// How it was set up, with those who sit there now.
    pub fn setup(&self) -> Setup {
        Setup { seats: self.desk.occupants(), ..self.setup.clone() }
    }

    /// Asks for something. Returns at once; what does not fit does nothing.
    pub fn send(&self, command: PlayCommand) {
        if let PlayCommand::Hint(engine) = &command {
            hint::ask(&self.desk, &self.shelf, engine.clone(), self.setup.budget());
        } else {
            self.desk.send(command);
        }
    }

    /// The moment now, on the clock of the snapshots.
    pub fn now(&self) -> Nanos {
        self.desk.time.now()
    }

    /// Calls `wake` after each new snapshot, on some thread; it must return at once. Once in a
    /// game.
    pub fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        self.desk.on_change(Box::new(wake));
    }

    /// Waits for a snapshot of some kind. One that is replaced at once may be missed.
    pub fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        self.desk.wait_until(condition);
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        self.desk.quit();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the game's thread panicked");
        }
    }
}
