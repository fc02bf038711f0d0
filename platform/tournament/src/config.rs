//! The configuration of an event: `event.toml` and tournament files.

mod affinity;
mod engine;
mod error;
mod growth;
mod mebibytes;
mod occasion;
mod opening_check;
mod opening_draw;
mod openings;
mod option;
mod part;
mod remote;
mod sequential;
mod stage;
mod suites;
pub(crate) mod text;
mod windows;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;

use serde::{Deserialize, Serialize};
use tengen_arbiter::{
    Adjudication, DrawWindow, GameConfig, Nanos, Policies, ResignWindow, TimeControl,
};
use tengen_record::{TimeScale, read_text};
use tengen_rules::{BySeat, OpeningSettings, Point, Procedure, Rule, Size};
use toml::Spanned;
use toml::de::{DeTable, Deserializer};

use self::error::plain;
use self::opening_draw::OpeningDraw;
use self::stage::own_keys;
use crate::formats::Course;
use crate::{PairTest, Schedule, ScheduledGame, Tally, TestState};

pub use affinity::Affinity;
pub use engine::EngineEntry;
pub use error::ConfigError;
pub use mebibytes::Mebibytes;
pub use openings::Openings;
pub use option::{
    AbsentOption, AlikeOption, ChangedOption, EventFormat, FifthMoves, ForbiddenOption,
    IllegalOption, IsolationOption, LateOption, LineEndOption, MarginOption, OpeningOrder,
    OpeningPolicy, OwnOpening, ParseOptionError, RestartOption, Seconds, SeedingOption,
    SpoiledOption, Symmetries,
};
pub use part::{EventPart, Places};
pub use sequential::SequentialTest;
pub(crate) use stage::StagePlan;
pub use stage::{StageConfig, TieBreaks};
pub use suites::{balanced, has_balanced};

