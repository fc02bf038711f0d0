//! Whether a file is still the one that was opened.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use super::StoreError;

/// Which file a path led to; nothing where there was none, or the system does not tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FileIdentity(Option<(u64, u64)>);

impl FileIdentity {
    /// The file that is there now.
    pub fn of(path: &Path) -> FileIdentity {
        FileIdentity(fs::metadata(path).ok().map(|file| numbers(&file)))
    }

    /// Refuses a path that leads to another file by now, or to none. A machine that cannot look, as
    /// one with too many open files, has not shown that: what is written next fails or not.
    pub fn check(self, path: &Path) -> Result<(), StoreError> {
        let is_lost = match fs::metadata(path) {
            Ok(file) => self.0.is_some_and(|before| before != numbers(&file)),
            Err(error) => matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
        };
        if is_lost { Err(StoreError::Lost { path: path.to_owned() }) } else { Ok(()) }
    }
}

#[cfg(unix)]
fn numbers(file: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// Here it is only noticed that no file is there.
#[cfg(not(unix))]
fn numbers(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_goes_or_is_replaced_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("event.db");
        fs::write(&path, "one").unwrap();
        let identity = FileIdentity::of(&path);
        fs::write(&path, "changed").unwrap();
        assert!(identity.check(&path).is_ok(), "the same file");
        fs::rename(&path, folder.path().join("kept")).unwrap();
        fs::write(&path, "another").unwrap();
        assert!(matches!(identity.check(&path), Err(StoreError::Lost { .. })));
        fs::remove_file(&path).unwrap();
        assert!(matches!(identity.check(&path), Err(StoreError::Lost { .. })));
    }
}
