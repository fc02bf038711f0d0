//! An event in a tab, and its state at one moment.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use tengen_arbiter::Nanos;
use tengen_lineup::LiveServer;
use tengen_players::Time;
use tengen_tournament::{
    ChangeKind, ConfigError, EventConfig, EventFollower, FinishedGame, FollowedGame, SpoiledOption,
    Stop, Summary, Tally,
};

use super::pause::{PauseSwitch, lock};
use super::standings::StandingsSignal;
use super::watched::{self, WatchedGame, WatchedMatch};
use super::{
    EventChange, EventCommand, EventLineUp, EventNote, EventPage, EventSource, RemoteTeam,
    RosterFactory, runner,
};
use crate::app::model::{GameSummary, ListenTerms, Snapshot};
use crate::app::session::EngineOutput;
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
    pub kind: EventKind,
    pub time: Arc<dyn Time + Send + Sync>,
    pub pause: PauseSwitch,
    pub state: SharedState<EventState>,
    pub standings_signal: StandingsSignal,
    /// Whether the boards were viewed since the last update.
    pub boards_seen: AtomicBool,
    /// What serves the event, and its end for a while: until the tab is closed or it is resumed.
    pub server: Mutex<Option<LiveServer>>,
}

/// What becomes of the games of an event.
pub(super) enum EventKind {
    /// They are saved in the event's folder.
    Saved(EventLineUp),
    /// They are watched, and not saved.
    Watched(WatchedMatch),
}

pub(super) struct EventState {
    /// What the window shows; what is worked out of the rest is filled in for each snapshot.
    pub shown: EventSnapshot,
    /// What is known of a saved event, since it was opened.
    pub follower: Option<Arc<EventFollower>>,
    /// The points of a match that is watched.
    pub tally: Tally,
    pub games: Vec<FinishedGame>,
    pub stop: Arc<Stop>,
    /// Where it is to be served.
    pub listen: Option<ListenTerms>,
    /// The game shown, if its games are watched.
    pub watched: Option<WatchedGame>,
}

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
    pub phase: EventPhase,
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
    /// The game shown, if its games are watched.
    pub game: Option<Arc<Snapshot>>,
    /// When this run started or was last continued, and how many games were finished then.
    pub(super) since: (Nanos, u64),
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

impl EventState {
    /// What the event calls its engines.
    fn labels(&self) -> Arc<[String]> {
        match &self.follower {
            Some(follower) => follower.labels(),
            None => Arc::clone(&self.shown.labels),
        }
    }

    fn new(phase: EventPhase, dir: PathBuf, config: EventConfig) -> EventState {
        let shown = EventSnapshot {
            phase,
            paused: false,
            dir,
            labels: config.labels().into(),
            config: Arc::new(config),
            total: 0,
            finished: 0,
            summary: Arc::new(Summary::new(&Tally::default(), &[], Path::new(""))),
            crowded: false,
            problem: None,
            damaged: false,
            repaired: None,
            changing: false,
            url: None,
            is_to_be_served: false,
            teams: Arc::default(),
            note: None,
            game: None,
            since: (0, 0),
        };
        EventState {
            shown,
            follower: None,
            tally: Tally::default(),
            games: Vec::new(),
            stop: Arc::new(Stop::new()),
            listen: None,
            watched: None,
        }
    }

    /// The game shown of an event whose games are watched.
    pub fn watched(&mut self) -> &mut WatchedGame {
        self.watched.as_mut().expect("its games are watched")
    }

    /// Aborts the running games.
    fn abort_games(&mut self) {
        self.stop.request();
        if let Some(roster) = self.watched.as_ref().and_then(|game| game.roster.as_ref()) {
            roster.interrupt();
        }
    }
}

impl EventSession {
    pub(in crate::app) fn new(
        source: EventSource,
        lineup: EventLineUp,
        time: Arc<dyn Time + Send + Sync>,
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
        let state = EventState { listen, ..EventState::new(EventPhase::Preparing, dir, config) };
        EventSession::start(EventKind::Saved(lineup), state, time, Some(source))
    }

