//! The thread that autosaves, with its queue and retries.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{AutosaveContent, EXTENSION, LONGEST, MOST_BYTES, OLD, file_format, folders};
use crate::app::model::{JournalError, Wake};
use crate::app::storage::journal::{self, Durability};
use crate::app::storage::worker_thread::WorkerThread;

/// A message to the thread.
pub(super) enum AutosaveJob {
    /// The tab of this name changed: ask for its contents once the user pauses.
    Changed(String),
    /// Save these contents under a name; none deletes them.
    Save(String, Option<Box<AutosaveContent>>),
}

/// The thread that writes autosaves. Dropping it waits until everything is written.
pub(super) struct AutosaveThread {
    worker: WorkerThread<AutosaveJob>,
    shared: Arc<Mutex<AutosaveStatus>>,
}

/// What the thread reports.
#[derive(Default)]
struct AutosaveStatus {
    problem: Option<JournalError>,
    /// The names of tabs whose contents are wanted.
    wanted: BTreeSet<String>,
    /// The names of tabs that could not be saved.
    failing: BTreeSet<String>,
}

/// Contents are asked for after a pause of this length, so that trees are not copied at every key.
const REST: Duration = Duration::from_millis(300);
/// Or after this time without a pause.
const MOST_REST: Duration = Duration::from_secs(3);
/// A failed write is tried again after this time at first, then after twice as long each time.
const PAUSE: Duration = Duration::from_secs(1);
const MOST_PAUSE: Duration = Duration::from_secs(30);

impl AutosaveThread {
    /// Starts to write into folders of `root`; `own` is this window's folder.
    pub(super) fn start(root: PathBuf, own: String, wake: Wake) -> AutosaveThread {
        let shared = Arc::new(Mutex::new(AutosaveStatus::default()));
        let mut queue = AutosaveQueue::new(root, own, Arc::clone(&shared), wake);
        let work = move |jobs: &Receiver<AutosaveJob>| queue.run(jobs);
        AutosaveThread { worker: WorkerThread::start("autosave", work), shared }
    }

    pub(super) fn send(&self, job: AutosaveJob) {
        self.worker.send(job);
    }

    pub(super) fn take_problem(&self) -> Option<JournalError> {
        lock(&self.shared).problem.take()
    }

    pub(super) fn take_wanted(&self) -> BTreeSet<String> {
        std::mem::take(&mut lock(&self.shared).wanted)
    }

    pub(super) fn is_failing(&self, name: &str) -> bool {
        !self.worker.is_running() || lock(&self.shared).failing.contains(name)
    }
}

fn lock(shared: &Mutex<AutosaveStatus>) -> MutexGuard<'_, AutosaveStatus> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The thread's queue of work.
struct AutosaveQueue {
    root: PathBuf,
    own: String,
    /// The lock on this window's folder, held while it is open.
    claim: Option<File>,
    shared: Arc<Mutex<AutosaveStatus>>,
    wake: Wake,
    /// When each changed tab changed first and last.
    changed: BTreeMap<String, [Instant; 2]>,
    waiting: BTreeMap<String, Option<Box<AutosaveContent>>>,
    /// The tabs already reported as too large.
    too_large: BTreeSet<String>,
    /// When a failed write is tried again, and the pause before it; none while nothing fails.
    again: Option<(Instant, Duration)>,
}

impl AutosaveQueue {
    fn new(
        root: PathBuf,
        own: String,
        shared: Arc<Mutex<AutosaveStatus>>,
        wake: Wake,
    ) -> AutosaveQueue {
        let (changed, waiting, too_large) = (BTreeMap::new(), BTreeMap::new(), BTreeSet::new());
        let (claim, again) = (None, None);
        AutosaveQueue { root, own, claim, shared, wake, changed, waiting, too_large, again }
    }

