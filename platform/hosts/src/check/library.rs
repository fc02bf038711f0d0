//! What only a library or a module is checked on: its calls.

use tengen_abi::{names, reply, status};
use tengen_arbiter::{ByoYomi, CpuStats, Limits, Nanos, TimeControl};
use tengen_rules::{Color, Point, Position, Rule, Seat, Size};

use super::games::{GamePace, OwnMove};
use super::limits::legal;
use super::observer::Observer;
use super::suite::{Driver, Suite};
use super::tested_engine::{TestedEngine, TimedAnswer};
use super::{
    StepResult, answers, calls, clocks, games, limits, not_checked, openings, options, resources,
    sizes, tactics,
};
use crate::sandbox::denials::Denials;
use crate::translate;

/// An engine has no reason to resign before so many plies.
const EARLY: usize = 12;

impl Driver for TestedEngine {
    const HUNG: &'static str =
        "the engine did not return from a call and was killed; mend that first";
    const GAMES: &'static str =
        "replay the game's moves in a debugger: the first one that is not legal is named";
    const WORK: &'static str = resources::WORK;
    const MEMORY: &'static str = resources::MEMORY;
    const GROWS: &'static str = "memory and threads";
    const CLOCK: &'static str = clocks::TIME;
    const MARGIN: Nanos = 0;
    const BYO_YOMI: ByoYomi = ByoYomi { periods: 3, span: 60_000_000 };

    fn has_hung(&self) -> bool {
        self.has_hung
    }

    fn is_interrupted(&self) -> bool {
        self.settings().interrupt.is_raised()
    }

    fn game_boards(&self) -> Vec<(Rule, Size)> {
        self.boards()
    }

    fn games(&self) -> usize {
        if self.is_quick() { 20 } else { 50 }
    }

    fn check_words(suite: &mut Suite<TestedEngine>) -> bool {
        suite.step("the end of the engine", calls::DESTROY, calls::destroy);
        suite.step("calls in odd orders", calls::ORDERS, calls::odd_orders);
        suite.step("the end of a game", calls::END_GAME, calls::end_game);
        suite.step("the next game", calls::NEXT_GAME, calls::next_game);
        suite.step("an unknown option", options::UNKNOWN, options::unknown);
        suite.step("options", options::OPTIONS, options::values);
        clocks::all(suite);
        suite.step("a limit on nodes", limits::NODES, limits::nodes);
        suite.step("a limit on depth", limits::DEPTH, limits::depth);
        suite.step("another try", limits::RETRY, limits::retry);
        suite.step("a draw offer", limits::DRAW, limits::draw_offer);
        suite.step("repeated runs", answers::REPEAT, answers::repeated);
        suite.step("playing on", answers::PLAY, answers::play);
        suite.step("taking back", answers::UNDO, answers::undo);
        true
    }

    fn check_positions(suite: &mut Suite<TestedEngine>) {
        tactics::all(suite);
        suite.step("structs of other sizes", sizes::SIZES, sizes::structs);
        for (rule, size) in suite.tested.boards() {
            let name = format!("moves under {rule} on {size}");
            suite.step(&name, games::MOVES, |tested| games::moves(tested, rule, size));
        }
    }

    fn check_openings(suite: &mut Suite<TestedEngine>) {
        let procedures = openings::claimed(&suite.tested);
        if let Err(why) = &procedures {
            suite.step("openings", "", |_| not_checked(why.as_str()));
        }
        for (procedure, rule, size) in procedures.unwrap_or_default() {
            let name = format!("opening {procedure}");
            suite.step(&name, openings::OPENING, |tested| {
                openings::walks(tested, procedure, rule, size)
            });
        }
        suite.step("threads", resources::THREADS, resources::threads);
    }

    fn work(&mut self) -> StepResult {
        resources::work(self)
    }

    fn memory(&mut self, games: usize) -> StepResult {
        resources::memory(self, games)
    }

    fn begin_game(&mut self, rule: Rule, size: Size, own: Color) -> Result<GamePace, String> {
        let seat = if own == Color::Black { Seat::First } else { Seat::Second };
        self.new_game_as(rule, size, |setup| setup.seat = seat)?;
        self.told = 0;
        Ok(GamePace::of(if self.is_quick() { games::QUICK_GAME } else { games::GAME }))
    }

    fn seed(size: Size) -> u64 {
        size.area() as u64
    }

    fn own_move(&mut self, position: &Position) -> Result<OwnMove, String> {
        let plies = position.ply();
        let answer = self.choose_on(position, self.told)?.answer;
        self.told = plies;
        if answer.flags & reply::RESIGN != 0 {
            return match plies < EARLY {
                true => Err(format!("it resigned after {plies} plies")),
                false => Ok(OwnMove::Resigned),
            };
        }
        if answer.flags & reply::ACCEPT_DRAW != 0 {
            return Err("it accepted a draw that was not offered".to_owned());
        }
        legal(position, &answer).map(OwnMove::Point)
    }

    fn begin_on_clock(&mut self, rule: Rule, size: Size, time: TimeControl) -> Result<(), String> {
        self.new_game_as(rule, size, |setup| setup.time = time)
    }

    fn move_on_clock(
        &mut self,
        position: &Position,
        limits: &Limits,
        time: &TimeControl,
    ) -> Result<TimedAnswer<Point>, String> {
        let TimedAnswer { answer, spent } =
            self.choose(position, &translate::to_limits(limits, time, 1))?;
        Ok(TimedAnswer { answer: legal(position, &answer)?, spent })
    }

    fn sample_late(&mut self) -> Option<CpuStats> {
        self.backend.process.sample_late()
    }

    fn against(observer: Observer) -> String {
        let what_it_does = match observer {
            Observer::Wanders => "plays here and there",
            Observer::Fights => "attacks and defends",
        };
        format!(" against an opponent that {what_it_does}")
    }

    fn end_game(&mut self, outcome: i32, reason: u32, plies: usize) -> Result<(), String> {
        match self.tell_end(outcome, reason)? {
            status::OK | status::UNSUPPORTED => Ok(()),
            code => Err(format!("{} after {plies} plies answered with {code}", names::END_GAME)),
        }
    }

    fn denials(&self) -> &Denials {
        self.backend.process.engine_log().denials()
    }
}
