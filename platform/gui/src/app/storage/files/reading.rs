//! Reads games of any format; the contents decide which one it is.

use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_record::formats::{Format, Notation, ScoreSheet, charset, psq, sgf, suite};
use tengen_record::{GameRecord, LINE_LIMIT};
use tengen_rules::Size;
use tengen_tournament::{Event, EventConfig};

use super::{FileProblem, GameCollection};
use crate::app::model::GameData;

#[derive(Debug)]
pub enum FileContents {
    /// One or more games.
    Games(GameCollection),
    /// The folder of an event.
    Event(PathBuf),
    /// The configuration of an event.
    Config(Box<EventConfig>),
}

/// The largest file that is read whole, in bytes.
const MOST_BYTES: u64 = 1 << 28;
/// The board sizes tried for bare points.
const SIDES: [u8; 3] = [15, 20, Size::MAX];

/// Reads a file of any known format.
///
/// # Errors
/// When it cannot be read, is of no known format, or is damaged.
pub fn open(path: &Path) -> Result<FileContents, FileProblem> {
    let name = path.display().to_string();
    let system = FileProblem::system(path);
    if path.is_dir() {
        let event = Event::exists(path).then(|| FileContents::Event(path.to_owned()));
        return event.ok_or(FileProblem::Unknown { name });
    }
    let of_event = path.file_name().is_some_and(|name| name == "event.toml" || name == "event.db");
    if let Some(dir) = path.parent().filter(|dir| of_event && Event::exists(dir)) {
        return Ok(FileContents::Event(dir.to_owned()));
    }
    let length = fs::metadata(path).map_err(&system)?.len();
    if path.extension().is_some_and(|extension| extension == "toml") {
        let config = EventConfig::read(path);
        let damaged = |error: tengen_tournament::ConfigError| {
            let reason = error.to_string();
            FileProblem::Damaged { name, reason }
        };
        return config.map(|config| FileContents::Config(Box::new(config))).map_err(damaged);
    }
    let mut file = BufReader::new(tengen_record::open_file(path).map_err(&system)?);
    if begins_with_brace(&mut file).map_err(&system)? {
        return records(path, file).map(FileContents::Games);
    }
    if length > MOST_BYTES {
        let reason = format!("{} MiB: split it", length >> 20);
        return Err(FileProblem::Damaged { name, reason });
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(&system)?;
    texts(&bytes, &name).map(FileContents::Games)
}

/// Reads a text of any known format.
///
/// # Errors
/// When it is of no known format, or is damaged.
pub fn paste(text: &str, name: &str) -> Result<GameCollection, FileProblem> {
    if text.trim_start().starts_with('{') {
        let mut games = GameCollection::default();
        for line in text.lines().filter(|line| !line.trim().is_empty()) {
            games.take(GameRecord::from_json_line(line).map(of_record));
        }
        if games.is_empty() {
            games = GameCollection::default();
            games.take(GameRecord::from_json_line(text).map(of_record));
        }
        return games.checked(name);
    }
    texts(text.as_bytes(), name)
}

fn of_record(record: GameRecord) -> GameData {
    GameData::Record(Box::new(record))
}

fn of_sheet(sheet: ScoreSheet) -> GameData {
    GameData::Sheet(Arc::new(sheet))
}

/// Looks at the first bytes without reading them.
fn begins_with_brace(file: &mut BufReader<fs::File>) -> std::io::Result<bool> {
    let bytes = file.fill_buf()?;
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    Ok(bytes.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b'{'))
}

/// Reads a file of records, which may be many: of each only the summary and the place are kept.
fn records(path: &Path, mut file: BufReader<fs::File>) -> Result<GameCollection, FileProblem> {
    let system = FileProblem::system(path);
    let mut games = GameCollection::of_file(path);
    let (mut line, mut offset) = (Vec::new(), 0);
    loop {
        line.clear();
        let limit = LINE_LIMIT as u64 + 1;
        let length = file.by_ref().take(limit).read_until(b'\n', &mut line).map_err(&system)?;
        if length == 0 {
            break;
        }
        if !line.trim_ascii().is_empty() {
            let record =
                charset::utf8(&line).and_then(|text| GameRecord::from_json_line(text.trim()));
            games.take_at(record.map(of_record), offset, length);
        }
        offset += length as u64;
    }
    if games.is_empty() && offset <= LINE_LIMIT as u64 {
        // One record may span several lines.
        let whole = fs::read_to_string(path).map_err(&system)?;
        let record = GameRecord::from_json_line(whole.trim());
        let mut one = GameCollection::default();
        one.take(record.map(of_record));
        if !one.is_empty() {
            return one.checked(&path.display().to_string());
        }
    }
    games.checked(&path.display().to_string())
}

