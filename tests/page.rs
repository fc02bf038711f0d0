//! `tournament report --html` and `--csv`, `tengen serve`, and `--serve`.

mod common;

use std::fs;
use std::net::TcpListener;

use common::{ALPHABETA, GREEDY, ProgramRun, done, tengen};
use tempfile::TempDir;

/// A small match in a folder.
fn cup(folder: &TempDir) -> String {
    let cup = folder.path().join("cup").to_str().unwrap().to_owned();
    let game = ["match", GREEDY, ALPHABETA, "--rule", "renju", "--opening", "swap2"];
    let limits = ["--tc", "nodes=200", "--games", "4", "--out", &cup];
    done(game.into_iter().chain(limits));
    cup
}

#[test]
fn a_report_is_one_file_that_asks_for_nothing() {
    let folder = TempDir::new().unwrap();
    let cup = cup(&folder);
    let (html, csv) = (format!("{cup}.html"), format!("{cup}.csv"));
    let told = done(["tournament", "report", &cup, "--html", &html, "--csv", &csv]);
    assert_eq!(told, "", "what is in files is not printed as well");
    let html = fs::read_to_string(html).unwrap();
    assert!(html.starts_with("<!doctype html>") && html.trim_end().ends_with("</html>"));
    assert!(html.contains("Content-Security-Policy") && html.contains("default-src 'none'"));
    assert!(!html.contains(" src=\""), "everything is in the file");
    let csv = fs::read_to_string(csv).unwrap();
    assert_eq!(csv.lines().count(), 5, "{csv}");
    let nowhere = format!("{cup}/no/such/folder.html");
    ProgramRun::of(&mut tengen(["tournament", "report", &cup, "--html", &nowhere]))
        .refused(1, &[&nowhere, "cannot be written"]);
}

#[test]
#[cfg(feature = "serve")]
fn an_address_in_use_is_refused_before_anything_is_made() {
    let folder = TempDir::new().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let out = folder.path().join("event").to_str().unwrap().to_owned();
    let words = [address.as_str(), "another program listens there", "name another port"];
    let run = ["match", GREEDY, ALPHABETA, "--out", &out, "--serve", &address];
    ProgramRun::of(&mut tengen(run)).refused(2, &words);
    assert!(!folder.path().join("event").exists());
    let cup = cup(&folder);
    ProgramRun::of(&mut tengen(["serve", &cup, "--listen", &address])).refused(2, &words);
    let nowhere = format!("{cup}-nowhere");
    ProgramRun::of(&mut tengen(["serve", &nowhere, "--listen", "127.0.0.1:0"]))
        .refused(2, &[&nowhere]);
    ProgramRun::of(&mut tengen(["serve", &cup, "--listen", "here"])).refused(2, &["--listen"]);
}

#[test]
#[cfg(all(unix, feature = "serve"))]
fn an_event_is_served_from_its_folder_until_ctrl_c() {
    use std::io::{Read as _, Write as _};

    let folder = TempDir::new().unwrap();
    let cup = cup(&folder);
    let serve = ["serve", &cup, "--listen", "127.0.0.1:0"];
    let mut serve = common::running::RunningProgram::start(&mut tengen(serve));
    let told = serve.told("http://");
    let address = told.split('/').next().unwrap();
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let ask = "GET /api/events/cup HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(ask.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"finished\":4"), "{answer}");
    let id = serve.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(serve.end().0, Some(0));
}
