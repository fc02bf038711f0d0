//! The order of the checks of a native, WASM or builtin engine.

use tengen_rules::{Procedure, Rule, Size};

use super::tested_engine::TestedEngine;
use super::{
    CheckReport, StepResult, answers, calls, clocks, games, limits, openings, options, resources,
    sizes, tactics,
};

/// The checks of an engine that was loaded and described itself.
pub(super) struct Suite<'a> {
    tested: &'a mut TestedEngine,
    report: CheckReport,
    is_over: bool,
}

impl<'a> Suite<'a> {
    pub(super) fn new(tested: &'a mut TestedEngine, report: CheckReport) -> Suite<'a> {
        Suite { tested, report, is_over: false }
    }

    pub(super) fn into_report(self) -> CheckReport {
        self.report
    }

    /// All of them, those that any engine that hangs shows itself in first.
    pub(super) fn run(&mut self) {
        let is_quick = self.tested.is_quick();
        self.step("the end of the engine", calls::DESTROY, calls::destroy);
        self.step("calls in odd orders", calls::ORDERS, calls::odd_orders);
        self.step("the end of a game", calls::END_GAME, calls::end_game);
        self.step("the next game", calls::NEXT_GAME, calls::next_game);
        self.step("an unknown option", options::UNKNOWN, options::unknown);
        self.step("options", options::OPTIONS, options::values);
        clocks::all(self);
        self.step("a limit on nodes", limits::NODES, limits::nodes);
        self.step("a limit on depth", limits::DEPTH, limits::depth);
        self.step("another try", limits::RETRY, limits::retry);
        self.step("a draw offer", limits::DRAW, limits::draw_offer);
        self.step("repeated runs", answers::REPEAT, answers::repeated);
        self.step("playing on", answers::PLAY, answers::play);
        self.step("taking back", answers::UNDO, answers::undo);
        tactics::all(self);
        self.step("structs of other sizes", sizes::SIZES, sizes::structs);
        for (rule, size) in self.tested.boards() {
            let name = format!("moves under {rule} on {size}");
            self.step(&name, games::MOVES, |tested| games::moves(tested, rule, size));
        }
        for (rule, size) in self.tested.boards() {
            let name = format!("games under {rule} on {size}");
            self.step(&name, games::GAMES, |tested| games::games(tested, rule, size));
        }
        self.openings();
        self.step("threads", resources::THREADS, resources::threads);
        self.step("work after an answer", resources::WORK, resources::work);
        let games = if is_quick { 20 } else { 50 };
        let name = format!("memory and threads over {games} games");
        self.step(&name, resources::MEMORY, |tested| resources::memory(tested, games));
    }

    fn openings(&mut self) {
        let procedures = openings::claimed(self.tested);
        if let Err(why) = &procedures {
            let why = why.clone();
            self.step("openings", "", move |_| super::not_checked(why));
        }
        for (procedure, rule, size) in procedures.unwrap_or_default() {
            let name = format!("opening {procedure}");
            self.step(&name, openings::OPENING, |tested| {
                openings::walks(tested, procedure, rule, size)
            });
        }
    }

    /// One check, unless the engine has hung.
    pub(super) fn step(
        &mut self,
        name: &str,
        advice: &str,
        check: impl FnOnce(&mut TestedEngine) -> StepResult,
    ) {
        if self.is_over {
            return;
        }
        self.report.begin(name);
        let result = check(self.tested);
        self.report.add(name, advice, result);
        if self.tested.has_hung() {
            let why = "the engine did not return from a call and was killed; mend that first";
            self.report.add("everything else", "", super::not_checked(why));
        }
        self.is_over = self.tested.has_hung() || self.tested.is_interrupted();
    }

    pub(super) fn is_quick(&self) -> bool {
        self.tested.is_quick()
    }
}

/// An opening procedure with a rule and a board that it is played on.
pub(super) type OpeningBoard = (Procedure, Rule, Size);
