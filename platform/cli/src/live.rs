//! A running event, for the live view in the terminal and for programs that follow it.

mod screen;
mod stream;
mod table;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tengen_arbiter::Game;
use tengen_rules::Seat;
use tengen_tournament::{
    Change, ChangeKind, Event, EventConfig, EventProgress, GameEnd, Incident, Incidents, PairTest,
    RunOutcome, ScheduledGame, Standing, Summary, TestState, Watcher,
};

use crate::event_log::GameLogs;
use crate::lock::lock;
use crate::progress::Rate;

pub(crate) use screen::{Screen, give_back};
pub(crate) use stream::EventStream;
use table::LiveTable;

/// How often the standings are computed anew.
const STANDINGS: Duration = Duration::from_secs(1);
/// The file of an event's folder with the links of the teams that play from elsewhere.
pub(crate) const TEAM_LINKS: &str = "remote-links.txt";
/// The most messages that are kept.
const MESSAGES: usize = 200;
/// So many games that ended badly in the same way are told one by one.
const NAMED: u64 = 10;

/// A running event, as it is followed. Each table has a slot of its own, so that no two games wait
/// for each other.
pub(crate) struct LiveEvent {
    dir: PathBuf,
    labels: RwLock<Arc<[String]>>,
    tables: Vec<Mutex<Option<LiveTable>>>,
    state: Mutex<LiveState>,
    logs: Arc<GameLogs>,
    stream: Option<EventStream>,
    /// Whether the view in the terminal is open.
    is_shown: bool,
    /// Whether engines play from elsewhere.
    has_teams: AtomicBool,
}

#[derive(Clone, Default)]
struct LiveState {
    total: u64,
    finished: u64,
    rate: Option<Rate>,
    standings: Vec<Standing>,
    test: Option<TestState>,
    tests: Vec<PairTest>,
    computed: Option<Instant>,
    /// The games that were lost by a fault, spoiled, void or played again.
    incidents: Incidents,
    messages: VecDeque<String>,
    is_paused: bool,
    is_stopping: bool,
}

impl LiveEvent {
    pub(crate) fn new(
        event: &Event,
        logs: Arc<GameLogs>,
        stream: Option<EventStream>,
        is_shown: bool,
    ) -> LiveEvent {
        logs.lie_in(event.dir());
        let labels: Arc<[String]> = event.config().labels().into();
        let (total, finished) = (event.total(), event.tally().len());
        let summary = event.summary();
        if let Some(stream) = &stream {
            stream.tell(
                "begun",
                json!({
                    "dir": event.dir(), "engines": &labels[..], "total": total,
                    "finished": finished,
                }),
            );
            for aside in &summary.set_aside {
                stream.tell("set_aside", json!({"engine": aside.engine, "reason": aside.reason}));
            }
        }
        // Where they are told one by one, those of this run are.
        let before = is_shown.then(|| event.incidents().ok()).flatten();
        let state = LiveState {
            total,
            finished,
            rate: Some(Rate::new(finished)),
            standings: summary.standings,
            test: summary.sprt,
            tests: summary.tests,
            incidents: before.unwrap_or_default(),
            ..LiveState::default()
        };
        let tables = event.config().concurrency;
        LiveEvent {
            dir: event.dir().to_owned(),
            labels: RwLock::new(labels),
            tables: (0..tables).map(|_| Mutex::new(None)).collect(),
            state: Mutex::new(state),
            logs,
            stream,
            is_shown,
            has_teams: AtomicBool::new(event.config().has_remote()),
        }
    }

    /// Whether more is shown than the number of finished games.
    fn is_followed(&self) -> bool {
        self.is_shown || self.stream.is_some()
    }

    /// Takes in what is on the disk. Gives what there is to tell of single games: each that ended
    /// badly, as long as few have in the same way.
    pub(crate) fn progress(&self, event: &EventProgress<'_>, config: &EventConfig) -> Vec<String> {
        let named = event.incidents.iter().filter_map(|one| self.take_incident(one)).collect();
        if !self.is_followed() {
            return named;
        }
        for game in event.games {
            self.stream("game_ended", || {
                json!({
                    "game": game.number,
                    "winner": game.result.winner.map(Seat::name),
                    "termination": game.result.termination.name(),
                    "stones": game.plies,
                    "spoiled": game.conditions.is_spoiled(),
                    "void": game.conditions.is_void,
                })
            });
        }
        let labels = self.labels();
        let mut state = self.state();
        (state.total, state.finished) = (event.total, event.finished);
        if let Some(rate) = &mut state.rate {
            rate.note(event.finished);
        }
        let is_due = state.computed.is_none_or(|at| at.elapsed() >= STANDINGS);
        if is_due || event.finished == event.total {
            state.computed = Some(Instant::now());
            state.standings = Summary::standings_of(event.tally, &labels);
            state.test = config.test_state(event.tally);
            state.tests = config.test_states(event.tally);
            self.stream("standings", || {
                json!({
                    "finished": event.finished, "total": event.total,
                    "standings": &state.standings, "sprt": state.test,
                    "tests": &state.tests,
                })
            });
        }
        named
    }

