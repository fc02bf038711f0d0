//! Opening questions answered by what short searches make of the positions.

use tengen_sdk::analysis::{Analysis, PointSet};
use tengen_sdk::random::Random;
use tengen_sdk::rules::{Symmetry, canonical};
use tengen_sdk::{
    Color, Placement, Point, Position, Procedure, Swap2, Taraguchi, Thinking, Zone, opening,
};

use crate::AlphaBeta;
use crate::fifths;
use crate::opening_search::OpeningSearch;

/// How many ways to lay stones are compared.
const TRIES: usize = 20;

/// Of so many canonical openings that are nearly even one is taken by the seed.
const CHOICES: usize = 5;

/// Values within this are nearly even: laying two more stones is better than taking a colour.
const CLOSE: i32 = 60;

/// Lays the stones asked for: a canonical opening, the best move where no swap can follow, and
/// otherwise stones that leave the colours even.
pub(crate) fn place(
    engine: &mut AlphaBeta,
    position: &Position,
    placement: &Placement,
    thinking: &Thinking<'_>,
) -> Vec<Point> {
    let Placement { min, zone, canonical, .. } = *placement;
    let game = thinking.game();
    let mut random = Random::new(game.seed);
    if canonical && position.ply() == 0 && min <= 3 {
        return canonical_opening(engine, position, thinking, &mut random);
    }
    let pro = matches!(game.opening, Some(Procedure::Pro | Procedure::LongPro));
    if pro && min == 1 {
        let best = best_in(engine, position, zone, thinking);
        return best
            .map_or_else(|| opening::place(engine, position, placement, thinking), |p| vec![p]);
    }
    let mut judge = OpeningSearch::new(engine, thinking);
    let even = even_stones(&mut judge, position, min, zone, &mut random);
    even.unwrap_or_else(|| opening::balance(position, min, zone, game.seed))
}

/// Swaps when the other colour looks better.
pub(crate) fn swap(
    engine: &mut AlphaBeta,
    position: &Position,
    own: Color,
    thinking: &Thinking<'_>,
) -> bool {
    let mut judge = OpeningSearch::new(engine, thinking);
    let black = match (thinking.game().opening, position.ply()) {
        (
            Some(Procedure::Rif | Procedure::Contest | Procedure::Yamaguchi | Procedure::Soosorv8),
            3 | 4,
        ) => {
            let number = thinking.fifth_moves().unwrap_or(2..=2);
            fifths::with_so_many(&mut judge, position, number)
        }
        _ => black_value(&mut judge, position),
    };
    own != if black >= 0 { Color::Black } else { Color::White }
}

/// Takes the better colour, or lays two stones where neither is.
pub(crate) fn swap2(engine: &mut AlphaBeta, position: &Position, thinking: &Thinking<'_>) -> Swap2 {
    let mut random = Random::new(thinking.game().seed);
    let mut judge = OpeningSearch::new(engine, thinking);
    let mut analysis = Analysis::of(position);
    let black = -judge.value(&mut analysis, Color::White, 2).0;
    if black.abs() <= CLOSE {
        let stones = even_stones(&mut judge, position, 2, Zone::Anywhere, &mut random);
        if let Some(&[white, black]) = stones.as_deref() {
            return Swap2::Place([white, black]);
        }
    }
    if black >= 0 { Swap2::TakeBlack } else { Swap2::KeepWhite }
}

/// Offers fifth moves when the worst of them still favours Black; otherwise lays an even fifth
/// stone, for the opponent may swap then.
pub(crate) fn taraguchi(
    engine: &mut AlphaBeta,
    position: &Position,
    zone: Zone,
    count: usize,
    thinking: &Thinking<'_>,
) -> Taraguchi {
    let mut random = Random::new(thinking.game().seed);
    let mut judge = OpeningSearch::new(engine, thinking);
    let ranked = fifths::ranked(&mut judge, position, count + 2);
    if ranked.len() >= count && ranked[count - 1].0 > 0 {
        return Taraguchi::Offer(ranked[..count].iter().map(|&(_, point)| point).collect());
    }
    match even_stones(&mut judge, position, 1, zone, &mut random).as_deref() {
        Some(&[point]) => Taraguchi::Move(point),
        _ => opening::taraguchi(engine, position, zone, thinking),
    }
}

