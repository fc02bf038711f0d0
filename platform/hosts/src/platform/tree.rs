//! Removes the folders that an engine has filled, however deep and with whatever permissions, and
//! measures what they hold.
//!
//! A walk goes down by descriptors, so that no path is too long, and keeps only the descriptor of
//! the folder it is in. It comes back by `..`, and goes on only if that is the folder it came from:
//! an engine that moves a folder away meanwhile cannot lead the walk out of the tree.

use std::ffi::{CStr, CString, OsStr};
use std::fmt::Write;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use rustix::fs::{
    AtFlags, CWD, Dir, FileType, Mode, OFlags, RawMode, Stat, fchmod, fstat, openat, statat,
    unlinkat,
};
use rustix::io::Errno;

use super::TreeSize;

/// The most files and folders that are counted in one tree. A tree with this many has too many.
pub(crate) const MOST_ENTRIES: u64 = 10_000;
/// How often a tree that changed meanwhile is counted again. A tree that changes faster counts as
/// too large.
const ATTEMPTS: u32 = 8;
/// The rights without which a folder can neither be read nor emptied.
const OPEN: RawMode = 0o700;
/// The longest path that a message has.
const SHOWN: usize = 200;
/// What the system counts the blocks of a file in.
const BLOCK: u64 = 512;

/// A folder of the tree as it is told from others.
type FolderId = (u64, u64);

/// A folder on the way down.
struct Level {
    id: FolderId,
    /// The folders in it that are still to be visited.
    folders: Vec<CString>,
}

/// What was left of a tree, for people.
#[derive(Default)]
struct Leftovers {
    count: u64,
    first: Option<(String, Errno)>,
}

impl Leftovers {
    fn add(&mut self, way: &[(Level, CString)], name: &CStr, error: Errno) {
        if error == Errno::NOENT {
            return;
        }
        self.count += 1;
        if self.first.is_none() {
            self.first = Some((shown(way, name), error));
        }
    }

    fn into_result(self) -> io::Result<()> {
        let Some((path, error)) = self.first else { return Ok(()) };
        let kind = io::Error::from(error).kind();
        let mut told = format!("{path} is left: {error}");
        if self.count > 1 {
            // A text takes everything.
            let _ = write!(told, "; and {} more files and folders", self.count - 1);
        }
        Err(io::Error::new(kind, told))
    }
}

/// The path of a name from the top of its tree; of one that is long, the end.
fn shown(way: &[(Level, CString)], name: &CStr) -> String {
    let mut path = String::new();
    for (_, name) in way {
        path += &name.to_string_lossy();
        path.push('/');
    }
    path += &name.to_string_lossy();
    match path.char_indices().nth_back(SHOWN) {
        Some((start, _)) => format!("…{}", &path[start..]),
        None => path,
    }
}

