//! The seats of a table: taking them, leaving them, and handing them to engines.

use std::net::IpAddr;
use std::sync::Arc;

use tengen_arbiter::Nanos;
use tengen_players::EngineIdentity;
use tengen_record::PlayerHeader;
use tengen_rules::{BySeat, Seat};

use super::{ClientRefusal, Moment, Occupant, Table, refused};
use crate::play::journal::{SeatFile, TableFile, TableJournal};
use crate::play::keys::key;
use crate::play::seekers::Seeker;
use crate::play::table_game::TableGame;
use tengen_link::SeatedEngine;
use tengen_link::messages::ClientKind;

/// How long a player may take to be ready for the first game, before its seat is free again.
const READY: Nanos = 60_000_000_000;

impl Table {
    /// Seats a member; with both seats taken the game begins.
    pub(super) fn sit(
        &mut self,
        connection: u64,
        wanted: Option<Seat>,
        invite: Option<&str>,
        id: Option<u64>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        if !self.may_sit(connection, invite) {
            return refused("key", "this table is private; a seat needs an invitation");
        }
        let Some(member) = self.members.get(&connection) else {
            return refused("table", "enter the table first");
        };
        if member.seat.is_some() {
            return refused("seat", "you already have a seat here");
        }
        let is_free = |seat: &Seat| self.seats[*seat].is_none();
        let seat = match wanted {
            Some(seat) => Some(seat).filter(is_free),
            None => Seat::ALL.into_iter().find(is_free),
        };
        let Some(seat) = seat else {
            let problem = match wanted {
                Some(_) => "this seat is taken",
                None => "both seats of this table are taken",
            };
            return refused("seat", problem);
        };
        let key = match key() {
            Ok(key) => key,
            Err(error) => return refused("server", format!("no random numbers: {error}")),
        };
        let is_remote = member.kind == ClientKind::Engine;
        let (name, lag) = (member.name.clone(), member.lag);
        let occupant = Occupant { is_remote, lag, ..Occupant::new(key, name) };
        self.seats[seat] = Some(occupant);
        if let Some(member) = self.members.get_mut(&connection) {
            member.seat = Some(seat);
        }
        self.save_table();
        let is_full = Seat::ALL.into_iter().all(|seat| self.seats[seat].is_some());
        self.show(connection, id, at);
        if is_full && self.settings.ready {
            // Who has just sat down is ready; who has waited for that may look elsewhere.
            self.wait_for_players(at);
            self.get_ready(seat, at)?;
        } else if is_full {
            // An unfinished game belongs to the players that began it.
            self.begin_game(at)?;
        }
        Ok(())
    }

    /// Waits until both players are ready for their first game. Engines are.
    pub(super) fn wait_for_players(&mut self, at: Moment) {
        let ready = |seat: Seat| self.seats[seat].as_ref().is_some_and(|one| !one.is_person());
        self.ready = Some((BySeat::from_fn(ready), at.now.saturating_add(READY)));
    }

    /// A player is ready for the first game, which begins when both are.
    pub(super) fn get_ready(&mut self, seat: Seat, at: Moment) -> Result<(), ClientRefusal> {
        let Some((ready, _)) = &mut self.ready else {
            return refused("not_now", "no game waits for that");
        };
        ready[seat] = true;
        if ready.first && ready.second {
            self.begin_game(at)?;
        }
        Ok(())
    }

    /// Frees the seats of those that were not ready in time.
    pub(super) fn clear_unready(&mut self, at: Moment) {
        let Some((ready, _)) = self.ready.take_if(|(_, until)| at.now >= *until) else { return };
        for seat in Seat::ALL.into_iter().filter(|&seat| !ready[seat]) {
            // No game is under way, so nothing refuses it.
            let _stood = self.stand(seat, at);
        }
    }

    /// Keeps a seat for a client that will come with the key that this gives.
    ///
    /// # Errors
    /// When there are no random numbers.
    pub fn keep_seat(
        &mut self,
        seat: Seat,
        seeker: &Seeker,
        at: Moment,
    ) -> Result<String, ClientRefusal> {
        let key = match key() {
            Ok(key) => key,
            Err(error) => return refused("server", format!("no random numbers: {error}")),
        };
        let is_remote = seeker.kind == ClientKind::Engine;
        let new = Occupant::new(key.clone(), seeker.name.clone());
        self.seats[seat] = Some(Occupant { is_remote, away_since: Some(at), ..new });
        self.save_table();
        if self.seats.first.is_some() && self.seats.second.is_some() {
            self.wait_for_players(at);
        }
        Ok(key)
    }

    /// Lets an engine of the server play on a seat that is free, for a client of that network.
    ///
    /// # Errors
    /// When there is none that may.
    pub fn seat_engine(
        &mut self,
        seat: Seat,
        engine: &str,
        of: Option<IpAddr>,
    ) -> Result<(), ClientRefusal> {
        if !self.settings.engines {
            return refused("engine", "this table does not let engines of the server play");
        }
        let engine = self.start_engine(engine, of)?;
        let key = match key() {
            Ok(key) => key,
            Err(error) => return refused("server", format!("no random numbers: {error}")),
        };
        let new = Occupant::new(key, engine.name.clone());
        self.seats[seat] = Some(Occupant { engine: Some(engine), is_house: true, ..new });
        self.save_table();
        Ok(())
    }

