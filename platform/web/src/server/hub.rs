//! What viewers of an event see of its running games, and what is new.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use axum::body::Bytes;
use serde::Serialize;
use tengen_arbiter::{GameResult, SearchObject};
use tengen_link::messages::LiveGame;
use tengen_link::view::{GameView, OpeningName, ResultView, StepView, TurnView, millis};
use tengen_players::SearchProgress;
use tengen_record::{Conditions, GameReplay};
use tengen_rules::{Move, Point};
use tengen_tournament::{EventFollower, SearchNews, TableCursor};
use tokio::sync::{broadcast, watch};

use super::news::{Begun, News, now};

/// How often a table is shown at most: fast games are not shown move by move.
const INTERVAL: Duration = Duration::from_millis(150);
/// How often what an engine says while it thinks is shown at most.
const SEARCH_INTERVAL: Duration = Duration::from_millis(250);
/// How much of that may wait for its time.
const MOST_SEARCHES: u32 = 8192;
/// The most moves of a variation that are shown.
const MOST_PV: usize = 24;
/// How often to check whether the server is over while nothing comes.
const TICK: Duration = Duration::from_millis(50);
/// How long the tables are left alone after a look: engines may play on the same machine.
const REST: Duration = Duration::from_millis(10);
/// How many messages a viewer may be behind. A slower one gets everything anew, so that none waits
/// for it.
const MOST_BEHIND: usize = 256;
/// The messages that are kept for viewers that come back.
const MOST_KEPT: usize = 512;
/// How much news may wait for its time: bounded, because fast games make any amount.
const MOST_DELAYED: usize = 65_536;

#[derive(Clone, Debug)]
pub(super) struct Message {
    /// Its place among those that are kept; [`Message::PASSING`] of others.
    pub number: u64,
    /// As it is sent, or a part of it.
    pub bytes: Bytes,
}

impl Message {
    /// Of what is told to those that are there, and is out of date for others.
    pub const PASSING: u64 = 0;
}

/// What viewers of an event see of its running games.
pub(super) struct Hub {
    /// Whether this process plays the event.
    is_live: bool,
    delay: Duration,
    /// Tells the messages of this run of the server from those of another run.
    pub run: u64,
    state: Mutex<HubState>,
    news: broadcast::Sender<Message>,
    /// Whether the server is over.
    over: watch::Receiver<bool>,
    end: End,
}

/// How far the end of the event is.
#[derive(Default)]
struct End {
    /// No game will be played any more.
    is_played: AtomicBool,
    /// Viewers have the last standings.
    is_read: AtomicBool,
    /// They have everything, and know that no more will come.
    is_told: AtomicBool,
}

#[derive(Default)]
struct HubState {
    tables: BTreeMap<usize, ShownTable>,
    last: u64,
    kept: VecDeque<Message>,
    /// The event's state that can be read.
    reading: u64,
    /// The tables as they are sent, if that was asked since something was new.
    told: Option<Bytes>,
}

/// A table as viewers see it.
type ShownTable = LiveGame<'static>;

/// What a viewer sees first, beside the tables.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct SnapshotView {
    /// Whether games can be seen here while they are played.
    served: bool,
    /// Whether no more games will be played.
    ended: bool,
    /// The event's state that can be read.
    state: u64,
    /// In seconds.
    delay: u64,
    /// In milliseconds since the beginning of 1970.
    now: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ChangedEvent {
    state: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct GameEvent<'a> {
    table: usize,
    #[cfg_attr(test, schemars(schema_with = "super::page_types::live_game"))]
    live: &'a ShownTable,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct StepEvent<'a> {
    table: usize,
    number: u64,
    /// How many steps there were before it.
    place: usize,
    #[cfg_attr(test, schemars(schema_with = "super::page_types::step_view"))]
    step: &'a StepView,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "crate::page_schemas::opening_name"))]
    opening: Option<OpeningName>,
    #[serde(flatten)]
    #[cfg_attr(test, schemars(schema_with = "super::page_types::turn_view"))]
    turn: TurnView,
}

/// What an engine says while it thinks.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ThoughtEvent<'a> {
    table: usize,
    number: u64,
    /// How many steps there were before the question.
    place: usize,
    #[cfg_attr(test, schemars(schema_with = "super::page_types::search_info"))]
    info: Option<SearchObject<&'a [Move]>>,
    /// The time that it says to have taken, in milliseconds; 0 where it does not.
    elapsed: u64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct OverEvent<'a> {
    table: usize,
    number: u64,
    #[cfg_attr(test, schemars(schema_with = "super::page_types::result_view"))]
    result: &'a ResultView,
    #[cfg_attr(test, schemars(schema_with = "super::page_types::points"))]
    row: &'a [Point],
}

