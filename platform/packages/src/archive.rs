//! Zip archives of engines, packed by strangers.
//!
//! An archive is judged by its directory before any of it is unpacked: names, kinds, sizes, number.
//! It is unpacked once, into a folder named by the hash of its bytes, in a cache folder that only
//! this user may write to.

mod cache;
mod error;
mod limits;
mod name;
mod reader;
#[cfg(test)]
pub(super) mod samples;
#[cfg(test)]
mod tests;
mod writer;

pub(super) use cache::{ABANDONED, UNFINISHED, UNUSED, age, beside, remove, unpack, write};
pub use error::{ArchiveError, EntryProblem};
pub use reader::Archive;
pub use writer::ArchiveWriter;

/// A file or a folder of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchiveEntry {
    /// Its path in the archive, with `/` between names; safe below any folder on any system.
    pub path: String,
    /// Bytes of the file, unpacked; 0 for a folder.
    pub size: u64,
    pub is_folder: bool,
    /// Whether the archive says that it can be started.
    pub is_executable: bool,
}
