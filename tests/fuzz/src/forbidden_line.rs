//! The forbidden points of a line's position are those that the oracle finds, point by point.

use serde_json::Value;
use tengen_record::forbidden_line;
use tengen_rules::{Board, Color, Foul, Point, Size};

use crate::errors::check_line;
use crate::oracle::Oracle;

pub(crate) fn check(bytes: &[u8]) {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let answer = match forbidden_line(text) {
        Ok(answer) => answer,
        Err(error) => return check_line(text, &error),
    };
    let board = board(text);
    let mut oracle = Oracle::of(&board);
    let fouls: Vec<(Point, Foul)> = board
        .size()
        .points()
        .filter_map(|point| oracle.foul(point).map(|foul| (point, foul)))
        .collect();
    assert_eq!(answer.fouls(), fouls, "\n{board}");
}

/// The position of a line that is right, read by other means.
fn board(text: &str) -> Board {
    let line: Value = serde_json::from_str(text).expect("what was answered is JSON");
    let size = match &line["size"] {
        Value::Null => Size::STANDARD,
        Value::String(size) => size.parse().expect("a size"),
        side => side.to_string().parse().expect("a side"),
    };
    let mut board = Board::new(size);
    for color in Color::ALL {
        for point in line[color.name()].as_array().expect("points") {
            board.place(point.as_str().expect("a point").parse().expect("a point"), color);
        }
    }
    board
}
