//! `tengen match` and `tengen tournament run`: makes an event and plays it.

mod breakdown;
mod list;
mod outputs;
mod play;
mod report;
mod resume;
#[cfg(feature = "workers")]
pub(crate) mod workers;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use clap::Args as ClapArgs;
use tengen_hosts::{discover, resolve};
use tengen_lineup::{EngineLogs, EngineRoster, SERVE, refuse_remote};
use tengen_rules::Procedure;
use tengen_tournament::{ConfigError, EngineEntry, Event, EventConfig, Openings, Summary};

use self::play::{Wishes, play};
use crate::flags::{EngineSettingsArgs, EventArgs, Outputs, WorkersArgs};
use crate::gomoku_cli::Extras;
use crate::outcome::{event_error, wrong_use};
use crate::report::tell;
use crate::serve::LiveArgs;
use crate::user_folders::engine_folder;
use crate::{CommandOutcome, WrongUse};

pub(crate) use self::list::{EventsArgs, list};
pub(crate) use self::report::{ReportArgs, report};
pub(crate) use self::resume::{ResumeArgs, resume};

#[derive(Debug, ClapArgs)]
pub(crate) struct MatchArgs {
    /// The engines: ids, paths, or builtin:NAME
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub seats: EngineSettingsArgs,
    #[command(flatten)]
    pub options: EventArgs,
    #[command(flatten)]
    pub live: LiveArgs,
    #[command(flatten)]
    pub workers: WorkersArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// A tournament file; options on the command line override it
    #[arg(value_name = "FILE.toml")]
    pub file: Option<PathBuf>,
    /// The engines: ids, paths, or builtin:NAME; `all` is the whole folder
    #[arg(long, num_args = 1.., value_name = "ENGINE")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub seats: EngineSettingsArgs,
    /// Let each engine that appears in this folder join
    ///
    /// When every game is finished, the event waits for more engines until it is stopped: a
    /// standing ladder.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub watch: Option<PathBuf>,
    #[command(flatten)]
    pub options: EventArgs,
    #[command(flatten)]
    pub live: LiveArgs,
    #[command(flatten)]
    pub workers: WorkersArgs,
}

pub(crate) fn run_match(
    args: &MatchArgs,
    extras: Option<&Extras>,
) -> anyhow::Result<CommandOutcome> {
    let engines = args.seats.entries(&args.engines)?;
    let config = EventConfig { engines, ..EventConfig::default() };
    run_new(config, extras.is_none(), &args.options, (&args.live, &args.workers), None, extras)
}

