use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tengen_rules::Point;

use super::ConfigError;

/// The opening positions of an event: in a file of options either the path of a file with one
/// position a line, or a list of positions. A frozen configuration has the list, so that an event
/// needs no other file.
///
/// A position is its points in the order laid, colours alternating, as in `h8 i9 h9`; commas may
/// stand between them. Empty lines and lines that begin with `#` are passed over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
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

impl Openings {
    /// Whether there is neither a position nor a file.
    pub fn is_empty(&self) -> bool {
        *self == Openings::default()
    }

    /// The positions; none while they are still in a file.
    pub fn positions(&self) -> &[Vec<Point>] {
        match self {
            Openings::File(_) => &[],
            Openings::Positions(positions) => positions,
        }
    }

    /// Reads the file, if they are in one; a relative path is meant from `folder`.
    ///
    /// # Errors
    /// When the file cannot be read, or a line is no position.
    pub fn load(&mut self, folder: &Path) -> Result<(), ConfigError> {
        let Openings::File(file) = self else {
            return Ok(());
        };
        let path = folder.join(file);
        let text = fs::read_to_string(&path)
            .map_err(|source| ConfigError::Read { path: path.clone(), source })?;
        let lines = (1..).zip(text.lines().map(str::trim));
        let positions = lines
            .filter(|(_, text)| !text.is_empty() && !text.starts_with('#'))
            .map(|(line, text)| {
                let wrong =
                    || ConfigError::Opening { path: path.clone(), line, text: text.to_owned() };
                read_position(text).ok_or_else(wrong)
            })
            .collect::<Result<_, _>>()?;
        *self = Openings::Positions(positions);
        Ok(())
    }
}

fn read_position(text: &str) -> Option<Vec<Point>> {
    let words = text.split([' ', '\t', ',']).filter(|word| !word.is_empty());
    words.map(|word| word.parse().ok()).collect()
}

fn write_position(position: &[Point]) -> String {
    position.iter().map(Point::to_string).collect::<Vec<_>>().join(" ")
}

impl Serialize for Openings {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
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
        enum Written {
            File(PathBuf),
            Positions(Vec<String>),
        }
        let wrong = |text: &String| {
            serde::de::Error::custom(format!("`{text}`: expected points as in `h8 h9 i9`"))
        };
        match Written::deserialize(from)? {
            Written::File(path) => Ok(Openings::File(path)),
            Written::Positions(texts) => texts
                .iter()
                .map(|text| read_position(text).ok_or_else(|| wrong(text)))
                .collect::<Result<_, _>>()
                .map(Openings::Positions),
        }
    }
}
