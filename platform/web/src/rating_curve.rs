//! How the ratings developed, game by game.

use serde::Serialize;
use tengen_arbiter::GameResult;
use tengen_record::GameRecord;
use tengen_rules::BySeat;
use tengen_stats::performance;
use tengen_tournament::{EndedGame, PairMaker, Schedule, Tally};

/// The engines that are followed.
const MOST_LINES: usize = 12;
/// How often each rating is taken.
const POINTS: u64 = 48;

/// How the ratings of an event's best engines developed, game by game.
pub(crate) struct RatingCurve {
    schedule: Schedule,
    engines: Vec<usize>,
    tally: Tally,
    pairs: PairMaker,
    total: u64,
    taken: u64,
    view: RatingCurveView,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct RatedGame {
    number: u64,
    seats: BySeat<usize>,
    result: GameResult,
    is_void: bool,
    /// Whether it, or its pair, is no evidence.
    is_again: bool,
}

impl RatedGame {
    pub fn new(record: &GameRecord, seats: BySeat<usize>, is_again: bool) -> RatedGame {
        let (number, is_void) = (record.header.game.unwrap_or(0), record.conditions.is_void);
        RatedGame { number, seats, result: record.result, is_void, is_again }
    }
}

/// The curve as the page reads it.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct RatingCurveView {
    /// After how many games each rating was taken.
    games: Vec<u64>,
    lines: Vec<RatingLine>,
}

#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct RatingLine {
    engine: usize,
    /// The Elo difference and the ends of its interval; null where it is infinite or unknown.
    ratings: Vec<Option<[f64; 3]>>,
}

impl RatingCurve {
    /// Follows these engines, the best first, over so many games.
    pub fn new(schedule: Schedule, engines: &[usize], total: u64) -> RatingCurve {
        let engines = engines[..engines.len().min(MOST_LINES)].to_vec();
        let lines =
            engines.iter().map(|&engine| RatingLine { engine, ratings: Vec::new() }).collect();
        let view = RatingCurveView { games: Vec::new(), lines };
        RatingCurve {
            schedule,
            engines,
            tally: Tally::default(),
            pairs: PairMaker::default(),
            total,
            taken: 0,
            view,
        }
    }

    /// Counts a game, in the order of their numbers, unless it does not count.
    pub fn add(&mut self, game: RatedGame) {
        let RatedGame { number, seats, result, is_again, is_void } = game;
        if is_void {
            return;
        }
        self.tally.add_game(seats, result);
        // No figure of it comes from its line.
        let ended = EndedGame { number, seats, winner: result.winner, line: 0 };
        if let Some(pair) = self.pairs.add(ended, self.schedule.twin(number)) {
            pair.count(&mut self.tally);
            if is_again {
                pair.repeat(&mut self.tally);
            }
        }
        let count = self.tally.counted();
        if count * POINTS >= (self.taken + 1) * self.total || count == self.total {
            self.taken = count * POINTS / self.total.max(1);
            self.take(count);
        }
    }

    fn take(&mut self, count: u64) {
        self.view.games.push(count);
        for (line, &engine) in self.view.lines.iter_mut().zip(&self.engines) {
            let (pairs, singles) = self.tally.pairs_and_singles(engine);
            let elo = performance(pairs, singles).and_then(|elo| {
                let (low, high) = elo.bounds();
                let is_finite = low.is_finite() && high.is_finite();
                elo.finite().filter(|_| is_finite).map(|value| [value, low, high].map(tenth))
            });
            line.ratings.push(elo);
        }
    }

    /// As the page reads it.
    pub fn view(self) -> RatingCurveView {
        self.view
    }
}

fn tenth(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}
