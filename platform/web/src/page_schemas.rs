//! Schemas that are written by hand, of what the page is sent of an event: the derived ones do not
//! have them.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use tengen_tournament::{SpoiledGames, StandingCell, Summary, Tally};

use crate::event_view::cells as cell_columns;

/// A type of the protocol's schema.
pub(crate) fn of_protocol(name: &str) -> Schema {
    json_schema!({ "$ref": format!("#/$defs/{name}") })
}

pub(crate) fn opening_name(_: &mut SchemaGenerator) -> Schema {
    of_protocol("openingName")
}

pub(crate) fn stones(_: &mut SchemaGenerator) -> Schema {
    let points = of_protocol("points");
    json_schema!({
        "required": ["black", "white"], "properties": { "black": points, "white": points },
    })
}

/// What the standings have for an engine.
pub(crate) fn cells(_: &mut SchemaGenerator) -> Schema {
    let labels = ["one".to_owned()];
    let lines = Summary::standings_of(&Tally::default(), &SpoiledGames::default(), &labels);
    let mut properties = Map::new();
    for column in cell_columns() {
        let kind = match column.cell(1, &lines[0]) {
            StandingCell::Text(_) => json!("string"),
            StandingCell::Count(_) | StandingCell::Points(_) => json!("number"),
            StandingCell::Elo(_) => json!(["number", "null"]),
        };
        let Value::String(name) = json!(column) else { panic!("{column:?} is no word") };
        properties.insert(name, json!({ "type": kind }));
    }
    let required: Vec<&String> = properties.keys().collect();
    json_schema!({ "required": required, "properties": properties })
}
