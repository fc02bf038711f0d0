//! What an author can see about an engine: `analyse`, `bench`, `play`, `engines show`, and why it
//! failed.

mod common;

use common::{ProgramRun, bad_engine, done, fed, json, repository, tengen};
use serde_json::Value;

const BUILTIN: &str = "builtin:alphabeta";

/// Every JSON object of an output, a line each.
fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn an_analysis_tells_its_lines_as_they_come_and_the_answer_last() {
    let text =
        done(["analyse", BUILTIN, "h8", "a1", "i8", "c1", "j8", "e1", "--nodes", "2000", "--json"]);
    let objects = lines(&text);
    assert_eq!(objects[0]["type"], "position");
    assert_eq!(
        (&objects[0]["to_move"], &objects[0]["rule"]),
        (&"black".into(), &"freestyle".into())
    );
    let told: Vec<_> = objects.iter().filter(|object| object["type"] == "line").collect();
    assert!(!told.is_empty() && told.iter().all(|line| line["pv"][0].is_string()), "{text}");
    let answer = objects.last().unwrap();
    assert_eq!((&answer["type"], &answer["win_in"]), (&"answer".into(), &3.into()), "{text}");
    assert!(answer["move"] == "g8" || answer["move"] == "k8", "{text}");
}

#[test]
fn an_analysis_for_people_has_a_table_and_an_answer() {
    let text =
        done(["analyse", BUILTIN, "h8i9h9", "--nodes", "3000", "--lines", "2", "--rule", "renju"]);
    for words in ["renju on 15, white to move: h8 i9 h9", "depth", "nodes/s", "  2 ", "answers "] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
}

#[test]
fn a_position_comes_from_a_game_in_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let sgf = folder.path().join("game.sgf");
    std::fs::write(&sgf, "(;GM[4]SZ[15];B[hh];W[ii];B[hi];W[ij];B[hg];W[ik];B[hj];W[ih];B[hf])")
        .unwrap();
    let sgf = sgf.to_str().unwrap();
    let text = done(["analyse", BUILTIN, sgf, "--plies", "3", "--nodes", "100", "--json"]);
    let moves = &lines(&text)[0]["moves"];
    assert_eq!(moves.as_array().unwrap().len(), 3, "{moves}");
    // Black has won there.
    let run = ProgramRun::of(&mut tengen(["analyse", BUILTIN, sgf, "--rule", "freestyle"]));
    run.refused(2, &["the game is over after move 9", "black has five", "--plies 8"]);
}

#[test]
fn what_cannot_be_analysed_is_told_in_words() {
    for (arguments, words) in [
        (&["h8", "h8"][..], &["h8 is occupied"][..]),
        (&["z99"], &["neither a file nor a position"]),
        (&["missing.sgf"], &["missing.sgf", "cannot be read"]),
        (&["h8", "--plies", "7"], &["--plies 7", "1 move"]),
    ] {
        let run = ProgramRun::of(&mut tengen(
            ["analyse", BUILTIN].into_iter().chain(arguments.iter().copied()),
        ));
        run.refused(2, words);
    }
    ProgramRun::of(&mut tengen(["analyse", "nobody"])).refused(2, &["nobody"]);
}

#[test]
fn a_benchmark_counts_nodes_and_solved_positions_and_compares_builds() {
    let summary = json([
        "bench", BUILTIN, BUILTIN, "--nodes", "2000", "--repeat", "2", "--rule", "renju", "--json",
    ]);
    let engines = summary["engines"].as_array().unwrap();
    assert_eq!((engines.len(), &summary["repetitions"]), (2, &2.into()));
    for engine in engines {
        assert!(engine["nodes_per_second"]["mean"].as_f64().unwrap() > 1000.0, "{summary}");
        assert!(engine["nodes_per_second"]["error"].is_number(), "{summary}");
        assert_eq!(engine["solved"].as_f64(), engine["of"].as_f64(), "{summary}");
    }
    let compared = &summary["comparisons"][0];
    let speed = compared["speed"]["mean"].as_f64().unwrap();
    assert!((0.05..20.0).contains(&speed), "the same engine twice: {summary}");
    let text = done(["bench", BUILTIN, "--nodes", "200", "--repeat", "1", "--rule", "caro"]);
    assert!(text.contains("Nodes/s") && text.contains("of 2"), "{text}");
}

