//! Wins, draws and losses.

use std::ops::{AddAssign, Sub};

use crate::{Pentanomial, Sample};

/// How one game went for the player it is counted for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerOutcome {
    /// One point.
    Win,
    /// Half a point.
    Draw,
    /// No point.
    Loss,
}

impl PlayerOutcome {
    /// The points in halves: 2, 1 or 0.
    pub const fn half_points(self) -> usize {
        match self {
            PlayerOutcome::Win => 2,
            PlayerOutcome::Draw => 1,
            PlayerOutcome::Loss => 0,
        }
    }

    /// The same game as the opponent counts it.
    pub const fn reversed(self) -> PlayerOutcome {
        match self {
            PlayerOutcome::Win => PlayerOutcome::Loss,
            PlayerOutcome::Draw => PlayerOutcome::Draw,
            PlayerOutcome::Loss => PlayerOutcome::Win,
        }
    }
}

/// Games counted by outcome: the trinomial of one player.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct WinDrawLoss {
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
}

impl WinDrawLoss {
    /// Counts one more game.
    pub fn add(&mut self, outcome: PlayerOutcome) {
        match outcome {
            PlayerOutcome::Win => self.wins += 1,
            PlayerOutcome::Draw => self.draws += 1,
            PlayerOutcome::Loss => self.losses += 1,
        }
    }

    /// The number of games.
    pub const fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The points, a draw counting one half.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The points a game, 0 to 1; none without games.
    pub fn rate(self) -> Option<f64> {
        (self.games() > 0).then(|| self.points() / self.games() as f64)
    }

    /// The share of games drawn, 0 to 1; none without games.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// The same games as the opponents count them.
    pub const fn reversed(self) -> WinDrawLoss {
        WinDrawLoss { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The games as independent observations (the trinomial model); none without games.
    pub fn sample(self) -> Option<Sample> {
        Sample::new(Pentanomial::default(), self)
    }
}

impl AddAssign for WinDrawLoss {
    fn add_assign(&mut self, other: WinDrawLoss) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl Sub for WinDrawLoss {
    type Output = WinDrawLoss;

    /// The games without those, of which there are no more.
    fn sub(self, other: WinDrawLoss) -> WinDrawLoss {
        WinDrawLoss {
            wins: self.wins.saturating_sub(other.wins),
            draws: self.draws.saturating_sub(other.draws),
            losses: self.losses.saturating_sub(other.losses),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_points_and_games() {
        let mut score = WinDrawLoss::default();
        for outcome in
            [PlayerOutcome::Win, PlayerOutcome::Win, PlayerOutcome::Draw, PlayerOutcome::Loss]
        {
            score.add(outcome);
        }
        assert_eq!(score, WinDrawLoss { wins: 2, draws: 1, losses: 1 });
        assert_eq!((score.games(), score.points()), (4, 2.5));
        assert_eq!((score.rate(), score.draw_ratio()), (Some(0.625), Some(0.25)));
        let mut both = score.reversed();
        both += score;
        assert_eq!(both.rate(), Some(0.5));
    }

    #[test]
    fn nothing_played_has_no_rate() {
        let none = WinDrawLoss::default();
        assert_eq!((none.rate(), none.draw_ratio(), none.sample()), (None, None, None));
    }
}
