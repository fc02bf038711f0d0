//! The types of what the page reads and says, as TypeScript: `page/protocol.d.ts` is made from the
//! schema of the protocol, and `page/event.d.ts` from the types that are sent beside it. A change
//! of one of those fails a test here, and where the page uses it, `cargo xtask page`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::game_list::GameList;
use super::hub::{ChangedEvent, GameEvent, OverEvent, SnapshotView, StepEvent, ThoughtEvent};
use super::routes::EventList;
use crate::page_schemas::of_protocol;
use crate::report::EventData;

const PROTOCOL: &str = include_str!("../../../../docs/protocol.schema.json");

/// The most characters of what is written on one line.
const SHORT: usize = 76;

/// What a viewer sees first, with the tables.
#[derive(JsonSchema)]
#[schemars(rename = "SnapshotEvent")]
#[expect(dead_code, reason = "the hub writes its two parts")]
struct WholeSnapshot {
    #[schemars(flatten)]
    head: SnapshotView,
    #[schemars(schema_with = "live_games")]
    tables: (),
}

pub(super) fn live_game(_: &mut SchemaGenerator) -> Schema {
    of_protocol("liveGame")
}

pub(super) fn points(_: &mut SchemaGenerator) -> Schema {
    of_protocol("points")
}

pub(super) fn result_view(_: &mut SchemaGenerator) -> Schema {
    of_protocol("resultView")
}

pub(super) fn search_info(_: &mut SchemaGenerator) -> Schema {
    of_protocol("searchInfo")
}

pub(super) fn step_view(_: &mut SchemaGenerator) -> Schema {
    of_protocol("stepView")
}

pub(super) fn turn_view(_: &mut SchemaGenerator) -> Schema {
    // What is flattened has to be there as a whole.
    let mut protocol: Value = serde_json::from_str(PROTOCOL).unwrap();
    protocol["$defs"]["turnView"].take().try_into().unwrap()
}

fn live_games(_: &mut SchemaGenerator) -> Schema {
    let numbered = [json!({ "type": "integer" }), of_protocol("liveGame").to_value()];
    json_schema!({ "type": "array", "items": { "prefixItems": numbered } })
}

/// The schemas of types, by their names as TypeScript has them.
type Schemas = BTreeMap<String, Value>;

/// The messages of the protocol, and what is in them.
fn of_the_protocol() -> Schemas {
    let mut protocol: Value = serde_json::from_str(PROTOCOL).unwrap();
    let schemas = std::mem::take(protocol["$defs"].as_object_mut().unwrap());
    schemas.into_iter().map(|(name, schema)| (type_name(&name), schema)).collect()
}

/// What the page reads of events.
fn of_events() -> Schemas {
    let mut generator = SchemaSettings::draft2020_12().for_serialize().into_generator();
    generator.subschema_for::<EventData<'_>>();
    generator.subschema_for::<EventList<'_>>();
    generator.subschema_for::<GameList>();
    generator.subschema_for::<WholeSnapshot>();
    generator.subschema_for::<GameEvent<'_>>();
    generator.subschema_for::<StepEvent<'_>>();
    generator.subschema_for::<OverEvent<'_>>();
    generator.subschema_for::<ThoughtEvent<'_>>();
    generator.subschema_for::<ChangedEvent>();
    generator.take_definitions(true).into_iter().collect()
}

fn type_name(name: &str) -> String {
    name[..1].to_uppercase() + &name[1..]
}

/// Writes schemas as TypeScript.
struct TypeWriter<'a>(&'a Schemas);

