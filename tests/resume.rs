//! A tournament that is stopped or killed goes on, and every game counts once.
#![cfg(unix)]

mod common;

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use common::{ProgramRun, assert_whole, games, json, tengen};
use tempfile::TempDir;

const GAMES: u64 = 480;

/// The file of an engine in the drop folder.
fn library(engines: &Path, stem: &str) -> PathBuf {
    engines.join(format!("{stem}{}", std::env::consts::DLL_SUFFIX))
}

/// Builds the engine that makes the tournament last some seconds, whatever the machine.
fn build_steady(library: &Path) {
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .arg(library)
        .arg("-I")
        .arg(common::repository("engine-sdk/include"))
        .arg(common::repository("tests/engines/steady.c"))
        .status()
        .expect("a C compiler named cc, which these tests need");
    assert!(status.success(), "the engine does not compile");
}

/// Starts a tournament of two engines in the folder.
fn start(folder: &Path) -> Child {
    let engines = folder.join("engines");
    fs::create_dir_all(&engines).unwrap();
    build_steady(&library(&engines, "steady"));
    fs::copy(library(&common::repository("engines"), "libgreedy"), library(&engines, "libgreedy"))
        .unwrap();
    let mut command = tengen(["tournament", "run", "--engines", "greedy", "steady", "greedy"]);
    command.args(["--rule", "renju", "--opening", "swap2", "--tc", "30+0.1", "--games", "160"]);
    command.args(["--concurrency", "2", "--json", "--dir"]).arg(engines);
    command.arg("--out").arg(folder.join("event"));
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Waits until some games are told, by asking as another user would.
fn wait_for_games(child: &mut Child, event: &Path, least: u64) {
    while child.try_wait().unwrap().is_none() {
        let run = ProgramRun::of(tengen(["tournament", "report", "--json"]).arg(event));
        if run.code == Some(0) {
            let summary = serde_json::from_str(&run.stdout).unwrap();
            if games(&summary) >= least {
                return;
            }
        }
    }
    let mut said = String::new();
    let _unreadable = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut said));
    panic!("the tournament ended before {least} games were told:\n{said}");
}

fn signal(child: &Child, name: &str) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-s", name, &id]).status().unwrap().success());
}

#[test]
fn after_kill_9_resume_plays_each_game_exactly_once() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let mut child = start(folder.path());
    wait_for_games(&mut child, &event, 10);
    signal(&child, "KILL");
    child.wait().unwrap();
    let told = json(["tournament", "report", event.to_str().unwrap(), "--json"]);
    assert!(games(&told) >= 10);
    #[cfg(target_os = "linux")]
    {
        // The kernel ends them with their parent, in its own time.
        let library = folder.path().join("engines/libgreedy.so");
        while common::processes_using(&library) > 0 {
            std::thread::yield_now();
        }
    }

    let summary = json(["tournament", "resume", event.to_str().unwrap(), "--json"]);
    assert_eq!(games(&summary), GAMES);
    assert_whole(&event, GAMES);
    for (termination, count) in summary["terminations"].as_object().unwrap() {
        assert_ne!(termination, "crash", "{count} games were lost to the kill");
    }
}

#[test]
fn after_ctrl_c_everything_is_saved_and_resume_goes_on() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let mut child = start(folder.path());
    wait_for_games(&mut child, &event, 10);
    signal(&child, "INT");
    let stopped = ProgramRun::from(child.wait_with_output().unwrap());
    assert_eq!(stopped.code, Some(130), "{}", stopped.stderr);
    assert!(stopped.stderr.contains("tournament resume"), "{}", stopped.stderr);
    let told: serde_json::Value = serde_json::from_str(&stopped.stdout).unwrap();
    let report = json(["tournament", "report", event.to_str().unwrap(), "--json"]);
    assert_eq!(told, report, "what was told is what is saved");
    assert!(games(&told) < GAMES);
    assert!(told["terminations"].get("crash").is_none(), "a stop is no engine's crash");

    let summary = json(["tournament", "resume", event.to_str().unwrap(), "--json"]);
    assert_eq!(games(&summary), GAMES);
    assert_whole(&event, GAMES);
}

#[test]
fn two_runs_of_one_event_are_refused() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let mut child = start(folder.path());
    wait_for_games(&mut child, &event, 1);
    let second = ProgramRun::of(tengen(["tournament", "resume"]).arg(&event));
    signal(&child, "KILL");
    child.wait().unwrap();
    second.refused(1, &["event"]);
}

#[test]
fn an_engine_that_changed_is_not_resumed_without_the_copy_of_it() {
    let folder = TempDir::new().unwrap();
    let event = folder.path().join("event");
    let mut child = start(folder.path());
    wait_for_games(&mut child, &event, 1);
    signal(&child, "KILL");
    child.wait().unwrap();
    let engines = folder.path().join("engines");
    let changed = library(&engines, "libgreedy");
    fs::remove_file(&changed).unwrap();
    fs::copy(library(&engines, "steady"), &changed).unwrap();
    let no_copies = folder.path().join("caches");
    let mut resume = tengen(["tournament", "resume"]);
    let run = ProgramRun::of(resume.arg(&event).env("XDG_CACHE_HOME", no_copies));
    run.refused(1, &["greedy", "changed", "libgreedy"]);
}
