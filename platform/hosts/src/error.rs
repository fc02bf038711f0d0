//! Why an engine could not be hosted.

use std::io;
use std::path::PathBuf;

use tengen_packages::{EngineSpec, EnrollError, shown};
use tengen_players::Fault;

/// Why an engine could not be probed or checked.
#[derive(Debug, thiserror::Error)]
pub enum HostError {
    /// The engine's file cannot be read.
    #[error("{}: cannot be read: {source}; check that it exists and is yours to read", shown(path))]
    Read {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    #[error("{}: cannot be started to host engines: {source}", shown(program))]
    Start {
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
    /// Its files are not those any more that it was enrolled with.
    #[error(
        "{engine}: {} was changed since the engine was enrolled; put the old file back, or enroll \
         the new one",
        shown(path)
    )]
    Changed {
        /// The engine's id.
        engine: String,
        /// The first of the files.
        path: PathBuf,
    },
    /// Its files cannot be enrolled.
    #[error(transparent)]
    Enroll(#[from] EnrollError),
    /// Everything hosted was interrupted.
    #[error("{engine}: interrupted")]
    Interrupted {
        /// The engine's id.
        engine: String,
    },
}

impl HostError {
    /// Makes sure that an engine is started with the files that it was enrolled with.
    pub(crate) fn unless_as_enrolled(spec: &EngineSpec) -> Result<(), HostError> {
        let spoiled = spec.enrolled.as_ref().and_then(|files| files.spoiled());
        spoiled.map_or(Ok(()), |path| {
            Err(HostError::Changed { engine: spec.id.clone(), path: path.to_owned() })
        })
    }

    /// The error as the fault of a player that cannot be made ready.
    pub(crate) fn into_fault(self) -> Fault {
        let failure = match &self {
            HostError::Failed { fault, .. } => return fault.clone(),
            HostError::Refused { .. } | HostError::UnusableProgram { .. } => {
                tengen_arbiter::Failure::ProtocolError
            }
            // It was never there to crash.
            HostError::Start { .. } | HostError::Changed { .. } => tengen_arbiter::Failure::Stall,
            HostError::Read { .. } | HostError::Enroll(_) | HostError::Interrupted { .. } => {
                tengen_arbiter::Failure::Crash
            }
        };
        Fault { failure, detail: self.to_string() }
    }
}
