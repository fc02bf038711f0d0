//! What adjudication costs: one ply, one point's foul, the whole forbidden map from scratch, and a
//! point asked for in a search, beside the naive oracle of the tests. Each figure is for one
//! position, or for one point where the group says so.

#[path = "../tests/oracle/mod.rs"]
mod oracle;
#[path = "../tests/positions/mod.rs"]
mod positions;

use std::fs;
use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use oracle::Oracle;
use positions::Choices;
use serde_json::Value;
use tengen_rules::{Board, Color, Fouls, Move, Point, Position, Rule, Size};

/// Positions of 20 to 83 stones, as games reach them.
fn of_games() -> Vec<Board> {
    (0..64).map(|seed| positions::of_a_game(&mut Choices::new(seed as u64), 20 + seed)).collect()
}

/// Positions of the recorded renju games that the arbiter's tests play.
fn recorded() -> Vec<Board> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/golden_renju_swap2.jsonl");
    let text = fs::read_to_string(path).expect("the recorded games");
    let mut boards = Vec::new();
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).expect("a game");
        let mut board = Board::new(Size::STANDARD);
        for action in game["actions"].as_array().expect("a list of actions") {
            let placed = action["place"].as_array().into_iter().flatten().chain(action.get("move"));
            for point in placed.filter_map(|point| point.as_str()?.parse().ok()) {
                board.place(point, Color::of_ply(board.count()));
            }
            if board.count() >= 12 && board.count() % 4 == 0 {
                boards.push(board.clone());
            }
        }
    }
    boards
}

/// Crowded fragments, where most black stones make something.
fn crowded() -> Vec<Board> {
    (0..64).map(|seed| positions::scattered(&mut Choices::new(seed))).collect()
}

fn naive_map(board: &Board) -> usize {
    let mut oracle = Oracle::of(board);
    board.size().points().filter(|point| oracle.foul(*point).is_some()).count()
}

fn maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("forbidden_map");
    for (name, boards) in
        [("of_games", of_games()), ("recorded", recorded()), ("crowded", crowded())]
    {
        let mut next = boards.iter().cycle();
        group.bench_function(name, |b| {
            b.iter(|| black_box(next.next().expect("a cycle")).forbidden().len());
        });
        group.bench_function(format!("{name}_naive"), |b| {
            b.iter(|| naive_map(black_box(next.next().expect("a cycle"))));
        });
    }
    group.finish();
}

/// The most expensive boards that a hill climber found.
fn dear(c: &mut Criterion) {
    let mut group = c.benchmark_group("dear_map");
    group.sample_size(20);
    for (number, board) in positions::dear().into_iter().enumerate() {
        let name = format!("{number}, {}", board.size());
        group.bench_function(name, |b| b.iter(|| black_box(&board).forbidden().len()));
    }
    group.finish();
}

/// The empty points no further than two points from a stone.
fn near(board: &Board) -> Vec<Point> {
    let is_near = |point: Point| {
        let (x, y) = (point.x(), point.y());
        board.stones().any(|(it, _)| it.x().abs_diff(x).max(it.y().abs_diff(y)) <= 2)
    };
    empty(board).into_iter().filter(|point| is_near(*point)).collect()
}

fn empty(board: &Board) -> Vec<Point> {
    board.size().points().filter(|point| board.is_empty(*point)).collect()
}

/// The cost of a point for an engine: on each of some points in turn, place a stone, ask about the
/// other points, and take the stone back; all of that counts.
fn incremental(c: &mut Criterion) {
    let mut group = c.benchmark_group("a_point_in_a_search");
    for (name, boards) in
        [("of_games", of_games()), ("recorded", recorded()), ("crowded", crowded())]
    {
        let (all, near): (Vec<_>, Vec<_>) = boards.iter().map(|it| (empty(it), near(it))).unzip();
        let cases = [
            ("all empty points", &all, 1),
            ("points near", &near, 1),
            ("an eighth of them", &near, 8),
        ];
        for (which, points, every) in cases {
            let mut positions: Vec<(Fouls, Vec<Point>)> =
                boards.iter().map(Fouls::of).zip(points.iter().cloned()).collect();
            let asked =
                |points: &[Point]| (points.len().div_ceil(4) * points.len().div_ceil(every)) as u64;
            let total = positions.iter().map(|(_, points)| asked(points)).sum();
            group.throughput(Throughput::Elements(total)).sample_size(30);
            group.bench_function(format!("{name}, {which}"), |b| {
                b.iter(|| {
                    for (fouls, points) in &mut positions {
                        for (ply, point) in points.iter().step_by(4).enumerate() {
                            fouls.place(*point, Color::of_ply(ply));
                            for asked in points.iter().step_by(every) {
                                black_box(fouls.foul(*asked));
                            }
                            fouls.remove(*point);
                        }
                    }
                });
            });
        }
    }
    group.finish();
    let mut fouls = Fouls::of(&of_games()[40]);
    let point = near(fouls.board())[20];
    c.bench_function("fouls_place_and_remove", |b| {
        b.iter(|| {
            fouls.place(black_box(point), Color::Black);
            fouls.remove(black_box(point))
        });
    });
    c.bench_function("fouls_of_a_board", |b| b.iter(|| Fouls::of(black_box(fouls.board()))));
    c.bench_function("fouls_clone", |b| b.iter(|| black_box(&fouls).clone()));
}

fn points(c: &mut Criterion) {
    let boards = of_games();
    let one_of = |points: Vec<Point>, seed| points[Choices::new(seed).below(points.len())];
    let sample = |(seed, board): (u64, &Board)| (board.clone(), one_of(empty(board), seed));
    let samples: Vec<(Board, Point)> = (0..).zip(&boards).map(sample).collect();
    let mut next = samples.iter().cycle();
    c.bench_function("foul", |b| {
        b.iter(|| {
            let (board, point) = next.next().expect("a cycle");
            black_box(board).foul(black_box(*point))
        });
    });
    c.bench_function("wins", |b| {
        b.iter(|| {
            let (board, point) = next.next().expect("a cycle");
            black_box(board).wins(Rule::Renju, black_box(*point), Color::Black)
        });
    });
    let (mut board, point) = samples[40].clone();
    c.bench_function("place_and_remove", |b| {
        b.iter(|| {
            board.place(black_box(point), Color::Black);
            board.remove(black_box(point))
        });
    });
    c.bench_function("clone", |b| b.iter(|| black_box(&board).clone()));
}

/// A renju game played through, wins and fouls judged at each ply.
fn game(c: &mut Criterion) {
    let mut random = Choices::new(7);
    let mut position = Position::new(Rule::Renju, Size::STANDARD);
    while position.ply() < 70 {
        let legal = |p: &Point| position.check(*p).is_ok() && position.foul_at(*p).is_none();
        let points: Vec<Point> = Size::STANDARD.points().filter(legal).collect();
        let ending = position.play(points[random.below(points.len())]).expect("an empty point");
        if ending.is_some() {
            position.undo();
        }
    }
    let moves: Vec<Point> = position.moves().iter().filter_map(|mv: &Move| mv.point()).collect();
    c.bench_function("game_of_70_plies", |b| {
        b.iter_batched(
            || Position::new(Rule::Renju, Size::STANDARD),
            |mut position| {
                for point in &moves {
                    black_box(position.play(*point)).expect("an empty point");
                }
                position
            },
            BatchSize::SmallInput,
        );
    });
}

criterion_group!(benches, maps, dear, incremental, points, game);
criterion_main!(benches);
