//! The meaning of a line from an engine.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use tengen_rules::Answer;

use crate::{About, SearchReport};

/// What a line of the brain meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Response<'a> {
    /// The board of the new game is ready.
    Ready,
    /// The brain begins no other game, or not on an empty board: its process must be started again
    /// for this one, and the open question, if there is one, put again.
    StartAgain,
    /// The answer to the question. Whether it is legal is decided by the arbiter: a stone off the
    /// board is [`OFF_BOARD`](crate::OFF_BOARD), an answer of another form than was asked for is
    /// given as it was meant.
    Answer(Answer),
    /// What the engine says of itself.
    About(About),
    /// The same, and that the board of the new game is ready: on one line, because the
    /// brain ended the first with no line end.
    Introduced(About),
    /// A line that means nothing here and is not for the log.
    Ignored,
    /// A line for the log, which asks for nothing.
    Log {
        /// What sort of line.
        kind: LogKind,
        text: Cow<'a, str>,
        /// What it reports of the search, as far as that was understood.
        report: Option<SearchReport>,
    },
    /// The brain broke the protocol or gave up.
    Fault(BrainFault),
}

/// The sort of a line for the log.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LogKind {
    /// MESSAGE: for the user.
    Message,
    /// DEBUG: for the brain's author.
    Debug,
    /// INFO: details of the search.
    Info,
    /// Something the brain need not have sent.
    Other,
    /// A line that is no answer where one is due, or an answer where none is due: ERROR, UNKNOWN,
    /// words of no known form, an answer given twice.
    Unexpected,
}

/// How a brain broke the protocol. Unless it is [held strictly](crate::GomocupDialogue::strict) to
/// it, that is to refuse a game alone: the rest is [noted](LogKind::Unexpected).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BrainFault {
    /// It answered a question with a line of no known form, which begins so.
    Junk(String),
    /// It answered ERROR to START or RECTSTART: it does not play on this board.
    Refused(String),
    /// It answered ERROR to a question.
    Error(String),
    /// It answered UNKNOWN to START or to a question.
    Unknown(String),
    /// It answered where nothing had been asked, or twice; the line begins so.
    Unasked(String),
}

impl fmt::Display for BrainFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BrainFault::Junk(excerpt) => write!(f, "answered `{excerpt}`, which is no answer"),
            BrainFault::Refused(text) => write!(f, "refused the board: ERROR {text}"),
            BrainFault::Error(text) => write!(f, "answered ERROR {text}"),
            BrainFault::Unknown(text) => write!(f, "answered UNKNOWN {text}"),
            BrainFault::Unasked(excerpt) => write!(f, "said `{excerpt}` without being asked"),
        }
    }
}

impl core::error::Error for BrainFault {}
