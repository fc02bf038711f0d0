//! A game that is being played, as the live view and the stream show it.

use std::time::Instant;

use serde_json::{Value, json};
use tengen_arbiter::{Game, Nanos};
use tengen_rules::{BySeat, Color, Move, Seat, Size};
use tengen_tournament::ScheduledGame;

use super::EventStream;

#[derive(Clone)]
pub(super) struct LiveTable {
    pub number: u64,
    pub seats: BySeat<usize>,
    /// How many entries of its history were told.
    pub told: usize,
    pub size: Size,
    pub moves: Vec<Move>,
    pub colors: BySeat<Color>,
    /// The time left by seat, as of the last answer.
    pub left: BySeat<Option<Nanos>>,
    /// The seat that is asked, and since when.
    pub turn: Option<Seat>,
    pub since: Instant,
}

impl LiveTable {
    pub fn begin(scheduled: &ScheduledGame, game: &Game) -> LiveTable {
        LiveTable {
            number: scheduled.number,
            seats: scheduled.seats,
            told: 0,
            size: game.position().size(),
            moves: Vec::new(),
            colors: game.colors(),
            left: BySeat { first: None, second: None },
            turn: None,
            since: Instant::now(),
        }
    }

    /// Looks at the game while no clock runs.
    pub fn look(&mut self, game: &Game) {
        let moves = game.position().moves();
        // An opening procedure may take stones back.
        let known = self.moves.iter().zip(moves).take_while(|(one, other)| one == other).count();
        self.moves.truncate(known);
        self.moves.extend_from_slice(&moves[known..]);
        self.colors = game.colors();
        self.left = BySeat::from_fn(|seat| game.clock(seat).left());
        self.turn = game.asked().map(|(seat, _)| seat);
        self.since = Instant::now();
    }

    /// What a seat's clock shows now.
    pub fn clock(&self, seat: Seat) -> Option<Nanos> {
        let left = self.left[seat]?;
        let running = self.since.elapsed().as_nanos().try_into().unwrap_or(Nanos::MAX);
        Some(if self.turn == Some(seat) { left.saturating_sub(running) } else { left })
    }

    /// What is told of a game that begins.
    pub fn begun(
        &self,
        table: usize,
        labels: &[String],
        scheduled: &ScheduledGame,
        game: &Game,
    ) -> Value {
        let label = |seat: Seat| labels.get(scheduled.seats[seat]);
        let moves = game.position().moves().iter();
        json!({
            "game": scheduled.number, "round": scheduled.round, "table": table + 1,
            "first": label(Seat::First), "second": label(Seat::Second),
            "stones": moves.map(ToString::to_string).collect::<Vec<_>>(),
        })
    }

    /// Tells of what was done since.
    pub fn tell(&mut self, stream: &EventStream, game: &Game) {
        for (ply, entry) in game.history().iter().enumerate().skip(self.told) {
            stream.tell_move(|| {
                let mut keys = json!({ "game": self.number, "number": ply + 1 });
                let action = serde_json::to_value(entry);
                if let (Value::Object(keys), Ok(Value::Object(action))) = (&mut keys, action) {
                    keys.extend(action);
                }
                keys
            });
        }
    }
}
