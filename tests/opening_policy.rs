//! Engines that answer no opening questions, where the procedure asks some.

mod common;

use std::fs;

use common::{ProgramRun, assert_whole, done, records, tengen};
use tempfile::TempDir;
use tengen_arbiter::{Action, Termination};

/// The shortest module that plays: it resigns its first move, and has no `tengen_decide`.
const RESIGNS: &str = r#"(module
    (memory (export "memory") 1)
    (data (i32.const 16) "name Quitter\0aopening none\0a\00")
    (func (export "tengen_abi_v1") (result i32) i32.const 0)
    (func (export "tengen_describe") (result i32) i32.const 16)
    (func (export "tengen_create") (param i32) (result i32) i32.const 8)
    (func (export "tengen_new_game") (param i32 i32) (result i32) i32.const 0)
    (func (export "tengen_set_position") (param i32 i32 i32) (result i32) i32.const 0)
    (func (export "tengen_choose") (param i32 i32 i32) (result i32)
        (i32.store offset=4 (local.get 2) (i32.const 1))
        i32.const 0)
    (func (export "tengen_buffer") (param i32) (result i32) i32.const 1024))"#;

/// A folder with that engine, and the arguments of a match of it against itself.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("quitter.wasm"), wat::parse_str(RESIGNS).unwrap()).unwrap();
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
    let text = RESIGNS.replace("opening none\\0a", "");
    fs::write(folder.path().join("quitter.wasm"), wat::parse_str(text).unwrap()).unwrap();
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
