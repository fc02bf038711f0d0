//! The folder of a queue.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::{Deserialize, Serialize};
use tengen_tournament::{Event, EventConfig};

use crate::WrongUse;
use crate::outcome::{event_error, wrong_use};

const TICKET: &str = "test.toml";
const PLAN: &str = "plan.toml";
pub(super) const EVENT: &str = "event";
const STOPPED: &str = "stopped";
const FAILED: &str = "failed";
const LOCK: &str = "queue.lock";
/// The fewest digits of a commit that name it.
const LEAST_DIGITS: usize = 4;

/// A queue of tests: a folder with a numbered folder for each.
pub(super) struct TestQueue {
    dir: PathBuf,
}

/// What was asked when a test was added, as `test.toml` has it. It never changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestTicket {
    /// What people call it.
    pub name: String,
    /// When it was added.
    pub added: String,
    pub priority: u32,
    /// What builds an engine from its commit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
    /// The engine in its checkout.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    pub engine: TestSide,
    pub base: TestSide,
}

/// Where one of the two engines comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TestSide {
    /// As it was named.
    pub given: String,
    /// The whole name of its commit, where it comes from one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

/// A test of a queue.
pub(super) struct QueuedTest {
    pub number: u32,
    pub dir: PathBuf,
    pub ticket: TestTicket,
}

/// What has become of a test.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum QueueState {
    Waiting,
    Running,
    Stopped,
    /// It cannot be played, for that reason.
    Failed(String),
    Finished,
}

impl QueueState {
    /// Its name, also in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            QueueState::Waiting => "waiting",
            QueueState::Running => "running",
            QueueState::Stopped => "stopped",
            QueueState::Failed(_) => "failed",
            QueueState::Finished => "finished",
        }
    }
}

impl TestQueue {
    /// The queue in a folder, which need not be there yet.
    pub fn new(dir: PathBuf) -> TestQueue {
        TestQueue { dir }
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The numbers of its tests, in order. A folder without a ticket is of a test that was not
    /// added to its end.
    pub fn numbers(&self) -> anyhow::Result<Vec<u32>> {
        let mut numbers = self.folders()?;
        numbers.retain(|number| self.dir.join(number.to_string()).join(TICKET).is_file());
        Ok(numbers)
    }

    fn folders(&self) -> anyhow::Result<Vec<u32>> {
        let entries = match fs::read_dir(&self.dir) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries.with_context(|| format!("{}: cannot be read", shown(&self.dir)))?,
        };
        let number = |name: &std::ffi::OsStr| name.to_str()?.parse().ok();
        let mut numbers: Vec<u32> =
            entries.flatten().filter_map(|entry| number(&entry.file_name())).collect();
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// All tests, in the order in which they were added.
    pub fn tests(&self) -> anyhow::Result<Vec<QueuedTest>> {
        self.numbers()?.into_iter().map(|number| self.test(number)).collect()
    }

    pub fn test(&self, number: u32) -> anyhow::Result<QueuedTest> {
        let dir = self.dir.join(number.to_string());
        let path = dir.join(TICKET);
        let text = fs::read_to_string(&path).with_context(|| shown(&path))?;
        let ticket = toml::from_str(&text).with_context(|| shown(&path))?;
        Ok(QueuedTest { number, dir, ticket })
    }

    /// The test of that number, or the one of that commit, whose name may be cut short.
    pub fn find(&self, named: &str) -> anyhow::Result<QueuedTest> {
        let numbers = self.numbers()?;
        if let Some(number) = named.parse().ok().filter(|number| numbers.contains(number)) {
            return self.test(number);
        }
        let mut found = self.tests()?;
        found.retain(|test| test.is_of(named));
        if found.len() > 1 {
            let numbers: Vec<u32> = found.iter().map(|test| test.number).collect();
            let numbers = tengen_lineup::joined(&numbers, ", ");
            bail!(WrongUse(anyhow!("{named}: tests {numbers} are of that commit; name a number")));
        }
        found.pop().ok_or_else(|| {
            let queue = shown(&self.dir);
            let problem = "no test has that number or commit; `tengen test list` names those of";
            WrongUse(anyhow!("{named}: {problem} {queue}")).into()
        })
    }

    /// Makes the folder of a new test, with a number that no test has had.
    pub fn make_folder(&self) -> anyhow::Result<(u32, PathBuf)> {
        let failed = || format!("{}: cannot be written", shown(&self.dir));
        fs::create_dir_all(&self.dir).with_context(failed)?;
        let mut number = self.folders()?.last().map_or(1, |last| last + 1);
        loop {
            let dir = self.dir.join(number.to_string());
            match fs::create_dir(&dir) {
                Ok(()) => return Ok((number, dir)),
                // Another test is just being added.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error).with_context(failed),
            }
        }
    }

    /// Keeps other processes from running the queue, until the file is dropped.
    pub fn lock(&self) -> anyhow::Result<File> {
        let path = self.dir.join(LOCK);
        fs::create_dir_all(&self.dir).with_context(|| shown(&self.dir))?;
        let mut options = File::options();
        options.read(true).create(true).append(true);
        let file = tengen_files::open_own(&path, &options).with_context(|| shown(&path))?;
        match file.try_lock() {
            Ok(()) => Ok(file),
            Err(TryLockError::WouldBlock) => {
                let queue = shown(&self.dir);
                bail!(
                    "{queue}: another `tengen test run` plays this queue; add tests to it, or \
                       stop it first"
                )
            }
            Err(TryLockError::Error(error)) => Err(error).with_context(|| shown(&path)),
        }
    }
}

impl TestTicket {
    /// Puts it into the folder of its test, which is added then.
    pub fn put(&self, dir: &Path) -> anyhow::Result<()> {
        let text = toml::to_string(self).context("test.toml")?;
        write(&dir.join(TICKET), &text)
    }

