//! A seed is a run: with node limits, the same records, byte for byte, apart from times.

mod common;

use std::fs;
use std::path::Path;

use common::{
    ALPHABETA, ALPHABETA_WASM, GREEDY, GREEDY_WASM, MINIMAL_C, done, repository, timeless,
};
use serde_json::Value;
use tempfile::TempDir;

/// The records of one seeded run, without what depends on the clock or the machine.
fn run(folder: &Path, concurrency: &str) -> String {
    let out = folder.join(format!("event-{concurrency}"));
    let mut arguments = vec!["tournament", "run", "--engines"];
    arguments.extend([GREEDY, ALPHABETA, MINIMAL_C, GREEDY_WASM, ALPHABETA_WASM]);
    arguments.extend(["--rule", "renju", "--opening", "swap2", "--tc", "nodes=300"]);
    arguments.extend(["--games", "2", "--seed", "2026", "--concurrency", concurrency]);
    arguments.extend(["--out", out.to_str().unwrap()]);
    done(arguments);
    timeless(&out).into_iter().map(portable).collect()
}

/// The record without what is of the engines' files and of this machine's kernel.
fn portable(mut record: Value) -> String {
    for seat in ["first", "second"] {
        let seat = record["seats"][seat].as_object_mut().unwrap();
        seat.remove("hash");
        seat.remove("layers");
        seat.remove("version");
    }
    format!("{record}\n")
}

#[test]
fn a_seeded_tournament_is_the_same_game_for_game() {
    let folder = TempDir::new().unwrap();
    let alone = run(folder.path(), "1");
    assert_eq!(alone, run(folder.path(), "2"), "concurrency changes no game");

    let golden = repository("tests/data/golden_renju_swap2.jsonl");
    if std::env::var_os("TENGEN_UPDATE_GOLDEN").is_some() {
        fs::write(&golden, &alone).unwrap();
    }
    let expected = fs::read_to_string(&golden).unwrap();
    for (number, (now, then)) in alone.lines().zip(expected.lines()).enumerate() {
        assert_eq!(now, then, "game {}; TENGEN_UPDATE_GOLDEN=1 takes the new run", number + 1);
    }
    assert_eq!(alone.lines().count(), expected.lines().count());
}
