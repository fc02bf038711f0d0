//! `tengen engines new`: a project of each language builds, passes its own test and `check`, and
//! plays, wherever it is. A language whose tools are not on this machine is left out, with a note.
#![cfg(unix)]

mod common;

use std::path::Path;
use std::process::Command;

use common::{ProgramRun, tengen};
use tempfile::TempDir;

/// Whether a command can be run here.
fn is_there(program: &str) -> bool {
    let version = if program == "zig" { "version" } else { "--version" };
    Command::new(program).arg(version).output().is_ok_and(|output| output.status.success())
}

fn shell(folder: &Path, command: &str) {
    let output = Command::new("sh").args(["-c", command]).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {said}");
}

/// Makes a project and does all that its README names.
fn follow(language: &str, tools: &[&str], build: &str, test: &str, engine: &str) {
    if let Some(missing) = tools.iter().find(|tool| !is_there(tool)) {
        eprintln!("note: no {missing} here, so no engine in {language} was built");
        return;
    }
    let folder = TempDir::new().unwrap();
    let run = |arguments: &[&str], at: &Path| {
        let mut command = tengen(arguments.iter().copied());
        ProgramRun::of(command.current_dir(at)).done()
    };
    let made = run(&["engines", "new", "my-first", "--lang", language], folder.path());
    let project = folder.path().join("my-first");
    assert!(made.contains(engine), "{}", made);
    shell(&project, build);
    shell(&project, test);
    let engine = format!("./{engine}");
    let checked = run(&["engines", "check", &engine], &project);
    assert!(checked.contains("checks passed"), "{}", checked);
    let game = ["match", &engine, "builtin:alphabeta", "--tc", "60,nodes=50", "--games", "2"];
    run(&[&game[..], &["--margin", "30", "--out", "event"]].concat(), &project);
    let report = run(&["tournament", "report", "event", "--json"], &project);
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    for standing in report["standings"].as_array().unwrap() {
        for cause in standing["terminations"].as_object().unwrap().keys() {
            assert!(["five", "board-full"].contains(&cause.as_str()), "{report}");
        }
    }
}

fn library(name: &str) -> String {
    format!("{name}.{}", std::env::consts::DLL_EXTENSION)
}

#[test]
fn a_rust_engine_builds_without_a_network() {
    let engine = format!("target/release/{}", library("libmy_first"));
    let build = "env -u CARGO_TARGET_DIR cargo build --release --offline";
    follow("rust", &["cargo"], build, "env -u CARGO_TARGET_DIR cargo test --offline", &engine);
}

/// What works natively and panics in a module is told while the author writes it.
#[test]
fn clippy_names_what_webassembly_has_not() {
    let is_there = Command::new("cargo").args(["clippy", "--version"]).output();
    if !is_there.is_ok_and(|output| output.status.success()) {
        eprintln!("note: no clippy here");
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut command = tengen(["engines", "new", "first"]);
    ProgramRun::of(command.current_dir(folder.path())).done();
    let project = folder.path().join("first");
    let source = project.join("src/lib.rs");
    let mut text = std::fs::read_to_string(&source).unwrap();
    text += "\npub fn now() -> std::time::Instant {\n    std::time::Instant::now()\n}\n";
    std::fs::write(&source, text).unwrap();
    let mut clippy = Command::new("cargo");
    clippy.args(["clippy", "--offline"]).current_dir(&project).env_remove("CARGO_TARGET_DIR");
    let output = clippy.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("WebAssembly has no clock"), "{said}");
    assert_eq!(said.matches("use of a disallowed method").count(), 1, "{said}");
}

#[test]
fn a_c_engine_builds() {
    follow("c", &["cc", "make"], "make", "make test", &library("my-first"));
}

#[test]
fn a_cpp_engine_builds() {
    follow("cpp", &["c++", "make"], "make", "make test", &library("my-first"));
}

#[test]
fn a_python_engine_plays() {
    follow("python", &["python3"], "true", "python3 -m unittest", "pbrain-my-first");
}

#[test]
fn a_zig_engine_builds() {
    let engine = format!("zig-out/lib/{}", library("libmy_first"));
    follow("zig", &["zig"], "zig build && zig build wasm", "zig build test", &engine);
}

/// Its compiler comes from a registry of packages, which may be out of reach.
#[test]
fn an_assemblyscript_engine_builds() {
    let registry = Command::new("npm").args(["view", "assemblyscript", "version"]).output();
    if !registry.is_ok_and(|output| output.status.success()) {
        eprintln!("note: no registry of npm here, so no engine in AssemblyScript was built");
        return;
    }
    let build = "npm install && npm run build";
    follow("assemblyscript", &["npm", "node"], build, "npm test", "build/my-first.wasm");
}

#[test]
fn a_folder_that_is_there_is_not_touched() {
    let folder = TempDir::new().unwrap();
    std::fs::create_dir(folder.path().join("first")).unwrap();
    let mut command = tengen(["engines", "new", "first"]);
    ProgramRun::of(command.current_dir(folder.path())).refused(2, &["first", "exists already"]);
    let mut command = tengen(["engines", "new", "First Try"]);
    ProgramRun::of(command.current_dir(folder.path())).refused(2, &["small letters"]);
}
