//! Plays an event that is there, and shows how it goes.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;
use tengen_lineup::{EngineRoster, GameLogs, LiveListener, LiveServer, date};
use tengen_players::RealTime;
#[cfg(feature = "workers")]
use tengen_players::Time;
use tengen_tournament::{
    ChangeKind, Event, EventError, EventFollower, EventProgress, RunOutcome, Stop, Summary,
    Watcher, WatcherPair,
};

use super::whole_summary;
use crate::flags::{Outputs, WorkersArgs};
use crate::gomoku_cli::{Extras, GameFiles, GomokuCliOutput};
use crate::live::{LiveEvent, Screen};
use crate::outcome::event_error;
use crate::progress::ProgressLine;
use crate::steer::watch::watch_folder;
use crate::{CommandOutcome, report, serve, stop};

/// So many records are written again in a moment.
const SOON: u64 = 20_000;

/// What is wanted of a run, beside its games.
pub(super) struct Wishes<'a> {
    pub json: bool,
    pub outputs: &'a Outputs,
    /// The folder whose engines join.
    pub watch: Option<&'a Path>,
    pub logs: Arc<GameLogs>,
    pub workers: &'a WorkersArgs,
}

/// Plays what is left of an event, shows how it goes, and then what it came to.
pub(super) fn play(
    mut event: Event,
    roster: &mut EngineRoster,
    wishes: &Wishes<'_>,
    listener: Option<LiveListener>,
    theirs: Option<(&Extras, GameFiles)>,
) -> anyhow::Result<CommandOutcome> {
    if wishes.watch.is_some() {
        event.set_standing();
    }
    let stop = Arc::new(Stop::new());
    let server = listener.map(|listener| serve::begin(listener, &event, roster)).transpose()?;
    let hear = |change| report::tell(format_args!("tengen: {change}"));
    roster.watch_changes(&event, Box::new(hear))?;
    let (requested, interrupt) = (Arc::clone(&stop), roster.settings().interrupt.clone());
    stop::on_interrupt(move || {
        requested.request();
        interrupt.raise();
    })?;
    #[cfg(feature = "workers")]
    if wishes.workers.server().is_none() && !event.is_finished() && !event.workers()?.is_empty() {
        report::tell(format_args!(
            "tengen: workers have played games of this event; without --workers this machine plays \
             the rest"
        ));
    }
    let warnings = event.warnings();
    let tell = |warning| report::tell(format_args!("tengen: warning: {warning}"));
    warnings.iter().for_each(tell);
    let is_theirs = theirs.is_some();
    let (run, fault) = match theirs {
        Some((extras, files)) => {
            GomokuCliOutput::new(extras, &event).run(&mut event, roster, &stop, files)?
        }
        None => (follow(&mut event, roster, &stop, wishes, server.as_ref())?, None),
    };
    let run = run.map_err(event_error)?;
    let summary = conclude(&mut event, run, wishes, warnings, is_theirs)?;
    if let Some(server) = server {
        serve::end(server, &event, matches!(run, RunOutcome::Finished), &stop);
    }
    let (saved, total, dir) = (event.tally().len(), event.total(), event.dir().display());
    let by = wishes.workers.again();
    let next = format!(
        "{saved} of {total} games are saved; continue with `tengen tournament resume {dir}{by}`"
    );
    if let Some(fault) = fault {
        bail!("-fatalerror: {fault}; {next}");
    }
    Ok(match run {
        RunOutcome::Finished if summary.spoiled.are_too_many(saved) => CommandOutcome::Spoiled,
        RunOutcome::Finished if summary.is_inconclusive() => CommandOutcome::Inconclusive,
        RunOutcome::Finished => CommandOutcome::Done,
        RunOutcome::Stopped => {
            report::tell(format_args!("tengen: stopped; {next}"));
            CommandOutcome::Interrupted
        }
    })
}

/// Writes the files of an event that has ended, and prints what it came to.
fn conclude(
    event: &mut Event,
    run: RunOutcome,
    wishes: &Wishes<'_>,
    warnings: Vec<String>,
    is_theirs: bool,
) -> anyhow::Result<Summary> {
    let Wishes { json, outputs, .. } = wishes;
    // An event that is stopped before it has begun ends at once: the next run begins with the
    // records.
    let is_late =
        matches!(run, RunOutcome::Stopped) && event.lacks_records() && event.tally().len() > SOON;
    let records = if is_late { None } else { Some(event.keep_records()?) };
    event.keep_discarded()?;
    let summary = Summary { warnings, ..whole_summary(event)? };
    match &records {
        Some(_) if summary.games > 0 => outputs.write(event)?,
        Some(_) => {}
        None => outputs.tell_unwritten(),
    }
    if *json {
        report::json(&summary)?;
        return Ok(summary);
    }
    let games = records.map_or("games.jsonl is written when the event is resumed".into(), |path| {
        path.display().to_string()
    });
    let text = format!("{}\nGames: {games}\n", report::text(&summary));
    // Then standard output is for programs that read it.
    if is_theirs || outputs.takes_stdout() {
        report::tell(format_args!("{}", text.trim_end()));
    } else {
        report::print(&text)?;
    }
    Ok(summary)
}

