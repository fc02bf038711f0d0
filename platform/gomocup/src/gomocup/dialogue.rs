//! The manager's side of the protocol.

use alloc::string::String;
use alloc::vec::Vec;

use tengen_arbiter::Limits;
use tengen_rules::{Answer, Move, Point, Rule};

use super::rule_mask;
use crate::line_end::write_line;
use crate::{
    AskResult, Dialect, DialogueQuestion, GameTerms, Info, LineEnd, ManagerCommand, NewGameResult,
    Response, Rows, SearchReport, Swap2Lines, TextDialogue,
};

mod board;
mod question;
mod receive;
mod send;
mod sent_info;

use board::BrainBoard;
use question::{PendingQuestion, QuestionKind, question_kind};
use sent_info::SentInfo;

/// The manager's side of one brain: what to write to it, and what its lines mean.
///
/// It knows what the brain's own board holds and chooses the cheapest lines that bring it to the
/// position: TURN, BEGIN or BOARD.
///
/// ```
/// use tengen_arbiter::Limits;
/// use tengen_gomocup::{
///     AskResult, DialogueQuestion, GameTerms, GomocupDialogue, LineEnd, NewGameResult, Response,
///     TextDialogue,
/// };
/// use tengen_rules::{Answer, Ask, Move, Rule, Size, Zone};
///
/// let mut brain = GomocupDialogue::new(LineEnd::Lf);
/// let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
/// assert_eq!(brain.new_game(&terms), NewGameResult::Sent);
/// assert_eq!(brain.output(), b"START 15\n");
/// brain.written(9);
/// assert_eq!(brain.receive(b"OK"), Response::Ready);
///
/// let moves = [Move::Stone("h8".parse()?)];
/// let ask = Ask::Move { zone: Zone::Anywhere };
/// let question = DialogueQuestion { moves: &moves, ask, limits: Limits::default() };
/// assert_eq!(brain.ask(&question), AskResult::Sent);
/// assert!(brain.output().ends_with(b"INFO time_left 2147483647\nTURN 7,7\n"));
/// let answer = Answer::Move(Move::Stone("i9".parse()?));
/// assert_eq!(brain.receive(b"8,6"), Response::Answer(answer));
/// # Ok::<(), tengen_rules::ParsePointError>(())
/// ```
///
/// An answer given twice is taken once: a line that repeats the brain's last move is no answer to
/// the next question.
#[derive(Clone, Debug)]
pub struct GomocupDialogue {
    line_end: LineEnd,
    dialect: Dialect,
    /// Whether a line that is no answer, where one is due, is a fault.
    is_strict: bool,
    out: Vec<u8>,
    terms: Option<GameTerms>,
    sent_info: SentInfo,
    /// Whether all the terms have been sent by INFO.
    terms_sent: bool,
    board: BrainBoard,
    expected: ExpectedReply,
    /// Whether ABOUT has been asked and its answer may still come.
    about: bool,
    /// Whether the process has to be started again before anything else.
    broken: bool,
    /// Whether no answer is a sign of stones of another game.
    judges_every_answer: bool,
    /// Whether the process has played another game before this one; stones of it may be left.
    is_reused: bool,
    /// Whether ERROR was said to the open question, which may stand in place of the answer.
    has_erred: bool,
    /// How many lines have been sent since the last answer that a brain need not know.
    optional: u32,
    pending: Option<PendingQuestion>,
    /// The position in which swap2's question was put.
    swap2: Vec<Move>,
    /// The limits that were sent for the answer.
    swap2_limits: Limits,
    /// That position, and the stone that came with the decision to stay White in it.
    decided: Option<(Vec<Move>, Point)>,
    /// The brain's own last move, where the open question follows it: received again, it is the
    /// answer before, sent twice.
    repeat: Option<Point>,
    /// The move that it answered last.
    answered: Option<Point>,
    /// What stood behind the answer on its line.
    remark: Option<String>,
    report: SearchReport,
    rows: Rows,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExpectedReply {
    Nothing,
    Start,
    /// OK to a START that follows lines which a brain may leave unanswered, and the question among
    /// them.
    StartOver(Option<QuestionKind>),
    /// OK to the START of another game.
    NextGame,
    /// OK to the START that empties the board before BEGIN.
    Clear,
    Answer(QuestionKind),
}

impl GomocupDialogue {
    /// A dialogue with a process that has just been started.
    pub fn new(line_end: LineEnd) -> GomocupDialogue {
        GomocupDialogue {
            line_end,
            dialect: Dialect::default(),
            is_strict: false,
            out: Vec::new(),
            terms: None,
            sent_info: SentInfo::default(),
            terms_sent: false,
            board: BrainBoard::default(),
            expected: ExpectedReply::Nothing,
            about: false,
            broken: false,
            judges_every_answer: false,
            is_reused: false,
            has_erred: false,
            optional: 0,
            pending: None,
            swap2: Vec::new(),
            swap2_limits: Limits::default(),
            decided: None,
            repeat: None,
            answered: None,
            remark: None,
            report: SearchReport::default(),
            rows: Rows::default(),
        }
    }