/// Removes a folder and all that is in it.
///
/// # Errors
/// Names the first file or folder that is left, and how many there are.
pub(crate) fn remove_tree(folder: &Path) -> io::Result<()> {
    let (Some(parent), Some(name)) = (folder.parent(), folder.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    let parent = if parent == Path::new("") { Path::new(".") } else { parent };
    let flags = OFlags::DIRECTORY | OFlags::CLOEXEC;
    let parent = openat(CWD, parent, flags, Mode::empty())?;
    let name = c_name(name)?;
    let mut left = Leftovers::default();
    let mut here = open_folder(parent.as_fd(), &name)?;
    let mut level = Level { id: id(&fstat(&here)?), folders: Vec::new() };
    let mut way: Vec<(Level, CString)> = Vec::new();
    level.folders = remove_files(here.as_fd(), &way, &mut left);
    loop {
        if let Some(inner) = level.folders.pop() {
            let opened =
                open_folder(here.as_fd(), &inner).and_then(|folder| Ok((fstat(&folder)?, folder)));
            let (stat, folder) = match opened {
                Ok(opened) => opened,
                Err(error) => {
                    left.add(&way, &inner, error);
                    continue;
                }
            };
            let above = std::mem::replace(&mut level, Level { id: id(&stat), folders: Vec::new() });
            way.push((above, inner));
            here = folder;
            level.folders = remove_files(here.as_fd(), &way, &mut left);
            continue;
        }
        let Some((above, inner)) = way.pop() else { break };
        here = match go_up(here.as_fd(), above.id) {
            Ok(folder) => folder,
            Err(error) => {
                left.add(&way, &inner, error);
                break;
            }
        };
        level = above;
        if let Err(error) = unlinkat(&here, &inner, AtFlags::REMOVEDIR) {
            left.add(&way, &inner, error);
        }
    }
    drop(here);
    if let Err(error) = unlinkat(&parent, &name, AtFlags::REMOVEDIR) {
        left.add(&[], &name, error);
    }
    left.into_result()
}

/// Removes what is no folder, and gives the folders.
fn remove_files(
    here: BorrowedFd<'_>,
    way: &[(Level, CString)],
    left: &mut Leftovers,
) -> Vec<CString> {
    let entries = match names(here, u64::MAX) {
        Ok(entries) => entries,
        Err(error) => {
            left.add(way, c"", error);
            return Vec::new();
        }
    };
    let remove = |(name, kind): (CString, FileType)| {
        if kind == FileType::Directory {
            return Some(name);
        }
        match unlinkat(here, &name, AtFlags::empty()) {
            Ok(()) => None,
            // Where a listing does not say what is a folder, this does.
            Err(Errno::ISDIR | Errno::PERM) if kind == FileType::Unknown => Some(name),
            Err(error) => {
                left.add(way, &name, error);
                None
            }
        }
    };
    entries.into_iter().filter_map(remove).collect()
}

/// The bytes that a folder and all that is in it take: of a file its length, or its blocks where
/// those are more.
pub(crate) fn tree_size(folder: &Path) -> TreeSize {
    for _ in 0..ATTEMPTS {
        match count(folder) {
            Ok(size) => return size,
            // It was moved meanwhile.
            Err(Errno::AGAIN) => {}
            Err(Errno::MFILE | Errno::NFILE | Errno::NOMEM) => return TreeSize::Unknown,
            Err(Errno::NOENT) => return TreeSize::Bytes(0),
            Err(_) => return TreeSize::Uncountable,
        }
    }
    TreeSize::Uncountable
}

fn count(folder: &Path) -> Result<TreeSize, Errno> {
    let mut here = open_folder(CWD, &c_name(folder.as_os_str())?)?;
    let (mut bytes, mut entries) = (0_u64, 0);
    let mut level = Level { id: id(&fstat(&here)?), folders: Vec::new() };
    let mut way: Vec<Level> = Vec::new();
    let mut is_new = true;
    loop {
        if is_new {
            is_new = false;
            for (name, _) in names(here.as_fd(), MOST_ENTRIES - entries)? {
                entries += 1;
                // What is gone by now holds nothing.
                let Ok(stat) = statat(&here, &name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
                let blocks = u64::try_from(stat.st_blocks).unwrap_or(0) * BLOCK;
                if FileType::from_raw_mode(stat.st_mode) == FileType::Directory {
                    bytes = bytes.saturating_add(blocks);
                    level.folders.push(name);
                } else {
                    let length = u64::try_from(stat.st_size).unwrap_or(0);
                    bytes = bytes.saturating_add(blocks.max(length));
                }
            }
            if entries >= MOST_ENTRIES {
                return Ok(TreeSize::Uncountable);
            }
        }
        if let Some(inner) = level.folders.pop() {
            here = match open_folder(here.as_fd(), &inner) {
                Ok(folder) => folder,
                Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => continue,
                Err(error) => return Err(error),
            };
            let inner = Level { id: id(&fstat(&here)?), folders: Vec::new() };
            way.push(std::mem::replace(&mut level, inner));
            is_new = true;
            continue;
        }
        let Some(above) = way.pop() else { return Ok(TreeSize::Bytes(bytes)) };
        here = go_up(here.as_fd(), above.id)?;
        level = above;
    }
}

/// The names in a folder, at most so many.
fn names(here: BorrowedFd<'_>, most: u64) -> Result<Vec<(CString, FileType)>, Errno> {
    let mut names = Vec::new();
    for entry in Dir::read_from(here)? {
        let entry = entry?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        if names.len() as u64 >= most {
            break;
        }
        names.push((name.to_owned(), entry.file_type()));
    }
    Ok(names)
}

/// Opens a folder in another one, whatever its rights, if it is this user's.
fn open_folder(parent: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let open = || openat(parent, name, flags, Mode::empty());
    let folder = match open() {
        Err(Errno::ACCESS) => {
            allow(parent, name)?;
            open()?
        }
        opened => opened?,
    };
    let mode = fstat(&folder)?.st_mode & 0o7777;
    if mode & OPEN != OPEN {
        // Whatever this was to allow says itself what it is denied.
        let _ = fchmod(&folder, Mode::from_raw_mode(mode | OPEN));
    }
    Ok(folder)
}

/// Lets this user read a folder that cannot be opened. A link is not followed.
#[cfg(target_os = "linux")]
fn allow(parent: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
    use std::os::fd::AsRawFd;
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(parent, name, flags, Mode::empty())?;
    let path = format!("/proc/self/fd/{}", folder.as_raw_fd());
    rustix::fs::chmod(path, Mode::from_raw_mode(OPEN))
}

/// Lets this user read a folder that cannot be opened. A link is not followed.
#[cfg(not(target_os = "linux"))]
fn allow(parent: BorrowedFd<'_>, name: &CStr) -> Result<(), Errno> {
    rustix::fs::chmodat(parent, name, Mode::from_raw_mode(OPEN), AtFlags::SYMLINK_NOFOLLOW)
}

/// The folder above, if it is still the one that was left for this one.
fn go_up(here: BorrowedFd<'_>, above: FolderId) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let folder = openat(here, c"..", flags, Mode::empty())?;
    if id(&fstat(&folder)?) == above { Ok(folder) } else { Err(Errno::AGAIN) }
}

#[allow(clippy::unnecessary_cast, reason = "the widths differ between systems")]
fn id(stat: &Stat) -> FolderId {
    (stat.st_dev as u64, stat.st_ino as u64)
}

fn c_name(name: &OsStr) -> Result<CString, Errno> {
    CString::new(name.as_bytes()).map_err(|_| Errno::INVAL)
}

#[cfg(test)]
mod tests;
