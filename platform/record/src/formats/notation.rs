//! Stones on one line: `h8i9` and the offsets of Gomocup's opening lists.

use std::fmt;
use std::str::FromStr;

use tengen_rules::{Point, Size};

use crate::ReadError;

/// How stones are written on one line, in the order laid, colours alternating from Black.
///
/// ```
/// use tengen_record::formats::Notation;
/// use tengen_rules::Size;
/// let stones = Notation::Pos.read("h8i9 H10", Size::STANDARD)?;
/// assert_eq!(Notation::Pos.write(&stones, Size::STANDARD), "h8i9h10");
/// assert_eq!(Notation::Offset.write(&stones, Size::STANDARD), "0,0, 1,-1, 0,-2");
/// # Ok::<(), tengen_record::ReadError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// `h8i9`: a column letter and a row number, rows counted from the bottom. Spaces and commas
    /// may stand between the points, and letters may be capitals. Some programs count rows from the
    /// top; such a position is read upside down, which under no rule is another position.
    Pos,
    /// `0,0, 1,-1`: how far right of the centre and how far below it, as in the opening files of
    /// Gomocup. The centre of an even side is the point right of the middle, and below it: there
    /// coordinates count from the top left corner.
    Offset,
}

impl Notation {
    /// The notation in which a line is written: offsets begin with a number, points with a letter.
    pub fn of(line: &str) -> Notation {
        match line.trim_start().bytes().next() {
            Some(b'0'..=b'9' | b'-' | b'+') => Notation::Offset,
            _ => Notation::Pos,
        }
    }

    /// Reads a line. It is not checked that the stones are on the board and on different points.
    ///
    /// # Errors
    /// When something in it is no point, with its column; when there are more stones than points on
    /// the board.
    pub fn read(self, text: &str, size: Size) -> Result<Vec<Point>, ReadError> {
        match self {
            Notation::Pos => read_pos(text, size),
            Notation::Offset => read_offsets(text, size),
        }
    }

    /// Writes a line, without a line end.
    pub fn write(self, stones: &[Point], size: Size) -> String {
        match self {
            Notation::Pos => stones.iter().map(Point::to_string).collect(),
            Notation::Offset => {
                let (dx, dy) = center(size);
                let offset = |point: &Point| {
                    let from_top = i16::from(size.height()) - 1 - i16::from(point.y());
                    format!("{},{}", i16::from(point.x()) - dx, from_top - dy)
                };
                stones.iter().map(offset).collect::<Vec<_>>().join(", ")
            }
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Notation::Pos => "pos",
            Notation::Offset => "offset",
        })
    }
}

/// The centre that offsets are counted from, in columns from the left and rows from the top.
fn center(size: Size) -> (i16, i16) {
    (i16::from(size.width() / 2), i16::from(size.height() / 2))
}

fn is_separator(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b',' | b'\r')
}

/// What is wrong with the text at that byte, counted from 0.
fn wrong(at: usize, message: String) -> ReadError {
    ReadError::of_column(at + 1, message)
}

fn check_count(stones: &[Point], size: Size, at: usize) -> Result<(), ReadError> {
    if stones.len() <= size.area() {
        return Ok(());
    }
    let points = size.area();
    Err(wrong(at, format!("more stones than the {points} points of a board of {size}")))
}

/// What stands from there to the next separator, cut to a length that fits a message.
fn word(text: &str, at: usize) -> &str {
    const LONGEST: usize = 24;
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find([' ', '\t', ',', '\r', '\n']).unwrap_or(rest.len());
    let cut = rest.char_indices().map(|(place, _)| place).find(|place| *place >= LONGEST);
    &rest[..end.min(cut.unwrap_or(end))]
}

fn read_pos(text: &str, size: Size) -> Result<Vec<Point>, ReadError> {
    let bytes = text.as_bytes();
    let (mut stones, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        if is_separator(bytes[at]) {
            at += 1;
            continue;
        }
        let count = |from: usize, is: fn(&u8) -> bool| {
            bytes[from..].iter().take_while(|byte| is(byte)).count()
        };
        let letters = count(at, u8::is_ascii_alphabetic);
        let end = at + letters + count(at + letters, u8::is_ascii_digit);
        let point = text[at..end].to_ascii_lowercase().parse().map_err(|_| {
            wrong(at, format!("`{}` is not a point: expected points such as h8i9", word(text, at)))
        })?;
        stones.push(point);
        check_count(&stones, size, at)?;
        at = end;
    }
    Ok(stones)
}

