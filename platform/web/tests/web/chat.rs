//! Pictures in the chat of a table: what is taken, what becomes of it, and what is refused.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use image::{DynamicImage, GrayImage, ImageFormat, RgbImage};
use serde_json::{Value, json};

use crate::peer::{CheckedClient, Host, Peer, options};

/// What no picture shows.
const SECRET: &[u8] = b"<script>alert(1)</script>";

fn png(image: impl Into<DynamicImage>) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    image.into().write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

/// A wide picture with something else behind its end.
fn polyglot() -> Vec<u8> {
    let mut file = png(RgbImage::from_pixel(640, 320, image::Rgb([200, 30, 30])));
    file.extend_from_slice(SECRET);
    file
}

fn chat(text: &str, picture: &[u8]) -> Value {
    json!({ "type": "chat", "text": text, "picture": STANDARD.encode(picture) })
}

/// Somebody who looks on at the table.
fn viewer(host: &Host, table: &str) -> Peer {
    let mut viewer = Peer::person(host, "Eve");
    viewer.enter(table, None);
    viewer
}

/// The code of the refusal of a picture at a table.
fn refused(peer: &mut Peer, mut message: Value) -> String {
    message["table"] = json!(peer.table);
    peer.refused(message)
}

#[test]
fn a_picture_is_drawn_anew_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    let host = Host::start(options(folder.path()));
    let mut ada = Peer::person(&host, "Ada");
    let key = ada.host(json!({}), "first")["you"]["key"].as_str().unwrap().to_owned();
    let mut eve = viewer(&host, &ada.table);
    ada.say_here(chat("look", &polyglot()));
    let line = eve.hear_a("chat")["line"].take();
    assert_eq!((&line["from"], &line["text"]), (&json!("Ada"), &json!("look")));
    let picture = &line["picture"];
    assert_eq!((&picture["width"], &picture["height"]), (&json!(320), &json!(160)));
    let file = STANDARD.decode(picture["data"].as_str().unwrap()).unwrap();
    assert!(polyglot().ends_with(SECRET));
    assert!(!file.windows(SECRET.len()).any(|part| part == SECRET));
    let seen = image::load_from_memory(&file).unwrap().into_rgb8();
    assert_eq!(seen.get_pixel(9, 9).0, [200, 30, 30]);
    // The next one has to wait, words have not.
    assert_eq!(refused(&mut ada, chat("", &polyglot())), "too_fast");
    ada.say_here(json!({ "type": "chat", "text": "sorry" }));
    assert_eq!(eve.hear_a("chat")["line"]["text"], "sorry");
    eve.say_here(chat("", &polyglot()));
    let own = ada.hear_until(|message| message["line"]["from"] == "Eve");
    assert_eq!(own["line"]["text"], "");
    let table = ada.table.clone();
    drop((ada, eve, host));
    let host = Host::start(options(folder.path()));
    let shown = Peer::person(&host, "Ada").enter(&table, Some(&key));
    let lines = shown["chat"].as_array().unwrap();
    assert_eq!((lines.len(), &lines[0]), (3, &line));
}

#[test]
fn what_is_no_small_picture_is_refused() {
    let host = Host::new();
    let mut ada = Peer::person(&host, "Ada");
    ada.host(json!({}), "first");
    let bomb = png(GrayImage::new(2000, 2000));
    assert!(bomb.len() < 40_000, "{}", bomb.len());
    for file in [&bomb[..], b"<svg xmlns='http://www.w3.org/2000/svg'/>", &polyglot()[..60], b""] {
        assert_eq!(refused(&mut viewer(&host, &ada.table), chat("look", file)), "picture");
    }
    let not_base64 = json!({ "type": "chat", "text": "", "picture": "?" });
    assert_eq!(refused(&mut viewer(&host, &ada.table), not_base64), "picture");
    // Nobody was told of any of them.
    ada.say_here(json!({ "type": "chat", "text": "end" }));
    assert_eq!(ada.hear_a("chat")["line"]["text"], "end");
    ada.host(json!({ "chat": false }), "first");
    assert_eq!(refused(&mut ada, chat("look", &polyglot())), "not_now");
}

#[test]
fn only_a_picture_makes_a_message_longer() {
    let host = Host::new();
    let mut ada = Peer::person(&host, "Ada");
    ada.host(json!({}), "first");
    let mut state = 1_u32;
    let noise = RgbImage::from_fn(110, 110, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        image::Rgb([8, 16, 24].map(|shift| (state >> shift) as u8))
    });
    let picture = chat("", &png(noise));
    assert!(picture.to_string().len() > 40_000);
    ada.say_here(picture);
    assert_eq!(ada.hear_a("chat")["line"]["picture"]["type"], "jpeg");
    let long = "x".repeat(5_000);
    for message in [
        json!({ "type": "chat", "text": long }),
        json!({ "type": "chat", "text": long, "picture": "" }),
        json!({ "type": "engine", "engine": long }),
    ] {
        assert_eq!(refused(&mut ada, message), "message");
    }
    // What is longer than any picture ends the connection, as what is long does in an event.
    ada.say_here(json!({ "type": "chat", "text": "", "picture": "x".repeat(70_000) }));
    ada.hear_the_end();
    let mut nobody = CheckedClient::connect(&host, &[]);
    nobody.send(&json!({ "type": "hello", "version": 2, "name": long }));
    assert_eq!(nobody.hear()["code"], "message");
}
