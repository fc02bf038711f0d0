//! What the arbiter adds to a game: whole games of 70 plies, told per ply, beside the bare rules of
//! the same games in the same run.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use tengen_arbiter::{Action, Game, GameConfig, Input, Order, Policies};
use tengen_rules::{Answer, BySeat, Move, OpeningSettings, Point, Position, Procedure, Rule, Size};

const PLIES: usize = 70;

/// A game without a winner, its stones all over the board.
fn moves(rule: Rule) -> Vec<Point> {
    let points: Vec<Point> = Size::STANDARD.points().collect();
    let mut position = Position::new(rule, Size::STANDARD);
    let mut moves = Vec::new();
    for index in 0..points.len() {
        let point = points[index * 97 % points.len()];
        if position.play(point).expect("every point comes once").is_some() {
            position.undo();
        } else {
            moves.push(point);
        }
    }
    moves.truncate(PLIES);
    assert_eq!(moves.len(), PLIES);
    moves
}

fn config(rule: Rule) -> GameConfig {
    let time = "60+1".parse().expect("a time control");
    GameConfig {
        rule,
        size: Size::STANDARD,
        opening: OpeningSettings::new(Procedure::None),
        time: BySeat { first: time, second: time },
        margin: BySeat::default(),
        policies: Policies::default(),
    }
}

/// Plays through the orders of the arbiter, as a table does, every answer in a microsecond.
fn play(mut game: Game, moves: &[Point]) -> Game {
    let mut now = 0;
    for point in moves {
        let Some(Order::Ask { seat, .. }) = game.poll_order() else {
            panic!("the game ended early");
        };
        game.handle(now, seat, Input::Asked);
        now += 1_000;
        let answer = Answer::Move(Move::Stone(*point));
        game.handle(now, seat, Input::Act(Action::Answer(answer)));
    }
    game
}

fn bench(c: &mut Criterion) {
    let mut group = c.benchmark_group("ply");
    group.throughput(Throughput::Elements(PLIES as u64));
    for rule in [Rule::Freestyle, Rule::Renju] {
        let moves = moves(rule);
        let config = config(rule);
        group.bench_function(format!("arbiter/{rule}"), |b| {
            b.iter(|| {
                let game = Game::new(config.clone()).expect("a game");
                black_box(play(game, black_box(&moves)))
            })
        });
        group.bench_function(format!("rules/{rule}"), |b| {
            b.iter(|| {
                let mut position = Position::new(rule, Size::STANDARD);
                for point in black_box(&moves) {
                    position.play(*point).expect("a legal move");
                }
                black_box(position)
            })
        });
    }
    group.finish();
}

criterion_group!(benches, bench);
criterion_main!(benches);
