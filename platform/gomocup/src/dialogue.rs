use alloc::string::String;
use alloc::vec::Vec;

use tengen_arbiter::Limits;
use tengen_rules::{Answer, Ask, Color, Move, Point, Rule};

use crate::line_end::write_line;
use crate::{Command, Coords, Field, Info, LineEnd, Report, Rows, Terms, rule_mask};

mod board;
mod dialect;
mod hear;
mod heard;
mod question;
mod told;

use board::{BrainBoard, Sync};
pub use dialect::{Dialect, Swap2Lines};
pub use heard::{BrainFault, Heard, LogKind};
pub use question::{Asked, NewGame, Question};
use question::{Form, Held, form};
use told::Told;

/// The manager's side of one brain: what to write to it, and what its lines mean.
///
/// It is asked for things by [`Dialogue::new_game`] and [`Dialogue::ask`], has what is to be
/// written in [`Dialogue::output`], and is given every line in [`Dialogue::hear`]. It knows what
/// the brain's own board holds and chooses the cheapest lines that bring it to the position: TURN,
/// BEGIN or BOARD.
///
/// ```
/// use tengen_arbiter::Limits;
/// use tengen_gomocup::{Asked, Dialogue, Heard, LineEnd, NewGame, Question, Terms};
/// use tengen_rules::{Answer, Ask, Move, Rule, Size, Zone};
///
/// let mut brain = Dialogue::new(LineEnd::Lf);
/// assert_eq!(brain.new_game(&Terms::new(Rule::Standard, Size::STANDARD)), NewGame::Sent);
/// assert_eq!(brain.output(), b"START 15\n");
/// brain.written(9);
/// assert_eq!(brain.hear(b"OK"), Heard::Ready);
///
/// let moves = [Move::Stone("h8".parse()?)];
/// let ask = Ask::Move { zone: Zone::Anywhere };
/// let question = Question { moves: &moves, ask, limits: Limits::default() };
/// assert_eq!(brain.ask(&question), Asked::Sent);
/// assert!(brain.output().ends_with(b"INFO time_left 2147483647\nTURN 7,7\n"));
/// let answer = Answer::Move(Move::Stone("i9".parse()?));
/// assert_eq!(brain.hear(b"8,6"), Heard::Answer(answer));
/// # Ok::<(), tengen_rules::ParsePointError>(())
/// ```
///
/// **Late answers.** A brain answers in order, so an answer belongs to the oldest question that
/// has none. After [`Dialogue::give_up`] the brain still owes one: the next question is held back
/// until that has come ([`Heard::Late`]), nothing is sent meanwhile that could spoil a search, and
/// BOARD then brings the brain to what was played in its place. A new game does not wait for it:
/// [`NewGame::StartAgain`]. An answer given twice is taken once: a line that repeats the brain's
/// last move is no answer to the next question.
#[derive(Clone, Debug)]
pub struct Dialogue {
    line_end: LineEnd,
    dialect: Dialect,
    /// Whether a line that is no answer, where one is due, is a fault.
    is_strict: bool,
    out: Vec<u8>,
    terms: Option<Terms>,
    told: Told,
    /// Whether all the terms have been told by INFO.
    terms_told: bool,
    board: BrainBoard,
    waiting: Waiting,
    /// Whether ABOUT has been asked and may yet be answered, if ever it is.
    about: bool,
    /// Whether an answer is owed to a question that was given up.
    owes: bool,
    /// Whether the process has to be started again before anything else.
    broken: bool,
    /// How many lines have been sent since the last answer that a brain need not know.
    optional: u32,
    held: Option<Held>,
    /// The position in which swap2's question was put.
    swap2: Vec<Move>,
    /// What it was told that it may use for the answer.
    swap2_limits: Limits,
    /// That position, and the stone that came with the decision to stay White in it.
    decided: Option<(Vec<Move>, Point)>,
    /// The brain's own last move, where the question put now follows it: heard again, it is the
    /// answer before, said twice.
    repeat: Option<Point>,
    /// The move that it answered last.
    answered: Option<Point>,
    /// What stood behind the answer on its line.
    remark: Option<String>,
    report: Report,
    rows: Rows,
}

