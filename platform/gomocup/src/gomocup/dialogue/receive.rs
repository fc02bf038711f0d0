//! What each line of a brain means where it comes.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem;

use tengen_rules::{Answer, Color, Move, Point};

use super::{ExpectedReply, GomocupDialogue, PendingQuestion, QuestionKind};
use crate::line_end::quoted;
use crate::scan::{Scan, excerpt};
use crate::{
    About, BrainFault, BrainReply, Coords, LogKind, ManagerCommand, Response, SearchReport,
    Swap2Lines, TextDialogue,
};

/// The commands of questions, which a brain must know.
const QUESTIONS: [&str; 4] = ["TURN", "BEGIN", "BOARD", "SWAP2BOARD"];

/// How much of a remark is kept, in characters.
const REMARK: usize = 240;

impl GomocupDialogue {
    pub(super) fn receive_line<'a>(&mut self, line: &'a [u8]) -> Response<'a> {
        let reply = BrainReply::parse(line);
        match reply {
            BrainReply::Ok => self.receive_ok(),
            BrainReply::Remarked(coords, ref behind) if self.is_figure(coords, behind) => {
                self.receive_text(line, Scan::new(line).text())
            }
            BrainReply::Point(_)
            | BrainReply::Remarked(..)
            | BrainReply::Points(_)
            | BrainReply::Swap => self.receive_answer(&reply),
            BrainReply::Message(text) => self.receive_message(LogKind::Message, text),
            BrainReply::Debug(text) => self.receive_message(LogKind::Debug, text),
            BrainReply::Info(text) => self.receive_message(LogKind::Info, text),
            BrainReply::Unknown(text) => self.receive_unknown(text),
            BrainReply::Error(text) => self.receive_error(text),
            BrainReply::Suggest(coords) => self.receive_suggestion(coords),
            // Only people at a board ask for it, never Tengen.
            BrainReply::Forbid(_) => Response::Ignored,
            BrainReply::Text(text) => self.receive_text(line, text),
        }
    }

    /// Whether that is a figure, as in `1,234,567 nodes`, rather than a point of the board.
    fn is_figure(&self, coords: Coords, behind: &str) -> bool {
        let size = self.terms.as_ref().map(|terms| terms.size);
        let is_on_board = size.is_some_and(|size| coords.on(size).is_some());
        !is_on_board && behind.starts_with([',', '.'])
    }

    fn receive_ok<'a>(&mut self) -> Response<'a> {
        match self.expected {
            ExpectedReply::Start | ExpectedReply::StartOver(_) | ExpectedReply::NextGame => {
                self.ready();
                Response::Ready
            }
            ExpectedReply::Clear => {
                self.board.clear();
                self.release();
                log_other("OK".into())
            }
            // Some brains say OK to INFO.
            ExpectedReply::Answer(_) | ExpectedReply::Nothing => log_other("OK".into()),
        }
    }

    fn ready(&mut self) {
        self.expected = ExpectedReply::Nothing;
        // A brain that prints nothing on ABOUT has now not printed it.
        self.about = false;
        self.optional = 0;
        self.dialect.line_end = Some(self.line_end);
        self.board.clear();
    }

    fn receive_unknown<'a>(&mut self, text: Cow<'a, str>) -> Response<'a> {
        if mem::take(&mut self.about) {
            return log_other(text);
        }
        let expected = self.expected;
        match expected {
            ExpectedReply::NextGame => self.start_again(),
            ExpectedReply::Clear => {
                self.release_as_board();
                log_other(text)
            }
            ExpectedReply::Start => self.fault(BrainFault::Unknown(text.into_owned())),
            ExpectedReply::Answer(_) if self.is_strict && !self.is_optional(&text) => {
                self.fault(BrainFault::Unknown(text.into_owned()))
            }
            ExpectedReply::Answer(_) | ExpectedReply::StartOver(_) | ExpectedReply::Nothing => {
                log_unexpected(&BrainReply::Unknown(text))
            }
        }
    }

    fn receive_error<'a>(&mut self, text: Cow<'a, str>) -> Response<'a> {
        let expected = self.expected;
        match expected {
            ExpectedReply::NextGame => self.start_again(),
            ExpectedReply::Start => self.fault(BrainFault::Refused(text.into_owned())),
            ExpectedReply::Answer(_)
                if (self.is_reused || self.is_strict) && !self.is_optional(&text) =>
            {
                match (self.is_strict, self.is_reused) {
                    (true, true) => self.start_again(),
                    (true, false) => self.fault(BrainFault::Error(text.into_owned())),
                    (false, _) => {
                        self.has_erred = true;
                        log_unexpected(&BrainReply::Error(text))
                    }
                }
            }
            ExpectedReply::Clear if self.is_strict => {
                self.fault(BrainFault::Error(text.into_owned()))
            }
            ExpectedReply::Clear => {
                self.release_as_board();
                log_unexpected(&BrainReply::Error(text))
            }
            ExpectedReply::Answer(_) | ExpectedReply::StartOver(_) | ExpectedReply::Nothing => {
                log_unexpected(&BrainReply::Error(text))
            }
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

    fn start_again<'a>(&mut self) -> Response<'a> {
        self.needs_new_process();
        Response::StartAgain
    }

    fn fault<'a>(&mut self, fault: BrainFault) -> Response<'a> {
        self.broken = true;
        self.expected = ExpectedReply::Nothing;
        self.pending = None;
        Response::Fault(fault)
    }

    fn receive_message<'a>(&mut self, kind: LogKind, text: Cow<'a, str>) -> Response<'a> {
        let report = SearchReport::parse(&text);
        if let (Some(report), ExpectedReply::Answer(_)) = (&report, self.expected) {
            self.report.update(report.clone());
        }
        Response::Log { kind, text, report }
    }

    /// A brain that suggests a move gets PLAY, and answers with it then.
    fn receive_suggestion<'a>(&mut self, coords: Coords) -> Response<'a> {
        if self.expected != ExpectedReply::Answer(QuestionKind::Move) {
            return self.unasked(&BrainReply::Suggest(coords));
        }
        self.write(&ManagerCommand::Play(coords));
        log_other(quoted(&BrainReply::Suggest(coords)).into())
    }

    fn receive_text<'a>(&mut self, line: &'a [u8], text: Cow<'a, str>) -> Response<'a> {
        if text.is_empty() {
            return log_other(text);
        }
        if mem::take(&mut self.about) {
            if let (ExpectedReply::StartOver(_), Some(said)) = (self.expected, before_ok(&text)) {
                let about = About::parse(said);
                self.ready();
                return Response::Introduced(about);
            }
            return Response::About(About::parse(&text));
        }
        match self.expected {
            ExpectedReply::Answer(_) if self.is_strict => {
                self.fault(BrainFault::Junk(excerpt(line)))
            }
            ExpectedReply::Answer(_) => log(LogKind::Unexpected, excerpt(line).into()),
            // A banner; the second line of an answer to ABOUT.
            _ => log_other(text),
        }
    }

    fn receive_answer<'a>(&mut self, reply: &BrainReply<'_>) -> Response<'a> {
        match self.expected {
            ExpectedReply::Answer(question_kind) => self.receive_due_answer(question_kind, reply),
            // It answers the question that went before.
            ExpectedReply::StartOver(Some(question_kind)) if self.is_of(question_kind, reply) => {
                self.expected = ExpectedReply::StartOver(None);
                Response::Answer(self.answer(question_kind, reply))
            }
            _ => self.unasked(reply),
        }
    }

    fn receive_due_answer<'a>(
        &mut self,
        question_kind: QuestionKind,
        reply: &BrainReply<'_>,
    ) -> Response<'a> {
        if !self.is_strict {
            let size = self.terms.as_ref().map(|terms| terms.size);
            let point = move_in(reply).zip(size).map(|(coords, size)| coords.point(size));
            // This comes once: a brain that sends nothing else is not waited for again.
            if question_kind == QuestionKind::Move && point.is_some() && point == self.repeat.take()
            {
                return log(LogKind::Unexpected, quoted(reply).into());
            }
            if question_kind == QuestionKind::Swap2 && self.dialect.swap2.is_none() {
                if self.fits(reply) {
                    self.dialect.swap2 = Some(Swap2Lines::Points);
                } else {
                    return self.ask_with_owners(reply);
                }
            }
        } else if let BrainReply::Remarked(..) = reply {
            return self.fault(BrainFault::Junk(quoted(reply)));
        }
        if self.is_reused && question_kind == QuestionKind::Move && self.is_illegal(reply) {
            return self.start_again();
        }
        self.expected = ExpectedReply::Nothing;
        self.about = false;
        self.optional = 0;
        Response::Answer(self.answer(question_kind, reply))
    }

    /// Whether a move is off the board or on a stone.
    fn is_illegal(&self, reply: &BrainReply<'_>) -> bool {
        let Some((coords, terms)) = move_in(reply).zip(self.terms.as_ref()) else { return false };
        coords.on(terms.size).is_none_or(|point| self.board.holds(point))
    }

    /// Puts the question of swap2 again, in the form of lines that it was not put in.
    fn ask_with_owners<'a>(&mut self, reply: &BrainReply<'_>) -> Response<'a> {
        self.dialect.swap2 = Some(Swap2Lines::Owners);
        let moves = mem::take(&mut self.swap2);
        let limits = self.swap2_limits;
        self.send_question(&moves, QuestionKind::Swap2, &limits);
        log(LogKind::Unexpected, quoted(reply).into())
    }

    fn is_of(&self, question_kind: QuestionKind, reply: &BrainReply<'_>) -> bool {
        match question_kind {
            QuestionKind::Move => move_in(reply).is_some(),
            QuestionKind::Place => matches!(reply, BrainReply::Points(_)),
            QuestionKind::Swap2 => true,
        }
    }

    /// Whether an answer to stones of swap2 can be one: the colour, or stones on free points.
    fn fits(&self, reply: &BrainReply<'_>) -> bool {
        let Some(size) = self.terms.as_ref().map(|terms| terms.size) else { return false };
        let is_free = |coords: &Coords| {
            coords.on(size).is_some_and(|point| !self.swap2.contains(&Move::Stone(point)))
        };
        match reply {
            BrainReply::Swap => true,
            BrainReply::Points(points) => {
                self.swap2.len() == 3
                    && points.len() == 2
                    && points[0] != points[1]
                    && points.iter().all(is_free)
            }
            _ => move_in(reply).is_some_and(|coords| is_free(&coords)),
        }
    }

    /// An answer where none is due: the one before, sent twice, or one that comes too soon.
    fn unasked<'a>(&mut self, reply: &BrainReply<'_>) -> Response<'a> {
        if self.is_strict {
            return self.fault(BrainFault::Unasked(quoted(reply)));
        }
        log(LogKind::Unexpected, quoted(reply).into())
    }

    fn answer(&mut self, question_kind: QuestionKind, reply: &BrainReply<'_>) -> Answer {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        if let BrainReply::Remarked(_, remark) = reply {
            self.remark = Some(remark.chars().take(REMARK).collect());
        }
        match (reply, move_in(reply), question_kind) {
            (_, Some(coords), QuestionKind::Move) => {
                let point = coords.point(size);
                self.board.push(point);
                self.learn_rows(point);
                self.answered = Some(point);
                Answer::Move(Move::Stone(point))
            }
            // Piskvork reads the first point of a line, whatever follows it.
            (BrainReply::Points(points), _, QuestionKind::Move) if !self.is_strict => {
                self.remark = Some(quoted(reply));
                self.answer(QuestionKind::Move, &BrainReply::Point(points[0]))
            }
            // With its own move the brain stays the side to move, White after three stones and
            // after five. The move itself is asked for next.
            (_, Some(coords), QuestionKind::Swap2) if self.is_strict || self.fits(reply) => {
                self.decided = Some((mem::take(&mut self.swap2), coords.point(size)));
                Answer::Choose(Color::White)
            }
            // It chooses nothing: there is a stone, or no board.
            (_, Some(coords), QuestionKind::Swap2) => Answer::Move(Move::Stone(coords.point(size))),
            (_, Some(coords), QuestionKind::Place) => {
                Answer::Place(Vec::from([coords.point(size)]))
            }
            (BrainReply::Points(points), ..) => {
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
    /// that the brain reported last is the one it then played, in one of the two ways.
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
        if let Some(PendingQuestion { moves, question_kind, limits }) = self.pending.take() {
            self.send_question(&moves, question_kind, &limits);
        }
    }

    /// Puts a question held back for START, which the brain refuses in the middle of a game.
    fn release_as_board(&mut self) {
        if let Some(PendingQuestion { moves, question_kind, .. }) = self.pending.take() {
            let own = Color::of_ply(moves.len());
            self.expected = ExpectedReply::Answer(question_kind);
            self.whole_board(&moves, own);
            self.board.set(&moves, own);
        }
    }
}

fn log_other(text: Cow<'_, str>) -> Response<'_> {
    log(LogKind::Other, text)
}

fn log_unexpected<'a>(reply: &BrainReply<'_>) -> Response<'a> {
    log(LogKind::Unexpected, quoted(reply).into())
}

fn log(kind: LogKind, text: Cow<'_, str>) -> Response<'_> {
    Response::Log { kind, text, report: None }
}

/// The one point of an answer, perhaps with text behind it.
fn move_in(reply: &BrainReply<'_>) -> Option<Coords> {
    match reply {
        BrainReply::Point(coords) | BrainReply::Remarked(coords, _) => Some(*coords),
        _ => None,
    }
}

/// What a brain says of itself, where the OK to START is on the same line: it ended that with no
/// line end.
fn before_ok(text: &str) -> Option<&str> {
    let cut = text.len().checked_sub(2)?;
    let (said, ok) = (text.get(..cut)?, text.get(cut..)?);
    let is_apart = !said.ends_with(|sign: char| sign.is_alphanumeric());
    (ok.eq_ignore_ascii_case("OK") && is_apart && !said.is_empty()).then(|| said.trim_end())
}
