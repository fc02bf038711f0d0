//! How an engine came off.

use std::collections::BTreeMap;
use std::fmt;

/// The score of an engine, and the games that it lost in another way than by the rules of the game.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct InteropScore {
    pub wins: u32,
    pub losses: u32,
    pub draws: u32,
    /// By cause.
    pub forfeits: BTreeMap<String, u32>,
    /// Why there are no more games, where there are too few.
    pub trouble: Option<String>,
}

impl InteropScore {
    pub(super) fn games(&self) -> u32 {
        self.wins + self.losses + self.draws
    }

    pub(super) fn forfeit(&mut self, cause: &str, count: u32) {
        *self.forfeits.entry(cause.to_owned()).or_default() += count;
    }

    pub(super) fn forfeits(&self) -> u32 {
        self.forfeits.values().sum()
    }

    /// Whether two scores differ by no more than their errors at 95 %, by the interval of Agresti
    /// and Caffo (2000): each score with a win and a loss more. A draw is half a win.
    pub(super) fn agrees(&self, other: &InteropScore) -> bool {
        let part = |score: &InteropScore| {
            let games = f64::from(score.games()) + 2.0;
            let rate = (f64::from(score.wins) + f64::from(score.draws) / 2.0 + 1.0) / games;
            (rate, rate * (1.0 - rate) / games)
        };
        let ((one, one_variance), (two, two_variance)) = (part(self), part(other));
        (one - two).abs() <= 1.96 * (one_variance + two_variance).sqrt()
    }
}

impl fmt::Display for InteropScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.wins, self.losses, self.draws)?;
        for (cause, count) in &self.forfeits {
            write!(f, " {cause} {count}")?;
        }
        match &self.trouble {
            Some(trouble) => write!(f, " ({trouble})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(wins: u32, losses: u32) -> InteropScore {
        InteropScore { wins, losses, ..InteropScore::default() }
    }

    #[test]
    fn scores_agree_within_their_errors() {
        assert!(score(11, 1).agrees(&score(9, 3)));
        assert!(!score(1, 11).agrees(&score(11, 1)));
        assert!(score(100, 0).agrees(&score(97, 3)));
        assert!(!score(100, 0).agrees(&score(80, 20)));
        assert!(score(0, 0).agrees(&score(4, 0)), "nothing says nothing");
    }

    #[test]
    fn a_score_tells_what_was_lost_by_forfeit() {
        let mut score = score(3, 2);
        score.forfeit("timeout", 1);
        score.forfeit("crash", 0);
        score.forfeit("timeout", 1);
        assert_eq!((score.forfeits(), score.to_string().as_str()), (2, "3-2-0 crash 0 timeout 2"));
    }
}
