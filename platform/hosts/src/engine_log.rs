//! What an engine prints and logs.

mod crash_place;
mod panic_notice;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tengen_players::{DENIED, Listener};

use crate::LogTap;
use crate::platform::CrashReport;
use crate::sandbox::denials::Denials;
use crate::watchdog::Slot;
use panic_notice::PanicNotice;

/// How much of the end of the output is stored.
const MAX_RECENT: usize = 64 << 10;
/// How much an engine may print during one game.
const MAX_PRINTED: u64 = 16 << 20;
/// How many of the last lines go into the report of a failure.
const LAST_LINES: usize = 8;
/// How long those lines may be together.
const TAIL: usize = 2048;
/// How long to wait for what a dead engine's pipe still holds. Only a descendant that left its
/// group can keep that pipe open.
const PATIENCE: Duration = Duration::from_millis(200);

/// What an engine prints and logs: the end of it is kept, and all of it is counted.
pub(crate) struct EngineLog {
    state: Mutex<LogState>,
    ended: Condvar,
    denials: Arc<Denials>,
    tap: Option<Arc<dyn LogTap>>,
    /// What reads the names of functions, and the file that has them.
    symbols: Option<(PathBuf, PathBuf)>,
}

#[derive(Default)]
struct LogState {
    /// Where every line goes.
    listener: Option<Arc<dyn Listener>>,
    /// How many bytes at the end of `recent` no listener got yet.
    unsent: usize,
    recent: VecDeque<u8>,
    /// Bytes printed during this game.
    printed: u64,
    /// Pipes that are still open.
    open: u32,
}

impl EngineLog {
    #[cfg(test)]
    fn new() -> EngineLog {
        EngineLog::tapped(None)
    }

    /// A log with a receiver that gets a copy of all that is printed.
    pub(crate) fn tapped(tap: Option<Arc<dyn LogTap>>) -> EngineLog {
        let (state, ended, denials) = (Mutex::default(), Condvar::new(), Arc::default());
        EngineLog { state, ended, denials, tap, symbols: None }
    }

    /// The same for an engine of machine code in that file. The program reads the names in it.
    pub(crate) fn with_symbols(self, program: &Path, file: &Path) -> EngineLog {
        EngineLog { symbols: Some((program.to_owned(), file.to_owned())), ..self }
    }

    /// Where the process died, in words that follow the name of the signal; empty if it has not
    /// said.
    pub(crate) fn place_of(&self, signal: i32) -> String {
        let text = self.ended_state().text();
        let report = CrashReport::find(&text).filter(|report| report.signal == signal);
        report.map(|report| crash_place::words(&report, self.symbols.as_ref())).unwrap_or_default()
    }

