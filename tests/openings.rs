//! `tengen openings`, and the openings that events play.

mod common;

use std::fs;
use std::path::Path;

use common::{ProgramRun, tengen};
use serde_json::Value;
use tempfile::TempDir;

fn make(file: &Path, more: &[&str]) -> ProgramRun {
    let mut command = tengen(["openings", "make"]);
    command.arg(file).args(["--tc", "nodes=5", "--tc", "nodes=10"]);
    ProgramRun::of(command.args(more))
}

/// The same seed makes the same book, on however many CPUs, and whether or not it was stopped.
#[test]
fn a_book_is_made_again_byte_for_byte() {
    let folder = TempDir::new().unwrap();
    let book = |name: &str| folder.path().join(name);
    let said = make(&book("one.book"), &["--count", "2", "--concurrency", "1"]).done();
    assert!(said.contains("2 openings; Black makes"), "{said}");
    make(&book("two.book"), &["--count", "2", "--concurrency", "3"]).done();
    let bytes = fs::read(book("one.book")).unwrap();
    assert_eq!(bytes, fs::read(book("two.book")).unwrap());
    make(&book("other.book"), &["--count", "1", "--seed", "2"]).done();
    assert_ne!(bytes, fs::read(book("other.book")).unwrap());
    assert!(!book("one.book.part").exists());
    make(&book("one.book"), &[]).refused(2, &["one.book", "exists already"]);

    // What was found before it was stopped is not looked for again.
    let plan = "openings for freestyle on 15: 4 to 7 stones within 4 points of the centre, seed 1, \
                Black ahead by 0 ± 50, builtin:alphabeta, balanced with nodes=5 nodes=10";
    let part = book("late.book.part");
    let found: Value = {
        let mut command = tengen(["openings", "show", "--json"]);
        serde_json::from_str(&ProgramRun::of(command.arg(book("one.book"))).done()).unwrap()
    };
    assert_eq!(found["count"], 2);
    fs::write(&part, format!("{plan}\n256\n300 1 4\n")).unwrap();
    let run = make(&book("late.book"), &["--count", "1"]);
    let goes_on = "continuing after 256 positions, of which 0 are even";
    assert!(run.stderr.contains(goes_on), "{}", run.stderr);
    run.done();
    fs::write(book("strange.book.part"), "another plan\n").unwrap();
    make(&book("strange.book"), &["--count", "1"]).refused(2, &["another book", "another plan"]);

    make(&book("no.book"), &["--stones", "9..4"]).refused(2, &["--stones", "4..7"]);
    make(&book("no.book"), &["--stones", "30", "--reach", "2"]).refused(2, &["--reach"]);
    make(&book("no.book"), &["--engine", "nobody"]).refused(2, &["nobody"]);
}

#[test]
fn a_book_is_shown_as_boards_lines_and_json() {
    let folder = TempDir::new().unwrap();
    let show = |words: &[&str]| ProgramRun::of(tengen(["openings", "show"]).args(words)).done();
    let boards = show(&["balanced", "--rule", "renju", "--count", "2"]);
    assert!(boards.contains("renju on 15") && boards.contains("\n2: "), "{boards}");
    assert_eq!(boards.matches(" 15 ").count(), 2, "{boards}");
    let file = folder.path().join("some.pos");
    let lines = show(&["balanced", "--size", "20", "--start", "5", "--count", "7", "--lines"]);
    fs::write(&file, &lines).unwrap();
    let json = show(&[file.to_str().unwrap(), "--size", "20", "--json"]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["count"], &json["size"]), (&7.into(), &"20".into()), "{lines}");
    assert!(json["positions"][0]["moves"].as_array().unwrap().len() >= 4);
    let mut command = tengen(["openings", "show", "balanced", "--size", "9"]);
    ProgramRun::of(&mut command).refused(2, &["no balanced openings"]);
}

/// Each thing that may be wrong with a book is found where it was put.
#[test]
fn a_check_finds_what_is_wrong() {
    let folder = TempDir::new().unwrap();
    let check = |text: &str, more: &[&str]| {
        let file = folder.path().join("book.pos");
        fs::write(&file, text).unwrap();
        let mut command = tengen(["openings", "check", "--json"]);
        let run = ProgramRun::of(command.arg(&file).args(more));
        (run.code, serde_json::from_str::<Value>(&run.stdout).unwrap())
    };
    // Turned, and reached by another order of moves.
    let fine = "h8 l4 d12 i12 e5 # Black 50 %\n";
    let (code, report) = check(fine, &["--even", "2000"]);
    assert_eq!((code, &report["stated"]), (Some(0), &50.0.into()), "{report}");
    let twice = format!("{fine}l4 d12 h8 l9 e5\n");
    let (code, report) = check(&twice, &["--even", "2000"]);
    assert_eq!((code, &report["repeated"]), (Some(1), &serde_json::json!([[2, 1]])), "{report}");
    let off = "h8 p16\nh8 h8\na1 a15 b1 b15 c1 c15 d1 d15 e1\n";
    let (code, report) = check(off, &["--even", "2000"]);
    assert_eq!((code, report["illegal"].as_array().unwrap().len()), (Some(1), 3), "{report}");
    // An open three of Black's, which is to move; a double three, which it may not make.
    let won = "h8 a1 i8 a15 j8 o1\n";
    let (code, report) = check(won, &["--even", "2000"]);
    assert_eq!((code, &report["uneven"]), (Some(1), &serde_json::json!([1])), "{report}");
    let double = "g8 a1 i8 a15 h7 o1 h9 o15 h8\n";
    assert_eq!(check(double, &["--rule", "renju"]).1["illegal"][0][0], 1);
    assert_eq!(check(double, &["--even", "9999"]).1["illegal"], serde_json::json!([]));
    let (code, report) = check("h8 l4 d12 i12 e5 # Black 90 %\n", &["--even", "2000"]);
    assert_eq!((code, &report["stated"]), (Some(1), &90.0.into()), "{report}");
    let more = ["--even", "2000", "--games", "4", "--tc", "nodes=5", "--tc", "nodes=8"];
    let (_, report) = check(fine, &more);
    assert_eq!(report["played"].as_array().unwrap().len(), 2, "{report}");
    assert_eq!(report["played"][1]["games"], 4, "{report}");
}

/// A test without a word about openings plays as many as it can, each turned by lot.
#[test]
fn a_test_begins_from_many_openings() {
    let folder = TempDir::new().unwrap();
    let play = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut command = tengen(["match", "builtin:alphabeta", "builtin:alphabeta"]);
        command.args(["--tc", "nodes=5", "--games", "8", "--quiet", "--out"]).arg(&out);
        ProgramRun::of(command.args(more)).done();
        common::records(&out).into_iter().map(|game| game.header.opening.book).collect::<Vec<_>>()
    };
    let sprt = ["--sprt", "elo0=0,elo1=100"];
    let (plain, test) = (play("plain", &[]), play("test", &sprt));
    assert_ne!(plain, test, "in a test they are turned by lot");
    assert_eq!(play("still", &["--sprt", sprt[1], "--openings-symmetries", "none"]), plain);
    let late = play("late", &["--openings-start", "3", "--openings-count", "2"]);
    assert_eq!(late[..4], plain[4..], "from the third on");
    assert_eq!(late[4..], plain[4..], "and again");
}
