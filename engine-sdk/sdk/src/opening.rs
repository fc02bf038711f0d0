//! Answers to opening questions: those that need no search, which are the defaults of [`Engine`],
//! and those by short searches, [`OpeningAnswers`], which are the defaults of
//! [`SearchEngine`](crate::SearchEngine). All are legal under the rules of each procedure. Answers
//! without a search take a millisecond or two, and are the same for the same seed. Answers by
//! searches are the same if the limit is one of nodes, and the engine was asked nothing before.
//!
//! ```
//! use tengen_sdk::{Color, Position, Rule, Size, opening};
//!
//! let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
//! for point in ["h8", "h9", "i9"] {
//!     position.play(point.parse()?).unwrap();
//! }
//! assert_eq!(opening::prefers(&position), Color::Black);
//! # Ok::<(), tengen_sdk::rules::ParsePointError>(())
//! ```

mod fifths;
mod opening_search;
mod searched;

use std::ops::RangeInclusive;

use tengen_random::output;
use tengen_rules::{Alike, Color, Move, Point, Position, Procedure, Symmetry, Zone, canonical};

use crate::judge::Judge;
use crate::{Engine, Placement, Swap2, Taraguchi, Thinking};

pub use opening_search::OpeningSearch;
pub use searched::{OpeningAnswers, SearchedOpenings};

/// Canonical openings that give both sides play: those that two fifth moves leave even.
const EVEN: [&str; 4] = ["D11", "D12", "I11", "I12"];

/// Canonical openings that are said to favour White.
const WHITES: [&str; 3] = ["D13", "I5", "I13"];

/// Lays stones: one of the canonical openings where they are asked for, the engine's own choice
/// where no swap follows (pro and long pro), and otherwise stones that leave the game balanced.
///
/// ```
/// use tengen_sdk::{Choice, Engine, Placement, Position, Rule, Size, Thinking, Zone, opening};
///
/// #[derive(Default)]
/// struct Mine;
///
/// impl Engine for Mine {
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         position.size().center().into()
///     }
/// }
///
/// let position = Position::new(Rule::Renju, Size::STANDARD);
/// let placement = Placement { min: 3, max: 3, zone: Zone::Anywhere, canonical: true };
/// let stones = opening::place(&mut Mine, &position, &placement, &Thinking::free());
/// assert_eq!(stones.len(), 3);
/// ```
pub fn place<E: Engine>(
    engine: &mut E,
    position: &Position,
    placement: &Placement,
    thinking: &Thinking<'_>,
) -> Vec<Point> {
    let game = thinking.game();
    let Placement { min, zone, canonical, .. } = *placement;
    if canonical && position.ply() == 0 && min <= 3 {
        return canonical_opening(position, game.seed).to_vec();
    }
    let pro = game.opening.is_some_and(Procedure::asks_moves_alone);
    if pro && min == 1 && zone != Zone::Within(0) {
        let point = engine.choose(position, thinking).mv.point();
        let legal = |point: &Point| position.check(*point).is_ok();
        return vec![
            match point.filter(legal).filter(|&point| zone.contains(point, position.size())) {
                Some(point) => point,
                None => strongest(position, zone),
            },
        ];
    }
    balance(position, min, zone, game.seed)
}

/// The colour that looks better to hold in a position of a few stones.
///
/// ```
/// use tengen_sdk::{Color, Position, Rule, Size, opening};
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// position.play("h8".parse().unwrap()).unwrap();
/// assert_eq!(opening::prefers(&position), Color::Black);
/// ```
pub fn prefers(position: &Position) -> Color {
    let known = match *position.moves() {
        [Move::Stone(first), Move::Stone(second), Move::Stone(third)] => {
            canonical::recognise(position.size(), [first, second, third])
        }
        _ => None,
    };
    let white = match known {
        Some(opening) => WHITES.contains(&opening.code),
        None => Judge::new(position).balance(position.to_move()) < 0,
    };
    if white { Color::White } else { Color::Black }
}

