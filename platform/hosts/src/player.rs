//! Engines as players.

mod assistant;
pub(crate) mod child_backend;
mod in_process;
mod lag;
mod linked;
mod messages;
mod opening_fallback;
mod text_player;

use std::sync::Arc;
use std::time::Duration;

use tengen_abi::{Game, Limits, MoveCode, Question, Reply as EngineReply, Verdict, names, status};
use tengen_arbiter::{Action, GameResult, Nanos, TimeControl};
use tengen_players::{
    Fault, GameSetup, Listener, Player, Reply, Request, SearchInfo, Time, Timing,
};
use tengen_rules::{Answer, Ask, Move, Seat};

use crate::translate::LatestInfo;
use crate::{Export, ExportSet, HostSettings, WasmIsolation, failure, translate};
use tengen_packages::{EngineKind, EngineSpec};

use text_player::TextPlayer;

pub use linked::linked_player;
pub use opening_fallback::OpeningFallback;

/// Makes a player of an engine. It is loaded when its first game begins, and then runs for many
/// games. After a failure it is started again for the next game.
///
/// An engine of WASM runs where the settings say, every other one in a child process. The player
/// may be moved to another thread between games.
pub fn player(spec: &EngineSpec, settings: &HostSettings) -> Box<dyn Player> {
    let (spec, settings) = (spec.clone(), settings.clone());
    if spec.kind.is_text() {
        return Box::new(TextPlayer::new(spec, settings));
    }
    match (spec.kind, settings.isolation) {
        (EngineKind::Wasm, WasmIsolation::InProcess) => Box::new(EnginePlayer::new(
            spec.clone(),
            in_process::InProcessBackend::new(spec, settings),
        )),
        _ => Box::new(EnginePlayer::new(
            spec.clone(),
            child_backend::ChildBackend::new(spec, settings),
        )),
    }
}

/// The plies that an engine is sent: the first `keep` of those sent before, then `tail`.
#[derive(Clone, Copy)]
pub(crate) struct PositionUpdate<'a> {
    pub keep: usize,
    pub tail: &'a [Move],
}

impl PositionUpdate<'_> {
    fn codes(&self) -> impl ExactSizeIterator<Item = MoveCode> {
        self.tail.iter().map(|&mv| translate::to_code(mv))
    }
}

/// A question and its answer.
pub(crate) struct TimedExchange<T> {
    pub asked_at: Nanos,
    pub answered_at: Nanos,
    /// What was reported of the search meanwhile.
    pub latest: LatestInfo,
    /// What the call gave; none when patience ran out.
    pub outcome: Result<Option<T>, Fault>,
}

#[derive(Clone, Copy)]
pub(crate) struct WaitOptions<'a> {
    /// When it is given up; none waits for ever.
    pub patience: Option<Duration>,
    /// The clock of the stamps.
    pub time: &'a dyn Time,
    /// Where the messages go meanwhile.
    pub listener: Option<&'a Arc<dyn Listener>>,
}

impl<'a> WaitOptions<'a> {
    fn of(request: &Request<'a>, time: &'a dyn Time) -> WaitOptions<'a> {
        let patience = request.patience.map(Duration::from_nanos);
        WaitOptions { patience, time, listener: request.watch.map(|watch| watch.listener) }
    }
}

/// An engine, wherever it runs.
pub(crate) trait EngineBackend: Send {
    /// Makes the engine ready for a game, starting it if need be.
    fn new_game(&mut self, game: &Game) -> Result<(), Fault>;
    /// The optional exports of the engine once it is ready.
    fn exports(&self) -> ExportSet;
    /// Asks for a move.
    fn choose(
        &mut self,
        update: PositionUpdate<'_>,
        limits: &Limits,
        wait: WaitOptions<'_>,
    ) -> TimedExchange<(i32, EngineReply)>;
    /// Asks an opening question.
    fn decide(
        &mut self,
        update: PositionUpdate<'_>,
        question: (&Question, &[MoveCode]),
        limits: &Limits,
        wait: WaitOptions<'_>,
    ) -> TimedExchange<(i32, Verdict)>;
    /// What is known of the time of the last question, or of getting ready.
    fn timing(&self) -> Timing {
        Timing::default()
    }
    /// The remarks for the record about the engine since they were last taken.
    fn take_said(&mut self) -> Vec<String> {
        Vec::new()
    }
    /// How the engine failed while it was not asked, if it did.
    fn failed_unasked(&mut self) -> Option<Fault> {
        None
    }
    /// Sends how the game ended, which needs no answer.
    fn end_game(&mut self, outcome: i32, reason: u32);
    /// Ends the engine, so that the next game starts it again, and adds its last words to the
    /// fault.
    fn fail(&mut self, fault: Fault) -> Fault;
}

