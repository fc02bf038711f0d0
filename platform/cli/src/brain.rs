//! `tengen brain`: runs an engine as a Gomocup engine on standard input and output.

mod progress_forwarder;
mod thinker;

use std::io;

use anyhow::anyhow;
use clap::Args as ClapArgs;
use tengen_brain::{BrainServer, ServeEnd, StopHandle};
use tengen_gomocup::About;
use tengen_hosts::{EngineSpec, HostError, HostSettings, Interrupt, MoveNow, Probe, probe};

use crate::flags::{FolderArgs, HostingArgs};
use crate::{CommandOutcome, WrongUse, stop};
use thinker::HostedThinker;

#[derive(Debug, ClapArgs)]
pub(crate) struct BrainArgs {
    /// The engine: its id, its path, or builtin:NAME
    pub engine: String,
    #[command(flatten)]
    pub folder: FolderArgs,
    #[command(flatten)]
    pub hosting: HostingArgs,
}

pub(crate) fn brain(args: &BrainArgs) -> anyhow::Result<CommandOutcome> {
    let spec = args.folder.find(&args.engine)?;
    serve(args.hosting.over(spec)?, &args.hosting)
}

/// Serves the manager at the other end of standard input and output.
fn serve(spec: EngineSpec, hosting: &HostingArgs) -> anyhow::Result<CommandOutcome> {
    let move_now = MoveNow::new();
    let settings = HostSettings { move_now: Some(move_now.clone()), ..hosting.settings()? };
    // One that fails is tried again at every START, and the manager is told why.
    let probe = match probe(&spec, &settings) {
        Ok(probe) => Some(probe),
        Err(error @ HostError::Failed { .. }) => {
            log::error!("{error}");
            None
        }
        Err(error) => return Err(WrongUse(error.into()).into()),
    };
    let server = BrainServer::new(about(&spec, probe.as_ref()));
    let server = match hosting.reserve {
        Some(reserve) => server.with_reserve(std::time::Duration::from_nanos(reserve.0)),
        None => server,
    };
    let handle = server.handle();
    stop::on_interrupt(move || handle.stop())?;
    let stop_handle = EngineStopHandle { move_now, interrupt: settings.interrupt.clone() };
    let make = move || HostedThinker::new(spec, probe, settings);
    let end = server.serve(make, &stop_handle, io::stdin(), io::stdout().lock());
    match end {
        ServeEnd::Ended => Ok(CommandOutcome::Done),
        ServeEnd::Interrupted => Ok(CommandOutcome::Interrupted),
        ServeEnd::Flooded => {
            Err(anyhow!("the manager sent too much without waiting for an answer"))
        }
    }
}

/// The engine's own description.
fn about(spec: &EngineSpec, probe: Option<&Probe>) -> About {
    let description = probe.map(|probe| probe.description.clone()).unwrap_or_default();
    About {
        name: spec.name.clone().or(description.name).or_else(|| Some(spec.id.clone())),
        version: description.version,
        author: description.author,
        ..About::default()
    }
}

struct EngineStopHandle {
    move_now: MoveNow,
    interrupt: Interrupt,
}

impl StopHandle for EngineStopHandle {
    fn reset(&self) {
        self.move_now.reset();
    }

    fn stop(&self) {
        self.move_now.request();
    }

    fn kill(&self) {
        self.interrupt.raise();
    }
}
