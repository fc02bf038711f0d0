//! The command line as typed. Each command turns it into its settings.

mod event;
mod set_key;
mod tournament;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand};
use tengen_rules::{Rule, Size};

use crate::analyse::AnalyseArgs;
use crate::bench::BenchArgs;
use crate::brain::HostingArgs;
use crate::convert::ConvertArgs;
use crate::debug::DebugArgs;
use crate::engine_args::EngineArgs;
use crate::engines::ShowArgs;
use crate::new_engine::NewArgs;
use crate::openings::OpeningsCommand;
use crate::package::PackageArgs;
use crate::play::PlayArgs;
use crate::rate::RateArgs;
use crate::serve::LiveArgs;
#[cfg(feature = "serve")]
use crate::serve::ServeArgs;
use crate::user_folders::engine_folder;

pub(crate) use event::EventArgs;
pub(crate) use set_key::in_one_spelling;
pub(crate) use tournament::{
    AddArgs, EventsArgs, ExtendArgs, LogArgs, MergeArgs, RemoveArgs, ReportArgs, ResumeArgs,
    RunArgs, SteerArgs, StopArgs, TournamentCommand,
};

/// Runs matches and tournaments between five-in-a-row engines.
#[derive(Debug, Parser)]
#[command(
    name = "tengen",
    version,
    propagate_version = true,
    after_help = "Start here: tengen match builtin:alphabeta builtin:alphabeta --tc move=0.1\n\
                  Exit codes: 0 success, 1 failure, 2 wrong usage, 3 an event whose games the \
                  machine spoiled by more than 1 %, 4 a test that ended without a verdict, 130 \
                  interrupted and saved."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Begin, list, show, check and package engines
    #[command(subcommand)]
    Engines(EnginesCommand),
    /// Play games between two engines
    #[command(
        after_help = "Example: tengen match greedy alphabeta --tc 10+0.1 --games 100 --rule renju \
                      --opening swap2"
    )]
    Match(Box<MatchArgs>),
    /// Show what an engine thinks of a position, line by line as it says it
    #[command(after_help = "Examples:\n\
                      \x20 tengen analyse builtin:alphabeta h8 i9 h9 --time 3\n\
                      \x20 tengen analyse greedy cup/games.jsonl --game 7 --plies 20 --lines 3")]
    Analyse(Box<AnalyseArgs>),
    /// Measure how fast engines search and what they find, and compare two builds
    #[command(after_help = "Examples:\n\
                      \x20 tengen bench builtin:alphabeta\n\
                      \x20 tengen bench old/libfirst.so target/release/libfirst.so --nodes 100000")]
    Bench(Box<BenchArgs>),
    /// Play against an engine in the terminal
    #[command(after_help = "Examples:\n\
                      \x20 tengen play builtin:alphabeta\n\
                      \x20 tengen play greedy --second --rule renju --opening swap2 --tc 300+3\n\
                      \x20 tengen play 'http://192.0.2.7:8080/#room=ROOM&key=KEY' --engine greedy")]
    Play(Box<PlayArgs>),
    /// Run an engine as a Gomocup engine on standard input and output, for Piskvork and others
    #[command(after_help = "Examples:\n\
                      \x20 tengen brain builtin:alphabeta\n\
                      \x20 printf 'START 15\\nBEGIN\\n' | tengen brain greedy")]
    Brain(BrainArgs),
    /// Play a game of an event again for one of its engines, outside the clock: see what it says
    /// and how it dies, or attach a debugger
    #[command(after_help = "Examples:\n\
                      \x20 tengen debug cup 17\n\
                      \x20 tengen debug cup 17 --ply 24 --gdb")]
    Debug(DebugArgs),
    /// Open the window to play, watch and analyse
    #[cfg(feature = "gui")]
    #[command(after_help = "Examples:\n\
                      \x20 tengen gui\n\
                      \x20 tengen gui builtin:alphabeta greedy --tc 60+1 --rule renju")]
    Gui(Box<GuiArgs>),
    /// Open the window (not in this build)
    #[cfg(not(feature = "gui"))]
    Gui(NoWindowArgs),
    /// Run and resume tournaments, and show their results
    #[command(subcommand)]
    Tournament(TournamentCommand),
    /// Rate the engines of one or more events, and of files of games, in one list
    #[command(after_help = "Examples:\n\
                      \x20 tengen rate events/*\n\
                      \x20 tengen rate cup old.pgn --anchor alphabeta=1800 --json")]
    Rate(RateArgs),
    /// Show events in a browser: standings, charts and finished games; --serve of the commands that
    /// play an event shows its boards too
    #[cfg(feature = "serve")]
    #[command(after_help = "Examples:\n\
                      \x20 tengen serve cup\n\
                      \x20 tengen serve cup league --listen 0.0.0.0:8080 --delay 300\n\
                      \x20 tengen serve --play --dir engines")]
    Serve(ServeArgs),
    /// Show events in a browser (not in this build)
    #[cfg(not(feature = "serve"))]
    Serve(NoServerArgs),
    /// Make, check and show books of opening positions
    #[command(subcommand)]
    Openings(OpeningsCommand),
    /// Answer rule questions in JSON lines
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Measure this machine: timers, pipes, engine processes, the sandbox, CPUs, and the time
    /// margin it can guarantee
    #[command(after_help = "Example: tengen doctor --json")]
    Doctor(DoctorArgs),
    /// Convert games between formats: records, SGF, PSQ, PGN for rating tools, opening suites
    #[command(after_help = "Examples:\n\
                      \x20 tengen convert cup/games.jsonl cup.sgf\n\
                      \x20 tengen convert cup/games.jsonl suite.pos --plies 5\n\
                      \x20 tengen convert - - --from psq --to jsonl --rule renju < game.psq")]
    Convert(Box<ConvertArgs>),
    /// Print the completion script for a shell
    #[command(after_help = "Examples:\n\
                      \x20 source <(tengen completions bash)\n\
                      \x20 tengen completions fish > ~/.config/fish/completions/tengen.fish")]
    Completions(CompletionsArgs),
    /// Print the manual page, or write the pages of all commands
    #[command(after_help = "Examples:\n\
                      \x20 tengen man | man -l -\n\
                      \x20 tengen man --out ~/.local/share/man/man1")]
    Man(ManArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EnginesCommand {
    /// Make a new engine project that builds and plays
    #[command(after_help = "Examples:\n\
                      \x20 tengen engines new first\n\
                      \x20 tengen engines new first --lang python")]
    New(NewArgs),
    /// List the engines in the folder, and each file that cannot be loaded, with the reason
    #[command(after_help = "Example: tengen engines list --dir engines")]
    List(ListArgs),
    /// Show one engine: its options and their ranges, what it plays, the files that it can read,
    /// its limits, and what its last check came to
    #[command(after_help = "Example: tengen engines show builtin:alphabeta --json")]
    Show(ShowArgs),
    /// Check that an engine plays as its interface and its description say
    #[command(after_help = "Examples:\n\
                      \x20 tengen engines check greedy\n\
                      \x20 tengen engines check ./libmine.so --quick --option Hash=64\n\
                      \x20 tengen engines check ./pbrain-mine --size 20 --rule standard\n\n\
                      Exit codes: 0 nothing failed, 1 a check failed, 2 wrong use,\n\
                      130 interrupted.\n\
                      docs/check.md tells what each check is for, and what to do when it fails.")]
    Check(CheckArgs),
    /// Pack an engine and this program as a Gomocup engine, in a zip file
    #[command(after_help = "Example: tengen engines package alphabeta --option Depth=8")]
    Package(PackageArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum RulesCommand {
    /// Find the forbidden points of renju positions
    #[command(
        after_help = r#"Example: echo '{"black":["g8","i8","h7","h9"],"white":[]}' | tengen rules forbidden"#
    )]
    Forbidden(LinesArgs),
    /// Replay games given as lists of actions, and report their state
    #[command(after_help = REPLAY_EXAMPLE)]
    Replay(LinesArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct FolderArgs {
    /// The folder with the engines [default: engines here, or in the user's data folder, or those
    /// that came with the program]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

impl FolderArgs {
    /// The folder that was named, or the default.
    pub(crate) fn dir(&self) -> PathBuf {
        self.dir.clone().unwrap_or_else(engine_folder)
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// An engine's id, its path, or builtin:NAME
    pub engine: String,
    /// Check it on this board: 20 or 20x15 [default: small, large and oblong ones that it plays]
    #[arg(long)]
    pub size: Option<Size>,
    /// Check only this rule: freestyle, standard, renju or caro [default: all it plays]
    #[arg(long)]
    pub rule: Option<Rule>,
    /// Set an option as it will be played; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Check less: fewer boards, games and clocks
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object when all is done instead of a line for each verdict
    #[arg(long)]
    pub json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct DoctorArgs {
    /// Print one JSON object instead of tables and a chart
    #[arg(long)]
    pub json: bool,
    /// Do not measure what each layer of the sandbox costs, which takes 3 seconds
    #[arg(long)]
    pub quick: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MatchArgs {
    /// The engines: ids, paths, or builtin:NAME
    #[arg(value_name = "ENGINE")]
    pub engines: Vec<String>,
    #[command(flatten)]
    pub seats: EngineArgs,
    #[command(flatten)]
    pub options: EventArgs,
    #[command(flatten)]
    pub live: LiveArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BrainArgs {
    /// An engine's id, its path, or builtin:NAME
    pub engine: String,
    #[command(flatten)]
    pub folder: FolderArgs,
    #[command(flatten)]
    pub hosting: HostingArgs,
}

#[cfg(feature = "gui")]
#[derive(Debug, ClapArgs)]
pub(crate) struct GuiArgs {
    /// Two engines to watch: ids, paths, or builtin:NAME; leave out to play
    #[arg(num_args = 2, value_names = ["ENGINE", "ENGINE"])]
    pub engines: Vec<String>,
    /// Where the window saves games [default: tengen in the user's data folder]
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    #[command(flatten)]
    pub options: EventArgs,
}

/// The arguments of `serve` in a build without the server.
#[cfg(not(feature = "serve"))]
#[derive(Debug, ClapArgs)]
pub(crate) struct NoServerArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub _arguments: Vec<std::ffi::OsString>,
}

/// The arguments of `gui` in a build without the window.
#[cfg(not(feature = "gui"))]
#[derive(Debug, ClapArgs)]
pub(crate) struct NoWindowArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub _arguments: Vec<std::ffi::OsString>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompletionsArgs {
    /// The shell
    pub shell: clap_complete::Shell,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ManArgs {
    /// Write the pages of all commands into this folder, one file each
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

const REPLAY_EXAMPLE: &str = concat!(
    "Example: one game per line in, its state out.\n\n",
    "  $ tengen rules replay < games.jsonl\n",
    r#"  > {"rule":"freestyle","opening":"swap","actions":[{"seat":"first","place":["#,
    r#""h8","a1","j9"]},{"seat":"second","choose":"black"}]}"#,
    "\n",
    r#"  < {"ok":true,"stones":["h8","a1","j9"],"colors":{"first":"white","second":"black"},"#,
    r#""next":{"seat":"first","ask":"move","color":"white"},"result":null}"#,
    "\n\ndocs/rules.md explains every key; tests/data/replay_cases.jsonl has a game for each\n",
    "opening procedure and each ending, with its answer."
);

#[derive(Debug, ClapArgs)]
pub(crate) struct LinesArgs {
    /// Files of JSON lines [default: standard input]
    pub files: Vec<PathBuf>,
}
