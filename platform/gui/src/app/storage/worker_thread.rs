//! Threads that are joined when their owner is dropped.

use std::io;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

/// A thread that is joined when this is dropped.
pub(in crate::app) struct JoinedThread(Option<JoinHandle<()>>);

impl JoinedThread {
    pub(in crate::app) fn spawn(
        name: &str,
        work: impl FnOnce() + Send + 'static,
    ) -> io::Result<JoinedThread> {
        let thread = thread::Builder::new().name(name.to_owned()).spawn(work)?;
        Ok(JoinedThread(Some(thread)))
    }
}

impl Drop for JoinedThread {
    fn drop(&mut self) {
        let Some(thread) = self.0.take() else { return };
        let name = thread.thread().name().unwrap_or_default().to_owned();
        if thread.join().is_err() {
            log::error!("the {name} thread panicked");
        }
    }
}

/// A thread that handles messages in order. Dropping it waits until all are handled.
pub(in crate::app) struct WorkerThread<T> {
    // It is dropped before the thread, which then ends.
    sender: Sender<T>,
    thread: Option<JoinedThread>,
}

impl<T: Send + 'static> WorkerThread<T> {
    /// Starts the thread. If the system has none left, messages are dropped.
    pub(in crate::app) fn start(
        name: &str,
        work: impl FnOnce(&Receiver<T>) + Send + 'static,
    ) -> WorkerThread<T> {
        let (sender, messages) = mpsc::channel();
        let thread = JoinedThread::spawn(name, move || work(&messages));
        WorkerThread { sender, thread: thread.ok() }
    }

    /// Whether there is a thread.
    pub(super) fn is_running(&self) -> bool {
        self.thread.is_some()
    }

    /// Sends a message. Returns at once.
    pub(in crate::app) fn send(&self, message: T) {
        if self.sender.send(message).is_err() {
            log::error!("a worker thread is gone");
        }
    }
}
