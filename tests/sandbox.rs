//! Engines that would harm the machine or the other player, as a user meets them.
#![cfg(target_os = "linux")]

mod common;

use std::path::Path;
use std::process::Command;

use common::{
    GREEDY_WASM, ProgramRun, assert_whole, bad_engine, json, processes_using, records, tengen,
};
use serde_json::Value;
use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_rules::Seat;

/// A match of that engine against one that behaves, not yet started.
fn against_good(folder: &Path, engine: &Path) -> Command {
    let mut command = tengen(["match", GREEDY_WASM]);
    command.arg(engine).args(["--tc", "move=20", "--games", "4", "--concurrency", "1"]);
    command.arg("--out").arg(folder.join("event"));
    command
}

fn layers(engine: &Value) -> Vec<&str> {
    engine["layers"].as_array().unwrap().iter().filter_map(Value::as_str).collect()
}

#[test]
fn the_walls_around_every_engine_are_listed() {
    let listing = json(["engines", "list", "--json"]);
    for engine in listing["engines"].as_array().unwrap() {
        let gaps = engine["gaps"].as_object().unwrap();
        for layer in ["landlock", "seccomp", "no_new_privs", "no_files"] {
            let holds = layers(engine).contains(&layer);
            assert!(holds != gaps.contains_key(layer), "{layer}: {engine}");
        }
    }
}

#[test]
fn a_memory_bomb_loses_its_own_games_with_the_figures() {
    let folder = TempDir::new().unwrap();
    let hog = bad_engine(folder.path(), "HOG");
    ProgramRun::of(against_good(folder.path(), &hog).args(["--memory", "64MiB"])).done();
    let event = folder.path().join("event");
    assert_whole(&event, 4);
    for record in records(&event) {
        let is_hog = |seat: Seat| record.header.seats[seat].id.contains("hog");
        let loser = !record.result.winner.expect("one of them loses");
        assert!(is_hog(loser), "{:?}", record.result);
        let termination = record.result.termination;
        assert_eq!(termination, Termination::ResourceLimit, "{:?}", record.detail);
        assert!(record.detail.as_deref().unwrap().contains("of memory, of 64"));
        assert!(record.header.seats[loser].layers.iter().any(|layer| layer == "memory"));
    }
    assert_eq!(processes_using(&hog), 0);
}

#[test]
fn a_required_sandbox_is_whole_or_refuses_before_the_first_game() {
    let folder = TempDir::new().unwrap();
    let good = bad_engine(folder.path(), "GOOD");
    let probe = json(["engines", "list", "--json", "--dir", folder.path().to_str().unwrap()]);
    let engine = &probe["engines"][0];
    let run = ProgramRun::of(against_good(folder.path(), &good).arg("--require-sandbox"));
    match engine["gaps"].as_object().unwrap().keys().next() {
        None => drop(run.done()),
        Some(gap) => run.refused(1, &["the sandbox is required", gap]),
    }
    assert_eq!(folder.path().join("event").exists(), engine["gaps"] == serde_json::json!({}));

    let folder = TempDir::new().unwrap();
    let mut inside = tengen(["match", GREEDY_WASM, GREEDY_WASM, "--isolation", "in-process"]);
    inside.args(["--require-sandbox", "--out"]).arg(folder.path().join("event"));
    ProgramRun::of(&mut inside).refused(1, &["the sandbox is required", "isolate it in a child"]);
    assert!(!folder.path().join("event").exists());
}

#[test]
fn sizes_say_their_unit() {
    for option in ["--memory", "--folder-limit"] {
        let run = ProgramRun::of(&mut tengen(["match", "a", "b", option, "350"]));
        run.refused(2, &[option, "350", "350MiB"]);
    }
}