/// The colour that looks better to hold where Black is to offer so many fifth moves, of which White
/// keeps the worst: after the third stone, White's fourth move being foreseen, or after the fourth.
///
/// ```
/// use tengen_sdk::{Color, Position, Rule, Size, opening};
/// let mut position = Position::new(Rule::Renju, Size::STANDARD);
/// for point in ["h8", "h9", "h10"] {
///     position.play(point.parse().unwrap()).unwrap();
/// }
/// let many = opening::prefers_before_fifths(&position, 10..=10);
/// assert!(Color::ALL.contains(&many));
/// ```
pub fn prefers_before_fifths(position: &Position, number: RangeInclusive<u8>) -> Color {
    let mut position = position.clone();
    if position.ply() == 3 {
        if prefers(&position) == Color::White {
            return Color::White;
        }
        let fourth = strongest(&position, Zone::Anywhere);
        position.play(fourth).expect("a playable point");
    }
    let black = |number: u8| {
        let offered = offer(&position, number.into(), Alike::Shape);
        let kept = (!offered.is_empty()).then(|| pick(&position, &offered));
        kept.map_or(0, |kept| Judge::new(&position).balance_with(kept, Color::Black))
    };
    // Where the number is still open, it will be one that leaves the colours even.
    let black = number.map(black).min_by_key(|black| black.abs()).unwrap_or(0);
    if black < 0 { Color::White } else { Color::Black }
}

/// Takes the colour that looks better, or, where neither does, lays two stones.
///
/// ```
/// use tengen_sdk::{Position, Rule, Size, Swap2, opening};
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// for point in ["h8", "a1", "h9"] {
///     position.play(point.parse().unwrap()).unwrap();
/// }
/// assert_eq!(opening::swap2(&position), Swap2::TakeBlack);
/// ```
pub fn swap2(position: &Position) -> Swap2 {
    /// A lead below this comes from rows of a stone or two, which are no reason to take a colour.
    const CLOSE: i32 = 10;
    let ahead = Judge::new(position).balance(position.to_move());
    if ahead.abs() <= CLOSE
        && let [one, other] = *balance(position, 2, Zone::Anywhere, 0)
    {
        return Swap2::Place([one, other]);
    }
    if ahead > 0 { Swap2::TakeBlack } else { Swap2::KeepWhite }
}

/// Fifth moves for Black, the strongest first, that are playable and of which no two are alike.
/// There may be fewer than `count` on a crowded board.
///
/// ```
/// use tengen_sdk::{Alike, Position, Rule, Size, opening};
/// let mut position = Position::new(Rule::Renju, Size::STANDARD);
/// for point in ["h8", "h9", "h10", "g8"] {
///     position.play(point.parse().unwrap()).unwrap();
/// }
/// assert_eq!(opening::offer(&position, 2, Alike::Shape).len(), 2);
/// ```
pub fn offer(position: &Position, count: usize, reading: Alike) -> Vec<Point> {
    let (judge, color) = (Judge::new(position), position.to_move());
    let mut ranked = playable(position, Zone::Anywhere);
    ranked.sort_by_key(|&point| -judge.gain(point, color));
    unlike(position, ranked, count, reading)
}

/// The first of these fifth moves of which no two are alike.
fn unlike(position: &Position, ranked: Vec<Point>, count: usize, reading: Alike) -> Vec<Point> {
    let stones = position.moves().iter().filter_map(|mv| mv.point());
    let four: Vec<Point> = stones.take(4).collect();
    let alike = |one: Point, other: Point| {
        let four = <&[Point; 4]>::try_from(four.as_slice());
        four.is_ok_and(|four| reading.holds(position.size(), four, one, other))
    };
    let mut kept: Vec<Point> = Vec::with_capacity(count);
    for point in ranked {
        if kept.len() == count {
            break;
        }
        if !kept.iter().any(|&other| alike(other, point)) {
            kept.push(point);
        }
    }
    kept
}

/// The offered move that leaves Black worst off.
///
/// # Panics
/// When nothing is offered.
///
/// ```
/// use tengen_sdk::{Point, Position, Rule, Size, opening};
/// let mut position = Position::new(Rule::Renju, Size::STANDARD);
/// for point in ["h8", "h9", "h10", "g8"] {
///     position.play(point.parse().unwrap()).unwrap();
/// }
/// let corner = Point::new(0, 0);
/// let offered = ["i9".parse().unwrap(), corner];
/// assert_eq!(opening::pick(&position, &offered), corner);
/// ```
pub fn pick(position: &Position, offered: &[Point]) -> Point {
    let mut judge = Judge::new(position);
    let black = |point: &Point| match position.check(*point) {
        Ok(()) => judge.balance_with(*point, Color::Black),
        Err(_) => i32::MAX,
    };
    offered.iter().copied().min_by_key(black).expect("a move on offer")
}

