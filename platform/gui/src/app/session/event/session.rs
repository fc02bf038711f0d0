//! An event in a tab, and its state at one moment.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;

use tengen_arbiter::Nanos;
use tengen_players::Time;
use tengen_tournament::{EventConfig, FinishedGame, SpoiledGames, Stop, Summary, Tally};

use super::running_game::{PauseSwitch, RunningGame, lock};
use super::standings::StandingsSignal;
use super::{
    EventChange, EventCommand, EventHost, EventNote, EventPage, EventServer, EventSource,
    RemoteTeam, runner,
};
use crate::app::model::{GameSummary, ListenTerms, Wake};
use crate::app::session::shared_state::SharedState;
use crate::app::storage::worker_thread::JoinedThread;

/// An event and the thread that plays it.
///
/// Dropping it stops the event and waits for the thread; finished games are saved.
pub struct EventSession {
    pub(super) shared: Arc<EventHandle>,
    thread: Mutex<Option<JoinedThread>>,
    /// The page shown.
    pub page: EventPage,
    /// The worker whose board is shown large.
    pub enlarged: Option<usize>,
}

/// The state shared by the window and the event's threads.
pub(super) struct EventHandle {
    pub host: Arc<dyn EventHost>,
    pub time: Arc<dyn Time + Send + Sync>,
    pub wake: Wake,
    pub pause: PauseSwitch,
    pub state: SharedState<EventState>,
    pub standings_signal: StandingsSignal,
    /// Whether the boards were viewed since the last update.
    pub boards_seen: AtomicBool,
    /// What serves the event, and its end for a while: until the tab is closed or it is resumed.
    pub server: Mutex<Option<Box<dyn EventServer>>>,
}

/// The state of an event.
pub(super) struct EventState {
    pub phase: EventPhase,
    pub dir: PathBuf,
    pub config: Arc<EventConfig>,
    /// The names of its engines.
    pub labels: Arc<[String]>,
    pub total: u64,
    pub tally: Tally,
    pub spoiled: SpoiledGames,
    /// Whether more games run at once than there are CPUs.
    pub crowded: bool,
    /// The standings, which may be a moment behind the tally.
    pub summary: Arc<Summary>,
    pub games: Vec<FinishedGame>,
    pub boards: Arc<Vec<Mutex<Option<RunningGame>>>>,
    pub stop: Arc<Stop>,
    pub problem: Option<String>,
    pub damaged: bool,
    pub repaired: Option<(u64, u64)>,
    /// Whether it is being changed while it runs.
    pub changing: bool,
    /// When this run started or was last continued, and how many games were finished then.
    pub since: (Nanos, u64),
    /// Where it is to be served.
    pub listen: Option<ListenTerms>,
    /// Where it is served.
    pub url: Option<String>,
    pub teams: Arc<[RemoteTeam]>,
    /// What was told last of its remote engines.
    pub note: Option<EventNote>,
}

/// The phase of an event.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EventPhase {
    /// Its folder is read, and its engines are started.
    Preparing,
    /// It is running.
    Playing,
    /// No further game is started.
    Finishing,
    /// The running games are being aborted.
    Stopping,
    /// It is not running, and not all games are finished.
    Stopped,
    /// Every game is finished, or its test has decided.
    Finished,
}

impl EventPhase {
    /// Whether threads work on it.
    pub fn is_running(self) -> bool {
        !matches!(self, EventPhase::Stopped | EventPhase::Finished)
    }
}

/// An event at one moment.
#[derive(Clone, Debug)]
pub struct EventSnapshot {
    /// The phase.
    pub phase: EventPhase,
    /// Whether it is paused.
    pub paused: bool,
    /// Its folder; empty while it is created.
    pub dir: PathBuf,
    /// Its configuration.
    pub config: Arc<EventConfig>,
    /// The names of its engines.
    pub labels: Arc<[String]>,
    /// The number of games.
    pub total: u64,
    /// The finished games in the summary.
    pub finished: u64,
    /// Standings, cross table, terminations, and the state of the test.
    pub summary: Arc<Summary>,
    /// Whether more games run at once than there are CPUs.
    pub crowded: bool,
    /// What failed.
    pub problem: Option<String>,
    /// Whether that is damage, which can be repaired.
    pub damaged: bool,
    /// How many games a repair kept, of how many.
    pub repaired: Option<(u64, u64)>,
    /// Whether it is being changed while it runs.
    pub changing: bool,
    /// Where others see it in a browser, while it is served.
    pub url: Option<String>,
    /// Whether it is said where it is served when it is played.
    pub is_to_be_served: bool,
    /// Its remote engines, since it is served.
    pub teams: Arc<[RemoteTeam]>,
    /// What was told last of its remote engines.
    pub note: Option<EventNote>,
    since: (Nanos, u64),
}

