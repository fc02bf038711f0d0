//! Boards as text: what a test shows and what a failing test prints.

use std::fmt::{self, Write};

use tengen_rules::{Color, Move, Point, Position, Rule, Setup, Size, SizeError};

/// Reads a board drawn with `X` black, `O` white and `.` empty, the highest row first. Spaces count
/// nothing; a row number before a row and a line of column letters may stand there, as
/// [`print()`] writes them. A last move that [`print()`] marked is read as a stone like any other.
///
/// ```
/// use tengen_rules::{Position, Rule};
/// let setup = tengen_testkit::diagram::parse(
///     Rule::Freestyle,
///     "
///     . . . . .
///     . . O . .
///     . X X . .
///     . . . . .
///     . . . . .
///     ",
/// )
/// .unwrap();
/// let [b3, c3] = setup.black[..] else { panic!("two black stones") };
/// assert_eq!((b3.to_string(), c3.to_string()), ("b3".to_string(), "c3".to_string()));
/// assert!(Position::try_from(setup).is_ok());
/// ```
///
/// # Errors
/// When a character means nothing, the rows differ in length, or there is no such board.
pub fn parse(rule: Rule, text: &str) -> Result<Setup, DiagramError> {
    let rows: Vec<&str> = text.lines().map(str::trim).filter(|line| is_row(line)).collect();
    let cells = |row: &str| -> Vec<char> {
        let row = row.trim_start_matches(|c: char| c.is_ascii_digit());
        row.chars().filter(|c| !matches!(c, ' ' | '(' | ')')).collect()
    };
    let width = rows.first().map_or(0, |row| cells(row).len());
    let side = |length: usize| u8::try_from(length).map_err(|_| DiagramError::Size(SizeError));
    let size = Size::new(side(width)?, side(rows.len())?).map_err(DiagramError::Size)?;
    let mut setup = Setup::new(rule, size);
    for (y, row) in (0..).zip(rows.iter().rev()) {
        let row = cells(row);
        if row.len() != width {
            return Err(DiagramError::Ragged { row: y + 1 });
        }
        for (x, cell) in (0..).zip(row) {
            match cell {
                'X' => setup.black.push(Point::new(x, y)),
                'O' => setup.white.push(Point::new(x, y)),
                '.' => {}
                _ => return Err(DiagramError::Cell { at: Point::new(x, y), cell }),
            }
        }
    }
    Ok(setup)
}

/// Neither blank nor the line of column letters.
fn is_row(line: &str) -> bool {
    !line.chars().all(|c| c == ' ' || c.is_ascii_lowercase())
}

/// Draws the board of a position as [`parse`] reads it, with coordinates, the last stone in
/// brackets.
pub fn print(position: &Position) -> String {
    let size = position.size();
    let last = position.last().and_then(Move::point);
    let mut text = String::new();
    for y in (0..size.height()).rev() {
        let _ = write!(text, "{:>2}", y + 1);
        for x in 0..size.width() {
            let point = Point::new(x, y);
            text.push(match last {
                Some(last) if last == point => '(',
                Some(last) if x > 0 && last == Point::new(x - 1, y) => ')',
                _ => ' ',
            });
            text.push(match position.board().get(point) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None => '.',
            });
        }
        let closes = last == Some(Point::new(size.width() - 1, y));
        text.push_str(if closes { ")\n" } else { "\n" });
    }
    text.push_str("  ");
    for x in 0..size.width() {
        let name = Point::new(x, 0).to_string();
        let _ = write!(text, "{:>2}", name.trim_end_matches('1'));
    }
    text.push('\n');
    text
}

/// A text that is no board diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiagramError {
    /// A character that stands for nothing.
    Cell {
        /// Where.
        at: Point,
        /// Which.
        cell: char,
    },
    /// A row longer or shorter than the highest one.
    Ragged {
        /// Its number, counted from 1 at the bottom.
        row: u8,
    },
    /// No board has this size.
    Size(SizeError),
}

impl fmt::Display for DiagramError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DiagramError::Cell { at, cell } => {
                write!(f, "`{cell}` at {at} of the diagram: expected X, O or .")
            }
            DiagramError::Ragged { row } => {
                write!(f, "row {row} of the diagram is not as long as the highest row")
            }
            DiagramError::Size(error) => write!(f, "the diagram: {error}"),
        }
    }
}

impl std::error::Error for DiagramError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_reads_as_it_prints() {
        for size in ["5", "7x6", "15", "32"] {
            let mut position = Position::new(Rule::Freestyle, size.parse().unwrap());
            for point in ["c3", "e5", "a1", "e1"] {
                position.play(point.parse().unwrap()).unwrap();
                let text = print(&position);
                let setup = parse(Rule::Freestyle, &text).expect(&text);
                let read = Position::try_from(setup).unwrap();
                assert_eq!(read.board(), position.board(), "{text}");
                assert_eq!(read.to_move(), position.to_move());
            }
        }
    }

    #[test]
    fn the_last_stone_stands_out() {
        let mut position = Position::new(Rule::Freestyle, Size::new(5, 5).unwrap());
        position.play(Point::new(0, 4)).unwrap();
        position.play(Point::new(4, 3)).unwrap();
        let expected = " 5 X . . . .\n 4 . . . .(O)\n 3 . . . . .\n 2 . . . . .\n 1 . . . . .\n";
        assert_eq!(print(&position), format!("{expected}   a b c d e\n"));
    }

    #[test]
    fn a_bad_drawing_says_where() {
        let parse = |text| parse(Rule::Freestyle, text);
        let at = Point::new(2, 1);
        let text = ".....\n.....\n.....\n..#..\n.....";
        assert_eq!(parse(text), Err(DiagramError::Cell { at, cell: '#' }));
        assert_eq!(parse(".....\n.....\n....\n.....\n....."), Err(DiagramError::Ragged { row: 3 }));
        assert_eq!(parse("...\n...\n..."), Err(DiagramError::Size(SizeError)));
        assert_eq!(parse(""), Err(DiagramError::Size(SizeError)));
    }
}
