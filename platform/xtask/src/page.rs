//! The page in a browser: its types, a report without a network, a live event, and tables where
//! people play.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use xshell::{Cmd, Shell, cmd};

use crate::process::{self, ChildGuard, WITH_TESTS};
use crate::provision;
use crate::steps::{Steps, all_of};

/// What checks the page, from the registry of npm.
const TOOLS: [&str; 2] = ["typescript@7.0.2", "axe-core@4.14.1"];
const TESTS: &str = "platform/web/tests";
/// How long the browser may take for everything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(15 * 60);

/// The task `page`: everything, or an error that says what is missing.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("page", |_| all_of(try_page(sh)?))
}

/// Returns what was left out, where this machine cannot be given what it needs.
pub(crate) fn try_page(sh: &Shell) -> Result<Option<String>> {
    let tools = match tools(sh) {
        Ok(tools) => tools,
        Err(error) => return Ok(Some(format!("the page was not checked: {error:#}"))),
    };
    cmd!(sh, "{tools}/.bin/tsc -p platform/web/page/tsconfig.json").quiet().run()?;
    cmd!(sh, "node --test {TESTS}/source.mjs {TESTS}/play_link.mjs").quiet().run()?;
    match provision::browser(sh) {
        Ok(browser) => try_in(sh, browser, &tools.join("axe-core/axe.min.js")).map(|()| None),
        Err(error) => Ok(Some(format!("the page was not tried in a browser: {error:#}"))),
    }
}

/// The folder with the tools, which are installed where that is possible.
fn tools(sh: &Shell) -> Result<PathBuf> {
    for program in ["node", "npm"] {
        let is_there = process::succeeds(cmd!(sh, "{program} --version"));
        ensure!(is_there, "{program} is missing; on Debian, as root: `apt-get install nodejs npm`");
    }
    let folder = sh.create_dir(process::target(sh, "page-tools")?)?;
    let (versions, wanted) = (folder.join("versions"), TOOLS.join(" "));
    if !fs::read_to_string(&versions).is_ok_and(|there| there == wanted) {
        let install = cmd!(sh, "npm install --no-audit --no-fund --ignore-scripts --prefix");
        process::run_within(install.arg(&folder).args(TOOLS), Duration::from_secs(180))?;
        sh.write_file(&versions, wanted)?;
    }
    Ok(folder.join("node_modules"))
}

/// Plays a small event, and opens its report, a running event and a server of tables.
fn try_in(sh: &Shell, browser: &str, axe: &Path) -> Result<()> {
    let program = process::build_program(sh, WITH_TESTS)?;
    let folder = process::clear_target(sh, "page")?;
    let (cup, report) = (folder.join("cup"), folder.join("cup.html"));
    let players = ["builtin:alphabeta", "builtin:alphabeta"];
    let play =
        || cmd!(sh, "{program} match {players...} --rule renju --opening swap2 --concurrency 2");
    play().args(["--games", "6", "--tc", "nodes=400", "--out"]).arg(&cup).read()?;
    cmd!(sh, "{program} tournament report {cup} --html {report}").read()?;
    // It runs as long as the browser looks at it, and no longer.
    let live = play().args(["--games", "50", "--tc", "nodes=2000", "--serve", "127.0.0.1:0"]);
    let (live, address) = serve(live.arg("--out").arg(folder.join("live")))?;
    let look = cmd!(sh, "node {TESTS}/browser.mjs {browser} {axe} {report} {address}");
    process::run_within(look, PATIENCE)?;
    drop(live);
    let tables = cmd!(sh, "{program} serve --play --listen 127.0.0.1:0 --engine builtin:alphabeta");
    let (_tables, address) = serve(tables.arg("--data").arg(folder.join("tables")))?;
    process::run_within(cmd!(sh, "node {TESTS}/playing.mjs {browser} {axe} {address}"), PATIENCE)
}

/// Starts a program that serves, and returns the address that it prints.
fn serve(program: Cmd<'_>) -> Result<(ChildGuard, String)> {
    let mut program = Command::from(program);
    let mut child = ChildGuard::start(program.stdout(Stdio::null()).stderr(Stdio::piped()))?;
    let stderr = child.0.stderr.take().context("its standard error is read here")?;
    let (mut lines, mut said) = (BufReader::new(stderr).lines(), Vec::new());
    while let Some(Ok(line)) = lines.next() {
        if let Some((_, address)) = line.split_once("http://") {
            let path = address.split_whitespace().next().unwrap_or_default();
            // What it says later is thrown away.
            thread::spawn(move || lines.for_each(drop));
            return Ok((child, format!("http://{path}")));
        }
        said.push(line);
    }
    bail!("the server did not say where it listens: {}", said.join("; "))
}
