//! The brain's side of the Gomocup protocol: <https://plastovicka.github.io/protocl2en.htm>.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use tengen_arbiter::Limits;
use tengen_rules::{Answer, Ask, Color, Move, Point, Rule, Size, Zone};

use crate::line_end::write_line;
use crate::{About, BrainReply, Coords, LineEnd, SearchReport};

mod allowance;
mod block;
mod execute;
mod stones;

pub use allowance::Allowance;
use block::Block;
use stones::{Owner, Stones};

/// The brain's side: any engine behind it speaks the protocol to any manager.
///
/// Lines go in by [`Brain::receive`], what the engine is to do comes out of [`Brain::poll`], and
/// its answers make the lines of [`Brain::output`]. While the engine thinks, lines wait, except
/// that END and YXSTOP are passed on at once.
///
/// ```
/// use tengen_gomocup::{About, Brain, Instruction};
/// use tengen_rules::{Answer, Ask, Move, Rule, Zone};
///
/// let mut brain = Brain::new(About { name: Some("Hoshi".into()), ..About::default() });
/// for line in ["INFO rule 4", "START 15", "ABOUT", "TURN 7,7"] {
///     brain.receive(line.as_bytes());
/// }
/// assert!(matches!(brain.poll(), Some(Instruction::NewGame { .. })));
/// brain.ready();
/// let Some(Instruction::Think(task)) = brain.poll() else { panic!() };
/// assert_eq!((task.rule, task.moves.len()), (Rule::Renju, 1));
/// assert_eq!(task.ask, Ask::Move { zone: Zone::Anywhere });
/// brain.answer(&Answer::Move(Move::Stone("j9".parse()?)))?;
/// assert_eq!(brain.output(), b"OK\nname=\"Hoshi\"\n9,6\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Brain {
    about: About,
    out: Vec<u8>,
    queue: VecDeque<Vec<u8>>,
    state: BrainState,
    urgent: Option<Instruction>,
    size: Option<Size>,
    rule: Result<Rule, i64>,
    allowance: Allowance,
    stones: Stones,
    block: Option<Block>,
}

/// What the engine is doing.
#[derive(Clone, PartialEq, Eq, Debug)]
enum BrainState {
    No,
    /// It gets ready for a game on a board of this size.
    Starting(Size),
    Thinking(Box<SearchTask>),
    /// It decided to stay White under swap2, and is to be asked for the move that says so.
    Deciding(Box<SearchTask>),
    Ended,
}

/// What the engine is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Instruction {
    /// To get ready for a new game. [`Brain::ready`] or [`Brain::refuse`] follows. The rule may
    /// change until the first question, which tells it.
    NewGame {
        size: Size,
    },
    /// To answer a question. [`Brain::answer`] or [`Brain::refuse`] follows.
    Think(Box<SearchTask>),
    /// To answer now.
    Stop,
    End,
}

/// A question to the engine, with all that it may know.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SearchTask {
    pub rule: Rule,
    pub size: Size,
    /// The stones in playing order, Black's first. Where the manager sent them in another order,
    /// each colour's stones are in the order sent.
    pub moves: Vec<Point>,
    /// Points where the manager allows no stone (field 3), beyond what the rules forbid.
    pub barred: Vec<Point>,
    /// A move, or one of the decisions of swap2.
    pub ask: Ask,
    /// What the engine may use.
    pub limits: Limits,
    /// All that INFO has set.
    pub allowance: Allowance,
}

/// An answer that the protocol cannot express, or not in answer to this question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnsupportedAnswer;

impl core::fmt::Display for UnsupportedAnswer {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("the Gomocup protocol has no words for this answer to this question")
    }
}

impl core::error::Error for UnsupportedAnswer {}

impl Brain {
    /// A brain that answers ABOUT with this. Its lines end with LF.
    pub fn new(about: About) -> Brain {
        Brain {
            about,
            out: Vec::new(),
            queue: VecDeque::new(),
            state: BrainState::No,
            urgent: None,
            size: None,
            rule: Ok(Rule::Freestyle),
            allowance: Allowance::default(),
            stones: Stones::default(),
            block: None,
        }
    }

    /// Takes one line of the manager, whatever it is. [`Brain::poll`] acts on it.
    pub fn receive(&mut self, line: &[u8]) {
        if self.state == BrainState::No || !self.interrupts(line) {
            self.queue.push_back(line.to_vec());
        }
    }

    /// What wins, as far as INFO has set it; freestyle until it does, or where it set a rule that
    /// is not played here.
    pub fn rule(&self) -> Rule {
        self.rule.unwrap_or(Rule::Freestyle)
    }

    /// What the engine may use, as set by INFO.
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// Whether the engine has nothing to do and no line waits.
    pub fn is_idle(&self) -> bool {
        self.state == BrainState::No && self.queue.is_empty() && self.urgent.is_none()
    }

    /// How many lines wait. The reader of a manager that never stops writing may stop here.
    pub fn backlog(&self) -> usize {
        self.queue.len()
    }