struct EnginePlayer<L> {
    spec: EngineSpec,
    backend: L,
    seat: Seat,
    time: TimeControl,
    /// The position that the engine has been sent.
    sent_moves: Vec<Move>,
    /// The move to make if the claim that was just made is refused.
    move_if_claim_fails: Option<Move>,
    timing: Timing,
    /// The game that it was made ready for.
    game: Option<Game>,
    /// Whether it was stopped for being late since.
    is_stopped: bool,
}

impl<L: EngineBackend> EnginePlayer<L> {
    fn new(spec: EngineSpec, backend: L) -> EnginePlayer<L> {
        let (seat, time) = (Seat::First, TimeControl::default());
        EnginePlayer {
            spec,
            backend,
            seat,
            time,
            sent_moves: Vec::new(),
            move_if_claim_fails: None,
            timing: Timing::default(),
            game: None,
            is_stopped: false,
        }
    }

    /// Starts an engine again that was stopped for being late: the event goes on with a move in its
    /// place. Gives what is left of the question, or why nothing is.
    fn start_again<'a>(
        &mut self,
        request: &Request<'a>,
        asked_at: Nanos,
        time: &dyn Time,
    ) -> Result<Request<'a>, Option<Fault>> {
        self.sent_moves.clear();
        if let Some(game) = &self.game {
            self.backend.new_game(game).map_err(Some)?;
        }
        self.is_stopped = false;
        let spent = time.now().saturating_sub(asked_at);
        match request.patience {
            Some(patience) if spent >= patience => Err(None),
            _ => Ok(request.after(spent)),
        }
    }

    fn ask_ready(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let same =
            self.sent_moves.iter().zip(request.moves).take_while(|(update, now)| update == now);
        let keep = same.count();
        self.sent_moves.truncate(keep);
        self.sent_moves.extend_from_slice(&request.moves[keep..]);
        match translate::to_question(request.ask, request.offered.len(), request.fifth_moves) {
            // An engine that answers no questions knows the procedure and moves by it.
            Some(_)
                if matches!(request.ask, Ask::Move { .. })
                    && !self.backend.exports().has(Export::Decide) =>
            {
                self.ask_move(request, keep, time)
            }
            Some(question) => self.ask_question(request, &question, keep, time),
            None => self.ask_move(request, keep, time),
        }
    }

    fn limits(&self, request: &Request<'_>) -> Limits {
        let lines = request.watch.map_or(1, |watch| watch.lines.max(1));
        translate::to_limits(&request.limits, &self.time, lines)
    }

    fn ask_move(&mut self, request: &Request<'_>, keep: usize, time: &dyn Time) -> Reply {
        let update = PositionUpdate { keep, tail: &request.moves[keep..] };
        let (limits, wait) = (self.limits(request), WaitOptions::of(request, time));
        let exchange = self.backend.choose(update, &limits, wait);
        let said = exchange.outcome.as_ref().ok().and_then(Option::as_ref).map(|(_, said)| said);
        self.move_if_claim_fails = said.and_then(translate::move_behind_claim);
        let info = translate::to_search_info(said, exchange.latest.info.as_ref());
        self.reply(exchange, names::CHOOSE, info, |reply| translate::to_action(&reply))
    }

    fn ask_question(
        &mut self,
        request: &Request<'_>,
        question: &Question,
        keep: usize,
        time: &dyn Time,
    ) -> Reply {
        let update = PositionUpdate { keep, tail: &request.moves[keep..] };
        let (limits, wait) = (self.limits(request), WaitOptions::of(request, time));
        let offered = request.offered.iter().map(|&point| translate::to_code(Move::Stone(point)));
        let candidates: Vec<_> = offered.take(question.candidates as usize).collect();
        let exchange = self.backend.decide(update, (question, &candidates), &limits, wait);
        let is_unknown = matches!(exchange.outcome, Ok(Some((status::UNSUPPORTED, _))));
        if is_unknown && matches!(request.ask, Ask::Move { .. }) {
            self.time_of(self.backend.timing());
            let spent = exchange.answered_at.saturating_sub(exchange.asked_at);
            let patience = request.patience.map(|patience| patience.saturating_sub(spent));
            let again = Request { patience, ..*request };
            let reply = self.ask_move(&again, request.moves.len(), time);
            return Reply { asked_at: exchange.asked_at, ..reply };
        }
        let info = translate::to_search_info(None, exchange.latest.info.as_ref());
        let (seat, ask, offered) = (self.seat, request.ask, request.offered);
        let action = |verdict: Verdict| {
            (Action::Answer(translate::to_answer(ask, seat, offered, &verdict)), false)
        };
        self.reply(exchange, names::DECIDE, info, action)
    }

    /// Adds what is known of the time of one exchange; a question may take two.
    fn time_of(&mut self, exchange: Timing) {
        let before = self.timing.own.unwrap_or(0);
        let own = exchange.own.map(|own| own.saturating_add(before));
        let correction = self.timing.correction.and(exchange.correction);
        self.timing = Timing { own, cpu_stats: exchange.cpu_stats, correction };
    }

    /// Makes the reply. An engine that failed is not used again in this game.
    fn reply<T>(
        &mut self,
        exchange: TimedExchange<(i32, T)>,
        call: &str,
        info: Option<SearchInfo>,
        action: impl FnOnce(T) -> (Action, bool),
    ) -> Reply {
        let TimedExchange { asked_at, answered_at, .. } = exchange;
        let pv = exchange.latest.pv;
        self.time_of(self.backend.timing());
        let (outcome, offers_draw) = match exchange.outcome {
            Ok(Some((code, answer))) => match failure::judge(call, code) {
                Ok(()) => {
                    let (action, offers_draw) = action(answer);
                    (Ok(Some(action)), offers_draw)
                }
                Err(fault) => (Err(self.backend.fail(fault)), false),
            },
            Ok(None) => {
                self.is_stopped = true;
                (Ok(None), false)
            }
            Err(fault) => (Err(fault), false),
        };
        Reply { asked_at, answered_at, offers_draw, outcome, info, pv }
    }
}

