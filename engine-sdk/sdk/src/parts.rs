//! An engine made of parts: the framework's search, and the author's own parts.

use std::ops::RangeInclusive;

use tengen_rules::{Color, Move, Point, Position, Rule, Size, Zone};

use crate::analysis::Analysis;
use crate::eval::Evaluate;
use crate::opening::{OpeningAnswers, OpeningSearch, SearchedOpenings};
use crate::search::{
    Budget, MoveHistory, MoveOrder, Report, Search, ThreatBudget, ThreatKind, ThreatSearch, Watch,
    plies_to_end,
};
use crate::{
    Choice, Description, Engine, GameInfo, OptionError, Options, Package, Placement, Score,
    SearchInfo, Swap2, Taraguchi, Thinking,
};

/// The parts of a [`SearchEngine`]. Only the evaluation must be written; it also says how promising
/// moves are. Every other part has a default; override those that you can do better.
///
/// ```
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::{Engine, GameInfo, Parts, Position, Rule, SearchEngine, Size, Thinking};
///
/// /// The framework as it is, with more weight on its own threats.
/// #[derive(Default)]
/// struct Eager;
///
/// impl Parts for Eager {
///     type Eval = ThreatEval;
///     type Options = ();
///
///     fn evaluation(&self, _: &GameInfo) -> ThreatEval {
///         let mut eval = ThreatEval::default();
///         eval.mover.shapes.iter_mut().for_each(|weight| *weight *= 2);
///         eval
///     }
/// }
///
/// let position = Position::new(Rule::Renju, Size::STANDARD);
/// let choice = SearchEngine::<Eager>::default().choose(&position, &Thinking::free());
/// assert_eq!(choice.mv.to_string(), "h8");
/// ```
pub trait Parts: Default + 'static {
    /// What judges positions and orders moves.
    type Eval: Evaluate + Clone + Send;
    /// The options of the author's own; `()` for none. The engine has `Hash` and `Depth` besides.
    type Options: Options + 'static;

    /// The evaluation for a game.
    fn evaluation(&self, game: &GameInfo) -> Self::Eval;

    /// Gets the options before each game.
    fn set_options(&mut self, _options: &Self::Options) {}

    /// Reads what is needed from the engine's package, before each game and off the clock.
    fn load(&mut self, _package: &Package<'_>) {}

    /// A move of the opening book, or of anything else that needs no search.
    fn book(&mut self, _position: &Position, _thinking: &Thinking<'_>) -> Option<Point> {
        None
    }

    /// Whether to begin another iteration after this one. It is one half of the time manager; the
    /// answer comes before [`Thinking::is_up`] in any case.
    fn goes_on(&mut self, _report: &Report, thinking: &Thinking<'_>) -> bool {
        thinking.goes_on()
    }

    /// Whether to break the running iteration off, asked about every two hundred nodes; the other
    /// half of the time manager. It can only end a search earlier than [`Thinking::is_up`].
    fn is_enough(&mut self, _thinking: &Thinking<'_>) -> bool {
        false
    }

    /// How much to look for a win by threats before the search; none is not at all.
    fn threats(&self) -> Option<ThreatBudget> {
        Some(ThreatBudget { nodes: 10_000, moves: 16 })
    }
}

/// The options of every engine of parts.
#[derive(Clone, PartialEq, Eq, Debug, Options)]
struct CommonOptions {
    /// The transposition table.
    #[option(name = "Hash", default = 16, range = 1..=4096, unit = "MiB")]
    hash_mib: usize,
    /// The most plies.
    #[option(default = 64, range = 1..=64)]
    depth: u32,
}

/// An engine that searches with an author's [`Parts`]: wins by threats first, then alpha-beta on as
/// many threads as the host grants. `O` puts moves in order, and `W` answers the questions of
/// openings; where they are left out, the framework's do.
///
/// ```
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::opening::OpeningAnswers;
/// use tengen_sdk::{Engine, GameInfo, Parts, Position, Rule, SearchEngine, Size, Thinking};
///
/// #[derive(Default)]
/// struct Mine;
///
/// impl Parts for Mine {
///     type Eval = ThreatEval;
///     type Options = ();
///
///     fn evaluation(&self, _: &GameInfo) -> ThreatEval {
///         ThreatEval::default()
///     }
/// }
///
/// /// What I know better of openings.
/// #[derive(Default)]
/// struct MyOpenings;
///
/// impl OpeningAnswers for MyOpenings {}
///
/// // By promise alone, without killers and history.
/// type MyEngine = SearchEngine<Mine, (), MyOpenings>;
///
/// let position = Position::new(Rule::Freestyle, Size::STANDARD);
/// let choice = MyEngine::default().choose(&position, &Thinking::free());
/// assert_eq!(choice.mv.to_string(), "h8");
/// ```
pub struct SearchEngine<P: Parts, O = MoveHistory, W = SearchedOpenings> {
    parts: P,
    openings: W,
    options: P::Options,
    common: CommonOptions,
    game: GameInfo,
    search: Option<Search<P::Eval, O>>,
    threats: ThreatSearch,
}

