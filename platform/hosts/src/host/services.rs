//! The services of the ABI for a running engine: time left, messages, and files of its package.

use std::fs::File;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::fetch_files::FetchFiles;
use crate::platform;
use tengen_abi::{Info, send, status};

/// The longest message an engine may send.
pub(crate) const MAX_MESSAGE: usize = 64 << 10;
/// How many different complaints about files are told.
const MOST_TOLD: usize = 16;
/// No question is timed.
const UNTIMED: u64 = u64::MAX;

/// Where an engine's messages go. Called from any thread of the engine.
pub(crate) trait MessageSink: Send + Sync {
    fn log(&self, text: &[u8]);
    /// Search progress: an info and its variation, checked.
    fn info(&self, message: &[u8]);
}

/// What the host does for a running engine: the three services of the ABI.
pub(crate) struct HostServices {
    origin: Instant,
    /// When the running question's time is up, in nanoseconds from the origin.
    deadline: AtomicU64,
    package: FetchFiles,
    /// What was already said about files: an engine may ask again and again.
    told: Mutex<Vec<String>>,
    sink: Box<dyn MessageSink>,
    /// Input on this pipe while a question is answered means that the answer is wanted at once.
    move_now: Option<File>,
    /// Whether such input was read already, along with the question.
    is_move_wanted: AtomicBool,
}

impl HostServices {
    /// Services for an engine with these files.
    pub(crate) fn new(package: FetchFiles, sink: Box<dyn MessageSink>) -> HostServices {
        let deadline = AtomicU64::new(UNTIMED);
        HostServices {
            origin: Instant::now(),
            deadline,
            package,
            told: Mutex::default(),
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
    /// file's size, or a status below zero. Why not is said in the engine's log, too.
    pub(crate) fn fetch(&self, name: &str, offset: u64, to: &mut [u8]) -> i64 {
        self.package.read(name, offset, to).unwrap_or_else(|error| {
            let text = format!("tengen_fetch: {error}");
            let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
            if told.len() < MOST_TOLD && !told.contains(&text) {
                self.sink.log(text.as_bytes());
                told.push(text);
            }
            error.status().into()
        })
    }

    fn since_origin(&self, now: Instant) -> u64 {
        let span = now.saturating_duration_since(self.origin).as_nanos();
        u64::try_from(span).unwrap_or(UNTIMED >> 2)
    }
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

    fn services() -> HostServices {
        HostServices::new(FetchFiles::default(), Box::new(Discard))
    }

    #[test]
    fn the_time_left_counts_from_the_question() {
        let services = services();
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
        let services = services();
        assert_eq!(services.send(send::LOG, b"hello"), status::OK);
        assert_eq!(services.send(send::INFO, b"no info"), status::ARGUMENT);
        assert_eq!(services.send(99, b""), status::UNSUPPORTED);
        assert_eq!(services.send(send::LOG, &vec![b'x'; MAX_MESSAGE + 1]), status::ARGUMENT);
    }

    #[derive(Clone, Default)]
    struct Keep(std::sync::Arc<Mutex<Vec<String>>>);

    impl MessageSink for Keep {
        fn log(&self, text: &[u8]) {
            self.0.lock().unwrap().push(String::from_utf8_lossy(text).into_owned());
        }

        fn info(&self, _: &[u8]) {}
    }

    #[test]
    fn why_a_file_is_not_read_is_said_once() {
        let kept = Keep::default();
        let services = HostServices::new(FetchFiles::default(), Box::new(kept.clone()));
        for _ in 0..3 {
            assert_eq!(services.fetch("weights", 0, &mut []), i64::from(status::UNSUPPORTED));
        }
        let said = kept.0.lock().unwrap();
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("tengen_fetch: weights: the engine has no package"), "{said:?}");
    }
}
