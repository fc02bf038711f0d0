//! Seats the engines of the window's events, as the command line seats those of its own.

use std::path::PathBuf;
use std::sync::Arc;

use tengen_gui::app::{EventHost, Players};
use tengen_tournament::EventConfig;

use crate::roster::Hosted;

/// Plays events of engines from a folder.
pub(crate) struct Events {
    /// The folder that holds the engines, where an event names none.
    pub engines: PathBuf,
    /// The folder in which new events are made.
    pub folder: PathBuf,
}

impl EventHost for Events {
    fn enroll(&self, config: &mut EventConfig) -> Result<Players, String> {
        if config.dir == EventConfig::default().dir {
            config.dir.clone_from(&self.engines);
        }
        let hosted = Hosted::enroll(config).map_err(|error| format!("{error:#}"))?;
        Ok(Arc::new(hosted))
    }

    fn gather(&self, config: &EventConfig) -> Result<Players, String> {
        let hosted = Hosted::gather(config).map_err(|error| format!("{error:#}"))?;
        Ok(Arc::new(hosted))
    }

    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }
}