/// An event as in its file. All keys but `engines` may be left out, and unknown ones are refused. A
/// key has the name of its flag where it has one; any is set by `--set`.
///
/// ```
/// use tengen_tournament::EventConfig;
/// let config = EventConfig::from_toml(
///     r#"
///     rule = "renju"
///     opening = "contest"
///     tc = "900+0"
///     games = 2
///     engines = ["greedy", { id = "alphabeta", options = { Depth = "6" } }]
///     "#,
///     "cup.toml".as_ref(),
/// )
/// .unwrap();
/// assert_eq!(config.engines[1].options["Depth"], "6");
/// assert_eq!(EventConfig::from_toml(&config.to_toml(), "frozen".as_ref()).unwrap(), config);
/// ```
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct EventConfig {
    /// What people call it; by default as its folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where and when it is played, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    #[serde(with = "text")]
    pub rule: Rule,
    #[serde(with = "text")]
    pub size: Size,
    #[serde(with = "text")]
    pub opening: Procedure,
    /// How many fifth moves may be declared; none leaves it to the procedure.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub fifth_moves: Option<FifthMoves>,
    /// When two fifth moves offered are alike.
    #[serde(with = "text")]
    pub alike: AlikeOption,
    /// What becomes of an engine that answers no opening questions.
    #[serde(with = "text")]
    pub opening_policy: OpeningPolicy,
    /// The engine that assists the arbiter where it answers for others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening_engine: Option<EngineEntry>,
    /// The positions of [`Procedure::Book`], each played by every pairing in its turn.
    #[serde(skip_serializing_if = "Openings::is_empty")]
    pub openings: Openings,
    /// In which order they are played.
    #[serde(with = "text")]
    pub openings_order: OpeningOrder,
    /// How they are turned and mirrored; by default at random in a test, and otherwise not at all.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub openings_symmetries: Option<Symmetries>,
    /// The first of them to play, in that order, counted from 1; by default the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_start: Option<u32>,
    /// How many from there on are played before one comes again; by default all to the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub openings_count: Option<u32>,
    /// Each player's time.
    #[serde(with = "text")]
    pub tc: TimeControl,
    /// The speed of the machine for which the times are meant, in nodes a second of the built-in
    /// engine: a worker of another speed multiplies them. None leaves them as they are everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale_time: Option<u64>,
    /// What the times are multiplied by where this plays.
    #[serde(skip)]
    pub time_scale: TimeScale,
    /// How late each player's answers may be. Where it is not set, it is that of text engines if
    /// one plays, and else 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Seconds>,
    /// Whether that is once per game, or in each move.
    #[serde(with = "text", skip_serializing_if = "of_the_game")]
    pub margin_per: MarginOption,
    /// How long an engine that has no clock may think before it counts as hung; 0 is for ever.
    pub stall: Seconds,
    /// How long an engine may take to get ready.
    pub startup: Seconds,
    /// The number of games between every two engines; see [`Schedule`] for an odd one.
    pub games: u32,
    /// How many games are played at once.
    pub concurrency: usize,
    /// Which CPUs they are played on.
    #[serde(with = "text", alias = "affinity")]
    pub cpus: Affinity,
    /// The seed of everything random, at most 2⁶³ − 1 (TOML has no greater integers).
    pub seed: u64,
    /// How many rounds may be played until the referee begins the next one; none is all of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rounds_by_hand: Option<u32>,
    /// The format and its keys, of an event without stages.
    #[serde(flatten, skip_deserializing)]
    pub own: StageConfig,
    /// Where WASM engines run.
    #[serde(with = "text")]
    pub isolation: IsolationOption,
    /// Whether engines get a new process for each game, unless they have a word of their own.
    #[serde(serialize_with = "text::serialize", deserialize_with = "RestartOption::read")]
    pub restart: RestartOption,
    /// The most memory of each engine, with all its processes.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub memory: Option<Mebibytes>,
    /// The size of the scratch folder in which each engine may write; without it engines have none.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub folder_limit: Option<Mebibytes>,
    /// Whether an engine is refused where a layer of its sandbox is missing.
    pub require_sandbox: bool,
    /// The layers that are required then; an empty list means all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub require_layers: Vec<String>,
    /// Whether an engine may go on working while its opponent thinks.
    pub ponder: bool,
    /// Whether a text engine is told the whole position for each move.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub send_board: bool,
    /// What an illegal answer costs.
    #[serde(with = "text")]
    pub illegal: IllegalOption,
    /// How a forbidden move is found.
    #[serde(with = "text")]
    pub forbidden: ForbiddenOption,
    /// What a late answer costs.
    #[serde(with = "text")]
    pub late: LateOption,
    /// What becomes of a game that the host spoiled.
    #[serde(with = "text")]
    pub spoiled: SpoiledOption,
    /// What becomes of an engine that does not start, or cannot play such games.
    #[serde(with = "text")]
    pub absent: AbsentOption,
    /// What becomes of an engine if one of its files is changed during the event.
    #[serde(with = "text")]
    pub changed: ChangedOption,
    /// How long to wait for an engine of another machine that is away; by default ten minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_wait: Option<Seconds>,
    /// Whether a text engine loses at any line that is no answer where one is due, instead of
    /// having its whole time for the answer.
    pub strict_protocol: bool,
    /// Whether what an engine takes to get ready counts against its game clock.
    pub count_startup: bool,
    pub draw_offers: bool,
    /// Whether a player may pass.
    pub passing: bool,
    /// The number of stones at which a game is drawn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub move_limit: Option<u32>,
    /// The folder that holds the engines.
    pub dir: PathBuf,
    /// The event's own folder, where the file names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// When both players' scores draw a game.
    #[serde(with = "windows::draw", skip_serializing_if = "Option::is_none")]
    pub adjudicate_draw: Option<DrawWindow>,
    /// When the players' scores decide a game.
    #[serde(with = "windows::resign", skip_serializing_if = "Option::is_none")]
    pub adjudicate_resign: Option<ResignWindow>,
    /// With how many nodes the arbiter looks for a win by fours after each move; none never looks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adjudicate_proof: Option<u32>,
    /// The test that ends a match of two engines when it decides.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SequentialTest>,
    /// The stages, each fed by the one before; none where the event is one by itself.
    #[serde(rename = "stage", skip_serializing_if = "Vec::is_empty")]
    pub stages: Vec<StageConfig>,
    pub engines: Vec<EngineEntry>,
    /// The engines that do not play although they were entered, as found out before the first game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<SetAside>,
    /// The parts of an event that grew; none where it has the games that it began with.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<EventPart>,
}

/// An engine that was entered in an event, and why it does not play.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SetAside {
    /// What the event calls it.
    pub engine: String,
    /// Why it does not play.
    pub reason: String,
}

