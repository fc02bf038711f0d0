use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use super::House;

/// How long the end of the program waits for engines that are told to go.
const PATIENCE: Duration = Duration::from_secs(20);

impl Drop for House {
    /// Saves what is being saved, keeps what is in no file, and lets what is played end.
    fn drop(&mut self) {
        self.files.finish();
        self.receive();
        self.keep_all();
        let (ended, ends) = mpsc::channel::<()>();
        for table in self.tables.drain(..) {
            let ended = ended.clone();
            let end = move || {
                drop(table);
                drop(ended);
            };
            // Without a thread it ends here.
            let _ = thread::Builder::new().name("end".to_owned()).spawn(end);
        }
        drop(ended);
        // Nothing is ever sent: all have ended when nobody could send any more.
        let _ = ends.recv_timeout(PATIENCE);
    }
}
