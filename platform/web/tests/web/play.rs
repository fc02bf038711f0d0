//! Tables, over their socket.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::channel;

use serde_json::{Value, json};
use tengen_link::messages::{
    ClientKind, ClientMessage, Hello, PROTOCOL_VERSION, ServerMessage, TableSettings,
};
use tengen_link::{
    Connection, ConnectionError, ConnectionOptions, LinkEvent, RemoteError, RemoteNews, RemotePlace,
};
use tengen_record::{GameRecord, replay};
use tengen_rules::Procedure;
use tengen_web::HttpListener;
use tengen_web::play::{PlayError, PlayOptions, Tables};

use crate::peer::{CheckedClient, Dice, Host, Peer, dice, options};

/// A table with both seats taken; gives the second seat's key as well.
pub fn seated(host: &Host, table: Value) -> (Peer, Peer, String) {
    let (mut ada, mut bo) = (Peer::person(host, "Ada"), Peer::person(host, "Bo"));
    let opened = ada.host(table, "first");
    let invite = opened["keys"]["invite"].as_str().unwrap().to_owned();
    bo.enter(&ada.table, Some(&invite));
    bo.say_here(json!({ "type": "sit", "key": invite }));
    let begun = |message: &Value| message["state"]["phase"] == "playing";
    let of_bo = bo.hear_until(begun);
    ada.hear_until(begun);
    let key = of_bo["you"]["key"].as_str().unwrap().to_owned();
    (ada, bo, key)
}

fn points(steps: &Value) -> Vec<&str> {
    let steps = steps.as_array().unwrap().iter();
    let laid = steps.flat_map(|step| match &step["place"] {
        Value::Array(points) => &points[..],
        _ => std::slice::from_ref(&step["move"]),
    });
    laid.filter_map(Value::as_str).collect()
}

