use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use tengen_arbiter::{Action, Nanos};
use tengen_players::Time;
use tengen_record::{GameRecord, PlayerHeader};
use tengen_rules::{BySeat, Seat};

use super::PlayCommand;
use super::keeping::Introduction;
use crate::app::{Live, Occupant, Phase, Snapshot};

/// Stops an engine that is at work.
pub(super) type Interrupt = Arc<dyn Fn() + Send + Sync>;

/// What the game's thread and the window share.
pub(super) struct Desk {
    pub(super) time: Arc<dyn Time + Send + Sync>,
    /// What people at the window are called.
    person: String,
    /// What the engines on the seats say.
    pub(super) lives: BySeat<Arc<Live>>,
    state: Mutex<State>,
    changed: Condvar,
    on_change: OnceLock<Box<dyn Fn() + Send + Sync>>,
}

struct State {
    snapshot: Arc<Snapshot>,
    occupants: BySeat<Occupant>,
    /// The engines that were hired last.
    introduced: BySeat<Option<Introduction>>,
    /// All that was done in it, once something was.
    record: Option<Arc<GameRecord>>,
    /// Whether the game is to rest.
    pause: bool,
    /// Whether the table is to stand up from the open question.
    halt: bool,
    wishes: VecDeque<Wish>,
    /// What the person who is asked did, and when.
    said: Option<(Action, Nanos)>,
    /// The engine that is at work.
    working: Option<Interrupt>,
    /// The engine that advises.
    advising: Option<Interrupt>,
}

/// What is to be done with the game while no question is open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wish {
    /// Let a seat give up.
    Resign(Seat),
    /// End it without a result.
    Stop,
    /// Take back a person's last answer.
    TakeBack,
    /// Take back what came after so many plies.
    TakeBackTo(usize),
    /// Leave it.
    Quit,
}

/// What came of waiting for a person.
pub(super) enum Heard {
    /// It did this, then.
    Said(Action, Nanos),
    /// Its time ran out.
    Late,
    /// The table stands up.
    Left,
}

impl Desk {
    pub(super) fn new(
        snapshot: Snapshot,
        occupants: BySeat<Occupant>,
        person: String,
        time: Arc<dyn Time + Send + Sync>,
    ) -> Desk {
        let pause = snapshot.phase == Phase::Paused;
        let state = State {
            snapshot: Arc::new(snapshot),
            occupants,
            introduced: BySeat { first: None, second: None },
            record: None,
            pause,
            halt: false,
            wishes: VecDeque::new(),
            said: None,
            working: None,
            advising: None,
        };
        let (state, changed) = (Mutex::new(state), Condvar::new());
        let lives = BySeat::from_fn(|_| Live::new(Arc::clone(&time)));
        Desk { time, person, lives, state, changed, on_change: OnceLock::new() }
    }

    pub(super) fn snapshot(&self) -> Arc<Snapshot> {
        Arc::clone(&self.lock().snapshot)
    }

    pub(super) fn occupants(&self) -> BySeat<Occupant> {
        self.lock().occupants.clone()
    }

    /// Notes which engine was hired for a seat.
    pub(super) fn note_hired(&self, seat: Seat, introduction: Introduction) {
        self.lock().introduced[seat] = Some(introduction);
    }

