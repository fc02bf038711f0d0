//! Forbidden moves after RIF 9, exact and recursive.

use crate::double_three::Threes;
use crate::line::{Direction, Line};
use crate::pattern::Pattern;
use crate::traits::{Judgement, Traits};
use crate::word::Four;
use crate::{Board, Color, Foul, Fouls, Point, Rule};

/// The source of the traits of points and of the straight windows of lines: read off the board each
/// time, or kept up to date.
pub(crate) trait Facts {
    /// The traits of an empty point.
    fn traits(&self, point: Point) -> Traits;

    /// [`Pattern::straight`] of the line and its empty points.
    fn straight_and_empty(&self, line: Line) -> (u32, u32);

    /// Everything once more, to lay stones on.
    fn fouls(&self) -> Fouls;
}

impl Facts for Board {
    #[inline]
    fn traits(&self, point: Point) -> Traits {
        let (black, empty) = self.around(point);
        Traits::at(&Pattern::of(black, empty), Board::AROUND)
    }

    #[inline]
    fn straight_and_empty(&self, line: Line) -> (u32, u32) {
        let (black, empty) = self.black_and_empty(line);
        (Pattern::of(black, empty).straight, empty)
    }

    fn fouls(&self) -> Fouls {
        Fouls::of(self)
    }
}

impl Board {
    /// The bit of the point itself in the words of [`around`](Board::around).
    const AROUND: u32 = 8;

    /// The black stones and the empty points of the four lines through the point, shifted so that
    /// the point is at the same bit of each. Points further off than any pattern reaches are lost.
    #[inline]
    fn around(&self, point: Point) -> (Four, Four) {
        let (mut blacks, mut empties) = ([0; 4], [0; 4]);
        for (lane, direction) in Direction::ALL.into_iter().enumerate() {
            let (black, empty) = self.black_and_empty(direction.through(point));
            let bit = direction.bit(point);
            blacks[lane] = (u64::from(black) << Board::AROUND >> bit) as u32;
            empties[lane] = (u64::from(empty) << Board::AROUND >> bit) as u32;
        }
        (Four(blacks), Four(empties))
    }

    /// Why a black stone on the empty point is forbidden under renju (RIF 9), if it is. None for a
    /// point that has a stone or is off the board.
    ///
    /// ```
    /// use tengen_rules::{Board, Color, Foul, Size};
    /// let mut board = Board::new(Size::STANDARD);
    /// for point in ["g8", "i8", "h7", "h9"] {
    ///     board.place(point.parse().unwrap(), Color::Black);
    /// }
    /// assert_eq!(board.foul("h8".parse().unwrap()), Some(Foul::DoubleThree));
    /// ```
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if self.is_empty(point) { renju_foul(self, point) } else { None }
    }

    /// Why a stone of the colour on the empty point is forbidden under the rule, if it is.
    #[inline]
    pub fn foul_of(&self, rule: Rule, point: Point, color: Color) -> Option<Foul> {
        if rule.has_fouls(color) { self.foul(point) } else { None }
    }
}

/// Why a black stone on the empty point is forbidden under renju, if it is.
#[inline]
pub(crate) fn renju_foul(facts: &impl Facts, point: Point) -> Option<Foul> {
    let traits = facts.traits(point);
    match traits.judge() {
        Judgement::Legal => None,
        Judgement::Foul(foul) => Some(foul),
        Judgement::Threes => {
            let threes = Threes::glance(facts, point, traits);
            let is_double =
                threes.verdict().unwrap_or_else(|| threes.is_double(&mut facts.fouls(), point));
            is_double.then_some(Foul::DoubleThree)
        }
    }
}
