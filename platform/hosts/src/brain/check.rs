//! The conformance of a text engine: every line of its protocol with what a game may bring.

use std::time::{Duration, Instant};

use tengen_arbiter::{Failure, Limits, TimeControl};
use tengen_gomocup::{Asked, Terms};
use tengen_packages::{EngineSpec, Kind};
use tengen_players::Fault;
use tengen_rules::{Answer, Ask, Color, Move, Point, Position, Rule, Size, Zone};

use super::talk::{Event, Talk};
use super::{introduce, open};
use crate::HostSettings;
use crate::check::{Finding, Report, sandbox};
use crate::link::Loss;

/// What an engine is told that it may take for a move, and then what it is forgiven.
const TURN: Duration = Duration::from_secs(1);
const MARGIN: Duration = Duration::from_millis(100);

/// How long it may take to end when it is told to.
const END: Duration = Duration::from_secs(1);

const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };
const PLACE: Ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };

/// Quiet stones of an opening, as points of the standard board.
const STONES: [&str; 8] = ["h8", "i9", "k6", "f10", "j12", "e5", "m8", "d11"];

/// Examines a text engine. After a step that kills it, it is started again.
pub(crate) fn check(spec: &EngineSpec, settings: &HostSettings, report: &mut Report) {
    let mut talk = Talk::new(spec.clone(), settings.clone());
    let started = talk.start();
    let seen = started.as_ref().map(|_| program(spec)).map_err(ToString::to_string);
    if !report.add("program", seen) {
        return;
    }
    if let Ok(ready) = &started {
        report.add("sandbox", Ok(sandbox(ready)));
    }
    let mut examinee = Examinee { talk, spec };
    if spec.kind == Kind::Sau {
        report.add("name?", examinee.name());
    } else if !report.add("START", examinee.begin(Rule::Freestyle)) {
        return;
    } else {
        report.add("ABOUT", examinee.about());
    }
    games(&mut examinee, report);
    if spec.kind == Kind::Gomocup {
        protocol(&mut examinee, report);
    }
    report.add(if spec.kind == Kind::Sau { "quit" } else { "END" }, examinee.end());
}

/// Moves, in every form in which they are asked for.
fn games(examinee: &mut Examinee<'_>, report: &mut Report) {
    let is_sau = examinee.spec.kind == Kind::Sau;
    let name = |gomocup: &str, sau: &str| if is_sau { sau.to_owned() } else { gomocup.to_owned() };
    let mut moves = Vec::new();
    report.add(name("BEGIN", "new black"), examinee.next_move(&mut moves, Rule::Freestyle));
    report.add(name("TURN", "move"), examinee.next_move(&mut moves, Rule::Freestyle));
    let mut board = stones(8);
    let again = examinee.begin(Rule::Freestyle).and_then(|seen| {
        let moved = examinee.next_move(&mut board, Rule::Freestyle)?;
        Ok(format!("{seen}; {moved}"))
    });
    report.add(name("BOARD", "new white, an opening set"), again);
    report.add("after that", examinee.next_move(&mut board, Rule::Freestyle));
}

/// What is Gomocup's alone.
fn protocol(examinee: &mut Examinee<'_>, report: &mut Report) {
    for rule in [Rule::Standard, Rule::Renju, Rule::Caro] {
        let mut moves = stones(6);
        let played = examinee.begin(rule).and_then(|_| examinee.next_move(&mut moves, rule));
        report.add(format!("INFO rule, {rule}"), played);
    }
    let laid = examinee.begin(Rule::Freestyle).and_then(|_| examinee.ask(&[], PLACE));
    let Ok((Answer::Place(points), _)) = laid else {
        let unknown = "not known; --opening-policy arbiter answers swap2 in its place";
        report.add("SWAP2BOARD", Ok(unknown.to_owned()));
        return;
    };
    report.add("SWAP2BOARD", swap2(examinee, &points));
}

