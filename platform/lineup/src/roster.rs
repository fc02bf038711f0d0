//! The engines of an event: found, asked what they are, found fit, and seated.

mod absent;
mod changes;
mod gather;
mod remote;
mod seating;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use anyhow::{Context, anyhow, bail, ensure};
use tengen_hosts::package::{ResolveError, command, engine_file};
use tengen_hosts::{
    DebugStart, EngineKind, EngineSpec, GameVariant, HostError, HostSettings, Probe, RestartPolicy,
    TEXT_MARGIN, WasmIsolation, probe_for, resolve, side_by_side,
};
use tengen_rules::Procedure;
use tengen_tournament::{
    AbsentOption, Affinity, EngineEntry, Event, EventConfig, EventFormat, IsolationOption,
    LineEndOption, OpeningPolicy, OwnOpening, RestartOption, Roster, Seconds, SetAside,
};

pub use self::changes::{ChangeFate, FileChange};
use self::changes::{ChangeListener, ChangeWatch, tell_uncopied};
use self::gather::gather;
pub use self::remote::{SERVE, refuse_remote};
use self::remote::{enroll_remote, is_here};
use crate::debugging::{NO_HURRY, unhurried, unlimited};
use crate::lock::lock;
use crate::logs::EngineLogs;
use crate::wait_notice::WaitNotice;
use crate::{NOTICE, WrongUse, causes};

/// What stands in the place of an engine's layers that had none, because it was debugged.
const DEBUGGED: &str = "debugged";

/// The engines of an event, ready to play.
pub struct EngineRoster {
    /// The engines, as far as they have joined by now.
    seated: Arc<RwLock<Arc<SeatedEngines>>>,
    /// The engine that answers opening questions for the others.
    assistant: Option<EngineSpec>,
    settings: HostSettings,
    logs: EngineLogs,
    /// Where the engines are looked for, if not where the event says.
    moved: Option<PathBuf>,
    /// The one that is debugged, and how it is started for that.
    debugged: Option<(usize, DebugStart)>,
    /// Players in the place of engines.
    given: Option<Arc<dyn Roster + Send + Sync>>,
    /// Seats the remote engines; none where there is no server.
    remote: Option<Arc<dyn Roster + Send + Sync>>,
    /// Watches the files of the engines while the event is played.
    changes: Option<ChangeWatch>,
}

/// An engine as it is sent to workers elsewhere.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineBundle {
    /// Its files in one piece; none of one that is linked into this program.
    pub files: Option<Vec<u8>>,
    /// What a machine must have to play it: see [`EngineSpec::needs`].
    pub needs: BTreeSet<String>,
}

/// What is known of an event's engines, by their places.
struct SeatedEngines {
    entries: Vec<EngineEntry>,
    /// None of those that do not start, or play from other machines.
    specs: Vec<Option<EngineSpec>>,
    /// What they are called.
    labels: Vec<String>,
    /// Whether the arbiter may answer opening questions for them.
    has_help: bool,
}

impl SeatedEngines {
    fn new(specs: Vec<Option<EngineSpec>>, config: &EventConfig) -> SeatedEngines {
        let (entries, labels) = (config.engines.clone(), config.labels());
        let has_help = config.opening_policy == OpeningPolicy::Arbiter;
        SeatedEngines { entries, specs, labels, has_help }
    }
}

