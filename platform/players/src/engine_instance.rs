//! Engines as those who offer them know them: by id and name, and started.

use std::sync::Arc;

use crate::Player;

/// A known engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ListedEngine {
    /// Its id.
    pub id: String,
    /// Its name.
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
    /// The engine itself.
    pub player: Box<dyn Player>,
    /// Stops it. It is not used again.
    pub interrupt: Arc<dyn Fn() + Send + Sync>,
}
