//! The platform's side of the SAU protocol.

use alloc::vec::Vec;
use core::mem;

use tengen_rules::{Answer, Ask, Color, Move, Point, Size, Zone};

use super::{SIDES, SauCommand, SauReply};
use crate::line_end::write_line;
use crate::scan::excerpt;
use crate::{
    About, AskResult, BrainFault, Coords, DialogueQuestion, GameTerms, LineEnd, LogKind,
    NewGameResult, OFF_BOARD, Response, TextDialogue,
};

/// The platform's side of one SAU engine. Only moves can be asked for.
///
/// ```
/// use tengen_arbiter::Limits;
/// use tengen_gomocup::sau::SauDialogue;
/// use tengen_gomocup::{DialogueQuestion, GameTerms, LineEnd, Response, TextDialogue};
/// use tengen_rules::{Answer, Ask, Move, Rule, Size, Zone};
/// let mut engine = SauDialogue::new(LineEnd::Lf);
/// engine.new_game(&GameTerms::new(Rule::Renju, Size::STANDARD));
/// let moves = [Move::Stone("h8".parse()?)];
/// let (ask, limits) = (Ask::Move { zone: Zone::Anywhere }, Limits::default());
/// engine.ask(&DialogueQuestion { moves: &moves, ask, limits });
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
            broken: false,
            pending: None,
        }
    }

    fn end_game(&mut self) {
        if mem::take(&mut self.is_open) {
            self.write(&SauCommand::End);
        }
        self.known = None;
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

    fn receive_move<'a>(&mut self, line: &'a [u8], points: &[Coords]) -> Response<'a> {
        match (mem::replace(&mut self.expected, SauExpected::Nothing), self.size) {
            (SauExpected::FirstMove, _) => {
                let stones = self.pending.take().unwrap_or_default();
                self.expected = SauExpected::Answer;
                self.write_stones(&stones);
                let own = Color::of_ply(stones.len());
                self.known = Some((stones, own));
                Response::Log { kind: LogKind::Other, text: excerpt(line).into(), report: None }
            }
            (SauExpected::Answer, Some(size)) => Response::Answer(self.answer(points, size)),
            _ => self.fault(BrainFault::Unasked(excerpt(line))),
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

    fn write(&mut self, command: &SauCommand) {
        write_line(&mut self.out, self.line_end, command);
    }
}

impl TextDialogue for SauDialogue {
    fn output(&self) -> &[u8] {
        &self.out
    }

    fn written(&mut self, count: usize) {
        self.out.drain(..count);
    }

    fn receive<'a>(&mut self, line: &'a [u8]) -> Response<'a> {
        match SauReply::parse(line) {
            SauReply::Move(points) => self.receive_move(line, &points),
            SauReply::Name(name) => {
                let name = name.into_owned();
                let text = name.clone();
                Response::About(About { name: Some(name), text, ..About::default() })
            }
            SauReply::Misplaced => self.fault(BrainFault::Junk(excerpt(line))),
            SauReply::Text(text) => Response::Log { kind: LogKind::Other, text, report: None },
        }
    }

    fn started_again(&mut self) {
        *self = SauDialogue::new(self.line_end);
    }

    fn ask_about(&mut self) {
        self.write(&SauCommand::Name);
    }

    /// The engine learns of the game with its first question, which has its colour: there is
    /// nothing to wait for.
    ///
    /// # Panics
    /// When there are not as many letters as the board has columns or rows.
    fn new_game(&mut self, terms: &GameTerms) -> NewGameResult {
        let GameTerms { size, .. } = *terms;
        let sides = [size.width(), size.height()];
        assert!(sides.iter().all(|side| SIDES.contains(side)), "a letter for each column and row");
        if self.broken || self.expected != SauExpected::Nothing {
            return NewGameResult::StartAgain;
        }
        self.end_game();
        self.size = Some(size);
        NewGameResult::Sent
    }

    fn ask(&mut self, question: &DialogueQuestion<'_>) -> AskResult {
        assert!(self.size.is_some(), "a game has begun");
        assert_eq!(self.expected, SauExpected::Nothing, "nothing else is asked");
        let stones: Vec<Point> = question.moves.iter().filter_map(|mv| mv.point()).collect();
        let is_move = question.ask == Ask::Move { zone: Zone::Anywhere };
        // Colours follow from the order of the stones; a pass would turn them round.
        if !is_move || stones.len() != question.moves.len() {
            return AskResult::Unsupported;
        }
        self.send_question(stones);
        AskResult::Sent
    }

    fn end(&mut self) {
        self.broken = true;
        self.write(&SauCommand::Quit);
    }
}
