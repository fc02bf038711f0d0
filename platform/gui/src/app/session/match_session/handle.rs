//! The state that a match's thread shares with the window.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard};
use std::time::{Duration, Instant};

use tengen_players::Time;
use tengen_tournament::Roster;

use super::{MatchCommand, RosterFactory};
use crate::app::model::{Phase, Snapshot};
use crate::app::session::EngineOutput;
use crate::app::session::shared_state::SharedState;

/// The state shared by the match's thread and the window.
pub(super) struct MatchHandle {
    pub(super) time: Arc<dyn Time + Send + Sync>,
    /// The output of the engines, by engine.
    pub(super) outputs: Vec<Arc<EngineOutput>>,
    state: SharedState<MatchState>,
    /// Whether to abort the running game.
    halt: AtomicBool,
}

struct MatchState {
    snapshot: Arc<Snapshot>,
    pause: bool,
    next: MatchRequest,
    roster_factory: RosterFactory,
    roster: Arc<dyn Roster + Send + Sync>,
}

/// What the match's thread does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MatchRequest {
    /// Go on.
    Continue,
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
        let roster = roster_factory();
        let engines = snapshot.series.as_ref().map_or(0, |series| series.standings.len());
        let outputs = (0..engines).map(|_| EngineOutput::new(Arc::clone(&time))).collect();
        let snapshot = Arc::new(snapshot);
        let state = MatchState {
            snapshot,
            pause: false,
            next: MatchRequest::Continue,
            roster_factory,
            roster,
        };
        MatchHandle { time, outputs, state: SharedState::new(state), halt: AtomicBool::new(false) }
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.lock().snapshot)
    }

    pub(super) fn on_change(&self, wake: Box<dyn Fn() + Send + Sync>) {
        self.state.on_change(wake);
    }

    pub(super) fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        let waiting = |state: &mut MatchState| !condition(&state.snapshot);
        drop(self.state.wait_while(self.lock(), waiting));
    }

    pub(super) fn send(&self, command: MatchCommand) {
        let mut state = self.lock();
        let Snapshot { phase, asked, .. } = *state.snapshot;
        if !command.fits(phase) || state.next == MatchRequest::Quit {
            return;
        }
        let between = phase == Phase::Between || (phase == Phase::Paused && asked.is_none());
        match command {
            MatchCommand::Pause => {
                state.pause = true;
                state.set_phase(if between { Phase::Paused } else { Phase::Pausing });
            }
            MatchCommand::Continue => {
                state.pause = false;
                if phase == Phase::Pausing {
                    let running = asked.is_some();
                    state.set_phase(if running { Phase::Playing } else { Phase::Starting });
                }
            }
            MatchCommand::NewGame | MatchCommand::Stop => {
                let stop = command == MatchCommand::Stop;
                state.next = if stop { MatchRequest::Stop } else { MatchRequest::Game };
                state.pause = false;
                if !between {
                    state.set_phase(Phase::Stopping);
                    self.halt(&state);
                }
            }
            MatchCommand::NewMatch => state.next = MatchRequest::Match,
        }
        drop(state);
        self.notify();
    }

    /// Ends the match's thread as soon as possible.
    pub(super) fn quit(&self) {
        let mut state = self.lock();
        state.next = MatchRequest::Quit;
        state.pause = false;
        self.halt(&state);
        drop(state);
        self.notify();
    }

    pub(super) fn is_halted(&self) -> bool {
        self.halt.load(Ordering::SeqCst)
    }

    /// Starts a game by `set_up`, unless there is to be none. After an abort the players come from
    /// a new roster, for the interrupted one stays interrupted.
    pub(super) fn begin(
        &self,
        set_up: impl FnOnce(&mut Snapshot),
    ) -> Option<Arc<dyn Roster + Send + Sync>> {
        let mut state = self.lock();
        if matches!(state.next, MatchRequest::Stop | MatchRequest::Quit) {
            return None;
        }
        if self.halt.swap(false, Ordering::SeqCst) {
            state.roster = (state.roster_factory)();
        }
        set_up(Arc::make_mut(&mut state.snapshot));
        if state.pause {
            state.set_phase(Phase::Pausing);
        }
        let roster = Arc::clone(&state.roster);
        drop(state);
        self.notify();
        Some(roster)
    }

    /// The next request; taken once, except for the end.
    pub(super) fn take_request(&self) -> MatchRequest {
        let mut state = self.lock();
        let next = state.next;
        if next != MatchRequest::Quit {
            state.next = MatchRequest::Continue;
        }
        next
    }

    /// Publishes a change, in the phase that a pending pause allows.
    pub(super) fn publish(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut state = self.lock();
        let given_up = state.snapshot.phase == Phase::Stopping && self.is_halted();
        change(Arc::make_mut(&mut state.snapshot));
        let phase = state.snapshot.phase;
        if given_up && !phase.is_over() {
            state.set_phase(Phase::Stopping);
        } else if state.pause && matches!(phase, Phase::Starting | Phase::Playing) {
            state.set_phase(Phase::Pausing);
        }
        drop(state);
        self.notify();
    }

    /// Blocks while paused, before a question is put.
    pub(super) fn wait_while_paused(&self) {
        let mut state = self.lock();
        if !state.pause {
            return;
        }
        state.set_phase(Phase::Paused);
        drop(state);
        self.notify();
        let state = self.lock();
        let paused = |state: &mut MatchState| state.pause && state.next == MatchRequest::Continue;
        drop(self.state.wait_while(state, paused));
    }

    /// Waits between two games: for this interval, while paused, or until there is a request.
    pub(super) fn wait_between_games(&self, interval: Duration) {
        let end = Instant::now() + interval;
        let mut state = self.lock();
        while state.next == MatchRequest::Continue {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() && !state.pause {
                return;
            }
            let timeout = (!state.pause).then_some(left);
            state = self.state.wait(state, timeout);
        }
    }

    /// Waits for a request after the match.
    pub(super) fn wait_for_request(&self) {
        let idle = |state: &mut MatchState| state.next == MatchRequest::Continue;
        drop(self.state.wait_while(self.lock(), idle));
    }

    fn halt(&self, state: &MatchState) {
        self.halt.store(true, Ordering::SeqCst);
        state.roster.interrupt();
    }

    fn notify(&self) {
        self.state.notify();
    }

    fn lock(&self) -> MutexGuard<'_, MatchState> {
        self.state.lock()
    }
}

impl MatchState {
    fn set_phase(&mut self, phase: Phase) {
        Arc::make_mut(&mut self.snapshot).phase = phase;
    }
}
