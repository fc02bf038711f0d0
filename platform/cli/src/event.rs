//! `tengen match` and `tengen tournament`: making, playing, resuming and reporting events.

mod breakdown;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow, bail};
use serde::Serialize;
use tengen_hosts::{discover, resolve};
use tengen_players::RealTime;
use tengen_rules::Procedure;
use tengen_tournament::{
    ChangeKind, ConfigError, EngineEntry, Event, EventConfig, EventError, EventFollower,
    EventProgress, Openings, RunOutcome, Stop, Summary, WatcherPair,
};
use tengen_web::{MOST_GAMES, ReportWritten, write_report};

use crate::args::{EventArgs, EventsArgs, MatchArgs, ReportArgs, ResumeArgs, RunArgs};
use crate::engine_roster::{EngineRoster, SERVE, refuse_remote};
use crate::event_log::{GameLogs, MessageLog};
use crate::gomoku_cli::{Extras, GameFiles, GomokuCliOutput};
use crate::live::{EventRequest, LiveEvent, Screen};
use crate::outputs::Outputs;
use crate::progress::ProgressLine;
use crate::serve::{LiveArgs, LiveListener, LiveServer};
use crate::steer::watch::FolderWatch;
use crate::user_folders::engine_folder;
use crate::{CommandOutcome, WrongUse, report, serve, steer, stop};

/// Those of games that the host spoiled and that were played again.
const DISCARDED: &str = "spoiled.jsonl";
/// So many records are written again in a moment.
const SOON: u64 = 20_000;

pub(crate) fn run_match(
    args: &MatchArgs,
    extras: Option<&Extras>,
) -> anyhow::Result<CommandOutcome> {
    let engines = args.seats.entries(&args.engines)?;
    let config = EventConfig { engines, ..EventConfig::default() };
    run_new(config, extras.is_none(), &args.options, &args.live, None, extras)
}

pub(crate) fn run_tournament(args: &RunArgs) -> anyhow::Result<CommandOutcome> {
    let mut config = match &args.file {
        Some(file) => EventConfig::read(file).map_err(|error| WrongUse(error.into()))?,
        None if args.engines.is_empty() && args.watch.is_none() => {
            bail!(WrongUse(anyhow!("no engines; name a FILE.toml, or engines with --engines")))
        }
        None => EventConfig::default(),
    };
    let is_watched = args.watch.is_some() && args.file.is_none() && args.engines.is_empty();
    if let (true, Some(folder)) = (is_watched, &args.watch) {
        config.engines = all_in(folder)?;
        for engine in &mut config.engines {
            let id = engine.id.clone();
            let path = resolve(&id, folder).ok().and_then(|spec| spec.path.canonicalize().ok());
            if let Some(path) = path.and_then(|path| path.into_os_string().into_string().ok()) {
                (engine.id, engine.label) = (path, Some(id));
            }
        }
    } else if args.engines == ["all"] {
        let dir = args.options.dir.clone().unwrap_or_else(|| usual_dir(&config));
        config.engines = all_in(&dir)?;
    } else if !args.engines.is_empty() {
        config.engines = args.engines.iter().map(EngineEntry::new).collect();
    }
    let (live, watch) = (&args.live, args.watch.as_deref());
    let event = run_new(config, args.file.is_none(), &args.options, live, watch, None);
    match &args.file {
        // What does not go together may stand in the file.
        Some(file) => event.map_err(|error| located(error, file)),
        None => event,
    }
}

/// Every engine of a folder, by its id.
fn all_in(folder: &Path) -> anyhow::Result<Vec<EngineEntry>> {
    let listing = discover(folder).map_err(|error| WrongUse(error.into()))?;
    Ok(listing.engines.into_iter().map(|spec| EngineEntry::new(spec.id)).collect())
}

/// The error with the line of the file in which it arose, if it did.
fn located(error: anyhow::Error, file: &Path) -> anyhow::Error {
    let text = fs::read_to_string(file).unwrap_or_default();
    match error.downcast::<WrongUse>() {
        Ok(WrongUse(cause)) => WrongUse(match cause.downcast::<ConfigError>() {
            Ok(cause) => cause.located(file, &text).into(),
            Err(other) => other,
        })
        .into(),
        Err(other) => other,
    }
}

