//! Flags of the commands that put questions to one engine.

use std::time::Duration;

use clap::Args as ClapArgs;
use tengen_arbiter::{Nanos, TimeControl};
use tengen_hosts::EngineSpec;
use tengen_tournament::{Mebibytes, Seconds};

use crate::flags::{FolderArgs, HostingArgs};

/// Where the engine is and what is set of it.
#[derive(Debug, ClapArgs)]
pub(crate) struct LoneEngineArgs {
    /// Set an option of the engine; can be given several times
    #[arg(long, value_name = "NAME=VALUE")]
    pub option: Vec<String>,
    /// The number of threads for the engine
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: Option<u32>,
    /// The memory limit of the engine: 350MiB, 2GiB
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Mebibytes>,
    #[command(flatten)]
    pub folder: FolderArgs,
}

impl LoneEngineArgs {
    /// The engine of that id or path, with what is set of it.
    pub(crate) fn find(&self, engine: &str) -> anyhow::Result<EngineSpec> {
        let spec = self.folder.find(engine)?;
        let (option, threads, memory) = (self.option.clone(), self.threads, self.memory);
        HostingArgs { option, threads, memory, ..HostingArgs::default() }.over(spec)
    }
}

/// How much an engine may think about one position.
#[derive(Debug, ClapArgs)]
pub(crate) struct SearchLimitArgs {
    /// The time for each position
    #[arg(long, value_name = "SECONDS")]
    pub time: Option<Seconds>,
    /// The most nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The depth for each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
}

impl SearchLimitArgs {
    /// The limits that were named; where there are none, that time.
    pub(crate) fn control(&self, usual: Nanos) -> TimeControl {
        let SearchLimitArgs { time, nodes, depth } = *self;
        let is_open = time.is_none() && nodes.is_none() && depth.is_none();
        let per_move = time.map(|time| time.0).or(is_open.then_some(usual));
        TimeControl { per_move, nodes, depth, ..TimeControl::default() }
    }
}

/// A span in seconds with three decimals.
pub(crate) fn seconds(nanos: Nanos) -> f64 {
    (Duration::from_nanos(nanos).as_secs_f64() * 1e3).round() / 1e3
}
