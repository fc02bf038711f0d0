//! An engine in its process as a thinker of `tengen brain`.

use std::sync::Arc;

use tengen_arbiter::{Action, GameResult, Termination, TimeControl, legal_answer};
use tengen_brain::{ThinkResult, Thinker, ThinkerGame, ThinkerOutput};
use tengen_gomocup::{Allowance, Coords, PvMove, SearchReport, SearchTask};
use tengen_hosts::{
    EngineSpec, Export, GameVariant, HostSettings, OpeningFallback, Probe, player, probe,
};
use tengen_players::{Fault, GameSetup, Listener, Player, RealTime, Reply, Request, Subscription};
use tengen_rules::{Answer, Move, Point, Position, Procedure, Rule, Seat, Size};

use super::progress_forwarder::ProgressForwarder;

/// What this program itself and the host of the engine may take of the memory that a manager
/// grants the whole brain, in MiB.
const OWN_MIB: u32 = 32;
/// Less than this no engine can start in.
const LEAST_MIB: u32 = 16;

/// An engine in its child process, as it thinks for a brain.
pub(super) struct HostedThinker {
    spec: EngineSpec,
    settings: HostSettings,
    /// What the engine is; none if it failed to tell.
    probe: Option<Probe>,
    /// The engine as it is running, with these ceilings on memory and threads.
    running: Option<(ThinkerLimits, Box<dyn Player>)>,
    time: RealTime,
    /// Whether a game has begun that has not ended.
    in_game: bool,
}

type ThinkerLimits = (Option<u32>, Option<u32>);

impl HostedThinker {
    pub(super) fn new(
        spec: EngineSpec,
        probe: Option<Probe>,
        settings: HostSettings,
    ) -> HostedThinker {
        let time = RealTime::new();
        HostedThinker { spec, settings, probe, running: None, time, in_game: false }
    }

    fn ceilings(&self, allowance: &Allowance) -> ThinkerLimits {
        let told = allowance.max_memory.map(|bytes| {
            let mib = u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
            mib.saturating_sub(OWN_MIB).max(LEAST_MIB)
        });
        let memory = told.into_iter().chain(self.spec.memory_mib).min();
        (memory, allowance.threads.or(self.spec.threads))
    }

    /// The engine, started anew if what it may use has changed.
    fn seat(&mut self, allowance: &Allowance) -> Result<&mut Box<dyn Player>, String> {
        let ceilings = self.ceilings(allowance);
        let probe = match self.probe.take() {
            Some(probe) => probe,
            None => probe(&self.spec, &self.settings).map_err(|error| error.to_string())?,
        };
        let answers_openings = probe.exports.has(Export::Decide);
        self.probe = Some(probe);
        if self.running.as_ref().is_none_or(|(known, _)| *known != ceilings) {
            self.in_game = false;
            let (memory_mib, threads) = ceilings;
            let spec = EngineSpec { memory_mib, threads, ..self.spec.clone() };
            let engine = player(&spec, &self.settings);
            let engine = if answers_openings {
                engine
            } else {
                Box::new(OpeningFallback::new(engine)) as Box<_>
            };
            self.running = Some((ceilings, engine));
        }
        let (_, engine) = self.running.as_mut().expect("started above");
        Ok(engine)
    }

    fn ask(
        &mut self,
        task: &SearchTask,
        moves: &[Move],
        listener: &Arc<dyn Listener>,
        retry: bool,
    ) -> Result<Reply, String> {
        let (_, engine) = self.running.as_mut().ok_or("the engine has not been started")?;
        // The manager judges lateness, so that nothing here waits for a deadline.
        let request = Request {
            limits: tengen_arbiter::Limits { retry, ..task.limits },
            watch: Some(Subscription { listener, lines: 1 }),
            ..Request::new(moves, task.ask)
        };
        Ok(engine.ask(&request, &self.time))
    }
}

impl Thinker for HostedThinker {
    fn plays(&self, rule: Rule, size: Size) -> bool {
        let Some(probe) = &self.probe else { return true };
        probe.description.plays(rule, size.width(), size.height())
    }

