//! Files that appear whole or not at all.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::iter;
use std::path::{Path, PathBuf};

use tengen_files::{AtomicFile, check_path, rename_on_disk};

use super::{ASIDE, CONFIG, DATABASE, Event, EventError, LOCK, LOCK_OWNER, UNFINISHED, lock};

/// What SQLite appends to a database's name for the files it keeps beside it.
const DATABASE_FILES: [&str; 4] = ["", "-wal", "-shm", "-journal"];

/// How much longer than its folder's the paths of an event get, as those of the logs of its games.
const ROOM: usize = 40;

/// Makes the folder of an event, which must be one where all its files can be.
pub(super) fn make_folder(dir: &Path) -> Result<(), EventError> {
    check_path(dir, Some(ROOM))
        .map_err(|source| EventError::Place { dir: dir.to_owned(), source })?;
    fs::create_dir_all(dir).map_err(EventError::file(dir, "made"))
}

/// Refuses a folder that has anything in it but what an event that was never finished left there.
pub(super) fn refuse_used(dir: &Path) -> Result<(), EventError> {
    if Event::exists(dir) {
        return Err(EventError::Exists { dir: dir.to_owned() });
    }
    for entry in fs::read_dir(dir).map_err(EventError::file(dir, "read"))? {
        let entry = entry.map_err(EventError::file(dir, "read"))?;
        let name = entry.file_name();
        let is_lock = || (name == LOCK || name == LOCK_OWNER) && lock::is_left_over(&entry.path());
        if !is_left_over(&name) && !is_lock() {
            return Err(EventError::NotEmpty { dir: dir.to_owned() });
        }
    }
    Ok(())
}

/// Writes a file under another name, and gives it its own when it is on the disk.
pub(super) fn write(
    path: &Path,
    fill: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> Result<(), EventError> {
    write_with(path, fill).map_err(EventError::file(path, "written"))
}

/// The same, with the system's own error.
fn write_with(path: &Path, fill: impl FnOnce(&mut AtomicFile) -> io::Result<()>) -> io::Result<()> {
    let file = AtomicFile::create_own(path, &with_end(path, UNFINISHED))?;
    fill_and_finish(file, fill)
}

/// Writes a file of the event's folder, or one that the user names anywhere else, with the system's
/// own error.
pub(super) fn write_anywhere(
    path: &Path,
    dir: &Path,
    fill: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> io::Result<()> {
    if path.parent() == Some(dir) {
        return write_with(path, fill);
    }
    fill_and_finish(AtomicFile::create(path)?, fill)
}

fn fill_and_finish(
    mut file: AtomicFile,
    fill: impl FnOnce(&mut AtomicFile) -> io::Result<()>,
) -> io::Result<()> {
    fill(&mut file)?;
    file.finish_on_disk()
}

/// Renames a file that is on the disk, and waits until its new name is.
pub(super) fn rename(from: &Path, to: &Path) -> Result<(), EventError> {
    rename_on_disk(from, to).map_err(EventError::file(to, "written"))
}

/// Copies a file, if it exists, and the files beside it with these endings, under the first free
/// name, and gives that name.
pub(super) fn copy_aside(path: &Path, ends: &[&str]) -> Result<Option<PathBuf>, EventError> {
    if !is_taken(path) {
        return Ok(None);
    }
    let numbered = (2..).map(|number| with_end(path, &format!("{ASIDE}-{number}")));
    let is_free = |aside: &PathBuf| ends.iter().all(|end| !is_taken(&with_end(aside, end)));
    let aside = iter::once(with_end(path, ASIDE)).chain(numbered).find(is_free);
    let aside = aside.expect("there are endless names");
    // The file itself comes last: the others belong to it only once it exists.
    for end in ends.iter().rev() {
        let (from, to) = (with_end(path, end), with_end(&aside, end));
        if fs::symlink_metadata(&from).is_ok_and(|there| there.is_file()) {
            copy(&from, &to).map_err(EventError::file(&to, "written"))?;
        } else if end.is_empty() {
            // To copy a pipe or a device might never end, and a link leads elsewhere.
            fs::rename(&from, &to).map_err(EventError::file(&to, "written"))?;
        }
    }
    Ok(Some(aside))
}

/// Whether something has that name, be it a link to nothing.
fn is_taken(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn copy(from: &Path, to: &Path) -> io::Result<u64> {
    io::copy(&mut fs::File::open(from)?, &mut fs::File::create_new(to)?)
}

/// The copies of a file that were put aside, the oldest first.
pub(super) fn copies_aside(path: &Path) -> Vec<PathBuf> {
    let numbered = (2..).map(|number| with_end(path, &format!("{ASIDE}-{number}")));
    let copies = iter::once(with_end(path, ASIDE)).chain(numbered);
    copies.take_while(|aside| aside.exists()).collect()
}

/// Removes what a database keeps beside it.
pub(super) fn remove_logs(database: &Path) -> Result<(), EventError> {
    for end in &DATABASE_FILES[1..] {
        let path = with_end(database, end);
        if is_taken(&path) {
            fs::remove_file(&path).map_err(EventError::file(&path, "replaced"))?;
        }
    }
    Ok(())
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    PathBuf::from(name)
}

/// Removes what an event that was never finished left.
pub(super) fn remove_left_over(dir: &Path) -> Result<(), EventError> {
    for entry in fs::read_dir(dir).map_err(EventError::file(dir, "read"))?.flatten() {
        if is_left_over(&entry.file_name()) {
            let path = entry.path();
            fs::remove_file(&path).map_err(EventError::file(&path, "replaced"))?;
        }
    }
    Ok(())
}

/// Whether a file is one of ours under its first name, or the database's own beside one.
fn is_left_over(name: &OsStr) -> bool {
    let of_ours = |file| name.to_str()?.strip_prefix::<&str>(file)?.strip_prefix(UNFINISHED);
    let database = of_ours(DATABASE);
    of_ours(CONFIG) == Some("") || database.is_some_and(|end| DATABASE_FILES.contains(&end))
}
