//! What the games of an event show besides their results: lengths, times, colours, openings.

use std::collections::BTreeMap;

use serde::Serialize;
use tengen_arbiter::{Action, Game, GameResult};
use tengen_record::GameRecord;
use tengen_rules::{Answer, ByColor, BySeat, Color, Point, Procedure, Seat, Size, Symmetry};
use tengen_stats::Spread;

use tengen_link::view::{OpeningName, name_of};

/// The engines that times and colours are kept of.
pub(crate) const MOST_ENGINES: usize = 64;
/// The most separate openings; games of all further ones are counted together.
const MOST_OPENINGS: usize = 4096;
/// Those that are shown, the most played.
const SHOWN_OPENINGS: usize = 120;
/// A stone of an opening: its row, its column, its colour.
type OpeningStone = (u8, u8, Color);

/// The stones of a game that make its opening, where no book does.
const OPENING_STONES: usize = 3;
/// How many stones of the game make a stage of it, and the last stage.
const STAGE: usize = 10;
const MOST_STAGES: usize = 32;
/// About how many classes of lengths are shown.
const LENGTH_CLASSES: usize = 30;

/// Games counted by how Black did: wins, draws, losses.
pub(crate) type BlackResults = [u64; 3];

/// What follows from the games themselves. Its size does not depend on their number, and the
/// figures of parts add up to those of the whole.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// The place in `engines` of each engine of the event that is kept.
    slots: BTreeMap<usize, usize>,
    engines: Vec<EngineFigures>,
    /// Games by the stones on the board at their end.
    lengths: Vec<BlackResults>,
    openings: BTreeMap<Vec<OpeningStone>, OpeningFigures>,
    /// The games of openings that have no place there.
    other_openings: BlackResults,
}

#[derive(Clone, Debug, Default)]
struct EngineFigures {
    index: usize,
    spent: Spread,
    spent_sum: u64,
    /// The answers of each stage of the game, and the time that they took.
    stages: Vec<(u64, u64)>,
    /// Its results with Black, and with White.
    colors: [[u64; 3]; 2],
    depth: (u64, u64),
    /// Nodes, and the time in which they were searched.
    nodes: (u64, u64),
}

#[derive(Clone, Debug, Default)]
struct OpeningFigures {
    name: Option<OpeningName>,
    results: BlackResults,
}

/// The figures as the page reads them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct FiguresView {
    black: BlackResults,
    lengths: LengthsView,
    engines: Vec<EngineFiguresView>,
    openings: Vec<OpeningView>,
    /// How many openings are not shown, and the results of their games.
    more_openings: usize,
    more_results: BlackResults,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LengthsView {
    /// How many lengths make a class.
    width: usize,
    classes: Vec<BlackResults>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EngineFiguresView {
    engine: usize,
    moves: u64,
    /// Times in milliseconds.
    mean: f64,
    p50: f64,
    p95: f64,
    max: f64,
    stage: usize,
    stages: Vec<Option<f64>>,
    black: [u64; 3],
    white: [u64; 3],
    depth: Option<f64>,
    /// Nodes a second.
    speed: Option<f64>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct OpeningView {
    #[cfg_attr(test, schemars(schema_with = "crate::page_schemas::stones"))]
    stones: ByColor<Vec<Point>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, schemars(schema_with = "crate::page_schemas::opening_name"))]
    name: Option<OpeningName>,
    results: BlackResults,
}

impl Figures {
    /// No games yet, of which these engines are looked at.
    pub fn new(engines: &[usize]) -> Figures {
        let kept = &engines[..engines.len().min(MOST_ENGINES)];
        Figures {
            slots: kept.iter().enumerate().map(|(slot, engine)| (*engine, slot)).collect(),
            engines: kept
                .iter()
                .map(|&index| EngineFigures { index, ..EngineFigures::default() })
                .collect(),
            lengths: Vec::new(),
            openings: BTreeMap::new(),
            other_openings: [0; 3],
        }
    }

