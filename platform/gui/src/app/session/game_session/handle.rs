//! The state that a game's thread shares with the window.

use std::collections::VecDeque;
use std::sync::{Arc, MutexGuard};
use std::time::Duration;

use tengen_arbiter::{Action, Nanos};
use tengen_players::Time;
use tengen_record::{GameRecord, PlayerHeader};
use tengen_rules::{BySeat, Seat};

use super::GameCommand;
use super::recording::StartedEngine;
use crate::app::model::{HappeningKind, Phase, PlayerSpec, Snapshot};
use crate::app::session::EngineOutput;
use crate::app::session::shared_state::SharedState;

/// Stops a running engine.
pub(super) type InterruptFn = Arc<dyn Fn() + Send + Sync>;

/// The state shared by the game's thread and the window.
pub(super) struct GameHandle {
    pub(super) time: Arc<dyn Time + Send + Sync>,
    pub(super) outputs: BySeat<Arc<EngineOutput>>,
    pub(super) state: SharedState<GameState>,
}

pub(super) struct GameState {
    snapshot: Arc<Snapshot>,
    specs: BySeat<PlayerSpec>,
    /// The names of persons on the seats.
    persons: BySeat<String>,
    /// The last engine started for each seat.
    identities: BySeat<Option<StartedEngine>>,
    /// The record so far, once there is one.
    record: Option<Arc<GameRecord>>,
    /// Whether the game is to pause.
    pause: bool,
    /// Whether to interrupt the open question.
    halt: bool,
    requests: VecDeque<GameRequest>,
    /// What the person who is asked did, and when.
    person_action: Option<(Action, Nanos)>,
    /// Stops the engine that is thinking.
    working: Option<InterruptFn>,
    /// Stops the engine that was asked for a hint.
    hint_engine: Option<InterruptFn>,
}

/// A change of the game that is made while no question is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum GameRequest {
    Resign(Seat),
    /// Stop without a result.
    Stop,
    /// Go on after a stop.
    Reopen,
    /// Take back a person's last answer.
    TakeBack,
    /// Take back what came after so many plies.
    TakeBackTo(usize),
    /// End the thread.
    Quit,
}

/// The result of waiting for a person.
pub(super) enum PersonReply {
    /// The person did this, then.
    Acted(Action, Nanos),
    /// The time is over.
    TimedOut,
    /// The question was interrupted.
    Interrupted,
}

impl GameHandle {
    pub(super) fn new(
        snapshot: Snapshot,
        specs: BySeat<PlayerSpec>,
        persons: BySeat<String>,
        time: Arc<dyn Time + Send + Sync>,
    ) -> GameHandle {
        let pause = snapshot.phase == Phase::Paused;
        let state = GameState {
            snapshot: Arc::new(snapshot),
            specs,
            persons,
            identities: BySeat { first: None, second: None },
            record: None,
            pause,
            halt: false,
            requests: VecDeque::new(),
            person_action: None,
            working: None,
            hint_engine: None,
        };
        let outputs = BySeat::from_fn(|_| EngineOutput::new(Arc::clone(&time)));
        GameHandle { time, outputs, state: SharedState::new(state) }
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        self.state.snapshot()
    }

    pub(super) fn specs(&self) -> BySeat<PlayerSpec> {
        self.lock().specs.clone()
    }

    /// Notes which engine was started for a seat.
    pub(super) fn set_identity(&self, seat: Seat, identity: StartedEngine) {
        self.lock().identities[seat] = Some(identity);
    }

    /// Names the engines as they name themselves; by id where both have the same name.
    pub(super) fn update_engine_names(&self) {
        let mut state = self.lock();
        let own = |seat: Seat| match (&state.specs[seat], &state.identities[seat]) {
            (PlayerSpec::Engine(id), Some(known)) if known.id == *id => {
                Some((id.clone(), known.identity.name.clone()))
            }
            _ => None,
        };
        let known = BySeat::from_fn(own);
        let alike = match (&known.first, &known.second) {
            (Some(first), Some(second)) => first.1 == second.1 && first.0 != second.0,
            _ => false,
        };
        for seat in Seat::ALL {
            if let Some((id, name)) = &known[seat] {
                state.edit().seats[seat].name.clone_from(if alike { id } else { name });
            }
        }
        drop(state);
        self.notify();
    }

