use std::collections::BTreeMap;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
pub use tengen_players::GameVariant;
use tengen_players::Player;

/// Where the engines come from. The window knows no more of them than this.
///
/// Every call may be slow, for a folder is read or an engine is started: none is made on the
/// window's thread.
pub trait EngineProvider: Send + Sync {
    /// What is there now. Nothing of it is started.
    fn list(&self) -> EngineList;

    /// Fetches an engine for games of one kind.
    ///
    /// # Errors
    /// Why it cannot play them, in words for the person who chose it.
    fn start_engine(&self, id: &str, terms: &GameVariant) -> Result<EngineInstance, String>;

    /// The folder that engines are dropped into, where there is one.
    fn folder(&self) -> Option<PathBuf> {
        None
    }

    /// Takes over what the person added and set; everything else goes by it from then on.
    fn configure(&self, _kept: &EngineSettings) {}

    /// Asks an engine what it is.
    ///
    /// # Errors
    /// Why it cannot be started, in words.
    fn describe(&self, id: &str) -> Result<EngineProfile, String> {
        Err(format!("nothing is known of {id}"))
    }

    /// Examines an engine, and tells each finding as it is made. It stops early when `on_finding`
    /// says no to one.
    ///
    /// # Errors
    /// Why it cannot be examined, in words.
    fn check(&self, id: &str, _go_on: CheckCallback) -> Result<(), String> {
        Err(format!("nothing is known of {id}"))
    }
}

/// Hears what an examination finds, and says whether it is to go on.
pub type CheckCallback = Box<dyn FnMut(CheckFinding) -> bool + Send>;

/// One step of an examination.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFinding {
    /// What was tried.
    pub name: String,
    /// Whether the engine passed.
    pub ok: bool,
    /// What was seen.
    pub detail: String,
}

/// The engines that a person added by hand, and what was set on any.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct EngineSettings {
    /// Paths and commands, each the id of its engine.
    pub added: Vec<String>,
    /// Values by the names of options, by the ids of engines.
    pub options: BTreeMap<String, BTreeMap<String, String>>,
}

/// What an engine says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineProfile {
    /// How it runs, as `native`.
    pub kind: String,
    /// Where it lies; empty for one that is built in.
    pub path: PathBuf,
    /// Its name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// One line about it.
    pub about: Option<String>,
    /// The rules it plays, as `renju 15`; none named is all.
    pub rules: Vec<String>,
    /// The walls around it that hold here.
    pub layers: Vec<String>,
    /// What may be set.
    pub options: Vec<OptionField>,
}

/// An option of an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionField {
    /// Its name.
    pub name: String,
    /// What it takes.
    pub kind: OptionFieldKind,
    /// Its value unless the person sets it.
    pub default: String,
}

/// What an option takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionFieldKind {
    /// A whole number.
    Int {
        /// What it may be.
        range: RangeInclusive<i64>,
        /// Its unit, as `MiB`.
        unit: Option<String>,
    },
    /// `true` or `false`.
    Bool,
    /// One of these words.
    Choice(Vec<String>),
    /// Any text.
    Text,
}

/// What stands on a shelf.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineList {
    /// The engines, in the order they are offered.
    pub engines: Vec<ListedEngine>,
    /// What looks like an engine and is none, with the reason.
    pub refused: Vec<(String, String)>,
    /// Why the folder could not be read, if it could not.
    pub problem: Option<String>,
}

/// An engine on a shelf.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedEngine {
    /// What it is asked for by.
    pub id: String,
    /// What people call it.
    pub name: String,
}

impl EngineList {
    /// Calls by their ids those whose names are alike.
    pub(super) fn make_names_unique(&mut self) {
        let known: Vec<String> = self.engines.iter().map(|engine| engine.name.clone()).collect();
        for engine in &mut self.engines {
            if known.iter().filter(|name| **name == engine.name).count() > 1 {
                engine.name.clone_from(&engine.id);
            }
        }
    }

    /// What people call the engine of that id; the id itself where it is not known.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.engines.iter().find(|engine| engine.id == id).map_or(id, |engine| &engine.name)
    }
}

/// An engine that was hired.
pub struct EngineInstance {
    /// The name it gives itself.
    pub name: String,
    /// Its version, if it told one.
    pub version: Option<String>,
    /// The SHA-256 of its file, in hexadecimal.
    pub hash: Option<String>,
    /// The walls that hold around it.
    pub layers: Vec<String>,
    /// Whether its opening questions are answered in its place.
    pub opening_by_arbiter: bool,
    /// The engine itself.
    pub player: Box<dyn Player>,
    /// Stops whatever it does. It is not used again afterwards.
    pub interrupt: Arc<dyn Fn() + Send + Sync>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_of_one_name_are_called_by_their_ids() {
        let listed =
            |id: &str, name: &str| ListedEngine { id: id.to_owned(), name: name.to_owned() };
        let engines = vec![listed("builtin:one", "one"), listed("one", "one"), listed("b", "two")];
        let mut engine_list = EngineList { engines, ..EngineList::default() };
        engine_list.make_names_unique();
        let names = ["builtin:one", "one", "b"].map(|id| engine_list.name(id).to_owned());
        assert_eq!(names, ["builtin:one", "one", "two"]);
    }
}
