//! Files of engines that change while an event is played: every game is played by the engines that
//! were enrolled.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use common::{ProgramRun, games, repository, tengen};
use serde_json::Value;
use tempfile::TempDir;

/// How long an event may take to come to its next games.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of engines, and one for events.
struct CupFolder {
    folder: TempDir,
    program: PathBuf,
}

impl CupFolder {
    fn new() -> CupFolder {
        let folder = TempDir::new().unwrap();
        fs::create_dir(folder.path().join("engines")).unwrap();
        CupFolder { folder, program: env!("CARGO_BIN_EXE_tengen").into() }
    }

    fn at(&self, name: &str) -> PathBuf {
        dunce::canonicalize(self.folder.path()).unwrap().join(name)
    }

    fn engine(&self, name: &str) -> PathBuf {
        self.at("engines").join(name)
    }

    /// A copy of one of the example engines, under that name.
    fn put(&self, example: &str, name: &str) -> PathBuf {
        let path = self.engine(name);
        fs::copy(repository("engines").join(example), &path).unwrap();
        path
    }

    /// A brain that plays the first free point, or the last, as a file beside it says.
    fn put_brain(&self) -> PathBuf {
        fs::create_dir(self.engine("corner")).unwrap();
        let path = self.engine("corner/pbrain-corner");
        fs::copy(repository("tests/brains/corner.sh"), &path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        fs::write(self.engine("corner/corner.txt"), "first\n").unwrap();
        path
    }

    fn command(&self, words: &[&str], event: &str, more: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(words).stdin(Stdio::null());
        command.args(["--opening", "none", "--tc", "nodes=10", "--size", "9", "--spoiled", "keep"]);
        command.args(["--concurrency", "1", "--quiet", "--dir"]).arg(self.at("engines"));
        command.args(more).arg("--out").arg(self.at(event));
        command
    }

    fn start(&self, words: &[&str], event: &str, more: &[&str]) -> Child {
        let mut command = self.command(words, event, more);
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    fn report(&self, event: &str) -> Option<Value> {
        common::report(&self.at(event))
    }

    /// Waits until the event has so many games.
    fn wait_for(&self, event: &str, count: u64) -> u64 {
        let begun = Instant::now();
        loop {
            if let Some(count) =
                self.report(event).map(|report| games(&report)).filter(|done| *done >= count)
            {
                return count;
            }
            assert!(begun.elapsed() < PATIENCE, "{event} has not come to {count} games");
        }
    }

    fn stop(&self, event: &str, child: Child) -> ProgramRun {
        let stopped = ProgramRun::of(tengen(["tournament", "stop"]).arg(self.at(event)));
        assert_eq!(stopped.code, Some(0), "{}", stopped.stderr);
        ProgramRun::from(child.wait_with_output().unwrap())
    }

    /// The moves of the first games of an event.
    fn moves(&self, event: &str, count: u64) -> Vec<String> {
        let records = common::records(&self.at(event));
        let mut moves: Vec<_> = records
            .iter()
            .filter_map(|record| Some((record.header.game?, record)))
            .filter(|(number, _)| *number <= count)
            .map(|(number, record)| {
                let actions: Vec<_> =
                    record.actions.iter().map(|entry| format!("{:?}", entry.action)).collect();
                (number, actions.join(" "))
            })
            .collect();
        moves.sort();
        moves.into_iter().map(|(number, moves)| format!("{number}: {moves}")).collect()
    }

    /// Plays an event, does that when it has a game, and lets it play on. Every game is one of the
    /// engine as it was. Gives what was said.
    fn play_through(
        &self,
        engine: &str,
        more: &[&str],
        change: impl FnOnce(&CupFolder),
        back: impl FnOnce(&CupFolder),
    ) -> String {
        let words = ["match", engine, "minimal-c"];
        self.put("minimal-c.so", "minimal-c.so");
        let long: Vec<_> = [more, &["--games", "1000000"]].concat();
        let child = self.start(&words, "long", &long);
        self.wait_for("long", 1);
        change(self);
        let before = self.wait_for("long", 0);
        let count = self.wait_for("long", before + 4);
        let run = self.stop("long", child);
        back(self);
        let count_text = count.next_multiple_of(2).to_string();
        let short: Vec<_> = [more, &["--games", &count_text]].concat();
        ProgramRun::of(&mut self.command(&words, "short", &short)).done();
        assert_eq!(self.moves("long", count), self.moves("short", count), "{}", run.stderr);
        run.stderr
    }
}

/// Ways to put another file in the place of one.
fn write_over(from: &Path, to: &Path) {
    fs::copy(from, to).unwrap();
}

fn move_over(from: &Path, to: &Path) {
    let beside = to.with_extension("new");
    fs::copy(from, &beside).unwrap();
    fs::rename(beside, to).unwrap();
}

fn link_over(from: &Path, to: &Path) {
    fs::remove_file(to).unwrap();
    symlink(from, to).unwrap();
}

fn assert_told(said: &str, path: &Path) {
    let told = said.matches(&format!("{} was ", path.display())).count();
    assert_eq!(told, 1, "it is said once that {} was changed:\n{said}", path.display());
    assert!(said.contains("goes on with the copy"), "{said}");
}

#[test]
fn a_library_that_is_replaced_plays_on_as_it_was() {
    for put in [write_over, move_over, link_over] {
        let ground = CupFolder::new();
        let path = ground.put("libgreedy.so", "libx.so");
        let other = repository("engines/minimal-c.so");
        let change = |_: &CupFolder| put(&other, &path);
        let back = |ground: &CupFolder| {
            fs::remove_file(&path).unwrap();
            ground.put("libgreedy.so", "libx.so");
        };
        assert_told(&ground.play_through("x", &["--restart"], change, back), &path);
    }
}

#[test]
fn a_module_that_is_replaced_plays_on_as_it_was() {
    let ground = CupFolder::new();
    let path = ground.put("greedy.wasm", "x.wasm");
    let other = repository("engines/minimal-c.wasm");
    let change = |_: &CupFolder| write_over(&other, &path);
    let back = |ground: &CupFolder| drop(ground.put("greedy.wasm", "x.wasm"));
    assert_told(&ground.play_through("x-wasm", &["--restart"], change, back), &path);
}

#[test]
fn a_brain_whose_script_or_settings_are_changed_plays_on_as_it_was() {
    type Change = fn(&Path);
    let changes: [(&str, Change); 4] = [
        ("corner.txt", |path| fs::write(path, "last\n").unwrap()),
        ("corner.txt", |path| move_over(&path.with_file_name("other.txt"), path)),
        ("pbrain-corner", |path| {
            let text = fs::read_to_string(path).unwrap().replace("wanted=first", "wanted=last");
            fs::write(path, text).unwrap();
        }),
        ("pbrain-corner", |path| fs::remove_file(path).unwrap()),
    ];
    for (name, change) in changes {
        let ground = CupFolder::new();
        ground.put_brain();
        fs::write(ground.engine("corner/other.txt"), "last\n").unwrap();
        let path = ground.engine("corner").join(name);
        let back = |ground: &CupFolder| {
            fs::remove_dir_all(ground.engine("corner")).unwrap();
            ground.put_brain();
        };
        let said = ground.play_through("corner", &["--restart"], |_| change(&path), back);
        assert_told(&said, &path);
    }
}

/// Weights that lie beside a library, and are read at each start.
#[test]
fn weights_that_are_changed_are_not_read() {
    let ground = CupFolder::new();
    ground.put("libnnue.so", "libnnue.so");
    let weights = ground.put("nnue.weights", "nnue.weights");
    let change = |_: &CupFolder| fs::write(&weights, "no weights").unwrap();
    let back = |ground: &CupFolder| drop(ground.put("nnue.weights", "nnue.weights"));
    assert_told(&ground.play_through("nnue", &["--restart"], change, back), &weights);
}

#[test]
fn an_event_goes_on_with_what_it_began_with() {
    let ground = CupFolder::new();
    let path = ground.put("libgreedy.so", "libx.so");
    ground.put("minimal-c.so", "minimal-c.so");
    let words = ["match", "x", "minimal-c"];
    let child = ground.start(&words, "cup", &["--games", "1000000"]);
    ground.wait_for("cup", 2);
    ground.stop("cup", child);
    // Others lie there now, or none.
    let mut count = 0;
    for is_gone in [false, true] {
        let before = games(&ground.report("cup").unwrap());
        if is_gone {
            fs::remove_file(&path).unwrap();
        } else {
            write_over(&repository("engines/minimal-c.so"), &path);
        }
        let mut command = tengen(["tournament", "resume"]);
        command.arg(ground.at("cup")).arg("--quiet").stdout(Stdio::piped()).stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        count = ground.wait_for("cup", before + 4);
        let run = ground.stop("cup", child);
        let told = if is_gone {
            "x: its files are no longer where they were"
        } else {
            "x: its files were changed since the event began"
        };
        assert!(run.stderr.contains(told), "{}", run.stderr);
    }
    ground.put("libgreedy.so", "libx.so");
    let short = count.next_multiple_of(2).to_string();
    ProgramRun::of(&mut ground.command(&words, "short", &["--games", &short])).done();
    assert_eq!(ground.moves("cup", count), ground.moves("short", count));
}

#[test]
fn an_event_stops_or_goes_on_without_an_engine_if_it_is_told_so() {
    let ground = CupFolder::new();
    let path = ground.put("libgreedy.so", "libx.so");
    ground.put("minimal-c.so", "minimal-c.so");
    let more = ["--games", "1000000", "--changed", "stop"];
    let child = ground.start(&["match", "x", "minimal-c"], "two", &more);
    ground.wait_for("two", 1);
    write_over(&repository("engines/minimal-c.so"), &path);
    let run = ProgramRun::from(child.wait_with_output().unwrap());
    let changed = format!("x: {} was changed during the event, which stops", path.display());
    assert!(run.stderr.contains(&changed), "{}", run.stderr);
    let resumed = ProgramRun::of(tengen(["tournament", "resume"]).arg(ground.at("two")));
    resumed.refused(1, &["engine x", "libx.so"]);

    ground.put("libgreedy.so", "libx.so");
    ground.put("libalphabeta.so", "libalphabeta.so");
    let words = ["tournament", "run", "--engines", "x", "minimal-c", "alphabeta"];
    let child = ground.start(&words, "three", &more);
    ground.wait_for("three", 1);
    fs::remove_file(&path).unwrap();
    let begun = Instant::now();
    let is_removed =
        |report: &Value| report["changes"].as_array().is_some_and(|all| !all.is_empty());
    while !ground.report("three").as_ref().is_some_and(is_removed) {
        assert!(begun.elapsed() < PATIENCE, "x is not set aside");
    }
    let count = games(&ground.report("three").unwrap());
    ground.wait_for("three", count + 5);
    let run = ground.stop("three", child);
    assert!(run.stderr.contains("x is set aside: "), "{}", run.stderr);
}

/// The program that hosts engines is the one that runs, whatever a build puts in its place.
#[test]
fn the_program_itself_may_be_built_again() {
    let mut ground = CupFolder::new();
    let program = ground.at("tengen");
    let usual = std::mem::replace(&mut ground.program, program.clone());
    if fs::hard_link(&usual, &program).is_err() {
        fs::copy(&usual, &program).unwrap();
    }
    ground.put("libgreedy.so", "libgreedy.so");
    fs::write(ground.at("built"), "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(ground.at("built"), fs::Permissions::from_mode(0o755)).unwrap();
    let change = |ground: &CupFolder| fs::rename(ground.at("built"), &program).unwrap();
    let back = |_: &CupFolder| {
        fs::remove_file(&program).unwrap();
        fs::copy(&usual, &program).map(drop).unwrap();
    };
    ground.play_through("greedy", &["--restart"], change, back);
}

/// A new version of an engine joins, and the old one plays its own games on.
#[test]
fn a_new_file_under_an_old_name_joins_beside_the_old_one() {
    let ground = CupFolder::new();
    let path = ground.put("libgreedy.so", "libx.so");
    ground.put("minimal-c.so", "minimal-c.so");
    let engines = ground.at("engines");
    let words = ["tournament", "run", "--watch", engines.to_str().unwrap()];
    let more = ["--games", "16", "--restart"];
    let child = ground.start(&words, "ladder", &more);
    ground.wait_for("ladder", 1);
    move_over(&repository("engines/libalphabeta.so"), &path);
    // The new one meets both.
    ground.wait_for("ladder", 48);
    let run = ground.stop("ladder", child);
    assert!(run.stderr.contains("x v2 joined"), "{}", run.stderr);
    ground.put("libgreedy.so", "libx.so");
    let short = ["--games", "16", "--restart"];
    let alone = ["match", "minimal-c", "x"];
    let records = common::records(&ground.at("ladder"));
    let first = records.iter().find(|record| record.header.game == Some(1)).unwrap();
    let is_first = format!("{first:?}").find("minimal-c") < format!("{first:?}").find("\"x\"");
    let alone = if is_first { alone } else { ["match", "x", "minimal-c"] };
    ProgramRun::of(&mut ground.command(&alone, "short", &short)).done();
    assert_eq!(ground.moves("ladder", 16), ground.moves("short", 16));
}
