//! `--events`: what happens in an event, as JSON lines that other programs follow.

use std::io::Write;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TryRecvError, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The most lines that wait for a reader.
const MOST_WAITING: usize = 16_384;
/// How many of them may be moves: there are most of these, and they matter least.
const MOST_MOVES: usize = MOST_WAITING / 2;
/// How long a slow reader may take for the last lines when the event is over.
const PATIENCE: Duration = Duration::from_secs(2);

/// Writes events on a thread of its own. [`EventStream::tell`] never waits: what the reader is too
/// slow for is left out, and a line says how much.
pub(crate) struct EventStream {
    lines: SyncSender<Vec<u8>>,
    waiting: Arc<AtomicUsize>,
    dropped: Arc<AtomicU64>,
    is_done: Mutex<Receiver<()>>,
    begun: Instant,
}

impl EventStream {
    pub(crate) fn new(to: impl Write + Send + 'static) -> EventStream {
        let (lines, received) = mpsc::sync_channel(MOST_WAITING);
        let (done, is_done) = mpsc::sync_channel(1);
        let (waiting, dropped) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
        let (taken, missed) = (Arc::clone(&waiting), Arc::clone(&dropped));
        let write = move || {
            if let Err(error) = write_lines(to, &received, &taken, &missed) {
                log::warn!("what happens cannot be written to --events any more: {error}");
            }
            let _unheard = done.send(());
        };
        let started = thread::Builder::new().name("events".to_owned()).spawn(write);
        started.expect("the system lets a program start one more thread");
        EventStream { lines, waiting, dropped, is_done: Mutex::new(is_done), begun: Instant::now() }
    }

    /// Tells that something happened; the keys are those of its kind.
    pub(crate) fn tell(&self, event: &str, keys: Value) {
        self.put(event, keys, MOST_WAITING);
    }

    /// Tells of a move, if there is room.
    pub(crate) fn tell_move(&self, keys: impl FnOnce() -> Value) {
        if self.waiting.load(Ordering::Relaxed) < MOST_MOVES {
            self.put("move", keys(), MOST_MOVES);
        } else {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn put(&self, event: &str, keys: Value, most: usize) {
        let seconds = (self.begun.elapsed().as_secs_f64() * 1e6).round() / 1e6;
        let mut line = json!({ "event": event, "seconds": seconds });
        if let (Value::Object(line), Value::Object(keys)) = (&mut line, keys) {
            line.extend(keys);
        }
        let mut line = line.to_string().into_bytes();
        line.push(b'\n');
        // Counted before it is there, so that it is never taken before.
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= most {
            return self.drop_one();
        }
        match self.lines.try_send(line) {
            Ok(()) => {}
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => self.drop_one(),
        }
    }

    fn drop_one(&self) {
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        self.dropped.fetch_add(1, Ordering::Relaxed);
    }

    /// Writes what is left, as far as the reader takes it soon.
    pub(crate) fn finish(self) {
        let EventStream { lines, is_done, .. } = self;
        drop(lines);
        let is_done = is_done.into_inner().unwrap_or_else(PoisonError::into_inner);
        let _late = is_done.recv_timeout(PATIENCE);
    }
}

fn write_lines(
    mut to: impl Write,
    lines: &Receiver<Vec<u8>>,
    waiting: &AtomicUsize,
    dropped: &AtomicU64,
) -> std::io::Result<()> {
    let mut text = Vec::new();
    while let Ok(line) = lines.recv() {
        text.extend(line);
        let mut taken = 1;
        while text.len() < 1 << 16 {
            match lines.try_recv() {
                Ok(line) => text.extend(line),
                Err(TryRecvError::Empty | TryRecvError::Disconnected) => break,
            }
            taken += 1;
        }
        to.write_all(&text)?;
        to.flush()?;
        text.clear();
        waiting.fetch_sub(taken, Ordering::Relaxed);
        put_missed(&mut text, dropped)?;
    }
    put_missed(&mut text, dropped)?;
    to.write_all(&text)?;
    to.flush()
}

/// A line that says how many were left out since the last one.
fn put_missed(text: &mut Vec<u8>, dropped: &AtomicU64) -> std::io::Result<()> {
    match dropped.swap(0, Ordering::Relaxed) {
        0 => Ok(()),
        missed => writeln!(text, "{}", json!({ "event": "dropped", "lines": missed })),
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::MutexGuard;

    use tengen_lineup::lock;

    use super::*;

    /// A reader that takes nothing while it is locked.
    #[derive(Clone, Default)]
    struct SlowReader(Arc<Mutex<Vec<u8>>>);

    impl SlowReader {
        fn held(&self) -> MutexGuard<'_, Vec<u8>> {
            lock(&self.0)
        }
    }

    impl Write for SlowReader {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.held().extend(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn lines(reader: &SlowReader) -> Vec<Value> {
        let text = String::from_utf8(reader.held().clone()).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn a_slow_reader_holds_no_game_up_and_hears_what_it_missed() {
        let reader = SlowReader::default();
        let stream = EventStream::new(reader.clone());
        let held = reader.held();
        for number in 0..50_000 {
            stream.tell_move(|| json!({ "ply": number }));
        }
        for number in 0..5_000 {
            stream.tell("game_ended", json!({ "game": number }));
        }
        drop(held);
        stream.finish();
        let lines = lines(&reader);
        let of = |kind: &str| lines.iter().filter(|line| line["event"] == kind).count() as u64;
        assert_eq!(of("game_ended"), 5_000, "moves leave room for what matters");
        let missed: u64 = lines.iter().filter_map(|line| line["lines"].as_u64()).sum();
        assert_eq!(of("move") + missed, 50_000);
        assert!(missed > 0);
    }

    #[test]
    fn each_line_says_what_happened_and_when() {
        let reader = SlowReader::default();
        let stream = EventStream::new(reader.clone());
        stream.tell("begun", json!({ "total": 4 }));
        stream.finish();
        let lines = lines(&reader);
        assert_eq!(
            (lines.len(), &lines[0]["event"], &lines[0]["total"]),
            (1, &json!("begun"), &json!(4))
        );
        assert!(lines[0]["seconds"].as_f64().is_some_and(|seconds| seconds >= 0.0));
    }
}
