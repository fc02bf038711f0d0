//! What engines were asked and answered in each game: kept for games worth a look.

use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use tengen_arbiter::Termination;
use tengen_files::{make_own_folder, open_own};

use super::player_log::{LoggedAnswer, LoggedQuestion};

use crate::lock::lock;

/// What is kept of the beginning of a game, and of its end, in bytes.
const FIRST: usize = 128 << 10;
const LAST: usize = 256 << 10;
/// What an entry takes beside its text.
const ENTRY: usize = 160;
/// The most logs that are kept of games that were lost by a fault; the same fault again and again
/// says nothing new.
const MOST_FAULTS: u64 = 10_000;
/// The logs of so many games lie in one folder.
const PER_FOLDER: u64 = 1000;
/// The folder of the logs within an event's.
const FOLDER: &str = "logs";

/// The file of a game's log in an event's folder.
pub fn log_path(event: &Path, game: u64) -> PathBuf {
    event.join(FOLDER).join(format!("{:06}", game / PER_FOLDER)).join(format!("{game}.log"))
}

/// The logs of the games that are being played. They are written when their games are over: those
/// of games lost by a fault, or all.
#[derive(Debug, Default)]
pub struct GameLogs {
    keeps_all: bool,
    event: OnceLock<PathBuf>,
    open: Mutex<HashMap<u64, Arc<GameLog>>>,
    faults: AtomicU64,
    /// Whether it was told that one could not be written.
    was_told: AtomicBool,
}

impl GameLogs {
    pub fn new(keeps_all: bool) -> GameLogs {
        GameLogs { keeps_all, ..GameLogs::default() }
    }

    pub fn lie_in(&self, event: &Path) {
        let _again = self.event.set(event.to_owned());
    }

    /// The log of a game that one of its players begins.
    pub(super) fn begin(&self, game: u64) -> Arc<GameLog> {
        Arc::clone(self.open().entry(game).or_default())
    }

    /// A game that is over.
    pub fn end(&self, game: u64, termination: Termination) {
        let Some(log) = self.open().remove(&game) else { return };
        let is_kept = self.keeps_all
            || termination.is_fault() && self.faults.fetch_add(1, Ordering::Relaxed) < MOST_FAULTS;
        let Some(event) = self.event.get().filter(|_| is_kept) else { return };
        let path = log_path(event, game);
        let Err(error) = write(event, &path, &log.text()) else { return };
        // A part of a log would be taken for the whole.
        let _none = std::fs::remove_file(&path);
        if !self.was_told.swap(true, Ordering::Relaxed) {
            let path = path.display();
            log::warn!("{path}: cannot be written: {error}; logs of other games may be missing");
        }
    }

    /// The last lines of a game that is being played.
    pub fn last_lines(&self, game: u64, lines: usize) -> Vec<String> {
        let log = self.open().get(&game).cloned();
        log.map(|log| log.last_lines(lines)).unwrap_or_default()
    }

    fn open(&self) -> MutexGuard<'_, HashMap<u64, Arc<GameLog>>> {
        lock(&self.open)
    }
}

fn write(event: &Path, path: &Path, text: &str) -> io::Result<()> {
    for folder in [event.join(FOLDER).as_path(), path.parent().unwrap_or(path)] {
        make_own_folder(folder).map_err(|error| {
            io::Error::new(error.kind(), format!("{}: {error}", folder.display()))
        })?;
    }
    let mut file = open_own(path, File::options().write(true).create(true).truncate(true))?;
    file.write_all(text.as_bytes())
}

/// What both engines of a game were asked and answered: the beginning and the end of it.
#[derive(Debug)]
pub(super) struct GameLog {
    begun: Instant,
    entries: Mutex<Entries>,
}

#[derive(Debug, Default)]
struct Entries {
    first: Vec<Entry>,
    last: VecDeque<Entry>,
    first_bytes: usize,
    last_bytes: usize,
    dropped: u64,
}

#[derive(Debug)]
struct Entry {
    at: Duration,
    engine: Arc<str>,
    what: What,
}

/// An entry of a game's log. Questions and answers are put into words when the log is read: most
/// games end well.
#[derive(Debug)]
pub(super) enum What {
    Line(char, Box<[u8]>),
    Asked(LoggedQuestion),
    Answered(LoggedAnswer),
}

impl Default for GameLog {
    fn default() -> GameLog {
        GameLog { begun: Instant::now(), entries: Mutex::default() }
    }
}

impl GameLog {
    pub(super) fn line(&self, engine: &Arc<str>, way: char, text: &[u8]) {
        self.add(engine, What::Line(way, text.into()));
    }

