//! Engines as their hosts offer them: by id and name, and started.

use std::sync::Arc;

use crate::Player;

/// A known engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedEngine {
    pub id: String,
    pub name: String,
}

/// A started engine.
pub struct EngineInstance {
    /// The name it gives itself.
    pub name: String,
    /// Its version, if known.
    pub version: Option<String>,
    /// The SHA-256 of its file, in hexadecimal.
    pub hash: Option<String>,
    /// The layers of its sandbox.
    pub layers: Vec<String>,
    /// Whether the arbiter answers opening questions for it.
    pub opening_by_arbiter: bool,
    pub player: Box<dyn Player>,
    /// Stops it. It is not used again.
    pub interrupt: EngineInterrupt,
}

/// Stops an engine, from any thread.
pub type EngineInterrupt = Arc<dyn Fn() + Send + Sync>;

/// What a started engine says of itself, as records have it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineIdentity {
    /// The name it gives itself.
    pub name: String,
    /// Its version, if known.
    pub version: Option<String>,
    /// The SHA-256 of its file, in hexadecimal.
    pub hash: Option<String>,
    /// The layers of its sandbox.
    pub layers: Vec<String>,
    /// Whether the arbiter answers opening questions for it.
    pub opening_by_arbiter: bool,
}

impl EngineIdentity {
    /// What this engine says.
    pub fn of(engine: &EngineInstance) -> EngineIdentity {
        EngineIdentity {
            name: engine.name.clone(),
            version: engine.version.clone(),
            hash: engine.hash.clone(),
            layers: engine.layers.clone(),
            opening_by_arbiter: engine.opening_by_arbiter,
        }
    }
}
