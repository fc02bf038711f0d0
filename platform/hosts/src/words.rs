use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use tengen_players::{DENIED, Listener};

use crate::denials::Denials;
use crate::watchdog::Slot;

/// How much of what an engine said last is kept.
const KEPT: usize = 64 << 10;
/// How much an engine may print during one game.
const MOST: u64 = 16 << 20;
/// How many of the last lines go into the account of a failure.
const LINES: usize = 8;
/// How long those lines may be together.
const TAIL: usize = 2048;
/// How long to wait for what a dead engine's pipe still holds. Only a descendant that left its
/// group can keep that pipe open.
const PATIENCE: Duration = Duration::from_millis(200);

/// What an engine prints and logs: the last of it is kept, and all of it is counted.
pub(crate) struct Words {
    state: Mutex<State>,
    ended: Condvar,
    denials: Arc<Denials>,
}

#[derive(Default)]
struct State {
    /// Who hears every line.
    listener: Option<Arc<dyn Listener>>,
    /// How much of the end of what is kept nobody has heard.
    unheard: usize,
    kept: VecDeque<u8>,
    /// Bytes printed during this game.
    printed: u64,
    /// Pipes that are still open.
    open: u32,
}

impl Words {
    pub(crate) fn new() -> Words {
        Words { state: Mutex::default(), ended: Condvar::new(), denials: Arc::default() }
    }

    /// Reads a child's stderr until it ends, on a thread of its own so that the child never waits
    /// for us. A child that prints too much is stopped through `slot`.
    ///
    /// # Errors
    /// When the system has no thread to give.
    pub(crate) fn drain(
        self: &Arc<Words>,
        mut pipe: impl Read + Send + 'static,
        slot: Arc<Slot>,
    ) -> io::Result<()> {
        let words = Arc::clone(self);
        let drains = move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = pipe.read(&mut bytes) {
                if words.print(&bytes[..count]) {
                    slot.fire();
                    break;
                }
            }
            drop(pipe);
            words.state().open -= 1;
            words.ended.notify_all();
        };
        self.state().open += 1;
        let started = thread::Builder::new().name("words".to_owned()).spawn(drains);
        if started.is_err() {
            self.state().open -= 1;
        }
        started.map(drop)
    }

    /// Keeps a line of the log.
    pub(crate) fn log(&self, text: &[u8]) {
        let mut state = self.state();
        state.keep(text);
        if !text.ends_with(b"\n") {
            state.keep(b"\n");
        }
        state.tell();
    }

    /// Lets somebody hear every line from now on, and those that nobody heard.
    pub(crate) fn hear(&self, listener: Option<&Arc<dyn Listener>>) {
        let mut state = self.state();
        state.listener = listener.cloned();
        state.tell();
    }

    /// Begins to count anew.
    pub(crate) fn new_game(&self) {
        self.state().printed = 0;
    }

    /// Forgets what a former process said.
    pub(crate) fn clear(&self) {
        let mut state = self.state();
        state.kept.clear();
        (state.printed, state.unheard) = (0, 0);
    }

    /// Whether more was printed than one game may hold.
    pub(crate) fn is_flood(&self) -> bool {
        self.state().printed > MOST
    }

    /// The last lines of an engine whose process has ended.
    pub(crate) fn last(&self) -> String {
        let open = |state: &mut State| state.open > 0;
        let waited = self.ended.wait_timeout_while(self.state(), PATIENCE, open);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let kept = state.kept.make_contiguous();
        let tail = String::from_utf8_lossy(&kept[kept.len().saturating_sub(TAIL)..]);
        let lines: Vec<_> = tail.lines().filter(|line| !line.trim().is_empty()).collect();
        lines[lines.len().saturating_sub(LINES)..].join("\n")
    }

    /// What its walls have denied it.
    pub(crate) fn denials(&self) -> &Arc<Denials> {
        &self.denials
    }

    /// What happened to an engine, what it was denied, which may be why, and what it said last
    /// before it.
    pub(crate) fn after(&self, what: String) -> String {
        let what = match self.denials.of_the_dead() {
            Some(paths) => format!("{DENIED}{paths}; {what}"),
            None => what,
        };
        match self.last() {
            words if words.is_empty() => what,
            words => format!("{what}; it said last:\n{words}"),
        }
    }

    /// Gives whether it was too much.
    fn print(&self, bytes: &[u8]) -> bool {
        let mut state = self.state();
        state.keep(bytes);
        state.tell();
        state.printed += bytes.len() as u64;
        state.printed > MOST
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn keep(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(KEPT)..];
        let excess = (self.kept.len() + bytes.len()).saturating_sub(KEPT);
        self.kept.drain(..excess);
        self.kept.extend(bytes);
        self.unheard = (self.unheard + bytes.len()).min(self.kept.len());
    }

    /// Tells the whole lines that were not heard. A line in the making waits for its end.
    fn tell(&mut self) {
        let Some(listener) = &self.listener else { return };
        let start = self.kept.len() - self.unheard;
        let fresh: Vec<u8> = self.kept.range(start..).copied().collect();
        let Some(end) = fresh.iter().rposition(|byte| *byte == b'\n') else { return };
        self.unheard -= end + 1;
        listener.message(&String::from_utf8_lossy(&fresh[..end]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_words_are_kept() {
        let words = Words::new();
        for number in 0..100_000 {
            words.log(format!("line {number}").as_bytes());
        }
        assert!(words.state().kept.len() <= KEPT);
        let expected: Vec<_> = (99_992..100_000).map(|number| format!("line {number}")).collect();
        assert_eq!(words.last(), expected.join("\n"));
        words.clear();
        assert_eq!(words.last(), "");
    }

    #[test]
    fn a_flood_is_counted_by_the_game() {
        let words = Words::new();
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..16 {
            assert!(!words.print(&chunk));
        }
        assert!(words.print(b"x") && words.is_flood());
        words.new_game();
        assert!(!words.is_flood());
    }

    #[derive(Default, Debug)]
    struct Ear(Mutex<Vec<String>>);

    impl Listener for Ear {
        fn progress(&self, _: tengen_players::SearchProgress) {}

        fn message(&self, text: &str) {
            self.0.lock().unwrap().push(text.to_owned());
        }
    }

    #[test]
    fn a_listener_hears_every_line_once_however_late_it_comes() {
        let (words, ear) = (Words::new(), Arc::new(Ear::default()));
        let listener: Arc<dyn Listener> = ear.clone();
        let heard = || std::mem::take(&mut *ear.0.lock().unwrap());
        words.log(b"early");
        words.hear(Some(&listener));
        assert_eq!(heard(), ["early"]);
        words.print(b"half a ");
        assert!(heard().is_empty());
        words.print(b"line\nand");
        assert_eq!(heard(), ["half a line"]);
        words.hear(None);
        words.print(b" more\n");
        assert!(heard().is_empty());
        words.hear(Some(&listener));
        assert_eq!(heard(), ["and more"]);
    }
}
