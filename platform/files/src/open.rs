//! Opens files made by others for reading, without waiting.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::Path;

/// Opens a plain file to read it, and never waits for another program: not for the writer of a
/// pipe, and not for one that holds a lease on the file (`fcntl(2)`, `F_SETLEASE`), which could
/// keep it for a minute.
///
/// # Errors
/// When it cannot be opened at once; of the kind [`InvalidInput`](io::ErrorKind::InvalidInput) when
/// it is no plain file.
pub fn open_file(path: &Path) -> io::Result<File> {
    // Merely opening some devices has an effect.
    check_plain(&fs::metadata(path)?)?;
    let file = open_at_once(path).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => {
            let problem = "another program holds a lease on it; end that program";
            io::Error::new(error.kind(), problem)
        }
        _ => error,
    })?;
    // It may have become something else since.
    check_plain(&file.metadata()?)?;
    Ok(file)
}

fn check_plain(file: &Metadata) -> io::Result<()> {
    if file.is_file() {
        return Ok(());
    }
    Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"))
}

/// Opens a file to read it, or fails where that would wait.
#[cfg(unix)]
fn open_at_once(path: &Path) -> io::Result<File> {
    use rustix::fs::{Mode, OFlags, open};
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    Ok(File::from(open(path, flags, Mode::empty())?))
}
#[cfg(not(unix))]
fn open_at_once(path: &Path) -> io::Result<File> {
    File::open(path)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_pipe_is_not_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pipe");
        let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
        rustix::fs::mknodat(rustix::fs::CWD, &path, rustix::fs::FileType::Fifo, mode, 0).unwrap();
        assert_eq!(open_file(&path).unwrap_err().kind(), io::ErrorKind::InvalidInput);
        assert!(open_file(folder.path()).is_err());
    }
}
