//! Clicks through the window on a display without a screen.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use xshell::{Shell, cmd};

use crate::engines;
use crate::process::{self, ChildGuard, WITH_TESTS, wait_for};
use crate::provision;
use crate::steps::{Steps, all_of};

/// What the program says where no window can be shown.
const NO_WINDOW: &str = "no window can be opened";
/// Where a panic of the program's own is; others are of the libraries that talk to the display.
const OWN_PANICS: [&str; 2] = ["panicked at platform/", "panicked at engine-sdk/"];
/// How long a display or a window may take to come on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);
/// How long the whole play may take.
const PLAY: Duration = Duration::from_secs(20 * 60);
/// What is played.
const TEST: &str = "test --workspace --test gui -- --ignored --exact \
    smoke::two_engines_play_to_the_end_of_a_game_begun_by_clicks";

/// The task `smoke`: the window on a display of its own, clicked by xdotool.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| engines::build_examples(sh, notes))?;
    steps.step("window", |_| all_of(try_window(sh)?))
}

/// Tries the window with engines that have been built. Returns why it was left out, where this
/// machine shows no windows. A window that came up has to play.
pub(crate) fn try_window(sh: &Shell) -> Result<Option<String>> {
    let program = process::build_program(sh, WITH_TESTS)?;
    try_program(sh, "smoke", Path::new("engines/libgreedy.so"), |_| Ok(program))
}

/// Tries a program that is made for a display, with an engine. What it leaves is in a folder within
/// cargo's.
pub(crate) fn try_program(
    sh: &Shell,
    folder: &str,
    engine: &Path,
    program: impl FnOnce(&str) -> Result<PathBuf>,
) -> Result<Option<String>> {
    let folder = sh.create_dir(process::target(sh, folder)?)?;
    let on_display = Shell::new()?;
    on_display.set_var("TMPDIR", sh.create_dir(folder.join("tmp"))?);
    let opened = provision::display(sh).and_then(|()| open_display(&on_display, &folder));
    let not_tried = |reason: String| format!("the window was not tried on a display: {reason}");
    if let Err(error) = &opened {
        return Ok(Some(not_tried(format!("{error:#}"))));
    }
    let program = program(&on_display.var("DISPLAY")?)?;
    if let Some(reason) = refusal(&on_display, &program, &folder.join("trial"))? {
        return Ok(Some(not_tried(reason)));
    }
    let engines = sh.create_dir(folder.join("engines"))?;
    sh.copy_file(engine, &engines)?;
    let test = process::cargo(&on_display, TEST).env("TENGEN_PROGRAM", program);
    let test = test.env("TENGEN_ENGINES", engines).env("TENGEN_PICTURES", &folder);
    process::run_within(test, PLAY)?;
    println!("   the pictures are in {}", folder.display());
    Ok(None)
}

/// Opens a display without a screen, which is closed when the server is dropped.
fn open_display(sh: &Shell, folder: &Path) -> Result<ChildGuard> {
    let told = folder.join("display");
    // It chooses a number that is free and writes it, and stays as it is when its last window is
    // closed.
    let mut server = Command::from(cmd!(
        sh,
        "Xvfb -displayfd 1 -screen 0 1280x900x24 +extension GLX -nolisten tcp -noreset"
    ));
    let mut server = ChildGuard::start(server.stdout(File::create(&told)?).stderr(Stdio::null()))?;
    let number = wait_for(PATIENCE, || {
        ensure!(server.0.try_wait()?.is_none(), "Xvfb opened no display");
        Ok(fs::read_to_string(&told)?.strip_suffix('\n').map(str::to_owned))
    })?;
    sh.set_var("DISPLAY", format!(":{}", number.context("Xvfb printed nothing")?));
    Ok(server)
}

/// Why no window comes up on the display, as where it has no OpenGL, or one that hangs, panics
/// or ends by a signal; a panic in the program's own lines is a failure, as is any other end.
fn refusal(sh: &Shell, program: &Path, folder: &Path) -> Result<Option<String>> {
    let start = cmd!(sh, "{program} gui --data {folder}").env("XDG_CONFIG_HOME", folder);
    let mut start = Command::from(start.env_remove("WAYLAND_DISPLAY"));
    let mut trial = ChildGuard::start(start.stdout(Stdio::null()).stderr(Stdio::piped()))?;
    let seen = wait_for(PATIENCE, || {
        let ended = trial.0.try_wait()?;
        Ok((ended.is_some() || shows_window(sh)).then_some(ended))
    })?;
    let Some(ended) = seen else {
        return Ok(Some(format!("no window came up within {} s", PATIENCE.as_secs())));
    };
    if let Some(status) = ended {
        let said = io::read_to_string(trial.0.stderr.take().context("it was given a pipe")?)?;
        let own = OWN_PANICS.iter().any(|panic| said.contains(panic));
        let known = said.contains(NO_WINDOW) || said.contains("panicked at");
        let is_display = !own && (known || status.code().is_none());
        ensure!(is_display, "the window ended ({status}): {said}");
        return Ok(Some(format!("the window ended ({status}): {}", said.trim())));
    }
    // The window of the trial goes first, so that it is not the one that is clicked.
    drop(trial);
    let gone = wait_for(PATIENCE, || Ok((!shows_window(sh)).then_some(())))?;
    gone.context("the window stays after its program has ended")?;
    Ok(None)
}

fn shows_window(sh: &Shell) -> bool {
    process::succeeds(cmd!(sh, "timeout 30 xdotool search --onlyvisible --name ^Tengen$"))
}
