//! `tengen worker`: plays games of events that run on other machines.

use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context;
use clap::Args as ClapArgs;
use tengen_players::RealTime;
use tengen_tournament::{Affinity, Stop};
use tengen_workers::{ServerUsers, WorkerNews, WorkerOptions, work, worker_name};

use crate::doctor::measure_speed;
use crate::flags::NatsAccessArgs;
use crate::{CommandOutcome, args, report, stop};

#[derive(Debug, ClapArgs)]
pub(crate) struct WorkerArgs {
    /// The NATS server, as nats://HOST:4222 or tls://HOST
    ///
    /// A user with a key has --nkey; one with a password is named before the host:
    /// nats://USER:PASSWORD@HOST.
    #[arg(long, value_name = "URL", required_unless_present = "print_server_config")]
    pub nats: Option<String>,
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
    /// Print a configuration for nats-server, and make the keys of its users
    ///
    /// One user runs events; each other one plays as a worker, on one machine or on several, and
    /// may do only what a worker does. Keys that are there already are used again, so that users
    /// are added by printing it once more.
    #[arg(long, conflicts_with_all = ["nats", "nkey", "nats_ca"], help_heading = "Server")]
    pub print_server_config: bool,
    /// A user that plays; again for each further one [default: worker]
    #[arg(long = "user", value_name = "NAME", requires = "print_server_config")]
    #[arg(conflicts_with = "nats", help_heading = "Server")]
    pub users: Vec<String>,
    /// The folder with the users' keys [default: nats-keys]
    #[arg(long, value_name = "DIR", requires = "print_server_config")]
    #[arg(conflicts_with = "nats", help_heading = "Server")]
    pub keys: Option<PathBuf>,
}

/// Prints the configuration of a server, and says what goes where.
fn print_server_config(args: &WorkerArgs) -> anyhow::Result<CommandOutcome> {
    let only = ["worker".to_owned()];
    let workers = if args.users.is_empty() { &only[..] } else { &args.users };
    let folder = args.keys.clone().unwrap_or_else(|| PathBuf::from("nats-keys"));
    let users = ServerUsers::with_keys(workers, &folder)?;
    report::print(&users.configuration(&args::program()))?;
    let key = users.coordinator.key.display();
    report::tell(format_args!(
        "tengen: {key}: the machine that runs events; tengen tournament run … \
         --workers nats://HOST:4222 --nkey {key}"
    ));
    for user in &users.workers {
        let key = user.key.display();
        report::tell(format_args!(
            "tengen: {key}: bring it to the machine of {}; tengen worker --nats nats://HOST:4222 \
             --nkey {key}",
            user.name
        ));
    }
    Ok(CommandOutcome::Done)
}

pub(crate) fn run(args: &WorkerArgs) -> anyhow::Result<CommandOutcome> {
    if args.print_server_config {
        return print_server_config(args);
    }
    let server = args.nats.as_deref().context("--nats names the server")?;
    let cpus = std::thread::available_parallelism().map_or(1, usize::from);
    let options = WorkerOptions {
        nats: args.access.options(server),
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
    let tell = |news| match news {
        WorkerNews::Connected { name } => {
            report::tell(format_args!("tengen: worker {name} waits for games"));
        }
        WorkerNews::Waiting => {
            report::tell(format_args!("tengen: no event was begun at this server yet"));
        }
        WorkerNews::Joined { event } => {
            report::tell(format_args!("tengen: plays games of event {event}"));
        }
        WorkerNews::Left { event } => {
            report::tell(format_args!("tengen: event {event} is over, or was stopped"));
        }
        WorkerNews::Silent { event, is_silent: true } => report::tell(format_args!(
            "tengen: nothing is heard of the machine that runs event {event}; no game of it is \
             begun until it is back"
        )),
        WorkerNews::Silent { event, is_silent: false } => {
            report::tell(format_args!("tengen: the machine that runs event {event} is back"));
        }
        WorkerNews::Refused { event, reason } => {
            report::tell(format_args!(
                "tengen: does not play everything of event {event}: {reason}"
            ));
        }
        WorkerNews::Away => report::tell(format_args!(
            "tengen: the server does not answer; games go on, and are sent when it is back"
        )),
        WorkerNews::Back => report::tell(format_args!("tengen: the server is back")),
        WorkerNews::Trouble { problem } => report::tell(format_args!(
            "tengen: the server does not take what is sent: {problem}; it is sent again and again"
        )),
        WorkerNews::Played { jobs } => log::info!("{jobs} jobs are played"),
    };
    work(&options, &RealTime::new(), &asked, &tell)?;
    Ok(match asked.is_requested() {
        true => CommandOutcome::Interrupted,
        false => CommandOutcome::Done,
    })
}
