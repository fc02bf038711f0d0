//! Scratch folders of engines: made when an engine starts, and removed when its process has ended.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crate::platform;
use crate::shared_instance::SharedInstance;

/// What the folders of this program begin with, in the system's folder for temporary files.
const PREFIX: &str = "tengen-engines-";
/// The file that the program which made a folder holds locked while it lives.
const LOCK: &str = "lock";
/// A folder younger than this may not have its lock yet.
const YOUNG: Duration = Duration::from_secs(60);

/// One engine's folder; removed with all that is in it when dropped.
#[derive(Debug)]
pub(crate) struct ScratchDir {
    path: PathBuf,
    /// The folder around it is removed with the last one.
    _root: Arc<ScratchRoot>,
}

impl ScratchDir {
    /// Makes an empty folder that only this user may enter.
    pub(crate) fn new() -> io::Result<ScratchDir> {
        static ROOT: SharedInstance<ScratchRoot> = SharedInstance::new();
        let root = ROOT.get(|| ScratchRoot::new(&std::env::temp_dir()))?;
        let path = root.path.join(root.count.fetch_add(1, Ordering::Relaxed).to_string());
        platform::make_private(&path)?;
        // It may write nowhere else.
        #[cfg(windows)]
        if let Err(error) = platform::open_scratch(&path) {
            static TOLD: std::sync::Once = std::sync::Once::new();
            // It is the same for every folder.
            TOLD.call_once(|| {
                log::warn!("{}: engines may not write there: {error}", path.display());
            });
        }
        Ok(ScratchDir { path, _root: root })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether nothing is in it.
    pub(crate) fn is_empty(&self) -> bool {
        fs::read_dir(&self.path).is_ok_and(|mut entries| entries.next().is_none())
    }
}

impl Drop for ScratchDir {
    fn drop(&mut self) {
        remove(&self.path);
    }
}

/// The folder around those of one program.
#[derive(Debug)]
struct ScratchRoot {
    path: PathBuf,
    count: AtomicU64,
    /// There until the folder is removed: Windows removes no open file.
    lock: Option<File>,
}

impl ScratchRoot {
    fn new(parent: &Path) -> io::Result<ScratchRoot> {
        remove_abandoned(parent);
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let path = parent.join(format!("{PREFIX}{}-{}", std::process::id(), now.as_nanos()));
        platform::make_private(&path)?;
        let lock = File::create_new(path.join(LOCK))?;
        lock.try_lock().map_err(io::Error::from)?;
        Ok(ScratchRoot { path, count: AtomicU64::new(0), lock: Some(lock) })
    }
}

impl Drop for ScratchRoot {
    fn drop(&mut self) {
        drop(self.lock.take());
        remove(&self.path);
    }
}

fn remove(folder: &Path) {
    match platform::remove_tree(folder) {
        // Another program may take an unlocked one for abandoned.
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            log::warn!("{}: not removed: {error}", folder.display());
        }
        _ => {}
    }
}

/// Removes what killed programs left behind.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        if entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX))
            && is_abandoned(&entry.path()).unwrap_or(false)
        {
            remove(&entry.path());
        }
    }
}

fn is_abandoned(folder: &Path) -> io::Result<bool> {
    let metadata = fs::symlink_metadata(folder)?;
    let is_old = metadata.modified()?.elapsed().is_ok_and(|age| age > YOUNG);
    if !metadata.is_dir() || !platform::is_private(&metadata) || !is_old {
        return Ok(false);
    }
    match File::open(folder.join(LOCK)) {
        Ok(lock) => Ok(!matches!(lock.try_lock(), Err(TryLockError::WouldBlock))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::{TreeSize, tree_size};

    #[test]
    fn a_folder_goes_with_its_engine_and_the_last_takes_the_root() {
        let (first, second) = (ScratchDir::new().unwrap(), ScratchDir::new().unwrap());
        assert_ne!(first.path(), second.path());
        fs::create_dir(first.path().join("below")).unwrap();
        fs::write(first.path().join("below/file"), b"12345").unwrap();
        assert!(matches!(tree_size(first.path()), TreeSize::Bytes(5..)));
        assert_eq!(tree_size(second.path()), TreeSize::Bytes(0));
        let (gone, root) = (first.path().to_owned(), second.path().parent().unwrap().to_owned());
        drop(first);
        assert!(!gone.exists() && root.exists());
    }

    #[test]
    fn the_folder_around_them_goes_with_its_lock() {
        let dir = tempfile::tempdir().unwrap();
        let root = ScratchRoot::new(dir.path()).unwrap();
        assert!(root.path.join(LOCK).is_file());
        drop(root);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }

    fn make_old(folder: &Path) {
        let mut options = File::options();
        options.read(true);
        #[cfg(windows)]
        {
            use std::os::windows::fs::OpenOptionsExt;
            // FILE_WRITE_ATTRIBUTES; FILE_FLAG_BACKUP_SEMANTICS opens folders.
            options.access_mode(0x100).custom_flags(0x0200_0000);
        }
        let folder = options.open(folder).unwrap();
        folder.set_modified(SystemTime::now() - 2 * YOUNG).unwrap();
    }

    #[test]
    fn what_a_killed_program_left_is_swept_and_what_lives_is_not() {
        let dir = tempfile::tempdir().unwrap();
        let living = ScratchRoot::new(dir.path()).unwrap();
        let dead = dir.path().join(format!("{PREFIX}1-2"));
        let young = dir.path().join(format!("{PREFIX}1-3"));
        let other = dir.path().join("another");
        for folder in [&dead, &young, &other] {
            platform::make_private(folder).unwrap();
            File::create(folder.join(LOCK)).unwrap();
        }
        for folder in [&living.path, &dead, &other] {
            make_old(folder);
        }
        remove_abandoned(dir.path());
        let left = [&living.path, &dead, &young, &other].map(|folder| folder.exists());
        assert_eq!(left, [true, false, true, true]);
    }
}
