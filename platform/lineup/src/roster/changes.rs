//! Watches the files of an event's engines while it is played: says once of each engine that one
//! was changed, and what becomes of it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use tengen_hosts::EngineSpec;
use tengen_tournament::{ChangeKind, ChangedOption, Event, EventError};

use super::SeatedEngines;
use crate::background::Background;
use crate::event_change::{date, set_aside};
use crate::lock::lock;
use crate::{NOTICE, causes};

/// How often the files are looked at; where they are many, in so small a part of the time.
const EVERY: Duration = Duration::from_secs(1);
const RARELY: u32 = 500;
/// For so long an engine that was found as it was enrolled is not looked at again. No process is
/// started within so little time, so that the files are looked at after each start.
const AGAIN: Duration = Duration::from_millis(2);

/// That a file of an engine was changed, and what becomes of the engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    pub label: String,
    pub path: PathBuf,
    pub fate: ChangeFate,
}

/// What becomes of an engine of which a file was changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeFate {
    /// It goes on with the copy.
    Kept,
    /// It plays no more.
    SetAside,
    /// The event stops, for it cannot go on without it.
    Stopped,
}

/// Is told of each change, from any thread.
pub type ChangeListener = Box<dyn Fn(FileChange) + Send + Sync>;

impl fmt::Display for FileChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FileChange { label, path, fate } = self;
        let what = what_happened(path);
        match fate {
            ChangeFate::Kept => write!(
                f,
                "{label}: {what} during the event, which goes on with the copy made when it began; \
                 a new event plays with the new file"
            ),
            ChangeFate::SetAside => write!(
                f,
                "{label} is set aside: {what} during the event; its finished games count, and it \
                 plays no more"
            ),
            ChangeFate::Stopped => write!(
                f,
                "{label}: {what} during the event, which stops after the games that are being \
                 played; put the old file back and resume it, or run a new event"
            ),
        }
    }
}

/// Watches the files, on a thread of its own.
pub(super) struct ChangeWatch {
    watched: Arc<WatchedFiles>,
    /// None once it is being dropped.
    background: Option<Background>,
}

/// The files of the engines, and what became of these.
struct WatchedFiles {
    seated: Arc<RwLock<Arc<SeatedEngines>>>,
    /// Whether the event is over: nothing is left out of it any more.
    is_over: AtomicBool,
    /// The event's folder.
    dir: PathBuf,
    policy: ChangedOption,
    hear: ChangeListener,
    /// Those that go on with their copies, which was said.
    told: Mutex<BTreeSet<usize>>,
    /// Those that were left out, so that the event knows.
    left_out: Mutex<BTreeSet<usize>>,
    /// Those that begin no more games.
    refused: Mutex<BTreeSet<usize>>,
    /// When those were looked at last that are as they were enrolled.
    sound: Mutex<BTreeMap<usize, Instant>>,
}

impl ChangeWatch {
    pub(super) fn start(
        seated: Arc<RwLock<Arc<SeatedEngines>>>,
        dir: &Path,
        policy: ChangedOption,
        hear: ChangeListener,
    ) -> std::io::Result<ChangeWatch> {
        let watched = Arc::new(WatchedFiles {
            seated,
            is_over: AtomicBool::new(false),
            dir: dir.to_owned(),
            policy,
            hear,
            told: Mutex::default(),
            left_out: Mutex::default(),
            refused: Mutex::default(),
            sound: Mutex::default(),
        });
        let looked = Arc::clone(&watched);
        let background = Background::start("files", move || {
            let begun = Instant::now();
            looked.look();
            EVERY.max(begun.elapsed() * RARELY)
        })?;
        Ok(ChangeWatch { watched, background: Some(background) })
    }

    /// The first of these engines that begins no more games.
    pub(super) fn refused(&self, engines: [usize; 2]) -> Option<usize> {
        let refused = lock(&self.watched.refused);
        engines.into_iter().find(|engine| refused.contains(engine))
    }

