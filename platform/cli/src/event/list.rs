//! `tengen tournament list`: the events of a folder.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context;
use clap::Args as ClapArgs;
use serde::Serialize;
use tengen_tournament::{Event, EventError};

use crate::{CommandOutcome, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct EventsArgs {
    /// The folder with the events
    #[arg(long, default_value = "events", value_name = "DIR")]
    pub events: PathBuf,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Serialize)]
struct EventRow {
    dir: PathBuf,
    engines: Vec<String>,
    games: u64,
    total: u64,
    leader: Option<String>,
}

pub(crate) fn list(args: &EventsArgs) -> anyhow::Result<CommandOutcome> {
    let (events, damaged) = events_in(&args.events)?;
    report::show(args.json, || serde_json::json!({ "events": events }), || table(&events))?;
    for error in &damaged {
        report::tell(format_args!("tengen: {error}"));
    }
    Ok(if damaged.is_empty() { CommandOutcome::Done } else { CommandOutcome::Failed })
}

fn table(events: &[EventRow]) -> String {
    let mut table = report::table(["Event", "Engines", "Games", "Leader"]);
    for event in events {
        table.add_row([
            event.dir.display().to_string(),
            event.engines.join(", "),
            format!("{}/{}", event.games, event.total),
            event.leader.clone().unwrap_or_default(),
        ]);
    }
    format!("{table}\n")
}

fn events_in(parent: &Path) -> anyhow::Result<(Vec<EventRow>, Vec<EventError>)> {
    let entries = match fs::read_dir(parent) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Default::default()),
        entries => entries.with_context(|| format!("{}: cannot be read", parent.display()))?,
    };
    let mut dirs: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    dirs.sort();
    let (mut events, mut damaged) = (Vec::new(), Vec::new());
    for dir in dirs.into_iter().filter(|dir| Event::exists(dir)) {
        match Event::open(&dir) {
            Ok(event) => {
                let summary = event.summary();
                let leader = summary.leader();
                events.push(EventRow {
                    dir,
                    engines: event.config().labels(),
                    games: event.tally().len(),
                    total: event.total(),
                    leader: leader.map(str::to_owned),
                });
            }
            Err(error) => damaged.push(error),
        }
    }
    Ok((events, damaged))
}
