//! Checks a text engine: every line of its protocol with what a game may bring, and games.

use std::sync::Arc;
use std::time::Duration;

use tengen_packages::{EngineKind, EngineSpec};
use tengen_rules::{Answer, Ask, Color, Point, Rule, Size};

use super::text_engine::{PLACE, Said, TestedTextEngine};
use super::{CheckReport, CheckScope, StepResult, files, not_checked, sandbox, text_games};
use crate::HostSettings;
use crate::probe::probe_text;
use crate::sandbox::denials::Denials;

const PROGRAM: &str = "it is started as a game starts it; see what it printed";
const CRASHED: &str = "its program ended: what it printed last says why; if it looks for files \
                       beside it, put them with it into a folder of its own";
const START: &str = "answer OK to a board that it plays, and ERROR to another; if it plays on \
                     another board alone, name that: --size 20";
const MOVE: &str = "answer with X,Y of an empty point, from 0, flushed";
const GAMES: &str = "replay the moves that were sent (--log of a match shows them)";
const SIDE: &str =
    "in BOARD, field 1 is its own stone and 2 the opponent's; after BEGIN it is Black";
const TIME: &str = "answer before timeout_turn is over: a game forgives another second by default, \
                    but a slower machine takes it";
const FORBIDDEN: &str = "with INFO rule 4 a black stone on a forbidden point loses";
const SWAP2: &str = "answer SWAP2BOARD as the protocol says, or ERROR";
const WORK: &str = "stop every thread when the answer is written; INFO PONDER is never sent";
const MEMORY: &str = "free at RESTART what the game before took";
const END: &str = "end the process within a second of END";

/// What the protocol has no words for.
const UNASKED: [(&str, &str); 4] = [
    ("options", "a text engine describes none"),
    ("repeated runs", "the protocol has no limit on nodes and no seed"),
    ("playing on, taking back", "the same question need not have the same answer; see games"),
    ("structs of other sizes", "a text engine has none"),
];

/// Checks a text engine. After a step that kills it, it is started again; the first that hangs is
/// the last.
pub(crate) fn check(
    spec: &EngineSpec,
    settings: &HostSettings,
    scope: CheckScope,
    report: &mut CheckReport,
) -> Arc<Denials> {
    // As before an event: which line end it takes, and how it wants the stones of swap2. If it does
    // not answer, the steps report why.
    let _ = probe_text(spec, settings, None);
    let tested = TestedTextEngine::new(spec, settings.clone(), scope);
    let denials = tested.denials();
    let mut suite = TextSuite { tested, report, scope, settings, is_over: false };
    if suite.begin() {
        suite.games();
        suite.resources();
    }
    denials
}

struct TextSuite<'a> {
    tested: TestedTextEngine<'a>,
    report: &'a mut CheckReport,
    scope: CheckScope,
    settings: &'a HostSettings,
    is_over: bool,
}

