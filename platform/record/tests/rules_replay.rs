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

/// Moves of both seats in turn, from the first.
fn moves(points: &str) -> Vec<Value> {
    let seats = ["first", "second"].iter().cycle();
    points.split(' ').zip(seats).map(|(point, seat)| act(seat, json!({"move": point}))).collect()
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
fn the_contest_opening_step_by_step() {
    let actions = [
        (first(json!({"place": ["h8", "h9", "i9"]})), "first", "declare", "black"),
        (first(json!({"declare": 2})), "second", "swap", "white"),
        (second(json!({"swap": true})), "first", "move", "white"),
        (first(json!({"move": "g7"})), "second", "offer", "black"),
        (second(json!({"offer": ["j10", "a1"]})), "first", "pick", "white"),
        (first(json!({"pick": "a1"})), "first", "move", "white"),
        (first(json!({"move": "o15"})), "second", "move", "black"),
    ];
    let mut done = Vec::new();
    for (action, seat, ask, color) in actions {
        done.push(action);
        let answer = replayed(game("renju", "contest"), done.clone().into());
        assert_eq!(answer["ok"], true, "{answer}");
        assert_eq!(answer["next"], json!({"seat": seat, "ask": ask, "color": color}));
    }
    let answer = replayed(game("renju", "contest"), done.into());
    assert_eq!(answer["stones"], json!(["h8", "h9", "i9", "g7", "a1", "o15"]));
    assert_eq!(answer["colors"], json!({"first": "white", "second": "black"}));
}

#[test]
fn the_three_ways_of_swap2() {
    let laid = first(json!({"place": ["h8", "a1", "j9"]}));
    let next = |actions: Value| replayed(game("standard", "swap2"), actions)["next"].clone();
    let expect = |seat, ask, color| json!({"seat": seat, "ask": ask, "color": color});
    assert_eq!(next(json!([laid])), expect("second", "choose_or_place", "white"));
    let stays = second(json!({"choose": "white"}));
    assert_eq!(next(json!([laid, stays])), expect("second", "move", "white"));
    let takes = second(json!({"choose": "black"}));
    assert_eq!(next(json!([laid, takes])), expect("first", "move", "white"));
    let lays = second(json!({"place": ["a2", "a3"]}));
    assert_eq!(next(json!([laid, lays])), expect("first", "choose", "black"));
    let chooses = first(json!({"choose": "white"}));
    assert_eq!(next(json!([laid, lays, chooses])), expect("first", "move", "white"));
}

#[test]
fn an_illegal_action_forfeits_and_is_named() {
    let actions = moves("h8 h8 a1");
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
fn a_seat_that_was_not_asked_may_only_resign() {
    let answer = replayed(game("freestyle", "none"), json!([second(json!({"move": "h8"}))]));
    assert_eq!(answer["at"], 0);
    assert_eq!(answer["result"], json!({"winner": "first", "termination": "illegal_answer"}));
    let answer = replayed(game("freestyle", "none"), json!([second(json!({"resign": true}))]));
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["result"], json!({"winner": "first", "termination": "resignation"}));
}

#[test]
fn an_action_after_the_end_keeps_the_games_own_result() {
    let actions = moves("a1 a15 b1 b15 c1 c15 d1 d15 e1 e15");
    let answer = replayed(game("freestyle", "none"), actions.into());
    assert_eq!((&answer["ok"], &answer["at"]), (&json!(false), &json!(9)));
    assert_eq!(answer["result"], json!({"winner": "first", "termination": "five"}));
    assert_eq!(answer["stones"].as_array().unwrap().len(), 9);
}

#[test]
fn a_forbidden_stone_stays_and_loses() {
    let actions = moves("g8 a1 i8 c1 h7 e1 h9 g1 h8");
    let answer = replayed(game("renju", "none"), actions.into());
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["stones"][8], "h8");
    assert_eq!(answer["result"], json!({"winner": "second", "termination": "double_three"}));
}

#[test]
fn claims_and_passes_follow_the_policies_of_the_line() {
    let mut settings = game("renju", "none");
    settings["policies"] = json!({"foul": "claim", "passing": true});
    let mut actions = moves("g8 a1 i8 c1 h7 e1 h9 g1 h8");
    let open = replayed(settings.clone(), actions.clone().into());
    assert_eq!(open["next"], json!({"seat": "second", "ask": "move", "color": "white"}));
    let mut passed = actions.clone();
    passed.extend([second(json!({"pass": true})), first(json!({"pass": true}))]);
    let answer = replayed(settings.clone(), passed.into());
    assert_eq!(answer["result"], json!({"winner": null, "termination": "passes"}));
    actions.push(second(json!({"claim": true})));
    let answer = replayed(settings, actions.into());
    assert_eq!(answer["result"], json!({"winner": "second", "termination": "double_three"}));
}

#[test]
fn a_wrong_claim_is_refused_and_play_goes_on() {
    let actions = json!([
        first(json!({"move": "h8"})),
        second(json!({"claim": true})),
        second(json!({"move": "h9"})),
    ]);
    let answer = replayed(game("renju", "none"), actions);
    assert_eq!(answer["ok"], true);
    assert_eq!(answer["refused"][0]["at"], 1);
    assert_eq!(answer["stones"], json!(["h8", "h9"]));
}

#[test]
fn draws_are_agreed_where_no_policy_says_otherwise() {
    let actions = json!([
        first(json!({"offer_draw": true})),
        first(json!({"move": "h8"})),
        second(json!({"accept_draw": true})),
    ]);
    let answer = replayed(game("freestyle", "none"), actions);
    assert_eq!(answer["result"], json!({"winner": null, "termination": "agreement"}));
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

#[test]
fn nothing_of_one_line_is_left_for_the_next() {
    let cases = include_str!("../../../tests/data/replay_cases.jsonl");
    let cases: Vec<Value> = cases.lines().map(|case| serde_json::from_str(case).unwrap()).collect();
    let mut replayer = Replayer::new();
    for case in cases.iter().chain(cases.iter().rev()) {
        let answer = replayer.answer(&case["line"].to_string()).unwrap();
        assert_eq!(serde_json::to_value(answer).unwrap(), case["answer"], "{}", case["name"]);
        assert!(replayer.answer(r#"{"rule":"renju","actions":[{"seat":"first"}]}"#).is_err());
    }
}
