//! What independent games or pairs of games say about a player's strength.

use crate::normal::{Z95, distribution, student95};
use crate::{Elo, Pentanomial, WinDrawLoss, elo_of_rate};

/// What a set of independent observations (pairs of games, single games, or some of both) says of
/// a player's expected points a game.
///
/// With n games, s points in all, the rate μ = s/n, and each observation i of gᵢ games and sᵢ
/// points: Var(μ) = Σ (sᵢ − gᵢ·μ)² / n². For games alone this is the trinomial variance over n,
/// for pairs alone the pentanomial variance over the pairs, as fishtest and fastchess compute them
/// (M. Van den Bergh, "The generalized likelihood ratio test for the expected value of a
/// distribution" and "Normalized Elo", 2020).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    games: f64,
    rate: f64,
    /// The ends of the 95 % interval of the rate.
    bounds: (f64, f64),
    /// Σ (sᵢ − gᵢ·μ)²
    spread: f64,
    /// Σ (sᵢ − gᵢ/2)²
    spread_about_even: f64,
}

impl Sample {
    /// The pairs and, apart from them, the games that belong to no whole pair. None without games.
    pub fn new(pairs: Pentanomial, singles: WinDrawLoss) -> Option<Sample> {
        let games = pairs.games() + singles.games();
        if games == 0 {
            return None;
        }
        let rate = (pairs.points() + singles.points()) / games as f64;
        let spread_about = |mean: f64| {
            let square = |count: u64, games: f64, points: f64| {
                count as f64 * (points - games * mean) * (points - games * mean)
            };
            let paired = [0.0, 0.5, 1.0, 1.5, 2.0].into_iter().zip(pairs.counts);
            let single = [(1.0, singles.wins), (0.5, singles.draws), (0.0, singles.losses)];
            paired.map(|(points, count)| square(count, 2.0, points)).sum::<f64>()
                + single.map(|(points, count)| square(count, 1.0, points)).iter().sum::<f64>()
        };
        Some(Sample {
            games: games as f64,
            rate,
            bounds: interval(pairs, singles, rate),
            spread: spread_about(rate),
            spread_about_even: spread_about(0.5),
        })
    }

    /// The ends of the 95 % interval of the points a game, 0 and 1 where it is open. How often it
    /// holds the truth is enumerated in the tests: 92.5 times of 100 or oftener with 5, 10 and 16
    /// pairs.
    pub const fn bounds(self) -> (f64, f64) {
        self.bounds
    }

    /// The points a game, 0 to 1.
    pub const fn rate(self) -> f64 {
        self.rate
    }

    /// The standard error of the rate. Zero means that all observations were alike, which says
    /// nothing about the real spread.
    pub fn standard_error(self) -> f64 {
        self.spread.sqrt() / self.games
    }

    /// The variance of the points of one game, as the observations show it: for pairs, half the
    /// variance of a pair's points.
    pub fn variance(self) -> f64 {
        self.spread / self.games
    }

    /// The logistic Elo difference: −400·log₁₀(1/μ − 1), and the same of the ends of the interval.
    pub fn elo(self) -> Elo {
        self.on_scale(elo_of_rate, elo_of_rate)
    }

    /// The normalized Elo difference, (μ − ½)/σ · 800/ln 10 with σ² the [variance] of one game: it
    /// depends on how many games it takes to see the difference, not on how drawish the openings
    /// are (Van den Bergh, "Normalized Elo"). Infinite when there is a difference and no spread.
    ///
    /// [variance]: Sample::variance
    pub fn normalized_elo(self) -> Elo {
        let scale = 800.0 / std::f64::consts::LN_10 / self.variance().sqrt();
        let value = |rate: f64| if rate == 0.5 { 0.0 } else { (rate - 0.5) * scale };
        let end = |rate: f64| match rate {
            0.0 => f64::NEG_INFINITY,
            1.0 => f64::INFINITY,
            rate if scale.is_finite() => value(rate),
            // Without spread every difference is infinite, and so is what is not excluded.
            rate if rate == self.rate => value(rate),
            rate if rate < self.rate => f64::NEG_INFINITY,
            _ => f64::INFINITY,
        };
        self.on_scale(value, end)
    }

    /// The rate on a scale, with its interval, of which `end` gives the ends, and the ± of others.
    fn on_scale(self, value: impl Fn(f64) -> f64, end: impl Fn(f64) -> f64) -> Elo {
        let half = Z95 * self.standard_error();
        let error = (value(self.rate + half) - value(self.rate - half)) / 2.0;
        let error = (half > 0.0 && error.is_finite()).then_some(error);
        let (middle, (low, high)) = (value(self.rate), self.bounds);
        Elo::new(middle, (end(low).min(middle), end(high).max(middle)), error)
    }