impl EngineRoster {
    /// Finds the engines of a new event, and asks each what it is. Gives the configuration with
    /// that, and without those that cannot play.
    pub fn enroll(mut config: EventConfig) -> anyhow::Result<(EventConfig, EngineRoster)> {
        if let Ok(dir) = dunce::canonicalize(&config.dir) {
            config.dir = dir;
        }
        let settings = settings(&config)?;
        let mut specs = Vec::new();
        let (shared, labels) = (config.clone(), config.labels());
        let mut unfit = Vec::new();
        let entries = std::mem::take(&mut config.engines);
        let found = at_once(&shared, &entries, |entry| {
            entry.remote().is_none().then(|| find(entry, &shared, &settings))
        });
        for (place, (mut entry, found)) in entries.into_iter().zip(found).enumerate() {
            let spec = match found {
                None => {
                    enroll_remote(&mut entry, &shared);
                    None
                }
                Some(found) => match found.and_then(|found| enroll_fit(&mut entry, found, &shared))
                {
                    Ok(spec) => Some(spec),
                    Err(error) if is_needed(&shared, place, &error) => return Err(error),
                    Err(error) if shared.absent == AbsentOption::Forfeit => {
                        let (label, why) = (&labels[place], causes(&error));
                        log::info!(target: NOTICE, "{label} loses its games by forfeit: {why}");
                        entry.absent = Some(why);
                        None
                    }
                    Err(error) => {
                        unfit.push((labels[place].clone(), error));
                        continue;
                    }
                },
            };
            specs.push(spec);
            config.engines.push(entry);
        }
        set_aside(&mut config, unfit)?;
        // All engines have the margin of the text engines.
        if shared.margin.is_none() && specs.iter().flatten().any(|spec| spec.kind.is_text()) {
            for entry in &mut config.engines {
                entry.margin = entry.margin.or(Some(Seconds(TEXT_MARGIN)));
            }
        }
        let mut assistant = None;
        if let Some(entry) = &mut config.opening_engine {
            let (spec, probe) = find(entry, &shared, &settings)?;
            describe(entry, &spec, &probe);
            let (id, opening) = (&entry.id, shared.opening.name());
            let problem =
                || anyhow!("{id}: cannot be the opening engine: it does not support {opening}");
            ensure!(probe.answers(shared.opening), WrongUse(problem()));
            assistant = Some(spec);
        }
        let roster = EngineRoster::new(specs, assistant, settings, &config);
        Ok((config, roster))
    }

    /// An engine of an event that is over, wherever its file is by now.
    pub fn find_again(
        config: &EventConfig,
        place: usize,
        dir: Option<&Path>,
    ) -> anyhow::Result<EngineSpec> {
        let moved = dir.map(|dir| EventConfig { dir: dir.to_owned(), ..config.clone() });
        let config = moved.as_ref().unwrap_or(config);
        let entry = &config.engines[place];
        let is_here = entry.remote().is_none();
        ensure!(is_here, WrongUse(anyhow!("{}: it plays from another machine", entry.id)));
        gather::find_again(entry, config, dir.is_some())
    }

    /// One engine of an event, without deadlines, and started for a debugger where that is wanted.
    pub fn alone(
        config: &EventConfig,
        place: usize,
        engine: EngineSpec,
        start: Option<DebugStart>,
    ) -> anyhow::Result<EngineRoster> {
        let settings = settings(config)?;
        // How it writes its protocol is learnt so. One that dies of that dies again.
        let _failed = look_at(&engine, &settings, &variant(&config.engines[place], config));
        let settings = HostSettings { traces_panics: true, ..unhurried(settings) };
        let (engine, settings) = match start {
            None => (engine, settings),
            Some(start) => {
                let (debug, require_sandbox) = (Some(start), false);
                let isolation = WasmIsolation::Child;
                let settings = HostSettings { debug, require_sandbox, isolation, ..settings };
                (unlimited(&engine), settings)
            }
        };
        let mut specs = vec![None; config.engines.len()];
        specs[place] = Some(engine);
        Ok(EngineRoster::new(specs, None, settings, config))
    }

    fn new(
        specs: Vec<Option<EngineSpec>>,
        assistant: Option<EngineSpec>,
        settings: HostSettings,
        config: &EventConfig,
    ) -> EngineRoster {
        let seated = Arc::new(RwLock::new(Arc::new(SeatedEngines::new(specs, config))));
        let (moved, debugged, given, remote, changes) = (None, None, None, None, None);
        let logs = EngineLogs::default();
        EngineRoster { seated, assistant, settings, logs, moved, debugged, given, remote, changes }
    }

    /// Players that are in this process already, as those of tests, in the place of the engines
    /// that do not play from other machines.
    ///
    /// # Errors
    /// When this program cannot be found.
    pub fn of_players(
        players: Arc<dyn Roster + Send + Sync>,
        config: &EventConfig,
    ) -> anyhow::Result<EngineRoster> {
        let specs = vec![None; config.engines.len()];
        let roster = EngineRoster::new(specs, None, settings(config)?, config);
        Ok(EngineRoster { given: Some(players), ..roster })
    }

