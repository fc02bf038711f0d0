use std::path::PathBuf;

use clap::Args as ClapArgs;
use tengen_arbiter::TimeControl;
use tengen_rules::{Procedure, Rule, Size};
use tengen_tournament::{
    AbsentOption, Affinity, ChangedOption, EngineEntry, EventConfig, FifthMoves, ForbiddenOption,
    IllegalOption, IsolationOption, LateOption, Mebibytes, OpeningOrder, OpeningPolicy,
    RestartOption, Seconds, SequentialTest, SpoiledOption, Symmetries,
};

use super::adjudication::AdjudicationArgs;
use super::debug_wait::DebugWaitArgs;
use super::format::FormatArgs;
use super::outputs::Outputs;
use super::sandbox::SandboxArgs;
use super::set_key::SetKey;
use crate::WrongUse;

/// The options of matches and tournaments. A tournament file has the same names. `-h` shows the
/// everyday ones, a line each.
#[derive(Debug, ClapArgs)]
pub(crate) struct EventArgs {
    /// What the event is called in reports and on pages [default: as its folder]
    #[arg(long, value_name = "TITLE", help_heading = "Event", hide_short_help = true)]
    pub title: Option<String>,
    /// Where it is played, in words
    #[arg(long, value_name = "PLACE", help_heading = "Event", hide_short_help = true)]
    pub place: Option<String>,
    /// When it is played, in words
    #[arg(long, value_name = "DATE", help_heading = "Event", hide_short_help = true)]
    pub date: Option<String>,
    /// The rule: freestyle, standard, renju or caro [default: freestyle]
    #[arg(long, help_heading = "Game")]
    pub rule: Option<Rule>,
    /// The board: 15, or 20x15 [default: 15]
    #[arg(long, value_name = "N|WxH", help_heading = "Game")]
    pub size: Option<Size>,
    /// The opening procedure: book, swap2, rif and others [default: book]
    ///
    /// One of none, book, pro, long-pro, swap, swap2, rif, contest, yamaguchi, soosorv8 and
    /// taraguchi10. Without one, games begin from balanced positions.
    #[arg(long, value_name = "NAME", help_heading = "Game")]
    pub opening: Option<Procedure>,
    /// Positions for --opening book [default: those that come with Tengen]
    ///
    /// A file with one in each line: h8 h9 i9, or offsets from the centre as Gomocup writes them:
    /// 0,0, 1,-1; or the games of a .sgf, .psq or .jsonl. Each is played twice, and the players
    /// change places in between. `balanced` names those that come with Tengen.
    #[arg(long, value_name = "FILE", help_heading = "Game")]
    pub openings: Option<PathBuf>,
    /// The order of the positions: sequential, or random (from the seed) [default: sequential]
    #[arg(long, value_name = "ORDER", help_heading = "Game", hide_short_help = true)]
    pub openings_order: Option<OpeningOrder>,
    /// Rotate and mirror the positions: none, random (from the seed), or all (8 ways in turn)
    /// [default: random with --sprt, otherwise none]
    #[arg(long, value_name = "WAY", help_heading = "Game", hide_short_help = true)]
    pub openings_symmetries: Option<Symmetries>,
    /// Begin with this position of the order, counted from 1 [default: 1]
    ///
    /// If two machines play parts of one test with the same seed, --openings-count 5000 on one and
    /// --openings-start 5001 on the other keep any position from being played twice.
    #[arg(long, value_name = "N", help_heading = "Game", hide_short_help = true)]
    pub openings_start: Option<u32>,
    /// Play this many positions from there on before they are repeated [default: all]
    #[arg(long, value_name = "N", help_heading = "Game", hide_short_help = true)]
    pub openings_count: Option<u32>,
    /// How many fifth moves may be declared: 3, or 1..5 [default: the procedure's own]
    #[arg(long, value_name = "N|A..B", help_heading = "Game", hide_short_help = true)]
    pub fifth_moves: Option<FifthMoves>,
    /// For engines that answer no opening questions: refuse, or arbiter (Tengen answers for them)
    /// [default: refuse]
    #[arg(long, value_name = "POLICY", help_heading = "Game", hide_short_help = true)]
    pub opening_policy: Option<OpeningPolicy>,
    /// With --opening-policy arbiter, the engine that answers for them [default: simple rules]
    #[arg(long, value_name = "ENGINE", help_heading = "Game", hide_short_help = true)]
    pub opening_engine: Option<String>,
    /// The clock: 60+1, move=5, nodes=N and others [default: 10+0.1]
    ///
    /// Seconds for the game and seconds added for each move (1:00:00 is an hour); 40/60 for 60 s
    /// per 40 moves; byo=3x30; move=5; nodes=N; depth=N; or inf. Several are combined with commas.
    #[arg(long, value_name = "TC", help_heading = "Game")]
    pub tc: Option<TimeControl>,
    /// Multiply the times on faster and slower workers, so that all think as far as this machine
    ///
    /// Or as far as a machine of so many nodes a second, as `tengen doctor` measures it.
    #[cfg(feature = "workers")]
    #[arg(long, value_name = "NODES", num_args = 0..=1, default_missing_value = "0")]
    #[arg(require_equals = true, help_heading = "Workers", hide_short_help = true)]
    pub scale_time: Option<u64>,
    /// How late an answer may be [default: 0; 1 with a text engine]
    #[arg(long, value_name = "SECONDS", help_heading = "Game")]
    pub margin: Option<Seconds>,
    /// How long an engine may take to get ready [default: 10]
    #[arg(long, value_name = "SECONDS", help_heading = "Game", hide_short_help = true)]
    pub startup: Option<Seconds>,
    /// Count the time to get ready against the game clock, as Gomocup does
    ///
    /// It counts from the start of the process.
    #[arg(long, help_heading = "Game", hide_short_help = true)]
    pub count_startup: bool,
    /// Games for each pair of engines [default: 10]
    ///
    /// In the second game of two, they change places.
    #[arg(long, value_name = "N", help_heading = "Event")]
    pub games: Option<u32>,
    /// Games played at the same time [default: the number of CPUs]
    #[arg(long, value_name = "N", help_heading = "Event")]
    pub concurrency: Option<usize>,
    /// The CPUs of the games, one each: a list such as 0,2,4-7; none (the system chooses); or auto
    /// (one CPU per game while its engines answer immediately) [default: auto]
    #[arg(long, value_name = "CPUS", help_heading = "Event", hide_short_help = true)]
    #[arg(alias = "affinity")]
    pub cpus: Option<Affinity>,
    /// The seed of openings, draws by lot and engines [default: 0]
    #[arg(long, value_name = "N", help_heading = "Event")]
    pub seed: Option<u64>,
    /// Where WASM engines run: child, or in-process, which is faster [default: child]
    #[arg(long, value_name = "WHERE", help_heading = "Engines", hide_short_help = true)]
    pub isolation: Option<IsolationOption>,
    /// A new process for each game: on, off or auto [default: auto]
    ///
    /// Without a value it is on. With auto, only a text engine that does not seem to clear its
    /// board gets a new process.
    #[arg(long, value_name = "WHEN", num_args = 0..=1, require_equals = true,
          default_missing_value = "on", help_heading = "Engines")]
    pub restart: Option<RestartOption>,
    /// The memory of an engine: 350MiB, 2GiB [default: its share of the machine]
    ///
    /// It is the limit of all its processes together.
    #[arg(long, value_name = "SIZE", help_heading = "Engines")]
    pub memory: Option<Mebibytes>,
    /// Give each engine a scratch folder of at most this size to write in, while it runs [default:
    /// none; engines cannot write]
    #[arg(long, value_name = "SIZE", help_heading = "Engines", hide_short_help = true)]
    pub folder_limit: Option<Mebibytes>,
    #[command(flatten)]
    pub sandbox: SandboxArgs,
    /// Let engines think on their opponents' time; otherwise they are paused
    #[arg(long, help_heading = "Engines")]
    pub ponder: bool,
    /// After an illegal answer: forfeit, retries=N (it is told and asked again), or substitute (the
    /// built-in engine answers in its place) [default: forfeit]
    #[arg(long, value_name = "POLICY", help_heading = "Policies", hide_short_help = true)]
    pub illegal: Option<IllegalOption>,
    /// When a forbidden move loses: automatic (at once), or claim (if White claims it) [default:
    /// automatic]
    #[arg(long, value_name = "POLICY", help_heading = "Policies", hide_short_help = true)]
    pub forbidden: Option<ForbiddenOption>,
    /// After a late answer: loss, or substitute (Tengen moves instead) [default: loss]
    #[arg(long, value_name = "POLICY", help_heading = "Policies", hide_short_help = true)]
    pub late: Option<LateOption>,
    /// After a game that the machine spoiled, because it was asleep or stopped, or had no memory
    /// left: replay (it is played again; after 3 times it does not count), replay-pair (the same
    /// with the other game of its pair), or keep (it counts and is marked) [default: replay]
    #[arg(long, value_name = "POLICY", help_heading = "Policies", hide_short_help = true)]
    pub spoiled: Option<SpoiledOption>,
    /// When an engine does not start, or cannot play such games: aside (it plays no games), forfeit
    /// (it loses all its games), or refuse (the event is not made) [default: aside]
    #[arg(long, value_name = "POLICY", help_heading = "Policies", hide_short_help = true)]
    #[arg(conflicts_with = "strict")]
    pub absent: Option<AbsentOption>,
    /// When a file of an engine is changed during the event: keep (the engine goes on with the copy
    /// that was made of its files), or stop (it plays no more games) [default: keep]
    #[arg(long, value_name = "POLICY", help_heading = "Policies", hide_short_help = true)]
    pub changed: Option<ChangedOption>,
    /// The same as --absent refuse
    #[arg(long, help_heading = "Policies", hide_short_help = true)]
    pub strict: bool,
    /// How long to wait for a remote engine (remote:NAME) that is not connected [default: 600]
    ///
    /// After that, once only its games are left, --absent says what happens: aside (it plays no
    /// more), forfeit (it loses them), or refuse (the event stops, and can be resumed). While no
    /// remote engine is connected at all, only refuse takes effect.
    #[arg(long, value_name = "SECONDS", help_heading = "Policies", hide_short_help = true)]
    pub remote_wait: Option<Seconds>,
    /// A text engine loses if it sends a line that is not an answer (ERROR, UNKNOWN, other words, a
    /// repeated answer); otherwise the line is recorded, and Tengen waits for the answer
    #[arg(long, help_heading = "Policies", hide_short_help = true)]
    pub strict_protocol: bool,
    /// Let players offer draws
    #[arg(long, help_heading = "Policies", hide_short_help = true)]
    pub draw_offers: bool,
    /// End a game as a draw when this many stones are on the board
    #[arg(long, value_name = "N", help_heading = "Policies", hide_short_help = true)]
    pub move_limit: Option<u32>,
    #[command(flatten)]
    pub windows: AdjudicationArgs,
    #[command(flatten)]
    pub schedule: FormatArgs,
    /// Stop as soon as this sequential test has decided
    ///
    /// The test (SPRT) is whether the first engine is stronger by elo1, or by no more than elo0:
    /// elo0=N,elo1=N[,alpha=N,beta=N,model=NAME]. alpha and beta are the error probabilities, 0.05
    /// each unless given; with model=normalized, the differences are in normalized Elo.
    #[arg(long, value_name = "elo0=N,elo1=N", help_heading = "Event")]
    pub sprt: Option<SequentialTest>,
    /// Set a key of the event file, such as stall=600
    ///
    /// It can be given several times, with any key of the file; a flag of the same name wins. These
    /// keys have no flag of their own: alike, bracket-reset, deciders, decider-tc, margin-per,
    /// passing, send-board, stall, third-place. docs/events.md explains them.
    #[arg(long, value_name = "KEY=VALUE", help_heading = "Event")]
    pub set: Vec<SetKey>,
    /// Start this engine without a sandbox and without deadlines, print its process ID, and wait
    /// until you have attached a debugger
    ///
    /// Games are played one at a time, and their records say that it was debugged.
    #[arg(long, value_name = "ENGINE", help_heading = "Engines", hide_short_help = true)]
    pub debug_engine: Option<String>,
    #[command(flatten)]
    pub debug_wait: DebugWaitArgs,
    /// The folder with the engines [default: engines here, or the user's]
    ///
    /// If there is neither, it is the folder of the engines that came with Tengen.
    #[arg(long, value_name = "DIR", help_heading = "Engines")]
    pub dir: Option<PathBuf>,
    /// The event's new folder [default: one in events/]
    #[arg(long, value_name = "DIR", help_heading = "Output")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
    /// Print one JSON object when done
    #[arg(long, help_heading = "Output")]
    pub json: bool,
}

