//! Engines that answer no opening questions, where the procedure asks some.

mod common;

use std::fs;

use common::{ProgramRun, assert_whole, done, records, tengen};
use tempfile::TempDir;
use tengen_arbiter::{Action, Termination};

/// The shortest module that plays: it resigns its first move, and has no `tengen_decide`.
fn resigns(description: &str) -> Vec<u8> {
    let choose = "(param i32 i32 i32) (result i32)";
    let text =
        common::module("").replace("name Module\\0a", &format!("name Quitter\\0a{description}"));
    let text = text.replace(
        &format!("{choose} i32.const -5"),
        &format!("{choose} (i32.store offset=4 (local.get 2) (i32.const 1)) i32.const 0"),
    );
    assert!(text.contains("Quitter") && text.contains("i32.store"));
    wat::parse_str(text).unwrap()
}

/// A folder with that engine, and the arguments of a match of it against itself.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("quitter.wasm"), resigns("opening none\\0a")).unwrap();
    folder
}

fn arguments<'a>(dir: &'a str, out: &'a str, opening: &'a str) -> Vec<&'a str> {
    let engines = ["match", "quitter-wasm", "quitter-wasm", "--dir", dir, "--out", out];
    let game = ["--rule", "renju", "--opening", opening, "--games", "2", "--tc", "60+0"];
    [&engines[..], &game].concat()
}

#[test]
fn such_an_engine_is_refused_before_the_first_game() {
    let folder = folder();
    let (dir, out) = (folder.path().to_str().unwrap(), folder.path().join("event"));
    fs::write(folder.path().join("quitter.wasm"), resigns("")).unwrap();
    let run = ProgramRun::of(&mut tengen(arguments(dir, out.to_str().unwrap(), "swap2")));
    run.refused(2, &["quitter-wasm", "tengen_decide", "swap2", "--opening-policy arbiter"]);
    assert!(!out.exists());
}

#[test]
fn the_arbiter_opens_for_it_where_the_event_allows_that_and_the_record_says_so() {
    let folder = folder();
    for opening in ["swap2", "contest", "soosorv8", "taraguchi10"] {
        let out = folder.path().join(opening);
        let mut arguments =
            arguments(folder.path().to_str().unwrap(), out.to_str().unwrap(), opening);
        arguments.extend(["--opening-policy", "arbiter"]);
        done(arguments);
        assert_whole(&out, 2);
        for record in records(&out) {
            assert!(record.header.seats.first.opening_by_arbiter);
            assert!(record.header.seats.second.opening_by_arbiter);
            assert_eq!(record.result.termination, Termination::Resignation, "{opening}");
            let (last, opened) = record.actions.split_last().unwrap();
            assert_eq!(last.action, Action::Resign);
            assert!(!opened.is_empty(), "{opening}: the arbiter laid the first stones");
            assert!(opened.iter().all(|action| action.legal && action.spent == 0));
        }
    }
}
