//! The main job: engines of three kinds play a timed round-robin, and the standings come out.

mod common;

use std::path::Path;

#[cfg(unix)]
use common::library;
use common::{
    ALPHABETA, ALPHABETA_WASM, GREEDY, GREEDY_WASM, MINIMAL_C, ProgramRun, assert_whole,
    bad_engine, done, games, json, records, tengen,
};
use serde_json::Value;
use tempfile::TempDir;
use tengen_arbiter::Termination;

const FIVE_ENGINES: [&str; 5] = [GREEDY, ALPHABETA, MINIMAL_C, GREEDY_WASM, ALPHABETA_WASM];

/// Ten pairings of two games each.
fn plays_out(opening: &str) {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let mut arguments = vec!["tournament", "run", "--engines"];
    arguments.extend(FIVE_ENGINES);
    arguments.extend(["--rule", "renju", "--opening", opening, "--games", "2"]);
    arguments.extend(["--tc", "30+0.05,nodes=400", "--concurrency", "2", "--seed", "5"]);
    arguments.extend(["--out", out.to_str().unwrap(), "--json"]);
    let summary = json(arguments);

    assert_eq!(games(&summary), 20);
    let standings = summary["standings"].as_array().unwrap();
    assert_eq!(standings.len(), 5);
    let points: f64 = standings.iter().map(|line| line["points"].as_f64().unwrap()).sum();
    assert_eq!(points, 20.0);
    let ended: u64 = object(&summary["terminations"]).map(|(_, n)| n.as_u64().unwrap()).sum();
    assert_eq!(ended, 20);
    // Example engines neither fail nor answer what the procedure does not allow.
    for (termination, count) in object(&summary["terminations"]) {
        let played = ["five", "board_full", "overline", "double_four", "double_three"];
        assert!(played.contains(&termination.as_str()), "{count} ended by {termination}");
    }
    assert_whole(&out, 20);
    for record in records(&out) {
        assert_eq!(record.header.opening.procedure.name(), opening);
    }
}

fn object(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().expect("an object").iter()
}

#[cfg(target_os = "linux")]
#[test]
fn records_are_written_into_a_pipe_and_through_a_link() {
    let folder = TempDir::new().unwrap();
    let at = |name: &str| folder.path().join(name);
    let event = at("event");
    let mut run = tengen(["match", GREEDY_WASM, GREEDY_WASM, "--games", "2", "--tc", "move=20"]);
    ProgramRun::of(run.arg("--out").arg(&event)).done();
    let report = |records: &Path| {
        let mut command = tengen(["tournament", "report", event.to_str().unwrap()]);
        ProgramRun::of(command.arg("--records").arg(records)).done()
    };
    let pipe = at("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    // A process that opens both ends need not wait.
    let mut ends = std::fs::OpenOptions::new().read(true).write(true).open(&pipe).unwrap();
    report(&pipe);
    std::io::Write::write_all(&mut ends, b"end\n").unwrap();
    let lines = std::io::BufRead::lines(std::io::BufReader::new(ends));
    let records = lines.map(Result::unwrap).take_while(|line| line != "end");
    assert_eq!(records.count(), 2);
    assert!(pipe.exists() && !pipe.is_file(), "the pipe was replaced");
    std::fs::create_dir(at("away")).unwrap();
    std::os::unix::fs::symlink("away/games.jsonl", at("link")).unwrap();
    report(&at("link"));
    assert!(at("link").is_symlink() && at("away/games.jsonl").is_file());
}

#[test]
fn native_wasm_and_c_engines_play_renju_under_swap2() {
    plays_out("swap2");
}

#[test]
fn native_wasm_and_c_engines_play_renju_under_the_contest_opening() {
    plays_out("contest");
}

#[test]
fn an_engine_may_play_itself_and_the_built_in_one_needs_no_folder() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let name = "builtin:alphabeta";
    let game = ["match", name, name, "--tc", "nodes=50", "--games", "2"];
    let folders = ["--dir", "no such folder", "--out", out.to_str().unwrap(), "--json"];
    let summary = json(game.into_iter().chain(folders));
    let mut names: Vec<_> =
        summary["standings"].as_array().unwrap().iter().map(|line| &line["engine"]).collect();
    names.sort_by_key(|name| name.to_string());
    assert_eq!(names, ["builtin:alphabeta", "builtin:alphabeta#2"]);
    assert_whole(&out, 2);
}

