//! The loop of one game: the arbiter asks, the players answer.

use std::sync::Arc;
use std::time::Duration;

use tengen_arbiter::{
    Action, Cause, Clock, Correction, Failure, ForfeitCause, Game, Handled, Input, Limits,
    MarginPolicy, Nanos, Order, SearchInfo, Termination,
};
use tengen_players::{
    DENIED, Fault, GameSetup, Listener, Player, Reply, Request, Subscription, Time, Timing,
};
use tengen_rules::{Answer, Ask, BySeat, Move, Procedure, Seat, Size};

/// A margin is mentioned from this size on.
const TOLD_MARGIN: Nanos = 1_000_000;

/// Runs a game: it passes the arbiter's questions to the players and their answers back.
///
/// It never reads the clock while a question is open. The times of a game are those that the
/// players' hosts measured where they wrote and read, so that a busy runner costs no player time.
pub struct GameRunner<'a> {
    /// The clock of the players' stamps.
    pub time: &'a dyn Time,
    /// How long a player that has no clock may think before it counts as hung; none is for ever.
    pub stall: Option<Nanos>,
    /// Whether to give the game up: asked after every wait for a player, before its answer or
    /// silence is judged.
    pub halted: &'a dyn Fn() -> bool,
    /// Answers in place of an illegal answer, where the event
    /// [replaces those](tengen_arbiter::IllegalPolicy::Substitute). Where it has no answer, the
    /// arbiter has one.
    pub substitute: Option<&'a SubstituteFn<'a>>,
    /// Hears what the players say while they think.
    pub listener: Option<&'a Arc<dyn Listener>>,
}

/// Answers the open question of a game for a seat.
pub type SubstituteFn<'a> = dyn Fn(&Game, Seat) -> Option<Answer> + 'a;

/// What a substitute may use for an answer. The nodes are first, so that it is the same everywhere.
const SUBSTITUTE_LIMITS: Limits = Limits {
    own: None,
    opponent: None,
    hard: Some(10_000_000_000),
    nodes: Some(20_000),
    depth: None,
    draw_offered: false,
    retry: false,
};

/// Asks a player for an answer in place of a seat's own, as [`GameRunner::substitute`] wants it.
pub fn substitute_answer(
    player: &mut dyn Player,
    game: &Game,
    seat: Seat,
    params: GameParams,
    time: &dyn Time,
) -> Option<Answer> {
    let setup = GameSetup { reproducible: true, ..params.setup(game, seat) };
    let (_, ask) = game.asked()?;
    player.new_game(&setup).ok()?;
    let limits = SUBSTITUTE_LIMITS;
    let patience = limits.hard.map(|hard| hard.saturating_mul(2));
    match player.ask(&request(game, ask, limits, patience), time).outcome {
        Ok(Some(Action::Answer(answer))) => Some(answer),
        outcome => {
            log::warn!("no answer in place of an illegal one to {ask:?}: {outcome:?}");
            None
        }
    }
}

/// The open question of a game, put so.
fn request(game: &Game, ask: Ask, limits: Limits, patience: Option<Nanos>) -> Request<'_> {
    Request {
        moves: game.position().moves(),
        ask,
        offered: game.offered(),
        fifth_moves: game.opening().fifth_moves(),
        limits,
        patience,
        watch: None,
    }
}

/// What is settled before a game, beside what the game itself knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct GameParams {
    /// The number of the game in its event.
    pub number: Option<u64>,
    pub opening: Procedure,
    /// The seed for the players' own randomness.
    pub seed: u64,
    pub draw_offers: bool,
}

/// What is known of the end of a game beside its result.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GameEnd {
    /// Details of the end: the reason of an illegal answer, or a failed player's last words.
    pub detail: Option<String>,
    /// Where the loser's time went, if time lost the game and that is known.
    pub cause: Option<ForfeitCause>,
    /// For how long the arbiter itself stood still during questions of the game; 0 if that was too
    /// short to matter.
    pub stopped: Nanos,
}

/// A game was given up before its end. It has no result, and its players must be dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Halted;

