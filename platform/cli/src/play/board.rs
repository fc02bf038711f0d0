//! A board in characters.

use std::time::Duration;

use tengen_arbiter::Game;
use tengen_rules::{Color, Move, Point, Position, Seat};

/// The board with row numbers and column letters: `X` is Black, `O` White, the last stone is in
/// brackets, and `!` is forbidden to Black. Below it are the colours, and clocks where some run.
pub(super) fn text(game: &Game, person: Seat) -> String {
    let color = game.colors()[person];
    let mark = if color == Color::Black { 'X' } else { 'O' };
    format!("{}you: {color} {mark}{}\n", board_text(game.position()), clocks(game, person))
}

pub(crate) fn board_text(position: &Position) -> String {
    let (board, size) = (position.board(), position.size());
    let last = position.last().and_then(Move::point);
    let forbidden = position.forbidden();
    let cell = |point: Point| match board.get(point) {
        Some(Color::Black) => 'X',
        Some(Color::White) => 'O',
        None if forbidden.get(point).is_some() => '!',
        None => '.',
    };
    let letters: String = (0..size.width())
        .map(|x| format!("{:<2}", Point::new(x, 0).to_string().trim_end_matches('1')))
        .collect();
    let letters = format!("    {}\n", letters.trim_end());
    let mut text = letters.clone();
    for y in (0..size.height()).rev() {
        let mut row = format!("{:>3}", y + 1);
        for x in 0..size.width() {
            let point = Point::new(x, y);
            let is_last = last == Some(point);
            let after_last = x > 0 && last == Some(Point::new(x - 1, y));
            row.push(if is_last {
                '('
            } else if after_last {
                ')'
            } else {
                ' '
            });
            row.push(cell(point));
        }
        if last == Some(Point::new(size.width() - 1, y)) {
            row.push(')');
        }
        text += &format!("{row}{}{}\n", if row.ends_with(')') { " " } else { "  " }, y + 1);
    }
    text + &letters
}

/// What both have left, where there is a clock of the game.
pub(super) fn clocks(game: &Game, person: Seat) -> String {
    let left = |seat: Seat| {
        let face = game.clock(seat).face(0)?;
        let left = format!("{:.1} s", Duration::from_nanos(face.left).as_secs_f64());
        Some(match face.byo_yomi.map(|follows| follows.periods) {
            None => left,
            Some(1) => format!("{left} and 1 more period"),
            Some(periods) => format!("{left} and {periods} more periods"),
        })
    };
    match (left(person), left(!person)) {
        (None, None) => String::new(),
        (yours, theirs) => {
            let told = |left: Option<String>| left.unwrap_or_else(|| "no clock".to_owned());
            format!("   your clock: {}   the engine's: {}", told(yours), told(theirs))
        }
    }
}
