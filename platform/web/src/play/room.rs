//! One table: who sits there, the game, and what may be asked for.
//!
//! A room is moved by messages and by time, both with the moment at which they came; it has no
//! thread and reads no clock. What it tells goes into its members' outboxes. The parts: `seats`
//! says who sits where; `playing` puts questions and takes answers; `requests` has what is asked for
//! by consent; `views` is what is told; `restored` brings a room back from its file.

mod playing;
mod requests;
mod restored;
mod seats;
#[cfg(test)]
mod tests;
mod views;

use std::collections::{BTreeMap, VecDeque};
use std::io;
use std::path::Path;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tengen_arbiter::Nanos;
use tengen_players::{EngineNews, RealTime};
use tengen_rules::{BySeat, Seat};

pub(super) use self::views::written;
use super::engines::{EnginePool, SeatedEngine};
use super::journal::{JournalLine, RoomFile, RoomJournal};
use super::keys::{RoomKeys, is_same};
use super::messages::{ChatLine, TableRequest, TableState};
use super::outbox::Outbox;
use super::protocol::{ClientKind, MOST_CHAT, RoomMessage};
use super::settings::{CheckedTable, TableSettings};
use super::table_game::TableGame;
use crate::game_view::seat_number;
use crate::text::plain;

/// The lines of chat that are kept.
const MOST_LINES: usize = 100;
/// The members of a room.
const MOST_MEMBERS: usize = 1000;
/// How often it is told how many look on.
const VIEWERS: Nanos = 1_000_000_000;

/// When something came: on the clock of the games, and by date in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub now: Nanos,
    pub date: u64,
}

/// Why something is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ClientRefusal {
    pub code: &'static str,
    pub message: String,
}

pub(super) fn refused<T>(
    code: &'static str,
    message: impl Into<String>,
) -> Result<T, ClientRefusal> {
    Err(ClientRefusal { code, message: message.into() })
}

/// A connection that is told of the room.
pub(super) struct Member {
    pub outbox: Arc<Outbox>,
    pub name: String,
    pub kind: ClientKind,
    pub seat: Option<Seat>,
    pub is_host: bool,
    pub lag: Option<u64>,
}

/// Who comes in.
pub(super) struct Visitor {
    pub connection: u64,
    pub outbox: Arc<Outbox>,
    pub name: String,
    pub kind: ClientKind,
    pub is_owner: bool,
    pub lag: Option<u64>,
}

/// Who sits on a seat.
pub(super) struct Occupant {
    pub key: String,
    pub name: String,
    /// Whether it is an engine on another machine.
    pub is_remote: bool,
    pub engine: Option<SeatedEngine>,
    pub score: f64,
    pub lag: Option<u64>,
    /// Since when nobody has been here for it.
    pub away_since: Option<Nanos>,
}

impl Occupant {
    pub fn shown_name(&self) -> &str {
        self.engine.as_ref().map_or(&self.name, |engine| &engine.name)
    }

    pub fn is_person(&self) -> bool {
        self.engine.is_none() && !self.is_remote
    }
}

/// Lets an engine tell its room something.
pub(super) type Tell = Arc<dyn Fn(u64, EngineNews) + Send + Sync>;

/// What a room needs from its server.
#[derive(Clone)]
pub(super) struct RoomContext {
    pub time: RealTime,
    pub engines: Arc<EnginePool>,
    /// Where finished games are kept.
    pub games: Arc<Path>,
}

/// One table.
pub(super) struct Room {
    pub id: String,
    pub settings: TableSettings,
    table: CheckedTable,
    keys: RoomKeys,
    opened: u64,
    seats: BySeat<Option<Occupant>>,
    played: Option<TableGame>,
    games: u64,
    is_paused: bool,
    requests: Vec<(Seat, TableRequest)>,
    /// What was declined, and at which question: it is not asked for again before the next.
    declined: Vec<(Seat, TableRequest, u64)>,
    chat: VecDeque<ChatLine>,
    members: BTreeMap<u64, Member>,
    /// The number of the open question.
    question: u64,
    /// After a restart: until when the player who is asked is waited for.
    held_until: Option<Nanos>,
    journal: RoomJournal,
    context: RoomContext,
    tell: Tell,
    engines_seated: u64,
    /// When somebody last did something here.
    touched: Nanos,
    told: Option<TableState>,
    /// How many look on, as it was told, and when that changed.
    viewers: (u64, Option<Nanos>),
    /// Whether the file could not be written, which is said once.
    is_unsaved: bool,
    pub is_closed: bool,
}