    pub(super) fn add(&self, engine: &Arc<str>, what: What) {
        let entry = Entry { at: self.begun.elapsed(), engine: Arc::clone(engine), what };
        let size = entry.size();
        let mut entries = self.entries();
        if entries.first_bytes + size <= FIRST && entries.last.is_empty() {
            entries.first_bytes += size;
            return entries.first.push(entry);
        }
        entries.last_bytes += size;
        entries.last.push_back(entry);
        while entries.last_bytes > LAST
            && let Some(oldest) = entries.last.pop_front()
        {
            entries.last_bytes -= oldest.size();
            entries.dropped += 1;
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        lock(&self.entries)
    }

    fn text(&self) -> String {
        let entries = self.entries();
        let mut text = String::new();
        entries.first.iter().for_each(|entry| entry.put(&mut text));
        if entries.dropped > 0 {
            let _ = writeln!(text, "… {} lines left out", entries.dropped);
        }
        entries.last.iter().for_each(|entry| entry.put(&mut text));
        text
    }

    fn last_lines(&self, lines: usize) -> Vec<String> {
        let entries = self.entries();
        let all = entries.first.iter().chain(&entries.last);
        let skipped = (entries.first.len() + entries.last.len()).saturating_sub(lines);
        let line = |entry: &Entry| {
            let mut text = String::new();
            entry.put(&mut text);
            text.trim_end().to_owned()
        };
        all.skip(skipped).map(line).collect()
    }
}

impl Entry {
    fn size(&self) -> usize {
        let beside = match &self.what {
            What::Line(_, text) => text.len(),
            What::Asked(_) => 0,
            What::Answered(answer) => answer.bytes(),
        };
        ENTRY + beside
    }

    /// `SECONDS ENGINE`, then `>` for what goes to the engine, `<` for what comes from it, `!` for
    /// what it prints, `-` for what is told of it.
    fn put(&self, to: &mut String) {
        let seconds = self.at.as_secs_f64();
        let _ = write!(to, "{seconds:.6} {} ", self.engine);
        let _ = match &self.what {
            What::Line(way, text) => writeln!(to, "{way} {}", String::from_utf8_lossy(text)),
            What::Asked(question) => writeln!(to, "> {question}"),
            What::Answered(answer) => writeln!(to, "< {answer}"),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_bounded_and_keeps_both_ends() {
        let log = GameLog::default();
        let engine: Arc<str> = "mine".into();
        for number in 0..20_000 {
            log.line(&engine, '<', format!("line {number}").as_bytes());
        }
        let text = log.text();
        assert!(text.len() < FIRST + LAST, "{} bytes", text.len());
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].ends_with("mine < line 0"), "{}", lines[0]);
        assert!(lines[lines.len() - 1].ends_with("mine < line 19999"));
        let left_out = lines.iter().find(|line| line.contains("lines left out")).unwrap();
        let number: usize = left_out.split(' ').nth(1).unwrap().parse().unwrap();
        assert_eq!(lines.len() - 1 + number, 20_000);
        assert_eq!(log.last_lines(2).len(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_log_is_not_written_through_a_link() {
        use std::os::unix::fs::symlink;
        for name in ["logs", "logs/000000", "logs/000000/7.log"] {
            let folder = tempfile::tempdir().unwrap();
            let (event, mine) = (folder.path().join("event"), folder.path().join("mine"));
            std::fs::create_dir_all(event.join(name).parent().unwrap()).unwrap();
            match name.ends_with(".log") {
                true => std::fs::write(&mine, "dear").unwrap(),
                false => std::fs::create_dir(&mine).unwrap(),
            }
            symlink(&mine, event.join(name)).unwrap();
            let logs = GameLogs::new(true);
            logs.lie_in(&event);
            logs.begin(7).line(&"mine".into(), '!', b"oh");
            logs.end(7, Termination::Five);
            match name.ends_with(".log") {
                true => assert_eq!(std::fs::read_to_string(&mine).unwrap(), "dear"),
                false => assert!(std::fs::read_dir(&mine).unwrap().next().is_none(), "{name}"),
            }
        }
    }

    #[test]
    fn a_log_is_kept_of_a_game_that_a_fault_lost_or_of_all() {
        for (keeps_all, termination, is_kept) in [
            (false, Termination::Five, false),
            (false, Termination::Crash, true),
            (true, Termination::Five, true),
        ] {
            let folder = tempfile::tempdir().unwrap();
            let logs = GameLogs::new(keeps_all);
            logs.lie_in(folder.path());
            logs.begin(7).line(&"mine".into(), '!', b"oh");
            logs.begin(7).line(&"other".into(), '<', b"h8");
            assert_eq!(logs.last_lines(7, 9).len(), 2);
            logs.end(7, termination);
            let text = std::fs::read_to_string(log_path(folder.path(), 7)).ok();
            assert_eq!(text.is_some(), is_kept, "{termination}");
            assert!(text.is_none_or(|text| text.contains("mine ! oh\n")));
            assert!(logs.last_lines(7, 9).is_empty());
        }
    }
}
