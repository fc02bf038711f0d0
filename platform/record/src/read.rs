//! Reads JSON, and says where it is wrong.

use std::fmt;
use std::io::{self, BufRead};

use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::{GameRecord, Lines};

/// A text that is not as it should be, and where.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub struct ReadError {
    /// The line, counted from 1, where it is one of many.
    pub line: Option<u64>,
    /// The column in the line, counted in bytes from 1, where it is not about the whole line.
    pub column: Option<usize>,
    /// The field, as in `actions[3].move`, where it is not about the whole line.
    pub field: Option<String>,
    /// What is wrong there, and what was expected.
    pub message: String,
}

impl ReadError {
    /// What is wrong with the whole text.
    pub(crate) fn of_text(message: impl fmt::Display) -> ReadError {
        ReadError { line: None, column: None, field: None, message: message.to_string() }
    }

    pub(crate) fn of_line(line: u64, message: impl fmt::Display) -> ReadError {
        ReadError::of_text(message).in_line(line)
    }

    pub(crate) fn of_column(column: usize, message: impl fmt::Display) -> ReadError {
        ReadError { column: Some(column), ..ReadError::of_text(message) }
    }

    pub(crate) fn of_field(field: &str, message: impl fmt::Display) -> ReadError {
        ReadError { field: Some(field.to_owned()), ..ReadError::of_text(message) }
    }

    /// The same in that line of a text of many.
    pub fn in_line(self, line: u64) -> ReadError {
        ReadError { line: Some(line), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        if let Some(line) = self.line {
            write!(f, "line {line}")?;
            separator = ", ";
        }
        if let Some(column) = self.column {
            write!(f, "{separator}column {column}")?;
            separator = ", ";
        }
        if let Some(field) = &self.field {
            write!(f, "{separator}{field}")?;
            separator = ", ";
        }
        write!(f, "{}{}", if separator.is_empty() { "" } else { ": " }, self.message)
    }
}

/// Reads one JSON object. The path of a wrong field is only traced once there is one.
pub(crate) fn read_json<T: DeserializeOwned>(text: &str) -> Result<T, ReadError> {
    if !text.trim_start().starts_with('{') {
        return Err(ReadError::of_column(1, "not a JSON object: expected {"));
    }
    serde_json::from_str(text).map_err(|error| {
        let mut json = serde_json::Deserializer::from_str(text);
        let traced = serde_path_to_error::deserialize::<_, T>(&mut json);
        let field = match traced {
            Err(traced) if traced.path().iter().len() > 0 => traced.path().to_string(),
            _ => String::new(),
        };
        // A text that ends within a key has `?` for it.
        let known = field.strip_suffix('?').map(|path| path.trim_end_matches('.').to_string());
        let field = known.unwrap_or(field);
        let whole = error.to_string();
        let place = format!(" at line {} column {}", error.line(), error.column());
        let message = whole.strip_suffix(&place).unwrap_or(&whole);
        let field = whole_path(field, message);
        let kind = if error.is_data() { "" } else { "not JSON: " };
        let message = format!("{kind}{message}");
        ReadError {
            column: Some(error.column()).filter(|column| *column > 0),
            field: Some(field).filter(|field| !field.is_empty()),
            ..ReadError::of_text(message)
        }
    })
}

/// The path to a key that is missing or there twice, which is traced no further than its object.
fn whole_path(object: String, message: &str) -> String {
    let about = ["missing field `", "duplicate field `"];
    let name = about.iter().find_map(|words| message.strip_prefix(words)?.strip_suffix('`'));
    match name {
        None => object,
        Some(name) if object.is_empty() => name.to_string(),
        Some(name) => format!("{object}.{name}"),
    }
}

impl GameRecord {
    /// Reads a record from one line of JSON.
    ///
    /// # Errors
    /// When the text is no record of the format this program writes.
    pub fn from_json_line(text: &str) -> Result<GameRecord, ReadError> {
        read_json(text).map_err(|error| match read_json::<AnyFormat>(text) {
            Ok(AnyFormat { format }) if format != GameRecord::FORMAT => {
                let ours = GameRecord::FORMAT;
                let message = format!("format {format} is not known: expected {ours}");
                ReadError::of_field("format", message)
            }
            _ => error,
        })
    }
}

#[derive(serde::Deserialize)]
struct AnyFormat {
    format: u32,
}

/// The records of a text, one a line.
///
/// A line that is no record is an error that names it, and reading goes on behind it. When the
/// input itself fails, that is the last item.
#[derive(Debug)]
pub struct Records<R> {
    lines: Lines<R>,
    failed: bool,
}

impl<R: BufRead> Records<R> {
    pub fn new(input: R) -> Records<R> {
        Records { lines: Lines::new(input), failed: false }
    }
}

/// Why no record came out of a text.
#[derive(Debug, Error)]
pub enum RecordsError {
    #[error(transparent)]
    Line(#[from] ReadError),
    /// The text cannot be read.
    #[error("cannot read on: {0}")]
    Input(#[from] io::Error),
}

impl<R: BufRead> Iterator for Records<R> {
    type Item = Result<GameRecord, RecordsError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let read = match self.lines.next_line() {
            Ok(line) => line?.and_then(GameRecord::from_json_line),
            Err(error) => {
                self.failed = true;
                return Some(Err(error.into()));
            }
        };
        let line = self.lines.number();
        Some(read.map_err(|error| error.in_line(line).into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_format_is_told_where_it_stands() {
        for (text, expected) in [
            (r#"{"format":2,"anything":0}"#, "format: format 2 is not known: expected 1"),
            (r#"{"format":2} x"#, "column 12, format: format 2 is not known: expected 1"),
        ] {
            assert_eq!(GameRecord::from_json_line(text).unwrap_err().to_string(), expected);
        }
    }
}
