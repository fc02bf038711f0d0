//! `tengen test add`: a test joins the queue.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args as ClapArgs;
use serde_json::json;
use tengen_hosts::package::{BundleError, is_command};
use tengen_hosts::resolve;
use tengen_lineup::{EngineRoster, date};
use tengen_tournament::{EngineEntry, Event, EventConfig};

use super::QueueArgs;
use super::queue::{TestSide, TestTicket, put_plan};
use super::source::{GitSource, repository};
use crate::event::settle;
use crate::flags::{EventArgs, refuse};
use crate::outcome::event_error;
use crate::report;
use crate::user_folders::engine_folder;
use crate::{CommandOutcome, WrongUse};

/// The games of a test that does not decide before, unless more or fewer are wanted.
const MOST_GAMES: u32 = 40_000;
/// The test where none is named.
const TEST: &str = "elo0=0,elo1=5";

#[derive(Debug, ClapArgs)]
pub(crate) struct TestAddArgs {
    /// The engine that is tested: an id, a path, or git:URL@COMMIT
    pub engine: String,
    /// The engine that it has to beat
    pub base: String,
    #[command(flatten)]
    pub queue: QueueArgs,
    /// What people call the test [default: the names of the engines]
    #[arg(long, value_name = "TEXT")]
    pub name: Option<String>,
    /// Its share of the workers' games beside other tests [default: 1]
    ///
    /// Each test gets as many of the games as its priority is of the sum of all.
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub priority: u32,
    /// The command of the shell that builds an engine of a commit, in its checkout
    ///
    /// It runs in the sandbox when the test is run: it has no network, sees the programs of the
    /// system, and may write in the checkout alone.
    #[arg(long, value_name = "COMMAND", help_heading = "Commits")]
    pub build: Option<String>,
    /// The engine in the checkout, after the build
    #[arg(long, value_name = "PATH", help_heading = "Commits")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub options: EventArgs,
}

pub(super) fn add(args: &TestAddArgs) -> anyhow::Result<CommandOutcome> {
    let sources = [GitSource::read(&args.engine)?, GitSource::read(&args.base)?];
    refuse_unfit(args, sources.iter().any(Option::is_some))?;
    let mut config = EventConfig {
        engines: [&args.engine, &args.base].map(EngineEntry::new).to_vec(),
        games: MOST_GAMES,
        sprt: Some(TEST.parse().expect("it is a test")),
        ..EventConfig::default()
    };
    settle(&mut config, &args.options, true)?;
    let dir = args.options.dir.clone().unwrap_or_else(engine_folder);
    for (entry, source) in config.engines.iter_mut().zip(&sources) {
        if source.is_none() {
            *entry = found_anywhere(&entry.id, &dir)?;
        }
    }
    let queue = args.queue.open()?;
    let (number, folder) = queue.make_folder()?;
    let added = fill(args, config, &sources, &folder);
    let ticket = added.inspect_err(|_| {
        // What is left of it is no test.
        let _left = fs::remove_dir_all(&folder);
    })?;
    let text = || {
        let queue = queue.dir().display();
        format!("Test {number} ({}) is in the queue {queue}\n", ticket.name)
    };
    let object = || json!({ "number": number, "name": ticket.name, "dir": folder });
    report::show(args.options.json, object, text)?;
    Ok(CommandOutcome::Done)
}

fn refuse_unfit(args: &TestAddArgs, has_source: bool) -> anyhow::Result<()> {
    let EventArgs { out, outputs, debug_engine, .. } = &args.options;
    let is_written = [&outputs.sgf, &outputs.pgn, &outputs.log, &outputs.events];
    let is_written = outputs.quiet || is_written.into_iter().any(Option::is_some);
    let of_commits = "it is for engines from commits, git:URL@COMMIT";
    refuse([
        ("--out", out.is_some(), "a test lies in the folder of its queue"),
        ("--sgf, --pgn, --log, --events, --quiet", is_written, "nothing is played yet"),
        (
            "git:URL@COMMIT",
            has_source && cfg!(windows),
            "engines are built on Linux alone; name the file of the engine",
        ),
        ("--debug-engine", debug_engine.is_some(), "it would be started by a worker"),
        ("--build", args.build.is_some() && !has_source, of_commits),
        ("--file", args.file.is_some() && !has_source, of_commits),
    ])?;
    if has_source && args.file.is_none() {
        bail!(WrongUse(anyhow!("name the engine in the checkout with --file PATH")));
    }
    Ok(())
}

/// An engine by a name that means it wherever the test is run.
fn found_anywhere(named: &str, dir: &Path) -> anyhow::Result<EngineEntry> {
    if is_command(named) {
        bail!(WrongUse(anyhow!("{named}: {}", BundleError::Command)));
    }
    let spec = resolve(named, dir).map_err(|error| WrongUse(error.into()))?;
    let path = Path::new(named);
    let is_path = path.components().count() > 1 && path.exists();
    let full = is_path.then(|| dunce::canonicalize(path).ok()).flatten();
    Ok(match full.and_then(|path| path.into_os_string().into_string().ok()) {
        Some(path) => EngineEntry { label: Some(spec.id), ..EngineEntry::new(path) },
        None => EngineEntry::new(named),
    })
}

/// Puts the test into its folder. The ticket is the last to appear.
fn fill(
    args: &TestAddArgs,
    mut config: EventConfig,
    sources: &[Option<GitSource>; 2],
    folder: &Path,
) -> anyhow::Result<TestTicket> {
    let mut commits = [None, None];
    for (place, side) in SIDES.into_iter().enumerate() {
        if let Some(source) = &sources[place] {
            let commit = source.fetch(&repository(folder, side))?;
            config.engines[place].label = Some(source.label(&commit));
            commits[place] = Some(commit);
        }
    }
    let [engine, base] = commits;
    let labels = config.labels();
    let ticket = TestTicket {
        name: args.name.clone().unwrap_or_else(|| labels.join(" – ")),
        added: date(),
        priority: args.priority,
        build: args.build.clone(),
        file: args.file.clone(),
        engine: TestSide { given: args.engine.clone(), commit: engine },
        base: TestSide { given: args.base.clone(), commit: base },
    };
    match ticket.sides().into_iter().any(|side| side.commit.is_some()) {
        true => put_plan(&config, folder)?,
        false => create_event(config, &folder.join(super::queue::EVENT)).map(drop)?,
    }
    ticket.put(folder)?;
    Ok(ticket)
}

/// The names of the two engines' parts in the folder of a test.
pub(super) const SIDES: [&str; 2] = ["engine", "base"];

/// Makes the event of a test, with the engines as they are now.
pub(super) fn create_event(config: EventConfig, dir: &Path) -> anyhow::Result<Event> {
    let (config, roster) = EngineRoster::enroll(config)?;
    // One that cannot be sent to workers is told now.
    roster.bundles()?;
    Event::create(dir, config).map_err(event_error)
}
