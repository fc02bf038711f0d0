//! What the window shows of a table, from the messages of its server.

use std::sync::Arc;

use tengen_arbiter::{ClockFace, HistoryEntry, Nanos};
use tengen_link::messages::{
    ErrorMessage, LiveGame, OpenRequest, OverMessage, ServerMessage, StepMessage, TableMessage,
    TableState,
};
use tengen_link::view::{ResultView, TurnView, nanos};
use tengen_players::ListedEngine;
use tengen_rules::{Seat, Size};

use super::table_replay::TableReplay;
use crate::app::model::move_list::time_used;
use crate::app::model::{
    ChatLine, ConnectionState, HappeningKind, OpenQuestion, Phase, Picture, SeatInfo,
    ServerRefusal, SitterKind, Snapshot, TableAddress, TableInfo, TableLinks, TablePhase,
    TableRequest, TableSettings,
};

/// The most lines of chat that are kept.
const MOST_CHAT: usize = 500;

/// A table, as the messages of its server have it.
pub(super) struct TableView {
    pub info: TableInfo,
    pub snapshot: Snapshot,
    server: TableAddress,
    /// The keys by which this window comes in again.
    pub keys: TableKeyRing,
    game: Option<TableReplay>,
    /// The steps of the game that is shown.
    steps: Vec<HistoryEntry>,
    /// The number of the game that is shown.
    number: u64,
    is_seen: bool,
    /// How many times it was asked to be let in since the table was last shown.
    entering: usize,
    /// Whether the first game waits for this player alone to be ready, and whether that is new.
    is_waited_for: bool,
    pub is_to_get_ready: bool,
}

/// The keys of this window at a table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct TableKeyRing {
    /// The one of the link that led there.
    pub link: Option<String>,
    /// That of the seat.
    pub seat: Option<String>,
    /// That of the host.
    pub host: Option<String>,
}

/// What is to be done after a message.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ViewOutcome {
    /// Nothing more.
    Shown,
    /// A message was missed, or cannot be understood: the table has to be asked for anew.
    Missed,
    /// The table is gone, or no other try can succeed.
    Closed,
}

impl TableView {
    pub fn new(server: TableAddress, settings: TableSettings) -> TableView {
        let keys = TableKeyRing { link: server.key.clone(), ..TableKeyRing::default() };
        let mut info = TableInfo::new(server.host.clone(), settings);
        info.id.clone_from(&server.table);
        let mut snapshot = Snapshot::blank(Size::STANDARD);
        snapshot.phase = Phase::Starting;
        TableView {
            info,
            snapshot,
            server,
            keys,
            game: None,
            steps: Vec::new(),
            number: 0,
            is_seen: false,
            entering: 0,
            is_waited_for: false,
            is_to_get_ready: false,
        }
    }

    /// Notes how many times the server was asked just now to be let in.
    pub fn note_entering(&mut self, times: usize) {
        self.entering = times;
    }

    /// The address of the table with one of its keys.
    pub fn address(&self, key: Option<&str>) -> Option<TableAddress> {
        Some(self.server.to_table(self.info.id.as_deref()?, key))
    }

    /// Whether the server has shown the table.
    pub fn is_seen(&self) -> bool {
        self.is_seen
    }

    /// The server is no longer there: no clock can be read.
    pub fn disconnect(&mut self, reason: String) {
        log::info!("{}: not connected any more: {reason}", self.info.server);
        self.info.connection = ConnectionState::Broken(reason);
        self.info.own_engine = None;
    }

