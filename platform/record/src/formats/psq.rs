//! PSQ, the saved games of Piskvork and of Gomocup.
//!
//! The first line is `Piskvorky 15x15, 11:11, 0`: the board, both players' levels (0 is a person)
//! and which of the two began. A line `x,y,ms` follows for every stone, counted from 1 at the top
//! left corner, with the time it took. Then come the names of both players, where the game was one
//! of a tournament, and a number that says how it ended on the manager's side; Gomocup adds
//! `1,Freestyle`: which of the two won (0 is a draw), and the event. Only the event's name tells
//! the rule.
//!
//! A file may hold several games, each with its first line. Without a result it is the one that the
//! board shows.
//!
//! ```
//! use tengen_record::formats::psq;
//! let text = "Piskvorky 15x15, 11:11, 0\n8,8,2000\n9,7,150\nHOSHI\nKEIMA\n-1\n2,Renju\n";
//! let sheet = psq::read(text).next().unwrap()?;
//! assert_eq!(sheet.moves().count(), 2);
//! assert_eq!(psq::write(&sheet).unwrap(), text.replace("Renju", "renju Renju"));
//! # Ok::<(), tengen_record::Unread>(())
//! ```

use std::collections::VecDeque;
use std::iter::Peekable;

use tengen_arbiter::Nanos;
use tengen_rules::{ByColor, Color, Point, Rule, Size};

use super::charset::is_space;
use super::sgf::words;
use super::{Node, ScoreSheet, SheetOutcome, WriteError};
use crate::{ReadError, Unread, UnreadCost};

const MILLISECOND: Nanos = 1_000_000;
const PROGRAM: &str = "piskvorky";

/// The games of a text, one after the other. Lines may end with LF, CR LF or CR.
///
/// A game in which a line is not what it should be, or that cannot have been played, is an error
/// that names the line, and reading goes on with the next game. A line that says nothing of a game
/// is an error behind it, and costs none.
pub fn read(text: &str) -> PsqGames<'_> {
    let lines = NumberedLines { rest: Some(text), number: 0 }.peekable();
    PsqGames {
        lines,
        ends_whole: text.ends_with(['\n', '\r']),
        begun: false,
        waiting: VecDeque::new(),
    }
}

/// What [`read`] gives.
#[derive(Clone, Debug)]
pub struct PsqGames<'a> {
    lines: Peekable<NumberedLines<'a>>,
    /// Whether the last line has its end.
    ends_whole: bool,
    begun: bool,
    /// What is told behind the game that was read last.
    waiting: VecDeque<ReadError>,
}

impl Iterator for PsqGames<'_> {
    type Item = Result<ScoreSheet, Unread>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(unread) = self.waiting.pop_front() {
            return Some(Err(Unread::part(unread)));
        }
        let skipped = self.skip_to_game();
        let Some((number, line)) = self.lines.next() else {
            return (!std::mem::replace(&mut self.begun, true)).then(|| {
                let message = "not a saved game: expected a line as in `Piskvorky 15x15, 11:11, 0`";
                let error = ReadError::of_line(skipped.unwrap_or(1), message);
                Err(Unread { cost: UnreadCost::File, error })
            });
        };
        self.begun = true;
        self.note_skipped(skipped);
        let game = self.game(number, line);
        // Of a game that is lost, nothing more is said.
        self.skip_to_game();
        Some(game.map_err(Unread::game))
    }
}