    fn new_game(&mut self, game: &ThinkerGame) -> Result<(), String> {
        let opening = if game.swap2.is_some() { Procedure::Swap2 } else { Procedure::None };
        let variant = GameVariant { rule: game.rule, size: game.size, opening };
        let seat = game.swap2.unwrap_or(Seat::First);
        let setup = variant.setup(seat, time_control(&game.allowance));
        let setup = GameSetup { seed: seed(&self.time), ..setup };
        let was_in_game = self.in_game;
        self.in_game = false;
        let engine = self.seat(&game.allowance)?;
        if was_in_game {
            // A brain is not told how a game ended.
            engine.end_game(GameResult { winner: None, termination: Termination::Aborted });
        }
        engine.new_game(&setup).map_err(|fault| said(&fault))?;
        self.in_game = true;
        Ok(())
    }

    fn think(&mut self, task: &SearchTask, output: &ThinkerOutput) -> Result<ThinkResult, String> {
        let moves: Vec<Move> = task.moves.iter().map(|&point| Move::Stone(point)).collect();
        let forwarder = Arc::new(ProgressForwarder::new(output.clone(), task.size));
        let listener = Arc::clone(&forwarder) as Arc<dyn Listener>;
        let mut reply = self.ask(task, &moves, &listener, false)?;
        if matches!(reply.outcome, Ok(Some(Action::Claim | Action::AcceptDraw))) {
            // The protocol has no such answer; the engine is asked again, as an arbiter does.
            reply = self.ask(task, &moves, &listener, true)?;
        }
        let spent = reply.answered_at.saturating_sub(reply.asked_at);
        let info = reply.info.unwrap_or_default();
        let report = if reply.info.is_some() {
            SearchReport { info, time_ms: Some(spent / 1_000_000), pv: forwarder.best_line() }
        } else {
            SearchReport::default()
        };
        match reply.outcome {
            Err(fault) => {
                self.in_game = false;
                Err(said(&fault))
            }
            Ok(Some(Action::Answer(answer))) => {
                legal(&answer, task)?;
                Ok(ThinkResult { answer, report })
            }
            Ok(Some(Action::Resign)) => {
                output.message("the engine resigns");
                let answer = any_move(task).ok_or("the engine resigns")?;
                Ok(ThinkResult { answer, report })
            }
            Ok(_) => Err("the Gomocup protocol cannot express the engine's answer".to_owned()),
        }
    }
}

/// The game's time as it was told.
fn time_control(allowance: &Allowance) -> TimeControl {
    let nanos = |ms: u64| ms.saturating_mul(1_000_000);
    TimeControl {
        main: allowance.match_ms.map(nanos),
        increment: allowance.increment_ms.map_or(0, nanos),
        per_move: allowance.turn_ms.map(|ms| nanos(ms.max(1))),
        nodes: allowance.nodes,
        depth: allowance.depth,
        ..TimeControl::default()
    }
}

/// A seed that is another one in the next game.
fn seed(time: &RealTime) -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let now = tengen_players::Time::now(time);
    let nanos = since.map_or(now, |since| now.wrapping_add(since.as_nanos() as u64));
    nanos & ((1 << 53) - 1)
}

/// A fault as a manager is told of it.
fn said(fault: &Fault) -> String {
    format!("the engine failed: {}", fault.detail)
}

/// Whether the stones of an answer can be laid.
fn legal(answer: &Answer, task: &SearchTask) -> Result<(), String> {
    let laid = match answer {
        Answer::Move(Move::Stone(point)) => std::slice::from_ref(point),
        Answer::Place(points) => points,
        _ => &[],
    };
    let taken = |point: &Point| {
        !task.size.contains(*point) || task.moves.contains(point) || task.barred.contains(point)
    };
    match laid.iter().find(|&point| taken(point)) {
        Some(&point) => {
            Err(format!("the engine answered {}, which is not a free point", coords(point, task)))
        }
        None => Ok(()),
    }
}

fn coords(point: Point, task: &SearchTask) -> PvMove {
    PvMove::Coords(Coords::of(point, task.size))
}

/// A move for an engine that would rather make none: the free point nearest to the centre that is
/// not forbidden.
fn any_move(task: &SearchTask) -> Option<Answer> {
    let mut position = Position::new(task.rule, task.size);
    for &point in &task.moves {
        position.play(point).ok()?;
    }
    let centre = task.size.center();
    let mut points: Vec<Point> =
        task.size.points().filter(|point| !task.barred.contains(point)).collect();
    points.sort_by_key(|point| point.x().abs_diff(centre.x()).max(point.y().abs_diff(centre.y())));
    legal_answer(&position, task.ask, &[], &points)
}
