//! The file of a table: a line for each thing that happened, written before any client is told.
//!
//! A program that is killed loses nothing that was written; only the last line may be torn. The
//! file is written anew, whole or not at all, when a game begins, when it has grown much, and after
//! a line could not be written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tengen_arbiter::HistoryEntry;
use tengen_files::{AtomicFile, UNFINISHED, open_own};
use tengen_link::view::ResultView;
use tengen_record::Header;
use tengen_rules::BySeat;

use super::keys::TableKeys;
use tengen_link::messages::ChatLine;
use tengen_link::messages::{TableSettings, known_settings};

/// The most bytes of a table's file that are read again. It is written anew long before.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// How many bytes are added before the file is written anew, so that a restart has little to read.
const MOST_ADDED: u64 = 1024 * 1024;

/// A table without its game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct TableFile {
    pub format: u32,
    pub id: String,
    #[serde(deserialize_with = "known_settings")]
    pub settings: TableSettings,
    pub keys: TableKeys,
    pub opened: u64,
    pub games: u64,
    pub is_paused: bool,
    /// How many times moves were taken back at a seat's wish in the game.
    #[serde(default)]
    pub undone: BySeat<u32>,
    pub seats: BySeat<Option<SeatFile>>,
}

/// The person or engine on a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SeatFile {
    pub key: String,
    pub name: String,
    pub is_remote: bool,
    /// The engine of the server that plays here.
    pub engine: Option<String>,
    /// Whether no player is behind it.
    #[serde(default)]
    pub is_house: bool,
    pub score: f64,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum JournalLine {
    // Files that were written earlier name a room.
    #[serde(alias = "room")]
    Table(Box<TableFile>),
    Chat(ChatLine),
    /// A game that begins: its number, when, and what a record says of it before its actions.
    Game {
        number: u64,
        began: u64,
        header: Box<Header>,
    },
    /// What was done, as in a record.
    Act(Box<HistoryEntry>),
    /// How many actions are left.
    Back(usize),
    Over(ResultView),
}

/// What a table's file holds.
pub(super) struct Restored {
    pub table: TableFile,
    pub chat: Vec<ChatLine>,
    pub game: Option<RestoredGame>,
}

/// A game in a table's file.
pub(super) struct RestoredGame {
    pub number: u64,
    pub began: u64,
    pub header: Header,
    pub history: Vec<HistoryEntry>,
    pub over: Option<ResultView>,
}

pub(super) struct TableJournal {
    path: PathBuf,
    /// None from when it could not be written whole.
    file: Option<File>,
    /// The bytes that were added since it was written whole.
    added: u64,
    /// Whether it could not be written: what was to be there is missing.
    is_broken: bool,
}

impl TableJournal {
    /// The version of the file.
    pub const FORMAT: u32 = 2;

    /// Begins the file of a table.
    pub fn create(path: &Path, table: &TableFile) -> io::Result<TableJournal> {
        let file = Some(write(path, &[JournalLine::Table(Box::new(table.clone()))])?);
        Ok(TableJournal { path: path.to_owned(), file, added: 0, is_broken: false })
    }

