use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A thread that does the same again and again until this is dropped.
pub struct Background {
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Background {
    /// `step` returns how long to wait until the next one.
    pub fn start(
        name: &str,
        mut step: impl FnMut() -> Duration + Send + 'static,
    ) -> io::Result<Background> {
        let is_over = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&is_over);
        let run = move || {
            while !seen.load(Ordering::SeqCst) {
                thread::park_timeout(step());
            }
        };
        let thread = Some(thread::Builder::new().name(name.to_owned()).spawn(run)?);
        Ok(Background { is_over, thread })
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            let _panicked = thread.join();
        }
    }
}
