//! The results of an event: standings, terminations, tests.

mod columns;
mod spoiled;
mod workers;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::{Serialize, Serializer};
use tengen_arbiter::Termination;
use tengen_stats::{
    Elo, Pentanomial, Spread, Sprt, SprtDecision, SprtModel, WinDrawLoss, performance,
};

use crate::{Change, EventConfig, IncidentGroup, SetAside, StageSummary, Tally};

pub use columns::{StandingCell, StandingColumn};
pub use spoiled::{SpoiledGames, SpoiledLoser};
pub(crate) use workers::WorkerResults;
pub use workers::WorkerSummary;

/// The results of an event so far: the one JSON object that every command prints, and the cross
/// table beside it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// What the event is called, if that is not the name of its folder, and where and when it is
    /// played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub occasion: String,
    /// The games that count.
    pub games: u64,
    /// The engines, best first: by points, then by fewer games, then in the event's order.
    pub standings: Vec<Standing>,
    /// How the games ended, in the order of reports.
    #[serde(serialize_with = "by_name")]
    pub terminations: BTreeMap<Termination, u64>,
    pub spoiled: SpoiledGames,
    /// The games that were lost by a fault, spoiled, void or played again, those that are alike
    /// together; none where they were not looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<IncidentGroup>,
    /// What each worker of another process played; none where that was not looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub workers: Vec<WorkerSummary>,
    /// How many of them are evidence.
    pub repeated: RepeatedGames,
    /// The engines that did not start or cannot play such games, and so play none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// The engines that were removed after the event began, and play no more games.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub removed: Vec<SetAside>,
    /// What was changed since the event was made; none where that was not looked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changes: Vec<Change>,
    /// How much of the engines' time was the way to them and back; none if it was not looked at, or
    /// no engine reported its own time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// What the pairs of games of a match of two engines say of the first; none without pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pairs: Option<PairStats>,
    /// How the test stands, where the event is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<TestState>,
    /// How the tests stand, where the event is several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tests: Vec<PairTest>,
    /// How the stages stand, where rounds are drawn as the event goes on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageSummary>,
    /// Warnings from before the games began.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    pub dir: PathBuf,
    /// What each engine of the standings made against each, both in the order of the standings.
    #[serde(skip)]
    pub cross_table: Vec<Vec<WinDrawLoss>>,
}

/// What the pairs of games of a match say of its first engine.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairStats {
    pub engine: String,
    /// How many pairs gave it 0, ½, 1, 1½ and 2 points, each counted once.
    pub counts: [u64; 5],
    /// How many more were played that repeat a game of a pair with a lower number.
    pub repeated: u64,
    /// The normalized Elo difference; none when it is infinite.
    pub nelo: Option<f64>,
    /// The lower end of its 95 % interval; none where that is open.
    pub nelo_low: Option<f64>,
    /// The upper end.
    pub nelo_high: Option<f64>,
    /// Half of its 95 % interval as fastchess prints it; none when that is unknown or infinite.
    pub nelo_error: Option<f64>,
    /// The likelihood of superiority, 0 to 1.
    pub los: f64,
    /// The share of pairs that gave each engine one point, 0 to 1.
    pub draw_ratio: f64,
    /// Pairs won over pairs lost; none when no pair was lost.
    pub pairs_ratio: Option<f64>,
    /// The normalized Elo difference as it is shown to people, infinite ones included.
    #[serde(skip)]
    pub normalized: Elo,
}

impl PairStats {
    /// The figures of the pairs of two engines; none without any.
    fn of(engine: &str, tally: &Tally) -> Option<PairStats> {
        let (pairs, played) = (tally.pairs(0, 1), tally.played_pairs(0, 1));
        let sample = pairs.sample()?;
        let normalized = sample.normalized_elo();
        Some(PairStats {
            engine: engine.to_owned(),
            counts: pairs.counts,
            repeated: (played - pairs).pairs(),
            nelo: normalized.finite(),
            nelo_low: Some(normalized.bounds().0).filter(|end| end.is_finite()),
            nelo_high: Some(normalized.bounds().1).filter(|end| end.is_finite()),
            nelo_error: normalized.error(),
            los: sample.los(),
            draw_ratio: pairs.draw_ratio()?,
            pairs_ratio: pairs.pairs_ratio(),
            normalized,
        })
    }
}

/// A sequential test of one engine against another, of several.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairTest {
    pub engine: String,
    /// The one that it is tested against.
    pub against: String,
    /// How the test stands.
    #[serde(flatten)]
    pub test: TestState,
}