/// One balanced fifth move, for a swap may follow it.
///
/// ```
/// use tengen_sdk::{Choice, Engine, Position, Rule, Size, Taraguchi, Thinking, Zone, opening};
///
/// #[derive(Default)]
/// struct Mine;
///
/// impl Engine for Mine {
///     fn choose(&mut self, position: &Position, _: &Thinking<'_>) -> Choice {
///         position.size().center().into()
///     }
/// }
///
/// let mut position = Position::new(Rule::Renju, Size::STANDARD);
/// for point in ["h8", "h9", "h10", "g8"] {
///     position.play(point.parse().unwrap()).unwrap();
/// }
/// let answer = opening::taraguchi(&mut Mine, &position, Zone::Within(4), &Thinking::free());
/// assert!(matches!(answer, Taraguchi::Move(point) if position.check(point).is_ok()));
/// ```
pub fn taraguchi<E: Engine>(
    engine: &mut E,
    position: &Position,
    zone: Zone,
    thinking: &Thinking<'_>,
) -> Taraguchi {
    let placement = Placement { min: 1, max: 1, zone, canonical: false };
    match *engine.place(position, &placement, thinking) {
        [point, ..] => Taraguchi::Move(point),
        [] => Taraguchi::Move(strongest(position, zone)),
    }
}

/// Lays `count` stones in the zone, the last of them so that neither side looks better. There may
/// be fewer on a crowded board.
///
/// ```
/// use tengen_sdk::{Position, Rule, Size, Zone, opening};
/// let position = Position::new(Rule::Freestyle, Size::STANDARD);
/// let one = opening::balance(&position, 3, Zone::Anywhere, 1);
/// assert_eq!(one.len(), 3);
/// assert_eq!(one, opening::balance(&position, 3, Zone::Anywhere, 1));
/// ```
pub fn balance(position: &Position, count: usize, zone: Zone, seed: u64) -> Vec<Point> {
    let mut position = position.clone();
    let mut laid = Vec::with_capacity(count);
    for left in (0..count).rev() {
        let near = |reach: u8| near(&position, playable(&position, zone), reach);
        let point = if left > 0 {
            near(2).into_iter().min_by_key(|&point| mix(seed, point))
        } else {
            let mut judge = Judge::new(&position);
            near(4).into_iter().min_by_key(|&point| {
                let ahead = judge.balance_with(point, position.to_move());
                (ahead.abs(), mix(seed, point))
            })
        };
        let Some(point) = point else { break };
        position.play(point).expect("a playable point");
        laid.push(point);
    }
    laid
}

/// One of the even canonical openings, in one of its orientations.
fn canonical_opening(position: &Position, seed: u64) -> [Point; 3] {
    let pick = mix(seed, Point::new(0, 0));
    let code = EVEN[(pick % 4) as usize];
    let opening = canonical::ALL.iter().find(|opening| opening.code == code);
    let opening = opening.expect("the code of an opening");
    let symmetry = Symmetry::ALL[(pick / 4 % 8) as usize];
    opening.points.map(|point| symmetry.point(point, position.size()))
}

/// The point of the zone that adds most.
fn strongest(position: &Position, zone: Zone) -> Point {
    let judge = Judge::new(position);
    let gain = |point: &Point| judge.gain(*point, position.to_move());
    playable(position, zone).into_iter().max_by_key(gain).unwrap_or(position.size().center())
}

/// The empty points of the zone, in order; those that end the game only if there is nothing else.
fn playable(position: &Position, zone: Zone) -> Vec<Point> {
    let quiet = quiet(position, zone);
    if quiet.is_empty() { empty(position, zone).collect() } else { quiet }
}

/// The empty points of the zone, in order, that neither win nor are forbidden.
fn quiet(position: &Position, zone: Zone) -> Vec<Point> {
    let board = position.board();
    let ends = |point: Point| {
        board.wins(position.rule(), point, position.to_move()) || position.foul_at(point).is_some()
    };
    empty(position, zone).filter(|&point| !ends(point)).collect()
}

fn empty(position: &Position, zone: Zone) -> impl Iterator<Item = Point> {
    let size = position.size();
    size.points().filter(move |&point| zone.contains(point, size) && position.check(point).is_ok())
}

/// The points within reach of a stone, or of the centre of an empty board; all if there are none.
fn near(position: &Position, points: Vec<Point>, reach: u8) -> Vec<Point> {
    let distance =
        |one: Point, other: Point| one.x().abs_diff(other.x()).max(one.y().abs_diff(other.y()));
    let close = |point: &Point| match position.board().count() {
        0 => distance(*point, position.size().center()) <= reach,
        _ => position.board().stones().any(|(stone, _)| distance(*point, stone) <= reach),
    };
    let close: Vec<Point> = points.iter().copied().filter(close).collect();
    if close.is_empty() { points } else { close }
}

/// A scattered number of the seed and the point.
fn mix(seed: u64, point: Point) -> u64 {
    output(seed, u64::from(point.x()) << 8 | u64::from(point.y()))
}