    /// Takes what the server says, at a moment on the window's clock.
    ///
    /// # Errors
    /// When what it shows cannot have happened; says what.
    pub fn take(
        &mut self,
        message: ServerMessage<'static>,
        now: Nanos,
    ) -> Result<ViewOutcome, String> {
        let own = self.info.id.clone();
        let is_own = |table: &str| own.as_deref() == Some(table);
        match message {
            ServerMessage::Welcome(welcome) => {
                log::info!("{}: connected", self.info.server);
                self.info.connection = ConnectionState::Connected;
                let engines = welcome.engines.into_iter();
                let listed = engines.map(|one| ListedEngine { id: one.id, name: one.name });
                self.info.engines = Arc::new(listed.collect());
                self.info.takes_pictures = welcome.limits.picture > 0;
                self.info.refusal = None;
            }
            ServerMessage::Table(table) if own.is_none() || is_own(&table.id) => {
                self.show_table(*table, now)?;
            }
            ServerMessage::State { table, state } if is_own(&table) => self.show_state(state),
            ServerMessage::Step(step) if is_own(&step.table) => return Ok(self.step(*step, now)),
            ServerMessage::Over(over) if is_own(&over.table) => self.end(*over),
            ServerMessage::Chat { table, mut line } if is_own(&table) => {
                self.note_said(&mut line);
                let chat = Arc::make_mut(&mut self.info.chat);
                chat.push(line);
                let excess = chat.len().saturating_sub(MOST_CHAT);
                chat.drain(..excess);
            }
            ServerMessage::Closed { table, reason } if is_own(&table) => {
                self.close(reason);
                return Ok(ViewOutcome::Closed);
            }
            ServerMessage::Error(ErrorMessage { code, message, table })
                if table.as_deref().is_none_or(is_own) =>
            {
                return Ok(self.refuse(code, message));
            }
            ServerMessage::Unreadable(unread)
                if unread.table.as_deref().is_some_and(is_own) && unread.kind == "table" =>
            {
                return Err(unread.problem);
            }
            _ => {}
        }
        Ok(ViewOutcome::Shown)
    }

    fn refuse(&mut self, code: String, message: String) -> ViewOutcome {
        let is_final = super::lobby::is_final(&code)
            || match code.as_str() {
                // A server that was asked to be let in, and has lost the table.
                "table" => !self.info.is_playing() || self.entering > 0,
                // Another key may still fit.
                "key" => !self.is_seen || self.entering == 1,
                "settings" | "too_many" => !self.is_seen,
                _ => false,
            };
        self.entering = self.entering.saturating_sub(usize::from(code == "key"));
        if is_final {
            self.info.refusal = Some(ServerRefusal { code, message: message.clone() });
            self.close(message);
            return ViewOutcome::Closed;
        }
        self.info.refusal = Some(ServerRefusal { code, message });
        ViewOutcome::Shown
    }

    /// The table is gone, or cannot be had.
    pub fn close(&mut self, reason: String) {
        self.info.connection = ConnectionState::Closed(reason);
        self.info.own_engine = None;
        self.info.requests.clear();
        self.info.declined.clear();
        self.snapshot.asked = None;
        if !self.snapshot.phase.is_over() {
            self.snapshot.phase = Phase::Stopped;
        }
    }

    /// Shows all of the table, in place of what was known of it.
    fn show_table(&mut self, table: TableMessage<'_>, now: Nanos) -> Result<(), String> {
        let TableMessage { id, settings, you, keys, state, live, mut chat, .. } = table;
        let TableSettings { rule, size, opening, time, .. } = settings;
        (self.info.id, self.is_seen, self.entering) = (Some(id), true, 0);
        self.info.settings = settings;
        self.info.seat = you.seat;
        self.info.is_host = you.host;
        self.keys.seat = you.key;
        self.keys.host = you.host_key.or(self.keys.host.take());
        let link = |key: &Option<String>| {
            let key = key.as_deref()?;
            Some(self.address(Some(key))?.text())
        };
        let links = TableLinks { play: link(&keys.invite), watch: link(&keys.watch) };
        let own = link(&self.keys.seat).filter(|_| self.info.seat.is_some());
        (self.info.links, self.info.own_link) = (links, own);
        // Those that are new where the table was known before.
        chat.iter_mut().skip(self.info.chat.len()).for_each(|line| self.note_said(line));
        self.info.chat = Arc::new(chat);
        let mut happenings = std::mem::take(&mut self.snapshot.happenings);
        if live.as_ref().is_none_or(|live| live.game.number != self.number) {
            happenings.begin_game();
        }
        let mut snapshot = Snapshot {
            phase: Phase::Starting,
            rule,
            opening,
            number: live.as_ref().map_or(0, |live| live.game.number),
            happenings,
            ..Snapshot::blank(size)
        };
        for seat in Seat::ALL {
            let seated: &mut SeatInfo = &mut snapshot.seats[seat];
            seated.control = time;
            seated.clock = ClockFace::of(&time);
        }
        self.snapshot = snapshot;
        self.game = None;
        self.number = self.snapshot.number;
        // Who sits there names what happens in the game.
        self.show_state(state);
        if let Some(live) = live {
            self.show_game(&live)?;
            let asked = table.waiting.map(|seat| (seat, table.question));
            self.show_turn(&live.turn, asked, table.now, now);
            if let Some(result) = &live.game.result {
                self.show_result(result);
            }
        }
        self.show_seats();
        Ok(())
    }

