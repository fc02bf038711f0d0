//! The engine's side of the SAU protocol.

use alloc::boxed::Box;
use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;
use core::mem;

use tengen_arbiter::Limits;
use tengen_rules::{Ask, Color, Point, Rule, Size, Zone};

use super::{SauCommand, SauReply};
use crate::line_end::write_line;
use crate::{Allowance, Coords, Instruction, LineEnd, SearchTask};

/// The engine's side: any engine behind it plays on the SAU platform, as with
/// [`Brain`](crate::Brain) under any Gomocup manager.
///
/// ```
/// use tengen_gomocup::sau::SauBrain;
/// use tengen_gomocup::Instruction;
/// use tengen_rules::{Rule, Size};
/// let mut brain = SauBrain::new("Hoshi".into(), Rule::Renju, Size::STANDARD);
/// for line in ["name?", "new white", "move HH"] {
///     brain.receive(line.as_bytes());
/// }
/// assert_eq!(brain.poll(), Some(Instruction::NewGame { size: Size::STANDARD }));
/// brain.ready();
/// let Some(Instruction::Think(task)) = brain.poll() else { panic!() };
/// assert_eq!(task.moves, ["h8".parse()?]);
/// brain.answer("i9".parse()?);
/// assert_eq!(brain.output(), b"name Hoshi\nmove IG\n");
/// # Ok::<(), tengen_rules::ParsePointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SauBrain {
    name: String,
    rule: Rule,
    size: Size,
    out: Vec<u8>,
    queue: VecDeque<Vec<u8>>,
    state: SauState,
    /// The colour the engine plays in the game under way.
    own: Option<Color>,
    /// Whether it is to make the first move of the game now.
    moves_first: bool,
    stones: Vec<Point>,
    /// What the engine may use; set by the event, since the platform sends nothing.
    limits: Limits,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SauState {
    No,
    Starting(Color),
    Thinking,
    /// The game ended while the engine thought: its answer is not sent.
    Abandoned,
    Ended,
}

impl SauBrain {
    /// An engine of this name. The rule and the size of the board are the event's.
    pub fn new(name: String, rule: Rule, size: Size) -> SauBrain {
        SauBrain {
            name,
            rule,
            size,
            out: Vec::new(),
            queue: VecDeque::new(),
            state: SauState::No,
            own: None,
            moves_first: false,
            stones: Vec::new(),
            limits: Limits::default(),
        }
    }

    /// The same, with limits for each question.
    pub fn with_limits(self, limits: Limits) -> SauBrain {
        SauBrain { limits, ..self }
    }

    /// Takes one line of the platform, whatever it is.
    pub fn receive(&mut self, line: &[u8]) {
        self.queue.push_back(line.to_vec());
    }

    /// What the engine is to do next; none until there are more lines, or until it has done what
    /// was demanded before.
    pub fn poll(&mut self) -> Option<Instruction> {
        if let Some(demand) = self.interruption() {
            return Some(demand);
        }
        while self.state == SauState::No {
            if mem::take(&mut self.moves_first) {
                return Some(self.think());
            }
            let line = self.queue.pop_front()?;
            if let Some(demand) = self.execute(&line) {
                return Some(demand);
            }
        }
        None
    }

    /// A thinking engine learns at once that the game or everything is over.
    fn interruption(&mut self) -> Option<Instruction> {
        if !matches!(self.state, SauState::Thinking | SauState::Abandoned) {
            return None;
        }
        let commands = || self.queue.iter().map(|line| SauCommand::parse(line));
        if commands().any(|command| command == SauCommand::Quit) {
            self.state = SauState::Ended;
            return Some(Instruction::End);
        }
        if self.state == SauState::Thinking && commands().any(|command| command == SauCommand::End)
        {
            self.state = SauState::Abandoned;
            return Some(Instruction::Stop);
        }
        None
    }

    fn execute(&mut self, line: &[u8]) -> Option<Instruction> {
        match SauCommand::parse(line) {
            SauCommand::Name => {
                let name = self.name.clone();
                self.write(&SauReply::Name(name.into()));
                None
            }
            SauCommand::New(color) => {
                self.state = SauState::Starting(color);
                Some(Instruction::NewGame { size: self.size })
            }
            SauCommand::Move(points) => self.take(&points),
            SauCommand::End => {
                self.own = None;
                self.stones.clear();
                None
            }
            SauCommand::Quit => {
                self.state = SauState::Ended;
                Some(Instruction::End)
            }
            // What went wrong is not sent, and the position will be.
            SauCommand::Error(_) | SauCommand::Unknown(_) => None,
        }
    }

    fn take(&mut self, points: &[Coords]) -> Option<Instruction> {
        let own = self.own?;
        let mut stones = if points.len() > 1 { Vec::new() } else { self.stones.clone() };
        for coords in points {
            let point = coords.on(self.size).filter(|point| !stones.contains(point))?;
            stones.push(point);
        }
        self.stones = stones;
        (Color::of_ply(self.stones.len()) == own).then(|| self.think())
    }

    fn think(&mut self) -> Instruction {
        self.state = SauState::Thinking;
        Instruction::Think(Box::new(SearchTask {
            rule: self.rule,
            size: self.size,
            moves: self.stones.clone(),
            barred: Vec::new(),
            ask: Ask::Move { zone: Zone::Anywhere },
            limits: self.limits,
            allowance: Allowance::default(),
        }))
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

    /// The engine is ready for the game. As Black it is asked for its first move next.
    pub fn ready(&mut self) {
        if let SauState::Starting(color) = self.state {
            self.state = SauState::No;
            self.own = Some(color);
            self.stones.clear();
            self.moves_first = color == Color::Black;
        }
    }

    /// The engine's move.
    pub fn answer(&mut self, point: Point) {
        match self.state {
            SauState::Thinking => {
                self.state = SauState::No;
                self.stones.push(point);
                self.write(&SauReply::Move([Coords::of(point, self.size)].into()));
            }
            SauState::Abandoned => self.state = SauState::No,
            _ => {}
        }
    }

    fn write(&mut self, reply: &SauReply<'_>) {
        write_line(&mut self.out, LineEnd::Lf, reply);
    }
}
