use std::sync::Arc;

use tengen_arbiter::{Action, Game};
use tengen_rules::Color;
use tengen_tournament::Notes;

use super::Row;

/// The plies of a game, gathered while it is played.
#[derive(Default)]
pub(super) struct Ledger {
    rows: Arc<Vec<Row>>,
    /// How much of the game's history is in the rows.
    read: usize,
}

impl Ledger {
    /// Takes in what the game has gained since the last call. Called after every answer, so that
    /// all new stones are of the newest answer; stones before any answer are of a book.
    pub(super) fn follow(&mut self, game: &Game, notes: &Notes) -> Arc<Vec<Row>> {
        let history = game.history();
        let answer = (self.read..history.len()).rev().find(|&index| {
            let entry = &history[index];
            matches!(entry.action, Action::Answer(_)) && (entry.legal || entry.substituted)
        });
        self.read = history.len();
        let moves = game.position().moves();
        let known = self.rows.len();
        if moves.len() > known {
            let entry = answer.map(|index| &history[index]);
            let info = answer.and_then(|index| notes.infos.get(index).copied().flatten());
            Arc::make_mut(&mut self.rows).extend((known..moves.len()).map(|ply| Row {
                ply: ply + 1,
                mv: moves[ply],
                color: Color::of_ply(ply),
                seat: entry.map(|entry| entry.seat),
                spent: entry.map(|entry| entry.spent),
                info,
            }));
        }
        Arc::clone(&self.rows)
    }
}
