//! `tengen serve --play` and `tengen play URL`: two engines at one table, across a server that is
//! killed.
#![cfg(all(unix, feature = "serve"))]

mod common;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

use common::running::RunningProgram;
use common::{ProgramRun, repository, tengen};
use serde_json::json;
use tempfile::TempDir;
use tengen_link::TableAddress;
use tengen_record::{GameRecord, replay};
use tengen_testkit::RawClient;

const PATIENCE: Duration = Duration::from_secs(240);

/// A server on that port, and its address.
fn serve(folder: &TempDir, port: &str) -> (RunningProgram, String) {
    let listen = format!("127.0.0.1:{port}");
    let mut command = tengen(["serve", "--play", "--listen", &listen, "--data"]);
    command.arg(folder.path()).env("XDG_DATA_HOME", folder.path());
    let mut server = RunningProgram::start(&mut command);
    let address = server.told("tengen: http://");
    let address = address.split('/').next().unwrap().to_owned();
    (server, address)
}

#[test]
fn a_rust_and_a_python_client_play_on_after_the_server_was_killed() {
    let folder = TempDir::new().unwrap();
    let (mut server, address) = serve(&folder, "0");
    let url = format!("http://{address}/");
    let play = ["play", &url, "--engine", "builtin:alphabeta", "--tc", "30+0", "--name", "Rust"];
    let mut rust = RunningProgram::start(&mut tengen(play));
    let link = rust.told("the other player's link: ");
    let mut python = Command::new("python3");
    python.arg(repository("examples/remote_player.py")).arg(&link);
    let python = python.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let Ok(python) = python else { panic!("a Python named python3, which this test needs") };
    // A viewer looks on until a few moves have been played.
    let table = link.parse::<TableAddress>().unwrap().table.unwrap();
    let mut viewer = RawClient::connect(&address, "/play", PATIENCE);
    viewer.send(&json!({ "type": "hello", "version": 2 }));
    viewer.send(&json!({ "type": "enter", "table": table }));
    let mut shown = 0;
    while shown < 4 {
        let message = viewer.hear().expect("the server is there");
        assert_ne!(message["type"], "over", "{message}");
        if message["type"] == "step" {
            shown = message["place"].as_u64().unwrap() + 1;
        }
    }
    server.kill();
    let (_server, _) = serve(&folder, address.rsplit(':').next().unwrap());
    let python = python.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&python.stdout).into_owned();
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));
    assert!(said.contains("over:"), "{said}");
    assert!(rust.child.wait().unwrap().success());
    // Its file may come later: the server has the record from the end of the game.
    let mut reader = RawClient::connect(&address, "/play", PATIENCE);
    reader.send(&json!({ "type": "hello", "version": 2 }));
    reader.send(&json!({ "type": "enter", "table": table }));
    reader.send(&json!({ "type": "record", "table": table, "game": 1, "format": "json" }));
    let line = loop {
        let message = reader.hear().expect("the server is there");
        assert_ne!(message["type"], "error", "{message}");
        if message["type"] == "record" {
            break message["text"].as_str().unwrap().to_owned();
        }
    };
    let record = GameRecord::from_json_line(line.trim_end()).unwrap();
    assert!(record.actions.len() as u64 > shown, "the game went on after the kill");
    assert_eq!(replay(&record).unwrap(), record.result);
    assert_eq!(record.header.seats.second.name, "Python");
    let log = fs::read_to_string(folder.path().join("tengen/log/tengen.log")).unwrap();
    let told = [
        "is opened by Rust",
        "is connected from 127.0.0.1: Python",
        "game 1 begins: Rust – Python",
        "game 1 is over: ",
    ];
    for words in told {
        assert!(log.lines().any(|line| line.contains(words)), "no `{words}` in:\n{log}");
    }
    assert!(!log.contains(&link), "keys are secret");
}

