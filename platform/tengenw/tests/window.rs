//! `tengenw` beside a script in the place of `tengen`.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

/// What it says and whether it succeeds, beside a `tengen` with this code.
fn run(folder: &Path, script: &str) -> (String, bool) {
    let program = folder.join("tengenw");
    fs::copy(env!("CARGO_BIN_EXE_tengenw"), &program).unwrap();
    let tengen = folder.join("tengen");
    fs::write(&tengen, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&tengen, fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(&program).args(["a b", "--data", "d"]).output().unwrap();
    (String::from_utf8(output.stderr).unwrap(), output.status.success())
}

#[test]
fn the_window_gets_the_arguments_and_what_it_says_when_it_fails_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let seen = run(folder.path(), r#"printf '%s|' "$@" > "$(dirname "$0")/seen"; echo fine >&2"#);
    assert_eq!(seen, (String::new(), true));
    assert_eq!(fs::read_to_string(folder.path().join("seen")).unwrap(), "gui|a b|--data|d|");
    let seen = run(folder.path(), "echo 'no window can be opened' >&2; exit 1");
    assert_eq!(seen, ("no window can be opened\n".to_owned(), false));
}
