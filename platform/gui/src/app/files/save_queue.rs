use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

/// A task for the thread.
type SaveTask = Box<dyn FnOnce() + Send>;

/// A thread that saves files one after another, so that of two states of a file the later one
/// stays. It ends when everything is saved.
#[derive(Default)]
pub(in crate::app) struct SaveQueue {
    sender: Option<Sender<SaveTask>>,
    thread: Option<JoinHandle<()>>,
}

impl SaveQueue {
    /// Adds a task.
    pub(super) fn send(&mut self, task: SaveTask) {
        let sender = self.sender.get_or_insert_with(|| {
            let (sender, tasks) = mpsc::channel::<SaveTask>();
            let work = move || tasks.iter().for_each(|task| task());
            let thread = thread::Builder::new().name("saving".to_owned()).spawn(work);
            self.thread = Some(thread.expect("the system has a thread left"));
            sender
        });
        if sender.send(task).is_err() {
            log::error!("the thread that saves is gone");
        }
    }
}

impl Drop for SaveQueue {
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("the thread that saves panicked");
        }
    }
}
