use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tengen_tournament::{Event, EventFollower, Watcher};

use super::{NO_SERVER, TeamChangeListener};
use crate::{EngineRoster, WrongUse};

/// There is none in this build.
pub enum LiveListener {}

/// There is none in this build.
pub enum LiveServer {}

impl LiveListener {
    /// Says that there is none.
    pub fn bind(
        _: SocketAddr,
        _: Option<(&Path, &Path)>,
        _: Duration,
    ) -> anyhow::Result<LiveListener> {
        Err(WrongUse(anyhow::anyhow!(NO_SERVER)).into())
    }

    #[must_use]
    pub fn reached_at(self, _: Option<String>) -> LiveListener {
        match self {}
    }

    pub fn shown_address(&self) -> SocketAddr {
        match *self {}
    }

    pub fn own_url(&self) -> String {
        match *self {}
    }

    pub fn serve(
        self,
        _: &Event,
        _: &mut EngineRoster,
        _: TeamChangeListener,
    ) -> anyhow::Result<LiveServer> {
        match self {}
    }
}

impl LiveServer {
    pub fn url(&self) -> &str {
        match *self {}
    }

    pub fn watcher(&self) -> &dyn Watcher {
        match *self {}
    }

    pub fn follower(&self) -> &Arc<EventFollower> {
        match *self {}
    }

    pub fn tell_end(&self, _: bool) {
        match *self {}
    }

    pub fn wait_until_told(&self) {
        match *self {}
    }
}