/// The folder of engines of an event whose file may name one.
fn usual_dir(config: &EventConfig) -> PathBuf {
    if config.dir == EventConfig::default().dir { engine_folder() } else { config.dir.clone() }
}

/// Makes an event and plays it; with what only c-gomoku-cli does, if its flags were used. Where
/// nobody has said what games begin from, they begin from balanced positions if `is_open`.
fn run_new(
    mut config: EventConfig,
    is_open: bool,
    args: &EventArgs,
    live: &LiveArgs,
    watch: Option<&Path>,
    extras: Option<&Extras>,
) -> anyhow::Result<CommandOutcome> {
    refuse_contradictions(args.json, &args.outputs)?;
    let listener = live.listen()?;
    let is_default = choose_openings(&mut config, args, is_open);
    args.apply(&mut config)?;
    if args.dir.is_none() {
        config.dir = usual_dir(&config);
    }
    load_openings(&mut config, is_default)?;
    config.validate().map_err(wrong_use)?;
    config.check_new().map_err(wrong_use)?;
    if watch.is_some() {
        config.check_open("watch").map_err(wrong_use)?;
    }
    if listener.is_none() {
        refuse_remote(&config, SERVE)?;
    }
    let out = config.out.take();
    let mut roster = EngineRoster::enroll(&mut config)?;
    if let Some(engine) = &args.debug_engine {
        roster = roster.debugging(engine, args.debug_wait, &mut config)?;
    }
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
    let logs = args.outputs.game_logs();
    // What c-gomoku-cli writes is what its users look at.
    let kept = extras.is_none().then(|| Arc::clone(&logs));
    let mut roster = roster.logged(event_log, messages, kept, &config);
    let event = match out {
        Some(out) => Event::create(&out, config),
        None => Event::create_numbered(Path::new("events"), &config),
    };
    let event = event.map_err(event_error)?;
    let wishes = Wishes { json: args.json, outputs: &args.outputs, watch, logs };
    play(event, &mut roster, &wishes, listener, theirs)
}

/// What is wanted of a run, beside its games.
struct Wishes<'a> {
    json: bool,
    outputs: &'a Outputs,
    /// The folder whose engines join.
    watch: Option<&'a Path>,
    logs: Arc<GameLogs>,
}

fn refuse_contradictions(json: bool, outputs: &Outputs) -> anyhow::Result<()> {
    if json && outputs.takes_stdout() {
        bail!(WrongUse(anyhow!(
            "--json and --events - both write to standard output; name a file with --events FILE"
        )));
    }
    Ok(())
}

/// Settles what the games begin from, before the options are applied. Whether nobody has said so.
fn choose_openings(config: &mut EventConfig, args: &EventArgs, is_open: bool) -> bool {
    if let Some(file) = &args.openings {
        config.openings = Openings::from(file.clone());
        if is_open && args.opening.is_none() {
            config.opening = Procedure::Book;
        }
        return false;
    }
    match args.opening {
        Some(Procedure::Book) if config.openings.is_empty() => config.play_balanced(),
        // A file says nothing, and the options another procedure.
        Some(other) if other != Procedure::Book && config.openings == Openings::Balanced => {
            config.openings = Openings::default();
        }
        None if is_open => config.play_balanced(),
        _ => {}
    }
    args.opening.is_none() && config.openings == Openings::Balanced
}

/// Reads the positions. Where none come with the program and nobody asked for them, games begin on
/// the empty board.
fn load_openings(config: &mut EventConfig, is_default: bool) -> anyhow::Result<()> {
    let is_balanced = config.openings == Openings::Balanced;
    config.load_openings().map_err(wrong_use)?;
    if !is_balanced || !config.openings.is_empty() {
        return Ok(());
    }
    let (rule, size) = (config.rule, config.size);
    let none = format!("no balanced openings come with Tengen for {rule} on a board of {size}");
    if !is_default {
        bail!(WrongUse(anyhow!("{none}; name a file of positions with --openings")));
    }
    config.opening = Procedure::None;
    report::tell(format_args!(
        "tengen: {none}: games begin on the empty board; name a file of positions with --opening \
         book --openings FILE"
    ));
    Ok(())
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
    let listener = args.live.listen()?;
    if args.repair
        && let Some(repaired) = Event::repair(&args.event).map_err(event_error)?
    {
        report::tell(format_args!("tengen: {repaired}"));
    }
    refuse_contradictions(args.json, &args.outputs)?;
    let mut event = Event::open(&args.event).map_err(event_error)?;
    if let Some(concurrency) = args.concurrency {
        event.set_concurrency(concurrency).map_err(event_error)?;
    }
    if args.watch.is_some() {
        event.config().check_open("watch").map_err(wrong_use)?;
    }
    if listener.is_none() {
        refuse_remote(event.config(), SERVE)?;
    }
    let roster = EngineRoster::gather_in(event.config(), args.dir.as_deref())?;
    let logs = args.outputs.game_logs();
    let log = args.outputs.begin()?;
    let mut roster = roster.logged(log, None, Some(Arc::clone(&logs)), event.config());
    let (watch, outputs) = (args.watch.as_deref(), &args.outputs);
    play(event, &mut roster, &Wishes { json: args.json, outputs, watch, logs }, listener, None)
}

