//! `tengen rules`: JSON lines in, JSON lines out.

mod common;

use std::fs;
use std::io::Write;
use std::process::Stdio;

use common::{Run, repository, tengen};
use serde_json::{Value, json};

/// Feeds lines to `tengen rules COMMAND` and gives the exit code and the answers.
fn answers(command: &str, lines: &[Value]) -> (Option<i32>, Vec<Value>) {
    let mut child = tengen(["rules", command])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let run = Run::from(child.wait_with_output().unwrap());
    writer.join().unwrap().unwrap();
    let answers = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    (run.code, answers.collect())
}

#[test]
fn forbidden_points_are_those_of_the_corpus() {
    let corpus = fs::read_to_string(repository("tests/data/forbidden_named.jsonl")).unwrap();
    let cases: Vec<Value> =
        corpus.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(cases.len() >= 50);
    let lines: Vec<Value> = cases
        .iter()
        .map(|case| json!({ "black": case["black"], "white": case["white"] }))
        .collect();
    let (code, answers) = answers("forbidden", &lines);
    assert_eq!(code, Some(0));
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(&answers) {
        let name = &case["name"];
        let mut expected: Vec<_> = case["forbidden"].as_array().unwrap().clone();
        expected.sort_by_key(|point| {
            let point = point.as_str().unwrap();
            (point.as_bytes()[0], point[1..].parse::<u8>().unwrap())
        });
        assert_eq!(answer["forbidden"], Value::Array(expected), "{name}");
        if !case["kind"].is_null() {
            let kind = case["kind"].as_str().unwrap().replace('-', "_");
            assert_eq!(answer["kinds"][case["point"].as_str().unwrap()], kind.as_str(), "{name}");
        }
    }
}

#[test]
fn a_game_under_swap2_is_adjudicated() {
    let game = json!({
        "rule": "freestyle", "opening": "swap2", "size": 15,
        "actions": [
            { "seat": "first", "place": ["h8", "h9", "i10"] },
            { "seat": "second", "choose": "black" },
            { "seat": "first", "move": "g7" },
        ],
    });
    let (code, answers) = answers("replay", &[game]);
    assert_eq!(code, Some(0));
    assert_eq!(
        answers,
        [json!({
            "ok": true,
            "stones": ["h8", "h9", "i10", "g7"],
            "colors": { "first": "white", "second": "black" },
            "next": { "seat": "second", "ask": "move", "color": "black" },
            "result": null,
        })]
    );
}

#[test]
fn bad_lines_are_answered_and_the_stream_goes_on() {
    let good = json!({ "black": ["h8"], "white": ["h9"] });
    let lines = [
        json!({ "black": ["h8", "h8"], "white": [] }),
        json!({ "black": ["p16"], "white": [] }),
        json!({ "black": "h8" }),
        good,
    ];
    let (code, answers) = answers("forbidden", &lines);
    assert_eq!(code, Some(1));
    assert_eq!(answers.len(), 4);
    for (index, answer) in answers[..3].iter().enumerate() {
        assert_eq!(answer["ok"], false);
        assert_eq!(answer["line"], index + 1);
        assert!(answer["error"].is_string());
    }
    assert_eq!(answers[3]["forbidden"], json!([]));
}
