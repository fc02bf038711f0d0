//! One table: its seats, the game, and what may be asked for.
//!
//! A table is moved by messages and by time, both with the moment at which they came; it has no
//! thread and reads no clock. What it tells goes into its members' outboxes. The parts: `members`
//! lets people in, out and talk, `chat_log` has what they said; `seats` knows the occupants;
//! `playing` puts questions and takes answers; `requests` has what needs consent, and claims;
//! `resting` gives engines back whose players are gone; `views` makes the messages; `saving` writes
//! the table's file, and `restored` brings the table back from it.

mod chat_log;
mod members;
mod playing;
mod requests;
mod resting;
mod restored;
mod saving;
mod seats;
#[cfg(test)]
mod tests;
mod views;

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;
use std::path::Path;
use std::sync::Arc;

use axum::extract::ws::Utf8Bytes;
use tengen_arbiter::Nanos;
use tengen_players::{EngineNews, RealTime};
use tengen_rules::{BySeat, Seat};

use self::chat_log::ChatLog;
pub(super) use self::members::Visitor;
use super::checked_table::CheckedTable;
use super::journal::{TableFile, TableJournal};
use super::kept_games::KeptGames;
use super::keys::TableKeys;
use super::outbox::Outbox;
use super::table_game::TableGame;
use super::written;
use tengen_link::EnginePool;
use tengen_link::SeatedEngine;
use tengen_link::messages::TableSettings;
use tengen_link::messages::{ClientKind, ServerMessage, TableInput};
use tengen_link::messages::{TableRequest, TableState};

/// The most characters of a line of chat.
pub(super) const MOST_CHAT: usize = 200;
/// How often members are told how many look on.
const VIEWERS: Nanos = 1_000_000_000;

/// When something came: on the clock of the games, and by date in milliseconds since 1970.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub now: Nanos,
    pub date: u64,
    /// How long the server has stood still by then, in all.
    pub frozen: Nanos,
}

impl Moment {
    /// So much later.
    pub fn later(self, span: Nanos) -> Moment {
        let now = self.now.saturating_add(span);
        Moment { now, date: self.date.saturating_add(span / 1_000_000), ..self }
    }
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

/// A connection that is told of the table.
pub(super) struct Member {
    pub outbox: Arc<Outbox>,
    pub name: String,
    pub kind: ClientKind,
    pub seat: Option<Seat>,
    pub is_host: bool,
    pub lag: Option<u64>,
    /// The network that it is of.
    pub address: Option<IpAddr>,
}

/// The person or engine on a seat.
pub(super) struct Occupant {
    pub key: String,
    pub name: String,
    /// Whether it is an engine on another machine.
    pub is_remote: bool,
    pub engine: Option<SeatedEngine>,
    /// The engine that plays here, while it is given back to the server.
    pub resting: Option<String>,
    /// Whether no player is behind the engine: the host has asked the server's to play.
    pub is_house: bool,
    pub score: f64,
    pub lag: Option<u64>,
    /// Since when no client has been here for it.
    pub away_since: Option<Moment>,
}

impl Occupant {
    /// A player that has just sat down.
    pub fn new(key: String, name: String) -> Occupant {
        Occupant {
            key,
            name,
            is_remote: false,
            engine: None,
            resting: None,
            is_house: false,
            score: 0.0,
            lag: None,
            away_since: None,
        }
    }

    pub fn shown_name(&self) -> &str {
        self.engine.as_ref().map_or(&self.name, |engine| &engine.name)
    }

    pub fn is_person(&self) -> bool {
        !self.is_engine() && !self.is_remote
    }

    /// Whether an engine of the server plays here.
    pub fn is_engine(&self) -> bool {
        self.engine.is_some() || self.resting.is_some() || self.is_house
    }

