//! The games of a file in any format, one after another.

use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use tengen_record::formats::{Format, ScoreSheet, charset, psq, sgf, suite};
use tengen_record::{GameRecord, Lines, ReadError, Records, RecordsError, open_stream};
use tengen_rules::Size;

use super::SourceGame;
use crate::WrongUse;
use crate::output_target::is_stream;

pub(super) struct ConvertSource {
    path: PathBuf,
    input: Box<dyn Read>,
    format: Format,
    size: Size,
}

/// What is done with each game, or with what is wrong with it.
type GameHandler<'a> =
    dyn FnMut(anyhow::Result<SourceGame>) -> anyhow::Result<ControlFlow<()>> + 'a;

impl ConvertSource {
    const BUFFER: usize = 128 << 10;
    /// The longest file of a format that is read whole, in bytes: a million games in SGF.
    const MOST_BYTES: u64 = 1 << 30;

    pub(super) fn open(path: &Path, format: Format, size: Size) -> anyhow::Result<ConvertSource> {
        let input: Box<dyn Read> = if is_stream(path) {
            Box::new(io::stdin().lock())
        } else {
            let cannot = |error| anyhow!("{}: cannot be read: {error}", path.display());
            Box::new(open_stream(path).map_err(|error| WrongUse(cannot(error)))?)
        };
        Ok(ConvertSource { path: path.to_owned(), input, format, size })
    }

    /// Reads on until there is no more, or enough.
    pub(super) fn each(self, visit: &mut GameHandler<'_>) -> anyhow::Result<()> {
        match self.format {
            Format::JsonLines => self.records(visit),
            Format::Json => {
                let bytes = self.whole()?;
                let record = charset::utf8(&bytes).and_then(GameRecord::from_json_line);
                once(visit, record.map(|record| SourceGame::Record(Box::new(record))))
            }
            Format::Sgf => {
                let path = self.path.clone();
                let bytes = self.whole()?;
                let text = charset::sgf(&bytes).with_context(|| path.display().to_string())?;
                for sheet in sgf::read(&text) {
                    if visit(game(sheet))?.is_break() {
                        break;
                    }
                }
                Ok(())
            }
            Format::Psq => {
                let bytes = self.whole()?;
                once(visit, psq::read(&charset::any(&bytes)).map(sheet))
            }
            Format::Pos | Format::Offset => self.positions(visit),
            Format::Pgn => Err(anyhow!("PGN files have no moves to read")),
        }
    }

    fn records(self, visit: &mut GameHandler<'_>) -> anyhow::Result<()> {
        let path = self.path;
        for record in Records::new(BufReader::with_capacity(ConvertSource::BUFFER, self.input)) {
            let game = match record {
                Ok(record) => Ok(SourceGame::Record(Box::new(record))),
                Err(RecordsError::Line(error)) => Err(error.into()),
                Err(error) => return Err(error).with_context(|| path.display().to_string()),
            };
            if visit(game)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    /// One game or position a line.
    fn positions(self, visit: &mut GameHandler<'_>) -> anyhow::Result<()> {
        let (path, size) = (self.path, self.size);
        let mut lines = Lines::new(BufReader::with_capacity(ConvertSource::BUFFER, self.input));
        loop {
            let line = lines.next_line().with_context(|| path.display().to_string())?;
            let Some(line) = line else { return Ok(()) };
            let stones = line.and_then(|line| suite::read_line(line, size));
            let number = lines.number();
            let game = match stones {
                Ok(None) => continue,
                Ok(Some(stones)) => ScoreSheet::from_stones(&stones, size)
                    .map(sheet)
                    .map_err(|error| anyhow!("line {number}: {error}")),
                Err(error) => Err(error.in_line(number).into()),
            };
            if visit(game)?.is_break() {
                return Ok(());
            }
        }
    }

    fn whole(self) -> anyhow::Result<Vec<u8>> {
        let path = self.path.display();
        let mut bytes = Vec::new();
        let read = self.input.take(ConvertSource::MOST_BYTES + 1).read_to_end(&mut bytes);
        read.with_context(|| format!("{path}: cannot be read"))?;
        if bytes.len() as u64 > ConvertSource::MOST_BYTES {
            bail!("{path}: larger than {} MiB; split it", ConvertSource::MOST_BYTES >> 20);
        }
        Ok(bytes)
    }
}

fn sheet(sheet: ScoreSheet) -> SourceGame {
    SourceGame::Sheet(Box::new(sheet))
}

fn game(read: Result<ScoreSheet, ReadError>) -> anyhow::Result<SourceGame> {
    Ok(sheet(read?))
}

fn once(visit: &mut GameHandler<'_>, game: Result<SourceGame, ReadError>) -> anyhow::Result<()> {
    visit(game.map_err(anyhow::Error::from)).map(|_| ())
}
