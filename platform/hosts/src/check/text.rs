//! Checks a text engine: every line of its protocol with what a game may bring.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_arbiter::{Failure, Limits, TimeControl};
use tengen_gomocup::{AskResult, GameTerms};
use tengen_packages::{EngineKind, EngineSpec};
use tengen_players::Fault;
use tengen_random::Random;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Rule, Size, Zone};

use super::{
    ATTEMPTS, CheckReport, CheckScope, StepResult, TimingVerdict, extend, files, judge_timing,
    sandbox,
};
use crate::probe::probe_text;
use crate::process::{EngineLoss, TextProcess};
use crate::protocol::TextEvent;
use crate::sandbox::denials::Denials;
use crate::{HostSettings, TEXT_MARGIN};

/// The time for a move that an engine is given.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// How long it may take to end when it is told to.
const END: Duration = Duration::from_secs(1);

const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };
const PLACE: Ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };

/// Quiet stones of an opening, by columns and rows from the centre.
const STONES: [(i8, i8); 8] = [(0, 0), (1, 1), (3, -2), (-2, 2), (2, 4), (-3, -3), (5, 0), (-4, 3)];

/// Checks a text engine. After a step that kills it, it is started again.
pub(crate) fn check(
    spec: &EngineSpec,
    settings: &HostSettings,
    scope: CheckScope,
    report: &mut CheckReport,
) -> Arc<Denials> {
    // As before an event: which line end it takes, and how it wants the stones of swap2. If it does
    // not answer, the steps report why.
    let _ = probe_text(spec, settings, None);
    let process = TextProcess::of_text(spec.clone(), settings.clone());
    let denials = Arc::clone(process.engine_log().denials());
    run_steps(process, spec, scope, report);
    denials
}

fn run_steps(
    mut process: TextProcess,
    spec: &EngineSpec,
    scope: CheckScope,
    report: &mut CheckReport,
) {
    let started = process.start();
    let seen = started.as_ref().map(|_| program(spec)).map_err(ToString::to_string);
    if !report.add("program", seen) {
        return;
    }
    if let Ok(ready) = &started {
        report.add("sandbox", Ok(sandbox(ready)));
        report.add("files", Ok(files(spec)));
    }
    let rule = scope.rule.unwrap_or(Rule::Freestyle);
    let size = scope.size.unwrap_or(Size::STANDARD);
    let mut tested = TestedTextEngine { process, spec, rule, size };
    if spec.kind == EngineKind::Sau {
        report.add("name?", tested.name());
    } else {
        let elsewhere = "if it plays on another board alone, name that: --size 20";
        let begun = tested.begin(rule).map_err(|wrong| match scope.size {
            Some(_) => wrong,
            None => format!("{wrong}; {elsewhere}"),
        });
        if !report.add("START", begun) {
            return;
        }
        report.add("ABOUT", tested.about());
    }
    games(&mut tested, report);
    if spec.kind == EngineKind::Gomocup {
        if scope.rule.is_none() {
            rules(&mut tested, report);
        }
        opening(&mut tested, report);
    }
    report.add(if spec.kind == EngineKind::Sau { "quit" } else { "END" }, tested.end());
}

/// Moves, in every form in which they are asked for.
fn games(tested: &mut TestedTextEngine<'_>, report: &mut CheckReport) {
    let is_sau = tested.spec.kind == EngineKind::Sau;
    let name = |gomocup: &str, sau: &str| if is_sau { sau.to_owned() } else { gomocup.to_owned() };
    let mut moves = Vec::new();
    let rule = tested.rule;
    report.add(name("BEGIN", "new black"), tested.next_move(&mut moves, rule));
    report.add(name("TURN", "move"), tested.next_move(&mut moves, rule));
    let mut board = tested.stones(8);
    let again = tested.begin(rule).and_then(|seen| {
        let moved = tested.next_move(&mut board, rule)?;
        Ok(format!("{seen}; {moved}"))
    });
    report.add(name("BOARD", "new white, an opening set"), again);
    report.add("after that", tested.next_move(&mut board, rule));
}

