//! Runs the program as a user would.
#![allow(dead_code, reason = "each test file is a crate of its own and uses a part of this")]

pub mod brain;
pub mod nats;
pub mod running;

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;

use serde_json::Value;
use tengen_record::{GameRecord, Records};
/// Compiles a C source of the repository.
pub use tengen_testkit::compile_source as compile;

/// The engines that `cargo xtask engines` built, by their ids.
pub const GREEDY: &str = "greedy";
pub const ALPHABETA: &str = "alphabeta";
pub const MINIMAL_C: &str = "minimal-c";
pub const GREEDY_WASM: &str = "greedy-wasm";
pub const ALPHABETA_WASM: &str = "alphabeta-wasm";

/// The program, not yet started, in the repository's folder.
pub fn tengen<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tengen"));
    command.args(arguments).current_dir(env!("CARGO_MANIFEST_DIR")).stdin(Stdio::null());
    // Its log is not that of the person at this machine.
    command.env("XDG_DATA_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("data"));
    command
}

/// A path of the repository.
pub fn repository(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// What a run of the program came to.
pub struct ProgramRun {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl ProgramRun {
    pub fn of(command: &mut Command) -> ProgramRun {
        ProgramRun::from(command.output().expect("the program starts"))
    }

    /// Asserts that it did what was asked, and gives its output.
    pub fn done(self) -> String {
        let is_told = || [&self.stdout, &self.stderr].iter().any(|text| text.contains("spoiled"));
        let is_done = self.code == Some(0) || self.code == Some(SPOILED) && is_told();
        assert!(is_done, "{:?}, stdout:\n{}\nstderr:\n{}", self.code, self.stdout, self.stderr);
        self.stdout
    }

    /// Asserts that it failed with this exit code and a message that has all these words, on
    /// standard error and without a panic.
    pub fn refused(self, code: i32, words: &[&str]) {
        assert_eq!(self.code, Some(code), "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        for word in words {
            assert!(self.stderr.contains(word), "no `{word}` in:\n{}", self.stderr);
        }
    }
}

impl From<Output> for ProgramRun {
    fn from(output: Output) -> ProgramRun {
        ProgramRun {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("output is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("messages are UTF-8"),
        }
    }
}

/// Runs a program that finds this on its standard input.
pub fn fed(command: &mut Command, input: impl Into<Vec<u8>>) -> ProgramRun {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let (mut to, input) = (child.stdin.take().expect("a pipe"), input.into());
    let writer = thread::spawn(move || to.write_all(&input));
    let run = ProgramRun::from(child.wait_with_output().expect("the program ends"));
    writer.join().expect("no panic").expect("the program reads");
    run
}

/// The exit code of an event of which a busy machine has spoiled games; tests run on any machine.
pub const SPOILED: i32 = 3;

/// Runs the program and gives its standard output; it must succeed.
pub fn done<'a>(arguments: impl IntoIterator<Item = &'a str>) -> String {
    ProgramRun::of(&mut tengen(arguments)).done()
}

/// Runs the program, which must succeed and print one JSON object.
pub fn json<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Value {
    serde_json::from_str(&done(arguments)).expect("the output is one JSON object")
}

/// The records that an event left in its folder.
pub fn records(event: &Path) -> Vec<GameRecord> {
    let file = fs::File::open(event.join("games.jsonl")).expect("the event left its records");
    Records::new(std::io::BufReader::new(file)).map(|record| record.expect("it reads")).collect()
}

/// The records of an event in JSON without what depends on the clock.
pub fn timeless(event: &Path) -> Vec<Value> {
    let text = fs::read_to_string(event.join("games.jsonl")).expect("the event left its records");
    let timeless = |line: &str| {
        let mut record: Value = serde_json::from_str(line).expect("a record is JSON");
        for action in record["actions"].as_array_mut().expect("a record has actions") {
            let action = action.as_object_mut().expect("an action has keys");
            let of_time = ["ns", "clock", "lag", "given_back", "unasked"];
            action.retain(|key, _| !of_time.contains(&key.as_str()));
        }
        // A game that a busy machine spoiled is played again, and is the same.
        let of_machine = ["date", "replays"];
        let record_keys = record.as_object_mut().expect("a record has keys");
        record_keys.retain(|key, _| !of_machine.contains(&key.as_str()));
        record
    };
    text.lines().map(timeless).collect()
}

/// Asserts that the event in the folder is whole: each game once, and each record replays to the
/// result it has.
pub fn assert_whole(event: &Path, games: u64) {
    let records = records(event);
    let numbers: Vec<_> = records.iter().filter_map(|record| record.header.game).collect();
    assert_eq!(numbers, (1..=games).collect::<Vec<_>>(), "each game is there exactly once");
    for record in &records {
        let replayed = tengen_record::replay(record);
        let number = record.header.game;
        assert_eq!(replayed.as_ref().ok(), Some(&record.result), "game {number:?}: {replayed:?}");
    }
}

/// The number of games in a summary.
pub fn games(summary: &Value) -> u64 {
    summary["games"].as_u64().expect("a summary has games")
}

/// The shortest module with every export an engine needs, and something else in it.
pub fn module(more: &str) -> String {
    format!(
        r#"(module {more}
        (memory (export "memory") 1)
        (data (i32.const 16) "name Module\0a\00")
        (func (export "tengen_abi_v1") (result i32) i32.const 0)
        (func (export "tengen_describe") (result i32) i32.const 16)
        (func (export "tengen_create") (param i32) (result i32) i32.const 8)
        (func (export "tengen_new_game") (param i32 i32) (result i32) i32.const 0)
        (func (export "tengen_set_position") (param i32 i32 i32) (result i32) i32.const 0)
        (func (export "tengen_choose") (param i32 i32 i32) (result i32) i32.const -5)
        (func (export "tengen_buffer") (param i32) (result i32) i32.const 1024))"#
    )
}

/// Builds the engine that misbehaves in one way; see its source for the ways.
pub fn bad_engine(folder: &Path, behaviour: &str) -> PathBuf {
    let library = folder.join(behaviour.to_lowercase() + std::env::consts::DLL_SUFFIX);
    let flags = ["-shared", "-fPIC", "-O1", &format!("-DBAD={behaviour}")];
    compile("platform/hosts/tests/engines/bad.c", &library, &flags);
    library
}

/// The file of a library of that name in a folder.
pub fn library(folder: &Path, stem: &str) -> PathBuf {
    folder.join(format!("{stem}{}", std::env::consts::DLL_SUFFIX))
}

/// The same of a library that cargo names.
pub fn rust_library(folder: &Path, name: &str) -> PathBuf {
    library(folder, &format!("{}{name}", std::env::consts::DLL_PREFIX))
}

/// What the report of an event says as JSON, if it says something yet.
pub fn report(event: &Path) -> Option<Value> {
    let run = ProgramRun::of(tengen(["tournament", "report", "--json"]).arg(event));
    (run.code == Some(0)).then(|| serde_json::from_str(&run.stdout).expect("a report is JSON"))
}

/// Waits until the report of an event that runs is as it should be.
pub fn wait_for(child: &mut Child, event: &Path, is_so: impl Fn(&Value) -> bool) -> Value {
    while child.try_wait().expect("it was started").is_none() {
        if let Some(report) = report(event).filter(&is_so) {
            return report;
        }
    }
    let mut said = String::new();
    let _unreadable = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
    panic!("the event ended before it was so:\n{said}");
}

/// How many processes have the file loaded.
#[cfg(target_os = "linux")]
pub fn processes_using(file: &Path) -> usize {
    let file = dunce::canonicalize(file).expect("the file is there");
    let file = file.to_str().expect("the path is UTF-8").to_owned();
    let entries = fs::read_dir("/proc").expect("Linux has /proc");
    let maps = entries.flatten().filter_map(|entry| fs::read(entry.path().join("maps")).ok());
    maps.filter(|maps| String::from_utf8_lossy(maps).contains(&file)).count()
}
