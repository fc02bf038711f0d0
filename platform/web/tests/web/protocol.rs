//! `docs/protocol.md`, its schema and the types of `tengen-link` say the same.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use tengen_arbiter::Termination;
use tengen_link::messages::{
    ClientMessage, Heard, Numbered, ServerMessage, TableInput, ToTable, read_message,
};
use tengen_link::view::{GameView, StepView};
use tengen_rules::{Alike, Foul, Procedure, Rule, Seat};

use crate::peer::{SCHEMA, SCHEMA_TEXT, check, check_server};

/// The lines of the document that stand in blocks of a kind.
fn lines(kind: &str) -> Vec<&'static str> {
    let text = include_str!("../../../../docs/protocol.md");
    let blocks = text.split(kind).skip(1).map(|rest| rest.split("```").next().unwrap());
    blocks.flat_map(str::lines).filter(|line| !line.is_empty()).collect()
}

/// The messages of the transcripts, and whether each is of a client.
fn transcripts() -> Vec<(bool, &'static str)> {
    let read = |line: &'static str| {
        let (who, message) = line.split_once(' ').unwrap();
        (who.ends_with('>'), message)
    };
    lines("```text").into_iter().map(read).collect()
}

/// The type of a client's message.
fn client_kind(message: &Heard) -> &'static str {
    match message {
        Heard::Server(message) => match message {
            ClientMessage::Hello(_) => "hello",
            ClientMessage::Join(_) => "join",
            ClientMessage::List { .. } => "list",
            ClientMessage::Host { .. } => "host",
            ClientMessage::Name { .. } => "name",
            ClientMessage::Seek { .. } => "seek",
            ClientMessage::Beat {} => "beat",
        },
        Heard::Table(ToTable { message, .. }) => match message {
            TableInput::Enter { .. } => "enter",
            TableInput::Sit { .. } => "sit",
            TableInput::Stand {} => "stand",
            TableInput::Leave {} => "leave",
            TableInput::Ready {} => "ready",
            TableInput::Act(_) => "act",
            TableInput::Failed { .. } => "failed",
            TableInput::Request { .. } => "request",
            TableInput::Reply { .. } => "reply",
            TableInput::Withdraw { .. } => "withdraw",
            TableInput::Claim { .. } => "claim",
            TableInput::Resume {} => "resume",
            TableInput::Engine { .. } => "engine",
            TableInput::Chat { .. } => "chat",
            TableInput::Record { .. } => "record",
            TableInput::Remove { .. } => "remove",
            TableInput::Close {} => "close",
        },
    }
}

