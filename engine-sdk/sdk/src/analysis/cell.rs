//! The analysed points, in an array with a border.

use tengen_rules::{ByColor, Color, Point, Size};

use super::half::{self, EDGE, REACH};
use super::shape::{Shape, Shapes};
use super::threat::{ShapeCounts, Threat};

/// One point and all that is known of it.
#[derive(Clone)]
pub(super) struct Cell {
    /// Per direction the five points on either side, as `half` reads them.
    pub(super) keys: [u32; 4],
    pub(super) shapes: ByColor<Shapes>,
    pub(super) tallies: ByColor<ShapeCounts>,
    pub(super) threats: ByColor<Threat>,
    /// What lies here: `EMPTY`, the code of a colour, or `EDGE`.
    pub(super) content: u8,
    /// How many stones lie within two points.
    pub(super) neighbors: u8,
}

/// Cells lie in rows this long: the widest board and a margin that both its sides share.
const STRIDE: usize = Size::MAX as usize + REACH;
/// The number of cells: every row, a margin below and above, and the last row's right margin.
pub(super) const CELLS: usize = STRIDE * (Size::MAX as usize + 2 * REACH) + REACH;

/// The way to the next cell in each direction: east, north, north-east, north-west.
pub(super) const STEPS: [usize; 4] = [1, STRIDE, STRIDE + 1, STRIDE - 1];

/// The ways to the points within two points, the point itself left out.
pub(super) const AROUND: [isize; 24] = {
    let mut around = [0; 24];
    let mut length = 0;
    let mut at = 0;
    while at < 25 {
        let way = (at / 5 - 2) * STRIDE as isize + at % 5 - 2;
        if way != 0 {
            around[length] = way;
            length += 1;
        }
        at += 1;
    }
    around
};

/// Where the point's cell lies.
#[inline]
pub(super) const fn cell_of(point: Point) -> usize {
    (point.y() as usize + REACH) * STRIDE + point.x() as usize + REACH
}

/// The point of the cell.
#[inline]
pub(super) const fn point_of(cell: usize) -> Point {
    Point::new((cell % STRIDE - REACH) as u8, (cell / STRIDE - REACH) as u8)
}

/// The cells of an empty board: keys know the edges, shapes are not yet worked out.
pub(super) fn empty_cells(size: Size) -> Box<[Cell; CELLS]> {
    let shapes = [Shape::Dead; 4];
    let cell = Cell {
        keys: [0; 4],
        shapes: ByColor { black: shapes, white: shapes },
        tallies: ByColor::default(),
        threats: ByColor { black: Threat::Quiet, white: Threat::Quiet },
        content: EDGE as u8,
        neighbors: 0,
    };
    let cells = vec![cell; CELLS].into_boxed_slice();
    let mut cells: Box<[Cell; CELLS]> = cells.try_into().unwrap_or_else(|_| unreachable!());
    for point in size.points() {
        cells[cell_of(point)].content = half::EMPTY as u8;
    }
    for point in size.points() {
        let at = cell_of(point);
        for (direction, step) in STEPS.into_iter().enumerate() {
            for k in 0..REACH {
                let before = u32::from(cells[at - (k + 1) * step].content);
                let after = u32::from(cells[at + (k + 1) * step].content);
                cells[at].keys[direction] |= before << (2 * k) | after << (2 * (REACH + k));
            }
        }
    }
    cells
}

/// The colour of the content, if it is a stone.
pub(super) const fn color_of(content: u8) -> Option<Color> {
    match content {
        1 => Some(Color::Black),
        2 => Some(Color::White),
        _ => None,
    }
}
