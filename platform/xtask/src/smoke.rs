//! Clicks through the window on a display without a screen.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::artifacts;
use crate::engines;
use crate::process;
use crate::provision;
use crate::steps::Steps;
use crate::workspace;

/// What the program says where no window can be shown.
const NO_WINDOW: &str = "no window can be opened";
/// Where a panic of the program's own is; others are of the libraries that talk to the display.
const OWN_PANICS: [&str; 2] = ["panicked at platform/", "panicked at engine-sdk/"];
/// How long a display or a window may take to come on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(240);
/// How long a look at the display may take.
const LOOK: Duration = Duration::from_secs(30);
/// How long the whole play may take.
const PLAY: Duration = Duration::from_secs(20 * 60);

/// The task `smoke`: the window on a display of its own, clicked by xdotool.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    steps.step("engines", engines::build_examples)?;
    steps.step("window", |_| match setup()? {
        SmokeSetup::Ready(setup) => setup.play(),
        SmokeSetup::Missing(reason) => bail!(reason),
    })?;
    steps.summarise();
    Ok(())
}

/// The same as a step of the tests, whose engines are built: without a display, which not every
/// machine can be given, it is left out, and that is said. A window that came up has to play.
pub(crate) fn step(notes: &mut Vec<String>) -> Result<()> {
    match setup()? {
        SmokeSetup::Ready(setup) => setup.play(),
        SmokeSetup::Missing(reason) => {
            notes.push(format!("the window was not tried on a display: {reason}"));
            Ok(())
        }
    }
}

enum SmokeSetup {
    Ready(SmokeTest),
    /// Why this machine shows no windows.
    Missing(String),
}

/// The program, engines for it, and a display on which its window comes up.
struct SmokeTest {
    program: PathBuf,
    folder: PathBuf,
    display: Display,
}

fn setup() -> Result<SmokeSetup> {
    if !cfg!(target_os = "linux") {
        return Ok(SmokeSetup::Missing("Xvfb is a display of Linux".to_owned()));
    }
    if let Err(error) = provision::display() {
        return Ok(SmokeSetup::Missing(format!("{error:#}")));
    }
    let program = artifacts::test_program()?;
    let folder = workspace::target()?.join("smoke");
    let engines = folder.join("engines");
    fs::create_dir_all(&engines)?;
    let (prefix, suffix) = (std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX);
    let greedy = format!("{prefix}greedy{suffix}");
    artifacts::install(&Path::new("engines").join(&greedy), &engines.join(&greedy))?;
    let display = match Display::open() {
        Ok(display) => display,
        Err(error) => return Ok(SmokeSetup::Missing(format!("{error:#}"))),
    };
    let test = SmokeTest { program, folder, display };
    Ok(match test.refusal()? {
        Some(reason) => SmokeSetup::Missing(reason),
        None => SmokeSetup::Ready(test),
    })
}

impl SmokeTest {
    /// Why no window comes up on the display, as where it has no OpenGL, or one that hangs, panics
    /// or ends by a signal; a panic in the program's own lines is a failure, as is any other end.
    fn refusal(&self) -> Result<Option<String>> {
        let mut start = Command::new(&self.program);
        start.arg("gui").arg("--data").arg(self.folder.join("trial"));
        start.env("DISPLAY", self.display.name()).env_remove("WAYLAND_DISPLAY");
        start.env("XDG_CONFIG_HOME", self.folder.join("trial"));
        start.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut trial = ChildGuard(start.spawn().context("starting the window")?);
        let began = Instant::now();
        loop {
            if let Some(status) = trial.0.try_wait()? {
                let mut said = String::new();
                if let Some(stderr) = &mut trial.0.stderr {
                    stderr.read_to_string(&mut said)?;
                }
                let own = OWN_PANICS.iter().any(|panic| said.contains(panic));
                let known = said.contains(NO_WINDOW) || said.contains("panicked at");
                let is_display = !own && (known || status.code().is_none());
                ensure!(is_display, "the window ended ({status}): {said}");
                return Ok(Some(format!("the window ended ({status}): {}", said.trim())));
            }
            if self.display.shows_window() {
                break;
            }
            if began.elapsed() > PATIENCE {
                let spent = PATIENCE.as_secs();
                return Ok(Some(format!("no window came up within {spent} s")));
            }
            thread::sleep(Duration::from_millis(50));
        }
        // The hand is not to find the window of the trial, which is on its way out.
        drop(trial);
        self.display.wait_empty()?;
        Ok(None)
    }

    fn play(&self) -> Result<()> {
        let mut test = Command::new(workspace::cargo());
        test.args(["test", "--workspace", "--test", "gui", "--", "--ignored", "--exact"]);
        test.arg("smoke::two_engines_play_to_the_end_of_a_game_begun_by_clicks");
        test.env("DISPLAY", self.display.name());
        test.env("TENGEN_PROGRAM", &self.program).env("TENGEN_PICTURES", &self.folder);
        test.env("TENGEN_ENGINES", self.folder.join("engines"));
        process::run_within(&mut test, PLAY)?;
        println!("   the pictures are in {}", self.folder.display());
        Ok(())
    }
}

/// A display without a screen, closed when it is dropped.
struct Display {
    number: u32,
    _server: ChildGuard,
    /// Open as long as the server may write into it.
    _said: BufReader<ChildStdout>,
}

/// A process that is ended when it is dropped.
struct ChildGuard(Child);

impl Drop for ChildGuard {
    fn drop(&mut self) {
        // One that has ended already is as good.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Display {
    fn open() -> Result<Display> {
        let mut server = Command::new("Xvfb");
        // It chooses a number that is free, and says it.
        server.args(["-displayfd", "1", "-screen", "0", "1280x900x24", "+extension", "GLX"]);
        // It stays as it is when its last window is closed.
        server.args(["-nolisten", "tcp", "-noreset"]).stdin(Stdio::null());
        server.stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = ChildGuard(server.spawn().context("starting Xvfb")?);
        let said = server.0.stdout.take().context("Xvfb was given a pipe")?;
        let (sender, number) = mpsc::channel();
        thread::spawn(move || {
            let (mut said, mut line) = (BufReader::new(said), String::new());
            let read = said.read_line(&mut line);
            // Nobody waits any more for one that was too slow.
            let _ = sender.send(read.map(|_| (line, said)));
        });
        let told = number.recv_timeout(PATIENCE).context("Xvfb printed nothing")?;
        let (line, said) = told.context("cannot read the output of Xvfb")?;
        let number = line.trim().parse().context("Xvfb opened no display")?;
        Ok(Display { number, _server: server, _said: said })
    }

    fn name(&self) -> String {
        format!(":{}", self.number)
    }

    /// Waits until no window of the program is there.
    fn wait_empty(&self) -> Result<()> {
        let began = Instant::now();
        while self.shows_window() {
            ensure!(began.elapsed() < PATIENCE, "the window stays after its program has ended");
            thread::sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    fn shows_window(&self) -> bool {
        let mut search = Command::new("xdotool");
        search.args(["search", "--onlyvisible", "--name", "^Tengen$"]);
        search.env("DISPLAY", self.name()).stdout(Stdio::null()).stderr(Stdio::null());
        process::run_within(&mut search, LOOK).is_ok()
    }
}