#[test]
fn two_people_play_swap2_and_ask_each_other_for_things() {
    let host = Host::new();
    let (mut ada, mut bo, _) =
        seated(&host, json!({ "opening": "swap2", "time": "inf", "title": "A friendly game" }));
    let laid = ada.play(&mut bo, json!({ "place": ["h8", "i9", "g7"] }));
    assert_eq!(laid["step"]["place"].as_array().unwrap().len(), 3);
    let asked = json!({ "seat": "second", "ask": "choose_or_place", "count": 2 });
    assert_eq!(laid["step"]["ask"], asked);
    let act = |by: &Peer, question: u64, point: &str| {
        let table = &by.table;
        json!({ "type": "act", "table": table, "question": question, "move": point })
    };
    // What the rules do not allow is told, and costs a person nothing.
    assert_eq!(bo.refused(act(&bo, bo.question, "h8")), "illegal");
    bo.play(&mut ada, json!({ "choose": "black" }));
    assert_eq!(ada.refused(act(&ada, ada.question, "h8")), "illegal");
    ada.play(&mut bo, json!({ "move": "h9" }));
    // Out of turn, and to a question that is not open any more.
    assert_eq!(ada.refused(act(&ada, ada.question, "a1")), "not_now");
    assert_eq!(bo.refused(act(&bo, bo.question - 1, "a1")), "not_now");
    // Chat is text.
    ada.say_here(json!({ "type": "chat", "text": " good \u{202e}luck\n<b> " }));
    let line = bo.hear_a("chat");
    assert_eq!(line["line"]["text"], "good luck<b>");
    assert_eq!((&line["line"]["from"], &line["line"]["seat"]), (&json!("Ada"), &json!("first")));
    // To take back is refused, and then granted.
    ada.say_here(json!({ "type": "request", "what": "undo" }));
    let wish = json!([{ "seat": "first", "what": "undo" }]);
    let asked = |message: &Value| message["state"]["requests"] == wish;
    bo.hear_until(asked);
    bo.say_here(json!({ "type": "reply", "what": "undo", "accept": false }));
    let refused = ada.hear_until(|message| message["state"]["declined"] == wish);
    assert_eq!(refused["state"]["requests"], json!([]));
    let again = json!({ "type": "request", "table": ada.table, "what": "undo" });
    assert_eq!(ada.refused(again), "not_now", "it was declined just now");
    bo.play(&mut ada, json!({ "move": "j10" }));
    ada.say_here(json!({ "type": "request", "what": "undo" }));
    bo.hear_until(asked);
    bo.say_here(json!({ "type": "reply", "what": "undo", "accept": true }));
    let back = ada.hear_a("table");
    assert_eq!(points(&back["live"]["game"]["steps"]).len(), 3, "{back}");
    assert_eq!((&back["waiting"], &back["state"]["declined"]), (&json!("first"), &Value::Null));
    bo.hear_a("table");
    // A pause stops what is played.
    bo.say_here(json!({ "type": "request", "what": "pause" }));
    ada.hear_until(|message| message["state"]["requests"][0]["what"] == "pause");
    ada.say_here(json!({ "type": "reply", "what": "pause", "accept": true }));
    let paused = ada.hear_a("table");
    assert_eq!(
        (&paused["state"]["phase"], &paused["live"]["asked"]),
        (&json!("paused"), &Value::Null)
    );
    assert_eq!(ada.refused(act(&ada, ada.question, "h9")), "not_now");
    bo.hear_a("table");
    bo.say_here(json!({ "type": "resume" }));
    ada.hear_a("table");
    bo.hear_a("table");
    ada.play(&mut bo, json!({ "move": "h9" }));
    // A draw, agreed out of turn.
    ada.say_here(json!({ "type": "request", "what": "draw" }));
    bo.hear_until(|message| message["state"]["requests"][0]["what"] == "draw");
    bo.say_here(json!({ "type": "reply", "what": "draw", "accept": true }));
    let over = ada.hear_a("over");
    assert_eq!(over["result"], json!({ "winner": null, "termination": "agreement" }));
    bo.hear_a("over");
    // The record replays.
    ada.say_here(json!({ "type": "record", "id": 5, "format": "json" }));
    let record = ada.hear_a("record");
    let record = GameRecord::from_json_line(record["text"].as_str().unwrap().trim_end()).unwrap();
    assert_eq!(replay(&record).unwrap(), record.result);
    assert_eq!(record.header.seats.first.name, "Ada");
    ada.say_here(json!({ "type": "record", "format": "sgf" }));
    assert!(ada.hear_a("record")["text"].as_str().unwrap().starts_with("(;"));
    // Another game, seats exchanged.
    bo.say_here(json!({ "type": "request", "what": "again" }));
    ada.say_here(json!({ "type": "request", "what": "again" }));
    let next = ada.hear_until(|message| message["type"] == "table");
    let score = json!({ "first": 0.5, "second": 0.5 });
    assert_eq!((&next["you"]["seat"], &next["state"]["score"]), (&json!("second"), &score));
    assert_eq!(next["live"]["game"]["number"], 2);
    ada.say_here(json!({ "type": "act", "resign": true }));
    assert_eq!(bo.hear_a("over")["result"]["winner"], "first");
    // Games are kept.
    ada.say_here(json!({ "type": "record", "game": 1, "format": "psq" }));
    ada.hear_until(|message| message["game"] == 1);
}

#[test]
fn a_private_table_needs_its_keys_and_a_public_one_is_listed() {
    let host = Host::new();
    let mut viewer = Peer::person(&host, "");
    viewer.say(json!({ "type": "list", "on": true }));
    assert_eq!(viewer.hear_a("lobby")["tables"], json!([]));
    let mut ada = Peer::person(&host, "Ada");
    let secret = ada.host(json!({ "public": false }), "second");
    let (table, keys) = (ada.table.clone(), secret["keys"].clone());
    let enter = |key: &str| json!({ "type": "enter", "table": table, "key": key });
    assert_eq!(viewer.refused(json!({ "type": "enter", "table": table })), "key");
    assert_eq!(viewer.refused(enter("guess")), "key");
    assert_eq!(viewer.refused(json!({ "type": "enter", "table": "nowhere" })), "table");
    let seen = viewer.enter(&table, keys["watch"].as_str());
    assert_eq!(seen["you"], json!({ "seat": null, "key": null, "host": false, "host_key": null }));
    assert_eq!(seen["keys"]["invite"], Value::Null, "a viewer cannot invite");
    assert_eq!(viewer.refused(json!({ "type": "sit", "table": table })), "key");
    let sit = json!({ "type": "sit", "table": table, "key": keys["watch"] });
    assert_eq!(viewer.refused(sit), "key");
    assert_eq!(viewer.refused(json!({ "type": "close", "table": table })), "key");
    assert_eq!(viewer.refused(json!({ "type": "act", "table": table, "resign": true })), "seat");
    let seen = viewer.enter(&table, secret["you"]["host_key"].as_str());
    assert_eq!(seen["you"]["host"], true);
    viewer.say_here(json!({ "type": "close" }));
    assert_eq!(ada.hear_a("closed")["table"], table.as_str());
    let listed = ada.host(json!({ "title": "Open" }), "first");
    let seen = viewer.hear_a("listed");
    assert_eq!(seen["table"]["table"], listed["table"]);
    assert_eq!(seen["table"]["seats"], json!({ "first": "Ada", "second": null }));
    // Tables are bounded.
    for _ in 0..3 {
        ada.host(json!({}), "first");
    }
    let fifth = json!({ "type": "host", "table": {} });
    assert_eq!(ada.refused(fifth), "too_many");
}

