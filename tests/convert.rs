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

    let suite = desk.convert(&worked("suite.txt"), "suite.pos", &[]);
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
    let notes = desk.write("notes.txt", "buy milk");
    desk.refused(&notes, "suite.pos", &[], 2, &["notes.txt", "--from"]);
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
    refused("e.sgf", "(;GM[4]SZ[99])", &["SZ", "5 to 32"]);
    refused("f.sgf", "(;GM[4];B[hh]]", &["line 1, column 14: this ] ends no value"]);
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

/// An organiser hands in games to a Chinese contest, and reads those that came.
#[test]
fn records_of_the_contests_go_both_ways() {
    let desk = ConvertFolder::new();
    let games = played(&desk, 3);
    let original = records(&fs::read_to_string(&games).unwrap());
    let folder = desk.name("hand-in/");
    let told = done(["convert", &games, &folder, "--to", "ccgc"]);
    assert!(told.contains("3 games"), "{told}");
    let names: Vec<String> = fs::read_dir(desk.path("hand-in"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(names.len(), 3);
    for name in &names {
        assert!(name.starts_with("C5-builtin_alphabeta") && name.ends_with(".txt"), "{name}");
        assert!(name.contains("手胜") || name.contains("平局"), "{name}");
        let bytes = fs::read(desk.path("hand-in").join(name)).unwrap();
        assert!(bytes.starts_with(b"{[C5][") && str::from_utf8(&bytes).is_err(), "GB2312");
    }
    done(["convert", &folder, &desk.name("back.jsonl"), "--rule", "renju"]);
    let back = records(&desk.read("back.jsonl"));
    let line = |record: &GameRecord| {
        let sheet = tengen_record::formats::ScoreSheet::from_record(record).unwrap();
        (sheet.players.black.clone(), sheet.stones().unwrap())
    };
    let sorted = |records: &[GameRecord]| {
        let mut lines: Vec<_> = records.iter().map(line).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&back), sorted(&original));
    desk.refused(&games, "one.txt", &[], 1, &["several games", "folder", "--game"]);
}

#[test]
fn libraries_keep_variations_and_databases_are_read() {
    let desk = ConvertFolder::new();
    done(["convert", &worked("variations.sgf"), &desk.name("tree.lib")]);
    let sgf = desk.convert(&desk.name("tree.lib"), "tree.sgf", &[]);
    let body = |sgf: &str| sgf.split_once(";B[hh]").unwrap().1.replace('\n', "");
    let original = fs::read_to_string(worked("variations.sgf")).unwrap();
    for what in ["C[天元]", "LB[jf:A][hf:B]", "(;B[gg]"] {
        assert!(sgf.contains(what), "{what} in {sgf}");
    }
    let bare = |text: &str| body(text).replace("TR[ij]", "").replace("N[another plan]", "");
    assert_eq!(bare(&sgf), bare(original.trim_end()));

    let rif = desk.write(
        "games.rif",
        "<?xml version=\"1.0\"?><database><players><player id=\"1\" name=\"A\" surname=\"B\"/>\
         </players><games><game id=\"7\" black=\"1\" bresult=\"0\"><move>h8 i9</move></game>\
         <game id=\"8\"><move>h8 h8</move></game></games></database>",
    );
    let sgf = desk.convert(&rif, "games.sgf", &["--skip-bad"]);
    assert!(sgf.contains("GN[7]PB[A B]RE[W+]") && !sgf.contains("GN[8]"), "{sgf}");
    desk.refused(&rif, "one.rif", &["--to", "rif"], 2, &["rif", "sgf"]);
    let board = desk.write("board.pos", ".....\n.X...\n..O..\n...X.\n.....\n");
    assert!(desk.convert(&board, "board.sgf", &[]).contains("SZ[5]AB[bb][dd]AW[cc]"));
}

#[test]
fn many_files_are_converted_and_a_bad_one_costs_itself_alone() {
    let desk = ConvertFolder::new();
    let good = fs::read_to_string(worked("gomocup.psq")).unwrap();
    fs::create_dir_all(desk.path("all/deep")).unwrap();
    for number in 0..40 {
        desk.write(&format!("all/{number:02}.psq"), &good);
        desk.write(&format!("all/deep/{number:02}.sgf"), "(;GM[4]RU[renju];B[hh];W[ig])");
    }
    desk.write("all/05.psq", "Piskvorky 15x15, 0:0, 0\n8,8,0\n8,8,0\n");
    desk.write("all/06.json", "{");
    desk.write("all/messages.txt", "MESSAGE nothing");
    desk.write("all/readme.md", "no game");
    let all = desk.name("all");
    let run = ProgramRun::of(&mut tengen(["convert", &all, &desk.name("all.sgf")]));
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    for words in [
        "05.psq: line 3: move 2: h8 is occupied",
        "06.json: ",
        "2 files of other kinds passed over",
    ] {
        assert!(run.stderr.contains(words), "no `{words}` in {}", run.stderr);
    }
    assert_eq!(desk.read("all.sgf").matches("(;FF[4]").count(), 79);

    let arguments =
        ["convert", &all, &desk.name("all.psq/"), "--to", "psq", "--skip-bad", "--json"];
    let report = json(arguments);
    assert_eq!((&report["games"], &report["files"]), (&Value::from(79), &Value::from(79)));
    assert_eq!(report["bad_games"], 2);
    assert_eq!(report["passed_over"], 2);
    assert!(report["bad"][0]["file"].as_str().unwrap().ends_with("05.psq"), "{report}");
    assert!(desk.read("all.psq/00.psq").starts_with("Piskvorky 20x20"));
    assert!(desk.read("all.psq/deep/39-1.psq").starts_with("Piskvorky 15x15"));

    let pattern = desk.name("all/**/3?.*");
    let told = done(["convert", &pattern, &desk.name("some.jsonl"), "--rule", "freestyle"]);
    assert!(told.contains("20 games of 20 files"), "{told}");
    ProgramRun::of(&mut tengen(["convert", &all, &desk.name("one.psq")]))
        .refused(2, &["one game", "folder"]);
}

/// The report of a conversion, and what it wrote.
fn reported(desk: &ConvertFolder, from: &str, to: &str, more: &[&str]) -> (Value, String) {
    let target = desk.name(to);
    let arguments = ["convert", from, &target, "--json", "--force"];
    let report = json(arguments.into_iter().chain(more.iter().copied()));
    (report, desk.read(to))
}

#[test]
fn a_malformed_game_costs_itself_alone() {
    let desk = ConvertFolder::new();
    let game = |name: &str| format!("(;GM[4]SZ[15]RU[renju]PB[{name}];B[hh];W[hg];B[ig])\n");
    let text = [game("g1"), game("[team]one"), game("g2"), "---\n\u{1a}".to_owned()].concat();
    let from = desk.write("many.sgf", &text);
    let place = "line 2, column 35: this ] ends no value";
    desk.refused(&from, "out.jsonl", &[], 1, &["many.sgf", place]);
    let (report, written) = reported(&desk, &from, "out.jsonl", &["--skip-bad"]);
    let names = records(&written).into_iter().map(|record| record.header.seats.first.name);
    assert_eq!(names.collect::<Vec<_>>(), ["g1", "g2"]);
    assert_eq!((&report["games"], &report["bad_games"]), (&Value::from(2), &Value::from(1)));
    assert!(report["bad"][0]["error"].as_str().unwrap().starts_with(place), "{report}");
    let behind = report["unread"][0]["error"].as_str().unwrap();
    assert!(behind.starts_with("line 4, column 1: this belongs to no game"), "{report}");
}

#[test]
fn what_was_not_read_is_said_where_nothing_else_is() {
    let desk = ConvertFolder::new();
    let from = desk.write("cut.sgf", "(;GM[4]RU[renju];B[hh];W[hg];B[i");
    let run = ProgramRun::of(&mut tengen(["convert", &from, &desk.name("out.psq")]));
    assert!(run.stderr.contains("cut.sgf: line 1, column 31: the text ends"), "{}", run.stderr);
    run.done();
    assert!(desk.read("out.psq").contains("8,8,0\n8,7,0\n"));
}

#[test]
fn a_file_of_another_game_needs_a_rule() {
    let desk = ConvertFolder::new();
    for number in ["1", "2", "5", "11"] {
        let text = format!("(;FF[4]GM[{number}]SZ[15]PB[a]PW[b]RE[B+T];B[hh];W[hg])");
        let from = desk.write("other.sgf", &text);
        desk.refused(&from, "out.jsonl", &[], 1, &["line 1, column 8, GM", "--rule"]);
        let (report, written) = reported(&desk, &from, "rule.jsonl", &["--rule", "renju"]);
        let record = &records(&written)[0];
        assert_eq!(record.result.termination.name(), "timeout");
        assert_eq!(replay(record), Ok(record.result));
        assert_eq!(report["unread_parts"], 1);
    }
}

#[test]
fn a_charset_is_guessed_and_that_is_said() {
    let desk = ConvertFolder::new();
    // The names are 北京队 and 弈心 in GBK.
    let names = (b"\xb1\xb1\xbe\xa9\xb6\xd3", b"\xde\xc4\xd0\xc4");
    let head = b"Piskvorky 15x15, 11:11, 0\r8,8,0\r9,9,0\r".as_slice();
    let psq = [head, names.0, b"\r", names.1, b"\r-1\r"].concat();
    fs::write(desk.path("gbk.psq"), [psq.as_slice(), &psq].concat()).unwrap();
    let (report, written) =
        reported(&desk, &desk.name("gbk.psq"), "out.sgf", &["--rule", "freestyle"]);
    assert_eq!(report["games"], 2);
    assert!(written.contains("PB[北京队]PW[弈心]"), "{written}");
    let said = report["unread"][0]["error"].as_str().unwrap();
    assert!(said.contains("read as GBK, which is a guess"), "{said}");
}

#[test]
fn a_result_on_the_board_is_written() {
    let desk = ConvertFolder::new();
    let five = "1,1,0\n1,3,0\n2,1,0\n2,3,0\n3,1,0\n3,3,0\n4,1,0\n4,3,0\n5,1,0\n";
    let text = format!("Piskvorky 15x15, 11:11, 0\n{five}12\n345\n-1\n");
    let from = desk.write("five.psq", &text);
    let written = desk.convert(&from, "five.sgf", &[]);
    assert!(written.contains("PB[12]PW[345]RE[B+]"), "{written}");
}