impl GameRunner<'_> {
    /// Plays a game that has just been set up, to its end.
    ///
    /// The players are made ready first, the first seat before the second. A player that cannot be
    /// made ready loses by that, and the other is not asked any more; so if neither could be, the
    /// first seat loses. At the end all players that were made ready are told.
    ///
    /// # Errors
    /// When the runner was [halted](GameRunner::halted).
    pub fn play(
        &self,
        game: &mut Game,
        params: GameParams,
        players: BySeat<&mut dyn Player>,
        end: &mut GameEnd,
    ) -> Result<(), Halted> {
        self.play_watched(game, params, players, end, |_| {})
    }

    /// As [`GameRunner::play`], and shows the game to `watch` each time a question is about to be
    /// put and no clock runs. The result of the last question is seen there; that of the very last
    /// one, after the return.
    ///
    /// # Errors
    /// When the runner was [halted](GameRunner::halted).
    pub fn play_watched(
        &self,
        game: &mut Game,
        params: GameParams,
        mut players: BySeat<&mut dyn Player>,
        end: &mut GameEnd,
        mut watch: impl FnMut(&Game),
    ) -> Result<(), Halted> {
        *end = GameEnd::default();
        let mut run = GameRun {
            runner: self,
            game,
            players: &mut players,
            end,
            ready: BySeat { first: false, second: false },
            stopped: BySeat { first: 0, second: 0 },
            last_words: Vec::new(),
            silence: None,
        };
        run.make_ready(params)?;
        while let Some(Order::Ask { seat, ask, limits, patience }) = run.game.poll_order() {
            watch(run.game);
            run.ask(seat, ask, limits, patience)?;
        }
        run.finish();
        Ok(())
    }
}

/// A game that is being played.
struct GameRun<'r, 'p> {
    runner: &'r GameRunner<'r>,
    game: &'r mut Game,
    players: &'r mut BySeat<&'p mut dyn Player>,
    end: &'r mut GameEnd,
    /// Which players got ready, and so are told of the end.
    ready: BySeat<bool>,
    /// What each player was charged for though the arbiter did not run.
    stopped: BySeat<Nanos>,
    /// What the player said that was asked last, if nothing came of it that it could belong to.
    last_words: Vec<String>,
    /// What is said of a player that has not answered the last question.
    silence: Option<String>,
}

impl GameRun<'_, '_> {
    /// Makes both players ready, until one of them cannot be.
    fn make_ready(&mut self, params: GameParams) -> Result<(), Halted> {
        let time = self.runner.time;
        for seat in Seat::ALL {
            let setup = params.setup(self.game, seat);
            let (began, before) = (time.now(), time.stopped());
            let outcome = self.players[seat].new_game(&setup);
            if (self.runner.halted)() {
                return Err(Halted);
            }
            let stopped = time.stopped().saturating_sub(before);
            self.stopped[seat] = stopped;
            if let Err(fault) = outcome {
                let now = time.now();
                // Where it ran out, that was all the time there was.
                let spent = now.saturating_sub(began);
                fail(self.game, now, seat, fault, self.end);
                self.note_cause(seat, Question { allowed: Some(spent), spent, stopped });
                break;
            }
            self.ready[seat] = true;
            let (now, whole) = (time.now(), self.game.clock(seat).whole());
            let spent = self.players[seat].timing().correction.charge(now.saturating_sub(began));
            if self.game.handle(now, seat, Input::Ready(spent)) == Handled::Late {
                self.note_cause(seat, Question { allowed: whole, spent, stopped });
                let seconds = Duration::from_nanos(spent).as_secs_f64();
                let detail = format!("took {seconds:.1} s of its clock to get ready");
                self.end.detail.get_or_insert(detail);
                break;
            }
        }
        Ok(())
    }

    /// Puts a question, and hands the arbiter what comes of it.
    fn ask(
        &mut self,
        seat: Seat,
        ask: Ask,
        limits: Limits,
        patience: Option<Nanos>,
    ) -> Result<(), Halted> {
        let GameRunner { time, stall, halted, substitute, listener } = *self.runner;
        let patience = patience.or(stall);
        let watch = listener.map(|listener| Subscription { listener, lines: 1 });
        let request = Request { watch, ..request(self.game, ask, limits, patience) };
        let allowed = patience.map(|patience| patience.saturating_sub(1));
        let (before, awake) = (time.stopped(), time.slept());
        let reply = self.players[seat].ask(&request, time);
        if halted() {
            return Err(Halted);
        }
        // This comes first: what this player did may be due to what the other one did meanwhile.
        if let Some(fault) = self.players[!seat].failed_unasked() {
            fail(self.game, reply.answered_at, !seat, fault, self.end);
            return Ok(());
        }
        let stop = time.stopped().saturating_sub(before);
        let whole = whole_clock(self.game, seat);
        self.note_stops(seat, whole, stop, time.slept().saturating_sub(awake));
        let (timing, said) = (self.players[seat].timing(), self.players[seat].take_said());
        let mut spent = timing.correction.charge(reply.answered_at.saturating_sub(reply.asked_at));
        // The game went on after an earlier one.
        self.silence = None;
        if let (Ok(None), Some(patience)) = (&reply.outcome, patience) {
            // It was stopped then. The time it took to end it is not charged.
            spent = spent.min(patience);
            let margin = allowed.zip(limits.hard).map(|(all, hard)| all.saturating_sub(hard));
            self.silence = Some(silence(ask, spent, margin.unwrap_or(0)));
        }
        let before = self.game.history().len();
        take_reply(self.game, seat, reply, timing, self.end);
        // Where nothing was done, it belongs to the end.
        if !said.is_empty() && self.game.history().len() > before {
            self.game.add_said(said);
        } else {
            self.last_words = said;
        }
        let question = match timing.cpu_stats {
            // What was not its own in earlier questions was given back to it.
            Some(_) => Question { allowed: whole.or(allowed), spent, stopped: stop },
            None => Question { allowed, spent, stopped: self.stopped[seat] },
        };
        note_cause(self.game, timing, question, self.end);
        if self.game.needs_substitute()
            && let Some(answer) = substitute.and_then(|answer| answer(self.game, seat))
        {
            self.game.handle(time.now(), seat, Input::Substitute(answer));
        }
        Ok(())
    }