fn of_the_game(margin: &MarginOption) -> bool {
    *margin == MarginOption::default()
}

impl Default for EventConfig {
    fn default() -> EventConfig {
        EventConfig {
            title: None,
            place: None,
            date: None,
            rule: Rule::Freestyle,
            size: Size::STANDARD,
            opening: Procedure::None,
            fifth_moves: None,
            alike: AlikeOption::default(),
            opening_policy: OpeningPolicy::default(),
            opening_engine: None,
            openings: Openings::default(),
            openings_order: OpeningOrder::default(),
            openings_symmetries: None,
            openings_start: None,
            openings_count: None,
            tc: TimeControl {
                main: Some(10_000_000_000),
                increment: 100_000_000,
                ..TimeControl::default()
            },
            scale_time: None,
            time_scale: TimeScale::ONE,
            margin: None,
            margin_per: MarginOption::default(),
            stall: Seconds(300_000_000_000),
            startup: Seconds(10_000_000_000),
            games: 10,
            concurrency: thread::available_parallelism().map_or(1, usize::from),
            cpus: Affinity::default(),
            seed: 0,
            rounds_by_hand: None,
            own: StageConfig::default(),
            isolation: IsolationOption::default(),
            restart: RestartOption::default(),
            memory: None,
            folder_limit: None,
            require_sandbox: false,
            require_layers: Vec::new(),
            ponder: false,
            send_board: false,
            illegal: IllegalOption::default(),
            forbidden: ForbiddenOption::default(),
            late: LateOption::default(),
            spoiled: SpoiledOption::default(),
            absent: AbsentOption::default(),
            changed: ChangedOption::default(),
            remote_wait: None,
            strict_protocol: false,
            count_startup: false,
            draw_offers: false,
            passing: false,
            move_limit: None,
            dir: PathBuf::from("engines"),
            out: None,
            adjudicate_draw: None,
            adjudicate_resign: None,
            adjudicate_proof: None,
            sprt: None,
            stages: Vec::new(),
            engines: Vec::new(),
            set_aside: Vec::new(),
            parts: Vec::new(),
        }
    }
}

impl EventConfig {
    /// The most games at once; with more, a machine would only switch between them.
    pub const MOST_CONCURRENT: usize = 1024;

    /// How many nodes a proof may take after each move.
    pub const PROOF_NODES: std::ops::RangeInclusive<u32> = 1..=1_000_000;

    /// The largest file that is read, in bytes; positions are most of one.
    pub(crate) const MOST_BYTES: u64 = 64 << 20;

    /// Reads a file. An opening suite that it names lies beside it, and is still to be
    /// [loaded](EventConfig::load_openings).
    ///
    /// # Errors
    /// When the file cannot be read, or describes an event that cannot be; with the line.
    pub fn read(path: &Path) -> Result<EventConfig, ConfigError> {
        let source = |source| ConfigError::Read { path: path.to_owned(), source };
        let text = read_text(path, EventConfig::MOST_BYTES).map_err(source)?;
        let mut config = EventConfig::from_toml(&text, path)?;
        let says: toml::Table = toml::from_str(&text).unwrap_or_default();
        if !says.contains_key("opening") && !says.contains_key("openings") {
            config.play_balanced();
        }
        // Its engines may still be named elsewhere.
        if config.engines.len() > 1 {
            config.plan().map_err(|error| error.located(path, &text))?;
        }
        config.openings.lie_in(path.parent().unwrap_or(Path::new("")));
        Ok(config)
    }

    /// Reads the opening suite, if one is named, as positions of this rule and this board. A line
    /// is checked if the event comes to it. A test plays positions that are turned or mirrored
    /// images of each other only once: the second would show nothing new.
    ///
    /// # Errors
    /// When the file cannot be read, or a game would begin from a line that is no position.
    pub fn load_openings(&mut self) -> Result<(), ConfigError> {
        let (draw, meetings) = (self.opening_draw(), self.meetings());
        let is_test = self.sprt.is_some();
        self.openings.load(self.rule, self.size, is_test, |count| draw.places(count, meetings))
    }

    /// Plays the balanced positions that come with the program, as events do by default. They are
    /// still to be [loaded](EventConfig::load_openings).
    pub fn play_balanced(&mut self) {
        (self.opening, self.openings) = (Procedure::Book, Openings::Balanced);
    }

