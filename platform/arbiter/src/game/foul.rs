use tengen_rules::{Color, Foul, Seat};

use super::Game;
use crate::{FoulPolicy, GameResult};

/// The fouls that White may still claim.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoulWatch {
    /// That of Black's last stone.
    last: Option<Foul>,
    /// Whether an overline lies on the board (2013: it may be claimed until the game ends).
    overline: bool,
}

impl FoulWatch {
    fn claimable(self) -> Option<Foul> {
        self.last.or(self.overline.then_some(Foul::Overline))
    }

    /// Whether White may still end the game by a claim on a later turn.
    pub fn may_be_claimed_later(self) -> bool {
        self.overline
    }

    /// A move has been made: a foul that it answered can no longer be claimed.
    pub fn pass_over(&mut self) {
        self.last = None;
    }
}

impl Game {
    /// Judges a forbidden stone just laid; `last` when there will be no turn left to claim it.
    pub(super) fn judge_foul(&mut self, foul: Foul, last: bool) -> Option<GameResult> {
        if self.policies.foul == FoulPolicy::Automatic || last {
            return Some(self.lost_by(foul));
        }
        self.fouls.last = Some(foul);
        self.fouls.overline |= foul == Foul::Overline;
        None
    }

    /// The result that a claim by the seat leads to, if it is right.
    pub(super) fn claim(&self, seat: Seat) -> Option<GameResult> {
        let white = self.colors()[seat] == Color::White;
        self.fouls.claimable().filter(|_| white).map(|foul| self.lost_by(foul))
    }

    fn lost_by(&self, foul: Foul) -> GameResult {
        GameResult { winner: Some(self.holder(Color::White)), termination: foul.into() }
    }
}
