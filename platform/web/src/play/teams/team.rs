//! A team: its connection, and the games that its engine plays.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use tengen_arbiter::{GameResult, Limits, Nanos, Termination};
use tengen_players::EngineQuestion;

use super::lock;
use crate::play::keys::table_id;
use crate::play::outbox::Outbox;
use crate::play::written;
use tengen_link::messages::{Act, AskMessage, GameMessage, OverMessage, ServerMessage};

/// How often in a row a team may go away before the start of games that are put off then.
pub(super) const MOST_MISSES: u32 = 10;

/// A remote engine of an event.
pub(super) struct Team {
    /// Its place in the event.
    pub place: usize,
    /// What the event calls it.
    pub label: String,
    /// What lets it in.
    pub key: String,
    state: Mutex<TeamState>,
    /// That something is new for the threads that wait in its games.
    news: Condvar,
    /// See [`Team::tell_in_order`].
    telling: Mutex<()>,
}

pub(super) struct TeamState {
    line: Option<TeamLine>,
    /// Since when there is no connection, if there is none.
    away_since: Instant,
    /// Why no client of it is let in any more.
    dismissed: Option<String>,
    /// Why it will be dismissed once its running games are over.
    leaves: Option<String>,
    is_told_overdue: bool,
    /// The games, or pairs of games, that it was taken for.
    taken: u64,
    pub games: BTreeMap<String, TeamGame>,
    /// The numbers of games that it missed the start of.
    pub missed: BTreeSet<u64>,
    /// How often it went away.
    departures: u64,
    /// How often in a row it did so before games began, and which time was counted last: many games
    /// may begin at once.
    misses: u32,
    counted_departure: Option<u64>,
    /// How often the threads that wait were told to return.
    pub interrupts: u64,
}

struct TeamLine {
    connection: u64,
    outbox: Arc<Outbox>,
    tables: u64,
    /// How long the way there and back takes, in milliseconds.
    lag: Option<u64>,
}

/// A game that a team's engine plays.
pub(super) struct TeamGame {
    pub number: u64,
    /// What says that it begins.
    pub opening: Utf8Bytes,
    /// When that was said to its client; none where none is connected.
    pub told: Option<Instant>,
    pub is_ready: bool,
    /// Why it cannot be played.
    pub failure: Option<String>,
    pub question: Option<TeamQuestion>,
    pub answer: Option<TeamAnswer>,
}

/// A question that is not answered.
pub(super) struct TeamQuestion {
    pub question: EngineQuestion,
    pub asked: Instant,
}

pub(super) struct TeamAnswer {
    pub act: Act,
    /// When it was read.
    pub at: Instant,
    /// The lag as it was measured last.
    pub lag: Option<Nanos>,
}