    /// Plays a match to be watched: a finished game is shown for this interval before the next one
    /// starts, and none is saved. Its folders and concurrency are not used.
    ///
    /// # Errors
    /// When the configuration is not valid.
    pub fn watch(
        config: EventConfig,
        interval: Duration,
        roster_factory: RosterFactory,
        time: Arc<dyn Time + Send + Sync>,
    ) -> Result<EventSession, ConfigError> {
        config.validate()?;
        // A result counts as soon as it is seen.
        let config = EventConfig { spoiled: SpoiledOption::Keep, ..config };
        let outputs = config.engines.iter().map(|_| EngineOutput::new(Arc::clone(&time))).collect();
        let (names, total) = (watched::names(&config), config.schedule().len());
        let mut state = EventState::new(EventPhase::Playing, PathBuf::new(), config);
        (state.shown.labels, state.shown.total) = (names.into(), total);
        state.watched = Some(WatchedGame::first(&state, 1));
        let watched = WatchedMatch { roster_factory, interval, outputs };
        Ok(EventSession::start(EventKind::Watched(watched), state, time, None))
    }

    fn start(
        kind: EventKind,
        state: EventState,
        time: Arc<dyn Time + Send + Sync>,
        source: Option<EventSource>,
    ) -> EventSession {
        let shared = Arc::new(EventHandle {
            kind,
            time,
            pause: PauseSwitch::default(),
            state: SharedState::new(state),
            standings_signal: StandingsSignal::default(),
            boards_seen: AtomicBool::new(false),
            server: Mutex::default(),
        });
        let page = EventPage::default();
        let session = EventSession { shared, thread: Mutex::default(), page, enlarged: None };
        session.spawn(source);
        session
    }

    /// The current state. Nothing is computed for it.
    pub fn snapshot(&self) -> EventSnapshot {
        self.snapshot_of(&self.shared.state.lock())
    }

    fn snapshot_of(&self, state: &EventState) -> EventSnapshot {
        let mut shown = EventSnapshot {
            paused: self.shared.pause.is_wanted(),
            finished: state.shown.summary.games,
            is_to_be_served: state.listen.is_some(),
            game: state.watched.as_ref().map(|game| Arc::clone(&game.snapshot)),
            ..state.shown.clone()
        };
        if let Some(event) = state.follower.as_ref().map(|follower| follower.event()) {
            // It may also be paused from elsewhere.
            shown.paused |= event.is_paused && shown.phase.is_running();
            (shown.config, shown.labels, shown.total) = (event.config, event.labels, event.total);
        }
        shown
    }

    /// The current time, on the event's clock.
    pub fn now(&self) -> Nanos {
        self.shared.time.now()
    }

    /// The game shown, if its games are watched.
    pub fn game(&self) -> Option<Arc<Snapshot>> {
        self.shared.state.lock().watched.as_ref().map(|game| Arc::clone(&game.snapshot))
    }

    /// The output of an engine, by its index, if its games are watched.
    pub fn output(&self, engine: usize) -> Option<Arc<EngineOutput>> {
        let EventKind::Watched(watched) = &self.shared.kind else { return None };
        watched.outputs.get(engine).cloned()
    }

    /// Calls `wake` after each change, on some thread; it must return at once. May be called once.
    pub fn on_change(&self, wake: impl Fn() + Send + Sync + 'static) {
        self.shared.state.on_change(Box::new(wake));
    }

    /// The number of finished games in the list.
    pub fn count(&self) -> usize {
        self.shared.state.lock().games.len()
    }