impl EventSnapshot {
    /// Finished games per second, and the seconds until the end; none while it is not running or
    /// nothing was finished.
    pub fn pace(&self, now: Nanos) -> Option<(f64, f64)> {
        let (began, before) = self.since;
        let played = self.finished.saturating_sub(before);
        if self.paused || !self.phase.is_running() || played == 0 {
            return None;
        }
        let seconds = now.saturating_sub(began) as f64 / 1e9;
        let rate = played as f64 / seconds.max(1e-3);
        Some((rate, self.total.saturating_sub(self.finished) as f64 / rate))
    }
}

impl EventSession {
    pub(in crate::app) fn new(
        source: EventSource,
        host: Arc<dyn EventHost>,
        time: Arc<dyn Time + Send + Sync>,
        wake: Wake,
    ) -> EventSession {
        let (dir, config) = match &source {
            EventSource::New(config, _) => (PathBuf::new(), (**config).clone()),
            EventSource::Folder(dir) | EventSource::Damaged(dir) | EventSource::Changed(dir, _) => {
                (dir.clone(), EventConfig::default())
            }
        };
        let listen = match &source {
            EventSource::New(_, listen) => listen.clone(),
            _ => None,
        };
        let state = EventState {
            phase: EventPhase::Preparing,
            dir,
            labels: config.labels().into(),
            config: Arc::new(config),
            total: 0,
            tally: Tally::default(),
            spoiled: SpoiledGames::default(),
            crowded: false,
            summary: Arc::new(Summary::new(&Tally::default(), &[], Path::new(""))),
            games: Vec::new(),
            boards: Arc::default(),
            stop: Arc::new(Stop::new()),
            problem: None,
            damaged: false,
            repaired: None,
            changing: false,
            since: (0, 0),
            listen,
            url: None,
            teams: Arc::default(),
            note: None,
        };
        let shared = Arc::new(EventHandle {
            host,
            time,
            wake,
            pause: PauseSwitch::default(),
            state: SharedState::new(state),
            standings_signal: StandingsSignal::default(),
            boards_seen: AtomicBool::new(false),
            server: Mutex::default(),
        });
        let page = EventPage::default();
        let session = EventSession { shared, thread: Mutex::default(), page, enlarged: None };
        session.spawn(Some(source));
        session
    }

    /// The current state. Nothing is computed for it.
    pub fn snapshot(&self) -> EventSnapshot {
        self.snapshot_of(&self.shared.state.lock())
    }

    fn snapshot_of(&self, state: &EventState) -> EventSnapshot {
        EventSnapshot {
            phase: state.phase,
            paused: self.shared.pause.is_wanted(),
            dir: state.dir.clone(),
            config: Arc::clone(&state.config),
            labels: Arc::clone(&state.labels),
            total: state.total,
            finished: state.summary.games,
            summary: Arc::clone(&state.summary),
            crowded: state.crowded,
            problem: state.problem.clone(),
            damaged: state.damaged,
            repaired: state.repaired,
            changing: state.changing,
            url: state.url.clone(),
            is_to_be_served: state.listen.is_some(),
            teams: Arc::clone(&state.teams),
            note: state.note.clone(),
            since: state.since,
        }
    }

    /// The current time, on the event's clock.
    pub fn now(&self) -> Nanos {
        self.shared.time.now()
    }

    /// The number of finished games in the list.
    pub fn count(&self) -> usize {
        self.shared.state.lock().games.len()
    }

    /// A finished game of the list, newest first.
    pub fn line(&self, index: usize) -> Option<GameSummary> {
        let state = self.shared.state.lock();
        let game = state.games.iter().rev().nth(index)?;
        let name = |engine: usize| state.labels.get(engine).cloned().unwrap_or_default();
        Some(GameSummary {
            number: game.number,
            names: tengen_rules::BySeat::from_fn(|seat| name(game.seats[seat])),
            result: Some(game.result),
            plies: game.plies as usize,
        })
    }

    /// The number of a finished game in the list.
    pub fn number(&self, index: usize) -> Option<u64> {
        self.shared.state.lock().games.iter().rev().nth(index).map(|game| game.number)
    }

    /// The current boards, by worker.
    pub fn boards(&self) -> Vec<Option<RunningGame>> {
        self.shared.boards_seen.store(true, Ordering::Relaxed);
        let boards = Arc::clone(&self.shared.state.lock().boards);
        boards.iter().map(|board| lock(board).clone()).collect()
    }

