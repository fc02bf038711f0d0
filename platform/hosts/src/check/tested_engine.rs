//! An engine that is being checked, and the calls to it.

use std::time::{Duration, Instant};

use tengen_abi::{Limits, MoveCode, Question, Reply, Verdict, Wire, names, status};
use tengen_arbiter::{Failure, Nanos, TimeControl};
use tengen_packages::{DescriptionError, EngineSpec};
use tengen_players::{Fault, GameSetup, RealTime};
use tengen_rules::{Alike, Move, Point, Position, Procedure, Rule, Seat, Size};

use super::boards::boards;
use super::positions::position;
use super::suite::Driver;
use crate::host::struct_fit::StructFit;
use crate::player::child_backend::ChildBackend;
use crate::player::{EngineBackend, PositionUpdate, TimedExchange, WaitOptions};
use crate::protocol::Ready;
use crate::protocol::wire::{put_moves, put_u32, request};
use crate::watchdog::Supervisor;
use crate::{
    CheckScope, EngineDescription, Export, ExportSet, HostError, HostSettings, failure, translate,
};

/// The nodes that a question allows unless it says otherwise, of an engine that is not slow.
const NODES: u64 = 1000;
/// The same for a slow engine.
const FEW_NODES: u64 = 100;
/// An engine is slow if an answer within so many nodes takes longer than this.
const SLOW: Duration = Duration::from_millis(30);
/// Always the same, so that a check can be repeated.
const SEED: u64 = 20_240_515;

/// An engine that is being checked.
pub(super) struct TestedEngine {
    pub backend: ChildBackend,
    spec: EngineSpec,
    settings: HostSettings,
    scope: CheckScope,
    described: Result<EngineDescription, DescriptionError>,
    nodes: u64,
    /// Whether it did not return from a call in time.
    pub has_hung: bool,
    /// How many plies it has been sent of a whole game.
    pub told: usize,
}

/// An answer of the engine and how long it took.
pub(super) struct TimedAnswer<T> {
    pub answer: T,
    pub spent: Nanos,
}

