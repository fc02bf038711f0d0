//! Files named `.pos` that are no lines of points: boards drawn with letters, and RenLib's list of
//! moves in bytes.
//!
//! A drawn board has a line for each row, the uppermost first, and a letter for each point, with
//! spaces, commas or bars between them or none: `X x # @ B ● 1` black, `O o W ○ 2` white, `. - + _
//! ·` nothing; `0` is white where one of these stands for nothing, and nothing where none does.
//! Numbers of rows at either end are no points, nor are lines of anything else, such as the
//! letters of the columns. Boards follow each other with a line between them that is no row.
//! Programs do not say in what order the stones were laid: they are set up.
//!
//! ```
//! use tengen_record::formats::board;
//! let text = " 5 . . . . .\n 4 . X . . .\n 3 . . O . .\n 2 . . . . .\n 1 . . . . .\n   a b c d e";
//! let sheets = board::read(text.as_bytes()).unwrap();
//! let sheet = sheets[0].as_ref().unwrap();
//! assert_eq!(sheet.set_up.black[0].to_string(), "b4");
//! assert!(board::read(b"h8i9h10").is_none());
//! ```

use tengen_rules::{Point, Size};

use super::{ScoreSheet, charset, renlib};
use crate::ReadError;

const EMPTY: [char; 5] = ['.', '-', '+', '_', '·'];
const BLACK: [char; 7] = ['X', 'x', '#', '@', 'B', '●', '1'];
const WHITE: [char; 5] = ['O', 'o', 'W', '○', '2'];

/// Whether a file that begins so is one of these, and not lines of points.
pub fn begins(bytes: &[u8]) -> bool {
    if renlib::read_moves(bytes).is_some() {
        return true;
    }
    // More than a board of 32 needs.
    let text = charset::decode(&bytes[..bytes.len().min(1 << 13)]).text;
    text.lines().map(row).skip_while(Option::is_none).map_while(|row| row).take(5).count() == 5
        // Offsets are numbers, too.
        && text.contains(|c| EMPTY[..1].contains(&c) || !c.is_ascii_digit() && is_stone(c))
        || is_matrix(&text)
}

/// The boards of a file, or its moves; none if it is no such file.
pub fn read(bytes: &[u8]) -> Option<Vec<Result<ScoreSheet, ReadError>>> {
    if let Some(moves) = renlib::read_moves(bytes) {
        return Some(vec![moves]);
    }
    if !begins(bytes) {
        return None;
    }
    let text = charset::decode(bytes).text;
    let (mut sheets, mut rows, mut begin) = (Vec::new(), Vec::new(), 1);
    for (number, line) in (1..).zip(text.lines().chain([""])) {
        match row(line) {
            Some(cells) => {
                if rows.is_empty() {
                    begin = number;
                }
                rows.push(cells);
            }
            None if rows.is_empty() => {}
            None => {
                let rows = std::mem::take(&mut rows);
                sheets.push(sheet(&rows).map_err(|error| error.in_line(begin)));
            }
        }
    }
    Some(sheets)
}

fn is_stone(c: char) -> bool {
    BLACK.contains(&c) || WHITE.contains(&c)
}

/// Whether it is a board of nothing but 0, 1 and 2, as long as it is wide.
fn is_matrix(text: &str) -> bool {
    let rows: Vec<_> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let is_digits = |line: &&str| {
        row(line).is_some_and(|cells| {
            cells.len() == rows.len() && cells.iter().all(|cell| matches!(cell, '0'..='2'))
        })
    };
    (usize::from(Size::MIN)..=usize::from(Size::MAX)).contains(&rows.len())
        && rows.iter().all(is_digits)
}

/// The letters of a row without its number; none if it is no row.
fn row(line: &str) -> Option<Vec<char>> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, '|' | ',');
    let is_cell = |c: &char| EMPTY.contains(c) || is_stone(*c) || *c == '0';
    let mut words: Vec<&str> = line.split(is_between).filter(|word| !word.is_empty()).collect();
    let is_number = |word: &&str| word.len() <= 2 && word.bytes().all(|byte| byte.is_ascii_digit());
    // Where all is digits, they are points.
    if words.iter().any(|word| !word.bytes().all(|byte| byte.is_ascii_digit())) {
        if words.first().is_some_and(is_number) {
            words.remove(0);
        }
        if words.last().is_some_and(is_number) {
            words.pop();
        }
    }
    let cells: Vec<char> = words.into_iter().flat_map(str::chars).collect();
    let width = usize::from(Size::MIN)..=usize::from(Size::MAX);
    (width.contains(&cells.len()) && cells.iter().all(is_cell)).then_some(cells)
}

