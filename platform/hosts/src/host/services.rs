//! The services of the ABI for a running engine: time left, messages, and files of its package.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use tengen_abi::{Info, send, status};
use tengen_packages::open_file;

use crate::platform;

/// The longest message an engine may send.
pub(crate) const MAX_MESSAGE: usize = 64 << 10;
/// No question is timed.
const UNTIMED: u64 = u64::MAX;

/// Where an engine's messages go. Called from any thread of the engine.
pub(crate) trait MessageSink: Send + Sync {
    /// Text for the log.
    fn log(&self, text: &[u8]);
    /// Search progress: an info and its variation, checked.
    fn info(&self, message: &[u8]);
}

/// What the host does for a running engine: the three services of the ABI.
pub(crate) struct HostServices {
    origin: Instant,
    /// When the running question's time is up, in nanoseconds from the origin.
    deadline: AtomicU64,
    package: Option<PathBuf>,
    sink: Box<dyn MessageSink>,
    /// Input on this pipe while a question is answered means that the answer is wanted at once.
    move_now: Option<File>,
    /// Whether such input was read already, along with the question.
    is_move_wanted: AtomicBool,
}

impl HostServices {
    /// Services for an engine whose package lies in that folder, if in any.
    pub(crate) fn new(package: Option<PathBuf>, sink: Box<dyn MessageSink>) -> HostServices {
        let deadline = AtomicU64::new(UNTIMED);
        HostServices {
            origin: Instant::now(),
            deadline,
            package,
            sink,
            move_now: None,
            is_move_wanted: AtomicBool::new(false),
        }
    }

    /// The same; input on that pipe ends the time for the running question.
    pub(crate) fn with_move_now(self, pipe: File) -> HostServices {
        HostServices { move_now: Some(pipe), ..self }
    }

    /// Starts the clock of a question that was read at `now` and may take `hard_us` from there;
    /// below zero it is untimed.
    pub(crate) fn start_question(&self, now: Instant, hard_us: i64) {
        let deadline = u64::try_from(hard_us).map_or(UNTIMED, |hard_us| {
            self.since_origin(now).saturating_add(hard_us.saturating_mul(1000))
        });
        self.deadline.store(deadline, Ordering::Relaxed);
    }

    /// Whether more came with a request than the request.
    pub(crate) fn set_move_wanted(&self, is_move_wanted: bool) {
        self.is_move_wanted.store(is_move_wanted, Ordering::Relaxed);
    }

    fn is_move_wanted(&self, pipe: &File) -> bool {
        self.is_move_wanted.load(Ordering::Relaxed) || platform::has_input(pipe)
    }

    /// `left_us`: what is left for the running question; negative when it is late.
    pub(crate) fn left_us(&self) -> i64 {
        if self.move_now.as_ref().is_some_and(|pipe| self.is_move_wanted(pipe)) {
            return 0;
        }
        match self.deadline.load(Ordering::Relaxed) {
            UNTIMED => i64::MAX,
            deadline => {
                (deadline.cast_signed() - self.since_origin(Instant::now()).cast_signed()) / 1000
            }
        }
    }

    /// `send`: passes a message on.
    pub(crate) fn send(&self, kind: u32, message: &[u8]) -> i32 {
        if message.len() > MAX_MESSAGE {
            return status::ARGUMENT;
        }
        match kind {
            send::LOG => self.sink.log(message),
            send::INFO if Info::split(message).is_err() => return status::ARGUMENT,
            send::INFO => self.sink.info(message),
            _ => return status::UNSUPPORTED,
        }
        status::OK
    }

    /// `fetch`: reads a file of the engine's own package from `offset` on, and gives the whole
    /// file's size, or a status below zero.
    pub(crate) fn fetch(&self, name: &str, offset: u64, to: &mut [u8]) -> i64 {
        let Some(package) = &self.package else { return i64::from(status::UNSUPPORTED) };
        read_inside(package, name, offset, to).unwrap_or(i64::from(status::ARGUMENT))
    }

    fn since_origin(&self, now: Instant) -> u64 {
        let span = now.saturating_duration_since(self.origin).as_nanos();
        u64::try_from(span).unwrap_or(UNTIMED >> 2)
    }
}

/// Reads a file that lies in the folder, links followed.
fn read_inside(folder: &Path, name: &str, offset: u64, to: &mut [u8]) -> io::Result<i64> {
    let outside = || io::Error::from(io::ErrorKind::PermissionDenied);
    let is_plain = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(name).components().all(is_plain) {
        return Err(outside());
    }
    let folder = folder.canonicalize()?;
    let path = folder.join(name).canonicalize()?;
    if !path.starts_with(&folder) || !path.is_file() {
        return Err(outside());
    }
    let mut file = open_file(&path)?;
    file.seek(SeekFrom::Start(offset))?;
    let mut rest = to;
    while !rest.is_empty() {
        let count = file.read(rest)?;
        if count == 0 {
            break;
        }
        rest = &mut rest[count..];
    }
    Ok(file.metadata()?.len().cast_signed())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    struct Discard;

    impl MessageSink for Discard {
        fn log(&self, _: &[u8]) {}
        fn info(&self, _: &[u8]) {}
    }

    fn services(package: Option<PathBuf>) -> HostServices {
        HostServices::new(package, Box::new(Discard))
    }

    #[test]
    fn the_time_left_counts_from_the_question() {
        let services = services(None);
        assert_eq!(services.left_us(), i64::MAX);
        let now = Instant::now();
        services.start_question(now, 3_600_000_000);
        assert!((3_500_000_000..=3_600_000_000).contains(&services.left_us()));
        services.start_question(now - Duration::from_millis(1), 0);
        assert!(services.left_us() <= 0);
        services.start_question(now, -1);
        assert_eq!(services.left_us(), i64::MAX);
    }

    #[test]
    fn unknown_and_damaged_messages_are_refused() {
        let services = services(None);
        assert_eq!(services.send(send::LOG, b"hello"), status::OK);
        assert_eq!(services.send(send::INFO, b"no info"), status::ARGUMENT);
        assert_eq!(services.send(99, b""), status::UNSUPPORTED);
        assert_eq!(services.send(send::LOG, &vec![b'x'; MAX_MESSAGE + 1]), status::ARGUMENT);
    }

    #[test]
    fn only_files_of_the_own_package_are_read() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("package");
        std::fs::create_dir(&package).unwrap();
        std::fs::write(package.join("weights"), b"0123456789").unwrap();
        std::fs::write(dir.path().join("secret"), b"secret").unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("../secret", package.join("link")).unwrap();
        let services = services(Some(package.clone()));
        let mut to = [0; 4];
        assert_eq!((services.fetch("weights", 8, &mut to), &to), (10, b"89\0\0"));
        assert_eq!((services.fetch("weights", 2, &mut to), &to), (10, b"2345"));
        let absolute = dir.path().join("secret");
        for name in ["../secret", "link", ".", "", "none", absolute.to_str().unwrap()] {
            assert_eq!(services.fetch(name, 0, &mut to), -2, "{name}");
        }
        assert_eq!(self::services(None).fetch("weights", 0, &mut to), -1);
    }
}
