//! When two fifth moves on offer count as the same.

use crate::{Color, Point, Size, Symmetry};

/// When two offered fifth moves count as the same.
///
/// ```
/// use tengen_rules::{Alike, Point, Size};
/// let four = ["h8", "h9", "i9", "g8"].map(|point| point.parse::<Point>().unwrap());
/// let (one, other) = (Point::new(0, 0), Point::new(14, 0));
/// assert!(Alike::Shape.holds(Size::STANDARD, &four, one, one));
/// assert!(!Alike::Board.holds(Size::STANDARD, &four, one, other));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Alike {
    /// When the five stones make the same coloured shape, turned, mirrored or moved.
    #[default]
    Shape,
    /// When a turn or mirroring of the board keeps the four stones and takes one to the other.
    Board,
}

impl Alike {
    /// Both readings.
    pub const ALL: [Alike; 2] = [Alike::Shape, Alike::Board];

    /// `shape` or `board`.
    pub const fn name(self) -> &'static str {
        match self {
            Alike::Shape => "shape",
            Alike::Board => "board",
        }
    }

    #[cfg(feature = "serde")]
    pub(crate) fn is_shape(&self) -> bool {
        *self == Alike::Shape
    }

    /// Whether two fifth moves are alike, given the four stones in the order laid.
    ///
    /// ```
    /// use tengen_rules::{Alike, Size};
    /// let stones = ["h8", "h9", "h10", "h11"].map(|point| point.parse().unwrap());
    /// let (left, right) = ("g8".parse().unwrap(), "i8".parse().unwrap());
    /// assert!(Alike::Shape.holds(Size::STANDARD, &stones, left, right));
    /// ```
    pub fn holds(self, size: Size, stones: &[Point; 4], one: Point, other: Point) -> bool {
        match self {
            Alike::Shape => StoneShape::of(stones, one) == StoneShape::of(stones, other),
            Alike::Board => board_maps(size, stones, one, other),
        }
    }
}

/// Five stones, black and white separately, in the orientation with the smallest offsets.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct StoneShape {
    black: [(i8, i8); 3],
    white: [(i8, i8); 2],
}

impl StoneShape {
    fn of(stones: &[Point; 4], fifth: Point) -> StoneShape {
        let [first, second, third, fourth] = stones.map(offset);
        let shapes = Symmetry::ALL.map(|symmetry| {
            let mut black = [first, third, offset(fifth)].map(|stone| symmetry.offset(stone));
            let mut white = [second, fourth].map(|stone| symmetry.offset(stone));
            let stones = || black.iter().chain(&white);
            let left = stones().map(|stone| stone.0).min().expect("five stones");
            let bottom = stones().map(|stone| stone.1).min().expect("five stones");
            for stone in black.iter_mut().chain(&mut white) {
                *stone = (stone.0 - left, stone.1 - bottom);
            }
            black.sort();
            white.sort();
            StoneShape { black, white }
        });
        shapes.into_iter().min().expect("eight symmetries")
    }
}

const fn offset(point: Point) -> (i8, i8) {
    (point.x() as i8, point.y() as i8)
}

/// Whether a symmetry of the board keeps the colours of the four stones and maps one to the other.
fn board_maps(size: Size, stones: &[Point; 4], one: Point, other: Point) -> bool {
    let color = |point: Point| {
        let ply = stones.iter().position(|stone| *stone == point)?;
        Some(Color::of_ply(ply))
    };
    Symmetry::ALL.into_iter().filter(|symmetry| symmetry.size(size) == size).any(|symmetry| {
        symmetry.point(one, size) == other
            && stones.iter().all(|stone| color(symmetry.point(*stone, size)) == color(*stone))
    })
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    fn alike(reading: Alike, stones: &str, one: &str, other: &str) -> bool {
        let mut points = stones.split(' ').map(|point| point.parse().unwrap());
        let stones = core::array::from_fn(|_| points.next().unwrap());
        reading.holds(Size::STANDARD, &stones, one.parse().unwrap(), other.parse().unwrap())
    }

    #[test]
    fn a_mirrored_fifth_is_alike_under_both_readings() {
        for reading in [Alike::Shape, Alike::Board] {
            assert!(alike(reading, "h8 h9 h10 h11", "d8", "l8"));
            assert!(!alike(reading, "h8 h9 h10 h11", "d8", "l9"));
        }
    }

    #[test]
    fn four_stones_beside_the_centre_may_be_symmetric_as_a_shape_alone() {
        // The four are a square with its colours on opposite corners: it turns about a point that
        // is not the board's centre.
        let square = "h8 h9 i9 i8";
        assert!(alike(Alike::Shape, square, "g7", "j10"));
        assert!(!alike(Alike::Board, square, "g7", "j10"));
    }

    #[test]
    fn four_stones_with_no_symmetry_make_no_two_fifths_alike() {
        let stones = "h8 h9 i9 k10";
        let size = Size::STANDARD;
        let fourth = |point: &Point| !["h8", "h9", "i9", "k10"].contains(&&*point.to_string());
        let points: Vec<Point> = size.points().filter(fourth).collect();
        let stones = stones.split(' ').map(|point| point.parse().unwrap()).collect::<Vec<_>>();
        let stones = stones.try_into().unwrap();
        for one in &points {
            let alike =
                points.iter().filter(|other| Alike::Shape.holds(size, &stones, *one, **other));
            assert_eq!(alike.count(), 1, "{one}");
        }
    }

    #[test]
    fn colours_tell_shapes_apart() {
        // A half turn maps the black pair to the white one, so it makes no two moves alike.
        assert!(!alike(Alike::Shape, "h8 h9 i8 i9", "h7", "h10"));
    }
}
