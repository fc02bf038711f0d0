//! A text engine that is being checked, and the questions to it.

use std::time::{Duration, Instant};

use tengen_arbiter::{CpuStats, Failure, Limits, Nanos, TimeControl};
use tengen_gomocup::{AskResult, DialogueKind, GameTerms};
use tengen_packages::{EngineSpec, RestartPolicy};
use tengen_players::Fault;
use tengen_random::Random;
use tengen_rules::{Answer, Ask, Move, Point, Position, Rule, Size, Zone};

use super::{
    ATTEMPTS, CheckScope, StepResult, TimingVerdict, extend, is_excused, judge_timing, not_checked,
};
use crate::process::{EngineLoss, TextProcess};
use crate::protocol::{Ready, TextEvent};
use crate::sandbox::denials::Denials;
use crate::watchdog::Supervisor;
use crate::{HostError, HostSettings, TEXT_MARGIN};

pub(super) type Said = Result<String, String>;

/// The time for a move that an engine is given.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// How much longer a move may take here: a part of what a game forgives, so that an engine that
/// passes also has time enough on a slower machine, but more than an engine needs that tries to
/// keep its time.
pub(super) const CHECK_MARGIN: Nanos = TEXT_MARGIN * 3 / 10;

/// How much longer than its time to wait for a silent engine. Many engines take 5 s for every move:
/// they are late, not silent, on a quiet machine and on a busy one.
const SILENCE: Duration = Duration::from_millis(5500);

/// How many times as long to wait on a machine that gives the engine no CPU.
const BUSY: u32 = 6;

/// How long it may take to end when it is told to.
const END: Duration = Duration::from_secs(1);

/// What is said about an engine that went on to another game.
const READY: &str = "ready";

pub(super) const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };
pub(super) const PLACE: Ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };

/// Quiet stones of an opening, by columns and rows from the centre.
const STONES: [(i8, i8); 8] = [(0, 0), (1, 1), (3, -2), (-2, 2), (2, 4), (-3, -3), (5, 0), (-4, 3)];

pub(super) struct TestedTextEngine {
    process: TextProcess,
    pub scope: CheckScope,
    rule: Rule,
    size: Size,
    /// Whether it was silent where an answer was due.
    pub has_hung: bool,
    /// Whether its process ended by itself since this was last set to false.
    pub has_crashed: bool,
    /// Whether a move came so late, since this was last set to false, that it would lose a game on
    /// a machine of its own.
    pub has_lost_on_time: bool,
    /// The longest that a move took, where the machine does not excuse it.
    slowest: Option<Duration>,
}

impl TestedTextEngine {
    pub(super) fn new(
        spec: EngineSpec,
        settings: HostSettings,
        scope: CheckScope,
    ) -> TestedTextEngine {
        let mut process = TextProcess::of_text(spec, settings);
        // A game forgives a process of several games an illegal move. This is to find it.
        process.protocol.dialogue.judge_every_answer();
        let rule = scope.rule.unwrap_or(Rule::Freestyle);
        let size = scope.size.unwrap_or(Size::STANDARD);
        TestedTextEngine {
            process,
            scope,
            rule,
            size,
            has_hung: false,
            has_crashed: false,
            has_lost_on_time: false,
            slowest: None,
        }
    }

    /// The same engine in another process, with other settings.
    pub(super) fn another(&self, settings: HostSettings, scope: CheckScope) -> TestedTextEngine {
        TestedTextEngine::new(self.spec().clone(), settings, scope)
    }

    pub(super) fn start(&mut self) -> Result<Ready, HostError> {
        self.process.start()
    }

    pub(super) fn denials(&self) -> &Denials {
        self.process.engine_log().denials()
    }

    pub(super) fn spec(&self) -> &EngineSpec {
        self.process.spec()
    }

    pub(super) fn settings(&self) -> &HostSettings {
        self.process.settings()
    }

