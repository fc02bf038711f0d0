//! Where the copies are: `CACHE/engines/DIGEST-NAMES` holds the files with that digest of their
//! contents and with those names, and the file `lock`, which every process that uses them holds.
//! `CACHE/engines/seen` has the names of copies, by the stamps of the original files.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::list::{FileList, FileNature, ListedFile};
use crate::archive::{ABANDONED, UNFINISHED, UNUSED, age, beside, remove};
use crate::{cache, hex, open_file, platform};

/// The folder of the copies in that of the caches.
const FOLDER: &str = "engines";
/// Digits of the digest of the names.
const NAMES: usize = 16;
const SEEN: &str = "seen";
/// The file that is locked by every process that uses a copy; it says how many bytes that has.
const LOCK: &str = "lock";
/// What is kept of copies that are not in use.
const MOST_UNUSED: u64 = 2 << 30;
/// How often, and for how long each time, to wait for a process that checks whether a copy is in
/// use.
const LOOKS: u32 = 10;
const LOOK: Duration = Duration::from_millis(2);
/// A file that was changed so lately may be changed again at what counts as the same moment.
const YOUNG: Duration = Duration::from_secs(2);
/// Files that come and go beside an engine's files, and do not belong to it.
const ASIDE: [&str; 6] = [".git", ".hg", ".svn", "__pycache__", ".DS_Store", "Thumbs.db"];

/// A copy of an engine's files, which is not removed while this is there.
pub(crate) struct KeptCopy {
    folder: PathBuf,
    /// The name of that.
    name: String,
    pub digest: String,
    pub lock: File,
}

impl KeptCopy {
    /// The folders that its files and folders lie in.
    pub(super) fn places(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut places: Vec<_> = entries.map(|entry| entry.path()).collect();
        // They are numbers.
        places.sort_by_key(|place| (place.as_os_str().len(), place.clone()));
        places
    }

    /// Each of these files and folders that it has, behind its copy.
    pub(super) fn of_roots<'a>(
        &self,
        roots: &'a [PathBuf],
    ) -> impl Iterator<Item = (PathBuf, &'a Path)> {
        let places = self.places();
        let mut taken = Vec::new();
        roots.iter().filter_map(move |root| {
            let at = |place: &PathBuf| place.join(name_of(root));
            let copies = places.iter().map(at);
            let copy = copies.filter(|copy| fs::symlink_metadata(copy).is_ok());
            let copy = copy.into_iter().find(|copy| !taken.contains(copy))?;
            taken.push(copy.clone());
            Some((copy, root.as_path()))
        })
    }
}

/// What came of it to keep a copy of files.
pub(crate) enum Kept {
    Copy(KeptCopy),
    /// This file was changed meanwhile.
    Changed(PathBuf),
}

/// Makes a copy of these files, unless there is one.
///
/// # Errors
/// When none can be made, with the path at fault.
pub(crate) fn keep(list: &FileList, caches: &Path) -> Result<Kept, (PathBuf, io::Error)> {
    let folder = caches.join(FOLDER);
    let failed = |error| (folder.clone(), error);
    cache::make_private(caches).and_then(|()| cache::make_private(&folder)).map_err(failed)?;
    // By this path an engine may see it, too.
    let folder = dunce::canonicalize(&folder).map_err(failed)?;
    if platform::forbids_programs(&folder) {
        return Err(failed(io::Error::other("no program can be run from there (noexec)")));
    }
    let seen = seen(list).map(|name| folder.join(SEEN).join(name));
    let known = seen.as_deref().and_then(|seen| fs::read_to_string(seen).ok());
    if let Some(copy) = known.and_then(|name| open(&folder, &name)) {
        return Ok(Kept::Copy(copy));
    }
    sweep(&folder);
    let unfinished = beside(&folder.join("new"));
    let written = write(list, &unfinished);
    let kept = written.and_then(|(name, bytes)| match list.changed() {
        None => put(&folder, &unfinished, &name, bytes).map(Kept::Copy),
        Some(changed) => Ok(Kept::Changed(changed.to_owned())),
    });
    if unfinished.exists() {
        remove(&unfinished);
    }
    let kept = kept.map_err(|error| (folder.clone(), error))?;
    if let (Kept::Copy(copy), Some(seen)) = (&kept, seen) {
        note(&seen, &copy.name);
    }
    Ok(kept)
}