    /// A finished game of the list, newest first.
    pub fn line(&self, index: usize) -> Option<GameSummary> {
        let state = self.shared.state.lock();
        let game = state.games.iter().rev().nth(index)?;
        let labels = state.labels();
        let name = |engine: usize| labels.get(engine).cloned().unwrap_or_default();
        Some(GameSummary {
            number: game.number,
            names: tengen_rules::BySeat::from_fn(|seat| name(game.seats[seat])),
            result: Some(game.result),
            is_reason_known: true,
            plies: game.plies as usize,
        })
    }

    /// The number of a finished game in the list.
    pub fn number(&self, index: usize) -> Option<u64> {
        self.shared.state.lock().games.iter().rev().nth(index).map(|game| game.number)
    }

    /// The games that are being played, by table; one that is over, until the next one begins.
    pub fn running_games(&self) -> Vec<Option<FollowedGame>> {
        self.shared.boards_seen.store(true, Ordering::Relaxed);
        let state = self.shared.state.lock();
        let is_running = state.shown.phase.is_running();
        let follower = state.follower.clone().filter(|_| is_running);
        drop(state);
        follower.map_or_else(Vec::new, |follower| follower.games())
    }

    /// Waits until the condition holds.
    pub fn wait_until(&self, condition: impl Fn(&EventSnapshot) -> bool) {
        let state = self.shared.state.lock();
        let waits = |state: &mut EventState| !condition(&self.snapshot_of(state));
        drop(self.shared.state.wait_while(state, waits));
    }

    /// Pauses it, or goes on.
    pub fn pause(&self, wanted: bool) {
        let shown = self.snapshot();
        if EventCommand::Pause(wanted).fits(&shown) {
            self.shared.pause.set(wanted);
            let now = self.now();
            self.shared.publish(|state| state.shown.since = (now, shown.finished));
            if !wanted && self.shared.is_paused_elsewhere() {
                self.change(EventChange::Continue);
            }
        }
    }

    pub(in crate::app) fn finish(&self) {
        self.shared.publish(|state| {
            if state.shown.phase == EventPhase::Playing {
                state.stop.close();
                state.shown.phase = EventPhase::Finishing;
            }
        });
        self.shared.pause.set(false);
    }

    /// Aborts the running games, and starts no further one.
    pub fn stop(&self) {
        self.shared.publish(|state| {
            if state.shown.phase.is_running() {
                state.abort_games();
                state.shown.phase = EventPhase::Stopping;
            }
        });
        // Wakes paused workers, which then see that they are to stop.
        self.shared.pause.set(self.shared.pause.is_wanted());
    }

    /// Aborts the game that is watched, uncounted, and starts the next one.
    pub fn next_game(&self) {
        if !EventCommand::NextGame.fits(&self.snapshot()) {
            return;
        }
        self.shared.publish(|state| {
            state.watched().is_skipped = true;
            if !state.watched().is_over {
                state.abort_games();
            }
        });
        self.shared.pause.set(false);
    }

    /// Plays a match that is watched again, with another seed.
    pub fn play_again(&self) {
        if EventCommand::PlayAgain.fits(&self.snapshot()) {
            self.shared.publish(|state| {
                state.shown.phase = EventPhase::Playing;
                state.tally = Tally::default();
                let config = Arc::make_mut(&mut state.shown.config);
                config.seed = config.seed.wrapping_add(1);
                let round = state.watched().round + 1;
                state.watched = Some(WatchedGame::first(state, round));
            });
            self.spawn(None);
        }
    }

    /// Resumes it, and serves it there; none is where it was served before, if it was.
    pub(in crate::app) fn resume(&self, listen: Option<ListenTerms>) {
        if EventCommand::Resume.fits(&self.snapshot()) {
            self.shared.pause.set(false);
            self.shared.publish(|state| {
                state.shown.phase = EventPhase::Preparing;
                state.stop = Arc::new(Stop::new());
                state.listen = listen.or(state.listen.take());
                state.shown.note = None;
                (state.shown.problem, state.shown.damaged, state.shown.repaired) =
                    (None, false, None);
            });
            self.spawn(None);
        }
    }

