//! Games of an engine against a weak one, under every rule.

use tengen_sdk::analysis::{Analysis, Threat};
use tengen_sdk::random::Random;
use tengen_sdk::rules::Ending;
use tengen_sdk::{Color, Engine, GameInfo, Limits, Point, Position, Rule, Size, Thinking};

/// The lines of a source that are no comments and not empty.
pub fn lines_of_code(source: &str) -> usize {
    let is_code = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with("//");
    source.lines().filter(is_code).count()
}

/// Makes a five, stops a five, else plays anywhere near a stone.
fn weak(position: &Position, random: &mut Random) -> Point {
    let (analysis, us) = (Analysis::of(position), position.to_move());
    let urgent =
        [us, !us].into_iter().find_map(|color| analysis.points(color, Threat::Five).first());
    let legal = |point: &Point| analysis.is_empty(*point) && analysis.is_legal(*point, us);
    let near: Vec<Point> = analysis.near().iter().filter(legal).collect();
    match urgent.filter(legal) {
        Some(point) => point,
        None if near.is_empty() => position.size().points().find(legal).expect("an empty point"),
        None => near[random.below(near.len())],
    }
}

/// The winner of a game in which the engine has that colour.
fn winner<E: Engine>(rule: Rule, engine_is: Color, seed: u64) -> Option<Color> {
    let mut random = Random::new(seed);
    let (mut engine, size) = (E::default(), Size::STANDARD);
    let game =
        GameInfo { seed, nodes: Some(1500), reproducible: true, ..GameInfo::new(rule, size) };
    engine.new_game(&game);
    let mut position = Position::new(rule, size);
    loop {
        let point = if position.to_move() == engine_is {
            let limits = Limits { nodes: Some(1500), multipv: 1, ..Limits::default() };
            let thinking = Thinking::free().in_game(&game).with_limits(limits);
            engine.choose(&position, &thinking).mv.point().expect("a stone")
        } else {
            weak(&position, &mut random)
        };
        match position.play(point).expect("a legal move") {
            Some(Ending::Five(color)) => return Some(color),
            Some(Ending::Foul(_)) => return Some(Color::White),
            Some(_) => return None,
            None => {}
        }
    }
}

/// Asserts that it wins with both colours under every rule.
pub fn assert_strong<E: Engine>() {
    for rule in Rule::ALL {
        for (color, seed) in Color::ALL.into_iter().zip(1..) {
            assert_eq!(winner::<E>(rule, color, seed), Some(color), "{rule}, as {color}");
        }
    }
}
