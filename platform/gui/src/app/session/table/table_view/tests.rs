use serde_json::{Value, json};
use tengen_arbiter::Termination;
use tengen_rules::{Answer, Ask, Color};

use super::*;
use crate::app::model::{ClockReading, ConnectionState, TableRequest};
use crate::app::session::TableCommand;

const MS: Nanos = 1_000_000;
const SECOND: Nanos = 1000 * MS;

/// A table that has not been seen.
fn unseen() -> TableView {
    let server = "http://127.0.0.1:8080/#table=r&key=k".parse::<TableAddress>().unwrap();
    TableView::new(server, TableSettings::default())
}

fn state(phase: &str, requests: Value) -> Value {
    let sitter = |name: &str| json!({ "name": name, "kind": "person", "here": true, "lag": 4 });
    json!({
        "phase": phase, "seats": { "first": sitter("Ann"), "second": sitter("Ben") },
        "requests": requests, "score": { "first": 0.0, "second": 0.0 }, "games": 1, "viewers": 2,
    })
}

/// The table of a game under an opening with these steps, at which a seat is asked.
fn table(opening: &str, steps: Value, asked: Option<Seat>) -> Value {
    json!({
        "type": "table", "table": "r", "settings": { "opening": opening, "time": "60+1" },
        "you": { "seat": "first", "key": "mine", "host": true, "host_key": "host" },
        "keys": { "invite": "in", "watch": "look" },
        "state": state("playing", json!([])),
        "live": {
            "game": {
                "number": 1, "round": 0, "seats": { "first": 0, "second": 1 }, "black": "first",
                "clocks": { "first": 60_000, "second": 60_000 }, "first": {}, "steps": steps,
                "result": null,
            },
            "asked": asked, "since": 7_000, "left": { "first": 50_000, "second": 60_000 },
        },
        "question": 5, "waiting": asked, "now": 10_000, "chat": [],
    })
}

fn take(view: &mut TableView, message: &Value, now: Nanos) -> Result<ViewOutcome, String> {
    view.take(ServerMessage::read(&message.to_string()).unwrap().message, now)
}

fn step(place: usize, step: Value, asked: Seat, question: u64) -> Value {
    json!({
        "type": "step", "table": "r", "number": 1, "place": place, "step": step, "asked": asked,
        "since": 12_000, "left": { "first": 48_000, "second": 60_000 }, "question": question,
        "waiting": asked, "now": 12_500,
    })
}

#[test]
fn a_table_is_the_game_that_the_window_shows() {
    let mut view = unseen();
    assert_eq!(
        take(&mut view, &table("none", json!([]), Some(Seat::First)), 100 * SECOND),
        Ok(ViewOutcome::Shown)
    );
    let asked = view.snapshot.asks_person().unwrap();
    assert_eq!((asked.number, asked.seat), (5, Seat::First));
    assert_eq!(asked.since, Some(97 * SECOND), "three seconds ago by the server's clock");
    let reading = ClockReading::read(&view.snapshot, Seat::First, 100 * SECOND);
    assert_eq!(reading.left, Some(47 * SECOND));
    assert_eq!(view.keys.seat.as_deref(), Some("mine"));
    let links = view.info.links.clone();
    assert_eq!(links.play.as_deref(), Some("http://127.0.0.1:8080/#table=r&key=in"));
    assert_eq!(links.watch.as_deref(), Some("http://127.0.0.1:8080/#table=r&key=look"));
    assert_eq!(view.snapshot.seats.second.name, "Ben");
    assert!(view.snapshot.seats.first.is_person && !view.snapshot.seats.second.is_person);
    let h8 = json!({ "seat": "first", "move": "h8", "ns": 2 * SECOND, "clock": 48 * SECOND });
    let moved = step(0, h8, Seat::Second, 6);
    assert_eq!(take(&mut view, &moved, 102 * SECOND), Ok(ViewOutcome::Shown));
    assert_eq!(view.snapshot.rows.len(), 1);
    assert_eq!(view.snapshot.rows[0].spent, Some(2 * SECOND));
    assert_eq!(view.snapshot.seats.first.clock.unwrap().left, 48 * SECOND);
    assert!(view.snapshot.asks_person().is_none());
}

#[test]
fn a_step_that_was_missed_is_noticed() {
    let mut view = unseen();
    take(&mut view, &table("none", json!([]), Some(Seat::First)), SECOND).unwrap();
    let wrong = json!({ "seat": "second", "move": "i8", "ns": 20 * MS });
    let late = step(1, wrong.clone(), Seat::First, 7);
    assert_eq!(take(&mut view, &late, SECOND), Ok(ViewOutcome::Missed));
    let missed = Ok(ViewOutcome::Missed);
    let seen = take(&mut view, &step(0, wrong.clone(), Seat::First, 7), SECOND);
    assert_eq!(seen, missed, "it was not the second seat's turn: the table is asked for anew");
    let h8 = json!({ "seat": "first", "move": "h8", "ns": 20 * MS });
    let next = step(1, h8, Seat::Second, 8);
    assert_eq!(take(&mut view, &next, SECOND), missed, "there is no game to go on with");
    let whole = table("none", json!([wrong]), Some(Seat::First));
    assert!(take(&mut view, &whole, SECOND).is_err(), "that game cannot have been");
}