    /// A dialogue with a brain of this dialect, as far as it is known.
    pub fn with_dialect(dialect: Dialect) -> GomocupDialogue {
        let line_end = dialect.line_end.unwrap_or_default();
        GomocupDialogue { dialect, ..GomocupDialogue::new(line_end) }
    }

    /// Treats as faults a line that is no answer where one is due, and an answer where none is due.
    /// Otherwise they are noted and passed over, as c-gomoku-cli and Gomocup's judge do.
    #[must_use]
    pub fn strict(self, is_strict: bool) -> GomocupDialogue {
        GomocupDialogue { is_strict, ..self }
    }

    fn forget_game(&mut self, terms: &GameTerms) {
        self.terms_sent = false;
        self.board.forget();
        (self.decided, self.repeat, self.answered) = (None, None, None);
        self.terms = Some(terms.clone());
    }

    fn write_start(&mut self) {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        let (width, height) = (size.width().into(), size.height().into());
        if width == height {
            self.write(&ManagerCommand::Start(width));
        } else {
            self.write(&ManagerCommand::RectStart { width, height });
        }
    }
}

impl TextDialogue for GomocupDialogue {
    fn output(&self) -> &[u8] {
        &self.out
    }

    fn written(&mut self, count: usize) {
        self.out.drain(..count);
    }

