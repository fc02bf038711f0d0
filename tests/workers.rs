//! Events that workers play, through a real server.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::process::{Command, Stdio};

use common::nats::{NatsServer, WorkerProcess};
use common::{ProgramRun, assert_whole, games, json, repository, tengen, timeless, wait_for};
use tempfile::TempDir;

/// A tournament of three engines, with the same games wherever it is played.
fn tournament(out: &Path, games: u32) -> Command {
    let mut command = tengen(["tournament", "run", "--engines"]);
    command.args(["greedy", "greedy-wasm", "builtin:alphabeta", "--dir"]);
    command.arg(repository("engines")).args(["--tc", "nodes=300", "--seed", "5", "--json"]);
    command.args(["--games", &games.to_string(), "--concurrency", "1", "--out"]).arg(out);
    command
}

#[test]
fn workers_play_the_games_that_one_machine_would() {
    let (server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name);
    let _workers = ["one", "two"].map(|name| WorkerProcess::start(&server.url(), name, &at(name)));
    let (here, there) = (at("here"), at("there"));
    ProgramRun::of(&mut tournament(&here, 4)).done();
    let told = ProgramRun::of(tournament(&there, 4).args(["--workers", &server.url()])).done();
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(games(&told), 12);
    assert_whole(&there, 12);
    for (one, mut other) in timeless(&here).iter().zip(timeless(&there)) {
        let worker = other.as_object_mut().unwrap().remove("worker").expect("it is named");
        assert!(["one", "two"].contains(&worker["name"].as_str().unwrap()), "{worker}");
        for key in one.as_object().unwrap().keys() {
            assert_eq!(one[key], other[key], "game {}: {key}", one["game"]);
        }
        assert_eq!(*one, other);
    }
}

#[test]
fn each_game_counts_once_whatever_is_killed() {
    const GAMES: u64 = 60;

    let (mut server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let at = |name: &str| folder.path().join(name);
    let event = at("event");
    let mut workers =
        ["one", "two"].map(|name| WorkerProcess::start(&server.url(), name, &at(name)));
    let begin = |command: &mut Command| {
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
    };
    let mut run = begin(tournament(&event, 20).args(["--workers", &server.url()]));
    wait_for(&mut run, &event, |told| games(told) >= 5);
    workers[0].kill();
    server.restart();
    wait_for(&mut run, &event, |told| games(told) >= 15);
    run.kill().unwrap();
    run.wait().unwrap();
    workers[0] = WorkerProcess::start(&server.url(), "one", &at("one"));
    let event = event.to_str().unwrap();
    let told = json(["tournament", "resume", event, "--json", "--workers", &server.url()]);
    assert_eq!(games(&told), GAMES);
    assert_whole(Path::new(event), GAMES);
}

#[test]
fn what_cannot_be_is_said_before_the_first_game() {
    let (server, folder) = (NatsServer::start(), TempDir::new().unwrap());
    let event = folder.path().join("event");
    let mut unreached = tournament(&event, 2);
    ProgramRun::of(unreached.args(["--workers", "nats://127.0.0.1:1"]))
        .refused(1, &["nats://127.0.0.1:1: no server answers"]);
    let mut command = tengen(["match", "cmd:./pbrain-mine", "builtin:alphabeta", "--workers"]);
    command.arg(server.url()).arg("--out").arg(folder.path().join("other"));
    ProgramRun::of(&mut command).refused(2, &["cmd:./pbrain-mine"]);
}
