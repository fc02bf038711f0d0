//! Watches the folder of engines for changes.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use notify::event::{AccessKind, AccessMode};
use notify::{EventKind, RecommendedWatcher, RecursiveMode, Watcher};

use super::{AppServices, EngineList, refresh_engine_list};

/// A file that is copied changes many times; a pause of this length ends it.
const REST: Duration = Duration::from_millis(250);

/// A thread that watches the folder of engines, and refreshes the engine list when something
/// changes there. It waits for a folder that does not exist.
pub(super) struct FolderWatcher {
    signals: Sender<WatchSignal>,
}

enum WatchSignal {
    Changed,
    Stop,
}

impl FolderWatcher {
    /// Starts to watch; none where there is no folder, or where the system cannot watch.
    pub(super) fn start(
        services: &AppServices,
        engine_list: &Arc<Mutex<Arc<EngineList>>>,
    ) -> Option<FolderWatcher> {
        let folder = std::path::absolute(services.provider.folder()?).ok()?;
        let (signals, changes) = mpsc::channel();
        let sender = signals.clone();
        let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
            // Reading the files is an event too, and must not cause another refresh.
            let game_data = EventKind::Access(AccessKind::Close(AccessMode::Write));
            if event.is_ok_and(|event| event.kind == game_data || !event.kind.is_access()) {
                let _ = sender.send(WatchSignal::Changed);
            }
        });
        let watcher = watcher.map_err(|error| log::warn!("{}: {error}", folder.display())).ok()?;
        let (provider, wake) = (Arc::clone(&services.provider), Arc::clone(&services.wake));
        let engine_list = Arc::clone(engine_list);
        let work = move || {
            run(watcher, &folder, &changes, || refresh_engine_list(&*provider, &engine_list, &wake))
        };
        thread::Builder::new().name("drop folder".to_owned()).spawn(work).ok()?;
        Some(FolderWatcher { signals })
    }
}

impl Drop for FolderWatcher {
    fn drop(&mut self) {
        let _ = self.signals.send(WatchSignal::Stop);
    }
}

fn run(
    mut watcher: RecommendedWatcher,
    folder: &Path,
    changes: &Receiver<WatchSignal>,
    look: impl Fn(),
) {
    let mut watched: Option<PathBuf> = None;
    loop {
        // In this order: a change before the watch starts is seen by the refresh.
        watched = aim(&mut watcher, folder, watched);
        look();
        match changes.recv() {
            Ok(WatchSignal::Changed) => {}
            _ => return,
        }
        while let Ok(signal) = changes.recv_timeout(REST) {
            if matches!(signal, WatchSignal::Stop) {
                return;
            }
        }
    }
}

/// Watches the folder recursively, and its parent: only the parent reports that the folder itself
/// appears or disappears.
fn aim(
    watcher: &mut RecommendedWatcher,
    folder: &Path,
    watched: Option<PathBuf>,
) -> Option<PathBuf> {
    // The old watch may be of another folder of the same name.
    let _ = watcher.unwatch(folder);
    let _ = watcher.watch(folder, RecursiveMode::Recursive);
    let around = folder.ancestors().skip(1).find(|around| around.is_dir())?;
    if watched.as_deref() != Some(around) {
        if let Some(watched) = watched {
            let _ = watcher.unwatch(&watched);
        }
        watcher.watch(around, RecursiveMode::NonRecursive).ok()?;
    }
    Some(around.to_owned())
}