    /// How often every two engines meet, two games at a time; where rounds are drawn, the most
    /// openings that one engine may meet.
    fn meetings(&self) -> u64 {
        if self.is_drawn_at_once() { self.games.div_ceil(2).into() } else { self.most_meetings() }
    }

    fn opening_draw(&self) -> OpeningDraw {
        OpeningDraw {
            order: self.openings_order,
            symmetries: self.symmetries(),
            seed: self.seed,
            size: self.size,
            start: self.openings_start,
            count: self.openings_count,
        }
    }

    /// How positions are turned and mirrored.
    pub fn symmetries(&self) -> Symmetries {
        let usual = if self.sprt.is_some() { Symmetries::Random } else { Symmetries::None };
        self.openings_symmetries.unwrap_or(usual)
    }

    /// Reads the text of a file; `path` is for the messages.
    ///
    /// # Errors
    /// When the text is not TOML, has an unknown key, or a value that does not fit its key.
    pub fn from_toml(text: &str, path: &Path) -> Result<EventConfig, ConfigError> {
        EventConfig::parse(text).map_err(|mut error| {
            error.set_input(Some(text));
            let message = plain(error.to_string().trim_end());
            ConfigError::Parse { path: path.to_owned(), message }
        })
    }

    /// The keys of a stage are read by themselves: flattened ones would have no line in a message.
    fn parse(text: &str) -> Result<EventConfig, toml::de::Error> {
        let table = DeTable::parse(text)?;
        let span = table.span();
        let (own, rest): (Vec<_>, Vec<_>) = table
            .into_inner()
            .into_iter()
            .partition(|(key, _)| own_keys().any(|name| name == key.get_ref()));
        let read = |keys: Vec<_>| {
            Deserializer::from(Spanned::new(span.clone(), keys.into_iter().collect()))
        };
        let config = EventConfig::deserialize(read(rest))?;
        let mut own = StageConfig::deserialize(read(own))?;
        own.challengers = own.challengers.filter(|&count| count != 1);
        Ok(EventConfig { own, ..config })
    }

