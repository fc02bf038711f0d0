//! The moves and decisions of a game, from its history.

use std::sync::Arc;

use tengen_arbiter::{Action, Game, HistoryEntry, Nanos};
use tengen_record::{Handover, Header, PlayerHeader};
use tengen_rules::{Answer, BySeat, Color, Seat};

use super::{Decision, MoveRow, SeatChange};

/// The moves of a game, collected while it is played.
#[derive(Default)]
pub(in crate::app) struct MoveList {
    rows: Arc<Vec<MoveRow>>,
    /// How much of the game's history is in the rows.
    read: usize,
    /// How much of the history led to each ply.
    ends: Vec<usize>,
}

impl MoveList {
    /// Adds what is new in the game. Called after every answer, so that all new stones are from the
    /// newest answer; stones before any answer are from a book.
    pub(in crate::app) fn follow(&mut self, game: &Game) -> Arc<Vec<MoveRow>> {
        let history = game.history();
        let answer = (self.read..history.len()).rev().find(|&index| is_answer(&history[index]));
        self.read = history.len();
        let moves = game.position().moves();
        let known = self.rows.len();
        if moves.len() > known {
            let entry = answer.map(|index| &history[index]);
            self.ends.resize(moves.len(), answer.map_or(0, |index| index + 1));
            Arc::make_mut(&mut self.rows).extend((known..moves.len()).map(|ply| MoveRow {
                ply: ply + 1,
                mv: moves[ply],
                color: Color::of_ply(ply),
                seat: entry.map(|entry| entry.seat),
                spent: entry.map(|entry| entry.spent),
                info: entry.and_then(|entry| entry.info),
                is_substitute: entry.is_some_and(|entry| entry.substituted),
            }));
        }
        Arc::clone(&self.rows)
    }

    /// The plies so far.
    pub(in crate::app) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Marks the moves after so many plies as played by the arbiter in place of late answers.
    pub(in crate::app) fn mark_substitutes(&mut self, after: usize) {
        if let Some(rows) = Arc::make_mut(&mut self.rows).get_mut(after..) {
            rows.iter_mut().for_each(|row| row.is_substitute = true);
        }
    }

    /// Every decision of the game that was not a stone.
    pub(in crate::app) fn decisions(&self, game: &Game) -> Arc<Vec<Decision>> {
        Arc::new(decisions(game.history(), &self.ends))
    }

    /// The seats that another player took over.
    pub(in crate::app) fn handovers(&self, header: &Header) -> Arc<Vec<SeatChange>> {
        Arc::new(handovers(header, &self.ends))
    }

    /// Drops what came after the first `history` entries.
    pub(in crate::app) fn cut(&mut self, history: usize) {
        let kept = self.ends.iter().take_while(|&&end| end <= history).count();
        self.ends.truncate(kept);
        Arc::make_mut(&mut self.rows).truncate(kept);
        self.read = self.read.min(history);
    }

    /// How much of the history leads to the board after so many plies.
    pub(in crate::app) fn history_of(&self, plies: usize) -> usize {
        plies.checked_sub(1).and_then(|ply| self.ends.get(ply)).copied().unwrap_or(0)
    }
}

/// Whether it is an accepted answer.
pub(in crate::app) fn is_answer(entry: &HistoryEntry) -> bool {
    matches!(entry.action, Action::Answer(_)) && (entry.legal || entry.substituted)
}

/// The seat with an open draw offer: it is open until the other seat has answered.
pub(in crate::app) fn draw_offer(history: &[HistoryEntry]) -> Option<Seat> {
    let mut answered = BySeat { first: false, second: false };
    for entry in history.iter().rev() {
        if entry.action == Action::OfferDraw && entry.legal {
            return (!answered[!entry.seat]).then_some(entry.seat);
        }
        answered[entry.seat] |= is_answer(entry);
    }
    None
}

/// Every decision of a game that was not a stone. `ends` says how many entries led to each ply.
pub(in crate::app) fn decisions<'a>(
    history: impl IntoIterator<Item = &'a HistoryEntry>,
    ends: &[usize],
) -> Vec<Decision> {
    let decision = |(index, entry): (usize, &HistoryEntry)| {
        let Action::Answer(answer) = &entry.action else { return None };
        let is_told = matches!(
            answer,
            Answer::Swap(_) | Answer::Choose(_) | Answer::Declare(_) | Answer::Offer(_)
        );
        let after = ends.partition_point(|end| *end <= index);
        let decision = Decision { after, seat: entry.seat, answer: answer.clone() };
        (is_told && is_answer(entry)).then_some(decision)
    };
    history.into_iter().enumerate().filter_map(decision).collect()
}

/// The seats of a record that another player took over. `ends` says how many entries led to each
/// ply.
pub(in crate::app) fn handovers(header: &Header, ends: &[usize]) -> Vec<SeatChange> {
    let change = |handover: &Handover| SeatChange {
        after: ends.partition_point(|end| *end <= handover.after),
        seat: handover.seat,
        name: display_name(&handover.player).to_owned(),
    };
    header.handovers.iter().map(change).collect()
}

/// What a player of a record is called in the window.
pub(in crate::app) fn display_name(player: &PlayerHeader) -> &str {
    if player.name.is_empty() { &player.id } else { &player.name }
}

/// The time that a seat used for its answers.
pub(in crate::app) fn time_used(history: &[HistoryEntry], seat: Seat) -> Nanos {
    let own = history.iter().filter(|entry| entry.seat == seat);
    own.map(|entry| entry.spent).fold(0, Nanos::saturating_add)
}

/// The seat whose draw offer the last answer declined.
pub(in crate::app) fn draw_declined(history: &[HistoryEntry]) -> Option<Seat> {
    let last = history.last().filter(|entry| is_answer(entry))?;
    let before = &history[..history.len() - 1];
    draw_offer(before).filter(|offerer| *offerer != last.seat)
}

/// The decision of the last answer, when it was not a stone.
pub(in crate::app) fn decision(history: &[HistoryEntry]) -> Option<(Seat, Answer)> {
    let last = history.last().filter(|entry| is_answer(entry))?;
    match &last.action {
        Action::Answer(
            answer @ (Answer::Swap(_) | Answer::Choose(_) | Answer::Declare(_) | Answer::Pick(_)),
        ) => Some((last.seat, answer.clone())),
        _ => None,
    }
}
