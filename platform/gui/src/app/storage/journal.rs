//! The files that the window writes by itself: settings, games, unsaved work, the event form. Each
//! is replaced as a whole, so that there is a whole file whenever the program ends.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tengen_record::read_text;

use super::files::write_file;
use crate::app::model::JournalError;

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
pub(in crate::app) fn write(
    path: &Path,
    text: &str,
    durability: Durability,
) -> Result<(), JournalError> {
    let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
    let written =
        folder.and_then(|()| write_file(path, text.as_bytes(), durability == Durability::Machine));
    written.map_err(|error| JournalError::Unwritable { path: path.to_owned(), error })
}

/// Removes a file, if it is there.
pub(in crate::app) fn remove(path: &Path) -> Result<(), JournalError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(JournalError::Unwritable { path: path.to_owned(), error })
        }
        _ => Ok(()),
    }
}

/// Reads a file of at most so many bytes; none if there is no file.
pub(in crate::app) fn read(path: &Path, most: u64) -> Result<Option<String>, JournalError> {
    let path = || path.to_owned();
    match read_text(&path(), most) {
        Ok(text) => Ok(Some(text)),
        Err(error) => match error.kind() {
            io::ErrorKind::NotFound => Ok(None),
            // A file that is not text is damaged; one that cannot be opened may be good.
            io::ErrorKind::InvalidData | io::ErrorKind::FileTooLarge => {
                Err(JournalError::Damaged { path: path(), reason: error.to_string() })
            }
            _ => Err(JournalError::Unreadable { path: path(), error }),
        },
    }
}

/// Moves a damaged file aside, so that it can be inspected and is not overwritten. One that cannot
/// be moved counts as one that cannot be read.
pub(in crate::app) fn move_aside(path: &Path, reason: String) -> JournalError {
    let aside = path.with_extension("damaged");
    match fs::rename(path, &aside) {
        Ok(()) => JournalError::Damaged { path: aside, reason },
        Err(_) => {
            JournalError::Unreadable { path: path.to_owned(), error: io::Error::other(reason) }
        }
    }
}

/// The files with this extension in a folder, oldest first.
pub(in crate::app) fn list(folder: &Path, extension: &str) -> io::Result<Vec<PathBuf>> {
    let entries = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == extension));
    paths.sort();
    Ok(paths)
}
