//! How one stone more or less changes what is known.

use std::sync::OnceLock;

use tengen_rules::{ByColor, Color, Point};

use super::Analysis;
use super::cell::{STEPS, cell_of, point_of};
use super::half::{self, EDGE, EMPTY, REACH};
use super::line::LineTable;
use super::rules::LineRule;
use super::shape::Shape;
use super::threat::{ShapeCounts, Threat};
use crate::random::mix;

impl Analysis {
    /// Changes what lies on the point, as the points that see it know it.
    pub(super) fn put(&mut self, point: Point, color: Color, content: usize) {
        let middle = cell_of(point);
        self.cells[middle].content = content as u8;
        self.hash ^= zobrist(middle, color);
        let code = half::code(color) as u32;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for (way, shift) in [(step as isize, 0), (-(step as isize), 2 * REACH)] {
                let mut at = middle;
                // A colour sees the change unless a stone of the other lies between.
                let mut sees = ByColor { black: true, white: true };
                for k in 0..REACH {
                    at = at.wrapping_add_signed(way);
                    let cell = &mut self.cells[at];
                    cell.keys[direction] ^= code << (2 * k + shift);
                    if usize::from(cell.content) == EMPTY {
                        for color in Color::ALL {
                            if sees[color] {
                                self.reshape(at, direction, color);
                            }
                        }
                    } else if usize::from(cell.content) == EDGE {
                        break;
                    } else {
                        sees.black &= usize::from(cell.content) == half::code(Color::Black);
                        sees.white &= usize::from(cell.content) == half::code(Color::White);
                    }
                }
            }
        }
    }

    /// Works out the shape of an empty cell in one direction anew.
    #[inline]
    fn reshape(&mut self, at: usize, direction: usize, color: Color) {
        let cell = &mut self.cells[at];
        let shape = look_up(self.tables[color], color, cell.keys[direction]);
        let before = core::mem::replace(&mut cell.shapes[color][direction], shape);
        if shape == before {
            return;
        }
        self.counts[color][before as usize] -= 1;
        self.counts[color][shape as usize] += 1;
        if !cell.tallies[color].change(before, shape) {
            return;
        }
        let threat = cell.tallies[color].threat(LineRule::new(self.rule, color));
        let before = core::mem::replace(&mut cell.threats[color], threat);
        if threat != before {
            self.points[color][before as usize].remove(point_of(at));
            self.points[color][threat as usize].insert(point_of(at));
        }
    }

    /// Begins to analyse a point that has become empty.
    pub(super) fn appear(&mut self, point: Point) {
        let cell = &mut self.cells[cell_of(point)];
        for color in Color::ALL {
            let table = self.tables[color];
            let shapes = cell.keys.map(|key| look_up(table, color, key));
            cell.shapes[color] = shapes;
            cell.tallies[color] = ShapeCounts::new(shapes);
            cell.threats[color] = cell.tallies[color].threat(LineRule::new(self.rule, color));
            for shape in shapes {
                self.counts[color][shape as usize] += 1;
            }
            self.points[color][cell.threats[color] as usize].insert(point);
        }
    }

    /// Ceases to analyse a point that takes a stone.
    pub(super) fn vanish(&mut self, point: Point) {
        let cell = &mut self.cells[cell_of(point)];
        for color in Color::ALL {
            for shape in cell.shapes[color] {
                self.counts[color][shape as usize] -= 1;
            }
            self.points[color][cell.threats[color] as usize].remove(point);
            cell.shapes[color] = [Shape::Dead; 4];
            cell.threats[color] = Threat::Quiet;
        }
    }
}

/// The table of a line rule, made when first asked for.
pub(super) fn table(rule: LineRule) -> &'static LineTable {
    static TABLES: [OnceLock<LineTable>; 4] = [const { OnceLock::new() }; 4];
    TABLES[rule as usize].get_or_init(|| LineTable::new(rule))
}

#[inline]
fn look_up(table: &LineTable, color: Color, key: u32) -> Shape {
    static VIEWS: ByColor<[u8; 1 << (2 * REACH)]> =
        ByColor { black: half::views(Color::Black), white: half::views(Color::White) };
    let views = &VIEWS[color];
    let before = views[key as usize & ((1 << (2 * REACH)) - 1)];
    let after = views[key as usize >> (2 * REACH)];
    table.shape(before, after)
}

/// The hash of one stone.
#[inline]
fn zobrist(cell: usize, color: Color) -> u64 {
    mix(2 * cell as u64 + half::code(color) as u64)
}
