//! Checks a text engine: every line of its protocol with what a game may bring, and games.

use std::time::Duration;

use tengen_arbiter::{ByoYomi, CpuStats, Limits, Nanos, TimeControl};
use tengen_packages::EngineSpec;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Rule, Size};

use super::games::{GamePace, OwnMove, games};
use super::suite::{Driver, Suite};
use super::tested_engine::{Pace, TimedAnswer};
use super::text_engine::{
    CHECK_MARGIN, MOVE as ASK_MOVE, PLACE, Said, TestedTextEngine, nanos, per_move, within,
};
use super::{CheckScope, StepResult, files, not_checked, sandbox, text_resources};
use crate::HostSettings;
use crate::sandbox::denials::Denials;

const PROGRAM: &str = "it is started as a game starts it; see what it printed";
const CRASHED: &str = "its program ended: what it printed last says why; if it looks for files \
                       beside it, put them with it into a folder of its own";
const START: &str = "answer OK to a board that it plays, and ERROR to another; if it plays on \
                     another board alone, name that: --size 20";
const MOVE: &str = "answer with X,Y of an empty point, from 0, flushed";
const SIDE: &str =
    "in BOARD, field 1 is its own stone and 2 the opponent's; after BEGIN it is Black";
const TIME: &str = "answer before timeout_turn is over: a game forgives another second by default, \
                    but a slower machine takes it";
const FORBIDDEN: &str = "with INFO rule 4 a black stone on a forbidden point loses";
const SWAP2: &str = "answer SWAP2BOARD as the protocol says, or ERROR";
const END: &str = "end the process within a second of END";

/// What the protocol has no words for.
const UNASKED: [(&str, &str); 4] = [
    ("options", "a text engine describes none"),
    ("repeated runs", "the protocol has no limit on nodes and no seed"),
    ("playing on, taking back", "the same question need not have the same answer; see games"),
    ("structs of other sizes", "a text engine has none"),
];

/// The time for each move of the games here.
pub(super) const QUICK_MOVE: Duration = Duration::from_millis(60);
/// A game is broken off after so long, once the engine has made enough moves to show the same
/// faults on a busy machine too; the game of a slow engine ends after the longest time in any case.
const GAME: Duration = Duration::from_millis(2500);
const ENOUGH: usize = 12;
const LONGEST: Duration = Duration::from_secs(12);

impl Driver for TestedTextEngine {
    const HUNG: &'static str = "the engine was silent and was killed; mend that first";
    const GAMES: &'static str = "replay the moves that were sent (--log of a match shows them)";
    const WORK: &'static str =
        "stop every thread when the answer is written; INFO PONDER is never sent";
    const MEMORY: &'static str = "free at RESTART what the game before took";
    const GROWS: &'static str = "memory";
    const CLOCK: &'static str = "answer before time_left is over: in byo-yomi it is what is left \
                                 of the game's time with one period";
    const MARGIN: Nanos = CHECK_MARGIN;
    const BYO_YOMI: ByoYomi = ByoYomi { periods: 7, span: 1_000_000_000 };

    fn begin_check(&mut self) {
        self.has_crashed = false;
        self.has_lost_on_time = false;
    }

