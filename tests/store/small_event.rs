//! A small event of quick engines; all its runs are the same except for times.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{ProgramRun, assert_whole, repository, tengen, timeless};

pub struct SmallEvent {
    folder: TempDir,
    pub dir: PathBuf,
    games: u64,
}

impl SmallEvent {
    /// An event of so many games that is not made yet.
    pub fn new(games: u64) -> SmallEvent {
        let folder = TempDir::new().unwrap();
        let dir = folder.path().join("event");
        SmallEvent { folder, dir, games }
    }

    /// A file beside the event.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The command that makes and plays the event, or goes on with it where there is one.
    pub fn go_on(&self, concurrency: &str) -> Command {
        if ["event.toml", "event.db"].iter().any(|name| self.dir.join(name).exists()) {
            let mut command = tengen(["tournament", "resume", "--json"]);
            command.args(["--concurrency", concurrency]).arg(&self.dir);
            return command;
        }
        let mut command = tengen(["tournament", "run", "--json", "--rule", "renju"]);
        // Every game by itself, so that a test can count what is left.
        command.args(["--spoiled", "keep"]);
        command.args(["--opening", "swap2", "--tc", "nodes=10", "--seed", "11", "--engines"]);
        for engine in ["libgreedy", "minimal-c"] {
            let file = format!("engines/{engine}{}", std::env::consts::DLL_SUFFIX);
            command.arg(repository(&file));
        }
        command.args(["--concurrency", concurrency, "--games", &self.games.to_string()]);
        command.arg("--out").arg(&self.dir);
        command
    }

    /// The command that makes the event whole again, and goes on with it.
    pub fn repair(&self) -> Command {
        let mut command = tengen(["tournament", "resume", "--repair", "--json"]);
        command.arg(&self.dir);
        command
    }

    /// Changes the database behind the program's back.
    pub fn alter(&self, sql: &str) {
        let database = Connection::open(self.dir.join("event.db")).unwrap();
        database.execute_batch(sql).unwrap();
    }

    /// Plays the event to its end, which must be that of an event that nothing came between.
    pub fn finish(&self) {
        let summary = ProgramRun::of(&mut self.go_on("2")).done();
        self.assert_finished(&summary);
    }

    /// Asserts that the event is finished, and that it is as if nothing had come between.
    pub fn assert_finished(&self, summary: &str) {
        assert_whole(&self.dir, self.games);
        let (records, expected) = (timeless(&self.dir), undisturbed(self.games));
        for (number, (now, then)) in records.iter().zip(&expected.records).enumerate() {
            assert_eq!(now, then, "game {}", number + 1);
        }
        assert_eq!(comparable(summary), expected.summary);
    }

    /// Asserts that the summary, if there is one, is that of the finished event.
    pub fn assert_summary(&self, summary: &str) {
        assert_eq!(comparable(summary), undisturbed(self.games).summary);
    }

    /// Asserts that the database is whole as the program left it, and has every game that was told.
    /// It is looked at as a copy, so that the program meets it as it was left.
    pub fn assert_kept(&self, told: &BTreeMap<u64, String>) {
        let copy = TempDir::new().unwrap();
        for name in ["event.db", "event.db-wal"] {
            if self.dir.join(name).exists() {
                fs::copy(self.dir.join(name), copy.path().join(name)).unwrap();
            }
        }
        let path = copy.path().join("event.db");
        if !path.exists() {
            assert!(told.is_empty(), "told, and there is no database");
            return;
        }
        let database = Connection::open(path).unwrap();
        let ask = |query: &str| database.query_row(query, [], |row| row.get::<_, String>(0));
        assert_eq!(ask("PRAGMA integrity_check").as_deref(), Ok("ok"));
        for (number, result) in told {
            let query = format!(
                "SELECT coalesce(winner, 'draw') || ' by ' || termination FROM games
                 WHERE number = {number}"
            );
            assert_eq!(ask(&query).as_ref(), Ok(result), "game {number} was told");
        }
    }
}

/// Lets the program say which games are saved, in this file.
pub fn tell_to(command: &mut Command, log: &Path) {
    let log = File::options().create(true).append(true).open(log).unwrap();
    command.env("TENGEN_LOG", "tengen_tournament=info").stderr(log);
}

/// The games that the program said are saved, with their results.
pub fn told(log: &Path) -> BTreeMap<u64, String> {
    let text = fs::read_to_string(log).unwrap_or_default();
    // A line that the kill cut short was not told.
    let whole = text.rfind('\n').map_or("", |end| &text[..end]);
    let game = |line: &str| {
        let (number, result) = line.split_once("game ")?.1.split_once(" is saved: ")?;
        Some((number.parse().ok()?, result.to_owned()))
    };
    whole.lines().filter_map(game).collect()
}

/// What the event comes to when nothing comes between.
struct ReferenceRun {
    records: Vec<Value>,
    summary: Value,
}

fn undisturbed(games: u64) -> &'static ReferenceRun {
    static KNOWN: OnceLock<(u64, ReferenceRun)> = OnceLock::new();
    let (of, known) = KNOWN.get_or_init(|| {
        let event = SmallEvent::new(games);
        let summary = ProgramRun::of(&mut event.go_on("1")).done();
        assert_whole(&event.dir, games);
        let records = timeless(&event.dir);
        (games, ReferenceRun { records, summary: comparable(&summary) })
    });
    assert_eq!(*of, games, "a test plays events of one size");
    known
}

/// The summary without what no two runs have in common: the folder, and how long answers took.
fn comparable(summary: &str) -> Value {
    let mut summary: Value = serde_json::from_str(summary).unwrap();
    summary["dir"].take();
    summary["latency"].take();
    summary
}