    fn show_game(&mut self, live: &LiveGame<'_>) -> Result<(), String> {
        let mut game = TableReplay::new(&self.info.settings)?;
        for step in &live.game.steps {
            game.act(&step.entry)?;
        }
        game.show(&mut self.snapshot);
        self.game = Some(game);
        self.note_steps(live.game.steps.iter().map(|step| step.entry.clone()).collect());
        Ok(())
    }

    /// Notes what happened in the steps of the game, and how long they took.
    fn note_steps(&mut self, steps: Vec<HistoryEntry>) {
        let Snapshot { happenings, seats, rows, .. } = &mut self.snapshot;
        let sitters = &self.info.sitters;
        let name = |_, seat: Seat| sitters[seat].as_ref().map_or("", |sitter| &*sitter.name);
        happenings.follow(&steps, rows.len(), name);
        for seat in Seat::ALL {
            seats[seat].used = time_used(&steps, seat);
        }
        self.steps = steps;
    }

    /// Notes a line of chat, and takes its picture, which is decoded once.
    fn note_said(&mut self, line: &mut ChatLine) {
        let plies = self.snapshot.rows.len();
        let picture = line.picture.take();
        let shown = picture.as_ref().and_then(|picture| {
            let read = Picture::of_chat(picture);
            read.inspect_err(|problem| log::warn!("{}: {problem}", self.info.server)).ok()
        });
        let said = HappeningKind::Said(line.text.clone());
        let shown = HappeningKind::Showed(shown.map(Arc::new));
        let is_said = !line.text.is_empty();
        let all = [(is_said, said), (!is_said || picture.is_some(), shown)];
        for (_, what) in all.into_iter().filter(|(is_so, _)| *is_so) {
            self.snapshot.happenings.note(plies, line.seat, &line.from, what);
        }
    }

    /// Notes who came, went and declined.
    fn note_state(&mut self, state: &TableState) {
        let plies = self.snapshot.rows.len();
        let mut note = |seat: Seat, name: &str, what| {
            self.snapshot.happenings.note(plies, Some(seat), name, what);
        };
        for seat in Seat::ALL {
            let (before, now) = (&self.info.sitters[seat], &state.seats[seat]);
            match (before, now) {
                (Some(before), None) => note(seat, &before.name, HappeningKind::LeftSeat),
                (Some(before), Some(now)) if before.name == now.name => {
                    match (before.is_here, now.is_here) {
                        (true, false) => note(seat, &now.name, HappeningKind::Away),
                        (false, true) => note(seat, &now.name, HappeningKind::Back),
                        _ => {}
                    }
                }
                (_, Some(now)) => note(seat, &now.name, HappeningKind::TookSeat),
                (None, None) => {}
            }
        }
        for request in &state.declined {
            if !self.info.declined.contains(&(request.seat, request.what)) {
                let by = !request.seat;
                let name = state.seats[by].as_ref().map_or("", |sitter| &*sitter.name);
                note(by, name, HappeningKind::Declined(request.what));
            }
        }
    }

    fn step(&mut self, step: StepMessage<'_>, now: Nanos) -> ViewOutcome {
        let Some(game) = self.game.as_mut().filter(|_| step.number == self.number) else {
            return ViewOutcome::Missed;
        };
        if game.steps != step.place {
            return ViewOutcome::Missed;
        }
        if let Err(problem) = game.act(&step.step.entry) {
            // The server knows better: if all of the game cannot be played again either, that ends
            // it.
            log::warn!("{}: {problem}", self.info.server);
            self.game = None;
            return ViewOutcome::Missed;
        }
        game.show(&mut self.snapshot);
        let mut steps = std::mem::take(&mut self.steps);
        steps.push(step.step.entry.clone());
        self.note_steps(steps);
        self.info.refusal = None;
        self.info.declined.clear();
        let asked = step.waiting.map(|seat| (seat, step.question));
        self.show_turn(&step.turn, asked, step.now, now);
        self.show_seats();
        ViewOutcome::Shown
    }

