//! Which files a brain finds, played through the program: those beside it, wherever it lies, and
//! the messages about those that it must not use.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use common::{ProgramRun, assert_whole, records, tengen};
use tempfile::TempDir;
use tengen_arbiter::Termination;
use tengen_rules::Seat;

/// A brain that plays its lines as its file of settings has them, the one that is named.
fn brain(settings: &str, begin: &str) -> String {
    format!(
        r#"#!/bin/sh
{begin}
read -r row < {settings} || exit 4
column=0
while read -r line; do
  case $line in
    START*|RESTART*) column=0; echo OK;;
    BEGIN*|TURN*|DONE*) echo "$column,$row"; column=$((column + 1));;
    ABOUT*) echo 'name="Row"';;
    SWAP2BOARD*) echo UNKNOWN;;
    END*) exit 0;;
  esac
done
"#
    )
}

fn lay(folder: &Path, file: &str, text: &str, mode: u32) {
    let path = folder.join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The program, told in that folder.
fn told(folder: &Path, arguments: &[&str]) -> ProgramRun {
    ProgramRun::of(tengen(arguments.iter().copied()).current_dir(folder))
}

/// Plays a game of that brain against the bare one.
fn plays(folder: &Path, first: &str, out: &str) {
    let game = ["match", first, "pbrain-bare", "--opening", "none", "--games", "1"];
    let time = ["--tc", "move=60", "--startup", "100", "--out", out];
    told(folder, &[&game[..], &time].concat()).done();
}

/// A package, a bare brain in the folder of engines, and something of neither.
fn ground() -> TempDir {
    let ground = TempDir::new().unwrap();
    lay(ground.path(), "Row/pbrain-row", &brain("config.toml", ""), 0o755);
    lay(ground.path(), "Row/config.toml", "3\n", 0o644);
    lay(ground.path(), "engines/pbrain-bare", &brain("pbrain-bare.ini", ""), 0o755);
    lay(ground.path(), "engines/pbrain-bare.ini", "9\n", 0o644);
    lay(ground.path(), "secret", "words\n", 0o644);
    ground
}

#[test]
fn a_brain_finds_its_settings_by_its_path_by_a_command_and_bare() {
    let ground = ground();
    for (number, first) in
        ["Row/pbrain-row", "cmd:./Row/pbrain-row", "cmd:Row/pbrain-row -x"].into_iter().enumerate()
    {
        let out = format!("event{number}");
        plays(ground.path(), first, &out);
        let event = ground.path().join(&out);
        assert_whole(&event, 1);
        let [record] = &records(&event)[..] else { panic!("one game") };
        assert_eq!(record.result.termination, Termination::Five, "{first}: {:?}", record.detail);
        assert_eq!(record.header.seats[Seat::First].id, first);
    }
    // A command means the same wherever its event goes on.
    let event = fs::read_to_string(ground.path().join("event1/event.toml")).unwrap();
    let typed = format!("folder = {:?}", dunce::canonicalize(ground.path()).unwrap());
    assert!(event.contains(&typed), "{event}");
}

#[test]
fn the_list_says_which_files_are_read() {
    let ground = ground();
    fs::rename(ground.path().join("Row"), ground.path().join("engines/Row")).unwrap();
    let text = told(ground.path(), &["engines", "list"]).done();
    for words in ["Reads", "itself, pbrain-bare.ini", "Row/"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    assert!(!text.contains("Cannot be loaded"), "{text}");
    let text = told(ground.path(), &["engines", "list", "--json"]).done();
    let list: serde_json::Value = serde_json::from_str(&text).unwrap();
    let reads = |id: &str| {
        let engines = list["engines"].as_array().unwrap();
        let engine = engines.iter().find(|engine| engine["id"] == id).unwrap();
        engine["reads"].clone()
    };
    let bare = ["engines/pbrain-bare", "engines/pbrain-bare.ini"];
    assert_eq!(reads("pbrain-bare"), serde_json::json!(bare));
    assert_eq!(reads("Row"), serde_json::json!(["engines/Row/pbrain-row", "engines/Row"]));
}

#[test]
fn a_file_that_is_denied_is_named_in_the_record_and_where_an_engine_cannot_start() {
    let ground = ground();
    let secret = dunce::canonicalize(ground.path().join("secret")).unwrap().display().to_string();
    lay(ground.path(), "Spy/pbrain-spy", &brain("config.toml", "cat ../secret"), 0o755);
    lay(ground.path(), "Spy/config.toml", "5\n", 0o644);
    lay(ground.path(), "Lost/pbrain-lost", &brain("../secret", ""), 0o755);
    plays(ground.path(), "Spy/pbrain-spy", "event");
    let [record] = &records(&ground.path().join("event"))[..] else { panic!("one game") };
    let layers = &record.header.seats[Seat::First].layers;
    if !layers.iter().any(|layer| layer == "landlock") {
        return;
    }
    let lines: Vec<_> = record.actions.iter().flat_map(|action| &action.said).collect();
    let expected = format!("was denied {secret}");
    assert_eq!(lines.iter().filter(|line| ***line == expected).count(), 1, "{lines:?}");
    let check = told(ground.path(), &["engines", "check", "Spy/pbrain-spy"]);
    let text = check.stdout + &check.stderr;
    let denied = text.lines().find(|line| line.contains("  denied ")).unwrap_or_default();
    assert!(denied.contains(&secret), "{text}");
    let lost = told(ground.path(), &["match", "Lost/pbrain-lost", "pbrain-bare", "--games", "1"]);
    lost.refused(1, &["was denied", &secret, "exited with code 4"]);
}