    /// The same, with one engine started for a debugger. It is not late, nor is anything else of it
    /// limited; what it plays says so.
    pub fn debugging(
        self,
        engine: &str,
        start: impl FnOnce(&str) -> DebugStart,
        config: &mut EventConfig,
    ) -> anyhow::Result<EngineRoster> {
        let labels = config.labels();
        let is_meant =
            |(entry, label): (&EngineEntry, &String)| entry.id == engine || *label == engine;
        let place = config.engines.iter().zip(&labels).position(is_meant).ok_or_else(|| {
            let known = labels.join(", ");
            WrongUse(anyhow!("--debug-engine {engine}: not in this event; name one of {known}"))
        })?;
        let problems = [
            (config.engines[place].remote().is_some(), "plays from another machine"),
            (config.require_sandbox, "has no sandbox, but --require-sandbox demands one"),
            (
                config.isolation == IsolationOption::InProcess,
                "has no process to debug with --isolation in-process",
            ),
        ];
        if let Some((_, problem)) = problems.into_iter().find(|(is_so, _)| *is_so) {
            bail!(WrongUse(anyhow!("--debug-engine {engine}: {problem}")));
        }
        let entry = &mut config.engines[place];
        entry.margin = Some(NO_HURRY);
        entry.memory_mib = None;
        entry.layers = vec![DEBUGGED.to_owned()];
        (config.stall, config.concurrency) = (Seconds(0), 1);
        let start = start(&labels[place]);
        Ok(EngineRoster { debugged: Some((place, start)), ..self })
    }

    /// The same, with what its engines are asked, answer and say kept there.
    pub fn logged(self, logs: EngineLogs, config: &EventConfig) -> EngineRoster {
        let specs = self.seated().specs.clone();
        let seated = Arc::new(RwLock::new(Arc::new(SeatedEngines::new(specs, config))));
        EngineRoster { seated, logs, ..self }
    }

