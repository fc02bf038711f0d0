//! The commands below `tengen tournament`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};
use tengen_tournament::BreakdownBy;

use super::EventArgs;
use crate::engine_args::EngineArgs;
use crate::outputs::Outputs;
use crate::serve::LiveArgs;

#[derive(Debug, Subcommand)]
pub(crate) enum TournamentCommand {
    /// Run a tournament from a list of engines or from a file
    #[command(after_help = "Examples:\n\
                      \x20 tengen tournament run --engines greedy alphabeta --tc move=0.1\n\
                      \x20 tengen tournament run cup.toml --out cup --serve 127.0.0.1:8080")]
    Run(Box<RunArgs>),
    /// Continue a match or tournament that was stopped or killed
    #[command(after_help = "Example: tengen tournament resume cup")]
    Resume(Box<ResumeArgs>),
    /// Give an event more games; a running one plays them, else `resume` does
    #[command(after_help = "Example: tengen tournament extend cup --games 200")]
    Extend(ExtendArgs),
    /// Add engines to an event, running or not: each plays everybody who is there
    #[command(after_help = "Example: tengen tournament add cup ./pbrain-mine")]
    Add(AddArgs),
    /// Remove an engine from an event, running or not: its finished games stay, the others are
    /// dropped
    #[command(after_help = "Example: tengen tournament remove cup greedy --reason 'it hangs'")]
    Remove(RemoveArgs),
    /// Let a running event begin no more games
    Pause(SteerArgs),
    /// Let a paused event begin games again
    Continue(SteerArgs),
    /// Stop a running event: when the games that are being played are over, or with --now at once
    #[command(after_help = "Example: tengen tournament stop cup --now")]
    Stop(StopArgs),
    /// Make one event of two that were played by the same rules, as on two machines
    #[command(after_help = "Example: tengen tournament merge cup-one cup-two --out cup")]
    Merge(MergeArgs),
    /// Show what the engines of one game were asked, answered, printed and said
    #[command(after_help = "Example: tengen tournament log cup 17")]
    Log(LogArgs),
    /// Show the standings of an event, and write its records
    #[command(after_help = "Examples:\n\
                      \x20 tengen tournament report cup --html cup.html\n\
                      \x20 tengen tournament report cup --csv cup.csv --records cup.jsonl\n\
                      \x20 tengen tournament report cup --by opening")]
    Report(ReportArgs),
    /// List the events in a folder
    #[command(after_help = "Example: tengen tournament list --events events")]
    List(EventsArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RunArgs {
    /// A tournament file; options on the command line override it
    #[arg(value_name = "FILE.toml")]
    pub file: Option<PathBuf>,
    /// The engines: ids, paths or builtin:NAME; `all` is the whole folder
    #[arg(long, num_args = 1.., value_name = "ENGINE")]
    pub engines: Vec<String>,
    /// Let each engine that appears in this folder join
    ///
    /// The event goes on when every game is finished, until it is stopped: a standing ladder.
    #[arg(long, value_name = "DIR", hide_short_help = true)]
    pub watch: Option<PathBuf>,
    #[command(flatten)]
    pub options: EventArgs,
    #[command(flatten)]
    pub live: LiveArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ResumeArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The folder with the engines, if it is not where it was: each is found by its name or by what
    /// its file has in it
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// Games played at the same time [default: as in the event]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// Repair a damaged event first: keep every intact game and play the others again
    #[arg(long)]
    pub repair: bool,
    /// Go on when every game is finished, and let each engine that appears in this folder join
    #[arg(long, value_name = "DIR")]
    pub watch: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
    #[command(flatten)]
    pub live: LiveArgs,
    /// Print one JSON object when done
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExtendArgs {
    /// The event's folder
    pub event: PathBuf,
    /// Games for each pair of engines in all, those that were played included
    #[arg(long, value_name = "N")]
    pub games: u32,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct AddArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The engines: ids, paths, or builtin:NAME
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub seats: EngineArgs,
    /// The folder with the engines [default: the event's]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct RemoveArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The engine, as the standings call it
    pub engine: String,
    /// Why, for those who read the report
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub reason: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct SteerArgs {
    /// The event's folder
    pub event: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StopArgs {
    /// The event's folder
    pub event: PathBuf,
    /// Give up the games that are being played; `resume` plays them again
    #[arg(long)]
    pub now: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// The folder of the one event
    pub one: PathBuf,
    /// The folder of the other
    pub other: PathBuf,
    /// The folder of the event that is made of both, which must be new
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct LogArgs {
    /// The event's folder
    pub event: PathBuf,
    /// The number of the game
    pub game: u64,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReportArgs {
    /// The event's folder
    pub event: PathBuf,
    /// Write every finished game to this file, one JSON object per line
    #[arg(long, value_name = "FILE")]
    pub records: Option<PathBuf>,
    /// Write a page for any browser to this file: standings, charts, and up to 10,000 games to
    /// replay; it needs no other file and no network
    #[arg(long, value_name = "FILE", conflicts_with = "by")]
    pub html: Option<PathBuf>,
    /// Write a line for every finished game to this file, with its moves, as CSV
    #[arg(long, value_name = "FILE", conflicts_with = "by")]
    pub csv: Option<PathBuf>,
    /// Count the games by colour, opening, rule or termination instead; several events are counted
    /// together
    #[arg(long, value_name = "WHAT", conflicts_with = "records")]
    pub by: Option<BreakdownBy>,
    /// More events to count, with --by
    #[arg(value_name = "EVENT", requires = "by")]
    pub more: Vec<PathBuf>,
    /// Print one JSON object instead of tables
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct EventsArgs {
    /// The folder with the events
    #[arg(long, default_value = "events", value_name = "DIR")]
    pub events: PathBuf,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}
