//! Fifth moves: how many, which, and which of them to leave to Black.

use std::ops::RangeInclusive;

use tengen_rules::{Alike, Color, Point, Position};

use super::OpeningSearch;
use crate::analysis::Analysis;
use crate::eval::Evaluate;
use crate::search::MoveOrder;

/// How many fifth moves are looked at to say how many may be offered.
const LOOKED_AT: usize = 12;

impl<E: Evaluate, O: MoveOrder> OpeningSearch<'_, E, O> {
    /// The number of fifth moves that leaves the colours even, White's best fourth move being
    /// foreseen where it has not been played.
    pub(super) fn number_of_fifths(
        &mut self,
        position: &Position,
        range: RangeInclusive<u8>,
    ) -> u8 {
        let values = self.outlook(position, LOOKED_AT);
        let numbers = (1..).zip(&values).filter(|(number, _)| range.contains(number));
        numbers.min_by_key(|(_, value)| value.abs()).map_or(*range.start(), |(number, _)| number)
    }

    /// What Black may expect where it offers so many fifth moves, of which White keeps the worst.
    /// Where the number is still open, it will be one that leaves the colours even.
    pub(super) fn value_with_fifths(
        &mut self,
        position: &Position,
        number: RangeInclusive<u8>,
    ) -> i32 {
        let most = usize::from(*number.end()).clamp(1, LOOKED_AT);
        let values = self.outlook(position, most);
        let worst_of = |number: u8| values.get(usize::from(number) - 1).or(values.last());
        let open = number.filter(|&number| number > 0).filter_map(worst_of);
        open.copied().min_by_key(|value| value.abs()).unwrap_or(0)
    }

    /// What Black may expect of its fifth moves, the best first, at most `most` of them.
    fn outlook(&mut self, position: &Position, most: usize) -> Vec<i32> {
        let mut position = position.clone();
        if position.ply() == 3 {
            let mut analysis = Analysis::of(&position);
            let fourth = self.value(&mut analysis, Color::White, most).1;
            if let Some(fourth) = fourth {
                position.play(fourth).expect("the search's move is legal");
            }
        }
        let mut values: Vec<i32> =
            self.ranked_fifths(&position, most).into_iter().map(|(value, _)| value).collect();
        values.truncate(most);
        values
    }

    /// The best fifth moves for Black of which no two are alike.
    pub(super) fn best_fifths(&mut self, position: &Position, count: usize) -> Vec<Point> {
        let ranked = self.ranked_fifths(position, count + count / 2 + 2);
        let mut offered: Vec<Point> = ranked.into_iter().map(|(_, point)| point).collect();
        offered.truncate(count);
        if offered.len() < count {
            super::offer(position, count, self.thinking().game().alike)
        } else {
            offered
        }
    }

    /// The offered move that is worst for Black.
    pub(super) fn worst_fifth(&mut self, position: &Position, offered: &[Point]) -> Point {
        let mut analysis = Analysis::of(position);
        let values = self.values(&mut analysis, Color::Black, offered, 0);
        let worst = values.iter().zip(offered).min_by_key(|(value, _)| **value);
        worst.map(|(_, &point)| point).unwrap_or_else(|| super::pick(position, offered))
    }

    /// The most promising fifth moves, no two alike, with their values for Black; the best first.
    pub(super) fn ranked_fifths(&mut self, position: &Position, most: usize) -> Vec<(i32, Point)> {
        let mut analysis = Analysis::of(position);
        let points = self.promising_fifths(position, &analysis, most);
        let values = self.values(&mut analysis, Color::Black, &points, 0);
        let mut ranked: Vec<(i32, Point)> = values.into_iter().zip(points).collect();
        ranked.sort_by_key(|&(value, _)| -value);
        ranked
    }

    /// Legal fifth moves of which no two are alike, by their promise.
    fn promising_fifths(
        &self,
        position: &Position,
        analysis: &Analysis,
        most: usize,
    ) -> Vec<Point> {
        let mut points: Vec<Point> = position
            .size()
            .points()
            .filter(|&point| analysis.is_empty(point) && analysis.is_legal(point, Color::Black))
            .collect();
        let promise = |&point: &Point| -self.evaluator().promise(analysis, point, Color::Black);
        points.sort_by_cached_key(promise);
        super::unlike(position, points, most, Alike::Shape)
    }
}
