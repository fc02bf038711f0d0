//! The arbiter killed from outside, while an engine has processes that it started.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::common::{GREEDY, tengen};
use crate::exhibit::{Exhibit, ExpectedEnding};
use crate::remains::{processes, running, within};
use crate::show::without;

/// The processes that it starts, each in a session of its own where no wall keeps it from that, and
/// without a living parent; and its own.
const ITS_PROCESSES: usize = 4;
const EXHIBIT: Exhibit = Exhibit::brain("has helpers", &["BAD=HAS_HELPERS"], ExpectedEnding::Plays);

/// Kills an arbiter in the middle of a game, and waits for the end of what the engine has started.
fn kill(folder: &Path, mut arbiter: Command) {
    fs::create_dir(folder.join("tmp")).expect("a new folder");
    let engine = EXHIBIT.lay(folder, 9);
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
    kill(folder.path(), tengen([]));
}

#[test]
fn nor_what_left_its_group() {
    let folder = TempDir::new().unwrap();
    kill(folder.path(), without(folder.path(), &["seccomp"]));
}
