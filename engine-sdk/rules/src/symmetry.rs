use crate::{Point, Size};

/// One of the eight ways to turn and mirror a square.
///
/// ```
/// use tengen_rules::{Point, Size, Symmetry};
/// let corner = Point::new(0, 0);
/// let mut corners: Vec<_> =
///     Symmetry::ALL.into_iter().map(|symmetry| symmetry.point(corner, Size::STANDARD)).collect();
/// corners.sort();
/// corners.dedup();
/// assert_eq!(corners.len(), 4);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Symmetry {
    /// Whether columns become rows, before any mirroring.
    transposes: bool,
    mirrors_x: bool,
    mirrors_y: bool,
}

impl Symmetry {
    /// All eight, the one that changes nothing first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry::new(false, false, false),
        Symmetry::new(false, false, true),
        Symmetry::new(false, true, false),
        Symmetry::new(false, true, true),
        Symmetry::new(true, false, false),
        Symmetry::new(true, false, true),
        Symmetry::new(true, true, false),
        Symmetry::new(true, true, true),
    ];

    const fn new(transposes: bool, mirrors_x: bool, mirrors_y: bool) -> Symmetry {
        Symmetry { transposes, mirrors_x, mirrors_y }
    }

    /// The size of the board that a board of this size becomes.
    pub fn size(self, size: Size) -> Size {
        let (width, height) = self.sides(size);
        Size::new(width, height).expect("the sides of a board")
    }

    /// The width and the height of that board.
    fn sides(self, size: Size) -> (u8, u8) {
        let (width, height) = (size.width(), size.height());
        if self.transposes { (height, width) } else { (width, height) }
    }

    /// Where a point of a board of this size comes to lie, on the board of
    /// [`self.size(size)`](Symmetry::size).
    #[inline]
    pub fn point(self, point: Point, size: Size) -> Point {
        let (x, y) = (point.x(), point.y());
        let (x, y) = if self.transposes { (y, x) } else { (x, y) };
        let (width, height) = self.sides(size);
        let x = if self.mirrors_x { width - 1 - x } else { x };
        let y = if self.mirrors_y { height - 1 - y } else { y };
        Point::new(x, y)
    }

    /// Where an offset from the centre comes to lie.
    pub(crate) const fn offset(self, (x, y): (i8, i8)) -> (i8, i8) {
        let (x, y) = if self.transposes { (y, x) } else { (x, y) };
        (if self.mirrors_x { -x } else { x }, if self.mirrors_y { -y } else { y })
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn each_symmetry_moves_every_point_to_its_own_place() {
        let size = Size::new(9, 6).unwrap();
        for symmetry in Symmetry::ALL {
            let turned = symmetry.size(size);
            let mut points: Vec<_> =
                size.points().map(|point| symmetry.point(point, size)).collect();
            points.sort();
            assert!(points.into_iter().eq(turned.points()), "{symmetry:?}");
        }
    }

    #[test]
    fn the_eight_differ() {
        let mut images: Vec<_> =
            Symmetry::ALL.into_iter().map(|symmetry| symmetry.offset((1, 2))).collect();
        images.sort();
        images.dedup();
        assert_eq!(images.len(), 8);
    }
}