#[test]
fn options_and_limits_and_the_last_check_are_shown() {
    let cache = tempfile::tempdir().unwrap();
    let run = |arguments: &[&str]| {
        let mut command = tengen(arguments.iter().copied());
        ProgramRun::of(command.env("XDG_CACHE_HOME", cache.path())).done()
    };
    let text = run(&["engines", "show", BUILTIN]);
    for words in
        ["Hash", "1 to 1024 MiB", "Variety", "last check never", "freestyle 5–32", "tengen_decide"]
    {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    run(&["engines", "check", BUILTIN, "--rule", "caro", "--quick"]);
    let text = run(&["engines", "show", BUILTIN, "--json"]);
    let card: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(card["last_check"]["ok"], true, "{text}");
    let options = card["options"].as_array().unwrap();
    let option = |name: &str| options.iter().find(|option| option["name"] == name).unwrap();
    assert_eq!(option("Depth")["range"], serde_json::json!([1, 64]));
    assert_eq!(option("Depth")["tune"], false);
    assert_eq!(option("Hash")["unit"], "MiB");
}

/// Plays what is typed, to the end of it.
fn play(arguments: &[&str], typed: &str) -> String {
    let mut command =
        tengen(["play", BUILTIN, "--tc", "nodes=300"].into_iter().chain(arguments.iter().copied()));
    fed(&mut command, typed).done()
}

#[test]
fn a_game_is_played_in_the_terminal() {
    let text = play(&["--size", "7"], "d4\nd4\nhello\nundo\nhelp\nc4\nresign\n");
    for words in [
        "your move> ",
        "(O)",
        "d4 is occupied",
        "`hello` is neither a move such as h8 nor a command",
        "builtin:alphabeta: plays ",
        "take back your last answer",
        "builtin:alphabeta wins (resignation)",
    ] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    // Once at the beginning, and again after `undo`.
    assert!(text.matches("  4 . . . . . . .  4").count() >= 2, "{text}");
}

#[test]
fn the_engine_may_begin_and_openings_are_asked() {
    let text = play(&["--second", "--opening", "swap2"], "black\nquit\n");
    assert!(text.contains("black, white, or lay 2 stones and let the engine choose"), "{text}");
    let text = play(&["--rule", "renju", "--opening", "none", "--size", "15"], "h8\n");
    assert!(text.contains("you: black X"), "the end of the input is the end: {text}");
    let run =
        ProgramRun::of(&mut tengen(["play", BUILTIN, "--size", "6", "--opening", "soosorv8"]));
    run.refused(2, &["soosorv8"]);
}

#[test]
fn an_illegal_answer_is_replaced_by_the_built_in_engine_where_that_is_wished() {
    let folder = tempfile::tempdir().unwrap();
    let engine = bad_engine(folder.path(), "OCCUPIED");
    let engine = engine.to_str().unwrap();
    let mut command = tengen(["play", engine, "--illegal", "substitute"]);
    let text = fed(&mut command, "h8\nquit\n").done();
    for words in ["that is not possible", "(Tengen answers in its place)"] {
        assert!(text.contains(words), "no `{words}` in:\n{text}");
    }
    let out = folder.path().join("out");
    let mut arguments = vec!["match", engine, BUILTIN, "--games", "2", "--tc", "nodes=200"];
    arguments.extend(["--illegal", "substitute", "--json", "--out", out.to_str().unwrap()]);
    let summary = json(arguments);
    assert_eq!(summary["terminations"]["illegal_answer"], Value::Null, "{summary}");
    let games = std::fs::read_to_string(out.join("games.jsonl")).unwrap();
    for game in lines(&games) {
        let actions = game["actions"].as_array().unwrap();
        let place = actions.iter().position(|action| action["legal"] == false).unwrap();
        let [refused, given] = [&actions[place], &actions[place + 1]];
        assert_eq!((&refused["seat"], &given["substituted"]), (&given["seat"], &true.into()));
    }
    let answers = lines(&fed(&mut tengen(["rules", "replay"]), games.as_str()).done());
    assert!(answers.len() == 2 && answers.iter().all(|answer| answer["ok"] == true), "{answers:?}");
}

/// Compiles a library in Rust without a package.
#[cfg(not(windows))]
fn rust_engine(folder: &std::path::Path, choose: &str) -> std::path::PathBuf {
    let (source, library) = (folder.join("broken.rs"), folder.join("broken.so"));
    let text = include_str!("engines/broken.rs").replace("CHOOSE", choose);
    std::fs::write(&source, text).unwrap();
    let status = std::process::Command::new("rustc")
        .args(["--edition", "2024", "--crate-type", "cdylib", "-C", "opt-level=1", "-o"])
        .arg(&library)
        .arg("broken.rs")
        .current_dir(folder)
        .status()
        .expect("rustc, which these tests need");
    assert!(status.success());
    library
}

/// Tests that are compiled on another machine have no compiler of Rust.
#[cfg(not(windows))]
#[test]
fn of_a_panic_the_message_and_its_place_come_first() {
    let folder = tempfile::tempdir().unwrap();
    let engine = rust_engine(folder.path(), "rows(16)");
    let engine = engine.to_str().unwrap();
    let run = ProgramRun::of(&mut tengen(["analyse", engine, "--nodes", "10"]));
    let told = run.stderr.lines().find(|line| line.starts_with("tengen: ")).unwrap_or_default();
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(told.starts_with("tengen: broken: panicked at broken.rs:"), "{told}");
    assert!(told.contains(": no such row: 16; "), "{told}");
    let out = folder.path().join("event");
    let out = out.to_str().unwrap();
    done(["match", engine, BUILTIN, "--games", "2", "--tc", "nodes=10", "--out", out]);
    for record in common::records(out.as_ref()) {
        let detail = record.detail.as_deref().unwrap_or_default();
        assert!(detail.starts_with("panicked at broken.rs:"), "{detail}");
    }
}

#[test]
fn a_trapped_module_tells_where() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("trap.wasm");
    let text = common::module("").replace(
        "(result i32) i32.const -5)",
        "(result i32) call $evaluate i32.const 0) (func $evaluate unreachable)",
    );
    std::fs::write(&module, wat::parse_str(&text).unwrap()).unwrap();
    let run = ProgramRun::of(&mut tengen(["analyse", module.to_str().unwrap(), "--nodes", "10"]));
    run.refused(1, &["trapped: ", " in evaluate"]);
}