impl PsqGames<'_> {
    /// Skips up to the first line of the next game. Returns the first line that says anything.
    fn skip_to_game(&mut self) -> Option<u64> {
        let mut first = None;
        while let Some((number, line)) = self.lines.next_if(|(_, line)| !begins_game(line)) {
            first = first.or((!line.is_empty()).then_some(number));
        }
        first
    }

    fn note_skipped(&mut self, skipped: Option<u64>) {
        let message = "this belongs to no game: skipped up to the next, or the end";
        self.waiting.extend(skipped.map(|line| ReadError::of_line(line, message)));
    }

    /// Reads the game that begins with this line.
    fn game(&mut self, number: u64, line: &str) -> Result<ScoreSheet, ReadError> {
        let Some((size, second_begins)) = header(line) else {
            let message = "not a saved game: expected a line as in `Piskvorky 15x15, 11:11, 0`";
            return Err(ReadError::of_line(number, message));
        };
        let mut sheet = ScoreSheet::new(size);
        let places = self.moves(&mut sheet)?;
        let mut behind = Vec::new();
        while let Some(line) = self.lines.next_if(|(_, line)| !begins_game(line)) {
            behind.extend((!line.1.is_empty()).then_some(line));
        }
        let unread = trailer(&behind, &mut sheet, second_begins);
        self.note_skipped(unread);
        let checked = sheet.settle();
        checked.map_err(|error| {
            let place = error.node().and_then(|node| places.get(node.index().checked_sub(1)?));
            ReadError::of_line(place.copied().unwrap_or(number), error)
        })?;
        Ok(sheet)
    }

    /// Reads the stones, and gives the line of each.
    fn moves(&mut self, sheet: &mut ScoreSheet) -> Result<Vec<u64>, ReadError> {
        let (mut places, mut last) = (Vec::new(), sheet.tree.root());
        let mut parts = 0;
        while let Some((number, line)) =
            self.lines.next_if(|(_, line)| is_move(line) || line.is_empty())
        {
            if line.is_empty() {
                continue;
            }
            let read = read_move(line, sheet.size);
            let commas = line.matches(',').count();
            let is_last = !self.ends_whole && self.lines.peek().is_none();
            if is_last && (read.is_none() || commas < parts) {
                let message = "the text ends within this move, which is left out";
                self.waiting.push_back(ReadError::of_line(number, message));
                break;
            }
            parts = commas;
            let Some((point, spent)) = read else {
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
}

/// The lines of a text and their numbers, without spaces and what fills up a file.
#[derive(Clone, Debug)]
struct NumberedLines<'a> {
    rest: Option<&'a str>,
    number: u64,
}

impl<'a> Iterator for NumberedLines<'a> {
    type Item = (u64, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest?;
        let (line, rest) = match rest.find(['\n', '\r']) {
            None => (rest, None),
            Some(end) => {
                let behind = &rest[end..];
                let behind = behind.strip_prefix("\r\n").unwrap_or(&behind[1..]);
                (&rest[..end], Some(behind))
            }
        };
        self.rest = rest;
        self.number += 1;
        Some((self.number, line.trim_matches(is_space)))
    }
}

fn is_move(line: &str) -> bool {
    line.starts_with(|c: char| c.is_ascii_digit()) && line.contains(',')
}

fn begins_game(line: &str) -> bool {
    line.get(..PROGRAM.len()).is_some_and(|word| word.eq_ignore_ascii_case(PROGRAM))
}

fn header(line: &str) -> Option<(Size, bool)> {
    let mut parts = line[PROGRAM.len()..].split(',').map(str::trim);
    let (width, height) = parts.next()?.split_once(['x', 'X'])?;
    let size = Size::new(width.parse().ok()?, height.parse().ok()?).ok()?;
    Some((size, parts.nth(1) == Some("1")))
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

/// Reads the names and the result out of the lines behind the moves, as far as they are there, and
/// returns the number of the first line that says neither. A name may be a number: the two names
/// are the lines before the number that stands third.
fn trailer(lines: &[(u64, &str)], sheet: &mut ScoreSheet, second_begins: bool) -> Option<u64> {
    let of =
        |number: usize| if (number == 0) != second_begins { Color::Black } else { Color::White };
    let is_number = |line: &str| line.parse::<i64>().is_ok();
    let line = |place: usize| lines.get(place).map(|(_, line)| *line);
    let names = match (line(0), line(1), line(2)) {
        (_, _, Some(third)) if is_number(third) => 2,
        (Some(first), next, _)
            if is_number(first) && next.is_none_or(|next| next.contains(',')) =>
        {
            0
        }
        (_, Some(code), next) if is_number(code) && (code.starts_with('-') || next.is_some()) => 1,
        _ => lines.len().min(2),
    };
    for number in 0..names {
        sheet.players[of(number)] = line(number).unwrap_or_default().to_owned();
    }
    let mut place = names + usize::from(line(names).is_some_and(is_number));
    if let Some((winner, event)) = line(place).and_then(|line| line.split_once(',')) {
        place += 1;
        result(winner.trim(), event.trim(), sheet, of);
    }
    lines.get(place).map(|(number, _)| *number)
}

/// Reads `1,Freestyle`: who won, and the event.
fn result(winner: &str, event: &str, sheet: &mut ScoreSheet, of: impl Fn(usize) -> Color) {
    let told = |winner| Some(SheetOutcome { winner, termination: None });
    sheet.outcome = match winner {
        "0" => told(None),
        "1" => told(Some(of(0))),
        "2" => told(Some(of(1))),
        _ => None,
    };
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

/// A name as a line of its own, which must not read as a move or another game.
fn name(name: &str, otherwise: &str) -> String {
    let line = one_line(name);
    if line.is_empty() {
        otherwise.to_string()
    } else if is_move(&line) || begins_game(&line) {
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

    fn one(text: &str) -> Result<ScoreSheet, Unread> {
        read(text).next().unwrap()
    }

    fn mistake(text: &str) -> String {
        one(text).unwrap_err().to_string()
    }

    #[test]
    fn coordinates_count_from_the_top_left_corner() {
        let sheet = one("Piskvorky 20x15, 0:0, 0\n1,1,0\n20,15,7\n").unwrap();
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
            let sheet = one(&text).unwrap();
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
            let sheet = one(&text).unwrap();
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
        let mut sheet = one("Piskvorky 15x15, 0:0, 0\n8,8,0\n").unwrap();
        sheet.players = ByColor { black: "1,1,1".to_string(), white: "-1\n3".to_string() };
        let again = one(&write(&sheet).unwrap()).unwrap();
        assert_eq!(again.moves().count(), 1);
        assert_eq!(
            (again.players.black, again.players.white),
            ("_1,1,1".to_string(), "-1 3".to_string())
        );
    }

    const HEAD: &str = "Piskvorky 15x15, 11:11, 0\n";

    #[test]
    fn a_file_may_hold_several_games_with_any_line_ends() {
        let one = format!("{HEAD}8,8,0\n9,9,5\nA\nB\n-1\n1,Renju\n");
        let text = format!("note\n{one}{one}\n{HEAD}8,8,0\n8,8,0\nA\n{one}rest\n\0\u{1a}");
        for ends in ["\n", "\r", "\r\n"] {
            let text = text.replace('\n', ends);
            let read: Vec<_> = read(&text).collect();
            let places: Vec<_> = read
                .iter()
                .map(|one| one.as_ref().map_err(|e| (e.cost, e.error.line)).map(|sheet| sheet.rule))
                .collect();
            let renju = Ok(Some(Rule::Renju));
            let part = |line| Err((UnreadCost::Part, Some(line)));
            let bad = Err((UnreadCost::Game, Some(19)));
            assert_eq!(places, [renju, part(1), renju, bad, renju, part(28)]);
        }
    }

    #[test]
    fn names_may_be_numbers_or_missing() {
        let names = |trailer: &str| {
            let sheet = one(&format!("{HEAD}8,8,0\n{trailer}")).unwrap();
            let winner = sheet.outcome.map(|outcome| outcome.winner);
            (sheet.players.black, sheet.players.white, winner)
        };
        let told = |black: &str, white: &str, winner| (black.to_owned(), white.to_owned(), winner);
        let black = Some(Some(Color::Black));
        assert_eq!(names("12345\n678\n-1\n1,x\n"), told("12345", "678", black));
        assert_eq!(names("12345\n678\n"), told("12345", "678", None));
        assert_eq!(names("12345\nB\n"), told("12345", "B", None));
        assert_eq!(names("-1\n1,x\n"), told("", "", black));
        assert_eq!(names("-1\n"), told("", "", None));
        assert_eq!(names("A\n-1\n1,x\n"), told("A", "", black));
        assert_eq!(names("A\nB\n1,x"), told("A", "B", black));
        assert_eq!(names("A"), told("A", "", None));
        let unread = |trailer: &str| {
            let text = format!("{HEAD}8,8,0\n{trailer}");
            let told = read(&text).filter_map(Result::err).map(|unread| unread.error.line);
            told.collect::<Vec<_>>()
        };
        assert_eq!(unread("A\nB\n-1\n1,x\n"), []);
        for trailer in ["A\nB\nC", "-1\n1,x\nC", "A\n-1\nC", "A\nB\n-1\n\n1,x\nmore\nC"] {
            let line =
                3 + trailer.lines().position(|line| ["more", "C"].contains(&line)).unwrap() as u64;
            assert_eq!(unread(trailer), [Some(line)], "{trailer}");
        }
        for (black, white) in [("12345", "-1"), ("0", "0"), ("a", "12")] {
            let mut sheet = one(&format!("{HEAD}8,8,0\n")).unwrap();
            sheet.players = ByColor { black: black.into(), white: white.into() };
            let again = one(&write(&sheet).unwrap()).unwrap();
            assert_eq!(again.players, sheet.players);
        }
    }

    #[test]
    fn the_end_of_a_text_may_be_cut_off() {
        let read = |rest: &str| {
            let text = format!("{HEAD}8,8,100\n9,9,1500{rest}");
            let games: Vec<_> = read(&text).collect();
            (games[0].as_ref().unwrap().moves().count(), games.len())
        };
        assert_eq!(read(""), (2, 1));
        assert_eq!(read("\n1"), (2, 1), "a name, for all that is known");
        assert_eq!([read("\n1,"), read("\n1,2")], [(2, 2); 2], "a move that is cut, and said");
        assert_eq!(read("\n1,2\n"), (3, 1), "a move without a time");
    }

    #[test]
    fn the_board_shows_a_result_that_is_not_told() {
        let five = "1,1,0\n1,3,0\n2,1,0\n2,3,0\n3,1,0\n3,3,0\n4,1,0\n4,3,0\n5,1,0\n";
        let winner = |text: &str| one(text).unwrap().outcome.map(|outcome| outcome.winner);
        assert_eq!(winner(&format!("{HEAD}{five}A\nB\n-1\n")), Some(Some(Color::Black)));
        assert_eq!(winner(&format!("{HEAD}{five}A\nB\n-1\n2,x\n")), Some(Some(Color::White)));
        let four = five.strip_suffix("5,1,0\n").unwrap();
        assert_eq!(winner(&format!("{HEAD}{four}A\nB\n-1\n")), None);
    }
}
