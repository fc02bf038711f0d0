//! The arbiter killed from outside, while an engine has processes that it started.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::common::{GREEDY, tengen};
use crate::exhibit::{self, Exhibit, ExpectedEnding};
use crate::remains::{processes, running, within};
use crate::show::without;

/// The processes that it starts, each in a session of its own where no wall keeps it from that, and
/// without a living parent; and its own.
const ITS_PROCESSES: usize = 4;
const EXHIBIT: Exhibit = exhibit::brain("has helpers", &["BAD=HAS_HELPERS"], ExpectedEnding::Plays);
/// The same, with nothing of the environment that it was started with.
const NAMELESS: Exhibit =
    exhibit::brain("has nameless helpers", &["BAD=NAMELESS"], ExpectedEnding::Plays);

/// Kills an arbiter in the middle of a game, and waits for the end of what the engine has started.
fn kill(folder: &Path, exhibit: Exhibit, mut arbiter: Command) {
    fs::create_dir(folder.join("tmp")).expect("a new folder");
    let engine = exhibit.lay(folder, 9);
    arbiter.args(["match", "--games", "2", "--tc", "move=3600"]).arg(&engine).arg(GREEDY);
    arbiter.arg("--out").arg(folder.join("event")).env("TMPDIR", folder.join("tmp"));
    let mut arbiter = arbiter.spawn().expect("the program starts");
    while running(&engine) < ITS_PROCESSES {
        assert_eq!(arbiter.try_wait().unwrap(), None, "it plays until it is killed");
    }
    arbiter.kill().expect("it runs");
    arbiter.wait().expect("it has been killed");
    assert!(within(|| processes(folder).is_empty()), "left: {:?}", processes(folder));
}

#[test]
fn nothing_that_an_engine_started_outlives_the_arbiter() {
    let folder = TempDir::new().unwrap();
    kill(folder.path(), EXHIBIT, tengen([]));
}

#[test]
fn nor_what_left_its_group() {
    let folder = TempDir::new().unwrap();
    kill(folder.path(), EXHIBIT, without(folder.path(), &["seccomp"]));
}

/// Without namespaces the kernel does not end what is left.
#[test]
fn nor_what_keeps_nothing_of_its_environment() {
    let mut walls = vec![&["pid_ns"][..], &["pid_ns", "cgroup_memory"]];
    if has_groups() {
        // Then it leaves its process group, too.
        walls.push(&["pid_ns", "seccomp"]);
    }
    for walls in walls {
        let folder = TempDir::new().unwrap();
        kill(folder.path(), NAMELESS, without(folder.path(), walls));
    }
}

/// Whether this user has control groups to count an engine in.
fn has_groups() -> bool {
    let told = tengen(["doctor", "--quick", "--json"]).output().expect("the program runs").stdout;
    let told: serde_json::Value = serde_json::from_slice(&told).expect("JSON");
    let held = told["sandbox"]["held"].as_array().expect("a list");
    let has = held.iter().any(|layer| layer == "cgroup_pids");
    if !has {
        println!("skipped: no control groups");
    }
    has
}
