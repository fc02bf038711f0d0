use std::path::PathBuf;

use clap::Args as ClapArgs;
use tengen_arbiter::TimeControl;
use tengen_rules::{Procedure, Rule, Size};
use tengen_tournament::{
    Affinity, AlikeOption, EngineEntry, EventConfig, EventFormat, FifthMoves, ForbiddenOption,
    IllegalOption, IsolationOption, LateOption, MarginOption, Mebibytes, OpeningOrder,
    OpeningPolicy, Seconds, SequentialTest, SpoiledOption, Symmetries,
};

use crate::adjudication_args::AdjudicationArgs;
use crate::outputs::Outputs;

/// What matches and tournaments share. A tournament file has the same names.
#[derive(Debug, ClapArgs)]
pub(crate) struct EventArgs {
    /// What wins: freestyle, standard, renju or caro [default: freestyle]
    #[arg(long)]
    pub rule: Option<Rule>,
    /// The board: 15, or 20x15 [default: 15]
    #[arg(long, value_name = "N|WxH")]
    pub size: Option<Size>,
    /// The opening procedure: none, book, pro, long-pro, swap, swap2, rif, contest, yamaguchi,
    /// soosorv8 or taraguchi10 [default: none]
    #[arg(long)]
    pub opening: Option<Procedure>,
    /// Positions for --opening book, one a line: h8 h9 i9, or offsets from the centre as Gomocup
    /// has them: 0,0, 1,-1; each is played twice, with the seats swapped
    #[arg(long, value_name = "FILE")]
    pub openings: Option<PathBuf>,
    /// The order of the positions: sequential, or random by the seed [default: sequential]
    #[arg(long, value_name = "ORDER")]
    pub openings_order: Option<OpeningOrder>,
    /// How the positions are turned and mirrored: none, random by the seed, or all of the 8 ways in
    /// turn [default: none]
    #[arg(long, value_name = "WAY")]
    pub openings_symmetries: Option<Symmetries>,
    /// How many fifth moves may be declared: 3, or 1..5 [default: the procedure's own]
    #[arg(long, value_name = "N|A..B")]
    pub fifth_moves: Option<FifthMoves>,
    /// When offered fifth moves are alike: shape or board [default: shape]
    #[arg(long)]
    pub alike: Option<AlikeOption>,
    /// Where engines answer no opening questions: refuse them, or let the arbiter answer in their
    /// place [default: refuse]
    #[arg(long, value_name = "POLICY")]
    pub opening_policy: Option<OpeningPolicy>,
    /// The engine that answers in their place, with --opening-policy arbiter; rules of thumb where
    /// it has no answer [default: rules of thumb]
    #[arg(long, value_name = "ENGINE")]
    pub opening_engine: Option<String>,
    /// Time: seconds a game + increment; move=5, nodes=N, depth=N, inf combine with commas
    /// [default: 10+0.1]
    #[arg(long, value_name = "TC")]
    pub tc: Option<TimeControl>,
    /// Seconds of lag forgiven each player [default: 0; 0.1 for text engines]
    #[arg(long, value_name = "SECONDS")]
    pub margin: Option<Seconds>,
    /// Over what the margin is forgiven: once a game, or in each move [default: game]
    #[arg(long, value_name = "game|move")]
    pub margin_per: Option<MarginOption>,
    /// Seconds after which an engine without a clock counts as hung; 0 is never [default: 300]
    #[arg(long, value_name = "SECONDS")]
    pub stall: Option<Seconds>,
    /// Seconds an engine may take to get ready [default: 10]
    #[arg(long, value_name = "SECONDS")]
    pub startup: Option<Seconds>,
    /// Count what an engine takes to get ready, from the start of its process, against its game
    /// clock, as Gomocup does
    #[arg(long)]
    pub count_startup: bool,
    /// Games between each two engines, in pairs with the seats swapped [default: 10]
    #[arg(long, value_name = "N")]
    pub games: Option<u32>,
    /// Games played at once [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub concurrency: Option<usize>,
    /// The CPUs of the games played at once, one each: a list as in 0,2,4-7, none to leave it to
    /// the system, or auto for one CPU a game while its engines answer at once, and none while they
    /// think [default: auto]
    #[arg(long, alias = "affinity", value_name = "CPUS")]
    pub cpus: Option<Affinity>,
    /// The seed of everything drawn by lot [default: 0]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Who meets whom: round-robin [default: round-robin]
    #[arg(long)]
    pub format: Option<EventFormat>,
    /// Where WASM engines run: child, or in-process for quick mass play [default: child]
    #[arg(long)]
    pub isolation: Option<IsolationOption>,
    /// Start every engine anew for each game
    #[arg(long)]
    pub restart: bool,
    /// The most memory of each engine, with all its processes: 350MiB, 2GiB [default: no limit]
    #[arg(long, value_name = "SIZE")]
    pub memory: Option<Mebibytes>,
    /// Give each engine a private folder to start and write in, of at most that size, for as long
    /// as it runs [default: none, and nothing can be written]
    #[arg(long, value_name = "SIZE")]
    pub folder_limit: Option<Mebibytes>,
    /// Refuse engines, before anything of them runs, where a wall around them does not hold
    #[arg(long)]
    pub require_sandbox: bool,
    /// Tell text engines the whole position for each move, by BOARD, instead of the last stone
    #[arg(long)]
    pub send_board: bool,
    /// Let engines work while their opponents think, instead of stopping them
    #[arg(long)]
    pub ponder: bool,
    /// What an illegal answer costs: forfeit, or retries=N [default: forfeit]
    #[arg(long, value_name = "POLICY")]
    pub illegal: Option<IllegalOption>,
    /// How a forbidden move is found: automatic or claim [default: automatic]
    #[arg(long, value_name = "POLICY")]
    pub forbidden: Option<ForbiddenOption>,
    /// What a late answer costs: loss or substitute [default: loss]
    #[arg(long, value_name = "POLICY")]
    pub late: Option<LateOption>,
    /// Games lost by time that the host took, not the engine: keep them, flagged, or replay them
    /// with the other game of their pair, so that neither counts before [default: keep]
    #[arg(long, value_name = "POLICY")]
    pub spoiled: Option<SpoiledOption>,
    /// Have a text engine lose by every line that is no answer where one is due: ERROR, UNKNOWN,
    /// words, an answer given twice; otherwise it is noted, and the answer waited for
    #[arg(long)]
    pub strict_protocol: bool,
    /// Let players offer draws
    #[arg(long)]
    pub draw_offers: bool,
    /// Let players pass
    #[arg(long)]
    pub passing: bool,
    /// Draw a game when so many stones are on the board
    #[arg(long, value_name = "N")]
    pub move_limit: Option<u32>,
    #[command(flatten)]
    pub windows: AdjudicationArgs,
    /// End a match as soon as it is decided whether the first engine is better by elo1, or by no
    /// more than elo0, with alpha and beta (0.05 if left out) the chances of an error
    #[arg(long, value_name = "elo0=N,elo1=N[,alpha=N,beta=N]")]
    pub sprt: Option<SequentialTest>,
    /// The folder that holds the engines [default: engines]
    #[arg(long, value_name = "DIR")]
    pub dir: Option<PathBuf>,
    /// The event's folder, made new [default: one of its own in events/]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    pub outputs: Outputs,
    /// Print one JSON object when done
    #[arg(long)]
    pub json: bool,
}

