use std::path::PathBuf;

use clap::Args as ClapArgs;
use tengen_arbiter::TimeControl;
use tengen_rules::{Procedure, Rule, Size};
use tengen_tournament::{
    AbsentOption, Affinity, AlikeOption, ChangedOption, EngineEntry, EventConfig, FifthMoves,
    ForbiddenOption, IllegalOption, IsolationOption, LateOption, MarginOption, Mebibytes,
    OpeningOrder, OpeningPolicy, RestartOption, Seconds, SequentialTest, SpoiledOption, Symmetries,
};

use crate::adjudication_args::AdjudicationArgs;
use crate::debug_args::DebugWaitArgs;
use crate::format_args::FormatArgs;
use crate::outputs::Outputs;

/// The options of matches and tournaments. A tournament file has the same names.
#[derive(Debug, ClapArgs)]
pub(crate) struct EventArgs {
    /// The rule: freestyle, standard, renju or caro [default: freestyle]
    #[arg(long)]
    pub rule: Option<Rule>,
    /// The board: 15, or 20x15 [default: 15]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,
    /// The opening procedure: none, book, pro, long-pro, swap, swap2, rif, contest, yamaguchi,
    /// soosorv8 or taraguchi10 [default: book, from balanced positions]
    #[arg(long)]
    pub opening: Option<Procedure>,
    /// Positions for --opening book, one per line: h8 h9 i9, or offsets from the centre as Gomocup
    /// writes them: 0,0, 1,-1; or in games of a FILE.sgf, .psq or .jsonl; each is played twice, and
    /// the players change places in between [default: balanced, those that come with Tengen]
    #[arg(long, value_name = "FILE|balanced")]
    pub openings: Option<PathBuf>,
    /// The order of the positions: sequential, or random (from the seed) [default: sequential]
    #[arg(long, value_name = "ORDER")]
    pub openings_order: Option<OpeningOrder>,
    /// Rotate and mirror the positions: none, random (from the seed), or all 8 ways in turn
    /// [default: random with --sprt, else none]
    #[arg(long, value_name = "WAY")]
    pub openings_symmetries: Option<Symmetries>,
    /// Begin with this position of their order, counted from 1. Two machines that play one test
    /// with the same seed play no position twice if one has --openings-count 5000, and the other
    /// --openings-start 5001 [default: 1]
    #[arg(long, value_name = "N")]
    pub openings_start: Option<u32>,
    /// Play so many positions from there on before one comes again [default: all]
    #[arg(long, value_name = "N")]
    pub openings_count: Option<u32>,
    /// How many fifth moves may be declared: 3, or 1..5 [default: the procedure's own]
    #[arg(long, value_name = "N|A..B")]
    pub fifth_moves: Option<FifthMoves>,
    /// When two offered fifth moves count as alike: by shape or by board [default: shape]
    #[arg(long)]
    pub alike: Option<AlikeOption>,
    /// For engines that answer no opening questions: refuse, or arbiter (Tengen answers for them)
    /// [default: refuse]
    #[arg(long, value_name = "POLICY")]
    pub opening_policy: Option<OpeningPolicy>,
    /// With --opening-policy arbiter, the engine that answers for them [default: simple rules]
    #[arg(long, value_name = "ENGINE")]
    pub opening_engine: Option<String>,
    /// The time control: seconds per game + seconds per move (1:00:00 is an hour), 40/60 for 60 s
    /// per 40 moves, byo=3x30, move=5, nodes=N, depth=N or inf, combined with commas
    /// [default: 10+0.1]
    #[arg(long, value_name = "TC")]
    pub tc: Option<TimeControl>,
    /// Margin: an answer may be late by this many seconds [default: 0; 1 in an event with a text
    /// engine]
    #[arg(long, value_name = "SECONDS")]
    pub margin: Option<Seconds>,
    /// Whether the margin is for the whole game, or for each move [default: game]
    #[arg(long, value_name = "game|move")]
    pub margin_per: Option<MarginOption>,
    /// Seconds for an answer in a game without a clock; 0 means no limit [default: 300]
    #[arg(long, value_name = "SECONDS")]
    pub stall: Option<Seconds>,
    /// Seconds that an engine has to get ready [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub startup: Option<Seconds>,
    /// Count the time to get ready, from the start of the process, against the game clock, as
    /// Gomocup does
    #[arg(long)]
    pub count_startup: bool,
    /// Games for each pair of engines; in the second game of two, they change places [default: 10]
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Games played at the same time [default: the number of CPUs]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// The CPUs of the games, one each: a list such as 0,2,4-7; none: the system chooses; or auto:
    /// one CPU per game while its engines answer immediately [default: auto]
    #[arg(long, alias = "affinity", value_name = "CPUS")]
    pub cpus: Option<Affinity>,
    /// The seed for everything random [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Where WASM engines run: child, or in-process, which is faster [default: child]
    #[arg(long)]
    pub isolation: Option<IsolationOption>,
    /// Give every engine a new process for each game: on, off, or auto, which does so only for a
    /// text engine that is not seen to clear its board [default: auto; on without a value]
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_missing_value = "on")]
    pub restart: Option<RestartOption>,
    /// The memory limit of each engine and all its processes: 350MiB, 2GiB [default: its share
    /// of the machine's]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Mebibytes>,
    /// Give each engine a private folder of at most this size to write in, while it runs
    /// [default: none; engines cannot write]
    #[arg(long, value_name = "SIZE")]
    pub folder_limit: Option<Mebibytes>,
    /// Refuse engines, before their code runs, if a layer of the sandbox is missing: any that
    /// `tengen doctor` lists, or one of these
    #[arg(
        long,
        value_name = "LAYER",
        num_args = 0..,
        require_equals = true,
        value_delimiter = ',',
        value_parser = clap::builder::PossibleValuesParser::new(tengen_hosts::SANDBOX_LAYERS),
        hide_possible_values = true
    )]
    pub require_sandbox: Option<Vec<String>>,
    /// Send text engines the whole position for each move (BOARD), not only the last stone
    #[arg(long)]
    pub send_board: bool,
    /// Let engines work while their opponents think; otherwise they are paused
    #[arg(long)]
    pub ponder: bool,
    /// After an illegal answer: forfeit, or retries=N [default: forfeit]
    #[arg(long, value_name = "POLICY")]
    pub illegal: Option<IllegalOption>,
    /// When a forbidden move loses: automatic (at once), or claim (if White claims it)
    /// [default: automatic]
    #[arg(long, value_name = "POLICY")]
    pub forbidden: Option<ForbiddenOption>,
    /// After a late answer: loss, or substitute (Tengen moves instead) [default: loss]
    #[arg(long, value_name = "POLICY")]
    pub late: Option<LateOption>,
    /// Games that the machine spoiled, because it was asleep or stopped, or had no memory left:
    /// replay (played again; after 3 times they do not count), replay-pair (the same with the
    /// other game of their pair), or keep (they count and are marked) [default: replay]
    #[arg(long, value_name = "POLICY")]
    pub spoiled: Option<SpoiledOption>,
    /// An engine that does not start, or cannot play such games: aside (it plays no game), forfeit
    /// (it loses all its games), or refuse (the event is not made) [default: aside]
    #[arg(long, value_name = "POLICY", conflicts_with = "strict")]
    pub absent: Option<AbsentOption>,
    /// An engine of which a file is changed while the event is played: keep (it goes on with the
    /// copy that was made of its files), or stop (it plays no more games) [default: keep]
    #[arg(long, value_name = "POLICY")]
    pub changed: Option<ChangedOption>,
    /// The same as --absent refuse
    #[arg(long)]
    pub strict: bool,
    /// Seconds that a remote engine (remote:NAME) is waited for that is not connected; then, once
    /// only its games are left, --absent says what becomes of it: aside (it plays no more), forfeit
    /// (it loses them), or refuse (the event stops, and can be resumed). While no remote engine is
    /// connected at all, only refuse decides [default: 600]
    #[arg(long, value_name = "SECONDS")]
    pub remote_wait: Option<Seconds>,
    /// A text engine loses if it sends a line that is not an answer: ERROR, UNKNOWN, other words, a
    /// repeated answer; otherwise the line is recorded, and Tengen waits for the answer
    #[arg(long)]
    pub strict_protocol: bool,
    /// Let players offer draws
    #[arg(long)]
    pub draw_offers: bool,
    /// Let players pass
    #[arg(long)]
    pub passing: bool,
    /// End a game as a draw when this many stones are on the board
    #[arg(long, value_name = "N")]
    pub move_limit: Option<u32>,
    #[command(flatten)]
    pub windows: AdjudicationArgs,
    #[command(flatten)]
    pub schedule: FormatArgs,
    /// Sequential test (SPRT): end a match as soon as it shows that the first engine is better by
    /// elo1, or by no more than elo0; alpha and beta are the error probabilities (default 0.05);
    /// model=normalized has the differences in normalized Elo
    #[arg(long, value_name = "elo0=N,elo1=N[,alpha=N,beta=N,model=NAME]")]
    pub sprt: Option<SequentialTest>,
    /// Start this engine without a sandbox and without deadlines, tell its process, and wait until
    /// a debugger is attached; games are played one at a time, and their records say it
    #[arg(long, value_name = "ENGINE")]
    pub debug_engine: Option<String>,
    #[command(flatten)]
    pub debug_wait: DebugWaitArgs,
    /// The folder with the engines [default: engines here, or in the user's data folder, or those
    /// that came with the program]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The event's folder, which must be new [default: a new folder in events/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
    /// Print one JSON object when done
    #[arg(long)]
    pub json: bool,
}

