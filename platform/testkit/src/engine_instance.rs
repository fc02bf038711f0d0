use std::sync::Arc;

use tengen_players::{EngineInstance, Player};

/// A player as a started engine of that name, of which nothing else is known and which nothing
/// interrupts.
pub fn engine_instance(name: &str, player: impl Player + 'static) -> EngineInstance {
    EngineInstance {
        name: name.to_owned(),
        version: None,
        hash: None,
        layers: Vec::new(),
        opening_by_arbiter: false,
        player: Box::new(player),
        interrupt: Arc::new(|| {}),
    }
}