#[test]
fn nonsense_is_refused_and_the_other_tables_play_on() {
    let host = Host::new();
    let (mut ada, mut bo, _) = seated(&host, json!({}));
    let mut fool = Peer::person(&host, "Fool");
    for wrong in [
        json!([]),
        json!({ "type": "jump" }),
        json!({ "type": "enter", "table": 7 }),
        json!({ "type": "host", "table": { "rule": "chess" } }),
        json!({ "type": "chat", "table": ada.table, "text": "x".repeat(3000) }),
    ] {
        fool.send(&wrong);
        assert_eq!(fool.hear()["type"], "error", "{wrong}");
    }
    assert_eq!(fool.refused(json!({ "type": "chat", "table": ada.table, "text": "hi" })), "table");
    // Too long ends the connection, and so does a flood.
    fool.send(&json!({ "type": "chat", "table": "r", "text": "x".repeat(70_000) }));
    fool.hear_the_end();
    let mut flood = Peer::person(&host, "Flood");
    for _ in 0..1000 {
        flood.send(&json!({ "type": "jump" }));
    }
    flood.hear_the_end();
    ada.play(&mut bo, json!({ "move": "h8" }));
    bo.play(&mut ada, json!({ "move": "h9" }));
}

/// The first line of the answer to a handshake.
fn handshake(host: &Host, more: &str) -> String {
    let address = host.address.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let head = format!(
        "GET /play HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
         Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n{more}\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

#[test]
fn a_page_of_another_origin_and_a_client_of_another_version_are_refused() {
    let host = Host::new();
    let own = host.address.trim_end_matches('/').to_owned();
    assert!(handshake(&host, "").ends_with("101"));
    assert!(handshake(&host, &format!("Origin: {own}\r\n")).ends_with("101"));
    assert!(handshake(&host, "Origin: https://example.org\r\n").ends_with("101"));
    assert!(handshake(&host, "Origin: https://example.com\r\n").ends_with("403"));
    let first = |hello: Value| {
        let mut client = CheckedClient::connect(&host, &[]);
        client.send(&hello);
        let answer = client.hear();
        (answer["code"].as_str().unwrap().to_owned(), answer["message"].to_string())
    };
    let (code, message) = first(json!({ "type": "hello", "version": 1 }));
    assert_eq!(code, "version");
    assert!(message.contains("version 2"), "{message}");
    assert_eq!(first(json!({ "type": "list", "on": true })).0, "hello");
    let wrong = json!({ "type": "hello", "version": 2, "password": "open sesame" });
    assert_eq!(first(wrong).0, "password");
}

#[test]
fn the_clock_is_the_servers() {
    let host = Host::new();
    let (ada, mut bo, _) = seated(&host, json!({ "time": "1+0" }));
    // The player that is asked is gone; the clock runs on.
    drop(ada);
    let over = bo.hear_a("over");
    assert_eq!(over["result"]["winner"], "second");
    assert_eq!(over["result"]["termination"], "timeout");
    assert_eq!(over["left"]["first"], 0);
    drop(bo);
    // In byo-yomi it runs through every period, and all see how many are left.
    let (ada, mut bo, _) = seated(&host, json!({ "time": "0.2+0,byo=2x0.3" }));
    drop(ada);
    let over = bo.hear_a("over");
    assert_eq!(
        (&over["result"]["termination"], &over["left"]["first"]),
        (&json!("timeout"), &json!(0))
    );
    let [first, second] = ["first", "second"].map(|seat| over["byo_yomi"][seat].clone());
    assert_eq!(first, json!({ "in_period": true, "periods": 0, "span": 300 }));
    assert_eq!(second, json!({ "in_period": false, "periods": 2, "span": 300 }));
    drop(bo);
    // A late answer may be the server's.
    let (mut ada, mut bo, _) = seated(&host, json!({ "time": "move=0.2", "late": "substitute" }));
    let step = ada.hear_a("step");
    assert_eq!(
        (&step["step"]["seat"], &step["step"]["substituted"]),
        (&json!("first"), &json!(true))
    );
    bo.hear_a("step");
}

#[test]
fn an_engine_is_told_everything_and_loses_by_an_illegal_answer() {
    let host = Host::new();
    let mut ada = Peer::person(&host, "Ada");
    ada.host(json!({ "rule": "renju" }), "first");
    let mut engine = Peer::connect(&host, "Machine", ClientKind::Engine);
    engine.enter(&ada.table.clone(), None);
    engine.say_here(json!({ "type": "sit" }));
    let begun = ada.hear_until(|message| message["state"]["phase"] == "playing");
    assert_eq!(begun["state"]["seats"]["second"]["kind"], "remote");
    engine.hear_until(|message| message["state"]["phase"] == "playing");
    ada.play(&mut engine, json!({ "move": "h8" }));
    let ask = engine.hear_a("ask");
    assert_eq!((&ask["moves"], &ask["ask"]), (&json!(["h8"]), &json!({ "ask": "move" })));
    assert!(ask["limits"]["hard"].as_u64().unwrap() <= 300_000);
    let info = json!({ "eval": -12, "depth": 3, "nodes": 99, "pv": ["g7", "h9"] });
    let step = engine.play(&mut ada, json!({ "move": "h7", "info": info.clone() }));
    assert_eq!(step["step"]["info"], info);
    ada.play(&mut engine, json!({ "move": "h9" }));
    engine.hear_a("ask");
    engine.say_here(json!({ "type": "act", "question": engine.question, "move": "h9" }));
    let over = ada.hear_a("over");
    assert_eq!(
        (&over["result"]["winner"], &over["result"]["termination"]),
        (&json!("first"), &json!("illegal_answer"))
    );
}

#[test]
fn a_seat_is_handed_to_an_engine_and_taken_back() {
    let host = Host::with_engines(Dice);
    let (mut ada, mut bo, _) = seated(&host, json!({ "time": "inf" }));
    let unknown = json!({ "type": "engine", "table": ada.table, "engine": "deep" });
    assert_eq!(ada.refused(unknown), "engine");
    ada.say_here(json!({ "type": "engine", "engine": "dice" }));
    let step = bo.hear_a("step");
    assert_eq!((&step["step"]["seat"], &step["place"]), (&json!("first"), &json!(0)));
    ada.hear_a("step");
    ada.say_here(json!({ "type": "engine", "engine": null }));
    let table = bo.hear_until(|message| message["state"]["seats"]["first"]["kind"] == "person");
    assert_eq!(table["type"], "table");
    bo.play(&mut ada, json!({ "move": free(&table) }));
    ada.say_here(json!({ "type": "act", "resign": true }));
    assert_eq!(bo.hear_a("over")["result"]["winner"], "second");
}

/// A point on which nothing lies.
fn free(table: &Value) -> &'static str {
    if points(&table["live"]["game"]["steps"]).contains(&"a1") { "b1" } else { "a1" }
}

#[test]
fn a_server_that_was_stopped_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start(options(folder.path()));
    let (mut ada, mut bo, key) = seated(&host, json!({ "public": false, "time": "60+0" }));
    ada.play(&mut bo, json!({ "move": "h8" }));
    bo.play(&mut ada, json!({ "move": "h9" }));
    ada.say_here(json!({ "type": "chat", "text": "back soon" }));
    bo.hear_a("chat");
    let table = ada.table.clone();
    assert!(matches!(Tables::open(options(folder.path())), Err(PlayError::Taken { .. })));
    drop((ada, bo, host));
    let host = Host::start(options(folder.path()));
    let mut bo = Peer::person(&host, "Bo");
    let table = bo.enter(&table, Some(&key));
    assert_eq!(table["you"]["seat"], "second");
    assert_eq!(points(&table["live"]["game"]["steps"]).len(), 2);
    assert_eq!(table["chat"][0]["text"], "back soon");
    // Ada is asked, not Bo, so the clock waits for Ada.
    assert_eq!((&table["waiting"], &table["live"]["asked"]), (&json!("first"), &Value::Null));
    let left = table["live"]["left"]["first"].as_u64().unwrap();
    assert!(left > 0 && left <= 60_000, "{left}");
    bo.say_here(json!({ "type": "act", "resign": true }));
    assert_eq!(bo.hear_a("over")["result"]["winner"], "first");
}

