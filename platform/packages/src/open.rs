//! Opens files of engines.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::platform;

/// Opens a plain file to read it, and never waits for another program: not for the writer of a
/// pipe, and not for one that holds a lease on the file (`fcntl(2)`, `F_SETLEASE`), which could
/// keep it for a minute.
///
/// # Errors
/// When it cannot be opened at once, or is no plain file.
pub fn open_file(path: &Path) -> io::Result<File> {
    let file = platform::open_at_once(path).map_err(|error| match error.kind() {
        io::ErrorKind::WouldBlock => {
            let problem = "another program holds a lease on it; end that program";
            io::Error::new(error.kind(), problem)
        }
        _ => error,
    })?;
    if file.metadata()?.is_file() {
        Ok(file)
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
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
