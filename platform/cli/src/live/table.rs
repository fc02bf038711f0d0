//! A game that is being played, as a stream tells of it.

use std::sync::Arc;

use serde_json::{Value, json};
use tengen_arbiter::Game;
use tengen_rules::Seat;
use tengen_tournament::ScheduledGame;

use super::EventStream;

/// What was told of the game at a table.
#[derive(Default)]
pub(super) struct ToldGame {
    pub number: u64,
    /// How many entries of its history were told.
    told: usize,
}

impl ToldGame {
    /// Tells of what was done since.
    pub fn tell(
        &mut self,
        stream: &EventStream,
        table: usize,
        labels: impl FnOnce() -> Arc<[String]>,
        scheduled: &ScheduledGame,
        game: &Game,
    ) {
        let history = game.history();
        // One that is played again has fewer entries.
        if self.number != scheduled.number || self.told > history.len() {
            *self = ToldGame { number: scheduled.number, told: 0 };
            stream.tell("game_begun", begun(table, &labels(), scheduled, game));
        }
        for (ply, entry) in history.iter().enumerate().skip(self.told) {
            stream.tell_move(|| {
                let mut keys = json!({ "game": self.number, "number": ply + 1 });
                let action = serde_json::to_value(entry);
                if let (Value::Object(keys), Ok(Value::Object(action))) = (&mut keys, action) {
                    keys.extend(action);
                }
                keys
            });
        }
        self.told = history.len();
    }
}

/// What is told of a game that begins.
fn begun(table: usize, labels: &[String], scheduled: &ScheduledGame, game: &Game) -> Value {
    let label = |seat: Seat| labels.get(scheduled.seats[seat]);
    let moves = game.position().moves().iter();
    json!({
        "game": scheduled.number, "round": scheduled.round, "table": table + 1,
        "first": label(Seat::First), "second": label(Seat::Second),
        "stones": moves.map(ToString::to_string).collect::<Vec<_>>(),
    })
}
