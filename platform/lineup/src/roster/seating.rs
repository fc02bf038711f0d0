//! The engines as players of the event.

use std::sync::{Arc, PoisonError};

use tengen_hosts::{HostSettings, LogTap, OpeningFallback, player};
use tengen_players::Player;
use tengen_tournament::{EventConfig, Roster};

use super::absent::AbsentPlayer;
use super::remote::{is_here, without_server};
use super::{EngineRoster, SeatedEngines, gather};
use crate::causes;
use crate::debugging::{debugged, unlimited};
use crate::logs::LoggedPlayer;
use crate::lone_engine::substitute_player;

impl Roster for EngineRoster {
    fn player(&self, engine: usize) -> Box<dyn Player> {
        let seated = self.seated();
        let entry = &seated.entries[engine];
        if let Some(given) = self.given.as_ref().filter(|_| entry.remote().is_none()) {
            return given.player(engine);
        }
        let remote = self.remote.as_ref().filter(|_| entry.remote().is_some());
        let spec = seated.specs[engine].as_ref();
        let is_text = spec.is_some_and(|spec| spec.kind.is_text());
        let player_log = self.logs.player_log(&seated.labels[engine], is_text);
        let tap = player_log.clone().map(|player_log| player_log as Arc<dyn LogTap>);
        let settings = HostSettings { tap, ..self.settings.clone() };
        let player =
            match (remote, spec, self.debugged.as_ref().filter(|(place, _)| *place == engine)) {
                (Some(remote), ..) => remote.player(engine),
                (None, Some(spec), None) => player(spec, &settings),
                (None, Some(spec), Some((_, start))) => {
                    player(&unlimited(spec), &debugged(start.clone(), settings))
                }
                (None, None, _) => {
                    return Box::new(AbsentPlayer {
                        why: entry.absent.clone().unwrap_or_default(),
                    });
                }
            };
        let with_fallback = |player| match &self.assistant {
            None => OpeningFallback::new(player),
            Some(spec) => {
                OpeningFallback::assisted(player, tengen_hosts::player(spec, &self.settings))
            }
        };
        let player: Box<dyn Player> = if entry.opening_by_arbiter {
            Box::new(with_fallback(player))
        } else if seated.has_help && is_text {
            // The answer of a text engine may be none.
            Box::new(with_fallback(player).player_first())
        } else {
            player
        };
        match player_log {
            Some(player_log) => Box::new(LoggedPlayer::new(player, player_log)),
            None => player,
        }
    }

    fn substitute(&self) -> Option<Box<dyn Player>> {
        Some(substitute_player(&self.settings))
    }

    fn interrupt(&self) {
        self.settings.interrupt.raise();
        for others in [&self.given, &self.remote].into_iter().flatten() {
            others.interrupt();
        }
    }

    fn take(&self, seats: [usize; 2], nothing_else: bool) -> Result<(), usize> {
        let changes = self.changes.as_ref();
        if let Some(refused) = changes.and_then(|changes| changes.refused(seats)) {
            return Err(refused);
        }
        self.remote.as_ref().map_or(Ok(()), |remote| remote.take(seats, nothing_else))
    }

    fn was_missed(&self, engine: usize, game: u64) -> bool {
        self.changes.as_ref().is_some_and(|changes| changes.is_spoiled(engine))
            || self.remote.as_ref().is_some_and(|remote| remote.was_missed(engine, game))
    }

    fn leave(&self, engine: usize) {
        if let Some(remote) = &self.remote {
            remote.leave(engine);
        }
    }

    fn free(&self, seats: [usize; 2]) {
        if let Some(remote) = &self.remote {
            remote.free(seats);
        }
    }

    fn join(&self, config: &EventConfig) -> Vec<(usize, String)> {
        let moved = self.moved.clone();
        let config = &EventConfig { dir: moved.unwrap_or(config.dir.clone()), ..config.clone() };
        let mut specs = self.seated().specs.clone();
        let mut unfit = match &self.remote {
            Some(remote) => remote.join(config),
            None => without_server(config),
        };
        for (place, entry) in config.engines.iter().enumerate() {
            let is_here = is_here(entry) && self.given.is_none();
            // One that did not start is asked again until it is removed.
            if specs.get(place).is_some_and(|spec| spec.is_some() || !is_here) {
                continue;
            }
            let spec = is_here.then(|| gather(entry, config, &self.settings)).transpose();
            let spec = spec.unwrap_or_else(|error| {
                unfit.push((place, causes(&error)));
                None
            });
            match specs.get_mut(place) {
                Some(known) => *known = spec,
                None => specs.push(spec),
            }
        }
        let seated = Arc::new(SeatedEngines::new(specs, config));
        *self.seated.write().unwrap_or_else(PoisonError::into_inner) = seated;
        unfit
    }
}
