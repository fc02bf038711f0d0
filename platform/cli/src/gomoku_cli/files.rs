//! The files that c-gomoku-cli adds games to.

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use jiff::Timestamp;
use lz4_flex::frame::FrameEncoder;
use tengen_lineup::GameMessages;
use tengen_record::GameRecord;
use tengen_record::formats::sample::SampledGame;
use tengen_record::formats::{ScoreSheet, sgf};
use tengen_rules::Seat;
use tengen_tournament::EventConfig;

use super::verdict::pgn;
use super::{Extras, Sampling};
use crate::WrongUse;

/// The files that games are added to, one after the other in the order of their numbers.
pub(crate) struct GameFiles {
    pgn: Option<GamesFile>,
    sgf: Option<GamesFile>,
    messages: Option<(GamesFile, GameMessages)>,
    samples: Option<(SampleFile, Sampling)>,
    /// What the first engine is called, where only games are written that it lost.
    loser: Option<String>,
    /// The games of a round.
    games: u64,
}

struct GamesFile {
    path: PathBuf,
    file: File,
}

/// Where samples go.
enum SampleFile {
    Plain(GamesFile),
    Compressed(PathBuf, Box<FrameEncoder<BufWriter<File>>>),
}

/// Opens a file for what comes behind what is in it, or in place of that.
pub(super) fn open(path: &Path, anew: bool) -> anyhow::Result<File> {
    let mut options = OpenOptions::new();
    let options = options.create(true).write(true).append(!anew).truncate(anew);
    let refused = |error| WrongUse(anyhow!("{}: cannot be written: {error}", path.display()));
    let checked = tengen_files::check_path(path, None);
    Ok(checked.and_then(|()| options.open(path)).map_err(refused)?)
}

impl GamesFile {
    fn open(path: &Path) -> anyhow::Result<GamesFile> {
        Ok(GamesFile { path: path.to_owned(), file: open(path, false)? })
    }

    /// In one piece, so that a program that follows the file finds whole games.
    fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        self.file.write_all(bytes).with_context(|| unwritten(&self.path))
    }
}

fn unwritten(path: &Path) -> String {
    format!("{}: cannot be written; check that there is room for it", path.display())
}

impl SampleFile {
    fn open(sampling: &Sampling) -> anyhow::Result<SampleFile> {
        let path = &sampling.file;
        if !sampling.is_compressed {
            return Ok(SampleFile::Plain(GamesFile::open(path)?));
        }
        // One frame is the whole file.
        let encoder = FrameEncoder::new(BufWriter::new(open(path, true)?));
        Ok(SampleFile::Compressed(path.clone(), Box::new(encoder)))
    }

    fn add(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        match self {
            SampleFile::Plain(output) => output.add(bytes),
            SampleFile::Compressed(path, to) => {
                to.write_all(bytes).with_context(|| unwritten(path))
            }
        }
    }

    fn finish(self) -> anyhow::Result<()> {
        let SampleFile::Compressed(path, encoder) = self else { return Ok(()) };
        let finish = || -> anyhow::Result<()> { Ok(encoder.finish()?.flush()?) };
        finish().with_context(|| unwritten(&path))
    }
}

impl GameFiles {
    /// Opens them all, so that one which cannot be written is known before a game is played.
    pub(super) fn open(
        extras: &Extras,
        config: &EventConfig,
        messages: Option<GameMessages>,
    ) -> anyhow::Result<GameFiles> {
        let output = |path: &Option<PathBuf>| path.as_deref().map(GamesFile::open).transpose();
        let samples = extras.sampling.as_ref();
        let samples = samples.map(|sampling| Ok((SampleFile::open(sampling)?, sampling.clone())));
        let first = config.labels().into_iter().next();
        let pairings = config.engines.len() * (config.engines.len() - 1) / 2;
        Ok(GameFiles {
            pgn: output(&extras.pgn)?,
            sgf: output(&extras.sgf)?,
            messages: output(&extras.messages)?.zip(messages),
            samples: samples.transpose().map_err(|error: anyhow::Error| error)?,
            loser: first.filter(|_| extras.lost_only),
            games: u64::from(extras.games) * pairings as u64,
        })
    }

    /// Adds a game.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(super) fn add(&mut self, record: &GameRecord) -> anyhow::Result<()> {
        let number = record.header.game.unwrap_or_default();
        let seats = &record.header.seats;
        let said = self.messages.as_ref().map(|(_, messages)| messages.take(number));
        if let Some(loser) = &self.loser {
            let lost = |seat: Seat| seats[seat].id == *loser && record.result.winner == Some(!seat);
            if !Seat::ALL.into_iter().any(lost) {
                return Ok(());
            }
        }
        if let Some(file) = &mut self.pgn {
            let moment = Timestamp::now().strftime("%Y.%m.%d %H:%M:%S").to_string();
            file.add(pgn(record, self.games, &moment).as_bytes())?;
        }
        if let Some(file) = &mut self.sgf {
            let sheet = ScoreSheet::from_record(record)?;
            file.add(sgf::write(&sheet).as_bytes())?;
        }
        if let Some((file, _)) = &mut self.messages {
            let (first, second) = (&seats.first.id, &seats.second.id);
            let line = "-".repeat(40);
            let head = format!("{line}\nGame ID: {number}\nEngines: {first} x {second}\n");
            file.add((head + &said.unwrap_or_default()).as_bytes())?;
        }
        if let Some((file, sampling)) = &mut self.samples
            && let Some(game) = SampledGame::of(record)
        {
            // The same event gives the same samples, however many games are played at once.
            let seed = record.header.seed ^ number << 53;
            let is_taken = |place: &usize| chance(seed, *place as u64) <= sampling.frequency;
            let places: Vec<usize> = game.places().filter(is_taken).collect();
            file.add(&game.write(sampling.format, &places))?;
        }
        Ok(())
    }

    /// Ends what has an end.
    ///
    /// # Errors
    /// As [`GameFiles::add`].
    pub(super) fn finish(self) -> anyhow::Result<()> {
        self.samples.map_or(Ok(()), |(samples, _)| samples.finish())
    }
}

/// A number from 0 up to, not including, 1.
fn chance(seed: u64, index: u64) -> f64 {
    (tengen_random::output(seed, index) >> 11) as f64 / (1_u64 << 53) as f64
}