impl<L: EngineBackend> Player for EnginePlayer<L> {
    fn new_game(&mut self, game: &GameSetup) -> Result<(), Fault> {
        self.sent_moves.clear();
        self.move_if_claim_fails = None;
        (self.seat, self.time) = (game.seat, game.time);
        let game = translate::to_game(game, &self.spec);
        let ready = self.backend.new_game(&game);
        (self.game, self.is_stopped) = (Some(game), false);
        self.timing = Timing { own: None, ..self.backend.timing() };
        ready
    }

    fn timing(&self) -> Timing {
        self.timing
    }

    fn failed_unasked(&mut self) -> Option<Fault> {
        self.backend.failed_unasked()
    }

    fn take_said(&mut self) -> Vec<String> {
        self.backend.take_said()
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        self.timing = Timing::default();
        if let Some(mv) = self.move_if_claim_fails.take()
            && request.limits.retry
            && matches!(request.ask, Ask::Move { .. })
        {
            let now = time.now();
            let outcome = Ok(Some(Action::Answer(Answer::Move(mv))));
            let (asked_at, answered_at) = (now, now);
            let (info, pv) = (None, Vec::new());
            return Reply { asked_at, answered_at, offers_draw: false, outcome, info, pv };
        }
        if !self.is_stopped {
            return self.ask_ready(request, time);
        }
        let asked_at = time.now();
        let outcome = match self.start_again(request, asked_at, time) {
            Ok(rest) => return Reply { asked_at, ..self.ask_ready(&rest, time) },
            Err(None) => Ok(None),
            Err(Some(fault)) => Err(fault),
        };
        let (answered_at, info, pv) = (time.now(), None, Vec::new());
        Reply { asked_at, answered_at, offers_draw: false, outcome, info, pv }
    }

    fn end_game(&mut self, result: GameResult) {
        let (outcome, reason) = translate::to_end(result, self.seat);
        self.backend.end_game(outcome, reason);
    }
}
