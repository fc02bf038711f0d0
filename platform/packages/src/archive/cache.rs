//! Where archives are unpacked.
//!
//! `CACHE/HASH` is the archive with that SHA-256. It is written beside its place and moved there
//! whole, so that no process sees half of it, and two may unpack at once. Each use checks that it
//! is still whole: other programs clean up cache folders.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};
/// What is being written has this extension.
pub(crate) use tengen_files::UNFINISHED;

use super::limits::MOST_BYTES;
use super::{Archive, ArchiveEntry, ArchiveError};
use crate::{cache, hex, open_file, platform};

/// No process writes so long.
pub(crate) const ABANDONED: Duration = Duration::from_hours(24);
/// What was not asked for in this time is thrown away.
pub(crate) const UNUSED: Duration = Duration::from_hours(24 * 90);

/// Unpacks the archive into the cache, if it is not there already, and says where.
pub(crate) fn unpack(archive: &Path, cache_dir: &Path) -> Result<PathBuf, ArchiveError> {
    let metadata = fs::metadata(archive)?;
    // What is no file is reported as that, not as an unreadable file.
    if !metadata.is_file() {
        return Err(ArchiveError::NotAFile);
    }
    if metadata.len() > MOST_BYTES {
        return Err(ArchiveError::TooLarge);
    }
    let seen = CacheKey {
        archive: archive.to_owned(),
        cache_dir: cache_dir.to_owned(),
        length: metadata.len(),
        modified: metadata.modified().ok(),
    };
    let known = CacheKey::known().get(&seen).cloned();
    if let Some((place, entries)) = known.filter(|(place, entries)| is_whole(place, entries)) {
        log::trace!("{} is unpacked, {} entries", place.display(), entries.len());
        return Ok(place);
    }
    let mut bytes = Vec::new();
    open_file(archive)?.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    let mut archive = Archive::read(&bytes)?;
    let place = cache_dir.join(hex(&Sha256::digest(&bytes)));
    if is_whole(&place, archive.entries()) {
        // The age of a folder in the cache counts from its last use; a system that cannot tell
        // unpacks it again some day.
        let _ = File::open(&place).and_then(|folder| folder.set_modified(SystemTime::now()));
    } else {
        put(&mut archive, &place, cache_dir)?;
    }
    CacheKey::known().insert(seen, (place.clone(), archive.entries().into()));
    Ok(place)
}

/// An archive as this process last read it, so that a large one is not read again for every engine
/// that is looked up.
#[derive(PartialEq, Eq, Hash)]
struct CacheKey {
    archive: PathBuf,
    cache_dir: PathBuf,
    length: u64,
    modified: Option<SystemTime>,
}

/// Where an archive is, and what there must be.
type UnpackedArchive = (PathBuf, Arc<[ArchiveEntry]>);

