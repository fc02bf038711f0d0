//! Opening books: positions of one rule and board, each with the share of Black in games that were
//! played from it. A book is a suite in a packed file, or written as one.

use std::io;
use std::path::Path;

use tengen_rules::{Point, Rule, Size};

use super::{Notation, suite};
use crate::ReadError;
use crate::input::read_bytes;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BookPosition {
    /// Its stones in the order laid, colours alternating from Black; at most 255.
    pub stones: Vec<Point>,
    /// The share of the points that Black is to expect, by games that were played from it, in
    /// percent; none where it is not known.
    pub black: Option<u8>,
}

/// Positions of one rule and board.
///
/// The packed file is a head of lines and then bits, the most significant first: of each position
/// 7 for Black's share (127 where it is unknown), 8 for the number of stones, and as many for each
/// stone as the number of points of the board needs, columns from the left, each from below. The
/// last four bytes are the CRC-32 of everything before them.
///
/// ```
/// use tengen_record::formats::book::{BookPosition, OpeningBook};
/// use tengen_rules::{Rule, Size};
/// let stones = ["h8", "i9", "g6"].map(|point| point.parse().unwrap()).to_vec();
/// let book = OpeningBook {
///     rule: Rule::Renju,
///     size: Size::STANDARD,
///     notes: vec!["made by hand".to_owned()],
///     positions: vec![BookPosition { stones, black: Some(50) }],
/// };
/// assert_eq!(OpeningBook::from_bytes(&book.to_bytes())?, book);
/// assert!(book.to_text().ends_with("h8i9g6 # Black 50 %\n"));
/// # Ok::<(), tengen_record::ReadError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningBook {
    pub rule: Rule,
    pub size: Size,
    /// How it was made, a line each.
    pub notes: Vec<String>,
    pub positions: Vec<BookPosition>,
}

/// The first line of a packed book.
const HEAD: &str = "Tengen opening book 1";
/// The share of a position of which it is not known.
const UNKNOWN: u8 = 127;
const SHARE_BITS: u32 = 7;
const COUNT_BITS: u32 = 8;

/// Whether a file is a packed book, by its first bytes.
pub fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(HEAD.as_bytes())
}

/// Reads the file of a packed book, as [`suite::read_lines`] reads lines.
///
/// # Errors
/// The outer ones when the file cannot be read or has more bytes, the inner ones when it is no book
/// of this rule and board.
pub fn read_packed(
    path: &Path,
    most_bytes: u64,
    rule: Rule,
    size: Size,
) -> io::Result<suite::PositionLines> {
    let book = match OpeningBook::from_bytes(&read_bytes(path, most_bytes)?) {
        Ok(book) => book,
        Err(error) => return Ok(Err(error)),
    };
    if (book.rule, book.size) != (rule, size) {
        let message = format!("a book for {} on {}, not {rule} on {size}", book.rule, book.size);
        return Ok(Err(ReadError::of_text(message)));
    }
    let positions = (1..).zip(book.positions).map(|(number, BookPosition { stones, .. })| {
        let of_position = |error: ReadError| ReadError {
            message: format!("position {number}: {}", error.message),
            ..error
        };
        suite::check_position(&stones, rule, size).map(|()| stones).map_err(of_position)
    });
    Ok(Ok(positions.collect()))
}

impl OpeningBook {
    /// The packed file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!(
            "{HEAD}\nrule {}\nsize {}\npositions {}\n",
            self.rule,
            self.size,
            self.positions.len()
        );
        for note in &self.notes {
            head += &format!("# {note}\n");
        }
        head += "\n";
        let mut bits = BitWriter { bytes: head.into_bytes(), free: 0 };
        let width = point_bits(self.size);
        for BookPosition { stones, black } in &self.positions {
            bits.put(black.unwrap_or(UNKNOWN).into(), SHARE_BITS);
            bits.put(stones.len() as u32, COUNT_BITS);
            for stone in stones {
                let place = u32::from(stone.x()) * u32::from(self.size.height());
                bits.put(place + u32::from(stone.y()), width);
            }
        }
        let mut bytes = bits.bytes;
        let sum = crc32(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// Reads a packed file. Whether games can begin from its positions is not asked.
    ///
    /// # Errors
    /// When it is none, is of another version, or was damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<OpeningBook, ReadError> {
        let wrong = |message: &str| ReadError::of_text(message);
        if !is_packed(bytes) {
            return Err(wrong("not an opening book of this version of Tengen"));
        }
        let (body, sum) = bytes.split_last_chunk().ok_or_else(|| wrong("the book is cut off"))?;
        if crc32(body) != u32::from_le_bytes(*sum) {
            return Err(wrong("the book is damaged: its checksum is another one"));
        }
        let end = body.windows(2).position(|two| two == b"\n\n").unwrap_or(body.len());
        let head = std::str::from_utf8(&body[..end]).map_err(|_| wrong("its head is no text"))?;
        let value = |key: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(' '));
            lines.find(|(name, _)| *name == key).map(|(_, value)| value)
        };
        let (rule, size) = (value("rule"), value("size"));
        let rule = rule.and_then(|rule| rule.parse().ok()).ok_or_else(|| wrong("no rule"))?;
        let size: Size = size.and_then(|size| size.parse().ok()).ok_or_else(|| wrong("no size"))?;
        let count = value("positions").and_then(|count| count.parse::<usize>().ok());
        let count = count
            .filter(|count| (1..=suite::MOST_POSITIONS).contains(count))
            .ok_or_else(|| wrong("no number of positions"))?;
        let notes = head.lines().filter_map(|line| line.strip_prefix("# ")).map(str::to_owned);
        let mut bits = BitReader { bytes: body.get(end + 2..).unwrap_or_default(), at: 0 };
        let positions = (0..count).map(|_| read_position(&mut bits, size));
        let positions = positions.collect::<Option<_>>().ok_or_else(|| wrong("it is cut off"))?;
        Ok(OpeningBook { rule, size, notes: notes.collect(), positions })
    }

    /// The same as a suite, with Black's share behind each position.
    pub fn to_text(&self) -> String {
        let mut text = format!("# rule {}, size {}\n", self.rule, self.size);
        for note in &self.notes {
            text += &format!("# {note}\n");
        }
        for BookPosition { stones, black } in &self.positions {
            text += &Notation::Pos.write(stones, self.size);
            text += &black.map_or("\n".to_owned(), |share| format!(" # Black {share} %\n"));
        }
        text
    }

    /// The share of Black that the book's own positions state, in percent; none where they state
    /// none.
    pub fn black(&self) -> Option<f64> {
        let stated: Vec<f64> =
            self.positions.iter().filter_map(|one| one.black.map(f64::from)).collect();
        (!stated.is_empty()).then(|| stated.iter().sum::<f64>() / stated.len() as f64)
    }
}

