use std::sync::Arc;

use tengen_arbiter::{Game, GameConfig};
use tengen_record::{Header, Sitter};
use tengen_rules::Seat;

use super::desk::Desk;
use crate::app::Occupant;
use crate::app::archive::{Remarks, Sheet, record};

/// Writes the game down; if that cannot be done, the window says so and the game goes on.
pub(super) fn keep(
    desk: &Desk,
    sheet: &mut Option<Sheet>,
    game: &Game,
    header: &Header,
    remarks: &Remarks,
    detail: Option<String>,
) {
    let record = record(game, header, remarks, detail);
    let written = sheet.as_mut().map(|sheet| sheet.write(&record, game.result().is_some()));
    desk.set_record(record);
    let unkept = written.and_then(Result::err).map(Arc::new);
    if unkept.is_some() || desk.snapshot().unkept.is_some() {
        desk.publish(|snapshot| snapshot.unkept = unkept);
    }
}

/// How a record names who sits there.
pub(super) fn sitter(occupant: &Occupant, person: &str, config: &GameConfig, seat: Seat) -> Sitter {
    let (id, name) = match occupant {
        Occupant::Person => (Sheet::PERSON, person),
        Occupant::Engine(id) => (id.as_str(), id.as_str()),
    };
    Sitter {
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
