//! The opening positions of an event.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_record::formats::{Notation, suite};
use tengen_record::{ReadError, read_text};
use tengen_rules::{Point, Rule, Size};

use super::ConfigError;
use super::suites::balanced;

/// The opening positions of an event: in a file of options either the path of an opening suite, the
/// word `balanced`, or a list of positions as in `h8 i9 h9`. A frozen configuration has the list,
/// so that an event needs no other file. The notations of a suite are those of [`suite`]; a file
/// whose name ends in `.sgf` has a position in each game, one in `.psq` is one game, and one in
/// `.jsonl` has a record or a list of points in each line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Those that come with the program for the event's rule and board.
    Balanced,
    /// Still in a file.
    File(PathBuf),
    /// The positions.
    Positions(Vec<Vec<Point>>),
}

impl Default for Openings {
    fn default() -> Openings {
        Openings::Positions(Vec::new())
    }
}

impl From<PathBuf> for Openings {
    /// What somebody names.
    fn from(file: PathBuf) -> Openings {
        if file.as_os_str() == BALANCED { Openings::Balanced } else { Openings::File(file) }
    }
}

/// What names [`Openings::Balanced`].
const BALANCED: &str = "balanced";

impl Openings {
    /// The largest opening suite that is read, in bytes.
    const MOST_BYTES: u64 = 16 << 20;

    /// Whether there is neither a position nor a file.
    pub fn is_empty(&self) -> bool {
        *self == Openings::default()
    }

    /// The positions; none while they are still in a file.
    pub fn positions(&self) -> &[Vec<Point>] {
        match self {
            Openings::Balanced | Openings::File(_) => &[],
            Openings::Positions(positions) => positions,
        }
    }

    /// Means a relative path from this folder.
    pub(super) fn lie_in(&mut self, folder: &Path) {
        if let Openings::File(file) = self {
            *file = folder.join(&*file);
        }
    }

    /// Reads the file, if they are in one. `used` gives, for the number of positions in it, which
    /// are ever played, by their places; of the others one that is wrong is left empty, so that
    /// every position keeps its place.
    pub(super) fn load(
        &mut self,
        rule: Rule,
        size: Size,
        used: impl FnOnce(u64) -> BTreeSet<u64>,
    ) -> Result<(), ConfigError> {
        let path = match self {
            Openings::Positions(_) => return Ok(()),
            Openings::Balanced => {
                *self = Openings::Positions(balanced(rule, size).unwrap_or_default());
                return Ok(());
            }
            Openings::File(path) => path,
        };
        let text = read_text(path, Openings::MOST_BYTES)
            .map_err(|source| ConfigError::Read { path: path.clone(), source })?;
        let wrong = |source| ConfigError::Openings { path: path.clone(), source };
        let lines = read_positions(path, &text, rule, size).map_err(wrong)?;
        let used = used(lines.len() as u64);
        let mut positions = Vec::with_capacity(lines.len());
        let mut unused = None;
        for (place, line) in (0..).zip(lines) {
            match line {
                Ok(position) => positions.push(position),
                Err(error) if used.contains(&place) => return Err(wrong(error)),
                Err(error) => {
                    unused.get_or_insert(error);
                    positions.push(Vec::new());
                }
            }
        }
        if let Some(error) = unused {
            log::warn!("{}: {error}; no game of this event begins there", path.display());
        }
        *self = Openings::Positions(positions);
        Ok(())
    }
}

/// The positions of a file, by the kind of file that its name says it is.
fn read_positions(
    path: &Path,
    text: &str,
    rule: Rule,
    size: Size,
) -> Result<Vec<Result<Vec<Point>, ReadError>>, ReadError> {
    match path.extension().and_then(OsStr::to_str) {
        Some("sgf") => suite::read_sgf(text, rule, size),
        Some("psq") => suite::read_psq(text, rule, size),
        Some("jsonl") => suite::read_json_lines(text, rule, size),
        _ => suite::read_lines(text, rule, size),
    }
}

fn write_position(position: &[Point]) -> String {
    position.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

impl Serialize for Openings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Openings::Balanced => to.serialize_str(BALANCED),
            Openings::File(path) => path.serialize(to),
            Openings::Positions(positions) => {
                to.collect_seq(positions.iter().map(|position| write_position(position)))
            }
        }
    }
}

impl<'de> Deserialize<'de> for Openings {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Openings, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected a file's path or a list of positions")]
        enum OpeningsField {
            File(PathBuf),
            Positions(Vec<String>),
        }
        // Points mean the same on every board; offsets would not.
        let largest = Size::new(Size::MAX, Size::MAX).expect("the largest board is one");
        let read = |text: &String| {
            Notation::Pos.read(text, largest).map_err(|error| {
                let problem = error.message;
                serde::de::Error::custom(format!("`{text}`: {problem}, in a list of positions"))
            })
        };
        match OpeningsField::deserialize(from)? {
            OpeningsField::File(path) => Ok(Openings::from(path)),
            OpeningsField::Positions(texts) => {
                texts.iter().map(read).collect::<Result<_, _>>().map(Openings::Positions)
            }
        }
    }
}
