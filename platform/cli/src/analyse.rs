//! `tengen analyse`: what an engine thinks of a position, line by line as it says it.

mod position;
mod search_lines;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use anyhow::anyhow;
use clap::Args as ClapArgs;
use tengen_arbiter::Action;
use tengen_lineup::LoneEngine;
use tengen_players::{Listener, Reply, SearchProgress, Subscription};
use tengen_rules::{Answer, Move};

use crate::lone_engine::{LoneEngineArgs, SearchLimitArgs};
use crate::{CommandOutcome, report, stop};
use position::PositionArgs;
use search_lines::SearchLines;
pub(crate) use search_lines::{count, value};

/// How long an engine thinks where nothing else is said.
const USUAL: u64 = 10_000_000_000;

#[derive(Debug, ClapArgs)]
pub(crate) struct AnalyseArgs {
    /// The engine: its id, its path, or builtin:NAME
    pub engine: String,
    #[command(flatten)]
    pub position: PositionArgs,
    #[command(flatten)]
    pub limits: SearchLimitArgs,
    /// How many best lines to show, if the engine can
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=32))]
    pub lines: u32,
    #[command(flatten)]
    pub seat: LoneEngineArgs,
    /// Print JSON objects, one per line, as they come
    #[arg(long)]
    pub json: bool,
}

enum SearchEvent {
    Progress(SearchProgress),
    Message(String),
    /// It is over.
    End,
}

/// Passes on what an engine says.
#[derive(Debug)]
struct Relay {
    says: mpsc::Sender<SearchEvent>,
    /// When it was asked, where it does not tell its time.
    since: Instant,
}

impl Listener for Relay {
    fn progress(&self, mut progress: SearchProgress) {
        if progress.elapsed == 0 {
            progress.elapsed = u64::try_from(self.since.elapsed().as_nanos()).unwrap_or(0);
        }
        let _nobody_reads = self.says.send(SearchEvent::Progress(progress));
    }

    fn message(&self, text: &str) {
        let _nobody_reads = self.says.send(SearchEvent::Message(text.to_owned()));
    }
}

pub(crate) fn analyse(args: &AnalyseArgs) -> anyhow::Result<CommandOutcome> {
    let asked = args.position.read()?;
    let spec = args.seat.find(&args.engine)?;
    let mut engine = LoneEngine::start(spec, &asked.variant)?;
    let (hurry, has_stopped) = (engine.hurry(), Arc::new(AtomicBool::new(false)));
    let flag = Arc::clone(&has_stopped);
    stop::on_interrupt(move || {
        flag.store(true, Ordering::SeqCst);
        hurry();
    })?;
    let mut lines = SearchLines::new(&engine.spec.id, args.json, args.lines);
    lines.begin(&asked)?;
    let control = args.limits.control(USUAL);
    engine.get_ready(asked.variant, &asked.moves, control)?;
    let (says, hears) = mpsc::channel();
    let relay = Relay { says: says.clone(), since: Instant::now() };
    let listener: Arc<dyn Listener> = Arc::new(relay);
    let interrupt = engine.settings.interrupt.clone();
    let (reply, printed) = thread::scope(|scope| {
        let lines = &mut lines;
        let printer = scope.spawn(move || {
            let printed = print(lines, &hears);
            // Without a reader the search need not go on.
            if printed.is_err() {
                interrupt.raise();
            }
            printed
        });
        let watch = Some(Subscription { listener: &listener, lines: args.lines });
        let reply = engine.choose(&asked.moves, control, watch);
        let _has_ended = says.send(SearchEvent::End);
        (reply, printer.join())
    });
    printed.map_err(|_| anyhow!("the thread that prints failed"))??;
    let has_stopped = has_stopped.load(Ordering::SeqCst);
    conclude(&mut lines, &engine.spec.id, reply, has_stopped)
}

fn print(lines: &mut SearchLines, hears: &mpsc::Receiver<SearchEvent>) -> anyhow::Result<()> {
    for heard in hears {
        match heard {
            SearchEvent::Progress(progress) => lines.progress(&progress)?,
            SearchEvent::Message(text) => lines.message(&text)?,
            SearchEvent::End => break,
        }
    }
    Ok(())
}

fn conclude(
    lines: &mut SearchLines,
    engine: &str,
    reply: Reply,
    has_stopped: bool,
) -> anyhow::Result<CommandOutcome> {
    let outcome = if has_stopped { CommandOutcome::Interrupted } else { CommandOutcome::Done };
    match &reply.outcome {
        Ok(Some(action)) => {
            lines.answer(&said(action), &reply)?;
            Ok(outcome)
        }
        Ok(None) | Err(_) if has_stopped => Ok(outcome),
        Ok(None) => {
            let why = "did not answer within five seconds after its time, and was stopped";
            report::tell(format_args!("tengen: {engine}: {why}"));
            Ok(CommandOutcome::Failed)
        }
        Err(fault) => {
            report::tell(format_args!("tengen: {engine}: {}", fault.detail));
            Ok(CommandOutcome::Failed)
        }
    }
}

/// An action in a word.
pub(crate) fn said(action: &Action) -> String {
    match action {
        Action::Answer(Answer::Move(Move::Stone(point))) => point.to_string(),
        Action::Answer(Answer::Move(Move::Pass)) => "pass".to_owned(),
        Action::Answer(_) => "something other than a move".to_owned(),
        Action::Resign => "resign".to_owned(),
        Action::Claim => "claim".to_owned(),
        Action::OfferDraw => "offer a draw".to_owned(),
        Action::AcceptDraw => "accept the draw".to_owned(),
    }
}
