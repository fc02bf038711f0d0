//! Clients that enter, leave and talk.

use std::net::IpAddr;
use std::sync::Arc;

use tengen_rules::Seat;

use super::{ClientRefusal, MOST_CHAT, Member, Moment, Table, refused};
use crate::play::journal::JournalLine;
use crate::play::keys::is_same;
use crate::play::outbox::Outbox;
use tengen_link::messages::{ChatLine, ChatPicture, ClientKind};
use tengen_link::plain;

/// The most members of a table: each message goes to all of them.
const MOST_MEMBERS: usize = 1000;

/// A client that enters.
pub(in crate::play) struct Visitor {
    pub connection: u64,
    pub outbox: Arc<Outbox>,
    pub name: String,
    pub kind: ClientKind,
    pub is_owner: bool,
    pub lag: Option<u64>,
    /// The network that it is of.
    pub address: Option<IpAddr>,
}

impl Table {
    /// Lets a client in, with what its key allows.
    ///
    /// # Errors
    /// When the key does not fit, or the table is full.
    pub fn enter(
        &mut self,
        visitor: Visitor,
        key: Option<&str>,
        id: Option<u64>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        let connection = visitor.connection;
        let seat = self.let_in(visitor, key, at)?;
        self.show(connection, id, at);
        self.tell_state(at);
        if let Some(seat) = seat {
            self.ask_again(seat, connection, at);
        }
        Ok(())
    }

    /// Lets a client in without a word; gives its seat.
    ///
    /// # Errors
    /// When the key does not fit, or the table is full.
    pub fn let_in(
        &mut self,
        visitor: Visitor,
        key: Option<&str>,
        at: Moment,
    ) -> Result<Option<Seat>, ClientRefusal> {
        let Visitor { connection, outbox, name, kind, is_owner, lag, address } = visitor;
        let is = |known: &str| key.is_some_and(|key| is_same(key, known));
        let known = self.members.get(&connection);
        let seated = Seat::ALL
            .into_iter()
            .find(|&seat| self.seats[seat].as_ref().is_some_and(|one| is(&one.key)));
        let is_host = is(&self.keys.host) || known.is_some_and(|member| member.is_host);
        let is_known = seated.is_some() || is_host || is(&self.keys.invite) || is(&self.keys.watch);
        if !is_known && !is_owner && known.is_none() {
            if key.is_some() {
                return refused("key", "this key does not fit this table");
            }
            if !self.settings.public {
                return refused("key", "this table is private; it needs its key");
            }
        }
        if self.members.len() >= MOST_MEMBERS && known.is_none() && seated.is_none() {
            return refused("too_many", "too many people are at this table");
        }
        let seat = seated.or(known.and_then(|member| member.seat));
        let member = Member { outbox, name, kind, seat, is_host, lag, address };
        self.members.insert(connection, member);
        self.touched = at.now;
        if let Some(seat) = seat {
            self.come_back(seat, connection, at);
            self.wake(at);
        }
        Ok(seat)
    }

    /// Whether a connection may sit down with that key.
    pub(super) fn may_sit(&self, connection: u64, key: Option<&str>) -> bool {
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

    pub fn leave(&mut self, connection: u64, at: Moment) {
        let Some(member) = self.members.remove(&connection) else { return };
        if let Some(seat) = member.seat
            && !self.is_here(seat)
            && let Some(occupant) = &mut self.seats[seat]
        {
            occupant.away_since = Some(at);
            occupant.lag = None;
        }
        self.tell_state(at);
    }

    /// How long the way to a connection and back takes.
    pub fn set_lag(&mut self, connection: u64, lag: u64, at: Moment) {
        let Some(member) = self.members.get_mut(&connection) else { return };
        member.lag = Some(lag);
        let Some(occupant) = member.seat.and_then(|seat| self.seats[seat].as_mut()) else { return };
        // A small change is not worth a message to all members.
        if occupant.lag.is_none_or(|known| known.abs_diff(lag) > 10 + known / 4) {
            occupant.lag = Some(lag);
            self.tell_state(at);
        }
    }

    pub fn rename(&mut self, connection: u64, name: &str, at: Moment) {
        let Some(member) = self.members.get_mut(&connection) else { return };
        name.clone_into(&mut member.name);
        if let Some(seat) = member.seat
            && let Some(occupant) = &mut self.seats[seat]
        {
            name.clone_into(&mut occupant.name);
            self.save_table();
        }
        self.tell_state(at);
    }

    /// Lets a member say something, with a picture that was drawn anew.
    ///
    /// # Errors
    /// When the table has no chat, or nothing is said.
    pub fn say(
        &mut self,
        connection: u64,
        text: &str,
        picture: Option<ChatPicture>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        let Some(member) = self.members.get(&connection) else {
            return refused("table", "enter the table first");
        };
        self.touched = at.now;
        if !self.settings.chat {
            return refused("not_now", "there is no chat at this table");
        }
        let text = plain(text.trim(), MOST_CHAT);
        if text.is_empty() && picture.is_none() {
            return refused("message", "the text is empty");
        }
        let (from, seat) = (member.name.clone(), member.seat);
        let line = ChatLine { from, seat, text, picture, at: at.date };
        self.chat.push(line.clone());
        let told = self.chat_message(&line);
        self.write_down(&[JournalLine::Chat(line)]);
        self.send_all(&told);
        self.tell_state(at);
        Ok(())
    }
}
