use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::{AutosaveProblem, EXTENSION, MOST_BYTES, Work, text};
use crate::app::Wake;
use crate::app::files::replace;

/// What is kept under a name from now on; none forgets it.
pub(super) struct Job {
    pub name: String,
    pub work: Option<Box<Work>>,
}

/// The thread that writes. It ends when everything is written.
pub(super) struct Writer {
    sender: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    problem: Arc<Mutex<Option<AutosaveProblem>>>,
}

/// How long the thread rests between two rounds: keys are typed quicker than disks write.
const REST: Duration = Duration::from_millis(300);

impl Writer {
    pub(super) fn start(dir: PathBuf, wake: Wake) -> Writer {
        let (sender, jobs) = mpsc::channel();
        let problem = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&problem);
        let tell = move |problem| {
            *shared.lock().unwrap_or_else(PoisonError::into_inner) = Some(problem);
            wake();
        };
        let work = move || write_all(&dir, &jobs, &tell);
        let thread = thread::Builder::new().name("autosave".to_owned()).spawn(work);
        Writer { sender: Some(sender), thread: thread.ok(), problem }
    }

    pub(super) fn send(&self, job: Job) {
        if let Some(sender) = &self.sender {
            // Without its thread there is nobody to write, and nothing is lost but what is kept.
            let _ = sender.send(job);
        }
    }

    pub(super) fn take_problem(&self) -> Option<AutosaveProblem> {
        self.problem.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Drop for Writer {
    /// Waits until everything is written.
    fn drop(&mut self) {
        self.sender = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What the thread has to do.
struct Desk<'a> {
    dir: &'a Path,
    jobs: &'a Receiver<Job>,
    tell: &'a dyn Fn(AutosaveProblem),
    waiting: BTreeMap<String, Option<Box<Work>>>,
    /// What was said to be too large.
    too_large: BTreeSet<String>,
    /// Whether the system would not write the last time.
    failing: bool,
}

/// Writes what comes, of several changes of one name the last, until nothing can come any more.
/// What could not be written is tried again with what comes next, and said once.
fn write_all(dir: &Path, jobs: &Receiver<Job>, tell: &dyn Fn(AutosaveProblem)) {
    let (waiting, too_large) = (BTreeMap::new(), BTreeSet::new());
    let mut desk = Desk { dir, jobs, tell, waiting, too_large, failing: false };
    while let Ok(job) = jobs.recv() {
        desk.waiting.insert(job.name, job.work);
        desk.write();
        let until = Instant::now() + REST;
        while let Ok(job) = jobs.recv_timeout(until.saturating_duration_since(Instant::now())) {
            desk.waiting.insert(job.name, job.work);
        }
        desk.write();
    }
}

impl Desk<'_> {
    /// Does what waits, and keeps what fails.
    fn write(&mut self) {
        self.waiting.extend(self.jobs.try_iter().map(|job| (job.name, job.work)));
        let mut failing = false;
        for (name, work) in std::mem::take(&mut self.waiting) {
            let path = self.dir.join(&name).with_extension(EXTENSION);
            match write(&path, work.as_deref()) {
                Ok(()) => {}
                Err(AutosaveProblem::TooLarge) => {
                    if self.too_large.insert(name) {
                        (self.tell)(AutosaveProblem::TooLarge);
                    }
                }
                Err(problem) => {
                    if !self.failing && !failing {
                        (self.tell)(problem);
                    }
                    failing = true;
                    self.waiting.insert(name, work);
                }
            }
        }
        self.failing = failing;
    }
}

fn write(path: &Path, work: Option<&Work>) -> Result<(), AutosaveProblem> {
    let unwritable = |error| AutosaveProblem::Unwritable { path: path.to_owned(), error };
    let Some(work) = work else {
        return match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(unwritable(error)),
            _ => Ok(()),
        };
    };
    let text = text::write(work);
    if text.len() as u64 > MOST_BYTES {
        return Err(AutosaveProblem::TooLarge);
    }
    if let Some(dir) = path.parent() {
        fs::create_dir_all(dir).map_err(unwritable)?;
    }
    replace(path, text.as_bytes()).map_err(unwritable)
}