/// The copies with that digest, whatever they are called.
pub(super) fn find(digest: &str, caches: &Path) -> impl Iterator<Item = KeptCopy> {
    let folder = dunce::canonicalize(caches.join(FOLDER)).unwrap_or_default();
    let begin = format!("{digest}-");
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let names = names.filter(move |name| name.starts_with(&begin));
    names.filter_map(move |name| open(&folder, &name))
}

fn open(folder: &Path, name: &str) -> Option<KeptCopy> {
    let is_hex = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let (digest, _) = name.split_once('-').filter(|(one, other)| is_hex(one) && is_hex(other))?;
    let place = folder.join(name);
    if !platform::is_private(&fs::symlink_metadata(&place).ok()?) {
        return None;
    }
    let mut lock = open_file(&place.join(LOCK)).ok()?;
    // A process that is about to remove it locks it alone; so does, for a moment, one that looks
    // whether it is in use.
    let mut tries = (0..LOOKS).map(|_| lock.try_lock_shared());
    tries
        .find(|tried| {
            let is_done = !matches!(tried, Err(TryLockError::WouldBlock));
            if !is_done {
                std::thread::sleep(LOOK);
            }
            is_done
        })?
        .ok()?;
    let mut bytes = String::new();
    lock.read_to_string(&mut bytes).ok()?;
    let bytes: u64 = bytes.parse().ok()?;
    let (name, digest) = (name.to_owned(), digest.to_owned());
    let copy = KeptCopy { folder: place, name, digest, lock };
    // It may have been removed before it was locked, or lack what was swept.
    (count(&copy.folder).ok()? == bytes).then_some(())?;
    let _ = File::open(&copy.folder).and_then(|file| file.set_modified(SystemTime::now()));
    Some(copy)
}

/// The bytes of all files below that folder, and of the names of all.
fn count(folder: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next)? {
            let entry = entry?;
            let file = entry.metadata()?;
            if next == folder && entry.file_name() == LOCK {
                continue;
            }
            bytes += entry.file_name().len() as u64;
            if file.is_dir() {
                folders.push(entry.path());
            } else if file.is_file() {
                bytes += file.len();
            }
        }
    }
    Ok(bytes)
}

/// Gives a copy its place, unless another process was first: what that wrote is as good.
fn put(folder: &Path, unfinished: &Path, name: &str, bytes: u64) -> io::Result<KeptCopy> {
    let place = folder.join(name);
    if let Some(copy) = open(folder, name) {
        return Ok(copy);
    }
    fs::write(unfinished.join(LOCK), bytes.to_string())?;
    if fs::rename(unfinished, &place).is_err() {
        // It lacks something, or is about to be removed. A process that uses it has it open.
        if let Some(copy) = open(folder, name) {
            return Ok(copy);
        }
        let old = beside(&place);
        fs::rename(&place, &old)?;
        fs::rename(unfinished, &place)?;
        remove(&old);
    }
    open(folder, name).ok_or_else(|| io::Error::other("the copy is gone at once"))
}

/// Copies the files, and gives the name of the copy and its bytes.
fn write(list: &FileList, to: &Path) -> io::Result<(String, u64)> {
    platform::make_private(to)?;
    let mut lines = Vec::new();
    let mut folders = Vec::new();
    for file in &list.files {
        let place = to.join(file.root.to_string());
        if file.is_root() {
            fs::create_dir_all(&place)?;
        }
        let root = place.join(name_of(&list.roots[file.root]));
        // Joining nothing would leave a separator behind, which no file has.
        let copy = if file.is_root() { root } else { root.join(&file.name) };
        let contents = match &file.nature {
            FileNature::Folder => {
                fs::create_dir(&copy)?;
                folders.push(copy);
                "folder".to_owned()
            }
            FileNature::Link(target) => {
                platform::link(target, &copy)?;
                format!("link {}", target.display())
            }
            FileNature::File => match open_file(&file.path) {
                // The engine cannot read it either.
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => continue,
                source => copy_file(source?, &copy)?,
            },
        };
        if !file.name.iter().any(|part| ASIDE.iter().any(|aside| part == *aside)) {
            lines.push(format!("{} {contents}", digest_name(list, file)));
        }
    }
    for live in &list.live {
        // There what is live is shown.
        let at = list.roots.iter().enumerate().find_map(|(place, root)| {
            let rest = live.strip_prefix(root).ok()?;
            Some(to.join(place.to_string()).join(name_of(root)).join(rest))
        });
        at.map_or(Ok(()), fs::create_dir)?;
    }
    for folder in folders.iter().rev() {
        platform::make_read_only(folder, true)?;
    }
    lines.sort();
    let names: Vec<_> = list.roots.iter().map(|root| name_of(root)).collect();
    let [digest, names] = [lines, names].map(|all| hex(&Sha256::digest(all.join("\n"))));
    Ok((format!("{digest}-{}", &names[..NAMES]), count(to)?))
}

