//! The engine behind a brain, as a trait, and what it is called with.

use std::sync::mpsc::Sender;

use tengen_gomocup::{SearchReport, SearchTask};
use tengen_rules::{Answer, Rule, Size};

use crate::ThinkerGame;
use crate::event::{OutputLine, ServerEvent};

/// The engine behind a brain. It is created on the thread on which it is called.
///
/// Its errors are sent to the manager as one line, `ERROR text`.
pub trait Thinker {
    /// Whether it plays this rule on this board.
    fn plays(&self, _rule: Rule, _size: Size) -> bool {
        true
    }

    /// Prepares for a game. It may be called again for the same game when more of it is known.
    ///
    /// # Errors
    /// When it cannot; the next question is preceded by another call.
    fn new_game(&mut self, game: &ThinkerGame) -> Result<(), String>;

    /// Answers a question. The limits of the task are the manager's less the reserve; keeping
    /// them is up to the thinker.
    ///
    /// # Errors
    /// When it has failed; the next question is preceded by [`Thinker::new_game`].
    fn think(&mut self, task: &SearchTask, output: &ThinkerOutput) -> Result<ThinkResult, String>;
}

/// The answer of a thinker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThinkResult {
    pub answer: Answer,
    /// What is known of the search; sent before the answer.
    pub report: SearchReport,
}

impl From<Answer> for ThinkResult {
    fn from(answer: Answer) -> ThinkResult {
        ThinkResult { answer, report: SearchReport::default() }
    }
}

/// Stops a thinker; called from another thread than the thinker's.
pub trait StopHandle {
    /// A question is about to be asked: an earlier stop no longer applies.
    fn reset(&self) {}
    /// Asks the thinker to answer now.
    fn stop(&self);
    /// Ends the thinker, so that every call returns soon.
    fn kill(&self);
}

/// For a thinker that answers at once.
#[derive(Clone, Copy, Debug)]
pub struct NoStop;

impl StopHandle for NoStop {
    fn stop(&self) {}
    fn kill(&self) {}
}

/// Sends lines to the manager while the thinker thinks, and none after the answer.
#[derive(Clone, Debug)]
pub struct ThinkerOutput(pub(crate) Sender<ServerEvent>);

impl ThinkerOutput {
    /// `MESSAGE text`, for the user.
    pub fn message(&self, text: &str) {
        self.send(OutputLine::Message(text.to_owned()));
    }

    /// `DEBUG text`, for the author of the engine.
    pub fn debug(&self, text: &str) {
        self.send(OutputLine::Debug(text.to_owned()));
    }

    pub fn report(&self, report: SearchReport) {
        self.send(OutputLine::SearchReport(report));
    }

    fn send(&self, line: OutputLine) {
        // An error means that the server has ended.
        let _ = self.0.send(ServerEvent::Output(line));
    }
}
