//! The games of a file in any format, one after another.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use tengen_record::formats::{
    Format, ScoreSheet, board, ccgc, charset, psq, renlib, rif, sgf, suite,
};
use tengen_record::{GameRecord, Lines, ReadError, Records, RecordsError, Unread, open_stream};
use tengen_rules::Size;

use super::SourceGame;
use crate::WrongUse;
use crate::output_target::is_stream;

/// A file of games, opened.
pub(crate) struct ConvertSource {
    path: PathBuf,
    input: Box<dyn Read>,
    format: Format,
    size: Size,
    takes_any_game: bool,
}

/// What is done with each game, or with what is wrong with it.
pub(crate) type GameHandler<'a> =
    dyn FnMut(anyhow::Result<SourceGame>) -> anyhow::Result<ControlFlow<()>> + 'a;

impl ConvertSource {
    const BUFFER: usize = 128 << 10;
    /// The longest file of a format that is read whole, in bytes: a million games in SGF.
    const MOST_BYTES: u64 = 1 << 30;

    pub(crate) fn open(path: &Path, format: Format, size: Size) -> anyhow::Result<ConvertSource> {
        let input: Box<dyn Read> = if is_stream(path) {
            Box::new(io::stdin().lock())
        } else {
            let cannot = |error| anyhow!("{}: cannot be read: {error}", path.display());
            Box::new(open_stream(path).map_err(|error| WrongUse(cannot(error)))?)
        };
        Ok(ConvertSource { path: path.to_owned(), input, format, size, takes_any_game: false })
    }

    /// Whether files may say that they are of another game.
    pub(crate) fn of_any_game(self, takes_any_game: bool) -> ConvertSource {
        ConvertSource { takes_any_game, ..self }
    }

    /// Reads on until there is no more, or enough.
    pub(crate) fn each(self, visit: &mut GameHandler<'_>) -> anyhow::Result<()> {
        match self.format {
            Format::JsonLines => self.records(visit),
            Format::Json => {
                let bytes = self.whole()?;
                let record = charset::utf8(&bytes).and_then(GameRecord::from_json_line);
                once(visit, record.map(|record| SourceGame::Record(Box::new(record))))
            }
            Format::Sgf => {
                let takes_any_game = self.takes_any_game;
                let bytes = self.whole()?;
                let decoded = charset::decode(&bytes);
                let games = sgf::read(&decoded.text);
                let games = if takes_any_game { games.of_any_game() } else { games };
                sheets(games, decoded.doubt, visit)
            }
            Format::Psq => {
                let bytes = self.whole()?;
                let decoded = charset::decode(&bytes);
                sheets(psq::read(&decoded.text), decoded.doubt, visit)
            }
            Format::Ccgc => {
                let bytes = self.whole()?;
                sheets(ccgc::read(&bytes), None, visit)
            }
            Format::Lib => {
                let bytes = self.whole()?;
                once(visit, renlib::read(&bytes).map(sheet))
            }
            Format::Rif => {
                let bytes = self.whole()?;
                let decoded = charset::decode(&bytes);
                sheets(rif::read(&decoded.text), decoded.doubt, visit)
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

    /// One game or position a line; or boards that are drawn, or moves in bytes.
    fn positions(self, visit: &mut GameHandler<'_>) -> anyhow::Result<()> {
        let mut input = BufReader::with_capacity(ConvertSource::BUFFER, self.input);
        let (path, size) = (self.path, self.size);
        let head = input.fill_buf().with_context(|| path.display().to_string())?;
        if self.format == Format::Pos && board::begins(head) {
            let input = Box::new(input);
            let source = ConvertSource { path, input, ..self };
            let boards = board::read(&source.whole()?).unwrap_or_default().into_iter();
            return sheets(boards.map(|board| board.map_err(Unread::game)), None, visit);
        }
        let mut lines = Lines::new(input);
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

/// Games, and what was not read. What is uncertain about the whole text comes last.
fn sheets(
    games: impl Iterator<Item = Result<ScoreSheet, Unread>>,
    doubt: Option<ReadError>,
    visit: &mut GameHandler<'_>,
) -> anyhow::Result<()> {
    for game in games.chain(doubt.map(Unread::part).map(Err)) {
        if visit(game.map(sheet).map_err(Into::into))?.is_break() {
            break;
        }
    }
    Ok(())
}

fn once(visit: &mut GameHandler<'_>, game: Result<SourceGame, ReadError>) -> anyhow::Result<()> {
    visit(game.map_err(anyhow::Error::from)).map(|_| ())
}
