//! The records of an event, which grow as its games end.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tengen_files::open_own;
use tengen_record::GameRecord;

use super::exports::{ExportNames, OpenExport, write_game};
use super::{Event, EventError, RECORDS, records};
use crate::store::StoredGame;
use crate::{EventConfig, Schedule, Stop};

/// What is in the file of records beside an event's database.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordsFile {
    /// What another run left there.
    Unknown,
    /// Every finished game, in the order of their numbers.
    Ordered,
    /// Every finished game, in the order in which they ended.
    AsEnded,
    /// Not every one, because it could not be written.
    Broken,
}

/// Adds the games of a run to the file of records as they end, and to the files that the event's
/// games are exported to. A game is in the database before it is here; that a file cannot be
/// written stops no event.
pub(super) struct Journal<'a> {
    config: &'a EventConfig,
    labels: Vec<String>,
    schedule: Schedule,
    path: PathBuf,
    file: Option<BufWriter<File>>,
    exports: Vec<OpenExport>,
    /// What exports say of the event.
    names: ExportNames,
    last: u64,
    is_ordered: bool,
    /// Whether results were changed since they were written.
    is_outdated: bool,
    line: Vec<u8>,
}

impl<'a> Journal<'a> {
    /// Begins with the games that are there, of which `last` has the greatest number.
    ///
    /// # Errors
    /// When a stop ends it while it writes them.
    pub fn begin(
        event: &Event,
        config: &'a EventConfig,
        last: u64,
        stop: &Stop,
    ) -> Result<Journal<'a>, EventError> {
        let path = event.dir.join(RECORDS);
        let is_whole = matches!(event.records, RecordsFile::Ordered | RecordsFile::AsEnded);
        let begun = if last == 0 {
            open_own(&path, File::options().write(true).create(true).truncate(true))
        } else if is_whole && path.is_file() {
            // This process has just written it.
            open_own(&path, File::options().append(true))
        } else {
            // Whatever the last run left may lack its last games, or end within a line.
            match event.export_records(&path) {
                // Whatever it says follows from that.
                Err(error) if stop.is_requested() => return Err(error),
                written => written
                    .map_err(io::Error::other)
                    .and_then(|()| open_own(&path, File::options().append(true))),
            }
        };
        let file = begun.map(BufWriter::new);
        let file = file.inspect_err(|error| warn(&path, error)).ok();
        let exports = Journal::begin_exports(event, last, stop)?;
        let (schedule, labels, names) = (event.schedule(), config.labels(), event.export_names());
        let is_ordered = !is_whole || event.records == RecordsFile::Ordered;
        Ok(Journal {
            config,
            labels,
            schedule,
            path,
            file,
            exports,
            names,
            last,
            is_ordered,
            is_outdated: false,
            line: Vec::new(),
        })
    }

    /// Begins each export with the games that are there.
    fn begin_exports(event: &Event, last: u64, stop: &Stop) -> Result<Vec<OpenExport>, EventError> {
        let is_whole = matches!(event.exports_are, RecordsFile::Ordered | RecordsFile::AsEnded);
        let mut exports = Vec::new();
        for export in &event.exports {
            let path = &export.path;
            let append = || File::options().append(true).open(path);
            let begun = if last == 0 {
                File::create(path)
            } else if is_whole && path.is_file() {
                append()
            } else {
                match event.export_games(path, export.format) {
                    Err(error) if stop.is_requested() => return Err(error),
                    written => written.map_err(io::Error::other).and_then(|()| append()),
                }
            };
            let file = begun.inspect_err(|error| warn(path, error)).ok();
            exports.push(OpenExport { export: export.clone(), file });
        }
        Ok(exports)
    }

    /// Has the files written anew when the run ends, since results were changed.
    pub fn outdate(&mut self) {
        self.is_outdated = true;
    }

    /// Adds games whose commit has returned.
    pub fn add(&mut self, games: &[StoredGame]) {
        if self.file.is_none() && self.exports.iter().all(|export| export.file.is_none()) {
            return;
        }
        if let Err(error) = self.write(games) {
            warn(&self.path, &error);
            self.file = None;
        }
    }

    fn write(&mut self, games: &[StoredGame]) -> io::Result<()> {
        let mut exported = vec![Vec::new(); self.exports.len()];
        for game in games {
            let scheduled = self.schedule.get(game.number).ok_or(io::ErrorKind::InvalidData)?;
            let record = records::record(self.config, &self.labels, &scheduled, game.clone());
            let record: GameRecord = record.map_err(io::Error::other)?;
            if let Some(file) = &mut self.file {
                self.line.clear();
                record.write_json(&mut self.line);
                self.line.push(b'\n');
                file.write_all(&self.line)?;
            }
            for (open, bytes) in self.exports.iter_mut().zip(&mut exported) {
                let written = write_game(&record, open.export.format, &self.names, bytes);
                open.note(written);
            }
            self.is_ordered &= game.number > self.last;
            self.last = self.last.max(game.number);
        }
        // Games that are committed together appear together.
        for (open, bytes) in self.exports.iter_mut().zip(&exported) {
            let written = open.file.as_mut().map_or(Ok(()), |file| file.write_all(bytes));
            open.note(written);
        }
        self.file.as_mut().map_or(Ok(()), BufWriter::flush)
    }

    /// What the file has now, and what the exports have.
    pub fn end(self) -> (RecordsFile, RecordsFile) {
        let state = |is_whole: bool| match (is_whole, self.is_ordered) {
            _ if self.is_outdated => RecordsFile::Broken,
            (false, _) => RecordsFile::Broken,
            (true, true) => RecordsFile::Ordered,
            (true, false) => RecordsFile::AsEnded,
        };
        let exports = self.exports.iter().all(|export| export.file.is_some());
        (state(self.file.is_some()), state(exports))
    }
}

