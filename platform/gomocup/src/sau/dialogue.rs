//! The platform's side of the SAU protocol.

use alloc::vec::Vec;
use core::mem;

use tengen_rules::{Answer, Ask, Color, Move, Point, Size, Zone};

use super::{SauCommand, SauReply};
use crate::line_end::write_line;
use crate::scan::excerpt;
use crate::{
    About, AskResult, BrainFault, Coords, LineEnd, LogKind, NewGameResult, OFF_BOARD, Response,
};

/// The platform's side of one SAU engine, as [`Dialogue`](crate::Dialogue) is for a Gomocup brain:
/// the same questions, of which only moves can be put, and the same things heard.
///
/// ```
/// use tengen_gomocup::sau::SauDialogue;
/// use tengen_gomocup::{Response, LineEnd};
/// use tengen_rules::{Answer, Ask, Move, Size, Zone};
/// let mut engine = SauDialogue::new(LineEnd::Lf);
/// engine.new_game(Size::STANDARD);
/// let moves = [Move::Stone("h8".parse()?)];
/// engine.ask(&moves, Ask::Move { zone: Zone::Anywhere });
/// assert_eq!(engine.output(), b"new white\nmove HH\n");
/// let answer = Answer::Move(Move::Stone("i9".parse()?));
/// assert_eq!(engine.receive(b"move IG"), Response::Answer(answer));
/// # Ok::<(), tengen_rules::ParsePointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SauDialogue {
    line_end: LineEnd,
    out: Vec<u8>,
    size: Option<Size>,
    /// Whether `new` was sent for the game under way.
    is_open: bool,
    /// The engine's board, if it is known, and its colour.
    known: Option<(Vec<Point>, Color)>,
    expected: SauExpected,
    owes_answer: bool,
    broken: bool,
    /// The stones of a question that waits for an answer to come first.
    pending: Option<Vec<Point>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SauExpected {
    Nothing,
    /// The first move that answers `new black`, though the position is another.
    FirstMove,
    Answer,
}

impl SauDialogue {
    /// A dialogue with a process that has just been started.
    pub const fn new(line_end: LineEnd) -> SauDialogue {
        SauDialogue {
            line_end,
            out: Vec::new(),
            size: None,
            is_open: false,
            known: None,
            expected: SauExpected::Nothing,
            owes_answer: false,
            broken: false,
            pending: None,
        }
    }