impl EventArgs {
    /// Overrides the configuration with the options given.
    ///
    /// # Errors
    /// When a key is set wrongly.
    pub(crate) fn apply(&self, config: &mut EventConfig) -> anyhow::Result<()> {
        fn put<T: Clone>(given: &Option<T>, to: &mut T) {
            if let Some(given) = given {
                *to = given.clone();
            }
        }
        for SetKey { key, value } in &self.set {
            config.set(key, value).map_err(|error| WrongUse(error.into()))?;
        }
        for (given, to) in [
            (&self.title, &mut config.title),
            (&self.place, &mut config.place),
            (&self.date, &mut config.date),
        ] {
            *to = given.clone().or(to.take());
        }
        put(&self.rule, &mut config.rule);
        put(&self.size, &mut config.size);
        put(&self.opening, &mut config.opening);
        put(&self.openings_order, &mut config.openings_order);
        put(&self.opening_policy, &mut config.opening_policy);
        put(&self.tc, &mut config.tc);
        config.margin = self.margin.or(config.margin);
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
        if let Some(layers) = &self.sandbox.require_sandbox {
            config.require_sandbox = true;
            config.require_layers.clone_from(layers);
        }
        config.ponder |= self.ponder;
        config.strict_protocol |= self.strict_protocol;
        config.count_startup |= self.count_startup;
        config.draw_offers |= self.draw_offers;
        #[cfg(feature = "workers")]
        if let Some(reference) = self.scale_time {
            let own = reference == 0;
            config.scale_time = Some(if own { crate::doctor::measure_speed()? } else { reference });
        }
        self.windows.apply(config);
        self.schedule.apply(config);
        config.sprt = self.sprt.or(config.sprt);
        Ok(())
    }
}