/// How a sequential test of the first engine against the second stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TestState {
    /// The Elo difference of the hypothesis H0.
    pub elo0: f64,
    /// That of H1.
    pub elo1: f64,
    /// The pairs that it counts, each once.
    pub pairs: u64,
    /// The finished pairs.
    pub played_pairs: u64,
    /// The logarithm of the likelihood ratio of the pairs that it counts.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is.
    pub upper: f64,
    /// The scale of the two differences, `logistic` or `normalized`.
    #[serde(serialize_with = "scale")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub model: SprtModel,
    /// The hypothesis that is accepted, `H0` or `H1`; none while neither is.
    #[serde(serialize_with = "hypothesis")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub accepted: Option<SprtDecision>,
    /// Why it has ended and accepts neither: [`TestState::USED_UP`], or none.
    pub inconclusive: Option<&'static str>,
}

impl TestState {
    /// Why a test ends that finds no new evidence.
    pub const USED_UP: &'static str = "openings are used up";

    /// Without a book, a test checks after this many pairs whether new ones still come.
    const MANY: u64 = 50;

    /// How a test stands after these counted pairs and these played pairs. `has_openings` says
    /// whether there are positions that it has not played; none without a book.
    pub(crate) fn of(
        test: Sprt,
        counted: Pentanomial,
        played: Pentanomial,
        has_openings: Option<bool>,
    ) -> TestState {
        let (lower, upper) = test.bounds();
        let (pairs, played_pairs) = (counted.pairs(), played.pairs());
        // Without a book the engines make the positions, and only games that come again show that
        // there are no more.
        let is_used_up = match has_openings {
            None => played_pairs >= TestState::MANY && 5 * pairs < played_pairs,
            Some(has_openings) => !has_openings,
        };
        let accepted = test.verdict(counted, played);
        TestState {
            elo0: test.elo0,
            elo1: test.elo1,
            pairs,
            played_pairs,
            llr: test.llr(counted),
            lower,
            upper,
            model: test.model,
            accepted,
            inconclusive: (is_used_up && accepted.is_none()).then_some(TestState::USED_UP),
        }
    }

    /// Whether it needs no more pairs.
    pub fn is_over(&self) -> bool {
        self.accepted.is_some() || self.inconclusive.is_some()
    }
}

fn scale<S: Serializer>(model: &SprtModel, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(match model {
        SprtModel::Logistic => "logistic",
        SprtModel::Normalized => "normalized",
    })
}

fn hypothesis<S: Serializer>(accepted: &Option<SprtDecision>, to: S) -> Result<S::Ok, S::Error> {
    accepted.map(|accepted| format!("{accepted:?}")).serialize(to)
}

/// How many of an event's games are evidence: engines that always answer alike play the same game
/// from the same position. Points count what was played, and all other figures each game once.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RepeatedGames {
    /// The games that count.
    pub games: u64,
    /// Those of them that are evidence: games without one that is the same, of pairs without any.
    pub distinct: u64,
}

impl RepeatedGames {
    /// Those of a tally.
    pub fn of(tally: &Tally) -> RepeatedGames {
        let games = tally.counted();
        RepeatedGames { games, distinct: games.saturating_sub(tally.repeated()) }
    }

    /// The games that say nothing new.
    pub fn repeated(&self) -> u64 {
        self.games - self.distinct
    }
}

/// How long the way to an engine in its process and back took, in nanoseconds: the arbiter's time
/// less the engine's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Latency {
    /// The answers it is known of.
    pub answers: u64,
    /// Half of them took no longer.
    pub p50_ns: u64,
    /// All but a hundredth.
    pub p99_ns: u64,
    /// All but a thousandth.
    pub p999_ns: u64,
    /// The longest.
    pub max_ns: u64,
}

impl Latency {
    /// The latency of answers with this spread; none without answers.
    pub fn of(spread: &Spread) -> Option<Latency> {
        let quantile = |part| spread.quantile(part);
        Some(Latency {
            answers: spread.len(),
            p50_ns: quantile(0.5)?,
            p99_ns: quantile(0.99)?,
            p999_ns: quantile(0.999)?,
            max_ns: spread.max()?,
        })
    }
}

/// One engine's line.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// Its label: its id, with `#2` where it plays itself.
    pub engine: String,
    /// A win counts one, a draw one half.
    pub points: f64,
    pub wins: u64,
    pub draws: u64,
    pub losses: u64,
    /// The Elo difference to the field it met; none without games or with nothing but wins or
    /// losses.
    pub elo: Option<f64>,
    /// The lower end of its 95 % interval; none where that is open.
    pub elo_low: Option<f64>,
    /// The upper end.
    pub elo_high: Option<f64>,
    /// The ± that fastchess would print; none where it would be infinite.
    pub elo_error: Option<f64>,
    /// How many of its games count though the host spoiled them.
    pub spoiled: u64,
    /// The games it lost, by cause.
    #[serde(serialize_with = "by_name")]
    pub terminations: BTreeMap<Termination, u64>,
    /// Its place in the event's list of engines.
    #[serde(skip)]
    pub index: usize,
    /// The Elo difference as it is shown to people, infinite ones included.
    #[serde(skip)]
    pub performance: Option<Elo>,
}

