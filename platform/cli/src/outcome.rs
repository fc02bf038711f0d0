use std::process::ExitCode;

use tengen_lineup::WrongUse;
use tengen_tournament::{ConfigError, EventError};

/// What a command came to; the exit code is made from it.
pub(crate) enum CommandOutcome {
    /// Done as asked.
    Done,
    /// Done, and the answer is no: an engine failed its check, a line was bad.
    Failed,
    /// An event was played, and the machine spoiled more than one in a hundred of its games.
    Spoiled,
    /// A test has ended without an answer.
    Inconclusive,
    /// Stopped by Ctrl-C with everything saved.
    Interrupted,
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> ExitCode {
        match outcome {
            CommandOutcome::Done => ExitCode::SUCCESS,
            CommandOutcome::Failed => ExitCode::from(1),
            CommandOutcome::Spoiled => ExitCode::from(3),
            CommandOutcome::Inconclusive => ExitCode::from(4),
            CommandOutcome::Interrupted => ExitCode::from(130),
        }
    }
}

pub(crate) fn wrong_use(error: ConfigError) -> anyhow::Error {
    WrongUse(error.into()).into()
}

/// A wrong call and a failed event have different exit codes.
pub(crate) fn event_error(error: EventError) -> anyhow::Error {
    match error {
        EventError::Config(_)
        | EventError::Exists { .. }
        | EventError::NotEmpty { .. }
        | EventError::Unlike { .. }
        | EventError::Act { .. }
        | EventError::NoEvent { .. } => WrongUse(error.into()).into(),
        error => error.into(),
    }
}