    /// The process was started again: it knows nothing of what was sent.
    pub fn started_again(&mut self) {
        *self = SauDialogue::new(self.line_end);
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

    /// Whether a board of this size has letters for all of its points: up to 26 each way.
    pub const fn can_play_on(size: Size) -> bool {
        size.width() <= 26 && size.height() <= 26
    }

    /// Whether the protocol can express a question: a move anywhere.
    pub fn can_ask(ask: Ask) -> bool {
        ask == Ask::Move { zone: Zone::Anywhere }
    }

    /// Asks who the engine is.
    pub fn ask_name(&mut self) {
        self.write(&SauCommand::Name);
    }

    /// Begins a game. The engine learns of it with its first question, which has its colour: there
    /// is nothing to wait for.
    ///
    /// # Panics
    /// When the board is [too large](SauDialogue::can_play_on).
    pub fn new_game(&mut self, size: Size) -> NewGameResult {
        assert!(SauDialogue::can_play_on(size), "a letter for each column and row");
        if self.broken || self.owes_answer || self.expected != SauExpected::Nothing {
            return NewGameResult::StartAgain;
        }
        self.end_game();
        self.size = Some(size);
        NewGameResult::Sent
    }

    /// Sends that the game is over.
    pub fn end_game(&mut self) {
        if mem::take(&mut self.is_open) {
            self.write(&SauCommand::End);
        }
        self.known = None;
    }

    /// Sends that the last move was not allowed. The next question has the whole position.
    pub fn refuse(&mut self) {
        self.known = None;
        self.write(&SauCommand::Error("".into()));
    }

    /// Sends `quit`: the process is to end.
    pub fn quit(&mut self) {
        self.broken = true;
        self.write(&SauCommand::Quit);
    }

    /// Puts a question.
    ///
    /// # Panics
    /// When there is no game, or a question is open: answer it, or
    /// [give it up](SauDialogue::give_up).
    pub fn ask(&mut self, moves: &[Move], ask: Ask) -> AskResult {
        assert!(self.size.is_some(), "a game has begun");
        assert_eq!(self.expected, SauExpected::Nothing, "nothing else is asked");
        let stones: Vec<Point> = moves.iter().filter_map(|mv| mv.point()).collect();
        // Colours follow from the order of the stones; a pass would turn them round.
        if !SauDialogue::can_ask(ask) || stones.len() != moves.len() {
            return AskResult::Unsupported;
        }
        if self.owes_answer {
            self.pending = Some(stones);
            return AskResult::Held;
        }
        self.send_question(stones);
        AskResult::Sent
    }

    fn send_question(&mut self, stones: Vec<Point>) {
        let own = Color::of_ply(stones.len());
        self.expected = SauExpected::Answer;
        let is_next = self.known.as_ref().is_some_and(|(known, color)| {
            *color == own && stones.split_last().is_some_and(|(_, before)| before == known)
        });
        if is_next {
            self.write_stones(&stones[stones.len() - 1..]);
        } else {
            self.end_game();
            self.is_open = true;
            self.write(&SauCommand::New(own));
            if own == Color::Black && !stones.is_empty() {
                self.expected = SauExpected::FirstMove;
                self.pending = Some(stones);
                return;
            }
            if !stones.is_empty() {
                self.write_stones(&stones);
            }
        }
        self.known = Some((stones, own));
    }

    fn write_stones(&mut self, stones: &[Point]) {
        let size = self.size.expect("a game has begun");
        let coords = stones.iter().map(|point| Coords::of(*point, size)).collect();
        self.write(&SauCommand::Move(coords));
    }

    /// The question is no longer waited for: it was too late.
    pub fn give_up(&mut self) {
        match mem::replace(&mut self.expected, SauExpected::Nothing) {
            SauExpected::Answer => self.owes_answer = true,
            SauExpected::FirstMove => self.broken = true,
            SauExpected::Nothing => {}
        }
        self.known = None;
        self.pending = None;
    }

    /// Takes one line of the engine, whatever it is.
    pub fn receive<'a>(&mut self, line: &'a [u8]) -> Response<'a> {
        match SauReply::parse(line) {
            SauReply::Move(points) => self.receive_move(line, &points),
            SauReply::Name(name) => {
                let name = name.into_owned();
                let text = name.clone();
                Response::About(About { name: Some(name), text, ..About::default() })
            }
            SauReply::Misplaced(_) => self.fault(BrainFault::Junk(excerpt(line))),
            SauReply::Text(text) => Response::Log { kind: LogKind::Other, text, report: None },
        }
    }

    fn receive_move<'a>(&mut self, line: &'a [u8], points: &[Coords]) -> Response<'a> {
        let size = self.size.filter(|_| self.expected != SauExpected::Nothing || self.owes_answer);
        let Some(size) = size else {
            return self.fault(BrainFault::Unasked(excerpt(line)));
        };
        match mem::replace(&mut self.expected, SauExpected::Nothing) {
            SauExpected::FirstMove => {
                let stones = self.pending.take().unwrap_or_default();
                self.expected = SauExpected::Answer;
                self.write_stones(&stones);
                let own = Color::of_ply(stones.len());
                self.known = Some((stones, own));
                Response::Log { kind: LogKind::Other, text: excerpt(line).into(), report: None }
            }
            SauExpected::Answer => Response::Answer(self.answer(points, size)),
            SauExpected::Nothing => {
                self.owes_answer = false;
                if let Some(stones) = self.pending.take() {
                    self.send_question(stones);
                }
                Response::Late
            }
        }
    }

    fn answer(&mut self, points: &[Coords], size: Size) -> Answer {
        match *points {
            [coords] => {
                let point = coords.point(size);
                if let Some((stones, _)) = self.known.as_mut().filter(|_| point != OFF_BOARD) {
                    stones.push(point);
                } else {
                    self.known = None;
                }
                Answer::Move(Move::Stone(point))
            }
            _ => {
                self.known = None;
                Answer::Place(points.iter().map(|coords| coords.point(size)).collect())
            }
        }
    }

    fn fault<'a>(&mut self, fault: BrainFault) -> Response<'a> {
        self.broken = true;
        self.expected = SauExpected::Nothing;
        self.pending = None;
        Response::Fault(fault)
    }

    fn write(&mut self, command: &SauCommand<'_>) {
        write_line(&mut self.out, self.line_end, command);
    }
}