/// Plays so many games at most, of which the second engine loses every one.
fn shutout(folder: &Path, most: &str, more: &[&str]) -> Value {
    let out = folder.join("event");
    let loser = bad_engine(folder, "CRASH");
    let engines = ["match", "builtin:alphabeta", loser.to_str().unwrap(), "--tc", "nodes=50"];
    let rest = ["--games", most, "--out", out.to_str().unwrap(), "--json"];
    json(engines.into_iter().chain(rest).chain(more.iter().copied()))
}

/// No figure can be told from nothing but wins, and a match must not wait for one.
#[test]
fn a_shutout_ends_and_pretends_no_figure() {
    let folder = TempDir::new().unwrap();
    let summary = shutout(folder.path(), "8", &[]);
    let standings = summary["standings"].as_array().unwrap();
    assert_eq!(standings[0]["engine"], "builtin:alphabeta");
    assert_eq!((&standings[0]["wins"], &standings[1]["losses"]), (&8.into(), &8.into()));
    for line in standings {
        assert!(line["elo"].is_null() && line["elo_error"].is_null(), "{line}");
    }
    assert_whole(&folder.path().join("event"), 8);
}

/// A test stops at a shutout, too, and stays decided.
#[test]
fn a_sequential_test_ends_a_match() {
    let folder = TempDir::new().unwrap();
    let played = shutout(folder.path(), "2000", &["--sprt", "elo0=0,elo1=50"]);
    let test = &played["sprt"];
    assert_eq!(test["accepted"], "H1", "{played}");
    assert!(test["llr"].as_f64().unwrap() >= test["upper"].as_f64().unwrap(), "{test}");
    let count = games(&played);
    assert!((2..1000).contains(&count), "{count}");
    let event = folder.path().join("event");
    let event = event.to_str().unwrap();
    let resumed = json(["tournament", "resume", event, "--json"]);
    assert_eq!((games(&resumed), &resumed["sprt"]), (count, test), "nothing more is played");
    let shown = done(["tournament", "report", event]);
    assert!(shown.contains("H1 is accepted") && !shown.contains("continue with"), "{shown}");
}

#[test]
fn a_file_says_all_that_options_say_and_options_win() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let file = folder.path().join("cup.toml");
    std::fs::write(folder.path().join("book.txt"), "# two positions\nh8 i9 g9\nh8, h9, j8\n")
        .unwrap();
    std::fs::write(
        &file,
        "rule = \"standard\"\nopening = \"book\"\nopenings = \"book.txt\"\ntc = \"nodes=1\"\n\
         games = 4\nengines = [\"greedy\", { id = \"minimal-c\", name = \"Small\" }]\n",
    )
    .unwrap();
    let run = ["tournament", "run", file.to_str().unwrap(), "--games", "2", "--json", "--out"];
    let summary = json(run.into_iter().chain([out.to_str().unwrap()]));
    assert_eq!(games(&summary), 2);
    for record in records(&out) {
        assert_eq!(record.header.opening.book.len(), 3);
        assert!(
            [&*record.header.seats.first.name, &*record.header.seats.second.name]
                .contains(&"Small")
        );
        assert_eq!(record.header.rule.name(), "standard");
    }
}

#[test]
fn a_clock_that_is_too_short_is_a_timeout() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("event");
    let arguments = ["match", ALPHABETA, GREEDY, "--tc", "0.000001", "--games", "2"];
    let tail = ["--spoiled", "keep", "--out", out.to_str().unwrap(), "--json"];
    let run = ProgramRun::of(&mut tengen(arguments.into_iter().chain(tail)));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let summary: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(summary["spoiled"]["games"], 0, "nothing but the engine's time: {summary}");
    assert_eq!(summary["terminations"]["timeout"], 2);
    for record in records(&out) {
        assert_eq!(record.result.termination, Termination::Timeout);
        assert!(record.result.winner.is_some());
    }
    assert_whole(&out, 2);
}

