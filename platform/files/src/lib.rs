//! Files that appear whole or not at all: every file that the program replaces is written here.
//!
//! A file is written under another name beside its own, and then renamed. If a user names something
//! that is no plain file, it must not be replaced by one: a device or a pipe is written into, and a
//! link is followed. In the program's own folders only plain files are expected, and nothing is
//! written through a link.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

mod name;
mod open;
mod own;

pub use name::{NameProblem, check_name, check_path};
pub use open::open_file;
pub use own::{check_alone, check_own, make_own_folder, open_own};

/// The most links that are followed, as in the system.
const LINKS: u32 = 40;
/// The ending of a file's name while it is written; such files remain if the program is killed.
pub const UNFINISHED: &str = "unfinished";

/// A file that gets its name when it is finished, and is removed if it is not.
#[derive(Debug)]
pub struct AtomicFile {
    output: BufWriter<File>,
    /// None where it has its name already, because that stands for a device or a pipe.
    renamed: Option<Renamed>,
}

#[derive(Debug)]
struct Renamed {
    from: PathBuf,
    to: PathBuf,
}

impl Drop for Renamed {
    fn drop(&mut self) {
        // Once it has its own name, there is nothing left under this one.
        let _ignored = fs::remove_file(&self.from);
    }
}

/// Where what is written to a path goes.
enum Place {
    /// To a plain file there, which may be there already.
    File(PathBuf),
    /// Into what is there.
    Stream,
}

