use std::sync::Arc;

use tengen_arbiter::{Game, GameConfig};
use tengen_record::{Header, PlayerHeader};
use tengen_rules::Seat;

use super::desk::Desk;
use crate::app::archive::{Sheet, record};
use crate::app::{Hired, Occupant};

/// Writes the game down; if that cannot be done, the window says so and the game goes on.
pub(super) fn keep(
    desk: &Desk,
    sheet: &mut Option<Sheet>,
    game: &Game,
    header: &Header,
    detail: Option<String>,
) {
    let mut header = header.clone();
    for seat in Seat::ALL {
        desk.introduce(seat, &mut header.seats[seat]);
    }
    let record = record(game, &header, detail);
    let written = sheet.as_mut().map(|sheet| sheet.write(&record, game.result().is_some()));
    desk.set_record(record);
    let unkept = written.and_then(Result::err).map(Arc::new);
    if unkept.is_some() || desk.snapshot().unkept.is_some() {
        desk.publish(|snapshot| snapshot.unkept = unkept);
    }
}

/// What is known of an engine since it was hired.
#[derive(Clone)]
pub(super) struct Introduction {
    pub(super) id: String,
    pub(super) name: String,
    version: Option<String>,
    hash: Option<String>,
    layers: Vec<String>,
    opening_by_arbiter: bool,
}

impl Introduction {
    pub(super) fn new(id: &str, hired: &Hired) -> Introduction {
        Introduction {
            id: id.to_owned(),
            name: hired.name.clone(),
            version: hired.version.clone(),
            hash: hired.hash.clone(),
            layers: hired.layers.clone(),
            opening_by_arbiter: hired.opening_by_arbiter,
        }
    }

    /// Tells a record, if it is this engine that sits there.
    pub(super) fn tell(&self, sitter: &mut PlayerHeader) {
        if sitter.id == self.id {
            sitter.name.clone_from(&self.name);
            sitter.version.clone_from(&self.version);
            sitter.hash.clone_from(&self.hash);
            sitter.layers.clone_from(&self.layers);
            sitter.opening_by_arbiter = self.opening_by_arbiter;
        }
    }
}

/// How a record names who sits there.
pub(super) fn sitter(
    occupant: &Occupant,
    person: &str,
    config: &GameConfig,
    seat: Seat,
) -> PlayerHeader {
    let (id, name) = match occupant {
        Occupant::Person => (Sheet::PERSON, person),
        Occupant::Engine(id) => (id.as_str(), id.as_str()),
    };
    PlayerHeader {
        id: id.to_owned(),
        name: name.to_owned(),
        version: None,
        hash: None,
        time: config.time[seat],
        margin: config.margin[seat],
        layers: Vec::new(),
        opening_by_arbiter: false,
        opening_engine: None,
    }
}
