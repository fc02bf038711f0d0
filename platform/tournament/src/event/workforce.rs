//! Plays the games of a run, and hands them in.

use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::SyncSender;
use std::thread::{self, ScopedJoinHandle};
use std::time::Duration;

use tengen_players::Time;

use super::live_test::LiveTest;
use super::queue::GameQueue;
use crate::affinity;
use crate::store::GameBatch;

/// How often players are interrupted again until their tables are left.
const TICK: Duration = Duration::from_millis(10);

/// Plays the games of a run. A run knows neither where they are played nor by how many: it gives a
/// queue of games, and takes them back in whatever order they end.
pub trait Workforce {
    /// Takes games from the queue and hands each in at the sink, until there are no more, the queue
    /// is halted or the sink wants none.
    ///
    /// `look_after` is a step of what the run does meanwhile, on the thread that calls this, which
    /// must not wait for the sink: what is handed in is taken in there. It gives the numbers of
    /// games that are saved since the last step, and is called again and again until it gives none:
    /// soon after the sink and all its clones are gone, or when games cannot be saved any more.
    /// Then no game is left to be played.
    fn play(&mut self, queue: &GameQueue<'_>, sink: GameSink<'_>, look_after: LookAfter<'_>);
}

/// See [`Workforce::play`].
pub type LookAfter<'a> = &'a mut dyn FnMut() -> Option<Vec<u64>>;

/// Where games are handed in that were played, to be saved.
#[derive(Clone)]
pub struct GameSink<'a> {
    games: SyncSender<GameBatch>,
    queue: &'a GameQueue<'a>,
    /// The tests that these games may decide.
    test: Option<&'a LiveTest<'a>>,
}

impl<'a> GameSink<'a> {
    pub(crate) fn new(games: SyncSender<GameBatch>, queue: &'a GameQueue<'a>) -> GameSink<'a> {
        GameSink { games, queue, test: None }
    }

    /// The same sink, at which these tests look at each game.
    pub(super) fn tested_by(self, test: Option<&'a LiveTest<'a>>) -> GameSink<'a> {
        GameSink { test, ..self }
    }

    /// Hands games of two engines in. False where no more are wanted. Waits while the disk cannot
    /// follow.
    pub fn put(&self, batch: GameBatch) -> bool {
        let send = |batch| self.games.send(batch).is_ok();
        match self.test {
            Some(test) => test.hand_in(batch, self.queue, send),
            None => send(batch),
        }
    }
}

/// Threads of this process, each with a table of its own.
pub(super) struct Threads<'a> {
    pub number: usize,
    /// The CPU of each in turn; empty to leave them to the system.
    pub cpus: Vec<usize>,
    pub time: &'a dyn Time,
}

impl Workforce for Threads<'_> {
    fn play(&mut self, queue: &GameQueue<'_>, sink: GameSink<'_>, look_after: LookAfter<'_>) {
        let room = TableRoom { open: AtomicUsize::new(self.number), stays: Mutex::new(()) };
        let held = room.stays.lock();
        let (threads, room) = (&*self, &room);
        thread::scope(|scope| {
            let sit = |table| {
                let sink = sink.clone();
                thread::Builder::new()
                    .name(format!("table {}", table + 1))
                    .spawn_scoped(scope, move || threads.sit(table, queue, sink, room))
                    .expect("the system lets a program start some more threads")
            };
            let tables: Vec<_> = (0..threads.number).map(sit).collect();
            drop(sink);
            while look_after().is_some() {}
            queue.fail();
            while room.open.load(Ordering::SeqCst) > 0 {
                queue.roster.interrupt();
                thread::sleep(TICK);
            }
            drop(held);
            // The scope alone would not wait for what a thread keeps for itself until it ends.
            let ended: Vec<_> = tables.into_iter().map(ScopedJoinHandle::join).collect();
            if let Some(panic) = ended.into_iter().find_map(Result::err) {
                resume_unwind(panic);
            }
        });
    }
}

/// What the threads of a run share.
struct TableRoom {
    /// The tables that still have players.
    open: AtomicUsize,
    /// Held until no table has any: processes die with the thread that started them, and may play
    /// at other tables.
    stays: Mutex<()>,
}

impl Threads<'_> {
    /// Plays at a table, counted from 0, until no game is left.
    fn sit(&self, table: usize, queue: &GameQueue<'_>, sink: GameSink<'_>, room: &TableRoom) {
        affinity::bind(&self.cpus, table);
        // Dropped in this order, also after a panic: the worker with its players; the table; the
        // sink, which closes with the last table, so that no engine is interrupted then; and at
        // last the thread.
        let _stay = AtEnd(|| drop(room.stays.lock()));
        let sink = sink;
        let _leave = AtEnd(|| {
            if thread::panicking() {
                queue.fail();
            }
            room.open.fetch_sub(1, Ordering::SeqCst);
        });
        let mut worker = queue.worker(self.time);
        worker.number = table;
        while let Some(batch) = worker.play()
            && sink.put(batch)
        {}
    }
}

/// Does something when it goes, also while its thread panics.
struct AtEnd<F: FnMut()>(F);

impl<F: FnMut()> Drop for AtEnd<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}