    /// The engine of the server that plays here.
    pub fn engine_id(&self) -> Option<&str> {
        self.engine.as_ref().map(|engine| engine.id.as_str()).or(self.resting.as_deref())
    }
}

pub(super) type Tell = Arc<dyn Fn(u64, EngineNews) + Send + Sync>;

/// What a table needs from its server.
#[derive(Clone)]
pub(super) struct ServerContext {
    pub time: RealTime,
    pub engines: Arc<EnginePool>,
    pub games: Arc<KeptGames>,
}

/// One table.
pub(super) struct Table {
    pub id: String,
    pub settings: TableSettings,
    checked: CheckedTable,
    keys: TableKeys,
    opened: u64,
    seats: BySeat<Option<Occupant>>,
    played: Option<TableGame>,
    games: u64,
    is_paused: bool,
    /// How many times moves were taken back at a seat's wish in the game.
    undone: BySeat<u32>,
    requests: Vec<(Seat, TableRequest)>,
    /// What was declined, and at which question: it is not asked for again before the next.
    declined: Vec<(Seat, TableRequest, u64)>,
    chat: ChatLog,
    members: BTreeMap<u64, Member>,
    /// The number of the open question.
    question: u64,
    /// After a restart: until when to wait for the player that is asked.
    held_until: Option<Nanos>,
    journal: TableJournal,
    context: ServerContext,
    tell: Tell,
    engines_seated: u64,
    /// How long the server had stood still when that was last looked at.
    frozen: Nanos,
    /// Whether it did so while the open question was.
    was_frozen: bool,
    /// How much of the way there and back may still be given back to each seat.
    lag_left: BySeat<Nanos>,
    /// Which players are ready for their first game, and how long that is waited for.
    ready: Option<(BySeat<bool>, Nanos)>,
    /// Since when no player has been here, and when an engine that was given back is asked for
    /// again.
    alone_since: Option<Nanos>,
    wake_at: Option<Nanos>,
    /// When a client last did something here.
    touched: Nanos,
    told: Option<TableState>,
    /// How many look on, as it was told, and when that changed.
    viewers: (u64, Option<Nanos>),
    /// Whether the file could not be written; members are told once.
    is_unsaved: bool,
    pub is_closed: bool,
}

pub(super) struct NewTable {
    pub id: String,
    pub settings: TableSettings,
    pub checked: CheckedTable,
    pub keys: TableKeys,
    pub context: ServerContext,
    pub tell: Tell,
    pub at: Moment,
}

impl Table {
    /// Opens a table, of which the file is written at once.
    pub fn open(new: NewTable, path: &Path) -> io::Result<Table> {
        let file = TableFile {
            format: TableJournal::FORMAT,
            id: new.id.clone(),
            settings: new.settings.clone(),
            keys: new.keys.clone(),
            opened: new.at.date,
            games: 0,
            is_paused: false,
            undone: BySeat::default(),
            seats: BySeat::default(),
        };
        let journal = TableJournal::create(path, &file)?;
        Ok(Table::empty(new, journal))
    }