    /// Sets a key of the file, where `value` is as it stands there; words need no quotes.
    ///
    /// # Errors
    /// When there is no such key, or the value does not fit it.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigError> {
        let table = toml::Table::try_from(&*self);
        let table = table.map_err(|error| ConfigError::option("set", error.to_string()))?;
        let set = |value: toml::Value| {
            let mut table = table.clone();
            table.insert(key.to_owned(), value);
            EventConfig::parse(&table.to_string())
        };
        let read: Option<toml::Table> = toml::from_str(&format!("value = {value}")).ok();
        let read = read.filter(|table| table.len() == 1);
        let read = read.and_then(|mut table| table.remove("value"));
        let words = || set(toml::Value::String(value.to_owned()));
        let config = match read {
            // Some numbers are words in the file, such as a time control.
            Some(read) => set(read).or_else(|error| words().map_err(|_| error)),
            None => words(),
        };
        *self = config.map_err(|error| {
            let message = plain(error.to_string().trim_end());
            ConfigError::option("set", format!("{key}={value}: {message}"))
        })?;
        Ok(())
    }

    /// The text of a file that reads back as this.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("a configuration has text keys and no value out of range")
    }

    /// Whether an event can be held so.
    ///
    /// # Errors
    /// Names the first option that is wrong or does not go with another.
    pub fn validate(&self) -> Result<(), ConfigError> {
        let refuse = |option, problem: &str| Err(ConfigError::option(option, problem));
        match self.engines.len() {
            2..=1000 => {}
            found => return refuse("engines", &format!("an event has 2 to 1000, not {found}")),
        }
        if self.engines.iter().any(|engine| engine.id.is_empty()) {
            return refuse("engines", "an engine has no id");
        }
        self.validate_occasion()?;
        self.validate_rounds()?;
        if !self.require_sandbox && !self.require_layers.is_empty() {
            return refuse("require-layers", "means nothing without require-sandbox = true");
        }
        self.validate_remote()?;
        self.plan()?;
        if let Some(problem) = self.parts.iter().find_map(|part| part.problem(self.engines.len())) {
            return refuse("parts", &problem);
        }
        if !self.parts.is_empty() && !self.is_drawn_at_once() {
            return refuse("parts", "only a round-robin and a gauntlet grow by parts");
        }
        if self.sprt.is_some() && self.tests().is_empty() {
            let problem = "a test is of two engines, or of the challengers of a gauntlet against \
                           each of the others; use `tengen match`, or the format gauntlet";
            return refuse("sprt", problem);
        }
        if self.games == 0 {
            return refuse("games", "expected 1 or more");
        }
        if !(1..=EventConfig::MOST_CONCURRENT).contains(&self.concurrency) {
            return refuse("concurrency", "expected 1 to 1024");
        }
        if let Affinity::Cpus(cpus) = &self.cpus
            && cpus.len() < self.concurrency
        {
            let (cpus, games) = (cpus.len(), self.concurrency);
            let problem = format!("{cpus} CPUs are too few for {games} games at once");
            return refuse("cpus", &problem);
        }
        if i64::try_from(self.seed).is_err() {
            return refuse("seed", "expected 0 to 9223372036854775807");
        }
        if self.move_limit == Some(0) {
            return refuse("move-limit", "expected 1 or more stones");
        }
        if self.adjudicate_draw.is_some_and(|window| window.moves == 0) {
            return refuse("adjudicate-draw", "expected moves of 1 or more");
        }
        if self.adjudicate_resign.is_some_and(|window| window.moves == 0) {
            return refuse("adjudicate-resign", "expected moves of 1 or more");
        }
        if self.adjudicate_proof.is_some_and(|nodes| !EventConfig::PROOF_NODES.contains(&nodes)) {
            return refuse("adjudicate-proof", "expected 1 to 1000000 nodes after each move");
        }
        if self.startup.0 == 0 {
            return refuse("startup", "an engine needs some time to get ready; the usual is 10");
        }
        self.validate_openings()
    }

    /// How each engine is shown, and named in results: by its label or else its id, with `#2`,
    /// `#3`… where several have the same.
    pub fn labels(&self) -> Vec<String> {
        let mut seen = BTreeMap::<&str, u32>::new();
        let label = |engine| {
            let EngineEntry { id, label, .. }: &EngineEntry = engine;
            let id = label.as_ref().unwrap_or(id);
            let count = seen.entry(id).and_modify(|count| *count += 1).or_insert(1);
            if *count == 1 { id.clone() } else { format!("{id}#{count}") }
        };
        self.engines.iter().map(label).collect()
    }

    /// The pairings that a sequential test is of: the first engine against the second, or each
    /// challenger against each of the others. None where there is no test, or it has no pairing.
    pub(crate) fn tests(&self) -> Vec<(usize, usize)> {
        let engines = self.engines.len();
        match self.own.format {
            _ if self.sprt.is_none() || !self.stages.is_empty() => Vec::new(),
            EventFormat::Gauntlet => {
                let challengers = self.own.challengers();
                let of = |one| (challengers..engines).map(move |other| (one, other));
                (0..challengers).flat_map(of).collect()
            }
            EventFormat::RoundRobin if engines == 2 => vec![(0, 1)],
            _ => Vec::new(),
        }
    }

    /// How the test of two engines stands after these games, if the event is one.
    pub fn test_state(&self, tally: &Tally) -> Option<TestState> {
        self.sprt.filter(|_| self.engines.len() == 2)?;
        self.test_between(tally, (0, 1))
    }

    /// How the tests of several engines stand after these games, if the event is some.
    pub fn test_states(&self, tally: &Tally) -> Vec<PairTest> {
        if self.engines.len() == 2 {
            return Vec::new();
        }
        let labels = self.labels();
        let of = |(one, other): (usize, usize)| {
            let (engine, against) = (labels[one].clone(), labels[other].clone());
            Some(PairTest { engine, against, test: self.test_between(tally, (one, other))? })
        };
        self.tests().into_iter().filter_map(of).collect()
    }

    /// How the test of this pairing stands.
    fn test_between(&self, tally: &Tally, (one, other): (usize, usize)) -> Option<TestState> {
        let SequentialTest(test) = self.sprt?;
        let (counted, played) = (tally.pairs(one, other), tally.played_pairs(one, other));
        // Void games belong to no pair, but were played all the same.
        let met = played.pairs().max(tally.finished(one, other) / 2);
        let has_openings = self.meetings_of_a_test().map(|meetings| met < meetings);
        Some(TestState::of(test, counted, played, has_openings))
    }

    /// How often two engines can meet in a test, once from each position; none without a book.
    /// Pairs from one position depend on each other even where they differ: what they show beyond
    /// the first is about that position, not about the engines.
    pub(crate) fn meetings_of_a_test(&self) -> Option<u64> {
        self.sprt?;
        let positions = self.opening_draw().played(self.openings.positions().len() as u64);
        (positions > 0).then_some(positions)
    }

    /// Whether there are tests, and every one is over.
    pub fn are_tests_over(&self, tally: &Tally) -> bool {
        self.sprt.is_some() && self.open_tests(tally).is_empty()
    }

    pub(crate) fn is_test_over(&self, tally: &Tally, pairing: (usize, usize)) -> bool {
        self.test_between(tally, pairing).is_some_and(|test| test.is_over())
    }

    /// The pairings whose tests are not over.
    pub(crate) fn open_tests(&self, tally: &Tally) -> Vec<(usize, usize)> {
        let tests = self.tests().into_iter();
        tests.filter(|&pairing| !self.is_test_over(tally, pairing)).collect()
    }

    /// The schedule, as far as that is known before the first game.
    ///
    /// # Panics
    /// Unless the configuration is [valid](EventConfig::validate).
    pub fn schedule(&self) -> Schedule {
        if !self.is_drawn_at_once() {
            return Course::new(self).schedule().clone();
        }
        let engines = self.engines.len();
        if !self.parts.is_empty() {
            return Schedule::of_parts(self.parts.iter().map(EventPart::schedule));
        }
        match self.own.format {
            EventFormat::Gauntlet => {
                Schedule::gauntlet(engines, self.own.challengers(), self.games, self.seed)
            }
            _ => Schedule::new(engines, self.games, self.seed),
        }
    }

    /// What is settled before a game.
    pub fn game(&self, game: &ScheduledGame) -> GameConfig {
        let suite = self.openings.positions();
        let draw = self.opening_draw();
        let book =
            if suite.is_empty() { Vec::new() } else { draw.position(suite, game.meeting - 1) };
        let mut config = self.game_with(game.seats, book);
        if let Some(tc) = self.stage_tc(game.stage) {
            let engine = |seat| &self.engines[game.seats[seat]];
            config.time = BySeat::from_fn(|seat| engine(seat).tc.unwrap_or(tc));
        }
        if let Some(tc) = self.decider_tc(game.stage).filter(|_| game.is_fast) {
            config.time = BySeat::from_fn(|_| tc);
        }
        config.time = BySeat::from_fn(|seat| self.time_scale.of(config.time[seat]));
        config
    }

    /// The id of the engine that assists the arbiter in answering for that one, if it does.
    pub(crate) fn assistant_of(&self, engine: &EngineEntry) -> Option<String> {
        let assistant = self.opening_engine.as_ref().filter(|_| engine.opening_by_arbiter)?;
        Some(assistant.id.clone())
    }

    fn game_with(&self, seats: BySeat<usize>, book: Vec<Point>) -> GameConfig {
        let engine = |seat| &self.engines[seats[seat]];
        GameConfig {
            rule: self.rule,
            size: self.size,
            opening: OpeningSettings {
                procedure: self.opening,
                fifth_moves: self.fifth_moves.map(|range| (range.min, range.max)),
                alike: self.alike.0,
                book,
            },
            time: BySeat::from_fn(|seat| engine(seat).tc.unwrap_or(self.tc)),
            margin: BySeat::from_fn(|seat| {
                engine(seat).margin.or(self.margin).unwrap_or_default().0
            }),
            policies: self.policies(),
        }
    }

    fn policies(&self) -> Policies {
        let adjudication = Adjudication {
            draw: self.adjudicate_draw,
            resign: self.adjudicate_resign,
            proof: self.adjudicate_proof,
        };
        Policies {
            persons: BySeat::default(),
            illegal: self.illegal.0,
            foul: self.forbidden.0,
            late: self.late.0,
            margin: self.margin_per.0,
            count_startup: self.count_startup,
            draw_offers: self.draw_offers,
            passing: self.passing,
            move_limit: self.move_limit,
            adjudication: (adjudication != Adjudication::default()).then_some(adjudication),
        }
    }

    /// The wait after which a player without a clock counts as hung.
    pub(crate) fn stall(&self) -> Option<Nanos> {
        (self.stall.0 > 0).then_some(self.stall.0)
    }
}

#[cfg(test)]
mod tests;
