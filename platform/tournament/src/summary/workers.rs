//! The results of an event by the worker that played them.

use std::collections::BTreeMap;

use serde::Serialize;
use tengen_record::RecordWorker;
use tengen_stats::{WinDrawLoss, stratified};

/// The games that count of one worker.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct WorkerResults {
    pub worker: RecordWorker,
    /// The games of each two engines, the first seat's first: from its point of view.
    pub games: BTreeMap<[usize; 2], WinDrawLoss>,
}

/// What a worker of another process played of an event.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerSummary {
    /// Its name.
    pub worker: String,
    /// Its system and processor.
    pub machine: String,
    /// By how much it multiplied the times of the event.
    pub scale: f64,
    /// How many of its games count.
    pub games: u64,
    /// How many it spoiled, those included that were played again.
    pub spoiled: u64,
    /// The engine whose results on this worker fit those on the others least; none where there is
    /// nothing to compare with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<String>,
    /// The points that this engine made beyond those that it makes in such games elsewhere.
    pub surplus: f64,
    /// The chi² of its wins and losses, of two degrees of freedom.
    pub chi2: f64,
    /// How likely results as odd as these or odder are by chance, of any engine on any worker: the
    /// p-value of the [test](stratified), times the number of tests (Bonferroni), at most 1.
    pub p: f64,
}

impl WorkerSummary {
    /// Whether its results do not fit those of the others.
    pub fn is_suspicious(&self) -> bool {
        self.p < 0.001
    }

    /// The workers of an event, those of one name and machine by their scales. `spoiled` is how
    /// many games of each were spoiled.
    pub(crate) fn of(
        workers: &[WorkerResults],
        spoiled: &BTreeMap<RecordWorker, u64>,
        labels: &[String],
    ) -> Vec<WorkerSummary> {
        let mut all: BTreeMap<[usize; 2], WinDrawLoss> = BTreeMap::new();
        for (pairing, score) in workers.iter().flat_map(|one| &one.games) {
            *all.entry(*pairing).or_default() += *score;
        }
        // In a match of two, what one engine wins the other loses.
        let engines = if labels.len() == 2 { 1 } else { labels.len() };
        let tests = (engines * workers.len()) as f64;
        let summary = |results: &WorkerResults| {
            let WorkerResults { worker, games } = results;
            let fits = (0..engines).map(|engine| {
                let of_engine = games.iter().filter_map(|(pairing, score)| {
                    let all = all[pairing];
                    match pairing.iter().position(|seat| *seat == engine)? {
                        0 => Some((*score, all)),
                        _ => Some((score.reversed(), all.reversed())),
                    }
                });
                (engine, stratified(of_engine))
            });
            let odd = fits.min_by(|(_, one), (_, other)| one.p.total_cmp(&other.p));
            let odd = odd.filter(|(_, fit)| fit.p < 1.0);
            let fit = odd.map(|(_, fit)| fit).unwrap_or_default();
            WorkerSummary {
                worker: worker.name.clone(),
                machine: worker.machine.clone(),
                scale: worker.scale.factor(),
                games: games.values().map(|score| score.games()).sum(),
                spoiled: spoiled.get(worker).copied().unwrap_or_default(),
                engine: odd.map(|(engine, _)| labels[engine].clone()),
                surplus: fit.surplus,
                chi2: fit.chi2,
                p: if odd.is_some() { (fit.p * tests).min(1.0) } else { 1.0 },
            }
        };
        workers.iter().map(summary).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(name: &str, games: &[([usize; 2], [u64; 3])]) -> WorkerResults {
        let worker = RecordWorker { name: name.to_owned(), ..RecordWorker::default() };
        let score = |[wins, draws, losses]: [u64; 3]| WinDrawLoss { wins, draws, losses };
        let games = games.iter().map(|(pairing, counts)| (*pairing, score(*counts))).collect();
        WorkerResults { worker, games }
    }

    #[test]
    fn the_worker_and_the_engine_that_do_not_fit_are_named() {
        let usual = [([0, 1], [60, 0, 40]), ([1, 0], [40, 0, 60]), ([0, 2], [50, 0, 50])];
        // The engine with number 1 loses there whatever its seat is.
        let odd = [([0, 1], [95, 0, 5]), ([1, 0], [5, 0, 95]), ([0, 2], [50, 0, 50])];
        let workers = [results("one", &usual), results("two", &usual), results("three", &odd)];
        let labels = ["a", "b", "c"].map(str::to_owned);
        let spoiled = BTreeMap::from([(workers[0].worker.clone(), 3)]);
        let told = WorkerSummary::of(&workers, &spoiled, &labels);
        let three = told.iter().find(|one| one.worker == "three").unwrap();
        assert!(three.is_suspicious() && three.surplus < -20.0);
        assert_eq!(three.engine.as_deref(), Some("b"));
        assert_eq!((told[0].games, told[0].spoiled, told[1].spoiled), (300, 3, 0));
        let honest = [results("one", &usual), results("two", &usual)];
        let told = WorkerSummary::of(&honest, &BTreeMap::new(), &labels);
        assert!(told.iter().all(|one| !one.is_suspicious() && one.engine.is_none()));
    }
}