/// What a room is made of.
pub(super) struct NewRoom {
    pub id: String,
    pub settings: TableSettings,
    pub table: CheckedTable,
    pub keys: RoomKeys,
    pub context: RoomContext,
    pub tell: Tell,
    pub at: Moment,
}

impl Room {
    /// Opens a table, of which the file is written at once.
    pub fn open(new: NewRoom, path: &Path) -> io::Result<Room> {
        let file = RoomFile {
            format: RoomJournal::FORMAT,
            id: new.id.clone(),
            settings: new.settings.clone(),
            keys: new.keys.clone(),
            opened: new.at.date,
            games: 0,
            is_paused: false,
            seats: [None, None],
        };
        let journal = RoomJournal::create(path, &file)?;
        Ok(Room::empty(new, journal))
    }

    /// A room in which nobody is and nothing was played.
    fn empty(new: NewRoom, journal: RoomJournal) -> Room {
        let NewRoom { id, settings, table, keys, context, tell, at } = new;
        Room {
            id,
            settings,
            table,
            keys,
            opened: at.date,
            seats: BySeat { first: None, second: None },
            played: None,
            games: 0,
            is_paused: false,
            requests: Vec::new(),
            declined: Vec::new(),
            chat: VecDeque::new(),
            members: BTreeMap::new(),
            question: 0,
            held_until: None,
            journal,
            context,
            tell,
            engines_seated: 0,
            touched: at.now,
            told: None,
            viewers: (0, None),
            is_unsaved: false,
            is_closed: false,
        }
    }

    /// Lets somebody in, with what its key allows.
    ///
    /// # Errors
    /// When the key does not fit, or the room is full.
    pub fn enter(
        &mut self,
        visitor: Visitor,
        key: Option<&str>,
        id: Option<u64>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        let Visitor { connection, outbox, name, kind, is_owner, lag } = visitor;
        let is = |known: &str| key.is_some_and(|key| is_same(key, known));
        let known = self.members.get(&connection);
        let seated = Seat::ALL
            .into_iter()
            .find(|&seat| self.seats[seat].as_ref().is_some_and(|one| is(&one.key)));
        let is_host = is(&self.keys.host) || known.is_some_and(|member| member.is_host);
        let is_known = seated.is_some() || is_host || is(&self.keys.invite) || is(&self.keys.watch);
        if !is_known && !is_owner && known.is_none() {
            if key.is_some() {
                return refused("key", "this key is none of this table");
            }
            if !self.settings.public {
                return refused("key", "this table is private; it needs its key");
            }
        }
        if self.members.len() >= MOST_MEMBERS && known.is_none() && seated.is_none() {
            return refused("too_many", "too many watch this table");
        }
        let seat = seated.or(known.and_then(|member| member.seat));
        let member = Member { outbox, name, kind, seat, is_host, lag };
        self.members.insert(connection, member);
        self.touched = at.now;
        if let Some(seat) = seat {
            self.come_back(seat, connection, at);
        }
        self.show(connection, id, at);
        self.tell_state(at);
        if let Some(seat) = seat {
            self.ask_again(seat, connection, at);
        }
        Ok(())
    }

    /// Whether a connection may sit down with that key.
    fn may_sit(&self, connection: u64, key: Option<&str>) -> bool {
        let is_host = self.members.get(&connection).is_some_and(|member| member.is_host);
        self.settings.public || is_host || key.is_some_and(|key| is_same(key, &self.keys.invite))
    }

    /// Shows a member all of the table.
    pub fn show(&self, connection: u64, id: Option<u64>, at: Moment) {
        if let Some(member) = self.members.get(&connection) {
            member.outbox.push(Some(&self.id), self.table_message(member, id, at));
        }
    }

    /// Shows a member all of the table after it has missed something, a question perhaps.
    pub fn show_anew(&self, connection: u64, at: Moment) {
        self.show(connection, None, at);
        if let Some(seat) = self.members.get(&connection).and_then(|member| member.seat) {
            self.ask_again(seat, connection, at);
        }
    }

