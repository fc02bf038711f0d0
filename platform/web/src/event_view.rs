//! An event as the page shows it: its settings, standings and terminations.

mod plain_tables;

use std::collections::BTreeMap;

use serde::Serialize;
use tengen_arbiter::Termination;
use tengen_tournament::{
    Change, Event, EventConfig, Latency, PairStats, PairTest, RepeatedGames, SetAside,
    SpoiledLoser, Standing, StandingCell, StandingColumn, Summary, TestState, WorkerSummary,
};

use tengen_link::plain;

/// The most engines of the standings, and of the cross table.
const MOST_STANDINGS: usize = 1000;
const MOST_CROSSED: usize = 40;
pub(crate) const MOST_LABEL: usize = 80;
const MOST_OCCASION: usize = 250;
const MOST_REASON: usize = 400;
/// The most changes that are shown.
const MOST_CHANGES: usize = 100;

/// What is known of an event beside its games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EventView {
    pub title: String,
    /// Where and when it is played; empty where that is not told.
    occasion: String,
    settings: SettingsView,
    engines: Vec<EngineView>,
    /// What the standings have, from the left.
    columns: [ColumnView; StandingColumn::ALL.len()],
    standings: Vec<StandingView>,
    /// Wins, draws and losses of each engine of the standings against each; left out where there
    /// are too many.
    cross: Vec<Vec<[u64; 3]>>,
    terminations: BTreeMap<&'static str, u64>,
    /// The games of the schedule, those that are finished, and those of them that count.
    total: u64,
    finished: u64,
    counted: u64,
    void: u64,
    spoiled: u64,
    losers: Vec<SpoiledLoser>,
    pairs: Option<PairStats>,
    sprt: Option<TestState>,
    latency: Option<Latency>,
    repeated: RepeatedGames,
    /// The tests of several candidates.
    tests: Vec<PairTest>,
    /// The engines that were removed, and those that did not start.
    removed: Vec<AbsentView>,
    set_aside: Vec<AbsentView>,
    /// What each worker of another process played.
    workers: Vec<WorkerSummary>,
    /// What was changed since it was made, the last changes alone where there are many.
    changes: Vec<ChangeView>,
}

/// A change of an event.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ChangeView {
    number: u64,
    date: String,
    /// The referee that made it.
    by: Option<String>,
    text: String,
}

