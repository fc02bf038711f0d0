//! The conformance of a text engine: every line of its protocol with what a game may bring.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tengen_arbiter::{Failure, Limits, TimeControl};
use tengen_gomocup::{Asked, Terms};
use tengen_packages::{EngineKind, EngineSpec};
use tengen_players::Fault;
use tengen_random::Random;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Rule, Size, Zone};

use super::probe::probe;
use super::talk::{Event, Talk};
use super::{introduce, open};
use crate::HostSettings;
use crate::check::{CheckScope, Finding, LOOKS, Look, Report, extend, files, look, sandbox};
use crate::denials::Denials;
use crate::link::Loss;

/// What an engine is told that it may take for a move.
const TURN: Duration = Duration::from_secs(1);

/// How long it may take to end when it is told to.
const END: Duration = Duration::from_secs(1);

const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };
const PLACE: Ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };

/// Quiet stones of an opening, by columns and rows from the centre.
const STONES: [(i8, i8); 8] = [(0, 0), (1, 1), (3, -2), (-2, 2), (2, 4), (-3, -3), (5, 0), (-4, 3)];

/// Examines a text engine. After a step that kills it, it is started again.
pub(crate) fn check(
    spec: &EngineSpec,
    settings: &HostSettings,
    scope: CheckScope,
    report: &mut Report,
) -> Arc<Denials> {
    // As before an event: which line end it takes, and how it wants the stones of swap2. Why it
    // does not answer, if it does not, is for the steps to tell.
    let _ = probe(spec, settings, None);
    let talk = Talk::new(spec.clone(), settings.clone());
    let denials = Arc::clone(talk.words().denials());
    examine(talk, spec, scope, report);
    denials
}

fn examine(mut talk: Talk, spec: &EngineSpec, scope: CheckScope, report: &mut Report) {
    let started = talk.start();
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
    let mut examinee = Examinee { talk, spec, rule, size };
    if spec.kind == EngineKind::Sau {
        report.add("name?", examinee.name());
    } else {
        let elsewhere = "if it plays on another board alone, name that: --size 20";
        let begun = examinee.begin(rule).map_err(|wrong| match scope.size {
            Some(_) => wrong,
            None => format!("{wrong}; {elsewhere}"),
        });
        if !report.add("START", begun) {
            return;
        }
        report.add("ABOUT", examinee.about());
    }
    games(&mut examinee, report);
    if spec.kind == EngineKind::Gomocup {
        if scope.rule.is_none() {
            rules(&mut examinee, report);
        }
        opening(&mut examinee, report);
    }
    report.add(if spec.kind == EngineKind::Sau { "quit" } else { "END" }, examinee.end());
}

/// Moves, in every form in which they are asked for.
fn games(examinee: &mut Examinee<'_>, report: &mut Report) {
    let is_sau = examinee.spec.kind == EngineKind::Sau;
    let name = |gomocup: &str, sau: &str| if is_sau { sau.to_owned() } else { gomocup.to_owned() };
    let mut moves = Vec::new();
    let rule = examinee.rule;
    report.add(name("BEGIN", "new black"), examinee.next_move(&mut moves, rule));
    report.add(name("TURN", "move"), examinee.next_move(&mut moves, rule));
    let mut board = examinee.stones(8);
    let again = examinee.begin(rule).and_then(|seen| {
        let moved = examinee.next_move(&mut board, rule)?;
        Ok(format!("{seen}; {moved}"))
    });
    report.add(name("BOARD", "new white, an opening set"), again);
    report.add("after that", examinee.next_move(&mut board, rule));
}

/// The further rules, which are Gomocup's alone.
fn rules(examinee: &mut Examinee<'_>, report: &mut Report) {
    for rule in [Rule::Standard, Rule::Renju, Rule::Caro] {
        let mut moves = examinee.stones(6);
        let played = examinee.begin(rule).and_then(|_| examinee.next_move(&mut moves, rule));
        report.add(format!("INFO rule, {rule}"), played);
    }
}

/// The opening procedure that is Gomocup's alone.
fn opening(examinee: &mut Examinee<'_>, report: &mut Report) {
    let laid = examinee.begin(examinee.rule).and_then(|_| examinee.ask(&[], PLACE));
    let Ok((Answer::Place(points), _)) = laid else {
        let unknown = "not known; --opening-policy arbiter answers swap2 in its place";
        report.add("SWAP2BOARD", Ok(unknown.to_owned()));
        return;
    };
    report.add("SWAP2BOARD", swap2(examinee, &points));
}

/// The three questions of swap2, put to an engine that has laid these stones.
fn swap2(examinee: &mut Examinee<'_>, points: &[Point]) -> Finding {
    examinee.lay(&mut Vec::new(), points, 3)?;
    let mut moves = examinee.stones(3);
    let second = match examinee.ask(&moves, Ask::ChooseOrPlace { count: 2 })?.0 {
        Answer::Choose(color) => format!("takes {color}"),
        Answer::Place(points) => {
            examinee.lay(&mut moves, &points, 2)?;
            "lays two stones".to_owned()
        }
        other => return Err(format!("answered three stones with {other:?}")),
    };
    examinee.begin(examinee.rule)?;
    match examinee.ask(&examinee.stones(5), Ask::Choose)?.0 {
        Answer::Choose(Color::Black) => Ok(format!("three stones, {second}, takes black of five")),
        Answer::Choose(Color::White) => Ok(format!("three stones, {second}, stays white of five")),
        other => Err(format!("answered five stones with {other:?}")),
    }
}

