//! Incremental analysis of a board: what a stone of either colour would make of each line through
//! each empty point.
//!
//! [`Analysis`] knows, at every moment, each empty point's four [`Shape`]s and its [`Threat`] for
//! both colours, the points of each threat, how often each shape occurs, the points within two of
//! a stone, and a Zobrist hash. A stone laid or taken away touches only the forty points that see
//! it; a shape is one look into a table that is exact for all four rules.
//!
//! ```
//! use tengen_rules::{Color, Point, Rule, Size};
//! use tengen_sdk::analysis::{Analysis, Threat};
//!
//! let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
//! for x in 6..9 {
//!     analysis.place(Point::new(x, 7), Color::Black);
//! }
//! let straight = analysis.points(Color::Black, Threat::StraightFour);
//! assert_eq!(straight.len(), 2);
//! assert_eq!(analysis.threat("j8".parse().unwrap(), Color::Black), Threat::StraightFour);
//! ```

mod cell;
mod half;
mod line;
mod point_set;
mod rules;
mod shape;
mod threat;
mod update;

#[cfg(test)]
mod tests;

use tengen_rules::{Board, ByColor, Color, Foul, Move, Point, Position, Rule, Size};

use cell::{AROUND, CELLS, Cell, STEPS, cell_of, color_of, empty_cells, point_of};
use half::EMPTY;
use line::LineTable;
use rules::LineRule;
use update::table;

pub use point_set::PointSet;
pub use shape::{Shape, Shapes};
pub use threat::Threat;

/// A board with every empty point analysed for both colours, kept up to date stone by stone.
///
/// ```
/// use tengen_sdk::analysis::{Analysis, Threat};
/// use tengen_sdk::{Color, Position, Rule, Size};
/// let mut position = Position::new(Rule::Renju, Size::STANDARD);
/// position.play("h8".parse()?).unwrap();
/// let mut analysis = Analysis::of(&position);
/// let hash = analysis.hash();
/// analysis.place("h9".parse()?, Color::White);
/// analysis.remove("h9".parse()?);
/// assert_eq!((analysis.stones(), analysis.hash()), (1, hash));
/// assert_eq!(analysis.threat("h9".parse()?, Color::Black), Threat::Quiet);
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
#[derive(Clone)]
pub struct Analysis {
    rule: Rule,
    size: Size,
    board: Board,
    cells: Box<[Cell; CELLS]>,
    sides: ByColor<Side>,
    near: PointSet,
    stones: usize,
    hash: u64,
}

/// What is known of all points together for one colour.
#[derive(Clone)]
struct Side {
    rule: LineRule,
    table: &'static LineTable,
    points: [PointSet; Threat::COUNT],
    counts: [i32; Shape::COUNT],
}

impl Side {
    fn new(rule: Rule, color: Color) -> Side {
        let rule = LineRule::new(rule, color);
        let (points, counts) = Default::default();
        Side { rule, table: table(rule), points, counts }
    }
}

impl Analysis {
    /// The analysis of an empty board.
    pub fn new(rule: Rule, size: Size) -> Analysis {
        let sides =
            ByColor { black: Side::new(rule, Color::Black), white: Side::new(rule, Color::White) };
        let mut analysis = Analysis {
            rule,
            size,
            board: Board::new(size),
            cells: empty_cells(size),
            sides,
            near: PointSet::new(),
            stones: 0,
            hash: 0,
        };
        for point in size.points() {
            analysis.appear(point);
        }
        analysis
    }

    /// The analysis of a position's board.
    pub fn of(position: &Position) -> Analysis {
        let mut analysis = Analysis::new(position.rule(), position.size());
        for (point, color) in position.board().stones() {
            analysis.place(point, color);
        }
        analysis
    }

    /// The rule of the game.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The size of the board.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stones alone.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many stones lie on the board.
    pub fn stones(&self) -> usize {
        self.stones
    }

    /// Whether no point is empty.
    pub fn is_full(&self) -> bool {
        self.stones == self.size.area()
    }

    /// The stone on the point; none off the board.
    pub fn get(&self, point: Point) -> Option<Color> {
        if self.size.contains(point) { color_of(self.cells[cell_of(point)].content) } else { None }
    }

    /// Whether the point is on the board and has no stone.
    pub fn is_empty(&self, point: Point) -> bool {
        self.size.contains(point) && usize::from(self.cells[cell_of(point)].content) == EMPTY
    }

