//! `tengen gui`: the window.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use clap::{Arg, Args as ClapArgs};
use tengen_gui::app::{App, AppServices, EventSession, GameArchive, GameForm, SettingsStore};
use tengen_lineup::{EngineFolder, EngineRoster, refuse_remote};
use tengen_players::RealTime;
use tengen_tournament::{EngineEntry, EventConfig, Openings};

use crate::flags::{EventArgs, refuse};
use crate::user_folders::{config_folder, data_folder, engine_folder};
use crate::{CommandOutcome, WrongUse};

/// What to do with engines that play from other machines: a match that is watched is no event.
const NOT_WATCHED: &str = "play with it in an event: Event › New event… of the window";
/// How long a finished game of a match is shown.
const INTERVAL: Duration = Duration::from_secs(4);

#[derive(Debug, ClapArgs)]
#[command(mut_args(hide_useless))]
pub(crate) struct GuiArgs {
    /// Two engines to watch: ids, paths, or builtin:NAME; leave out to play
    #[arg(num_args = 2, value_names = ["ENGINE", "ENGINE"])]
    pub engines: Vec<String>,
    /// Where the window saves games [default: tengen in the user's data folder]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub options: EventArgs,
}

pub(crate) fn show(args: &GuiArgs) -> anyhow::Result<CommandOutcome> {
    refuse_useless(&args.options)?;
    let (session, setup) = if args.engines.is_empty() {
        (None, proposal(&args.options)?)
    } else {
        (Some(session(args)?), GameForm::default())
    };
    let dir = args.options.dir.clone().unwrap_or_else(engine_folder);
    let data = args.data.clone().or_else(data_folder);
    let events = data.as_deref().unwrap_or(".".as_ref()).join("events");
    let services = AppServices {
        provider: Arc::new(EngineFolder::new(dir)),
        time: Arc::new(RealTime::new()),
        archive: data.map(GameArchive::new),
        events: Some(events),
        wake: Arc::new(|| {}),
    };
    let settings_store =
        config_folder().map(|dir| SettingsStore::open(dir.join("gui.toml"), &locale()));
    tengen_gui::run(services, settings_store, |app: &mut App| {
        let restored = app.restore();
        match session {
            Some(session) => app.open_match(session),
            None if !restored => app.propose(setup),
            None => {}
        }
    })?;
    Ok(CommandOutcome::Done)
}

/// Opens the window without a console, if what does that is there, for a person who started the
/// program by its icon, and ends this process.
#[cfg(windows)]
pub(crate) fn open_from_icon() {
    let launcher = std::env::current_exe().map(|own| own.with_file_name("tengenw.exe"));
    if launcher.and_then(|program| std::process::Command::new(program).spawn()).is_ok() {
        std::process::exit(0);
    }
}

/// The match of the engines that were named.
fn session(args: &GuiArgs) -> anyhow::Result<EventSession> {
    let engines = args.engines.iter().map(EngineEntry::new).collect();
    let mut event = EventConfig { engines, ..EventConfig::default() };
    args.options.apply(&mut event)?;
    if let Some(file) = &args.options.openings {
        event.openings = Openings::from(file.clone());
    }
    if args.options.dir.is_none() {
        event.dir = engine_folder();
    }
    event.load_openings().map_err(|error| WrongUse(error.into()))?;
    event.validate().map_err(|error| WrongUse(error.into()))?;
    refuse_remote(&event, NOT_WATCHED)?;
    let (event, roster) = EngineRoster::enroll(event)?;
    let roster_factory = Box::new(move || Arc::new(roster.renewed()) as _);
    Ok(EventSession::watch(event, INTERVAL, roster_factory, Arc::new(RealTime::new()))?)
}

/// The new game form that opens when no engines are named.
fn proposal(options: &EventArgs) -> anyhow::Result<GameForm> {
    let mut event = EventConfig::default();
    options.apply(&mut event)?;
    let EventConfig { rule, size, opening, tc, dir, .. } = event.clone();
    let dialog = EventConfig { rule, size, opening, tc, dir, ..EventConfig::default() };
    if event != dialog || options.openings.is_some() || options.outputs.are_wanted() {
        let problem = "name two engines to watch, or use only --rule, --size, --opening, --tc, \
                       --dir and --data";
        return Err(WrongUse(anyhow!(problem)).into());
    }
    let (width, height) = (size.width(), size.height());
    let mut setup = GameForm { rule, width, height, opening, ..GameForm::default() };
    if options.tc.is_some() && !setup.set_time(tc) {
        let problem = "the dialog has only whole seconds, such as 300+3 or move=30";
        return Err(WrongUse(anyhow!("--tc {tc}: {problem}")).into());
    }
    Ok(setup)
}

/// Keeps the flags that [`refuse_useless`] rejects out of the short help.
fn hide_useless(flag: Arg) -> Arg {
    let useless = "out json sgf pgn log events quiet debug_engine debug_wait concurrency cpus";
    let is_useless = useless.split(' ').any(|name| name == flag.get_id());
    if is_useless { flag.hide_short_help(true) } else { flag }
}

/// Rejects the options of events that mean nothing in a window.
fn refuse_useless(options: &EventArgs) -> anyhow::Result<()> {
    let problem = "not supported by the window; use `tengen match`";
    let given = [
        ("--out", options.out.is_some()),
        ("--json", options.json),
        ("--sgf, --pgn, --log", options.outputs.are_wanted()),
        ("--debug-engine", options.debug_engine.is_some()),
        ("--concurrency", options.concurrency.is_some()),
        ("--cpus", options.cpus.is_some()),
    ];
    refuse(given.map(|(flag, is_given)| (flag, is_given, problem)))
}

/// The locale for messages: the first variable that is set decides, on Windows else the settings.
fn locale() -> String {
    let variables = ["LC_ALL", "LC_MESSAGES", "LANG"];
    let set = |variable| std::env::var(variable).ok().filter(|value| !value.is_empty());
    let found = variables.into_iter().find_map(set);
    #[cfg(windows)]
    let found = found.or_else(sys_locale::get_locale);
    found.unwrap_or_default()
}
