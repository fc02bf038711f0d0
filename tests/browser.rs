//! The page in a real browser: a report without a network, a live event, and tables where people
//! play.
#![cfg(all(unix, feature = "serve"))]

mod common;

use std::env;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use common::running::RunningProgram;
use common::{ProgramRun, repository, tengen};
use tempfile::TempDir;

/// A match with an opening procedure, in this folder.
fn game(out: &Path, games: &str, tc: &str) -> Command {
    let mut event = tengen(["match", "builtin:alphabeta", "builtin:alphabeta", "--rule", "renju"]);
    event.args(["--opening", "swap2", "--concurrency", "2", "--games", games, "--tc", tc]);
    event.arg("--out").arg(out);
    event
}

/// Looks at pages with the browser, by one of the scripts of the page; its output is in view.
fn look(script: &str, pages: &[OsString]) {
    let given = |name: &str| env::var_os(name).expect("cargo xtask page sets it");
    let mut look = Command::new("node");
    look.arg(repository("platform/web/tests").join(script));
    look.args([given("TENGEN_BROWSER"), given("TENGEN_AXE")]).args(pages);
    assert!(look.status().expect("node is installed").success(), "{look:?} failed");
}

/// Starts a program that serves, and returns its address.
fn serve(command: &mut Command) -> (RunningProgram, OsString) {
    let mut server = RunningProgram::start(command);
    let told = server.told("http://");
    let path = told.split_whitespace().next().expect("an address");
    (server, format!("http://{path}").into())
}

#[test]
#[ignore = "needs a browser and what it is tried with; `cargo xtask page` provides both"]
fn a_report_and_a_live_event_are_shown() {
    let folder = TempDir::new().unwrap();
    let (cup, report) = (folder.path().join("cup"), folder.path().join("cup.html"));
    ProgramRun::of(&mut game(&cup, "6", "nodes=400")).done();
    let mut write = tengen(["tournament", "report"]);
    ProgramRun::of(write.arg(&cup).arg("--html").arg(&report)).done();
    let test = folder.path().join("test");
    ProgramRun::of(game(&test, "6", "nodes=400").args(["--sprt", "elo0=0,elo1=5"])).done();
    let (_several, list) = serve(tengen(["serve", "--listen", "127.0.0.1:0"]).args([&cup, &test]));
    // It runs as long as the browser looks at it, and no longer.
    let mut live = game(&folder.path().join("live"), "50", "nodes=2000");
    let (_live, address) = serve(live.args(["--serve", "127.0.0.1:0"]));
    look("browser.mjs", &[report.into(), address, list]);
}

/// An event of three engines in this folder.
fn three(out: &Path, games: &str, tc: &str) -> Command {
    let mut event = tengen(["tournament", "run", "--rule", "renju", "--concurrency", "2"]);
    event.args([["--engines", "builtin:alphabeta"]; 3].concat()).args(["--games", games]);
    event.args(["--tc", tc, "--out"]).arg(out);
    event
}

#[test]
#[ignore = "needs a browser and what it is tried with; `cargo xtask page` provides both"]
fn a_visitor_follows_events() {
    let folder = TempDir::new().unwrap();
    let (cup, report) = (folder.path().join("cup"), folder.path().join("cup.html"));
    ProgramRun::of(&mut three(&cup, "4", "nodes=400")).done();
    let mut write = tengen(["tournament", "report"]);
    ProgramRun::of(write.arg(&cup).arg("--html").arg(&report)).done();
    let large = folder.path().join("large");
    ProgramRun::of(&mut three(&large, "40", "nodes=20")).done();
    let (_large, list) = serve(tengen(["serve", "--listen", "127.0.0.1:0"]).arg(&large));
    // It runs as long as the browser looks at it. Each move takes longer than what is told
    // meanwhile.
    let mut live = three(&folder.path().join("live"), "100", "nodes=12000");
    let (_live, address) = serve(live.args(["--serve", "127.0.0.1:0"]));
    look("visiting.mjs", &[report.into(), address, list]);
}

#[test]
#[ignore = "needs a browser and what it is tried with; `cargo xtask page` provides both"]
fn people_play_at_tables() {
    let folder = TempDir::new().unwrap();
    let tables = ["serve", "--play", "--listen", "127.0.0.1:0", "--engine", "builtin:alphabeta"];
    let named = ["--host-name", "lab.test", "--most-engines", "8"];
    let (_tables, address) =
        serve(tengen(tables).args(named).arg("--data").arg(folder.path().join("tables")));
    look("playing.mjs", &[address]);
}