impl EventArgs {
    /// Overrides the configuration with the options given.
    pub(crate) fn apply(&self, config: &mut EventConfig) {
        fn put<T: Clone>(given: &Option<T>, to: &mut T) {
            if let Some(given) = given {
                *to = given.clone();
            }
        }
        put(&self.rule, &mut config.rule);
        put(&self.size, &mut config.size);
        put(&self.opening, &mut config.opening);
        put(&self.openings_order, &mut config.openings_order);
        put(&self.alike, &mut config.alike);
        put(&self.opening_policy, &mut config.opening_policy);
        put(&self.tc, &mut config.tc);
        put(&self.margin, &mut config.margin);
        put(&self.margin_per, &mut config.margin_per);
        put(&self.stall, &mut config.stall);
        put(&self.startup, &mut config.startup);
        put(&self.games, &mut config.games);
        put(&self.concurrency, &mut config.concurrency);
        put(&self.cpus, &mut config.cpus);
        put(&self.seed, &mut config.seed);
        put(&self.isolation, &mut config.isolation);
        put(&self.restart, &mut config.restart);
        put(&self.illegal, &mut config.illegal);
        put(&self.forbidden, &mut config.forbidden);
        put(&self.late, &mut config.late);
        put(&self.spoiled, &mut config.spoiled);
        put(&self.changed, &mut config.changed);
        put(&self.absent, &mut config.absent);
        if self.strict {
            config.absent = AbsentOption::Refuse;
        }
        put(&self.dir, &mut config.dir);
        let assistant = self.opening_engine.as_ref().map(EngineEntry::new);
        config.opening_engine = assistant.or(config.opening_engine.take());
        config.remote_wait = self.remote_wait.or(config.remote_wait);
        config.openings_symmetries = self.openings_symmetries.or(config.openings_symmetries);
        config.openings_start = self.openings_start.or(config.openings_start);
        config.openings_count = self.openings_count.or(config.openings_count);
        config.fifth_moves = self.fifth_moves.or(config.fifth_moves);
        config.move_limit = self.move_limit.or(config.move_limit);
        config.out = self.out.clone().or(config.out.take());
        config.memory = self.memory.or(config.memory);
        config.folder_limit = self.folder_limit.or(config.folder_limit);
        if let Some(layers) = &self.require_sandbox {
            config.require_sandbox = true;
            config.require_layers.clone_from(layers);
        }
        config.ponder |= self.ponder;
        config.send_board |= self.send_board;
        config.strict_protocol |= self.strict_protocol;
        config.count_startup |= self.count_startup;
        config.draw_offers |= self.draw_offers;
        config.passing |= self.passing;
        self.windows.apply(config);
        self.schedule.apply(config);
        config.sprt = self.sprt.or(config.sprt);
    }
}