    /// Opens the file of a table that was restored.
    pub fn open(path: &Path) -> io::Result<TableJournal> {
        let mut file = open_own(path, OpenOptions::new().append(true))?;
        // What was torn ends here.
        file.write_all(b"\n")?;
        let added = file.metadata()?.len();
        Ok(TableJournal { path: path.to_owned(), file: Some(file), added, is_broken: false })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether it has to be written anew instead of adding to it: something is missing in it, or
    /// most of it is out of date.
    pub fn is_due(&self) -> bool {
        self.is_broken || self.added > MOST_ADDED
    }

    /// Adds lines, all or none where nothing goes wrong.
    pub fn add(&mut self, lines: &[JournalLine]) -> io::Result<()> {
        let bytes = bytes(lines)?;
        self.is_broken = true;
        let file = self.file.as_mut().ok_or(io::ErrorKind::NotFound)?;
        file.write_all(&bytes)?;
        self.is_broken = false;
        self.added += bytes.len() as u64;
        Ok(())
    }

    /// Begins it anew with all that is of use.
    pub fn write_whole(&mut self, lines: &[JournalLine]) -> io::Result<()> {
        self.is_broken = true;
        // Not every system replaces a file that is open.
        self.file = None;
        self.file = Some(write(&self.path, lines)?);
        (self.added, self.is_broken) = (0, false);
        Ok(())
    }
}

/// Writes a file, whole or not at all, and opens it to add to it.
fn write(path: &Path, lines: &[JournalLine]) -> io::Result<File> {
    let mut file = AtomicFile::create_own(path, &path.with_added_extension(UNFINISHED))?;
    file.write_all(&bytes(lines)?)?;
    file.finish()?;
    open_own(path, OpenOptions::new().append(true))
}

/// Reads the file of a table again. Lines after one that cannot be read are used, since only a line
/// that was being written can be torn; a file without a table in it is none.
///
/// # Errors
/// When it cannot be read, or holds no table or a game that cannot be.
pub(super) fn restore(path: &Path) -> io::Result<Restored> {
    let damaged = |problem: &str| io::Error::new(io::ErrorKind::InvalidData, problem.to_owned());
    if fs::metadata(path)?.len() > MOST_BYTES {
        return Err(damaged("it is too large for the file of a table"));
    }
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let (mut table, mut chat, mut game) = (None, Vec::new(), None::<RestoredGame>);
    for line in text.lines().filter(|line| !line.is_empty()) {
        let Ok(line) = serde_json::from_str(line) else { continue };
        match (line, &mut game) {
            (JournalLine::Table(read), _) => table = Some(*read),
            (JournalLine::Chat(line), _) => chat.push(line),
            (JournalLine::Game { number, began, header }, _) => {
                let (header, history) = (*header, Vec::new());
                game = Some(RestoredGame { number, began, header, history, over: None });
            }
            (JournalLine::Act(entry), Some(game)) => game.history.push(*entry),
            (JournalLine::Back(keep), Some(game)) => game.history.truncate(keep),
            (JournalLine::Over(over), Some(game)) => game.over = Some(over),
            _ => return Err(damaged("it has moves before any game")),
        }
    }
    let table: TableFile = table.ok_or_else(|| damaged("it has no table in it"))?;
    if table.format != TableJournal::FORMAT {
        return Err(damaged("it was written by another version of tengen"));
    }
    Ok(Restored { table, chat, game })
}

fn bytes(lines: &[JournalLine]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut bytes, line)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TableFile {
        TableFile {
            format: TableJournal::FORMAT,
            id: "r".to_owned(),
            settings: TableSettings::default(),
            keys: TableKeys::new().unwrap(),
            opened: 0,
            games: 0,
            is_paused: false,
            undone: BySeat::default(),
            seats: BySeat::default(),
        }
    }

    fn chat(text: &str) -> JournalLine {
        JournalLine::Chat(ChatLine {
            from: "Ada".to_owned(),
            seat: None,
            text: text.to_owned(),
            picture: None,
            at: 0,
        })
    }

    #[test]
    fn a_file_that_has_grown_is_due_to_be_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let mut journal = TableJournal::create(&path, &table()).unwrap();
        let long = [chat(&"x".repeat(100_000))];
        for _ in 0..100 {
            match journal.is_due() {
                true => journal
                    .write_whole(&[JournalLine::Table(Box::new(table())), chat("all")])
                    .unwrap(),
                false => journal.add(&long).unwrap(),
            }
        }
        assert!(fs::metadata(&path).unwrap().len() < MOST_ADDED + 300_000);
        assert!(restore(&path).unwrap().chat.iter().any(|line| line.text == "all"));
        // What was there before counts as well.
        journal.add(&[chat(&"x".repeat(2_000_000))]).unwrap();
        assert!(TableJournal::open(&path).unwrap().is_due());
    }

    #[test]
    fn after_a_line_that_could_not_be_written_it_is_written_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("r.jsonl");
        let mut journal = TableJournal::create(&path, &table()).unwrap();
        journal.add(&[chat("one")]).unwrap();
        // A file that is open to be read takes no lines, like a disk that is full.
        journal.file = Some(File::open(&path).unwrap());
        assert!(!journal.is_due());
        journal.add(&[chat("two")]).unwrap_err();
        assert!(journal.is_due());
        journal
            .write_whole(&[JournalLine::Table(Box::new(table())), chat("one"), chat("two")])
            .unwrap();
        assert!(!journal.is_due());
        journal.add(&[chat("three")]).unwrap();
        let said: Vec<_> = restore(&path).unwrap().chat.into_iter().map(|line| line.text).collect();
        assert_eq!(said, ["one", "two", "three"]);
        // Nor is one that could not be written whole any use.
        journal.path = folder.path().join("none").join("r.jsonl");
        journal.write_whole(&[JournalLine::Table(Box::new(table()))]).unwrap_err();
        assert!(journal.is_due());
    }
}
