//! Opening suites: files of positions, one a line.
//!
//! A line is in either [`Notation`], and a file may mix them. Empty lines are passed over, and
//! whatever follows a `#`.

use serde::Deserialize;
use tengen_rules::{Color, Opening, OpeningSettings, Point, Procedure, Rule, Size, Symmetry};

use super::{Notation, ScoreSheet, psq, sgf};
use crate::{GameRecord, ReadError, Unread, UnreadCost};

/// The positions of a file: an item for each, or its error if no game can begin from it; or the
/// error of the whole file.
pub type PositionLines = Result<Vec<Result<Vec<Point>, ReadError>>, ReadError>;

pub const MOST_POSITIONS: usize = 100_000;

/// Reads a suite: positions that a game under this rule can begin from.
///
/// # Errors
/// At the first line that is no such position, with what is wrong with it; when there is none, or
/// more than [`MOST_POSITIONS`].
///
/// ```
/// use tengen_record::formats::suite;
/// use tengen_rules::{Rule, Size};
/// let text = "# two of them\nh8 h9 i10\n\n0,0, 1,1   # diagonal\n";
/// assert_eq!(suite::read(text, Rule::Renju, Size::STANDARD)?.len(), 2);
/// let error = suite::read("h8\nh8h8\n", Rule::Renju, Size::STANDARD).unwrap_err();
/// assert_eq!(error.to_string(), "line 2: a book stone: h8 is occupied");
/// # Ok::<(), tengen_record::ReadError>(())
/// ```
pub fn read(text: &str, rule: Rule, size: Size) -> Result<Vec<Vec<Point>>, ReadError> {
    read_lines(text, rule, size)?.into_iter().collect()
}

/// Reads a suite in which some lines may be wrong: an item for each line with something on it, in
/// order, or its error if no game can begin from it.
///
/// # Errors
/// When there is no line, or more than [`MOST_POSITIONS`].
pub fn read_lines(text: &str, rule: Rule, size: Size) -> PositionLines {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let at_line = |error: ReadError| error.in_line(number);
        let Some(stones) = read_line(line, size).transpose() else { continue };
        let position = stones.and_then(|stones| checked(stones, rule, size));
        if lines.len() == MOST_POSITIONS {
            let message = format!("more than {MOST_POSITIONS} positions");
            return Err(ReadError::of_line(number, message));
        }
        lines.push(position.map_err(at_line));
    }
    if lines.is_empty() {
        let message = "no positions: expected one per line, such as h8 h9 i10 or 0,0, 1,-1";
        return Err(ReadError::of_text(message));
    }
    Ok(lines)
}

/// Reads a suite from the main lines of the games of an SGF file, one item for each game, as
/// [`read_lines`] does from lines.
///
/// # Errors
/// When there is no game, or more than [`MOST_POSITIONS`].
pub fn read_sgf(text: &str, rule: Rule, size: Size) -> PositionLines {
    let games = sgf::read(text).filter(costs).take(MOST_POSITIONS + 1);
    let positions = games.map(|sheet| {
        let sheet = sheet.map_err(|unread| unread.error)?;
        checked(stones_of(&sheet)?, rule, size)
    });
    bounded(numbered(positions).collect(), "a game of an SGF file")
}

/// Reads the positions that the games of a PSQ file lead to, as [`read_lines`] has those of lines.
///
/// # Errors
/// When there is no game, or more than [`MOST_POSITIONS`].
pub fn read_psq(text: &str, rule: Rule, size: Size) -> PositionLines {
    let games = psq::read(text).filter(costs).take(MOST_POSITIONS + 1);
    let positions = games.map(|sheet| {
        let sheet = sheet.map_err(|unread| unread.error)?;
        if sheet.size != size {
            let message = format!("a game on a board of {}, not {size}", sheet.size);
            return Err(ReadError::of_text(message));
        }
        checked(stones_of(&sheet)?, rule, size)
    });
    bounded(numbered(positions).collect(), "a game of a PSQ file")
}

/// The same, with the number of the game in each error.
fn numbered(
    positions: impl Iterator<Item = Result<Vec<Point>, ReadError>>,
) -> impl Iterator<Item = Result<Vec<Point>, ReadError>> {
    (1..).zip(positions).map(|(number, position): (usize, _)| {
        position.map_err(|error: ReadError| {
            let message = format!("game {number}: {}", error.message);
            ReadError { message, ..error }
        })
    })
}

/// Whether it is a position, or one is lost; not what stands beside the games.
fn costs(read: &Result<ScoreSheet, Unread>) -> bool {
    !matches!(read, Err(Unread { cost: UnreadCost::Part, .. }))
}

