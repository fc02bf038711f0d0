//! Sequential probability ratio tests.

use crate::{Pentanomial, rate_of_elo};

/// The points of a pair as shares of two.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// What a result counts that no pair had: without it a shutout, or any other sample that is all
/// alike, would never decide.
const UNSEEN: f64 = 1e-3;

/// The scale on which a test has its two differences.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SprtModel {
    /// Logistic Elo: the points a game.
    #[default]
    Logistic,
    /// Normalized Elo: the points a game beyond one half over their standard deviation, so that a
    /// test takes as long whatever the openings do ([`Sample::normalized_elo`]).
    ///
    /// [`Sample::normalized_elo`]: crate::Sample::normalized_elo
    Normalized,
}

/// A sequential probability ratio test (A. Wald, 1945) of one player against another, by pairs of
/// games: whether it is better by `elo1`, or by no more than `elo0`.
///
/// ```
/// use tengen_stats::{Pentanomial, Sprt, SprtDecision, SprtModel};
/// let model = SprtModel::Logistic;
/// let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model };
/// let open = Pentanomial { counts: [10, 60, 120, 62, 11] };
/// assert_eq!(test.decision(open), None);
/// let shutout = Pentanomial { counts: [0, 0, 0, 0, 500] };
/// assert_eq!(test.decision(shutout), Some(SprtDecision::H1));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sprt {
    /// The Elo difference of the hypothesis H0.
    pub elo0: f64,
    /// That of H1; greater.
    pub elo1: f64,
    /// The chance that H1 is accepted where H0 is true, above 0 and below ½.
    pub alpha: f64,
    /// The chance that H0 is accepted where H1 is true, above 0 and below ½.
    pub beta: f64,
    /// The scale of the differences.
    pub model: SprtModel,
}

/// What a test has come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SprtDecision {
    /// The difference is `elo0` rather.
    H0,
    /// The difference is `elo1` rather.
    H1,
}

impl Sprt {
    /// The logarithm of how much likelier the pairs are under H1 than under H0; 0 without pairs.
    ///
    /// It is the generalised ratio: under each hypothesis the pairs' results are taken to be spread
    /// as likely as can be with the mean that the hypothesis demands (M. Van den Bergh, "The
    /// generalized maximum likelihood ratio for the expectation value of a distribution", 2019).
    pub fn llr(&self, pairs: Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.counts.map(|count| (count as f64).max(UNSEEN));
        let [first, second] = [self.elo0, self.elo1].map(|elo| match self.model {
            SprtModel::Logistic => tilted(&counts, SHARES.map(|share| share - rate_of_elo(elo))),
            SprtModel::Normalized => normalized(&counts, elo),
        });
        // Likelihoods are counts over these.
        (0..5).map(|result| counts[result] * (first[result] / second[result]).ln()).sum()
    }

    /// The ratios, as logarithms, at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// What is accepted of these pairs, if anything is yet.
    pub fn decision(&self, pairs: Pentanomial) -> Option<SprtDecision> {
        let (llr, (lower, upper)) = (self.llr(pairs), self.bounds());
        if llr <= lower {
            return Some(SprtDecision::H0);
        }
        (llr >= upper).then_some(SprtDecision::H1)
    }
}

impl Sprt {
    /// What is accepted where pairs came again: `counted` has each of them once and decides, unless
    /// `played`, which has them as often as they came, points the other way. Without that a player
    /// could lose the same game again and again, and win each time in another way.
    pub fn verdict(&self, counted: Pentanomial, played: Pentanomial) -> Option<SprtDecision> {
        let decision = self.decision(counted)?;
        let llr = self.llr(played);
        let agrees = match decision {
            SprtDecision::H0 => llr < 0.0,
            SprtDecision::H1 => llr > 0.0,
        };
        agrees.then_some(decision)
    }
}

/// The divisors of the counts in the likeliest distribution with a mean of `values` of 0: `1 +
/// t·value`, with the `t` at which Σ count·value / (1 + t·value) is 0. All 1 if there is no such
/// distribution.
fn tilted(counts: &[f64; 5], values: [f64; 5]) -> [f64; 5] {
    let least = values.into_iter().fold(f64::INFINITY, f64::min);
    let most = values.into_iter().fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && most > 0.0) {
        return [1.0; 5];
    }
    let pull = |tilt: f64| -> f64 {
        let part = |(count, value): (&f64, f64)| count * value / (1.0 + tilt * value);
        counts.iter().zip(values).map(part).sum()
    };
    // Between these all likelihoods are positive, and the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if pull(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let tilt = 0.5 * (low + high);
    values.map(|value| 1.0 + tilt * value)
}