    /// The likelihood of superiority, 0 to 1: the chance that the true rate is above one half.
    ///
    /// Φ(z) with z = Σ (sᵢ − gᵢ/2) / √Σ (sᵢ − gᵢ/2)². For single games that is the usual Φ((wins −
    /// losses)/√(wins + losses)) (chessprogramming wiki, "Match Statistics"); taking the spread
    /// about one half keeps it meaningful for a shutout. With only even results it is one half.
    pub fn los(self) -> f64 {
        if self.spread_about_even == 0.0 {
            return 0.5;
        }
        distribution((self.rate - 0.5) * self.games / self.spread_about_even.sqrt())
    }
}

/// Pairs that are added before the interval is estimated, each of two even games without a draw: a
/// quarter of them 0, a half 1, a quarter 2 points.
const ADDED: f64 = 3.0;

/// The 95 % interval of the rate of these observations.
///
/// The standard error of few observations is itself a guess, and that of observations that are all
/// alike is nothing at all. So, as Agresti and Coull do it for successes and failures (The American
/// Statistician 52, 1998), some even observations are added before mean and error are taken; and
/// the error is multiplied by Student's t of as many degrees of freedom as observations leave. With
/// many of them it is the interval of the normal distribution.
fn interval(pairs: Pentanomial, singles: WinDrawLoss, rate: f64) -> (f64, f64) {
    let paired = [0.0, 0.5, 1.0, 1.5, 2.0].into_iter().zip(pairs.counts);
    let paired = paired.map(|(points, count)| (2.0, points, count as f64));
    let single = [(1.0, singles.wins), (0.5, singles.draws), (0.0, singles.losses)];
    let single = single.into_iter().map(|(points, count)| (1.0, points, count as f64));
    let added = [(0.0, 0.25), (1.0, 0.5), (2.0, 0.25)];
    let added = added.into_iter().map(|(points, part)| (2.0, points, ADDED * part));
    let all = paired.chain(single).chain(added);
    let sum = |of: &dyn Fn(f64, f64) -> f64| -> f64 {
        all.clone().map(|(games, points, count)| count * of(games, points)).sum()
    };
    let games = sum(&|games, _| games);
    let mean = sum(&|_, points| points) / games;
    let spread = sum(&|games, points| (points - games * mean).powi(2));
    let observations = (pairs.pairs() + singles.games()) as f64 + ADDED;
    let error = (spread * observations / (observations - 1.0)).sqrt() / games;
    let half = student95(observations - 1.0) * error;
    let (low, high) = ((mean - half).max(0.0), (mean + half).min(1.0));
    (low.min(rate), high.max(rate))
}

