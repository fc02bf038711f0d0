use std::ops::{AddAssign, Sub};

use crate::{PlayerOutcome, Sample, WinDrawLoss};

/// Pairs of games counted by the points one player made in them.
///
/// The two games of a pair share the opening and the opponent, with colours swapped, so their
/// results hang together: a lopsided opening gives each player one win. Taking the pair as the
/// observation makes the error bars right where taking games as independent does not.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Pentanomial {
    /// How many pairs gave 0, ½, 1, 1½ and 2 points, in this order ("Ptnml(0-2)" of fishtest and
    /// fastchess reports).
    pub counts: [u64; 5],
}

impl Pentanomial {
    /// Counts one more pair.
    pub fn add(&mut self, one: PlayerOutcome, other: PlayerOutcome) {
        self.counts[one.half_points() + other.half_points()] += 1;
    }

    /// The number of pairs.
    pub fn pairs(self) -> u64 {
        self.counts.iter().sum()
    }

    /// The number of games, two a pair.
    pub fn games(self) -> u64 {
        2 * self.pairs()
    }

    /// The points of all pairs.
    pub fn points(self) -> f64 {
        let halves: u64 = (0..).zip(self.counts).map(|(halves, count)| halves * count).sum();
        halves as f64 / 2.0
    }

    /// The share of pairs that gave each player one point, 0 to 1; none without pairs. A pair of
    /// draws and a pair of one win each are not told apart.
    pub fn draw_ratio(self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.counts[2] as f64 / self.pairs() as f64)
    }

    /// Pairs won over pairs lost; none when no pair was lost.
    pub fn pairs_ratio(self) -> Option<f64> {
        let [lost, half_lost, _, half_won, won] = self.counts;
        (lost + half_lost > 0).then(|| (won + half_won) as f64 / (lost + half_lost) as f64)
    }

    /// The same pairs as the opponents count them.
    pub fn reversed(self) -> Pentanomial {
        let [a, b, c, d, e] = self.counts;
        Pentanomial { counts: [e, d, c, b, a] }
    }

    /// The pairs as independent observations (the pentanomial model); none without pairs.
    pub fn sample(self) -> Option<Sample> {
        Sample::new(self, WinDrawLoss::default())
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Pentanomial) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

impl Sub for Pentanomial {
    type Output = Pentanomial;

    /// The pairs without those, of which there are no more.
    fn sub(mut self, other: Pentanomial) -> Pentanomial {
        for (count, less) in self.counts.iter_mut().zip(other.counts) {
            *count = count.saturating_sub(less);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_counted_by_its_points() {
        use PlayerOutcome::*;
        let mut pairs = Pentanomial::default();
        for (one, other) in [(Loss, Loss), (Draw, Loss), (Win, Loss), (Draw, Draw), (Win, Draw)] {
            pairs.add(one, other);
        }
        assert_eq!(pairs.counts, [1, 1, 2, 1, 0]);
        assert_eq!((pairs.pairs(), pairs.games(), pairs.points()), (5, 10, 4.0));
        assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (Some(0.4), Some(0.5)));
        assert_eq!(pairs.reversed().counts, [0, 1, 2, 1, 1]);
    }

    #[test]
    fn ratios_without_a_denominator_are_none() {
        let won = Pentanomial { counts: [0, 0, 0, 0, 9] };
        assert_eq!((won.draw_ratio(), won.pairs_ratio()), (Some(0.0), None));
        let none = Pentanomial::default();
        assert_eq!((none.draw_ratio(), none.pairs_ratio(), none.sample()), (None, None, None));
    }
}
