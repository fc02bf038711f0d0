//! The files of an engine, and their stamps.

use std::collections::BTreeSet;
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use super::FileStamp;
use crate::platform;

/// The most files and bytes of an engine that are copied.
const MOST_BYTES: u64 = 1 << 30;
const MOST_FILES: usize = 20_000;
/// What versions of the files are kept in.
const HISTORIES: [&str; 3] = [".git", ".hg", ".svn"];
/// What cargo puts beside a program that it builds.
const BUILDS: [&str; 5] = [".fingerprint", "build", "deps", "examples", "incremental"];
/// The file by which a folder says that what is in it can be made again.
const CACHE_TAG: &str = "CACHEDIR.TAG";

/// A folder with one of these files is an event, with its games and logs. An event run beside an
/// engine lies in the engine's folder, and does not belong to the engine.
const EVENT: [&str; 2] = ["event.toml", "event.db"];

pub(crate) struct FileList {
    /// The files and folders that they are, or are in.
    pub roots: Vec<PathBuf>,
    /// Those themselves come first.
    pub files: Vec<ListedFile>,
    /// Folders that were left out.
    pub live: Vec<PathBuf>,
}

/// A file, a folder or a link.
pub(crate) struct ListedFile {
    /// The place of its root.
    pub root: usize,
    /// Its path in that; empty for the root itself.
    pub name: PathBuf,
    pub path: PathBuf,
    pub nature: FileNature,
    pub stamp: FileStamp,
}

impl ListedFile {
    pub(super) fn is_root(&self) -> bool {
        self.name.as_os_str().is_empty()
    }
}

#[derive(Clone, PartialEq, Eq)]
pub(crate) enum FileNature {
    Folder,
    File,
    Link(PathBuf),
}

impl FileList {
    /// Lists what these are, and what is in them. None where that is too much.
    /// `strangers` are left out.
    pub(crate) fn read(
        roots: &[PathBuf],
        strangers: &[PathBuf],
    ) -> Result<Option<FileList>, (PathBuf, io::Error)> {
        // A file that this process itself writes belongs to no engine: its output may be redirected
        // to one.
        let mut foreign = platform::written_files();
        foreign.extend(strangers.iter().filter_map(|path| FileStamp::of(path)?.place()));
        match FileList::with(roots, &foreign, |_| false)? {
            Some(list) => Ok(Some(list)),
            None => FileList::with(roots, &foreign, is_made),
        }
    }

    fn with(
        roots: &[PathBuf],
        foreign: &BTreeSet<(u64, u64)>,
        is_left_out: impl Fn(&Path) -> bool,
    ) -> Result<Option<FileList>, (PathBuf, io::Error)> {
        let mut list = FileList { roots: Vec::new(), files: Vec::new(), live: Vec::new() };
        let mut bytes = 0;
        for path in roots {
            // One that is a link stands for what it leads to.
            match fs::metadata(path) {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err((path.clone(), error)),
                Ok(file) if file.is_file() || file.is_dir() => {
                    list.roots.push(path.clone());
                    list.add(list.roots.len() - 1, PathBuf::new(), path.clone(), &file);
                }
                Ok(_) => {}
            }
        }
        let mut next = 0;
        while let Some(file) = list.files.get(next) {
            next += 1;
            match file.nature {
                FileNature::File => bytes += file.stamp.length,
                FileNature::Link(_) => {}
                FileNature::Folder => {
                    let (root, name, folder) = (file.root, file.name.clone(), file.path.clone());
                    let is_foreign = |file: &FileStamp| {
                        file.place().is_some_and(|place| foreign.contains(&place))
                    };
                    list.add_folder(root, &name, &folder, (&is_foreign, &is_left_out))?;
                }
            }
            if bytes > MOST_BYTES || list.files.len() > MOST_FILES {
                return Ok(None);
            }
        }
        Ok(Some(list))
    }

    fn add_folder(
        &mut self,
        root: usize,
        name: &Path,
        folder: &Path,
        (is_foreign, is_left_out): (&impl Fn(&FileStamp) -> bool, &impl Fn(&Path) -> bool),
    ) -> Result<(), (PathBuf, io::Error)> {
        let entries = match fs::read_dir(folder) {
            // The engine cannot read it either.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(()),
            entries => entries.map_err(|error| (folder.to_owned(), error))?,
        };
        let mut paths: Vec<_> =
            entries.take(MOST_FILES + 1).flatten().map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths {
            let Ok(file) = fs::symlink_metadata(&path) else { continue };
            if is_event(&path) || is_foreign(&FileStamp::new(&file)) {
                continue;
            }
            let name = name.join(path.file_name().unwrap_or_default());
            if file.is_dir() && is_left_out(&path) {
                self.live.push(path);
            } else {
                self.add(root, name, path, &file);
            }
        }
        Ok(())
    }

    fn add(&mut self, root: usize, name: PathBuf, path: PathBuf, file: &Metadata) {
        let kind = file.file_type();
        let nature = if kind.is_dir() {
            FileNature::Folder
        } else if kind.is_file() {
            FileNature::File
        } else if kind.is_symlink() {
            let Ok(target) = fs::read_link(&path) else { return };
            FileNature::Link(self.within(root, &name, target))
        } else {
            // Pipes, sockets and devices are no files of an engine.
            return;
        };
        self.files.push(ListedFile { root, name, path, nature, stamp: FileStamp::new(file) });
    }

    /// A link into the engine's own folder, so written that it leads into that of its copy.
    fn within(&self, root: usize, name: &Path, target: PathBuf) -> PathBuf {
        let Ok(rest) = target.strip_prefix(&self.roots[root]) else { return target };
        let back = name.components().skip(1).map(|_| "..");
        back.collect::<PathBuf>().join(rest)
    }

    /// A file that is not as it was when it was listed, if there is one.
    pub(super) fn changed(&self) -> Option<&Path> {
        let seen = |file: &ListedFile| match file.is_root() {
            true => fs::metadata(&file.path),
            false => fs::symlink_metadata(&file.path),
        };
        // A folder's times change with what is made in it, and that is no file of before.
        let files = self.files.iter().filter(|file| file.nature != FileNature::Folder);
        let is_same =
            |file: &ListedFile| seen(file).is_ok_and(|now| FileStamp::new(&now) == file.stamp);
        let mut changed = files.filter(|file| !is_same(file));
        changed.next().map(|file| file.path.as_path())
    }
}

fn is_event(folder: &Path) -> bool {
    EVENT.iter().any(|name| folder.join(name).is_file())
}

/// Whether a folder holds what is made of other files, or their versions.
fn is_made(folder: &Path) -> bool {
    let is_one = |names: &[&str]| names.iter().any(|name| folder.ends_with(name));
    let beside = folder.parent().is_some_and(|parent| parent.join(BUILDS[0]).is_dir());
    is_one(&HISTORIES) || folder.join(CACHE_TAG).is_file() || beside && is_one(&BUILDS)
}
