//! The state that a match's thread shares with the window.

use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use tengen_players::Time;
use tengen_tournament::{Roster, Stop};

use super::{MatchCommand, RosterFactory};
use crate::app::model::{Phase, Snapshot};
use crate::app::session::EngineOutput;
use crate::app::session::shared_state::SharedState;

/// The state shared by the match's thread and the window.
pub(super) struct MatchHandle {
    pub(super) time: Arc<dyn Time + Send + Sync>,
    /// The output of the engines, by engine.
    pub(super) outputs: Vec<Arc<EngineOutput>>,
    pub(super) state: SharedState<MatchState>,
}

pub(super) struct MatchState {
    snapshot: Arc<Snapshot>,
    pause: bool,
    request: Option<MatchRequest>,
    roster_factory: RosterFactory,
    run: MatchRun,
}

/// A run of games by the same players. It ends when it is stopped: interrupted players stay
/// interrupted, so the next run has others.
#[derive(Clone)]
pub(super) struct MatchRun {
    pub(super) roster: Arc<dyn Roster + Send + Sync>,
    pub(super) stop: Arc<Stop>,
}

/// What the match's thread does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MatchRequest {
    /// Play the next game.
    Game,
    /// Play no further game.
    Stop,
    /// Play the match again.
    Match,
    /// End the thread.
    Quit,
}

impl MatchHandle {
    pub(super) fn new(
        snapshot: Snapshot,
        roster_factory: RosterFactory,
        time: Arc<dyn Time + Send + Sync>,
    ) -> MatchHandle {
        let run = MatchRun::new(&roster_factory);
        let engines = snapshot.series.as_ref().map_or(0, |series| series.standings.len());
        let outputs = (0..engines).map(|_| EngineOutput::new(Arc::clone(&time))).collect();
        let snapshot = Arc::new(snapshot);
        let state = MatchState { snapshot, pause: false, request: None, roster_factory, run };
        MatchHandle { time, outputs, state: SharedState::new(state) }
    }

    pub(super) fn send(&self, command: MatchCommand) {
        let mut state = self.lock();
        let Snapshot { phase, asked, .. } = *state.snapshot;
        if !command.fits(phase) || state.request == Some(MatchRequest::Quit) {
            return;
        }
        let between = phase == Phase::Between || (phase == Phase::Paused && asked.is_none());
        match command {
            MatchCommand::Pause => {
                state.pause = true;
                state.edit().phase = if between { Phase::Paused } else { Phase::Pausing };
            }
            MatchCommand::Resume => {
                state.pause = false;
                if phase == Phase::Pausing {
                    let running = asked.is_some();
                    state.edit().phase = if running { Phase::Playing } else { Phase::Starting };
                }
            }
            MatchCommand::NewGame | MatchCommand::Stop => {
                let stop = command == MatchCommand::Stop;
                state.request = Some(if stop { MatchRequest::Stop } else { MatchRequest::Game });
                state.pause = false;
                if !between {
                    state.edit().phase = Phase::Stopping;
                    state.run.halt();
                }
            }
            MatchCommand::NewMatch => state.request = Some(MatchRequest::Match),
        }
        drop(state);
        self.state.notify();
    }

    /// Ends the match's thread as soon as possible.
    pub(super) fn quit(&self) {
        let mut state = self.lock();
        state.request = Some(MatchRequest::Quit);
        state.pause = false;
        state.run.halt();
        drop(state);
        self.state.notify();
    }

    /// The run of the next game; a new one if the last was stopped.
    pub(super) fn run(&self) -> MatchRun {
        let mut state = self.lock();
        if state.run.stop.is_requested() {
            state.run = MatchRun::new(&state.roster_factory);
        }
        state.run.clone()
    }

    /// Shows a new game, unless there is to be none: its players are then interrupted.
    pub(super) fn begin_game(&self, first: Snapshot) {
        let mut state = self.lock();
        if state.is_ending() {
            state.run.halt();
        } else {
            state.snapshot = Arc::new(first);
            if state.pause {
                state.edit().phase = Phase::Pausing;
            }
        }
        drop(state);
        self.state.notify();
    }

    /// The next request; taken once, except for the end.
    pub(super) fn take_request(&self) -> Option<MatchRequest> {
        let mut state = self.lock();
        let request = state.request;
        state.request = request.filter(|request| *request == MatchRequest::Quit);
        request
    }

    /// Publishes a change, in the phase that a pending pause allows.
    pub(super) fn publish(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut state = self.lock();
        let given_up = state.snapshot.phase == Phase::Stopping && state.run.stop.is_requested();
        change(state.edit());
        let phase = state.snapshot.phase;
        if given_up && !phase.is_over() {
            state.edit().phase = Phase::Stopping;
        } else if state.pause && matches!(phase, Phase::Starting | Phase::Playing) {
            state.edit().phase = Phase::Pausing;
        }
        drop(state);
        self.state.notify();
    }

    /// Blocks while paused, before a question is put.
    pub(super) fn wait_while_paused(&self) {
        let mut state = self.lock();
        if !state.pause {
            return;
        }
        state.edit().phase = Phase::Paused;
        drop(state);
        self.state.notify();
        let paused = |state: &mut MatchState| state.pause && state.request.is_none();
        drop(self.state.wait_while(self.lock(), paused));
    }

    /// Waits between two games: for this interval, while paused, or until there is a request. One
    /// for the next game is met by it; one for the end stops the run.
    pub(super) fn wait_between_games(&self, interval: Duration) {
        let end = Instant::now() + interval;
        let mut state = self.lock();
        while state.request.is_none() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() && !state.pause {
                return;
            }
            let timeout = (!state.pause).then_some(left);
            state = self.state.wait(state, timeout);
        }
        if state.is_ending() {
            state.run.stop.request();
        } else {
            state.request = None;
        }
    }

    /// Waits for a request after the match.
    pub(super) fn wait_for_request(&self) {
        let idle = |state: &mut MatchState| state.request.is_none();
        drop(self.state.wait_while(self.lock(), idle));
    }

    fn lock(&self) -> MutexGuard<'_, MatchState> {
        self.state.lock()
    }
}

impl MatchRun {
    fn new(roster_factory: &RosterFactory) -> MatchRun {
        MatchRun { roster: roster_factory(), stop: Arc::new(Stop::new()) }
    }

    /// Stops the running game.
    fn halt(&self) {
        self.stop.request();
        self.roster.interrupt();
    }
}

impl AsRef<Arc<Snapshot>> for MatchState {
    fn as_ref(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }
}

impl MatchState {
    fn edit(&mut self) -> &mut Snapshot {
        Arc::make_mut(&mut self.snapshot)
    }

    /// Whether no further game is to be played.
    fn is_ending(&self) -> bool {
        matches!(self.request, Some(MatchRequest::Stop | MatchRequest::Quit))
    }
}
