//! `--watch`: lets every engine that appears in a folder join an event that runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tengen_hosts::discover;
use tengen_hosts::package::FileStamp;
use tengen_lineup::{Background, EngineRoster, causes, date};
use tengen_tournament::{EngineEntry, Event, EventConfig, EventError};

use crate::report::tell;

/// How often the folder is looked at. A file that has changed since the last time is still being
/// written.
const EVERY: Duration = Duration::from_secs(1);

/// Watches a folder for an event, on a thread of its own.
pub(crate) fn watch_folder(folder: &Path, event: &Path) -> std::io::Result<Background> {
    let (folder, event) = (folder.to_owned(), event.to_owned());
    let mut newcomers = Newcomers::default();
    Background::start("watch", move || {
        newcomers.look(&folder, &event);
        EVERY
    })
}

/// What was found in the folder so far.
#[derive(Default)]
struct Newcomers {
    /// What each file was like when it was looked at last.
    files: BTreeMap<PathBuf, FileStamp>,
    /// Those that were dealt with as they are.
    done: BTreeSet<(PathBuf, FileStamp)>,
}

impl Newcomers {
    fn look(&mut self, folder: &Path, dir: &Path) {
        let Ok(listing) = discover(folder) else { return };
        for spec in listing.engines {
            let Some(seen) = FileStamp::of(&spec.path) else { continue };
            let before = self.files.insert(spec.path.clone(), seen);
            // It stays as it is from one look to the next.
            if before != Some(seen) || self.done.contains(&(spec.path.clone(), seen)) {
                continue;
            }
            match join(&spec.path, &spec.id, dir) {
                Ok(Some(text)) => tell(format_args!("tengen: {text}")),
                Ok(None) => {}
                // Another process changed the event: it is tried again.
                Err(error) if is_stale(&error) => continue,
                Err(error) => {
                    tell(format_args!("tengen: {} does not join: {}", spec.id, causes(&error)));
                }
            }
            self.done.insert((spec.path, seen));
        }
    }
}

fn is_stale(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(EventError::Stale { .. }))
}

/// Adds an engine, unless the event has it already; what there is to say of that.
fn join(path: &Path, id: &str, dir: &Path) -> anyhow::Result<Option<String>> {
    let event = Event::open(dir)?;
    let path = dunce::canonicalize(path)?;
    let label = free_label(event.config(), id);
    let id = path.to_str().ok_or_else(|| anyhow::anyhow!("{}: not UTF-8", path.display()))?;
    let entry = EngineEntry { label: Some(label), ..EngineEntry::new(id) };
    let entry = EngineRoster::newcomer(event.config(), entry, None)?;
    // A new version of an engine is another one; the same one stays what it is in the event.
    if event.config().engines.iter().any(|known| !known.hash.is_empty() && known.hash == entry.hash)
    {
        return Ok(None);
    }
    let event = event.add(&[entry], &date())?;
    Ok(event.changes()?.pop().map(|change| change.text))
}

/// A name that no engine of the event has.
fn free_label(config: &EventConfig, id: &str) -> String {
    let labels = config.labels();
    let numbered = (2..).map(|version| format!("{id} v{version}"));
    let mut names = std::iter::once(id.to_owned()).chain(numbered);
    names.find(|name| !labels.contains(name)).expect("there are endless names")
}