    /// Where it is served when it is played.
    pub(in crate::app) fn served_at(&self) -> Option<SocketAddr> {
        self.shared.state.lock().listen.as_ref().map(|terms| terms.address)
    }

    /// Gives what still shows the end of it at that address, to be ended.
    pub(in crate::app) fn stop_showing(&self, address: SocketAddr) -> Option<LiveServer> {
        if self.served_at() != Some(address) {
            return None;
        }
        let server = lock(&self.shared.server).take()?;
        self.shared.publish(|state| state.shown.url = None);
        Some(server)
    }

    pub(in crate::app) fn repair(&self) {
        let shown = self.snapshot();
        if EventCommand::Repair.fits(&shown) {
            self.shared.publish(|state| {
                state.shown.phase = EventPhase::Preparing;
                (state.shown.problem, state.shown.damaged) = (None, false);
            });
            self.spawn(Some(EventSource::Damaged(shown.dir)));
        }
    }

    pub(in crate::app) fn change(&self, change: EventChange) {
        let EventKind::Saved(lineup) = &self.shared.kind else { return };
        let shown = self.snapshot();
        if !EventCommand::Change(change.clone()).fits(&shown) {
            return;
        }
        if !shown.phase.is_running() {
            self.shared.publish(|state| {
                state.shown.phase = EventPhase::Preparing;
                state.shown.problem = None;
            });
            self.spawn(Some(EventSource::Changed(shown.dir, change)));
            return;
        }
        self.shared.publish(|state| (state.shown.changing, state.shown.problem) = (true, None));
        let (lineup, shared) = (lineup.clone(), Arc::clone(&self.shared));
        let work = move || {
            let done = lineup.change(&shown.dir, &change);
            if done.is_ok() {
                // The event's own thread takes it in, unless that has ended meanwhile.
                if let Some(follower) = shared.state.lock().follower.clone() {
                    follower.take_in_change();
                }
            }
            shared.publish(|state| {
                state.shown.changing = false;
                let is_over = state.follower.as_ref().is_some_and(|follower| follower.is_over());
                if state.shown.phase == EventPhase::Finished && !is_over {
                    state.shown.phase = EventPhase::Stopped;
                }
                // What stopped the run meanwhile is told on.
                if let Err(problem) = done {
                    state.shown.problem = Some(problem);
                }
            });
        };
        // The window does not wait for it: it starts an engine, which may take long.
        if let Err(error) = thread::Builder::new().name("event change".to_owned()).spawn(work) {
            self.shared.publish(|state| {
                (state.shown.changing, state.shown.problem) = (false, Some(error.to_string()));
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
    /// Whether it was ordered from elsewhere to begin no games.
    fn is_paused_elsewhere(&self) -> bool {
        self.state.lock().follower.as_ref().is_some_and(|follower| follower.event().is_paused)
    }

    /// Shows what was ordered from elsewhere. Games that the window makes wait see a stop too.
    pub fn obey(&self, order: ChangeKind) {
        let phase = match order {
            ChangeKind::Stopped => EventPhase::Finishing,
            ChangeKind::StoppedNow => EventPhase::Stopping,
            ChangeKind::Continued => {
                let now = self.time.now();
                return self.publish(|state| state.shown.since = (now, state.shown.summary.games));
            }
            _ => return self.publish(|_| ()),
        };
        self.publish(|state| {
            if state.shown.phase.is_running() && state.shown.phase != EventPhase::Stopping {
                state.shown.phase = phase;
            }
        });
        self.pause.set(false);
    }

    /// Changes the state and wakes the window.
    pub fn publish(&self, change: impl FnOnce(&mut EventState)) {
        let mut state = self.state.lock();
        change(&mut state);
        let phase = state.shown.phase;
        if let Some(game) = &mut state.watched {
            game.update_phase(phase, self.pause.is_wanted());
        }
        drop(state);
        self.state.notify();
    }
}
