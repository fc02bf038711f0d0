use std::time::Duration;

use tengen_abi::{Limits, MoveCode, Question, Reply, Verdict};
use tengen_arbiter::{CpuStats, Nanos, TimeControl};
use tengen_players::{Fault, GameSetup, RealTime};
use tengen_rules::{Alike, Move, Point, Position, Procedure, Rule, Seat, Size};

use crate::denials::Denials;
use crate::link::Ready;
use crate::player::child::ChildLine;
use crate::player::{Heard, Line, Told, Wait};
use crate::{
    CheckScope, EngineDescription, ExportSet, HostError, HostSettings, failure, translate,
};
use tengen_packages::{EngineSpec, RuleSupport};

/// The nodes that a question of the examination allows unless it says otherwise.
const NODES: u64 = 1000;
const SEED: u64 = 20_240_515;

/// An engine under examination.
pub(super) struct Examinee {
    line: ChildLine,
    spec: EngineSpec,
    patience: Duration,
    scope: CheckScope,
    description: EngineDescription,
}

/// An answer of the engine and how long it took.
pub(super) struct Timed<T> {
    pub answer: T,
    pub spent: Nanos,
}

impl Examinee {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings, scope: CheckScope) -> Examinee {
        let patience = settings.startup;
        let line = ChildLine::new(spec.clone(), settings);
        Examinee { line, spec, patience, scope, description: EngineDescription::default() }
    }

    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        let ready = self.line.start()?;
        self.description = EngineDescription::parse(&ready.description);
        Ok(ready)
    }

    pub(super) fn description(&self) -> &EngineDescription {
        &self.description
    }

    pub(super) fn denials(&self) -> &Denials {
        self.line.denials()
    }

    pub(super) fn exports(&self) -> ExportSet {
        self.line.exports()
    }

    /// The rules it plays of those it is examined on, each on a board that it plays on: the
    /// standard one where it can, unless another is asked for.
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

    /// Whether there is anything to examine it on.
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
        self.line.new_game(&translate::to_game(&setup, &self.spec)).map_err(told)
    }

    /// The limits of an ordinary question: nodes, and no clock.
    pub(super) fn limits() -> Limits {
        Limits { nodes: NODES, multipv: 1, ..Limits::default() }
    }

    /// Asks for a move in a position of the game that was begun, told as a whole.
    pub(super) fn choose(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Timed<Reply>, String> {
        self.choose_told(Told { keep: 0, tail: position.moves() }, limits)
    }

    /// Asks for a move in the position the engine holds.
    pub(super) fn choose_here(&mut self, plies: usize) -> Result<Timed<Reply>, String> {
        self.choose_told(Told { keep: plies, tail: &[] }, &Examinee::limits())
    }

    fn choose_told(&mut self, told: Told<'_>, limits: &Limits) -> Result<Timed<Reply>, String> {
        let time = RealTime::new();
        let heard = self.line.choose(told, limits, wait(self.patience, &time));
        self.judge(tengen_abi::names::CHOOSE, heard)
    }

    /// Asks an opening question.
    pub(super) fn decide(
        &mut self,
        moves: &[Move],
        question: &Question,
        offered: &[Point],
    ) -> Result<Timed<Verdict>, String> {
        let candidates: Vec<MoveCode> =
            offered.iter().map(|&point| translate::to_code(Move::Stone(point))).collect();
        let candidates = &candidates[..candidates.len().min(question.candidates as usize)];
        let (told, time) = (Told { keep: 0, tail: moves }, RealTime::new());
        let asked = (question, candidates);
        let wait = wait(self.patience, &time);
        let heard = self.line.decide(told, asked, &Examinee::limits(), wait);
        self.judge(tengen_abi::names::DECIDE, heard)
    }

    /// Makes a call that is answered by its status alone.
    pub(super) fn call(
        &mut self,
        kind: u32,
        name: &str,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> Result<i32, String> {
        if !self.line.is_running() {
            self.start().map_err(|error| error.to_string())?;
        }
        self.line.call(kind, &format!("return from {name}"), fill).map_err(told)
    }

    /// Reads what the last question took of the machine, which was answered too late.
    pub(super) fn weigh_late(&mut self) -> Option<CpuStats> {
        self.line.weigh_late()
    }

    fn judge<T>(&self, call: &str, heard: Heard<(i32, T)>) -> Result<Timed<T>, String> {
        let spent = heard.answered_at.saturating_sub(heard.asked_at);
        let answered = heard.outcome.map_err(told)?;
        let (code, answer) =
            answered.ok_or_else(|| format!("{call} did not return within {:?}", self.patience))?;
        failure::judge(call, code).map_err(told)?;
        Ok(Timed { answer, spent })
    }
}

fn wait(patience: Duration, time: &RealTime) -> Wait<'_> {
    Wait { patience: Some(patience), time, listener: None }
}

fn told(fault: Fault) -> String {
    fault.detail
}
