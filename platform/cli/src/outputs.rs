use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use clap::Args as ClapArgs;
use tengen_record::formats::Format;

use crate::WrongUse;
use crate::convert::export;
use crate::event_log::EventLog;

/// Files of an event outside its folder.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Outputs {
    /// Write the games to this file when done, as SGF
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,
    /// Write the results to this file when done, as PGN for rating tools
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write a log of everything that is sent to engines and everything that they answer
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
}

impl Outputs {
    /// Refuses files that are there already or have no folder, before anything is played, and
    /// begins the log.
    ///
    /// # Errors
    /// Names the file.
    pub(crate) fn begin(&self) -> anyhow::Result<Option<Arc<EventLog>>> {
        let files = [&self.sgf, &self.pgn, &self.log];
        for path in files.into_iter().flatten() {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let problem = match parent {
                _ if tengen_files::is_stream(path) => continue,
                _ if path.exists() => "exists already; name another file, or remove it",
                Some(parent) if !parent.is_dir() => "no such folder",
                _ => continue,
            };
            return Err(WrongUse(anyhow!("{}: {problem}", path.display())).into());
        }
        let Some(path) = &self.log else { return Ok(None) };
        let file = match tengen_files::is_stream(path) {
            true => tengen_files::open_stream(path),
            false => File::create_new(path),
        };
        let file = file
            .map_err(|error| WrongUse(anyhow!("{}: cannot be written: {error}", path.display())))?;
        Ok(Some(Arc::new(EventLog::new(file))))
    }

    /// Whether anything is to be written.
    #[cfg(feature = "gui")]
    pub(crate) fn are_wanted(&self) -> bool {
        [&self.sgf, &self.pgn, &self.log].into_iter().any(Option::is_some)
    }

    /// Writes the games of these records.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, records: &Path) -> anyhow::Result<()> {
        for (path, format) in [(&self.sgf, Format::Sgf), (&self.pgn, Format::Pgn)] {
            let Some(path) = path else { continue };
            export(records, path, format)
                .with_context(|| format!("{}: not written", path.display()))?;
        }
        Ok(())
    }
}
