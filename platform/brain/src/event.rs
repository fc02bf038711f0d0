//! The events that the server handles.

use std::time::Instant;

use tengen_gomocup::SearchReport;

use crate::ThinkResult;

#[derive(Debug)]
pub(crate) enum ServerEvent {
    /// A line from the manager, and when it was read.
    Line(Vec<u8>, Instant),
    /// The input has ended.
    Closed,
    /// The user stops the brain.
    Interrupt,
    /// The thinker is ready for a game, or why it is not.
    Ready(Result<(), String>),
    /// The thinker has answered, or why it has not.
    Answer(Result<ThinkResult, String>),
    /// The thinker sends a line while it thinks.
    Output(OutputLine),
    /// The thinker's thread has ended.
    ThreadEnded,
}

/// What a thinker sends beside its answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OutputLine {
    Message(String),
    Debug(String),
    SearchReport(SearchReport),
}