/// The further rules, which are Gomocup's alone.
fn rules(tested: &mut TestedTextEngine<'_>, report: &mut CheckReport) {
    for rule in [Rule::Standard, Rule::Renju, Rule::Caro] {
        let mut moves = tested.stones(6);
        let played = tested.begin(rule).and_then(|_| tested.next_move(&mut moves, rule));
        report.add(format!("INFO rule, {rule}"), played);
    }
}

/// The opening procedure that is Gomocup's alone.
fn opening(tested: &mut TestedTextEngine<'_>, report: &mut CheckReport) {
    let laid = tested.begin(tested.rule).and_then(|_| tested.ask(&[], PLACE));
    let Ok((Answer::Place(points), _)) = laid else {
        let unknown = "not known; --opening-policy arbiter answers swap2 in its place";
        report.add("SWAP2BOARD", Ok(unknown.to_owned()));
        return;
    };
    report.add("SWAP2BOARD", swap2(tested, &points));
}

/// The three questions of swap2, put to an engine that has laid these stones.
fn swap2(tested: &mut TestedTextEngine<'_>, points: &[Point]) -> StepResult {
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
    tested.begin(tested.rule)?;
    match tested.ask(&tested.stones(5), Ask::Choose)?.0 {
        Answer::Choose(Color::Black) => Ok(format!("three stones, {second}, takes black of five")),
        Answer::Choose(Color::White) => Ok(format!("three stones, {second}, stays white of five")),
        other => Err(format!("answered five stones with {other:?}")),
    }
}

/// A text engine that is being checked.
struct TestedTextEngine<'a> {
    process: TextProcess,
    spec: &'a EngineSpec,
    rule: Rule,
    size: Size,
}

