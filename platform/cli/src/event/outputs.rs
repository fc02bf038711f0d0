//! The files and streams of an event outside its folder.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use tengen_lineup::{EventLog, GameLogs};
use tengen_record::formats::Format;
use tengen_tournament::{Event, GameExport};

use crate::WrongUse;
use crate::flags::Outputs;
use crate::live::EventStream;
use crate::outcome::event_error;
use crate::output_target::is_stream;
use crate::report;

/// The word that stands for a log of each game.
const ALL: &str = "all";

impl Outputs {
    /// Refuses files that are there already or have no folder, before anything is played, and
    /// begins the log. The files that the event's games were exported to may be there.
    ///
    /// # Errors
    /// Names the file.
    pub(crate) fn begin(&self, known: &[GameExport]) -> anyhow::Result<Option<Arc<EventLog>>> {
        let events = self.events.as_ref().filter(|path| !is_stream(path));
        let log = self.log.as_ref().filter(|_| !self.logs_all());
        let ours: Vec<GameExport> = self.exports()?;
        let is_known = |path: &Path| {
            let path = std::path::absolute(path);
            path.is_ok_and(|path| {
                ours.iter().any(|export| export.path == path && known.contains(export))
            })
        };
        let files = [self.sgf.as_ref(), self.pgn.as_ref(), log, events];
        for path in files.into_iter().flatten() {
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            let problem = match parent {
                _ if tengen_files::is_stream(path) || is_known(path) => continue,
                _ if path.exists() => "exists already; name another file, or remove it",
                Some(parent) if !parent.is_dir() => "no such folder",
                _ => continue,
            };
            return Err(WrongUse(anyhow!("{}: {problem}", path.display())).into());
        }
        let Some(path) = log else { return Ok(None) };
        Ok(Some(Arc::new(EventLog::new(create(path)?, path))))
    }

    /// The files of games, which grow as games end. A pipe or a device gets them at the end.
    fn exports(&self) -> anyhow::Result<Vec<GameExport>> {
        let files = self.files().filter(|(path, _)| !tengen_files::is_stream(path));
        let export = |(path, format): (&Path, Format)| {
            GameExport::new(path, format).with_context(|| path.display().to_string())
        };
        files.map(export).collect()
    }

    fn files(&self) -> impl Iterator<Item = (&Path, Format)> {
        let files = [(&self.sgf, Format::Sgf), (&self.pgn, Format::Pgn)];
        files.into_iter().filter_map(|(path, format)| Some((path.as_deref()?, format)))
    }

    /// Has the event write its games to the files as they end. Says which files of an earlier run
    /// are not named again, and stay as they are.
    ///
    /// # Errors
    /// Names the file.
    pub(crate) fn export(&self, event: &mut Event) -> anyhow::Result<()> {
        let exports = self.exports()?;
        for GameExport { path, format } in event.known_exports() {
            let is_named = exports.iter().any(|export| export.path == path);
            if !is_named && path.is_file() && event.tally().len() < event.total() {
                report::tell(format_args!(
                    "tengen: {}: has the games up to now, and gets no more; to write on, name it \
                     again with --{format}",
                    path.display()
                ));
            }
        }
        for export in exports {
            event.export_to(export).map_err(event_error)?;
        }
        Ok(())
    }

    /// Whether a log of each game is to be kept.
    fn logs_all(&self) -> bool {
        self.log.as_ref().is_some_and(|log| log == Path::new(ALL))
    }

    pub(crate) fn game_logs(&self) -> Arc<GameLogs> {
        Arc::new(GameLogs::new(self.logs_all()))
    }

    /// Whether standard output is for other programs while the event runs.
    pub(crate) fn takes_stdout(&self) -> bool {
        self.events.as_ref().is_some_and(|path| is_stream(path))
    }

    /// Begins the stream of what happens, if one is wanted.
    ///
    /// # Errors
    /// Names the file.
    pub(crate) fn stream(&self) -> anyhow::Result<Option<EventStream>> {
        Ok(match &self.events {
            None => None,
            Some(path) if is_stream(path) => Some(EventStream::new(io::stdout())),
            Some(path) => Some(EventStream::new(create(path)?)),
        })
    }

    /// Says which files of games were wanted and may lack some.
    pub(crate) fn tell_unwritten(&self) {
        for (path, _) in self.files() {
            report::tell(format_args!(
                "tengen: {}: not written, because the event was stopped before it continued; name \
                 it again with `tengen tournament resume`",
                path.display()
            ));
        }
    }

    /// Sees to it that the files have all games.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, event: &mut Event) -> anyhow::Result<()> {
        event.keep_exports()?;
        for (path, format) in self.files().filter(|(path, _)| tengen_files::is_stream(path)) {
            event.export_games(path, format)?;
        }
        Ok(())
    }
}

/// A new file, or a device or pipe that is there.
fn create(path: &Path) -> anyhow::Result<File> {
    let file = match tengen_files::is_stream(path) {
        true => tengen_files::open_stream(path),
        false => tengen_files::check_path(path, None).and_then(|()| File::create_new(path)),
    };
    let problem = |error| WrongUse(anyhow!("{}: cannot be written: {error}", path.display()));
    Ok(file.map_err(problem)?)
}
