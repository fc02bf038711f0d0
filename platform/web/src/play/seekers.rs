//! Clients that wait for an opponent, whoever that may be.

use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tengen_link::messages::{ClientKind, TableSettings};

use super::outbox::Outbox;

/// The most that wait.
const MOST: usize = 200;

pub(super) struct Seeker {
    pub connection: u64,
    /// The network that it is of.
    pub address: IpAddr,
    pub name: String,
    pub kind: ClientKind,
    pub outbox: Arc<Outbox>,
    pub settings: TableSettings,
}

/// Those that wait, the first one first.
#[derive(Default)]
pub(super) struct Seekers(Mutex<Vec<Seeker>>);

impl Seekers {
    /// Gives both where another one waits for the same, and lets this one wait else.
    ///
    /// # Errors
    /// When too many wait.
    pub fn seek(&self, seeker: Seeker) -> Result<Option<(Seeker, Seeker)>, &'static str> {
        let mut waiting = self.lock();
        waiting.retain(|one| one.connection != seeker.connection);
        if let Some(place) = waiting.iter().position(|one| one.settings == seeker.settings) {
            return Ok(Some((waiting.remove(place), seeker)));
        }
        if waiting.len() >= MOST {
            return Err("too many wait for an opponent; open a table");
        }
        waiting.push(seeker);
        Ok(None)
    }

    /// Lets it wait no more. Whether it did.
    pub fn give_up(&self, connection: u64) -> bool {
        let mut waiting = self.lock();
        let before = waiting.len();
        waiting.retain(|one| one.connection != connection);
        waiting.len() < before
    }

    /// What those that wait want to play.
    pub fn wanted(&self) -> Vec<TableSettings> {
        self.lock().iter().map(|one| one.settings.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Seeker>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