/// What Black may expect of the position.
fn black_value(judge: &mut OpeningSearch<'_>, position: &Position) -> i32 {
    let to_move = position.to_move();
    let value = judge.value(&mut Analysis::of(position), to_move, 0).0;
    if to_move == Color::Black { value } else { -value }
}

/// The best move in the zone.
fn best_in(
    engine: &mut AlphaBeta,
    position: &Position,
    zone: Zone,
    thinking: &Thinking<'_>,
) -> Option<Point> {
    let mut analysis = Analysis::of(position);
    let only = candidates(position, zone, 4);
    let only: PointSet = only.into_iter().collect();
    OpeningSearch::new(engine, thinking).best_of(&mut analysis, position.to_move(), only)
}

/// One of the most even canonical openings, in one of its orientations.
fn canonical_opening(
    engine: &mut AlphaBeta,
    position: &Position,
    thinking: &Thinking<'_>,
    random: &mut Random,
) -> Vec<Point> {
    let mut judge = OpeningSearch::new(engine, thinking);
    let all = &canonical::ALL;
    let mut even: Vec<(i32, usize)> = (0..all.len())
        .map(|index| {
            let mut analysis = Analysis::new(position.rule(), position.size());
            for (ply, point) in all[index].points.into_iter().enumerate() {
                analysis.place(point, Color::of_ply(ply));
            }
            let others = all.len() - index - 1;
            (judge.value(&mut analysis, Color::White, others).0.abs(), index)
        })
        .collect();
    even.sort_unstable();
    let (_, index) = even[random.below(CHOICES)];
    let symmetry = Symmetry::ALL[random.below(Symmetry::ALL.len())];
    all[index].points.map(|point| symmetry.point(point, position.size())).to_vec()
}

/// Stones after which neither colour looks better, of some that are laid at random.
fn even_stones(
    judge: &mut OpeningSearch<'_>,
    position: &Position,
    count: usize,
    zone: Zone,
    random: &mut Random,
) -> Option<Vec<Point>> {
    let mut best = None;
    for tried in 0..TRIES {
        let Some(stones) = random_stones(position, count, zone, random) else { continue };
        let mut after = position.clone();
        for &point in &stones {
            after.play(point).expect("stones were laid on empty points");
        }
        let mut analysis = Analysis::of(&after);
        let others = TRIES - tried - 1;
        let lead = judge.value(&mut analysis, after.to_move(), others).0.abs();
        if best.as_ref().is_none_or(|&(least, _)| lead < least) {
            best = Some((lead, stones));
        }
    }
    best.map(|(_, stones)| stones)
}

/// Stones near the others, or near the centre of an empty board.
fn random_stones(
    position: &Position,
    count: usize,
    zone: Zone,
    random: &mut Random,
) -> Option<Vec<Point>> {
    let mut position = position.clone();
    let mut stones = Vec::with_capacity(count);
    for _ in 0..count {
        let points = candidates(&position, zone, 2);
        if points.is_empty() {
            return None;
        }
        let point = points[random.below(points.len())];
        position.play(point).expect("a candidate is playable");
        stones.push(point);
    }
    Some(stones)
}

/// The empty points of the zone, within reach of a stone where there are such, that neither win
/// nor are forbidden.
fn candidates(position: &Position, zone: Zone, reach: u8) -> Vec<Point> {
    let (size, board) = (position.size(), position.board());
    let ends = |point: Point| {
        board.wins(position.rule(), point, position.to_move()) || position.foul_at(point).is_some()
    };
    let playable = |&point: &Point| {
        zone.contains(point, size) && position.check(point).is_ok() && !ends(point)
    };
    let points: Vec<Point> = size.points().filter(playable).collect();
    let distance =
        |one: Point, other: Point| one.x().abs_diff(other.x()).max(one.y().abs_diff(other.y()));
    let close = |point: &Point| match board.count() {
        0 => distance(*point, size.center()) <= reach,
        _ => board.stones().any(|(stone, _)| distance(*point, stone) <= reach),
    };
    let near: Vec<Point> = points.iter().copied().filter(close).collect();
    if near.is_empty() { points } else { near }
}