/// An earlier tengen called a table a room.
#[test]
fn the_tables_of_an_earlier_server_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start(options(folder.path()));
    let (ada, bo, key) = seated(&host, json!({ "public": false }));
    let table = ada.table.clone();
    drop((ada, bo, host));
    let (tables, rooms) = (folder.path().join("tables"), folder.path().join("rooms"));
    std::fs::rename(&tables, &rooms).unwrap();
    let file = rooms.join(format!("{table}.jsonl"));
    let text = std::fs::read_to_string(&file).unwrap();
    let earlier = text.replace("{\"table\":", "{\"room\":");
    assert_ne!(earlier, text);
    std::fs::write(&file, earlier).unwrap();
    let host = Host::start(options(folder.path()));
    let table = Peer::person(&host, "Bo").enter(&table, Some(&key));
    assert_eq!(table["you"]["seat"], "second");
    assert!(tables.is_dir() && !rooms.exists());
}

/// The folder may have come from another person.
#[cfg(unix)]
#[test]
fn a_server_writes_nothing_through_a_link_in_its_folder() {
    for name in ["lock", "tables", "games"] {
        let folder = tempfile::tempdir().unwrap();
        let (mine, data) = (folder.path().join("mine"), folder.path().join("data"));
        std::fs::create_dir(&data).unwrap();
        match name {
            "lock" => std::fs::write(&mine, "dear").unwrap(),
            _ => std::fs::create_dir(&mine).unwrap(),
        }
        std::os::unix::fs::symlink(&mine, data.join(name)).unwrap();
        let Err(error) = Tables::open(options(&data)) else { panic!("{name} was used") };
        let told = error.to_string();
        assert!(told.contains(name) && told.contains("not followed"), "{told}");
        if name == "lock" {
            assert_eq!(std::fs::read_to_string(&mine).unwrap(), "dear");
        }
    }
}