    /// What the engine is to do next; none until there are more lines, or until it has done what
    /// was demanded before.
    pub fn poll(&mut self) -> Option<Instruction> {
        if let Some(demand) = self.urgent.take() {
            return Some(demand);
        }
        if let BrainState::Deciding(task) = &self.state {
            let task = task.clone();
            self.state = BrainState::Thinking(task.clone());
            return Some(Instruction::Think(task));
        }
        while self.state == BrainState::No {
            let line = self.queue.pop_front()?;
            if let Some(demand) = self.execute(&line) {
                return Some(demand);
            }
        }
        None
    }

    /// What is to be written, in order.
    pub fn output(&self) -> &[u8] {
        &self.out
    }

    /// So many bytes of the output have been written.
    ///
    /// # Panics
    /// When there were not as many.
    pub fn written(&mut self, count: usize) {
        self.out.drain(..count);
    }

    /// The engine is ready for the game.
    pub fn ready(&mut self) {
        if let BrainState::Starting(size) = self.state {
            self.state = BrainState::No;
            self.size = Some(size);
            self.stones = Stones::default();
            self.write(&BrainReply::Ok);
        }
    }

    /// The engine cannot do what was demanded: ERROR, and this text.
    pub fn refuse(&mut self, reason: &str) {
        if self.state != BrainState::Ended {
            self.state = BrainState::No;
        }
        self.write(&BrainReply::Error(reason.into()));
    }

    /// A line for the user.
    pub fn message(&mut self, text: &str) {
        self.write(&BrainReply::Message(text.into()));
    }

    /// A line for the engine's author.
    pub fn debug(&mut self, text: &str) {
        self.write(&BrainReply::Debug(text.into()));
    }

    /// The engine's answer to the question.
    ///
    /// A swap2 decision to stay White is said by the move that follows from it: the next demand
    /// asks for that.
    ///
    /// # Errors
    /// When the protocol has no words for it, a pass above all; ERROR has been said instead.
    pub fn answer(&mut self, answer: &Answer) -> Result<(), UnsupportedAnswer> {
        let BrainState::Thinking(task) = core::mem::replace(&mut self.state, BrainState::No) else {
            return Err(UnsupportedAnswer);
        };
        let coords = |point: &Point| Coords::of(*point, task.size);
        let own_first = |stones: &mut Stones, color| stones.take_color(&task.moves, color);
        match (answer, task.ask) {
            (Answer::Move(Move::Stone(point)), Ask::Move { .. }) => {
                self.stones.push(*point, Owner::Own);
                self.write(&BrainReply::Point(coords(point)));
            }
            (Answer::Choose(Color::Black), Ask::ChooseOrPlace { .. } | Ask::Choose) => {
                own_first(&mut self.stones, Color::Black);
                self.write(&BrainReply::Swap);
            }
            (Answer::Choose(Color::White), Ask::ChooseOrPlace { .. } | Ask::Choose) => {
                own_first(&mut self.stones, Color::White);
                let ask = Ask::Move { zone: Zone::Anywhere };
                self.state = BrainState::Deciding(Box::new(SearchTask { ask, ..*task }));
            }
            (Answer::Place(points), Ask::Place { count, .. } | Ask::ChooseOrPlace { count })
                if points.len() == usize::from(count) =>
            {
                let stones = [&task.moves[..], points].concat();
                self.stones.take_color(&stones, Color::Black);
                self.write(&BrainReply::Points(points.iter().map(coords).collect()));
            }
            _ => {
                self.write(&BrainReply::Error("the engine's answer cannot be said".into()));
                return Err(UnsupportedAnswer);
            }
        }
        Ok(())
    }

    /// Sends what the engine knows of its search, in the form that most users of managers know.
    pub fn report(&mut self, report: &SearchReport) {
        let text = report_text(report);
        if !text.is_empty() {
            self.message(&text);
        }
    }

    fn write(&mut self, reply: &BrainReply<'_>) {
        write_line(&mut self.out, LineEnd::Lf, reply);
    }
}

/// `depth 12-24 ev 42 n 240000 tm 350 pv 7,7 8,6`, of it what is known.
fn report_text(report: &SearchReport) -> String {
    use core::fmt::Write;

    let mut text = String::new();
    let mut part = |arguments: core::fmt::Arguments<'_>| {
        let separator = if text.is_empty() { "" } else { " " };
        let written = write!(text, "{separator}{arguments}");
        debug_assert!(written.is_ok(), "a string takes every character");
    };
    let info = &report.info;
    match (info.depth, info.seldepth) {
        (0, _) => {}
        (depth, 0) => part(format_args!("depth {depth}")),
        (depth, seldepth) => part(format_args!("depth {depth}-{seldepth}")),
    }
    match (info.win_in, info.eval) {
        (Some(plies), _) if plies < 0 => part(format_args!("ev -M{}", plies.unsigned_abs())),
        (Some(plies), _) => part(format_args!("ev +M{plies}")),
        (None, Some(eval)) => part(format_args!("ev {eval}")),
        (None, None) => {}
    }
    if info.nodes > 0 {
        part(format_args!("n {}", info.nodes));
    }
    if let Some(millis) = report.time_ms {
        part(format_args!("tm {millis}"));
    }
    if !report.pv.is_empty() {
        part(format_args!("pv"));
        for mv in &report.pv {
            part(format_args!("{mv}"));
        }
    }
    text
}