    fn advice<'a>(&self, usual: &'a str) -> &'a str {
        if self.has_crashed { CRASHED } else { usual }
    }

    fn has_hung(&self) -> bool {
        self.has_hung
    }

    fn is_interrupted(&self) -> bool {
        self.settings().interrupt.is_raised()
    }

    fn game_boards(&self) -> Vec<(Rule, Size)> {
        vec![(self.rule(), self.size())]
    }

    fn games(&self) -> usize {
        if self.scope.quick { 10 } else { 50 }
    }

    /// Starts it, and asks for moves in every form in which they are asked for.
    fn check_words(suite: &mut Suite<TestedTextEngine>) -> bool {
        begin(suite) && {
            moves(suite);
            true
        }
    }

    fn check_positions(suite: &mut Suite<TestedTextEngine>) {
        suite.step("the side to move", SIDE, text_resources::side_to_move);
    }

    fn check_openings(suite: &mut Suite<TestedTextEngine>) {
        if suite.tested.kind().untold_boards.is_none() {
            rules(suite);
            suite.step("SWAP2BOARD", SWAP2, opening);
        }
        time_for_a_move(suite);
        if suite.tested.scope.size.is_none() && !suite.tested.scope.quick {
            boards(suite);
        }
    }

    fn work(&mut self) -> StepResult {
        text_resources::work(
            &mut self.another(HostSettings { ponder: true, ..self.settings().clone() }, self.scope),
        )
    }

    fn memory(&mut self, games: usize) -> StepResult {
        text_resources::memory(self, games)
    }

    fn check_end(suite: &mut Suite<TestedTextEngine>) {
        for (name, why) in UNASKED {
            suite.step(name, "", |_| not_checked(why));
        }
        let name = suite.tested.kind().words.end;
        suite.step(name, END, |tested| said(tested.end()));
    }

    fn begin_game(&mut self, rule: Rule, size: Size, _own: Color) -> Result<GamePace, String> {
        self.begin_on(rule, size, quick())?;
        let (usual, longest) = (Pace::new(GAME), Pace::new(LONGEST));
        Ok(GamePace { usual, fewest: 2 * ENOUGH, longest })
    }

    fn seed(_size: Size) -> u64 {
        5
    }

    fn own_move(&mut self, position: &Position) -> Result<OwnMove, String> {
        chosen(self, position).map(OwnMove::Point)
    }

    fn begin_on_clock(&mut self, rule: Rule, size: Size, time: TimeControl) -> Result<(), String> {
        self.begin_on(rule, size, time).map(drop)
    }

    fn move_on_clock(
        &mut self,
        position: &Position,
        limits: &Limits,
        _time: &TimeControl,
    ) -> Result<TimedAnswer<Point>, String> {
        chosen_within(self, position, *limits)
    }

    fn sample_late(&mut self) -> Option<CpuStats> {
        self.sample_late()
    }

    fn denials(&self) -> &Denials {
        self.denials()
    }
}

pub(super) fn quick() -> TimeControl {
    per_move(QUICK_MOVE)
}

/// The point that it plays in a position, which has to be legal.
pub(super) fn chosen(tested: &mut TestedTextEngine, position: &Position) -> Result<Point, String> {
    chosen_within(tested, position, within(QUICK_MOVE)).map(|chosen| chosen.answer)
}

fn chosen_within(
    tested: &mut TestedTextEngine,
    position: &Position,
    limits: Limits,
) -> Result<TimedAnswer<Point>, String> {
    let (answer, spent) = tested.ask_within(position.moves(), ASK_MOVE, limits)?;
    let Answer::Move(Move::Stone(point)) = answer else {
        return Err(format!("answered with {answer:?}"));
    };
    let plies = position.ply();
    position.check(point).map_err(|illegal| format!("after {plies} plies: {illegal}"))?;
    Ok(TimedAnswer { answer: point, spent: nanos(spent) })
}

/// Starts it; false when there is nothing more to ask.
fn begin(suite: &mut Suite<TestedTextEngine>) -> bool {
    let Suite { tested, report, .. } = &mut *suite;
    report.begin("program");
    let (started, words) = (tested.start(), program(tested.spec()));
    let seen = started.as_ref().map(|_| words).map_err(ToString::to_string);
    if !report.add("program", PROGRAM, seen) {
        return false;
    }
    if let Ok(ready) = &started {
        report.add("sandbox", "", Ok::<_, String>(sandbox(ready)));
        report.add("files", "", Ok::<_, String>(files(tested.spec())));
    }
    let rule = tested.rule();
    if tested.kind().untold_boards.is_some() {
        return suite.step("name?", "", |tested| said(tested.name()));
    }
    suite.step("START", START, |tested| said(tested.begin(rule)))
        && suite.step("ABOUT", "", |tested| said(tested.about()))
        && suite.step("START again", "", |tested| match tested.plays_on() {
            _ if tested.restarts() => {
                not_checked("each game gets a new process, as its settings ask")
            }
            true => Ok("begins another game on an empty board".to_owned()),
            false => {
                not_checked("it was not seen to clear its board; each game gets a new process")
            }
        })
}

/// Moves, in every form in which they are asked for.
fn moves(suite: &mut Suite<TestedTextEngine>) {
    let (rule, words) = (suite.tested.rule(), &suite.tested.kind().words);
    let mut moves = Vec::new();
    suite.step(words.first_move, MOVE, |tested| said(tested.next_move(&mut moves, rule)));
    let mut loses_on_time = suite.tested.has_lost_on_time;
    suite.step(words.next_move, MOVE, |tested| said(tested.next_move(&mut moves, rule)));
    let mut moves = suite.tested.stones(8);
    suite.step(words.position, MOVE, |tested| {
        let seen = tested.begin(rule)?;
        let moved = tested.next_move(&mut moves, rule)?;
        Ok(format!("{seen}; {moved}"))
    });
    loses_on_time &= suite.tested.has_lost_on_time;
    suite.step("after that", MOVE, |tested| said(tested.next_move(&mut moves, rule)));
    // An engine that did not read the board would choose the same points once more.
    suite.step(words.position_again, MOVE, |tested| {
        tested.begin(rule)?;
        said(tested.next_move(&mut moves, rule))
    });
    // It would lose every game, and what else it does depends on how fast the machine is. Only
    // these two moves tell: the others follow moves of its own, which it may choose by chance.
    if !suite.is_over() && loses_on_time {
        time_for_a_move(suite);
        let (first, board) = (words.first_move, words.position);
        let why = format!("its moves at {first} and {board} came long after their time");
        suite.end(&format!("{why}; mend that first"));
    }
}

