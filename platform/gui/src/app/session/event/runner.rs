//! The thread of an event: creates, views, resumes, repairs and plays it.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::thread;

use tengen_tournament::{
    ConfigError, Event, EventConfig, EventError, EventFollower, EventProgress, RunOutcome, Watcher,
    WatcherPair,
};

use super::lineup::{EnrolledEngines, EventLineUp};
use super::pause::{PausingWatcher, lock};
use super::session::{EventHandle, EventKind, EventPhase};
use super::{EventSource, standings, watched};
use crate::app::model::ListenTerms;

/// Creates and plays an event, views one, or resumes the current one.
pub(super) fn run(shared: &Arc<EventHandle>, source: Option<EventSource>) {
    let lineup = match &shared.kind {
        EventKind::Watched(watched) => return watched::play(shared, watched),
        EventKind::Saved(lineup) => lineup,
    };
    let done = match source {
        Some(EventSource::New(config, listen)) => create(shared, lineup, *config, listen.as_ref()),
        Some(EventSource::Folder(dir)) => look(shared, &dir).map(|_| ()),
        Some(EventSource::Damaged(dir)) => repair(shared, &dir),
        Some(EventSource::Changed(dir, change)) => {
            // However that goes, what is there is shown.
            let changed = lineup.change(&dir, &change);
            look(shared, &dir).map(drop).and(changed.map_err(EventFailure::from))
        }
        None => resume(shared, lineup),
    };
    standings::update_standings(shared);
    shared.pause.set(false);
    shared.publish(|state| {
        let is_over = state.follower.as_ref().is_some_and(|follower| follower.is_over());
        state.shown.phase = if is_over { EventPhase::Finished } else { EventPhase::Stopped };
        if let Err(EventFailure { text, damaged }) = done {
            (state.shown.problem, state.shown.damaged) = (Some(text), damaged);
        }
    });
}

fn create(
    shared: &Arc<EventHandle>,
    lineup: &EventLineUp,
    mut config: EventConfig,
    listen: Option<&ListenTerms>,
) -> Result<(), EventFailure> {
    config.load_openings()?;
    config.validate()?;
    let (mut config, engines) = lineup.enroll(config, listen)?;
    let event = match config.out.take() {
        Some(out) => Event::create(&out, config),
        None => Event::create_numbered(&lineup.folder, &config),
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

fn resume(shared: &Arc<EventHandle>, lineup: &EventLineUp) -> Result<(), EventFailure> {
    // What still shows the end of the last run has the address.
    drop(lock(&shared.server).take());
    shared.publish(|state| state.shown.url = None);
    let (dir, listen) = {
        let state = shared.state.lock();
        (state.shown.dir.clone(), state.listen.clone())
    };
    let event = look(shared, &dir)?;
    let engines = lineup.gather(event.config(), listen.as_ref())?;
    play(shared, event, engines)
}

fn show(shared: &EventHandle, event: &Event) {
    shared.publish(|state| {
        state.shown.dir = event.dir().to_owned();
        state.follower = Some(Arc::new(EventFollower::new(event)));
        state.shown.crowded = !event.warnings().is_empty();
    });
}

fn play(
    shared: &Arc<EventHandle>,
    mut event: Event,
    engines: EnrolledEngines,
) -> Result<(), EventFailure> {
    let (players, server) = engines.seat(&event, shared)?;
    let url = server.as_ref().map(|server| format!("{}/", server.url()));
    let stop = Arc::clone(&shared.state.lock().stop);
    shared.publish(|state| {
        state.shown.url = url;
        // What is served is followed already.
        if let Some(server) = &server {
            state.follower = Some(Arc::clone(server.follower()));
        }
        state.shown.since = (shared.time.now(), event.tally().len());
        if state.shown.phase == EventPhase::Preparing {
            state.shown.phase = EventPhase::Playing;
        }
    });
    let follower = shared.state.lock().follower.clone().expect("the event is shown");
    let first = server.as_ref().map_or(&*follower as &dyn Watcher, |server| server.watcher());
    let pausing = PausingWatcher { shared, stop: &stop, updated_at: AtomicU64::new(0) };
    // The window's may wait, while the event is paused.
    let watcher = WatcherPair(first, &pausing);
    let mut observe = |progress: &EventProgress<'_>| {
        follower.take_in(progress);
        let mut state = shared.state.lock();
        state.games.extend(progress.games);
        drop(state);
        shared.standings_signal.ask();
    };
    let outcome = thread::scope(|scope| {
        let _open = standings::SignalGuard::new(&shared.standings_signal);
        scope.spawn(|| standings::keep(shared));
        event.run_watched(&players, &*shared.time, &stop, &mut observe, &watcher)
    });
    if let Some(server) = server {
        let is_whole = matches!(outcome, Ok(RunOutcome::Finished));
        server.tell_end(is_whole);
        server.wait_until_told();
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
    event.keep_discarded()?;
    if outcome == RunOutcome::Finished {
        log::info!("the event in {} is finished", event.dir().display());
    }
    Ok(())
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
