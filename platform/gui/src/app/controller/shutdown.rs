//! The end of the program.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

use super::App;

/// How long the program waits at its end for engines and connections to stop.
const PATIENCE: Duration = Duration::from_secs(20);

impl Drop for App {
    /// Finishes saving, autosaves what is unsaved, and stops all sessions.
    fn drop(&mut self) {
        self.files.finish();
        self.run_completions();
        self.autosave_all();
        (0..self.tabs.len()).for_each(|index| self.forget_ended(index));
        if let Some(settings_store) = &mut self.settings_store {
            settings_store.keep(&self.settings);
        }
        let endings = Endings::new();
        for tab in self.tabs.drain(..) {
            endings.end(tab);
        }
        // Its thread may be in the middle of connecting.
        endings.end(self.take_lobby());
        endings.wait(PATIENCE);
    }
}

/// What is being dropped, each on a thread of its own.
struct Endings {
    ended: Sender<()>,
    is_ending: Receiver<()>,
}

impl Endings {
    fn new() -> Endings {
        let (ended, is_ending) = mpsc::channel();
        Endings { ended, is_ending }
    }

    /// Drops something that may wait for a thread of its own.
    fn end(&self, what: impl Send + 'static) {
        let ended = self.ended.clone();
        let end = move || {
            drop(what);
            drop(ended);
        };
        // Without a thread it stops here.
        let _ = thread::Builder::new().name("end".to_owned()).spawn(end);
    }

    /// Waits until all of it is gone, but no longer than that. Whether it is.
    fn wait(self, patience: Duration) -> bool {
        drop(self.ended);
        // Nothing is ever sent: the channel closes when all are done.
        self.is_ending.recv_timeout(patience) == Err(mpsc::RecvTimeoutError::Disconnected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Its end takes until it is allowed.
    struct Slow(Receiver<()>);

    impl Drop for Slow {
        fn drop(&mut self) {
            let _gone = self.0.recv();
        }
    }

    #[test]
    fn what_does_not_end_is_waited_for_only_so_long() {
        let (allow, allowed) = mpsc::channel();
        let endings = Endings::new();
        endings.end(Some(Slow(allowed)));
        endings.end(None::<Slow>);
        assert!(!endings.wait(Duration::ZERO), "it is still there, and is left behind");
        drop(allow);
        let endings = Endings::new();
        let (allow, allowed) = mpsc::channel();
        endings.end(Slow(allowed));
        drop(allow);
        assert!(endings.wait(Duration::from_secs(600)));
    }
}
