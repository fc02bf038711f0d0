//! The thread of an analysis, on which its engine thinks.

use std::sync::Arc;

use tengen_arbiter::TimeControl;
use tengen_lineup::EngineProvider;
use tengen_players::{EngineInstance, GameVariant, Request, Time};
use tengen_rules::{Ask, Move, Procedure, Rule, Seat, Size, Zone};

use crate::app::session::EngineOutput;
use crate::app::session::shared_state::SharedState;
use crate::app::storage::worker_thread::JoinedThread;

/// A thread with an engine that thinks about the current position until it is given another one.
pub(super) struct AnalysisWorker {
    pub(super) output: Arc<EngineOutput>,
    shared: Arc<AnalysisHandle>,
    _thread: JoinedThread,
}

/// A position to analyse.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisPosition {
    /// What wins.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Every ply from the empty board.
    pub moves: Vec<Move>,
}

/// Which engine runs, and its status.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AnalysisStatus {
    /// The id of the engine; none runs.
    pub engine: Option<String>,
    /// How many lines it is asked for.
    pub lines: u32,
    /// Why it does not run, if it failed.
    pub problem: Option<String>,
}

type AnalysisHandle = SharedState<AnalysisState>;

#[derive(Default)]
struct AnalysisState {
    status: AnalysisStatus,
    position: Option<AnalysisPosition>,
    /// Counts the changes of what is wanted.
    change: u64,
    interrupt: Option<Arc<dyn Fn() + Send + Sync>>,
    quit: bool,
}

/// An engine started for one rule and board.
struct LoadedEngine {
    engine: String,
    variant: GameVariant,
    instance: EngineInstance,
}

impl AnalysisPosition {
    /// The game that the engine is started for.
    fn variant(&self) -> GameVariant {
        GameVariant { rule: self.rule, size: self.size, opening: Procedure::None }
    }
}

impl AnalysisWorker {
    pub(super) fn start(
        provider: Arc<dyn EngineProvider>,
        time: Arc<dyn Time + Send + Sync>,
    ) -> AnalysisWorker {
        let output = EngineOutput::new(Arc::clone(&time));
        let status = AnalysisStatus { lines: 3, ..AnalysisStatus::default() };
        let state = AnalysisState { status, ..AnalysisState::default() };
        let shared = Arc::new(AnalysisHandle::new(state));
        let (handle, printed) = (Arc::clone(&shared), Arc::clone(&output));
        let thread =
            JoinedThread::spawn("analysis", move || think(&handle, &*provider, &printed, &*time))
                .expect("the system has a thread left");
        AnalysisWorker { output, shared, _thread: thread }
    }

    pub(super) fn status(&self) -> AnalysisStatus {
        self.shared.lock().status.clone()
    }

    pub(super) fn seat(&self, engine: Option<String>) {
        self.change(|state| state.status.engine = engine);
    }

    pub(super) fn set_lines(&self, lines: u32) {
        self.change(|state| state.status.lines = lines);
    }

    pub(super) fn set_position(&self, position: Option<AnalysisPosition>) {
        if self.shared.lock().position != position {
            self.change(|state| state.position = position);
        }
    }

    fn change(&self, change: impl FnOnce(&mut AnalysisState)) {
        let mut state = self.shared.lock();
        change(&mut state);
        state.change += 1;
        state.status.problem = None;
        self.output.begin_game(state.change);
        if let Some(interrupt) = state.interrupt.take() {
            interrupt();
        }
        drop(state);
        self.shared.notify();
    }
}

impl Drop for AnalysisWorker {
    fn drop(&mut self) {
        self.change(|state| state.quit = true);
    }
}

impl AnalysisHandle {
    /// Waits for a change after that one; none is the end.
    fn next(&self, known: u64) -> Option<(u64, AnalysisStatus, Option<AnalysisPosition>)> {
        let old = |state: &mut AnalysisState| state.change == known && !state.quit;
        let state = self.wait_while(self.lock(), old);
        (!state.quit).then(|| (state.change, state.status.clone(), state.position.clone()))
    }

    /// Notes how to stop the engine. Returns whether its work is still wanted.
    fn begin(&self, change: u64, instance: &EngineInstance) -> bool {
        let mut state = self.lock();
        let is_wanted = state.change == change;
        if is_wanted {
            state.interrupt = Some(Arc::clone(&instance.interrupt));
        }
        is_wanted
    }

    /// Whether the engine ended by itself.
    fn end(&self) -> bool {
        self.lock().interrupt.take().is_some()
    }

    fn fail(&self, change: u64, output: &EngineOutput, ply: usize, problem: String) {
        output.write(ply, &problem, true);
        let mut state = self.lock();
        if state.change == change {
            state.status.problem = Some(problem);
        }
    }
}

fn think(
    shared: &AnalysisHandle,
    provider: &dyn EngineProvider,
    output: &Arc<EngineOutput>,
    time: &dyn Time,
) {
    let (mut known, mut loaded): (u64, Option<LoadedEngine>) = (0, None);
    while let Some((change, status, position)) = shared.next(known) {
        known = change;
        let (Some(engine), Some(position)) = (status.engine, position) else { continue };
        let ply = position.moves.len();
        let fits =
            |loaded: &LoadedEngine| loaded.engine == engine && loaded.variant == position.variant();
        if !loaded.as_ref().is_some_and(fits) {
            loaded = match load_engine(provider, &engine, &position) {
                Ok(new) => Some(new),
                Err(problem) => {
                    shared.fail(change, output, ply, problem);
                    continue;
                }
            };
        }
        let Some(LoadedEngine { instance, .. }) = &mut loaded else { continue };
        if !shared.begin(change, instance) {
            continue;
        }
        let outcome = ask(instance, &position, status.lines, output, time);
        let is_whole = shared.end();
        if !is_whole || outcome.is_err() {
            loaded = None;
        }
        if let (true, Err(problem)) = (is_whole, outcome) {
            shared.fail(change, output, ply, problem);
        }
    }
}

fn load_engine(
    provider: &dyn EngineProvider,
    engine: &str,
    position: &AnalysisPosition,
) -> Result<LoadedEngine, String> {
    let variant = position.variant();
    let instance = provider.start(engine, &variant)?;
    Ok(LoadedEngine { engine: engine.to_owned(), variant, instance })
}

/// Lets an engine think about a position until it answers or is stopped.
fn ask(
    instance: &mut EngineInstance,
    position: &AnalysisPosition,
    lines: u32,
    output: &Arc<EngineOutput>,
    time: &dyn Time,
) -> Result<(), String> {
    let setup =
        position.variant().setup(Seat::ALL[position.moves.len() % 2], TimeControl::default());
    instance.player.new_game(&setup).map_err(|fault| fault.detail)?;
    let request = Request::new(&position.moves, Ask::Move { zone: Zone::Anywhere });
    let reply = output.ask(&mut *instance.player, &request, lines, time);
    reply.outcome.map(drop).map_err(|fault| fault.detail)
}
