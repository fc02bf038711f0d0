//! `tengen tournament resume`: an event that was stopped goes on.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;
use tengen_lineup::{EngineLogs, EngineRoster, SERVE, refuse_remote};
use tengen_tournament::Event;

use super::play::{Wishes, play};
use super::refuse_contradictions;
use crate::flags::{Outputs, WorkersArgs};
use crate::outcome::{event_error, wrong_use};
use crate::serve::LiveArgs;
use crate::{CommandOutcome, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct ResumeArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The folder with the engines, if they have been moved
    ///
    /// Each is found by its name, or by the contents of its file.
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Games played at the same time [default: as in the event]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Repair a damaged event first
    ///
    /// Every intact game is kept, and the others are played again.
    #[arg(long)]
    pub repair: bool,
    /// Let each engine that appears in this folder join
    ///
    /// When every game is finished, the event waits for more engines until it is stopped.
    #[arg(long, value_name = "DIR")]
    pub watch: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub live: LiveArgs,
    #[command(flatten)]
    pub workers: WorkersArgs,
    /// Print one JSON object when done
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn resume(args: &ResumeArgs) -> anyhow::Result<CommandOutcome> {
    #[cfg(feature = "workers")]
    args.workers.check(&args.outputs, false)?;
    let listener = args.live.listen()?;
    if args.repair
        && let Some(repaired) = Event::repair(&args.event).map_err(event_error)?
    {
        report::tell(format_args!("tengen: {repaired}"));
    }
    refuse_contradictions(args.json, &args.outputs)?;
    let mut event = Event::open(&args.event).map_err(event_error)?;
    if let Some(concurrency) = args.concurrency {
        event.set_concurrency(concurrency).map_err(event_error)?;
    }
    if args.watch.is_some() {
        event.config().check_open("watch").map_err(wrong_use)?;
    }
    if listener.is_none() {
        refuse_remote(event.config(), SERVE)?;
    }
    let roster = EngineRoster::gather(event.config(), args.dir.as_deref())?;
    let logs = args.outputs.game_logs();
    let kept = EngineLogs {
        event: args.outputs.begin(&event.known_exports())?,
        messages: None,
        games: Some(Arc::clone(&logs)),
    };
    let mut roster = roster.logged(kept, event.config());
    args.outputs.export(&mut event)?;
    let (watch, outputs) = (args.watch.as_deref(), &args.outputs);
    let (json, workers) = (args.json, &args.workers);
    play(event, &mut roster, &Wishes { json, outputs, watch, logs, workers }, listener, None)
}
