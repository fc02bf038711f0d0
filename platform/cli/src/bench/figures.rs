//! What a benchmark measured, its errors, and how it is told.

use serde_json::{Value, json};
use tengen_arbiter::Nanos;

use crate::analyse::count;
use crate::report;

/// What came of one position in one repetition.
#[derive(Clone, Debug, Default)]
pub(super) struct Measured {
    pub nodes: u64,
    pub nanos: Nanos,
    /// The depths that were reported, each with its time.
    pub depths: Vec<(u32, Nanos)>,
    /// Whether the right move was found, where one is known.
    pub is_solved: Option<bool>,
    /// Why there was no answer.
    pub failure: Option<String>,
}

/// A mean with the half of the interval that holds it in 95 of 100 cases; none where there was one
/// value.
#[derive(Clone, Copy, PartialEq, Debug)]
struct BenchMean {
    mean: f64,
    error: Option<f64>,
}

pub(super) struct BenchFigures {
    engines: Vec<String>,
    positions: usize,
    runs: Vec<Vec<Vec<Measured>>>,
}

impl BenchFigures {
    pub(super) fn new(engines: Vec<String>, positions: usize) -> BenchFigures {
        BenchFigures { engines, positions, runs: Vec::new() }
    }

    pub(super) fn begin(&mut self) {
        self.runs.push(vec![vec![Measured::default(); self.positions]; self.engines.len()]);
    }

    /// The last repetition was not finished.
    pub(super) fn forget_last(&mut self) {
        self.runs.pop();
    }

    pub(super) fn add(&mut self, engine: usize, position: usize, measured: Measured) {
        if let Some(run) = self.runs.last_mut() {
            run[engine][position] = measured;
        }
    }

    pub(super) fn has_failures(&self) -> bool {
        self.runs.iter().flatten().flatten().any(|measured| measured.failure.is_some())
    }

    /// Nodes a second over the suite, in each repetition; none if nodes are not counted.
    fn speeds(&self, engine: usize) -> Option<Vec<f64>> {
        let speed = |run: &Vec<Vec<Measured>>| {
            let nodes: u64 = run[engine].iter().map(|measured| measured.nodes).sum();
            let nanos: u64 = run[engine].iter().map(|measured| measured.nanos).sum();
            (nodes > 0 && nanos > 0).then(|| nodes as f64 * 1e9 / nanos as f64)
        };
        self.runs.iter().map(speed).collect()
    }

    /// The depth that all engines reached in all repetitions, for each position; 0 is none.
    fn common_depths(&self) -> Vec<u32> {
        let depth = |measured: &Measured| measured.depths.last().map_or(0, |last| last.0);
        let at = |place: usize| {
            self.runs.iter().flatten().map(|engine| depth(&engine[place])).min().unwrap_or(0)
        };
        (0..self.positions).map(at).collect()
    }

    /// The seconds to these depths over the suite, in each repetition; none if there is no depth.
    fn depth_times(&self, engine: usize, depths: &[u32]) -> Option<Vec<f64>> {
        if depths.iter().all(|depth| *depth == 0) {
            return None;
        }
        let time = |measured: &Measured, depth: u32| {
            let reached = measured.depths.iter().find(|reached| reached.0 >= depth);
            reached.filter(|_| depth > 0).map_or(0.0, |reached| reached.1 as f64 / 1e9)
        };
        let sum = |run: &Vec<Vec<Measured>>| {
            run[engine].iter().zip(depths).map(|(measured, depth)| time(measured, *depth)).sum()
        };
        Some(self.runs.iter().map(sum).collect())
    }

    /// How many positions were solved, on average, and of how many.
    fn solved(&self, engine: usize) -> (f64, usize) {
        let answers = |run: &Vec<Vec<Measured>>| -> Vec<bool> {
            run[engine].iter().filter_map(|measured| measured.is_solved).collect()
        };
        let all: Vec<bool> = self.runs.iter().flat_map(answers).collect();
        let (solved, runs) = (all.iter().filter(|solved| **solved).count(), self.runs.len().max(1));
        (solved as f64 / runs as f64, all.len() / runs)
    }

    fn failures(&self, engine: usize) -> Vec<&str> {
        let all = self.runs.iter().flat_map(|run| &run[engine]);
        all.filter_map(|measured| measured.failure.as_deref()).collect()
    }

