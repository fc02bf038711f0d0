//! The files of an engine as they were when it was enrolled. Each of its starts runs those.
//!
//! They are copied to the user's cache, read-only, under a name made from their contents, and the
//! engine is started from the copy. Whatever is done to the original files then, the engine plays
//! on as it was: overwriting a library does not even change it in the memory of a running engine.
//! Files that are too large to copy, and files of the system, are checked instead: if one of them
//! has changed, the engine is not started.

mod list;
mod store;

use std::collections::BTreeSet;
use std::fmt;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{self, Component, Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use super::path::absolute;
use super::{EngineKind, EngineSpec, discover};
pub(super) use list::{FileList, FileNature};
use store::KeptCopy;
pub(super) use store::{Kept, keep, name_of};

/// The most files of a folder that are looked at where they are not copied.
const MOST_WATCHED: usize = 1000;
/// How often files that changed while they were copied are read anew, and after how long: a build
/// may be writing them.
const TRIES: u32 = 4;
const AGAIN: Duration = Duration::from_millis(150);

/// How a file lies on the disk. What changes it changes this: no program can set the last of its
/// times.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FileStamp {
    #[cfg(unix)]
    place: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
    #[cfg(unix)]
    changed: (i64, i64),
}

impl FileStamp {
    /// That of the file at a path, or of what a link there leads to; None where there is none.
    pub fn of(path: &Path) -> Option<FileStamp> {
        fs::metadata(path).ok().map(|file| FileStamp::new(&file))
    }

    fn new(file: &Metadata) -> FileStamp {
        #[cfg(unix)]
        use std::os::unix::fs::MetadataExt;
        FileStamp {
            #[cfg(unix)]
            place: (file.dev(), file.ino()),
            length: file.len(),
            modified: file.modified().ok(),
            #[cfg(unix)]
            changed: (file.ctime(), file.ctime_nsec()),
        }
    }

    /// Its device and its number there; none where the system tells none.
    fn place(&self) -> Option<(u64, u64)> {
        #[cfg(unix)]
        return Some(self.place);
        #[cfg(not(unix))]
        None
    }

    /// When it was changed last.
    fn latest(&self) -> SystemTime {
        let modified = self.modified.unwrap_or_else(SystemTime::now);
        #[cfg(unix)]
        if let (Ok(seconds), Ok(rest)) = (self.changed.0.try_into(), self.changed.1.try_into()) {
            return modified.max(SystemTime::UNIX_EPOCH + Duration::new(seconds, rest));
        }
        modified
    }
}

pub struct EnrolledFiles {
    /// The digest of their contents, whatever their folder is called.
    pub digest: String,
    /// The engine's file, as it was named.
    pub original: PathBuf,
    /// The copies, each with the file or folder that it is of, by absolute paths.
    pub copies: Vec<(PathBuf, PathBuf)>,
    /// Parts of a copied folder that are seen as they are: what builds leave, where all of it is
    /// too much.
    pub live: Vec<PathBuf>,
    /// Why the engine's own files were not copied, where they were not.
    pub uncopied: Option<String>,
    /// Where the interpreter of the engine is installed.
    pub(super) installations: Vec<PathBuf>,
    /// The files that were copied, and those that are used as they are.
    copied: Vec<(PathBuf, Option<FileStamp>)>,
    used: Vec<(PathBuf, Option<FileStamp>)>,
    /// While this is open, no process removes the copy.
    _lock: Option<File>,
}

impl EnrolledFiles {
    /// The first changed file of those that were copied. The engine is still started as it was.
    pub fn changed(&self) -> Option<&Path> {
        first_changed(&self.copied)
    }

    /// The first changed file of those that the engine is started with. It is no longer the engine
    /// that was enrolled.
    pub fn spoiled(&self) -> Option<&Path> {
        let is_gone = |(copy, _): &&(PathBuf, PathBuf)| fs::symlink_metadata(copy).is_err();
        let gone = self.copies.iter().find(is_gone).map(|(copy, _)| copy.as_path());
        first_changed(&self.used).or(gone)
    }

    /// The original of the copy at that path; the path itself if it is no copy.
    pub fn original_of(&self, path: &Path) -> PathBuf {
        self.original(path).unwrap_or_else(|| path.to_owned())
    }

    /// A word of the command line as it was before it named a copy.
    pub fn original_word(&self, mut word: String) -> String {
        move_word(&mut word, |path| self.original(path));
        word
    }

    fn original(&self, path: &Path) -> Option<PathBuf> {
        self.copies.iter().find_map(|(copy, original)| under(path, copy, original))
    }

    fn copy_of(&self, path: &Path) -> Option<PathBuf> {
        let path = absolute_path(path);
        self.copies.iter().find_map(|(copy, original)| under(&path, original, copy))
    }
}

impl PartialEq for EnrolledFiles {
    fn eq(&self, other: &EnrolledFiles) -> bool {
        (&self.digest, &self.copies) == (&other.digest, &other.copies)
    }
}

impl Eq for EnrolledFiles {}