    fn take_incident(&self, incident: &Incident) -> Option<String> {
        let labels = self.labels();
        self.stream("incident", || {
            let Incident { number, kind, termination, loser, reason } = incident;
            let (kind, termination) = (kind.name(), termination.name());
            let loser = loser.and_then(|loser| labels.get(loser));
            json!({
                "game": number, "kind": kind, "engine": loser, "termination": termination,
                "reason": reason,
            })
        });
        match self.state().incidents.add(incident, &labels) {
            0..NAMED => Some(incident.line(&labels)),
            NAMED => Some(format!(
                "{}; more such games are counted in the report",
                incident.line(&labels)
            )),
            _ => None,
        }
    }

    /// Tells programs that follow the event that something happened.
    fn stream(&self, event: &str, keys: impl FnOnce() -> Value) {
        if let Some(stream) = &self.stream {
            stream.tell(event, keys());
        }
    }

    /// A line for people.
    pub(crate) fn say(&self, line: &str) {
        self.stream("warning", || json!({ "message": line }));
        self.state().say(line.to_owned());
    }

    /// The event has ended so. What is left of the stream is written.
    pub(crate) fn end(self, run: Option<RunOutcome>, finished: u64, total: u64) {
        let Some(stream) = self.stream else { return };
        let event = match run {
            Some(RunOutcome::Finished) => "finished",
            Some(RunOutcome::Stopped) => "stopped",
            None => "failed",
        };
        stream.tell(event, json!({ "finished": finished, "total": total }));
        stream.finish();
    }

    /// The last messages, oldest first.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.state().messages.iter().cloned().collect()
    }

    fn labels(&self) -> Arc<[String]> {
        Arc::clone(&self.labels.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        lock(&self.state)
    }

    fn table(&self, table: usize) -> Option<MutexGuard<'_, Option<LiveTable>>> {
        Some(self.tables.get(table)?.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl LiveState {
    fn say(&mut self, line: String) {
        if self.messages.len() == MESSAGES {
            self.messages.pop_front();
        }
        self.messages.push_back(line);
    }
}

impl Watcher for LiveEvent {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        if !self.is_followed() {
            return;
        }
        let Some(mut slot) = self.table(table) else { return };
        let is_same = |known: &LiveTable| {
            known.number == scheduled.number && known.told <= game.history().len()
        };
        if !slot.as_ref().is_some_and(is_same) {
            let begun = LiveTable::begin(scheduled, game);
            self.stream("game_begun", || begun.begun(table, &self.labels(), scheduled, game));
            *slot = Some(begun);
        }
        let Some(live) = &mut *slot else { return };
        if let Some(stream) = &self.stream {
            live.tell(stream, game);
        }
        live.told = game.history().len();
        if self.is_shown {
            live.look(game);
        }
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, _: &GameEnd) {
        self.look(table, scheduled, game);
        if let Some(mut slot) = self.table(table) {
            *slot = None;
        }
        if let Some(result) = game.result() {
            self.logs.end(scheduled.number, result.termination);
        }
    }

    fn changed(&self, change: &Change) {
        if !change.kind.is_order()
            && let Ok(event) = Event::open(&self.dir)
        {
            self.has_teams.store(event.config().has_remote(), Ordering::SeqCst);
            let labels = event.config().labels().into();
            *self.labels.write().unwrap_or_else(PoisonError::into_inner) = labels;
        }
        self.stream(
            "changed",
            || json!({"change": change.number, "kind": change.kind.name(), "text": change.text}),
        );
        let mut state = self.state();
        match change.kind {
            ChangeKind::Paused => state.is_paused = true,
            ChangeKind::Continued => state.is_paused = false,
            ChangeKind::Stopped | ChangeKind::StoppedNow => state.is_stopping = true,
            _ => {}
        }
        state.say(change.text.clone());
    }
}