impl TestedTextEngine<'_> {
    /// So many stones that end nothing: those that go on this board, and more where they do not.
    fn stones(&self, count: usize) -> Vec<Move> {
        let (mut position, centre) = (Position::new(self.rule, self.size), self.size.center());
        for (dx, dy) in STONES.into_iter().take(count) {
            let place = centre.x().checked_add_signed(dx).zip(centre.y().checked_add_signed(dy));
            let point = place.map(|(x, y)| Point::new(x, y));
            if point.is_none_or(|point| position.play(point).is_err()) {
                let mut random = Random::new(position.ply() as u64);
                extend(&mut position, &mut random);
            }
        }
        position.moves().to_vec()
    }

    fn position(&self, moves: &[Move], rule: Rule) -> Result<Position, String> {
        let mut position = Position::new(rule, self.size);
        for mv in moves {
            if let Move::Stone(point) = mv {
                position.play(*point).map_err(|error| format!("played {point}: {error}"))?;
            }
        }
        Ok(position)
    }

    /// Lays so many stones beside those that lie, if they may lie there.
    fn place(&self, moves: &mut Vec<Move>, points: &[Point], count: usize) -> Result<(), String> {
        if points.len() != count {
            return Err(format!("laid {} stones where {count} are due", points.len()));
        }
        moves.extend(points.iter().map(|point| Move::Stone(*point)));
        self.position(moves, self.rule).map(drop)
    }

    /// Begins a game, starting the engine again where it has died or does not know another way.
    fn begin(&mut self, rule: Rule) -> StepResult {
        let time = TimeControl { per_move: Some(nanos(MOVE_TIME)), ..TimeControl::default() };
        let (folder, threads) = (self.process.scratch().map(str::to_owned), self.spec.threads);
        let options = self.spec.options.clone();
        let terms = GameTerms { time, folder, threads, options, ..GameTerms::new(rule, self.size) };
        if self.process.is_running_here() {
            match self.process.begin_game(&terms) {
                Ok(true) => return Ok("ready".to_owned()),
                Ok(false) => {}
                Err(loss) => return Err(self.detail_of(loss)),
            }
        }
        self.process.start().map_err(|error| error.to_string())?;
        let opened = self.process.introduce().and_then(|()| self.process.begin_game(&terms));
        match opened {
            Ok(_) => Ok("ready, started again".to_owned()),
            Err(loss) => Err(self.detail_of(loss)),
        }
    }

    fn name(&mut self) -> StepResult {
        self.process.introduce().map_err(|loss| self.detail_of(loss))?;
        let name = self.process.protocol.about().and_then(|about| about.name.clone());
        self.begin(self.rule)?;
        Ok(name.unwrap_or_default())
    }

    /// What it says of itself comes before the answer to the next line.
    fn about(&mut self) -> StepResult {
        self.process.protocol.dialogue.ask_about();
        self.begin(self.rule)?;
        let about = self.process.protocol.about().map(|about| about.text.clone());
        Ok(about.unwrap_or_else(|| "says nothing".to_owned()))
    }

    /// Asks for a move, plays it, and plays the first free point for the opponent. Where the
    /// machine spoiled an answer it is asked for again.
    fn next_move(&mut self, moves: &mut Vec<Move>, rule: Rule) -> StepResult {
        let mut seen_move = String::new();
        for _ in 0..ATTEMPTS {
            let (answer, spent) = self.ask(moves, MOVE)?;
            let Answer::Move(mv) = answer else { return Err(format!("answered with {answer:?}")) };
            seen_move = format!("played {mv} after {} ms", spent.as_millis());
            let allowed = nanos(MOVE_TIME) + TEXT_MARGIN;
            let seen = judge_timing(allowed, nanos(spent), || self.process.sample_late());
            if seen == TimingVerdict::Late {
                break;
            }
            if seen == TimingVerdict::Inconclusive {
                self.begin(rule)?;
                continue;
            }
            moves.push(mv);
            let position = self.position(moves, rule)?;
            let mut corners = self.size.points().filter(|point| position.check(*point).is_ok());
            moves.extend(corners.next().map(Move::Stone));
            return Ok(match spent.checked_sub(MOVE_TIME) {
                Some(late) if !late.is_zero() => {
                    format!("{seen_move}, {} ms late", late.as_millis())
                }
                _ => seen_move,
            });
        }
        Err(format!("{seen_move}, though it had {} ms", MOVE_TIME.as_millis()))
    }

    fn ask(&mut self, moves: &[Move], ask: Ask) -> Result<(Answer, Duration), String> {
        if !self.process.is_running_here() {
            self.begin(self.rule)?;
        }
        let limits = Limits { hard: Some(nanos(MOVE_TIME)), ..Limits::default() };
        self.process.resume_and_read(None).map_err(|loss| self.detail_of(loss))?;
        self.process.start_sample(Some(MOVE_TIME));
        match self.process.protocol.dialogue.ask(moves, ask, limits) {
            AskResult::Known(answer) => return Ok((answer, Duration::ZERO)),
            AskResult::Unsupported => return Err("its protocol has no words for it".to_owned()),
            AskResult::Sent | AskResult::Held => {}
        }
        let (begun, patience) = (Instant::now(), self.process.settings().startup);
        match self.wait_for_answer(begun, patience).map_err(|loss| self.detail_of(loss))? {
            TextEvent::Answer(answer) => Ok((answer, begun.elapsed())),
            event => Err(format!("said {event:?}")),
        }
    }

    /// Waits for the answer to a question. One that has said something else in its place is not
    /// waited for as long.
    fn wait_for_answer(
        &mut self,
        begun: Instant,
        patience: Duration,
    ) -> Result<TextEvent, EngineLoss> {
        self.process.protocol.record_lines.new_game();
        self.process.send(Some(patience))?;
        if cfg!(unix) {
            if let Some(event) = self.process.wait_for_event_within(patience.min(2 * MOVE_TIME))? {
                return Ok(event);
            }
            if self.process.protocol.record_lines.has_unexpected() {
                let detail = format!(
                    "said no move, but: {}",
                    self.process.protocol.record_lines.take().join("; ")
                );
                return Err(EngineLoss::Fault(Fault { failure: Failure::ProtocolError, detail }));
            }
        }
        self.process.wait_since(begun)
    }

    fn end(&mut self) -> StepResult {
        self.begin(self.rule)?;
        match self.process.stop_within(END) {
            true => Ok("ends".to_owned()),
            false => Err("did not end within a second; it was killed".to_owned()),
        }
    }

    fn detail_of(&mut self, loss: EngineLoss) -> String {
        self.process.kill();
        self.process.fault(loss, "answer").detail
    }
}

fn program(spec: &EngineSpec) -> String {
    let (program, arguments) = spec.command().unwrap_or_default();
    let words = [program.into_os_string()].into_iter().chain(arguments);
    words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
}

fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}