/// How a server greets a client that connects for the first time, or why it does not.
fn greeting(
    address: &str,
    authority: Option<PathBuf>,
) -> Result<ServerMessage<'static>, ConnectionError> {
    let (version, name, kind) = (PROTOCOL_VERSION, "Ada".to_owned(), ClientKind::Person);
    let hello = Hello { version, name, kind, agent: String::new(), password: None };
    let (address, greeting) = (address.parse().unwrap(), ClientMessage::Hello(hello));
    let (tell, told) = channel();
    let options = ConnectionOptions { address, greeting, authority };
    let connection = Connection::open(options, move |event, _| {
        let _done = tell.send(event);
    });
    let connection = connection.unwrap();
    for event in &told {
        match event {
            LinkEvent::Connected(greeting) => return Ok(*greeting),
            LinkEvent::Broken(error) | LinkEvent::Refused(error) => return Err(error),
            LinkEvent::Connecting | LinkEvent::Message(_) => {}
        }
    }
    panic!("{connection:?} ended without a word")
}

#[test]
fn a_connection_may_be_encrypted_and_a_misfit_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: String| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let made = || rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let (own, other) = (made(), made());
    let certificate = file("cert.pem", own.cert.pem());
    let key = file("key.pem", own.signing_key.serialize_pem());
    let wrong = file("other.pem", other.signing_key.serialize_pem());
    let bind = || HttpListener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let misfit = bind().with_tls(&certificate, &wrong).err().unwrap().to_string();
    assert!(misfit.contains("do not fit"), "{misfit}");
    let none = bind().with_tls(&key, &key).err().unwrap().to_string();
    assert!(none.contains("key.pem") && none.contains("certificate"), "{none}");
    let listener = bind().with_tls(&certificate, &key).unwrap();
    let port = listener.address().port();
    let _host = Host::start_on(listener, options(&folder.path().join("tables")));
    let connect = |port: u16, authority| greeting(&format!("https://localhost:{port}/"), authority);
    let is_welcome = |greeting: Result<ServerMessage<'_>, ConnectionError>| {
        matches!(greeting, Ok(ServerMessage::Welcome(_)))
    };
    assert!(is_welcome(connect(port, Some(certificate.clone()))));
    assert!(matches!(
        connect(port, None),
        Err(ConnectionError::Unreachable { .. } | ConnectionError::Tls(_))
    ));
    // Marked as an authority, as openssl marks what it signs itself, it is as good, if it is named
    // and for that server.
    let authority = |name: &str| {
        let mut wanted = rcgen::CertificateParams::new([name.to_owned()]).unwrap();
        wanted.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
        let pair = rcgen::KeyPair::generate().unwrap();
        let made = wanted.self_signed(&pair).unwrap();
        let certificate = file(&format!("{name}.pem"), made.pem());
        let key = file(&format!("{name}-key.pem"), pair.serialize_pem());
        let listener = bind().with_tls(&certificate, &key).unwrap();
        let port = listener.address().port();
        (certificate, Host::start_on(listener, options(&folder.path().join(name))), port)
    };
    let (marked, _marked_host, marked_port) = authority("localhost");
    assert!(is_welcome(connect(marked_port, Some(marked.clone()))));
    assert!(connect(marked_port, Some(certificate.clone())).is_err(), "another one was named");
    let (elsewhere, _other_host, elsewhere_port) = authority("example.org");
    let misnamed = connect(elsewhere_port, Some(elsewhere)).err().unwrap().to_string();
    assert!(misnamed.contains("is for another name"), "{misnamed}");
    assert!(connect(elsewhere_port, Some(marked)).is_err());
    // What is wrong is said in words that help.
    let said = |address: String, authority: Option<PathBuf>| {
        let error = greeting(&address, authority).err().unwrap();
        // A cause that is said already is not said again.
        assert!(std::error::Error::source(&error).is_none(), "{error}");
        error.to_string()
    };
    let other = file("other-cert.pem", other.cert.pem());
    let distrusted = said(format!("https://localhost:{port}/"), Some(other));
    assert!(
        distrusted.contains("by no known authority") && distrusted.contains("--tls-ca"),
        "{distrusted}"
    );
    let plain = said(format!("http://localhost:{port}/"), None);
    assert!(plain.contains("write https://"), "{plain}");
    let free = bind().address();
    let nobody = said(format!("http://{free}/"), None);
    assert!(nobody.contains("nothing listens there"), "{nobody}");
    let bare = Host::start_on(bind(), options(&folder.path().join("bare")));
    let encrypted = said(bare.address.replace("http:", "https:"), Some(certificate));
    assert!(encrypted.contains("try http://"), "{encrypted}");
}