/// The stones of a sheet in the order in which they are laid: those that are set up, Black's first,
/// and then the main line.
fn stones_of(sheet: &ScoreSheet) -> Result<Vec<Point>, ReadError> {
    let mut stones = Vec::new();
    let (black, white) = (&sheet.set_up.black, &sheet.set_up.white);
    if !(white.len()..=white.len() + 1).contains(&black.len()) {
        return Err(ReadError::of_text(format!(
            "{} black and {} white stones are set up: expected as many, or one black one more",
            black.len(),
            white.len()
        )));
    }
    for place in 0..black.len() {
        stones.extend(black.get(place));
        stones.extend(white.get(place));
    }
    for (color, mv) in sheet.moves() {
        match mv.point() {
            Some(point) if color == Color::of_ply(stones.len()) => stones.push(point),
            Some(point) => {
                let message = format!("{point} is out of turn: colours alternate");
                return Err(ReadError::of_text(message));
            }
            None => return Err(ReadError::of_text("a pass is no part of a position")),
        }
    }
    Ok(stones)
}

/// Reads a suite of JSON lines, one item for each line that has something on it, as [`read_lines`]
/// has them. A line is a list of points, `["h8", "i9"]`; an object with such a list as its `moves`;
/// or a game's record, of which the position is that of its book, or else all its stones.
///
/// # Errors
/// When there is no line, or more than [`MOST_POSITIONS`].
pub fn read_json_lines(text: &str, rule: Rule, size: Size) -> PositionLines {
    let lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let positions = lines.take(MOST_POSITIONS + 1).map(|(number, line)| {
        let position = read_json_line(line).and_then(|stones| checked(stones, rule, size));
        position.map_err(|error| error.in_line(number))
    });
    bounded(positions.collect(), "a list of points as in [\"h8\", \"i9\"] one a line")
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a list of points, an object with moves, or a record")]
enum JsonPosition {
    Points(Vec<String>),
    Object { moves: Vec<String> },
}

fn read_json_line(line: &str) -> Result<Vec<Point>, ReadError> {
    if let Ok(record) = GameRecord::from_json_line(line) {
        if !record.header.opening.book.is_empty() {
            return Ok(record.header.opening.book);
        }
        return stones_of(&ScoreSheet::from_record(&record).map_err(ReadError::of_text)?);
    }
    let read: JsonPosition = serde_json::from_str(line).map_err(ReadError::of_text)?;
    let (JsonPosition::Points(texts) | JsonPosition::Object { moves: texts }) = read;
    let point = |text: &String| {
        text.parse()
            .map_err(|_| ReadError::of_text(format!("`{text}` is no point: expected one as in h8")))
    };
    texts.iter().map(point).collect()
}

/// The items, unless there are none or too many.
fn bounded<T>(items: Vec<T>, expected: &str) -> Result<Vec<T>, ReadError> {
    match items.len() {
        0 => Err(ReadError::of_text(format!("no position: expected {expected}"))),
        1..=MOST_POSITIONS => Ok(items),
        _ => Err(ReadError::of_text(format!("more than {MOST_POSITIONS} positions"))),
    }
}

/// Reads one line in either notation; none if nothing is on it. Whether a game can begin from the
/// position is not asked.
///
/// # Errors
/// When it is no position.
pub fn read_line(line: &str, size: Size) -> Result<Option<Vec<Point>>, ReadError> {
    let text = line.split('#').next().unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    // Nor are commas alone a position.
    let stones = Notation::of(text).read(text, size)?;
    Ok(Some(stones).filter(|stones| !stones.is_empty()))
}

/// A position that a game can begin from.
fn checked(stones: Vec<Point>, rule: Rule, size: Size) -> Result<Vec<Point>, ReadError> {
    check_position(&stones, rule, size).map(|()| stones)
}

/// Whether a game can begin from the position.
///
/// # Errors
/// When it cannot, with the reason.
pub fn check_position(stones: &[Point], rule: Rule, size: Size) -> Result<(), ReadError> {
    let book = OpeningSettings { book: stones.to_vec(), ..OpeningSettings::new(Procedure::Book) };
    match Opening::new(&book, rule, size) {
        Ok(_) => Ok(()),
        Err(error) => Err(ReadError::of_text(error)),
    }
}

/// The position in every orientation that fits the board and is not one of the others, itself
/// first.
pub fn images(stones: &[Point], size: Size) -> Vec<Vec<Point>> {
    let mut images: Vec<Vec<Point>> = Vec::with_capacity(Symmetry::ALL.len());
    for symmetry in fitting(size) {
        let image = stones.iter().map(|&stone| symmetry.point(stone, size)).collect();
        if !images.contains(&image) {
            images.push(image);
        }
    }
    images
}

/// The symmetries of the board.
fn fitting(size: Size) -> impl Iterator<Item = Symmetry> {
    Symmetry::ALL.into_iter().filter(move |symmetry| symmetry.size(size) == size)
}

/// Equal for two positions that are the same when turned or mirrored, or reached by another order
/// of moves: the black stones, and then the white ones, in the orientation that comes first.
///
/// ```
/// use tengen_record::formats::suite::same_opening;
/// use tengen_rules::Size;
/// let same = |text: &str| {
///     let stones: Vec<_> = text.split(' ').map(|point| point.parse().unwrap()).collect();
///     same_opening(&stones, Size::STANDARD)
/// };
/// assert_eq!(same("h8 i9 g8"), same("h7 g9 h8"));
/// assert_ne!(same("h8 i9 g8"), same("h8 g8 i9"));
/// ```
pub fn same_opening(stones: &[Point], size: Size) -> (Vec<Point>, Vec<Point>) {
    let sides = fitting(size).map(|symmetry| {
        let of = |first| -> Vec<Point> {
            let own = stones.iter().skip(first).step_by(2);
            let mut own: Vec<_> = own.map(|&stone| symmetry.point(stone, size)).collect();
            own.sort_unstable();
            own
        };
        (of(0), of(1))
    });
    sides.min().expect("every board fits itself")
}

/// Writes a suite, a line for each position.
pub fn write(positions: &[Vec<Point>], notation: Notation, size: Size) -> String {
    positions.iter().map(|stones| notation.write(stones, size) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(text: &str) -> String {
        read(text, Rule::Freestyle, Size::STANDARD).unwrap_err().to_string()
    }

    #[test]
    fn a_bad_line_is_told_by_its_number() {
        assert_eq!(
            mistake("h8 h9\r\n# none\nh8 nine\n"),
            "line 3, column 4: `nine` is not a point: expected points such as h8i9"
        );
        assert_eq!(mistake("p16"), "line 1: a book stone: p16 is not on the board");
        assert!(mistake("a1 a15 b1 b15 c1 c15 d1 d15 e1").contains("ends the game"));
        assert!(mistake("# nothing\n\n").contains("no positions"));
        assert!(mistake(" ,\n").contains("no positions"));
        assert!(mistake(&"h8\n".repeat(MOST_POSITIONS + 1)).starts_with("line 100001"));
    }

    #[test]
    fn a_saved_game_of_piskvork_is_a_position() {
        let psq = "Piskvorky 15x15, 11:11, 0\n8,8,0\n9,9,0\n8,9,310\na.zip\nb.zip\n-1\n";
        let read = |size| read_psq(psq, Rule::Renju, size);
        assert_eq!(read(Size::STANDARD).unwrap()[0].as_ref().map(Vec::len), Ok(3));
        let other = read(Size::new(20, 20).unwrap()).unwrap()[0].clone().unwrap_err().to_string();
        assert_eq!(other, "game 1: a game on a board of 15, not 20");
    }

    #[test]
    fn positions_are_read_from_games() {
        let sgf = "(;GM[4]SZ[15];B[hh];W[ih];B[jj])(;SZ[15]AB[hh][ii]AW[jj];W[aa])";
        // Stones that are set up have no order.
        let read = read_sgf(sgf, Rule::Renju, Size::STANDARD).unwrap();
        let lengths: Vec<_> = read.iter().map(|game| game.as_ref().map(Vec::len).ok()).collect();
        assert_eq!(lengths, [Some(3), Some(4)]);
        for bad in ["(;SZ[15];B[hh];B[ii])", "(;SZ[15]AB[hh][ii];W[jj])"] {
            let read = read_sgf(bad, Rule::Renju, Size::STANDARD).unwrap();
            let error = read[0].clone().unwrap_err().to_string();
            assert!(error.contains("game 1: "), "{error}");
        }
        let nothing = read_sgf("", Rule::Renju, Size::STANDARD);
        assert!(nothing.is_ok_and(|games| games.iter().all(Result::is_err)), "no game is an error");
        let lines = "[\"h8\",\"i9\"]\n\n{\"moves\":[\"h8\"]}\n[\"h8\",\"z\"]\n";
        let read = read_json_lines(lines, Rule::Renju, Size::STANDARD).unwrap();
        assert_eq!(read.len(), 3);
        assert_eq!(read[0].clone().unwrap(), [Point::new(7, 7), Point::new(8, 8)]);
        let error = read[2].clone().unwrap_err().to_string();
        assert!(error.starts_with("line 4: `z` is no point"), "{error}");
    }

    #[test]
    fn images_that_are_alike_or_off_the_board_are_none() {
        assert_eq!(images(&[Point::new(7, 7)], Size::STANDARD).len(), 1);
        assert_eq!(images(&[Point::new(7, 7), Point::new(7, 8)], Size::STANDARD).len(), 4);
        let size = Size::new(20, 15).unwrap();
        let images = images(&[Point::new(19, 1)], size);
        assert_eq!(images.len(), 4);
        assert!(images.iter().flatten().all(|&stone| size.contains(stone)));
    }

    #[test]
    fn a_suite_reads_as_it_was_written() {
        let positions = read("h8\n-1,3, -1,5, 3,5\nc3c4", Rule::Renju, Size::STANDARD).unwrap();
        for notation in [Notation::Pos, Notation::Offset] {
            let text = write(&positions, notation, Size::STANDARD);
            assert_eq!(read(&text, Rule::Renju, Size::STANDARD).unwrap(), positions);
        }
    }
}
