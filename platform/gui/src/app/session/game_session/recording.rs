//! The record of a running game.

use std::sync::Arc;

use tengen_arbiter::{Game, GameConfig};
use tengen_players::{EngineIdentity, EngineInstance};
use tengen_record::{Header, PlayerHeader};
use tengen_rules::Seat;

use super::handle::GameHandle;
use crate::app::model::PlayerSpec;
use crate::app::storage::archive::{GameFile, record};

/// Saves the game. If that fails, the window shows it and the game goes on.
pub(super) fn save(
    handle: &GameHandle,
    file: &mut Option<GameFile>,
    game: &Game,
    header: &Header,
    detail: Option<String>,
) {
    let record = record(game, header, detail);
    let written = file.as_mut().map(|file| file.write(&record, game.result().is_some()));
    handle.set_record(record);
    let save_error = written.and_then(Result::err).map(Arc::new);
    if save_error.is_some() || handle.snapshot().save_error.is_some() {
        handle.publish(|snapshot| snapshot.save_error = save_error);
    }
}

/// Notes in the record's header what is known of the players now.
pub(super) fn note_players(handle: &GameHandle, game: &Game, header: &mut Header) {
    for seat in Seat::ALL {
        handle.name_person(seat, header.last_player_mut(seat));
        let mut player = header.last_player(seat).clone();
        handle.fill_header(seat, &mut player);
        header.set_player(game.history(), seat, player);
    }
}

/// An engine that was started, and what it says of itself.
#[derive(Clone)]
pub(super) struct StartedEngine {
    pub(super) id: String,
    pub(super) identity: EngineIdentity,
}

impl StartedEngine {
    pub(super) fn new(id: &str, instance: &EngineInstance) -> StartedEngine {
        StartedEngine { id: id.to_owned(), identity: EngineIdentity::of(instance) }
    }

    /// Fills a record's header, if it is for this engine.
    pub(super) fn fill_header(&self, player_header: &mut PlayerHeader) {
        if player_header.id != self.id {
            return;
        }
        let EngineIdentity { name, version, hash, layers, opening_by_arbiter } =
            self.identity.clone();
        *player_header = PlayerHeader {
            name,
            version,
            hash,
            layers,
            opening_by_arbiter,
            ..player_header.clone()
        };
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
        PlayerSpec::Person => (PlayerHeader::PERSON, person),
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