    /// Notes how long Tengen was stopped during a question, and how long the machine slept.
    fn note_stops(&mut self, seat: Seat, whole: Option<Nanos>, stop: Nanos, slept: Nanos) {
        // Only time of a clock for the whole game is still missing later.
        let is_kept = self.game.clock(seat).left().is_some();
        let kept = if is_kept { self.stopped[seat] } else { 0 };
        self.stopped[seat] = stop.saturating_add(kept);
        for still in [stop, slept] {
            if whole.is_some_and(|whole| ForfeitCause::spoils(still, whole)) {
                self.end.stopped = self.end.stopped.saturating_add(still);
            }
        }
    }

    fn note_cause(&mut self, seat: Seat, question: Question) {
        note_cause(self.game, self.players[seat].timing(), question, self.end);
    }

    /// Says why it ended, and tells the players that it has.
    fn finish(mut self) {
        let result = self.game.result().expect("a game asks until it has a result");
        self.explain(result.termination);
        for seat in Seat::ALL {
            if self.ready[seat] {
                self.players[seat].end_game(result);
            }
        }
    }

    fn explain(&mut self, termination: Termination) {
        let end = &mut *self.end;
        // What it did comes before where its time went.
        let cause = end.cause.map(|cause| cause.to_string());
        let told: Vec<String> = self.silence.take().into_iter().chain(cause).collect();
        if end.detail.is_none() && !told.is_empty() {
            end.detail = Some(told.join("; "));
        }
        if end.stopped > 0 {
            let seconds = Duration::from_nanos(end.stopped).as_secs_f64();
            let stop = format!("Tengen did not run for {seconds:.1} s of this game's questions");
            end.detail =
                Some(end.detail.take().map_or(stop.clone(), |told| format!("{told}; {stop}")));
        }
        match termination {
            Termination::IllegalAnswer => {
                end.detail = self.game.refusal().map(str::to_owned);
                let last = self.game.history().last();
                self.last_words = last.map_or_else(Vec::new, |entry| entry.said.clone());
            }
            Termination::Proof => {
                let line: Vec<String> = self.game.proof().iter().map(ToString::to_string).collect();
                end.detail = Some(format!("wins by fours: {}", line.join(" ")));
                return;
            }
            termination if is_by_time(termination) => {}
            _ => return,
        }
        // What it was denied is its host's word, and may be why.
        let (mut told, words): (Vec<_>, Vec<_>) =
            self.last_words.drain(..).partition(|line| line.starts_with(DENIED));
        told.extend(end.detail.take());
        if !words.is_empty() {
            told.push(format!("it said last:\n{}", words.join("\n")));
        }
        end.detail = (!told.is_empty()).then(|| told.join("; "));
    }
}

/// The text about a player that has not answered within its time, of which `margin` was its margin.
fn silence(ask: Ask, spent: Nanos, margin: Nanos) -> String {
    let seconds = |nanos| Duration::from_nanos(nanos).as_secs_f64();
    let what = if matches!(ask, Ask::Move { .. }) { "no move" } else { "nothing" };
    let within = format!("answered {what} within {:.3} s", seconds(spent));
    match margin {
        TOLD_MARGIN.. => format!("{within}, the margin of {:.3} s included", seconds(margin)),
        _ => within,
    }
}