#[test]
fn only_the_owner_opens_tables_where_that_is_so() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start(PlayOptions { only_owner_hosts: true, ..options(folder.path()) });
    let mut ada = Peer::person(&host, "Ada");
    assert_eq!(ada.refused(json!({ "type": "host", "table": {} })), "password");
    let mut owner = CheckedClient::connect(&host, &[]);
    owner.send(&json!({ "type": "hello", "version": 2, "password": "sesame street" }));
    assert_eq!(owner.hear()["owner"], true);
    owner.send(&json!({ "type": "host", "table": {}, "id": 3 }));
    assert_eq!(owner.hear()["type"], "table");
}

#[test]
fn engines_of_two_machines_play_at_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start(options(folder.path()));
    let address = host.address.clone();
    let swap2 = TableSettings { opening: Procedure::Swap2, ..TableSettings::default() };
    let place = RemotePlace::Table { settings: Box::new(swap2), seat: None, games: 2 };
    let seat = |link: &str, name: &str| dice(link, name, place.clone());
    let stop = AtomicBool::new(false);
    let (invite, invited) = channel();
    let (over, told) = channel();
    let other = over.clone();
    std::thread::scope(|scope| {
        let stop = &stop;
        let first = seat(&address, "First");
        scope.spawn(move || {
            let mut tell = |news| match news {
                RemoteNews::Seated { invite: link, .. } => invite.send(link).unwrap(),
                RemoteNews::Over { number, won, .. } => over.send(("First", number, won)).unwrap(),
                _ => {}
            };
            first.play(stop, &mut tell).unwrap();
        });
        let link = format!("{address}{}", invited.recv().unwrap());
        let second = seat(&link, "Second");
        scope.spawn(move || {
            let mut tell = |news| {
                if let RemoteNews::Over { number, won, .. } = news {
                    other.send(("Second", number, won)).unwrap();
                }
            };
            second.play(stop, &mut tell).unwrap();
        });
        // Each tells both games.
        let games: Vec<_> = told.iter().take(4).collect();
        for number in [1, 2] {
            let won = |name: &str| {
                let of = |(who, game, _): &&(&str, u64, _)| *who == name && *game == number;
                games.iter().find(of).unwrap().2
            };
            assert_eq!(won("First"), won("Second").map(|won| !won));
        }
    });
    let kept = std::fs::read_dir(folder.path().join("games")).unwrap();
    for file in kept {
        let path = file.unwrap().path();
        // One that is being written has another name.
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let text = std::fs::read_to_string(path).unwrap();
        let record = GameRecord::from_json_line(text.trim_end()).unwrap();
        assert_eq!(replay(&record).unwrap(), record.result);
    }
}