#[test]
fn an_engine_that_falls_silent_is_told_of() {
    let folder = tempfile::tempdir().unwrap();
    let engine = bad_engine(folder.path(), "CRASH");
    let run = ProgramRun::of(&mut tengen(["analyse", engine.to_str().unwrap(), "--nodes", "10"]));
    let end = if cfg!(windows) { "was ended by an access violation" } else { "was killed by SIG" };
    run.refused(1, &[&format!("crash: {end}")]);
    assert!(repository("docs/engines.md").is_file());
}

#[test]
fn an_engine_that_is_debugged_waits_and_its_records_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("event");
    let game = ["match", BUILTIN, BUILTIN, "--games", "2", "--tc", "nodes=50"];
    let debugged = ["--debug-engine", BUILTIN, "--debug-wait", "0.01", "--out"];
    let run = ProgramRun::of(tengen(game).args(debugged).arg(&out));
    assert_eq!(run.stderr.matches(" is process ").count(), 1, "{}", run.stderr);
    assert!(run.stderr.contains("attach a debugger ("), "{}", run.stderr);
    run.done();
    for record in common::records(&out) {
        let seats = [&record.header.seats.first, &record.header.seats.second];
        let debugged: Vec<_> = seats.iter().filter(|seat| seat.layers == ["debugged"]).collect();
        assert_eq!(debugged.len(), 1, "{:?}", record.header.seats);
    }
    let run = ProgramRun::of(&mut tengen(["match", BUILTIN, BUILTIN, "--debug-engine", "nobody"]));
    run.refused(2, &["--debug-engine nobody", BUILTIN]);
    let text = play(&["--debug-engine", "--debug-wait", "0.01"], "h8\nquit\n");
    assert!(text.contains("builtin:alphabeta: plays "), "{text}");
}