/// One verdict on all moves.
fn time_for_a_move(suite: &mut Suite<TestedTextEngine>) {
    suite.step("time for a move", TIME, |tested| tested.time_for_a_move());
}

/// The further rules, where they can be told, and what renju forbids.
fn rules(suite: &mut Suite<TestedTextEngine>) {
    let asked_for = suite.tested.scope.rule;
    if asked_for.is_none() {
        for rule in Rule::ALL.into_iter().filter(|rule| *rule != Rule::Freestyle) {
            suite.step(&format!("INFO rule, {rule}"), MOVE, |tested| {
                let mut moves = tested.stones(6);
                tested.begin(rule)?;
                said(tested.next_move(&mut moves, rule))
            });
        }
    }
    let is_asked_for = asked_for == Some(Rule::Renju);
    if asked_for.is_none() || is_asked_for {
        suite.step("forbidden points", FORBIDDEN, |tested| {
            text_resources::forbidden_points(tested, is_asked_for)
        });
    }
}

/// Other boards, which an engine may refuse. The wait is short.
fn boards(suite: &mut Suite<TestedTextEngine>) {
    const SOON: Duration = Duration::from_secs(2);
    let (rule, scope) = (suite.tested.rule(), suite.tested.scope);
    let settings = suite.tested.settings().clone();
    let settings = HostSettings { startup: settings.startup.min(SOON), ..settings };
    for (width, height) in [(20, 20), (20, 15), (15, 20)] {
        let Ok(size) = Size::new(width, height) else { continue };
        let scope = CheckScope { size: Some(size), ..scope };
        let title = format!("games under {rule} on {size}");
        suite.step(&title, TestedTextEngine::GAMES, |tested| {
            let mut other = tested.another(settings.clone(), scope);
            if let Err(why) = other.begin(rule) {
                return not_checked(format!("it does not play on this board: {why}"));
            }
            games(&mut other, rule, size)
        });
    }
}

fn said(said: Said) -> StepResult {
    said.map_err(Into::into)
}

/// The opening procedure that is Gomocup's alone.
fn opening(tested: &mut TestedTextEngine) -> StepResult {
    let rule = tested.rule();
    let laid = tested.begin(rule).and_then(|_| tested.ask(&[], PLACE));
    let Ok((Answer::Place(points), _)) = laid else {
        return not_checked("not known; --opening-policy arbiter answers swap2 in its place");
    };
    said(swap2(tested, &points))
}

/// The three questions of swap2, put to an engine that has laid these stones.
fn swap2(tested: &mut TestedTextEngine, points: &[Point]) -> Said {
    tested.place(&mut Vec::new(), points, 3)?;
    let mut moves = tested.stones(3);
    let second = match tested.ask(&moves, Ask::ChooseOrPlace { count: 2 })?.0 {
        Answer::Choose(color) => format!("takes {color}"),
        Answer::Place(points) => {
            tested.place(&mut moves, &points, 2)?;
            "lays two stones".to_owned()
        }
        other => return Err(format!("answered three stones with {other:?}")),
    };
    tested.begin(tested.rule())?;
    match tested.ask(&tested.stones(5), Ask::Choose)?.0 {
        Answer::Choose(Color::Black) => Ok(format!("three stones, {second}, takes black of five")),
        Answer::Choose(Color::White) => Ok(format!("three stones, {second}, stays white of five")),
        other => Err(format!("answered five stones with {other:?}")),
    }
}

/// The command line that starts it, with the names of the original files, though copies of them are
/// started.
fn program(spec: &EngineSpec) -> String {
    let (program, arguments) = spec.command().unwrap_or_default();
    let words = [program.into_os_string()].into_iter().chain(arguments);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    let named = |word: String| match &spec.enrolled {
        Some(files) => files.original_word(word),
        None => word,
    };
    words.map(named).collect::<Vec<_>>().join(" ")
}
