//! Engines of the server whose players are gone, which are given back until one comes.

use tengen_arbiter::Nanos;
use tengen_rules::Seat;

use super::{Moment, Table};
use crate::play::table_game::TableGame;

/// How long no player may be at a table before its engines are given back.
const ALONE: Nanos = 60_000_000_000;
/// How soon one is asked for again where the server had none to give.
const AGAIN: Nanos = 5_000_000_000;

impl Table {
    /// Notes whether a player is here.
    pub(super) fn note_players(&mut self, now: Nanos) {
        let is_here = Seat::ALL.into_iter().any(|seat| self.is_here(seat));
        self.alone_since = if is_here { None } else { self.alone_since.or(Some(now)) };
    }

    /// When engines are to be given back, or asked for again.
    pub(super) fn resting_deadline(&self) -> Option<Nanos> {
        let plays = |seat| self.seats[seat].as_ref().is_some_and(|one| one.engine.is_some());
        let alone = self.alone_since.filter(|_| Seat::ALL.into_iter().any(plays));
        let rest = alone.map(|since| since.saturating_add(ALONE));
        [rest, self.wake_at].into_iter().flatten().min()
    }

    /// Gives engines back, or asks for them again, where that is due.
    pub(super) fn rest(&mut self, at: Moment) {
        if self.wake_at.is_some_and(|due| at.now >= due) {
            self.wake(at);
        }
        let is_due = self.alone_since.is_some_and(|since| at.now >= since.saturating_add(ALONE));
        for seat in Seat::ALL.into_iter().filter(|_| is_due) {
            let Some(engine) = self.seats[seat].as_mut().and_then(|one| one.engine.take()) else {
                continue;
            };
            log::info!("table {}: {} is given back: no player is here", self.id, engine.name);
            engine.stop();
            if let Some(occupant) = &mut self.seats[seat] {
                occupant.resting = Some(engine.id.clone());
            }
            if self.played.as_ref().and_then(TableGame::waiting) == Some(seat)
                && let Some(played) = &mut self.played
            {
                played.suspend(at.now);
            }
        }
    }

    /// Asks for the engines that were given back: a player is here.
    pub(super) fn wake(&mut self, at: Moment) {
        self.wake_at = None;
        let here = self.members.values().filter(|member| member.seat.is_some());
        let Some(address) = here.map(|member| member.address).next() else { return };
        for seat in Seat::ALL {
            let Some(id) = self.seats[seat].as_ref().and_then(|one| one.resting.clone()) else {
                continue;
            };
            match self.start_engine(&id, address) {
                Ok(engine) => {
                    if let Some(occupant) = &mut self.seats[seat] {
                        (occupant.engine, occupant.resting) = (Some(engine), None);
                    }
                    self.seat_changed(seat);
                    if self.played.as_ref().and_then(TableGame::waiting) == Some(seat) {
                        self.put_question(at);
                        self.show_all(at);
                    }
                }
                Err(refusal) => {
                    log::warn!("table {}: {id}: {}", self.id, refusal.message);
                    self.wake_at = Some(at.now.saturating_add(AGAIN));
                    self.tell_seat(!seat, refusal.code, &refusal.message);
                }
            }
        }
    }
}
