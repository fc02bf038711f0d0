use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tengen_arbiter::{Limits, TimeControl};
use tengen_players::{GameSetup, Request, Time};
use tengen_rules::{Alike, Ask, Move, Procedure, Rule, Seat, Size, Zone};

use crate::app::{Hired, Live, Shelf, Terms};

/// An engine that thinks about one position after another, on a thread of its own, about each until
/// it is told another one.
pub(super) struct Adviser {
    pub(super) live: Arc<Live>,
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

/// A position to think about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Every ply from the empty board.
    pub moves: Vec<Move>,
}

/// Who thinks, and how it goes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Advising {
    /// The id of the engine; none thinks.
    pub engine: Option<String>,
    /// How many lines it is asked for.
    pub lines: u32,
    /// Why it does not think, if it failed.
    pub problem: Option<String>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    advising: Advising,
    thought: Option<Thought>,
    /// Counts what is wanted: a new number is a new wish.
    wish: u64,
    interrupt: Option<Arc<dyn Fn() + Send + Sync>>,
    quit: bool,
}

/// An engine that was hired for these.
struct Engaged {
    engine: String,
    rule: Rule,
    size: Size,
    hired: Hired,
}

impl Adviser {
    pub(super) fn start(shelf: Arc<dyn Shelf>, time: Arc<dyn Time + Send + Sync>) -> Adviser {
        let live = Live::new(Arc::clone(&time));
        let advising = Advising { lines: 3, ..Advising::default() };
        let state = Mutex::new(State { advising, ..State::default() });
        let shared = Arc::new(Shared { state, changed: Condvar::new() });
        let (desk, said) = (Arc::clone(&shared), Arc::clone(&live));
        let thread = thread::Builder::new()
            .name("study".to_owned())
            .spawn(move || think(&desk, &*shelf, &said, &*time))
            .expect("the system has a thread left");
        Adviser { live, shared, thread: Some(thread) }
    }

    pub(super) fn advising(&self) -> Advising {
        self.shared.lock().advising.clone()
    }

    pub(super) fn seat(&self, engine: Option<String>) {
        self.wish(|state| state.advising.engine = engine);
    }

    pub(super) fn tell(&self, lines: u32) {
        self.wish(|state| state.advising.lines = lines);
    }

    pub(super) fn attend(&self, thought: Option<Thought>) {
        if self.shared.lock().thought != thought {
            self.wish(|state| state.thought = thought);
        }
    }

    fn wish(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.shared.lock();
        change(&mut state);
        state.wish += 1;
        state.advising.problem = None;
        self.live.begin_game(state.wish);
        if let Some(interrupt) = state.interrupt.take() {
            interrupt();
        }
        drop(state);
        self.shared.changed.notify_all();
    }
}

impl Drop for Adviser {
    fn drop(&mut self) {
        self.wish(|state| state.quit = true);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the study's thread panicked");
        }
    }
}

impl Shared {
    /// No invariant spans a panic: every change of the state is one assignment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a wish after that one; none is the end.
    fn next(&self, known: u64) -> Option<(u64, Advising, Option<Thought>)> {
        let old = |state: &mut State| state.wish == known && !state.quit;
        let state = self.changed.wait_while(self.lock(), old);
        let state = state.unwrap_or_else(PoisonError::into_inner);
        (!state.quit).then(|| (state.wish, state.advising.clone(), state.thought.clone()))
    }

    /// Notes how the engine is stopped; whether what it begins is still wished.
    fn begin(&self, wish: u64, hired: &Hired) -> bool {
        let mut state = self.lock();
        let wished = state.wish == wish;
        if wished {
            state.interrupt = Some(Arc::clone(&hired.interrupt));
        }
        wished
    }

    /// Whether the engine was left to end by itself.
    fn end(&self) -> bool {
        self.lock().interrupt.take().is_some()
    }

    fn fail(&self, wish: u64, live: &Live, ply: usize, problem: String) {
        live.write(ply, &problem, true);
        let mut state = self.lock();
        if state.wish == wish {
            state.advising.problem = Some(problem);
        }
    }
}

fn think(shared: &Shared, shelf: &dyn Shelf, live: &Arc<Live>, time: &dyn Time) {
    let (mut known, mut engaged): (u64, Option<Engaged>) = (0, None);
    while let Some((wish, advising, thought)) = shared.next(known) {
        known = wish;
        let (Some(engine), Some(thought)) = (advising.engine, thought) else { continue };
        let ply = thought.moves.len();
        let fits = |engaged: &Engaged| {
            engaged.engine == engine && (engaged.rule, engaged.size) == (thought.rule, thought.size)
        };
        if !engaged.as_ref().is_some_and(fits) {
            engaged = match engage(shelf, &engine, &thought) {
                Ok(new) => Some(new),
                Err(problem) => {
                    shared.fail(wish, live, ply, problem);
                    continue;
                }
            };
        }
        let Some(Engaged { hired, .. }) = &mut engaged else { continue };
        if !shared.begin(wish, hired) {
            continue;
        }
        let outcome = ask(hired, &thought, advising.lines, live, time);
        let is_whole = shared.end();
        if !is_whole || outcome.is_err() {
            engaged = None;
        }
        if let (true, Err(problem)) = (is_whole, outcome) {
            shared.fail(wish, live, ply, problem);
        }
    }
}

fn engage(shelf: &dyn Shelf, engine: &str, thought: &Thought) -> Result<Engaged, String> {
    let Thought { rule, size, .. } = *thought;
    let hired = shelf.hire(engine, &Terms { rule, size, opening: Procedure::None })?;
    Ok(Engaged { engine: engine.to_owned(), rule, size, hired })
}

/// Lets an engine think about a position until it has an answer or is stopped.
fn ask(
    hired: &mut Hired,
    thought: &Thought,
    lines: u32,
    live: &Arc<Live>,
    time: &dyn Time,
) -> Result<(), String> {
    let setup = GameSetup {
        number: None,
        rule: thought.rule,
        size: thought.size,
        opening: Procedure::None.number(),
        alike: Alike::default(),
        seat: Seat::ALL[thought.moves.len() % 2],
        time: TimeControl::default(),
        seed: 0,
        reproducible: false,
        draw_offers: false,
    };
    hired.player.new_game(&setup).map_err(|fault| fault.detail)?;
    let request = Request {
        moves: &thought.moves,
        ask: Ask::Move { zone: Zone::Anywhere },
        offered: &[],
        fifth_moves: None,
        limits: Limits::default(),
        patience: None,
        watch: None,
    };
    let reply = live.ask(&mut *hired.player, &request, lines, time);
    reply.outcome.map(drop).map_err(|fault| fault.detail)
}