impl CacheKey {
    fn known() -> MutexGuard<'static, HashMap<CacheKey, UnpackedArchive>> {
        static KNOWN: LazyLock<Mutex<HashMap<CacheKey, UnpackedArchive>>> =
            LazyLock::new(Mutex::default);
        KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether every entry is there with its size.
fn is_whole(place: &Path, entries: &[ArchiveEntry]) -> bool {
    entries.iter().all(|entry| {
        fs::symlink_metadata(place.join(&entry.path)).is_ok_and(|found| match entry.is_folder {
            true => found.is_dir(),
            false => found.is_file() && found.len() == entry.size,
        })
    })
}

/// Unpacks beside the place and moves there.
fn put(archive: &mut Archive<'_>, place: &Path, cache_dir: &Path) -> Result<(), ArchiveError> {
    let failed = |source| ArchiveError::Cache { folder: cache_dir.to_owned(), source };
    cache::make_private(cache_dir).map_err(failed)?;
    sweep(cache_dir);
    let beside = beside(place);
    let written = write(archive, &beside, failed).and_then(|()| {
        if fs::rename(&beside, place).is_ok() || is_whole(place, archive.entries()) {
            // Another process may have been first; what it wrote is as good.
            return Ok(());
        }
        // Some of its files are missing. Programs that use it have it open.
        let old = self::beside(place);
        let moved = fs::rename(place, &old).and_then(|()| fs::rename(&beside, place));
        remove(&old);
        moved.map_err(failed)
    });
    if beside.exists() {
        remove(&beside);
    }
    written?;
    platform::make_read_only(place, true).map_err(failed)
}

/// A path in the cache that no other thread or process uses.
pub(crate) fn beside(place: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    place.with_extension(format!("{}-{count}.{UNFINISHED}", std::process::id()))
}

/// Writes what an archive holds into a new folder, in which nothing is to be changed then.
pub(crate) fn write(
    archive: &mut Archive<'_>,
    folder: &Path,
    failed: impl Fn(io::Error) -> ArchiveError,
) -> Result<(), ArchiveError> {
    // One that is there was left by a process of the same number.
    if folder.exists() {
        remove(folder);
    }
    fs::create_dir(folder).map_err(&failed)?;
    for place in 0..archive.entries().len() {
        let entry = archive.entries()[place].clone();
        let path = folder.join(&entry.path);
        let above = if entry.is_folder { Some(path.as_path()) } else { path.parent() };
        fs::create_dir_all(above.unwrap_or(folder)).map_err(&failed)?;
        if !entry.is_folder {
            let file = OpenOptions::new().write(true).create_new(true).open(&path);
            let mut sink = ProgramFile { file: file.map_err(&failed)?, begin: Vec::new() };
            archive.pour(place, &mut sink)?;
            let is_executable = entry.is_executable || is_program(&sink.begin);
            drop(sink);
            platform::make_read_only(&path, is_executable).map_err(&failed)?;
        }
    }
    folders(folder)
        .and_then(|folders| {
            let inner = folders.iter().filter(|inner| *inner != folder);
            inner.rev().try_for_each(|inner| platform::make_read_only(inner, true))
        })
        .map_err(failed)
}

/// A file that keeps what it begins with.
struct ProgramFile {
    file: File,
    begin: Vec<u8>,
}

impl Write for ProgramFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.file.write(bytes)?;
        let lack = 4_usize.saturating_sub(self.begin.len()).min(count);
        self.begin.extend_from_slice(&bytes[..lack]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Whether these bytes begin a program or a script: archives made on Windows do not say.
fn is_program(begin: &[u8]) -> bool {
    begin.starts_with(b"#!")
        || begin.starts_with(b"\x7fELF")
        || begin.starts_with(b"MZ")
        || matches!(begin, [0xcf | 0xce, 0xfa, 0xed, 0xfe] | [0xca, 0xfe, 0xba, 0xbe])
}

/// The folder and all in it, each before what it holds.
fn folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(folder) = found.get(next).cloned() {
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                found.push(entry.path());
            }
        }
        next += 1;
    }
    Ok(found)
}

/// Removes what was unpacked. What cannot be removed stays until the cache is swept again.
pub(crate) fn remove(folder: &Path) {
    let removed = platform::make_writable(folder).and_then(|()| {
        folders(folder)?.iter().try_for_each(|inner| platform::make_writable(inner))?;
        fs::remove_dir_all(folder)
    });
    if let Err(error) = removed {
        log::warn!("{}: cannot be removed: {error}", folder.display());
    }
}

/// How long ago a file or folder was changed; no time where the system does not tell.
pub(crate) fn age(path: &Path) -> Duration {
    let modified = fs::symlink_metadata(path).and_then(|file| file.modified());
    modified.ok().and_then(|modified| modified.elapsed().ok()).unwrap_or_default()
}

/// Throws away what was left unfinished and what is no longer used.
fn sweep(cache_dir: &Path) {
    let Ok(entries) = fs::read_dir(cache_dir) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let is_unfinished = path.extension().is_some_and(|extension| extension == UNFINISHED);
        if age(&path) > if is_unfinished { ABANDONED } else { UNUSED } {
            remove(&path);
        }
    }
}
