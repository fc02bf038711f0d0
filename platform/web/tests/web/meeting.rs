//! How players find a table and each other: an engine by one click, an opponent that seeks the
//! same, what is listed, and beats.

use serde_json::{Value, json};

use crate::peer::{Dice, Host, Peer};
use crate::play::seated;

#[test]
fn a_host_gets_one_answer_and_who_did_not_enter_cannot_sit() {
    let host = Host::new();
    let (mut ada, mut bo) = (Peer::person(&host, "Ada"), Peer::person(&host, "Bo"));
    ada.say(json!({ "type": "host", "id": 7, "table": {}, "seat": "second" }));
    let first = ada.hear();
    let told = (&first["type"], &first["id"], &first["you"]["seat"]);
    assert_eq!(told, (&json!("table"), &json!(7), &json!("second")), "{first}");
    let table = &first["table"];
    assert_eq!(bo.refused(json!({ "type": "sit", "table": table })), "table");
}

#[test]
fn a_table_that_its_players_have_left_is_not_in_the_list() {
    let host = Host::new();
    let mut viewer = Peer::person(&host, "Eve");
    viewer.say(json!({ "type": "list", "on": true }));
    viewer.hear_a("lobby");
    let (ada, bo, key) = seated(&host, json!({}));
    let table = ada.table.clone();
    viewer.hear_until(|message| message["table"]["phase"] == "playing");
    drop(ada);
    drop(bo);
    viewer
        .hear_until(|message| message["type"] == "unlisted" && message["table"] == table.as_str());
    // One that looks on does not bring it back, and a player does.
    let mut other = Peer::person(&host, "Cy");
    other.enter(&table, None);
    other.enter(&table, Some(&key));
    let listed = viewer.hear_a("listed");
    assert_eq!(listed["table"]["viewers"], 0, "{listed}");
}

#[test]
fn a_client_that_asks_for_beats_hears_the_server() {
    let host = Host::new();
    let mut ada = Peer::person(&host, "Ada");
    ada.say(json!({ "type": "beat", "id": 4 }));
    assert_eq!(ada.hear()["id"], 4);
    // And once more with each ping.
    assert!(ada.hear_a("beat")["now"].as_u64().is_some());
}

#[test]
fn a_game_with_an_engine_of_the_server_begins_at_once_and_can_be_had_afterwards() {
    let host = Host::with_engines(Dice);
    let mut ada = Peer::person(&host, "Ada");
    let unknown = json!({ "type": "host", "table": {}, "seat": "first", "engine": "deep" });
    assert_eq!(ada.refused(unknown), "engine");
    let table = json!({ "time": "inf" });
    ada.say(json!({ "type": "host", "id": 1, "table": table, "seat": "second", "engine": "dice" }));
    let opened = ada.hear_until(|message| message["id"] == 1);
    ada.table = opened["table"].as_str().unwrap().to_owned();
    let step = ada.hear_a("step");
    assert_eq!((&step["step"]["seat"], &step["place"]), (&json!("first"), &json!(0)), "{step}");
    ada.say_here(json!({ "type": "request", "what": "draw", "id": 2 }));
    assert_eq!(ada.hear_a("error")["code"], "not_now", "engines do not agree to draws");
    ada.say_here(json!({ "type": "act", "resign": true }));
    assert_eq!(ada.hear_a("over")["result"]["winner"], "first");
    // The engine does not have to be asked for another one; the sides change.
    ada.say_here(json!({ "type": "request", "what": "again" }));
    let next = ada.hear_until(|message| message["live"]["game"]["number"] == 2);
    assert_eq!(next["you"]["seat"], "first");
    // One that looks on sees the former game.
    let mut viewer = Peer::person(&host, "Eve");
    viewer.enter(&ada.table.clone(), None);
    viewer.say_here(json!({ "type": "record", "id": 3, "game": 1, "format": "view" }));
    let text = viewer.hear_a("record")["text"].clone();
    let shown: Value = serde_json::from_str(text.as_str().unwrap()).unwrap();
    assert_eq!(shown["names"], json!({ "first": "Dice", "second": "Ada" }));
    let game = &shown["game"];
    assert_eq!((&game["number"], &game["result"]["winner"]), (&json!(1), &json!("first")));
    assert_eq!(game["steps"][0]["move"], step["step"]["move"]);
}

#[test]
fn two_that_seek_the_same_are_paired_and_begin_when_both_are_ready() {
    let host = Host::new();
    let mut peers = ["Ada", "Bo", "Cy"].map(|name| Peer::person(&host, name));
    let [ada, bo, cy] = &mut peers;
    cy.say(json!({ "type": "list", "on": true }));
    cy.hear_a("lobby");
    let seek = |rule: &str| json!({ "type": "seek", "on": true, "table": { "rule": rule } });
    cy.say(seek("caro"));
    cy.hear_until(|message| message["seeks"][0]["rule"] == "caro");
    ada.say(seek("renju"));
    cy.hear_until(|message| message["seeks"][1]["rule"] == "renju");
    bo.say(seek("renju"));
    for peer in [&mut *ada, &mut *bo] {
        let paired = peer.hear_a("paired");
        let table = paired["table"].as_str().unwrap().to_owned();
        let shown = peer.enter(&table, paired["key"].as_str());
        assert_eq!(shown["state"]["ready"], json!({ "first": false, "second": false }), "{shown}");
        assert_eq!((&shown["live"], &shown["settings"]["rule"]), (&Value::Null, &json!("renju")));
    }
    assert_eq!(ada.table, bo.table);
    cy.hear_until(|message| message["seeks"].as_array().is_some_and(|seeks| seeks.len() == 1));
    ada.say_here(json!({ "type": "ready" }));
    bo.hear_until(|message| message["state"]["phase"] == "open");
    bo.say_here(json!({ "type": "ready" }));
    for peer in [ada, bo] {
        peer.hear_until(|message| message["state"]["phase"] == "playing");
    }
    // Who gives up, or goes, waits no more.
    cy.say(json!({ "type": "seek", "on": false }));
    cy.hear_until(|message| message["seeks"] == json!([]));
}
