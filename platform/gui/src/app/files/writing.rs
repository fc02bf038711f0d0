use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use tengen_record::formats::{Format, FormatLoss, Notation, pgn, psq, sgf};

use super::{FileProblem, GameData};

/// What of a game is not told in a format.
///
/// # Errors
/// When the record is not that of a game; says why.
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

/// The text of a game in a format, and what of the game is not told there.
///
/// # Errors
/// When the format cannot say it; says why.
pub fn text(game: &GameData, to: Format) -> Result<(String, BTreeSet<FormatLoss>), String> {
    let lost = lost(game, to)?;
    if let (GameData::Record(record), Format::Json | Format::JsonLines) = (game, to) {
        return Ok((record.to_json_line() + "\n", lost));
    }
    let sheet = game.sheet()?;
    let line = |notation: Notation| {
        let stones: Option<_> = game.moves()?.into_iter().map(|mv| mv.point()).collect();
        let unsaid = || sheet.stones().map_err(|error| error.to_string());
        let stones: Vec<_> = stones.map_or_else(unsaid, Ok)?;
        Ok::<_, String>(notation.write(&stones, sheet.size) + "\n")
    };
    let text = match to {
        Format::Json | Format::JsonLines => {
            let mut sheet = sheet.clone();
            // Bare points tell no rule, and are shown under this one.
            sheet.rule.get_or_insert(tengen_rules::Rule::Freestyle);
            sheet.to_record().map_err(|error| error.to_string())?.to_json_line() + "\n"
        }
        Format::Sgf => sgf::write(&sheet),
        Format::Psq => psq::write(&sheet).map_err(|error| error.to_string())?,
        Format::Pgn => pgn::write(&sheet),
        Format::Pos => line(Notation::Pos)?,
        Format::Offset => line(Notation::Offset)?,
    };
    Ok((text, lost))
}

/// The format of a file of that name.
///
/// # Errors
/// When the name does not tell.
pub fn format_of(path: &Path) -> Result<Format, FileProblem> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = path.display().to_string();
    extension.and_then(Format::of_extension).ok_or(FileProblem::NoFormat { name })
}

/// Writes games in the format that the name tells, and says what is not told there.
///
/// # Errors
/// When the name tells no format, the format cannot say the games or holds one of them only, a file
/// is there that is not to be replaced, or the system would not write; a file that was there is as
/// it was then.
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
    let (mut whole, mut all_lost) = (String::new(), BTreeSet::new());
    for game in games {
        let unsaid = |reason| FileProblem::Unsaid { name: name(), reason };
        let (text, lost) = text(game, format).map_err(unsaid)?;
        whole.push_str(&text);
        all_lost.extend(lost);
    }
    save_bytes(whole.as_bytes(), path, replaces)?;
    Ok(all_lost)
}

/// Writes a whole file.
///
/// # Errors
/// When a file is there that is not to be replaced, or the system would not write.
pub fn save_bytes(bytes: &[u8], path: &Path, replaces: bool) -> Result<(), FileProblem> {
    if !replaces && path.is_file() {
        return Err(FileProblem::Exists { name: path.display().to_string() });
    }
    write_synced(path, bytes).map_err(FileProblem::system(path))
}

/// Puts a whole new file in place of an old one, or leaves the old one. It is on the disk then.
///
/// # Errors
/// When the system would not write.
pub fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write_file(path, bytes, true)
}

/// Puts a whole new file in place of an old one, or leaves the old one. One that is not waited for
/// is there when the program ends, and may not be when the machine does.
///
/// # Errors
/// When the system would not write.
pub fn write_file(path: &Path, bytes: &[u8], waits_for_disk: bool) -> io::Result<()> {
    // A device or a pipe is nothing to put a file in place of.
    match fs::metadata(path) {
        Ok(old) if old.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
        Ok(old) if !old.is_file() => {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a plain file"));
        }
        _ => {}
    }
    let (mut file, beside) = create_temporary(path)?;
    let mut written = || {
        file.write_all(bytes)?;
        if waits_for_disk {
            file.sync_all()?;
        }
        fs::rename(&beside, path)
    };
    written().inspect_err(|_| {
        // The error that matters is the first one.
        let _ignored = fs::remove_file(&beside);
    })
}

/// A new file beside another one, under a name that nobody else writes under.
fn create_temporary(path: &Path) -> io::Result<(File, PathBuf)> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let mut beside = OsString::from(path);
        beside.push(format!(".{}-{number}.new", std::process::id()));
        let beside = PathBuf::from(beside);
        match File::options().write(true).create_new(true).open(&beside) {
            Ok(file) => return Ok((file, beside)),
            // A program of this number was killed while it wrote.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}
