use std::sync::mpsc::Sender;

use tengen_gomocup::{SearchReport, SearchTask};
use tengen_rules::{Answer, Rule, Size};

use crate::Game;
use crate::event::{Event, Saying};

/// Whoever thinks behind a brain. It is made on the thread on which it then is asked.
///
/// The texts of its errors go to the manager, in one line after the word ERROR.
pub trait Mind {
    /// Whether it plays that rule on that board.
    fn plays(&self, _rule: Rule, _size: Size) -> bool {
        true
    }

    /// Gets ready for a game. It may be told of the same game again when more of it is known.
    ///
    /// # Errors
    /// When it cannot; the next question is preceded by another call.
    fn new_game(&mut self, game: &Game) -> Result<(), String>;

    /// Answers a question. The limits of the task are those of the manager less what is kept in
    /// reserve; that they are kept is the mind's own affair.
    ///
    /// # Errors
    /// When it has failed; the next question is preceded by [`Mind::new_game`].
    fn think(&mut self, task: &SearchTask, voice: &Voice) -> Result<Thought, String>;
}

/// What a mind came to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The answer.
    pub answer: Answer,
    /// What it knows of its search, told before the answer.
    pub report: SearchReport,
}

impl From<Answer> for Thought {
    fn from(answer: Answer) -> Thought {
        Thought { answer, report: SearchReport::default() }
    }
}

/// What holds a mind that is thinking; called from another thread than the mind's.
pub trait Reins {
    /// A question is about to be asked.
    fn ease(&self) {}
    /// Has the mind answer the question now, if it heeds that.
    fn stop(&self);
    /// Ends the mind, so that every call returns soon.
    fn end(&self);
}

/// For a mind that answers at once.
#[derive(Clone, Copy, Debug)]
pub struct NoReins;

impl Reins for NoReins {
    fn stop(&self) {}
    fn end(&self) {}
}

/// What a mind says while it thinks. Nothing is said after the answer.
#[derive(Clone, Debug)]
pub struct Voice(pub(crate) Sender<Event>);

impl Voice {
    /// `MESSAGE text`, for whoever watches.
    pub fn message(&self, text: &str) {
        self.say(Saying::Message(text.to_owned()));
    }

    /// `DEBUG text`, for the author.
    pub fn debug(&self, text: &str) {
        self.say(Saying::Debug(text.to_owned()));
    }

    /// How the search stands.
    pub fn report(&self, report: SearchReport) {
        self.say(Saying::Report(report));
    }

    fn say(&self, saying: Saying) {
        // When nobody takes it any more the brain is about to end.
        let _ = self.0.send(Event::Said(saying));
    }
}