/// Reads one record of a file again.
pub(super) fn record_at(path: &Path, offset: u64, length: usize) -> Result<GameData, FileProblem> {
    let system = FileProblem::system(path);
    let mut file = tengen_record::open_file(path).map_err(&system)?;
    file.seek(SeekFrom::Start(offset)).map_err(&system)?;
    let mut line = vec![0; length];
    file.read_exact(&mut line).map_err(&system)?;
    let record = charset::utf8(&line).and_then(|text| GameRecord::from_json_line(text.trim()));
    let damaged = |error: tengen_record::ReadError| FileProblem::Damaged {
        name: path.display().to_string(),
        reason: error.to_string(),
    };
    record.map(of_record).map_err(damaged)
}

/// The games of a text that is not a record.
fn texts(bytes: &[u8], name: &str) -> Result<GameCollection, FileProblem> {
    let mut games = GameCollection::default();
    match guess(bytes) {
        Some(Format::Sgf) => {
            let text = charset::sgf(bytes).map_err(|error| FileProblem::Damaged {
                name: name.to_owned(),
                reason: error.to_string(),
            })?;
            for sheet in sgf::read(&text) {
                games.take(sheet.map(of_sheet));
            }
        }
        Some(Format::Psq) => games.take(psq::read(&charset::any(bytes)).map(of_sheet)),
        Some(_) => points(&charset::any(bytes), &mut games),
        None => return Err(FileProblem::Unknown { name: name.to_owned() }),
    }
    games.checked(name)
}

/// The format of a text, by how it begins.
pub fn guess(bytes: &[u8]) -> Option<Format> {
    if bytes.contains(&0) {
        return None;
    }
    let text = charset::any(bytes);
    let text = text.trim_start_matches('\u{feff}').trim_start();
    if text.starts_with('{') {
        return Some(Format::JsonLines);
    }
    if text.starts_with('(') || text.contains("(;") {
        return Some(Format::Sgf);
    }
    if text.get(..9).is_some_and(|word| word.eq_ignore_ascii_case("piskvorky")) {
        return Some(Format::Psq);
    }
    let first = text.lines().map(str::trim).find(|line| !line.is_empty())?;
    let known = SIDES.iter().any(|&side| stones(first, side).is_some_and(|stones| stones > 0));
    let format = |notation| match notation {
        Notation::Pos => Format::Pos,
        Notation::Offset => Format::Offset,
    };
    known.then(|| format(Notation::of(first)))
}

/// The number of stones of a line on a board of that size.
fn stones(line: &str, side: u8) -> Option<usize> {
    let size = Size::new(side, side).ok()?;
    suite::read_line(line, size).ok()?.map(|stones| stones.len())
}

/// One game or position per line, on the smallest board that fits all of them.
fn points(text: &str, games: &mut GameCollection) {
    let fits = |side: &&u8| {
        text.lines().all(|line| {
            line.trim().is_empty() || {
                let size = Size::new(**side, **side).expect("these sides make boards");
                suite::read_line(line, size)
                    .is_ok_and(|stones| stones.iter().flatten().all(|&stone| size.contains(stone)))
            }
        })
    };
    let side = SIDES.iter().find(fits).copied().unwrap_or(Size::MAX);
    let size = Size::new(side, side).expect("these sides make boards");
    for (number, line) in (1..).zip(text.lines()) {
        match suite::read_line(line, size) {
            Ok(None) => {}
            Ok(Some(stones)) => {
                let sheet = ScoreSheet::from_stones(&stones, size);
                games.take(sheet.map(of_sheet).map_err(|error| format!("line {number}: {error}")));
            }
            Err(error) => games.take(Err(error.in_line(number))),
        }
    }
}
