//! The file of a room: what has happened, a line each, written before anybody is told.
//!
//! A program that is killed loses nothing that was written; only the last line may be torn. The
//! file is written anew, whole or not at all, when a game begins.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tengen_arbiter::{GameResult, HistoryEntry, Termination};
use tengen_files::AtomicFile;
use tengen_record::{Conditions, GameRecord, Header, action_from_json, action_json};
use tengen_rules::Seat;

use super::keys::RoomKeys;
use super::settings::TableSettings;

/// The most bytes of a room's file that are read again.
const MOST_BYTES: u64 = 64 * 1024 * 1024;

/// A room without its game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct RoomFile {
    pub format: u32,
    pub id: String,
    pub settings: TableSettings,
    pub keys: RoomKeys,
    pub opened: u64,
    pub games: u64,
    pub is_paused: bool,
    pub seats: [Option<SeatFile>; 2],
}

/// Who sits on a seat.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct SeatFile {
    pub key: String,
    pub name: String,
    pub is_remote: bool,
    /// The engine of the server that plays here.
    pub engine: Option<String>,
    pub score: f64,
}

/// Something that somebody said.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct ChatLine {
    pub from: String,
    pub seat: Option<u8>,
    pub text: String,
    pub at: u64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct OverLine {
    pub result: GameResult,
    pub detail: Option<String>,
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Room(RoomFile),
    Chat(ChatLine),
    /// A game that begins: its number, when, and a record without actions.
    Game {
        number: u64,
        began: u64,
        header: Value,
    },
    /// What was done, as in a record.
    Act(Value),
    /// How many actions are left.
    Back(usize),
    Over {
        winner: Option<u8>,
        by: String,
        detail: Option<String>,
    },
}

/// What a room's file holds.
pub(super) struct Restored {
    pub room: RoomFile,
    pub chat: Vec<ChatLine>,
    pub game: Option<RestoredGame>,
}

/// A game in a room's file.
pub(super) struct RestoredGame {
    pub number: u64,
    pub began: u64,
    pub header: Header,
    pub history: Vec<HistoryEntry>,
    pub over: Option<OverLine>,
}

/// The file of a room.
pub(super) struct Journal {
    path: PathBuf,
    file: File,
    /// Whether it could not be written; then it is written anew as soon as that can be.
    is_broken: bool,
}

impl Journal {
    /// The version of the file.
    pub const FORMAT: u32 = 1;

    /// Begins the file of a room.
    pub fn create(path: &Path, room: &RoomFile) -> io::Result<Journal> {
        Journal::write_whole(path, &[Line::Room(room.clone())])
    }

    /// Begins it anew with what is still of use, and a game that begins.
    pub fn begin_game(
        &mut self,
        room: &RoomFile,
        chat: impl Iterator<Item = ChatLine>,
        game: (u64, u64, &Header),
    ) -> io::Result<()> {
        let (number, began, header) = game;
        let mut lines = vec![Line::Room(room.clone())];
        lines.extend(chat.map(Line::Chat));
        lines.push(Line::Game { number, began, header: header_json(header)? });
        *self = Journal::write_whole(&self.path, &lines)?;
        Ok(())
    }

