use std::path::PathBuf;

use clap::Args as ClapArgs;

/// Files of an event outside its folder.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Output")]
pub(crate) struct Outputs {
    /// Write the games to this file as they end, as SGF
    ///
    /// Name it again to resume, and it has each game once.
    #[arg(long, value_name = "FILE")]
    pub sgf: Option<PathBuf>,
    /// Write the results to this file as games end, as PGN for rating tools
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
    /// Write what engines are sent and answer to this file; or `all`
    ///
    /// With `all`, a log of every game is kept in the event's folder, not only of those lost by a
    /// fault; `tengen tournament log` shows it.
    #[arg(long, value_name = "FILE|all")]
    pub log: Option<PathBuf>,
    /// Write what happens as JSON lines to this file; - prints them
    ///
    /// These are moves with clocks, games, standings and changes: docs/events.md lists them.
    #[arg(long, value_name = "FILE|-")]
    pub events: Option<PathBuf>,
    /// Show nothing while it runs
    #[arg(long)]
    pub quiet: bool,
}

impl Outputs {
    /// Whether anything is to be written.
    #[cfg(feature = "gui")]
    pub(crate) fn are_wanted(&self) -> bool {
        [&self.sgf, &self.pgn, &self.log, &self.events].into_iter().any(Option::is_some)
            || self.quiet
    }
}