    /// A table without clients, in which nothing was played.
    fn empty(new: NewTable, journal: TableJournal) -> Table {
        let NewTable { id, settings, checked, keys, context, tell, at } = new;
        Table {
            id,
            settings,
            checked,
            keys,
            opened: at.date,
            seats: BySeat { first: None, second: None },
            played: None,
            games: 0,
            is_paused: false,
            undone: BySeat::default(),
            requests: Vec::new(),
            declined: Vec::new(),
            chat: ChatLog::default(),
            members: BTreeMap::new(),
            question: 0,
            held_until: None,
            journal,
            context,
            tell,
            engines_seated: 0,
            frozen: at.frozen,
            was_frozen: false,
            lag_left: BySeat::default(),
            ready: None,
            alone_since: None,
            wake_at: None,
            touched: at.now,
            told: None,
            viewers: (0, None),
            is_unsaved: false,
            is_closed: false,
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
        message: TableInput,
        id: Option<u64>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        let Some(member) = self.members.get(&connection) else {
            return refused("table", "enter the table first");
        };
        let (seat, is_host) = (member.seat, member.is_host);
        self.touched = at.now;
        let seated = || seat.map_or_else(|| refused("seat", "you have no seat here"), Ok);
        match message {
            // These come by other ways.
            TableInput::Enter { .. } | TableInput::Record { .. } | TableInput::Chat { .. } => {}
            TableInput::Sit { seat, key } => {
                self.sit(connection, seat, key.as_deref(), id, at)?;
            }
            TableInput::Stand {} => self.stand(seated()?, at)?,
            TableInput::Leave {} => self.leave(connection, at),
            TableInput::Act(act) => self.act(seated()?, *act, at)?,
            TableInput::Request { what } => self.request(seated()?, what, at)?,
            TableInput::Reply { what, accept } => self.reply(seated()?, what, accept, at)?,
            TableInput::Withdraw { what } => {
                let own = (seated()?, what);
                self.requests.retain(|one| *one != own);
            }
            TableInput::Claim { what } => self.claim(seated()?, what, at)?,
            TableInput::Resume {} => self.resume(seated()?, at)?,
            TableInput::Engine { engine } => self.hand_over(seated()?, engine.as_deref(), at)?,
            TableInput::Remove { seat } if is_host || is_owner => self.stand(seat, at)?,
            TableInput::Close {} if is_host || is_owner => {
                self.close("the host has closed the table", at);
            }
            TableInput::Remove { .. } | TableInput::Close {} => {
                return refused("key", "only the host may do that");
            }
            TableInput::Ready {} => self.get_ready(seated()?, at)?,
            TableInput::Failed { .. } => {
                return refused("message", "that is for games of events, not for tables");
            }
        }
        self.tell_state(at);
        Ok(())
    }

    /// Ends the table. A game that is under way is given up.
    pub fn close(&mut self, reason: &str, at: Moment) {
        if self.is_closed {
            return;
        }
        if self.is_playing()
            && let Some(played) = &mut self.played
        {
            let shown = played.view.steps.len();
            played.abort(at.now, reason);
            self.tell_news(shown, at);
        }
        for seat in Seat::ALL {
            self.seats[seat] = None;
        }
        log::info!("table {} is closed: {reason}", self.id);
        let closed = ServerMessage::Closed { table: self.id.clone(), reason: reason.to_owned() };
        self.send_all(&written(None, closed));
        self.members.clear();
        self.is_closed = true;
        if !self.write_record() {
            // The game is in this file alone.
            return;
        }
        if let Err(error) = std::fs::remove_file(self.journal.path()) {
            log::warn!("{}: cannot be removed: {error}", self.journal.path().display());
        }
    }

    /// Gives back what passed while the server stood still: no player is charged for it, and none
    /// was away.
    pub fn thaw(&mut self, at: Moment) {
        let gap = at.frozen.saturating_sub(self.frozen);
        if gap == 0 {
            return;
        }
        self.frozen = at.frozen;
        let asked = self.played.as_mut().and_then(|played| Some((played.waiting()?, played)));
        if let Some((seat, played)) = asked
            && let Some(since) = played.asked_at
        {
            played.give_back(at.now, seat, gap.min(at.now.saturating_sub(since)));
            self.was_frozen = true;
        }
        for seat in Seat::ALL {
            if let Some(occupant) = &mut self.seats[seat] {
                occupant.away_since = occupant.away_since.map(|since| since.later(gap));
            }
        }
        let later = |due: Option<Nanos>| due.map(|due| due.saturating_add(gap));
        (self.held_until, self.alone_since) = (later(self.held_until), later(self.alone_since));
        self.ready = self.ready.map(|(ready, until)| (ready, until.saturating_add(gap)));
    }

    /// Whether any client is here for a seat.
    fn is_here(&self, seat: Seat) -> bool {
        self.members.values().any(|member| member.seat == Some(seat))
    }

    fn viewers_here(&self) -> u64 {
        self.members.values().filter(|member| member.seat.is_none()).count() as u64
    }

    /// Notes how many look on, to be told now, but not too often.
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

    pub fn is_playing(&self) -> bool {
        self.played.as_ref().is_some_and(|one| one.over.is_none())
    }

    /// For how long nothing was done, whether any client is here, and whether a game is under way.
    pub fn idleness(&self, now: Nanos) -> (Nanos, bool, bool) {
        let has_house = Seat::ALL
            .into_iter()
            .any(|seat| self.seats[seat].as_ref().is_some_and(|one| one.is_house));
        // Who left a game with an engine of the server keeps nobody waiting.
        let is_running = self.is_playing() && (!has_house || !self.members.is_empty());
        (now.saturating_sub(self.touched), !self.members.is_empty(), is_running)
    }

    /// Tells all members which players are here and what is asked for, if that has changed.
    fn tell_state(&mut self, at: Moment) {
        self.note_players(at.now);
        self.note_viewers(at.now);
        let state = self.state();
        if self.told.as_ref() != Some(&state) {
            self.send_all(&self.state_message(&state));
            self.told = Some(state);
        }
    }

    /// Sends the whole table to all members.
    fn show_all(&mut self, at: Moment) {
        self.viewers = (self.viewers_here(), Some(at.now));
        self.told = Some(self.state());
        // All viewers see the same.
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
}
