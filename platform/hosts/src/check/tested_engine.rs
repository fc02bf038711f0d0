//! An engine that is being checked, and the calls to it.

use std::time::Duration;

use tengen_abi::{Limits, MoveCode, Question, Reply, Verdict};
use tengen_arbiter::{CpuStats, Nanos, TimeControl};
use tengen_players::{Fault, GameSetup, RealTime};
use tengen_rules::{Alike, Move, Point, Position, Procedure, Rule, Seat, Size};

use crate::player::child_backend::ChildBackend;
use crate::player::{EngineBackend, PositionUpdate, TimedExchange, WaitOptions};
use crate::protocol::Ready;
use crate::sandbox::denials::Denials;
use crate::{
    CheckScope, EngineDescription, ExportSet, HostError, HostSettings, failure, translate,
};
use tengen_packages::{EngineSpec, RuleSupport};

/// The nodes that a question allows unless it says otherwise.
const NODES: u64 = 1000;
const SEED: u64 = 20_240_515;

/// An engine that is being checked.
pub(super) struct TestedEngine {
    backend: ChildBackend,
    spec: EngineSpec,
    patience: Duration,
    scope: CheckScope,
    description: EngineDescription,
}

/// An answer of the engine and how long it took.
pub(super) struct TimedAnswer<T> {
    pub answer: T,
    pub spent: Nanos,
}

impl TestedEngine {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings, scope: CheckScope) -> TestedEngine {
        let patience = settings.startup;
        let backend = ChildBackend::new(spec.clone(), settings);
        TestedEngine { backend, spec, patience, scope, description: EngineDescription::default() }
    }

    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        let ready = self.backend.start()?;
        self.description = EngineDescription::parse(&ready.description);
        Ok(ready)
    }

    pub(super) fn description(&self) -> &EngineDescription {
        &self.description
    }

    pub(super) fn denials(&self) -> &Denials {
        self.backend.denials()
    }

    pub(super) fn exports(&self) -> ExportSet {
        self.backend.exports()
    }

    /// The rules it plays of those it is checked on, each on a board that it plays on: the standard
    /// one where it can, unless another is asked for.
    pub(super) fn rules(&self) -> Vec<(Rule, Size)> {
        let wanted = |rule: Rule| self.scope.rule.is_none_or(|only| only == rule);
        let played = &self.description.rules;
        if played.is_empty() {
            let size = self.scope.size.unwrap_or(Size::STANDARD);
            return Rule::ALL.into_iter().filter(|&rule| wanted(rule)).map(|r| (r, size)).collect();
        }
        let played = played.iter().filter(|support| wanted(support.rule));
        played.filter_map(|support| Some((support.rule, self.board(support)?))).collect()
    }

    /// A board of that rule's.
    fn board(&self, RuleSupport { sizes, .. }: &RuleSupport) -> Option<Size> {
        let plays = |size: &Size| sizes.contains(&size.width()) && sizes.contains(&size.height());
        let side =
            || Size::STANDARD.width().clamp(*sizes.start(), (*sizes.end()).max(*sizes.start()));
        match self.scope.size {
            Some(size) => Some(size).filter(plays),
            None => Size::new(side(), side()).ok(),
        }
    }

    /// Whether there is anything to check it on.
    pub(super) fn boards(&self) -> Result<(), String> {
        if !self.rules().is_empty() || self.scope == CheckScope::default() {
            return Ok(());
        }
        let played = self.description.rules.iter().map(|RuleSupport { rule, sizes }| {
            format!("{rule} on {} to {}", sizes.start(), sizes.end())
        });
        let played = played.collect::<Vec<_>>().join(", ");
        Err(format!("it does not play what --rule and --size ask for; it plays {played}"))
    }

    /// Begins a game, starting the engine where it has died.
    pub(super) fn new_game(
        &mut self,
        rule: Rule,
        size: Size,
        opening: Procedure,
    ) -> Result<(), String> {
        let setup = GameSetup {
            number: None,
            rule,
            size,
            opening: opening.number(),
            alike: Alike::default(),
            seat: Seat::First,
            time: TimeControl { nodes: Some(NODES), ..TimeControl::default() },
            seed: SEED,
            reproducible: true,
            draw_offers: true,
        };
        self.backend.new_game(&translate::to_game(&setup, &self.spec)).map_err(detail_of)
    }

    /// The limits of an ordinary question: nodes, and no clock.
    pub(super) fn limits() -> Limits {
        Limits { nodes: NODES, multipv: 1, ..Limits::default() }
    }

    /// Asks for a move in a position of the game that was begun, sent as a whole.
    pub(super) fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<TimedAnswer<Reply>, String> {
        self.choose_after(PositionUpdate { keep: 0, tail: position.moves() }, limits)
    }

    /// Asks for a move in the position the engine holds.
    pub(super) fn choose_here(&mut self, plies: usize) -> Result<TimedAnswer<Reply>, String> {
        self.choose_after(PositionUpdate { keep: plies, tail: &[] }, &TestedEngine::limits())
    }

    fn choose_after(
        &mut self,
        update: PositionUpdate<'_>,
        limits: &Limits,
    ) -> Result<TimedAnswer<Reply>, String> {
        let time = RealTime::new();
        let exchange = self.backend.choose(update, limits, wait(self.patience, &time));
        self.judge(tengen_abi::names::CHOOSE, exchange)
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
        let asked = (question, candidates);
        let wait = wait(self.patience, &time);
        let exchange = self.backend.decide(update, asked, &TestedEngine::limits(), wait);
        self.judge(tengen_abi::names::DECIDE, exchange)
    }

    /// Makes a call that is answered by its status alone.
    pub(super) fn call(
        &mut self,
        kind: u32,
        name: &str,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<i32, String> {
        if !self.backend.is_running() {
            self.start().map_err(|error| error.to_string())?;
        }
        self.backend.call(kind, &format!("return from {name}"), fill).map_err(detail_of)
    }

    /// Reads what the last question took of the machine, which was answered too late.
    pub(super) fn sample_late(&mut self) -> Option<CpuStats> {
        self.backend.sample_late()
    }

    fn judge<T>(
        &self,
        call: &str,
        exchange: TimedExchange<(i32, T)>,
    ) -> Result<TimedAnswer<T>, String> {
        let spent = exchange.answered_at.saturating_sub(exchange.asked_at);
        let answered = exchange.outcome.map_err(detail_of)?;
        let (code, answer) =
            answered.ok_or_else(|| format!("{call} did not return within {:?}", self.patience))?;
        failure::judge(call, code).map_err(detail_of)?;
        Ok(TimedAnswer { answer, spent })
    }
}

fn wait(patience: Duration, time: &RealTime) -> WaitOptions<'_> {
    WaitOptions { patience: Some(patience), time, listener: None }
}

fn detail_of(fault: Fault) -> String {
    fault.detail
}