impl TextSuite<'_> {
    /// One check, unless the engine has hung.
    fn step(
        &mut self,
        name: &str,
        advice: &str,
        check: impl FnOnce(&mut TestedTextEngine<'_>) -> StepResult,
    ) -> bool {
        if self.is_over {
            return false;
        }
        self.report.begin(name);
        self.tested.has_crashed = false;
        self.tested.has_lost_on_time = false;
        let result = check(&mut self.tested);
        let advice = if self.tested.has_crashed { CRASHED } else { advice };
        let is_ok = self.report.add(name, advice, result);
        if self.tested.has_hung {
            self.end("the engine was silent and was killed; mend that first");
        }
        self.is_over |= self.settings.interrupt.is_raised();
        is_ok
    }

    /// Leaves out what would follow, and says why.
    fn end(&mut self, why: &str) {
        self.report.add("everything else", "", not_checked(why));
        self.is_over = true;
    }

    fn is_sau(&self) -> bool {
        self.tested.spec().kind == EngineKind::Sau
    }

    /// Starts it; false when there is nothing more to ask.
    fn begin(&mut self) -> bool {
        self.report.begin("program");
        let (started, words) = (self.tested.start(), program(self.tested.spec()));
        let seen = started.as_ref().map(|_| words).map_err(ToString::to_string);
        if !self.report.add("program", PROGRAM, seen) {
            return false;
        }
        if let Ok(ready) = &started {
            self.report.add("sandbox", "", Ok::<_, String>(sandbox(ready)));
            self.report.add("files", "", Ok::<_, String>(files(self.tested.spec())));
        }
        let rule = self.tested.rule();
        if self.is_sau() {
            return self.step("name?", "", |tested| said(tested.name()));
        }
        let begun = self.step("START", START, |tested| said(tested.begin(rule)));
        begun
            && self.step("ABOUT", "", |tested| said(tested.about()))
            && self.step("START again", "", |tested| match tested.plays_on() {
                _ if tested.restarts() => {
                    not_checked("each game gets a new process, as its settings ask")
                }
                true => Ok("begins another game on an empty board".to_owned()),
                false => {
                    not_checked("it was not seen to clear its board; each game gets a new process")
                }
            })
    }

    /// Moves, in every form in which they are asked for, and games.
    fn games(&mut self) {
        let is_sau = self.is_sau();
        let name = |gomocup: &'static str, sau: &'static str| if is_sau { sau } else { gomocup };
        let (rule, size) = (self.tested.rule(), self.tested.size());
        let mut moves = Vec::new();
        let first = name("BEGIN", "new black");
        self.step(first, MOVE, |tested| said(tested.next_move(&mut moves, rule)));
        let mut loses_on_time = self.tested.has_lost_on_time;
        let next = name("TURN", "move");
        self.step(next, MOVE, |tested| said(tested.next_move(&mut moves, rule)));
        let (board, mut moves) =
            (name("BOARD", "new white, an opening set"), self.tested.stones(8));
        self.step(board, MOVE, |tested| {
            let seen = tested.begin(rule)?;
            let moved = tested.next_move(&mut moves, rule)?;
            Ok(format!("{seen}; {moved}"))
        });
        loses_on_time &= self.tested.has_lost_on_time;
        self.step("after that", MOVE, |tested| said(tested.next_move(&mut moves, rule)));
        // An engine that did not read the board would choose the same points once more.
        self.step(name("BOARD again", "new white again"), MOVE, |tested| {
            tested.begin(rule)?;
            said(tested.next_move(&mut moves, rule))
        });
        // It would lose every game, and what else it does depends on how fast the machine is. Only
        // these two moves tell: the others follow moves of its own, which it may choose by chance.
        if !self.is_over && loses_on_time {
            self.time_for_a_move();
            let why = format!("its moves at {first} and {board} came long after their time");
            self.end(&format!("{why}; mend that first"));
        }
        self.step("the side to move", SIDE, |tested| text_games::side_to_move(tested, size));
        let title = format!("games under {rule} on {size}");
        self.step(&title, GAMES, |tested| text_games::games(tested, rule, size));
        if !is_sau {
            if self.scope.rule.is_none() {
                self.rules();
            }
            let is_asked_for = self.scope.rule == Some(Rule::Renju);
            if self.scope.rule.is_none() || is_asked_for {
                self.step("forbidden points", FORBIDDEN, |tested| {
                    text_games::forbidden_points(tested, size, is_asked_for)
                });
            }
            self.step("SWAP2BOARD", SWAP2, opening);
        }
        self.time_for_a_move();
        if self.scope.size.is_none() && !self.scope.quick {
            self.boards();
        }
    }

    /// One verdict on all moves.
    fn time_for_a_move(&mut self) {
        self.step("time for a move", TIME, |tested| tested.time_for_a_move());
    }

    /// The further rules, which are Gomocup's alone.
    fn rules(&mut self) {
        for rule in [Rule::Standard, Rule::Renju, Rule::Caro] {
            self.step(&format!("INFO rule, {rule}"), MOVE, |tested| {
                let mut moves = tested.stones(6);
                tested.begin(rule)?;
                said(tested.next_move(&mut moves, rule))
            });
        }
    }

    /// Other boards, which an engine may refuse. It is not waited for long.
    fn boards(&mut self) {
        const SOON: Duration = Duration::from_secs(2);
        let rule = self.tested.rule();
        for (width, height) in [(20, 20), (20, 15), (15, 20)] {
            let Ok(size) = Size::new(width, height) else { continue };
            let startup = self.settings.startup.min(SOON);
            let settings = HostSettings { startup, ..self.settings.clone() };
            let scope = CheckScope { size: Some(size), ..self.scope };
            let title = format!("games under {rule} on {size}");
            self.step(&title, GAMES, |tested| {
                let mut other = TestedTextEngine::new(tested.spec(), settings, scope);
                if let Err(why) = other.begin(rule) {
                    return not_checked(format!("it does not play on this board: {why}"));
                }
                text_games::games(&mut other, rule, size)
            });
        }
    }

    /// What it takes of the machine, what cannot be asked, and its end.
    fn resources(&mut self) {
        let settings = HostSettings { ponder: true, ..self.settings.clone() };
        let scope = self.scope;
        self.step("work after an answer", WORK, |tested| {
            let mut other = TestedTextEngine::new(tested.spec(), settings, scope);
            text_games::work(&mut other)
        });
        let games = if self.scope.quick { 10 } else { 50 };
        let title = format!("memory over {games} games");
        self.step(&title, MEMORY, |tested| text_games::memory(tested, games));
        for (name, why) in UNASKED {
            self.step(name, "", |_| not_checked(why));
        }
        let name = if self.is_sau() { "quit" } else { "END" };
        self.step(name, END, |tested| said(tested.end()));
    }
}

fn said(said: Said) -> StepResult {
    said.map_err(Into::into)
}

/// The opening procedure that is Gomocup's alone.
fn opening(tested: &mut TestedTextEngine<'_>) -> StepResult {
    let rule = tested.rule();
    let laid = tested.begin(rule).and_then(|_| tested.ask(&[], PLACE));
    let Ok((Answer::Place(points), _)) = laid else {
        return not_checked("not known; --opening-policy arbiter answers swap2 in its place");
    };
    said(swap2(tested, &points))
}

/// The three questions of swap2, put to an engine that has laid these stones.
fn swap2(tested: &mut TestedTextEngine<'_>, points: &[Point]) -> Said {
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

/// The command line that starts it, with the files that were named, of which copies are started.
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