    /// Fills a record's header with what is known of the engine on a seat.
    pub(super) fn fill_header(&self, seat: Seat, player_header: &mut PlayerHeader) {
        if let Some(identity) = &self.lock().identities[seat] {
            identity.fill_header(player_header);
        }
    }

    /// The name of a person on a seat.
    pub(super) fn person(&self, seat: Seat) -> String {
        self.lock().persons[seat].clone()
    }

    /// Names a person of a record's header as it is called now.
    pub(super) fn name_person(&self, seat: Seat, player_header: &mut PlayerHeader) {
        if player_header.is_person() {
            player_header.name = self.person(seat);
        }
    }

    pub(super) fn record(&self) -> Option<Arc<GameRecord>> {
        self.lock().record.clone()
    }

    pub(super) fn set_record(&self, record: GameRecord) {
        self.lock().record = Some(Arc::new(record));
    }

    pub(super) fn send(&self, command: GameCommand) {
        let mut state = self.lock();
        if !command.fits(&state.snapshot) {
            return;
        }
        match command {
            GameCommand::Act { action, .. } => {
                let now = self.time.now();
                state.person_action = Some((action, now));
                state.edit().refusal = None;
            }
            GameCommand::ShowRefusal(reason) => state.edit().refusal = reason,
            GameCommand::Pause => {
                state.pause = true;
                state.edit().phase = Phase::Pausing;
                if state.snapshot.asks_person().is_some() {
                    state.halt();
                }
            }
            GameCommand::Resume if state.snapshot.phase == Phase::Stopped => {
                state.pause = false;
                state.push_request(GameRequest::Reopen);
            }
            GameCommand::Resume => {
                state.pause = false;
                match state.snapshot.phase {
                    Phase::Pausing => state.edit().phase = Phase::Playing,
                    _ => state.note_rest(Phase::Starting, HappeningKind::Resumed),
                }
            }
            GameCommand::Resign(seat) => state.push_request(GameRequest::Resign(seat)),
            GameCommand::Stop => {
                state.edit().phase = Phase::Stopping;
                state.push_request(GameRequest::Stop);
            }
            GameCommand::TakeBack => state.push_request(GameRequest::TakeBack),
            GameCommand::TakeBackTo(plies) => state.push_request(GameRequest::TakeBackTo(plies)),
            GameCommand::SetPlayer(seat, spec) => {
                let on_move = state.snapshot.asked.is_some_and(|asked| asked.seat == seat);
                if on_move {
                    state.halt();
                } else {
                    // The question to the other seat stays open.
                    let name = match &spec {
                        PlayerSpec::Person => state.persons[seat].clone(),
                        PlayerSpec::Engine(id) => id.clone(),
                    };
                    let seated = &mut state.edit().seats[seat];
                    (seated.is_person, seated.name) = (spec.is_person(), name);
                }
                state.specs[seat] = spec;
            }
            GameCommand::NamePerson(seat, name) => {
                state.edit().seats[seat].name.clone_from(&name);
                state.persons[seat] = name;
            }
            GameCommand::ForgetHint => state.forget_hint(),
            GameCommand::Hint(_) => unreachable!("hints are asked for elsewhere"),
        }
        drop(state);
        self.notify();
    }

    /// Ends the game's thread as soon as possible.
    pub(super) fn quit(&self) {
        let mut state = self.lock();
        state.forget_hint();
        state.push_request(GameRequest::Quit);
        drop(state);
        self.notify();
    }

    pub(super) fn publish(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut state = self.lock();
        let before = state.snapshot.asked.map(|asked| asked.number);
        change(state.edit());
        if state.snapshot.asked.map(|asked| asked.number) != before {
            state.forget_hint();
        }
        drop(state);
        self.notify();
    }

    /// Whether the open question is to be interrupted.
    pub(super) fn is_halted(&self) -> bool {
        self.lock().halt
    }

    /// Interrupts before a question is put, if the game is to pause or there are requests. Returns
    /// whether it does.
    pub(super) fn interrupt_if_needed(&self) -> bool {
        let mut state = self.lock();
        state.halt |= state.pause || !state.requests.is_empty();
        state.halt
    }

    /// Pauses the game for this reason.
    pub(super) fn pause(&self, reason: String) {
        let mut state = self.lock();
        state.pause = true;
        state.edit().refusal = Some(reason);
    }

    /// Interrupts the open question, as for another player on the seat.
    pub(super) fn interrupt_question(&self) {
        self.lock().halt = true;
    }