pub(crate) fn report(args: &ReportArgs) -> anyhow::Result<CommandOutcome> {
    if let Some(by) = args.by {
        return breakdown::report(by, args);
    }
    let event = Event::open(&args.event).map_err(event_error)?;
    if let Some(records) = &args.records {
        event.export_records(records)?;
    }
    if let Some(csv) = &args.csv {
        tengen_web::write_csv(&event, csv)?;
    }
    if let Some(html) = &args.html {
        let made = u64::try_from(jiff::Timestamp::now().as_second()).unwrap_or(0);
        let written = write_report(&event, html, MOST_GAMES, made)?;
        tell_of_sample(html, written);
    }
    let incidents = event.incidents()?.groups().to_vec();
    let summary = Summary { changes: event.changes()?, incidents, ..event.summary() };
    if args.json {
        report::json(&summary)?;
    } else {
        report::print(&report::text(&summary))?;
        let (games, total) = (event.tally().len(), event.total());
        if !event.is_finished() {
            report::print(&format!(
                "\n{games} of {total} games are finished; continue with `tengen tournament resume \
                 {}`\n",
                args.event.display()
            ))?;
        }
    }
    Ok(CommandOutcome::Done)
}

/// Says so where a report has not all games.
fn tell_of_sample(html: &Path, ReportWritten { games, replayable }: ReportWritten) {
    if replayable < games {
        report::tell(format_args!(
            "tengen: {}: {replayable} of {games} games can be replayed in it, every so many pairs; \
             its tables and charts are of all games, and --records or --csv writes all",
            html.display()
        ));
    }
}

/// Plays what is left of an event, shows how it goes, and then what it came to.
fn play(
    mut event: Event,
    roster: &mut EngineRoster,
    wishes: &Wishes<'_>,
    listener: Option<LiveListener>,
    theirs: Option<(&Extras, GameFiles)>,
) -> anyhow::Result<CommandOutcome> {
    let Wishes { json, outputs, watch, .. } = wishes;
    if watch.is_some() {
        event.set_standing();
    }
    let stop = Arc::new(Stop::new());
    let server = listener.map(|listener| listener.serve(&event, roster)).transpose()?;
    let hear = |change| report::tell(format_args!("tengen: {change}"));
    roster.watch_changes(&event, Box::new(hear))?;
    let roster = &*roster;
    let interrupt = roster.settings().interrupt.clone();
    let requested = Arc::clone(&stop);
    stop::on_interrupt(move || {
        requested.request();
        interrupt.raise();
    })?;
    let warnings = event.warnings();
    let tell = |warning| report::tell(format_args!("tengen: warning: {warning}"));
    warnings.iter().for_each(tell);
    let (is_theirs, mut fault) = (theirs.is_some(), None);
    let run = if let Some((extras, files)) = theirs {
        let (run, ended) =
            GomokuCliOutput::new(extras, &event).run(&mut event, roster, &stop, files)?;
        fault = ended;
        run
    } else {
        follow(&mut event, roster, &stop, wishes, server.as_ref())?
    };
    let run = run.map_err(event_error)?;
    // Whoever stops an event before it has begun waits for nothing: the next run begins with the
    // records.
    let is_late =
        matches!(run, RunOutcome::Stopped) && event.lacks_records() && event.tally().len() > SOON;
    let records = if is_late { None } else { Some(event.keep_records()?) };
    event.export_discarded(&event.dir().join(DISCARDED))?;
    let changes = event.changes()?;
    let incidents = event.incidents()?.groups().to_vec();
    let summary = Summary { warnings, changes, incidents, ..event.summary() };
    let (saved, total) = (event.tally().len(), event.total());
    match &records {
        Some(records) if summary.games > 0 => outputs.write(records)?,
        Some(_) => {}
        None => outputs.tell_unwritten(),
    }
    if *json {
        report::json(&summary)?;
    } else {
        let games = records
            .map_or("games.jsonl is written when the event is resumed".to_owned(), |path| {
                path.display().to_string()
            });
        let text = format!("{}\nGames: {games}\n", report::text(&summary));
        // What is on standard output then is for programs that know that of c-gomoku-cli.
        if is_theirs || outputs.takes_stdout() {
            report::tell(format_args!("{}", text.trim_end()))
        } else {
            report::print(&text)?
        }
    }
    if let Some(server) = server {
        server.end(matches!(run, RunOutcome::Finished), &stop);
    }
    if let Some(fault) = fault {
        let dir = event.dir().display();
        bail!(
            "-fatalerror: {fault}; {saved} of {total} games are saved; continue with `tengen \
             tournament resume {dir}`"
        );
    }
    Ok(match run {
        RunOutcome::Finished if summary.spoiled.are_too_many(saved) => CommandOutcome::Spoiled,
        RunOutcome::Finished if summary.is_inconclusive() => CommandOutcome::Inconclusive,
        RunOutcome::Finished => CommandOutcome::Done,
        RunOutcome::Stopped => {
            let dir = event.dir().display();
            report::tell(format_args!(
                "tengen: stopped; {saved} of {total} games are saved; continue with `tengen \
                 tournament resume {dir}`"
            ));
            CommandOutcome::Interrupted
        }
    })
}