impl EventArgs {
    /// Puts what was given over what the configuration says.
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
        put(&self.openings_symmetries, &mut config.openings_symmetries);
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
        put(&self.format, &mut config.format);
        put(&self.isolation, &mut config.isolation);
        put(&self.illegal, &mut config.illegal);
        put(&self.forbidden, &mut config.forbidden);
        put(&self.late, &mut config.late);
        put(&self.spoiled, &mut config.spoiled);
        put(&self.dir, &mut config.dir);
        let assistant = self.opening_engine.as_ref().map(EngineEntry::new);
        config.opening_engine = assistant.or(config.opening_engine.take());
        config.fifth_moves = self.fifth_moves.or(config.fifth_moves);
        config.move_limit = self.move_limit.or(config.move_limit);
        config.out = self.out.clone().or(config.out.take());
        config.memory = self.memory.or(config.memory);
        config.folder_limit = self.folder_limit.or(config.folder_limit);
        config.require_sandbox |= self.require_sandbox;
        config.ponder |= self.ponder;
        config.send_board |= self.send_board;
        config.restart |= self.restart;
        config.strict_protocol |= self.strict_protocol;
        config.count_startup |= self.count_startup;
        config.draw_offers |= self.draw_offers;
        config.passing |= self.passing;
        self.windows.apply(config);
        config.sprt = self.sprt.or(config.sprt);
    }
}
