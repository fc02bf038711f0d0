//! The events in a folder.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

use tengen_tournament::Event;

use super::EventPhase;

/// A past event, as in the list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PastEvent {
    /// Its folder.
    pub dir: PathBuf,
    /// The names of its engines.
    pub labels: Vec<String>,
    /// The number of finished games.
    pub finished: u64,
    /// The number of games.
    pub total: u64,
    /// Whether it can be resumed.
    pub phase: EventPhase,
    /// Why it cannot be read.
    pub problem: Option<String>,
}

impl PastEvent {
    /// How many are listed.
    pub const MOST: usize = 10;

    /// The events in a folder, newest first. May be slow.
    pub(in crate::app) fn list(folder: &Path) -> Vec<PastEvent> {
        let Ok(found) = std::fs::read_dir(folder) else { return Vec::new() };
        let dirs = found.flatten().map(|entry| entry.path()).filter(|dir| Event::exists(dir));
        let mut dirs: Vec<(SystemTime, PathBuf)> = dirs.map(|dir| (changed(&dir), dir)).collect();
        dirs.sort_by(|one, other| other.cmp(one));
        dirs.into_iter().take(PastEvent::MOST).map(|(_, dir)| PastEvent::read(dir)).collect()
    }

    fn read(dir: PathBuf) -> PastEvent {
        let event = match Event::open(&dir) {
            Ok(event) => event,
            Err(error) => {
                let (labels, phase) = (Vec::new(), EventPhase::Stopped);
                let problem = Some(error.to_string());
                return PastEvent { dir, labels, finished: 0, total: 0, phase, problem };
            }
        };
        let (summary, total) = (event.summary(), event.total());
        let is_done = event.is_finished();
        let phase = if is_done { EventPhase::Finished } else { EventPhase::Stopped };
        let labels = event.config().labels();
        PastEvent { dir, labels, finished: summary.games, total, phase, problem: None }
    }
}

/// When an event was created, or a run of it ended last: viewing it touches other files.
fn changed(dir: &Path) -> SystemTime {
    let modified = |name: &str| std::fs::metadata(dir.join(name)).ok()?.modified().ok();
    let newest = ["event.toml", "games.jsonl"].into_iter().filter_map(modified).max();
    newest.unwrap_or(SystemTime::UNIX_EPOCH)
}