    pub(super) fn kind(&self) -> &'static DialogueKind {
        self.process.protocol.kind
    }

    pub(super) fn rule(&self) -> Rule {
        self.rule
    }

    pub(super) fn size(&self) -> Size {
        self.size
    }

    /// Whether one process plays several games: whether it was seen to clear its board.
    pub(super) fn plays_on(&self) -> bool {
        let dialect = self.process.protocol.dialogue.dialect();
        dialect.is_some_and(|dialect| dialect.starts_again == Some(true))
    }

    /// Whether it is to get a new process for each game, whatever it could do.
    pub(super) fn restarts(&self) -> bool {
        self.process.restart() == RestartPolicy::On
    }

    pub(super) fn sample_late(&mut self) -> Option<CpuStats> {
        self.process.sample_late()
    }

    /// The CPU time of the process so far, in nanoseconds.
    pub(super) fn cpu_time(&self) -> Option<u64> {
        self.process.watchdog.read(Supervisor::cpu_time)
    }

    /// The memory of the process now.
    pub(super) fn memory_mib(&self) -> Option<u64> {
        self.process.watchdog.read(Supervisor::usage).map(|usage| usage.memory >> 20)
    }

    /// So many stones that end nothing: those that go on this board, and more where they do not.
    pub(super) fn stones(&self, count: usize) -> Vec<Move> {
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

    /// Places so many more stones, if they are allowed there.
    pub(super) fn place(
        &self,
        moves: &mut Vec<Move>,
        points: &[Point],
        count: usize,
    ) -> Result<(), String> {
        if points.len() != count {
            return Err(format!("laid {} stones where {count} are due", points.len()));
        }
        moves.extend(points.iter().map(|point| Move::Stone(*point)));
        self.position(moves, self.rule).map(drop)
    }

    /// Begins a game, starting the engine again where it has died or does not know another way.
    pub(super) fn begin(&mut self, rule: Rule) -> Said {
        self.begin_on(rule, self.size, per_move(MOVE_TIME))
    }

    /// The same on the usual board, and gives whether the process went on from a game before.
    pub(super) fn begin_again(&mut self, time: TimeControl) -> Result<bool, String> {
        self.begin_on(self.rule, self.size, time).map(|seen| seen == READY)
    }

    /// The same on any board.
    pub(super) fn begin_on(&mut self, rule: Rule, size: Size, time: TimeControl) -> Said {
        let (threads, options) = (self.spec().threads, self.spec().options.clone());
        let terms = GameTerms { time, threads, options, ..GameTerms::new(rule, size) };
        // A process has a folder of its own.
        let in_folder =
            |folder: Option<&str>| GameTerms { folder: folder.map(str::to_owned), ..terms.clone() };
        if self.process.is_running_here() {
            let terms = in_folder(self.process.scratch());
            match self.process.begin_game(&terms) {
                Ok(true) => return Ok(READY.to_owned()),
                Ok(false) => {}
                Err(loss) => return Err(self.detail_of(loss)),
            }
        }
        self.process.start().map_err(|error| error.to_string())?;
        let terms = in_folder(self.process.scratch());
        let opened = self.process.introduce().and_then(|()| self.process.begin_game(&terms));
        match opened {
            Ok(_) => Ok("ready, started again".to_owned()),
            Err(loss) => Err(self.detail_of(loss)),
        }
    }

    pub(super) fn name(&mut self) -> Said {
        self.process.introduce().map_err(|loss| self.detail_of(loss))?;
        let name = self.process.protocol.about().and_then(|about| about.name.clone());
        self.begin(self.rule)?;
        Ok(name.unwrap_or_default())
    }

    /// What it says of itself comes before the answer to the next line.
    pub(super) fn about(&mut self) -> Said {
        self.process.protocol.dialogue.ask_about();
        self.begin(self.rule)?;
        let about = self.process.protocol.about().map(|about| about.text.clone());
        Ok(about.unwrap_or_else(|| "says nothing".to_owned()))
    }

    /// Asks for a move, plays it, and plays the first free point for the opponent. Where the
    /// machine spoiled the time of an answer it is asked for again; whether it took too long is
    /// for [`time_for_a_move`](Self::time_for_a_move) to say.
    pub(super) fn next_move(&mut self, moves: &mut Vec<Move>, rule: Rule) -> Said {
        let allowed = nanos(MOVE_TIME) + CHECK_MARGIN;
        let mut attempt = 1;
        let (mv, spent, excuse) = loop {
            let (answer, spent) = self.ask(moves, MOVE)?;
            let Answer::Move(mv) = answer else { return Err(format!("answered with {answer:?}")) };
            let spent_ns = nanos(spent);
            let mut stats = None;
            let verdict = judge_timing(allowed, spent_ns, || {
                stats = self.process.sample_late();
                stats
            });
            if verdict == TimingVerdict::InTime {
                break (mv, spent, None);
            }
            let waited = stats.map_or(0, |stats| stats.waited);
            // Also where a busy machine excuses it.
            let own = spent_ns.saturating_sub(waited);
            self.has_lost_on_time |= own > nanos(MOVE_TIME) + TEXT_MARGIN;
            let is_excused = is_excused(allowed, spent_ns, stats);
            if verdict == TimingVerdict::Late && !is_excused {
                break (mv, spent, None);
            }
            if attempt == ATTEMPTS {
                break (mv, spent, is_excused.then_some(waited));
            }
            attempt += 1;
            self.begin(rule)?;
        };
        if excuse.is_none() {
            self.slowest = self.slowest.max(Some(spent));
        }
        moves.push(mv);
        let position = self.position(moves, rule)?;
        let mut corners = self.size.points().filter(|point| position.check(*point).is_ok());
        moves.extend(corners.next().map(Move::Stone));
        let seen = format!("played {mv} after {} ms", spent.as_millis());
        Ok(match (excuse, spent.checked_sub(MOVE_TIME)) {
            (Some(waited), _) => seen + &busy(waited),
            (None, Some(late)) if !late.is_zero() => {
                format!("{seen}, {} ms late", late.as_millis())
            }
            _ => seen,
        })
    }

    /// Whether each of its moves came in time. One verdict for all: an engine that needs about as
    /// long as is allowed would be late with another move at each check.
    pub(super) fn time_for_a_move(&self) -> StepResult {
        let Some(slowest) = self.slowest else { return not_checked("it was not seen to move") };
        let (had, took) = (MOVE_TIME.as_millis(), slowest.as_millis());
        match nanos(slowest) <= nanos(MOVE_TIME) + CHECK_MARGIN {
            true => Ok(format!("at most {took} ms of {had}")),
            false => Err(format!("took up to {took} ms, though it had {had} ms").into()),
        }
    }

    /// Asks for an answer within a second.
    pub(super) fn ask(&mut self, moves: &[Move], ask: Ask) -> Result<(Answer, Duration), String> {
        self.ask_within(moves, ask, within(MOVE_TIME))
    }

    pub(super) fn ask_within(
        &mut self,
        moves: &[Move],
        ask: Ask,
        limits: Limits,
    ) -> Result<(Answer, Duration), String> {
        if !self.process.is_running_here() {
            self.begin(self.rule)?;
        }
        let time = Duration::from_nanos(limits.hard.unwrap_or(0));
        self.process.resume_and_read(None).map_err(|loss| self.detail_of(loss))?;
        self.process.start_sample(Some(time));
        match self.process.protocol.ask(moves, ask, limits) {
            AskResult::Known(answer) => return Ok((answer, Duration::ZERO)),
            AskResult::Unsupported => return Err("its protocol has no words for it".to_owned()),
            AskResult::Sent => {}
        }
        // An engine that is silent for so long after its time has hung.
        let patience = time + SILENCE;
        let begun = Instant::now();
        match self.wait_for_answer(begun, patience).map_err(|loss| self.detail_of(loss))? {
            TextEvent::Answer(answer) => Ok((answer, begun.elapsed())),
            event => Err(format!("said {event:?}")),
        }
    }

    /// Waits for the answer to a question, and less long once the engine has said something else in
    /// its place. Time in which it waited for a CPU does not count.
    fn wait_for_answer(
        &mut self,
        begun: Instant,
        patience: Duration,
    ) -> Result<TextEvent, EngineLoss> {
        self.process.protocol.record_lines.new_game();
        self.process.send(Some(BUSY * patience))?;
        for patience in [patience.min(2 * MOVE_TIME), patience] {
            while let Some(left) = self.left_of(patience, begun) {
                if let Some(event) = self.process.wait_for_event_within(left)? {
                    return Ok(event);
                }
            }
            let lines = &mut self.process.protocol.record_lines;
            if lines.has_unexpected() {
                let detail = format!("said no move, but: {}", lines.take().join("; "));
                return Err(EngineLoss::Fault(Fault { failure: Failure::ProtocolError, detail }));
            }
        }
        let detail = self
            .process
            .engine_log()
            .with_last_words(format!("was silent for {:.1?}", begun.elapsed()));
        Err(EngineLoss::Fault(Fault { failure: Failure::Stall, detail }))
    }

    /// What is left of the time that it is waited for, if anything.
    fn left_of(&mut self, patience: Duration, begun: Instant) -> Option<Duration> {
        let elapsed = begun.elapsed();
        let waited = self.process.sample_late().map_or(0, |stats| stats.waited);
        let own = elapsed.saturating_sub(Duration::from_nanos(waited));
        (own < patience && elapsed < BUSY * patience).then(|| patience - own)
    }

    pub(super) fn end(&mut self) -> Said {
        self.begin(self.rule)?;
        match self.process.stop_within(END) {
            true => Ok("ends".to_owned()),
            false => Err("did not end within a second; it was killed".to_owned()),
        }
    }

    fn detail_of(&mut self, loss: EngineLoss) -> String {
        self.process.kill();
        let is_late = matches!(loss, EngineLoss::Late);
        let mut fault = self.process.fault(loss, "answer");
        if is_late || fault.failure == Failure::Stall {
            self.has_hung = true;
            self.process.explain_silence(&mut fault);
        }
        self.has_crashed |= fault.failure == Failure::Crash;
        fault.detail
    }
}

pub(super) fn within(span: Duration) -> Limits {
    Limits { hard: Some(nanos(span)), ..Limits::default() }
}

pub(super) fn per_move(span: Duration) -> TimeControl {
    TimeControl { per_move: Some(nanos(span)), ..TimeControl::default() }
}

pub(super) fn nanos(span: Duration) -> u64 {
    u64::try_from(span.as_nanos()).unwrap_or(u64::MAX)
}

/// What is said about an answer that had to wait so many nanoseconds for a CPU.
fn busy(waited: u64) -> String {
    match waited / 1_000_000 {
        0..10 => String::new(),
        waited => format!(", and it waited {waited} ms for a CPU, because the machine is busy"),
    }
}
