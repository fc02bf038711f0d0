//! A referee at an event: pairings, rounds begun by hand, rulings, from another terminal.

mod common;

use std::fs::{self, File};
use std::path::Path;

use common::running::RunningProgram;
use common::{ProgramRun, report, tengen};
use serde_json::{Value, json};
use tempfile::TempDir;

/// Runs `tengen tournament` with these words, the event and these arguments.
fn tournament(words: &[&str], event: &Path, more: &[&str]) -> ProgramRun {
    let mut command = tengen(["tournament"]);
    ProgramRun::of(command.args(words).arg(event).args(more).env("USER", "somebody"))
}

fn pairings(event: &Path, more: &[&str]) -> Value {
    let shown = tournament(&["pairings"], event, &[&["--json"], more].concat()).done();
    serde_json::from_str(&shown).unwrap()
}

#[test]
fn a_contest_is_refereed_from_another_terminal() {
    let folder = TempDir::new().unwrap();
    let cup = &folder.path().join("cup");
    let mut run = tengen(["tournament", "run", "--engines"]);
    run.args(["greedy", "minimal-c", "builtin:alphabeta", "alphabeta", "--format", "swiss"]);
    run.args(["--rounds", "2", "--rounds-by-hand", "--games", "2", "--size", "9", "--seed", "4"]);
    run.args(["--opening", "none", "--tc", "nodes=300", "--out"]).arg(cup);
    let mut running = RunningProgram::start(&mut run);
    running.told("tengen: the round is over");

    let first = pairings(cup, &["--round", "1"]);
    let next = pairings(cup, &[]);
    assert_eq!((&next["round"], &next["is_awaited"]), (&json!(2), &json!(true)));
    assert_eq!(first["tables"][0]["games"], json!([1, 2]));
    let shown = tournament(&["pairings"], cup, &[]);
    assert_eq!(shown.code, Some(0));
    assert!(shown.stdout.starts_with("cup: round 2 of 2, not begun yet\n"), "{}", shown.stdout);
    assert!(shown.stderr.contains("`tengen tournament referee begin "), "{}", shown.stderr);
    let csv = tournament(&["pairings"], cup, &["--csv", "--round", "1"]).done();
    assert!(csv.starts_with("round,table,first,second,games,first points,second points\n1,1,"));

    let note = ["--by", "Jan", "--reason", "the cable was out"];
    let named = |table: &Value, key: &str| table[key].as_str().unwrap().to_owned();
    let (winner, loser) =
        (named(&first["tables"][0], "second"), named(&first["tables"][0], "first"));
    let said = tournament(&["referee", "result"], cup, &[&["1", &winner], &note[..]].concat());
    assert_eq!(said.code, Some(0), "{}", said.stderr);
    let said = said.stderr;
    assert!(
        said.contains(&format!("change 1: game 1, {loser} – {winner}: {winner} wins")),
        "{said}"
    );
    tournament(&["referee", "result"], cup, &[&["2", "draw"], &note[..]].concat()).done();
    tournament(&["referee", "warn"], cup, &[&[&*loser], &note[..]].concat()).done();
    tournament(&["referee", "void"], cup, &[&["3"], &note[..]].concat()).done();
    tournament(&["referee", "undo"], cup, &[&["4"], &note[..]].concat()).done();
    tournament(&["referee", "begin"], cup, &["--by", "Jan"]).done();
    assert_eq!(running.end().0, Some(0));

    let after = report(cup).unwrap();
    assert_eq!((&after["games"], &after["terminations"]["ruling"]), (&json!(8), &json!(2)));
    assert_eq!(after["changes"][4], {
        let text = after["changes"][4]["text"].as_str().unwrap();
        assert!(text.starts_with("change 4 was undone (game 3, "), "{text}");
        let date = &after["changes"][4]["date"];
        json!({"number": 5, "date": date, "kind": {"undone": 4}, "text": text, "by": "Jan"})
    });
    let told = tournament(&["report"], cup, &[]).done();
    assert!(told.contains(", Jan: the next round was begun\n"), "{told}");
    let page = folder.path().join("cup.html");
    ProgramRun::of(tengen(["tournament", "report"]).arg(cup).arg("--html").arg(&page)).done();
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains(r#""by":"Jan","text":"the next round was begun""#), "the page has it");
    // What was played stays on record, and is judged as ever.
    let records = cup.join("games.jsonl");
    let ruled = fs::read_to_string(&records).unwrap();
    assert_eq!(ruled.matches(r#""ruling":{"change":"#).count(), 2);
    let judged = ProgramRun::of(tengen(["rules", "replay"]).stdin(File::open(&records).unwrap()));
    let judged = judged.done();
    assert_eq!(judged.matches(r#""ok":true"#).count(), 8, "{judged}");
    let [sheets, back] = ["games.sgf", "back.jsonl"].map(|name| folder.path().join(name));
    ProgramRun::of(tengen(["convert"]).arg(&records).arg(&sheets)).done();
    ProgramRun::of(tengen(["convert"]).arg(&sheets).arg(&back)).done();
    assert_eq!(fs::read_to_string(&back).unwrap().lines().count(), 8);
}

#[test]
fn what_a_referee_cannot_do_is_said() {
    let folder = TempDir::new().unwrap();
    let cup = &folder.path().join("cup");
    let mut run = tengen(["match", "greedy", "builtin:alphabeta", "--games", "4", "--size", "9"]);
    ProgramRun::of(run.args(["--opening", "none", "--tc", "nodes=300", "--out"]).arg(cup)).done();
    for (words, more, told) in [
        (&["referee", "result"][..], &["1", "minimal-c", "--reason", "x"][..], "give "),
        (&["referee", "result"], &["9", "draw", "--reason", "x"], "has games 1 to 4"),
        (&["referee", "void"], &["1"], "--reason <TEXT>"),
        (&["referee", "warn"], &["nobody", "--reason", "x"], "not in this event"),
        (&["referee", "begin"], &[], "its rounds begin by themselves"),
        (&["referee", "pause"], &["1", "--reason", "x"], "game 1: it is finished"),
        (&["pairings"], &["--round", "7"], "round 7: rounds 1 to"),
    ] {
        tournament(words, cup, more).refused(2, &[told]);
    }
    assert_eq!(report(cup).unwrap().get("changes"), None);
}
