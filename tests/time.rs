//! An engine that uses its time as the SDK's documentation says, in games with a clock.

mod common;

use std::path::{Path, PathBuf};

use common::{ProgramRun, assert_whole, records, tengen};
use tempfile::TempDir;
use tengen_arbiter::Termination;

/// The engine that thinks until `is_up`, as `cargo xtask test` has built it.
fn spinner(name: &str) -> String {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in target");
    let path = target.join("test-engines").join(name);
    assert!(path.exists(), "{} is missing: cargo xtask test builds it", path.display());
    path.to_str().expect("the path is UTF-8").to_owned()
}

fn both() -> [String; 2] {
    let native = format!("{}spinner{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    [spinner(&native), spinner("spinner.wasm")]
}

/// Plays a pair of games on the smallest board.
fn play(folder: &TempDir, tc: &str) -> PathBuf {
    let out = folder.path().join(tc.replace('=', "-"));
    let [native, wasm] = both();
    let event = ["match", &native, &wasm, "--tc", tc, "--games", "2", "--concurrency", "2"];
    let folders = ["--size", "5", "--out", out.to_str().expect("a plain path")];
    ProgramRun::of(&mut tengen([&event[..], &folders].concat())).done();
    out
}

#[test]
fn whoever_answers_when_the_time_is_up_loses_no_game_by_time() {
    let folder = TempDir::new().unwrap();
    for tc in ["2+0.1", "move=0.05", "0.3+0.02"] {
        let out = play(&folder, tc);
        assert_whole(&out, 2);
        for record in records(&out) {
            // What a busy machine lets it wait is given back.
            let is_late = record.result.termination == Termination::Timeout;
            assert!(!is_late, "{tc}: {:?} {:?}", record.result, record.conditions);
        }
    }
}

#[test]
fn it_passes_its_check() {
    for path in both() {
        ProgramRun::of(&mut tengen(["engines", "check", &path])).done();
    }
}
