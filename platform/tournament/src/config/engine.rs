//! An engine of an event.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use tengen_arbiter::TimeControl;

use super::{LineEndOption, OwnOpening, RestartOption, Seconds, text};

/// An engine of an event. In a file a bare text stands for an engine of that `id`.
///
/// What the file leaves out of `name`, `version`, `hash`, `files`, `layers`, `opening-by-arbiter`
/// and `absent` is filled in when the engine has been looked at, before the event is made.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct EngineEntry {
    /// Its id in the engine folder, its path, `builtin:NAME`, a command as `cmd:python3 my.py`, or
    /// `remote:NAME` for one that plays from another machine.
    pub id: String,
    /// What it is called in results; none calls it by its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What it calls itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Its file; none is found by the id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathBuf>,
    /// Where a command is started; none is the current folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Its version, as it says itself.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub version: String,
    /// The SHA-256 of its file, in hexadecimal.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub hash: String,
    /// The SHA-256 of what is in all its files, in hexadecimal, if they were copied.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub files: String,
    /// The layers of its sandbox that held.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<String>,
    /// Whether it answers no opening questions, and the arbiter answers them for it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub opening_by_arbiter: bool,
    /// Why it never starts, if it is to lose its games by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub absent: Option<String>,
    /// When and why it was removed from the event, if it was: it plays no more games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<String>,
    /// Its assumed strength, for seeding by rating.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<i32>,
    /// Its ceiling on memory, in place of the event's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u32>,
    /// Its ceiling on threads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Its own time control; none is the event's.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub tc: Option<TimeControl>,
    /// Its own margin; none is the event's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin: Option<Seconds>,
    /// What answers opening questions for it.
    #[serde(with = "text", skip_serializing_if = "is_usual")]
    pub opening: OwnOpening,
    /// How lines to it end, if it is a text engine.
    #[serde(with = "text", skip_serializing_if = "is_usual")]
    pub line_end: LineEndOption,
    /// Whether it gets a new process for each game; by default the event's setting.
    #[serde(with = "text::option", skip_serializing_if = "Option::is_none")]
    pub restart: Option<RestartOption>,
    /// Options set before each game.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
}

/// Whether a setting has its default value.
fn is_usual<T: Default + PartialEq>(setting: &T) -> bool {
    *setting == T::default()
}

impl EngineEntry {
    /// How the id of an engine begins that plays from another machine.
    pub const REMOTE: &str = "remote:";
    /// Stands in place of its layers: how it is run is not known here.
    pub const REMOTE_LAYER: &str = "remote";

    /// The name of an engine that plays from another machine; none for an engine of this machine.
    pub fn remote(&self) -> Option<&str> {
        self.id.strip_prefix(EngineEntry::REMOTE)
    }

    /// An engine of which no more than the id is known.
    pub fn new(id: impl Into<String>) -> EngineEntry {
        EngineEntry { id: id.into(), ..EngineEntry::default() }
    }
}

/// The table form; a type of its own because [`EngineEntry`] reads the bare text too.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
struct EngineTable {
    id: String,
    label: Option<String>,
    #[serde(default)]
    name: String,
    path: Option<PathBuf>,
    folder: Option<PathBuf>,
    #[serde(default)]
    version: String,
    #[serde(default)]
    hash: String,
    #[serde(default)]
    files: String,
    #[serde(default)]
    layers: Vec<String>,
    #[serde(default)]
    opening_by_arbiter: bool,
    absent: Option<String>,
    removed: Option<String>,
    rating: Option<i32>,
    memory_mib: Option<u32>,
    threads: Option<u32>,
    #[serde(default, with = "text::option")]
    tc: Option<TimeControl>,
    margin: Option<Seconds>,
    #[serde(default, with = "text")]
    opening: OwnOpening,
    #[serde(default, with = "text")]
    line_end: LineEndOption,
    #[serde(default, with = "text::option")]
    restart: Option<RestartOption>,
    #[serde(default)]
    options: BTreeMap<String, String>,
}

impl From<EngineTable> for EngineEntry {
    fn from(table: EngineTable) -> EngineEntry {
        EngineEntry {
            id: table.id,
            label: table.label,
            name: table.name,
            path: table.path,
            folder: table.folder,
            version: table.version,
            hash: table.hash,
            files: table.files,
            layers: table.layers,
            opening_by_arbiter: table.opening_by_arbiter,
            absent: table.absent,
            removed: table.removed,
            rating: table.rating,
            memory_mib: table.memory_mib,
            threads: table.threads,
            tc: table.tc,
            margin: table.margin,
            opening: table.opening,
            line_end: table.line_end,
            restart: table.restart,
            options: table.options,
        }
    }
}

impl<'de> Deserialize<'de> for EngineEntry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<EngineEntry, D::Error> {
        from.deserialize_any(EngineEntryVisitor)
    }
}

struct EngineEntryVisitor;

impl<'de> Visitor<'de> for EngineEntryVisitor {
    type Value = EngineEntry;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an engine's id, or a table with an id")
    }

    fn visit_str<E: Error>(self, id: &str) -> Result<EngineEntry, E> {
        Ok(EngineEntry::new(id))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<EngineEntry, A::Error> {
        EngineTable::deserialize(MapAccessDeserializer::new(map)).map(EngineEntry::from)
    }
}