    /// Waits until the condition holds.
    pub fn wait_until(&self, condition: impl Fn(&EventSnapshot) -> bool) {
        let state = self.shared.state.lock();
        let waits = |state: &mut EventState| !condition(&self.snapshot_of(state));
        drop(self.shared.state.wait_while(state, waits));
    }

    pub(in crate::app) fn pause(&self, wanted: bool) {
        self.shared.pause.set(wanted);
        let now = self.now();
        self.shared.publish(|state| state.since = (now, state.tally.len()));
    }

    pub(in crate::app) fn finish(&self) {
        self.shared.publish(|state| {
            if state.phase == EventPhase::Playing {
                state.stop.close();
                state.phase = EventPhase::Finishing;
            }
        });
        self.shared.pause.set(false);
    }

    pub(in crate::app) fn stop(&self) {
        self.shared.publish(|state| {
            if state.phase.is_running() {
                state.stop.request();
                state.phase = EventPhase::Stopping;
            }
        });
        // Wakes paused workers, which then see that they are to stop.
        self.shared.pause.set(self.shared.pause.is_wanted());
    }

    /// Resumes it, and serves it there; none is where it was served before, if it was.
    pub(in crate::app) fn resume(&self, listen: Option<ListenTerms>) {
        if EventCommand::Resume.fits(&self.snapshot()) {
            self.shared.pause.set(false);
            self.shared.publish(|state| {
                state.phase = EventPhase::Preparing;
                state.stop = Arc::new(Stop::new());
                state.listen = listen.or(state.listen.take());
                state.note = None;
                (state.problem, state.damaged, state.repaired) = (None, false, None);
            });
            self.spawn(None);
        }
    }

    /// Where it is served when it is played.
    pub(in crate::app) fn served_at(&self) -> Option<SocketAddr> {
        self.shared.state.lock().listen.as_ref().map(|terms| terms.address)
    }

    /// Gives what still shows the end of it at that address, to be ended.
    pub(in crate::app) fn stop_showing(&self, address: SocketAddr) -> Option<Box<dyn EventServer>> {
        if self.served_at() != Some(address) {
            return None;
        }
        let server = lock(&self.shared.server).take()?;
        self.shared.publish(|state| state.url = None);
        Some(server)
    }

    pub(in crate::app) fn repair(&self) {
        let shown = self.snapshot();
        if EventCommand::Repair.fits(&shown) {
            self.shared.publish(|state| {
                state.phase = EventPhase::Preparing;
                (state.problem, state.damaged) = (None, false);
            });
            self.spawn(Some(EventSource::Damaged(shown.dir)));
        }
    }

    pub(in crate::app) fn change(&self, change: EventChange) {
        let shown = self.snapshot();
        if !EventCommand::Change(change.clone()).fits(&shown) {
            return;
        }
        if !shown.phase.is_running() {
            self.shared.publish(|state| {
                state.phase = EventPhase::Preparing;
                state.problem = None;
            });
            self.spawn(Some(EventSource::Changed(shown.dir, change)));
            return;
        }
        self.shared.publish(|state| (state.changing, state.problem) = (true, None));
        let shared = Arc::clone(&self.shared);
        let work = move || {
            let done = shared.host.change(&shown.dir, &change);
            if done.is_ok() {
                // The event's own thread takes it in, unless that has ended meanwhile.
                runner::take_in_changes(&shared, &shown.dir);
            }
            shared.publish(|state| {
                state.changing = false;
                if state.phase == EventPhase::Finished && state.tally.len() < state.total {
                    state.phase = EventPhase::Stopped;
                }
                // What stopped the run meanwhile is told on.
                if let Err(problem) = done {
                    state.problem = Some(problem);
                }
            });
        };
        // Nobody waits for it: it starts an engine, which may take long.
        if let Err(error) = thread::Builder::new().name("event change".to_owned()).spawn(work) {
            self.shared.publish(|state| {
                (state.changing, state.problem) = (false, Some(error.to_string()));
            });
        }
    }

    fn spawn(&self, source: Option<EventSource>) {
        let shared = Arc::clone(&self.shared);
        let thread = JoinedThread::spawn("event", move || runner::run(&shared, source))
            .expect("the system has a thread left");
        // An old thread has published its end, and returns.
        drop(lock(&self.thread).replace(thread));
    }
}

impl Drop for EventSession {
    fn drop(&mut self) {
        self.stop();
        drop(lock(&self.thread).take());
        // What it tells comes on its own threads, which must not be the last to know of the event.
        drop(lock(&self.shared.server).take());
    }
}

impl EventHandle {
    /// Changes the state and wakes the window.
    pub fn publish(&self, change: impl FnOnce(&mut EventState)) {
        change(&mut self.state.lock());
        self.state.notify();
        (self.wake)();
    }
}