impl Summary {
    /// Whether a test has ended without an answer.
    pub fn is_inconclusive(&self) -> bool {
        let mut tests = self.sprt.iter().chain(self.tests.iter().map(|test| &test.test));
        tests.any(|test| test.inconclusive.is_some())
    }

    /// The engine that leads: in the last stage if there are stages, otherwise by points. None
    /// before the first game.
    pub fn leader(&self) -> Option<&str> {
        let stage = self.stages.last().and_then(|stage| stage.tables.first()?.lines.first());
        let best = self.standings.first().map(|line| line.engine.as_str());
        stage.map(|line| line.engine.as_str()).or(best).filter(|_| self.games > 0)
    }

    /// The summary of these games, between engines of these labels.
    pub fn new(tally: &Tally, labels: &[String], dir: &Path) -> Summary {
        let standings = Summary::standings_of(tally, &SpoiledGames::default(), labels);
        let scores = tally.scores(labels.len());
        let against =
            |one: &Standing| standings.iter().map(|other| scores[one.index][other.index]).collect();
        Summary {
            title: None,
            occasion: String::new(),
            games: tally.counted(),
            cross_table: standings.iter().map(against).collect(),
            terminations: tally.terminations(),
            spoiled: SpoiledGames::default(),
            repeated: RepeatedGames::of(tally),
            incidents: Vec::new(),
            workers: Vec::new(),
            set_aside: Vec::new(),
            removed: Vec::new(),
            changes: Vec::new(),
            latency: Latency::of(tally.lags()),
            pairs: if labels.len() == 2 { PairStats::of(&labels[0], tally) } else { None },
            sprt: None,
            tests: Vec::new(),
            stages: Vec::new(),
            warnings: Vec::new(),
            dir: dir.to_owned(),
            standings,
        }
    }

    /// The summary of an event that has come so far.
    pub(crate) fn of_event(
        config: &EventConfig,
        tally: &Tally,
        spoiled: SpoiledGames,
        stages: Vec<StageSummary>,
        dir: &Path,
    ) -> Summary {
        let labels = config.labels();
        let mut summary = Summary::new(tally, &labels, dir);
        mark_spoiled(&mut summary.standings, &spoiled);
        let engines = labels.iter().zip(&config.engines);
        let removed = engines.filter_map(|(engine, entry)| {
            Some(SetAside { engine: engine.clone(), reason: entry.removed.clone()? })
        });
        Summary {
            title: config.title.clone(),
            occasion: config.occasion(),
            removed: removed.collect(),
            spoiled: spoiled.labelled(&labels),
            sprt: config.test_state(tally),
            tests: config.test_states(tally),
            set_aside: config.set_aside.clone(),
            stages,
            ..summary
        }
    }

    /// The standings alone; their cost does not grow with the square of the engines.
    pub fn standings_of(tally: &Tally, spoiled: &SpoiledGames, labels: &[String]) -> Vec<Standing> {
        let order = 0..labels.len();
        let mut standings: Vec<Standing> =
            order.map(|index| Standing::new(tally, labels, index)).collect();
        standings.sort_by_key(|line| {
            let half_points = 2 * line.wins + line.draws;
            (Reverse(half_points), line.games(), line.index)
        });
        mark_spoiled(&mut standings, spoiled);
        standings
    }
}

/// Notes how many of an engine's points come from games that the host spoiled.
fn mark_spoiled(standings: &mut [Standing], spoiled: &SpoiledGames) {
    for line in standings {
        line.spoiled = spoiled.engines.get(&line.index).copied().unwrap_or(0);
    }
}

impl Standing {
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    fn new(tally: &Tally, labels: &[String], index: usize) -> Standing {
        let score = tally.total(index);
        let (pairs, singles) = tally.pairs_and_singles(index);
        let performance = performance(pairs, singles);
        Standing {
            engine: labels[index].clone(),
            points: score.points(),
            wins: score.wins,
            draws: score.draws,
            losses: score.losses,
            elo: performance.and_then(Elo::finite),
            elo_low: performance.map(|elo| elo.bounds().0).filter(|end| end.is_finite()),
            elo_high: performance.map(|elo| elo.bounds().1).filter(|end| end.is_finite()),
            elo_error: performance.and_then(Elo::error),
            spoiled: 0,
            terminations: tally.losses_by_termination(index),
            index,
            performance,
        }
    }
}

fn by_name<S: Serializer>(
    terminations: &BTreeMap<Termination, u64>,
    to: S,
) -> Result<S::Ok, S::Error> {
    to.collect_map(terminations.iter().map(|(termination, count)| (termination.name(), count)))
}

#[cfg(test)]
mod tests;
