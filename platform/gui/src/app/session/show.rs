//! Copies the state of a game to its snapshot.

use tengen_arbiter::{Game, Nanos};
use tengen_rules::{BySeat, Seat};

use crate::app::model::move_list::{
    MoveList, decision, draw_declined, draw_offer, is_answer, time_used,
};
use crate::app::model::{OpenQuestion, Snapshot};

/// Copies the state of a game to a snapshot.
pub(super) fn show(snapshot: &mut Snapshot, game: &Game, move_list: &mut MoveList) {
    snapshot.rows = move_list.follow(game);
    for seat in Seat::ALL {
        let seated = &mut snapshot.seats[seat];
        seated.color = game.colors()[seat];
        seated.clock = game.clock(seat).face(0);
        seated.used = time_used(game.history(), seat);
    }
    let history = game.history();
    let number = history.len() as u64;
    snapshot.offered = game.offered().to_vec();
    snapshot.fifth_moves = game.opening().fifth_moves();
    snapshot.asked = game.asked().map(|(seat, ask)| {
        let used: Nanos = game.used();
        OpenQuestion { number, seat, ask, since: None, used }
    });
    snapshot.decision = decision(history);
    snapshot.decisions = move_list.decisions(game);
    snapshot.answered =
        BySeat::from_fn(|seat| history.iter().any(|entry| entry.seat == seat && is_answer(entry)));
    snapshot.draw_offer = draw_offer(history);
    snapshot.draw_declined = draw_declined(history);
    let refused = history.last().is_some_and(|entry| !entry.legal && !entry.substituted);
    snapshot.refusal = game.refusal().filter(|_| refused).map(str::to_owned);
    snapshot.result = game.result();
}
