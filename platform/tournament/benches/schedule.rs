//! What schedules cost: ten million games one after another, and the draws of Swiss rounds.
//!
//! `cargo bench -p tengen-tournament --bench schedule` prints the memory after each step.

use std::hint::black_box;
use std::time::Instant;

use tengen_pairing::{Met, Round, Swiss};
use tengen_tournament::{EngineEntry, EventConfig, EventFormat, StageConfig};

const GAMES: u64 = 10_000_000;

fn walk(name: &str, config: &EventConfig) {
    let begin = Instant::now();
    let schedule = config.schedule();
    assert!(schedule.len() >= GAMES, "{} games", schedule.len());
    let mut sum = 0;
    for game in schedule.iter().take(GAMES as usize) {
        sum += game.seed ^ game.seats.first as u64 ^ schedule.twin(game.number).unwrap_or(0);
    }
    black_box(sum);
    let nanos = begin.elapsed().as_nanos() / u128::from(GAMES);
    println!("{name}: {GAMES} games, {nanos} ns a game, {}", memory());
}

/// Draws nine rounds with scattered results.
fn swiss(players: usize) {
    let mut swiss = Swiss::new(players, 9, 2, 1);
    let mut slowest = 0.0_f64;
    for round in 0..9 {
        let begin = Instant::now();
        let draw = swiss.next_round();
        slowest = slowest.max(begin.elapsed().as_secs_f64());
        let met = draw.pairs.iter().enumerate().map(|(board, &players)| {
            let made = tengen_random::output(round, board as u64) % 3;
            Met { players, halves: [made as u32, 2 - made as u32], is_odd: true }
        });
        swiss.add(Round { met: met.collect(), bye: draw.bye });
    }
    println!("swiss of {players}: the slowest of nine draws took {slowest:.3} s, {}", memory());
}

/// The most memory this process has had, where the system tells.
fn memory() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    format!("peak memory {}", peak.map_or("unknown", str::trim))
}

fn main() {
    let engines: Vec<EngineEntry> =
        (0..1000).map(|engine| EngineEntry::new(format!("e{engine}"))).collect();
    let plain = EventConfig { games: 22, engines, ..EventConfig::default() };
    walk("round-robin of 1000", &plain);
    let gauntlet = EventConfig {
        own: StageConfig { challengers: Some(10), ..StageConfig::of(EventFormat::Gauntlet) },
        games: 1012,
        ..plain.clone()
    };
    walk("gauntlet of 10 against 990", &gauntlet);
    let groups = EventConfig {
        own: StageConfig { groups: Some(10), ..StageConfig::of(EventFormat::Groups) },
        games: 204,
        ..plain.clone()
    };
    walk("ten groups of 100", &groups);
    for players in [200, 201, 1000] {
        swiss(players);
    }
}
