//! A thread with a queue.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// A thread that handles messages in order. Dropping it waits until all are handled.
pub(in crate::app) struct WorkerThread<T> {
    sender: Option<Sender<T>>,
    thread: Option<JoinHandle<()>>,
}

impl<T: Send + 'static> WorkerThread<T> {
    /// Starts the thread. If the system has none left, messages are dropped.
    pub(in crate::app) fn start(
        name: &str,
        work: impl FnOnce(&Receiver<T>) + Send + 'static,
    ) -> WorkerThread<T> {
        let (sender, messages) = mpsc::channel();
        let thread = thread::Builder::new().name(name.to_owned()).spawn(move || work(&messages));
        WorkerThread { sender: Some(sender), thread: thread.ok() }
    }

    /// Whether there is a thread.
    pub(super) fn is_running(&self) -> bool {
        self.thread.is_some()
    }

    /// Sends a message. Returns at once.
    pub(in crate::app) fn send(&self, message: T) {
        if self.sender.as_ref().is_some_and(|sender| sender.send(message).is_err()) {
            log::error!("a worker thread is gone");
        }
    }
}

impl<T> Drop for WorkerThread<T> {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("a worker thread panicked");
        }
    }
}