    fn seated(&self) -> Arc<SeatedEngines> {
        Arc::clone(&self.seated.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Finds an engine that is to join an event, and asks it what it is. One from another folder
    /// than the event's is known by its path, so that it is found again.
    ///
    /// # Errors
    /// When it is not found, or cannot play in the event.
    pub fn newcomer(
        config: &EventConfig,
        mut entry: EngineEntry,
        dir: Option<&Path>,
    ) -> anyhow::Result<EngineEntry> {
        if let Some(dir) = dir.filter(|_| entry.remote().is_none()) {
            let spec = resolve(&entry.id, dir).map_err(|error| WrongUse(error.into()))?;
            let path = dunce::canonicalize(&spec.path).ok();
            if let Some(path) = path.and_then(|path| path.into_os_string().into_string().ok()) {
                entry.label.get_or_insert(spec.id);
                entry.id = path;
            }
        }
        // All engines have the margin of the text engines.
        let most = config.engines.iter().filter_map(|engine| engine.margin).max();
        if enroll_remote(&mut entry, config) {
            entry.margin = entry.margin.or(most);
            return Ok(entry);
        }
        let settings = settings(config)?;
        let found = find(&entry, config, &settings)?;
        let spec = enroll_fit(&mut entry, found, config)?;
        let own = spec.kind.is_text().then_some(Seconds(TEXT_MARGIN));
        entry.margin = entry.margin.or(most).or(own.filter(|_| config.margin.is_none()));
        Ok(entry)
    }

    /// Finds the engines of an event that goes on, and makes sure that they are still the same.
    /// `dir` is their folder where that is another one by now, as on another machine.
    ///
    /// # Errors
    /// When one is not found, or not the same any more.
    pub fn gather(config: &EventConfig, dir: Option<&Path>) -> anyhow::Result<EngineRoster> {
        let moved = dir.map(|dir| EventConfig { dir: dir.to_owned(), ..config.clone() });
        let config = moved.as_ref().unwrap_or(config);
        let moved = dir.map(Path::to_owned);
        Ok(EngineRoster { moved, ..EngineRoster::gathered(config, settings(config)?)? })
    }

    /// The engines of an event that another machine runs, from the files that it sent, which are
    /// among the copies in this cache. Only those that `is_wanted`, by their places, are looked at.
    /// With it, why some of them do not play: they cannot be started here, or not with the sandbox
    /// that they were enrolled with.
    ///
    /// # Errors
    /// When the opening engine cannot be started here.
    pub fn sent(
        config: &EventConfig,
        cache: &Path,
        is_wanted: impl Fn(usize) -> bool + Sync,
    ) -> anyhow::Result<(EngineRoster, BTreeMap<usize, anyhow::Error>)> {
        let settings = HostSettings { cache: Some(cache.to_owned()), ..settings(config)? };
        let mut unfit = BTreeMap::new();
        let gathered = gather_all(config, &settings, is_wanted).into_iter().enumerate();
        let fit = |(place, found): (usize, anyhow::Result<Option<EngineSpec>>)| {
            found.map_err(|error| unfit.insert(place, error)).ok().flatten()
        };
        let specs = gathered.map(fit).collect();
        Ok((EngineRoster::seating(specs, settings, config)?, unfit))
    }

    fn gathered(config: &EventConfig, settings: HostSettings) -> anyhow::Result<EngineRoster> {
        let gathered = gather_all(config, &settings, |_| true).into_iter();
        let specs = gathered.collect::<anyhow::Result<Vec<_>>>()?;
        EngineRoster::seating(specs, settings, config)
    }

    /// A roster of these engines, with the opening engine of the event.
    fn seating(
        specs: Vec<Option<EngineSpec>>,
        settings: HostSettings,
        config: &EventConfig,
    ) -> anyhow::Result<EngineRoster> {
        let assistant = config.opening_engine.as_ref();
        let assistant = assistant.map(|entry| gather(entry, config, &settings)).transpose()?;
        Ok(EngineRoster::new(specs, assistant, settings, config))
    }

    /// The files of each engine in one piece, by the engines' places, and of the opening engine
    /// where there is one, for workers elsewhere.
    ///
    /// # Errors
    /// Names an engine that cannot be sent, and says why.
    pub fn bundles(&self) -> anyhow::Result<(Vec<EngineBundle>, Option<EngineBundle>)> {
        let seated = self.seated();
        let pack = |id: &str, spec: &EngineSpec| -> anyhow::Result<EngineBundle> {
            let bundle = spec.bundle().map_err(|error| WrongUse(anyhow!("{id}: {error}")))?;
            let files = (!bundle.is_empty()).then_some(bundle);
            Ok(EngineBundle { files, needs: spec.needs() })
        };
        let each = seated.entries.iter().zip(&seated.specs).map(|(entry, spec)| {
            let elsewhere = || {
                let problem = "it plays from another machine, or does not start here, so no worker \
                               can play it";
                WrongUse(anyhow!("{}: {problem}", entry.id))
            };
            pack(&entry.id, spec.as_ref().ok_or_else(elsewhere)?)
        });
        let engines = each.collect::<anyhow::Result<Vec<_>>>()?;
        let assistant = self.assistant.as_ref();
        let assistant = assistant.map(|spec| pack(&spec.id, spec)).transpose()?;
        Ok((engines, assistant))
    }

    /// The same engines with an interrupt of their own, which has not been raised.
    pub fn renewed(&self) -> EngineRoster {
        let interrupt = tengen_hosts::Interrupt::new();
        let settings = HostSettings { interrupt, ..self.settings.clone() };
        EngineRoster {
            seated: Arc::new(RwLock::new(self.seated())),
            assistant: self.assistant.clone(),
            settings,
            logs: self.logs.clone(),
            moved: self.moved.clone(),
            debugged: self.debugged.clone(),
            given: self.given.clone(),
            remote: self.remote.clone(),
            changes: None,
        }
    }

    /// From now on, and until this is dropped, looks whether files of the engines are changed, does
    /// then what the event says, and tells of it.
    pub fn watch_changes(&mut self, event: &Event, hear: ChangeListener) -> anyhow::Result<()> {
        let (dir, policy) = (event.dir(), event.config().changed);
        let changes = ChangeWatch::start(Arc::clone(&self.seated), dir, policy, hear);
        self.changes = Some(changes.context("cannot watch the engines' files")?);
        Ok(())
    }

    /// Lets these seat the engines that play from other machines.
    pub fn seat_remote(&mut self, remote: Arc<dyn Roster + Send + Sync>) {
        self.remote = Some(remote);
    }

    /// What the engines are hosted with; its interrupt stops them all.
    pub fn settings(&self) -> &HostSettings {
        &self.settings
    }
}

/// Whether an engine can play games of this kind that belong to no event. The arbiter answers
/// opening questions that it cannot.
pub fn fit_alone(spec: &EngineSpec, probe: &Probe, variant: &GameVariant) -> anyhow::Result<()> {
    let GameVariant { rule, size, opening } = *variant;
    let opening_policy = OpeningPolicy::Arbiter;
    let config = EventConfig { rule, size, opening, opening_policy, ..EventConfig::default() };
    fit(spec, probe, &config)
}

/// How an event hosts its engines.
fn settings(config: &EventConfig) -> anyhow::Result<HostSettings> {
    let mut settings = HostSettings::this_program().context("cannot find this program")?;
    settings.startup = std::time::Duration::from_nanos(config.startup.0);
    settings.restart = restart_policy(config.restart);
    settings.strict_protocol = config.strict_protocol;
    settings.require_sandbox = config.require_sandbox;
    settings.require_layers.clone_from(&config.require_layers);
    settings.ponder = config.ponder;
    settings.send_board = config.send_board;
    settings.share_cpu = config.cpus == Affinity::Auto
        && config.engines.iter().all(|engine| engine.threads.unwrap_or(1) <= 1);
    // The tables of an event end together, and a match that is watched has one.
    settings.threads_stay = true;
    settings.engines_at_once = config.concurrency.saturating_mul(2);
    settings.folder_mib = config.folder_limit.map(|limit| limit.0);
    settings.isolation = match config.isolation {
        IsolationOption::Child => WasmIsolation::Child,
        IsolationOption::InProcess => WasmIsolation::InProcess,
    };
    Ok(settings)
}

/// Finds the engines of an event again, by their places; none of those that play elsewhere or are
/// not wanted.
fn gather_all(
    config: &EventConfig,
    settings: &HostSettings,
    is_wanted: impl Fn(usize) -> bool + Sync,
) -> Vec<anyhow::Result<Option<EngineSpec>>> {
    let places: Vec<usize> = (0..config.engines.len()).collect();
    side_by_side(&places, config.concurrency.saturating_mul(2), |place| {
        let entry = &config.engines[*place];
        let is_gathered = is_here(entry) && is_wanted(*place);
        is_gathered.then(|| gather(entry, config, settings)).transpose()
    })
}

/// Does the same for every engine of an event, for no more at once than play at once.
fn at_once<R: Send>(
    config: &EventConfig,
    entries: &[EngineEntry],
    work: impl Fn(&EngineEntry) -> R + Sync,
) -> Vec<R> {
    side_by_side(entries, config.concurrency.saturating_mul(2), work)
}

/// Makes sure that an engine which was found can play such games, and writes what it is into its
/// entry.
fn enroll_fit(
    entry: &mut EngineEntry,
    (spec, probe): (EngineSpec, Probe),
    config: &EventConfig,
) -> anyhow::Result<EngineSpec> {
    describe(entry, &spec, &probe);
    let answers = probe.answers(config.opening);
    if entry.opening != OwnOpening::None {
        fit(&spec, &probe, config).map_err(WrongUse)?;
    }
    entry.opening_by_arbiter = !answers || decides_nothing(entry, config);
    Ok(spec)
}

/// Finds the engine of an entry, and asks it what it is.
fn find(
    entry: &EngineEntry,
    config: &EventConfig,
    settings: &HostSettings,
) -> anyhow::Result<(EngineSpec, Probe)> {
    let spec = settings.enroll(spec(entry, config)?)?;
    tell_uncopied(&spec);
    let probe = look_at(&spec, settings, &variant(entry, config))?;
    Ok((spec, probe))
}

/// Writes into an entry what its engine is.
fn describe(entry: &mut EngineEntry, spec: &EngineSpec, probe: &Probe) {
    entry.path = absolute(spec.original());
    // A command means the same wherever the event goes on.
    entry.folder.clone_from(&spec.typed_in);
    let told = || spec.name.clone().or_else(|| probe.description.name.clone());
    if let Some(name) = entry.name.is_empty().then(told).flatten() {
        entry.name = name;
    }
    entry.version = probe.description.version.clone().unwrap_or_default();
    entry.hash.clone_from(&probe.hash);
    entry.files = spec.enrolled.as_ref().map(|files| files.digest.clone()).unwrap_or_default();
    entry.layers.clone_from(&probe.layers);
    tell_gaps(probe);
    entry.options = spec.options.iter().cloned().collect();
    entry.memory_mib = spec.memory_mib;
    entry.threads = spec.threads;
}

/// The engine an entry means, with what the entry and the event say of it.
fn spec(entry: &EngineEntry, config: &EventConfig) -> anyhow::Result<EngineSpec> {
    let dir = &config.dir;
    let by_id = match command(&entry.id, entry.folder.as_deref(), Some(dir)) {
        Some(spec) => Ok(spec.map_err(|error| WrongUse(anyhow!("`{}`: {error}", entry.id)))?),
        None => resolve(&entry.id, dir),
    };
    let spec = match (&entry.path, by_id) {
        // An id may come from a manifest, which says more than the library alone.
        (_, Ok(spec)) => spec,
        (Some(path), Err(_)) => {
            let path = path.to_str().ok_or_else(|| anyhow!("{}: not UTF-8", path.display()))?;
            resolve(path, dir).map_err(|error| WrongUse(error.into()))?
        }
        (_, Err(error)) => return Err(WrongUse(error.into()).into()),
    };
    let opponents = config.engines.iter().filter(|other| other.id != entry.id);
    let opponents: Vec<_> =
        opponents.filter_map(|other| engine_file(&other.id, other.folder.as_deref())).collect();
    let spec = furnished(spec.apart_from(&opponents), entry, config);
    tell_unread(&spec);
    if let Some((least, most)) = spec.needs.memory_mib.zip(spec.memory_mib)
        && least > most
    {
        let told = anyhow!(
            "{}: its manifest asks for {least} MiB of memory, and it is given {most}; give it more \
             with --memory, or in its entry of the event",
            spec.id
        );
        return Err(WrongUse(told).into());
    }
    Ok(spec)
}

/// An engine with what its entry and the event say of it.
fn furnished(mut spec: EngineSpec, entry: &EngineEntry, config: &EventConfig) -> EngineSpec {
    for (name, value) in &entry.options {
        spec.set_option(name, value);
    }
    // What the engine's own manifest sets stays a ceiling.
    let allowed = entry.memory_mib.or(config.memory.map(|memory| memory.0));
    spec.memory_mib = allowed.into_iter().chain(spec.memory_mib).min();
    spec.threads = entry.threads.or(spec.threads);
    spec.lf_alone = match entry.line_end {
        LineEndOption::Auto => spec.lf_alone,
        LineEndOption::CrLf => Some(false),
        LineEndOption::Lf => Some(true),
    };
    spec.restart = entry.restart.map(restart_policy).or(spec.restart);
    spec.fitted(config.rule, config.size)
}

fn restart_policy(option: RestartOption) -> RestartPolicy {
    match option {
        RestartOption::Auto => RestartPolicy::Auto,
        RestartOption::On => RestartPolicy::On,
        RestartOption::Off => RestartPolicy::Off,
    }
}

/// Says once what an engine does not read that lies beside it.
fn tell_unread(spec: &EngineSpec) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut told = lock(&TOLD);
    for unread in spec.unread.iter().filter(|unread| told.insert((*unread).clone())) {
        log::warn!(target: NOTICE, "{} does not read {unread}", spec.id);
    }
}

/// Says of each layer once that the sandbox lacks it on this machine, and why.
fn tell_gaps(probe: &Probe) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut told = lock(&TOLD);
    let new = probe.gaps.iter().filter(|gap| told.insert(gap.layer.clone()));
    let new: Vec<_> = new.map(ToString::to_string).collect();
    if !new.is_empty() {
        let new = new.join(", ");
        log::warn!(
            target: NOTICE,
            "the sandbox lacks {new} here; `tengen doctor` says how to get it"
        );
    }
}

