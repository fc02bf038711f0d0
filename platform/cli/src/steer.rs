//! Changes an event that is there: `tengen tournament add`, `remove`, `pause` and the others.

pub(crate) mod watch;

use std::path::{Path, PathBuf};

use anyhow::{anyhow, bail};
use clap::Args as ClapArgs;
use tengen_lineup::{EngineRoster, date};
use tengen_tournament::{ChangeKind, Event};

use crate::flags::EngineSettingsArgs;
use crate::outcome::event_error;
use crate::report::tell;
use crate::{CommandOutcome, WrongUse};

#[derive(Debug, ClapArgs)]
pub(crate) struct ExtendArgs {
    /// The event's folder
    pub event: PathBuf,
    /// Total games for each pair of engines, including those already played
    #[arg(long, value_name = "N")]
    pub games: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AddArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The engines: ids, paths, or builtin:NAME
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub seats: EngineSettingsArgs,
    /// The folder with the engines [default: the event's]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RemoveArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The engine, as the standings call it
    pub engine: String,
    /// The reason, shown in the report
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SteerArgs {
    /// The event's folder
    pub event: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StopArgs {
    /// The event's folder
    pub event: PathBuf,
    /// Give up the games that are being played; `resume` plays them again
    #[arg(long)]
    pub now: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// The folder of the first event
    pub one: PathBuf,
    /// The folder of the second event
    pub other: PathBuf,
    /// The folder for the merged event
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

pub(crate) fn extend(args: &ExtendArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::extend(&args.event, args.games, &date()).map_err(event_error)?;
    tell_what_is_left(&event);
    Ok(CommandOutcome::Done)
}

pub(crate) fn add(args: &AddArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(&args.event).map_err(event_error)?;
    let entries = args.seats.any(&args.engines)?;
    if entries.is_empty() {
        bail!(WrongUse(anyhow!("name the engine to add, by its id or path, or with --engine")));
    }
    let mut known = Vec::new();
    for entry in entries {
        known.push(EngineRoster::newcomer(event.config(), entry, args.dir.as_deref())?);
    }
    let event = event.add(&known, &date()).map_err(event_error)?;
    done(&event)
}

pub(crate) fn remove(args: &RemoveArgs) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(&args.event).map_err(event_error)?;
    let place = place_of(&event, &args.engine)?;
    let event = event.remove(place, &args.reason, &date()).map_err(event_error)?;
    done(&event)
}

/// The place of the engine that the standings call so.
pub(crate) fn place_of(event: &Event, engine: &str) -> anyhow::Result<usize> {
    let labels = event.config().labels();
    let Some(place) = labels.iter().position(|label| label == engine) else {
        let known = labels.join(", ");
        bail!(WrongUse(anyhow!("{engine}: not in this event, which has {known}")));
    };
    Ok(place)
}

pub(crate) fn pause(args: &SteerArgs) -> anyhow::Result<CommandOutcome> {
    order(&args.event, ChangeKind::Paused)
}

pub(crate) fn go_on(args: &SteerArgs) -> anyhow::Result<CommandOutcome> {
    order(&args.event, ChangeKind::Continued)
}

pub(crate) fn stop(args: &StopArgs) -> anyhow::Result<CommandOutcome> {
    let kind = if args.now { ChangeKind::StoppedNow } else { ChangeKind::Stopped };
    order(&args.event, kind)?;
    Event::wait_until_free(&args.event).map_err(event_error)?;
    tell_what_is_left(&Event::open(&args.event).map_err(event_error)?);
    Ok(CommandOutcome::Done)
}

fn order(dir: &Path, kind: ChangeKind) -> anyhow::Result<CommandOutcome> {
    let event = Event::open(dir).map_err(event_error)?;
    event.order(kind, "", &date()).map_err(event_error)?;
    tell_last_change(&event)?;
    Ok(CommandOutcome::Done)
}

pub(crate) fn merge(args: &MergeArgs) -> anyhow::Result<CommandOutcome> {
    let MergeArgs { one, other, out } = args;
    let event = Event::merge(one, other, out, &date()).map_err(event_error)?;
    done(&event)
}

/// Says what was done, as the event has it, and what is left.
pub(crate) fn done(event: &Event) -> anyhow::Result<CommandOutcome> {
    tell_last_change(event)?;
    tell_what_is_left(event);
    Ok(CommandOutcome::Done)
}

fn tell_last_change(event: &Event) -> anyhow::Result<()> {
    if let Some(change) = event.changes()?.last() {
        tell(format_args!("tengen: change {}: {}", change.number, change.text));
    }
    Ok(())
}

/// Says how many games are left, and how they are going to be played.
fn tell_what_is_left(event: &Event) {
    let (games, total, dir) = (event.tally().len(), event.total(), event.dir());
    let next = match Event::who_plays(dir) {
        _ if games == total => "there is nothing left to play".to_owned(),
        Some(who) => format!("the tengen that is playing it{who} plays the others"),
        None => format!("continue with `tengen tournament resume {}`", dir.display()),
    };
    tell(format_args!("tengen: {games} of {total} games are finished; {next}"));
}
