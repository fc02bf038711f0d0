use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::App;

/// How long the end of the program waits for engines that are told to go.
const PATIENCE: Duration = Duration::from_secs(20);

impl Drop for App {
    /// Saves what is being saved, keeps what is in no file, and lets what is played end.
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
            // Without a thread it ends here.
            let _ = thread::Builder::new().name("end".to_owned()).spawn(end);
        }
        drop(ended);
        // Nothing is ever sent: all have ended when nobody could send any more.
        let _ = is_closing.recv_timeout(PATIENCE);
    }
}