#[test]
fn an_opening_is_asked_as_in_a_game_of_this_window() {
    let mut view = unseen();
    take(&mut view, &table("swap2", json!([]), Some(Seat::First)), SECOND).unwrap();
    let asked = view.snapshot.asks_person().unwrap();
    assert!(matches!(asked.ask, Ask::Place { count: 3, .. }));
    let own = json!({ "seat": "first", "place": ["h8", "a1", "i9"], "ns": 5 * MS });
    take(&mut view, &step(0, own, Seat::Second, 6), SECOND).unwrap();
    assert!(view.snapshot.asks_person().is_none());
    let chosen = json!({ "seat": "second", "choose": "black", "ns": 5 * MS, "black": "second" });
    take(&mut view, &step(1, chosen, Seat::First, 7), SECOND).unwrap();
    assert_eq!(view.snapshot.seats.first.color, Color::White);
    assert_eq!(view.snapshot.decision, Some((Seat::Second, Answer::Choose(Color::Black))));
    assert_eq!(view.snapshot.asks_person().unwrap().number, 7);
}

#[test]
fn what_is_asked_for_and_the_end_are_shown() {
    let mut view = unseen();
    take(&mut view, &table("none", json!([]), Some(Seat::First)), SECOND).unwrap();
    let requests = json!([{ "seat": "second", "what": "draw" }]);
    let asked = json!({ "type": "state", "table": "r", "state": state("playing", requests) });
    take(&mut view, &asked, SECOND).unwrap();
    assert!(view.info.asks(Seat::Second, TableRequest::Draw));
    assert_eq!(view.snapshot.draw_offer, Some(Seat::Second));
    let over = json!({
        "type": "over", "table": "r", "number": 1, "row": [],
        "left": { "first": 40_000, "second": null },
        "result": { "winner": "second", "termination": "timeout", "detail": "late" },
    });
    take(&mut view, &over, SECOND).unwrap();
    let result = view.snapshot.result.unwrap();
    assert_eq!((result.winner, result.termination), (Some(Seat::Second), Termination::Timeout));
    assert_eq!(view.snapshot.phase, Phase::Finished);
    assert_eq!(view.snapshot.seats.first.clock.unwrap().left, 40 * SECOND);
    assert!(view.snapshot.asked.is_none());
}

#[test]
fn what_was_declined_is_shown_until_the_next_step() {
    let mut view = unseen();
    take(&mut view, &table("none", json!([]), Some(Seat::First)), SECOND).unwrap();
    let mut declined =
        json!({ "type": "state", "table": "r", "state": state("playing", json!([])) });
    declined["state"]["declined"] = json!([{ "seat": "first", "what": "undo" }]);
    take(&mut view, &declined, SECOND).unwrap();
    assert_eq!(view.info.declined, [(Seat::First, TableRequest::Undo)]);
    let h8 = json!({ "seat": "first", "move": "h8", "ns": 5 * MS });
    take(&mut view, &step(0, h8, Seat::Second, 6), SECOND).unwrap();
    assert!(view.info.declined.is_empty());
    let kept = view.snapshot.happenings.lines().last().unwrap();
    let undo = HappeningKind::Declined(TableRequest::Undo);
    assert_eq!((&kept.what, &*kept.name), (&undo, "Ben"), "the pane keeps it");
}

#[test]
fn a_player_who_may_not_take_back_any_more_is_not_offered_it() {
    let mut view = unseen();
    let h8 = json!({ "seat": "first", "move": "h8", "ns": 5 * MS });
    take(&mut view, &table("none", json!([h8]), Some(Seat::Second)), SECOND).unwrap();
    view.info.connection = ConnectionState::Connected;
    let undo = TableCommand::Request(TableRequest::Undo);
    assert!(undo.fits(&view.info, &view.snapshot));
    let mut state = json!({ "type": "state", "table": "r", "state": state("playing", json!([])) });
    state["state"]["undo_left"] = json!({ "first": 0, "second": 1 });
    take(&mut view, &state, SECOND).unwrap();
    assert!(!undo.fits(&view.info, &view.snapshot));
}

#[test]
fn a_paused_game_stands_and_a_table_that_is_gone_is_left_as_it_was() {
    let mut view = unseen();
    let mut paused = table("none", json!([]), None);
    paused["waiting"] = json!("first");
    paused["state"] = state("paused", json!([]));
    take(&mut view, &paused, SECOND).unwrap();
    assert_eq!(view.snapshot.phase, Phase::Paused);
    assert!(view.snapshot.asks_person().is_none(), "no clock runs");
    let closed = json!({ "type": "closed", "table": "r", "reason": "the host went home" });
    assert_eq!(take(&mut view, &closed, SECOND), Ok(ViewOutcome::Closed));
    assert_eq!(view.snapshot.phase, Phase::Stopped);
    let reason = ConnectionState::Closed("the host went home".to_owned());
    assert_eq!(view.info.connection, reason);
}

#[test]
fn refusals_are_kept_and_those_that_no_other_try_can_change_end_it() {
    let error = |code: &str| json!({ "type": "error", "code": code, "message": "because" });
    let mut view = unseen();
    assert_eq!(take(&mut view, &error("version"), 0), Ok(ViewOutcome::Closed));
    let mut view = unseen();
    assert_eq!(take(&mut view, &error("table"), 0), Ok(ViewOutcome::Closed));
    let mut view = unseen();
    take(&mut view, &table("none", json!([]), Some(Seat::First)), SECOND).unwrap();
    assert_eq!(take(&mut view, &error("illegal"), 0), Ok(ViewOutcome::Shown));
    assert_eq!(view.info.refusal.as_ref().unwrap().code, "illegal");
    let h8 = json!({ "seat": "first", "move": "h8", "ns": 2 * SECOND });
    take(&mut view, &step(0, h8, Seat::Second, 6), SECOND).unwrap();
    assert_eq!(view.info.refusal, None, "what came after it was accepted");
}