    /// Counts a game in its final position.
    pub fn add(&mut self, record: &GameRecord, seats: BySeat<usize>, game: &Game) {
        let black = black_outcome(game.colors(), record.result);
        let stones = game.position().moves();
        let plies = stones.len();
        if self.lengths.len() <= plies {
            self.lengths.resize(plies + 1, [0; 3]);
        }
        self.lengths[plies][black] += 1;
        self.count_opening(record, game, black);
        for seat in Seat::ALL {
            let Some(&slot) = self.slots.get(&seats[seat]) else { continue };
            let (color, outcome) = match game.colors()[seat] {
                Color::Black => (0, black),
                Color::White => (1, 2 - black),
            };
            self.engines[slot].colors[color][outcome] += 1;
        }
        let mut laid = record.header.opening.book.len();
        for entry in &record.actions {
            let stage = laid / STAGE;
            laid += match &entry.action {
                Action::Answer(Answer::Move(_) | Answer::Pick(_)) => 1,
                Action::Answer(Answer::Place(points)) => points.len(),
                _ => 0,
            };
            if !matches!(entry.action, Action::Answer(_)) {
                continue;
            }
            let Some(&slot) = self.slots.get(&seats[entry.seat]) else { continue };
            let engine = &mut self.engines[slot];
            engine.spent.add(entry.spent);
            engine.spent_sum += entry.spent;
            let stage = stage.min(MOST_STAGES - 1);
            if engine.stages.len() <= stage {
                engine.stages.resize(stage + 1, (0, 0));
            }
            engine.stages[stage].0 += 1;
            engine.stages[stage].1 += entry.spent;
            if let Some(info) = entry.info {
                if info.depth > 0 {
                    engine.depth.0 += 1;
                    engine.depth.1 += u64::from(info.depth);
                }
                if info.nodes > 0 {
                    engine.nodes.0 = engine.nodes.0.saturating_add(info.nodes);
                    engine.nodes.1 += entry.spent;
                }
            }
        }
    }

    fn count_opening(&mut self, record: &GameRecord, game: &Game, black: usize) {
        let position = game.position();
        let book = record.header.opening.book.len();
        let count = if record.header.opening.procedure == Procedure::Book && book > 0 {
            book
        } else {
            OPENING_STONES
        };
        let stones: Vec<Point> =
            position.moves().iter().take(count).filter_map(|mv| mv.point()).collect();
        if stones.len() < count {
            return;
        }
        let key = canonical(&stones, position.size());
        if !self.openings.contains_key(&key) && self.openings.len() >= MOST_OPENINGS {
            self.other_openings[black] += 1;
            return;
        }
        let opening = self.openings.entry(key).or_insert_with(|| OpeningFigures {
            name: <[Point; 3]>::try_from(&stones[..stones.len().min(3)])
                .ok()
                .filter(|_| stones.len() == 3)
                .and_then(|three| name_of(position.size(), three)),
            results: [0; 3],
        });
        opening.results[black] += 1;
    }

    /// Adds the figures of other games of the same engines.
    pub fn merge(&mut self, other: Figures) {
        if self.lengths.len() < other.lengths.len() {
            self.lengths.resize(other.lengths.len(), [0; 3]);
        }
        for (here, there) in self.lengths.iter_mut().zip(other.lengths) {
            add(here, there);
        }
        for (here, there) in self.engines.iter_mut().zip(other.engines) {
            here.merge(there);
        }
        add(&mut self.other_openings, other.other_openings);
        for (key, OpeningFigures { name, results }) in other.openings {
            if !self.openings.contains_key(&key) && self.openings.len() >= MOST_OPENINGS {
                add(&mut self.other_openings, results);
                continue;
            }
            let here = self.openings.entry(key).or_default();
            here.name = name;
            add(&mut here.results, results);
        }
    }

    /// As the page reads them.
    pub fn view(&self) -> FiguresView {
        let mut black = [0; 3];
        self.lengths.iter().for_each(|results| add(&mut black, *results));
        let width = self.lengths.len().div_ceil(LENGTH_CLASSES).max(1);
        let class = |lengths: &[BlackResults]| {
            let mut sum = [0; 3];
            lengths.iter().for_each(|results| add(&mut sum, *results));
            sum
        };
        let mut openings: Vec<_> = self.openings.iter().collect();
        openings.sort_by_key(|(_, opening)| std::cmp::Reverse(opening.results.iter().sum::<u64>()));
        let shown = openings.len().min(SHOWN_OPENINGS);
        let mut more_results = self.other_openings;
        openings[shown..].iter().for_each(|(_, opening)| add(&mut more_results, opening.results));
        FiguresView {
            black,
            lengths: LengthsView {
                width,
                classes: self.lengths.chunks(width).map(class).collect(),
            },
            engines: self.engines.iter().map(EngineFigures::view).collect(),
            more_openings: openings.len() - shown,
            more_results,
            openings: openings[..shown]
                .iter()
                .map(|(stones, opening)| OpeningView {
                    stones: by_color(stones),
                    name: opening.name.clone(),
                    results: opening.results,
                })
                .collect(),
        }
    }
}

