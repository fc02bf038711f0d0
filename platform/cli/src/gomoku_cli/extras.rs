//! What c-gomoku-cli does that no flag of ours does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{anyhow, bail};
use tengen_lineup::{EventLog, GameMessages};
use tengen_record::formats::sample::{SampleFormat, SampledGame};
use tengen_tournament::EventConfig;

use super::files::{GameFiles, open};
use crate::{WrongUse, report};

/// What c-gomoku-cli does that no flag of ours says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extras {
    /// Where results go that rating tools read.
    pub(super) pgn: Option<PathBuf>,
    /// And games.
    pub(super) sgf: Option<PathBuf>,
    /// And what engines say to people.
    pub(super) messages: Option<PathBuf>,
    pub(super) sampling: Option<Sampling>,
    /// Whether everything that is said is logged.
    pub(super) logs: bool,
    /// Whether only games are written that the first engine lost.
    pub(super) lost_only: bool,
    /// Whether the event ends with the first engine that fails.
    pub(super) stops_at_fault: bool,
    /// The games of a round, between two engines.
    pub(super) games: u32,
    /// The tolerance of each engine, in seconds.
    pub(super) tolerances: Vec<f64>,
}

/// Which positions are written for trainers, and how.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Sampling {
    /// The chance of each position.
    pub frequency: f64,
    pub format: SampleFormat,
    /// Whether the file is compressed by LZ4.
    pub is_compressed: bool,
    pub file: PathBuf,
}

impl Sampling {
    pub(super) fn read(flag: &str, words: &[&str]) -> anyhow::Result<Sampling> {
        let (mut frequency, mut file) = (1.0, None);
        let (mut format, mut is_compressed) = (SampleFormat::Csv, false);
        for word in words {
            match word.split_once('=') {
                Some(("freq", number)) => {
                    let known = number.parse().ok().filter(|chance| (0.0..=1.0).contains(chance));
                    frequency = known.ok_or_else(|| anyhow!("{flag} {word}: expected 0 to 1"))?;
                }
                Some(("file", name)) if !name.is_empty() => file = Some(PathBuf::from(name)),
                Some(("format", name)) => {
                    (format, is_compressed) = match name {
                        "csv" => (SampleFormat::Csv, false),
                        "bin" => (SampleFormat::Bin, false),
                        "bin_lz4" => (SampleFormat::Bin, true),
                        "binpack" => (SampleFormat::Binpack, false),
                        "binpack_lz4" => (SampleFormat::Binpack, true),
                        _ => bail!(
                            "{flag} {word}: expected csv, bin, bin_lz4, binpack or binpack_lz4"
                        ),
                    };
                }
                _ => bail!("{flag} {word}: expected freq=CHANCE, format=FORMAT or file=FILE"),
            }
        }
        let end = if is_compressed { ".lz4" } else { "" };
        let usual = || PathBuf::from(format!("sample.{}{end}", format.name()));
        Ok(Sampling { frequency, format, is_compressed, file: file.unwrap_or_else(usual) })
    }
}

/// Where everything that is said is logged.
const LOG: &str = "c-gomoku-cli.log";

impl Extras {
    /// Calls engines without a name what they call themselves, and says what is forgiven them.
    pub(crate) fn settle(&self, config: &mut EventConfig) -> anyhow::Result<()> {
        if self.sampling.is_some() {
            let (width, height) = (config.size.width(), config.size.height());
            if width != height || width > SampledGame::LARGEST {
                let problem = format!("no samples for a board of {}", config.size);
                return Err(WrongUse(anyhow!(
                    "-sample: {problem}; use a square board up to 22x22"
                ))
                .into());
            }
        }
        for engine in &mut config.engines {
            if engine.label.is_none() && !engine.name.is_empty() {
                engine.label = Some(engine.name.clone());
            }
        }
        let mut tolerances = self.tolerances.clone();
        tolerances.dedup();
        let seconds = tolerances.iter().map(|seconds| seconds / 2.0);
        report::tell(format_args!(
            "tengen: margin of each move: {} s, half of the tolerance as in c-gomoku-cli (the \
             default of --margin is 1 s a game)",
            tengen_lineup::joined(seconds, ", ")
        ));
        Ok(())
    }

    /// Opens the files, which those of before are kept in.
    ///
    /// # Errors
    /// Names the file that cannot be written.
    pub(crate) fn open(
        &self,
        config: &EventConfig,
    ) -> anyhow::Result<(GameFiles, Option<GameMessages>)> {
        let messages = self.messages.is_some().then(GameMessages::default);
        let files = GameFiles::open(self, config, messages.clone())?;
        Ok((files, messages))
    }

    /// Begins the log, in place of one that is there, as there.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn log(&self) -> anyhow::Result<Option<Arc<EventLog>>> {
        if !self.logs {
            return Ok(None);
        }
        let file = open(Path::new(LOG), true)?;
        Ok(Some(Arc::new(EventLog::new(file, Path::new(LOG)))))
    }
}