    pub(super) fn stand(&mut self, seat: Seat, at: Moment) -> Result<(), ClientRefusal> {
        if self.is_playing() {
            return refused("not_now", "a game is under way; resign first");
        }
        self.write_record();
        self.seats[seat] = None;
        // There is no opponent to play again with.
        (self.played, self.ready) = (None, None);
        self.requests.clear();
        self.save_table();
        for connection in self.members_at(seat) {
            if let Some(member) = self.members.get_mut(&connection) {
                member.seat = None;
            }
            self.show(connection, None, at);
        }
        Ok(())
    }

    /// A player is here again.
    pub(super) fn come_back(&mut self, seat: Seat, connection: u64, at: Moment) {
        let lag = self.members.get(&connection).and_then(|member| member.lag);
        let was_away = self.seats[seat].as_ref().is_some_and(|one| one.away_since.is_some());
        if let Some(occupant) = &mut self.seats[seat] {
            (occupant.away_since, occupant.lag) = (None, lag);
        }
        // The other player's absence counts from now on, because this one waits.
        if was_away && let Some(other) = &mut self.seats[!seat] {
            let later = |since: Moment| if since.now < at.now { at } else { since };
            other.away_since = other.away_since.map(later);
        }
        let asked = self.played.as_ref().and_then(|played| played.game.asked());
        let is_engine = |seat: Seat| self.seats[seat].as_ref().is_some_and(Occupant::is_engine);
        // An engine of the server was waiting for the other player.
        let is_asked = asked.is_some_and(|(asked, _)| is_engine(asked) == (asked != seat));
        if self.held_until.is_some() && is_asked {
            self.held_until = None;
            self.put_question(at);
            self.show_all(at);
        }
    }

    /// Lets an engine of the server play on a seat, or ends that.
    pub(super) fn hand_over(
        &mut self,
        seat: Seat,
        engine: Option<&str>,
        at: Moment,
    ) -> Result<(), ClientRefusal> {
        if !self.settings.engines {
            return refused("engine", "this table does not let engines of the server play");
        }
        let seated = match engine {
            None => None,
            Some(id) => {
                let members = self.members.values().filter(|member| member.seat == Some(seat));
                let address = members.filter_map(|member| member.address).next();
                Some(self.start_engine(id, address)?)
            }
        };
        let is_asked = self.played.as_ref().and_then(super::TableGame::waiting) == Some(seat);
        if is_asked && let Some(played) = &mut self.played {
            played.suspend(at.now);
        }
        if let Some(occupant) = &mut self.seats[seat] {
            (occupant.engine, occupant.resting) = (seated, None);
        }
        self.seat_changed(seat);
        self.save_table();
        if is_asked && !self.is_paused {
            self.put_question(at);
        }
        self.show_all(at);
        self.ask_all(at);
        Ok(())
    }

    /// Starts an engine for a seat. The player of that seat belongs to that network.
    pub(super) fn start_engine(
        &mut self,
        id: &str,
        of: Option<IpAddr>,
    ) -> Result<SeatedEngine, ClientRefusal> {
        let pool = Arc::clone(&self.context.engines);
        let Some(engine) = pool.known.iter().find(|engine| engine.id == id) else {
            return refused("engine", "this server has no such engine");
        };
        self.engines_seated += 1;
        let (number, tell) = (self.engines_seated, Arc::clone(&self.tell));
        let tell = move |news| tell(number, news);
        let (variant, time) = (self.checked.variant, self.context.time);
        SeatedEngine::sit(&pool, of, number, engine, variant, time, tell)
            .or_else(|problem| refused("engine", problem))
    }

    /// Tells the arbiter and the record what plays on a seat.
    pub(super) fn seat_changed(&mut self, seat: Seat) {
        let Some(occupant) = &self.seats[seat] else { return };
        let (is_person, name) = (occupant.is_person(), occupant.shown_name().to_owned());
        let id = match (occupant.engine_id(), occupant.is_remote) {
            (Some(engine), _) => engine.to_owned(),
            (None, true) => PlayerHeader::REMOTE.to_owned(),
            (None, false) => PlayerHeader::PERSON.to_owned(),
        };
        let engine = occupant.engine.as_ref();
        let identity = engine.and_then(|engine| engine.identity.as_deref()).cloned();
        let EngineIdentity { version, hash, layers, opening_by_arbiter, .. } =
            identity.unwrap_or_default();
        let Some(played) = self.played.as_mut().filter(|one| one.over.is_none()) else { return };
        played.set_person(seat, is_person);
        let TableGame { header, game, .. } = played;
        let player = PlayerHeader {
            id,
            name,
            version,
            hash,
            layers,
            opening_by_arbiter,
            options: Default::default(),
            opening_engine: None,
            ..header.seats[seat]
        };
        header.set_player(game.history(), seat, player);
    }

    pub(super) fn members_at(&self, seat: Seat) -> Vec<u64> {
        let here = self.members.iter().filter(|(_, member)| member.seat == Some(seat));
        here.map(|(connection, _)| *connection).collect()
    }

    /// The table as its file has it.
    pub(super) fn file(&self) -> TableFile {
        let seat = |seat: Seat| {
            self.seats[seat].as_ref().map(|one| SeatFile {
                key: one.key.clone(),
                name: one.name.clone(),
                is_remote: one.is_remote,
                engine: one.engine_id().map(str::to_owned),
                is_house: one.is_house,
                score: one.score,
            })
        };
        TableFile {
            format: TableJournal::FORMAT,
            id: self.id.clone(),
            settings: self.settings.clone(),
            keys: self.keys.clone(),
            opened: self.opened,
            games: self.games,
            is_paused: self.is_paused,
            undone: self.undone,
            seats: BySeat::from_fn(seat),
        }
    }
}
