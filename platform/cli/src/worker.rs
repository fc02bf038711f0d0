//! `tengen worker`: plays games of events that run on other machines.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args as ClapArgs;
use tengen_players::RealTime;
use tengen_tournament::{Affinity, Stop};
use tengen_workers::{WorkerNews, WorkerOptions, work, worker_name};

use crate::doctor::measure_speed;
use crate::flags::NatsAccessArgs;
use crate::{CommandOutcome, args, report, stop};

#[derive(Debug, ClapArgs)]
pub(crate) struct WorkerArgs {
    /// The NATS server, as nats://HOST:4222 or tls://HOST
    ///
    /// A user is named before the host: nats://USER:PASSWORD@HOST.
    #[arg(long, value_name = "URL")]
    pub nats: String,
    /// Its name, which no other worker has [default: the machine's]
    ///
    /// The default has the number of the process, too.
    #[arg(long, value_name = "NAME")]
    pub name: Option<String>,
    /// Games played at the same time [default: one for each CPU]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// CPUs for the games: auto, none, or 0,2,4 [default: auto]
    #[arg(long, value_name = "auto|none|LIST", default_value = "auto", hide_default_value = true)]
    pub cpus: Affinity,
    /// Where it keeps engines [default: the user's cache]
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,
    /// Also play engines that the sandbox does not hold in every way
    ///
    /// Without this, an event with such an engine is refused: engines come from other machines.
    #[arg(long)]
    pub no_require_sandbox: bool,
    #[command(flatten)]
    pub access: NatsAccessArgs,
}

pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<CommandOutcome> {
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let options = WorkerOptions {
        nats: args.access.options(&args.nats),
        name: args.name.clone().unwrap_or_else(worker_name),
        tables: args.concurrency.unwrap_or(cpus).max(1),
        cpus: args.cpus.clone(),
        cache: args.cache.clone(),
        program: args::program(),
        speed: measure_speed()?,
        require_sandbox: !args.no_require_sandbox,
    };
    let asked = Arc::new(Stop::new());
    let requested = Arc::clone(&asked);
    stop::on_interrupt(move || requested.request())?;
    let name = options.name.clone();
    let tell = move |news| match news {
        WorkerNews::Connected => {
            report::tell(format_args!("tengen: worker {name} waits for games"));
        }
        WorkerNews::Joined { event } => {
            report::tell(format_args!("tengen: plays games of event {event}"));
        }
        WorkerNews::Left { event } => {
            report::tell(format_args!("tengen: event {event} has no games for it any more"));
        }
        WorkerNews::Refused { event, reason } => {
            report::tell(format_args!("tengen: does not play all of event {event}: {reason}"));
        }
        WorkerNews::Away => report::tell(format_args!(
            "tengen: the server does not answer; games go on, and are sent when it is back"
        )),
        WorkerNews::Back => report::tell(format_args!("tengen: the server is back")),
        WorkerNews::Played { jobs } => log::info!("{jobs} jobs are played"),
    };
    work(&options, &RealTime::new(), &asked, &tell)?;
    Ok(match asked.is_requested() {
        true => CommandOutcome::Interrupted,
        false => CommandOutcome::Done,
    })
}
