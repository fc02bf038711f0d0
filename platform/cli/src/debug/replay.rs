//! The players of a game that is played again: what was answered is answered again, at the same
//! moments of a clock that stands still otherwise.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tengen_arbiter::{Action, GameResult, HistoryEntry, Nanos};
use tengen_lineup::{action_words, lock};
use tengen_players::{Fault, GameSetup, Player, RealTime, Reply, Request, Time};
use tengen_record::GameRecord;
use tengen_rules::{Answer, Seat};

use super::debugger::Debugger;
use crate::report::tell;

/// A recorded game, and how far it has come. As a clock it is moved by what was recorded alone.
pub(super) struct Replay {
    actions: Vec<HistoryEntry>,
    /// How the game was lost by the engine, if it was so.
    lost: Option<String>,
    /// How many actions are done.
    at: AtomicUsize,
    now: AtomicU64,
    is_over: AtomicBool,
    last_words: Mutex<Option<String>>,
    debugger: Option<Arc<Debugger>>,
}

impl Replay {
    pub(super) fn new(record: &GameRecord, seat: Seat, debugger: Option<Arc<Debugger>>) -> Replay {
        let is_lost = record.result.winner == Some(!seat) && record.result.termination.is_fault();
        let how = || record.result.termination.words();
        Replay {
            actions: record.actions.clone(),
            lost: is_lost.then(how),
            at: AtomicUsize::new(0),
            now: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
            last_words: Mutex::new(None),
            debugger,
        }
    }

    pub(super) fn look(&self, done: usize) {
        self.at.store(done, Ordering::Relaxed);
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// What there is to say where the engine has not failed.
    pub(super) fn last_words(&self) -> Option<String> {
        lock(&self.last_words).clone()
    }

    fn end(&self, words: Option<String>) {
        *lock(&self.last_words) = words;
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// What a seat answered next, and whether it offered a draw along with it.
    fn recorded(&self, seat: Seat) -> Option<(&HistoryEntry, bool)> {
        let at = self.at.load(Ordering::Relaxed);
        let rest = self.actions.get(at..)?;
        let offers = rest.first()?.action == Action::OfferDraw && rest.len() > 1;
        let entry = &rest[usize::from(offers)];
        (entry.seat == seat).then_some((entry, offers))
    }

    /// What was answered in place of an illegal answer.
    pub(super) fn substitute(&self, at: usize, seat: Seat) -> Option<Answer> {
        let entry = self.actions.get(at).filter(|entry| entry.substituted && entry.seat == seat)?;
        match &entry.action {
            Action::Answer(answer) => Some(answer.clone()),
            _ => None,
        }
    }

    /// Answers as it was answered then, after as long.
    fn reply(&self, entry: &HistoryEntry, offers_draw: bool) -> Reply {
        let asked_at = self.now.fetch_add(entry.spent, Ordering::Relaxed);
        Reply {
            asked_at,
            answered_at: asked_at + entry.spent,
            offers_draw,
            outcome: Ok(Some(entry.action.clone())),
            info: entry.info,
            pv: entry.pv.clone(),
        }
    }

    /// A reply that comes of no record.
    fn now(&self, outcome: Result<Option<Action>, Fault>) -> Reply {
        let now = self.now.load(Ordering::Relaxed);
        let (info, pv) = (None, Vec::new());
        Reply { asked_at: now, answered_at: now, offers_draw: false, outcome, info, pv }
    }
}

impl Time for Replay {
    fn now(&self) -> Nanos {
        self.now.load(Ordering::Relaxed)
    }
}

pub(super) struct ReplayedSeat<'a> {
    replay: &'a Replay,
    seat: Seat,
    /// The engine that is debugged; none for the opponent.
    engine: Option<Box<dyn Player>>,
    time: RealTime,
}

impl<'a> ReplayedSeat<'a> {
    pub(super) fn scripted(replay: &'a Replay, seat: Seat) -> ReplayedSeat<'a> {
        ReplayedSeat { replay, seat, engine: None, time: RealTime::new() }
    }

    pub(super) fn debugged(
        replay: &'a Replay,
        seat: Seat,
        engine: Box<dyn Player>,
    ) -> ReplayedSeat<'a> {
        ReplayedSeat { engine: Some(engine), ..ReplayedSeat::scripted(replay, seat) }
    }
}

impl Player for ReplayedSeat<'_> {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        match &mut self.engine {
            Some(engine) => engine.new_game(game),
            None => Ok(()),
        }
    }

    fn ask(&mut self, request: &Request<'_>, _: &dyn Time) -> Reply {
        let replay = self.replay;
        let recorded = replay.recorded(self.seat);
        let Some(engine) = &mut self.engine else {
            return match recorded {
                Some((entry, offers)) => replay.reply(entry, offers),
                None => {
                    replay.end(None);
                    replay.now(Ok(Some(Action::Resign)))
                }
            };
        };
        let ply = request.moves.len() + 1;
        if let Some(debugger) = &replay.debugger {
            debugger.stop_before(ply, replay.at.load(Ordering::Relaxed));
        }
        let answer = engine.ask(&Request { patience: None, ..*request }, &self.time);
        let spent = answer.answered_at.saturating_sub(answer.asked_at) as f64 / 1e9;
        let action = match answer.outcome {
            Ok(Some(action)) => action,
            failed => return replay.now(failed),
        };
        let Some((entry, offers)) = recorded else {
            let lost = replay.lost.as_deref().unwrap_or("something else");
            let words = format!(
                "does not fail this time: it answered {} after {spent:.3} s, where it lost the \
                 game by {lost}{}",
                action_words(&action),
                request.limits.hard.map_or(String::new(), |hard| {
                    format!("; it had {:.3} s then", hard as f64 / 1e9)
                })
            );
            replay.end(Some(words));
            return replay.now(Ok(Some(action)));
        };
        if entry.action != action && !entry.substituted {
            tell(format_args!(
                "tengen: ply {ply}: it now answers {}; in the game it answered {}, and the game \
                 goes on with that",
                action_words(&action),
                action_words(&entry.action)
            ));
        }
        replay.reply(entry, offers)
    }

    fn take_said(&mut self) -> Vec<String> {
        self.engine.as_mut().map(|engine| engine.take_said()).unwrap_or_default()
    }

    fn end_game(&mut self, result: GameResult) {
        if let Some(engine) = &mut self.engine {
            engine.end_game(result);
        }
    }
}
