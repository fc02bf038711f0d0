//! Writes games in any format, and files as a whole.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use tengen_record::formats::{Format, FormatLoss, Notation, ScoreSheet};

use super::FileProblem;
use crate::app::model::GameData;

/// What a format loses of a game.
///
/// # Errors
/// When the record is not a valid game; says why.
pub fn lost(game: &GameData, to: Format) -> Result<BTreeSet<FormatLoss>, String> {
    let mut lost = BTreeSet::new();
    if let (GameData::Record(_), Format::Json | Format::JsonLines) = (game, to) {
        return Ok(lost);
    }
    let sheet = game.sheet()?;
    if let GameData::Record(record) = game {
        lost.extend(Format::lost_of_record(record));
    }
    lost.extend(to.lost(&sheet));
    Ok(lost)
}

/// The text of a game in a format, and what it loses.
///
/// # Errors
/// When the format cannot hold it, or is no text; says why.
pub fn text(game: &GameData, to: Format) -> Result<(String, BTreeSet<FormatLoss>), String> {
    let lost = lost(game, to)?;
    let text = match written(game, to)? {
        Written::Text(text) => text,
        Written::Sheet(sheet) => to.text(&sheet).map_err(|error| error.to_string())?,
    };
    Ok((text, lost))
}

/// The bytes of a game in a format, and what it loses.
///
/// # Errors
/// When the format cannot hold it; says why.
pub fn bytes(game: &GameData, to: Format) -> Result<(Vec<u8>, BTreeSet<FormatLoss>), String> {
    let lost = lost(game, to)?;
    let bytes = match written(game, to)? {
        Written::Text(text) => text.into_bytes(),
        Written::Sheet(sheet) => to.bytes(&sheet).map_err(|error| error.to_string())?,
    };
    Ok((bytes, lost))
}

/// A game on its way into a file.
enum Written {
    /// As it stands there.
    Text(String),
    /// As the format writes it.
    Sheet(Box<ScoreSheet>),
}

fn written(game: &GameData, to: Format) -> Result<Written, String> {
    if let (GameData::Record(record), Format::Json | Format::JsonLines) = (game, to) {
        return Ok(Written::Text(record.to_json_line() + "\n"));
    }
    let mut sheet = game.sheet()?;
    let line = |notation: Notation| {
        let stones: Option<_> = game.moves()?.into_iter().map(|mv| mv.point()).collect();
        let unsupported = || sheet.stones().map_err(|error| error.to_string());
        let stones: Vec<_> = stones.map_or_else(unsupported, Ok)?;
        Ok::<_, String>(Written::Text(notation.write(&stones, sheet.size) + "\n"))
    };
    match to {
        Format::Pos => return line(Notation::Pos),
        Format::Offset => return line(Notation::Offset),
        Format::Json | Format::JsonLines => {
            // Bare points have no rule, and are shown as this one.
            sheet.rule.get_or_insert(tengen_rules::Rule::Freestyle);
        }
        _ => {}
    }
    Ok(Written::Sheet(Box::new(sheet)))
}

/// The format by the file name.
///
/// # Errors
/// When the extension is of no known format.
pub fn format_of(path: &Path) -> Result<Format, FileProblem> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = path.display().to_string();
    extension.and_then(Format::of_extension).ok_or(FileProblem::NoFormat { name })
}

/// What a file must hold for the contents of a tab to count as saved.
const ESSENCE: [FormatLoss; 3] = [FormatLoss::Moves, FormatLoss::Variations, FormatLoss::Comments];

/// Whether a file of this format, with these losses, holds the contents of a tab. Only a format
/// that can be opened again does.
pub fn holds_work(format: Format, lost: &BTreeSet<FormatLoss>) -> bool {
    format.is_read() && format.is_written() && ESSENCE.iter().all(|what| !lost.contains(what))
}

/// Saves games in the format of the file name, and returns what it loses.
///
/// # Errors
/// When the extension is unknown, the format cannot hold the games or holds only one, an existing
/// file is not to be replaced, or the system cannot write. An existing file is then unchanged.
pub fn save(
    games: &[GameData],
    path: &Path,
    replaces: bool,
) -> Result<BTreeSet<FormatLoss>, FileProblem> {
    let format = format_of(path)?;
    let name = || path.display().to_string();
    if games.len() > 1 && format.is_single() {
        return Err(FileProblem::Single { name: name() });
    }
    let (mut whole, mut all_lost) = (Vec::new(), BTreeSet::new());
    for game in games {
        let unsupported = |reason| FileProblem::Unsupported { name: name(), reason };
        let (bytes, lost) = bytes(game, format).map_err(unsupported)?;
        whole.extend(bytes);
        all_lost.extend(lost);
    }
    save_bytes(&whole, path, replaces)?;
    Ok(all_lost)
}

/// Writes a file.
///
/// # Errors
/// When an existing file is not to be replaced, or the system cannot write.
pub fn save_bytes(bytes: &[u8], path: &Path, replaces: bool) -> Result<(), FileProblem> {
    if !replaces && path.is_file() {
        return Err(FileProblem::Exists { name: path.display().to_string() });
    }
    write_file(path, bytes, true).map_err(FileProblem::system(path))
}

/// Replaces a file as a whole, or leaves the old one. Without waiting for the disk, the file
/// survives the end of the program, but perhaps not of the machine.
///
/// # Errors
/// When the system cannot write.
pub fn write_file(path: &Path, bytes: &[u8], waits_for_disk: bool) -> io::Result<()> {
    // To write into a pipe might wait for ever.
    if tengen_files::is_stream(path) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
    }
    tengen_files::write(path, bytes, waits_for_disk)
}