/// A table as it is told, before it is shown.
struct RunningTable {
    begun: Box<Begun>,
    entries: Vec<tengen_arbiter::HistoryEntry>,
    turn: TurnView,
    over: Option<(GameResult, Option<String>)>,
    /// The game as far as it was shown; none of one that was not yet.
    shown: Option<(GameReplay, usize, bool)>,
    is_new: bool,
    at: Option<Instant>,
}

impl Hub {
    /// For an event with this readable state.
    pub fn new(is_live: bool, delay: Duration, reading: u64, over: watch::Receiver<bool>) -> Hub {
        let (news, _) = broadcast::channel(MOST_BEHIND);
        let state = Mutex::new(HubState { reading, ..HubState::default() });
        let end = End::default();
        Hub { is_live, delay, run: now(), state, news, over, end }
    }

    /// When the server is over.
    /// Whether this process plays the event, or has.
    pub fn is_live(&self) -> bool {
        self.is_live
    }

    pub fn over(&self) -> watch::Receiver<bool> {
        self.over.clone()
    }

    /// No game will be played any more; viewers are told when they have seen everything.
    pub fn end(&self) {
        self.end.is_played.store(true, Ordering::SeqCst);
    }

    /// Whether no game will be played any more.
    pub fn has_ended(&self) -> bool {
        self.end.is_played.load(Ordering::SeqCst)
    }

    /// Whether viewers were told of the end; of events that are not played here there is none.
    pub fn has_told_end(&self) -> bool {
        !self.is_live || self.end.is_told.load(Ordering::SeqCst)
    }

    /// Viewers have the last standings.
    pub fn is_read(&self) {
        self.end.is_read.store(true, Ordering::SeqCst);
    }

    /// Shows what is played, until the server is over.
    pub fn run(&self, from: &EventFollower, is_over: &AtomicBool) {
        let mut told = vec![TableCursor::default(); from.tables()];
        let mut searches = vec![(0, Instant::now()); from.tables()];
        // Few of them wait for their time.
        let tables_now = u32::try_from(from.tables()).unwrap_or(u32::MAX);
        let pace = SEARCH_INTERVAL.max(self.delay.saturating_mul(tables_now) / MOST_SEARCHES);
        let mut delayed = VecDeque::new();
        let mut tables = BTreeMap::<usize, RunningTable>::new();
        while !is_over.load(Ordering::SeqCst) {
            from.wait(TICK);
            for (table, told) in told.iter_mut().enumerate() {
                // Beyond that, tables are not read any more, and are sent anew later.
                while delayed.len() < MOST_DELAYED
                    && let Some(news) = News::next(from, table, told)
                {
                    delayed.push_back(news);
                }
            }
            for (table, (told, at)) in searches.iter_mut().enumerate() {
                if at.elapsed() >= pace
                    && let Some(news) = News::of_search(from, table, told)
                {
                    *at = Instant::now();
                    delayed.push_back(news);
                }
            }
            while delayed.front().is_some_and(|one: &News| one.at.elapsed() >= self.delay) {
                let Some(one) = delayed.pop_front() else { break };
                if let Some(search) = &one.search {
                    self.show_search(one.table, search);
                    continue;
                }
                // The end of a game that was shown is seen before the next one takes its place.
                if one.begun.is_some()
                    && let Some(before) = tables.get_mut(&one.table)
                {
                    match before.shown {
                        Some(_) => self.show(one.table, before),
                        None => self.show_if_due(one.table, before),
                    }
                }
                take(&mut tables, one);
            }
            for (number, table) in &mut tables {
                self.show_if_due(*number, table);
            }
            if delayed.is_empty() && !tables.values().any(RunningTable::has_news) {
                self.tell_end();
            }
            thread::sleep(REST);
        }
    }

