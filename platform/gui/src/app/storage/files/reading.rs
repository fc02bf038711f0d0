//! Reads games of any format; the contents decide which one it is.

use std::fs;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_record::formats::charset::{self, DecodedText};
use tengen_record::formats::{Format, ScoreSheet, board, ccgc, psq, renlib, rif, sgf, suite};
use tengen_record::{GameRecord, LINE_LIMIT, Unread};
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
    if begins_as_records(&mut file).map_err(&system)? {
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
    if Format::guess(text.as_bytes()) == Some(Format::JsonLines) {
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
fn begins_as_records(file: &mut BufReader<fs::File>) -> std::io::Result<bool> {
    file.fill_buf().map(|bytes| Format::guess(bytes) == Some(Format::JsonLines))
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
    let DecodedText { text, doubt } = charset::decode(bytes);
    // The oldest of RenLib do not say what they are.
    let extension = Path::new(name).extension().and_then(|extension| extension.to_str());
    let told = extension.and_then(Format::of_extension).filter(|format| *format == Format::Lib);
    match told.or_else(|| Format::guess(bytes)) {
        Some(Format::Ccgc) => {
            ccgc::read(bytes).for_each(|sheet| games.take_read(sheet.map(of_sheet)));
            return games.checked(name);
        }
        Some(Format::Lib) => {
            games.take(renlib::read(bytes).map(of_sheet));
            return games.checked(name);
        }
        Some(Format::Rif) => {
            rif::read(&text).for_each(|sheet| games.take_read(sheet.map(of_sheet)));
        }
        Some(Format::Sgf) => {
            for sheet in sgf::read(&text).of_any_game() {
                games.take_read(sheet.map(of_sheet));
            }
        }
        Some(Format::Psq) => {
            for sheet in psq::read(&text) {
                games.take_read(sheet.map(of_sheet));
            }
        }
        Some(_) => match board::read(bytes) {
            Some(sheets) => {
                sheets.into_iter().for_each(|sheet| games.take(sheet.map(of_sheet)));
                return games.checked(name);
            }
            None => points(&text, &mut games),
        },
        None => return Err(FileProblem::Unknown { name: name.to_owned() }),
    }
    if let Some(doubt) = doubt {
        games.take_read(Err(Unread::part(doubt)));
    }
    games.checked(name)
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
