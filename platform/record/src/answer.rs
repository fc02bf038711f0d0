//! Answers JSON lines with JSON lines.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use crate::{Lines, ReadError};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct AnsweredLines {
    /// Lines, empty ones not counted.
    pub lines: u64,
    /// Those of them that could not be read, and were answered with what is wrong.
    pub bad: u64,
}

/// Answers JSON lines with JSON lines, one for each that is not empty, in order. A line that is
/// wrong is answered with `{"ok":false,"error":"…","line":3,"column":19,"field":"black[1]"}`,
/// `column` and `field` where they are known, and the next one is read. What is answered goes out
/// before a read that may wait, so that a program may hold a conversation.
///
/// # Errors
/// When the input cannot be read or the output cannot be written.
pub fn answer_lines<A: Serialize>(
    input: impl BufRead,
    mut output: impl Write,
    mut answer: impl FnMut(&str) -> Result<A, ReadError>,
) -> io::Result<AnsweredLines> {
    let mut lines = Lines::new(input);
    let mut answered = AnsweredLines::default();
    let mut answers = Vec::with_capacity(2 * FULL);
    loop {
        if !lines.is_ready() || answers.len() >= FULL {
            output.write_all(&answers)?;
            answers.clear();
        }
        if !lines.is_ready() {
            output.flush()?;
        }
        let Some(line) = lines.next_line()? else {
            return Ok(answered);
        };
        let answer = line.and_then(&mut answer);
        answered.lines += 1;
        match answer {
            Ok(answer) => serde_json::to_writer(&mut answers, &answer)?,
            Err(error) => {
                answered.bad += 1;
                let bad = BadLine::of(error, lines.number());
                serde_json::to_writer(&mut answers, &bad)?;
            }
        }
        answers.push(b'\n');
    }
}

/// So many bytes of answers are sent even if more lines wait, so that memory stays bounded.
const FULL: usize = 64 << 10;

#[derive(Serialize)]
struct BadLine {
    ok: bool,
    error: String,
    line: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    field: Option<String>,
}

impl BadLine {
    fn of(ReadError { column, field, message, .. }: ReadError, line: u64) -> BadLine {
        BadLine { ok: false, error: message, line, column, field }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(input: &str) -> (Vec<String>, AnsweredLines) {
        let mut output = Vec::new();
        let answered = answer_lines(input.as_bytes(), &mut output, crate::forbidden_line).unwrap();
        let output = String::from_utf8(output).unwrap();
        (output.lines().map(str::to_string).collect(), answered)
    }

    #[test]
    fn a_bad_line_is_answered_and_the_stream_goes_on() {
        let good = r#"{"black":[],"white":[]}"#;
        let bad = r#"{"black":["x"],"white":[]}"#;
        let (lines, answered) = answers(&format!("{good}\n\n{bad}\nnonsense\n{good}"));
        let empty = r#"{"forbidden":[],"kinds":{}}"#;
        assert_eq!(
            lines,
            [
                empty,
                r#"{"ok":false,"error":"`x` is not a point such as h8","line":3,"column":13,"field":"black[0]"}"#,
                r#"{"ok":false,"error":"not a JSON object: expected {","line":4,"column":1}"#,
                empty,
            ]
        );
        assert_eq!(answered, AnsweredLines { lines: 4, bad: 2 });
    }
}