/// One engine that does not start is set aside, and everything else goes on.
#[cfg(unix)]
#[test]
fn an_engine_that_does_not_start_stops_no_other() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("cup");
    let run = |more: &[&str]| {
        let mut command = tengen(["tournament", "run", "--engines"]);
        command.args(["builtin:alphabeta", "cmd:false", "builtin:alphabeta"]);
        command.args(["--tc", "nodes=50", "--games", "2", "--json", "--out"]).arg(&out);
        ProgramRun::of(command.args(more))
    };
    run(&["--strict"]).refused(1, &["cmd:false"]);
    assert!(!out.exists(), "nothing was begun");
    let aside = run(&[]);
    assert!(aside.stderr.contains("tengen: skipped: "), "{}", aside.stderr);
    let summary: Value = serde_json::from_str(&aside.done()).unwrap();
    assert_eq!((games(&summary), summary["standings"].as_array().unwrap().len()), (2, 2));
    assert_eq!(summary["set_aside"][0]["engine"], "cmd:false");
    let report = done(["tournament", "report", out.to_str().unwrap()]);
    assert!(report.contains("cmd:false does not play: "), "{report}");

    std::fs::remove_dir_all(&out).unwrap();
    let summary: Value = serde_json::from_str(&run(&["--absent", "forfeit"]).done()).unwrap();
    assert_eq!(games(&summary), 6);
    let absent = summary["standings"].as_array().unwrap().last().unwrap();
    assert_eq!((&absent["engine"], &absent["losses"]), (&"cmd:false".into(), &4.into()));
}

/// Without a word about openings, games begin from balanced positions, and are not the same one.
#[test]
fn games_begin_from_balanced_positions() {
    let folder = TempDir::new().unwrap();
    let play = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut command = tengen(["match", "builtin:alphabeta", "builtin:alphabeta"]);
        command.args(["--tc", "nodes=50", "--games", "6", "--json", "--out"]).arg(&out);
        let run = ProgramRun::of(command.args(more));
        let said = run.stderr.clone();
        (serde_json::from_str::<Value>(&run.done()).unwrap(), records(&out), said)
    };
    let (summary, played, _) = play("usual", &[]);
    assert!(played.iter().all(|record| record.header.opening.book.len() >= 4));
    assert!(summary["repeated"]["distinct"].as_u64().unwrap() >= 3, "{summary}");
    assert!(played.iter().all(|record| record.conditions.began.is_some()), "they have a date");
    let (summary, played, _) = play("empty", &["--opening", "none"]);
    assert!(played.iter().all(|record| record.header.opening.book.is_empty()));
    assert_eq!(summary["repeated"]["games"], 6, "{summary}");
    let (_, played, said) = play("small", &["--size", "9"]);
    assert!(played.iter().all(|record| record.header.opening.book.is_empty()));
    assert!(said.contains("Tengen has no balanced openings"), "{said}");
}

/// A folder of an event is moved, and so are the engines, under other names.
#[cfg(unix)]
#[test]
fn an_event_is_moved_with_its_engines() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (folder.path().join("old"), folder.path().join("new"));
    std::fs::create_dir_all(&old).unwrap();
    let built = library(&common::repository("engines"), "libgreedy");
    std::fs::copy(built, library(&old, "libmine")).unwrap();
    let event = old.join("cup");
    let mut command = tengen(["match", "mine", "builtin:alphabeta", "--tc", "nodes=50"]);
    command.args(["--games", "2", "--dir"]).arg(&old).arg("--out").arg(&event);
    ProgramRun::of(&mut command).done();
    std::fs::create_dir_all(new.join("engines")).unwrap();
    std::fs::rename(&event, new.join("moved")).unwrap();
    let renamed = library(&new.join("engines"), "librenamed");
    std::fs::rename(library(&old, "libmine"), renamed).unwrap();
    std::fs::remove_dir_all(&old).unwrap();
    let resume = |more: &[&str], cache: &Path| {
        let mut command = tengen(["tournament", "resume"]);
        ProgramRun::of(command.arg(new.join("moved")).args(more).env("XDG_CACHE_HOME", cache))
    };
    let elsewhere = folder.path().join("another-machine");
    resume(&[], &elsewhere).refused(2, &["mine", "--dir"]);
    resume(&["--dir", new.join("engines").to_str().unwrap()], &elsewhere).done();
    assert_whole(&new.join("moved"), 2);
}
