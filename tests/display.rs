//! `tengen gui` where no window can be shown.
#![cfg(all(target_os = "linux", feature = "gui"))]

mod common;

use common::{ProgramRun, tengen};

/// What the system says of a display, and where it is not.
const MISSING: [&[(&str, &str)]; 3] =
    [&[], &[("DISPLAY", ":9183")], &[("WAYLAND_DISPLAY", "wayland-9183")]];

#[test]
fn a_display_that_is_missing_is_told_in_words_with_what_to_do() {
    let home = tempfile::tempdir().unwrap();
    for variables in MISSING {
        let mut start = tengen(["gui", "--data"]);
        start.arg(home.path()).env("XDG_CONFIG_HOME", home.path());
        for variable in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
            start.env_remove(variable);
        }
        start.env("XDG_RUNTIME_DIR", home.path()).envs(variables.iter().copied());
        let run = ProgramRun::of(&mut start);
        assert!(!run.stderr.contains(".rs:"), "places in libraries do not help: {}", run.stderr);
        run.refused(1, &["no window can be opened", "X11 or Wayland", "tengen match"]);
    }
}