fn absolute(path: &Path) -> Option<PathBuf> {
    if path.as_os_str().is_empty() { None } else { dunce::canonicalize(path).ok() }
}

/// Whether an engine can play in the event at all: said before the first game, not lost in it.
fn fit(spec: &EngineSpec, probe: &Probe, config: &EventConfig) -> anyhow::Result<()> {
    let id = &spec.id;
    let description = &probe.description;
    if config.isolation == IsolationOption::InProcess && spec.kind != EngineKind::Wasm {
        bail!(
            "{id}: a {} engine cannot run in process; only WASM can. Use --isolation child",
            spec.kind
        );
    }
    let (rule, size) = (config.rule, config.size);
    let plays = description.plays(rule, size.width(), size.height());
    ensure!(plays, "{id}: does not play {rule} on a board of {size}");
    if !config.opening.asks() {
        return Ok(());
    }
    let opening = config.opening.name();
    let is_answered = probe.answers(config.opening);
    if !is_answered && config.opening_policy == OpeningPolicy::Arbiter {
        return Ok(());
    }
    ensure!(
        is_answered || !spec.kind.is_text(),
        "{id}: the {} protocol has no command for {opening}{}; use --opening none or book, or let \
         the arbiter answer with --opening-policy arbiter",
        spec.kind,
        if config.opening == Procedure::Swap2 { ", or the engine does not know it" } else { "" },
    );
    ensure!(
        description.opens(opening),
        "{id}: does not support the opening procedure {opening}, only {}",
        description.openings.join(", "),
    );
    ensure!(
        is_answered,
        "{id}: has no tengen_decide, so it cannot answer the questions of {opening}; use --opening \
         none or book, let the arbiter answer with --opening-policy arbiter, or add the function",
    );
    Ok(())
}

