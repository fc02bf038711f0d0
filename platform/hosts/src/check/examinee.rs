use std::time::Duration;

use tengen_abi::{Limits, MoveCode, Question, Reply, Verdict};
use tengen_arbiter::{Nanos, TimeControl};
use tengen_players::{Fault, GameSetup, RealTime};
use tengen_rules::{Alike, Move, Point, Position, Procedure, Rule, Seat, Size};

use crate::denials::Denials;
use crate::link::Ready;
use crate::player::child::ChildLine;
use crate::player::{Heard, Line, Told, Wait};
use crate::{Description, ExportSet, HostError, HostSettings, failure, translate};
use tengen_packages::EngineSpec;

/// The nodes that a question of the examination allows unless it says otherwise.
const NODES: u64 = 1000;
const SEED: u64 = 20_240_515;

/// An engine under examination.
pub(super) struct Examinee {
    line: ChildLine,
    spec: EngineSpec,
    patience: Duration,
    description: Description,
}

/// An answer of the engine and how long it took.
pub(super) struct Timed<T> {
    pub answer: T,
    pub spent: Nanos,
}

impl Examinee {
    pub(super) fn new(spec: EngineSpec, settings: HostSettings) -> Examinee {
        let patience = settings.startup;
        let line = ChildLine::new(spec.clone(), settings);
        Examinee { line, spec, patience, description: Description::default() }
    }

    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        let ready = self.line.start()?;
        self.description = Description::parse(&ready.description);
        Ok(ready)
    }

    pub(super) fn description(&self) -> &Description {
        &self.description
    }

    pub(super) fn denials(&self) -> &Denials {
        self.line.denials()
    }

    pub(super) fn exports(&self) -> ExportSet {
        self.line.exports()
    }

    /// The rules it plays, each on a board that it plays on: the standard one where it can.
    pub(super) fn rules(&self) -> Vec<(Rule, Size)> {
        if self.description.rules.is_empty() {
            return Rule::ALL.map(|rule| (rule, Size::STANDARD)).to_vec();
        }
        let board = |sizes: &std::ops::RangeInclusive<u8>| {
            let side =
                Size::STANDARD.width().clamp(*sizes.start(), (*sizes.end()).max(*sizes.start()));
            Size::new(side, side).ok()
        };
        let rules = self.description.rules.iter();
        rules.filter_map(|support| Some((support.rule, board(&support.sizes)?))).collect()
    }

    /// Begins a game, starting the engine where it has died.
    pub(super) fn new_game(
        &mut self,
        rule: Rule,
        size: Size,
        opening: Procedure,
    ) -> Result<(), String> {
        let setup = GameSetup {
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