/// What the next reply is expected to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    Nothing,
    /// OK to START.
    Start,
    /// OK to a START that follows lines which a brain may leave unanswered, and the question among
    /// them.
    StartOver(Option<Form>),
    /// OK to the START of another game.
    NextGame,
    /// OK to the START that empties the board before BEGIN.
    Clear,
    /// The answer to a question.
    Answer(Form),
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
            told: Told::default(),
            terms_told: false,
            board: BrainBoard::default(),
            waiting: Waiting::Nothing,
            about: false,
            owes: false,
            broken: false,
            optional: 0,
            held: None,
            swap2: Vec::new(),
            swap2_limits: Limits::default(),
            decided: None,
            repeat: None,
            answered: None,
            remark: None,
            report: Report::default(),
            rows: Rows::default(),
        }
    }

    /// A dialogue with a brain whose dialect is known, as far as it is.
    pub fn in_dialect(dialect: Dialect) -> Dialogue {
        let line_end = dialect.line_end.unwrap_or_default();
        Dialogue { dialect, ..Dialogue::new(line_end) }
    }

    /// Has a line that is no answer, where one is due, and an answer where none is due be faults.
    /// Otherwise they are noted and passed over, as c-gomoku-cli and Gomocup's judge do.
    #[must_use]
    pub fn strict(self, is_strict: bool) -> Dialogue {
        Dialogue { is_strict, ..self }
    }

    /// What is known of the brain's dialect.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The process was started again: it knows nothing of what was said. What was learnt of the
    /// brain's ways is kept.
    pub fn started_again(&mut self) {
        let Dialogue { line_end, dialect, is_strict, rows, .. } = *self;
        *self = Dialogue { dialect, is_strict, rows, ..Dialogue::new(line_end) };
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
    pub fn about(&mut self) {
        self.about = true;
        self.say(&Command::About);
    }

    /// Begins a game by START or RECTSTART, the first and every other one. RESTART is never sent:
    /// not every brain knows it, and some say OK and keep their stones.
    pub fn new_game(&mut self, terms: &Terms) -> NewGame {
        if self.broken || self.owes || self.waiting != Waiting::Nothing {
            return NewGame::StartAgain;
        }
        let is_first = self.terms.is_none();
        if !is_first && !self.dialect.starts_again {
            return NewGame::StartAgain;
        }
        self.forget_game(terms);
        self.say_start();
        self.waiting = if is_first { Waiting::Start } else { Waiting::NextGame };
        NewGame::Sent
    }

    /// Begins a game by START, whatever was said before and left unanswered: brains answer in
    /// order, so that the OK shows that nothing more will come of it. What does come before is
    /// still heard, an answer to the last question as [`Heard::Answer`].
    pub fn start_over(&mut self, terms: &Terms) {
        let asked = match self.waiting {
            Waiting::Answer(form) => Some(form),
            _ => None,
        };
        self.forget_game(terms);
        (self.owes, self.held) = (false, None);
        self.say_start();
        self.waiting = Waiting::StartOver(asked);
    }

    /// Tells the rule alone, to hear whether the brain minds.
    pub fn tell_rule(&mut self, rule: Rule) {
        self.say(&Command::Info(Info::Rule(rule_mask::of(rule))));
    }

    /// Speaks with LF alone from here on, if the brain has never understood a line and was spoken
    /// to with CR LF. Gives whether that is so.
    pub fn try_lf(&mut self) -> bool {
        let is_new = self.dialect.line_end.is_none() && self.line_end == LineEnd::CrLf;
        if is_new {
            self.line_end = LineEnd::Lf;
        }
        is_new
    }

    /// Speaks with LF alone from here on, whatever was understood so far. Gives whether that is
    /// new.
    pub fn speak_lf(&mut self) -> bool {
        self.dialect.line_end = None;
        self.try_lf()
    }

    /// Goes back to CR LF: LF alone was no better.
    pub fn undo_lf(&mut self) {
        self.line_end = LineEnd::CrLf;
        self.dialect.line_end = None;
    }

    /// Says START once more, in the line end that is spoken now.
    pub fn repeat_start(&mut self) {
        self.say_start();
    }

    /// Shows stones in that form from here on.
    pub fn show_swap2_as(&mut self, lines: Option<Swap2Lines>) {
        self.dialect.swap2 = lines;
    }

    /// The START of another game was not answered, or refused: the process is to be started again,
    /// now and for every game to come.
    pub fn needs_new_process(&mut self) {
        self.dialect.starts_again = false;
        self.broken = true;
        self.waiting = Waiting::Nothing;
    }

    fn forget_game(&mut self, terms: &Terms) {
        self.told.new_game();
        self.terms_told = false;
        self.board.forget();
        (self.decided, self.repeat, self.answered) = (None, None, None);
        self.terms = Some(terms.clone());
    }

    fn say_start(&mut self) {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        let (width, height) = (size.width().into(), size.height().into());
        if width == height {
            self.say(&Command::Start(width));
        } else {
            self.say(&Command::RectStart { width, height });
        }
    }

    /// Changes what the brain is told of the game under way, with the next question: another time
    /// control, another limit. The size stays.
    pub fn change_terms(&mut self, terms: &Terms) {
        if self.terms.as_ref().is_some_and(|before| before.size == terms.size) {
            self.terms = Some(terms.clone());
            self.terms_told = false;
        }
    }

    /// Whether the protocol has words for a question in a position of so many plies: a move
    /// anywhere, and the three decisions of swap2. Other openings have to be decided for a brain.
    pub fn can_ask(ask: Ask, plies: usize) -> bool {
        form(ask, plies).is_some()
    }

    /// Puts a question.
    ///
    /// # Panics
    /// When there is no game whose board is ready, or a question is open: answer it, or
    /// [give it up](Dialogue::give_up).
    pub fn ask(&mut self, question: &Question<'_>) -> Asked {
        assert!(self.terms.is_some(), "a game has begun");
        assert_eq!(self.waiting, Waiting::Nothing, "nothing else is asked");
        let Some(form) = form(question.ask, question.moves.len()) else {
            return Asked::Unsayable;
        };
        self.report = Report::default();
        let Question { moves, limits, .. } = *question;
        if let Some((position, point)) = self.decided.take()
            && form == Form::Move
            && position == moves
        {
            return Asked::Known(Answer::Move(Move::Stone(point)));
        }
        if self.owes {
            self.held = Some(Held { moves: moves.to_vec(), form, limits });
            return Asked::Held;
        }
        self.put(moves, form, &limits);
        Asked::Sent
    }

    /// The question is no longer waited for: it was too late. The brain may be asked again in the
    /// same game, if the event plays a move in its place.
    pub fn give_up(&mut self) {
        match self.waiting {
            Waiting::Answer(_) => self.owes = true,
            // The board is not known to be ready, and perhaps never will be.
            Waiting::Start | Waiting::StartOver(_) | Waiting::NextGame | Waiting::Clear => {
                self.broken = true;
            }
            Waiting::Nothing => {}
        }
        self.waiting = Waiting::Nothing;
        self.held = None;
        self.board.forget();
    }

    /// Tells the brain to move at once, if it knows Yixin's word for it. Most spoil nothing by it;
    /// a single-threaded one reads it when it has answered.
    pub fn stop(&mut self) {
        self.optional += 1;
        self.say(&Command::YxStop);
    }

    /// Asks which points are forbidden on the brain's own board, if it knows Yixin's word for it.
    pub fn show_forbidden(&mut self) {
        self.optional += 1;
        self.say(&Command::YxShowForbid);
    }

    /// Tells the process to end.
    pub fn end(&mut self) {
        self.broken = true;
        self.say(&Command::End);
    }

    /// What the brain has told of its search since the question was put.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The best line of play it has told, as points.
    pub fn line(&self) -> Vec<Point> {
        self.line_of(&self.report)
    }

    /// The line of play of one report, as points.
    pub fn line_of(&self, report: &Report) -> Vec<Point> {
        let size = self.terms.as_ref().map(|terms| terms.size);
        size.map(|size| report.line(size, self.rows)).unwrap_or_default()
    }

    /// What stood behind the last answer on its line, if it has not been taken.
    pub fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }

    /// Whether another game waits for the OK to its START.
    pub fn awaits_next_game(&self) -> bool {
        self.waiting == Waiting::NextGame
    }

    /// Whether anything is waited for.
    pub fn is_waiting(&self) -> bool {
        self.waiting != Waiting::Nothing || self.held.is_some()
    }

    fn put(&mut self, moves: &[Move], form: Form, limits: &Limits) {
        self.inform(limits);
        self.waiting = Waiting::Answer(form);
        self.repeat = None;
        if form != Form::Move {
            (self.swap2, self.swap2_limits) = (moves.to_vec(), *limits);
            self.swap2_board(moves);
            return;
        }
        self.repeat = self.answered.take().filter(|answered| {
            moves.len() >= 2 && moves[moves.len() - 2] == Move::Stone(*answered)
        });
        let own = Color::of_ply(moves.len());
        let is_whole = self.terms.as_ref().is_some_and(|terms| terms.send_board);
        let sync = match self.board.sync(moves, own) {
            Sync::Turn(_) if is_whole => Sync::Board,
            cheapest => cheapest,
        };
        match sync {
            Sync::Begin => self.say(&Command::Begin),
            Sync::Turn(point) => {
                let coords = self.coords(point);
                self.say(&Command::Turn(coords));
            }
            Sync::Board => self.whole_board(moves, own),
            Sync::Clear => {
                self.held = Some(Held { moves: moves.to_vec(), form, limits: *limits });
                self.waiting = Waiting::Clear;
                // It may forget with it what it was told.
                self.say_start();
                self.told.new_game();
                self.terms_told = false;
                return;
            }
        }
        self.board.set(moves, own);
    }

    /// Tells by INFO what is true of the whole game, once its board is ready. It need not be
    /// called: the first question tells it too. But some brains take long over it.
    pub fn tell_terms(&mut self) {
        if let Some(terms) = self.terms.as_ref().filter(|_| !self.terms_told) {
            let (out, line_end) = (&mut self.out, self.line_end);
            let say = |info: Info<'_>| write_line(out, line_end, &Command::Info(info));
            self.optional += self.told.terms(terms, say);
            self.terms_told = true;
        }
    }

    /// Tells by INFO what has changed. Nothing is read meanwhile: INFO has no answer.
    fn inform(&mut self, limits: &Limits) {
        self.tell_terms();
        let (out, line_end) = (&mut self.out, self.line_end);
        let say = |info: Info<'_>| write_line(out, line_end, &Command::Info(info));
        self.optional += self.told.limits(limits, say);
    }

    fn whole_board(&mut self, moves: &[Move], own: Color) {
        self.say(&Command::Board);
        for (ply, mv) in moves.iter().enumerate() {
            if let Move::Stone(point) = mv {
                let coords = self.coords(*point);
                self.say(&Command::Stone(coords, owner(ply, own)));
            }
        }
        self.say(&Command::Done);
    }

    fn swap2_board(&mut self, moves: &[Move]) {
        self.say(&Command::Swap2Board);
        let own = Color::of_ply(moves.len());
        for (ply, mv) in moves.iter().enumerate() {
            let Some(point) = mv.point() else { continue };
            let coords = self.coords(point);
            self.say(&match self.dialect.swap2 {
                Some(Swap2Lines::Owners) => Command::Stone(coords, owner(ply, own)),
                Some(Swap2Lines::Points) | None => Command::Point(coords),
            });
        }
        self.say(&Command::Done);
        // Some brains keep these stones and some do not; the next question brings BOARD.
        self.board.forget();
    }

    fn coords(&self, point: Point) -> Coords {
        let size = self.terms.as_ref().map(|terms| terms.size).expect("a game has begun");
        Coords::of(point, size)
    }

    fn say(&mut self, command: &Command<'_>) {
        write_line(&mut self.out, self.line_end, command);
    }
}

/// Whose the stone of that ply is for a brain of this colour.
fn owner(ply: usize, own: Color) -> Field {
    if Color::of_ply(ply) == own { Field::Own } else { Field::Opponent }
}