/// Starts an engine and asks it what it is. Says so if that takes long.
fn look_at(
    spec: &EngineSpec,
    settings: &HostSettings,
    variant: &GameVariant,
) -> Result<Probe, HostError> {
    let GameVariant { rule, size, .. } = variant;
    let what = format!("{} to start and get ready for {rule} on {size}", spec.id);
    let _waiting = WaitNotice::new(what);
    probe_for(spec, settings, variant)
}

/// What an engine of the event is asked whether it plays.
fn variant(entry: &EngineEntry, config: &EventConfig) -> GameVariant {
    let is_asked = entry.opening == OwnOpening::Own;
    let opening = if is_asked { config.opening } else { Procedure::None };
    GameVariant { rule: config.rule, size: config.size, opening }
}

/// Whether an engine that is to answer no opening questions would be asked some.
fn decides_nothing(entry: &EngineEntry, config: &EventConfig) -> bool {
    config.opening.asks() && entry.opening == OwnOpening::None
}

/// Whether an event is not made because this engine cannot be enrolled.
fn is_needed(config: &EventConfig, place: usize, error: &anyhow::Error) -> bool {
    let challenges = config.own.format == EventFormat::Gauntlet && place < config.own.challengers();
    // A name that is unknown is a typing error.
    challenges || config.absent == AbsentOption::Refuse || is_unknown(error)
}