    /// Does what a member says.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn handle(
        &mut self,
        connection: u64,
        is_owner: bool,
        message: RoomMessage,
        id: Option<u64>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        let Some(member) = self.members.get(&connection) else {
            return refused("room", "enter the table first");
        };
        let (seat, is_host) = (member.seat, member.is_host);
        self.touched = at.now;
        let seated = || seat.map_or_else(|| refused("seat", "you have no seat here"), Ok);
        match message {
            RoomMessage::Enter { .. } | RoomMessage::Record { .. } => {}
            RoomMessage::Sit { seat, key } => {
                self.sit(connection, seat, key.as_deref(), id, at)?;
            }
            RoomMessage::Stand => self.stand(seated()?, at)?,
            RoomMessage::Leave => self.leave(connection, at),
            RoomMessage::Act(act) => self.act(seated()?, *act, at)?,
            RoomMessage::Request(what) => self.request(seated()?, what, at)?,
            RoomMessage::Reply(what, accept) => self.reply(seated()?, what, accept, at)?,
            RoomMessage::Withdraw(what) => {
                let own = (seated()?, what);
                self.requests.retain(|one| *one != own);
            }
            RoomMessage::Resume => self.resume(seated()?, at)?,
            RoomMessage::Engine(engine) => self.hand_over(seated()?, engine.as_deref(), at)?,
            RoomMessage::Chat(text) => self.say(connection, seat, &text, at)?,
            RoomMessage::Remove(other) if is_host || is_owner => self.stand(other, at)?,
            RoomMessage::Close if is_host || is_owner => {
                self.close("the host has closed the table", at);
            }
            RoomMessage::Remove(_) | RoomMessage::Close => {
                return refused("key", "only the host may do that");
            }
        }
        self.tell_state(at);
        Ok(())
    }

    /// A connection is gone.
    pub fn leave(&mut self, connection: u64, at: Moment) {
        let Some(member) = self.members.remove(&connection) else { return };
        if let Some(seat) = member.seat
            && !self.is_here(seat)
            && let Some(occupant) = &mut self.seats[seat]
        {
            occupant.away_since = Some(at.now);
            occupant.lag = None;
        }
        self.tell_state(at);
    }

    /// How long the way to a connection and back takes.
    pub fn set_lag(&mut self, connection: u64, lag: u64, at: Moment) {
        let Some(member) = self.members.get_mut(&connection) else { return };
        member.lag = Some(lag);
        let Some(occupant) = member.seat.and_then(|seat| self.seats[seat].as_mut()) else { return };
        // What hardly changes is not worth a message to everybody.
        if occupant.lag.is_none_or(|known| known.abs_diff(lag) > 10 + known / 4) {
            occupant.lag = Some(lag);
            self.tell_state(at);
        }
    }

    /// Gives a connection another name.
    pub fn rename(&mut self, connection: u64, name: &str, at: Moment) {
        let Some(member) = self.members.get_mut(&connection) else { return };
        name.clone_into(&mut member.name);
        if let Some(seat) = member.seat
            && let Some(occupant) = &mut self.seats[seat]
        {
            name.clone_into(&mut occupant.name);
            self.save_room();
        }
        self.tell_state(at);
    }

    fn say(
        &mut self,
        connection: u64,
        seat: Option<Seat>,
        text: &str,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        if !self.settings.chat {
            return refused("not_now", "there is no chat at this table");
        }
        let text = plain(text.trim(), MOST_CHAT);
        if text.is_empty() {
            return refused("message", "nothing was said");
        }
        let from = self.members.get(&connection).map(|member| member.name.clone());
        let from = from.unwrap_or_default();
        let line = ChatLine { from, seat: seat.map(seat_number), text, at: at.date };
        self.chat.push_back(line.clone());
        if self.chat.len() > MOST_LINES {
            self.chat.pop_front();
        }
        let told = self.chat_message(&line);
        self.write_down(Ok(vec![JournalLine::Chat(line)]));
        self.send_all(&told);
        Ok(())
    }

    /// Ends the table. A game that is under way is given up.
    pub fn close(&mut self, reason: &str, at: Moment) {
        if self.is_closed {
            return;
        }
        let is_running = self.played.as_ref().is_some_and(|table| table.over.is_none());
        if is_running && let Some(table) = &mut self.played {
            let shown = table.view.steps().len();
            table.abort(at.now, reason);
            self.tell_news(shown, at);
        }
        for seat in Seat::ALL {
            self.seats[seat] = None;
        }
        #[derive(Serialize)]
        struct ClosedMessage<'a> {
            room: &'a str,
            reason: &'a str,
        }
        self.send_all(&written("closed", None, ClosedMessage { room: &self.id, reason }));
        self.members.clear();
        self.is_closed = true;
        if let Err(error) = std::fs::remove_file(self.journal.path()) {
            log::warn!("{}: cannot be removed: {error}", self.journal.path().display());
        }
    }

    /// Whether anybody is here for a seat.
    fn is_here(&self, seat: Seat) -> bool {
        self.members.values().any(|member| member.seat == Some(seat))
    }

    fn viewers_here(&self) -> u64 {
        self.members.values().filter(|member| member.seat.is_none()).count() as u64
    }

    /// Notes how many look on, to be told now; not more often than that is worth it.
    fn note_viewers(&mut self, now: Nanos) {
        let here = self.viewers_here();
        if here != self.viewers.0 && self.viewers_due().is_none_or(|due| now >= due) {
            self.viewers = (here, Some(now));
        }
    }

    /// From when on a change of the viewers may be told.
    fn viewers_due(&self) -> Option<Nanos> {
        Some(self.viewers.1?.saturating_add(VIEWERS))
    }

    /// When a change of the viewers is to be told.
    fn viewers_deadline(&self) -> Option<Nanos> {
        (self.viewers_here() != self.viewers.0).then(|| self.viewers_due().unwrap_or(0))
    }

    /// For how long nobody did anything, and whether anybody is here or a game is under way.
    pub fn idleness(&self, now: Nanos) -> (Nanos, bool, bool) {
        let is_running = self.played.as_ref().is_some_and(|table| table.over.is_none());
        (now.saturating_sub(self.touched), !self.members.is_empty(), is_running)
    }

    /// Tells everybody who is here and what is asked for, if that has changed.
    fn tell_state(&mut self, at: Moment) {
        self.note_viewers(at.now);
        let state = self.state();
        if self.told.as_ref() != Some(&state) {
            self.send_all(&self.state_message(&state));
            self.told = Some(state);
        }
    }

    /// Shows everybody all of the table.
    fn show_all(&mut self, at: Moment) {
        self.viewers = (self.viewers_here(), Some(at.now));
        self.told = Some(self.state());
        // All those see the same who may do nothing here.
        let mut for_viewers = None;
        for member in self.members.values() {
            let text = match member.seat.is_none() && !member.is_host {
                true => {
                    for_viewers.get_or_insert_with(|| self.table_message(member, None, at)).clone()
                }
                false => self.table_message(member, None, at),
            };
            member.outbox.push(Some(&self.id), text);
        }
    }

    fn send_all(&self, text: &Utf8Bytes) {
        for member in self.members.values() {
            member.outbox.push(Some(&self.id), text.clone());
        }
    }

    /// Writes who sits where into the file.
    fn save_room(&mut self) {
        let file = self.file();
        self.write_down(Ok(vec![JournalLine::Room(Box::new(file))]));
    }

    /// Writes down what is new and has been noted here, or all of the room where that is due.
    fn write_down(&mut self, lines: io::Result<Vec<JournalLine>>) {
        if self.journal.is_due() {
            return self.write_whole();
        }
        let written = lines.and_then(|lines| self.journal.add(&lines));
        self.check_saved(written);
    }

    /// Writes down all that is of use after a restart.
    fn write_whole(&mut self) {
        let written = self.whole().and_then(|lines| self.journal.write_whole(&lines));
        self.check_saved(written);
    }

    fn whole(&self) -> io::Result<Vec<JournalLine>> {
        let mut lines = vec![JournalLine::Room(Box::new(self.file()))];
        lines.extend(self.chat.iter().cloned().map(JournalLine::Chat));
        if let Some(table) = &self.played {
            lines.push(JournalLine::game(table.number, table.began, &table.header)?);
            for entry in table.game.history() {
                lines.push(JournalLine::act(entry)?);
            }
            lines.extend(table.over.as_ref().map(JournalLine::over));
        }
        Ok(lines)
    }

    /// Says once when the file cannot be written; the game goes on.
    fn check_saved(&mut self, written: io::Result<()>) {
        match written {
            Ok(()) => self.is_unsaved = false,
            Err(error) if !self.is_unsaved => {
                self.is_unsaved = true;
                let path = self.journal.path().display();
                log::error!("{path}: cannot be written: {error}; the game goes on unsaved");
            }
            Err(_) => {}
        }
    }
}