/// The three questions of swap2, put to an engine that has laid these stones.
fn swap2(examinee: &mut Examinee<'_>, points: &[Point]) -> Finding {
    lay(&mut Vec::new(), points, 3)?;
    let mut moves = stones(3);
    let second = match examinee.ask(&moves, Ask::ChooseOrPlace { count: 2 })?.0 {
        Answer::Choose(color) => format!("takes {color}"),
        Answer::Place(points) => {
            lay(&mut moves, &points, 2)?;
            "lays two stones".to_owned()
        }
        other => return Err(format!("answered three stones with {other:?}")),
    };
    examinee.begin(Rule::Freestyle)?;
    match examinee.ask(&stones(5), Ask::Choose)?.0 {
        Answer::Choose(Color::Black) => Ok(format!("three stones, {second}, takes black of five")),
        Answer::Choose(Color::White) => Ok(format!("three stones, {second}, stays white of five")),
        other => Err(format!("answered five stones with {other:?}")),
    }
}

/// Lays so many stones beside those that lie, if they may lie there.
fn lay(moves: &mut Vec<Move>, points: &[Point], count: usize) -> Result<(), String> {
    if points.len() != count {
        return Err(format!("laid {} stones where {count} are due", points.len()));
    }
    moves.extend(points.iter().map(|point| Move::Stone(*point)));
    position(moves, Rule::Freestyle).map(drop)
}

fn stones(count: usize) -> Vec<Move> {
    let points = STONES[..count].iter().map(|text| text.parse::<Point>());
    points.map(|point| Move::Stone(point.expect("labels of points"))).collect()
}

fn position(moves: &[Move], rule: Rule) -> Result<Position, String> {
    let mut position = Position::new(rule, Size::STANDARD);
    for mv in moves {
        if let Move::Stone(point) = mv {
            position.play(*point).map_err(|error| format!("played {point}: {error}"))?;
        }
    }
    Ok(position)
}

/// A text engine under examination.
struct Examinee<'a> {
    talk: Talk,
    spec: &'a EngineSpec,
}

impl Examinee<'_> {
    /// Begins a game, starting the engine again where it has died or does not know another way.
    fn begin(&mut self, rule: Rule) -> Finding {
        let time = TimeControl { per_move: Some(nanos(TURN)), ..TimeControl::default() };
        let (folder, threads) = (self.talk.desk().map(str::to_owned), self.spec.threads);
        let options = self.spec.options.clone();
        let terms = Terms { time, folder, threads, options, ..Terms::new(rule, Size::STANDARD) };
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
        self.begin(Rule::Freestyle)?;
        Ok(name.unwrap_or_default())
    }

    /// What it says of itself comes before the answer to the next line.
    fn about(&mut self) -> Finding {
        self.talk.tongue.about();
        self.begin(Rule::Freestyle)?;
        let about = self.talk.about().map(|about| about.text.clone());
        Ok(about.unwrap_or_else(|| "says nothing".to_owned()))
    }

    /// Asks for a move, plays it, and plays the first free point for the opponent.
    fn next_move(&mut self, moves: &mut Vec<Move>, rule: Rule) -> Finding {
        let (answer, spent) = self.ask(moves, MOVE)?;
        let Answer::Move(mv) = answer else { return Err(format!("answered with {answer:?}")) };
        moves.push(mv);
        let position = position(moves, rule)?;
        let mut corners = Size::STANDARD.points().filter(|point| position.check(*point).is_ok());
        moves.extend(corners.next().map(Move::Stone));
        let told = format!("played {mv} after {} ms", spent.as_millis());
        if spent > TURN + MARGIN {
            return Err(format!("{told}, though it was told that it has {} ms", TURN.as_millis()));
        }
        Ok(told)
    }

    fn ask(&mut self, moves: &[Move], ask: Ask) -> Result<(Answer, Duration), String> {
        if !self.talk.is_running_here() {
            self.begin(Rule::Freestyle)?;
        }
        let limits = Limits { hard: Some(nanos(TURN)), ..Limits::default() };
        self.talk.rouse().map_err(|loss| self.told(loss))?;
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
        self.begin(Rule::Freestyle)?;
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