fn sheet(rows: &[Vec<char>]) -> Result<ScoreSheet, ReadError> {
    let width = rows[0].len();
    if let Some(place) = rows.iter().position(|row| row.len() != width) {
        let count = rows[place].len();
        let message = format!("row {} has {count} points, the first {width}", place + 1);
        return Err(ReadError::of_text(message));
    }
    let side = |length: usize| u8::try_from(length).ok();
    let size = side(width).zip(side(rows.len()));
    let size = size.and_then(|(width, height)| Size::new(width, height).ok()).ok_or_else(|| {
        let height = rows.len();
        ReadError::of_text(format!("no board: {width} columns and {height} rows; expected 5 to 32"))
    })?;
    let has_empty = rows.iter().flatten().any(|cell| EMPTY.contains(cell));
    let mut sheet = ScoreSheet::new(size);
    for (y, row) in (0..size.height()).rev().zip(rows) {
        for (x, cell) in (0..size.width()).zip(row) {
            let point = Point::new(x, y);
            if BLACK.contains(cell) {
                sheet.set_up.black.push(point);
            } else if WHITE.contains(cell) || *cell == '0' && has_empty {
                sheet.set_up.white.push(point);
            }
        }
    }
    sheet.check().map_err(ReadError::of_text)?;
    Ok(sheet)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boards(text: &str) -> Vec<Result<(String, usize, usize), String>> {
        let sheets = read(text.as_bytes()).unwrap_or_default().into_iter();
        sheets
            .map(|sheet| {
                let sheet = sheet.map_err(|error| error.to_string())?;
                let (black, white) = (sheet.set_up.black.len(), sheet.set_up.white.len());
                Ok((sheet.size.to_string(), black, white))
            })
            .collect()
    }

    #[test]
    fn boards_are_drawn_in_many_ways() {
        let board = Ok(("5".to_owned(), 2, 1));
        for text in [
            ".....\n.X...\n..O..\n...X.\n.....\n",
            "  a b c d e\n1 - - - - - 1\n2 - x - - - 2\n3 - - o - - 3\n4 - - - x - 4\n\
             5 - - - - - 5\n",
            "|+|+|+|+|+|\n|+|#|+|+|+|\n|+|+|O|+|+|\n|+|+|+|#|+|\n|+|+|+|+|+|",
            "0 0 0 0 0\n0 1 0 0 0\n0 0 2 0 0\n0 0 0 1 0\n0 0 0 0 0\n",
            "· · · · ·\n· ● · · ·\n· · ○ · ·\n· · · ● ·\n· · · · ·\n",
            "a title\n\n.....\n.X...\n..0..\n...X.\n.....\nblack to move",
        ] {
            assert_eq!(boards(text), std::slice::from_ref(&board), "{text}");
        }
        let two = format!("{0}\n{0}", ".......\n".repeat(5));
        let empty = Ok(("7x5".to_owned(), 0, 0));
        assert_eq!(boards(&two), [empty.clone(), empty]);
    }

    #[test]
    fn a_wrong_board_is_told_with_its_line() {
        let text = format!("\n{}......\n", ".....\n".repeat(5));
        assert_eq!(boards(&text), [Err("line 2: row 6 has 6 points, the first 5".to_owned())]);
        let few = ".....\n.OO..\n.....\n.....\n.....\n";
        assert!(boards(few)[0].as_ref().unwrap_err().starts_with("line 1: "));
    }

    #[test]
    fn lines_of_points_are_no_boards() {
        for text in
            ["", "h8i9\n", "0,0, 1,-1\n".repeat(9).as_str(), "1,1,2,2,1\n1,1,1,1,1\n", "xoxo"]
        {
            assert!(read(text.as_bytes()).is_none(), "{text}");
        }
    }
}
