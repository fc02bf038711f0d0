//! The files that the window writes by itself: settings, games that are played, unsaved work. Each
//! is replaced as a whole, so that there is a whole file whenever the program ends. A damaged one is
//! moved aside and never lost.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tengen_record::read_text;

use super::files::write_file;

/// Why a file cannot be read.
#[derive(Debug)]
pub(in crate::app) enum JournalError {
    /// It is damaged, for this reason.
    Damaged(String),
    /// It cannot be opened now, and may be good.
    Unreadable(io::Error),
}

/// When a write is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) enum Durability {
    /// Once the file survives the end of the program, but perhaps not of the machine.
    Program,
    /// Once it is on the disk.
    Machine,
}

/// A new unique name, in the order of time.
pub(in crate::app) fn unique_name() -> String {
    static NAMED: AtomicU64 = AtomicU64::new(0);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let number = NAMED.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{number:04}", since.as_millis(), std::process::id())
}

/// Replaces a file, or leaves the old one. Its folder is created.
pub(in crate::app) fn write(path: &Path, text: &str, durability: Durability) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    write_file(path, text.as_bytes(), durability == Durability::Machine)
}

/// Removes a file, if it is there.
pub(in crate::app) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads a file of at most so many bytes.
pub(in crate::app) fn read(path: &Path, most: u64) -> Result<String, JournalError> {
    read_text(path, most).map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge => {
            JournalError::Damaged(error.to_string())
        }
        _ => JournalError::Unreadable(error),
    })
}

/// Moves a damaged file aside, so that it can be inspected and is not overwritten. Returns where it
/// is then, or nothing if it could not be moved.
pub(in crate::app) fn move_aside(path: &Path) -> Option<PathBuf> {
    let aside = path.with_extension("damaged");
    fs::rename(path, &aside).is_ok().then_some(aside)
}

/// The files with this extension in a folder, oldest first.
pub(in crate::app) fn list(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == extension));
    paths.sort();
    Ok(paths)
}