    /// Shows the open question, which has a number and a seat, and the clocks, as they were at that
    /// date of the server.
    fn show_turn(&mut self, turn: &TurnView, open: Option<(Seat, u64)>, date: u64, now: Nanos) {
        for seat in Seat::ALL {
            self.snapshot.seats[seat].clock = turn.clock(seat);
        }
        let asked = self.game.as_ref().and_then(|game| game.game().asked());
        let ago = nanos(date.saturating_sub(turn.since));
        let since = turn.asked.map(|_| now.saturating_sub(ago));
        let question = |(waited, number)| {
            let (seat, ask) = asked.filter(|(seat, _)| waited == *seat)?;
            // A clock that began before the window's own had begun.
            let used = since.map_or(0, |since| ago.saturating_sub(now - since));
            Some(OpenQuestion { number, seat, ask, since, used })
        };
        self.snapshot.asked = open.and_then(question);
    }

    /// Shows who is there.
    fn show_state(&mut self, state: TableState) {
        self.note_state(&state);
        let TableState { phase, seats, requests, declined, undo_left, score, games, .. } = state;
        let viewers = state.viewers;
        // Who sits at a table in the window is ready for its first game.
        let is_waited_for =
            state.ready.zip(self.info.seat).is_some_and(|(ready, seat)| !ready[seat]);
        self.is_to_get_ready |= is_waited_for && !self.is_waited_for;
        self.is_waited_for = is_waited_for;
        let of_seats = |requests: Vec<OpenRequest>| {
            requests.into_iter().map(|request| (request.seat, request.what)).collect()
        };
        self.info.phase = phase;
        self.info.sitters = seats;
        self.info.requests = of_seats(requests);
        self.info.declined = of_seats(declined);
        self.info.undo_left = undo_left;
        self.info.score = score;
        (self.info.games, self.info.viewers) = (games, viewers);
        self.show_seats();
    }

    /// Copies who sits where to the snapshot, and how far the game is.
    pub fn show_seats(&mut self) {
        for seat in Seat::ALL {
            let seated = &mut self.snapshot.seats[seat];
            let sitter = self.info.sitters[seat].as_ref();
            seated.name = sitter.map(|sitter| sitter.name.clone()).unwrap_or_default();
            let is_own = self.info.seat == Some(seat);
            seated.is_person = is_own
                && self.info.own_engine.is_none()
                && sitter.is_none_or(|sitter| sitter.kind == SitterKind::Person);
        }
        let asks = |seat: &Seat| self.info.asks(*seat, TableRequest::Draw);
        self.snapshot.draw_offer = Seat::ALL.into_iter().find(asks);
        if matches!(self.info.connection, ConnectionState::Closed(_)) {
            return;
        }
        self.snapshot.phase = match self.info.phase {
            _ if self.snapshot.result.is_some() => Phase::Finished,
            TablePhase::Open => Phase::Starting,
            TablePhase::Paused => Phase::Paused,
            TablePhase::Playing => Phase::Playing,
            TablePhase::Over => Phase::Finished,
        };
    }

    fn end(&mut self, over: OverMessage) {
        if over.number != self.number {
            return;
        }
        let how = over.result.result.termination.words();
        log::info!("{}: game {} is over: {how}", self.info.server, over.number);
        self.show_result(&over.result);
        if let Some(left) = over.left {
            let clocks = TurnView { left, byo_yomi: over.byo_yomi, ..TurnView::default() };
            for seat in Seat::ALL {
                self.snapshot.seats[seat].clock = clocks.clock(seat);
            }
        }
        self.show_seats();
    }

    fn show_result(&mut self, result: &ResultView) {
        self.snapshot.result = Some(result.result);
        self.snapshot.detail.clone_from(&result.detail);
        self.snapshot.asked = None;
        self.snapshot.phase = Phase::Finished;
    }
}

#[cfg(test)]
mod tests;