impl EngineFigures {
    fn merge(&mut self, other: EngineFigures) {
        self.spent += &other.spent;
        self.spent_sum += other.spent_sum;
        if self.stages.len() < other.stages.len() {
            self.stages.resize(other.stages.len(), (0, 0));
        }
        for (here, there) in self.stages.iter_mut().zip(other.stages) {
            here.0 += there.0;
            here.1 += there.1;
        }
        for (here, there) in self.colors.iter_mut().zip(other.colors) {
            add(here, there);
        }
        self.depth.0 += other.depth.0;
        self.depth.1 += other.depth.1;
        self.nodes.0 = self.nodes.0.saturating_add(other.nodes.0);
        self.nodes.1 += other.nodes.1;
    }

    fn view(&self) -> EngineFiguresView {
        let millis = |nanos: Option<u64>| nanos.map_or(0.0, |nanos| nanos as f64 / 1e6);
        let mean = |(count, sum): (u64, u64)| (count > 0).then(|| sum as f64 / count as f64);
        let moves = self.spent.len();
        EngineFiguresView {
            engine: self.index,
            moves,
            mean: mean((moves, self.spent_sum)).unwrap_or(0.0) / 1e6,
            p50: millis(self.spent.quantile(0.5).filter(|_| moves > 0)),
            p95: millis(self.spent.quantile(0.95).filter(|_| moves > 0)),
            max: millis(self.spent.max()),
            stage: STAGE,
            stages: self.stages.iter().map(|stage| mean(*stage).map(|nanos| nanos / 1e6)).collect(),
            black: self.colors[0],
            white: self.colors[1],
            depth: mean(self.depth),
            speed: (self.nodes.1 > 0).then(|| self.nodes.0 as f64 / (self.nodes.1 as f64 / 1e9)),
        }
    }
}

/// How Black did: 0 won, 1 drew, 2 lost.
fn black_outcome(colors: BySeat<Color>, result: GameResult) -> usize {
    match result.winner {
        None => 1,
        Some(winner) if colors[winner] == Color::Black => 0,
        Some(_) => 2,
    }
}

/// The seat that has Black at the end of a game.
pub(crate) fn black_seat(game: &Game) -> u8 {
    let is_first = game.colors().first == Color::Black;
    u8::from(!is_first)
}

/// The stones of an opening in the one of its orientations that is first, so that all of them are
/// the same opening.
fn canonical(stones: &[Point], size: Size) -> Vec<OpeningStone> {
    let turned = |symmetry: Symmetry| {
        let stone = |(ply, at): (usize, &Point)| {
            let at = symmetry.point(*at, size);
            (at.y(), at.x(), Color::of_ply(ply))
        };
        let mut turned: Vec<OpeningStone> = stones.iter().enumerate().map(stone).collect();
        turned.sort_unstable();
        turned
    };
    let fits = |symmetry: &Symmetry| symmetry.size(size) == size;
    Symmetry::ALL.into_iter().filter(fits).map(turned).min().unwrap_or_default()
}

/// The stones of an opening by their colours.
fn by_color(stones: &[OpeningStone]) -> ByColor<Vec<Point>> {
    let mut by_color = ByColor::<Vec<Point>>::default();
    for &(y, x, color) in stones {
        by_color[color].push(Point::new(x, y));
    }
    by_color
}

fn add(here: &mut [u64; 3], there: [u64; 3]) {
    for (here, there) in here.iter_mut().zip(there) {
        *here += there;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_opening_is_the_same_in_all_its_orientations() {
        let size = Size::STANDARD;
        let stones = ["h8", "i9", "j7"].map(|point| point.parse::<Point>().unwrap());
        let keys = Symmetry::ALL
            .map(|symmetry| canonical(&stones.map(|stone| symmetry.point(stone, size)), size));
        assert!(keys.iter().all(|key| *key == keys[0]), "{keys:?}");
        let other = ["h8", "i8", "j7"].map(|point| point.parse::<Point>().unwrap());
        assert_ne!(canonical(&other, size), keys[0]);
    }
}