    pub(super) fn print(&self, as_json: bool) -> anyhow::Result<()> {
        report::show(as_json, || self.json(), || self.text())
    }

    fn json(&self) -> Value {
        let depths = self.common_depths();
        let engine = |index: usize| {
            let (solved, of) = self.solved(index);
            let told = |series: Option<Vec<f64>>| estimate(&series?).map(BenchMean::json);
            json!({
                "engine": self.engines[index],
                "nodes_per_second": told(self.speeds(index)),
                "seconds_to_depth": told(self.depth_times(index, &depths)),
                "solved": solved,
                "of": of,
                "failures": self.failures(index),
            })
        };
        let compared = |index: usize| {
            let ratio = |estimate: Option<BenchMean>| estimate.map(BenchMean::json);
            json!({
                "engine": self.engines[index],
                "with": self.engines[0],
                "speed": ratio(self.speed_ratio(index)),
                "time_to_depth": ratio(self.time_ratio(index, &depths)),
            })
        };
        json!({
            "positions": self.positions,
            "repetitions": self.runs.len(),
            "depths": depths,
            "engines": (0..self.engines.len()).map(engine).collect::<Vec<_>>(),
            "comparisons": (1..self.engines.len()).map(compared).collect::<Vec<_>>(),
        })
    }

    /// How many times as fast it is as the first engine.
    fn speed_ratio(&self, index: usize) -> Option<BenchMean> {
        ratio(&self.speeds(index)?, &self.speeds(0)?)
    }

    /// How many times as long it takes to the same depths as the first engine.
    fn time_ratio(&self, index: usize, depths: &[u32]) -> Option<BenchMean> {
        ratio(&self.depth_times(index, depths)?, &self.depth_times(0, depths)?)
    }

    fn text(&self) -> String {
        let depths = self.common_depths();
        let mut table = report::table(["Engine", "Nodes/s", "Time to depth", "Solved"]);
        for (index, engine) in self.engines.iter().enumerate() {
            let speed = self.speeds(index).and_then(|speeds| estimate(&speeds));
            let time = self.depth_times(index, &depths).and_then(|times| estimate(&times));
            let (solved, of) = self.solved(index);
            table.add_row([
                engine.clone(),
                speed.map_or("–".to_owned(), |speed| speed.text(|value| count(value as u64))),
                time.map_or("–".to_owned(), |time| time.text(|value| format!("{value:.3} s"))),
                format!("{solved:.1} of {of}"),
            ]);
        }
        let (runs, positions) = (self.runs.len(), self.positions);
        let depth = depths.iter().sum::<u32>() as f64 / depths.len().max(1) as f64;
        let mut text = format!(
            "{table}\n\n{positions} positions, {runs} times; ± is the 95 % interval of the mean; \
             the depth is the one that all reached, {depth:.1} plies on average\n"
        );
        for index in 1..self.engines.len() {
            let (engine, first) = (&self.engines[index], &self.engines[0]);
            let told = |ratio: BenchMean| ratio.text(|value| format!("{value:.3}"));
            if let Some(speed) = self.speed_ratio(index) {
                let verdict = speed.verdict("faster", "slower");
                text += &format!(
                    "{engine} has {} times the nodes/s of {first}{verdict}\n",
                    told(speed)
                );
            }
            if let Some(time) = self.time_ratio(index, &depths) {
                let verdict = time.verdict("slower", "faster");
                text += &format!(
                    "{engine} takes {} times the time of {first} to the same depths{verdict}\n",
                    told(time)
                );
            }
        }
        for index in 0..self.engines.len() {
            if let Some(first) = self.failures(index).first() {
                let failures = self.failures(index).len();
                text +=
                    &format!("{}: {failures} failures; the first: {first}\n", self.engines[index]);
            }
        }
        text
    }
}

impl BenchMean {
    fn json(self) -> Value {
        json!({ "mean": self.mean, "error": self.error })
    }

    fn text(self, show: impl Fn(f64) -> String) -> String {
        let mean = show(self.mean);
        self.error.map_or(mean.clone(), |error| format!("{mean} ± {}", show(error)))
    }

    /// Whether a ratio is another than 1 beyond its error.
    fn verdict(self, above: &str, below: &str) -> String {
        match self.error {
            None => "; repeat it to estimate the error".to_owned(),
            Some(error) if self.mean - error > 1.0 => format!(": {above}"),
            Some(error) if self.mean + error < 1.0 => format!(": {below}"),
            Some(_) => ": no difference is shown".to_owned(),
        }
    }
}

