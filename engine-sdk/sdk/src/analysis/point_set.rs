use tengen_rules::Point;

/// A set of points, a bit each; it iterates row by row from `a1`.
///
/// ```
/// use tengen_sdk::Point;
/// use tengen_sdk::analysis::PointSet;
/// let set = PointSet::from_iter([Point::new(3, 0), Point::new(0, 0), Point::new(3, 0)]);
/// assert_eq!((set.len(), set.first()), (2, Some(Point::new(0, 0))));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PointSet {
    rows: [u32; 32],
    length: usize,
}

impl PointSet {
    /// The set of no points.
    pub fn new() -> PointSet {
        PointSet::default()
    }

    /// The number of points in the set.
    #[inline]
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether no point is in the set.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether the point is in the set.
    #[inline]
    pub fn contains(&self, point: Point) -> bool {
        self.rows[usize::from(point.y())] >> point.x() & 1 == 1
    }

    /// Adds the point; tells whether it was missing.
    #[inline]
    pub fn insert(&mut self, point: Point) -> bool {
        let missing = !self.contains(point);
        self.rows[usize::from(point.y())] |= 1 << point.x();
        self.length += usize::from(missing);
        missing
    }

    /// Takes the point out; tells whether it was in the set.
    #[inline]
    pub fn remove(&mut self, point: Point) -> bool {
        let there = self.contains(point);
        self.rows[usize::from(point.y())] &= !(1 << point.x());
        self.length -= usize::from(there);
        there
    }

    /// The points, row by row.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        let mut left = self.length;
        let mut y = 0;
        let mut row = self.rows[0];
        core::iter::from_fn(move || {
            if left == 0 {
                return None;
            }
            while row == 0 {
                y += 1;
                row = self.rows[y];
            }
            let x = row.trailing_zeros();
            row &= row - 1;
            left -= 1;
            Some(Point::new(x as u8, y as u8))
        })
    }

    /// The first point, if there is one.
    #[inline]
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::new();
        set.extend(points);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_was_put_in() {
        let points = [Point::new(31, 31), Point::new(0, 0), Point::new(3, 0), Point::new(3, 7)];
        let mut set: PointSet = points.into_iter().collect();
        assert_eq!(set.len(), 4);
        assert!(!set.insert(points[0]) && set.remove(points[0]) && !set.remove(points[0]));
        assert_eq!(set.iter().collect::<Vec<_>>(), points[1..]);
    }
}
