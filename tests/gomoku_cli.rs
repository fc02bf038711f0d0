//! `tengen match` with engines that have settings of their own, and with the flags of
//! c-gomoku-cli.

mod common;

use std::fs;
use std::path::Path;

use common::{Run, assert_whole, repository, tengen};
use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_record::{GameRecord, Sitter};

/// Runs a match in that folder.
fn play(folder: &Path, arguments: &[&str]) -> Run {
    let mut command = tengen(["match"]);
    Run::of(command.args(arguments).current_dir(folder))
}

/// A folder with an engine and a suite of openings.
fn folder() -> TempDir {
    let folder = TempDir::new().unwrap();
    let library = format!("libgreedy{}", std::env::consts::DLL_SUFFIX);
    fs::create_dir(folder.path().join("theirs")).unwrap();
    let engine = repository("engines").join(&library);
    fs::copy(engine, folder.path().join("theirs/wine.so")).unwrap();
    fs::write(folder.path().join("openings.txt"), "8,-3, 6,-4, 5,-4, 4,-3\n0,0, 1,1\n").unwrap();
    folder
}

fn sitters(record: &GameRecord) -> [&Sitter; 2] {
    [&record.header.seats.first, &record.header.seats.second]
}

#[cfg(target_os = "linux")]
#[test]
fn the_example_of_the_readme_of_c_gomoku_cli_is_played() {
    let folder = folder();
    let example = "-each tc=180/30 -engine name=Wine cmd=./theirs/wine.so \
        -engine name=Rapfi cmd=builtin:alphabeta nodes=200 \
        -rule 0 -boardsize 20 -rounds 1 -games 4 -debug -repeat -concurrency 2 -draw number=200 \
        -pgn my_games.pgn -sgf my_games.sgf -openings file=openings.txt order=random";
    let arguments: Vec<&str> = example.split_whitespace().collect();
    let shown = play(folder.path(), &arguments).done();
    assert!(shown.contains("Wine") && shown.contains("Rapfi"), "{shown}");
    let event = folder.path().join("events/001-Wine-vs-Rapfi");
    assert_whole(&event, 4);
    let records = common::records(&event);
    for record in &records {
        let names = ["Wine", "Rapfi"];
        assert!(sitters(record).iter().all(|sitter| names.contains(&sitter.id.as_str())));
        let wine = sitters(record).into_iter().find(|sitter| sitter.id == "Wine").unwrap();
        assert_eq!(wine.time.to_string(), "180+0,move=30");
        let other = sitters(record).into_iter().find(|sitter| sitter.id == "Rapfi").unwrap();
        assert_eq!(other.time.to_string(), "180+0,move=30,nodes=200");
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("my_games.pgn").matches("[Event ").count(), 4);
    assert_eq!(read("my_games.sgf").matches("(;FF[4]").count(), 4);
    let log = read("c-gomoku-cli.log");
    assert_eq!(log.matches("> new game: freestyle on 20").count(), 8, "{log}");
    assert_eq!(log.matches("> game over: ").count(), 8, "{log}");

    play(folder.path(), &arguments).refused(2, &["my_games", "is there already"]);
}

#[cfg(target_os = "linux")]
#[test]
fn the_example_is_played_by_brains_and_what_is_missing_is_written_when_it_goes_on() {
    let folder = folder();
    let engines = folder.path().join("example-engine");
    fs::create_dir(&engines).unwrap();
    common::brain::quirk(&engines, "pbrain-wine");
    fs::copy(engines.join("pbrain-wine"), engines.join("pbrain-rapfi1")).unwrap();
    fs::create_dir(folder.path().join("openings_dir")).unwrap();
    let openings = "openings_dir/openings_freestyle.txt";
    fs::copy(folder.path().join("openings.txt"), folder.path().join(openings)).unwrap();
    let page = fs::read_to_string(repository("docs/c-gomoku-cli.md")).unwrap();
    let example = page.split("```sh").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let example = example.replace('\\', " ").replace("4000", "6").replace("tengen match", "");
    let arguments: Vec<&str> = example.split_whitespace().collect();
    play(folder.path(), &arguments).done();
    let event = folder.path().join("events/001-Wine-vs-Rapfi");
    assert_whole(&event, 6);
    for record in common::records(&event) {
        // Two hundred stones are a draw there.
        let end = record.result.termination;
        assert!(matches!(end, Termination::Five | Termination::Adjudication), "{end:?}");
        assert!(!record.header.opening.book.is_empty());
    }

    let resume = |flags: &[&str]| {
        let mut command = tengen(["tournament", "resume", "events/001-Wine-vs-Rapfi"]);
        Run::of(command.args(flags).current_dir(folder.path()))
    };
    resume(&["--sgf", "my_games.sgf"]).refused(2, &["my_games.sgf", "is there already"]);
    resume(&["--sgf", "again.sgf", "--pgn", "again.pgn", "--log", "again.log"]).done();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("again.sgf"), read("my_games.sgf"));
    assert_eq!(read("again.pgn"), read("my_games.pgn"));
    assert_eq!(read("again.log"), "", "nothing was left to play");
}

#[cfg(target_os = "linux")]
#[test]
fn an_engine_may_have_settings_of_its_own() {
    let folder = folder();
    let flags = "--engine cmd=builtin:alphabeta name=deep tc=60,nodes=400 option.Depth=3 \
        --engine cmd=builtin:alphabeta name=shallow tc=60,nodes=50 margin=1 \
        --games 2 --seed 5 --out cup --sgf cup.sgf --adjudicate-draw moves=2,score=30000,stones=9";
    let arguments: Vec<&str> = flags.split_whitespace().collect();
    play(folder.path(), &arguments).done();
    let records = common::records(&folder.path().join("cup"));
    assert_eq!(records.len(), 2);
    for record in &records {
        let shallow = sitters(record).into_iter().find(|sitter| sitter.id == "shallow").unwrap();
        assert_eq!(
            (shallow.time.to_string().as_str(), shallow.margin),
            ("60+0,nodes=50", 1_000_000_000)
        );
        let window = record.header.policies.adjudication.unwrap().draw.unwrap();
        assert_eq!((window.moves, window.score, window.stones), (2, 30000, 9));
    }
    assert_eq!(
        fs::read_to_string(folder.path().join("cup.sgf")).unwrap().matches("(;FF[4]").count(),
        2
    );
}

#[test]
fn what_has_no_counterpart_is_said_in_words() {
    let folder = TempDir::new().unwrap();
    let two = ["-engine", "cmd=builtin:alphabeta", "-engine", "cmd=builtin:alphabeta"];
    let refused = |flags: &[&str], words: &[&str]| {
        play(folder.path(), &[&two[..], flags].concat()).refused(2, words);
    };
    refused(&["-sprt", "elo1=-5"], &["--sprt", "elo0 below elo1"]);
    refused(&["-msg", "all.txt"], &["-msg", "games.jsonl"]);
    refused(&["-boardsize", "100"], &["--size", "100"]);
    refused(&["-nonsense"], &["-nonsense", "docs/c-gomoku-cli.md"]);
    refused(&["-sgf", "nowhere/all.sgf", "-log"], &["nowhere/all.sgf", "no such folder"]);
    play(folder.path(), &two[..2]).refused(2, &["two engines"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is begun");
    let native = ["--engine", "cmd=builtin:alphabeta", "tc=never"];
    play(folder.path(), &native).refused(2, &["--engine tc=never"]);
    play(folder.path(), &["builtin:alphabeta"]).refused(2, &["two engines"]);
}
