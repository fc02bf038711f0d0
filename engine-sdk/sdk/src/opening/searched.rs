//! The parts that answer the questions of openings.

use std::ops::RangeInclusive;

use tengen_rules::{Color, Point, Position, Procedure, Symmetry, Zone, canonical};

use super::{OpeningSearch, balance, near, quiet, strongest};
use crate::analysis::{Analysis, PointSet};
use crate::eval::Evaluate;
use crate::random::Random;
use crate::search::MoveOrder;
use crate::{Placement, Swap2, Taraguchi};

/// How many ways to lay stones are compared.
const TRIES: usize = 20;

/// The seed picks one of so many canonical openings that are nearly even.
const CHOICES: usize = 5;

/// Values within this are nearly even: laying two more stones is better than taking a colour.
const CLOSE: i32 = 60;

/// Answers the questions of openings for a [`SearchEngine`](crate::SearchEngine), with the engine's
/// own search at hand. Every question has a default, by short searches of the positions; override
/// those that your engine can answer better.
///
/// ```
/// use tengen_sdk::eval::Evaluate;
/// use tengen_sdk::opening::{OpeningSearch, OpeningAnswers};
/// use tengen_sdk::search::MoveOrder;
/// use tengen_sdk::{Color, Position};
///
/// /// Never swaps, and leaves the other questions to the framework.
/// #[derive(Default)]
/// struct Stubborn;
///
/// impl OpeningAnswers for Stubborn {
///     fn swap<E: Evaluate, O: MoveOrder>(
///         &mut self,
///         _: &mut OpeningSearch<'_, E, O>,
///         _: &Position,
///         _: Color,
///     ) -> bool {
///         false
///     }
/// }
/// ```
pub trait OpeningAnswers: Default + 'static {
    /// Lays the stones asked for: a canonical opening, the best move where no swap can follow, and
    /// otherwise stones that leave the colours even.
    fn place<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        placement: &Placement,
    ) -> Vec<Point> {
        let Placement { min, zone, canonical, .. } = *placement;
        let game = search.thinking().game();
        let mut random = Random::new(game.seed);
        if canonical && position.ply() == 0 && min <= 3 {
            return search.canonical_opening(position, &mut random);
        }
        let pro = game.opening.is_some_and(Procedure::asks_moves_alone);
        if pro && min == 1 {
            let best = search.best_in(position, zone);
            return vec![best.unwrap_or_else(|| strongest(position, zone))];
        }
        let even = search.even_stones(position, min, zone, &mut random);
        even.unwrap_or_else(|| balance(position, min, zone, game.seed))
    }

    /// Whether to swap colours; the engine holds `own` now. By default it takes the one that looks
    /// better.
    fn swap<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        own: Color,
    ) -> bool {
        let thinking = search.thinking();
        let offers_fifths = thinking.game().opening.is_some_and(Procedure::offers_fifths);
        let black = if offers_fifths && matches!(position.ply(), 3 | 4) {
            let number = thinking.fifth_moves().unwrap_or(2..=2);
            search.value_with_fifths(position, number)
        } else {
            search.black_value(position)
        };
        own != if black >= 0 { Color::Black } else { Color::White }
    }

    /// Swap2's choice after the first three stones: the better colour, or two more stones where
    /// neither is better.
    fn swap2<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
    ) -> Swap2 {
        let mut random = Random::new(search.thinking().game().seed);
        let mut analysis = Analysis::of(position);
        let black = -search.value(&mut analysis, Color::White, 2).0;
        if black.abs() <= CLOSE {
            let stones = search.even_stones(position, 2, Zone::Anywhere, &mut random);
            if let Some(&[white, black]) = stones.as_deref() {
                return Swap2::Place([white, black]);
            }
        }
        if black >= 0 { Swap2::TakeBlack } else { Swap2::KeepWhite }
    }

    /// How many fifth moves are to be offered: the number that leaves the colours even.
    fn declare<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        range: RangeInclusive<u8>,
    ) -> u8 {
        search.number_of_fifths(position, range)
    }

    /// Offers `count` fifth moves for Black, no two alike: the best ones.
    fn offer<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        count: usize,
    ) -> Vec<Point> {
        search.best_fifths(position, count)
    }

    /// Keeps one of Black's offered fifth moves: the worst for Black.
    fn pick<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        offered: &[Point],
    ) -> Point {
        search.worst_fifth(position, offered)
    }

    /// Taraguchi-10 after the fourth move: an offer when the worst of it still favours Black, and
    /// otherwise an even fifth stone in the zone, for the opponent may swap then.
    fn taraguchi<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        zone: Zone,
        count: usize,
    ) -> Taraguchi {
        let mut random = Random::new(search.thinking().game().seed);
        let ranked = search.ranked_fifths(position, count + 2);
        if ranked.len() >= count && ranked[count - 1].0 > 0 {
            return Taraguchi::Offer(ranked[..count].iter().map(|&(_, point)| point).collect());
        }
        let even = search.even_stones(position, 1, zone, &mut random);
        let point = even.and_then(|stones| stones.first().copied());
        Taraguchi::Move(point.unwrap_or_else(|| strongest(position, zone)))
    }
}

