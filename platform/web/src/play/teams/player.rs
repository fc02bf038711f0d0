//! A remote engine as a player of the event.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_arbiter::{Failure, GameResult, Nanos, SearchObject};
use tengen_link::messages::{GameMessage, GameSettings};
use tengen_players::{
    EngineQuestion, Fault, GameSetup, GameVariant, Player, Reply, Request, Time, Timing,
};
use tengen_rules::Procedure;

use super::team::{MOST_MISSES, Team, TeamAnswer, TeamQuestion};
use tengen_link::view::millis;

/// Plays for a team: it asks over the network, and waits.
pub(super) struct RemotePlayer {
    team: Arc<Team>,
    wait: Duration,
    startup: Duration,
    /// The game that is under way.
    game: Option<Playing>,
    timing: Timing,
    said: Vec<String>,
}

struct Playing {
    table: String,
    setup: GameSetup,
    questions: u64,
}

impl RemotePlayer {
    pub fn new(team: Arc<Team>, wait: Duration, startup: Duration) -> RemotePlayer {
        let (game, timing, said) = (None, Timing::default(), Vec::new());
        RemotePlayer { team, wait, startup, game, timing, said }
    }

    /// Leaves the game; with no result it was given up.
    fn leave(&mut self, result: Option<GameResult>) {
        if let Some(game) = self.game.take() {
            self.team.lock().end(&game.table, result);
        }
    }

    /// Waits until the engine is ready for its game. An engine that goes away before has missed it.
    fn get_ready(&self, number: u64, table: &str, interrupts: u64) -> Result<(), Fault> {
        let fault = |failure, detail: String| Err(Fault { failure, detail });
        // An engine that comes and goes is not waited for without end.
        let last = Instant::now() + self.wait + self.startup;
        let mut state = self.team.lock();
        loop {
            if state.interrupts != interrupts {
                return fault(Failure::Stall, "it was interrupted".to_owned());
            }
            if state.forfeits() {
                return fault(Failure::Crash, self.away_too_long());
            }
            let is_gone = state.is_gone();
            let Some(game) = state.games.get(table) else {
                return fault(Failure::Crash, "the game is gone".to_owned());
            };
            if let Some(reason) = &game.failure {
                return fault(Failure::Crash, reason.clone());
            }
            if is_gone {
                let detail = match state.miss(number) {
                    true => "it was not there when the game began".to_owned(),
                    false => format!("it went away {MOST_MISSES} times before a game, and again"),
                };
                return fault(Failure::Crash, detail);
            }
            if game.is_ready {
                return Ok(());
            }
            let until = game.told.map_or(last, |told| last.min(told + self.startup));
            let within = until.saturating_duration_since(Instant::now());
            if within.is_zero() {
                let seconds = self.startup.as_secs_f64();
                return fault(Failure::Stall, format!("it did not get ready within {seconds} s"));
            }
            state = self.team.wait(state, Some(within));
        }
    }

    fn away_too_long(&self) -> String {
        format!("it was not connected for {} s", self.wait.as_secs_f64())
    }

    /// Waits for the answer to the question that is open; none where patience ran out.
    ///
    /// A clock runs on while the team is away. Without a clock, patience is for an engine that
    /// hangs: it counts only while the team is there, and a team that is away has the event's wait.
    fn wait_for_answer(
        &self,
        table: &str,
        asked: Instant,
        Patience { span, is_clock }: Patience,
        interrupts: u64,
    ) -> Result<Option<TeamAnswer>, Fault> {
        let fault = |detail: String| Err(Fault { failure: Failure::Crash, detail });
        let (mut from, mut was_away) = (asked, false);
        let mut state = self.team.lock();
        loop {
            if state.interrupts != interrupts {
                return fault("it was interrupted".to_owned());
            }
            let (away, dismissal) = (state.away(), state.dismissal().map(str::to_owned));
            let Some(game) = state.games.get_mut(table) else {
                return fault("the game is gone".to_owned());
            };
            if let Some(answer) = game.answer.take() {
                game.question = None;
                return Ok(Some(answer));
            }
            if let Some(reason) = game.failure.clone() {
                return fault(reason);
            }
            if let Some(reason) = dismissal {
                return fault(reason);
            }
            if std::mem::replace(&mut was_away, away.is_some()) && away.is_none() && !is_clock {
                from = Instant::now();
            }
            let away = away.filter(|_| !is_clock);
            let until = match away {
                Some(since) => Some(since + self.wait),
                None => span.map(|span| from + span),
            };
            let within = until.map(|until| until.saturating_duration_since(Instant::now()));
            if within == Some(Duration::ZERO) {
                if away.is_some() {
                    return fault(self.away_too_long());
                }
                game.question = None;
                return Ok(None);
            }
            state = self.team.wait(state, within);
        }
    }
}

