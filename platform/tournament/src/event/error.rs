//! Why an event could not be made, opened, run or exported.

use std::io;
use std::path::{Path, PathBuf};

use tengen_record::UnpackError;

use crate::{ConfigError, StoreError};

/// Why an event could not be made, opened, run or exported.
#[derive(Debug, thiserror::Error)]
pub enum EventError {
    /// The configuration is no good.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The folder for a new event already holds an event.
    #[error(
        "{}: there is an event already; go on with it by `tengen tournament resume {}`, or give \
         another folder with --out",
        dir.display(), dir.display()
    )]
    Exists { dir: PathBuf },
    /// The folder for a new event has files in it that are no event.
    #[error("{}: the folder is not empty; give another one with --out", dir.display())]
    NotEmpty { dir: PathBuf },
    #[error(
        "{}: no event is there, for it has no event.toml; name the folder that --out named",
        dir.display()
    )]
    NoEvent { dir: PathBuf },
    /// The frozen configuration is not the one the event began with.
    #[error(
        "{}: {place} has changed since the event began, so its games would not belong together; \
         take the change back (delete the file, and `tengen tournament resume {}` writes it as it \
         was), or make a new event of it with `tengen tournament run {} --out NEW`; the engines of \
         an event are changed with `tengen tournament add` and `remove`",
        path.display(), folder(path), path.display()
    )]
    Changed {
        /// The configuration file.
        path: PathBuf,
        /// The first key that is another one, with its line.
        place: String,
    },
    /// The frozen configuration cannot be read as one.
    #[error(
        "{}: damaged ({reason}); delete the file, and `tengen tournament resume {}` writes it as \
         it was when the event began",
        path.display(), folder(path)
    )]
    Frozen {
        /// The configuration file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another process is playing the event.
    #[error(
        "{}: another tengen{by} is playing this event; wait for it, or stop it with `tengen \
         tournament stop {}`",
        dir.display(), dir.display()
    )]
    Running {
        dir: PathBuf,
        /// Which process, in words that follow "another tengen"; empty where that is not known.
        by: String,
    },
    /// No process plays the event, so an order would reach none.
    #[error(
        "{}: no tengen is playing this event now; play it with `tengen tournament resume {}`",
        dir.display(), dir.display()
    )]
    NotRunning { dir: PathBuf },
    /// The event was changed by another process after this one had looked at it.
    #[error(
        "{}: the event was changed meanwhile ({change}), so nothing was done; look at it with \
         `tengen tournament report {}`, and try again",
        dir.display(), dir.display()
    )]
    Stale { dir: PathBuf, change: String },
    /// An act of a referee that cannot be.
    #[error("{}: {problem}", dir.display())]
    Act {
        dir: PathBuf,
        /// What it is about, and why not.
        problem: String,
    },
    #[error(
        "{}: cannot be merged with {}: {problem}",
        one.display(), other.display()
    )]
    Unlike {
        one: PathBuf,
        other: PathBuf,
        /// The key in which they differ, and what each has.
        problem: String,
    },
    /// The actions of a stored game are no actions.
    #[error(
        "{}: game {number}: {source}; restore the file from a copy, or go on with `tengen \
         tournament resume {} --repair`, which plays the game again",
        path.display(), folder(path)
    )]
    Game {
        path: PathBuf,
        number: u64,
        /// What is wrong with it.
        source: UnpackError,
    },
    /// The records could not be exported.
    #[error(
        "{}: cannot be written: {source}; every finished game is saved in {}: make room and try \
         again, or write the records elsewhere with `tengen tournament report {} --records FILE`",
        path.display(), dir.display(), dir.display()
    )]
    Export {
        /// The file of records.
        path: PathBuf,
        dir: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A folder that this system would give another name, or in which it has no files.
    #[error("{}: cannot be the folder of an event: {source}", dir.display())]
    Place { dir: PathBuf, source: io::Error },
    /// The system refused a file.
    #[error(
        "{}: cannot be {verb}: {source}; check that there is room, and that you may write there",
        path.display()
    )]
    File {
        /// The file or folder.
        path: PathBuf,
        /// What was to be done with it: `made`, `written`…
        verb: &'static str,
        /// What the system says.
        source: io::Error,
    },
}

fn folder(path: &Path) -> std::path::Display<'_> {
    path.parent().unwrap_or(path).display()
}

impl EventError {
    /// Makes an error of the system's refusal to do something with a file.
    pub(crate) fn file(path: &Path, verb: &'static str) -> impl FnOnce(io::Error) -> EventError {
        let path = path.to_owned();
        move |source| EventError::File { path, verb, source }
    }
}
