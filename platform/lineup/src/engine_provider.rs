//! The engines that a person chooses from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tengen_hosts::CheckStep;
use tengen_hosts::package::EngineOption;
use tengen_link::TableEngines;
use tengen_players::ListedEngine;
use tengen_tournament::{EngineEntry, EventConfig};

use crate::EngineRoster;

/// Lists, starts and describes engines, and seats them in events: [`EngineFolder`], and players
/// that tests put in the place of engines.
///
/// Every call may be slow, because it reads a folder or starts an engine.
///
/// [`EngineFolder`]: crate::EngineFolder
pub trait EngineProvider: TableEngines {
    /// The engines that exist now, and what looks like one. None of them is started.
    fn known(&self) -> EngineList {
        EngineList { engines: self.list(), ..EngineList::default() }
    }

    /// The folder that engines are dropped into, if there is one.
    fn folder(&self) -> Option<PathBuf> {
        None
    }

    /// Sets the engines that the user added and the options; every later call uses them.
    fn configure(&self, _kept: &EngineSettings) {}

    /// Asks an engine what it is.
    ///
    /// # Errors
    /// Why it cannot be started, as a message.
    fn describe(&self, id: &str) -> Result<EngineProfile, String> {
        Err(format!("unknown engine {id}"))
    }

    /// Checks an engine and reports each step. It stops early when `on_step` returns `false`.
    ///
    /// # Errors
    /// Why it cannot be checked, as a message.
    fn check(&self, id: &str, _on_step: CheckCallback) -> Result<(), String> {
        Err(format!("unknown engine {id}"))
    }

    /// Finds the engines of a new event. Gives the configuration with what was found.
    ///
    /// # Errors
    /// Why they cannot play, as a message to the user.
    fn enroll(&self, _config: EventConfig) -> Result<(EventConfig, EngineRoster), String> {
        Err("these engines play in no event".to_owned())
    }

    /// The same for an event that is resumed; its engines must be the same as before.
    ///
    /// # Errors
    /// Why it cannot be resumed.
    fn gather(&self, _config: &EventConfig) -> Result<EngineRoster, String> {
        Err("these engines play in no event".to_owned())
    }

    /// What an event keeps of an engine that is to join it.
    ///
    /// # Errors
    /// Why it cannot join.
    fn newcomer(&self, _config: &EventConfig, id: &str) -> Result<EngineEntry, String> {
        Err(format!("unknown engine {id}"))
    }
}

/// Receives each step of a check, and returns whether to go on.
pub type CheckCallback = Box<dyn FnMut(&CheckStep) -> bool + Send>;

/// The engines that the user added, and the options set on any.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default, rename_all = "kebab-case")]
pub struct EngineSettings {
    /// Paths and commands, each the id of its engine.
    pub added: Vec<String>,
    /// Values by option name, by engine id.
    pub options: BTreeMap<String, BTreeMap<String, String>>,
}

/// What an engine says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineProfile {
    /// Its kind, such as `native`.
    pub kind: String,
    /// Its path; empty if it is built in.
    pub path: PathBuf,
    pub name: Option<String>,
    pub version: Option<String>,
    pub author: Option<String>,
    /// One line about it.
    pub about: Option<String>,
    /// The rules it plays, such as `renju 15`; empty is all.
    pub rules: Vec<String>,
    /// The layers of its sandbox here.
    pub layers: Vec<String>,
    /// Its options, with the defaults that its manifest sets.
    pub options: Vec<EngineOption>,
}

/// The known engines.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineList {
    /// The engines, in the order they are offered.
    pub engines: Vec<ListedEngine>,
    /// Files that look like an engine but are none, with the reason.
    pub refused: Vec<(String, String)>,
    /// Why the folder could not be read.
    pub problem: Option<String>,
}

impl EngineList {
    /// Names engines with the same name by their ids.
    pub fn make_names_unique(&mut self) {
        let known: Vec<String> = self.engines.iter().map(|engine| engine.name.clone()).collect();
        for engine in &mut self.engines {
            if known.iter().filter(|name| **name == engine.name).count() > 1 {
                engine.name.clone_from(&engine.id);
            }
        }
    }

    /// The name of the engine with that id; the id itself if it is not known.
    pub fn name<'a>(&'a self, id: &'a str) -> &'a str {
        self.engines.iter().find(|engine| engine.id == id).map_or(id, |engine| &engine.name)
    }
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
