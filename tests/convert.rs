//! `tengen convert`: games from one format to another, from outside.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{ProgramRun, done, fed, json, repository, tengen};
use serde_json::Value;
use tempfile::TempDir;
use tengen_record::{GameRecord, replay};

/// A worked file of `tests/data/formats`.
fn worked(name: &str) -> String {
    text_of(&repository("tests/data/formats").join(name))
}

fn text_of(path: &Path) -> String {
    path.to_str().expect("test paths are UTF-8").to_owned()
}

/// A folder to write into.
struct ConvertFolder(TempDir);

impl ConvertFolder {
    fn new() -> ConvertFolder {
        ConvertFolder(TempDir::new().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn name(&self, name: &str) -> String {
        text_of(&self.path(name))
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.path(name), text).unwrap();
        self.name(name)
    }

    /// Converts, and gives what was written.
    fn convert(&self, from: &str, to: &str, more: &[&str]) -> String {
        let target = self.name(to);
        done(["convert", from, &target].into_iter().chain(more.iter().copied()));
        assert_eq!(fs::read_dir(self.0.path()).unwrap().filter(unfinished).count(), 0);
        self.read(to)
    }

    fn refused(&self, from: &str, to: &str, more: &[&str], code: i32, words: &[&str]) {
        let target = self.name(to);
        let arguments = ["convert", from, &target].into_iter().chain(more.iter().copied());
        let before = fs::read(self.path(to)).ok();
        ProgramRun::of(&mut tengen(arguments)).refused(code, words);
        assert_eq!(fs::read(self.path(to)).ok(), before, "nothing was written");
        assert_eq!(fs::read_dir(self.0.path()).unwrap().filter(unfinished).count(), 0);
    }
}

fn unfinished(entry: &std::io::Result<fs::DirEntry>) -> bool {
    entry.as_ref().unwrap().file_name().to_string_lossy().ends_with(".unfinished")
}

/// The games that a match left.
fn played(desk: &ConvertFolder, games: u32) -> String {
    let (out, games) = (desk.name("event"), games.to_string());
    let options = ["--rule", "renju", "--opening", "swap2", "--tc", "nodes=40", "--games", &games];
    let play = ["match", "builtin:alphabeta", "builtin:alphabeta", "--out", &out];
    done(play.into_iter().chain(options));
    desk.name("event/games.jsonl")
}

fn records(text: &str) -> Vec<GameRecord> {
    text.lines().map(|line| GameRecord::from_json_line(line).unwrap()).collect()
}

#[test]
fn a_match_goes_through_every_format() {
    let desk = ConvertFolder::new();
    let games = played(&desk, 4);
    let original = records(&fs::read_to_string(&games).unwrap());

    assert_eq!(desk.convert(&games, "same.jsonl", &[]), fs::read_to_string(&games).unwrap());
    let sgf = desk.convert(&games, "cup.sgf", &[]);
    assert_eq!(sgf.matches("(;FF[4]GM[4]").count(), 4);
    assert!(sgf.contains("RU[renju, opening swap2]"));
    assert_eq!(desk.convert(&desk.name("cup.sgf"), "again.sgf", &[]), sgf);

    let back = records(&desk.convert(&desk.name("cup.sgf"), "back.jsonl", &[]));
    assert_eq!(back.len(), 4);
    for (back, original) in back.iter().zip(&original) {
        assert_eq!(replay(back), Ok(back.result));
        assert_eq!(back.result.termination, original.result.termination);
        assert_eq!(back.header.rule, original.header.rule);
    }

    let pgn = desk.convert(&games, "cup.pgn", &[]);
    assert_eq!(pgn.matches("[Result ").count(), 4);
    assert!(pgn.contains("[White \"builtin:alphabeta\"]") && pgn.contains("alphabeta#2\"]"));

    let suite = desk.convert(&games, "suite.pos", &["--plies", "3"]);
    assert_eq!(suite.lines().count(), 4);
    let offsets = desk.convert(&desk.name("suite.pos"), "suite.offset", &[]);
    assert_eq!(desk.convert(&desk.name("suite.offset"), "again.pos", &[]), suite);
    assert!(offsets.lines().all(|line| line.split(", ").count() == 3), "{offsets}");

    let psq = desk.convert(&games, "third.psq", &["--game", "3"]);
    assert!(psq.starts_with("Piskvorky 15x15, 11:11, 0\n"));
    assert!(psq.lines().last().unwrap().ends_with(",renju"), "{psq}");
    let third = records(&desk.convert(&desk.name("third.psq"), "third.json", &[]));
    let stones = |record: &GameRecord| {
        let sheet = tengen_record::formats::ScoreSheet::from_record(record).unwrap();
        sheet.stones().unwrap()
    };
    assert_eq!(stones(&third[0]), stones(&original[2]));
}

#[test]
fn worked_files_convert() {
    let desk = ConvertFolder::new();
    let sgf = worked("variations.sgf");
    let again = desk.convert(&sgf, "again.sgf", &[]);
    for kept in ["C[天元]", "LB[jf:A][hf:B]", "DT[2026-03-01]", "N[another plan]", "brackets\\] of"]
    {
        assert!(again.contains(kept), "no {kept} in {again}");
    }
    assert_eq!(again.matches('(').count(), fs::read_to_string(&sgf).unwrap().matches('(').count());
    let report = json(["convert", &sgf, &desk.name("game.json"), "--json"]);
    assert_eq!(report["games"], 1);
    let lost: Vec<&str> =
        report["lost"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    assert_eq!(lost, ["comments", "remarks of other programs", "variations"]);

    let record = &records(&desk.convert(&worked("gomocup.psq"), "cup.jsonl", &[]))[0];
    assert_eq!(record.header.size.to_string(), "20");
    assert_eq!(record.header.seats.first.id, "HOSHI26.zip");
    assert_eq!(record.result.termination.name(), "five");
    assert_eq!(record.actions[2].spent, 310_000_000);

    let record = &records(&desk.convert(&worked("swapped.sgf"), "gb.jsonl", &[]))[0];
    assert_eq!(record.result.termination.name(), "timeout");
    assert!(desk.convert(&worked("swapped.sgf"), "gb.sgf", &[]).contains("CA[UTF-8]"));
    assert!(desk.read("gb.sgf").contains("C[天元]"));

    let suite = desk.convert(&worked("suite.txt"), "suite.pos", &["--from", "pos"]);
    assert_eq!(suite, "h8h9i10\nh8i9g6\nh8i9h6\ng5g3k3l4n7\nh8h9j9\n");
}

#[test]
fn streams_take_the_place_of_files() {
    let arguments = ["convert", "-", "-", "--from", "psq", "--to", "offset"];
    let run = fed(&mut tengen(arguments), fs::read(worked("gomocup.psq")).unwrap());
    assert!(run.stderr.contains("offset cannot store: "), "{}", run.stderr);
    assert_eq!(run.done(), "0,0, 1,1, 0,1, 1,0, 0,-1, 1,-1, 0,2, 1,2, 0,-2\n");
}

#[test]
fn wrong_use_is_told() {
    let desk = ConvertFolder::new();
    let sgf = worked("variations.sgf");
    desk.refused(&sgf, "game.unheard", &[], 2, &["game.unheard", "--to"]);
    desk.refused(&worked("suite.txt"), "suite.pos", &[], 2, &["suite.txt", "--from"]);
    desk.refused("no such file.sgf", "game.json", &[], 2, &["no such file.sgf", "cannot be read"]);
    desk.refused(&sgf, "game.psq", &["--to", "png"], 2, &["--to", "png", "psq, pgn"]);
    desk.refused(&sgf, "game.sgf", &["--from", "pgn"], 2, &["pgn", "rating tools"]);
    desk.refused(&sgf, "game.sgf", &["--plies", "3"], 2, &["--plies", "pos and offset"]);
    let there = desk.write("there.sgf", "a letter");
    desk.refused(&sgf, "there.sgf", &[], 2, &[&there, "--force"]);
    assert!(desk.convert(&sgf, "there.sgf", &["--force"]).starts_with("(;FF[4]"));
    desk.refused(&sgf, "no folder/game.sgf", &[], 1, &["no folder", "cannot be written"]);
    let arguments = ["convert", &sgf, "-", "--to", "sgf", "--json"];
    ProgramRun::of(&mut tengen(arguments)).refused(2, &["--json", "TO"]);
}

#[test]
fn damage_is_told_with_its_place() {
    let desk = ConvertFolder::new();
    let refused = |name: &str, text: &str, words: &[&str]| {
        let path = desk.write(name, text);
        let path_and_words: Vec<&str> =
            std::iter::once(path.as_str()).chain(words.iter().copied()).collect();
        desk.refused(&path, "out.jsonl", &["--rule", "freestyle"], 1, &path_and_words);
    };
    refused("a.sgf", "hello", &["no game"]);
    refused("b.sgf", "(;GM[4];B[hh];W[hh])", &["line 1, column 14: move 2: h8 is occupied"]);
    refused("c.sgf", "(;GM[4]\n;B[h!])", &["line 2, column 2, B: `h!` is no move"]);
    refused("d.sgf", "(;GM[1];B[hh])", &["GM", "Go", "GM[4]"]);
    refused("e.sgf", "(;GM[4]SZ[99])", &["SZ", "5 to 32"]);
    refused("f.sgf", "(;GM[4];B[hh]", &["not closed"]);
    refused("g.psq", "Piskvorky 15x15, 0:0, 0\n99,1,0\n", &["line 2", "99,1,0"]);
    refused("h.pos", "h8\n\nh8h8\n", &["line 3: move 2: h8 is occupied"]);
    refused("i.jsonl", "{}\n", &["line 1", "format"]);
    refused("j.jsonl", "", &["no game"]);
    refused("k.json", "[", &["JSON"]);
    desk.refused(&worked("gomocup.psq"), "out.json", &["--game", "2"], 1, &["no game 2", "1"]);
}

#[test]
fn bad_games_are_left_out_when_asked() {
    let desk = ConvertFolder::new();
    let good = "(;GM[4]RU[renju];B[hh])";
    let from =
        desk.write("mixed.sgf", &format!("{good}(;GM[4];W[hh]){good}(;GM[4]RU[renju]SZ[4]){good}"));
    desk.refused(&from, "out.jsonl", &[], 1, &["line 1, column 31: move 1: it is by white"]);
    desk.refused(&from, "out.json", &["--skip-bad"], 1, &["several games", "--game"]);
    let report = json(["convert", &from, &desk.name("out.jsonl"), "--skip-bad", "--json"]);
    assert_eq!((&report["games"], &report["bad_games"]), (&Value::from(3), &Value::from(2)));
    assert_eq!(report["bad"][1]["game"], 4);
    assert_eq!(records(&desk.read("out.jsonl")).len(), 3);
}