/// How long an answer is waited for.
#[derive(Clone, Copy)]
struct Patience {
    span: Option<Duration>,
    /// Whether a clock says so.
    is_clock: bool,
}

impl Player for RemotePlayer {
    fn new_game(&mut self, setup: &GameSetup) -> Result<(), Fault> {
        self.leave(None);
        (self.timing, self.said) = (Timing::default(), Vec::new());
        let (table, interrupts) = {
            let mut state = self.team.lock();
            let began = state.begin(told(setup, self.startup));
            let table = began.map_err(|error| {
                let detail = format!("the system gives no random numbers: {error}");
                Fault { failure: Failure::Crash, detail }
            })?;
            (table, state.interrupts)
        };
        self.game = Some(Playing { table: table.clone(), setup: setup.clone(), questions: 0 });
        let ready = self.get_ready(setup.number.unwrap_or(0), &table, interrupts);
        if ready.is_err() {
            self.leave(None);
        }
        ready
    }

    fn ask(&mut self, request: &Request<'_>, time: &dyn Time) -> Reply {
        let (asked_at, asked) = (time.now(), Instant::now());
        let reply = |answered_at, outcome| Reply {
            asked_at,
            answered_at,
            offers_draw: false,
            outcome,
            info: None,
            pv: Vec::new(),
        };
        self.timing = Timing::default();
        let Some(game) = &mut self.game else {
            let detail = "it is in no game".to_owned();
            return reply(asked_at, Err(Fault { failure: Failure::Crash, detail }));
        };
        game.questions += 1;
        let question = question(game, request);
        let table = game.table.clone();
        let interrupts = {
            let mut state = self.team.lock();
            state.has_begun();
            let open = TeamQuestion { question, asked };
            let text = open.message(&table, asked);
            if let Some(game) = state.games.get_mut(&table) {
                (game.question, game.answer) = (Some(open), None);
            }
            state.say(text);
            state.interrupts
        };
        let span = request.patience.map(Duration::from_nanos);
        let patience = Patience { span, is_clock: request.limits.hard.is_some() };
        match self.wait_for_answer(&table, asked, patience, interrupts) {
            Ok(Some(TeamAnswer { act, at, lag })) => {
                let spent = at.saturating_duration_since(asked).as_nanos();
                let spent = Nanos::try_from(spent).unwrap_or(Nanos::MAX);
                let measured = lag.map(|lag| spent.saturating_sub(lag));
                let took = act.took.map(|millis| millis.saturating_mul(1_000_000).min(spent));
                self.timing.own = took.or(measured);
                self.said = act.said;
                let (info, pv) = act.info.map(SearchObject::parts).unzip();
                Reply {
                    asked_at,
                    answered_at: asked_at.saturating_add(spent),
                    offers_draw: act.draw,
                    outcome: Ok(Some(act.action)),
                    info,
                    pv: pv.unwrap_or_default(),
                }
            }
            Ok(None) => {
                let late = asked_at.saturating_add(request.patience.unwrap_or(0));
                reply(time.now().max(late), Ok(None))
            }
            Err(fault) => reply(time.now(), Err(fault)),
        }
    }

    fn timing(&self) -> Timing {
        self.timing
    }

    fn take_said(&mut self) -> Vec<String> {
        std::mem::take(&mut self.said)
    }

    fn end_game(&mut self, result: GameResult) {
        self.leave(Some(result));
    }
}

impl Drop for RemotePlayer {
    fn drop(&mut self) {
        self.leave(None);
    }
}

/// What a team is told about a game before it begins. It is not told the opponent.
fn told(setup: &GameSetup, startup: Duration) -> GameMessage {
    let opening = Procedure::from_number(setup.opening).unwrap_or(Procedure::None);
    let variant = GameVariant { rule: setup.rule, size: setup.size, opening };
    GameMessage {
        table: String::new(),
        number: setup.number.unwrap_or(0),
        seat: setup.seat,
        settings: GameSettings {
            variant,
            alike: setup.alike,
            time: setup.time,
            draws: setup.draw_offers,
            seed: setup.seed,
            reproducible: setup.reproducible,
        },
        startup: millis(Nanos::try_from(startup.as_nanos()).unwrap_or(Nanos::MAX)),
    }
}

fn question(game: &Playing, request: &Request<'_>) -> EngineQuestion {
    EngineQuestion {
        number: game.questions,
        game: game.setup.number.unwrap_or(0),
        setup: game.setup.clone(),
        moves: request.moves.to_vec(),
        ask: request.ask,
        offered: request.offered.to_vec(),
        fifth_moves: request.fifth_moves,
        limits: request.limits,
        patience: request.patience,
    }
}
