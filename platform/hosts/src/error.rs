//! Why an engine could not be hosted.

use std::io;
use std::path::PathBuf;

use tengen_packages::shown;
use tengen_players::Fault;

/// Why an engine could not be probed or checked.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The engine's file cannot be read.
    #[error("{}: cannot be read: {source}; check that it exists and is yours to read", shown(path))]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The host program cannot be started.
    #[error("{}: cannot be started to host engines: {source}", shown(program))]
    Start {
        /// The program.
        program: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The engine's file is no engine, or not one that can be loaded here.
    #[error("{engine}: cannot be loaded: {reason}")]
    Refused {
        /// The engine's id.
        engine: String,
        /// What is wrong with it and what to do.
        reason: String,
    },
    /// The engine misbehaved while it was loaded.
    #[error("{engine}: failed while loading: {}", fault.detail)]
    Failed {
        /// The engine's id.
        engine: String,
        /// How.
        fault: Fault,
    },
    /// The engine does not play the games that it was to play.
    #[error("{engine}: {reason}")]
    UnusableProgram {
        /// The engine's id.
        engine: String,
        /// What it does not play, and how it said so.
        reason: String,
    },
    /// Everything hosted was interrupted.
    #[error("{engine}: interrupted")]
    Interrupted {
        /// The engine's id.
        engine: String,
    },
}

impl HostError {
    /// The error as the fault of a player that cannot be made ready.
    pub(crate) fn into_fault(self) -> Fault {
        let failure = match &self {
            HostError::Failed { fault, .. } => return fault.clone(),
            HostError::Refused { .. } | HostError::UnusableProgram { .. } => {
                tengen_arbiter::Failure::ProtocolError
            }
            // It was never there to crash.
            HostError::Start { .. } => tengen_arbiter::Failure::Stall,
            HostError::Read { .. } | HostError::Interrupted { .. } => {
                tengen_arbiter::Failure::Crash
            }
        };
        Fault { failure, detail: self.to_string() }
    }
}
