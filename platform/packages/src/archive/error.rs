//! Why an archive is not unpacked.

use std::io;
use std::path::PathBuf;

use tengen_files::NameProblem;

use super::limits::{MOST_BYTES, MOST_ENTRIES, MOST_FILE_BYTES};

/// Why an archive is not unpacked. Names in it are shown with their odd characters escaped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    #[error("cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    /// A folder, a device or a pipe.
    #[error("not a plain file")]
    NotAFile,
    /// Beyond what a package for Gomocup may have.
    #[error(
        "holds more than {} MiB, the most of a package for Gomocup; unpack it into a folder of its \
         own beside it, if you trust it", MOST_BYTES >> 20
    )]
    TooLarge,
    #[error(
        "`{}` in it is larger than {} MiB; unpack it into a folder of its own beside it, if you \
         trust it", .0.escape_debug(), MOST_FILE_BYTES >> 20
    )]
    FileTooLarge(String),
    #[error("holds more than {MOST_ENTRIES} files; unpack it into a folder of its own beside it")]
    TooMany,
    #[error("holds no file")]
    Empty,
    #[error("no whole zip archive: {0}; pack or copy it again")]
    Damaged(String),
    /// A name that no file should have.
    #[error("the name `{}` in it {problem}; pack it again without", .name.escape_debug())]
    Name {
        /// The name as the archive has it.
        name: String,
        problem: EntryProblem,
    },
    /// Two entries for one file where letters have no case.
    #[error(
        "`{}` and `{}` in it are one file on some systems; pack it again with other names",
        .one.escape_debug(), .other.escape_debug()
    )]
    Clash { one: String, other: String },
    #[error("`{}` in it is a symbolic link; pack it again with the file itself", .0.escape_debug())]
    Link(String),
    /// A device, a pipe or a socket.
    #[error("`{}` in it is no plain file; pack it again without", .0.escape_debug())]
    Special(String),
    #[error("`{}` in it is encrypted; pack it again without a password", .0.escape_debug())]
    Encrypted(String),
    /// A way of packing beyond the usual.
    #[error("`{}` in it is packed by {method}; pack it again as plain zip", .name.escape_debug())]
    Method {
        name: String,
        /// How it is packed.
        method: String,
    },
    /// Entries that share bytes: the archive would grow without end.
    #[error("entries in it overlap, as those of a zip bomb do")]
    Overlap,
    #[error("`{}` in it is not of the size that its header says", .0.escape_debug())]
    Lie(String),
    /// A file of it cannot be written, as on a disk that is full.
    #[error("cannot be unpacked: {0}")]
    Unwritten(io::Error),
    /// The folder for unpacked archives cannot be used.
    #[error("cannot be unpacked into {}: {source}", folder.display())]
    Cache { folder: PathBuf, source: io::Error },
}

/// What is wrong with the name of an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EntryProblem {
    #[error("is absolute")]
    Absolute,
    /// Of which one is a letter on some systems.
    #[error("has both `/` and `\\`")]
    Mixed,
    /// Some systems drop it.
    #[error("begins with a blank")]
    Begin,
    #[error("is in too many nested folders")]
    TooDeep,
    /// A name in it that no file should have.
    #[error(transparent)]
    Name(#[from] NameProblem),
}
