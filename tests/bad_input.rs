//! Mistakes that a user may make: each message names the mistake and what to do, and nothing is
//! lost.

mod common;

use std::fs;
use std::path::Path;

use common::{ProgramRun, json, module, tengen};
use tempfile::TempDir;

fn refused(arguments: &[&str], code: i32, words: &[&str]) {
    ProgramRun::of(&mut tengen(arguments.iter().copied())).refused(code, words);
}

/// A match of the built-in engine with these options more.
fn refused_match(options: &[&str], words: &[&str]) {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let mut arguments = vec!["match", "builtin:alphabeta", "builtin:alphabeta"];
    arguments.extend(["--out", out.to_str().unwrap()]);
    arguments.extend(options);
    refused(&arguments, 2, words);
    assert!(!out.exists(), "nothing is made for an event that cannot be");
}

#[test]
fn nonsense_options() {
    refused_match(&["--tc", "soon"], &["--tc", "soon"]);
    refused_match(&["--tc", "60+"], &["--tc", "60+"]);
    refused_match(&["--rule", "go"], &["--rule", "freestyle, standard, renju or caro"]);
    refused_match(&["--size", "99"], &["--size", "5 to 32"]);
    refused_match(&["--opening", "swap3"], &["--opening", "swap3"]);
    refused_match(&["--games", "0"], &["games"]);
    refused_match(&["--concurrency", "0"], &["concurrency"]);
    refused_match(&["--format", "swiss", "--groups", "2"], &["groups", "swiss"]);
    refused_match(&["--format", "knockout", "--games", "3"], &["games", "odd"]);
    refused_match(&["--rule", "renju", "--opening", "contest", "--size", "19"], &["opening", "15"]);
    refused_match(&["--opening", "book", "--size", "9"], &["no balanced openings", "--openings"]);
    refused_match(&["--opening", "book", "--openings", "no such file"], &["no such file"]);
    let empty = |option, value| ["--opening", "none", option, value];
    refused_match(&empty("--openings-order", "random"), &["openings-order", "no positions"]);
    refused_match(&empty("--openings-symmetries", "all"), &["openings-symmetries", "positions"]);
    refused_match(&["--isolation", "in-process"], &["builtin", "WASM"]);
    refused_match(&["--unheard-of"], &["--unheard-of"]);
}

#[test]
fn an_unknown_engine() {
    let words = ["greedi", "greedy"];
    refused(&["match", "greedi", "builtin:alphabeta"], 2, &words);
    refused(&["match", "builtin:beta", "builtin:alphabeta"], 2, &["beta", "builtin:alphabeta"]);
    refused(&["engines", "check", "nobody"], 2, &["nobody"]);
    refused(&["engines", "list", "--dir", "no such folder"], 2, &["no such folder", "--dir"]);
}

#[test]
fn an_out_folder_that_exists_or_cannot_be_written() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let out = out.to_str().unwrap();
    let play = ["match", "builtin:alphabeta", "builtin:alphabeta", "--tc", "nodes=1"];
    fn with<'a>(play: &[&'a str], out: &'a str) -> Vec<&'a str> {
        [play, &["--games", "2", "--out", out]].concat()
    }
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let summary = json([&with(&play, out)[..], &["--json"]].concat());
    refused(&with(&play, out), 2, &[out, "resume"]);
    assert_eq!(json(["tournament", "report", out, "--json"]), summary, "nothing was touched");

    fs::create_dir(folder.path().join("used")).unwrap();
    fs::write(folder.path().join("used/letter.txt"), "dear").unwrap();
    refused(&with(&play, &path("used")), 2, &["not empty", "--out"]);
    refused(&with(&play, &path("used/letter.txt/event")), 1, &["letter.txt"]);
    // No user, not even root, can make a folder there.
    if cfg!(target_os = "linux") {
        refused(&with(&play, "/proc/event"), 1, &["/proc/event"]);
    }
    refused(&["tournament", "resume", folder.path().to_str().unwrap()], 2, &["no event"]);
}

#[test]
fn a_tournament_file_with_a_slip() {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("cup.toml");
    let run = |text: &str, words: &[&str]| {
        fs::write(&file, text).unwrap();
        refused(&["tournament", "run", file.to_str().unwrap()], 2, words);
    };
    run("games = 2\nengine = [\"a\"]\n", &["cup.toml", "line 2", "engine"]);
    run("tc = \"soon\"\n", &["cup.toml", "line 1", "soon"]);
    run("games = [\n", &["cup.toml"]);
    run("engines = [\"builtin:alphabeta\"]\n", &["engines", "2"]);
    refused(&["tournament", "run", "no such file.toml"], 2, &["no such file.toml"]);
    refused(&["tournament", "run"], 2, &["--engines"]);
}

/// A folder of engines with one bad one; the list goes on, the engine itself is refused by name.
fn bad_engine(fill: impl FnOnce(&Path), id: &str, words: &[&str]) {
    let folder = TempDir::new().unwrap();
    fill(folder.path());
    let dir = folder.path().to_str().unwrap();
    let listing = json(["engines", "list", "--dir", dir, "--json"]);
    let refused_files = listing["refused"].as_array().unwrap();
    assert_eq!(refused_files.len(), 1, "{listing}");
    let reason = format!("{} {}", refused_files[0]["path"], refused_files[0]["reason"]);
    for word in words {
        assert!(reason.contains(word), "no `{word}` in {reason}");
    }
    let out = folder.path().join("event");
    let arguments =
        ["match", id, "builtin:alphabeta", "--dir", dir, "--out", out.to_str().unwrap()];
    let run = ProgramRun::of(&mut tengen(arguments));
    assert!(matches!(run.code, Some(1 | 2)), "{:?} {}", run.code, run.stderr);
    let code = run.code.unwrap();
    run.refused(code, words);
    assert!(!out.exists());
}

#[test]
fn a_module_that_loops_in_its_start_function() {
    let folder = TempDir::new().unwrap();
    let text = module("(func $spin (loop $again br $again)) (start $spin)");
    fs::write(folder.path().join("spin.wasm"), wat::parse_str(text).unwrap()).unwrap();
    let dir = folder.path().to_str().unwrap();
    for isolation in ["child", "in-process"] {
        let arguments = ["match", "spin-wasm", "spin-wasm", "--dir", dir, "--startup", "0.5"];
        let run =
            ProgramRun::of(&mut tengen(arguments.into_iter().chain(["--isolation", isolation])));
        run.refused(1, &["spin-wasm", "500ms"]);
    }
}

#[test]
fn manifests_that_are_damaged_or_reach_out() {
    let manifest = |text: &'static str| {
        move |dir: &Path| {
            fs::create_dir(dir.join("hoshi")).unwrap();
            fs::write(dir.join("hoshi/engine.xml"), text).unwrap();
        }
    };
    let dtd = "<!DOCTYPE engines [<!ENTITY a \"b\">]>\n<engines/>\n";
    bad_engine(manifest(dtd), "hoshi", &["engine.xml", "DTD"]);
    let out = "<engines>\n<engine id=\"hoshi\" kind=\"native\">\n\
               <library>../../etc/passwd</library>\n</engine>\n</engines>\n";
    bad_engine(manifest(out), "hoshi", &["engine.xml", "line 3"]);
    bad_engine(manifest("<engines><engine"), "hoshi", &["engine.xml"]);
}