/// The type of a server's message.
fn server_kind(message: &ServerMessage<'_>) -> &'static str {
    match message {
        ServerMessage::Welcome(_) => "welcome",
        ServerMessage::Joined(_) => "joined",
        ServerMessage::Error(_) => "error",
        ServerMessage::Lobby { .. } => "lobby",
        ServerMessage::Listed { .. } => "listed",
        ServerMessage::Unlisted { .. } => "unlisted",
        ServerMessage::Table(_) => "table",
        ServerMessage::State { .. } => "state",
        ServerMessage::Step(_) => "step",
        ServerMessage::Game(_) => "game",
        ServerMessage::Ask(_) => "ask",
        ServerMessage::Over(_) => "over",
        ServerMessage::Chat { .. } => "chat",
        ServerMessage::Record { .. } => "record",
        ServerMessage::Closed { .. } => "closed",
        ServerMessage::Seeks { .. } => "seeks",
        ServerMessage::Paired { .. } => "paired",
        ServerMessage::Beat { .. } => "beat",
        ServerMessage::End { .. } => "end",
        ServerMessage::Unreadable(_) | ServerMessage::Other => {
            panic!("a message that no type is for")
        }
    }
}

/// The types of the messages of one side in the schema.
fn kinds_of_schema(side: &str) -> BTreeSet<String> {
    let schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    let messages = schema["$defs"][side]["oneOf"].as_array().unwrap();
    let kinds = messages.iter().flat_map(|message| {
        let kind = &message["properties"]["type"];
        kind["enum"].as_array().cloned().unwrap_or_else(|| vec![kind["const"].clone()])
    });
    kinds.map(|kind| kind.as_str().unwrap().to_owned()).collect()
}

/// What reads the messages of a server: the window, engines, and the page.
const READERS: [&str; 6] = [
    include_str!("../../../gui/src/app/session/table/lobby.rs"),
    include_str!("../../../gui/src/app/session/table/table_view.rs"),
    include_str!("../../../link/src/connect/connection.rs"),
    include_str!("../../../link/src/connect/event_seats.rs"),
    include_str!("../../../link/src/connect/table_seat.rs"),
    include_str!("../../page/play_link.js"),
];

/// Panics where a value does not have all that is expected. It may have more.
fn has_all(value: &Value, expected: &Value, text: &str) {
    let (Value::Object(has), Value::Object(wanted)) = (value, expected) else {
        return assert_eq!(value, expected, "{text}");
    };
    for (key, wanted) in wanted {
        has_all(has.get(key).unwrap_or(&Value::Null), wanted, text);
    }
}

#[test]
fn every_message_of_the_transcripts_is_read_and_written_again() {
    let (mut of_clients, mut of_servers) = (BTreeSet::new(), BTreeSet::new());
    for (is_of_client, text) in transcripts() {
        let given: Value = serde_json::from_str(text).unwrap();
        if !is_of_client {
            let message = check_server(&given).message;
            of_servers.insert(server_kind(&message).to_owned());
            continue;
        }
        check(&given);
        let (id, message) = read_message(text).unwrap_or_else(|bad| panic!("{text}: {bad:?}"));
        of_clients.insert(client_kind(&message).to_owned());
        let written = match &message {
            Heard::Server(message) => serde_json::to_value(Numbered { message, id }),
            Heard::Table(message) => serde_json::to_value(Numbered { message, id }),
        };
        let written = written.unwrap();
        check(&written);
        has_all(&written, &given, text);
        assert_eq!(read_message(&written.to_string()), Ok((id, message)), "{written}");
    }
    // One of each kind is there, and no other kind is in the schema.
    assert_eq!(of_clients, kinds_of_schema("clientMessage"));
    assert_eq!(of_servers, kinds_of_schema("serverMessage"));
}

/// Each reader passes over what is not for it, so that nothing else would tell.
#[test]
fn every_message_of_a_server_is_read_somewhere() {
    for kind in kinds_of_schema("serverMessage") {
        let (first, rest) = kind.split_at(1);
        let pattern = format!("ServerMessage::{}{rest}", first.to_uppercase());
        let names = [format!("{pattern}("), format!("{pattern} {{"), format!("\"{kind}\"")];
        let is_read = |reader: &&str| names.iter().any(|name| reader.contains(name));
        assert!(READERS.iter().any(is_read), "no client reads `{kind}`");
    }
}

#[test]
fn every_key_of_a_game_is_one_that_is_written() {
    let schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    let keys = schema["$defs"]["gameView"]["properties"].as_object().unwrap();
    let tables = transcripts().into_iter().map(|(_, text)| serde_json::from_str(text).unwrap());
    let mut tables = tables.filter(|message: &Value| message["live"].is_object());
    let mut game = tables.next().unwrap()["live"]["game"].take();
    let opening = json!({ "code": "D1", "en": "Long Star", "zh": "寒星" });
    for (key, value) in [
        ("round", json!(2)),
        ("book", json!(["h8"])),
        ("row", json!(["a1", "b1"])),
        ("opening", opening),
        ("began", json!(7)),
        ("void", json!(true)),
        ("spoiled", json!(true)),
    ] {
        game[key] = value;
    }
    assert!(game.as_object().unwrap().keys().all(|key| keys.contains_key(key)), "{game}");
    assert_eq!(game.as_object().unwrap().len(), keys.len(), "{game}");
    let read: GameView = serde_json::from_value(game.clone()).unwrap();
    assert_eq!(serde_json::to_value(read).unwrap(), game);
}

#[test]
fn a_step_is_written_as_the_document_has_it() {
    let steps = lines("```json");
    assert!(!steps.is_empty());
    for text in steps {
        let step: StepView = serde_json::from_str(text).unwrap();
        assert_eq!(serde_json::to_string(&step).unwrap(), text);
    }
}

#[test]
fn what_the_schema_refuses_a_server_does_not_read() {
    for (_, text) in transcripts().into_iter().filter(|(is_of_client, _)| *is_of_client) {
        let given: Value = serde_json::from_str(text).unwrap();
        let mut others = vec![given.clone()];
        others[0]["later"] = json!(true);
        for key in given.as_object().unwrap().keys() {
            let mut less = given.clone();
            less.as_object_mut().unwrap().remove(key);
            // Only the server of a table or an event knows whether a question is open.
            if key != "question" {
                others.push(less);
            }
            for value in [json!(true), json!(1), json!(-1), json!("x"), json!([]), json!({})] {
                let mut other = given.clone();
                other[key] = value;
                // A struct that has defaults may come as a list of its fields.
                if other["info"] != json!([]) {
                    others.push(other);
                }
            }
        }
        for other in others {
            let read = read_message(&other.to_string());
            assert_eq!(read.is_ok(), SCHEMA.is_valid(&other), "{other}: {read:?}");
        }
    }
}

#[test]
fn the_words_of_the_schema_are_those_of_the_rules_and_the_arbiter() {
    let schema: Value = serde_json::from_str(SCHEMA_TEXT).unwrap();
    let words = &schema["$defs"];
    let foul = &words["circumstances"]["properties"]["forbidden"]["additionalProperties"];
    for (told, known) in [
        (&words["seat"], json!(Seat::ALL)),
        (&words["rule"], json!(Rule::ALL)),
        (&words["procedure"], json!(Procedure::ALL)),
        (&words["termination"], json!(Termination::ALL)),
        (foul, json!(Foul::ALL)),
    ] {
        assert_eq!(told["enum"], known);
    }
    let mut server = words["serverMessage"]["oneOf"].as_array().unwrap().iter();
    let game = server.find(|message| message["properties"]["type"]["const"] == "game").unwrap();
    let alike = &game["properties"]["settings"]["properties"]["alike"]["enum"];
    assert_eq!(*alike, json!(Alike::ALL));
}