/// Why what a team said does nothing.
pub(super) struct NotNow(pub &'static str);

impl Team {
    pub fn new(place: usize, label: String, key: String) -> Team {
        let state = TeamState {
            line: None,
            away_since: Instant::now(),
            dismissed: None,
            leaves: None,
            is_told_overdue: false,
            taken: 0,
            games: BTreeMap::new(),
            missed: BTreeSet::new(),
            departures: 0,
            misses: 0,
            counted_departure: None,
            interrupts: 0,
        };
        let (state, telling) = (Mutex::new(state), Mutex::new(()));
        Team { place, label, key, state, news: Condvar::new(), telling }
    }

    /// Stands for a team that was removed: no client is let in.
    pub fn removed(place: usize) -> Team {
        let team = Team::new(place, String::new(), String::new());
        team.lock().dismissed = Some("it was removed from the event".to_owned());
        team
    }

    pub fn lock(&self) -> MutexGuard<'_, TeamState> {
        lock(&self.state)
    }

    /// Held while the team comes or goes and that is reported, so that reports come in the same
    /// order.
    pub fn tell_in_order(&self) -> MutexGuard<'_, ()> {
        lock(&self.telling)
    }

    /// Waits for news, no longer than so long.
    pub fn wait<'a>(
        &self,
        state: MutexGuard<'a, TeamState>,
        within: Option<Duration>,
    ) -> MutexGuard<'a, TeamState> {
        use std::sync::PoisonError;
        match within {
            None => self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
            Some(within) => {
                let waited = self.news.wait_timeout(state, within);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
        }
    }

    /// Makes all threads that wait return.
    pub fn interrupt(&self) {
        self.lock().interrupts += 1;
        self.news.notify_all();
    }

    /// Takes it for a game, if it is there and has a table free.
    pub fn take(&self) -> bool {
        let mut state = self.lock();
        let is_staying = state.dismissed.is_none() && state.leaves.is_none();
        let is_free = state.line.as_ref().is_some_and(|line| state.taken < line.tables);
        let is_free = is_free && is_staying;
        state.taken += u64::from(is_free);
        is_free
    }

    pub fn take_anyhow(&self) {
        self.lock().taken += 1;
    }

    pub fn free(&self) {
        let mut state = self.lock();
        state.taken = state.taken.saturating_sub(1);
    }

    /// Since when it is away, if it is.
    pub fn away_since(&self) -> Option<Instant> {
        self.lock().away()
    }

    /// Notes that the wait for it was in vain. Gives whether that is new since it was there.
    pub fn note_overdue(&self) -> bool {
        !std::mem::replace(&mut self.lock().is_told_overdue, true)
    }

    /// Whether it was given up, and neither came back nor was let go since.
    pub fn is_given_up(&self) -> bool {
        let state = self.lock();
        state.is_told_overdue && state.line.is_none() && state.dismissed.is_none()
    }

    /// Says good-bye, and lets no client of it in any more.
    pub fn dismiss(&self, reason: &str) {
        self.lock().dismiss(reason);
        self.news.notify_all();
    }

    /// The same as soon as it plays no game.
    pub fn dismiss_after_games(&self, reason: &str) {
        let mut state = self.lock();
        if state.dismissed.is_some() || state.leaves.is_some() {
            return;
        }
        match state.games.is_empty() {
            true => state.dismiss(reason),
            false => state.leaves = Some(reason.to_owned()),
        }
        drop(state);
        self.news.notify_all();
    }

    /// Takes a connection in place of the one that is there, and shows it the games. Whether there
    /// was one.
    ///
    /// # Errors
    /// Why no client of this team is let in any more.
    pub fn connect(
        &self,
        connection: u64,
        outbox: &Arc<Outbox>,
        tables: u64,
        joined: impl FnOnce(Vec<&String>) -> Utf8Bytes,
    ) -> Result<bool, String> {
        let mut state = self.lock();
        if let Some(reason) = &state.dismissed {
            return Err(reason.clone());
        }
        outbox.push(None, joined(state.games.keys().collect()));
        let now = Instant::now();
        for (table, game) in &mut state.games {
            outbox.push(None, game.opening.clone());
            game.told = Some(now);
            if let (Some(open), None) = (&game.question, &game.answer) {
                outbox.push(None, open.message(table, now));
            }
        }
        let line = TeamLine { connection, outbox: Arc::clone(outbox), tables, lag: None };
        let older = state.line.replace(line);
        state.is_told_overdue = false;
        if let Some(older) = &older {
            let text = "this team plays from another connection by now";
            older.outbox.push(None, crate::play::error_message("replaced", text, None, None));
            older.outbox.close();
        }
        drop(state);
        self.news.notify_all();
        Ok(older.is_some())
    }

    /// Notes that a connection is gone. Whether the team is away by that.
    pub fn disconnect(&self, connection: u64) -> bool {
        let mut state = self.lock();
        if state.line.as_ref().is_none_or(|line| line.connection != connection) {
            return false;
        }
        (state.line, state.away_since) = (None, Instant::now());
        state.departures += 1;
        state.games.values_mut().for_each(|game| game.told = None);
        let is_missed = state.dismissed.is_none();
        drop(state);
        self.news.notify_all();
        is_missed
    }

    pub fn note_lag(&self, connection: u64, lag: u64) {
        let mut state = self.lock();
        if let Some(line) = state.line.as_mut().filter(|line| line.connection == connection) {
            line.lag = Some(lag);
        }
    }

    /// Does something in one of its games, for the connection that it has.
    ///
    /// # Errors
    /// When that connection was replaced, there is no such game, or `change` refuses.
    pub fn in_game(
        &self,
        connection: u64,
        table: &str,
        change: impl FnOnce(&mut TeamGame, Option<u64>) -> Result<(), NotNow>,
    ) -> Result<(), NotNow> {
        let mut state = self.lock();
        let line = state.line.as_ref().filter(|line| line.connection == connection);
        let Some(line) = line else { return Err(NotNow("this connection was replaced")) };
        let lag = line.lag;
        let game = state.games.get_mut(table).ok_or(NotNow("no such game is under way"))?;
        change(game, lag)?;
        drop(state);
        self.news.notify_all();
        Ok(())
    }
}