impl OpenExport {
    /// Closes the file if it could not be written.
    fn note(&mut self, written: io::Result<()>) {
        if let (Err(error), Some(_)) = (written, &self.file) {
            warn(&self.export.path, &error);
            self.file = None;
        }
    }
}

fn warn(path: &Path, error: &io::Error) {
    let path = path.display();
    log::warn!(
        "{path}: cannot be written; it is made again when the event ends or is resumed: {error}"
    );
}

impl Event {
    /// Whether the file of records has every finished game, so that it need not be written again.
    pub fn has_records(&self) -> bool {
        matches!(self.records, RecordsFile::Ordered | RecordsFile::AsEnded)
    }

    /// Whether no run of this process has begun with that file.
    pub fn lacks_records(&self) -> bool {
        self.records == RecordsFile::Unknown
    }

    /// The file of records, `games.jsonl` in the event's folder, with every finished game in it. An
    /// event that goes on has them in the order in which they ended, a finished one in that of
    /// their numbers.
    ///
    /// # Errors
    /// When it has to be written and cannot be, or the database cannot be read.
    pub fn keep_records(&mut self) -> Result<PathBuf, EventError> {
        let path = self.dir.join(RECORDS);
        let is_finished = self.is_finished();
        let is_whole = match self.records {
            RecordsFile::Ordered => true,
            RecordsFile::AsEnded => !is_finished,
            RecordsFile::Unknown | RecordsFile::Broken => false,
        };
        if !is_whole || !path.is_file() {
            self.export_records(&path)?;
            self.records = RecordsFile::Ordered;
        }
        Ok(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::EngineEntry;

    /// A stop ends the writing of many records; the disk is not to blame then.
    #[test]
    fn a_stop_is_no_fault_of_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let engines = ["a", "b"].map(EngineEntry::new).into();
        let config = EventConfig { engines, games: 2, ..EventConfig::default() };
        let event = Event::create(&folder.path().join("event"), config.clone()).unwrap();
        // It cannot be replaced, as if its writing had been ended.
        std::fs::create_dir(event.dir.join(RECORDS)).unwrap();
        let stop = Stop::new();
        let begun = Journal::begin(&event, &config, 1, &stop).unwrap();
        assert_eq!(begun.end().0, RecordsFile::Broken);
        stop.request();
        assert!(Journal::begin(&event, &config, 1, &stop).is_err());
    }
}
