//! Real interpreters in the sandbox: each runs a brain that does what programs in its language do.
//! Interpreters that are not installed are skipped, with a note.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use common::{ProgramRun, assert_whole, records, repository, tengen};
use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_rules::Seat;

/// Whether a program is installed and runs.
fn has(program: &str, words: &[&str]) -> bool {
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let has = command.status().is_ok_and(|status| status.success());
    if !has {
        println!("skipped: there is no {program} that runs here");
    }
    has
}

/// A folder for a brain: not in `/tmp`, so that it has one of its own.
fn ground() -> TempDir {
    TempDir::new_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder")
}

fn lay(folder: &Path, name: &str) {
    fs::copy(repository("tests/brains").join(name), folder.join(name)).expect("a copy");
}

fn compile(folder: &Path, program: &str, words: &[&str]) {
    let status = Command::new(program).args(words).current_dir(folder).status();
    assert!(status.expect("it has been tried").success(), "{program} {words:?}");
}

/// Plays a brain of the folder against a library, behind all the walls that this machine has, and
/// asserts that it plays on to the end of the game and that nothing it needs is denied.
fn plays(folder: &TempDir, engine: &str, options: &[&str]) {
    let mut command = tengen(["match", engine]);
    command.arg(repository("engines/libgreedy.so")).args(["--opening", "none", "--games", "2"]);
    command.args(["--tc", "move=60", "--startup", "100", "--out", "event"]).args(options);
    command.current_dir(folder);
    ProgramRun::of(&mut command).done();
    let event = folder.path().join("event");
    assert_whole(&event, 2);
    for record in records(&event) {
        let own = Seat::ALL.into_iter().find(|&seat| record.header.seats[seat].id == engine);
        let own = own.expect("it plays");
        let [layers, others] = [own, !own].map(|seat| &record.header.seats[seat].layers);
        // It has what a library has, but for the layers that take a limit on its memory.
        for layer in others.iter().filter(|layer| *layer != "no_files") {
            assert!(layers.contains(layer), "{engine} has no {layer}: {layers:?}");
        }
        let said: Vec<_> = record.actions.iter().flat_map(|action| &action.said).collect();
        // What is under there has other numbers outside.
        assert!(!said.iter().any(|line| line.contains("was denied /proc/")), "{engine}: {said:?}");
        let ends = (record.result.termination, &record.detail);
        assert_eq!(ends.0, Termination::Five, "{engine}: {ends:?}, {said:?}");
    }
}

#[test]
fn python() {
    if has("python3", &["--version"]) {
        let folder = ground();
        lay(folder.path(), "first.py");
        plays(&folder, "cmd:python3 first.py", &["--memory", "128MiB"]);
    }
}

#[test]
fn every_shell() {
    for shell in ["bash", "dash", "busybox sh", "ksh", "zsh"] {
        let words: Vec<_> = shell.split(' ').chain(["-c", "true"]).collect();
        if has(words[0], &words[1..]) {
            let folder = ground();
            lay(folder.path(), "first.sh");
            plays(&folder, &format!("cmd:{shell} first.sh"), &["--memory", "64MiB"]);
        }
    }
}

#[test]
fn a_virtual_machine_for_java() {
    if has("java", &["-version"]) && has("javac", &["-version"]) {
        // It has files of its own in `/tmp`, which is its own where its program lies there too.
        for folder in [ground(), TempDir::new().expect("a folder")] {
            lay(folder.path(), "First.java");
            compile(folder.path(), "javac", &["First.java"]);
            plays(&folder, "cmd:java -Xmx64m -cp . First", &["--memory", "1GiB"]);
        }
    }
}

/// Lays down a program of Windows. None where nothing runs or makes one.
fn for_windows(folder: &TempDir) -> bool {
    let compiler = "x86_64-w64-mingw32-gcc";
    let has = has("wine", &["--version"]) && has(compiler, &["--version"]);
    if has {
        lay(folder.path(), "first.c");
        compile(folder.path(), compiler, &["-O1", "-o", "pbrain-first.exe", "first.c"]);
    }
    has
}

#[test]
fn wine() {
    let folder = ground();
    if for_windows(&folder) {
        plays(&folder, "cmd:wine pbrain-first.exe", &["--memory", "512MiB"]);
    }
}

#[test]
fn wine_by_a_manifest() {
    let folder = ground();
    if for_windows(&folder) {
        let manifest = "<engines><engine id=\"first\" kind=\"gomocup\">\
             <program runner=\"wine\">pbrain-first.exe</program>\
             <allow processes=\"16\" memory=\"256MiB\" sockets=\"local\"/></engine></engines>";
        fs::write(folder.path().join("engine.xml"), manifest).expect("a manifest");
        plays(&folder, "first", &["--memory", "512MiB", "--dir", "."]);
        let mut poor = tengen(["match", "first", "first", "--dir", ".", "--memory", "128MiB"]);
        let told = ["asks for 256 MiB of memory", "--memory"];
        ProgramRun::of(poor.current_dir(&folder)).refused(2, &told);
    }
}

#[test]
fn mono() {
    if has("mono", &["--version"]) && has("mcs", &["--version"]) {
        let folder = ground();
        lay(folder.path(), "First.cs");
        compile(folder.path(), "mcs", &["First.cs"]);
        plays(&folder, "cmd:mono First.exe", &["--memory", "512MiB"]);
    }
}

#[test]
fn node() {
    if has("node", &["--version"]) {
        let folder = ground();
        lay(folder.path(), "first.js");
        plays(&folder, "cmd:node first.js", &["--memory", "1GiB"]);
    }
}