    /// The Zobrist hash of the stones; the side to move is not in it.
    #[inline]
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// The empty points within two points of a stone.
    #[inline]
    pub fn near(&self) -> &PointSet {
        &self.near
    }

    /// What a stone of the colour on the empty point would make of the lines east, north,
    /// north-east and north-west. Off the board and on stones: [`Shape::Dead`].
    #[inline]
    pub fn shapes(&self, point: Point, color: Color) -> Shapes {
        self.cells[cell_of(point)].shapes[color]
    }

    /// What a stone of the colour on the empty point would threaten. Off the board and on stones:
    /// [`Threat::Quiet`].
    #[inline]
    pub fn threat(&self, point: Point, color: Color) -> Threat {
        self.cells[cell_of(point)].threats[color]
    }

    /// The empty points on which the colour would threaten this.
    #[inline]
    pub fn points(&self, color: Color, threat: Threat) -> &PointSet {
        &self.sides[color].points[threat as usize]
    }

    /// On how many lines of empty points the colour would make each shape, indexed by
    /// `shape as usize`.
    #[inline]
    pub fn counts(&self, color: Color) -> &[i32; Shape::COUNT] {
        &self.sides[color].counts
    }

    /// Whether the colour may play on the empty point.
    #[inline]
    pub fn is_legal(&self, point: Point, color: Color) -> bool {
        !self.rule.has_fouls(color) || self.foul(point).is_none()
    }

    /// Why Black may not play on the empty point, exactly as `tengen_rules` judges it; always none
    /// outside renju. The rules are asked only where the lines leave a doubt.
    #[inline]
    pub fn foul(&self, point: Point) -> Option<Foul> {
        if !self.rule.has_fouls(Color::Black) {
            return None;
        }
        let cell = &self.cells[cell_of(point)];
        let suspect = match cell.threats.black {
            Threat::Five => false,
            Threat::Foul => true,
            _ => cell.tallies.black.threes() >= 2,
        };
        if suspect { self.board.foul(point) } else { None }
    }

    /// Every reply that keeps the colour from making five on this point: the point itself, and
    /// under caro the open ends of that five.
    pub fn defences(&self, five: Point, color: Color) -> PointSet {
        let mut defences = PointSet::from_iter([five]);
        if !self.rule.blocks_fives() {
            return defences;
        }
        let own = half::code(color) as u8;
        for (direction, step) in STEPS.into_iter().enumerate() {
            if self.cells[cell_of(five)].shapes[color][direction] != Shape::Five {
                continue;
            }
            for way in [step as isize, -(step as isize)] {
                let mut at = cell_of(five).wrapping_add_signed(way);
                while self.cells[at].content == own {
                    at = at.wrapping_add_signed(way);
                }
                if usize::from(self.cells[at].content) == EMPTY {
                    defences.insert(point_of(at));
                }
            }
        }
        defences
    }

    /// Lays a stone.
    ///
    /// # Panics
    /// When the point is off the board or has a stone.
    pub fn place(&mut self, point: Point, color: Color) {
        assert!(self.is_empty(point), "{point} cannot take a stone");
        self.vanish(point);
        self.put(point, color, half::code(color));
        self.board.place(point, color);
        self.stones += 1;
        self.near.remove(point);
        for way in AROUND {
            let at = cell_of(point).wrapping_add_signed(way);
            self.cells[at].neighbors += 1;
            if usize::from(self.cells[at].content) == EMPTY {
                self.near.insert(point_of(at));
            }
        }
    }

    /// Takes a stone away.
    ///
    /// # Panics
    /// When there is no stone on the point.
    pub fn remove(&mut self, point: Point) {
        let color = self.get(point).expect("a stone to remove");
        self.put(point, color, EMPTY);
        self.board.remove(point);
        self.stones -= 1;
        for way in AROUND {
            let at = cell_of(point).wrapping_add_signed(way);
            self.cells[at].neighbors -= 1;
            if self.cells[at].neighbors == 0 && usize::from(self.cells[at].content) == EMPTY {
                self.near.remove(point_of(at));
            }
        }
        if self.cells[cell_of(point)].neighbors > 0 {
            self.near.insert(point);
        }
        self.appear(point);
    }

    /// Plays a move of the colour; a pass changes nothing.
    ///
    /// # Panics
    /// When the move's point cannot take a stone.
    pub fn play(&mut self, mv: Move, color: Color) {
        if let Move::Stone(point) = mv {
            self.place(point, color);
        }
    }
}
