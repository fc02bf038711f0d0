//! `tengen bench`: how fast engines search, and what they find, on a fixed suite of positions.

mod figures;
mod suite;

use std::sync::{Arc, Mutex};
use std::time::Instant;

use anyhow::{anyhow, bail};
use clap::Args as ClapArgs;
use tengen_arbiter::{Action, Nanos, TimeControl};
use tengen_hosts::{GameVariant, Interrupt};
use tengen_lineup::{LoneEngine, lock};
use tengen_players::{Listener, SearchProgress, Subscription};
use tengen_rules::{Answer, Move, Procedure, Rule};

use crate::lone_engine::{LoneEngineArgs, SearchLimitArgs};
use crate::report::tell;
use crate::{CommandOutcome, WrongUse, stop};
use figures::{BenchFigures, Measured};
use suite::SuitePosition;

/// How long an engine thinks about a position where nothing else is said.
const USUAL: Nanos = 200_000_000;

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// The engines: ids, paths, or builtin:NAME; each is compared with the first
    #[arg(value_name = "ENGINE", required = true)]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub limits: SearchLimitArgs,
    /// How often the suite is repeated
    ///
    /// The error is estimated from the differences between the repetitions.
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// Only the positions of this rule: freestyle, standard, renju or caro
    #[arg(long)]
    pub rule: Option<Rule>,
    #[command(flatten)]
    pub seat: LoneEngineArgs,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

/// Notes when each depth was first reported.
#[derive(Debug)]
struct DepthTimes {
    since: Instant,
    reached: Mutex<Vec<(u32, Nanos)>>,
}

impl Listener for DepthTimes {
    fn progress(&self, progress: SearchProgress) {
        let at = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(u64::MAX);
        let mut reached = lock(&self.reached);
        if progress.line <= 1 && reached.last().is_none_or(|last| last.0 < progress.info.depth) {
            reached.push((progress.info.depth, at));
        }
    }

    fn message(&self, _: &str) {}
}

pub(crate) fn bench(args: &BenchArgs) -> anyhow::Result<CommandOutcome> {
    let control = args.limits.control(USUAL);
    let mut positions = suite::read();
    positions.retain(|position| args.rule.is_none_or(|rule| rule == position.rule));
    let start = |engine: &String| EngineBench::start(engine, args, &positions);
    let mut benches = args.engines.iter().map(start).collect::<anyhow::Result<Vec<_>>>()?;
    let engines = benches.iter().flat_map(|bench| &bench.engines);
    let interrupts: Vec<_> = engines.map(|(_, engine)| engine.settings.interrupt.clone()).collect();
    let raised = interrupts.clone();
    stop::on_interrupt(move || raised.iter().for_each(Interrupt::raise))?;
    let is_interrupted = || interrupts.iter().any(Interrupt::is_raised);
    // Figures are of positions that all of them play.
    positions.retain(|position| benches.iter().all(|bench| bench.plays(position.rule)));
    if positions.is_empty() {
        let problem = "the engines have no rule in common on 15x15; try one at a time";
        bail!(WrongUse(anyhow!("{problem}")));
    }
    let mut figures = BenchFigures::new(args.engines.clone(), positions.len());
    let mut order: Vec<usize> = (0..benches.len()).collect();
    // Caches warm up, and tables are made, before anything is measured.
    for bench in &mut benches {
        bench.ask(&positions[0], control)?;
    }
    'runs: for _ in 0..args.repeat {
        figures.begin();
        for &index in &order {
            for (place, position) in positions.iter().enumerate() {
                let measured = benches[index].ask(position, control);
                if is_interrupted() {
                    figures.forget_last();
                    break 'runs;
                }
                figures.add(index, place, measured?);
            }
        }
        // Whatever the machine does meanwhile is to hit neither of them more often.
        order.reverse();
    }
    figures.print(args.json)?;
    let has_failed = figures.has_failures();
    Ok(match is_interrupted() {
        true => CommandOutcome::Interrupted,
        false if has_failed => CommandOutcome::Failed,
        false => CommandOutcome::Done,
    })
}

/// An engine that is measured: a process for each rule that it plays.
struct EngineBench {
    id: String,
    engines: Vec<(Rule, LoneEngine)>,
}

impl EngineBench {
    fn start(
        engine: &str,
        args: &BenchArgs,
        positions: &[SuitePosition],
    ) -> anyhow::Result<EngineBench> {
        let spec = args.seat.find(engine)?;
        let (mut engines, mut refused) = (Vec::new(), None);
        for rule in Rule::ALL {
            if !positions.iter().any(|position| position.rule == rule) {
                continue;
            }
            match LoneEngine::start(spec.clone(), &variant(rule)) {
                Ok(engine) => engines.push((rule, engine)),
                Err(error) if error.is::<WrongUse>() => {
                    tell(format_args!("tengen: left out: {error:#}"));
                    refused = Some(error);
                }
                Err(error) => return Err(error),
            }
        }
        match refused.filter(|_| engines.is_empty()) {
            Some(error) => Err(error),
            None => Ok(EngineBench { id: engine.to_owned(), engines }),
        }
    }

    fn plays(&self, rule: Rule) -> bool {
        self.engines.iter().any(|(known, _)| *known == rule)
    }

    /// Lets it think about a position.
    fn ask(&mut self, position: &SuitePosition, control: TimeControl) -> anyhow::Result<Measured> {
        let engine = self.engines.iter_mut().find(|(rule, _)| *rule == position.rule);
        let Some((_, engine)) = engine else {
            bail!("{}: does not play {}", self.id, position.rule)
        };
        engine.get_ready(variant(position.rule), &position.moves, control)?;
        let heard = Arc::new(DepthTimes { since: Instant::now(), reached: Mutex::default() });
        let listener: Arc<dyn Listener> = Arc::clone(&heard) as Arc<dyn Listener>;
        let watch = Some(Subscription { listener: &listener, lines: 1 });
        let reply = engine.choose(&position.moves, control, watch);
        let depths = std::mem::take(&mut *lock(&heard.reached));
        let failure = match &reply.outcome {
            Ok(Some(_)) => None,
            Ok(None) => Some("no answer in time".to_owned()),
            Err(fault) => Some(fault.detail.clone()),
        };
        let is_solved = matches!(
            reply.outcome,
            Ok(Some(Action::Answer(Answer::Move(Move::Stone(point))))) if position.is_right(point)
        );
        Ok(Measured {
            nodes: reply.info.map_or(0, |info| info.nodes),
            nanos: reply.answered_at.saturating_sub(reply.asked_at),
            depths,
            is_solved: position.has_answer().then_some(is_solved),
            failure: failure.map(|failure| format!("{}: {failure}", position.name)),
        })
    }
}

fn variant(rule: Rule) -> GameVariant {
    GameVariant { rule, size: tengen_rules::Size::STANDARD, opening: Procedure::None }
}