    /// Shows the engines on the seats by the names they give themselves; by their ids where these
    /// do not tell them apart.
    pub(super) fn name_engines(&self) {
        let mut state = self.lock();
        let own = |seat: Seat| match (&state.occupants[seat], &state.introduced[seat]) {
            (Occupant::Engine(id), Some(known)) if known.id == *id => {
                Some((id.clone(), known.name.clone()))
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
        self.tell();
    }

    /// Tells a record what is known of the engine on a seat.
    pub(super) fn introduce(&self, seat: Seat, sitter: &mut PlayerHeader) {
        if let Some(introduction) = &self.lock().introduced[seat] {
            introduction.tell(sitter);
        }
    }

    pub(super) fn record(&self) -> Option<Arc<GameRecord>> {
        self.lock().record.clone()
    }

    pub(super) fn set_record(&self, record: GameRecord) {
        self.lock().record = Some(Arc::new(record));
    }

    pub(super) fn on_change(&self, wake: Box<dyn Fn() + Send + Sync>) {
        let first = self.on_change.set(wake).is_ok();
        debug_assert!(first, "one window watches a game");
    }

    pub(super) fn wait_until(&self, condition: impl Fn(&Snapshot) -> bool) {
        let waiting = |state: &mut State| !condition(&state.snapshot);
        drop(self.changed.wait_while(self.lock(), waiting).unwrap_or_else(PoisonError::into_inner));
    }

    pub(super) fn send(&self, command: PlayCommand) {
        let mut state = self.lock();
        if !command.fits(&state.snapshot) {
            return;
        }
        match command {
            PlayCommand::Say { action, .. } => {
                let now = self.time.now();
                state.said = Some((action, now));
                state.edit().refusal = None;
            }
            PlayCommand::Refuse(reason) => state.edit().refusal = reason,
            PlayCommand::Pause => {
                state.pause = true;
                state.edit().phase = Phase::Pausing;
                if state.snapshot.asks_person().is_some() {
                    state.halt();
                }
            }
            PlayCommand::Continue => {
                state.pause = false;
                if state.snapshot.phase == Phase::Pausing {
                    state.edit().phase = Phase::Playing;
                }
            }
            PlayCommand::Resign(seat) => state.wish(Wish::Resign(seat)),
            PlayCommand::Stop => {
                state.edit().phase = Phase::Stopping;
                state.wish(Wish::Stop);
            }
            PlayCommand::TakeBack => state.wish(Wish::TakeBack),
            PlayCommand::TakeBackTo(plies) => state.wish(Wish::TakeBackTo(plies)),
            PlayCommand::Seat(seat, occupant) => {
                let on_move = state.snapshot.asked.is_some_and(|asked| asked.seat == seat);
                if on_move {
                    state.halt();
                } else {
                    // Who is asked goes on with the answer, and sees who came.
                    let seated = &mut state.edit().seats[seat];
                    seated.is_person = occupant.is_person();
                    seated.name = match &occupant {
                        Occupant::Person => self.person.clone(),
                        Occupant::Engine(id) => id.clone(),
                    };
                }
                state.occupants[seat] = occupant;
            }
            PlayCommand::ForgetHint => state.forget_hint(),
            PlayCommand::Hint(_) => unreachable!("hints are asked for elsewhere"),
        }
        drop(state);
        self.tell();
    }

    /// Ends the game's thread as soon as can be.
    pub(super) fn quit(&self) {
        let mut state = self.lock();
        state.forget_hint();
        state.wish(Wish::Quit);
        drop(state);
        self.tell();
    }

    /// Shows what has come.
    pub(super) fn publish(&self, change: impl FnOnce(&mut Snapshot)) {
        let mut state = self.lock();
        let before = state.snapshot.asked.map(|asked| asked.number);
        change(state.edit());
        if state.snapshot.asked.map(|asked| asked.number) != before {
            state.forget_hint();
        }
        drop(state);
        self.tell();
    }

    /// Whether the table is to stand up.
    pub(super) fn is_halted(&self) -> bool {
        self.lock().halt
    }

    /// Makes the table stand up if the game is to rest or there are wishes, before a question is
    /// put; whether it does.
    pub(super) fn stand_up_to_rest(&self) -> bool {
        let mut state = self.lock();
        state.halt |= state.pause || !state.wishes.is_empty();
        state.halt
    }

    /// Makes the table stand up from a question, as for another one on the seat.
    pub(super) fn stand_up(&self) {
        self.lock().halt = true;
    }

    /// Notes which engine begins to work; none does any more when the table stands up.
    pub(super) fn begin_work(&self, interrupt: &Interrupt) -> bool {
        let mut state = self.lock();
        if !state.halt {
            state.working = Some(Arc::clone(interrupt));
        }
        !state.halt
    }

    /// Notes that it is done; whether it was left to end by itself.
    pub(super) fn end_work(&self) -> bool {
        self.lock().working.take().is_some()
    }

    /// Waits for the person who is asked, until a moment on the game's clock.
    pub(super) fn hear(&self, deadline: Option<Nanos>) -> Heard {
        let mut state = self.lock();
        loop {
            if state.halt {
                return Heard::Left;
            }
            if let Some((action, at)) = state.said.take() {
                return Heard::Said(action, at);
            }
            let now = self.time.now();
            state = match deadline {
                Some(deadline) if now >= deadline => return Heard::Late,
                Some(deadline) => {
                    let left = Duration::from_nanos(deadline - now);
                    let waited = self.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    /// The next wish, or none when the game is to go on. A game that is over goes on by a wish
    /// alone; one that rests, when it is continued.
    pub(super) fn next_wish(&self, over: bool) -> Option<Wish> {
        let mut state = self.lock();
        (state.halt, state.said) = (false, None);
        if state.pause && !over && state.wishes.is_empty() {
            state.edit().phase = Phase::Paused;
            drop(state);
            self.tell();
            state = self.lock();
        }
        let idle = |state: &mut State| state.wishes.is_empty() && (over || state.pause);
        let mut state =
            self.changed.wait_while(state, idle).unwrap_or_else(PoisonError::into_inner);
        let wish = state.wishes.pop_front();
        state.halt = false;
        wish
    }

    /// Begins to wait for advice on the open question, and gives its number. None is waited for
    /// where no person is asked.
    pub(super) fn begin_advice(&self, show: impl FnOnce(&mut Snapshot)) -> Option<Arc<Snapshot>> {
        let mut state = self.lock();
        state.snapshot.asks_person()?;
        state.forget_hint();
        show(state.edit());
        let snapshot = Arc::clone(&state.snapshot);
        drop(state);
        self.tell();
        Some(snapshot)
    }

    /// Notes how the adviser on a question is stopped; whether it is still wanted.
    pub(super) fn advising(&self, question: u64, interrupt: &Interrupt) -> bool {
        let mut state = self.lock();
        let wanted = state.awaits_advice(question);
        if wanted {
            state.advising = Some(Arc::clone(interrupt));
        }
        wanted
    }

    /// Shows what was advised, if the question is still open and the advice awaited.
    pub(super) fn advise(&self, question: u64, show: impl FnOnce(&mut Snapshot)) {
        let mut state = self.lock();
        if state.awaits_advice(question) {
            state.advising = None;
            show(state.edit());
            drop(state);
            self.tell();
        }
    }

    fn tell(&self) {
        self.changed.notify_all();
        if let Some(wake) = self.on_change.get() {
            wake();
        }
    }

    /// No invariant spans a panic: every change of the state is one assignment.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn edit(&mut self) -> &mut Snapshot {
        Arc::make_mut(&mut self.snapshot)
    }

    fn wish(&mut self, wish: Wish) {
        self.wishes.push_back(wish);
        self.halt();
    }

    fn halt(&mut self) {
        self.halt = true;
        if let Some(interrupt) = self.working.take() {
            interrupt();
        }
    }

    fn awaits_advice(&self, question: u64) -> bool {
        let awaited = self.snapshot.hint.as_ref();
        awaited.is_some_and(|hint| hint.advice == crate::app::Advice::Awaited)
            && self.snapshot.asked.is_some_and(|asked| asked.number == question)
    }

    fn forget_hint(&mut self) {
        if let Some(interrupt) = self.advising.take() {
            interrupt();
        }
        if self.snapshot.hint.is_some() {
            self.edit().hint = None;
        }
    }
}
