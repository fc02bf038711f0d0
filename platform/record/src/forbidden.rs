//! Answers the lines of `tengen rules forbidden`.

use serde::ser::{SerializeMap, Serializer};
use serde::{Deserialize, Serialize};
use tengen_rules::{Board, Color, Foul, Point, Size};

use crate::ReadError;
use crate::read::read_json;

/// Every forbidden point of a position, in the order of [`Point`]: by column, then row.
///
/// In JSON `{"forbidden":["j9"],"kinds":{"j9":"double_three"}}`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ForbiddenAnswer {
    forbidden: Vec<Point>,
    kinds: FoulsByPoint,
}

impl ForbiddenAnswer {
    /// The points and why each is forbidden.
    pub fn fouls(&self) -> &[(Point, Foul)] {
        &self.kinds.0
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct FoulsByPoint(Vec<(Point, Foul)>);

impl Serialize for FoulsByPoint {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut object = to.serialize_map(Some(self.0.len()))?;
        for (point, foul) in &self.0 {
            object.serialize_entry(point, foul)?;
        }
        object.end()
    }
}

/// Other keys are ignored, so that a corpus may name its positions.
#[derive(Deserialize)]
struct ForbiddenLine {
    black: Vec<Point>,
    white: Vec<Point>,
    #[serde(default = "standard")]
    size: Size,
}

pub(crate) fn standard() -> Size {
    Size::STANDARD
}

/// Answers one line of `tengen rules forbidden`: `{"black":["h8"],"white":["h9"]}`, with `size`
/// where the board is not of 15.
///
/// ```
/// let line = r#"{"black":["g8","i8","h7","h9"],"white":[]}"#;
/// let answer = tengen_record::forbidden_line(line)?;
/// assert_eq!(
///     serde_json::to_string(&answer).unwrap(),
///     r#"{"forbidden":["h8"],"kinds":{"h8":"double_three"}}"#
/// );
/// # Ok::<(), tengen_record::ReadError>(())
/// ```
///
/// # Errors
/// When the line is no such object, or a stone is off the board or on another one.
pub fn forbidden_line(text: &str) -> Result<ForbiddenAnswer, ReadError> {
    let line: ForbiddenLine = read_json(text)?;
    let mut board = Board::new(line.size);
    lay(&mut board, &line.black, Color::Black)?;
    lay(&mut board, &line.white, Color::White)?;
    let fouls: Vec<_> = board.forbidden().iter().collect();
    let forbidden = fouls.iter().map(|(point, _)| *point).collect();
    Ok(ForbiddenAnswer { forbidden, kinds: FoulsByPoint(fouls) })
}

fn lay(board: &mut Board, points: &[Point], color: Color) -> Result<(), ReadError> {
    for (index, &point) in points.iter().enumerate() {
        let field = || format!("{color}[{index}]");
        if !board.size().contains(point) {
            let message = format!("{point} is not on the board of {}", board.size());
            return Err(ReadError::of_field(&field(), message));
        }
        if !board.is_empty(point) {
            return Err(ReadError::of_field(&field(), format!("{point} has a stone already")));
        }
        board.place(point, color);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(line: &str) -> String {
        match forbidden_line(line) {
            Ok(answer) => serde_json::to_string(&answer).unwrap(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn points_come_sorted_with_their_kinds() {
        let line = r#"{"black":["b2","c2","d2","f2","g2","g8","i8","h7","h9"],"white":[]}"#;
        assert_eq!(
            answer(line),
            r#"{"forbidden":["e2","h8"],"kinds":{"e2":"overline","h8":"double_three"}}"#
        );
    }

    #[test]
    fn a_position_without_a_foul_is_answered_empty() {
        assert_eq!(answer(r#"{"black":[],"white":[]}"#), r#"{"forbidden":[],"kinds":{}}"#);
        assert_eq!(
            answer(r#"{"name":"corner","size":"20x15","black":["t15"],"white":["a1"]}"#),
            r#"{"forbidden":[],"kinds":{}}"#
        );
    }

    #[test]
    fn a_bad_line_is_answered_with_the_field() {
        for (line, expected) in [
            (r#"{"black":["h8","h16"],"white":[]}"#, "black[1]: h16 is not on the board of 15"),
            (r#"{"black":["h8"],"white":["h8"]}"#, "white[0]: h8 has a stone already"),
            (
                r#"{"black":["h8","8h"],"white":[]}"#,
                "column 19, black[1]: `8h` is not a point such as h8",
            ),
            (r#"{"black":["h8"]}"#, "column 16, white: missing field `white`"),
            (
                r#"{"black":[],"white":[],"size":4}"#,
                "column 31, size: not a board size: expected 5 to 32, as in 15, or two of them, as \
                 in 20x15",
            ),
            ("[[],[]]", "column 1: not a JSON object: expected {"),
            (
                r#"{"black":[1"#,
                "column 11, black[0]: invalid type: integer `1`, expected a point \
              such as h8 as a string",
            ),
            (r#"{"black":["#, "column 10, black: not JSON: EOF while parsing a list"),
        ] {
            assert_eq!(answer(line), expected, "{line}");
        }
    }
}