    /// Whether an engine cannot be started as it was enrolled.
    pub(super) fn is_spoiled(&self, engine: usize) -> bool {
        let mut sound = lock(&self.watched.sound);
        let now = Instant::now();
        if sound.get(&engine).is_some_and(|&looked| now.duration_since(looked) < AGAIN) {
            return false;
        }
        let seated = self.watched.seated();
        let is_spoiled = seated.specs[engine].as_ref().is_some_and(|spec| spoiled(spec).is_some());
        if is_spoiled {
            lock(&self.watched.refused).insert(engine);
        } else {
            sound.insert(engine, now);
        }
        is_spoiled
    }
}

impl Drop for ChangeWatch {
    fn drop(&mut self) {
        self.watched.is_over.store(true, Ordering::SeqCst);
        self.background = None;
        // What was changed since the last look would not be said otherwise.
        if self.watched.policy == ChangedOption::Keep {
            self.watched.look();
        }
    }
}

impl WatchedFiles {
    fn seated(&self) -> Arc<SeatedEngines> {
        Arc::clone(&self.seated.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn look(&self) {
        let seated = self.seated();
        for (engine, spec) in seated.specs.iter().enumerate() {
            let Some(spec) = spec.as_ref().filter(|_| !lock(&self.left_out).contains(&engine))
            else {
                continue;
            };
            let label = &seated.labels[engine];
            let changed = || spec.enrolled.as_ref().and_then(|files| files.changed());
            let fault = spoiled(spec).or_else(|| {
                let stops = self.policy == ChangedOption::Stop;
                changed().filter(|_| stops).map(Path::to_owned)
            });
            if let Some(path) = fault {
                lock(&self.refused).insert(engine);
                if self.is_over.load(Ordering::SeqCst) || self.leave_out(engine, label, &path) {
                    lock(&self.left_out).insert(engine);
                }
            } else if !lock(&self.told).contains(&engine)
                && let Some(path) = changed()
            {
                self.tell(label, path, ChangeFate::Kept);
                lock(&self.told).insert(engine);
            }
        }
    }

    fn tell(&self, label: &str, path: &Path, fate: ChangeFate) {
        (self.hear)(FileChange { label: label.to_owned(), path: path.to_owned(), fate });
    }

    /// Lets an engine play no more games. Whether that could be done.
    fn leave_out(&self, engine: usize, label: &str, path: &Path) -> bool {
        let reason = format!("{} during the event", what_happened(path));
        let fate = match set_aside(&self.dir, engine, &reason) {
            Ok(()) => Ok(ChangeFate::SetAside),
            // It has too few engines, or is a test, or its rounds follow from each other.
            Err(EventError::Config(_)) => Event::open(&self.dir)
                .and_then(|event| event.order(ChangeKind::Stopped, &reason, &date()))
                .map(|()| ChangeFate::Stopped),
            Err(error) => Err(error),
        };
        match fate {
            Ok(fate) => self.tell(label, path, fate),
            // The event is about to begin or ends, or another process changes it: it is tried
            // again.
            Err(error) => {
                log::debug!("{label} cannot be left out: {}", causes(&error.into()));
                return false;
            }
        }
        true
    }
}

/// The file for which an engine is not the one any more that was enrolled.
fn spoiled(spec: &EngineSpec) -> Option<PathBuf> {
    spec.enrolled.as_ref()?.spoiled().map(Path::to_owned)
}

fn what_happened(path: &Path) -> String {
    let what = if path.exists() { "was changed" } else { "was removed" };
    format!("{} {what}", path.display())
}

/// Says what of an engine is not copied, so that it does not go on as it was when that is changed.
pub(super) fn tell_uncopied(spec: &EngineSpec) {
    let Some(files) = &spec.enrolled else { return };
    if let Some(why) = &files.uncopied {
        log::warn!(
            target: NOTICE,
            "{}: its files are not copied ({why}): if one is changed during the \
             event, the engine plays no more games",
            spec.id
        );
    }
    if !files.live.is_empty() {
        let live: Vec<_> = files.live.iter().map(|path| path.display().to_string()).collect();
        log::warn!(
            target: NOTICE,
            "{}: too large to be copied: {}; the engine sees what is changed \
             there during the event",
            spec.id,
            live.join(", ")
        );
    }
}
