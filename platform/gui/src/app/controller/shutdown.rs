//! The end of the program.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::App;

/// How long the program waits at its end for engines to stop.
const PATIENCE: Duration = Duration::from_secs(20);

impl Drop for App {
    /// Finishes saving, autosaves what is unsaved, and stops all sessions.
    fn drop(&mut self) {
        self.files.finish();
        self.run_completions();
        self.autosave_all();
        let (ended, is_closing) = mpsc::channel::<()>();
        for tab in self.tabs.drain(..) {
            let ended = ended.clone();
            let end = move || {
                drop(tab);
                drop(ended);
            };
            // Without a thread it stops here.
            let _ = thread::Builder::new().name("end".to_owned()).spawn(end);
        }
        drop(ended);
        // Nothing is ever sent: the channel closes when all are done.
        let _ = is_closing.recv_timeout(PATIENCE);
    }
}
