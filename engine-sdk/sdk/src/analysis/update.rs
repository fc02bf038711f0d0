//! Updates the analysis for one stone more or less.

use std::sync::OnceLock;

use tengen_rules::{ByColor, Color, Point};

use super::cell::{Cell, STEPS, cell_of, point_of};
use super::half::{self, EDGE, EMPTY, REACH};
use super::line::LineTable;
use super::rules::LineRule;
use super::shape::Shape;
use super::threat::{ShapeCounts, Threat};
use super::{Analysis, Side};
use crate::random::mix;

impl Analysis {
    /// Changes what lies on the point, as the points that see it know it.
    pub(super) fn put(&mut self, point: Point, color: Color, content: usize) {
        let middle = cell_of(point);
        let Analysis { cells, sides, hash, .. } = self;
        cells[middle].content = content as u8;
        *hash ^= zobrist(middle, color);
        let code = half::code(color) as u32;
        for (direction, step) in STEPS.into_iter().enumerate() {
            for (way, shift) in [(step as isize, 0), (-(step as isize), 2 * REACH)] {
                let mut at = middle;
                // The colours that see the change, a bit each as in a cell's content: no stone of
                // the other lies between.
                let mut sees = half::code(Color::Black) | half::code(Color::White);
                for k in 0..REACH {
                    at = at.wrapping_add_signed(way);
                    let cell = &mut cells[at];
                    cell.keys[direction] ^= code << (2 * k + shift);
                    let content = usize::from(cell.content);
                    if content != EMPTY {
                        if content == EDGE {
                            break;
                        }
                        sees &= content;
                        continue;
                    }
                    if sees & half::code(Color::Black) != 0 {
                        sides.black.reshape(cell, at, direction, Color::Black);
                    }
                    if sees & half::code(Color::White) != 0 {
                        sides.white.reshape(cell, at, direction, Color::White);
                    }
                }
            }
        }
    }

    /// Begins to analyse a point that has become empty.
    pub(super) fn appear(&mut self, point: Point) {
        let cell = &mut self.cells[cell_of(point)];
        for color in Color::ALL {
            let side = &mut self.sides[color];
            let shapes = cell.keys.map(|key| look_up(side.table, color, key));
            cell.shapes[color] = shapes;
            cell.tallies[color] = ShapeCounts::new(shapes);
            cell.threats[color] = cell.tallies[color].threat(side.rule);
            for shape in shapes {
                side.counts[shape as usize] += 1;
            }
            side.points[cell.threats[color] as usize].insert(point);
        }
    }

    /// Ceases to analyse a point that takes a stone.
    pub(super) fn vanish(&mut self, point: Point) {
        let cell = &mut self.cells[cell_of(point)];
        for color in Color::ALL {
            let side = &mut self.sides[color];
            for shape in cell.shapes[color] {
                side.counts[shape as usize] -= 1;
            }
            side.points[cell.threats[color] as usize].remove(point);
            cell.shapes[color] = [Shape::Dead; 4];
            cell.threats[color] = Threat::Quiet;
        }
    }
}

impl Side {
    /// Works out the shape of an empty cell in one direction anew.
    // Most of the time of a search is spent here, and a call is expensive in a WASM module.
    #[inline(always)]
    fn reshape(&mut self, cell: &mut Cell, at: usize, direction: usize, color: Color) {
        let shape = look_up(self.table, color, cell.keys[direction]);
        let before = core::mem::replace(&mut cell.shapes[color][direction], shape);
        if shape == before {
            return;
        }
        self.counts[before as usize] -= 1;
        self.counts[shape as usize] += 1;
        if !cell.tallies[color].change(before, shape) {
            return;
        }
        let threat = cell.tallies[color].threat(self.rule);
        let before = core::mem::replace(&mut cell.threats[color], threat);
        if threat != before {
            self.points[before as usize].remove(point_of(at));
            self.points[threat as usize].insert(point_of(at));
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
    let half = |shift: usize| views[(key >> shift) as usize % views.len()];
    let (before, after) = (half(0), half(2 * REACH));
    table.shape(before, after)
}

/// The hash of one stone.
#[inline]
fn zobrist(cell: usize, color: Color) -> u64 {
    mix(2 * cell as u64 + half::code(color) as u64)
}
