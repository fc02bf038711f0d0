//! The opening positions of an event.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_record::formats::suite::{PositionLines, same_opening};
use tengen_record::formats::{Notation, book, suite};
use tengen_record::read_text;
use tengen_rules::{Point, Rule, Size};

use super::ConfigError;
use super::suites::balanced;

/// The opening positions of an event: in a file of options either the path of an opening suite, the
/// word `balanced`, or a list of positions as in `h8 i9 h9`. A frozen configuration has the list,
/// so that an event needs no other file. The notations of a suite are those of [`suite`]; a file
/// whose name ends in `.sgf` has a position in each game, one in `.psq` is one game, and one in
/// `.jsonl` has a record or a list of points in each line, and one in `.book` is a packed
/// [`OpeningBook`](book::OpeningBook).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Those that come with the program for the event's rule and board.
    Balanced,
    /// Still in a file.
    File(PathBuf),
    Positions(Vec<Vec<Point>>),
}

impl Default for Openings {
    fn default() -> Openings {
        Openings::Positions(Vec::new())
    }
}

impl From<PathBuf> for Openings {
    fn from(file: PathBuf) -> Openings {
        if file.as_os_str() == BALANCED { Openings::Balanced } else { Openings::File(file) }
    }
}

/// Points mean the same on every board, which offsets from its centre would not.
const LARGEST: Size = match Size::new(Size::MAX, Size::MAX) {
    Ok(size) => size,
    Err(_) => panic!("the largest board is one"),
};

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

    /// Reads the file, if they are in one. `used` gives, for the number of positions in it, the
    /// places of those that are ever played. Of the others, a wrong one is left empty, so that
    /// every position keeps its place. With `once`, positions that are images of others are left
    /// out before they are counted.
    pub(super) fn load(
        &mut self,
        rule: Rule,
        size: Size,
        once: bool,
        used: impl FnOnce(u64) -> BTreeSet<u64>,
    ) -> Result<(), ConfigError> {
        let mut seen = BTreeSet::new();
        let mut is_new = |position: &Vec<Point>| !once || seen.insert(same_opening(position, size));
        let path = match self {
            Openings::Positions(positions) => {
                let count = positions.len();
                positions.retain(is_new);
                warn_of_others(count - positions.len());
                return Ok(());
            }
            Openings::Balanced => {
                let book = balanced(rule, size).map(|book| book.positions).unwrap_or_default();
                *self = Openings::Positions(book.into_iter().map(|one| one.stones).collect());
                return Ok(());
            }
            Openings::File(path) => path,
        };
        let wrong = |source| ConfigError::Openings { path: path.clone(), source };
        let lines = read_positions(path, rule, size)
            .map_err(|source| ConfigError::Read { path: path.clone(), source })?
            .map_err(wrong)?;
        let count = lines.len();
        let lines: Vec<_> =
            lines.into_iter().filter(|line| line.as_ref().map_or(true, &mut is_new)).collect();
        warn_of_others(count - lines.len());
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

/// Says how many positions of a test are left out.
fn warn_of_others(count: usize) {
    if count > 0 {
        log::warn!(
            "positions of the openings that are others turned or mirrored: {count}; this test \
             plays each position once"
        );
    }
}

/// The positions of a file, by the kind of file that its name says it is.
fn read_positions(path: &Path, rule: Rule, size: Size) -> io::Result<PositionLines> {
    Ok(match path.extension().and_then(OsStr::to_str) {
        Some("book") => book::read_packed(path, Openings::MOST_BYTES, rule, size)?,
        kind => {
            let text = read_text(path, Openings::MOST_BYTES)?;
            match kind {
                Some("sgf") => suite::read_sgf(&text, rule, size),
                Some("psq") => suite::read_psq(&text, rule, size),
                Some("jsonl") => suite::read_json_lines(&text, rule, size),
                _ => suite::read_lines(&text, rule, size),
            }
        }
    })
}

/// More positions than that are written as one text of many lines: a list of ten thousand takes
/// long to read.
const LONGEST_LIST: usize = 100;

fn write_position(position: &[Point]) -> String {
    position.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

impl Serialize for Openings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Openings::Balanced => to.serialize_str(BALANCED),
            Openings::File(path) => path.serialize(to),
            Openings::Positions(positions) if positions.len() > LONGEST_LIST => {
                let lines =
                    positions.iter().map(|stones| Notation::Pos.write(stones, LARGEST) + "\n");
                to.serialize_str(&lines.collect::<String>())
            }
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
            Text(String),
            Positions(Vec<String>),
        }
        let read = |text: &str| {
            Notation::Pos.read(text, LARGEST).map_err(|error| {
                let problem = error.message;
                serde::de::Error::custom(format!("`{text}`: {problem}, in a list of positions"))
            })
        };
        match OpeningsField::deserialize(from)? {
            OpeningsField::Text(text) if text.contains('\n') => {
                text.lines().map(read).collect::<Result<_, _>>().map(Openings::Positions)
            }
            OpeningsField::Text(path) => Ok(Openings::from(PathBuf::from(path))),
            OpeningsField::Positions(texts) => {
                let positions = texts.iter().map(|text| read(text));
                positions.collect::<Result<_, _>>().map(Openings::Positions)
            }
        }
    }
}
