//! The manager's side of a Gomocup brain. The protocol:
//! <https://plastovicka.github.io/protocl2en.htm>.

use alloc::string::String;
use alloc::vec::Vec;

use tengen_arbiter::Limits;
use tengen_rules::{Answer, Ask, Move, Point, Rule};

use crate::{GameTerms, Info, LineEnd, ManagerCommand, Rows, SearchReport, rule_mask};

mod board;
mod dialect;
mod question;
mod receive;
mod response;
mod send;
mod sent_info;

use board::BrainBoard;
pub use dialect::{Dialect, Swap2Lines};
pub use question::{AskResult, DialogueQuestion, NewGameResult};
use question::{PendingQuestion, QuestionKind, question_kind};
pub use response::{BrainFault, LogKind, Response};
use sent_info::SentInfo;

/// The manager's side of one brain: what to write to it, and what its lines mean.
///
/// It is asked for things by [`Dialogue::new_game`] and [`Dialogue::ask`], has what is to be
/// written in [`Dialogue::output`], and is given every line in [`Dialogue::receive`]. It knows what
/// the brain's own board holds and chooses the cheapest lines that bring it to the position: TURN,
/// BEGIN or BOARD.
///
/// ```
/// use tengen_arbiter::Limits;
/// use tengen_gomocup::{AskResult, Dialogue, DialogueQuestion, LineEnd, NewGameResult, Response};
/// use tengen_gomocup::GameTerms;
/// use tengen_rules::{Answer, Ask, Move, Rule, Size, Zone};
///
/// let mut brain = Dialogue::new(LineEnd::Lf);
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
/// **Late answers.** A brain answers in order, so an answer belongs to the oldest question that has
/// none. After [`Dialogue::give_up`] the brain still owes one: the next question is held back until
/// that has come ([`Response::Late`]), nothing is sent meanwhile that could spoil a search, and
/// BOARD then brings the brain to what was played in its place. A new game does not wait for it:
/// [`NewGameResult::StartAgain`]. An answer given twice is taken once: a line that repeats the
/// brain's last move is no answer to the next question.
#[derive(Clone, Debug)]
pub struct Dialogue {
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
    /// Whether ABOUT has been asked and may yet be answered, if ever it is.
    about: bool,
    /// Whether the brain still owes an answer to a question that was given up.
    owes_answer: bool,
    /// Whether the process has to be started again before anything else.
    broken: bool,
    /// Whether no answer is a sign of stones of another game.
    judges_every_answer: bool,
    /// Whether the process has played another game before this one, of which stones may be left.
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

/// What the next reply is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExpectedReply {
    Nothing,
    /// OK to START.
    Start,
    /// OK to a START that follows lines which a brain may leave unanswered, and the question among
    /// them.
    StartOver(Option<QuestionKind>),
    /// OK to the START of another game.
    NextGame,
    /// OK to the START that empties the board before BEGIN.
    Clear,
    /// The answer to a question.
    Answer(QuestionKind),
}