/// The framework's answers: every default of [`OpeningAnswers`].
///
/// ```
/// use tengen_sdk::eval::ThreatEval;
/// use tengen_sdk::opening::{OpeningSearch, OpeningAnswers, SearchedOpenings};
/// use tengen_sdk::search::{Budget, Search};
/// use tengen_sdk::{Color, Position, Rule, Size, Thinking};
///
/// let (mut search, thinking) = (Search::new(ThreatEval::default(), 1), Thinking::free());
/// let budget = Budget { nodes: Some(2000), ..Budget::default() };
/// let mut search = OpeningSearch::new(&mut search, &thinking, budget);
/// let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
/// position.play("h8".parse()?).unwrap();
/// // A stone in the middle of an empty board: Black is better off.
/// assert!(SearchedOpenings.swap(&mut search, &position, Color::White));
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct SearchedOpenings;

impl OpeningAnswers for SearchedOpenings {}

impl<E: Evaluate, O: MoveOrder> OpeningSearch<'_, E, O> {
    /// What Black may expect of the position.
    fn black_value(&mut self, position: &Position) -> i32 {
        let to_move = position.to_move();
        let value = self.value(&mut Analysis::of(position), to_move, 0).0;
        if to_move == Color::Black { value } else { -value }
    }

    /// The best move in the zone.
    fn best_in(&mut self, position: &Position, zone: Zone) -> Option<Point> {
        let mut analysis = Analysis::of(position);
        let only: PointSet = near(position, quiet(position, zone), 4).into_iter().collect();
        self.best_of(&mut analysis, position.to_move(), only)
    }

    /// One of the most even canonical openings, in one of its orientations.
    fn canonical_opening(&mut self, position: &Position, random: &mut Random) -> Vec<Point> {
        let all = &canonical::ALL;
        let mut even: Vec<(i32, usize)> = (0..all.len())
            .map(|index| {
                let mut analysis = Analysis::new(position.rule(), position.size());
                for (ply, point) in all[index].points.into_iter().enumerate() {
                    analysis.place(point, Color::of_ply(ply));
                }
                let others = all.len() - index - 1;
                (self.value(&mut analysis, Color::White, others).0.abs(), index)
            })
            .collect();
        even.sort_unstable();
        let (_, index) = even[random.below(CHOICES)];
        let symmetry = Symmetry::ALL[random.below(Symmetry::ALL.len())];
        all[index].points.map(|point| symmetry.point(point, position.size())).to_vec()
    }

    /// Stones after which neither colour looks better, of some that are laid at random.
    fn even_stones(
        &mut self,
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
            let lead = self.value(&mut analysis, after.to_move(), others).0.abs();
            if best.as_ref().is_none_or(|&(least, _)| lead < least) {
                best = Some((lead, stones));
            }
        }
        best.map(|(_, stones)| stones)
    }
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
        let points = near(&position, quiet(&position, zone), 2);
        if points.is_empty() {
            return None;
        }
        let point = points[random.below(points.len())];
        position.play(point).expect("a candidate is playable");
        stones.push(point);
    }
    Some(stones)
}
