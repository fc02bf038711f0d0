//! The commands. What each of them takes is told in its own module.

use std::sync::LazyLock;

#[cfg(not(all(feature = "gui", feature = "serve", feature = "workers")))]
use clap::Args as ClapArgs;
use clap::{Parser, Subcommand};

use crate::analyse::AnalyseArgs;
use crate::bench::BenchArgs;
use crate::brain::BrainArgs;
use crate::check::CheckArgs;
use crate::completions::CompletionsArgs;
use crate::convert::ConvertArgs;
use crate::debug::DebugArgs;
use crate::doctor::DoctorArgs;
use crate::engines::{ListArgs, ShowArgs};
use crate::event::{EventsArgs, MatchArgs, ReportArgs, ResumeArgs, RunArgs};
use crate::game_log::LogArgs;
#[cfg(feature = "gui")]
use crate::gui::GuiArgs;
use crate::man::ManArgs;
use crate::new_engine::NewArgs;
use crate::openings::{BookCheckArgs, BookMakeArgs, BookShowArgs};
use crate::package::PackageArgs;
use crate::pairings::PairingsArgs;
use crate::play::PlayArgs;
use crate::rate::RateArgs;
use crate::referee::RefereeCommand;
use crate::rules::LinesArgs;
#[cfg(feature = "serve")]
use crate::serve::ServeArgs;
use crate::steer::{AddArgs, ExtendArgs, MergeArgs, RemoveArgs, SteerArgs, StopArgs};
#[cfg(feature = "workers")]
use crate::test_queue::{QueuedTestArgs, TestAddArgs, TestListArgs, TestRunArgs, TestShowArgs};
#[cfg(feature = "workers")]
use crate::worker::WorkerArgs;

/// This program with its version and what it was built from: workers of an event must have the
/// same.
#[cfg(feature = "workers")]
pub(crate) fn program() -> String {
    let source = option_env!("TENGEN_COMMIT").unwrap_or("own build");
    format!("tengen {} ({source})", env!("CARGO_PKG_VERSION"))
}

/// The version, what it was built from and for which system: a report of a fault names them.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let [arch, os] = [std::env::consts::ARCH, std::env::consts::OS];
    // `cargo xtask dist` says it.
    let source = option_env!("TENGEN_COMMIT").unwrap_or("own build");
    format!("{} ({source}, {arch} {os})", env!("CARGO_PKG_VERSION"))
});

