//! Starts an engine for the window, or for the server of tables.

use std::sync::Arc;

use tengen_hosts::{EngineSpec, GameVariant, HostSettings, OpeningFallback, player, probe_for};
use tengen_players::{EngineInstance, Player};

use crate::roster::fit_alone;

/// Starts an engine for games of one kind. The arbiter answers the opening questions that it
/// cannot.
///
/// # Errors
/// Why it cannot play them.
pub fn start_instance(spec: EngineSpec, variant: &GameVariant) -> anyhow::Result<EngineInstance> {
    let settings = HostSettings::this_program()?;
    let spec = settings.enroll(spec.fitted(variant.rule, variant.size))?;
    let probe = probe_for(&spec, &settings, variant)?;
    fit_alone(&spec, &probe, variant)?;
    let opening_by_arbiter = !probe.answers(variant.opening);
    let engine = player(&spec, &settings);
    let player: Box<dyn Player> = match opening_by_arbiter {
        true => Box::new(OpeningFallback::new(engine)),
        false if spec.kind.is_text() => Box::new(OpeningFallback::new(engine).player_first()),
        false => engine,
    };
    let name = spec.name.or(probe.description.name).unwrap_or(spec.id);
    let interrupt = settings.interrupt.clone();
    Ok(EngineInstance {
        name,
        version: probe.description.version,
        hash: Some(probe.hash),
        layers: probe.layers,
        opening_by_arbiter,
        player,
        interrupt: Arc::new(move || interrupt.raise()),
    })
}
