//! The engines of an event that goes on: the same as before.

use std::collections::BTreeSet;
use std::sync::Mutex;

use anyhow::{Context, bail};
use tengen_hosts::{EngineSpec, HostSettings, Probe, discover, engine_hash};
use tengen_tournament::{ChangedOption, EngineEntry, EventConfig};

use super::{DEBUGGED, furnished, look_at, spec, variant};
use crate::lock::lock;
use crate::report::tell;

/// Finds the engine of an entry again, by its name or else by what its file has in it, and makes
/// sure that it is still the same: else it plays on with the copy that was made of its files.
pub(super) fn gather(
    entry: &EngineEntry,
    config: &EventConfig,
    settings: &HostSettings,
) -> anyhow::Result<EngineSpec> {
    let named = spec(entry, config);
    let is_same =
        |spec: &EngineSpec| engine_hash(spec, settings).is_ok_and(|hash| hash == entry.hash);
    let as_now = |spec: EngineSpec| -> anyhow::Result<EngineSpec> { Ok(settings.enroll(spec)?) };
    let has_same_files = |spec: &EngineSpec| {
        let files = spec.enrolled.as_ref().map(|files| &files.digest);
        is_same(spec)
            && files.is_none_or(|files| {
                files.is_empty() || entry.files.is_empty() || *files == entry.files
            })
    };
    let found = match &named {
        Ok(spec) if is_same(spec) => Some(as_now(spec.clone())?).filter(has_same_files),
        _ => None,
    };
    let found = found.or_else(|| {
        let spec = named.as_ref().ok().filter(|_| config.changed == ChangedOption::Keep)?;
        let kept = spec.enrolled_as(settings.cache.as_deref(), &entry.files).filter(is_same)?;
        let is_there = spec.path.exists();
        tell_kept(&entry.id, if is_there { CHANGED } else { GONE });
        Some(kept)
    });
    let spec = match found {
        Some(spec) => spec,
        None => match find_by_hash(config, is_same)
            .or_else(|| {
                let kept = find_kept(entry, settings, is_same);
                let kept = kept.filter(|_| config.changed == ChangedOption::Keep);
                kept.inspect(|_| tell_kept(&entry.id, GONE))
            })
            .map(|found| as_now(furnished(found, entry, config)))
            .transpose()?
            .filter(has_same_files)
        {
            Some(found) => found,
            None => {
                let spec = named.with_context(|| {
                    format!(
                        "engine {} is not here; name the folder that has its file with --dir",
                        entry.id
                    )
                })?;
                let path = spec.path.to_str().map(|path| format!(" at {path}"));
                bail!(
                    "engine {} has changed since the event began, so its games cannot be compared; \
                     restore the old file{}, name the folder that has it with --dir, or run a new \
                     event",
                    entry.id,
                    path.unwrap_or_default(),
                );
            }
        },
    };
    let probe = look_at(&spec, settings, &variant(entry, config))?;
    check_sandbox(entry, &probe)?;
    Ok(spec)
}

const CHANGED: &str = "its files were changed since the event began";
const GONE: &str = "its files are no longer where they were";

/// Says once of each engine what became of its files since the event was played.
fn tell_kept(id: &str, what: &str) {
    static TOLD: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if lock(&TOLD).insert(id.to_owned()) {
        tell(format_args!(
            "tengen: {id}: {what}; the event goes on with the copy that was made when it began"
        ));
    }
}

/// The copy of an engine whose files are gone.
pub(super) fn find_kept(
    entry: &EngineEntry,
    settings: &HostSettings,
    is_same: impl Fn(&EngineSpec) -> bool,
) -> Option<EngineSpec> {
    EngineSpec::kept(settings.cache.as_deref()?, &entry.files).into_iter().find(is_same)
}

/// The engine in the event's folder of engines that is the same, under whatever name.
pub(super) fn find_by_hash(
    config: &EventConfig,
    is_same: impl Fn(&EngineSpec) -> bool,
) -> Option<EngineSpec> {
    discover(&config.dir).ok()?.engines.into_iter().find(is_same)
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
