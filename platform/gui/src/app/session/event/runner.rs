//! The thread of an event: creates, views, resumes, repairs and plays it.

use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tengen_tournament::{
    AbsentOption, ConfigError, Event, EventConfig, EventError, EventProgress, RunOutcome, Watcher,
    WatcherPair,
};

use super::running_game::{BoardWatcher, lock};
use super::session::{EventHandle, EventKind, EventPhase};
use super::{
    EventEngines, EventHost, EventListener, EventNews, EventNote, EventSource, RemoteTeam,
    SeatedEvent, TeamPresence, standings, watched,
};
use crate::app::model::ListenTerms;

/// The records of games that were spoiled and played again.
const DISCARDED: &str = "spoiled.jsonl";

/// Creates and plays an event, views one, or resumes the current one.
pub(super) fn run(shared: &Arc<EventHandle>, source: Option<EventSource>) {
    let host = match &shared.kind {
        EventKind::Watched(watched) => return watched::play(shared, watched),
        EventKind::Saved(host) => &**host,
    };
    let done = match source {
        Some(EventSource::New(config, listen)) => create(shared, host, *config, listen.as_ref()),
        Some(EventSource::Folder(dir)) => look(shared, &dir).map(|_| ()),
        Some(EventSource::Damaged(dir)) => repair(shared, &dir),
        Some(EventSource::Changed(dir, change)) => {
            // However that goes, what is there is shown.
            let changed = host.change(&dir, &change);
            look(shared, &dir).map(drop).and(changed.map_err(EventFailure::from))
        }
        None => resume(shared, host),
    };
    standings::update_standings(shared);
    shared.pause.set(false);
    shared.publish(|state| {
        let played = state.shown.total > 0 && state.tally.len() == state.shown.total;
        let decided = state.shown.config.are_tests_over(&state.tally);
        state.shown.phase =
            if played || decided { EventPhase::Finished } else { EventPhase::Stopped };
        if let Err(EventFailure { text, damaged }) = done {
            (state.shown.problem, state.shown.damaged) = (Some(text), damaged);
        }
        for board in state.boards.iter() {
            *lock(board) = None;
        }
    });
}

fn create(
    shared: &Arc<EventHandle>,
    host: &dyn EventHost,
    mut config: EventConfig,
    listen: Option<&ListenTerms>,
) -> Result<(), EventFailure> {
    config.load_openings()?;
    config.validate()?;
    let engines = host.enroll(&mut config, listen)?;
    let event = match config.out.take() {
        Some(out) => Event::create(&out, config),
        None => Event::create_numbered(&host.folder(), &config),
    };
    let event = event?;
    show(shared, &event);
    play(shared, event, engines)
}

/// Reads an event.
fn look(shared: &EventHandle, dir: &Path) -> Result<Event, EventFailure> {
    let event = Event::open(dir)?;
    show(shared, &event);
    let games = event.finished().collect::<Result<Vec<_>, _>>()?;
    shared.publish(|state| state.games = games);
    Ok(event)
}

/// Repairs a damaged event and views it.
fn repair(shared: &EventHandle, dir: &Path) -> Result<(), EventFailure> {
    let repaired = Event::repair(dir)?;
    let kept = repaired.map(|repaired| (repaired.kept, repaired.total));
    shared.publish(|state| state.shown.repaired = kept);
    look(shared, dir).map(|_| ())
}

fn resume(shared: &Arc<EventHandle>, host: &dyn EventHost) -> Result<(), EventFailure> {
    // What still shows the end of the last run has the address.
    drop(lock(&shared.server).take());
    shared.publish(|state| state.shown.url = None);
    let (dir, listen) = {
        let state = shared.state.lock();
        (state.shown.dir.clone(), state.listen.clone())
    };
    let event = look(shared, &dir)?;
    let engines = host.gather(event.config(), listen.as_ref())?;
    play(shared, event, engines)
}

fn show(shared: &EventHandle, event: &Event) {
    shared.publish(|state| {
        state.shown.dir = event.dir().to_owned();
        state.shown.config = Arc::new(event.config().clone());
        state.shown.labels = state.shown.config.labels().into();
        state.shown.total = event.total();
        state.tally = event.tally().clone();
        state.spoiled = event.summary().spoiled;
        state.shown.crowded = !event.warnings().is_empty();
    });
}

