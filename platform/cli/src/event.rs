//! `tengen match` and `tengen tournament`: making, playing, resuming and reporting events.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use tengen_hosts::discover;
use tengen_players::RealTime;
use tengen_record::GameRecord;
use tengen_stats::Spread;
use tengen_tournament::{
    ConfigError, EngineEntry, Event, EventConfig, EventError, Latency, Openings, RunOutcome, Stop,
    Summary,
};

use crate::args::{EventArgs, EventsArgs, MatchArgs, ReportArgs, ResumeArgs, RunArgs};
use crate::engine_roster::EngineRoster;
use crate::event_log::MessageLog;
use crate::gomoku_cli::{Extras, GameFiles, GomokuCliOutput};
use crate::outputs::Outputs;
use crate::progress::ProgressLine;
use crate::user_folders::engine_folder;
use crate::{CommandOutcome, WrongUse, report, stop};

/// The records of an event as it was when it last stopped in order.
const RECORDS: &str = "games.jsonl";
/// Those of games that the host spoiled and that were played again.
const DISCARDED: &str = "spoiled.jsonl";

pub(crate) fn run_match(
    args: &MatchArgs,
    extras: Option<&Extras>,
) -> anyhow::Result<CommandOutcome> {
    let engines = args.seats.entries(&args.engines)?;
    run_new(EventConfig { engines, ..EventConfig::default() }, &args.options, extras)
}

pub(crate) fn run_tournament(args: &RunArgs) -> anyhow::Result<CommandOutcome> {
    let mut config = match &args.file {
        Some(file) => EventConfig::read(file).map_err(|error| WrongUse(error.into()))?,
        None if args.engines.is_empty() => {
            bail!(WrongUse(anyhow!("no engines; name a FILE.toml, or engines with --engines")))
        }
        None => EventConfig::default(),
    };
    if args.engines == ["all"] {
        let dir = args.options.dir.clone().unwrap_or_else(|| usual_dir(&config));
        let listing = discover(&dir).map_err(|error| WrongUse(error.into()))?;
        config.engines =
            listing.engines.into_iter().map(|spec| EngineEntry::new(spec.id)).collect();
    } else if !args.engines.is_empty() {
        config.engines = args.engines.iter().map(EngineEntry::new).collect();
    }
    run_new(config, &args.options, None)
}

/// The folder of engines of an event whose file may name one.
fn usual_dir(config: &EventConfig) -> PathBuf {
    if config.dir == EventConfig::default().dir { engine_folder() } else { config.dir.clone() }
}

/// Makes an event and plays it; with what only c-gomoku-cli does, if its flags were used.
fn run_new(
    mut config: EventConfig,
    args: &EventArgs,
    extras: Option<&Extras>,
) -> anyhow::Result<CommandOutcome> {
    args.apply(&mut config);
    if args.dir.is_none() {
        config.dir = usual_dir(&config);
    }
    if let Some(file) = &args.openings {
        config.openings = Openings::File(file.clone());
    }
    config.load_openings().map_err(wrong_use)?;
    config.validate().map_err(wrong_use)?;
    let out = config.out.take();
    let roster = EngineRoster::enroll(&mut config)?;
    if let Some(extras) = extras {
        extras.settle(&mut config)?;
    }
    tell_who_opens(&config);
    let (mut event_log, mut messages) = (args.outputs.begin()?, None);
    let mut theirs = None;
    if let Some(extras) = extras {
        let (files, said) = extras.open(&config)?;
        event_log = extras.log()?;
        messages = said.map(|said| Arc::new(said) as Arc<dyn MessageLog>);
        theirs = Some((extras, files));
    }
    let roster = roster.logged(event_log, messages, &config);
    let event = match out {
        Some(out) => Event::create(&out, config),
        None => Event::create_numbered(Path::new("events"), &config),
    };
    play(event.map_err(event_error)?, &roster, args.json, &args.outputs, theirs)
}

/// Says who answers opening questions for whom.
fn tell_who_opens(config: &EventConfig) {
    let labels = config.labels().into_iter().zip(&config.engines);
    let silent: Vec<_> =
        labels.filter(|(_, engine)| engine.opening_by_arbiter).map(|(label, _)| label).collect();
    if !silent.is_empty() {
        let assistant = config.opening_engine.as_ref().map(|engine| engine.id.as_str());
        report::tell(format_args!(
            "tengen: {} answers the questions of opening {} for {}",
            assistant.unwrap_or("the arbiter"),
            config.opening,
            silent.join(", "),
        ));
    }
}

pub(crate) fn resume(args: &ResumeArgs) -> anyhow::Result<CommandOutcome> {
    if args.repair
        && let Some(repaired) = Event::repair(&args.event).map_err(event_error)?
    {
        report::tell(format_args!("tengen: {repaired}"));
    }
    let mut event = Event::open(&args.event).map_err(event_error)?;
    if let Some(concurrency) = args.concurrency {
        event.set_concurrency(concurrency).map_err(event_error)?;
    }
    let roster = EngineRoster::gather(event.config())?;
    let roster = roster.logged(args.outputs.begin()?, None, event.config());
    play(event, &roster, args.json, &args.outputs, None)
}

pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(&args.event).map_err(event_error)?;
    let mut lags = Spread::default();
    match &args.records {
        Some(records) => {
            event.export_noting(records, &mut |record| note_lags(record, &mut lags))?;
        }
        None => {
            for record in event.records() {
                note_lags(&record?, &mut lags);
            }
        }
    }
    let summary = Summary { latency: Latency::of(&lags), ..event.summary() };
    if args.json {
        report::json(&summary)?;
    } else {
        report::print(&report::text(&summary))?;
        let (games, total) = (summary.games, event.schedule().len());
        let is_decided = summary.sprt.is_some_and(|test| test.accepted.is_some());
        if games < total && !is_decided {
            report::print(&format!(
                "\n{games} of {total} games are finished; continue with `tengen tournament resume \
                 {}`\n",
                args.event.display()
            ))?;
        }
    }
    Ok(CommandOutcome::Done)
}

/// Plays what is left of an event, shows how it goes, and then what it came to.
fn play(
    mut event: Event,
    roster: &EngineRoster,
    json: bool,
    outputs: &Outputs,
    theirs: Option<(&Extras, GameFiles)>,
) -> anyhow::Result<CommandOutcome> {
    let stop = Arc::new(Stop::new());
    let interrupt = roster.settings().interrupt.clone();
    let requested = Arc::clone(&stop);
    stop::on_interrupt(move || {
        requested.request();
        interrupt.raise();
    })?;
    let warnings = event.warnings();
    let tell = |warning| report::tell(format_args!("tengen: warning: {warning}"));
    warnings.iter().for_each(tell);
    let (total, finished) = (event.schedule().len(), event.tally().len());
    let (is_theirs, mut fault) = (theirs.is_some(), None);
    let run = if let Some((extras, files)) = theirs {
        let (run, ended) =
            GomokuCliOutput::new(extras, &event).run(&mut event, roster, &stop, files)?;
        fault = ended;
        run
    } else {
        let mut live = ProgressLine::new(total, finished, event.config().labels());
        let run = event.run(roster, &RealTime::new(), &stop, &mut |progress| live.show(progress));
        live.end();
        run
    };
    let run = run.map_err(event_error)?;
    let records = event.dir().join(RECORDS);
    let mut lags = Spread::default();
    event.export_noting(&records, &mut |record| note_lags(record, &mut lags))?;
    event.export_discarded(&event.dir().join(DISCARDED))?;
    let summary = Summary { latency: Latency::of(&lags), warnings, ..event.summary() };
    if summary.games > 0 {
        outputs.write(&records)?;
    }
    if json {
        report::json(&summary)?;
    } else {
        let text = format!("{}\nGames: {}\n", report::text(&summary), records.display());
        // What is on standard output then is for programs that know that of c-gomoku-cli.
        if is_theirs {
            report::tell(format_args!("{}", text.trim_end()))
        } else {
            report::print(&text)?
        }
    }
    if let Some(fault) = fault {
        let (games, dir) = (summary.games, event.dir().display());
        bail!(
            "-fatalerror: {fault}; {games} of {total} games are saved; continue with `tengen \
             tournament resume {dir}`"
        );
    }
    Ok(match run {
        RunOutcome::Finished => CommandOutcome::Done,
        RunOutcome::Stopped => {
            let (games, dir) = (summary.games, event.dir().display());
            report::tell(format_args!(
                "tengen: stopped; {games} of {total} games are saved; continue with `tengen \
                 tournament resume {dir}`"
            ));
            CommandOutcome::Interrupted
        }
    })
}

/// Counts what of each answer was the way to the engine and back.
fn note_lags(record: &GameRecord, lags: &mut Spread) {
    lags.extend(record.actions.iter().filter_map(|action| action.lag));
}

/// An event in a list.
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
    if args.json {
        report::json(&serde_json::json!({ "events": events }))?;
    } else {
        let mut table = report::table(["Event", "Engines", "Games", "Leader"]);
        for event in &events {
            table.add_row([
                event.dir.display().to_string(),
                event.engines.join(", "),
                format!("{}/{}", event.games, event.total),
                event.leader.clone().unwrap_or_default(),
            ]);
        }
        report::print(&format!("{table}\n"))?;
    }
    for error in &damaged {
        report::tell(format_args!("tengen: {error}"));
    }
    Ok(if damaged.is_empty() { CommandOutcome::Done } else { CommandOutcome::Failed })
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
                let leader = summary.standings.first().filter(|_| summary.games > 0);
                events.push(EventRow {
                    dir,
                    engines: event.config().labels(),
                    games: summary.games,
                    total: event.schedule().len(),
                    leader: leader.map(|line| line.engine.clone()),
                });
            }
            Err(error) => damaged.push(error),
        }
    }
    Ok((events, damaged))
}

fn wrong_use(error: ConfigError) -> anyhow::Error {
    // It says what it comes from.
    WrongUse(anyhow!("{error}")).into()
}

/// A wrong call and a failed event have their own exit codes.
fn event_error(error: EventError) -> anyhow::Error {
    match error {
        EventError::Config(_)
        | EventError::Exists { .. }
        | EventError::NotEmpty { .. }
        | EventError::NoEvent { .. } => WrongUse(error.into()).into(),
        error => error.into(),
    }
}
