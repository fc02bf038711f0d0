//! A table after the server was stopped or killed.

use std::io;
use std::path::Path;

use tengen_arbiter::Nanos;
use tengen_rules::{BySeat, Seat};

use super::{Moment, NewTable, Occupant, ServerContext, Table, Tell};
use crate::play::checked_table::CheckedTable;
use crate::play::journal::{Restored, SeatFile, TableJournal, restore};
use crate::play::table_game::TableGame;

/// How long to wait for the player that is asked before the clock goes on.
const HOLD: Nanos = 60_000_000_000;

impl Table {
    /// Brings a table back from its file. `tell` makes what its engines tell it with, by its id.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn restore(
        path: &Path,
        context: ServerContext,
        tell: impl FnOnce(&str) -> Tell,
        at: Moment,
    ) -> io::Result<Table> {
        let damaged = |problem: String| io::Error::new(io::ErrorKind::InvalidData, problem);
        let Restored { table: file, chat, game } = restore(path)?;
        let (settings, checked) = CheckedTable::new(file.settings).map_err(damaged)?;
        let was_told_over = game.as_ref().is_some_and(|game| game.over.is_some());
        let played = match game {
            None => None,
            Some(game) => {
                let problem = |error: tengen_rules::OpeningError| damaged(error.to_string());
                Some(TableGame::restore(game).map_err(problem)?)
            }
        };
        let journal = TableJournal::open(path)?;
        let mut engines: BySeat<Option<String>> = BySeat { first: None, second: None };
        let mut seats = BySeat { first: None, second: None };
        for seat in Seat::ALL {
            let kept = file.seats[seat].clone();
            let Some((occupant, engine)) = kept.map(|kept| occupant(kept, at)) else {
                continue;
            };
            (seats[seat], engines[seat]) = (Some(occupant), engine);
        }
        let is_over = played.as_ref().is_some_and(|one| one.over.is_some());
        let is_held = played.is_some() && !is_over && !file.is_paused;
        let tell = tell(&file.id);
        let (id, keys) = (file.id, file.keys);
        let new = NewTable { id, settings, checked, keys, context, tell, at };
        let mut table = Table {
            opened: file.opened,
            seats,
            played,
            games: file.games,
            is_paused: file.is_paused,
            undone: file.undone,
            chat: chat.into_iter().collect(),
            // No client has seen so great a number.
            question: at.date,
            alone_since: Some(at.now),
            held_until: is_held.then(|| at.now.saturating_add(HOLD)),
            ..Table::empty(new, journal)
        };
        table.keep_record();
        let is_full = Seat::ALL.into_iter().all(|seat| table.seats[seat].is_some());
        if table.played.is_none() && is_full {
            table.wait_for_players(at.later(HOLD));
        }
        // A seat that was freed ends what was played here.
        if Seat::ALL.into_iter().any(|seat| table.seats[seat].is_none()) {
            table.played = None;
            table.held_until = None;
        }
        // An end that was not written down any more.
        if let Some(over) = table.played.as_ref().and_then(|played| played.over.clone())
            && !was_told_over
        {
            table.count(&over);
            table.write_whole();
        }
        for seat in Seat::ALL {
            if let Some(id) = engines[seat].take() {
                match table.start_engine(&id, None) {
                    Ok(engine) => {
                        if let Some(occupant) = &mut table.seats[seat] {
                            occupant.engine = Some(engine);
                        }
                    }
                    Err(refusal) => {
                        log::warn!("table {}: {id}: {}", table.id, refusal.message);
                        // It is asked for again when its opponent is here.
                        if let Some(occupant) = &mut table.seats[seat]
                            && occupant.is_house
                        {
                            occupant.resting = Some(id);
                        }
                    }
                }
            }
            table.seat_changed(seat);
        }
        // Engines of the server are there as soon as the clocks are watched. An engine that plays
        // against a client waits for it: the client's clock would run from the engine's answer on.
        let asked = table.played.as_ref().and_then(TableGame::waiting);
        let is_engine = |seat: Seat| table.seats[seat].as_ref().is_some_and(Occupant::is_engine);
        if table.held_until.is_some() && asked.is_some() && Seat::ALL.into_iter().all(is_engine) {
            table.held_until = Some(at.now);
        }
        Ok(table)
    }
}

fn occupant(seat: SeatFile, at: Moment) -> (Occupant, Option<String>) {
    let SeatFile { key, name, is_remote, engine, is_house, score } = seat;
    // The time while the server was down, and until players can be back, is charged to no player.
    let away_since = Some(at.later(HOLD));
    (Occupant { is_remote, is_house, score, away_since, ..Occupant::new(key, name) }, engine)
}
