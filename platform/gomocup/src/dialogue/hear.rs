use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem;

use tengen_rules::{Answer, Color, Move, Point};

use super::{BrainFault, Dialogue, Form, Heard, Held, LogKind, Waiting};
use crate::line_end::quoted;
use crate::scan::excerpt;
use crate::{About, Command, Coords, Reply, Report};

/// The words of questions, which a brain must know.
const QUESTIONS: [&str; 4] = ["TURN", "BEGIN", "BOARD", "SWAP2BOARD"];

impl Dialogue {
    /// Takes one line of the brain, whatever it is.
    pub fn hear<'a>(&mut self, line: &'a [u8]) -> Heard<'a> {
        let reply = Reply::parse(line);
        match reply {
            Reply::Ok => self.hear_ok(),
            Reply::Point(_) | Reply::Points(_) | Reply::Swap => self.hear_answer(&reply),
            Reply::Message(text) => self.hear_words(LogKind::Message, text),
            Reply::Debug(text) => self.hear_words(LogKind::Debug, text),
            Reply::Info(text) => self.hear_words(LogKind::Detail, text),
            Reply::Unknown(text) => self.hear_unknown(text),
            Reply::Error(text) => self.hear_error(text),
            Reply::Suggest(coords) => self.hear_suggestion(coords),
            Reply::Forbid(coords) => {
                let size = self.terms.as_ref().map(|terms| terms.size);
                let on_board = |coords: Coords| size.and_then(|size| coords.on(size));
                Heard::Forbidden(coords.into_iter().filter_map(on_board).collect())
            }
            Reply::Text(text) => self.hear_text(line, text),
        }
    }

    fn hear_ok<'a>(&mut self) -> Heard<'a> {
        match self.waiting {
            Waiting::Start | Waiting::Restart => {
                self.waiting = Waiting::Nothing;
                // Whoever prints nothing on ABOUT has now not printed it.
                self.about = false;
                self.optional = 0;
                self.board.clear();
                Heard::Ready
            }
            Waiting::Clear => {
                self.board.clear();
                self.release();
                aside("OK".into())
            }
            Waiting::TakeBack => {
                self.release();
                aside("OK".into())
            }
            // Some brains say OK to INFO.
            Waiting::Answer(_) | Waiting::Nothing => aside("OK".into()),
        }
    }

    fn hear_unknown<'a>(&mut self, text: Cow<'a, str>) -> Heard<'a> {
        if mem::take(&mut self.about) {
            return aside(text);
        }
        let waiting = self.waiting;
        match waiting {
            Waiting::Restart => self.cannot_restart(),
            Waiting::Clear => {
                self.knows_restart = false;
                self.release_as_board();
                aside(text)
            }
            Waiting::TakeBack => self.cannot_take_back(text),
            Waiting::Start => self.fault(BrainFault::Unknown(text.into_owned())),
            Waiting::Answer(_) if !self.is_optional(&text) => {
                self.fault(BrainFault::Unknown(text.into_owned()))
            }
            Waiting::Answer(_) | Waiting::Nothing => aside(text),
        }
    }

    fn hear_error<'a>(&mut self, text: Cow<'a, str>) -> Heard<'a> {
        let waiting = self.waiting;
        match waiting {
            Waiting::Restart => self.cannot_restart(),
            Waiting::TakeBack => self.cannot_take_back(text),
            Waiting::Start => self.fault(BrainFault::Refused(text.into_owned())),
            Waiting::Answer(_) if self.is_optional(&text) => aside(text),
            Waiting::Answer(_) | Waiting::Clear => self.fault(BrainFault::Error(text.into_owned())),
            Waiting::Nothing if self.owes => self.hear_late(),
            Waiting::Nothing => aside(text),
        }
    }

    /// Whether an UNKNOWN or ERROR is about something the brain need not know.
    fn is_optional(&mut self, text: &str) -> bool {
        let names = |name: &str| {
            text.split(|c: char| !c.is_ascii_alphanumeric())
                .any(|word| word.eq_ignore_ascii_case(name))
        };
        if QUESTIONS.into_iter().any(names) {
            return false;
        }
        let is_counted = self.optional > 0;
        self.optional = self.optional.saturating_sub(1);
        is_counted || names("info")
    }

    fn cannot_restart<'a>(&mut self) -> Heard<'a> {
        self.knows_restart = false;
        self.broken = true;
        self.waiting = Waiting::Nothing;
        Heard::StartAgain
    }

    /// It is shown the whole board instead, now and later.
    fn cannot_take_back<'a>(&mut self, text: Cow<'a, str>) -> Heard<'a> {
        self.knows_take_back = false;
        self.board.forget();
        self.release();
        aside(text)
    }

    fn fault<'a>(&mut self, fault: BrainFault) -> Heard<'a> {
        self.broken = true;
        self.waiting = Waiting::Nothing;
        self.held = None;
        Heard::Fault(fault)
    }

    fn hear_words<'a>(&mut self, kind: LogKind, text: Cow<'a, str>) -> Heard<'a> {
        let report = Report::parse(&text);
        if let (Some(report), Waiting::Answer(_)) = (&report, self.waiting) {
            self.report.update(report.clone());
        }
        Heard::Log { kind, text, report }
    }

    /// A brain that suggests a move is told to play it, and answers with it then.
    fn hear_suggestion<'a>(&mut self, coords: Coords) -> Heard<'a> {
        if self.waiting != Waiting::Answer(Form::Move) {
            return self.fault(BrainFault::Unasked(quoted(&Reply::Suggest(coords))));
        }
        self.say(&Command::Play(coords));
        aside(quoted(&Reply::Suggest(coords)).into())
    }

    fn hear_text<'a>(&mut self, line: &[u8], text: Cow<'a, str>) -> Heard<'a> {
        if !text.is_empty() && mem::take(&mut self.about) {
            return Heard::About(About::parse(&text));
        }
        match self.waiting {
            Waiting::Answer(_) if !text.is_empty() => self.fault(BrainFault::Junk(excerpt(line))),
            // A banner; the second line of an answer to ABOUT.
            _ => aside(text),
        }
    }

    fn hear_answer<'a>(&mut self, reply: &Reply<'_>) -> Heard<'a> {
        if let Waiting::Answer(form) = self.waiting {
            self.waiting = Waiting::Nothing;
            self.about = false;
            self.optional = 0;
            return Heard::Answer(self.answer(form, reply));
        }
        if self.owes {
            return self.hear_late();
        }
        self.fault(BrainFault::Unasked(quoted(reply)))
    }

    /// What was owed has come; the question that was held back can be put.
    fn hear_late<'a>(&mut self) -> Heard<'a> {
        self.owes = false;
        self.release();
        Heard::Late
    }

    fn answer(&mut self, form: Form, reply: &Reply<'_>) -> Answer {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        match (reply, form) {
            (Reply::Point(coords), Form::Move) => {
                let point = coords.point(size);
                self.board.push(point);
                self.learn_rows(point);
                Answer::Move(Move::Stone(point))
            }
            // With its own move the brain stays the side to move, White after three stones and
            // after five. The move itself is asked for next.
            (Reply::Point(coords), Form::Swap2) => {
                self.decided = Some((mem::take(&mut self.swap2), coords.point(size)));
                Answer::Choose(Color::White)
            }
            (Reply::Point(coords), Form::Place) => Answer::Place(Vec::from([coords.point(size)])),
            (Reply::Points(points), _) => {
                self.board.forget();
                Answer::Place(points.iter().map(|coords| coords.point(size)).collect())
            }
            _ => {
                self.board.forget();
                Answer::Choose(Color::Black)
            }
        }
    }

    /// Labels like H8 count rows from the top or the bottom. The first move of the line of play
    /// that the brain told last is the one it then played, in one of the two ways.
    fn learn_rows(&mut self, played: Point) {
        let size = self.terms.as_ref().map(|terms| terms.size);
        if let (Some(first), Some(size)) = (self.report.pv.first(), size) {
            let is_played = |rows| first.on(size, rows) == Some(played);
            if !is_played(self.rows) && is_played(self.rows.other()) {
                self.rows = self.rows.other();
            }
        }
    }

    /// Puts the question that was held back.
    fn release(&mut self) {
        if let Some(Held { moves, form, limits }) = self.held.take() {
            self.put(&moves, form, &limits);
        }
    }

    /// Puts a question held back for RESTART, which the brain does not know.
    fn release_as_board(&mut self) {
        if let Some(Held { moves, form, .. }) = self.held.take() {
            let own = Color::of_ply(moves.len());
            self.waiting = Waiting::Answer(form);
            self.whole_board(&moves, own);
            self.board.set(&moves, own);
        }
    }
}

fn aside(text: Cow<'_, str>) -> Heard<'_> {
    Heard::Log { kind: LogKind::Aside, text, report: None }
}
