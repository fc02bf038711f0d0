//! The engines of an event that goes on: the same as before.

use std::collections::BTreeSet;
use std::sync::Mutex;

use anyhow::{Context, bail};
use tengen_hosts::{EngineKind, EngineSpec, HostSettings, Probe, discover, engine_hash};
use tengen_tournament::{ChangedOption, EngineEntry, EventConfig};

use super::{DEBUGGED, furnished, look_at, settings, spec, variant};
use crate::NOTICE;
use crate::lock::lock;

/// An engine as it was enrolled, which is looked for again.
struct EnrolledEngine<'a> {
    entry: &'a EngineEntry,
    config: &'a EventConfig,
    settings: &'a HostSettings,
}

impl EnrolledEngine<'_> {
    fn is_same(&self, spec: &EngineSpec) -> bool {
        engine_hash(spec).is_ok_and(|hash| hash == self.entry.hash)
    }

    /// Whether the files beside its own are the same, too.
    fn has_same_files(&self, spec: &EngineSpec) -> bool {
        let known = &self.entry.files;
        let files = spec.enrolled.as_ref().map(|files| &files.digest);
        self.is_same(spec)
            && files.is_none_or(|files| files.is_empty() || known.is_empty() || files == known)
    }

    /// The copy of its files, where the engine at this place is another one now.
    fn kept(&self, spec: &EngineSpec) -> Option<EngineSpec> {
        let kept = spec.enrolled_as(self.settings.cache.as_deref(), &self.entry.files);
        kept.filter(|kept| self.is_same(kept))
    }

    /// The same engine under whatever name, in the event's folder of engines.
    fn renamed(&self) -> Option<EngineSpec> {
        let found = discover(&self.config.dir).ok()?.engines;
        self.furnished(found.into_iter().find(|spec| self.is_same(spec)))
    }

    /// The copy of its files, where these are gone.
    fn orphaned(&self) -> Option<EngineSpec> {
        let kept = EngineSpec::kept(self.settings.cache.as_deref()?, &self.entry.files);
        self.furnished(kept.into_iter().find(|spec| self.is_same(spec)))
    }

    fn furnished(&self, spec: Option<EngineSpec>) -> Option<EngineSpec> {
        spec.map(|spec| furnished(spec, self.entry, self.config))
    }

    /// The engine as it was enrolled, or the copy of it where the event keeps those.
    fn find(&self, named: Option<&EngineSpec>) -> anyhow::Result<Option<EngineSpec>> {
        let keeps = self.config.changed == ChangedOption::Keep;
        if let Some(spec) = named.filter(|spec| self.is_same(spec)) {
            let now = self.settings.enroll(spec.clone())?;
            if self.has_same_files(&now) {
                return Ok(Some(now));
            }
        }
        if let Some(spec) = named.filter(|_| keeps)
            && let Some(kept) = self.kept(spec)
        {
            tell_kept(&self.entry.id, if spec.path.exists() { CHANGED } else { GONE });
            return Ok(Some(kept));
        }
        let orphaned = || {
            let kept = self.orphaned().filter(|_| keeps);
            kept.inspect(|_| tell_kept(&self.entry.id, GONE))
        };
        let found = self.renamed().or_else(orphaned);
        let now = found.map(|found| self.settings.enroll(found)).transpose()?;
        Ok(now.filter(|now| self.has_same_files(now)))
    }
}

/// Finds the engine of an entry again, by its name or else by the contents of its file, and makes
/// sure that it is still the same: else it plays on with the copy that was made of its files.
pub(super) fn gather(
    entry: &EngineEntry,
    config: &EventConfig,
    settings: &HostSettings,
) -> anyhow::Result<EngineSpec> {
    let named = spec(entry, config);
    let engine = EnrolledEngine { entry, config, settings };
    let Some(spec) = engine.find(named.as_ref().ok())? else {
        let id = &entry.id;
        let spec = named.with_context(|| {
            format!("engine {id} was not found; name the folder that has its file with --dir")
        })?;
        if spec.kind == EngineKind::Builtin {
            bail!(
                "engine {id} is another one in this program than in the one that began the event, \
                 so its games cannot be compared; take that program, or run a new event"
            );
        }
        let path = spec.path.to_str().map(|path| format!(" at {path}")).unwrap_or_default();
        bail!(
            "engine {id} has changed since the event began, so its games cannot be compared; \
             restore the old file{path}, name the folder that has it with --dir, or run a new event"
        );
    };
    let probe = look_at(&spec, settings, &variant(entry, config))?;
    check_sandbox(entry, &probe)?;
    Ok(spec)
}

/// An engine of an event that is over, wherever its file is by now. In a folder that was named it
/// may have been built again.
pub(super) fn find_again(
    entry: &EngineEntry,
    config: &EventConfig,
    is_moved: bool,
) -> anyhow::Result<EngineSpec> {
    let settings = &settings(config)?;
    let engine = EnrolledEngine { entry, config, settings };
    let found = spec(entry, config).or_else(|error| {
        let orphaned = || {
            engine.orphaned().inspect(|_| {
                log::info!(
                    target: NOTICE,
                    "{}: its files are no longer where they were; using the copy that played the \
                     game",
                    entry.id
                );
            })
        };
        engine.renamed().or_else(orphaned).ok_or(error)
    })?;
    let has_same_files =
        || settings.enroll(found.clone()).map_or(true, |now| engine.has_same_files(&now));
    if engine.is_same(&found) && has_same_files() {
        return Ok(found);
    }
    let path = found.path.display();
    if let Some(kept) = engine.kept(&found).filter(|_| !is_moved) {
        log::info!(
            target: NOTICE,
            "{path} has changed since the game; using the copy that played it; to start the new \
             file, name its folder with --dir"
        );
        return Ok(kept);
    }
    log::warn!(target: NOTICE, "{path} is not the file that played the game");
    Ok(found)
}

const CHANGED: &str = "its files were changed since the event began";
const GONE: &str = "its files are no longer where they were";

/// Says once of each engine what became of its files since the event was played.
fn tell_kept(id: &str, what: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if lock(&TOLD).insert(id.to_owned()) {
        log::info!(
            target: NOTICE,
            "{id}: {what}; the event goes on with the copy that was made when it began"
        );
    }
}

/// Makes sure that an engine still has the sandbox layers that the event's records name.
fn check_sandbox(entry: &EngineEntry, probe: &Probe) -> anyhow::Result<()> {
    let Some(lost) = entry.layers.iter().find(|layer| !probe.layers.contains(layer)) else {
        return Ok(());
    };
    if lost == DEBUGGED {
        bail!("engine {} was debugged in this event; run a new one", entry.id);
    }
    let reason = probe.gaps.iter().find(|gap| gap.layer == **lost).map(ToString::to_string);
    bail!(
        "engine {} began this event in a sandbox with a layer that is missing here: {}; go on \
         where it is available, or run a new event",
        entry.id,
        reason.unwrap_or_else(|| lost.clone()),
    );
}