    fn receive<'a>(&mut self, line: &'a [u8]) -> Response<'a> {
        self.receive_line(line)
    }

    fn started_again(&mut self) {
        let GomocupDialogue { line_end, dialect, is_strict, judges_every_answer, rows, .. } = *self;
        let new = GomocupDialogue::new(line_end);
        *self = GomocupDialogue { dialect, is_strict, judges_every_answer, rows, ..new };
    }

    /// Some print nothing, so there is nothing to wait for: the answer, if any, comes before the
    /// one to what is sent next.
    fn ask_about(&mut self) {
        self.about = true;
        self.write(&ManagerCommand::About);
    }

    /// Begins a game by START or RECTSTART. Another one in the same process is begun so only where
    /// the brain is known to clear its board: the examples that come with the protocol do not. At
    /// the first sign in such a game that it does not, an illegal move or an ERROR instead of one,
    /// the question is [to be put to another process](Response::StartAgain). RESTART is never sent:
    /// not every brain knows it, and some say OK and keep their stones.
    fn new_game(&mut self, terms: &GameTerms) -> NewGameResult {
        if self.broken || self.expected != ExpectedReply::Nothing {
            return NewGameResult::StartAgain;
        }
        let is_first = self.terms.is_none();
        if !is_first && self.dialect.starts_again != Some(true) {
            return NewGameResult::StartAgain;
        }
        self.forget_game(terms);
        self.is_reused = !is_first && !self.judges_every_answer;
        self.write_start();
        self.expected = if is_first { ExpectedReply::Start } else { ExpectedReply::NextGame };
        NewGameResult::Sent
    }

    fn ask(&mut self, question: &DialogueQuestion<'_>) -> AskResult {
        assert!(self.terms.is_some(), "a game has begun");
        assert_eq!(self.expected, ExpectedReply::Nothing, "nothing else is asked");
        let DialogueQuestion { moves, ask, limits } = *question;
        let Some(question_kind) = question_kind(ask, moves.len()) else {
            return AskResult::Unsupported;
        };
        self.report = SearchReport::default();
        if let Some((position, point)) = self.decided.take()
            && question_kind == QuestionKind::Move
            && position == moves
        {
            return AskResult::Known(Answer::Move(Move::Stone(point)));
        }
        self.send_question(moves, question_kind, &limits);
        AskResult::Sent
    }

    fn end(&mut self) {
        self.broken = true;
        self.write(&ManagerCommand::End);
    }

    fn is_waiting(&self) -> bool {
        self.expected != ExpectedReply::Nothing
    }

    fn awaits_next_game(&self) -> bool {
        self.expected == ExpectedReply::NextGame
    }

    fn send_terms(&mut self) {
        if let Some(terms) = self.terms.as_ref().filter(|_| !self.terms_sent) {
            let (out, line_end) = (&mut self.out, self.line_end);
            let send = |info: Info<'_>| write_line(out, line_end, &ManagerCommand::Info(info));
            self.optional += self.sent_info.terms(terms, send);
            self.terms_sent = true;
        }
    }

    fn dialect(&self) -> Option<Dialect> {
        Some(self.dialect)
    }

    fn judge_every_answer(&mut self) {
        self.judges_every_answer = true;
    }

    /// Begins a game by START: brains answer in order.
    fn start_over(&mut self, terms: &GameTerms) {
        let asked = match self.expected {
            ExpectedReply::Answer(question_kind) => Some(question_kind),
            _ => None,
        };
        self.forget_game(terms);
        self.is_reused = false;
        self.pending = None;
        self.write_start();
        self.expected = ExpectedReply::StartOver(asked);
    }

    fn send_rule(&mut self, rule: Rule) {
        self.write(&ManagerCommand::Info(Info::Rule(rule_mask::of(rule))));
    }

    fn try_lf(&mut self) -> bool {
        let is_new = self.dialect.line_end.is_none() && self.line_end == LineEnd::CrLf;
        if is_new {
            self.line_end = LineEnd::Lf;
        }
        is_new
    }

    fn use_lf(&mut self) -> bool {
        self.dialect.line_end = None;
        self.try_lf()
    }

    fn use_cr_lf(&mut self) {
        self.line_end = LineEnd::CrLf;
        self.dialect.line_end = None;
    }

    fn repeat_start(&mut self) {
        self.write_start();
    }

    fn set_swap2_lines(&mut self, lines: Option<Swap2Lines>) {
        self.dialect.swap2 = lines;
    }

    fn clears_board(&mut self) {
        self.dialect.starts_again.get_or_insert(true);
    }

    fn needs_new_process(&mut self) {
        self.dialect.starts_again = Some(false);
        // One that has begun no game is new.
        self.broken |= self.terms.is_some();
        self.expected = ExpectedReply::Nothing;
    }

    fn doubts_board(&self) -> bool {
        self.has_erred && self.is_reused && matches!(self.expected, ExpectedReply::Answer(_))
    }

    fn report(&self) -> Option<&SearchReport> {
        Some(&self.report)
    }

    fn line_of(&self, report: &SearchReport) -> Vec<Point> {
        let size = self.terms.as_ref().map(|terms| terms.size);
        size.map(|size| report.line(size, self.rows)).unwrap_or_default()
    }

    fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }
}