/// An engine that plays no games, or no more, and why.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct AbsentView {
    engine: String,
    reason: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SettingsView {
    rule: String,
    width: u8,
    height: u8,
    opening: String,
    time: String,
    format: String,
    games: u32,
    concurrency: usize,
    /// As text: JavaScript has no integers of that size.
    seed: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EngineView {
    /// What the event calls it.
    label: String,
    name: String,
    version: String,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ColumnView {
    /// Where its cell is in a line.
    name: StandingColumn,
    /// In English and in Chinese.
    titles: [&'static str; 2],
    /// Whether it stands on the right.
    number: bool,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct StandingView {
    engine: usize,
    /// All but its place and its name.
    #[serde(flatten)]
    #[cfg_attr(test, schemars(schema_with = "crate::page_schemas::cells"))]
    cells: BTreeMap<StandingColumn, StandingCell>,
    /// The ends of the interval of its Elo difference.
    low: Option<f64>,
    high: Option<f64>,
    spoiled: u64,
    /// The games that it lost, by cause.
    lost: BTreeMap<&'static str, u64>,
}

impl EventView {
    /// The event as it stands.
    pub fn new(event: &Event, title: String) -> EventView {
        let (config, summary) = (event.config(), event.summary());
        let Summary { standings, cross_table, terminations, spoiled, pairs, sprt, .. } = summary;
        let Summary { latency, repeated, tests, removed, set_aside, .. } = summary;
        let shown = standings.len().min(MOST_STANDINGS);
        let is_crossed = standings.len() <= MOST_CROSSED;
        let cross = cross_table
            .iter()
            .filter(|_| is_crossed)
            .map(|line| line.iter().map(|score| [score.wins, score.draws, score.losses]).collect());
        EventView {
            title,
            occasion: plain(&config.occasion(), MOST_OCCASION),
            settings: SettingsView::new(config),
            engines: engines(config),
            cross: cross.collect(),
            columns: StandingColumn::ALL.map(ColumnView::new),
            standings: (1..).zip(&standings[..shown]).map(StandingView::new).collect(),
            terminations: names(&terminations),
            total: event.total(),
            finished: event.tally().len(),
            counted: event.tally().counted(),
            void: spoiled.void,
            spoiled: spoiled.games,
            losers: spoiled.losers,
            pairs,
            sprt,
            latency,
            repeated,
            tests,
            removed: removed.iter().map(AbsentView::new).collect(),
            set_aside: set_aside.iter().map(AbsentView::new).collect(),
            // Another process may be writing: then they are read the next time.
            workers: event.workers().unwrap_or_default().into_iter().map(legible).collect(),
            changes: changes(event),
        }
    }
}

impl AbsentView {
    fn new(absent: &SetAside) -> AbsentView {
        let SetAside { engine, reason } = absent;
        AbsentView { engine: plain(engine, MOST_LABEL), reason: plain(reason, MOST_REASON) }
    }
}

fn changes(event: &Event) -> Vec<ChangeView> {
    let changes = event.changes().unwrap_or_default();
    let last = &changes[changes.len().saturating_sub(MOST_CHANGES)..];
    let view = |Change { number, date, by, text, .. }: &Change| ChangeView {
        number: *number,
        date: plain(date, MOST_LABEL),
        by: by.as_ref().map(|by| plain(by, MOST_LABEL)),
        text: plain(text, 2 * MOST_REASON),
    };
    last.iter().map(view).collect()
}

/// A worker names itself.
fn legible(summary: WorkerSummary) -> WorkerSummary {
    let worker = plain(&summary.worker, MOST_LABEL);
    WorkerSummary { worker, machine: plain(&summary.machine, MOST_LABEL), ..summary }
}

/// The engines of an event, the best first.
pub(crate) fn ranking(event: &Event) -> Vec<usize> {
    event.summary().standings.iter().map(|line| line.index).collect()
}

/// A count of each termination, by its name.
fn names(counts: &BTreeMap<Termination, u64>) -> BTreeMap<&'static str, u64> {
    counts.iter().map(|(termination, count)| (termination.name(), *count)).collect()
}

fn engines(config: &EventConfig) -> Vec<EngineView> {
    let engines = config.labels().into_iter().zip(&config.engines);
    engines
        .map(|(label, engine)| EngineView {
            name: plain(if engine.name.is_empty() { &label } else { &engine.name }, MOST_LABEL),
            version: plain(&engine.version, MOST_LABEL),
            label: plain(&label, MOST_LABEL),
        })
        .collect()
}

impl SettingsView {
    fn new(config: &EventConfig) -> SettingsView {
        SettingsView {
            rule: config.rule.to_string(),
            width: config.size.width(),
            height: config.size.height(),
            opening: config.opening.to_string(),
            time: config.tc.to_string(),
            format: config.own.format.to_string(),
            games: config.games,
            concurrency: config.concurrency,
            seed: config.seed.to_string(),
        }
    }
}

/// The columns that a line has cells of: all but the place and the name, which have keys of their
/// own.
pub(crate) fn cells() -> impl Iterator<Item = StandingColumn> {
    let told = [StandingColumn::Place, StandingColumn::Engine];
    StandingColumn::ALL.into_iter().filter(move |column| !told.contains(column))
}

impl ColumnView {
    fn new(column: StandingColumn) -> ColumnView {
        ColumnView { name: column, titles: column.titles(), number: column.is_number() }
    }
}

impl StandingView {
    fn new((place, line): (usize, &Standing)) -> StandingView {
        StandingView {
            engine: line.index,
            cells: cells().map(|column| (column, column.cell(place, line))).collect(),
            low: line.elo_low,
            high: line.elo_high,
            spoiled: line.spoiled,
            lost: names(&line.terminations),
        }
    }
}