/// Copies a file and gives the digest of the copy. The system may share the blocks.
fn copy_file(mut source: File, to: &Path) -> io::Result<String> {
    let before = source.metadata()?;
    let mut target = File::create_new(to)?;
    io::copy(&mut source, &mut target)?;
    // What is compiled of a file may be kept beside it by its time.
    if let Ok(modified) = before.modified() {
        target.set_modified(modified)?;
    }
    drop(target);
    let digest = crate::digest(open_file(to)?)?;
    platform::keep_rights(&before, to)?;
    let kind = if platform::is_executable(&before) { "program" } else { "file" };
    Ok(format!("{kind} {digest}"))
}

/// The name of a file in the digest, which does not depend on the engine's or the folder's name.
fn digest_name(list: &FileList, file: &ListedFile) -> String {
    let root = name_of(&list.roots[file.root]);
    let is_folder = list.files[file.root].nature == FileNature::Folder;
    let begin = match root.split_once('.') {
        Some((_, extension)) if !is_folder => format!(".{extension}"),
        _ => String::new(),
    };
    // Two files that change places are another engine.
    format!("{} {begin}/{}", file.root, file.name.display())
}

pub(crate) fn name_of(root: &Path) -> String {
    root.file_name().map_or_else(|| "root".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The name for what is known about files with these stamps; None if they were changed just now.
fn seen(list: &FileList) -> Option<String> {
    let mut digester = Sha256::new();
    for file in list.files.iter().filter(|file| file.nature != FileNature::Folder) {
        let age = file.stamp.latest().elapsed().ok()?;
        if age < YOUNG {
            return None;
        }
        digester.update(format!("{:?} {:?}\n", file.path, file.stamp));
    }
    Some(hex(&digester.finalize()))
}

/// Notes what files were found to be. Where that cannot be, they are read again.
fn note(seen: &Path, digest: &str) {
    let folder = seen.parent().unwrap_or(Path::new(""));
    let written = platform::make_private(folder)
        .and_then(|()| tengen_files::write(seen, digest.as_bytes(), false));
    if let Err(error) = written {
        log::debug!("{}: not noted: {error}", seen.display());
    }
}

/// Throws away what was left unfinished, and what is not in use: that which was not used for long,
/// and, if all of it is much, that which was used least lately.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder.join(SEEN)).into_iter().flatten().flatten() {
        if age(&entry.path()) > UNUSED {
            let _ = fs::remove_file(entry.path());
        }
    }
    let mut unused = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|extension| extension == UNFINISHED) {
            if age(&path) > ABANDONED {
                remove(&path);
            }
        } else if let Some(bytes) = unused_bytes(&path) {
            unused.push((age(&path), path, bytes));
        }
    }
    unused.sort();
    let mut kept = 0;
    for (age, path, bytes) in unused {
        kept += bytes;
        if age > UNUSED || kept > MOST_UNUSED {
            discard(&path);
        }
    }
}

/// The size of a copy that is not in use; None if it is in use.
fn unused_bytes(path: &Path) -> Option<u64> {
    let lock = open_file(&path.join(LOCK)).ok()?;
    if matches!(lock.try_lock(), Err(TryLockError::WouldBlock)) {
        return None;
    }
    let text = io::read_to_string(&lock).ok()?;
    text.parse().ok()
}

fn discard(path: &Path) {
    let Ok(lock) = open_file(&path.join(LOCK)) else { return };
    if lock.try_lock().is_ok() {
        let old = beside(path);
        if fs::rename(path, &old).is_ok() {
            remove(&old);
        }
    }
}
