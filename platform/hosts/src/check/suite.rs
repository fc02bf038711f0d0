//! The checks of an engine in their order, for libraries and text engines alike.

use tengen_arbiter::{ByoYomi, CpuStats, Limits, Nanos, TimeControl};
use tengen_rules::{Color, Point, Position, Rule, Size};

use super::clocks;
use super::games::{self, GamePace, OwnMove};
use super::observer::Observer;
use super::tested_engine::TimedAnswer;
use super::{CheckReport, CheckStep, StepResult, not_checked};
use crate::sandbox::denials::Denials;

/// The time of a game that byo-yomi follows, and how many moves it has.
const BRIEF: Nanos = 100_000_000;
const MOVES: usize = 6;

/// An engine that is checked: a library or module, which is called, or a text engine, which is sent
/// lines. What only one of the two can express is checked by that one alone.
pub(super) trait Driver: Sized {
    /// What is said about an engine that has hung.
    const HUNG: &'static str;
    /// What to do about a wrong move in a game, about work after an answer, and about what grows
    /// from game to game; and what that last is called.
    const GAMES: &'static str;
    const WORK: &'static str;
    const MEMORY: &'static str;
    const GROWS: &'static str;
    /// What to do about a game that is lost on time; how late an answer may be, and the byo-yomi of
    /// a short game, which follows the time for about one move.
    const CLOCK: &'static str;
    const MARGIN: Nanos;
    const BYO_YOMI: ByoYomi;

    fn begin_check(&mut self) {}
    /// What to do about a failure of that check.
    fn advice<'a>(&self, usual: &'a str) -> &'a str {
        usual
    }
    fn has_hung(&self) -> bool;
    fn is_interrupted(&self) -> bool;
    /// The boards that games are played on.
    fn game_boards(&self) -> Vec<(Rule, Size)>;
    /// How many games are played to see what grows.
    fn games(&self) -> usize;

    /// The calls or lines of a game one by one. Gives whether the engine is there to be asked more.
    fn check_words(suite: &mut Suite<Self>) -> bool;
    /// Positions in which one move matters.
    fn check_positions(suite: &mut Suite<Self>);
    fn check_openings(suite: &mut Suite<Self>);
    /// Work after an answer.
    fn work(&mut self) -> StepResult;
    /// What grows over so many games.
    fn memory(&mut self, games: usize) -> StepResult;
    fn check_end(_suite: &mut Suite<Self>) {}

    /// Begins a game in which the engine has that colour, and gives how long it may last.
    fn begin_game(&mut self, rule: Rule, size: Size, own: Color) -> Result<GamePace, String>;
    fn seed(size: Size) -> u64;
    fn own_move(&mut self, position: &Position) -> Result<OwnMove, String>;
    /// Begins a game on a clock, as Black.
    fn begin_on_clock(&mut self, rule: Rule, size: Size, time: TimeControl) -> Result<(), String>;
    fn move_on_clock(
        &mut self,
        position: &Position,
        limits: &Limits,
        time: &TimeControl,
    ) -> Result<TimedAnswer<Point>, String>;
    /// What its process has used of the machine, once an answer was late.
    fn sample_late(&mut self) -> Option<CpuStats>;
    /// What a wrong game was played against, in words.
    fn against(_observer: Observer) -> String {
        String::new()
    }
    /// Tells the engine how its game of so many plies ended.
    fn end_game(&mut self, _outcome: i32, _reason: u32, _plies: usize) -> Result<(), String> {
        Ok(())
    }

    /// What the sandbox has denied the engine.
    fn denials(&self) -> &Denials;
}

/// The checks of one engine.
pub(super) struct Suite<D: Driver> {
    pub tested: D,
    pub report: CheckReport,
    is_over: bool,
}

impl<D: Driver> Suite<D> {
    /// All of them. Those in which an engine that hangs shows itself come first.
    pub(super) fn run(tested: D, report: CheckReport) -> Vec<CheckStep> {
        let mut suite = Suite { tested, report, is_over: false };
        if D::check_words(&mut suite) {
            D::check_positions(&mut suite);
            for (rule, size) in suite.tested.game_boards() {
                let name = format!("games under {rule} on {size}");
                suite.step(&name, D::GAMES, |tested| games::games(tested, rule, size));
            }
            let byo_yomi = Some(D::BYO_YOMI);
            let time = TimeControl { main: Some(BRIEF), byo_yomi, ..TimeControl::default() };
            suite
                .step("a game in byo-yomi", D::CLOCK, |tested| clocks::a_game(tested, time, MOVES));
            D::check_openings(&mut suite);
            suite.step("work after an answer", D::WORK, D::work);
            let games = suite.tested.games();
            let name = format!("{} over {games} games", D::GROWS);
            suite.step(&name, D::MEMORY, |tested| tested.memory(games));
            D::check_end(&mut suite);
        }
        suite.report.add_denials(suite.tested.denials());
        suite.report.into_steps()
    }

    /// One check, unless the engine has hung. Gives whether it did nothing wrong.
    pub(super) fn step(
        &mut self,
        name: &str,
        advice: &str,
        check: impl FnOnce(&mut D) -> StepResult,
    ) -> bool {
        if self.is_over {
            return false;
        }
        self.report.begin(name);
        self.tested.begin_check();
        let result = check(&mut self.tested);
        let is_ok = self.report.add(name, self.tested.advice(advice), result);
        if self.tested.has_hung() {
            self.end(D::HUNG);
        }
        self.is_over |= self.tested.is_interrupted();
        is_ok
    }

    /// Leaves out what would follow, and says why.
    pub(super) fn end(&mut self, why: &str) {
        self.report.add("everything else", "", not_checked(why));
        self.is_over = true;
    }

    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }
}
