//! Starts an engine for the window, or for the server of tables.

use std::sync::Arc;

use tengen_hosts::{EngineSpec, GameVariant, HostSettings, OpeningFallback, player, probe_for};
use tengen_players::{EngineInstance, Player};
use tengen_tournament::{EventConfig, OpeningPolicy};

use crate::engine_roster::fit;

/// Starts an engine for games of one kind. The arbiter answers the opening questions that it
/// cannot.
///
/// # Errors
/// Why it cannot play them.
pub(crate) fn start_instance(
    spec: EngineSpec,
    variant: &GameVariant,
) -> anyhow::Result<EngineInstance> {
    let settings = HostSettings::this_program()?;
    let spec = settings.enroll(spec.fitted(variant.rule, variant.size))?;
    let GameVariant { rule, size, opening } = *variant;
    let probe = probe_for(&spec, &settings, variant)?;
    let opening_policy = OpeningPolicy::Arbiter;
    let config = EventConfig { rule, size, opening, opening_policy, ..EventConfig::default() };
    fit(&spec, &probe, &config)?;
    let opening_by_arbiter = !probe.answers(opening);
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
