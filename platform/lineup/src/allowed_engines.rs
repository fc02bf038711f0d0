//! Engines of this machine that sit at tables.

use std::sync::Arc;

use tengen_hosts::{EngineSpec, GameVariant};
use tengen_link::TableEngines;
use tengen_players::{EngineInstance, ListedEngine};

use crate::{causes, start_instance};

/// Engines that were found.
pub struct FoundEngines(pub Vec<EngineSpec>);

impl TableEngines for FoundEngines {
    fn list(&self) -> Vec<ListedEngine> {
        let listed = |spec: &EngineSpec| {
            let name = spec.name.clone().unwrap_or_else(|| file_name(&spec.id));
            ListedEngine { id: spec.id.clone(), name }
        };
        self.0.iter().map(listed).collect()
    }

    fn start(&self, id: &str, variant: &GameVariant) -> Result<EngineInstance, String> {
        let spec = self.0.iter().find(|spec| spec.id == id);
        let spec = spec.ok_or_else(|| format!("unknown engine {id}"))?;
        start_instance(spec.clone(), variant).map_err(|error| causes(&error))
    }
}

/// The last part of a path; an id that is none stays.
fn file_name(id: &str) -> String {
    let name = std::path::Path::new(id).file_stem();
    name.map_or_else(|| id.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// Engines that a server lets strangers use. Where they lie is not told: they are called by their
/// places, from 1 on.
pub struct NumberedEngines {
    pub engines: Arc<dyn TableEngines>,
    /// Those of them that are allowed, by their ids.
    pub allowed: Vec<String>,
}

impl TableEngines for NumberedEngines {
    fn list(&self) -> Vec<ListedEngine> {
        let known = self.engines.list();
        let numbered = |(place, id): (usize, &String)| {
            let found = known.iter().find(|engine| engine.id == *id);
            let name = found.map_or_else(|| file_name(id), |engine| engine.name.clone());
            ListedEngine { id: (place + 1).to_string(), name }
        };
        self.allowed.iter().enumerate().map(numbered).collect()
    }

    fn start(&self, id: &str, variant: &GameVariant) -> Result<EngineInstance, String> {
        let place = id.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        let own = place.and_then(|place| self.allowed.get(place));
        let own = own.ok_or_else(|| format!("this server has no engine {id}"))?;
        self.engines.start(own, variant).map_err(|problem| {
            log::warn!("{own}: {problem}");
            "it does not play such games, or cannot be started".to_owned()
        })
    }
}
