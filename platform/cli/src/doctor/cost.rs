//! What each layer of the sandbox costs: engines are started, asked and played with all that there
//! are, and with all but one.

use std::thread;
use std::time::{Duration, Instant};

use anyhow::anyhow;
use serde::Serialize;
use tengen_hosts::{EngineSpec, HostSettings, player};
use tengen_stats::Spread;
use tengen_tournament::{Latency, allowed_cpus, bind_thread};

use super::measure;
use crate::report;

/// The layers whose cost is of interest, with what else goes with them.
const LAYERS: [(&str, &[&str]); 7] = [
    ("mount_ns", &["mount_ns"]),
    ("pid_ns", &["pid_ns"]),
    ("net_ns", &["net_ns"]),
    ("control groups", &["cgroup_memory", "cgroup_pids", "cgroup_cpu"]),
    ("own_user", &["own_user"]),
    ("landlock", &["landlock"]),
    ("seccomp", &["seccomp"]),
];
/// How long all of it may take, and how many rounds are enough.
const PATIENCE: Duration = Duration::from_millis(3000);
const ROUNDS: u32 = 30;
/// How often an engine is asked in a game.
const QUESTIONS: u32 = 30;
/// How often it is asked before, so that all of its code and memory has been used once.
const WARM_UP: u32 = 30;
/// The engine clears its table before every game; a small one, so that a game is about questions.
const SMALL_TABLE: (&str, &str) = ("Hash", "1");

/// What it takes with all layers but one, or with all of them.
#[derive(Debug, Serialize)]
pub(super) struct LayerCost {
    /// What was left out; nothing where that was none.
    without: Option<&'static str>,
    /// The start of an engine, the way of a question, and an engine's part of a game: getting ready
    /// and the questions. All are medians, in nanoseconds.
    start_ns: u64,
    question_ns: u64,
    game_ns: u64,
}

struct Case {
    without: Option<&'static str>,
    settings: HostSettings,
    start: Spread,
    question: Spread,
    game: Spread,
}

impl Case {
    fn new(without: Option<&'static str>, left_out: &[&str], settings: &HostSettings) -> Case {
        let left_out = left_out.iter().map(|layer| (*layer).to_owned()).collect();
        Case {
            without,
            settings: HostSettings { left_out, share_cpu: false, ..settings.clone() },
            start: Spread::default(),
            question: Spread::default(),
            game: Spread::default(),
        }
    }

    /// Starts an engine, then another that is played with on one CPU.
    fn round(&mut self, spec: &EngineSpec, cpu: Option<usize>) -> anyhow::Result<()> {
        let began = Instant::now();
        measure::begin(&mut *player(spec, &self.settings))?;
        self.start.add(measure::nanos(began.elapsed()));
        // The thread is bound until it ends.
        thread::scope(|scope| scope.spawn(|| self.play(spec, cpu)).join())
            .map_err(|_| anyhow!("the measuring thread failed"))?
    }

    /// Plays a game where the engine shares the CPU of this thread from its start. By itself a game
    /// shares it only once its engines have answered at once for a while, which is by chance.
    fn play(&mut self, spec: &EngineSpec, cpu: Option<usize>) -> anyhow::Result<()> {
        if let Some(cpu) = cpu {
            bind_thread(cpu)?;
        }
        let mut player = player(spec, &self.settings);
        measure::begin(&mut *player)?;
        for _ in 0..WARM_UP {
            measure::question(&mut *player)?;
        }
        let began = Instant::now();
        measure::begin(&mut *player)?;
        for _ in 0..QUESTIONS {
            self.question.extend(measure::question(&mut *player)?);
        }
        self.game.add(measure::nanos(began.elapsed()));
        Ok(())
    }

    fn cost(&self) -> Option<LayerCost> {
        let median = |spread: &Spread| Latency::of(spread).map(|latency| latency.p50_ns);
        Some(LayerCost {
            without: self.without,
            start_ns: median(&self.start)?,
            question_ns: median(&self.question)?,
            game_ns: median(&self.game)?,
        })
    }
}

/// Measures them in turn, so that what else the machine does falls on all alike. `held` are the
/// layers that there are.
pub(super) fn measure(
    spec: &EngineSpec,
    settings: &HostSettings,
    held: &[String],
) -> anyhow::Result<Vec<LayerCost>> {
    let is_held = |layers: &[&str]| held.iter().any(|held| layers.contains(&held.as_str()));
    let there: Vec<_> = LAYERS.into_iter().filter(|(_, layers)| is_held(layers)).collect();
    let all: Vec<_> = there.iter().flat_map(|(_, layers)| layers.iter().copied()).collect();
    let mut cases = vec![Case::new(None, &[], settings)];
    cases.extend(there.iter().map(|(name, layers)| Case::new(Some(*name), layers, settings)));
    cases.push(Case::new(Some("any of these"), &all, settings));
    let mut spec = spec.clone();
    spec.options.push((SMALL_TABLE.0.to_owned(), SMALL_TABLE.1.to_owned()));
    // None where the system does not tell: then it places both.
    let cpu = allowed_cpus().last().copied();
    let until = Instant::now() + PATIENCE;
    'rounds: for round in 0..ROUNDS {
        for case in &mut cases {
            if round > 0 && Instant::now() > until {
                break 'rounds;
            }
            case.round(&spec, cpu)?;
        }
    }
    Ok(cases.iter().filter_map(Case::cost).collect())
}

pub(super) fn text(costs: &[LayerCost]) -> String {
    if costs.is_empty() {
        return String::new();
    }
    let mut table = report::table(["layers of the sandbox", "start", "question", "game"]);
    for cost in costs {
        let what = cost.without.map_or("all".to_owned(), |without| format!("without {without}"));
        let spans = [cost.start_ns, cost.question_ns, cost.game_ns].map(report::span);
        table.add_row(std::iter::once(what).chain(spans));
    }
    format!(
        "\n{table}\n  Medians. A question is its way there and back, on one CPU; a game is an \
         engine's part\n  of it: to get ready, and {QUESTIONS} answers at once.\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_case_is_a_row() {
        assert_eq!(text(&[]), "");
        let cost = |without, start_ns| LayerCost { without, start_ns, question_ns: 5, game_ns: 9 };
        let told = text(&[cost(None, 12_000_000), cost(Some("seccomp"), 11_000_000)]);
        assert!(told.contains("all") && told.contains("without seccomp"), "{told}");
    }
}
