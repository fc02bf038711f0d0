//! The page in a browser: its types, a report without a network, a live event, and tables where
//! people play.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Result, ensure};
use xshell::{Shell, cmd};

use crate::process;
use crate::provision;
use crate::steps::{Steps, all_of};

/// What checks the page, from the registry of npm.
const TOOLS: [&str; 2] = ["typescript@7.0.2", "axe-core@4.14.1"];
const WEB: &str = "platform/web";
/// What is tried in the browser.
const TEST: &str = "test --workspace --test browser -- --ignored --test-threads 1";
/// How long the browser may take for everything on a busy machine.
const PATIENCE: Duration = Duration::from_secs(30 * 60);

/// The task `page`: everything, or an error that says what is missing.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("page", |_| all_of(try_page(sh)?))
}

/// Returns what was left out, where this machine cannot be given what it needs.
pub(crate) fn try_page(sh: &Shell) -> Result<Option<String>> {
    let tools = match tools(sh) {
        Ok(tools) => tools,
        Err(why) => return Ok(Some(format!("the page was not checked: {why:#}"))),
    };
    cmd!(sh, "{tools}/.bin/tsc -p {WEB}/page/tsconfig.json").quiet().run()?;
    let tests = ["source", "play_link", "chat_marks"].map(|name| format!("{WEB}/tests/{name}.mjs"));
    cmd!(sh, "node --test {tests...}").quiet().run()?;
    let browser = match provision::browser(sh) {
        Ok(browser) => browser,
        Err(why) => return Ok(Some(format!("the page was not tried in a browser: {why:#}"))),
    };
    let test = process::cargo(sh, TEST).env("TENGEN_BROWSER", browser);
    let test = test.env("TENGEN_AXE", tools.join("axe-core/axe.min.js"));
    process::run_within(test, PATIENCE).map(|()| None)
}

/// The folder with the tools, which are installed where that is possible.
fn tools(sh: &Shell) -> Result<PathBuf> {
    for program in ["node", "npm"] {
        let is_there = process::succeeds(cmd!(sh, "{program} --version"));
        ensure!(is_there, "{program} is missing; on Debian, as root: `apt-get install nodejs npm`");
    }
    let folder = sh.create_dir(process::target(sh, "page-tools")?)?;
    if !process::succeeds(cmd!(sh, "npm ls --prefix {folder} {TOOLS...}")) {
        let install = "install --no-audit --no-fund --ignore-scripts".split(' ');
        let install = cmd!(sh, "npm --prefix {folder} {install...} {TOOLS...}");
        process::run_within(install, Duration::from_secs(180))?;
    }
    Ok(folder.join("node_modules"))
}
