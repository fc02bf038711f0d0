//! PSQ, the saved games of Piskvork and of Gomocup.
//!
//! The first line is `Piskvorky 15x15, 11:11, 0`: the board, both players' levels (0 is a person)
//! and which of the two began. A line `x,y,ms` follows for every stone, counted from 1 at the top
//! left corner, with the time it took. Then come the names of both players, where the game was one
//! of a tournament, and a number that says how it ended on the manager's side; Gomocup adds
//! `1,Freestyle`: which of the two won (0 is a draw), and the event. Only the event's name tells
//! the rule.
//!
//! ```
//! use tengen_record::formats::psq;
//! let text = "Piskvorky 15x15, 11:11, 0\n8,8,2000\n9,7,150\nHOSHI\nKEIMA\n-1\n2,Renju\n";
//! let sheet = psq::read(text)?;
//! assert_eq!(sheet.moves().count(), 2);
//! assert_eq!(psq::write(&sheet).unwrap(), text.replace("Renju", "renju Renju"));
//! # Ok::<(), tengen_record::ReadError>(())
//! ```

use std::iter::Peekable;

use tengen_arbiter::Nanos;
use tengen_rules::{ByColor, Color, Point, Rule, Size};

use super::sgf::words;
use super::{Node, ScoreSheet, SheetOutcome, WriteError};
use crate::ReadError;

const MILLISECOND: Nanos = 1_000_000;

/// Reads a game.
///
/// # Errors
/// At the first line that is not what it should be, or that no such game can have.
pub fn read(text: &str) -> Result<ScoreSheet, ReadError> {
    let lines = (1..).zip(text.lines().map(str::trim)).filter(|(_, line)| !line.is_empty());
    let mut lines = lines.peekable();
    let (number, line) = lines.next().unwrap_or((1, ""));
    let Some((size, second_begins)) = header(line) else {
        let message = "not a saved game: expected a line as in `Piskvorky 15x15, 11:11, 0`";
        return Err(ReadError::of_line(number, message));
    };
    let mut sheet = ScoreSheet::new(size);
    let places = moves(&mut lines, &mut sheet)?;
    trailer(&mut lines, &mut sheet, second_begins);
    sheet.check().map_err(|error| {
        let place = error.node().and_then(|node| places.get(node.index().checked_sub(1)?));
        ReadError::of_line(place.copied().unwrap_or(number), error)
    })?;
    Ok(sheet)
}

fn header(line: &str) -> Option<(Size, bool)> {
    let mut parts = line.strip_prefix("Piskvorky")?.split(',').map(str::trim);
    let (width, height) = parts.next()?.split_once('x')?;
    let size = Size::new(width.parse().ok()?, height.parse().ok()?).ok()?;
    Some((size, parts.nth(1) == Some("1")))
}

/// Reads the stones, and gives the line of each.
fn moves<'a>(
    lines: &mut Peekable<impl Iterator<Item = (u64, &'a str)>>,
    sheet: &mut ScoreSheet,
) -> Result<Vec<u64>, ReadError> {
    let (mut places, mut last) = (Vec::new(), sheet.tree.root());
    let is_move = |line: &str| line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(',');
    while let Some((number, line)) = lines.next_if(|(_, line)| is_move(line)) {
        let Some((point, spent)) = read_move(line, sheet.size) else {
            let size = sheet.size;
            let message = format!(
                "`{}` is no move on a board of {size}: expected x,y,ms, counted from 1",
                line.chars().take(24).collect::<String>().escape_debug()
            );
            return Err(ReadError::of_column(1, message).in_line(number));
        };
        if places.len() == sheet.size.area() {
            return Err(ReadError::of_line(number, "more moves than the board has points"));
        }
        let node = Node::stone(point, Color::of_ply(places.len()));
        last = sheet.tree.add(last, Node { spent, ..node });
        places.push(number);
    }
    Ok(places)
}

fn read_move(line: &str, size: Size) -> Option<(Point, Option<Nanos>)> {
    let mut numbers = line.split(',').map(|number| number.trim().parse::<u32>().ok());
    let (x, y) = (numbers.next()??, numbers.next()??);
    // The time of a stone that was given is 0.
    let spent = numbers.next().unwrap_or(Some(0))?;
    let spent = (spent > 0).then(|| Nanos::from(spent) * MILLISECOND);
    let x = u8::try_from(x.checked_sub(1)?).ok()?;
    let y = u8::try_from(u32::from(size.height()).checked_sub(y)?).ok()?;
    let point = Point::new(x, y);
    (size.contains(point) && numbers.next().is_none()).then_some((point, spent))
}

/// Reads the names and the result, as far as they are there.
fn trailer<'a>(
    lines: &mut Peekable<impl Iterator<Item = (u64, &'a str)>>,
    sheet: &mut ScoreSheet,
    second_begins: bool,
) {
    let of =
        |number: usize| if (number == 0) != second_begins { Color::Black } else { Color::White };
    let is_number = |line: &str| line.parse::<i64>().is_ok();
    for number in 0..2 {
        if let Some((_, name)) = lines.next_if(|(_, line)| !is_number(line)) {
            sheet.players[of(number)] = name.to_string();
        }
    }
    lines.next_if(|(_, line)| is_number(line));
    let Some((winner, event)) = lines.next().and_then(|(_, line)| line.split_once(',')) else {
        return;
    };
    let told = |winner| Some(SheetOutcome { winner, termination: None });
    sheet.outcome = match winner.trim() {
        "0" => told(None),
        "1" => told(Some(of(0))),
        "2" => told(Some(of(1))),
        _ => None,
    };
    let event = event.trim();
    sheet.rule = words::rule(event).filter(|_| event.parse::<u32>().is_err());
    let named = Rule::ALL.into_iter().find_map(|rule| event.strip_prefix(rule.name()));
    let own = named.filter(|rest| rest.is_empty() || rest.starts_with(' '));
    sheet.event = own.unwrap_or(event).trim().to_string();
}