#[test]
fn a_python_client_opens_a_table_and_plays_there() {
    let folder = TempDir::new().unwrap();
    let (_server, address) = serve(&folder, "0");
    let mut python = Command::new("python3");
    python.arg(repository("examples/remote_player.py")).arg(format!("http://{address}/"));
    let mut python = python.stdout(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(python.stdout.take().unwrap());
    let (mut link, mut rest) = (String::new(), String::new());
    said.read_line(&mut link).unwrap();
    let play = ["play", link.trim(), "--engine", "builtin:alphabeta"];
    let mut rust = RunningProgram::start(&mut tengen(play));
    assert!(rust.child.wait().unwrap().success());
    said.read_to_string(&mut rest).unwrap();
    assert!(python.wait().unwrap().success() && rest.contains("over:"), "{rest}");
}

#[test]
fn what_is_wrong_is_said_before_anything_is_played() {
    let folder = TempDir::new().unwrap();
    let (_server, address) = serve(&folder, "0");
    let data = folder.path().to_str().unwrap();
    let taken = ["serve", "--play", "--listen", "127.0.0.1:0", "--data", data];
    ProgramRun::of(&mut tengen(taken)).refused(2, &[data, "another server", "--data"]);
    let url = format!("http://{address}/#table=nowhere");
    let play = |url: &str, more: &[&str]| ProgramRun::of(tengen(["play", url]).args(more));
    play(&url, &[]).refused(2, &["--engine", "browser"]);
    play(&url, &["--engine", "builtin:alphabeta"]).refused(2, &["no such table"]);
    play("http://127.0.0.1:1/", &["--engine", "builtin:alphabeta"])
        .refused(1, &["127.0.0.1:1", "cannot be reached"]);
    play("ftp://here", &["--engine", "builtin:alphabeta"]).refused(2, &["ftp://here", "http://"]);
    play("builtin:alphabeta", &["--engine", "builtin:alphabeta"]).refused(2, &["--engine"]);
    let serve = |more: &[&str]| {
        let mut command = tengen(["serve", "--play", "--listen", "127.0.0.1:0", "--data"]);
        ProgramRun::of(command.arg(folder.path().join("other")).args(more))
    };
    let pem = folder.path().join("no.pem");
    fs::write(&pem, "no certificate").unwrap();
    let pem = pem.to_str().unwrap();
    serve(&["--tls-cert", pem, "--tls-key", pem]).refused(2, &[pem, "certificate"]);
    serve(&["--tls-cert", pem]).refused(2, &["--tls-key"]);
    serve(&["--only-owner-hosts"]).refused(2, &["--password-file"]);
    serve(&["--password-file", pem, "--engine", "nobody"]).refused(2, &["nobody"]);
    let short = folder.path().join("short");
    fs::write(&short, "abc\n").unwrap();
    serve(&["--password-file", short.to_str().unwrap()]).refused(2, &["8 characters"]);
    ProgramRun::of(&mut tengen(["serve"])).refused(2, &["EVENT"]);
    ProgramRun::of(&mut tengen(["serve", "--data", data])).refused(2, &["--play"]);
}

/// The status and the text of the answer to a head of a request, sent as it is.
fn answer_to(address: &str, head: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut reader = BufReader::new(stream);
    let (mut answer, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        assert!(reader.read_line(&mut line).unwrap() > 0, "cut off after {answer}");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
        answer += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let status = answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap();
    (status, answer + &String::from_utf8_lossy(&body))
}

/// What a WebSocket is asked for with, beside its host.
const UPGRADE: &str = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
                       Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// A page under a name that was given this machine's address (DNS rebinding) gets nothing.
#[test]
fn a_server_answers_to_its_own_names_alone() {
    let folder = TempDir::new().unwrap();
    let mut command = tengen(["serve", "--play", "--listen", "127.0.0.1:0", "--data"]);
    command.arg(folder.path()).args(["--host-name", "Cup.example.org"]);
    let mut server = RunningProgram::start(&mut command);
    let address = server.told("tengen: http://");
    let address = address.split('/').next().unwrap();
    for path in ["/", "/api/events", "/play"] {
        let status = |hosts: &str| {
            let more = if path == "/play" { UPGRADE } else { "Connection: close\r\n" };
            answer_to(address, &format!("GET {path} HTTP/1.1\r\n{hosts}{more}\r\n"))
        };
        let fine = if path == "/play" { 101 } else { 200 };
        for own in [address, "localhost", "LOCALHOST.:9", "[::1]", "cup.example.org."] {
            assert_eq!(status(&format!("Host: {own}\r\n")).0, fine, "{path} {own}");
        }
        let (code, text) = status("Host: evil.example:8080\r\n");
        assert_eq!(code, 421, "{path}: {text}");
        assert!(text.contains("--host-name evil.example"), "{text}");
        let twice = format!("Host: {address}\r\nHost: {address}\r\n");
        for wrong in ["", &twice, "Host: \r\n", "Host: localhost/x\r\n"] {
            assert_eq!(status(wrong).0, 400, "{path} {wrong:?}");
        }
        // A header that no trusted proxy wrote counts for nothing.
        let forwarded = "Host: evil.example\r\nX-Forwarded-Host: localhost\r\n";
        assert_eq!(status(forwarded).0, 421, "{path}");
    }
    let target = format!("GET http://evil.example/ HTTP/1.1\r\nHost: {address}\r\n\r\n");
    assert_eq!(answer_to(address, &target).0, 421, "a target that names another host");
    let old = answer_to(address, "GET /api/events HTTP/1.0\r\n\r\n");
    assert_eq!(old.0, 400, "without a host there is no telling");
}