/// The performance of one player among many: the logistic Elo difference to the field it met, from
/// its overall points a game, as if the field were one opponent of average strength. None without
/// games.
///
/// `pairs` are its whole pairs, `singles` its games outside of one (a schedule without pairs, or
/// an event that is not over). Pairs against opponents of different strength spread more than
/// pairs against one, so in a field of many the error bar is on the safe side. Infinite for 0 % and
/// 100 %, with no error.
pub fn performance(pairs: Pentanomial, singles: WinDrawLoss) -> Option<Elo> {
    Sample::new(pairs, singles).map(Sample::elo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Reports printed by fastchess from its pentanomial model, as engine authors published them
    /// (the first three: result pages and release notes of Zeno, Axiom and Dual): counts, Elo, ±,
    /// nElo, ±, LOS %, draw ratio %, pairs ratio.
    const FASTCHESS: [([u64; 5], [f64; 7]); 6] = [
        ([352, 579, 1264, 743, 464], [19.83, 6.77, 24.25, 8.26, 100.00, 37.15, 1.30]),
        ([84, 112, 318, 184, 302], [90.22, 14.49, 99.23, 15.23, 100.00, 31.80, 2.48]),
        ([16, 82, 222, 150, 61], [52.08, 14.57, 75.87, 20.90, 100.00, 41.81, 2.15]),
        ([49, 48, 154, 49, 60], [11.10, 21.86, 12.92, 25.38, 84.08, 42.78, 1.12]),
        ([790, 1759, 3256, 1780, 807], [1.14, 4.04, 1.48, 5.26, 70.95, 38.80, 1.01]),
        ([34, 49, 128, 62, 27], [-0.58, 21.41, -0.75, 27.80, 47.88, 42.67, 1.07]),
    ];

    fn assert_prints_as(value: f64, printed: f64, what: &str) {
        assert!((value - printed).abs() <= 0.005 + 1e-9, "{what}: {value} against {printed}");
    }

    #[test]
    fn pairs_give_the_figures_fastchess_published() {
        for (counts, [elo, error, nelo, nelo_error, los, draws, ratio]) in FASTCHESS {
            let pairs = Pentanomial { counts };
            let sample = pairs.sample().unwrap();
            assert_prints_as(sample.elo().value(), elo, "Elo");
            assert_prints_as(sample.elo().error().unwrap(), error, "Elo error");
            assert_prints_as(sample.normalized_elo().value(), nelo, "nElo");
            assert_prints_as(sample.normalized_elo().error().unwrap(), nelo_error, "nElo error");
            assert_prints_as(pairs.draw_ratio().unwrap() * 100.0, draws, "draw ratio");
            assert_prints_as(pairs.pairs_ratio().unwrap(), ratio, "pairs ratio");
            // fastchess takes the spread about the mean, not about one half.
            assert!((sample.los() * 100.0 - los).abs() < 0.05, "LOS {}", sample.los());
        }
    }

    /// A report printed by cutechess from its trinomial model, published with the engine Pedantic:
    /// 1013 - 896 - 1998, Elo 10.4 +/- 7.6, LOS 99.6 %, draw ratio 51.1 %.
    #[test]
    fn games_give_the_figures_cutechess_published() {
        let score = WinDrawLoss { wins: 1013, draws: 1998, losses: 896 };
        let sample = score.sample().unwrap();
        assert!((sample.elo().value() - 10.4).abs() < 0.05);
        assert!((sample.elo().error().unwrap() - 7.6).abs() < 0.05);
        assert!((sample.los() - 0.996).abs() < 0.0005);
        assert!((score.draw_ratio().unwrap() - 0.511).abs() < 0.0005);
    }

    /// 3 wins, 1 loss by hand: μ = ¾, Σ(s − μ)² = 3·(1/16) + 9/16 = ¾, standard error √¾/4.
    #[test]
    fn four_games_by_hand() {
        let sample = WinDrawLoss { wins: 3, draws: 0, losses: 1 }.sample().unwrap();
        assert_eq!(sample.rate(), 0.75);
        assert!((sample.standard_error() - 0.75f64.sqrt() / 4.0).abs() < 1e-15);
        assert!((sample.variance() - 3.0 / 16.0).abs() < 1e-15);
        // The interval reaches past one: its upper end is infinite, and there is no error figure.
        let (low, high) = sample.elo().bounds();
        assert!(low.is_finite() && high == f64::INFINITY);
        assert_eq!(sample.elo().error(), None);
    }

    #[test]
    fn a_shutout_is_infinite_and_has_no_error() {
        for n in [1, 10, 1000] {
            let won = WinDrawLoss { wins: n, draws: 0, losses: 0 };
            for (score, sign) in [(won, 1.0), (won.reversed(), -1.0)] {
                let sample = score.sample().unwrap();
                assert_eq!(sample.elo().value(), sign * f64::INFINITY);
                assert_eq!(sample.normalized_elo().value(), sign * f64::INFINITY);
                assert_eq!((sample.elo().error(), sample.elo().finite()), (None, None));
                let (low, high) = sample.elo().bounds();
                let (open, end) = if sign > 0.0 { (high, low) } else { (low, high) };
                assert_eq!(open, sign * f64::INFINITY);
                assert_eq!(end.is_finite(), n > 1, "one game says nothing: {low} {high}");
            }
            let los = won.sample().unwrap().los();
            assert!((los - distribution((n as f64).sqrt())).abs() < 1e-15);
        }
    }

    #[test]
    fn results_all_even_are_level_without_an_error() {
        for sample in [
            WinDrawLoss { wins: 0, draws: 7, losses: 0 }.sample().unwrap(),
            Pentanomial { counts: [0, 0, 7, 0, 0] }.sample().unwrap(),
        ] {
            assert_eq!((sample.elo().value(), sample.elo().error()), (0.0, None));
            assert_eq!((sample.normalized_elo().value(), sample.los()), (0.0, 0.5));
        }
    }

    /// What the chances of a pair's results are, for two games that are won and drawn with these
    /// chances: independent, both the same, or mostly one each, as by a lopsided opening.
    fn chances(win: f64, draw: f64) -> [[f64; 5]; 3] {
        let game = [1.0 - win - draw, draw, win];
        let mut independent = [0.0; 5];
        for (one, chance) in game.into_iter().enumerate() {
            for (other, another) in game.into_iter().enumerate() {
                independent[one + other] += chance * another;
            }
        }
        let alike = [game[0], 0.0, game[1], 0.0, game[2]];
        let mut lopsided = independent.map(|chance| 0.2 * chance);
        lopsided[2] += 0.8;
        [independent, alike, lopsided]
    }

    /// How likely the interval of so many pairs holds the true rate: every sample there can be, by
    /// its chance.
    fn coverage(pairs: u64, chances: [f64; 5]) -> f64 {
        let rate = (0..5).map(|result| chances[result] * result as f64 / 4.0).sum::<f64>();
        let logs: Vec<f64> = (0..=pairs).map(|n| (1..=n).map(|k| (k as f64).ln()).sum()).collect();
        let mut held = 0.0;
        let mut counts = [0; 5];
        fn each(counts: &mut [u64; 5], place: usize, left: u64, see: &mut dyn FnMut([u64; 5])) {
            if place == 4 {
                counts[4] = left;
                return see(*counts);
            }
            for count in 0..=left {
                counts[place] = count;
                each(counts, place + 1, left - count, see);
            }
        }
        each(&mut counts, 0, pairs, &mut |counts| {
            if (0..5).any(|result| counts[result] > 0 && chances[result] == 0.0) {
                return;
            }
            let log = (0..5).map(|result| match counts[result] {
                0 => 0.0,
                count => count as f64 * chances[result].ln() - logs[count as usize],
            });
            let chance = (log.sum::<f64>() + logs[pairs as usize]).exp();
            let (low, high) = Pentanomial { counts }.sample().unwrap().bounds();
            held += if (low - 1e-12..=high + 1e-12).contains(&rate) { chance } else { 0.0 };
        });
        held
    }

    /// The interval says 95 %, and holds the truth nearly as often or oftener, for engines as far
    /// apart as 50 to 97 % of the points, with and without draws, whatever the openings do.
    #[test]
    fn intervals_hold_what_they_say_from_five_pairs_on() {
        for pairs in [5, 10, 16] {
            let mut sum = 0.0;
            let mut cases = 0;
            for rate in [0.5, 0.6, 0.75, 0.9, 0.97_f64] {
                for draws in [0.0, 0.3, 0.7] {
                    let draw = 2.0 * draws * rate.min(1.0 - rate);
                    for chances in chances(rate - draw / 2.0, draw) {
                        let coverage = coverage(pairs, chances);
                        assert!(coverage > 0.925, "{coverage} of {pairs} pairs at {chances:?}");
                        (sum, cases) = (sum + coverage, cases + 1);
                    }
                }
            }
            let mean = sum / f64::from(cases);
            assert!((0.95..0.995).contains(&mean), "{mean} of {pairs} pairs");
        }
    }

    /// With many games the interval is that of the normal distribution.
    #[test]
    fn intervals_of_many_games_are_the_usual_ones() {
        let elo = Pentanomial { counts: [352, 579, 1264, 743, 464] }.sample().unwrap().elo();
        let (low, high) = elo.bounds();
        assert!(((high - low) / 2.0 - elo.error().unwrap()).abs() < 0.02, "{elo:?}");
    }

    /// Pairs of one win each spread less than the same games taken singly.
    #[test]
    fn pairing_narrows_the_error_where_openings_are_lopsided() {
        let paired = Pentanomial { counts: [1, 0, 18, 0, 1] }.sample().unwrap();
        let single = WinDrawLoss { wins: 20, draws: 0, losses: 20 }.sample().unwrap();
        assert!(paired.elo().error().unwrap() < single.elo().error().unwrap() / 2.0);
    }

    fn pairs() -> impl Strategy<Value = Pentanomial> {
        prop::array::uniform5(0u64..50).prop_map(|counts| Pentanomial { counts })
    }

    fn score() -> impl Strategy<Value = WinDrawLoss> {
        (0u64..50, 0u64..50, 0u64..50).prop_map(|(wins, draws, losses)| WinDrawLoss {
            wins,
            draws,
            losses,
        })
    }

    proptest! {
        #[test]
        fn the_opponent_sees_the_same_with_the_sign_turned(pairs in pairs(), score in score()) {
            let ours = Sample::new(pairs, score);
            let theirs = Sample::new(pairs.reversed(), score.reversed());
            prop_assert_eq!(ours.is_some(), theirs.is_some());
            if let (Some(ours), Some(theirs)) = (ours, theirs) {
                let turned = |a: f64, b: f64| a == -b || (a + b).abs() < 1e-6;
                prop_assert!(turned(ours.elo().value(), theirs.elo().value()));
                let normalized = (ours.normalized_elo(), theirs.normalized_elo());
                prop_assert!(turned(normalized.0.value(), normalized.1.value()));
                prop_assert!((ours.los() + theirs.los() - 1.0).abs() < 1e-12);
            }
        }

        #[test]
        fn no_figure_is_nan(counts in prop::array::uniform5(0u64..3), score in (0u64..3, 0u64..3)) {
            let singles = WinDrawLoss { wins: score.0, draws: 0, losses: score.1 };
            if let Some(sample) = Sample::new(Pentanomial { counts }, singles) {
                for elo in [sample.elo(), sample.normalized_elo()] {
                    prop_assert!(!elo.value().is_nan());
                    let (low, high) = elo.bounds();
                    prop_assert!(low <= elo.value() && elo.value() <= high);
                }
                prop_assert!((0.0..=1.0).contains(&sample.los()));
            }
        }
    }
}