/// Whether an engine could not be enrolled for the reason that nothing is there by that name.
fn is_unknown(error: &anyhow::Error) -> bool {
    let wrong = error.downcast_ref().map_or(error, |WrongUse(wrong)| wrong);
    matches!(
        wrong.downcast_ref(),
        Some(
            ResolveError::Unknown { .. }
                | ResolveError::UnknownBuiltin { .. }
                | ResolveError::Several { .. }
        )
    )
}

/// Says which engines do not start or do not play such games, notes that in the event, and goes on
/// without them where enough are left.
fn set_aside(config: &mut EventConfig, unfit: Vec<(String, anyhow::Error)>) -> anyhow::Result<()> {
    if config.engines.len() < 2 && !unfit.is_empty() {
        let is_use = unfit.iter().all(|(_, error)| error.is::<WrongUse>());
        let reasons: Vec<_> = unfit.iter().map(|(_, error)| causes(error)).collect();
        let error = anyhow!("{}; fewer than two engines are left", reasons.join("; "));
        return Err(if is_use { WrongUse(error).into() } else { error });
    }
    for (engine, error) in unfit {
        let reason = causes(&error);
        log::info!(target: NOTICE, "skipped: {reason}");
        config.set_aside.push(SetAside { engine, reason });
    }
    Ok(())
}
