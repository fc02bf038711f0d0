//! The page in a browser: its types, a report without a network, a live event, and tables where
//! people play.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail};

use crate::artifacts;
use crate::process;
use crate::provision;
use crate::steps::Steps;
use crate::workspace;

/// What checks the page, from the registry of npm.
const TOOLS: [&str; 2] = ["typescript@7.0.2", "axe-core@4.14.1"];
const SOURCES: &str = "platform/web/page";
/// What is tried without a browser.
const WITHOUT_BROWSER: [&str; 2] =
    ["platform/web/tests/source.mjs", "platform/web/tests/play_link.mjs"];
const SCRIPT: &str = "platform/web/tests/browser.mjs";
const PLAYING: &str = "platform/web/tests/playing.mjs";
/// How long the browser may take for everything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The task `page`: everything, or an error that says what is missing.
pub(crate) fn run() -> Result<()> {
    let mut steps = Steps::default();
    let mut missing = Vec::new();
    steps.step("page", |_| step(&mut missing))?;
    steps.summarise();
    if missing.is_empty() { Ok(()) } else { bail!(missing.join("; ")) }
}

/// The same as a step of the tests: what this machine cannot be given is left out, and that is
/// said.
pub(crate) fn step(notes: &mut Vec<String>) -> Result<()> {
    let tools = match tools() {
        Ok(tools) => tools,
        Err(error) => {
            notes.push(format!("the page was not checked: {error:#}"));
            return Ok(());
        }
    };
    let mut compile = Command::new(tools.join(".bin/tsc"));
    process::run(compile.arg("-p").arg(Path::new(SOURCES).join("tsconfig.json")))?;
    process::run(Command::new("node").arg("--test").args(WITHOUT_BROWSER))?;
    let browser = match provision::browser() {
        Ok(browser) => browser,
        Err(error) => {
            notes.push(format!("the page was not tried in a browser: {error:#}"));
            return Ok(());
        }
    };
    try_in(&browser, &tools.join("axe-core/axe.min.js"))
}

/// The folder with the tools, which are installed where that is possible.
fn tools() -> Result<PathBuf> {
    let folder = workspace::target()?.join("page-tools");
    let modules = folder.join("node_modules");
    for program in ["node", "npm"] {
        if !process::succeeds(Command::new(program).arg("--version")) {
            bail!("{program} is missing; on Debian, as root: `apt-get install nodejs npm`");
        }
    }
    let versions = folder.join("versions");
    let wanted = TOOLS.join(" ");
    if fs::read_to_string(&versions).is_ok_and(|there| there == wanted) {
        return Ok(modules);
    }
    fs::create_dir_all(&folder)?;
    let mut install = Command::new("npm");
    install.args(["install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"]);
    install.arg(&folder).args(TOOLS);
    process::run_within(&mut install, Duration::from_secs(180))?;
    fs::write(&versions, wanted)?;
    Ok(modules)
}

/// Plays a small event, and opens its report and a running event.
fn try_in(browser: &Path, axe: &Path) -> Result<()> {
    let (program, folder) = (artifacts::test_program()?, workspace::target()?.join("page"));
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let match_to = |event: &str, games: &str, time: &str| {
        let mut play = Command::new(&program);
        play.args(["match", "builtin:alphabeta", "builtin:alphabeta", "--rule", "renju"]);
        play.args(["--opening", "swap2", "--games", games, "--tc", time, "--concurrency", "2"]);
        play.arg("--out").arg(folder.join(event));
        play
    };
    process::output(&mut match_to("cup", "6", "nodes=400"))?;
    let report = folder.join("cup.html");
    let mut write = Command::new(&program);
    write.args(["tournament", "report"]).arg(folder.join("cup")).arg("--html").arg(&report);
    process::output(&mut write)?;
    // As long as somebody needs who looks at it, and no longer.
    let mut live = match_to("live", "50", "nodes=2000");
    live.args(["--serve", "127.0.0.1:0"]).stdin(Stdio::null()).stdout(Stdio::null());
    let mut live = ServingChild(live.stderr(Stdio::piped()).spawn().context("starting a match")?);
    let address = live.address()?;
    let mut look = Command::new("node");
    look.arg(SCRIPT).arg(browser).arg(axe).arg(&report).arg(&address);
    process::run_within(&mut look, PATIENCE)?;
    drop(live);
    let mut tables = Command::new(&program);
    tables.args(["serve", "--play", "--listen", "127.0.0.1:0", "--engine", "builtin:alphabeta"]);
    tables.arg("--data").arg(folder.join("tables")).stdin(Stdio::null()).stdout(Stdio::null());
    let tables = tables.stderr(Stdio::piped()).spawn().context("starting a server of tables")?;
    let mut tables = ServingChild(tables);
    let address = tables.address()?;
    let mut play = Command::new("node");
    play.arg(PLAYING).arg(browser).arg(axe).arg(&address);
    process::run_within(&mut play, PATIENCE)
}

/// A program that serves, and is stopped when it has been looked at.
struct ServingChild(Child);

impl ServingChild {
    /// Where it is served, which it says; what it says later is thrown away.
    fn address(&mut self) -> Result<String> {
        let stderr = self.0.stderr.take().context("its standard error is read here")?;
        let mut lines = BufReader::new(stderr).lines();
        let mut said = Vec::new();
        while let Some(Ok(line)) = lines.next() {
            if let Some((_, address)) = line.split_once("http://") {
                let path = address.split_whitespace().next().unwrap_or_default();
                let address = format!("http://{path}");
                std::thread::spawn(move || lines.for_each(drop));
                return Ok(address);
            }
            said.push(line);
        }
        bail!("the server did not say where it listens: {}", said.join("; "))
    }
}

impl Drop for ServingChild {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ended = self.0.kill();
        let _reaped = self.0.wait();
    }
}
