//! Every format from a file, stopped by kill -9 in the middle and resumed: it draws the same.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use common::{ProgramRun, assert_whole, done, games, json, records, tengen, wait_for};
use serde_json::Value;
use tempfile::TempDir;

/// The built-in engine so often, each with more nodes than the one before.
fn engines(count: usize) -> String {
    let engine = |place: usize| {
        let nodes = 12 * (place + 1) * (place + 1);
        let rating = 1500 + 50 * place;
        format!(
            "{{ id = 'builtin:alphabeta', label = 'e{place}', tc = 'nodes={nodes}', \
             rating = {rating} }}"
        )
    };
    (0..count).map(engine).collect::<Vec<_>>().join(", ")
}

/// A file of an event on a small board.
fn write(folder: &Path, count: usize, keys: &str) -> PathBuf {
    let path = folder.join("cup.toml");
    let engines = engines(count);
    let text = format!(
        "size = 9\nopening = 'swap'\ntc = 'nodes=100'\nconcurrency = 2\nseed = 11\n\
         engines = [{engines}]\n{keys}"
    );
    fs::write(&path, text).unwrap();
    path
}

fn start(file: &Path, event: &Path) -> Child {
    let mut command = tengen(["tournament", "run"]);
    command.arg(file).arg("--out").arg(event).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().unwrap()
}

/// Who played whom, and how it ended, in the order of the games.
fn played(event: &Path) -> Vec<String> {
    let line = |record: &tengen_record::GameRecord| {
        let seats = &record.header.seats;
        format!(
            "{:?} {} {} {:?} {}",
            record.header.game,
            seats.first.id,
            seats.second.id,
            record.result.winner,
            record.header.seed
        )
    };
    records(event).iter().map(line).collect()
}

/// Plays an event once without a break, and once with a kill after some games; both are the same.
fn survives(count: usize, keys: &str, least: u64) -> Value {
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), count, keys);
    let (whole, killed) = (folder.path().join("whole"), folder.path().join("killed"));
    let arguments = ["tournament", "run", file.to_str().unwrap(), "--json", "--out"];
    let expected = json(arguments.into_iter().chain([whole.to_str().unwrap()]));

    let mut child = start(&file, &killed);
    wait_for(&mut child, &killed, |summary| games(summary) >= least);
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = json(["tournament", "resume", killed.to_str().unwrap(), "--json"]);
    assert_eq!(resumed["stages"], expected["stages"]);
    assert_eq!(resumed["standings"], expected["standings"]);
    assert_eq!(played(&killed), played(&whole));
    assert_whole(&killed, games(&expected));
    let text = done(["tournament", "report", whole.to_str().unwrap()]);
    assert!(text.contains("All games") && !text.contains("continue with"), "{text}");
    expected
}

#[test]
fn a_knockout_by_rating_with_a_third_place() {
    let keys = "format = 'knockout'\ngames = 2\nthird-place = true\nseeding = 'rating'\n\
                deciders = 1\ndecider-tc = 'nodes=30'\n";
    let summary = survives(6, keys, 3);
    let bracket = summary["stages"][0]["bracket"].as_array().unwrap();
    // By rating the last one is the first seed, and has no opponent in the first round.
    assert_eq!(bracket[0]["engines"][0], "e5");
    assert_eq!(bracket[0]["is_walkover"], true);
    let third = bracket.iter().find(|line| line["section"] == "third-place").unwrap();
    assert!(third["winner"].is_string());
}

#[test]
fn groups_and_then_a_knockout() {
    let keys = "games = 2\n[[stage]]\nformat = 'groups'\ngroups = 2\n[[stage]]\n\
                format = 'knockout'\ntake = 4\ndeciders = 0\n";
    let summary = survives(6, keys, 4);
    let stages = summary["stages"].as_array().unwrap();
    assert_eq!(stages.len(), 2);
    assert_eq!(stages[0]["tables"].as_array().unwrap().len(), 2);
    assert_eq!(games(&summary), 2 * 3 * 2 + 2 * 2 + 2);
}

/// The reports of people show tables and brackets while an event is stopped, and `extend` changes
/// nothing.
#[test]
fn a_bracket_is_drawn_and_not_extended() {
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), 4, "format = 'knockout'\ngames = 2\n");
    let event = folder.path().join("event");
    let out = event.to_str().unwrap();
    let text = done(["tournament", "run", file.to_str().unwrap(), "--out", out]);
    for words in ["Knockout\n", "─┐", "├ e", "─┘", "All games"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    let before = fs::read(event.join("event.toml")).unwrap();
    let run = ProgramRun::of(&mut tengen(["tournament", "extend", out, "--games", "8"]));
    run.refused(2, &["games", "knockout"]);
    assert_eq!(fs::read(event.join("event.toml")).unwrap(), before);
    let list = done(["tournament", "list", "--events", folder.path().to_str().unwrap()]);
    assert!(list.contains("e0, e1, e2, e3"), "{list}");
}

/// Candidates are tested against the base at once.
#[test]
fn several_tests_at_once() {
    let folder = TempDir::new().unwrap();
    let keys = "format = 'gauntlet'\nchallengers = 2\nsprt = 'elo0=0,elo1=300'\ngames = 400\n";
    let file = write(folder.path(), 3, keys);
    let event = folder.path().join("event");
    let run = ["tournament", "run", file.to_str().unwrap(), "--json", "--out"];
    let summary = json(run.into_iter().chain([event.to_str().unwrap()]));
    let tests = summary["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 2);
    for test in tests {
        assert_eq!(test["against"], "e2");
        assert_eq!(test["accepted"], "H0", "the base searches more nodes: {test}");
    }
    assert!(games(&summary) < 800);
    let text = done(["tournament", "report", event.to_str().unwrap()]);
    assert!(text.contains("e0 against e2: SPRT"), "{text}");
}
