//! The record of a running game.

use std::sync::Arc;

use tengen_arbiter::{Game, GameConfig};
use tengen_record::{Header, PlayerHeader};
use tengen_rules::Seat;

use super::handle::GameHandle;
use crate::app::model::{EngineInstance, PlayerSpec};
use crate::app::storage::archive::{GameFile, record};

/// Saves the game. If that fails, the window shows it and the game goes on.
pub(super) fn save(
    handle: &GameHandle,
    file: &mut Option<GameFile>,
    game: &Game,
    header: &Header,
    detail: Option<String>,
) {
    let mut header = header.clone();
    for seat in Seat::ALL {
        handle.fill_header(seat, &mut header.seats[seat]);
    }
    let record = record(game, &header, detail);
    let written = file.as_mut().map(|file| file.write(&record, game.result().is_some()));
    handle.set_record(record);
    let save_error = written.and_then(Result::err).map(Arc::new);
    if save_error.is_some() || handle.snapshot().save_error.is_some() {
        handle.publish(|snapshot| snapshot.save_error = save_error);
    }
}

/// What is known of a started engine.
#[derive(Clone)]
pub(super) struct EngineIdentity {
    pub(super) id: String,
    pub(super) name: String,
    version: Option<String>,
    hash: Option<String>,
    layers: Vec<String>,
    opening_by_arbiter: bool,
}

impl EngineIdentity {
    pub(super) fn new(id: &str, instance: &EngineInstance) -> EngineIdentity {
        EngineIdentity {
            id: id.to_owned(),
            name: instance.name.clone(),
            version: instance.version.clone(),
            hash: instance.hash.clone(),
            layers: instance.layers.clone(),
            opening_by_arbiter: instance.opening_by_arbiter,
        }
    }

    /// Fills a record's header, if it is for this engine.
    pub(super) fn fill_header(&self, player_header: &mut PlayerHeader) {
        if player_header.id == self.id {
            player_header.name.clone_from(&self.name);
            player_header.version.clone_from(&self.version);
            player_header.hash.clone_from(&self.hash);
            player_header.layers.clone_from(&self.layers);
            player_header.opening_by_arbiter = self.opening_by_arbiter;
        }
    }
}

/// The header of a player in a record.
pub(super) fn player_header(
    spec: &PlayerSpec,
    person: &str,
    config: &GameConfig,
    seat: Seat,
) -> PlayerHeader {
    let (id, name) = match spec {
        PlayerSpec::Person => (GameFile::PERSON, person),
        PlayerSpec::Engine(id) => (id.as_str(), id.as_str()),
    };
    PlayerHeader {
        id: id.to_owned(),
        name: name.to_owned(),
        version: None,
        hash: None,
        options: Default::default(),
        time: config.time[seat],
        margin: config.margin[seat],
        layers: Vec::new(),
        opening_by_arbiter: false,
        opening_engine: None,
    }
}
