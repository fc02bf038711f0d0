use crate::forbidden::Facts;
use crate::line::{Direction, Line, bits};
use crate::pattern::Pattern;
use crate::traits::{Judgement, Traits};
use crate::{Board, Foul, Point};

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
    const EMPTY: ForbiddenMap = ForbiddenMap { columns: [[0; 2]; 32] };

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

/// The traits of every empty point, and the straight windows of every line.
struct Survey {
    traits: [[Traits; 32]; 32],
    straight: [u32; Line::COUNT],
}

impl Survey {
    /// Reads every line of the board once.
    fn of(board: &Board) -> Survey {
        let mut survey =
            Survey { traits: [[Traits::default(); 32]; 32], straight: [0; Line::COUNT] };
        for direction in Direction::ALL {
            for line in direction.lines(board.size()) {
                let (black, empty) = board.black_and_empty(line);
                if !Pattern::is_void(black) {
                    survey.enter(line, Pattern::of(black, empty));
                }
            }
        }
        survey
    }

    fn enter(&mut self, line: Line, pattern: Pattern) {
        self.straight[line.index()] = pattern.straight;
        let direction = line.direction;
        let kinds = [
            (pattern.three, Traits::three(direction)),
            (pattern.four, Traits::four(direction)),
            (pattern.two_fours, Traits::two_fours(direction)),
            (pattern.five, Traits::five()),
            (pattern.overline, Traits::overline()),
        ];
        for (mask, traits) in kinds {
            for bit in bits(mask) {
                let point = line.point(bit);
                let entry = &mut self.traits[usize::from(point.x())][usize::from(point.y())];
                *entry = entry.and(traits);
            }
        }
    }
}

impl Facts for Survey {
    fn traits_without(&self, point: Point, direction: Direction) -> Traits {
        self.traits[usize::from(point.x())][usize::from(point.y())].without(direction)
    }

    fn straight(&self, point: Point, direction: Direction) -> u32 {
        self.straight[direction.through(point).index()]
    }
}

impl Board {
    /// Every point that is forbidden to Black under renju.
    pub fn forbidden(&self) -> ForbiddenMap {
        let survey = Survey::of(self);
        let mut map = ForbiddenMap::EMPTY;
        for (x, column) in (0..self.size().width()).zip(&survey.traits) {
            for (y, traits) in (0..self.size().height()).zip(column) {
                if traits.judge() == Judgement::Legal {
                    continue;
                }
                let point = Point::new(x, y);
                if let Some(foul) = self.foul_of(point, *traits, &survey) {
                    map.insert(point, foul);
                }
            }
        }
        map
    }
}
