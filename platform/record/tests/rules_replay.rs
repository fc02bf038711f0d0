//! `tengen rules replay`: lines in, lines out, as the design fixes them.

mod common;

use serde_json::{Value, json};
use tengen_record::{Replayer, replay_line};

/// The answer to a game of these settings and actions.
fn replayed(settings: Value, actions: Value) -> Value {
    let mut line = settings;
    line["actions"] = actions;
    let answer = replay_line(&line.to_string()).unwrap_or_else(|error| panic!("{error}: {line}"));
    serde_json::to_value(answer).unwrap()
}

fn game(rule: &str, opening: &str) -> Value {
    json!({"rule": rule, "opening": opening, "size": 15})
}

fn first(action: Value) -> Value {
    act("first", action)
}

fn second(action: Value) -> Value {
    act("second", action)
}

fn act(seat: &str, mut action: Value) -> Value {
    action["seat"] = seat.into();
    action
}

#[test]
fn keys_come_in_the_order_of_the_design() {
    let line = r#"{"rule":"renju","opening":"contest","size":15,"actions":[]}"#;
    assert_eq!(
        serde_json::to_string(&replay_line(line).unwrap()).unwrap(),
        r#"{"ok":true,"stones":[],"colors":{"first":"black","second":"white"},"next":{"seat":"first","ask":"place","color":"black"},"result":null}"#
    );
}

#[test]
fn each_question_is_told_with_its_seat_and_colour() {
    let actions = [
        (first(json!({"place": ["h8", "h9", "i9"]})), "first", "declare", "black"),
        (first(json!({"declare": 2})), "second", "swap", "white"),
        (second(json!({"swap": true})), "first", "move", "white"),
        (first(json!({"move": "g7"})), "second", "offer", "black"),
        (second(json!({"offer": ["j10", "a1"]})), "first", "pick", "white"),
    ];
    let next = |seat, ask, color| json!({"seat": seat, "ask": ask, "color": color});
    let mut done = Vec::new();
    for (action, seat, ask, color) in actions {
        done.push(action);
        let answer = replayed(game("renju", "contest"), done.clone().into());
        assert_eq!(answer["next"], next(seat, ask, color), "{answer}");
    }
    let laid = replayed(game("standard", "swap2"), json!(done[..1]));
    assert_eq!(laid["next"], next("second", "choose_or_place", "white"));
}

#[test]
fn an_illegal_action_forfeits_and_is_named() {
    let actions = [("first", "h8"), ("second", "h8"), ("first", "a1")];
    let actions: Vec<_> = actions.map(|(seat, point)| act(seat, json!({"move": point}))).into();
    let answer = replayed(game("freestyle", "none"), actions.into());
    assert_eq!(
        answer,
        json!({
            "ok": false, "at": 1, "error": "h8 is occupied", "stones": ["h8"],
            "colors": {"first": "black", "second": "white"}, "next": null,
            "result": {"winner": "first", "termination": "illegal_answer"}
        })
    );
}

#[test]
fn settings_may_be_objects() {
    let settings = json!({
        "name": "a book game", "rule": "caro", "size": "20x15",
        "opening": {"procedure": "book", "book": ["t15", "a1", "k8"]}
    });
    let answer = replayed(settings, json!([second(json!({"move": "b2"}))]));
    assert_eq!(answer["stones"], json!(["t15", "a1", "k8", "b2"]));
}

#[test]
fn a_whole_record_is_replayed_with_its_times() {
    let record = (0..).map(common::record).find(|record| record.actions.len() > 5).unwrap();
    let line = record.to_json_line();
    let answer = serde_json::to_value(replay_line(&line).unwrap()).unwrap();
    assert_eq!(answer["ok"], true, "{answer}");
    assert_eq!(answer["result"]["termination"], record.result.termination.name());
    let mut changed = record.clone();
    changed.actions[2].spent += 1_000_000;
    changed.actions[2].clock = Some(1);
    let answer = replay_line(&changed.to_json_line()).unwrap();
    let answer = serde_json::to_value(answer).unwrap();
    assert_eq!((&answer["ok"], &answer["at"]), (&json!(false), &json!(2)), "{answer}");
}

#[test]
fn bad_lines_name_the_field_and_what_to_do() {
    for (line, expected) in [
        ("", "column 1: not a JSON object: expected {"),
        (r#"{"rule":"renju"}"#, "column 16, actions: missing field `actions`"),
        (
            r#"{"rule":"gomoku","actions":[]}"#,
            "column 16, rule: `gomoku` is not a rule: expected freestyle, standard, renju, caro",
        ),
        (
            r#"{"rule":"renju","actions":[{"seat":"first","move":"h8","pick":"h8"}]}"#,
            "column 68, actions[0]: an action that says several things: expected only one of \
             place, declare, swap, choose, offer, pick, move, pass, resign, claim, offer_draw or \
             accept_draw",
        ),
        (
            r#"{"rule":"renju","actions":[{"seat":"first","resign":false}]}"#,
            "column 58, actions[0].resign: expected true, or the key left out",
        ),
        (
            r#"{"rule":"renju","actions":[],"polices":{}}"#,
            "column 38, polices: unknown field `polices`, expected one of `rule`, `opening`, \
             `size`, `policies`, `actions`, `name`, `comment`",
        ),
        (
            r#"{"rule":"renju","opening":"contest","size":19,"actions":[]}"#,
            "opening: the opening contest needs a board of 15, not 19",
        ),
        (r#"{"format":2,"anything":0}"#, "format: format 2 is not known: expected 1"),
    ] {
        assert_eq!(replay_line(line).unwrap_err().to_string(), expected, "{line}");
    }
}

/// The worked games that the program's own documentation offers to other arbiters.
#[test]
fn nothing_of_one_line_is_left_for_the_next() {
    let cases = include_str!("../../../tests/data/replay_cases.jsonl");
    let cases: Vec<Value> = cases.lines().map(|case| serde_json::from_str(case).unwrap()).collect();
    assert!(cases.len() > 80, "{} cases", cases.len());
    for procedure in tengen_rules::Procedure::ALL {
        let has = |case: &Value| {
            let opening = &case["line"]["opening"];
            opening == procedure.name() || opening["procedure"] == procedure.name()
        };
        assert!(cases.iter().any(has), "no worked game of {procedure}");
    }
    let mut replayer = Replayer::new();
    for case in cases.iter().chain(cases.iter().rev()) {
        let answer = replayer.answer(&case["line"].to_string()).unwrap();
        assert_eq!(serde_json::to_value(answer).unwrap(), case["answer"], "{}", case["name"]);
        assert!(replayer.answer(r#"{"rule":"renju","actions":[{"seat":"first"}]}"#).is_err());
    }
}
