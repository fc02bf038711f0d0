//! Opening suites: files of positions, one a line.
//!
//! A line is in either [`Notation`], and a file may mix them. Empty lines are passed over, and
//! whatever follows a `#`.

use tengen_rules::{Opening, OpeningSettings, Point, Procedure, Rule, Size};

use super::Notation;
use crate::ReadError;

/// The most positions of a suite.
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

/// Reads a suite of which not every line may be used: an item for each line that has something on
/// it, in order, with what is wrong with it where it is no position that a game can begin from.
///
/// # Errors
/// When there is no line, or more than [`MOST_POSITIONS`].
pub fn read_lines(
    text: &str,
    rule: Rule,
    size: Size,
) -> Result<Vec<Result<Vec<Point>, ReadError>>, ReadError> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let at_line = |error| ReadError { line: number, ..error };
        let position = match read_line(line, size) {
            Ok(None) => continue,
            Ok(Some(stones)) => check(&stones, rule, size).map(|()| stones),
            Err(error) => Err(error),
        };
        if lines.len() == MOST_POSITIONS {
            let message = format!("more than {MOST_POSITIONS} positions");
            return Err(ReadError::of_line(number, message));
        }
        lines.push(position.map_err(at_line));
    }
    if lines.is_empty() {
        let message = "no positions: expected one per line, such as h8 h9 i10 or 0,0, 1,-1";
        return Err(ReadError::of_line(0, message.to_string()));
    }
    Ok(lines)
}

/// Reads one line in either notation; none if nothing is on it. Whether a game can begin from the
/// position is not asked.
///
/// # Errors
/// When it is no position; `line` is 0 in the error.
pub fn read_line(line: &str, size: Size) -> Result<Option<Vec<Point>>, ReadError> {
    let text = line.split('#').next().unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    // Nor are commas alone a position.
    let stones = Notation::of(text).read(text, size)?;
    Ok(Some(stones).filter(|stones| !stones.is_empty()))
}

/// Whether a game can begin from the position.
fn check(stones: &[Point], rule: Rule, size: Size) -> Result<(), ReadError> {
    let book = OpeningSettings { book: stones.to_vec(), ..OpeningSettings::new(Procedure::Book) };
    match Opening::new(&book, rule, size) {
        Ok(_) => Ok(()),
        Err(error) => Err(ReadError::of_line(0, error.to_string())),
    }
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
    fn a_suite_reads_as_it_was_written() {
        let positions = read("h8\n-1,3, -1,5, 3,5\nc3c4", Rule::Renju, Size::STANDARD).unwrap();
        for notation in [Notation::Pos, Notation::Offset] {
            let text = write(&positions, notation, Size::STANDARD);
            assert_eq!(read(&text, Rule::Renju, Size::STANDARD).unwrap(), positions);
        }
    }
}
