//! Files outside an event's folder to which its games are written as they end, in the formats of
//! other programs.

use std::fmt::Write;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use tengen_record::GameRecord;
use tengen_record::formats::{Format, Property, ScoreSheet};

use super::journal::RecordsFile;
use super::{Event, EventError, files};

/// The file of an event's folder that names them, one a line.
const EXPORTS: &str = "exports.txt";

/// A file to which the games of an event are written, besides its records.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameExport {
    /// Its absolute path.
    pub path: PathBuf,
    pub format: Format,
}

impl GameExport {
    /// An export to a file in the folder that the process is in.
    ///
    /// # Errors
    /// When that folder is gone.
    pub fn new(path: &Path, format: Format) -> io::Result<GameExport> {
        Ok(GameExport { path: std::path::absolute(path)?, format })
    }
}

impl Event {
    /// Has the games written to a file as they end, from the next run on. Whatever the file has is
    /// replaced then. The event's folder remembers the file, so that a later run may replace it
    /// too.
    ///
    /// # Errors
    /// When it cannot be noted.
    pub fn export_to(&mut self, export: GameExport) -> Result<(), EventError> {
        let mut known = self.known_exports();
        if !known.contains(&export) {
            known.push(export.clone());
            let mut text = String::new();
            for GameExport { path, format } in known {
                let written = writeln!(text, "{format} {}", path.display());
                written.expect("a string takes every text");
            }
            let fill =
                |file: &mut tengen_files::AtomicFile| io::Write::write_all(file, text.as_bytes());
            files::write(&self.dir.join(EXPORTS), fill)?;
        }
        self.exports.push(export);
        self.exports_are = RecordsFile::Unknown;
        Ok(())
    }

    /// The files that some run of this event wrote. Who names one of them again may replace it: the
    /// folder alone does not decide that, since it may come from anywhere.
    pub fn known_exports(&self) -> Vec<GameExport> {
        let text = tengen_record::read_text(&self.dir.join(EXPORTS), 1 << 20).unwrap_or_default();
        let export = |line: &str| {
            let (format, path) = line.split_once(' ')?;
            Some(GameExport { path: path.into(), format: format.parse().ok()? })
        };
        text.lines().filter_map(export).collect()
    }

    /// Sees to it that the files have every finished game, a finished event's in the order of their
    /// numbers.
    ///
    /// # Errors
    /// When one has to be written and cannot be.
    pub fn keep_exports(&mut self) -> Result<(), EventError> {
        let is_whole = match self.exports_are {
            RecordsFile::Ordered => true,
            RecordsFile::AsEnded => !self.is_finished(),
            RecordsFile::Unknown | RecordsFile::Broken => false,
        };
        if !is_whole || self.exports.iter().any(|export| !export.path.is_file()) {
            for GameExport { path, format } in &self.exports {
                self.export_games(path, *format)?;
            }
            self.exports_are = RecordsFile::Ordered;
        }
        Ok(())
    }

    /// Writes all finished games in a format, as [`Event::export_records`] writes records. They
    /// name the event and its place where it says so; what rating tools read names else its folder.
    ///
    /// # Errors
    /// When the file cannot be written, or the database not read.
    pub fn export_games(&self, path: &Path, format: Format) -> Result<(), EventError> {
        let names = self.export_names();
        self.export(path, |record, bytes| write_game(record, format, &names, bytes))
    }

    pub(super) fn export_names(&self) -> ExportNames {
        let folder = self.dir.file_name().map(|name| name.to_string_lossy().into_owned());
        ExportNames {
            title: self.config.title.clone(),
            place: self.config.place.clone(),
            folder: folder.unwrap_or_default(),
        }
    }
}

/// What exported games say of their event.
pub(super) struct ExportNames {
    title: Option<String>,
    place: Option<String>,
    /// What rating tools are told where it has no title.
    folder: String,
}

/// Writes a game behind others.
pub(super) fn write_game(
    record: &GameRecord,
    format: Format,
    names: &ExportNames,
    bytes: &mut Vec<u8>,
) -> io::Result<()> {
    let mut sheet = ScoreSheet::from_record(record).map_err(io::Error::other)?;
    if sheet.event.is_empty() {
        // Of a folder a game's own file says no more than its record.
        let folder = (format == Format::Pgn).then_some(&names.folder);
        sheet.event = names.title.as_ref().or(folder).cloned().unwrap_or_default();
    }
    if let Some(place) = names.place.as_ref().filter(|_| sheet.property("PC").is_none()) {
        sheet.properties.push(Property { name: "PC".to_owned(), values: vec![place.clone()] });
    }
    bytes.extend(format.bytes(&sheet).map_err(io::Error::other)?);
    Ok(())
}

/// A file of games that grows.
pub(super) struct OpenExport {
    pub export: GameExport,
    /// None when it could not be written.
    pub file: Option<File>,
}