/// Runs matches and tournaments between five-in-a-row engines.
#[derive(Debug, Parser)]
#[command(
    name = "tengen",
    version = VERSION.as_str(),
    propagate_version = true,
    after_help = "Start here: tengen match builtin:alphabeta builtin:alphabeta --tc move=0.1\n\
                  Exit codes: 0 success, 1 failure, 2 wrong usage, 3 the machine spoiled more than \
                  1 % of an event's games, 4 a test ended undecided, 130 interrupted and saved."
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub command: CliCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum CliCommand {
    /// Create, list, show, check and package engines
    #[command(subcommand)]
    Engines(EnginesCommand),
    /// Play a match between engines
    #[command(
        after_help = "Example: tengen match greedy alphabeta --tc 10+0.1 --games 100 --rule renju \
                      --opening swap2"
    )]
    Match(Box<MatchArgs>),
    /// Show an engine's analysis of a position as it searches
    #[command(after_help = "Examples:\n\
                      \x20 tengen analyse builtin:alphabeta h8 i9 h9 --time 3\n\
                      \x20 tengen analyse greedy cup/games.jsonl --game 7 --plies 20 --lines 3")]
    Analyse(Box<AnalyseArgs>),
    /// Measure how fast engines search and what they solve, and compare builds
    #[command(after_help = "Examples:\n\
                      \x20 tengen bench builtin:alphabeta\n\
                      \x20 tengen bench old/libfirst.so target/release/libfirst.so --nodes 100000")]
    Bench(Box<BenchArgs>),
    /// Play against an engine in the terminal
    #[command(after_help = "Examples:\n\
                      \x20 tengen play builtin:alphabeta\n\
                      \x20 tengen play greedy --second --rule renju --opening swap2 --tc 300+3\n\
                      \x20 tengen play 'http://192.0.2.7:8080/#table=ID&key=KEY' --engine greedy")]
    Play(Box<PlayArgs>),
    /// Run an engine as a Gomocup engine on standard input and output
    ///
    /// Piskvork and other managers can use it then.
    #[command(after_help = "Examples:\n\
                      \x20 tengen brain builtin:alphabeta\n\
                      \x20 printf 'START 15\\nBEGIN\\n' | tengen brain greedy")]
    Brain(BrainArgs),
    /// Replay a game of an event for one of its engines, to see how it fails or to debug it
    ///
    /// The engine plays without clocks; its opponent answers as it did in the game.
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
    Gui(UnbuiltArgs),
    /// Run and resume tournaments, and show their results
    #[command(subcommand)]
    Tournament(TournamentCommand),
    /// Compute one rating list from events and files of games
    #[command(after_help = "Examples:\n\
                      \x20 tengen rate events/*\n\
                      \x20 tengen rate cup old.pgn --anchor alphabeta=1800 --json")]
    Rate(RateArgs),
    /// Show events in a browser: standings, charts and finished games
    ///
    /// To show the boards of a running event too, use --serve of the command that plays it.
    #[cfg(feature = "serve")]
    #[command(after_help = "Examples:\n\
                      \x20 tengen serve cup\n\
                      \x20 tengen serve cup league --listen 0.0.0.0:8080 --delay 300\n\
                      \x20 tengen serve --play --dir engines")]
    Serve(ServeArgs),
    /// Show events in a browser (not in this build)
    #[cfg(not(feature = "serve"))]
    Serve(UnbuiltArgs),
    /// Play games of events that run on other machines
    ///
    /// It takes games from a NATS server, plays them, and sends the records back, until it is
    /// stopped. It needs no engines: it is sent those that play.
    #[cfg(feature = "workers")]
    #[command(after_help = "Examples:\n\
                      \x20 tengen worker --nats nats://lab-server:4222\n\
                      \x20 tengen tournament run cup.toml --workers nats://lab-server:4222\n\
                      \x20 tengen worker --print-server-config --user pc1 --user pc2 > nats.conf")]
    Worker(WorkerArgs),
    /// Play games of events that run on other machines (not in this build)
    #[cfg(not(feature = "workers"))]
    Worker(UnbuiltArgs),
    /// Queue tests of engines, which the workers of a NATS server play side by side
    #[cfg(feature = "workers")]
    #[command(subcommand)]
    Test(TestCommand),
    /// Queue tests of engines (not in this build)
    #[cfg(not(feature = "workers"))]
    Test(UnbuiltArgs),
    /// Make, check and show books of opening positions
    #[command(subcommand)]
    Openings(OpeningsCommand),
    /// Answer questions about the rules, in JSON lines
    #[command(subcommand)]
    Rules(RulesCommand),
    /// Measure this machine, and the time margin that it can guarantee
    ///
    /// It measures timers, pipes, engine processes, CPUs and the sandbox.
    #[command(after_help = "Example: tengen doctor --json")]
    Doctor(DoctorArgs),
    /// Convert games between formats: records, SGF, PSQ, PGN, suites, CCGC, RenLib, RenjuNet
    #[command(after_help = "Examples:\n\
                      \x20 tengen convert cup/games.jsonl cup.sgf\n\
                      \x20 tengen convert cup/games.jsonl suite.pos --plies 5\n\
                      \x20 tengen convert archive 'more/*.psq' all.jsonl --skip-bad\n\
                      \x20 tengen convert cup hand-in/ --to ccgc\n\
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
    /// Create an engine project that builds and plays
    #[command(after_help = "Examples:\n\
                      \x20 tengen engines new first\n\
                      \x20 tengen engines new first --lang python")]
    New(NewArgs),
    /// List the engines in a folder, and the files that cannot be loaded, with reasons
    #[command(after_help = "Example: tengen engines list --dir engines")]
    List(ListArgs),
    /// Show one engine: its options, what it plays, its limits, and its last check
    ///
    /// Options have their ranges; the files that the engine can read are listed.
    #[command(after_help = "Example: tengen engines show builtin:alphabeta --json")]
    Show(ShowArgs),
    /// Check that an engine plays as its interface and its description say
    #[command(after_help = "Examples:\n\
                      \x20 tengen engines check greedy\n\
                      \x20 tengen engines check ./libmine.so --quick --option Hash=64\n\
                      \x20 tengen engines check ./pbrain-mine --size 20 --rule standard\n\n\
                      Exit codes: 0 nothing failed, 1 a check failed, 2 wrong usage,\n\
                      130 interrupted.\n\
                      docs/check.md explains each check, and what to do when it fails.")]
    Check(CheckArgs),
    /// Pack an engine together with this program as a Gomocup engine, in a zip file
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
    /// Add games to an event, running or not
    ///
    /// A running event plays them; otherwise `resume` does.
    #[command(after_help = "Example: tengen tournament extend cup --games 200")]
    Extend(ExtendArgs),
    /// Add engines to an event, running or not
    ///
    /// Each plays every engine that is in the event.
    #[command(after_help = "Example: tengen tournament add cup ./pbrain-mine")]
    Add(AddArgs),
    /// Remove an engine from an event, running or not
    ///
    /// Its finished games stay; its other games are dropped.
    #[command(after_help = "Example: tengen tournament remove cup greedy --reason 'it hangs'")]
    Remove(RemoveArgs),
    /// Pause a running event: it begins no more games
    Pause(SteerArgs),
    /// Continue a paused event
    Continue(SteerArgs),
    /// Stop a running event after the games being played, or at once with --now
    #[command(after_help = "Example: tengen tournament stop cup --now")]
    Stop(StopArgs),
    /// Merge two events with the same rules, such as two that were played on two machines
    #[command(after_help = "Example: tengen tournament merge cup-one cup-two --out cup")]
    Merge(MergeArgs),
    /// Show who meets whom in a round
    #[command(after_help = "Example: tengen tournament pairings cup --round 3")]
    Pairings(PairingsArgs),
    /// Act as the referee: give a result, void or replay a game, warn, undo
    ///
    /// Each act is a numbered change of the event with a name and a reason, and is undone by
    /// another one. It works while the event is played, too.
    #[command(subcommand)]
    Referee(RefereeCommand),
    /// Show the log of a game: what its engines were asked, answered and printed
    #[command(after_help = "Example: tengen tournament log cup 17")]
    Log(LogArgs),
    /// Show the standings of an event, and write its games to files
    #[command(after_help = "Examples:\n\
                      \x20 tengen tournament report cup --html cup.html\n\
                      \x20 tengen tournament report cup --csv cup.csv --records cup.jsonl\n\
                      \x20 tengen tournament report cup --by opening")]
    Report(ReportArgs),
    /// List the events in a folder
    #[command(after_help = "Example: tengen tournament list --events events")]
    List(EventsArgs),
}

#[cfg(feature = "workers")]
#[derive(Debug, Subcommand)]
pub(crate) enum TestCommand {
    /// Add a test of an engine against a base to a queue, running or not
    ///
    /// Each is an id, a path or builtin:NAME, or git:URL@COMMIT: then it is built from that commit,
    /// in the sandbox, when its turn comes.
    #[command(after_help = "Examples:\n\
                      \x20 tengen test add ./libnew.so ./libold.so --tc 10+0.1 \
                      --sprt elo0=0,elo1=5\n\
                      \x20 tengen test add git:https://example.org/mine.git@a1b2c3d \
                      git:https://example.org/mine.git@v1 --build make --file pbrain-mine")]
    Add(Box<TestAddArgs>),
    /// Have the tests of a queue played by the workers of a NATS server, until it is stopped
    ///
    /// All of them are played side by side, by their priorities. Those that are added meanwhile
    /// begin at once. Ctrl-C stops them, and they go on with the next `tengen test run`.
    #[command(after_help = "Example: tengen test run --workers nats://lab-server:4222 \
                            --serve 127.0.0.1:8080")]
    Run(Box<TestRunArgs>),
    /// List the tests of a queue
    #[command(after_help = "Example: tengen test list --commit a1b2c3d")]
    List(TestListArgs),
    /// Show a test: where its engines come from, and what it came to
    #[command(after_help = "Examples:\n\
                      \x20 tengen test show 3\n\
                      \x20 tengen test show a1b2c3d --json")]
    Show(TestShowArgs),
    /// Stop a test; its games stay
    #[command(after_help = "Example: tengen test stop 3")]
    Stop(QueuedTestArgs),
    /// Let a test go on that was stopped, or failed
    #[command(after_help = "Example: tengen test continue 3")]
    Continue(QueuedTestArgs),
}

#[derive(Debug, Subcommand)]
pub(crate) enum OpeningsCommand {
    /// Make a book of balanced openings
    ///
    /// Positions are drawn at random. Only those are kept that searches call even, and from which
    /// an engine that plays itself wins equally often with each colour, at any number of nodes.
    #[command(after_help = "Examples:\n\
                      \x20 tengen openings make my.book --rule renju --count 2000\n\
                      \x20 tengen openings make my.pos --size 19 --stones 5 --engine ./mine \
                      --tc move=0.05")]
    Make(Box<BookMakeArgs>),
    /// Check a book: are its positions different, legal and even, and is it balanced?
    ///
    /// No position may appear twice, not even rotated or mirrored. A game must be able to begin
    /// from each, and none may be decided already. Over the whole book, Black must score about half
    /// of the points.
    #[command(after_help = "Examples:\n\
                      \x20 tengen openings check my.book --games 1000 --tc nodes=220 \
                      --tc nodes=1000\n\
                      \x20 tengen openings check balanced --rule renju")]
    Check(Box<BookCheckArgs>),
    /// Show positions of a book as boards, with Black's share
    #[command(after_help = "Examples:\n\
                      \x20 tengen openings show balanced --rule renju --count 3\n\
                      \x20 tengen openings show my.book --json > my.json")]
    Show(BookShowArgs),
}

/// The arguments of a command that this build does not have.
#[cfg(not(all(feature = "gui", feature = "serve", feature = "workers")))]
#[derive(Debug, ClapArgs)]
pub(crate) struct UnbuiltArgs {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    pub _arguments: Vec<std::ffi::OsString>,
}