    /// Writes contents as they arrive, the last version of each name, until the sender is gone. A
    /// failed write is tried again with the next one, after a while, and at the end.
    fn run(&mut self, jobs: &Receiver<AutosaveJob>) {
        loop {
            let job = match self.next() {
                Some(next) => jobs.recv_timeout(next.saturating_duration_since(Instant::now())),
                None => jobs.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let mut is_time = self.again.is_some_and(|(at, _)| at <= Instant::now());
            match job {
                Ok(job) => {
                    for job in std::iter::once(job).chain(jobs.try_iter()) {
                        is_time |= self.take(job);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            self.ask();
            if is_time {
                self.write();
            }
        }
        self.write();
        if let Some(claim) = self.claim.take() {
            folders::release(&self.root, &self.root.join(&self.own), claim);
        }
    }

    /// When to wake up without a message.
    fn next(&self) -> Option<Instant> {
        let again = self.again.map(|(at, _)| at);
        self.changed.values().map(due).chain(again).min()
    }

    /// Whether there is something to write.
    fn take(&mut self, job: AutosaveJob) -> bool {
        match job {
            AutosaveJob::Changed(name) => {
                let now = Instant::now();
                self.changed.entry(name).or_insert([now; 2])[1] = now;
                false
            }
            AutosaveJob::Save(name, work) => {
                self.changed.remove(&name);
                self.waiting.insert(name, work);
                true
            }
        }
    }

    /// Asks for changed contents, once the user pauses.
    fn ask(&mut self) {
        let now = Instant::now();
        let asked = self.changed.extract_if(.., |_, times| due(times) <= now);
        let asked: Vec<String> = asked.map(|(name, _)| name).collect();
        if !asked.is_empty() {
            lock(&self.shared).wanted.extend(asked);
            (self.wake)();
        }
    }

    /// Writes what is waiting, and keeps what fails. A failure is reported once.
    fn write(&mut self) {
        let was_failing = self.again.is_some();
        let mut failing = false;
        for (name, work) in std::mem::take(&mut self.waiting) {
            match self.write_one(&name, work.as_deref()) {
                Ok(()) => {
                    self.too_large.remove(&name);
                    lock(&self.shared).failing.remove(&name);
                }
                Err(problem) => {
                    lock(&self.shared).failing.insert(name.clone());
                    let known = if matches!(problem, JournalError::TooLarge) {
                        !self.too_large.insert(name)
                    } else {
                        self.waiting.insert(name, work);
                        std::mem::replace(&mut failing, true) || was_failing
                    };
                    if !known {
                        lock(&self.shared).problem = Some(problem);
                        (self.wake)();
                    }
                }
            }
        }
        self.again = failing.then(|| {
            let pause = self.again.map_or(PAUSE, |(_, pause)| MOST_PAUSE.min(2 * pause));
            (Instant::now() + pause, pause)
        });
    }

    fn write_one(
        &mut self,
        name: &str,
        work: Option<&AutosaveContent>,
    ) -> Result<(), JournalError> {
        let path = self.root.join(name).with_extension(EXTENSION);
        let Some(work) = work else {
            return journal::remove(&path);
        };
        let text = file_format::write(work);
        if text.len() as u64 > MOST_BYTES {
            mark_as_old(&path)?;
            return Err(JournalError::TooLarge);
        }
        match self.set_saved_in() {
            Ok(()) => journal::write(&path, &text, Durability::Machine),
            Err(error) => Err(JournalError::Unwritable { path, error }),
        }
    }

    /// Creates and locks the window's folder.
    fn set_saved_in(&mut self) -> io::Result<()> {
        let folder = self.root.join(&self.own);
        if self.claim.is_none() || !folder.is_dir() {
            self.claim = Some(folders::create(&self.root, &folder)?);
        }
        Ok(())
    }
}

/// Marks a file as an older state.
fn mark_as_old(path: &Path) -> Result<(), JournalError> {
    match journal::read(path, LONGEST)? {
        Some(text) if !text.starts_with(OLD) => {
            journal::write(path, &format!("{OLD}{text}"), Durability::Machine)
        }
        _ => Ok(()),
    }
}

/// When contents that changed then are asked for.
fn due([first, last]: &[Instant; 2]) -> Instant {
    (*last + REST).min(*first + MOST_REST)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::app::model::PositionEditor;

    fn queue(root: &Path) -> (AutosaveQueue, Arc<AtomicUsize>) {
        let told = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&told);
        let wake = Arc::new(move || {
            count.fetch_add(1, Ordering::SeqCst);
        });
        (AutosaveQueue::new(root.to_owned(), "own".to_owned(), Arc::default(), wake), told)
    }

    fn keep(queue: &mut AutosaveQueue, name: &str) {
        let size = tengen_rules::Size::STANDARD;
        let editor = PositionEditor::new(tengen_rules::Rule::Renju, size, &[size.center()]);
        queue.take(AutosaveJob::Save(
            format!("own/{name}"),
            Some(Box::new(AutosaveContent::Editor(editor))),
        ));
    }

    #[test]
    fn what_the_system_refuses_is_said_once_and_written_as_soon_as_it_can_be() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("unsaved");
        fs::write(&root, "a file where the folder would be").unwrap();
        let (mut queue, told) = queue(&root);
        for name in ["one", "two", "three"] {
            keep(&mut queue, name);
            queue.write();
        }
        assert_eq!(told.load(Ordering::SeqCst), 1);
        assert!(queue.next().is_some(), "it is tried again though nothing comes");
        assert!(lock(&queue.shared).failing.contains("own/two"));
        fs::remove_file(&root).unwrap();
        queue.write();
        assert!(root.join("own/one.toml").is_file() && root.join("own/three.toml").is_file());
        assert!(queue.next().is_none() && lock(&queue.shared).failing.is_empty());
    }

    #[test]
    fn what_changes_is_asked_for_once_the_person_rests_or_after_a_while() {
        let dir = tempfile::tempdir().unwrap();
        let (mut queue, _) = queue(dir.path());
        let now = Instant::now();
        queue.take(AutosaveJob::Changed("own/one".to_owned()));
        assert!(queue.next().is_some_and(|due| due >= now + REST && due < now + MOST_REST));
        let typing = [now.checked_sub(MOST_REST).unwrap(), now + MOST_REST];
        queue.changed.insert("own/one".to_owned(), typing);
        queue.ask();
        assert_eq!(lock(&queue.shared).wanted.len(), 1);
        assert!(queue.next().is_none());
    }
}
