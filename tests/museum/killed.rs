//! The arbiter killed from outside, while an engine has processes that it started.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::common::{GREEDY, repository, tengen};
use crate::exhibit::{Ending, Exhibit};
use crate::remains::{processes, running, within};

/// The processes that it starts, each in a session of its own where no wall keeps it from that, and
/// without a living parent; and its own.
const ITS_PROCESSES: usize = 4;
const EXHIBIT: Exhibit = Exhibit::brain("has helpers", &["BAD=HAS_HELPERS"], Ending::Plays);

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

/// The program, on a machine that filters no system calls.
fn unfiltered(folder: &Path) -> PathBuf {
    let program = folder.join("unfiltered");
    let mut cc = Command::new("cc");
    cc.arg(format!("-DHOST=\"{}\"", env!("CARGO_BIN_EXE_tengen"))).arg("-o").arg(&program);
    cc.arg(repository("platform/hosts/tests/engines/unfiltered.c"));
    assert!(cc.status().expect("a C compiler named cc").success());
    program
}

#[test]
fn nothing_that_an_engine_started_outlives_the_arbiter() {
    let folder = TempDir::new().unwrap();
    kill(folder.path(), tengen([]));
}

#[test]
fn nor_what_left_its_group() {
    let folder = TempDir::new().unwrap();
    let mut arbiter = Command::new(unfiltered(folder.path()));
    arbiter.current_dir(repository(""));
    kill(folder.path(), arbiter);
}