/// The quotients of two series, repetition by repetition: what slows the machine down for a while
/// slows both.
fn ratio(one: &[f64], other: &[f64]) -> Option<BenchMean> {
    if one.iter().chain(other).any(|value| *value <= 0.0) {
        return None;
    }
    let quotients: Vec<f64> =
        one.iter().zip(other).map(|(one, other)| (one / other).ln()).collect();
    let BenchMean { mean, error } = estimate(&quotients)?;
    Some(BenchMean { mean: mean.exp(), error: error.map(|error| mean.exp() * (error.exp() - 1.0)) })
}

/// The mean of a series and its error.
fn estimate(values: &[f64]) -> Option<BenchMean> {
    let number = values.len() as f64;
    if values.is_empty() {
        return None;
    }
    let mean = values.iter().sum::<f64>() / number;
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let error = (values.len() > 1)
        .then(|| student(values.len() - 1) * (squares / (number - 1.0) / number).sqrt());
    Some(BenchMean { mean, error })
}

/// The 97.5 % quantile of Student's distribution with so many degrees of freedom.
fn student(freedom: usize) -> f64 {
    const FIRST: [f64; 10] =
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    // Cornish and Fisher's expansion; beyond ten it is right to three digits.
    const NORMAL: f64 = 1.959_964;
    match FIRST.get(freedom.wrapping_sub(1)) {
        Some(quantile) => *quantile,
        None => NORMAL + (NORMAL.powi(3) + NORMAL) / (4.0 * freedom as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(nodes: u64, nanos: u64, depths: &[(u32, u64)], solved: bool) -> Measured {
        let (depths, is_solved) = (depths.to_vec(), Some(solved));
        Measured { nodes, nanos, depths, is_solved, failure: None }
    }

    #[test]
    fn errors_are_those_of_student() {
        let BenchMean { mean, error } = estimate(&[1.0, 2.0, 3.0, 4.0, 5.0]).unwrap();
        assert_eq!(mean, 3.0);
        // The deviation is 1.5811, its root of five 0.7071.
        assert!((error.unwrap() - 2.776 * std::f64::consts::FRAC_1_SQRT_2).abs() < 1e-4);
        assert_eq!(estimate(&[7.0]), Some(BenchMean { mean: 7.0, error: None }));
        assert_eq!(estimate(&[]), None);
        assert!((student(30) - 2.042).abs() < 0.003 && (student(1000) - 1.962).abs() < 0.001);
    }

    #[test]
    fn builds_are_compared_repetition_by_repetition() {
        let mut figures = BenchFigures::new(vec!["old".to_owned(), "new".to_owned()], 1);
        // The machine is twice as slow the second time, for both.
        for slow in [1, 2, 1] {
            figures.begin();
            let second = 1_000_000_000 * slow;
            figures.add(
                0,
                0,
                measured(1000, second, &[(1, 1), (2, second / 2), (3, second)], true),
            );
            figures.add(1, 0, measured(1500, second, &[(1, 1), (2, second / 4)], false));
        }
        let speed = figures.speed_ratio(1).unwrap();
        assert!((speed.mean - 1.5).abs() < 1e-9 && speed.error.unwrap() < 1e-9, "{speed:?}");
        let depths = figures.common_depths();
        assert_eq!(depths, [2], "the depth that both reached");
        let time = figures.time_ratio(1, &depths).unwrap();
        assert!((time.mean - 0.5).abs() < 1e-9, "{time:?}");
        assert_eq!((figures.solved(0), figures.solved(1)), ((1.0, 1), (0.0, 1)));
        let text = figures.text();
        assert!(text.contains("new has 1.500 ± 0.000 times the nodes/s of old: faster"), "{text}");
        figures.begin();
        figures.forget_last();
        assert_eq!(figures.runs.len(), 3);
    }

    #[test]
    fn engines_that_count_nothing_have_no_speed() {
        let mut figures = BenchFigures::new(vec!["mute".to_owned()], 1);
        figures.begin();
        figures.add(0, 0, measured(0, 5, &[], true));
        assert_eq!(figures.speeds(0), None);
        assert_eq!(figures.depth_times(0, &figures.common_depths()), None);
        assert!(figures.text().contains('–'));
    }
}
