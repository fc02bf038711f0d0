//! Counts for how long the players' scores have agreed, for adjudication.

use tengen_rules::{BySeat, Seat};

use crate::{Adjudication, GameResult, ResignBy, SearchScore, Termination};

/// How long the players' scores have agreed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ScoreWindows {
    even: u32,
    winner: Option<Seat>,
    won: u32,
    /// For how many moves each player has said that it loses.
    lost: BySeat<u32>,
}

impl ScoreWindows {
    /// Notes the score that came with a move of `seat`.
    pub fn note(&mut self, rules: &Adjudication, seat: Seat, score: Option<SearchScore>) {
        let value = score.and_then(value);
        let even = rules
            .draw
            .zip(value)
            .is_some_and(|(draw, value)| value.unsigned_abs() <= u64::from(draw.score));
        self.even = if even { self.even.saturating_add(1) } else { 0 };
        let winner = rules.resign.zip(value).and_then(|(resign, value)| {
            let enough = value != 0 && value.unsigned_abs() >= u64::from(resign.score);
            enough.then_some(if value > 0 { seat } else { !seat })
        });
        self.won = match winner {
            None => 0,
            Some(_) if winner == self.winner => self.won.saturating_add(1),
            Some(_) => 1,
        };
        self.winner = winner;
        self.lost[seat] = if winner == Some(!seat) { self.lost[seat].saturating_add(1) } else { 0 };
    }

    /// The result, once a window is full.
    pub fn result(&self, rules: &Adjudication, stones: usize) -> Option<GameResult> {
        let full = |plies: u32, moves: u32| plies >= moves.max(1).saturating_mul(2);
        let loser = rules.resign.filter(|resign| resign.by == ResignBy::Loser).and_then(|resign| {
            Seat::ALL.into_iter().find(|&seat| self.lost[seat] >= resign.moves.max(1))
        });
        let winner = match (rules.resign, rules.draw) {
            (Some(_), _) if loser.is_some() => loser.map(|loser| !loser),
            (Some(resign), _) if resign.by == ResignBy::Both && full(self.won, resign.moves) => {
                self.winner
            }
            (_, Some(draw)) if full(self.even, draw.moves) && stones >= draw.stones as usize => {
                None
            }
            _ => return None,
        };
        Some(GameResult { winner, termination: Termination::Adjudication })
    }
}

/// A score as one number, a proved result beyond every evaluation.
fn value(score: SearchScore) -> Option<i64> {
    match score.win_in {
        Some(plies) if plies != 0 => Some(i64::from(plies.signum()) * (1 << 32)),
        _ => score.eval.map(i64::from),
    }
}