/// A text engine under examination.
struct Examinee<'a> {
    talk: Talk,
    spec: &'a EngineSpec,
    rule: Rule,
    size: Size,
}

impl Examinee<'_> {
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
    fn lay(&self, moves: &mut Vec<Move>, points: &[Point], count: usize) -> Result<(), String> {
        if points.len() != count {
            return Err(format!("laid {} stones where {count} are due", points.len()));
        }
        moves.extend(points.iter().map(|point| Move::Stone(*point)));
        self.position(moves, self.rule).map(drop)
    }

    /// Begins a game, starting the engine again where it has died or does not know another way.
    fn begin(&mut self, rule: Rule) -> Finding {
        let time = TimeControl { per_move: Some(nanos(TURN)), ..TimeControl::default() };
        let (folder, threads) = (self.talk.desk().map(str::to_owned), self.spec.threads);
        let options = self.spec.options.clone();
        let terms = Terms { time, folder, threads, options, ..Terms::new(rule, self.size) };
        if self.talk.is_running_here() {
            match open(&mut self.talk, &terms) {
                Ok(true) => return Ok("ready".to_owned()),
                Ok(false) => {}
                Err(loss) => return Err(self.told(loss)),
            }
        }
        self.talk.start().map_err(|error| error.to_string())?;
        let opened = introduce(&mut self.talk).and_then(|()| open(&mut self.talk, &terms));
        match opened {
            Ok(_) => Ok("ready, started again".to_owned()),
            Err(loss) => Err(self.told(loss)),
        }
    }

    fn name(&mut self) -> Finding {
        introduce(&mut self.talk).map_err(|loss| self.told(loss))?;
        let name = self.talk.about().and_then(|about| about.name.clone());
        self.begin(self.rule)?;
        Ok(name.unwrap_or_default())
    }

    /// What it says of itself comes before the answer to the next line.
    fn about(&mut self) -> Finding {
        self.talk.tongue.about();
        self.begin(self.rule)?;
        let about = self.talk.about().map(|about| about.text.clone());
        Ok(about.unwrap_or_else(|| "says nothing".to_owned()))
    }

    /// Asks for a move, plays it, and plays the first free point for the opponent. Where the
    /// machine spoiled an answer it is asked for again.
    fn next_move(&mut self, moves: &mut Vec<Move>, rule: Rule) -> Finding {
        let mut told = String::new();
        for _ in 0..LOOKS {
            let (answer, spent) = self.ask(moves, MOVE)?;
            let Answer::Move(mv) = answer else { return Err(format!("answered with {answer:?}")) };
            told = format!("played {mv} after {} ms", spent.as_millis());
            let seen = look(nanos(TURN), nanos(spent), || self.talk.weigh_late());
            if seen == Look::Late {
                break;
            }
            if seen == Look::Spoiled {
                self.begin(rule)?;
                continue;
            }
            moves.push(mv);
            let position = self.position(moves, rule)?;
            let mut corners = self.size.points().filter(|point| position.check(*point).is_ok());
            moves.extend(corners.next().map(Move::Stone));
            return Ok(told);
        }
        Err(format!("{told}, though it was told that it has {} ms", TURN.as_millis()))
    }

    fn ask(&mut self, moves: &[Move], ask: Ask) -> Result<(Answer, Duration), String> {
        if !self.talk.is_running_here() {
            self.begin(self.rule)?;
        }
        let limits = Limits { hard: Some(nanos(TURN)), ..Limits::default() };
        self.talk.rouse(None).map_err(|loss| self.told(loss))?;
        self.talk.weigh(Some(TURN));
        match self.talk.tongue.ask(moves, ask, limits) {
            Asked::Known(answer) => return Ok((answer, Duration::ZERO)),
            Asked::Unsayable => return Err("its protocol has no words for it".to_owned()),
            Asked::Sent | Asked::Held => {}
        }
        let (begun, patience) = (Instant::now(), self.talk.settings().startup);
        match self.hear(begun, patience).map_err(|loss| self.told(loss))? {
            Event::Answer(answer) => Ok((answer, begun.elapsed())),
            event => Err(format!("said {event:?}")),
        }
    }

    /// Waits for the answer to a question. One that has said something else in its place is not
    /// waited for as long.
    fn hear(&mut self, begun: Instant, patience: Duration) -> Result<Event, Loss> {
        self.talk.said.new_game();
        self.talk.say(Some(patience))?;
        if cfg!(unix) {
            if let Some(event) = self.talk.await_event(patience.min(2 * TURN))? {
                return Ok(event);
            }
            if self.talk.said.has_stray() {
                let detail = format!("said no move, but: {}", self.talk.said.take().join("; "));
                return Err(Loss::Fault(Fault { failure: Failure::ProtocolError, detail }));
            }
        }
        self.talk.listen_since(begun)
    }

    fn end(&mut self) -> Finding {
        self.begin(self.rule)?;
        match self.talk.stop_within(END) {
            true => Ok("ends".to_owned()),
            false => Err("did not end within a second; it was killed".to_owned()),
        }
    }

    fn told(&mut self, loss: Loss) -> String {
        self.talk.kill();
        self.talk.fault(loss, "answer").detail
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
