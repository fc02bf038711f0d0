//! Sequential probability ratio tests.

use crate::Pentanomial;

/// The points of a pair as shares of two.
const SHARES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];
/// What a result counts that no pair had: without it a shutout, or any other sample that is all
/// alike, would never decide.
const UNSEEN: f64 = 1e-3;

/// A sequential probability ratio test (A. Wald, 1945) of one player against another, by pairs of
/// games: whether it is better by `elo1`, or by no more than `elo0`.
///
/// ```
/// use tengen_stats::{Pentanomial, Sprt, SprtDecision};
/// let test = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
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
        let rate = |elo: f64| 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
        let [first, second] = [self.elo0, self.elo1].map(|elo| {
            let rate = rate(elo);
            let tilt = tilt(&counts, rate);
            SHARES.map(|share| 1.0 + tilt * (share - rate))
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

/// The `t` at which Σ counts·(share − rate) / (1 + t·(share − rate)) is 0: the spread with that
/// mean that is likeliest has counts / (1 + t·(share − rate)).
fn tilt(counts: &[f64; 5], rate: f64) -> f64 {
    let pull = |tilt: f64| -> f64 {
        let part =
            |(count, share): (&f64, f64)| count * (share - rate) / (1.0 + tilt * (share - rate));
        counts.iter().zip(SHARES).map(part).sum()
    };
    // Between these all likelihoods are positive, and the sum falls from +∞ to −∞.
    let (mut low, mut high) = (-1.0 / (1.0 - rate), 1.0 / rate);
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
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEST: Sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };

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
            let n: u64 = counts.iter().sum();
            let weights = counts.map(|count| count as f64 / n as f64);
            let mean: f64 = (0..5).map(|result| weights[result] * SHARES[result]).sum();
            let square = |result: usize| weights[result] * (SHARES[result] - mean).powi(2);
            let variance: f64 = (0..5).map(square).sum();
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

    /// Of many tests of players that are exactly as H0 or H1 says, few go wrong.
    #[test]
    fn errors_are_as_rare_as_they_are_to_be() {
        let test = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05 };
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