impl TypeWriter<'_> {
    fn file(&self) -> String {
        let mut file = String::new();
        for (name, schema) in self.0 {
            let written = self.write(schema, &BTreeSet::new());
            file += &format!("\n{}export type {name} = {written};\n", comment(schema));
        }
        file
    }

    /// A schema; of its keys these have to be there beside those that it says.
    fn write(&self, schema: &Value, required: &BTreeSet<String>) -> String {
        let Value::Object(keys) = schema else {
            return if schema == &json!(false) { "never" } else { "unknown" }.to_owned();
        };
        if let Some(of) = keys.get("$ref") {
            let name = type_name(of.as_str().unwrap().rsplit('/').next().unwrap());
            let mut more = keys.clone();
            more.retain(|key, _| key != "$ref" && key != "description");
            if more.is_empty() {
                return name;
            }
            let mut whole = self.0[&name].clone();
            whole.as_object_mut().unwrap().extend(more);
            return self.write(&whole, required);
        }
        if let Some(value) = keys.get("const") {
            return value.to_string();
        }
        if let Some(values) = keys.get("enum") {
            return union(list(values).iter().map(Value::to_string));
        }
        let mut required = required.clone();
        required.extend(keys.get("required").into_iter().flat_map(list).map(text));
        let written = |schema: &Value| self.write(schema, &required);
        let mut parts: Vec<String> =
            keys.get("allOf").into_iter().flat_map(list).map(written).collect();
        for key in ["oneOf", "anyOf"] {
            // Some only say which keys have to be there.
            let is_type = |schema: &&Value| schema.as_object().unwrap().keys().ne(["required"]);
            let some = keys.get(key).into_iter().flat_map(list).filter(is_type);
            let some: Vec<String> = some.map(written).collect();
            if !some.is_empty() {
                parts.push(union(some.into_iter()));
            }
        }
        let kinds = match keys.get("type") {
            Some(Value::Array(kinds)) => kinds.iter().map(text).collect(),
            Some(kind) => vec![text(kind)],
            None if keys.contains_key("prefixItems") => vec!["array".to_owned()],
            None => vec!["object".to_owned()],
        };
        let has_shape =
            ["properties", "additionalProperties"].iter().any(|key| keys.contains_key(*key));
        if parts.is_empty() || has_shape {
            parts.push(union(kinds.iter().map(|kind| self.of_kind(kind, keys, &required))));
        }
        let is_one = parts.len() == 1;
        let wrapped =
            |part: String| if part.contains("| ") && !is_one { format!("({part})") } else { part };
        parts.into_iter().map(wrapped).collect::<Vec<_>>().join(" & ")
    }

    fn of_kind(
        &self,
        kind: &str,
        keys: &Map<String, Value>,
        required: &BTreeSet<String>,
    ) -> String {
        let none = BTreeSet::new();
        match kind {
            "integer" => "number".to_owned(),
            "array" => {
                if let Some(items) = keys.get("prefixItems") {
                    let items: Vec<_> =
                        list(items).iter().map(|item| self.write(item, &none)).collect();
                    return format!("[{}]", items.join(", "));
                }
                let item = self.write(&keys["items"], &none);
                match keys.get("maxItems").filter(|most| keys.get("minItems") == Some(most)) {
                    Some(count) if count.as_u64() < Some(6) => {
                        let items = vec![item; count.as_u64().unwrap() as usize];
                        format!("[{}]", items.join(", "))
                    }
                    _ if item.contains("| ") || item.contains(" & ") => format!("({item})[]"),
                    _ => format!("{item}[]"),
                }
            }
            "object" => {
                let (names, values) = (keys.get("propertyNames"), keys.get("additionalProperties"));
                let values = values.filter(|values| values.is_object());
                if names.is_some() || values.is_some() {
                    let write = |schema, other: &str| match schema {
                        Some(schema) => self.write(schema, &none),
                        None => other.to_owned(),
                    };
                    return format!(
                        "Record<{}, {}>",
                        write(names, "string"),
                        write(values, "unknown")
                    );
                }
                let properties = keys.get("properties").and_then(Value::as_object);
                let properties: BTreeMap<_, _> = properties.into_iter().flatten().collect();
                let property = |(key, schema): (&String, &Value)| {
                    let mark = if required.contains(key) { "" } else { "?" };
                    format!("{}{key}{mark}: {}", comment(schema), self.write(schema, &none))
                };
                let properties: Vec<String> = properties.into_iter().map(property).collect();
                let line = format!("{{ {} }}", properties.join("; "));
                if line.len() <= SHORT && !line.contains('\n') {
                    return line;
                }
                let all = properties.join(";\n").replace('\n', "\n  ");
                format!("{{\n  {all};\n}}")
            }
            _ => kind.to_owned(),
        }
    }
}

fn union(types: impl Iterator<Item = String>) -> String {
    let types: Vec<String> = types.collect();
    let line = types.join(" | ");
    if line.len() <= SHORT { line } else { types.join("\n  | ") }
}

fn list(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap()
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

/// What the source says of a type or a key.
fn comment(schema: &Value) -> String {
    match schema["description"].as_str() {
        Some(told) => format!("/** {} */\n", told.replace('\n', "\n * ")),
        None => String::new(),
    }
}

/// Panics where a file is not as it is made now.
fn check(name: &str, types: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("page").join(name);
    let made = format!("// Made by a test of `web/src/server/page_types.rs`; see there.\n{types}");
    if std::env::var_os("UPDATE_PAGE_TYPES").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        made == kept,
        "{name}: what is sent to the page has changed. Run this test with UPDATE_PAGE_TYPES=1, and \
         then `cargo xtask page`"
    );
}

#[test]
fn the_types_of_the_page_are_those_that_are_sent() {
    let protocol = of_the_protocol();
    check("protocol.d.ts", &TypeWriter(&protocol).file());
    let events = TypeWriter(&of_events()).file();
    let words: BTreeSet<&str> = events.split(|sign: char| !sign.is_alphanumeric()).collect();
    let used: Vec<&str> =
        protocol.keys().map(String::as_str).filter(|name| words.contains(name)).collect();
    let used = used.join(",\n  ");
    let import = format!("\nimport type {{\n  {used},\n}} from \"./protocol.d.ts\";\n");
    check("event.d.ts", &(import + &events));
}
