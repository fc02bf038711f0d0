//! Each window autosaves into a folder of its own and locks it while it is open. A folder without a
//! lock was left behind. Folders are created and removed under one lock for all of them.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use super::EXTENSION;
use crate::app::model::JournalError;
use crate::app::storage::journal;

/// The lock file in a folder.
const LOCK: &str = "lock";
/// How often the lock for all folders is tried, and the pause between.
const TRIES: u32 = 100;
const REST: Duration = Duration::from_millis(20);

/// Creates a folder and locks it. On a system without locks it stays unlocked.
pub(super) fn create(root: &Path, folder: &Path) -> io::Result<File> {
    fs::create_dir_all(root)?;
    let _all = lock_all(root);
    fs::create_dir_all(folder)?;
    let claim = open_lock(folder)?;
    match claim.try_lock() {
        Err(TryLockError::Error(error)) => log::warn!("{}: {error}", folder.display()),
        Err(TryLockError::WouldBlock) => return Err(io::ErrorKind::ResourceBusy.into()),
        Ok(()) => {}
    }
    Ok(claim)
}

/// Unlocks a folder, and removes it if it is empty.
pub(super) fn release(root: &Path, folder: &Path, claim: File) {
    let _all = lock_all(root);
    drop(claim);
    if is_empty(folder) {
        remove(folder);
    }
}

/// Locks every folder that a window left behind, and lists the files in them, oldest first. Empty
/// folders are removed.
pub(super) fn claim(root: &Path) -> (Vec<File>, Vec<PathBuf>, Option<JournalError>) {
    let (mut claims, mut found, mut problem) = (Vec::new(), Vec::new(), None);
    if !root.is_dir() {
        return (claims, found, problem);
    }
    let mut tell = |path: &Path, error| {
        problem = Some(JournalError::Unreadable { path: path.to_owned(), error });
    };
    let _all = lock_all(root).inspect_err(|error| log::warn!("{}: {error}", root.display()));
    match entries(root) {
        Ok(folders) => {
            for folder in folders.into_iter().filter(|folder| folder.is_dir()) {
                match claim_one(&folder) {
                    Ok(Some((claim, kept))) => {
                        claims.push(claim);
                        found.extend(kept);
                    }
                    Ok(None) => {}
                    Err(error) => tell(&folder, error),
                }
            }
        }
        Err(error) => tell(root, error),
    }
    found.sort_by_key(|path| path.file_name().map(ToOwned::to_owned));
    (claims, found, problem)
}

/// Locks a folder, unless its window is open or it is empty. On a system without locks its files
/// are opened all the same.
fn claim_one(folder: &Path) -> io::Result<Option<(File, Vec<PathBuf>)>> {
    let claim = open_lock(folder)?;
    let is_locked = match claim.try_lock() {
        Ok(()) => true,
        Err(TryLockError::WouldBlock) => return Ok(None),
        Err(TryLockError::Error(error)) => {
            log::warn!("{}: {error}", folder.display());
            false
        }
    };
    let kept = journal::list(folder, EXTENSION)?;
    let unfinished = journal::list(folder, tengen_files::UNFINISHED)?;
    for half in unfinished.iter().filter(|_| is_locked) {
        // Left by a program that was killed while it wrote.
        let _ignored = fs::remove_file(half);
    }
    if kept.is_empty() && is_empty(folder) {
        drop(claim);
        if is_locked {
            remove(folder);
        }
        return Ok(None);
    }
    Ok(Some((claim, kept)))
}

/// Locks all folders. A window that hangs with this lock does not keep another one from opening.
fn lock_all(root: &Path) -> io::Result<File> {
    let lock = open_lock(root)?;
    for _ in 0..TRIES {
        match lock.try_lock() {
            Ok(()) => return Ok(lock),
            Err(TryLockError::WouldBlock) => thread::sleep(REST),
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
    Err(io::ErrorKind::ResourceBusy.into())
}

/// Some systems lock only files opened for reading and writing.
fn open_lock(folder: &Path) -> io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(folder.join(LOCK))
}

fn entries(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}

fn is_empty(folder: &Path) -> bool {
    entries(folder).is_ok_and(|all| all.iter().all(|path| path.ends_with(LOCK)))
}

fn remove(folder: &Path) {
    // A folder that cannot be removed is found empty again next time.
    let _ignored = fs::remove_file(folder.join(LOCK)).and_then(|()| fs::remove_dir(folder));
}