    /// Opens the file of a room that was restored.
    pub fn open(path: &Path) -> io::Result<Journal> {
        let mut file = OpenOptions::new().append(true).open(path)?;
        // What was torn ends here.
        file.write_all(b"\n")?;
        Ok(Journal { path: path.to_owned(), file, is_broken: false })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn write_room(&mut self, room: &RoomFile) -> io::Result<()> {
        self.append(&[Line::Room(room.clone())])
    }

    pub fn write_chat(&mut self, line: &ChatLine) -> io::Result<()> {
        self.append(&[Line::Chat(line.clone())])
    }

    pub fn write_actions(&mut self, entries: &[HistoryEntry]) -> io::Result<()> {
        let mut lines = Vec::with_capacity(entries.len());
        for entry in entries {
            lines.push(Line::Act(serde_json::from_slice(&action_json(entry))?));
        }
        self.append(&lines)
    }

    pub fn write_back(&mut self, keep: usize) -> io::Result<()> {
        self.append(&[Line::Back(keep)])
    }

    pub fn write_over(&mut self, over: &OverLine) -> io::Result<()> {
        let OverLine { result, detail } = over;
        let winner = result.winner.map(|seat| seat as u8);
        let by = result.termination.name().to_owned();
        self.append(&[Line::Over { winner, by, detail: detail.clone() }])
    }

    fn append(&mut self, lines: &[Line]) -> io::Result<()> {
        if self.is_broken {
            // A line that was half written must not hide the next one.
            self.file.write_all(b"\n")?;
        }
        let written = self.file.write_all(&bytes(lines)?);
        self.is_broken = written.is_err();
        written
    }

    fn write_whole(path: &Path, lines: &[Line]) -> io::Result<Journal> {
        let mut file = AtomicFile::create(path)?;
        file.write_all(&bytes(lines)?)?;
        file.finish()?;
        let file = OpenOptions::new().append(true).open(path)?;
        Ok(Journal { path: path.to_owned(), file, is_broken: false })
    }
}

/// Reads the file of a room again. Lines after one that cannot be read are used, since only a line
/// that was being written can be torn; a file without a room in it is none.
///
/// # Errors
/// When it cannot be read, or holds no room or a game that cannot be.
pub(super) fn restore(path: &Path) -> io::Result<Restored> {
    let damaged = |problem: &str| io::Error::new(io::ErrorKind::InvalidData, problem.to_owned());
    if fs::metadata(path)?.len() > MOST_BYTES {
        return Err(damaged("it is too large to be the file of a room"));
    }
    let text = String::from_utf8_lossy(&fs::read(path)?).into_owned();
    let (mut room, mut chat, mut game) = (None, Vec::new(), None::<RestoredGame>);
    for line in text.lines().filter(|line| !line.is_empty()) {
        let Ok(line) = serde_json::from_str(line) else { continue };
        match (line, &mut game) {
            (Line::Room(read), _) => room = Some(read),
            (Line::Chat(line), _) => chat.push(line),
            (Line::Game { number, began, header }, _) => {
                let record = GameRecord::from_json_line(&header.to_string());
                let header = record.map_err(|error| damaged(&error.to_string()))?.header;
                let history = Vec::new();
                game = Some(RestoredGame { number, began, header, history, over: None });
            }
            (Line::Act(action), Some(game)) => {
                let entry = action_from_json(&action.to_string());
                game.history.push(entry.map_err(|error| damaged(&error.to_string()))?);
            }
            (Line::Back(keep), Some(game)) => game.history.truncate(keep),
            (Line::Over { winner, by, detail }, Some(game)) => {
                let termination = Termination::ALL.into_iter().find(|known| known.name() == by);
                let termination = termination.ok_or_else(|| damaged("it has an unknown end"))?;
                let winner = winner.map(|seat| if seat == 0 { Seat::First } else { Seat::Second });
                game.over = Some(OverLine { result: GameResult { winner, termination }, detail });
            }
            _ => return Err(damaged("it has moves of no game")),
        }
    }
    let room: RoomFile = room.ok_or_else(|| damaged("it holds no room"))?;
    if room.format != Journal::FORMAT {
        return Err(damaged("it was written by another version of tengen"));
    }
    Ok(Restored { room, chat, game })
}

fn bytes(lines: &[Line]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    for line in lines {
        serde_json::to_writer(&mut bytes, line)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// The header as a record without actions.
fn header_json(header: &Header) -> io::Result<Value> {
    let result = GameResult { winner: None, termination: Termination::Aborted };
    let record = GameRecord {
        header: header.clone(),
        actions: Vec::new(),
        result,
        detail: None,
        conditions: Conditions::default(),
    };
    Ok(serde_json::from_str(&record.to_json_line())?)
}