fn play(
    shared: &Arc<EventHandle>,
    mut event: Event,
    engines: Box<dyn EventEngines>,
) -> Result<(), EventFailure> {
    let SeatedEvent { players, server } = engines.seat(&event, listener(shared))?;
    let url = server.as_ref().map(|server| server.url());
    let workers = event.config().concurrency;
    let boards: Arc<Vec<_>> = Arc::new((0..workers).map(|_| Mutex::new(None)).collect());
    let stop = Arc::clone(&shared.state.lock().stop);
    shared.publish(|state| {
        state.boards = Arc::clone(&boards);
        state.shown.url = url;
        state.shown.since = (shared.time.now(), state.tally.len());
        if state.shown.phase == EventPhase::Preparing {
            state.shown.phase = EventPhase::Playing;
        }
    });
    let has_changed = AtomicBool::new(false);
    let board_watcher = BoardWatcher {
        has_changed: &has_changed,
        boards: &boards,
        pause: &shared.pause,
        stop: &stop,
        time: &*shared.time,
        wake: &|| shared.state.wake(),
        seen: &shared.boards_seen,
        updated_at: AtomicU64::new(0),
    };
    let of_server = server.as_ref().map_or(&() as &dyn Watcher, |server| server.watcher());
    // The window's may wait, while the event is paused.
    let watcher = WatcherPair(of_server, &board_watcher);
    let dir = event.dir().to_owned();
    let mut taken = event.total();
    let mut told = taken;
    let mut observe = |progress: &EventProgress<'_>| {
        let total = progress.total;
        let take_in = || take_in_changes(shared, &dir);
        let is_taken = follow_changes(&has_changed, &mut taken, total, take_in);
        let mut state = shared.state.lock();
        // What this window has changed is in the state before the event's own thread knows it.
        if !is_taken && total != std::mem::replace(&mut told, total) {
            state.shown.total = total;
        }
        state.tally += progress.news;
        for game in progress.games {
            state.spoiled.add(game);
            state.games.push(*game);
        }
        drop(state);
        shared.standings_signal.ask();
    };
    let outcome = thread::scope(|scope| {
        let _open = standings::SignalGuard::new(&shared.standings_signal);
        scope.spawn(|| standings::keep(shared));
        event.run_watched(&*players, &*shared.time, &stop, &mut observe, &watcher)
    });
    if let Some(server) = server {
        let is_whole = matches!(outcome, Ok(RunOutcome::Finished));
        server.end(is_whole);
        if is_whole {
            *lock(&shared.server) = Some(server);
        } else {
            drop(server);
            shared.publish(|state| state.shown.url = None);
        }
        // No team is connected any more.
        shared.publish(|state| state.shown.teams = Arc::default());
    }
    let outcome = outcome?;
    // A stopped event does not wait for its records: the next run begins with them.
    if outcome == RunOutcome::Finished || event.has_records() {
        event.keep_records()?;
    }
    event.export_discarded(&event.dir().join(DISCARDED))?;
    if outcome == RunOutcome::Finished {
        log::info!("the event in {} is finished", event.dir().display());
    }
    Ok(())
}

/// What hears of the event's remote engines, for as long as it has a tab.
fn listener(shared: &Arc<EventHandle>) -> EventListener {
    let shared = Arc::downgrade(shared);
    Arc::new(move |news| {
        let Some(shared) = shared.upgrade() else { return };
        shared.publish(|state| match news {
            EventNews::Teams(teams) => {
                let is_there =
                    |team: &RemoteTeam| matches!(team.state, TeamPresence::Connected { .. });
                let is_somebody = teams.iter().any(is_there);
                state.shown.note.take_if(|note| is_somebody && *note == EventNote::NobodyThere);
                state.shown.teams = teams.into();
            }
            EventNews::Note(note) => {
                let stops = matches!(note, EventNote::GaveUp { fate: AbsentOption::Refuse, .. });
                if stops && state.shown.phase.is_running() {
                    state.stop.request();
                    state.shown.phase = EventPhase::Stopping;
                }
                state.shown.note = Some(note);
            }
        });
    })
}

/// Takes in changed engines or numbers of games, if there was a change: the event has another total
/// than when that was `taken` in last. What cannot be read now is read with the next game. Returns
/// whether it was taken in.
fn follow_changes(
    has_changed: &AtomicBool,
    taken: &mut u64,
    total: u64,
    take_in: impl FnOnce() -> bool,
) -> bool {
    if !has_changed.swap(false, Ordering::Relaxed) && *taken == total {
        return false;
    }
    let is_taken = take_in();
    if is_taken {
        *taken = total;
    } else {
        has_changed.store(true, Ordering::Relaxed);
    }
    is_taken
}

/// Takes in what was changed in a running event, before any game of a new engine is counted.
/// Returns whether it could be read.
pub(super) fn take_in_changes(shared: &EventHandle, dir: &Path) -> bool {
    match Event::open(dir) {
        Ok(event) => {
            shared.publish(|state| {
                state.shown.config = Arc::new(event.config().clone());
                state.shown.labels = state.shown.config.labels().into();
                state.shown.total = event.total();
            });
            true
        }
        Err(error) => {
            log::warn!("{}: cannot be looked at: {error}", dir.display());
            false
        }
    }
}

/// Why an event stopped.
struct EventFailure {
    text: String,
    /// Whether it is damage that can be repaired.
    damaged: bool,
}

impl From<EventError> for EventFailure {
    fn from(error: EventError) -> EventFailure {
        EventFailure { text: error.to_string(), damaged: error.is_damage() }
    }
}

impl From<ConfigError> for EventFailure {
    fn from(error: ConfigError) -> EventFailure {
        EventFailure { text: error.to_string(), damaged: false }
    }
}

impl From<String> for EventFailure {
    fn from(text: String) -> EventFailure {
        EventFailure { text, damaged: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_that_cannot_be_read_is_read_with_the_next_game() {
        let (has_changed, mut taken) = (AtomicBool::new(true), 10);
        // The engines, and the number of games.
        for total in [10, 12] {
            has_changed.store(total == 10, Ordering::Relaxed);
            let mut follow = |is_readable: Option<bool>| {
                follow_changes(&has_changed, &mut taken, total, || {
                    is_readable.expect("there is something to take in")
                })
            };
            assert!(!follow(Some(false)));
            assert!(!follow(Some(false)));
            assert!(follow(Some(true)));
            assert!(!follow(None), "all of it is known");
        }
    }
}
