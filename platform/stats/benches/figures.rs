//! How long a rating list takes, and how often and how soon sequential tests decide.
//!
//! `cargo bench -p tengen-stats` prints both.

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

/// Tests of players whose true difference lies so far from `elo0` to `elo1`.
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

fn main() {
    lists();
    tests();
}