/// Writes a game.
///
/// # Errors
/// When stones are set up in it, or a player passes: the format has neither.
pub fn write(sheet: &ScoreSheet) -> Result<String, WriteError> {
    let size = sheet.size;
    let stones = sheet.stones()?;
    let spent = sheet.tree.main_line().map(|id| sheet.tree.node(id));
    let spent = spent.filter(|node| node.played.is_some()).map(|node| node.spent.unwrap_or(0));
    let (width, height) = (size.width(), size.height());
    let mut text = format!("Piskvorky {width}x{height}, 11:11, 0\n");
    for (point, spent) in stones.iter().zip(spent) {
        let (x, y) = (point.x() + 1, size.height() - point.y());
        text.push_str(&format!("{x},{y},{}\n", spent / MILLISECOND));
    }
    let ByColor { black, white } = &sheet.players;
    let (winner, rule) = (winner(sheet), sheet.rule.map_or("", Rule::name));
    text.push_str(&format!("{}\n{}\n-1\n", name(black, "black"), name(white, "white")));
    if winner.is_some() || sheet.rule.is_some() || !sheet.event.is_empty() {
        let event = format!("{rule} {}", one_line(&sheet.event));
        text.push_str(&format!("{},{}\n", winner.unwrap_or('?'), event.trim()));
    }
    Ok(text)
}

/// The number of the player that won; none where it is not known, or the game does not count.
fn winner(sheet: &ScoreSheet) -> Option<char> {
    let outcome = sheet.outcome.filter(SheetOutcome::counts)?;
    Some(match outcome.winner {
        None => '0',
        Some(Color::Black) => '1',
        Some(Color::White) => '2',
    })
}

/// A name as a line of its own, which must not read as a number or a move.
fn name(name: &str, otherwise: &str) -> String {
    let line = one_line(name);
    if line.is_empty() {
        otherwise.to_string()
    } else if line.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+') {
        format!("_{line}")
    } else {
        line
    }
}

fn one_line(text: &str) -> String {
    text.split(['\n', '\r']).map(str::trim).collect::<Vec<_>>().join(" ").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistake(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[test]
    fn coordinates_count_from_the_top_left_corner() {
        let sheet = read("Piskvorky 20x15, 0:0, 0\n1,1,0\n20,15,7\n").unwrap();
        let stones: Vec<_> = sheet.moves().filter_map(|(_, mv)| mv.point()).collect();
        assert_eq!(stones, [Point::new(0, 14), Point::new(19, 0)]);
        let spent = |ply| sheet.tree.node(sheet.tree.main_line().nth(ply).unwrap()).spent;
        assert_eq!((spent(0), spent(1)), (None, Some(7 * MILLISECOND)));
    }

    #[test]
    fn names_stand_by_the_player_that_began() {
        let read = |began, winner| {
            let text =
                format!("Piskvorky 15x15, 0:3, {began}\r\n8,8,0\r\nA\r\nB\r\n15\r\n{winner},x");
            let sheet = read(&text).unwrap();
            (sheet.players.black, sheet.outcome.unwrap().winner)
        };
        assert_eq!(read(0, 1), ("A".to_string(), Some(Color::Black)));
        assert_eq!(read(1, 1), ("B".to_string(), Some(Color::White)));
        assert_eq!(read(1, 0), ("B".to_string(), None));
    }

    #[test]
    fn rules_are_told_by_events() {
        let read = |event| {
            let text = format!("Piskvorky 15x15, 11:11, 0\n8,8,0\nA\nB\n-1\n0,{event}\n");
            let sheet = read(&text).unwrap();
            (sheet.rule, sheet.event)
        };
        assert_eq!(read("Freestyle15_1"), (Some(Rule::Freestyle), "Freestyle15_1".to_string()));
        assert_eq!(read("renju cup"), (Some(Rule::Renju), "cup".to_string()));
        assert_eq!(read("Fastgame"), (None, "Fastgame".to_string()));
        assert_eq!(read("4"), (None, "4".to_string()));
    }

    #[test]
    fn mistakes_are_told_with_their_line() {
        assert!(mistake("").starts_with("line 1: not a saved game"));
        assert!(mistake("Piskvorky 4x4, 0:0, 0").starts_with("line 1: not a saved game"));
        let head = "Piskvorky 15x15, 0:0, 0\n";
        let expected = "expected x,y,ms, counted from 1";
        assert_eq!(
            mistake(&format!("{head}8,8,0\n\n16,1,0\n")),
            format!("line 4, column 1: `16,1,0` is no move on a board of 15: {expected}")
        );
        assert!(mistake(&format!("{head}0,1,0\n")).contains("line 2"));
        assert!(mistake(&format!("{head}1,1,0,0\n")).contains("line 2"));
        assert_eq!(mistake(&format!("{head}8,8,0\n8,8,0\n")), "line 3: move 2: h8 is occupied");
    }

    #[test]
    fn a_name_never_reads_as_something_else() {
        let mut sheet = read("Piskvorky 15x15, 0:0, 0\n8,8,0\n").unwrap();
        sheet.players = ByColor { black: "1,1,1".to_string(), white: "-1\n3".to_string() };
        let again = read(&write(&sheet).unwrap()).unwrap();
        assert_eq!(again.moves().count(), 1);
        assert_eq!(
            (again.players.black, again.players.white),
            ("_1,1,1".to_string(), "_-1 3".to_string())
        );
    }
}