impl Dialogue {
    /// A dialogue with a process that has just been started.
    pub fn new(line_end: LineEnd) -> Dialogue {
        Dialogue {
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
            owes_answer: false,
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

    /// A dialogue with a brain whose dialect is known, as far as it is.
    pub fn with_dialect(dialect: Dialect) -> Dialogue {
        let line_end = dialect.line_end.unwrap_or_default();
        Dialogue { dialect, ..Dialogue::new(line_end) }
    }

    /// Has a line that is no answer, where one is due, and an answer where none is due be faults.
    /// Otherwise they are noted and passed over, as c-gomoku-cli and Gomocup's judge do.
    #[must_use]
    pub fn strict(self, is_strict: bool) -> Dialogue {
        Dialogue { is_strict, ..self }
    }

    /// Takes every answer for what it is, in whichever game of a process: none is a sign that the
    /// board was not cleared.
    pub fn judge_every_answer(&mut self) {
        self.judges_every_answer = true;
    }

    /// What is known of the brain's dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The process was started again: it knows nothing of what was sent. What was learnt of how the
    /// brain writes the protocol stays.
    pub fn started_again(&mut self) {
        let Dialogue { line_end, dialect, is_strict, judges_every_answer, rows, .. } = *self;
        let new = Dialogue::new(line_end);
        *self = Dialogue { dialect, is_strict, judges_every_answer, rows, ..new };
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

    /// Asks who the brain is. Some print nothing, so there is nothing to wait for: the answer, if
    /// any, comes before the one to what is sent next.
    pub fn ask_about(&mut self) {
        self.about = true;
        self.write(&ManagerCommand::About);
    }

    /// Begins a game by START or RECTSTART. Another one in the same process is begun so only where
    /// the brain [is known](Dialogue::clears_board) to clear its board: the examples that come with
    /// the protocol do not. At the first sign in such a game that it does not, an illegal move or
    /// an [ERROR instead of one](Dialogue::doubts_board), the question is [to be put to another
    /// process](Response::StartAgain). RESTART is never sent: not every brain knows it, and some
    /// say OK and keep their stones.
    pub fn new_game(&mut self, terms: &GameTerms) -> NewGameResult {
        if self.broken || self.owes_answer || self.expected != ExpectedReply::Nothing {
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

    /// Begins a game by START, whatever was sent before and left unanswered: brains answer in
    /// order, so that the OK shows that nothing more will come of it. What does come before is
    /// still received, an answer to the last question as [`Response::Answer`].
    pub fn start_over(&mut self, terms: &GameTerms) {
        let asked = match self.expected {
            ExpectedReply::Answer(question_kind) => Some(question_kind),
            _ => None,
        };
        self.forget_game(terms);
        self.is_reused = false;
        (self.owes_answer, self.pending) = (false, None);
        self.write_start();
        self.expected = ExpectedReply::StartOver(asked);
    }

    /// Sends the rule alone, to see whether the brain refuses it.
    pub fn send_rule(&mut self, rule: Rule) {
        self.write(&ManagerCommand::Info(Info::Rule(rule_mask::of(rule))));
    }

    /// Uses LF alone from here on, if the brain has never understood a line and CR LF was used.
    /// Gives whether that is so.
    pub fn try_lf(&mut self) -> bool {
        let is_new = self.dialect.line_end.is_none() && self.line_end == LineEnd::CrLf;
        if is_new {
            self.line_end = LineEnd::Lf;
        }
        is_new
    }

    /// Uses LF alone from here on, whatever was understood so far. Gives whether that is new.
    pub fn use_lf(&mut self) -> bool {
        self.dialect.line_end = None;
        self.try_lf()
    }

    /// Goes back to CR LF: LF alone was no better.
    pub fn use_cr_lf(&mut self) {
        self.line_end = LineEnd::CrLf;
        self.dialect.line_end = None;
    }

    /// Sends START once more, with the line end that is in use now.
    pub fn repeat_start(&mut self) {
        self.write_start();
    }

    /// Shows stones in that form from here on.
    pub fn set_swap2_lines(&mut self, lines: Option<Swap2Lines>) {
        self.dialect.swap2 = lines;
    }

    /// The brain begins another game, on an empty board, at another START.
    pub fn clears_board(&mut self) {
        self.dialect.starts_again.get_or_insert(true);
    }

    /// The START of another game was not answered, or refused, or the game that followed shows that
    /// the board was not cleared: the process is to be started again, now and for every game to
    /// come.
    pub fn needs_new_process(&mut self) {
        self.dialect.starts_again = Some(false);
        // One that has begun no game is new.
        self.broken |= self.terms.is_some();
        self.expected = ExpectedReply::Nothing;
    }

    /// Whether the open question got an ERROR, in a process that has played another game. Unless
    /// the answer follows, that is a sign that the board was not cleared: a brain that rests
    /// instead [needs another process](Dialogue::needs_new_process).
    pub fn doubts_board(&self) -> bool {
        self.has_erred && self.is_reused && matches!(self.expected, ExpectedReply::Answer(_))
    }

    fn forget_game(&mut self, terms: &GameTerms) {
        self.sent_info.new_game();
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

    /// Changes the terms of the game under way, with the next question: another time control,
    /// another limit. The size stays.
    pub fn change_terms(&mut self, terms: &GameTerms) {
        if self.terms.as_ref().is_some_and(|before| before.size == terms.size) {
            self.terms = Some(terms.clone());
            self.terms_sent = false;
        }
    }

    /// Whether the protocol can express a question in a position of so many plies: a move anywhere,
    /// and the three decisions of swap2. Other openings have to be decided for a brain.
    pub fn can_ask(ask: Ask, plies: usize) -> bool {
        question_kind(ask, plies).is_some()
    }

    /// Puts a question.
    ///
    /// # Panics
    /// When there is no game whose board is ready, or a question is open: answer it, or
    /// [give it up](Dialogue::give_up).
    pub fn ask(&mut self, question: &DialogueQuestion<'_>) -> AskResult {
        assert!(self.terms.is_some(), "a game has begun");
        assert_eq!(self.expected, ExpectedReply::Nothing, "nothing else is asked");
        let Some(question_kind) = question_kind(question.ask, question.moves.len()) else {
            return AskResult::Unsupported;
        };
        self.report = SearchReport::default();
        let DialogueQuestion { moves, limits, .. } = *question;
        if let Some((position, point)) = self.decided.take()
            && question_kind == QuestionKind::Move
            && position == moves
        {
            return AskResult::Known(Answer::Move(Move::Stone(point)));
        }
        if self.owes_answer {
            self.pending = Some(PendingQuestion { moves: moves.to_vec(), question_kind, limits });
            return AskResult::Held;
        }
        self.send_question(moves, question_kind, &limits);
        AskResult::Sent
    }

    /// The question is no longer waited for: it was too late. The brain may be asked again in the
    /// same game, if the event plays a move in its place.
    pub fn give_up(&mut self) {
        match self.expected {
            ExpectedReply::Answer(_) => self.owes_answer = true,
            // The board is not known to be ready, and perhaps never will be.
            ExpectedReply::Start
            | ExpectedReply::StartOver(_)
            | ExpectedReply::NextGame
            | ExpectedReply::Clear => {
                self.broken = true;
            }
            ExpectedReply::Nothing => {}
        }
        self.expected = ExpectedReply::Nothing;
        self.pending = None;
        self.board.forget();
    }

    /// Asks the brain to move at once, if it knows Yixin's word for it. Most ignore it without
    /// harm; a single-threaded one reads it when it has answered.
    pub fn stop(&mut self) {
        self.optional += 1;
        self.write(&ManagerCommand::YxStop);
    }

    /// Asks which points are forbidden on the brain's own board, if it knows Yixin's word for it.
    pub fn show_forbidden(&mut self) {
        self.optional += 1;
        self.write(&ManagerCommand::YxShowForbid);
    }

    /// Sends END: the process is to end.
    pub fn end(&mut self) {
        self.broken = true;
        self.write(&ManagerCommand::End);
    }

    /// What the brain has reported of its search since the question was sent.
    pub fn report(&self) -> &SearchReport {
        &self.report
    }

    /// The best line of play it has reported, as points.
    pub fn line(&self) -> Vec<Point> {
        self.line_of(&self.report)
    }

    /// The line of play of one report, as points.
    pub fn line_of(&self, report: &SearchReport) -> Vec<Point> {
        let size = self.terms.as_ref().map(|terms| terms.size);
        size.map(|size| report.line(size, self.rows)).unwrap_or_default()
    }

    /// What stood behind the last answer on its line, if it has not been taken.
    pub fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }

    /// Whether another game waits for the OK to its START.
    pub fn awaits_next_game(&self) -> bool {
        self.expected == ExpectedReply::NextGame
    }

    /// Whether anything is waited for.
    pub fn is_waiting(&self) -> bool {
        self.expected != ExpectedReply::Nothing || self.pending.is_some()
    }
}