/// What a seat may use for a question with a full clock. Whether a stop spoils a question is judged
/// by that: what is left of a clock is the player's own doing.
fn whole_clock(game: &Game, seat: Seat) -> Option<Nanos> {
    Clock::new(game.clock(seat).control(), 0, MarginPolicy::Game).hard()
}

/// Hands the result of a question to the arbiter: for a [`GameRunner`], and for a table without a
/// waiting thread.
pub fn take_reply(game: &mut Game, seat: Seat, reply: Reply, timing: Timing, end: &mut GameEnd) {
    let Reply { asked_at, answered_at, offers_draw, outcome, info, pv } = reply;
    game.handle(asked_at, seat, Input::Asked);
    if timing.correction != Correction::default() {
        game.handle(asked_at, seat, Input::Corrected(timing.correction));
    }
    match outcome {
        Ok(Some(action)) => {
            if offers_draw && matches!(action, Action::Answer(_)) {
                let offered = game.handle(answered_at, seat, Input::Act(Action::OfferDraw));
                // It was too late already, or against the rules: the question it came with the
                // answer to is no longer open.
                if matches!(offered, Handled::Late | Handled::Illegal) {
                    return;
                }
            }
            if let Some(info) = info {
                game.handle(answered_at, seat, Input::Scored(info.score()));
            }
            game.handle(answered_at, seat, Input::Act(action));
            let lag =
                timing.own.map(|own| answered_at.saturating_sub(asked_at.saturating_add(own)));
            let pv = on_board(pv, game.position().size());
            // A line is part of a search.
            let info = info.or((!pv.is_empty()).then(SearchInfo::default));
            game.add_search(info, pv, lag);
        }
        Ok(None) => match game.next_timeout() {
            // Patience is the arbiter's own deadline, so the time is over however the host rounds.
            Some(deadline) => game.handle_timeout(answered_at.max(deadline)),
            None => {
                let detail = "no answer, and no clock to lose on".to_owned();
                fail(game, answered_at, seat, Fault { failure: Failure::Stall, detail }, end);
            }
        },
        Err(fault) => fail(game, answered_at, seat, fault, end),
    }
}

fn fail(game: &mut Game, at: Nanos, seat: Seat, fault: Fault, end: &mut GameEnd) {
    end.detail = (!fault.detail.is_empty()).then_some(fault.detail);
    game.handle(at, seat, Input::Failed(fault.failure));
}

/// The moves of a variation up to the first that is off the board: it was not looked at before.
fn on_board(mut line: Vec<Move>, size: Size) -> Vec<Move> {
    let is_off = |mv: &Move| mv.point().is_some_and(|point| !size.contains(point));
    let end = line.iter().position(is_off).unwrap_or(line.len());
    line.truncate(end.min(Reply::MOST_PV));
    line
}

/// What a question cost.
struct Question {
    /// What the player was allowed.
    allowed: Option<Nanos>,
    /// What the player was charged.
    spent: Nanos,
    /// What of its time the arbiter did not run.
    stopped: Nanos,
}

/// Judges what is to blame, if the question lost the game by time, or because the machine had
/// nothing left for the player.
fn note_cause(game: &Game, timing: Timing, question: Question, end: &mut GameEnd) {
    let is_short = timing.cpu_stats.is_some_and(|stats| stats.short);
    let is_meant =
        |termination| is_by_time(termination) || is_short && termination == Termination::Crash;
    let is_lost = game.result().is_some_and(|result| is_meant(result.termination));
    let Question { allowed, spent, stopped } = question;
    // There is no telling how long a player that was away might have thought.
    let allowed = allowed.or(is_short.then_some(spent));
    if is_lost && let Some(allowed) = allowed {
        end.cause = ForfeitCause::judge_stopped(timing.cpu_stats, allowed, spent, stopped);
        if end.cause.is_some_and(|forfeit| forfeit.cause == Cause::Stopped) {
            end.stopped = end.stopped.max(stopped);
        }
    }
}

fn is_by_time(termination: Termination) -> bool {
    matches!(termination, Termination::Timeout | Termination::Stall)
}

impl GameParams {
    fn setup(self, game: &Game, seat: Seat) -> GameSetup {
        let time = game.clock(seat).control();
        GameSetup {
            number: self.number,
            rule: game.position().rule(),
            size: game.position().size(),
            opening: self.opening.number(),
            alike: game.opening().alike(),
            seat,
            time,
            seed: self.seed,
            reproducible: time.nodes.is_some() || time.depth.is_some(),
            draw_offers: self.draw_offers,
        }
    }
}