/// Plays an event, and shows how it goes to those who follow it.
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
    let live = Arc::new(LiveEvent::new(event, Arc::clone(follower), logs, stream, is_shown));
    let ear = Arc::clone(&live);
    report::listen(Some(Box::new(move |line| {
        ear.say(line);
        is_shown
    })));
    let screen = match is_shown {
        true => {
            let dir = event.dir().to_owned();
            Some(Screen::open(Arc::clone(&live), move |action| act(&dir, action))?)
        }
        false => None,
    };
    let labels = event.config().labels();
    let line = !outputs.quiet && !is_shown;
    let mut line = line.then(|| ProgressLine::new(event.total(), event.tally().len(), labels));
    let folder = watch.map(|folder| FolderWatch::start(folder, event.dir())).transpose()?;
    // Nobody joins an event that is a test.
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
    let run = event.run_watched(roster, &RealTime::new(), stop, &mut observe, &watcher);
    if let Some(folder) = folder {
        folder.end();
    }
    if let Some(screen) = screen {
        screen.close();
    }
    if let Some(line) = line {
        line.end();
    }
    report::listen(None);
    if is_shown {
        live.messages().iter().for_each(|message| report::tell(format_args!("{message}")));
    }
    if let Some(live) = Arc::into_inner(live) {
        live.end(run.as_ref().ok().copied(), event.tally().len(), event.total());
    }
    Ok(run)
}

/// Does what a key asks for. A pause is a change of the event like one from another terminal.
fn act(dir: &Path, request: EventRequest) {
    let kind = match request {
        EventRequest::Stop => return stop::request(),
        EventRequest::Pause(true) => ChangeKind::Paused,
        EventRequest::Pause(false) => ChangeKind::Continued,
        EventRequest::StopAfterGames => ChangeKind::Stopped,
    };
    let ordered = Event::open(dir).and_then(|event| event.order(kind, "", &steer::date()));
    if let Err(error) = ordered {
        report::tell(format_args!("tengen: {error}"));
    }
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

fn wrong_use(error: ConfigError) -> anyhow::Error {
    WrongUse(error.into()).into()
}

/// A wrong call and a failed event have their own exit codes.
pub(crate) fn event_error(error: EventError) -> anyhow::Error {
    match error {
        EventError::Config(_)
        | EventError::Exists { .. }
        | EventError::NotEmpty { .. }
        | EventError::Unlike { .. }
        | EventError::NoEvent { .. } => WrongUse(error.into()).into(),
        error => error.into(),
    }
}