impl TeamState {
    pub fn away(&self) -> Option<Instant> {
        self.line.is_none().then_some(self.away_since)
    }

    #[cfg(test)]
    pub fn connection(&self) -> Option<u64> {
        self.line.as_ref().map(|line| line.connection)
    }

    fn dismiss(&mut self, reason: &str) {
        self.dismissed = Some(reason.to_owned());
        if let Some(line) = &self.line {
            line.outbox.push(None, end_message(reason));
            line.outbox.close();
        }
    }

    /// Whether it was taken although it is away, since it has been so for long enough.
    pub fn forfeits(&self) -> bool {
        self.is_told_overdue && self.line.is_none()
    }

    /// Notes that it cannot begin a game for which it was taken. Gives whether it may still do so:
    /// the event does not wait for ever for an engine that comes and goes.
    pub fn miss(&mut self, number: u64) -> bool {
        let is_let_go = self.dismissed.is_some() || self.leaves.is_some();
        let is_counted = self.counted_departure.replace(self.departures) == Some(self.departures);
        self.misses += u32::from(!is_let_go && !is_counted);
        let may_miss = is_let_go || self.misses <= MOST_MISSES;
        if may_miss {
            self.missed.insert(number);
        }
        may_miss
    }

    /// Notes that it began a game.
    pub fn has_begun(&mut self) {
        self.misses = 0;
    }

    /// Whether it was away at the start of that game. It may have been ready already, and gone away
    /// while the other engine got ready.
    pub fn was_missed(&mut self, number: u64) -> bool {
        let is_gone = self.is_gone() && !self.forfeits();
        self.missed.remove(&number) || is_gone && self.miss(number) && self.missed.remove(&number)
    }

    /// Whether no client of it is there, or is let in any more.
    pub fn is_gone(&self) -> bool {
        self.line.is_none() || self.dismissed.is_some()
    }

    /// Why no client of it is let in any more.
    pub fn dismissal(&self) -> Option<&str> {
        self.dismissed.as_deref()
    }

    /// Says something to the team, if it is there. Whether it is.
    pub fn say(&self, text: Utf8Bytes) -> bool {
        if let Some(line) = &self.line {
            line.outbox.push(None, text);
        }
        self.line.is_some()
    }

    /// Begins a game, in a table of its own.
    pub fn begin(&mut self, game: GameMessage) -> std::io::Result<String> {
        let (table, number) = (table_id()?, game.number);
        let game = GameMessage { table: table.clone(), ..game };
        let opening = written(None, ServerMessage::Game(game));
        let told = self.say(opening.clone()).then(Instant::now);
        let (is_ready, failure, question, answer) = (false, None, None, None);
        let game = TeamGame { number, opening, told, is_ready, failure, question, answer };
        self.games.insert(table.clone(), game);
        Ok(table)
    }

    /// Ends a game, and says how; none is a game that was given up.
    pub fn end(&mut self, table: &str, result: Option<GameResult>) {
        let Some(game) = self.games.remove(table) else { return };
        let aborted = GameResult { winner: None, termination: Termination::Aborted };
        let over = OverMessage {
            table: table.to_owned(),
            number: game.number,
            result: result.unwrap_or(aborted).into(),
            row: Vec::new(),
            left: None,
            byo_yomi: tengen_rules::BySeat::default(),
        };
        self.say(written(None, ServerMessage::Over(Box::new(over))));
        if self.games.is_empty()
            && let Some(reason) = self.leaves.take()
        {
            self.dismiss(&reason);
        }
    }
}

impl TeamQuestion {
    /// The question as it is put at that time, which is perhaps not the first time.
    pub fn message(&self, table: &str, now: Instant) -> Utf8Bytes {
        let used = now.saturating_duration_since(self.asked).as_nanos();
        let used = Nanos::try_from(used).unwrap_or(Nanos::MAX);
        let rest = |span: Nanos| span.saturating_sub(used);
        let asked = &self.question.limits;
        let limits = Limits { own: asked.own.map(rest), hard: asked.hard.map(rest), ..*asked };
        let patience = self.question.patience.map(rest);
        let question = EngineQuestion { limits, patience, ..self.question.clone() };
        written(None, ServerMessage::Ask(Box::new(AskMessage::new(table, &question))))
    }
}

fn end_message(reason: &str) -> Utf8Bytes {
    written(None, ServerMessage::End { reason: reason.to_owned() })
}
