//! The built-in engine against the scoring of classic five-in-a-row programs, which counts for
//! every line of five what stones it holds.
//!
//! The whole match, 100 games at 0.1 s a move under each rule:
//! `cargo test --release -p alphabeta --test duel -- --ignored --nocapture`

use std::time::{Duration, Instant};

use alphabeta::AlphaBeta;
use tengen_sdk::random::Random;
use tengen_sdk::rules::Ending;
use tengen_sdk::{
    Choice, Color, Engine, GameInfo, Limits, Move, Point, Position, Rule, Size, Thinking,
};

/// Plays where the lines of five are worth most.
#[derive(Default)]
struct LineCounter;

/// What an empty point gains from a line of 0 to 4 own stones alone.
const OWN: [i64; 5] = [7, 35, 800, 15_000, 800_000];
/// What it gains from a line of 1 to 4 of the opponent's alone.
const OPPONENT: [i64; 5] = [7, 15, 400, 1800, 100_000];

impl Engine for LineCounter {
    fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
        let allowed =
            |point: &Point| position.board().is_empty(*point) && position.foul_at(*point).is_none();
        let points: Vec<Point> = position.size().points().filter(allowed).collect();
        let best = points.iter().max_by_key(|point| LineCounter::worth(position, **point));
        best.map_or(Choice::from(Move::Pass), |&point| point.into())
    }
}

impl LineCounter {
    fn worth(position: &Position, point: Point) -> i64 {
        let (board, us) = (position.board(), position.to_move());
        let mut worth = 0;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let at = |step: i16| {
                let x = u8::try_from(i16::from(point.x()) + dx * step).ok()?;
                let y = u8::try_from(i16::from(point.y()) + dy * step).ok()?;
                Some(Point::new(x, y)).filter(|point| board.size().contains(*point))
            };
            for first in -4..=0 {
                let line: Option<Vec<Point>> = (first..first + 5).map(at).collect();
                let Some(line) = line else { continue };
                let count = |color| line.iter().filter(|p| board.get(**p) == Some(color)).count();
                worth += match (count(us), count(!us)) {
                    (own, 0) => OWN[own],
                    (0, opponent) => OPPONENT[opponent],
                    _ => 0,
                };
            }
        }
        worth
    }
}

/// The winner of a game that begins with two stones laid at random.
fn play(game: &GameInfo, alphabeta: Color, spend: Result<Duration, u64>) -> Option<Color> {
    let mut engine = AlphaBeta::default();
    engine.new_game(game);
    let mut position = Position::new(game.rule, game.size);
    let mut random = Random::new(game.seed);
    while position.ply() < 2 {
        let _ = position.play(Point::new(5 + random.below(5) as u8, 5 + random.below(5) as u8));
    }
    loop {
        let to_move = position.to_move();
        let begun = Instant::now();
        let left = || Some(spend.ok()?.saturating_sub(begun.elapsed()));
        let limits = Limits { hard: spend.ok(), nodes: spend.err(), ..Limits::default() };
        let thinking = Thinking::until(&left).in_game(game).with_limits(limits);
        let choice = if to_move == alphabeta {
            engine.choose(&position, &thinking)
        } else {
            LineCounter.choose(&position, &thinking)
        };
        let Move::Stone(point) = choice.mv else { return Some(!to_move) };
        match position.play(point).expect("an empty point") {
            Some(Ending::Five(color)) => return Some(color),
            Some(Ending::Foul(_)) => return Some(Color::White),
            Some(_) => return None,
            None => {}
        }
    }
}

/// How many of the games the engine wins, with colours changing.
fn wins(rule: Rule, games: u64, spend: Result<Duration, u64>) -> u64 {
    let mut wins = 0;
    for seed in 0..games {
        let alphabeta = Color::of_ply(seed as usize);
        let game = GameInfo { seed, ..GameInfo::new(rule, Size::STANDARD) };
        wins += u64::from(play(&game, alphabeta, spend) == Some(alphabeta));
    }
    wins
}

#[test]
fn a_thousand_nodes_beat_counting_lines() {
    for rule in [Rule::Freestyle, Rule::Renju] {
        let wins = wins(rule, 6, Err(1000));
        assert!(wins >= 4, "{rule}: {wins} of 6");
    }
}

#[test]
fn games_against_itself_end_without_a_fault() {
    for (index, size) in ["5", "6x11", "15", "32x8"].into_iter().enumerate() {
        for rule in Rule::ALL {
            let game =
                GameInfo { seed: index as u64, ..GameInfo::new(rule, size.parse().unwrap()) };
            let limits = Limits { nodes: Some(30), ..Limits::default() };
            let thinking = Thinking::free().in_game(&game).with_limits(limits);
            let mut engine = AlphaBeta::default();
            engine.new_game(&game);
            let mut position = Position::new(rule, game.size);
            // A pass leaves two black stones in a row on the board.
            position.play(game.size.center()).unwrap();
            position.pass();
            let ending = loop {
                let choice = engine.choose(&position, &thinking);
                assert!(!choice.resign && !choice.claim_foul && choice.nodes <= 30);
                let legal = |&point: &Point| {
                    position.check(point).is_ok() && position.foul_at(point).is_none()
                };
                let point = choice.mv.point().expect("a stone");
                assert!(legal(&point) || !game.size.points().any(|point| legal(&point)));
                if let Some(ending) = position.play(point).unwrap() {
                    break ending;
                }
            };
            assert!(ending != Ending::Passes, "{rule} {size}");
        }
    }
}

#[test]
fn a_forbidden_stone_is_claimed() {
    let game = GameInfo::new(Rule::Renju, Size::STANDARD);
    let limits = Limits { nodes: Some(30), ..Limits::default() };
    let thinking = Thinking::free().in_game(&game).with_limits(limits);
    let mut position = Position::new(Rule::Renju, Size::STANDARD);
    for point in "h9 a1 h10 d15 i8 o2 j8 o12 h8".split(' ') {
        position.play(point.parse().unwrap()).unwrap();
    }
    assert!(AlphaBeta::default().choose(&position, &thinking).claim_foul);
}

#[test]
#[ignore = "a match on the clock: some ten minutes"]
fn a_tenth_of_a_second_beats_counting_lines() {
    for rule in Rule::ALL {
        let wins = wins(rule, 100, Ok(Duration::from_millis(100)));
        println!("{rule}: {wins} of 100");
        assert!(wins >= 95, "{rule}: {wins} of 100");
    }
}