impl TestedEngine {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings, scope: CheckScope) -> TestedEngine {
        let backend = ChildBackend::new(spec.clone(), settings.clone());
        let described = Ok(EngineDescription::default());
        let (nodes, has_hung, told) = (NODES, false, 0);
        TestedEngine { backend, spec, settings, scope, described, nodes, has_hung, told }
    }

    /// The same engine in another process, with other settings.
    pub(super) fn another(&self, settings: HostSettings) -> TestedEngine {
        let mut other = TestedEngine::new(self.spec.clone(), settings, self.scope);
        (other.described, other.nodes) = (self.described.clone(), self.nodes);
        other
    }

    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        let ready = self.backend.start().inspect_err(|error| {
            let stall = |fault: &Fault| fault.failure == Failure::Stall;
            self.has_hung |= matches!(error, HostError::Failed { fault, .. } if stall(fault));
        })?;
        self.described = EngineDescription::parse(&ready.description);
        // That an answer goes beyond its bytes is seen here, and not by what it damages.
        if let Err(wrong) = self.set_fit(StructFit::Guarded) {
            log::debug!("{}: {wrong}", self.spec.id);
        }
        Ok(ready)
    }

    /// The same, where only words are wanted of a failure.
    pub(super) fn restart(&mut self) -> Result<(), String> {
        self.start().map(drop).map_err(|error| error.to_string())
    }

    pub(super) fn spec(&self) -> &EngineSpec {
        &self.spec
    }

    pub(super) fn settings(&self) -> &HostSettings {
        &self.settings
    }

    pub(super) fn is_quick(&self) -> bool {
        self.scope.quick
    }

    /// Takes over that another process of it hung.
    pub(super) fn hung_as(&mut self, other: &TestedEngine) {
        self.has_hung |= other.has_hung;
    }

    /// Whether one and the same question has one and the same answer: with one thread.
    pub(super) fn is_reproducible(&self) -> Result<(), super::NotPassed> {
        match self.spec.threads {
            Some(threads) if threads > 1 => Err(super::NotPassed::NotChecked(format!(
                "it plays with {threads} threads, and only one thread need be reproducible"
            ))),
            _ => Ok(()),
        }
    }

    pub(super) fn parsed(&self) -> &Result<EngineDescription, DescriptionError> {
        &self.described
    }

    pub(super) fn description(&self) -> EngineDescription {
        self.described.clone().unwrap_or_default()
    }

    pub(super) fn exports(&self) -> ExportSet {
        self.backend.exports()
    }

    pub(super) fn boards(&self) -> Vec<(Rule, Size)> {
        boards(&self.description(), self.scope)
    }

    /// The first of them.
    pub(super) fn board(&self) -> Result<(Rule, Size), String> {
        self.boards().first().copied().ok_or_else(|| "it plays no rule on any board".to_owned())
    }

    /// The first board that has this rule.
    pub(super) fn board_of(&self, rule: Rule) -> Option<Size> {
        self.boards().iter().find(|(known, _)| *known == rule).map(|(_, size)| *size)
    }

    /// Whether there is anything to check it on.
    pub(super) fn boards_there(&self) -> Result<(), String> {
        if !self.boards().is_empty() {
            return Ok(());
        }
        let played = self.description().rules;
        let played = played.iter().map(|support| {
            format!("{} on {} to {}", support.rule, support.sizes.start(), support.sizes.end())
        });
        let played = played.collect::<Vec<_>>().join(", ");
        Err(format!("it does not play what --rule and --size ask for; it plays {played}"))
    }

    /// Finds out how many nodes it may have for each question, so that many can be asked.
    pub(super) fn calibrate(&mut self, position: &Position) -> Result<(), String> {
        self.new_game(position.rule(), position.size())?;
        let since = Instant::now();
        self.choose(position, &self.limits())?;
        if since.elapsed() > SLOW {
            self.nodes = FEW_NODES;
        }
        Ok(())
    }

    /// Begins a game without an opening procedure, starting the engine where it has died.
    pub(super) fn new_game(&mut self, rule: Rule, size: Size) -> Result<(), String> {
        self.new_game_as(rule, size, |_| {})
    }

    /// The same, for a game with other settings.
    pub(super) fn new_game_as(
        &mut self,
        rule: Rule,
        size: Size,
        change: impl FnOnce(&mut GameSetup),
    ) -> Result<(), String> {
        let mut setup = GameSetup {
            number: None,
            rule,
            size,
            opening: Procedure::None.number(),
            alike: Alike::default(),
            seat: Seat::First,
            time: TimeControl { nodes: Some(self.nodes), ..TimeControl::default() },
            seed: SEED,
            reproducible: true,
            draw_offers: true,
        };
        change(&mut setup);
        // If the engine dies here, a game would start it again.
        let game = translate::to_game(&setup, &self.spec);
        self.call_well(request::NEW_GAME, names::NEW_GAME, |out| {
            out.extend_from_slice(&game.to_bytes());
        })
    }

    /// The limits of an ordinary question: nodes, and no clock.
    pub(super) fn limits(&self) -> Limits {
        Limits { nodes: self.nodes, multipv: 1, ..Limits::default() }
    }

    /// Asks for a move in a position of the game that was begun, sent as a whole.
    pub(super) fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<TimedAnswer<Reply>, String> {
        self.choose_after(PositionUpdate { keep: 0, tail: position.moves() }, limits)
    }

    /// The same within the ordinary limits, where the engine has been sent the first `keep` plies.
    pub(super) fn choose_on(
        &mut self,
        position: &Position,
        keep: usize,
    ) -> Result<TimedAnswer<Reply>, String> {
        let limits = self.limits();
        self.choose_after(PositionUpdate { keep, tail: &position.moves()[keep..] }, &limits)
    }

    /// Asks for a move in the position the engine holds.
    pub(super) fn choose_here(&mut self, plies: usize) -> Result<TimedAnswer<Reply>, String> {
        let limits = self.limits();
        self.choose_after(PositionUpdate { keep: plies, tail: &[] }, &limits)
    }

    fn choose_after(
        &mut self,
        update: PositionUpdate<'_>,
        limits: &Limits,
    ) -> Result<TimedAnswer<Reply>, String> {
        let time = RealTime::new();
        let patience = Some(self.settings.startup);
        let wait = WaitOptions { patience, time: &time, listener: None };
        let exchange = self.backend.choose(update, limits, wait);
        self.judge(names::CHOOSE, exchange)
    }

    /// Asks an opening question.
    pub(super) fn decide(
        &mut self,
        moves: &[Move],
        question: &Question,
        offered: &[Point],
    ) -> Result<TimedAnswer<Verdict>, String> {
        let candidates: Vec<MoveCode> =
            offered.iter().map(|&point| translate::to_code(Move::Stone(point))).collect();
        let candidates = &candidates[..candidates.len().min(question.candidates as usize)];
        let (update, time) = (PositionUpdate { keep: 0, tail: moves }, RealTime::new());
        let patience = Some(self.settings.startup);
        let wait = WaitOptions { patience, time: &time, listener: None };
        let (asked, limits) = ((question, candidates), self.limits());
        let exchange = self.backend.decide(update, asked, &limits, wait);
        self.judge(names::DECIDE, exchange)
    }

    /// Makes a call that is answered by its status alone, and gives the status.
    pub(super) fn call(
        &mut self,
        kind: u32,
        name: &str,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<i32, String> {
        if !self.backend.process.is_running_here() {
            self.restart()?;
        }
        let code = self.backend.call(kind, &format!("return from {name}"), fill);
        code.map_err(|fault| self.note(fault))
    }

    /// The same, where the status must be good.
    fn call_well(
        &mut self,
        kind: u32,
        name: &str,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), String> {
        let code = self.call(kind, name, fill)?;
        failure::judge(name, code).map_err(|fault| fault.detail)
    }

    pub(super) fn set_option(&mut self, name: &str, value: &str) -> Result<i32, String> {
        self.call(request::SET_OPTION, names::SET_OPTION, |out| {
            out.extend_from_slice(format!("{name}\0{value}").as_bytes());
        })
    }

    /// Whether it has this way to change a position: a missing export and a status that says so
    /// mean the same.
    pub(super) fn supports(&mut self, export: Export) -> Result<bool, String> {
        let (rule, size) = self.board()?;
        if !self.exports().has(export) {
            return Ok(false);
        }
        self.new_game(rule, size)?;
        self.set_position(&position(rule, size, 2))?;
        let MoveCode(corner) = MoveCode::xy(0, 0);
        let code = match export {
            Export::Play => self.call(request::PLAY, names::PLAY, |out| {
                out.extend_from_slice(&corner.to_le_bytes());
            }),
            _ => self.call(request::UNDO, names::UNDO, |out| put_u32(out, 1)),
        };
        Ok(code? != status::UNSUPPORTED)
    }

    pub(super) fn play(&mut self, point: Point) -> Result<(), String> {
        let MoveCode(code) = translate::to_code(Move::Stone(point));
        self.call_well(request::PLAY, names::PLAY, |out| {
            out.extend_from_slice(&code.to_le_bytes());
        })
    }

    pub(super) fn undo(&mut self, count: usize) -> Result<(), String> {
        self.call_well(request::UNDO, names::UNDO, |out| put_u32(out, count as u32))
    }

    /// Sends a whole position by `tengen_set_position`, without a question.
    pub(super) fn set_position(&mut self, position: &Position) -> Result<(), String> {
        let moves = position.moves();
        self.call_well(request::SET_POSITION, names::SET_POSITION, |out| {
            put_u32(out, moves.len() as u32);
            put_moves(out, moves.iter().map(|&mv| translate::to_code(mv)));
        })
    }

    /// Tells how a game ended, and gives the status.
    pub(super) fn tell_end(&mut self, outcome: i32, reason: u32) -> Result<i32, String> {
        self.call(request::END_GAME, names::END_GAME, |out| {
            out.extend_from_slice(&outcome.to_le_bytes());
            put_u32(out, reason);
            put_u32(out, 1);
        })
    }

    /// Passes structs in these sizes from now on, until it is started again.
    pub(super) fn set_fit(&mut self, fit: StructFit) -> Result<(), String> {
        self.call(request::RESIZE, "the host", |out| put_u32(out, fit.to_number())).map(drop)
    }

    /// How many threads it may use.
    pub(super) fn most_threads(&self) -> usize {
        self.spec.threads.unwrap_or(1).max(1) as usize
    }

    /// The CPU time of the engine so far, where the system tells it.
    pub(super) fn cpu_time(&self) -> Option<Duration> {
        self.backend.process.watchdog.read(Supervisor::cpu_time).map(Duration::from_nanos)
    }

    fn judge<T>(
        &mut self,
        call: &str,
        exchange: TimedExchange<(i32, T)>,
    ) -> Result<TimedAnswer<T>, String> {
        let spent = exchange.answered_at.saturating_sub(exchange.asked_at);
        let Some((code, answer)) = exchange.outcome.map_err(|fault| self.note(fault))? else {
            self.has_hung = !self.is_interrupted();
            return Err(format!("{call} did not return within {:?}", self.settings.startup));
        };
        failure::judge(call, code).map_err(|fault| fault.detail)?;
        Ok(TimedAnswer { answer, spent })
    }

    /// The text of a fault; notes whether the engine hangs.
    fn note(&mut self, fault: Fault) -> String {
        self.has_hung |= fault.failure == Failure::Stall && !self.is_interrupted();
        fault.detail
    }
}

/// How long one check may go on asking.
pub(super) struct Pace {
    since: Instant,
    most: Duration,
}

impl Pace {
    pub(super) fn new(most: Duration) -> Pace {
        Pace { since: Instant::now(), most }
    }

    /// Whether no more is to be asked.
    pub(super) fn is_over(&self) -> bool {
        self.since.elapsed() >= self.most
    }
}
