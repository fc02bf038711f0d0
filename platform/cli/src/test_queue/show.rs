//! `tengen test list` and `tengen test show`.

use clap::Args as ClapArgs;
use serde_json::{Value, json};
use tengen_hosts::package::legible;
use tengen_tournament::{Event, StandingColumn};

use super::QueueArgs;
use super::QueuedTestArgs;
use super::queue::{QueueState, QueuedTest, TestSide, TestTicket};
use crate::event::whole_summary;
use crate::{CommandOutcome, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct TestListArgs {
    #[command(flatten)]
    pub queue: QueueArgs,
    /// Only the tests of an engine of this commit; its name may be cut short
    #[arg(long, value_name = "HASH")]
    pub commit: Option<String>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TestShowArgs {
    #[command(flatten)]
    pub test: QueuedTestArgs,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

pub(super) fn list(args: &TestListArgs) -> anyhow::Result<CommandOutcome> {
    let mut tests = args.queue.open()?.tests()?;
    if let Some(commit) = &args.commit {
        tests.retain(|test| test.is_of(commit));
    }
    let looked = tests.iter().map(|test| Ok((test, test.look()?)));
    let looked = looked.collect::<anyhow::Result<Vec<_>>>()?;
    let objects =
        || looked.iter().map(|(test, (state, event))| object(test, state, event.as_ref()));
    let text = || {
        let mut table = report::table(["#", "Test", "State", "Priority", "Games", "LLR", "Elo"]);
        for (test, (state, event)) in &looked {
            table.add_row(row(test, state, event.as_ref()));
        }
        report::align_right(&mut table, &[0, 3, 4, 5, 6]);
        format!("{table}\n")
    };
    report::show(args.json, || json!({ "tests": objects().collect::<Vec<_>>() }), text)?;
    Ok(CommandOutcome::Done)
}

fn row(test: &QueuedTest, state: &QueueState, event: Option<&Event>) -> [String; 7] {
    let TestTicket { name, priority, .. } = &test.ticket;
    let [games, llr, elo] = event.map_or_else(Default::default, |event| {
        let summary = event.summary();
        let first = (1..).zip(&summary.standings).find(|(_, standing)| standing.index == 0);
        let llr = summary.sprt.as_ref().map(report::log_likelihood_ratio);
        [
            format!("{}/{}", event.tally().len(), event.total()),
            llr.map(|llr| llr.trim_start_matches("LLR ").to_owned()).unwrap_or_default(),
            first.map(|(place, it)| StandingColumn::Elo.text(place, it)).unwrap_or_default(),
        ]
    });
    let (number, priority) = (test.number.to_string(), priority.to_string());
    [number, legible(name).into_owned(), state.name().to_owned(), priority, games, llr, elo]
}

/// A test, as JSON has it.
fn object(test: &QueuedTest, state: &QueueState, event: Option<&Event>) -> Value {
    let TestTicket { name, added, priority, build, file, engine, base } = &test.ticket;
    let reason = match state {
        QueueState::Failed(reason) => Some(reason),
        _ => None,
    };
    json!({
        "number": test.number, "name": name, "state": state.name(), "reason": reason,
        "priority": priority, "added": added, "build": build, "file": file,
        "engine": engine, "base": base, "dir": test.dir,
        "games": event.map_or(0, |event| event.tally().len()),
        "total": event.map(Event::total),
        "sprt": event.and_then(|event| event.config().test_state(event.tally())),
    })
}

pub(super) fn show(args: &TestShowArgs) -> anyhow::Result<CommandOutcome> {
    let test = args.test.queue.open()?.find(&args.test.test)?;
    let (state, event) = test.look()?;
    let summary = event.as_ref().map(whole_summary).transpose()?;
    let whole = || {
        let mut object = object(&test, &state, event.as_ref());
        object["report"] = json!(summary);
        object
    };
    let text = || {
        let report = summary.as_ref().map(report::text).unwrap_or_default();
        format!("{}\n{report}", head(&test, &state, event.as_ref()))
    };
    report::show(args.json, whole, text)?;
    Ok(CommandOutcome::Done)
}

/// Where a test comes from, and what has become of it.
fn head(test: &QueuedTest, state: &QueueState, event: Option<&Event>) -> String {
    let TestTicket { name, added, priority, build, file, engine, base } = &test.ticket;
    let mut out = format!("Test {}: {name}\n", test.number);
    for (place, (title, side)) in [("Engine", engine), ("Base", base)].into_iter().enumerate() {
        let TestSide { given, commit } = side;
        out += &format!("{title}: {given}\n");
        if let Some(commit) = commit {
            out += &format!("  commit {commit}\n");
        }
        if let Some(entry) = event.and_then(|event| event.config().engines.get(place)) {
            let path = entry.path.as_ref().map(|path| format!(" of {}", path.display()));
            out += &format!("  SHA-256 {}{}\n", entry.hash, path.unwrap_or_default());
        }
    }
    if let Some(build) = build {
        out += &format!("Build: {build}\n");
    }
    if let Some(file) = file {
        out += &format!("File: {}\n", file.display());
    }
    out += &format!("Added: {added}\nPriority: {priority}\nFolder: {}\n", test.dir.display());
    out += &format!("State: {}\n", state.name());
    if let QueueState::Failed(reason) = state {
        out += &format!("{reason}\n`tengen test continue {}` tries it again\n", test.number);
    }
    out
}