pub(crate) fn run_tournament(args: &RunArgs) -> anyhow::Result<CommandOutcome> {
    let is_all = args.engines == ["all"];
    let named = args.seats.any(if is_all { &[] } else { &args.engines })?;
    let mut config = match &args.file {
        Some(file) => EventConfig::read(file).map_err(|error| WrongUse(error.into()))?,
        None if named.is_empty() && !is_all && args.watch.is_none() => {
            bail!(WrongUse(anyhow!("no engines; name a FILE.toml, or engines with --engines")))
        }
        None => EventConfig::default(),
    };
    let is_watched = args.watch.is_some() && args.file.is_none() && named.is_empty() && !is_all;
    if let (true, Some(folder)) = (is_watched, &args.watch) {
        config.engines = all_in(folder)?;
        for engine in &mut config.engines {
            let id = engine.id.clone();
            let path =
                resolve(&id, folder).ok().and_then(|spec| dunce::canonicalize(&spec.path).ok());
            if let Some(path) = path.and_then(|path| path.into_os_string().into_string().ok()) {
                (engine.id, engine.label) = (path, Some(id));
            }
        }
    } else if is_all {
        let dir = args.options.dir.clone().unwrap_or_else(|| usual_dir(&config));
        config.engines = all_in(&dir)?;
        config.engines.extend(named);
    } else if !named.is_empty() {
        config.engines = named;
    }
    let (site, watch) = ((&args.live, &args.workers), args.watch.as_deref());
    let event = run_new(config, args.file.is_none(), &args.options, site, watch, None);
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
/// it is not said what games begin from, they begin from balanced positions if `is_open`.
fn run_new(
    mut config: EventConfig,
    is_open: bool,
    args: &EventArgs,
    (live, workers): (&LiveArgs, &WorkersArgs),
    watch: Option<&Path>,
    extras: Option<&Extras>,
) -> anyhow::Result<CommandOutcome> {
    refuse_contradictions(args.json, &args.outputs)?;
    #[cfg(feature = "workers")]
    workers.check(&args.outputs, args.debug_engine.is_some())?;
    #[cfg(feature = "workers")]
    crate::flags::refuse([(
        "--scale-time",
        args.scale_time.is_some() && workers.server().is_none(),
        "it is for workers; name their server with --workers",
    )])?;
    let listener = live.listen()?;
    settle(&mut config, args, is_open)?;
    if watch.is_some() {
        config.check_open("watch").map_err(wrong_use)?;
    }
    if listener.is_none() {
        refuse_remote(&config, SERVE)?;
    }
    let out = config.out.take();
    let (mut config, mut roster) = EngineRoster::enroll(config)?;
    if let Some(engine) = &args.debug_engine {
        roster = roster.debugging(engine, |label| args.debug_wait.start(label), &mut config)?;
    }
    if let Some(extras) = extras {
        extras.settle(&mut config)?;
    }
    tell_who_opens(&config);
    let logs = args.outputs.game_logs();
    let event = args.outputs.begin(&[])?;
    let (kept, theirs) = match extras {
        // The files of c-gomoku-cli take the place of logs of games.
        Some(extras) => {
            let (files, messages) = extras.open(&config)?;
            (EngineLogs { event: extras.log()?, messages, games: None }, Some((extras, files)))
        }
        None => (EngineLogs { event, messages: None, games: Some(Arc::clone(&logs)) }, None),
    };
    let mut roster = roster.logged(kept, &config);
    #[cfg(feature = "workers")]
    if let Some(server) = workers.server() {
        // What is wrong is said before there is a folder.
        workers::check(&server, &roster)?;
    }
    let event = match out {
        Some(out) => Event::create(&out, config),
        None => Event::create_numbered(Path::new("events"), &config),
    };
    let mut event = event.map_err(event_error)?;
    args.outputs.export(&mut event)?;
    let wishes = Wishes { json: args.json, outputs: &args.outputs, watch, logs, workers };
    play(event, &mut roster, &wishes, listener, theirs)
}

/// Applies the flags to the configuration of a new event, and checks it.
pub(crate) fn settle(
    config: &mut EventConfig,
    args: &EventArgs,
    is_open: bool,
) -> anyhow::Result<()> {
    let is_default = choose_openings(config, args, is_open);
    args.apply(config)?;
    if args.dir.is_none() {
        config.dir = usual_dir(config);
    }
    load_openings(config, is_default)?;
    config.validate().map_err(wrong_use)?;
    config.check_new().map_err(wrong_use)
}

fn refuse_contradictions(json: bool, outputs: &Outputs) -> anyhow::Result<()> {
    if json && outputs.takes_stdout() {
        bail!(WrongUse(anyhow!(
            "--json and --events - both write to standard output; name a file with --events FILE"
        )));
    }
    Ok(())
}

/// Settles what the games begin from, before the options are applied. Whether that is the default.
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

/// Reads the positions. Where they are the default and none come with the program, games begin on
/// the empty board.
fn load_openings(config: &mut EventConfig, is_default: bool) -> anyhow::Result<()> {
    let is_balanced = config.openings == Openings::Balanced;
    config.load_openings().map_err(wrong_use)?;
    if !is_balanced || !config.openings.is_empty() {
        return Ok(());
    }
    let (rule, size) = (config.rule, config.size);
    let none = format!("Tengen has no balanced openings for {rule} on a board of {size}");
    if !is_default {
        bail!(WrongUse(anyhow!("{none}; name a file of positions with --openings")));
    }
    config.opening = Procedure::None;
    tell(format_args!(
        "tengen: {none}: games begin on the empty board; name a file of positions with --opening \
         book --openings FILE"
    ));
    Ok(())
}

/// Says for which engines the arbiter answers opening questions.
fn tell_who_opens(config: &EventConfig) {
    let labels = config.labels().into_iter().zip(&config.engines);
    let silent: Vec<_> =
        labels.filter(|(_, engine)| engine.opening_by_arbiter).map(|(label, _)| label).collect();
    if !silent.is_empty() {
        let assistant = config.opening_engine.as_ref().map(|engine| engine.id.as_str());
        tell(format_args!(
            "tengen: {} answers the opening questions of {} for {}",
            assistant.unwrap_or("the arbiter"),
            config.opening,
            silent.join(", "),
        ));
    }
}

/// The summary of an event, with its changes and incidents.
pub(crate) fn whole_summary(event: &Event) -> anyhow::Result<Summary> {
    let incidents = event.incidents()?.groups().to_vec();
    let (changes, workers) = (event.changes()?, event.workers()?);
    Ok(Summary { changes, incidents, workers, ..event.summary() })
}
