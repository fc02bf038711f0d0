//! How long a rating list takes, how often and how soon sequential tests decide, and how often a
//! printed interval holds the truth.
//!
//! `cargo bench -p tengen-stats` prints all three.

use std::time::Instant;

use tengen_stats::{
    Meeting, Pentanomial, RatingModel, RatingSettings, Sprt, SprtDecision, SprtModel, WinDrawLoss,
    rating_list,
};

/// Reproducible lots (Marsaglia's xorshift).
struct Lots(u64);

impl Lots {
    fn next(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }
}

/// A game at this difference in strength and with this margin of draws, in natural units.
fn game(lots: &mut Lots, x: f64, margin: f64) -> usize {
    let chance = |x: f64| 1.0 / (1.0 + (-x).exp());
    match lots.next() {
        lot if lot < chance(x - margin) => 2,
        lot if lot > 1.0 - chance(-x - margin) => 0,
        _ => 1,
    }
}

fn lists() {
    for players in [100, 300, 1000] {
        let mut lots = Lots(2026);
        let strengths: Vec<f64> = (0..players).map(|_| 3.0 * lots.next()).collect();
        let mut meetings = Vec::new();
        for first in 0..players {
            for second in (0..players).filter(|&second| second != first) {
                let mut score = WinDrawLoss::default();
                match game(&mut lots, strengths[first] - strengths[second] + 0.2, 0.4) {
                    2 => score.wins = 1,
                    1 => score.draws = 1,
                    _ => score.losses = 1,
                }
                meetings.push(Meeting { first, second, score });
            }
        }
        for model in RatingModel::ALL {
            let settings = RatingSettings { model, ..RatingSettings::default() };
            let begin = Instant::now();
            let list = rating_list(players, &meetings, &settings).expect("a list");
            let seconds = begin.elapsed().as_secs_f64();
            let advantage = list.advantage.value;
            println!("{players} players, {model}: {seconds:.2} s, advantage {advantage:.1}");
        }
    }
}

fn tests() {
    const TESTS: u32 = 2000;
    println!("| model | alpha, beta | true | H1 accepted | pairs, mean | by Wald |");
    for model in [SprtModel::Logistic, SprtModel::Normalized] {
        for error in [0.05, 0.01] {
            let test = Sprt { elo0: 0.0, elo1: 40.0, alpha: error, beta: error, model };
            for part in [0.0, 0.5, 1.0] {
                simulate(&test, part, TESTS);
            }
        }
    }
}

/// Tests of players with a true difference this far on the way from `elo0` to `elo1`.
fn simulate(test: &Sprt, part: f64, tests: u32) {
    let mut lots = Lots(14);
    let margin = 0.5;
    // The difference on the scale of the test: the points a game, and their deviation.
    let rate_and_deviation = |x: f64| {
        let chance = |x: f64| 1.0 / (1.0 + (-x).exp());
        let (win, loss) = (chance(x - margin), chance(-x - margin));
        let rate = 0.5 + (win - loss) / 2.0;
        (rate, (win + (1.0 - win - loss) / 4.0 - rate * rate).sqrt())
    };
    let target = test.elo0 + part * (test.elo1 - test.elo0);
    let told = |x: f64| {
        let (rate, deviation) = rate_and_deviation(x);
        match test.model {
            SprtModel::Logistic => tengen_stats::elo_of_rate(rate),
            SprtModel::Normalized => (rate - 0.5) / deviation * 800.0 / std::f64::consts::LN_10,
        }
    };
    let (mut low, mut high) = (-1.0, 1.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if told(middle) < target { low = middle } else { high = middle }
    }
    let (mut accepted, mut pairs) = (0, 0_u64);
    for _ in 0..tests {
        let mut counts = Pentanomial::default();
        let decision = loop {
            let halves = game(&mut lots, low, margin) + game(&mut lots, low, margin);
            counts.counts[halves] += 1;
            if let Some(decision) = test.decision(counts) {
                break decision;
            }
        };
        accepted += u32::from(decision == SprtDecision::H1);
        pairs += counts.pairs();
    }
    // Wald: the ratio drifts by (s1 − s0)(2s − s0 − s1)/2v a pair, with variance (s1 − s0)²/v.
    let share = |x: f64| rate_and_deviation(x).0;
    let at = |elo: f64| {
        let (mut low, mut high) = (-1.0, 1.0);
        for _ in 0..60 {
            let middle: f64 = (low + high) / 2.0;
            if told(middle) < elo { low = middle } else { high = middle }
        }
        share(low)
    };
    let (s0, s1, s) = (at(test.elo0), at(test.elo1), share(low));
    let variance = rate_and_deviation(low).1.powi(2) / 2.0;
    let (lower, upper) = test.bounds();
    let drift = (s1 - s0) * (2.0 * s - s0 - s1) / (2.0 * variance);
    let spread = (s1 - s0).powi(2) / variance;
    let (chance, length) = if drift.abs() < 1e-9 {
        (-lower / (upper - lower), -lower * upper / spread)
    } else {
        let h = -2.0 * drift / spread;
        let chance = (1.0 - (h * lower).exp()) / ((h * upper).exp() - (h * lower).exp());
        (chance, (chance * upper + (1.0 - chance) * lower) / drift)
    };
    let name = if test.model == SprtModel::Logistic { "logistic" } else { "normalized" };
    println!(
        "| {name} | {} | {target:.0} | {:.1} %, by Wald {:.1} % | {:.0} | {length:.0} |",
        test.alpha,
        100.0 * f64::from(accepted) / f64::from(tests),
        100.0 * chance,
        pairs as f64 / f64::from(tests),
    );
}

/// Elo intervals of simulated matches: how often they hold the true difference, for engines as far
/// apart as 50 to 97 % of the points, with few and many draws, from openings that say nothing and
/// from lopsided ones.
fn intervals() {
    const MATCHES: u32 = 4000;
    println!("| pairs | interval holds the truth, mean | least of all cases |");
    for pairs in [5_u32, 10, 20, 50, 200] {
        let (mut sum, mut least, mut cases) = (0.0, 1.0_f64, 0.0);
        for x in [0.0, 0.4, 1.1, 2.2, 3.5] {
            for margin in [0.0, 0.5, 1.5] {
                for slant in [0.0, 2.0] {
                    let held = interval(pairs, x, margin, slant, MATCHES);
                    (sum, least, cases) = (sum + held, least.min(held), cases + 1.0);
                }
            }
        }
        println!("| {pairs} | {:.1} % | {:.1} % |", 100.0 * sum / cases, 100.0 * least);
    }
}

/// The share of matches of so many pairs with an interval that holds the true difference, if the
/// first seat is better by `slant`.
fn interval(pairs: u32, x: f64, margin: f64, slant: f64, matches: u32) -> f64 {
    let mut lots = Lots(5);
    let chance = |x: f64| 1.0 / (1.0 + (-x).exp());
    let rate = |x: f64| (chance(x - margin) + 1.0 - chance(-x - margin)) / 2.0;
    let truth = tengen_stats::elo_of_rate((rate(x + slant) + rate(x - slant)) / 2.0);
    let mut held = 0;
    for _ in 0..matches {
        let mut counts = Pentanomial::default();
        for _ in 0..pairs {
            let halves = game(&mut lots, x + slant, margin) + game(&mut lots, x - slant, margin);
            counts.counts[halves] += 1;
        }
        let (low, high) = counts.sample().expect("there are pairs").elo().bounds();
        held += u32::from((low..=high).contains(&truth));
    }
    f64::from(held) / f64::from(matches)
}

fn main() {
    lists();
    tests();
    intervals();
}