fn read_offsets(text: &str, size: Size) -> Result<Vec<Point>, ReadError> {
    let bytes = text.as_bytes();
    let (mut numbers, mut stones) = (Vec::<i16>::with_capacity(2), Vec::new());
    let mut at = 0;
    while at < bytes.len() {
        if is_separator(bytes[at]) {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| !is_separator(**byte)).count();
        let number = text.get(at..at + length).and_then(|word| i16::from_str(word).ok());
        numbers.push(number.ok_or_else(|| {
            let expected = "expected offsets from the centre as in 0,0, 1,-1";
            wrong(at, format!("`{}` is no number: {expected}", word(text, at)))
        })?);
        if let [right, down] = numbers[..] {
            stones.push(offset(right, down, size).ok_or_else(|| {
                wrong(at, format!("{right},{down} from the centre is off a board of {size}"))
            })?);
            check_count(&stones, size, at)?;
            numbers.clear();
        }
        at += length;
    }
    if numbers.is_empty() {
        return Ok(stones);
    }
    let last = text.trim_end().len();
    Err(wrong(last, "an odd number of offsets: the last one has no second part".to_string()))
}

/// The point so far from the centre, if it is on the board.
fn offset(right: i16, down: i16, size: Size) -> Option<Point> {
    let (dx, dy) = center(size);
    let from_top = down.checked_add(dy)?;
    let x = u8::try_from(right.checked_add(dx)?).ok()?;
    let y = u8::try_from(i16::from(size.height()) - 1 - i16::max(from_top, 0)).ok()?;
    let point = Point::new(x, y);
    (from_top >= 0 && size.contains(point)).then_some(point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn offsets_count_from_the_centre_downwards() {
        let stones = Notation::Offset.read("0,0, 7,-3,-1,5", Size::STANDARD).unwrap();
        assert_eq!(stones.iter().map(Point::to_string).collect::<Vec<_>>(), ["h8", "o11", "g3"]);
        let twenty = Size::new(20, 20).unwrap();
        let center = Notation::Offset.read("0,0", twenty).unwrap();
        assert_eq!(center[0], Point::new(10, 9), "as 10,10 from the top left");
        let corner = Notation::Offset.read("9,9 -10,-10", twenty).unwrap();
        assert_eq!(corner, [Point::new(19, 0), Point::new(0, 19)]);
    }

    #[test]
    fn points_may_stand_together_or_apart() {
        let size = Size::new(32, 32).unwrap();
        let together = Notation::Pos.read("h8i10aa1af32", size).unwrap();
        assert_eq!(Notation::Pos.read(" H8, i10\taa1 AF32 \r", size).unwrap(), together);
        assert_eq!(together[3], Point::new(31, 31));
    }

    #[test]
    fn mistakes_are_told_with_their_column() {
        let mistake = |notation: Notation, text| {
            let error = notation.read(text, Size::STANDARD).unwrap_err();
            (error.column.unwrap(), error.message)
        };
        assert_eq!(
            mistake(Notation::Pos, "h8 x i9"),
            (4, "`x` is not a point: expected points such as h8i9".to_string())
        );
        assert_eq!(mistake(Notation::Pos, "h8é9").0, 3);
        assert_eq!(
            mistake(Notation::Offset, "0,0, 8,0"),
            (8, "8,0 from the centre is off a board of 15".to_string())
        );
        assert_eq!(mistake(Notation::Offset, "0,0, 1").0, 7);
        assert_eq!(mistake(Notation::Offset, "0,zero").0, 3);
        assert_eq!(mistake(Notation::Offset, "99999,1").0, 1);
        assert!(mistake(Notation::Pos, &"a1".repeat(226)).1.contains("225 points"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn what_is_written_is_what_is_read(
            width in Size::MIN..=Size::MAX,
            height in Size::MIN..=Size::MAX,
            points in prop::collection::vec((0..32u8, 0..32u8), 0..20),
        ) {
            let size = Size::new(width, height).unwrap();
            let stones: Vec<Point> =
                points.into_iter().map(|(x, y)| Point::new(x % width, y % height)).collect();
            for notation in [Notation::Pos, Notation::Offset] {
                let text = notation.write(&stones, size);
                prop_assert!(stones.is_empty() || Notation::of(&text) == notation);
                prop_assert_eq!(notation.read(&text, size).unwrap(), stones.clone());
            }
        }

        #[test]
        fn no_text_breaks_the_readers(text in "[-+a-z0-9, é#]{0,40}") {
            for notation in [Notation::Pos, Notation::Offset] {
                if let Ok(stones) = notation.read(&text, Size::STANDARD) {
                    prop_assert!(stones.len() <= Size::STANDARD.area());
                }
            }
        }
    }
}