    fn show_if_due(&self, number: usize, table: &mut RunningTable) {
        if table.at.is_none_or(|at| at.elapsed() >= INTERVAL) {
            self.show(number, table);
        }
    }

    /// What a viewer sees first, and what comes after it. With the number of the last message that
    /// it has, it may be given those that it missed instead.
    pub fn join(&self, last: Option<u64>) -> (Vec<Message>, broadcast::Receiver<Message>) {
        let mut state = self.lock();
        let receiver = self.news.subscribe();
        let first_kept = state.kept.front().map_or(state.last + 1, |message| message.number);
        if let Some(last) = last
            && last <= state.last
            && last + 1 >= first_kept
        {
            let missed = state.kept.iter().filter(|message| message.number > last);
            return (missed.cloned().collect(), receiver);
        }
        let number = state.last;
        let [first, tables] = self.snapshot_of(&mut state);
        let line = |before: &str, bytes: &Bytes, after: &str| Message {
            number,
            bytes: [before.as_bytes(), bytes, after.as_bytes()].concat().into(),
        };
        let head = format!("id: {}-{number}\nevent: snapshot\ndata: ", self.run);
        // JSON may go on in the next line. What is large is the same for all.
        let part = |bytes: Bytes| Message { number, bytes };
        let told =
            vec![line(&head, &first, "\ndata: "), part(tables), part(Bytes::from_static(b"\n\n"))];
        (told, receiver)
    }

    /// All running games, as JSON in two parts.
    pub fn snapshot(&self) -> [Bytes; 2] {
        self.snapshot_of(&mut self.lock())
    }

    fn snapshot_of(&self, state: &mut HubState) -> [Bytes; 2] {
        let first = json(&SnapshotView {
            served: self.is_live,
            ended: self.end.is_told.load(Ordering::SeqCst),
            state: state.reading,
            delay: self.delay.as_secs(),
            now: now(),
        });
        let tables = match &state.told {
            Some(told) => told.clone(),
            None => {
                let tables: Vec<_> =
                    state.tables.iter().map(|(number, table)| (*number + 1, table)).collect();
                let told = Bytes::from(format!("\"tables\":{}}}", json(&tables)));
                state.told = Some(told.clone());
                told
            }
        };
        [Bytes::from(format!("{},", first.trim_end_matches('}'))), tables]
    }

    /// Says that the event can be read as it is now.
    pub fn changed(&self, reading: u64) {
        let mut state = self.lock();
        state.reading = reading;
        self.send(&mut state, "changed", &json(&ChangedEvent { state: reading }));
    }

    /// Says that nothing more will come, once viewers have everything.
    fn tell_end(&self) {
        let End { is_played, is_read, is_told } = &self.end;
        if is_played.load(Ordering::SeqCst)
            && is_read.load(Ordering::SeqCst)
            && !is_told.swap(true, Ordering::SeqCst)
        {
            self.send(&mut self.lock(), "ended", "{}");
        }
    }

    fn send(&self, state: &mut HubState, event: &'static str, data: &str) {
        state.last += 1;
        state.told = None;
        let (run, number) = (self.run, state.last);
        let bytes = format!("id: {run}-{number}\nevent: {event}\ndata: {data}\n\n").into();
        let message = Message { number, bytes };
        state.kept.push_back(message.clone());
        if state.kept.len() > MOST_KEPT {
            state.kept.pop_front();
        }
        // Without viewers there is no receiver.
        let _nobody = self.news.send(message);
    }