    /// Reads the stderr of a process until it ends, on a thread of its own so that the process
    /// never waits for us. A process that prints too much is stopped through `slot`.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn read_stderr(
        self: &Arc<EngineLog>,
        mut pipe: impl Read + Send + 'static,
        slot: Arc<Slot>,
    ) -> io::Result<()> {
        let engine_log = Arc::clone(self);
        let drains = move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut bytes) {
                if engine_log.write_output(&bytes[..count]) {
                    slot.fire();
                    break;
                }
            }
            drop(pipe);
            engine_log.state().open -= 1;
            engine_log.ended.notify_all();
        };
        self.state().open += 1;
        let started = thread::Builder::new().name("engine-log".to_owned()).spawn(drains);
        if started.is_err() {
            self.state().open -= 1;
        }
        started.map(drop)
    }

    /// Adds a message of an engine that does not speak in lines, which the tap would get.
    pub(crate) fn write_message(&self, text: &[u8]) {
        if let Some(tap) = &self.tap {
            tap.printed(text);
            tap.printed(if text.ends_with(b"\n") { b"" } else { b"\n" });
        }
        self.write_line(text);
    }

    pub(crate) fn write_line(&self, text: &[u8]) {
        let mut state = self.state();
        state.append(text);
        if !text.ends_with(b"\n") {
            state.append(b"\n");
        }
        state.notify();
    }

    /// Sends every line to the listener from now on, and those that no listener got yet.
    pub(crate) fn set_listener(&self, listener: Option<&Arc<dyn Listener>>) {
        let mut state = self.state();
        state.listener = listener.cloned();
        state.notify();
    }

    /// Another game begins: counts from zero.
    pub(crate) fn new_game(&self) {
        self.state().printed = 0;
    }

    /// Another process starts: forgets the output of the former one.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.recent.clear();
        (state.printed, state.unsent) = (0, 0);
    }

    /// Whether more was printed than one game may hold.
    pub(crate) fn is_flood(&self) -> bool {
        self.state().printed > MAX_PRINTED
    }

    /// The state once the pipes are read to their end, or as it is after a while.
    fn ended_state(&self) -> MutexGuard<'_, LogState> {
        let open = |state: &mut LogState| state.open > 0;
        let waited = self.ended.wait_timeout_while(self.state(), PATIENCE, open);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// What the sandbox has denied the engine.
    pub(crate) fn denials(&self) -> &Arc<Denials> {
        &self.denials
    }

    /// What happened to an engine, with why it gave up in its own words before all else, what it
    /// was denied, which may be why, and its last words.
    pub(crate) fn with_last_words(&self, what: String) -> String {
        let mut what = match self.denials.of_the_dead() {
            Some(paths) => format!("{DENIED}{paths}; {what}"),
            None => what,
        };
        let mut state = self.ended_state();
        let notice = PanicNotice::find(&state.text());
        let calls = notice.as_ref().map(|notice| notice.calls.join("\n")).unwrap_or_default();
        if let Some(PanicNotice { message, .. }) = notice {
            what = format!("{message}; {what}");
        }
        if !calls.is_empty() {
            // The lines after a panic that was traced are the trace.
            return format!("{what}; it was called by:\n{calls}");
        }
        match state.last_lines() {
            engine_log if engine_log.is_empty() => what,
            engine_log => format!("{what}; it said last:\n{engine_log}"),
        }
    }

    /// Adds output, and gives whether it was too much.
    fn write_output(&self, bytes: &[u8]) -> bool {
        if let Some(tap) = &self.tap {
            tap.printed(bytes);
        }
        let mut state = self.state();
        state.append(bytes);
        state.notify();
        state.printed += bytes.len() as u64;
        state.printed > MAX_PRINTED
    }

    fn state(&self) -> MutexGuard<'_, LogState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LogState {
    /// All that is kept.
    fn text(&mut self) -> String {
        String::from_utf8_lossy(self.recent.make_contiguous()).into_owned()
    }

    fn last_lines(&mut self) -> String {
        let recent = self.recent.make_contiguous();
        let tail = String::from_utf8_lossy(&recent[recent.len().saturating_sub(TAIL)..]);
        let is_said = |line: &&str| !line.trim().is_empty() && !CrashReport::is_line(line);
        let lines: Vec<_> = tail.lines().filter(is_said).collect();
        lines[lines.len().saturating_sub(LAST_LINES)..].join("\n")
    }

    fn append(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(MAX_RECENT)..];
        let excess = (self.recent.len() + bytes.len()).saturating_sub(MAX_RECENT);
        self.recent.drain(..excess);
        self.recent.extend(bytes);
        self.unsent = (self.unsent + bytes.len()).min(self.recent.len());
    }

    /// Sends the whole lines that no listener got yet. An unfinished line waits for its end.
    fn notify(&mut self) {
        let Some(listener) = &self.listener else { return };
        let start = self.recent.len() - self.unsent;
        let fresh: Vec<u8> = self.recent.range(start..).copied().collect();
        let Some(end) = fresh.iter().rposition(|byte| *byte == b'\n') else { return };
        self.unsent -= end + 1;
        let text = String::from_utf8_lossy(&fresh[..end]);
        // What its host says about its death is told in other words.
        if !text.contains(CrashReport::MARK) {
            return listener.message(&text);
        }
        let said: Vec<_> = text.lines().filter(|line| !CrashReport::is_line(line)).collect();
        listener.message(said.join("\n").trim_end());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_words_are_kept() {
        let engine_log = EngineLog::new();
        for number in 0..100_000 {
            engine_log.write_line(format!("line {number}").as_bytes());
        }
        assert!(engine_log.state().recent.len() <= MAX_RECENT);
        let expected: Vec<_> = (99_992..100_000).map(|number| format!("line {number}")).collect();
        assert_eq!(engine_log.ended_state().last_lines(), expected.join("\n"));
        engine_log.clear();
        assert_eq!(engine_log.ended_state().last_lines(), "");
    }

    #[test]
    fn a_panic_is_told_first_however_much_was_printed_after_it() {
        let engine_log = EngineLog::new();
        engine_log.write_line(b"thread 'main' panicked at src/lib.rs:7:9:\nno row");
        (0..100).for_each(|number| engine_log.write_line(format!("line {number}").as_bytes()));
        let told = engine_log.with_last_words("was killed".to_owned());
        let first = "panicked at src/lib.rs:7:9: no row line 0 line 1; was killed; it said last:\n";
        assert!(told.starts_with(first) && told.ends_with("line 99"), "{told}");
    }

    #[test]
    fn a_flood_is_counted_by_the_game() {
        let engine_log = EngineLog::new();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..16 {
            assert!(!engine_log.write_output(&chunk));
        }
        assert!(engine_log.write_output(b"x") && engine_log.is_flood());
        engine_log.new_game();
        assert!(!engine_log.is_flood());
    }

    #[derive(Default, Debug)]
    struct RecordingListener(Mutex<Vec<String>>);

    impl Listener for RecordingListener {
        fn progress(&self, _: tengen_players::SearchProgress) {}

        fn message(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    #[test]
    fn a_listener_hears_every_line_once_however_late_it_comes() {
        let (engine_log, recorder) = (EngineLog::new(), Arc::new(RecordingListener::default()));
        let listener: Arc<dyn Listener> = recorder.clone();
        let taken = || std::mem::take(&mut *recorder.0.lock().unwrap());
        engine_log.write_line(b"early");
        engine_log.set_listener(Some(&listener));
        assert_eq!(taken(), ["early"]);
        engine_log.write_output(b"half a ");
        assert!(taken().is_empty());
        engine_log.write_output(b"line\nand");
        assert_eq!(taken(), ["half a line"]);
        engine_log.set_listener(None);
        engine_log.write_output(b" more\n");
        assert!(taken().is_empty());
        engine_log.set_listener(Some(&listener));
        assert_eq!(taken(), ["and more"]);
    }
}