impl<P: Parts, O, W: Default> Default for SearchEngine<P, O, W> {
    fn default() -> SearchEngine<P, O, W> {
        SearchEngine {
            parts: P::default(),
            openings: W::default(),
            options: P::Options::default(),
            common: CommonOptions::default(),
            game: GameInfo::new(Rule::Freestyle, Size::STANDARD),
            search: None,
            threats: ThreatSearch::new(1),
        }
    }
}

/// The most threads that an engine of parts uses.
const MOST_THREADS: u32 = 64;
/// With less time than this there is no search for a win by threats first: the main search sees
/// fours itself.
const HASTE: std::time::Duration = std::time::Duration::from_millis(200);

impl<P, O, W> SearchEngine<P, O, W>
where
    P: Parts,
    O: MoveOrder + Clone + Default + Send + 'static,
    W: OpeningAnswers,
{
    /// The parts.
    pub fn parts(&self) -> &P {
        &self.parts
    }

    fn set_up(&mut self, game: &GameInfo) {
        self.parts.set_options(&self.options);
        self.game = game.clone();
        let most = game.memory_mib.map_or(usize::MAX, |mib| (mib as usize / 4).max(1));
        let hash_mib = self.common.hash_mib.min(most);
        let evaluation = self.parts.evaluation(game);
        self.search = Some(Search::with_order(evaluation, O::default(), hash_mib));
        self.threats.clear();
        // The first analysis under a rule builds its tables. That takes too long for any question.
        drop(Analysis::of(&Position::new(game.rule, game.size)));
    }

    /// Makes sure that there is a search for positions like this one.
    fn prepare(&mut self, position: &Position, thinking: &Thinking<'_>) {
        let is_same = self.game.rule == position.rule() && self.game.size == position.size();
        if self.search.is_none() || !is_same {
            let game = GameInfo {
                rule: position.rule(),
                size: position.size(),
                ..thinking.game().clone()
            };
            self.set_up(&game);
        }
    }

    /// Answers a question of openings.
    fn ask<R>(
        &mut self,
        position: &Position,
        thinking: &Thinking<'_>,
        question: impl FnOnce(&mut W, &mut OpeningSearch<'_, P::Eval, O>) -> R,
    ) -> R {
        self.prepare(position, thinking);
        let budget = self.budget(thinking);
        let search = self.search.as_mut().expect("set up above");
        question(&mut self.openings, &mut OpeningSearch::new(search, thinking, budget))
    }

    /// What one search may spend, apart from time.
    fn budget(&self, thinking: &Thinking<'_>) -> Budget {
        let limits = thinking.limits();
        let depth = limits.depth.unwrap_or(u32::MAX).min(self.common.depth);
        Budget { nodes: limits.nodes, depth, ..Budget::default() }
    }

    /// A win by threats, if one is found at once, and the nodes that it took to look.
    fn quick_win(&mut self, position: &Position, thinking: &Thinking<'_>) -> (Option<Choice>, u64) {
        let in_haste = thinking.left().is_some_and(|left| left < HASTE);
        let Some(budget) = self.parts.threats().filter(|_| !in_haste) else { return (None, 0) };
        let limits = thinking.limits();
        // Threats go deeper than a limit on depth would let them.
        if limits.multipv > 1 || limits.depth.is_some() {
            return (None, 0);
        }
        let most = limits.nodes.map_or(u64::MAX, |nodes| nodes / 4);
        let budget = ThreatBudget { nodes: budget.nodes.min(most), ..budget };
        let (mut analysis, us) = (Analysis::of(position), position.to_move());
        let goes_on = || !thinking.is_up();
        let verdict =
            self.threats.find_while(&mut analysis, us, ThreatKind::All, &budget, &goes_on);
        let nodes = self.threats.nodes();
        let Some(win) = verdict.win() else { return (None, nodes) };
        let depth = win.plies as u32;
        let score = Score { win_in: Some(win.plies as i32), ..Score::default() };
        let info = SearchInfo {
            depth,
            seldepth: depth,
            score,
            nodes,
            pv: &win.line,
            ..SearchInfo::default()
        };
        thinking.info(&info);
        let choice = Choice { score, depth, seldepth: depth, nodes, ..Choice::from(win.first) };
        (Some(choice), nodes)
    }
}

impl<P, O, W> Engine for SearchEngine<P, O, W>
where
    P: Parts,
    O: MoveOrder + Clone + Default + Send + 'static,
    W: OpeningAnswers,
{
    fn describe() -> Description {
        let mut options = CommonOptions::specs();
        options.extend(P::Options::specs());
        Description { options, threads: 1..=MOST_THREADS, ..Description::default() }
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), OptionError> {
        match self.common.set(name, value) {
            Err(OptionError::Unknown) => self.options.set(name, value),
            set => set,
        }
    }

    fn load(&mut self, package: &Package<'_>) {
        self.parts.load(package);
    }

    fn new_game(&mut self, game: &GameInfo) {
        self.set_up(game);
    }

    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        self.prepare(position, thinking);
        if let Some(point) = self.parts.book(position, thinking) {
            return Choice::from(point);
        }
        let (win, found) = self.quick_win(position, thinking);
        if let Some(choice) = win {
            return choice;
        }
        let (limits, mut analysis) = (thinking.limits(), Analysis::of(position));
        let budget = Budget {
            nodes: limits.nodes.map(|nodes| nodes.saturating_sub(found).max(1)),
            lines: limits.multipv as usize,
            ..self.budget(thinking)
        };
        let threads = self.game.threads.min(MOST_THREADS) as usize;
        let mut watch = PartsWatch { parts: &mut self.parts, thinking };
        let search = self.search.as_mut().expect("set up above");
        let report = search.run_on(threads, &mut analysis, position.to_move(), &budget, &mut watch);
        Choice {
            claim_foul: position.last_foul().is_some(),
            ponder: report.line.get(1).copied(),
            score: score(&report),
            depth: report.depth,
            seldepth: report.seldepth,
            nodes: report.nodes + found,
            ..Choice::from(report.best.map_or(Move::Pass, Move::Stone))
        }
    }

    fn place(
        &mut self,
        position: &Position,
        placement: &Placement,
        thinking: &Thinking<'_>,
    ) -> Vec<Point> {
        self.ask(position, thinking, |openings, search| openings.place(search, position, placement))
    }

    fn swap(&mut self, position: &Position, own: Color, thinking: &Thinking<'_>) -> bool {
        self.ask(position, thinking, |openings, search| openings.swap(search, position, own))
    }

    fn swap2(&mut self, position: &Position, thinking: &Thinking<'_>) -> Swap2 {
        self.ask(position, thinking, |openings, search| openings.swap2(search, position))
    }

    fn declare(
        &mut self,
        position: &Position,
        range: RangeInclusive<u8>,
        thinking: &Thinking<'_>,
    ) -> u8 {
        self.ask(position, thinking, |openings, search| openings.declare(search, position, range))
    }

    fn offer(&mut self, position: &Position, count: usize, thinking: &Thinking<'_>) -> Vec<Point> {
        self.ask(position, thinking, |openings, search| openings.offer(search, position, count))
    }

    fn pick(&mut self, position: &Position, offered: &[Point], thinking: &Thinking<'_>) -> Point {
        self.ask(position, thinking, |openings, search| openings.pick(search, position, offered))
    }

    fn taraguchi(
        &mut self,
        position: &Position,
        zone: Zone,
        count: usize,
        thinking: &Thinking<'_>,
    ) -> Taraguchi {
        self.ask(position, thinking, |openings, search| {
            openings.taraguchi(search, position, zone, count)
        })
    }
}

/// Tells the host of each iteration, and asks the parts whether to go on.
struct PartsWatch<'a, P> {
    parts: &'a mut P,
    thinking: &'a Thinking<'a>,
}

impl<P: Parts> PartsWatch<'_, P> {
    fn tell(&self, line: usize, report: &Report) {
        let is_one_of_many = self.thinking.limits().multipv > 1;
        self.thinking.info(&SearchInfo {
            multipv: if is_one_of_many { line as u32 } else { 0 },
            depth: report.depth,
            seldepth: report.seldepth,
            score: score(report),
            nodes: report.nodes,
            hash_permille: report.hash_permille,
            pv: &report.line,
        });
    }
}

impl<P: Parts> Watch for PartsWatch<'_, P> {
    fn is_up(&mut self) -> bool {
        self.thinking.is_up() || self.parts.is_enough(self.thinking)
    }

    fn goes_on(&mut self, report: &Report) -> bool {
        self.tell(1, report);
        self.parts.goes_on(report, self.thinking)
    }

    fn also(&mut self, line: usize, report: &Report) {
        self.tell(line, report);
    }
}

fn score(report: &Report) -> Score {
    Score { eval: Some(report.value), win_in: plies_to_end(report.value), win_draw_loss: None }
}