#[test]
fn tables_that_were_closed_count_no_more() {
    let host = Host::new();
    let mut ada = Peer::person(&host, "Ada");
    // Twice as many as there may be at once, and not too fast.
    for _ in 0..8 {
        ada.host(json!({}), "first");
        ada.say_here(json!({ "type": "close" }));
        ada.hear_a("closed");
    }
}

#[test]
fn who_enters_without_end_is_told_to_wait() {
    let host = Host::new();
    let (mut ada, mut bo, _) = seated(&host, json!({}));
    for _ in 0..200 {
        bo.say_here(json!({ "type": "enter" }));
    }
    bo.hear_until(|message| message["code"] == "too_fast");
    ada.play(&mut bo, json!({ "move": "h8" }));
}

#[test]
fn an_engine_that_missed_the_end_of_its_game_or_table_does_not_wait() {
    for is_closed in [false, true] {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::start(options(folder.path()));
        let address = host.address.clone();
        let mut ada = Peer::person(&host, "Ada");
        let table = ada.host(json!({ "time": "inf" }), "first");
        let key = table["you"][if is_closed { "host_key" } else { "key" }].as_str().unwrap();
        let link = format!("{address}#table={}", ada.table);
        let settings = Box::default();
        let seat = dice(&link, "Far", RemotePlace::Table { settings, seat: None, games: 1 });
        let (over, told) = channel();
        let playing = std::thread::spawn(move || {
            let mut tell = |news| {
                if let RemoteNews::Over { won, .. } = news {
                    over.send(won).unwrap();
                }
            };
            seat.play(&AtomicBool::new(false), &mut tell)
        });
        ada.hear_until(|message| message["state"]["phase"] == "playing");
        let table = ada.table.clone();
        drop(host);
        ada.hear_the_end();
        // The engine tries again after a second; by then it is over.
        let listener = HttpListener::bind(address[7..address.len() - 1].parse().unwrap()).unwrap();
        let host = Host::start_on(listener, options(folder.path()));
        let mut ada = Peer::person(&host, "Ada");
        ada.enter(&table, Some(key));
        if is_closed {
            ada.say_here(json!({ "type": "close" }));
            let ended = playing.join().unwrap().unwrap_err();
            assert!(matches!(ended, RemoteError::Closed(_)), "{ended}");
        } else {
            ada.say_here(json!({ "type": "act", "resign": true }));
            playing.join().unwrap().unwrap();
            assert_eq!(told.iter().collect::<Vec<_>>(), [Some(true)]);
        }
    }
}