/// What a line of a suite says of Black's share, behind its stones.
pub fn stated_share(line: &str) -> Option<u8> {
    let (_, note) = line.split_once('#')?;
    let share = note.trim().strip_prefix("Black ")?.strip_suffix(" %")?;
    share.parse().ok().filter(|share| *share <= 100)
}

fn read_position(bits: &mut BitReader<'_>, size: Size) -> Option<BookPosition> {
    let share = bits.take(SHARE_BITS)? as u8;
    let count = bits.take(COUNT_BITS)?;
    let (width, height) = (point_bits(size), u32::from(size.height()));
    let stones = (0..count).map(|_| {
        let place = bits.take(width)?;
        let point = Point::new((place / height) as u8, (place % height) as u8);
        size.contains(point).then_some(point)
    });
    let stones = stones.collect::<Option<_>>()?;
    Some(BookPosition { stones, black: Some(share).filter(|share| *share <= 100) })
}

/// The bits that a point of the board takes.
fn point_bits(size: Size) -> u32 {
    usize::BITS - (size.area() - 1).leading_zeros()
}

struct BitWriter {
    bytes: Vec<u8>,
    /// The bits of the last byte that are not used yet.
    free: u32,
}

impl BitWriter {
    fn put(&mut self, value: u32, width: u32) {
        for bit in (0..width).rev() {
            if self.free == 0 {
                self.bytes.push(0);
                self.free = u8::BITS;
            }
            self.free -= 1;
            let last = self.bytes.last_mut().expect("a byte with a free bit");
            *last |= (((value >> bit) & 1) as u8) << self.free;
        }
    }
}

struct BitReader<'a> {
    bytes: &'a [u8],
    /// The bits that were taken.
    at: usize,
}

impl BitReader<'_> {
    /// The next bits as a number; none at the end.
    fn take(&mut self, width: u32) -> Option<u32> {
        let mut value = 0;
        for _ in 0..width {
            let byte = self.bytes.get(self.at / 8)?;
            value = (value << 1) | u32::from((byte >> (7 - self.at % 8)) & 1);
            self.at += 1;
        }
        Some(value)
    }
}

/// The checksum of zip files and PNG.
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let mut sum = u32::MAX;
    for &byte in bytes {
        sum ^= u32::from(byte);
        for _ in 0..8 {
            sum = (sum >> 1) ^ (POLYNOMIAL * (sum & 1));
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn what_a_line_states_is_read() {
        assert_eq!(stated_share("h8i9 # Black 48 %"), Some(48));
        for none in ["h8i9", "h8i9 # Black", "h8i9 # Black 101 %", "h8i9 # a trap"] {
            assert_eq!(stated_share(none), None, "{none}");
        }
    }

    fn books() -> impl Strategy<Value = OpeningBook> {
        let position =
            (prop::collection::vec((0..32u8, 0..32u8), 0..9), prop::option::of(0..=100u8));
        let sides = (Size::MIN..=Size::MAX, Size::MIN..=Size::MAX);
        (sides, prop::collection::vec(position, 1..20)).prop_map(|((width, height), positions)| {
            let on_board = |(x, y)| Point::new(x % width, y % height);
            let positions = positions.into_iter().map(|(stones, black)| BookPosition {
                stones: stones.into_iter().map(on_board).collect(),
                black,
            });
            OpeningBook {
                rule: Rule::Caro,
                size: Size::new(width, height).unwrap(),
                notes: vec!["of dice".to_owned(), "and more".to_owned()],
                positions: positions.collect(),
            }
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

        #[test]
        fn a_book_reads_as_it_was_packed(book in books()) {
            prop_assert_eq!(OpeningBook::from_bytes(&book.to_bytes()), Ok(book));
        }

        #[test]
        fn damage_is_seen(book in books(), at in any::<prop::sample::Index>(), bit in 0..8u8) {
            let mut bytes = book.to_bytes();
            *at.get_mut(&mut bytes) ^= 1 << bit;
            prop_assert!(OpeningBook::from_bytes(&bytes).is_err());
            let cut = &book.to_bytes()[..at.index(bytes.len())];
            prop_assert!(OpeningBook::from_bytes(cut).is_err());
        }
    }
}
