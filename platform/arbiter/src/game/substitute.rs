use tengen_rules::{Answer, Move};

use super::Game;
use crate::answer::{legal_answer, outwards};

impl Game {
    /// The answer the arbiter gives for a seat, for instance one that is late: the legal one
    /// nearest to the centre, and the quiet choice where there is one. It depends on nothing but
    /// the game so far.
    pub(super) fn substitute(&self) -> Answer {
        let points = outwards(self.position.size());
        self.asked()
            .and_then(|(_, ask)| legal_answer(&self.position, ask, self.offered(), &points))
            .unwrap_or(Answer::Move(Move::Pass))
    }
}