impl AtomicFile {
    /// Begins a file.
    ///
    /// # Errors
    /// When nothing can be written there, or it is a folder.
    pub fn create(path: &Path) -> io::Result<AtomicFile> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let Place::File(to) = place(path)? else { return AtomicFile::into_stream(path) };
        check_path(&to, None)?;
        loop {
            let number = COUNT.fetch_add(1, Ordering::Relaxed);
            let mut from = OsString::from(&to);
            from.push(format!(".{}-{number}.{UNFINISHED}", std::process::id()));
            let from = PathBuf::from(from);
            match File::create_new(&from) {
                Ok(file) => return Ok(AtomicFile::renamed(file, from, to)),
                // Left by a program with this process id that was killed while it wrote.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Begins a file in a folder of the program's own. It takes the place of whatever is there, and
    /// has a known name beside it until it is finished, under which something may have been left.
    ///
    /// # Errors
    /// When nothing can be written there.
    pub fn create_own(path: &Path, unfinished: &Path) -> io::Result<AtomicFile> {
        // A pipe would wait for ever, a link lead elsewhere, and a file have another name.
        match fs::remove_file(unfinished) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let (from, to) = (unfinished.to_owned(), path.to_owned());
        Ok(AtomicFile::renamed(File::create_new(&from)?, from, to))
    }

    fn renamed(file: File, from: PathBuf, to: PathBuf) -> AtomicFile {
        AtomicFile { output: BufWriter::new(file), renamed: Some(Renamed { from, to }) }
    }

    fn into_stream(path: &Path) -> io::Result<AtomicFile> {
        let file = open_stream(path)?;
        Ok(AtomicFile { output: BufWriter::new(file), renamed: None })
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// When it cannot be written or renamed. What was there before is then unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        self.output.flush()?;
        let Some(Renamed { from, to }) = self.renamed.as_ref() else { return Ok(()) };
        rename(from, to)
    }

    /// The same, when the file and its name are on the disk: it survives the end of the machine.
    ///
    /// # Errors
    /// As [`AtomicFile::finish`].
    pub fn finish_on_disk(mut self) -> io::Result<()> {
        self.output.flush()?;
        let Some(Renamed { from, to }) = self.renamed.as_ref() else { return Ok(()) };
        self.output.get_ref().sync_all()?;
        rename_on_disk(from, to)
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.output.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

/// Renames a file. On Windows a scanner for viruses, or a program that reads what is there, may be
/// in the way for a moment.
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    const TRIES: u32 = 20;
    const REST: Duration = Duration::from_millis(50);
    let is_passing = |error: &io::Error| {
        cfg!(windows)
            && matches!(error.kind(), io::ErrorKind::PermissionDenied | io::ErrorKind::ResourceBusy)
    };
    for _ in 1..TRIES {
        match fs::rename(from, to) {
            Err(error) if is_passing(&error) => thread::sleep(REST),
            done => return done,
        }
    }
    fs::rename(from, to)
}

/// Renames a file that is on the disk, and waits until its new name is.
///
/// # Errors
/// When the system cannot rename it.
pub fn rename_on_disk(from: &Path, to: &Path) -> io::Result<()> {
    rename(from, to)?;
    let folder = match to.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    // A folder can be opened and waited for on Unix alone; elsewhere renaming is all there is.
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Replaces a file as a whole. Without waiting for the disk it survives the end of the program, but
/// perhaps not that of the machine.
///
/// # Errors
/// When the system cannot write it. What was there before is then unchanged.
pub fn write(path: &Path, bytes: &[u8], waits_for_disk: bool) -> io::Result<()> {
    let mut file = AtomicFile::create(path)?;
    file.write_all(bytes)?;
    if waits_for_disk { file.finish_on_disk() } else { file.finish() }
}

/// Replaces a file in a folder of the program's own as a whole, on the disk. On Unix its owner
/// alone may read it.
///
/// # Errors
/// When the system cannot write it. What was there before is then unchanged.
pub fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut unfinished = OsString::from(path);
    unfinished.push(format!(".{UNFINISHED}"));
    let unfinished = PathBuf::from(unfinished);
    // One that was left there may be readable by others.
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    rename_on_disk(&unfinished, path)
}

/// Makes a file of the program's own readable for its owner only, on Unix. Gives whether others
/// could read it before.
///
/// # Errors
/// When the system does not allow it, or it is no plain file.
pub fn make_private(path: &Path) -> io::Result<bool> {
    check_own(path)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        if fs::metadata(path)?.permissions().mode() & 0o077 != 0 {
            fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
            return Ok(true);
        }
    }
    #[cfg(not(unix))]
    let _unused = path;
    Ok(false)
}

/// Opens what is there to write into it. A pipe that no program reads from is refused: to open it
/// would wait for ever.
pub fn open_stream(path: &Path) -> io::Result<File> {
    // Held until the second one is there: a reader that sees the last writer go is gone.
    #[cfg(unix)]
    let _held = {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::WRONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
        match open(path, flags, Mode::empty()) {
            Err(rustix::io::Errno::NXIO) => {
                let problem = "no program reads from it; start one that does first";
                return Err(io::Error::new(io::ErrorKind::BrokenPipe, problem));
            }
            opened => opened?,
        }
    };
    OpenOptions::new().write(true).open(path)
}

/// Whether that is a device, a pipe or the like: it is written into, so that nothing is lost.
pub fn is_stream(path: &Path) -> bool {
    matches!(place(path), Ok(Place::Stream))
}

fn place(path: &Path) -> io::Result<Place> {
    if is_null(path) {
        return Ok(Place::Stream);
    }
    match fs::metadata(path) {
        Ok(there) if there.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        Ok(there) if !there.is_file() || is_descriptor(path) => Ok(Place::Stream),
        Ok(_) => dunce::canonicalize(path).map(Place::File),
        Err(error) if error.kind() == io::ErrorKind::NotFound => follow(path).map(Place::File),
        Err(error) => Err(error),
    }
}

/// Whether that is what `/dev/null` is elsewhere: Windows has no metadata of it.
fn is_null(path: &Path) -> bool {
    cfg!(windows) && path.as_os_str().eq_ignore_ascii_case("nul")
}

/// Whether that stands for what this process has open, as `/dev/stdout`.
fn is_descriptor(path: &Path) -> bool {
    cfg!(unix)
        && (["/proc", "/dev/fd"].iter().any(|folder| path.starts_with(folder))
            || [Path::new("/dev/stdout"), Path::new("/dev/stderr")].contains(&path))
}

/// Where links lead that end at no file.
fn follow(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(target) = fs::read_link(&path) else { return Ok(path) };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    Err(io::Error::other("too many links in a row"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_appears_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        fs::write(&path, "old").unwrap();
        let mut file = AtomicFile::create(&path).unwrap();
        file.write_all(b"half").unwrap();
        file.flush().unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (2, b"old".to_vec()));
        drop(file);
        write(&path, b"new", true).unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (1, b"new".to_vec()));
        let beside = folder.path().join("file.part");
        fs::write(&beside, "left by another process").unwrap();
        let mut file = AtomicFile::create_own(&path, &beside).unwrap();
        file.write_all(b"newer").unwrap();
        file.finish_on_disk().unwrap();
        assert_eq!((names(folder.path()).len(), fs::read(&path).unwrap()), (1, b"newer".to_vec()));
    }

    #[test]
    fn a_folder_is_not_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let error = AtomicFile::create(folder.path()).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("away")).unwrap();
        fs::write(at("away/there"), "old").unwrap();
        for name in ["there", "not-yet"] {
            std::os::unix::fs::symlink(format!("away/{name}"), at(name)).unwrap();
            write(&at(name), b"new", false).unwrap();
            assert!(fs::symlink_metadata(at(name)).unwrap().is_symlink());
            assert_eq!(fs::read(at("away").join(name)).unwrap(), b"new");
        }
        assert_eq!(names(&at("away")), ["not-yet", "there"]);
        std::os::unix::fs::symlink("round", at("round")).unwrap();
        assert!(write(&at("round"), b"new", false).is_err());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_pipe_is_written_into() {
        use rustix::fs::{CWD, FileType, Mode, mknodat};
        let folder = tempfile::tempdir().unwrap();
        let (pipe, link) = (folder.path().join("pipe"), folder.path().join("link"));
        mknodat(CWD, &pipe, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
        std::os::unix::fs::symlink("pipe", &link).unwrap();
        let error = write(&pipe, b"words", true).unwrap_err().to_string();
        assert!(error.contains("no program reads"), "{error}");
        // A process that opens both ends need not wait.
        let mut ends = OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
        for path in [&pipe, &link] {
            assert!(is_stream(path));
            write(path, b"words", true).unwrap();
            let mut read = [0; 5];
            std::io::Read::read_exact(&mut ends, &mut read).unwrap();
            assert_eq!(&read, b"words");
        }
        assert!(!fs::metadata(&pipe).unwrap().is_file());
        let mut own = AtomicFile::create_own(&link, &folder.path().join("part")).unwrap();
        own.write_all(b"mine").unwrap();
        own.finish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_file());
        assert_eq!(names(folder.path()), ["link", "pipe"]);
    }
}