impl fmt::Debug for EnrolledFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EnrolledFiles").field("digest", &self.digest).finish_non_exhaustive()
    }
}

/// Why an engine is not enrolled.
#[derive(Debug, thiserror::Error)]
pub enum EnrollError {
    #[error(
        "{}: cannot be read: {source}; check that it exists and is yours to read",
        super::shown(path)
    )]
    Read { path: PathBuf, source: io::Error },
    /// A file of it is written again and again.
    #[error("{}: it is being written; wait until that is finished", super::shown(.0))]
    Written(PathBuf),
}

impl EngineSpec {
    /// The engine as it is now, and will be at each of its starts. A builtin engine has nothing to
    /// keep: it is not started from a file.
    ///
    /// # Errors
    /// When a file of it cannot be read, or is being written.
    pub fn enrolled(self, cache: Option<&Path>) -> Result<EngineSpec, EnrollError> {
        if self.kind == EngineKind::Builtin || self.enrolled.is_some() {
            return Ok(self);
        }
        if self.archive.is_some() {
            // What was unpacked is a copy already, which is read-only.
            return Ok(self.watched(&[], None));
        }
        let roots = roots(&self);
        let mut found = BTreeSet::new();
        let mut tries = 1;
        loop {
            let list = FileList::read(&roots, &self.strangers);
            let list = list.map_err(|(path, source)| EnrollError::Read { path, source })?;
            let Some(list) = list else {
                let why = "more than 1 GiB or 20,000 files are too much to copy";
                return Ok(self.watched(&roots, Some(why.to_owned())));
            };
            let Some(cache) = cache else { return Ok(self.watched(&roots, None)) };
            found.extend(list.roots.iter().cloned());
            // One that was there a moment ago is being replaced.
            let gone = found.iter().find(|root| !list.roots.contains(root)).cloned();
            let kept = match gone {
                Some(gone) => Ok(Kept::Changed(gone)),
                None => store::keep(&list, cache),
            };
            match kept {
                Ok(Kept::Copy(copy)) => return Ok(self.moved(&list, copy)),
                Ok(Kept::Changed(_)) if tries < TRIES => std::thread::sleep(AGAIN),
                Ok(Kept::Changed(path)) => return Err(EnrollError::Written(path)),
                Err((path, error)) => {
                    return Ok(self.watched(&roots, Some(format!("{}: {error}", path.display()))));
                }
            }
            tries += 1;
        }
    }

    /// The engine as it was when its files had that digest, if they are still kept. They have been
    /// changed since, but not what they are called.
    pub fn enrolled_as(&self, cache: Option<&Path>, digest: &str) -> Option<EngineSpec> {
        let list = FileList::read(&roots(self), &self.strangers).ok()??;
        store::find(digest, cache?).find_map(|copy| {
            let spec = self.clone().moved(&list, copy);
            let copies = &spec.enrolled.as_ref()?.copies;
            let is_copy = |path: &Path| copies.iter().any(|(copy, _)| path.starts_with(copy));
            let is_own = is_copy(&spec.path) || spec.typed_in.is_some() && !copies.is_empty();
            is_own.then_some(spec)
        })
    }

    /// The engines in the kept copies of files with that digest: once the files themselves are
    /// gone, only the copies show them.
    pub fn kept(cache: &Path, digest: &str) -> Vec<EngineSpec> {
        let places = store::find(digest, cache).flat_map(|copy| copy.places());
        places.filter_map(|place| discover(&place).ok()).flat_map(|found| found.engines).collect()
    }

    /// Its file, as it was named: that which is started may be a copy of it.
    pub fn original(&self) -> &Path {
        self.enrolled.as_ref().map_or(&self.path, |files| &files.original)
    }

    /// The same engine without a copy, with the present stamps of its files: those that make it
    /// what it is, and those directly in its folders.
    fn watched(self, roots: &[PathBuf], uncopied: Option<String>) -> EngineSpec {
        let beside = roots.iter().flat_map(|root| match fs::read_dir(root) {
            Ok(entries) => entries.take(MOST_WATCHED).flatten().map(|entry| entry.path()).collect(),
            Err(_) => vec![root.clone()],
        });
        let mut used: Vec<_> = beside.filter(|path| path.is_file()).collect();
        used.extend(named_files(&self));
        used.sort();
        used.dedup();
        let files = EnrolledFiles {
            digest: String::new(),
            original: self.path.clone(),
            copies: Vec::new(),
            live: Vec::new(),
            uncopied,
            installations: self.installations(),
            copied: Vec::new(),
            used: stamps(used),
            _lock: None,
        };
        EngineSpec { enrolled: Some(Arc::new(files)), ..self }
    }