    pub fn sides(&self) -> [&TestSide; 2] {
        [&self.engine, &self.base]
    }
}

/// Keeps the configuration of an event whose engines are still to be built.
pub(super) fn put_plan(config: &EventConfig, dir: &Path) -> anyhow::Result<()> {
    write(&dir.join(PLAN), &config.to_toml())
}

impl QueuedTest {
    /// What workers and viewers see it called.
    pub fn title(&self) -> String {
        format!("{} {}", self.number, self.ticket.name)
    }

    /// The folder of its event.
    pub fn event(&self) -> PathBuf {
        self.dir.join(EVENT)
    }

    /// The configuration of its event, where the engines are still to be built.
    pub fn plan(&self) -> anyhow::Result<EventConfig> {
        let path = self.dir.join(PLAN);
        let text = fs::read_to_string(&path).with_context(|| shown(&path))?;
        EventConfig::from_toml(&text, &path).map_err(wrong_use)
    }

    /// Whether one of its engines is of the commit whose name begins so.
    pub fn is_of(&self, commit: &str) -> bool {
        let is_name = commit.len() >= LEAST_DIGITS;
        let commit = commit.to_ascii_lowercase();
        let mut commits = self.ticket.sides().into_iter().filter_map(|side| side.commit.as_ref());
        is_name && commits.any(|known| known.starts_with(&commit))
    }

    /// What has become of it, and its event, if that was made.
    pub fn look(&self) -> anyhow::Result<(QueueState, Option<Event>)> {
        let dir = self.event();
        let event = Event::exists(&dir).then(|| Event::open(&dir).map_err(event_error));
        let event = event.transpose()?;
        let is_finished = event.as_ref().is_some_and(Event::is_finished);
        let state = match self.held_up()? {
            _ if is_finished => QueueState::Finished,
            Some(state) => state,
            None if Event::exists(&dir) && Event::who_plays(&dir).is_some() => QueueState::Running,
            None => QueueState::Waiting,
        };
        Ok((state, event))
    }

    pub fn state(&self) -> anyhow::Result<QueueState> {
        Ok(self.look()?.0)
    }

    /// Why it is not to be played, where that is so.
    pub fn held_up(&self) -> anyhow::Result<Option<QueueState>> {
        let path = self.dir.join(FAILED);
        match fs::read_to_string(&path) {
            Ok(reason) => return Ok(Some(QueueState::Failed(reason))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| shown(&path)),
        }
        Ok(self.dir.join(STOPPED).exists().then_some(QueueState::Stopped))
    }

    pub fn stop(&self) -> anyhow::Result<()> {
        write(&self.dir.join(STOPPED), "")
    }

    pub fn fail(&self, reason: &str) -> anyhow::Result<()> {
        write(&self.dir.join(FAILED), reason)
    }

    /// Forgets that it was stopped or has failed.
    pub fn let_go_on(&self) -> anyhow::Result<()> {
        for path in [FAILED, STOPPED].map(|name| self.dir.join(name)) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(error).with_context(|| shown(&path));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    tengen_files::write(path, text.as_bytes(), true).with_context(|| shown(path))
}

fn shown(path: &Path) -> String {
    path.display().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticket(commit: Option<&str>) -> TestTicket {
        let side = |given: &str, commit: Option<&str>| TestSide {
            given: given.to_owned(),
            commit: commit.map(str::to_owned),
        };
        TestTicket {
            name: "faster".to_owned(),
            added: "2026-01-01T00:00:00Z".to_owned(),
            priority: 2,
            build: Some("make".to_owned()),
            file: Some("out/mine.so".into()),
            engine: side("git:/x@main", commit),
            base: side("builtin:alphabeta", None),
        }
    }

    #[test]
    fn a_test_is_there_once_its_ticket_is_and_is_found_by_number_and_commit() {
        let folder = tempfile::tempdir().unwrap();
        let queue = TestQueue::new(folder.path().join("queue"));
        assert!(queue.tests().unwrap().is_empty());
        // One that was killed while it was added.
        assert_eq!(queue.make_folder().unwrap().0, 1);
        for commit in ["abcd1234", "abcd9999"] {
            let (_, dir) = queue.make_folder().unwrap();
            ticket(Some(commit)).put(&dir).unwrap();
        }
        assert_eq!(queue.numbers().unwrap(), [2, 3]);
        assert_eq!(queue.find("2").unwrap().ticket, ticket(Some("abcd1234")));
        assert_eq!(queue.find("ABCD9").unwrap().number, 3);
        for (named, word) in [("abcd", "2, 3"), ("1", "no test"), ("abc", "no test")] {
            let told = queue.find(named).err().unwrap().to_string();
            assert!(told.contains(word), "{named}: {told}");
        }
    }

    #[test]
    fn what_becomes_of_a_test_is_in_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let queue = TestQueue::new(folder.path().to_owned());
        let (number, dir) = queue.make_folder().unwrap();
        ticket(None).put(&dir).unwrap();
        let test = queue.test(number).unwrap();
        assert_eq!(test.state().unwrap(), QueueState::Waiting);
        test.stop().unwrap();
        assert_eq!(test.state().unwrap(), QueueState::Stopped);
        test.fail("no compiler").unwrap();
        assert_eq!(test.state().unwrap(), QueueState::Failed("no compiler".to_owned()));
        test.let_go_on().unwrap();
        assert_eq!(test.state().unwrap(), QueueState::Waiting);
        let _running = queue.lock().unwrap();
        assert!(queue.lock().is_err(), "two do not run it");
    }
}
