//! What adjudication costs: one ply, one point's foul, and the whole forbidden map from scratch,
//! beside the naive oracle of the tests. Each figure is for one position.

#[path = "../tests/oracle/mod.rs"]
mod oracle;
#[path = "../tests/positions/mod.rs"]
mod positions;

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use oracle::Oracle;
use positions::Random;
use tengen_rules::{Board, Color, Move, Point, Position, Rule, Size};

/// Positions of 20 to 83 stones, as games reach them.
fn of_games() -> Vec<Board> {
    (0..64).map(|seed| positions::of_a_game(&mut Random(seed as u64), 20 + seed)).collect()
}

/// Crowded fragments, where most black stones make something.
fn crowded() -> Vec<Board> {
    (0..64).map(|seed| positions::scattered(&mut Random(seed))).collect()
}

fn naive_map(board: &Board) -> usize {
    let mut oracle = Oracle::of(board);
    board.size().points().filter(|point| oracle.foul(*point).is_some()).count()
}

fn maps(c: &mut Criterion) {
    let mut group = c.benchmark_group("forbidden_map");
    for (name, boards) in [("of_games", of_games()), ("crowded", crowded())] {
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

fn points(c: &mut Criterion) {
    let boards = of_games();
    let empty = |board: &Board, seed| {
        let points: Vec<Point> = board.size().points().filter(|p| board.is_empty(*p)).collect();
        points[Random(seed).below(points.len())]
    };
    let samples: Vec<(Board, Point)> =
        (0..).zip(&boards).map(|(seed, board)| (board.clone(), empty(board, seed))).collect();
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
    let mut random = Random(7);
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

criterion_group!(benches, maps, points, game);
criterion_main!(benches);