    /// The same engine, started from that copy of its files.
    fn moved(self, list: &FileList, copy: KeptCopy) -> EngineSpec {
        let copies: Vec<_> = copy
            .of_roots(&list.roots)
            .map(|(copy, original)| (copy, original.to_owned()))
            .collect();
        let is_copied = |path: &Path| copies.iter().any(|(_, root)| path.starts_with(root));
        let used = named_files(&self).into_iter().filter(|path| !is_copied(&absolute_path(path)));
        let copied = list.files.iter().filter(|file| file.nature == FileNature::File);
        let files = EnrolledFiles {
            used: stamps(used.collect()),
            copied: copied.map(|file| (file.path.clone(), Some(file.stamp))).collect(),
            digest: copy.digest,
            original: self.path.clone(),
            live: list.live.clone(),
            uncopied: None,
            installations: self.installations(),
            copies,
            _lock: Some(copy.lock),
        };
        self.in_place_of(Arc::new(files))
    }

    fn in_place_of(mut self, files: Arc<EnrolledFiles>) -> EngineSpec {
        let put = |path: &mut PathBuf| {
            if let Some(copy) = files.copy_of(path) {
                *path = copy;
            }
        };
        put(&mut self.path);
        self.folder.iter_mut().for_each(put);
        self.helpers.iter_mut().for_each(put);
        // Files added after the copy was made are not part of it.
        self.reads.retain(|path| files.copy_of(path).is_some_and(|copy| copy.exists()));
        self.reads.iter_mut().for_each(put);
        self.reads.extend(files.live.iter().cloned());
        if let Some(launch) = &mut self.launch {
            launch.programs.iter_mut().for_each(put);
            for word in &mut launch.arguments {
                move_word(word, |path| files.copy_of(path));
            }
        }
        self.enrolled = Some(files);
        self
    }
}

/// A word of a command line that names a file of the engine by its whole path, alone or behind a
/// character as in `--weights=PATH`, names what stands for that.
fn move_word(word: &mut String, stands_for: impl Fn(&Path) -> Option<PathBuf>) {
    let begin = word.find(path::is_separator).filter(|begin| {
        let before = word[..*begin].chars().next_back();
        before.is_none_or(|sign| matches!(sign, '=' | ':' | ','))
    });
    let Some(begin) = begin else { return };
    let other = stands_for(Path::new(&word[begin..]));
    if let Some(other) = other.and_then(|other| other.into_os_string().into_string().ok()) {
        word.replace_range(begin.., &other);
    }
}

/// The files and folders that are the engine's own, none inside another. An interpreter that a
/// command starts is not its own.
pub(super) fn roots(spec: &EngineSpec) -> Vec<PathBuf> {
    let own = spec.folder.iter().chain(&spec.reads).chain(&spec.helpers);
    let programs = spec.launch.iter().flat_map(|launch| &launch.programs).chain([&spec.path]);
    let programs = programs.filter(|_| spec.typed_in.is_none());
    let mut roots: Vec<_> = own.chain(programs).map(|path| absolute_path(path)).collect();
    roots.sort();
    roots.dedup();
    let all = roots.clone();
    roots.retain(|path| !all.iter().any(|other| other != path && path.starts_with(other)));
    roots
}

/// The files that make the engine what it is, whatever else is its own.
fn named_files(spec: &EngineSpec) -> Vec<PathBuf> {
    let base = spec.folder.clone().unwrap_or_default();
    let launch = spec.launch.iter();
    let words = launch.clone().flat_map(|launch| &launch.arguments).map(|word| base.join(word));
    let programs = launch.flat_map(|launch| launch.programs.iter().cloned());
    let own = programs.chain(words).chain(spec.helpers.iter().cloned()).chain([spec.path.clone()]);
    let mut files: Vec<_> = own.filter(|path| path.is_file()).collect();
    files.sort();
    files.dedup();
    files
}

fn stamps(paths: Vec<PathBuf>) -> Vec<(PathBuf, Option<FileStamp>)> {
    paths.into_iter().map(|path| (path.clone(), FileStamp::of(&path))).collect()
}

fn first_changed(files: &[(PathBuf, Option<FileStamp>)]) -> Option<&Path> {
    let changed = files.iter().find(|(path, stamp)| FileStamp::of(path) != *stamp);
    changed.map(|(path, _)| path.as_path())
}

/// A path in `from`, in `to` instead.
fn under(path: &Path, from: &Path, to: &Path) -> Option<PathBuf> {
    let rest = path.strip_prefix(from).ok()?;
    // A file has nothing below it, and joins as a folder would.
    Some(if rest.as_os_str().is_empty() { to.to_owned() } else { to.join(rest) })
}

/// The path as it works for a process that does not see every folder on the way: without `..`, and
/// with the links of the folder followed.
pub fn absolute_path(path: &Path) -> PathBuf {
    let told = absolute(path);
    if !told.components().any(|part| part == Component::ParentDir) {
        return told;
    }
    // The name itself may be a link, by which the engine is known.
    let direct = match (told.parent(), told.file_name()) {
        (Some(folder), Some(name)) => dunce::canonicalize(folder).map(|folder| folder.join(name)),
        _ => dunce::canonicalize(&told),
    };
    direct.unwrap_or(told)
}

#[cfg(all(test, unix))]
mod tests;
