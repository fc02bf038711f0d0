//! Files written by others, opened only if reading them is sure to end.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use tengen_files::open_file;

use crate::formats::charset;

/// Opens what games can be read from as they come: a plain file, a pipe or a terminal. A folder or
/// another device, which may have no end, is refused.
///
/// # Errors
/// When it cannot be opened, or is neither.
pub fn open_stream(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_file() || is_pipe(kind) {
        return File::open(path);
    }
    if kind.is_dir() {
        return Err(not_plain());
    }
    let file = File::open(path)?;
    if io::IsTerminal::is_terminal(&file) { Ok(file) } else { Err(not_plain()) }
}

/// Reads a plain file of at most so many bytes as UTF-8, with its mark at the beginning or without.
///
/// # Errors
/// When it cannot be read; of the kinds [`FileTooLarge`](io::ErrorKind::FileTooLarge) and
/// [`InvalidData`](io::ErrorKind::InvalidData), with the line, when it is too large or not UTF-8.
pub fn read_text(path: &Path, most_bytes: u64) -> io::Result<String> {
    let bytes = read_bytes(path, most_bytes)?;
    let text = charset::utf8(&bytes).map(str::to_owned);
    text.map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

/// Reads a plain file of at most so many bytes.
///
/// # Errors
/// When it cannot be read; of the kind [`FileTooLarge`](io::ErrorKind::FileTooLarge) when it is too
/// large.
pub fn read_bytes(path: &Path, most_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // There may be more than the length that the system gives.
    open_file(path)?.take(most_bytes + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most_bytes {
        let message = match most_bytes >> 20 {
            0 => format!("larger than {most_bytes} bytes"),
            mib => format!("larger than {mib} MiB"),
        };
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, message));
    }
    Ok(bytes)
}

fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

#[cfg(unix)]
fn is_pipe(kind: fs::FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

/// Pipes have no path here.
#[cfg(not(unix))]
fn is_pipe(_: fs::FileType) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_read_whole_or_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("text");
        let read = |bytes: &[u8]| {
            fs::write(&path, bytes).unwrap();
            read_text(&path, 8).map_err(|error| (error.kind(), error.to_string()))
        };
        assert_eq!(read("天元\r\n".as_bytes()).as_deref(), Ok("天元\r\n"));
        assert_eq!(read("\u{feff}a".as_bytes()).as_deref(), Ok("a"));
        let (kind, message) = read(b"123456789").unwrap_err();
        assert_eq!((kind, &*message), (io::ErrorKind::FileTooLarge, "larger than 8 bytes"));
        let (kind, message) = read(b"a\nb\xff").unwrap_err();
        assert_eq!(kind, io::ErrorKind::InvalidData);
        assert!(message.starts_with("line 2, column 2: this is not UTF-8"), "{message}");
        let sparse = File::create(&path).unwrap();
        sparse.set_len(1 << 40).unwrap();
        assert_eq!(read_text(&path, 8).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(open_file(folder.path()).unwrap_err().to_string(), "not a plain file");
        assert_eq!(open_stream(folder.path()).unwrap_err().to_string(), "not a plain file");
        assert_eq!(open_stream(&path).unwrap().metadata().unwrap().len(), 1 << 40);
    }

    #[cfg(unix)]
    #[test]
    fn a_device_is_no_file() {
        for device in ["/dev/zero", "/dev/null"] {
            let path = Path::new(device);
            for error in [read_text(path, 8).unwrap_err(), open_stream(path).unwrap_err()] {
                assert_eq!(error.to_string(), "not a plain file", "{device}");
            }
        }
    }
}