/// Plays an event, and shows how it goes.
fn follow(
    event: &mut Event,
    roster: &EngineRoster,
    stop: &Stop,
    wishes: &Wishes<'_>,
    server: Option<&LiveServer>,
) -> anyhow::Result<Result<RunOutcome, EventError>> {
    let Wishes { outputs, watch, logs, .. } = wishes;
    let is_shown = !outputs.quiet && Screen::is_possible();
    let own = Arc::new(EventFollower::new(event));
    let (follower, first) = serve::follower(server, &own);
    let (stream, logs) = (outputs.stream()?, Arc::clone(logs));
    // Else it would cost something with each move.
    let is_followed = is_shown || stream.is_some() || server.is_some();
    let first = if is_followed { first } else { &() };
    let follower = Arc::clone(follower);
    let live = LiveEvent::new(event, follower, logs, stream, is_shown, is_followed);
    let live = Arc::new(live);
    let screen = show_live(&live, event.dir(), is_shown)?;
    let labels = event.config().labels();
    let line = !outputs.quiet && !is_shown;
    let mut line = line.then(|| ProgressLine::new(event.total(), event.tally().len(), labels));
    let folder = watch.map(|folder| watch_folder(folder, event.dir())).transpose()?;
    // No engine joins an event that is a test.
    let config = event.config().clone();
    let is_standard = !wishes.json && !outputs.takes_stdout();
    let mut observe = |progress: &EventProgress<'_>| {
        let games = live.progress(progress);
        if let Some(line) = &mut line {
            line.name(&games, is_standard);
            line.show(progress, &config);
        }
    };
    let watcher = WatcherPair(first, &*live);
    let watching = (&watcher as &dyn Watcher, live.follower());
    let run = run(event, roster, wishes.workers, stop, &mut observe, watching);
    drop(folder);
    screen.into_iter().for_each(Screen::close);
    line.into_iter().for_each(ProgressLine::end);
    report::listen(None);
    if is_shown {
        live.messages().iter().for_each(|message| report::tell(format_args!("{message}")));
    }
    let run = run?;
    if let Some(live) = Arc::into_inner(live) {
        live.end(run.as_ref().ok().copied(), event.tally().len(), event.total());
    }
    Ok(run)
}

/// Plays what is left of an event: here, or by the workers that are wanted.
fn run(
    event: &mut Event,
    roster: &EngineRoster,
    workers: &WorkersArgs,
    stop: &Stop,
    observe: &mut dyn FnMut(&EventProgress<'_>),
    (watcher, follower): (&dyn Watcher, &EventFollower),
) -> anyhow::Result<Result<RunOutcome, EventError>> {
    let time = RealTime::new();
    #[cfg(feature = "workers")]
    if let Some(server) = workers.server() {
        let (server, watching) = ((&server, workers.priority, event.title()), (watcher, follower));
        let (time, say) = ((&time as &dyn Time, stop), &report::tell);
        return super::workers::run(event, roster, server, time, observe, watching, say);
    }
    // A build without workers has no use for them.
    let (WorkersArgs { .. }, _) = (workers, follower);
    Ok(event.run_watched(roster, &time, stop, observe, watcher))
}

/// Opens the view in the terminal where it is shown. Messages go there, and into the stream.
fn show_live(live: &Arc<LiveEvent>, dir: &Path, is_shown: bool) -> anyhow::Result<Option<Screen>> {
    let ear = Arc::clone(live);
    report::listen(Some(Box::new(move |line| {
        ear.say(line);
        is_shown
    })));
    let dir = dir.to_owned();
    let open = || Screen::open(Arc::clone(live), move |action| act(&dir, action));
    Ok(is_shown.then(open).transpose()?)
}

/// Does what a key asks for. A pause is a change of the event like one from another terminal.
fn act(dir: &Path, kind: ChangeKind) {
    if kind == ChangeKind::StoppedNow {
        return stop::request();
    }
    let ordered = Event::open(dir).and_then(|event| event.order(kind, "", &date()));
    if let Err(error) = ordered {
        report::tell(format_args!("tengen: {error}"));
    }
}
