use std::time::Instant;

use tengen_gomocup::SearchReport;

use crate::Thought;

/// What a desk hears of, from any side.
#[derive(Debug)]
pub(crate) enum Event {
    /// A line of the manager, and when it was read.
    Line(Vec<u8>, Instant),
    /// The manager says no more.
    Closed,
    /// The user wants an end.
    Interrupt,
    /// The mind is ready for a game, or why it is not.
    Ready(Result<(), String>),
    /// The mind has answered, or why it has not.
    Thought(Result<Thought, String>),
    /// The mind says something unasked.
    Said(Saying),
    /// The thread of the mind has ended.
    Gone,
}

/// What a mind says unasked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Saying {
    Message(String),
    Debug(String),
    Report(SearchReport),
}
