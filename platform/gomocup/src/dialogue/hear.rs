use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::mem;

use tengen_rules::{Answer, Color, Move, Point};

use super::{BrainFault, Dialogue, Form, Heard, Held, LogKind, Swap2Lines, Waiting};
use crate::line_end::quoted;
use crate::scan::excerpt;
use crate::{About, Command, Coords, Reply, Report};

/// The words of questions, which a brain must know.
const QUESTIONS: [&str; 4] = ["TURN", "BEGIN", "BOARD", "SWAP2BOARD"];

/// How much of a remark is kept, in characters.
const REMARK: usize = 240;

impl Dialogue {
    /// Takes one line of the brain, whatever it is.
    pub fn hear<'a>(&mut self, line: &'a [u8]) -> Heard<'a> {
        let reply = Reply::parse(line);
        match reply {
            Reply::Ok => self.hear_ok(),
            Reply::Point(_) | Reply::Remarked(..) | Reply::Points(_) | Reply::Swap => {
                self.hear_answer(&reply)
            }
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
            Waiting::Start | Waiting::StartOver(_) | Waiting::NextGame => {
                self.ready();
                Heard::Ready
            }
            Waiting::Clear => {
                self.board.clear();
                self.release();
                aside("OK".into())
            }
            // Some brains say OK to INFO.
            Waiting::Answer(_) | Waiting::Nothing => aside("OK".into()),
        }
    }

    fn ready(&mut self) {
        self.waiting = Waiting::Nothing;
        // Whoever prints nothing on ABOUT has now not printed it.
        self.about = false;
        self.optional = 0;
        self.dialect.line_end = Some(self.line_end);
        self.board.clear();
    }

    fn hear_unknown<'a>(&mut self, text: Cow<'a, str>) -> Heard<'a> {
        if mem::take(&mut self.about) {
            return aside(text);
        }
        let waiting = self.waiting;
        match waiting {
            Waiting::NextGame => self.start_again(),
            Waiting::Clear => {
                self.release_as_board();
                aside(text)
            }
            Waiting::Start => self.fault(BrainFault::Unknown(text.into_owned())),
            Waiting::Answer(_) if self.is_strict && !self.is_optional(&text) => {
                self.fault(BrainFault::Unknown(text.into_owned()))
            }
            Waiting::Answer(_) | Waiting::StartOver(_) | Waiting::Nothing => {
                stray(&Reply::Unknown(text))
            }
        }
    }

    fn hear_error<'a>(&mut self, text: Cow<'a, str>) -> Heard<'a> {
        let waiting = self.waiting;
        match waiting {
            Waiting::NextGame => self.start_again(),
            Waiting::Start => self.fault(BrainFault::Refused(text.into_owned())),
            Waiting::Answer(_) if self.is_strict && !self.is_optional(&text) => {
                self.fault(BrainFault::Error(text.into_owned()))
            }
            Waiting::Clear if self.is_strict => self.fault(BrainFault::Error(text.into_owned())),
            Waiting::Clear => {
                self.release_as_board();
                stray(&Reply::Error(text))
            }
            Waiting::Nothing if self.owes && self.is_strict => self.hear_late(),
            Waiting::Answer(_) | Waiting::StartOver(_) | Waiting::Nothing => {
                stray(&Reply::Error(text))
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

    fn start_again<'a>(&mut self) -> Heard<'a> {
        self.needs_new_process();
        Heard::StartAgain
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
            return self.unasked(&Reply::Suggest(coords));
        }
        self.say(&Command::Play(coords));
        aside(quoted(&Reply::Suggest(coords)).into())
    }

    fn hear_text<'a>(&mut self, line: &'a [u8], text: Cow<'a, str>) -> Heard<'a> {
        if text.is_empty() {
            return aside(text);
        }
        if mem::take(&mut self.about) {
            if let (Waiting::StartOver(_), Some(said)) = (self.waiting, before_ok(&text)) {
                let about = About::parse(said);
                self.ready();
                return Heard::Introduced(about);
            }
            return Heard::About(About::parse(&text));
        }
        match self.waiting {
            Waiting::Answer(_) if self.is_strict => self.fault(BrainFault::Junk(excerpt(line))),
            Waiting::Answer(_) => log(LogKind::Stray, excerpt(line).into()),
            // A banner; the second line of an answer to ABOUT.
            _ => aside(text),
        }
    }

    fn hear_answer<'a>(&mut self, reply: &Reply<'_>) -> Heard<'a> {
        match self.waiting {
            Waiting::Answer(form) => self.hear_due(form, reply),
            // It answers the question that went before.
            Waiting::StartOver(Some(form)) if self.is_of(form, reply) => {
                self.waiting = Waiting::StartOver(None);
                Heard::Answer(self.answer(form, reply))
            }
            _ if self.owes => self.hear_late(),
            _ => self.unasked(reply),
        }
    }

    fn hear_due<'a>(&mut self, form: Form, reply: &Reply<'_>) -> Heard<'a> {
        if !self.is_strict {
            let size = self.terms.as_ref().map(|terms| terms.size);
            let point = move_in(reply).zip(size).map(|(coords, size)| coords.point(size));
            // Once; a brain that says nothing else is not waited for again.
            if form == Form::Move && point.is_some() && point == self.repeat.take() {
                return log(LogKind::Stray, quoted(reply).into());
            }
            if form == Form::Swap2 && self.dialect.swap2.is_none() {
                if self.fits(reply) {
                    self.dialect.swap2 = Some(Swap2Lines::Points);
                } else {
                    return self.ask_with_owners(reply);
                }
            }
        } else if let Reply::Remarked(..) = reply {
            return self.fault(BrainFault::Junk(quoted(reply)));
        }
        self.waiting = Waiting::Nothing;
        self.about = false;
        self.optional = 0;
        Heard::Answer(self.answer(form, reply))
    }

    /// Puts the question of swap2 again, in the form of lines that it was not put in.
    fn ask_with_owners<'a>(&mut self, reply: &Reply<'_>) -> Heard<'a> {
        self.dialect.swap2 = Some(Swap2Lines::Owners);
        let moves = mem::take(&mut self.swap2);
        let limits = self.swap2_limits;
        self.put(&moves, Form::Swap2, &limits);
        log(LogKind::Stray, quoted(reply).into())
    }

    fn is_of(&self, form: Form, reply: &Reply<'_>) -> bool {
        match form {
            Form::Move => move_in(reply).is_some(),
            Form::Place => matches!(reply, Reply::Points(_)),
            Form::Swap2 => true,
        }
    }

    /// Whether an answer to stones of swap2 can be one: the colour, or stones on free points.
    fn fits(&self, reply: &Reply<'_>) -> bool {
        let Some(size) = self.terms.as_ref().map(|terms| terms.size) else { return false };
        let is_free = |coords: &Coords| {
            coords.on(size).is_some_and(|point| !self.swap2.contains(&Move::Stone(point)))
        };
        match reply {
            Reply::Swap => true,
            Reply::Points(points) => {
                self.swap2.len() == 3
                    && points.len() == 2
                    && points[0] != points[1]
                    && points.iter().all(is_free)
            }
            _ => move_in(reply).is_some_and(|coords| is_free(&coords)),
        }
    }

    /// An answer where none is due: the one before, said twice, or one that comes too soon.
    fn unasked<'a>(&mut self, reply: &Reply<'_>) -> Heard<'a> {
        if self.is_strict {
            return self.fault(BrainFault::Unasked(quoted(reply)));
        }
        log(LogKind::Stray, quoted(reply).into())
    }

    /// What was owed has come; the question that was held back can be put.
    fn hear_late<'a>(&mut self) -> Heard<'a> {
        self.owes = false;
        self.release();
        Heard::Late
    }

    fn answer(&mut self, form: Form, reply: &Reply<'_>) -> Answer {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        if let Reply::Remarked(_, remark) = reply {
            self.remark = Some(remark.chars().take(REMARK).collect());
        }
        match (reply, move_in(reply), form) {
            (_, Some(coords), Form::Move) => {
                let point = coords.point(size);
                self.board.push(point);
                self.learn_rows(point);
                self.answered = Some(point);
                Answer::Move(Move::Stone(point))
            }
            // Piskvork reads the first point of a line, whatever follows it.
            (Reply::Points(points), _, Form::Move) if !self.is_strict => {
                self.remark = Some(quoted(reply));
                self.answer(Form::Move, &Reply::Point(points[0]))
            }
            // With its own move the brain stays the side to move, White after three stones and
            // after five. The move itself is asked for next.
            (_, Some(coords), Form::Swap2) if self.is_strict || self.fits(reply) => {
                self.decided = Some((mem::take(&mut self.swap2), coords.point(size)));
                Answer::Choose(Color::White)
            }
            // It chooses nothing: there is a stone, or no board.
            (_, Some(coords), Form::Swap2) => Answer::Move(Move::Stone(coords.point(size))),
            (_, Some(coords), Form::Place) => Answer::Place(Vec::from([coords.point(size)])),
            (Reply::Points(points), ..) => {
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

    /// Puts a question held back for START, which the brain refuses in the middle of a game.
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
    log(LogKind::Aside, text)
}

fn stray<'a>(reply: &Reply<'_>) -> Heard<'a> {
    log(LogKind::Stray, quoted(reply).into())
}

fn log(kind: LogKind, text: Cow<'_, str>) -> Heard<'_> {
    Heard::Log { kind, text, report: None }
}

/// The one point of an answer, perhaps with text behind it.
fn move_in(reply: &Reply<'_>) -> Option<Coords> {
    match reply {
        Reply::Point(coords) | Reply::Remarked(coords, _) => Some(*coords),
        _ => None,
    }
}

/// What a brain said of itself, where the OK to START stands on the same line: it ended that with
/// no line end.
fn before_ok(text: &str) -> Option<&str> {
    let cut = text.len().checked_sub(2)?;
    let (said, ok) = (text.get(..cut)?, text.get(cut..)?);
    let is_apart = !said.ends_with(|sign: char| sign.is_alphanumeric());
    (ok.eq_ignore_ascii_case("OK") && is_apart && !said.is_empty()).then(|| said.trim_end())
}
