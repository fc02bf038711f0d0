//! A running event, for those who follow it: people before a terminal, and other programs.

mod screen;
mod stream;
mod table;

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};

use serde_json::{Value, json};
use tengen_arbiter::Game;
use tengen_lineup::{GameLogs, lock};
use tengen_rules::Seat;
use tengen_tournament::{
    Change, Event, EventFollower, EventProgress, GameEnd, Incident, Incidents, RunOutcome,
    ScheduledGame, Watcher,
};

use crate::progress::Rate;
use crate::report::tell;

pub(crate) use screen::{Screen, give_back};
pub(crate) use stream::EventStream;
use table::ToldGame;

/// The most messages that are kept.
const MESSAGES: usize = 200;
/// So many games that ended badly in the same way are told one by one.
const NAMED: u64 = 10;

/// A running event, as people and programs are told of it.
pub(crate) struct LiveEvent {
    follower: Arc<EventFollower>,
    /// Whether anything reads the follower.
    is_followed: bool,
    /// What the stream has told of each table.
    told: Vec<Mutex<ToldGame>>,
    state: Mutex<LiveState>,
    logs: Arc<GameLogs>,
    stream: Option<EventStream>,
    dir: PathBuf,
}

/// What was told of the whole event.
struct LiveState {
    rate: Rate,
    /// The games that were lost by a fault, spoiled, void or played again.
    incidents: Incidents,
    messages: VecDeque<String>,
}

impl LiveEvent {
    pub(crate) fn new(
        event: &Event,
        follower: Arc<EventFollower>,
        logs: Arc<GameLogs>,
        stream: Option<EventStream>,
        is_shown: bool,
        is_followed: bool,
    ) -> LiveEvent {
        logs.lie_in(event.dir());
        let finished = event.tally().len();
        if let Some(stream) = &stream {
            stream.tell(
                "begun",
                json!({
                    "dir": event.dir(), "engines": &follower.labels()[..],
                    "total": event.total(), "finished": finished,
                }),
            );
            for aside in &event.config().set_aside {
                stream.tell("set_aside", json!({"engine": aside.engine, "reason": aside.reason}));
            }
        }
        // Where they are told one by one, those of this run are.
        let before = is_shown.then(|| event.incidents().ok()).flatten();
        let state = LiveState {
            rate: Rate::new(finished),
            incidents: before.unwrap_or_default(),
            messages: VecDeque::new(),
        };
        LiveEvent {
            told: (0..follower.tables()).map(|_| Mutex::default()).collect(),
            is_followed,
            follower,
            state: Mutex::new(state),
            logs,
            stream,
            dir: event.dir().to_owned(),
        }
    }

    /// Takes in what is on the disk. Gives what there is to tell of single games: each that ended
    /// badly, as long as few have in the same way.
    pub(crate) fn progress(&self, event: &EventProgress<'_>) -> Vec<String> {
        let is_computed = self.is_followed && self.follower.take_in(event);
        let named = event.incidents.iter().filter_map(|one| self.take_incident(one)).collect();
        self.state().rate.note(event.finished);
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
        if is_computed {
            self.stream("standings", || {
                let standings = self.follower.event().standings;
                json!({
                    "finished": event.finished, "total": event.total,
                    "standings": standings.standings, "sprt": standings.test,
                    "tests": standings.tests,
                })
            });
        }
        named
    }

    fn take_incident(&self, incident: &Incident) -> Option<String> {
        let labels = self.follower.labels();
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

    pub(crate) fn follower(&self) -> &EventFollower {
        &self.follower
    }

    /// The last messages, oldest first.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.state().messages.iter().cloned().collect()
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        lock(&self.state)
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

/// The follower watches before this.
impl Watcher for LiveEvent {
    fn look(&self, table: usize, scheduled: &ScheduledGame, game: &Game) {
        if let (Some(stream), Some(told)) = (&self.stream, self.told.get(table)) {
            let mut told = lock(told);
            told.tell(stream, table, || self.follower.labels(), scheduled, game);
        }
    }

    fn over(&self, table: usize, scheduled: &ScheduledGame, game: &Game, _: &GameEnd) {
        self.look(table, scheduled, game);
        if let Some(told) = self.told.get(table) {
            *lock(told) = ToldGame::default();
        }
        if let Some(result) = game.result() {
            self.logs.end(scheduled.number, result.termination);
        }
    }

    fn awaits(&self, is_awaited: bool) {
        self.stream("round", || json!({"awaits_referee": is_awaited}));
        if is_awaited {
            let dir = self.dir.display();
            tell(format_args!(
                "tengen: the round is over; `tengen tournament pairings {dir}` shows the next one, \
                 and `tengen tournament referee begin {dir}` begins it"
            ));
        }
    }

    fn changed(&self, change: &Change) {
        if !self.is_followed {
            // What is said of single games names the engines.
            self.follower.changed(change);
        }
        self.stream(
            "changed",
            || json!({"change": change.number, "kind": change.kind.name(), "text": change.text}),
        );
        self.state().say(change.text.clone());
    }
}
