//! A win-table engine in a hundred lines: start here.
//!
//! A player of five in a row wins by filling one of the board's lines of five points; on 15×15
//! there are 572 of them. So the engine counts, for every line, its own stones and the opponent's.
//! A line with stones of both players can no longer be filled. Any other line gives points to its
//! empty places: the fuller it is, the more. The best place is played.
//!
//! That is all: no search, no memory of earlier moves. Build it as a shared library with
//! `cargo build --release`, put the file into `engines/`, and it plays.

use std::collections::BinaryHeap;

use tengen_sdk::{Choice, Engine, GameInfo, Point, Position, Score, Size, Thinking};
use tengen_sdk::{Description, export_engine};

/// Five points in a row.
type Five = [Point; 5];

/// What an empty place gains from a line without a stone on it.
const EMPTY: i64 = 7;
/// What it gains from a line with 1 to 4 of our stones and none of the opponent's.
const ATTACK: [i64; 4] = [35, 800, 15_000, 4_000_000];
/// The same for a line of the opponent's: a little less, for it is our turn. Four of ours come
/// before four of theirs, and those before three of ours.
const DEFENCE: [i64; 4] = [15, 400, 7_000, 800_000];

/// The engine. It plays many games, one after another, so what it keeps belongs to a board size.
#[derive(Default)]
pub struct Greedy {
    size: Option<Size>,
    lines: Vec<Five>,
}

impl Engine for Greedy {
    /// Name, version and author come from Cargo.toml; this only adds a line about it.
    fn describe() -> Description {
        Description { about: "counts the lines of five".into(), ..Description::default() }
    }

    /// Called before each game, while no clock runs: the time for slow preparations.
    fn new_game(&mut self, game: &GameInfo) {
        self.prepare(game.size);
    }

    /// The only method an engine must have: choose a move for the side to move.
    fn choose(&mut self, position: &Position, thinking: &Thinking<'_>) -> Choice {
        self.prepare(position.size());
        let scores = self.scores(position);
        // Places of the same score are told apart by the game's seed: games differ, and yet the
        // same seed gives the same game again.
        let seed = thinking.game().seed ^ position.ply() as u64;
        let places = position
            .size()
            .points()
            .filter(|&point| position.check(point).is_ok())
            .map(|point| (scores[index(point)], shuffle(seed, point), point));
        // Under renju some places lose at once for Black. They are few and slow to find, so the
        // places are tried best first until one is allowed. If none is, the engine plays the best
        // one.
        let mut places: BinaryHeap<(i64, u64, Point)> = places.collect();
        let nodes = places.len() as u64;
        let mut best = places.pop().expect("there is an empty point");
        if position.foul_at(best.2).is_some() {
            let next = std::iter::from_fn(|| places.pop());
            let mut allowed = next.filter(|&(_, _, point)| position.foul_at(point).is_none());
            best = allowed.next().unwrap_or(best);
        }
        let (score, _, point) = best;
        let eval = i32::try_from(score).unwrap_or(i32::MAX);
        Choice {
            score: Score { eval: Some(eval), ..Score::default() },
            depth: 1,
            nodes,
            ..Choice::from(point)
        }
    }
}

impl Greedy {
    /// Makes the table of lines, unless it is there already.
    fn prepare(&mut self, size: Size) {
        if self.size != Some(size) {
            self.size = Some(size);
            self.lines = lines(size);
        }
    }

    /// What each point of the board gains from all lines through it.
    fn scores(&self, position: &Position) -> Vec<i64> {
        // An array is quicker to read than the board, and each point lies on up to twenty lines.
        // A stone of ours counts 1 and one of theirs 8, so a line's sum tells both numbers.
        let mut stones = [0; POINTS];
        for (point, color) in position.board().stones() {
            stones[index(point)] = if color == position.to_move() { 1 } else { 8 };
        }
        let mut scores = vec![0; POINTS];
        for line in &self.lines {
            let sum: usize = line.iter().map(|&point| stones[index(point)]).sum();
            let gain = match (sum % 8, sum / 8) {
                (0, 0) => EMPTY,
                (ours @ 1..5, 0) => ATTACK[ours - 1],
                (0, theirs @ 1..5) => DEFENCE[theirs - 1],
                _ => continue,
            };
            line.iter().for_each(|&point| scores[index(point)] += gain);
        }
        scores
    }
}

/// Every line of five points of a board: from each point to the right, up, and along both
/// diagonals, wherever five points fit.
pub fn lines(size: Size) -> Vec<Five> {
    let mut lines = Vec::new();
    for start in size.points() {
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let point = |i: i8| (start.x() as i8 + i * dx, start.y() as i8 + i * dy);
            let (x, y) = point(4);
            if x < size.width() as i8 && (0..size.height() as i8).contains(&y) {
                lines.push([0, 1, 2, 3, 4].map(|i| {
                    let (x, y) = point(i);
                    Point::new(x as u8, y as u8)
                }));
            }
        }
    }
    lines
}

/// The number of points on the largest board.
const POINTS: usize = Size::MAX as usize * Size::MAX as usize;

/// Where a point stands in an array of the largest board.
fn index(point: Point) -> usize {
    usize::from(point.y()) * usize::from(Size::MAX) + usize::from(point.x())
}

/// A number that looks random, the same for the same seed and point.
fn shuffle(seed: u64, point: Point) -> u64 {
    let mixed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ (index(point) as u64 + 1);
    mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9).rotate_left(29).wrapping_mul(0x94D0_49BB_1331_11EB)
}

// This exports the functions of tengen.h, natively and as WebAssembly.
export_engine!(Greedy);
