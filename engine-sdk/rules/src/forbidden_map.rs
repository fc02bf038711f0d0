use crate::forbidden::renju_foul;
use crate::line::bits;
use crate::{Board, Foul, Fouls, Point};

/// Every point that is forbidden to Black on one board (renju).
///
/// ```
/// use tengen_rules::{Board, Color, Foul, Point, Size};
/// let mut board = Board::new(Size::STANDARD);
/// for x in [4, 5, 6, 8, 9] {
///     board.place(Point::new(x, 7), Color::Black);
/// }
/// let forbidden = board.forbidden();
/// let point = Point::new(7, 7);
/// assert_eq!(forbidden.get(point), Some(Foul::Overline));
/// assert!(forbidden.iter().eq([(point, Foul::Overline)]));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ForbiddenMap {
    /// For each column the rows that are overlines or double-fours, and those that are
    /// double-fours or double-threes: the two bits of the kind.
    columns: [[u32; 2]; 32],
}

impl ForbiddenMap {
    pub(crate) const EMPTY: ForbiddenMap = ForbiddenMap { columns: [[0; 2]; 32] };

    /// Why the point is forbidden; none if it is not.
    pub fn get(&self, point: Point) -> Option<Foul> {
        let [low, high] = *self.columns.get(usize::from(point.x()))?;
        let bit = 1u32.checked_shl(u32::from(point.y()))?;
        match (low & bit != 0, high & bit != 0) {
            (false, false) => None,
            (true, false) => Some(Foul::Overline),
            (true, true) => Some(Foul::DoubleFour),
            (false, true) => Some(Foul::DoubleThree),
        }
    }

    /// Every forbidden point and its kind, in the order of [`Point`].
    pub fn iter(&self) -> impl Iterator<Item = (Point, Foul)> {
        let points = (0..32)
            .zip(&self.columns)
            .flat_map(|(x, [low, high])| bits(low | high).map(move |y| Point::new(x, y as u8)));
        points.filter_map(|point| Some((point, self.get(point)?)))
    }

    /// How many points are forbidden.
    pub fn len(&self) -> usize {
        self.columns.iter().map(|[low, high]| (low | high).count_ones() as usize).sum()
    }

    /// Whether no point is forbidden.
    pub fn is_empty(&self) -> bool {
        self.columns.iter().all(|kinds| *kinds == [0; 2])
    }

    fn insert(&mut self, point: Point, foul: Foul) {
        let [low, high] = &mut self.columns[usize::from(point.x())];
        let bit = 1 << point.y();
        if matches!(foul, Foul::Overline | Foul::DoubleFour) {
            *low |= bit;
        }
        if matches!(foul, Foul::DoubleFour | Foul::DoubleThree) {
            *high |= bit;
        }
    }
}

impl Board {
    /// Every point that is forbidden to Black under renju.
    pub fn forbidden(&self) -> ForbiddenMap {
        Fouls::of(self).forbidden()
    }
}

impl Fouls {
    /// Every point that is forbidden to Black.
    pub fn forbidden(&self) -> ForbiddenMap {
        let mut map = ForbiddenMap::EMPTY;
        for (x, rows) in (0..).zip(self.suspects()) {
            for y in bits(rows) {
                let point = Point::new(x, y as u8);
                if let Some(foul) = renju_foul(self, point) {
                    map.insert(point, foul);
                }
            }
        }
        map
    }
}