/// The same for the likeliest distribution with the normalized difference `elo`: the mean beyond
/// one half over the standard deviation of a pair's share is `ratio`. That is not linear in the
/// distribution, so it is solved repeatedly around the last solution (M. Van den Bergh, "Normalized
/// Elo", 2020).
fn normalized(counts: &[f64; 5], elo: f64) -> [f64; 5] {
    // A pair's share varies half as much as a game's points.
    let ratio = elo * std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
    let total: f64 = counts.iter().sum();
    let mut spread = [0.2; 5];
    let mut divisors = [1.0; 5];
    for _ in 0..100 {
        let mean: f64 = (0..5).map(|result| spread[result] * SHARES[result]).sum();
        let square = |result: usize| spread[result] * (SHARES[result] - mean).powi(2);
        let deviation = (0..5).map(square).sum::<f64>().sqrt().max(1e-9);
        let value = |share: f64| {
            let far = (mean - share) / deviation;
            share - 0.5 - ratio * deviation * (1.0 + far * far) / 2.0
        };
        divisors = tilted(counts, SHARES.map(value));
        let mut next = [0.0; 5];
        for result in 0..5 {
            next[result] = counts[result] / divisors[result] / total;
        }
        let moved = (0..5).map(|result| (next[result] - spread[result]).abs());
        let moved = moved.fold(0.0, f64::max);
        spread = next;
        if moved < 1e-12 {
            break;
        }
    }
    divisors
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Sprt =
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: SprtModel::Logistic };

    /// The closed form of the ratio for the normalized model, n/2·ln((1 + (t − t0)²)/(1 + (t −
    /// t1)²)) with t the mean beyond one half over the deviation (Van den Bergh, "Normalized Elo"):
    /// near the exact one where the differences are small.
    #[test]
    fn the_normalized_model_is_near_its_closed_form() {
        let test = Sprt { elo0: 0.0, elo1: 5.0, model: SprtModel::Normalized, ..TEST };
        for counts in [[352, 579, 1264, 743, 464], [90, 400, 1000, 380, 95], [10, 300, 900, 320, 9]]
        {
            let (n, mean, variance) = moments(counts);
            let t = (mean - 0.5) / variance.sqrt();
            let scale = std::f64::consts::LN_10 / 800.0 * std::f64::consts::SQRT_2;
            let [t0, t1] = [test.elo0, test.elo1].map(|elo| elo * scale);
            let ratio = (1.0 + (t - t0).powi(2)) / (1.0 + (t - t1).powi(2));
            let closed = n as f64 / 2.0 * ratio.ln();
            let llr = test.llr(pairs(counts));
            assert!((llr - closed).abs() < 0.02 * closed.abs().max(1.0), "{llr}, {closed}");
            // Nothing but the observed difference is as likely as it can be.
            let elo = pairs(counts).sample().unwrap().normalized_elo().value();
            let divisors = normalized(&counts.map(|count| count as f64), elo);
            assert!(divisors.iter().all(|divisor| (divisor - 1.0).abs() < 1e-6), "{divisors:?}");
        }
        let shutout = |n| pairs([0, 0, 0, 0, n]);
        assert!((1..5000).any(|n| test.decision(shutout(n)) == Some(SprtDecision::H1)));
    }

    /// How many pairs these are, their mean and their variance.
    fn moments(counts: [u64; 5]) -> (u64, f64, f64) {
        let n: u64 = counts.iter().sum();
        let weights = counts.map(|count| count as f64 / n as f64);
        let mean: f64 = (0..5).map(|result| weights[result] * SHARES[result]).sum();
        let square = |result: usize| weights[result] * (SHARES[result] - mean).powi(2);
        (n, mean, (0..5).map(square).sum())
    }

    fn pairs(counts: [u64; 5]) -> Pentanomial {
        Pentanomial { counts }
    }

    #[test]
    fn bounds_are_walds() {
        let (lower, upper) = TEST.bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12 && (lower + 19f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn without_pairs_nothing_is_likelier() {
        assert_eq!(TEST.llr(Pentanomial::default()), 0.0);
        assert_eq!(TEST.decision(Pentanomial::default()), None);
    }

    /// For small differences the ratio is near (s1 − s0)(2m − s0 − s1)·n / 2v, with the mean m and
    /// the variance v of n pairs.
    #[test]
    fn it_is_near_what_the_normal_distribution_says() {
        for counts in [[352, 579, 1264, 743, 464], [90, 400, 1000, 380, 95], [0, 5, 4000, 9, 1]] {
            let (n, mean, variance) = moments(counts);
            let [s0, s1] = [TEST.elo0, TEST.elo1].map(|elo| 1.0 / (1.0 + 10f64.powf(-elo / 400.0)));
            let normal = (s1 - s0) * (2.0 * mean - s0 - s1) * n as f64 / (2.0 * variance);
            let llr = TEST.llr(pairs(counts));
            let error = (llr - normal).abs();
            // The last sample has next to no variance, where the two part.
            let allowed = if n == 4015 { f64::INFINITY } else { 0.05 * normal.abs().max(0.1) };
            assert!(error <= allowed && llr.is_finite(), "{counts:?}: {llr}, {normal}");
        }
    }

    #[test]
    fn the_opponents_view_is_the_opposite() {
        let turned = Sprt { elo0: -TEST.elo1, elo1: -TEST.elo0, ..TEST };
        let counts = pairs([30, 80, 200, 110, 41]);
        let (ours, theirs) = (TEST.llr(counts), turned.llr(counts.reversed()));
        assert!((ours + theirs).abs() < 1e-9, "{ours} {theirs}");
    }

    #[test]
    fn a_sample_that_is_all_alike_decides() {
        let first = |of: fn(u64) -> [u64; 5]| {
            (1..5_000).find_map(|n| Some((n, TEST.decision(pairs(of(n)))?))).unwrap()
        };
        let (wins, accepted) = first(|n| [0, 0, 0, 0, n]);
        assert_eq!(accepted, SprtDecision::H1);
        assert!((100..=400).contains(&wins), "{wins}");
        let (losses, accepted) = first(|n| [n, 0, 0, 0, 0]);
        assert_eq!(accepted, SprtDecision::H0);
        assert!(losses <= wins, "{losses}");
        assert_eq!(first(|n| [0, 0, n, 0, 0]).1, SprtDecision::H0, "even, not better by five");
    }

    #[test]
    fn what_came_again_may_keep_a_test_open_and_decides_none() {
        let counted = pairs([40, 0, 0, 0, 1200]);
        assert_eq!(TEST.verdict(counted, counted), Some(SprtDecision::H1));
        assert_eq!(TEST.verdict(counted, pairs([9000, 0, 0, 0, 1200])), None);
        assert_eq!(TEST.verdict(counted, pairs([4000, 0, 0, 0, 9000])), Some(SprtDecision::H1));
        let few = pairs([1, 0, 0, 0, 3]);
        assert_eq!(TEST.verdict(few, pairs([1000, 0, 0, 0, 3000])), None);
        let even = pairs([0, 0, 9000, 0, 0]);
        assert_eq!(TEST.verdict(even, even), Some(SprtDecision::H0));
        assert_eq!(TEST.verdict(even, pairs([0, 0, 9000, 0, 9000])), None);
    }

    /// Of many tests of players that are exactly as H0 or H1 says, few go wrong.
    #[test]
    fn errors_are_as_rare_as_they_are_to_be() {
        let test = Sprt { elo1: 40.0, ..TEST };
        let mut lots = 0x2026_1121_u64;
        let mut draw = || {
            lots ^= lots << 13;
            lots ^= lots >> 7;
            lots ^= lots << 17;
            (lots >> 11) as f64 / (1u64 << 53) as f64
        };
        for (elo, right) in [(0.0, SprtDecision::H0), (40.0, SprtDecision::H1)] {
            let rate = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            let mut wrong = 0;
            for _ in 0..400 {
                let mut pairs = Pentanomial::default();
                let accepted = loop {
                    let won = usize::from(draw() < rate) + usize::from(draw() < rate);
                    pairs.counts[2 * won] += 1;
                    if let Some(accepted) = test.decision(pairs) {
                        break accepted;
                    }
                };
                wrong += u32::from(accepted != right);
            }
            assert!(wrong <= 30, "{wrong} of 400 at {elo}");
        }
    }
}