    /// Shows what an engine says while it thinks, where its question is what viewers see. It is
    /// kept for none that comes later: the next is soon there.
    fn show_search(&self, number: usize, search: &SearchNews) {
        let (state, SearchNews { actions, progress, .. }) = (self.lock(), search);
        let Some(SearchProgress { info, pv, elapsed, .. }) = progress else { return };
        let is_seen = |table: &&ShownTable| {
            let is_asked = table.turn.asked.is_some() && table.game.steps.len() == *actions;
            is_asked && table.game.number == search.number
        };
        if state.tables.get(&number).filter(is_seen).is_none() {
            return;
        }
        let info = SearchObject::new(Some(*info), &pv[..pv.len().min(MOST_PV)]);
        let (table, place, elapsed) = (number + 1, *actions, millis(*elapsed));
        let event = ThoughtEvent { table, number: search.number, place, info, elapsed };
        let bytes = format!("event: search\ndata: {}\n\n", json(&event)).into();
        // Without viewers there is no receiver.
        let _nobody = self.news.send(Message { number: Message::PASSING, bytes });
    }

    /// Shows what is new of a table.
    fn show(&self, number: usize, table: &mut RunningTable) {
        if !table.has_news() {
            return;
        }
        let is_fresh = table.shown.is_none();
        (table.at, table.is_new) = (Some(Instant::now()), false);
        let turn = self.turn(table);
        let mut state = self.lock();
        state.told = None;
        if is_fresh {
            let Ok(replay) = GameReplay::new(table.begun.header.config()) else { return };
            let game = GameView::new(&table.begun.header, table.begun.seats, replay.game());
            state.tables.insert(number, ShownTable { game: Cow::Owned(game), turn });
            table.shown = Some((replay, 0, false));
        }
        let (Some((replay, entries, over)), Some(mut shown)) =
            (table.shown.as_mut(), state.tables.remove(&number))
        else {
            return;
        };
        shown.turn = turn;
        for entry in &table.entries[*entries..] {
            let place = *entries;
            *entries += 1;
            let game = shown.game.to_mut();
            let had_name = game.opening.is_some();
            let step = game.act(replay, entry).clone();
            if !is_fresh {
                let opening = shown.game.opening.clone().filter(|_| !had_name);
                let number_of_game = shown.game.number;
                let message = StepEvent {
                    table: number + 1,
                    number: number_of_game,
                    place,
                    step: &step,
                    opening,
                    turn,
                };
                self.send(&mut state, "step", &json(&message));
            }
        }
        if let Some((result, detail)) = table.over.as_ref().filter(|_| !*over) {
            *over = true;
            let conditions = Conditions::default();
            shown.game.to_mut().end(replay.game(), *result, detail.as_deref(), &conditions);
            shown.turn.asked = None;
            if !is_fresh && let Some(result) = &shown.game.result {
                let (table, game) = (number + 1, shown.game.number);
                let message = OverEvent { table, number: game, result, row: &shown.game.row };
                self.send(&mut state, "over", &json(&message));
            }
        }
        if is_fresh {
            let message = GameEvent { table: number + 1, live: &shown };
            self.send(&mut state, "game", &json(&message));
        }
        state.tables.insert(number, shown);
    }

    /// The seat to move, delayed like everything that is shown.
    fn turn(&self, table: &RunningTable) -> TurnView {
        let delay = u64::try_from(self.delay.as_millis()).unwrap_or(u64::MAX);
        let asked = table.turn.asked.filter(|_| table.over.is_none());
        TurnView { asked, since: table.turn.since.saturating_add(delay), ..table.turn }
    }

    fn lock(&self) -> MutexGuard<'_, HubState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningTable {
    /// Whether there is something that viewers have not seen.
    fn has_news(&self) -> bool {
        let Some((_, entries, was_over)) = &self.shown else { return true };
        self.is_new || *entries != self.entries.len() || *was_over != self.over.is_some()
    }
}

fn take(tables: &mut BTreeMap<usize, RunningTable>, news: News) {
    let News { table, begun, entries, turn, over, .. } = news;
    if let Some(begun) = begun {
        let at = tables.get(&table).and_then(|before| before.at);
        let new = RunningTable { begun, entries, turn, over, shown: None, is_new: true, at };
        tables.insert(table, new);
        return;
    }
    let Some(table) = tables.get_mut(&table) else { return };
    table.is_new |= !entries.is_empty() || table.turn.asked != turn.asked;
    table.entries.extend(entries);
    table.turn = turn;
    table.over = over.or(table.over.take());
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("every key of a message is a string")
}
