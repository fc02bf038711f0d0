//! What `tengen doctor` measures.

use std::io::{Read, Write, pipe as new_pipe};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use tengen_arbiter::{Action, Limits, Nanos, TimeControl};
use tengen_hosts::{EngineSpec, GameVariant, HostSettings, Probe, linked_player, player, probe};
use tengen_players::{GameSetup, Player, RealTime, Request};
use tengen_rules::{Ask, Move, Procedure, Rule, Seat, Size, Zone};
use tengen_stats::Spread;

use super::ENGINE;

const NAP: Duration = Duration::from_millis(1);
/// How many naps, and how many times there and back.
const NAPS: u32 = 1_000;
const ROUNDS: u32 = 10_000;
const QUESTIONS: u32 = 5_000;
const STARTS: u32 = 50;
/// No measurement takes much longer, however busy the machine.
const PATIENCE: Duration = Duration::from_secs(2);
/// The size of a request and an answer, about.
const MESSAGE: usize = 64;

/// Measures again and again, until it was often enough or has taken long enough. A measurement may
/// give nothing.
fn repeat(
    most: u32,
    mut measure: impl FnMut() -> anyhow::Result<Option<Nanos>>,
) -> anyhow::Result<Spread> {
    let until = Instant::now() + PATIENCE;
    let mut spread = Spread::default();
    for _ in 0..most {
        spread.extend(measure()?);
        if Instant::now() > until {
            break;
        }
    }
    Ok(spread)
}

/// By how much a sleep ends too late, in nanoseconds.
pub(super) fn timer() -> anyhow::Result<Spread> {
    repeat(NAPS, || {
        let began = Instant::now();
        thread::sleep(NAP);
        Ok(Some(nanos(began.elapsed().saturating_sub(NAP))))
    })
}

/// How long some bytes take to another thread and back.
pub(super) fn pipe() -> anyhow::Result<Spread> {
    let (mut there, mut out) = new_pipe().context("cannot create a pipe")?;
    let (mut back, mut home) = new_pipe().context("cannot create a pipe")?;
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut bytes = [0; MESSAGE];
            // It ends with the other end of its pipe.
            while there.read_exact(&mut bytes).is_ok() && home.write_all(&bytes).is_ok() {}
        });
        let mut bytes = [0; MESSAGE];
        let measured = repeat(ROUNDS, || {
            let began = Instant::now();
            out.write_all(&bytes)?;
            back.read_exact(&mut bytes)?;
            Ok(Some(nanos(began.elapsed())))
        });
        // Its end is the end of the other thread.
        drop(out);
        measured.context("a pipe failed")
    })
}

/// What a sandbox was found around an engine, and how long its start takes, in nanoseconds.
pub(super) fn start(spec: &EngineSpec, settings: &HostSettings) -> anyhow::Result<(Probe, Spread)> {
    let found = probe(spec, settings)?;
    let spread = repeat(STARTS, || {
        let began = Instant::now();
        probe(spec, settings)?;
        Ok(Some(nanos(began.elapsed())))
    })?;
    Ok((found, spread))
}

/// How long the way to an engine in its process and back takes, in a game that is asked like any
/// other: the time of the question less what the process read of its own call.
pub(super) fn child(spec: &EngineSpec, settings: &HostSettings) -> anyhow::Result<Spread> {
    let mut player = player(spec, settings);
    begin(&mut *player)?;
    repeat(QUESTIONS, || question(&mut *player))
}

fn failed(what: &str) -> anyhow::Error {
    anyhow!("the engine failed during the measurement: {what}")
}

/// How many nodes a second the built-in engine searches: the best of some searches of the same
/// quiet position, since whatever else happens on a machine makes them slower.
pub(crate) fn measure_speed() -> anyhow::Result<u64> {
    const NODES: u64 = 5_000;
    const SEARCHES: u32 = 5;
    let name = ENGINE.trim_start_matches("builtin:");
    let mut player = linked_player(name).ok_or_else(|| failed("it is not in this program"))?;
    begin(&mut *player)?;
    let stones =
        ["h11", "l12", "l8", "i12", "f9", "f11"].map(|point| point.parse().map(Move::Stone));
    let moves = stones.into_iter().collect::<Result<Vec<_>, _>>()?;
    let request = Request {
        limits: Limits { nodes: Some(NODES), ..Limits::default() },
        ..Request::new(&moves, Ask::Move { zone: Zone::Anywhere })
    };
    let time = RealTime::new();
    let mut best = 0;
    for _ in 0..SEARCHES {
        let reply = player.ask(&request, &time);
        let nodes = reply.info.map_or(NODES, |info| info.nodes);
        let spent = u128::from((reply.answered_at - reply.asked_at).max(1));
        best = best.max((u128::from(nodes) * 1_000_000_000 / spent) as u64);
    }
    Ok(best)
}

/// The time of an engine that is not to think.
fn time() -> TimeControl {
    TimeControl { nodes: Some(1), ..TimeControl::default() }
}

/// Makes an engine ready for a game, starting it if need be.
pub(super) fn begin(player: &mut dyn Player) -> anyhow::Result<()> {
    let (rule, size, opening) = (Rule::Freestyle, Size::STANDARD, Procedure::None);
    let setup = GameVariant { rule, size, opening }.setup(Seat::First, time());
    let setup = GameSetup { seed: 1, reproducible: true, ..setup };
    player.new_game(&setup).map_err(|fault| failed(&fault.detail))
}

pub(super) fn question(player: &mut dyn Player) -> anyhow::Result<Option<Nanos>> {
    let request = Request {
        limits: Limits { nodes: time().nodes, ..Limits::default() },
        patience: Some(nanos(HostSettings::STARTUP)),
        ..Request::new(&[], Ask::Move { zone: Zone::Anywhere })
    };
    let reply = player.ask(&request, &RealTime::new());
    match reply.outcome {
        Ok(Some(Action::Answer(_))) => {
            let spent = reply.answered_at - reply.asked_at;
            Ok(player.timing().own.map(|own| spent.saturating_sub(own)))
        }
        Ok(_) => Err(failed("it gave no answer")),
        Err(fault) => Err(failed(&fault.detail)),
    }
}

pub(super) fn nanos(span: Duration) -> Nanos {
    Nanos::try_from(span.as_nanos()).unwrap_or(Nanos::MAX)
}