    /// Notes which engine starts to think. Returns whether it may.
    pub(super) fn start_work(&self, interrupt: &InterruptFn) -> bool {
        let mut state = self.lock();
        if !state.halt {
            state.working = Some(Arc::clone(interrupt));
        }
        !state.halt
    }

    /// Notes that it is done. Returns whether it ended by itself.
    pub(super) fn end_work(&self) -> bool {
        self.lock().working.take().is_some()
    }

    /// Waits for the person's answer, until a moment on the game's clock.
    pub(super) fn wait_for_person(&self, deadline: Option<Nanos>) -> PersonReply {
        let mut state = self.lock();
        loop {
            if state.halt {
                return PersonReply::Interrupted;
            }
            if let Some((action, at)) = state.person_action.take() {
                return PersonReply::Acted(action, at);
            }
            let now = self.time.now();
            let timeout = match deadline {
                Some(deadline) if now >= deadline => return PersonReply::TimedOut,
                deadline => deadline.map(|deadline| Duration::from_nanos(deadline - now)),
            };
            state = self.state.wait(state, timeout);
        }
    }

    /// The next request, or none when the game is to go on. A finished game goes on only by a
    /// request; a paused one, when it is continued.
    pub(super) fn next_request(&self, over: bool) -> Option<GameRequest> {
        let mut state = self.lock();
        (state.halt, state.person_action) = (false, None);
        if state.pause && !over && state.requests.is_empty() {
            state.note_rest(Phase::Paused, HappeningKind::Paused);
            drop(state);
            self.notify();
            state = self.lock();
        }
        let idle = |state: &mut GameState| state.requests.is_empty() && (over || state.pause);
        let mut state = self.state.wait_while(state, idle);
        state.halt = false;
        state.requests.pop_front()
    }

    /// Starts to wait for a hint on the open question, and returns the snapshot. None where no
    /// person is asked.
    pub(super) fn begin_hint(&self, show: impl FnOnce(&mut Snapshot)) -> Option<Arc<Snapshot>> {
        let mut state = self.lock();
        state.snapshot.asks_person()?;
        state.forget_hint();
        show(state.edit());
        let snapshot = Arc::clone(&state.snapshot);
        drop(state);
        self.notify();
        Some(snapshot)
    }

    /// Notes how to stop the engine that gives the hint. Returns whether the hint is still wanted.
    pub(super) fn set_hint_engine(&self, question: u64, interrupt: &InterruptFn) -> bool {
        let mut state = self.lock();
        let wanted = state.awaits_hint(question);
        if wanted {
            state.hint_engine = Some(Arc::clone(interrupt));
        }
        wanted
    }

    /// Shows the hint, if its question is still open.
    pub(super) fn show_hint(&self, question: u64, show: impl FnOnce(&mut Snapshot)) {
        let mut state = self.lock();
        if state.awaits_hint(question) {
            state.hint_engine = None;
            show(state.edit());
            drop(state);
            self.notify();
        }
    }

    fn notify(&self) {
        self.state.notify();
    }

    fn lock(&self) -> MutexGuard<'_, GameState> {
        self.state.lock()
    }
}

impl AsRef<Arc<Snapshot>> for GameState {
    fn as_ref(&self) -> &Arc<Snapshot> {
        &self.snapshot
    }
}

impl GameState {
    fn edit(&mut self) -> &mut Snapshot {
        Arc::make_mut(&mut self.snapshot)
    }

    /// Notes that the game rests, or goes on.
    fn note_rest(&mut self, phase: Phase, what: HappeningKind) {
        let snapshot = self.edit();
        if std::mem::replace(&mut snapshot.phase, phase) != phase {
            let plies = snapshot.rows.len();
            snapshot.happenings.note(plies, None, "", what);
        }
    }

    fn push_request(&mut self, request: GameRequest) {
        self.requests.push_back(request);
        self.halt();
    }

    fn halt(&mut self) {
        self.halt = true;
        if let Some(interrupt) = self.working.take() {
            interrupt();
        }
    }

    fn awaits_hint(&self, question: u64) -> bool {
        let awaited = self.snapshot.hint.as_ref();
        awaited.is_some_and(|hint| hint.advice == crate::app::model::Advice::Awaited)
            && self.snapshot.asked.is_some_and(|asked| asked.number == question)
    }

    fn forget_hint(&mut self) {
        if let Some(interrupt) = self.hint_engine.take() {
            interrupt();
        }
        if self.snapshot.hint.is_some() {
            self.edit().hint = None;
        }
    }
}
