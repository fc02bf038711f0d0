//! A tournament that is stopped or killed goes on, and every game counts once.

mod common;

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};

use common::{ProgramRun, compile, games, library, rust_library, tengen, wait_for};
#[cfg(unix)]
use common::{assert_whole, json};
use tempfile::TempDir;

/// Starts a tournament of two engines in the folder.
fn start(folder: &Path) -> Child {
    let engines = folder.join("engines");
    fs::create_dir_all(&engines).unwrap();
    // It makes the tournament last some seconds, whatever the machine.
    let flags = ["-shared", "-fPIC", "-O1"];
    compile("tests/engines/steady.c", &library(&engines, "steady"), &flags);
    let greedy = rust_library(&common::repository("engines"), "greedy");
    fs::copy(greedy, rust_library(&engines, "greedy")).unwrap();
    let mut command = tengen(["tournament", "run", "--engines", "greedy", "steady", "greedy"]);
    command.args(["--rule", "renju", "--opening", "swap2", "--tc", "30+0.1", "--games", "160"]);
    command.args(["--concurrency", "2", "--json", "--dir"]).arg(engines);
    command.arg("--out").arg(folder.join("event"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// No program of Windows says that to another, which has a console of its own.
#[cfg(unix)]
#[test]
fn after_ctrl_c_everything_is_saved_and_resume_goes_on() {
    const GAMES: u64 = 480;

    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let mut child = start(folder.path());
    wait_for(&mut child, &event, |told| games(told) >= 10);
    let second = ProgramRun::of(tengen(["tournament", "resume"]).arg(&event));
    second.refused(1, &["event", "is playing this event"]);
    let id = child.id().to_string();
    let status = std::process::Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(status.unwrap().success());
    let stopped = ProgramRun::from(child.wait_with_output().unwrap());
    assert_eq!(stopped.code, Some(130), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("tournament resume"), "{}", stopped.stderr);
    let mut told: serde_json::Value = serde_json::from_str(&stopped.stdout).unwrap();
    // What is said of this machine, if it has one CPU, is no result.
    told.as_object_mut().unwrap().remove("warnings");
    let report = json(["tournament", "report", event.to_str().unwrap(), "--json"]);
    assert_eq!(told, report, "what was told is what is saved");
    assert!(games(&told) < GAMES);
    assert!(told["terminations"].get("crash").is_none(), "a stop is no engine's crash");

    let summary = json(["tournament", "resume", event.to_str().unwrap(), "--json"]);
    assert_eq!(games(&summary), GAMES);
    assert_whole(&event, GAMES);
}

#[test]
fn an_engine_that_changed_is_not_resumed_without_the_copy_of_it() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let mut child = start(folder.path());
    wait_for(&mut child, &event, |told| games(told) >= 1);
    child.kill().unwrap();
    child.wait().unwrap();
    let engines = folder.path().join("engines");
    let changed = rust_library(&engines, "greedy");
    fs::remove_file(&changed).unwrap();
    fs::copy(library(&engines, "steady"), &changed).unwrap();
    let no_copies = folder.path().join("caches");
    let mut resume = tengen(["tournament", "resume"]);
    let run = ProgramRun::of(resume.arg(&event).env("XDG_CACHE_HOME", no_copies));
    run.refused(1, &["greedy", "changed", &changed.file_name().unwrap().to_string_lossy()]);
}
