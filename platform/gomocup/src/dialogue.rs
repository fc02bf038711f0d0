//! The arbiter's side of any text protocol, and the list of the protocols.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;
use core::ops::RangeInclusive;

use tengen_rules::{Point, Rule};

use crate::{GameTerms, SearchReport, gomocup, sau};

mod dialect;
mod question;
mod response;

pub use dialect::{Dialect, Swap2Lines};
pub use question::{AskResult, DialogueQuestion, NewGameResult};
pub use response::{BrainFault, LogKind, Response};

/// The arbiter's side of a text protocol, with one engine: what to write to it, and what its lines
/// mean.
///
/// A method that a protocol has no words for keeps its default: it does nothing, or says that there
/// is nothing.
pub trait TextDialogue: Debug + Send {
    /// What is to be written, in order.
    fn output(&self) -> &[u8];

    /// So many bytes of the output have been written.
    ///
    /// # Panics
    /// When there were not as many.
    fn written(&mut self, count: usize);

    /// Takes one line of the engine, whatever it is.
    fn receive<'a>(&mut self, line: &'a [u8]) -> Response<'a>;

    /// The process was started again: it knows nothing of what was sent. What was learnt of how the
    /// engine writes the protocol stays.
    fn started_again(&mut self);

    /// Asks for the engine's name.
    fn ask_about(&mut self);

    fn new_game(&mut self, terms: &GameTerms) -> NewGameResult;

    /// Puts a question.
    ///
    /// # Panics
    /// When no game has its board ready, or a question is open.
    fn ask(&mut self, question: &DialogueQuestion<'_>) -> AskResult;

    /// Tells the process to end.
    fn end(&mut self);

    /// Whether the engine has still to say that it is ready for the game.
    fn is_waiting(&self) -> bool {
        false
    }

    /// Whether another game waits for the answer to its first line.
    fn awaits_next_game(&self) -> bool {
        false
    }

    /// Sends what is true of the whole game, once its board is ready. It need not be called: the
    /// first question sends it too. But some engines take long over it.
    fn send_terms(&mut self) {}

    /// What was learnt of how the engine writes the protocol, if anything can be.
    fn dialect(&self) -> Option<Dialect> {
        None
    }

    /// Takes every answer at face value, in whichever game of a process: no answer counts as a sign
    /// that the board was not cleared.
    fn judge_every_answer(&mut self) {}

    /// Begins a game, whatever was sent before and left unanswered: the answer shows that nothing
    /// more will come of it. What does come before is still received, an answer to the last
    /// question as [`Response::Answer`].
    fn start_over(&mut self, _terms: &GameTerms) {}

    /// Sends the rule alone, to see whether the engine refuses it.
    fn send_rule(&mut self, _rule: Rule) {}

    /// Uses LF alone from here on, if the engine has never understood a line and CR LF was used.
    /// Gives whether that is so.
    fn try_lf(&mut self) -> bool {
        false
    }

    /// Uses LF alone from here on, whatever was understood so far. Gives whether that is new.
    fn use_lf(&mut self) -> bool {
        false
    }

    /// Goes back to CR LF: LF alone was no better.
    fn use_cr_lf(&mut self) {}

    /// Sends the first line of the game once more, with the line end that is in use now.
    fn repeat_start(&mut self) {}

    /// Shows stones in that form from here on.
    fn set_swap2_lines(&mut self, _lines: Option<Swap2Lines>) {}

    /// One process of the engine begins another game on an empty board.
    fn clears_board(&mut self) {}

    /// The process is to be started again, now and for every game to come: it begins no other game,
    /// or not on an empty board.
    fn needs_new_process(&mut self) {}

    /// Whether the open question got an error in a process that has played another game. Unless
    /// the answer follows, that is a sign that the board was not cleared: an engine that rests
    /// instead [needs another process](TextDialogue::needs_new_process).
    fn doubts_board(&self) -> bool {
        false
    }

    /// What the engine has reported of its search since the question was sent.
    fn report(&self) -> Option<&SearchReport> {
        None
    }

    /// The line of play of one report, as points.
    fn line_of(&self, _report: &SearchReport) -> Vec<Point> {
        Vec::new()
    }

    /// What stood behind the last answer on its line, if it has not been taken.
    fn take_remark(&mut self) -> Option<String> {
        None
    }
}

/// A text protocol: how to speak it, and what it has words for.
#[derive(Debug)]
pub struct DialogueKind {
    /// Its name, as a manifest of an engine has it.
    pub name: &'static str,
    /// Begins to speak it with an engine of that dialect; strictly, if told so: a line that is no
    /// answer, where one is due, is a fault then.
    pub open: fn(Dialect, bool) -> Box<dyn TextDialogue>,
    /// The sides of the boards that it has words for, where it tells an engine neither the board
    /// nor the rule. None where it tells them, so that an engine can be asked what it plays.
    pub untold_boards: Option<RangeInclusive<u8>>,
    pub is_move: fn(&[u8]) -> bool,
    /// The line of each kind by its name.
    pub words: DialogueWords,
}

/// What the lines of a protocol are called.
#[derive(Debug)]
pub struct DialogueWords {
    /// Asks for a move on the empty board.
    pub first_move: &'static str,
    /// Asks for the next one.
    pub next_move: &'static str,
    /// Asks for a move in a position that is told as a whole.
    pub position: &'static str,
    /// The same once more.
    pub position_again: &'static str,
    /// Tells the process to end.
    pub end: &'static str,
}

impl DialogueKind {
    /// Every text protocol. Another one is a file beside these and a row here.
    pub const ALL: [&'static DialogueKind; 2] = [&gomocup::KIND, &sau::KIND];

    pub fn of(name: &str) -> Option<&'static DialogueKind> {
        DialogueKind::ALL.into_iter().find(|kind| kind.name == name)
    }
}
