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

/// Files of games grow as games end. What is killed may leave one that lacks the last of them;
/// `resume` writes it again, and each game is in it once.
#[test]
fn games_are_exported_as_they_end_and_once_each() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let event = at("event");
    let mut play = tengen(["match", "builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=300"]);
    play.args(["--title", "May Cup", "--place", "Brno"]);
    play.args(["--games", "60", "--concurrency", "1", "--rule", "renju", "--quiet", "--out"]);
    play.arg(&event).arg("--sgf").arg(at("cup.sgf")).arg("--pgn").arg(at("cup.pgn"));
    let mut child = play.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for(&mut child, &event, |told| games(told) >= 8);
    let count = |name: &str, what: &str| {
        fs::read_to_string(at(name)).unwrap_or_default().matches(what).count()
    };
    assert!(count("cup.sgf", "(;FF[4]") > 0, "none is there before the event is over");
    child.kill().unwrap();
    child.wait().unwrap();
    let before = count("cup.sgf", "(;FF[4]");
    assert!(before < 60, "the event was over before it was killed");

    // Half a game, as a machine that lost its power leaves it.
    let mut torn = fs::read(at("cup.sgf")).unwrap();
    torn.extend(b"(;FF[4]GM[4]SZ[15");
    fs::write(at("cup.sgf"), torn).unwrap();
    fs::write(at("mine.sgf"), "my own").unwrap();
    let resume = |sgf: &str| {
        let mut resume = tengen(["tournament", "resume", "--json"]);
        ProgramRun::of(resume.arg(&event).arg("--sgf").arg(at(sgf)))
    };
    resume("mine.sgf").refused(2, &["mine.sgf", "exists already"]);
    let resumed = resume("cup.sgf");
    assert!(resumed.stderr.contains("cup.pgn: has the games up to now"), "{}", resumed.stderr);
    resumed.done();
    let text = fs::read_to_string(at("cup.sgf")).unwrap();
    let numbers: Vec<u64> = text
        .split("GN[")
        .skip(1)
        .map(|rest| rest.split(']').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(numbers, (1..=60).collect::<Vec<_>>());
    assert!(count("cup.pgn", "[Event \"May Cup\"]\n[Site \"Brno\"]") < 60);
    // The file of another run may be written again when the event is over, too.
    let mut again = tengen(["tournament", "resume"]);
    ProgramRun::of(again.arg(&event).arg("--pgn").arg(at("cup.pgn"))).done();
    assert_eq!(count("cup.pgn", "[Event \"May Cup\"]\n[Site \"Brno\"]"), 60);
    assert_eq!((count("cup.sgf", "EV[May Cup]"), count("cup.sgf", "PC[Brno]")), (60, 60));
}
