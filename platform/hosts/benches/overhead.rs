//! What the host adds to an engine's own time: engines that answer at once are asked for whole
//! games, and each question is timed from outside.
//!
//! `cargo bench --package tengen-hosts` prints a table. The goals, on a quiet core: native child
//! p50 at most 20 µs, WASM in process at most 2 µs.

#[path = "../tests/common/mod.rs"]
mod common;

use std::thread;
use std::time::{Duration, Instant};

use common::{EngineBuilder, PATIENT, ask, setup, stone};
use tengen_hosts::{EngineSpec, HostSettings, WasmIsolation, player};
use tengen_rules::Move;

/// Plies of a game, every second of which is asked of the engine.
const PLIES: usize = 70;
const GAMES: usize = 600;
/// How long the opponent thinks, once: long enough for an engine that works on to be caught at it.
const THINK: Duration = Duration::from_millis(200);
const TABLES: [usize; 2] = [1, 2];

/// Answers at once, keeps no board, and hears of plies one by one.
const INSTANT: &str = r#"(module
    (memory (export "memory") 1)
    (func (export "tengen_abi_v1") (result i32) (i32.const 0))
    (func (export "tengen_describe") (result i32) (i32.const 1024))
    (func (export "tengen_create") (param i32) (result i32) (i32.const 16))
    (func (export "tengen_new_game") (param i32 i32) (result i32) (i32.const 0))
    (func (export "tengen_set_position") (param i32 i32 i32) (result i32) (i32.const 0))
    (func (export "tengen_play") (param i32 i32) (result i32) (i32.const 0))
    (func (export "tengen_buffer") (param i32) (result i32) (i32.const 4096))
    (func (export "tengen_choose") (param i32 i32 i32) (result i32)
        (i32.store16 offset=8 (local.get 2) (i32.const 0x0707))
        (i32.const 0)))"#;

/// Where the engine is, and what runs it.
struct BenchCase {
    name: &'static str,
    spec: EngineSpec,
    settings: HostSettings,
}

fn main() {
    let shop = EngineBuilder::new();
    let settings = shop.settings();
    let inside = HostSettings { isolation: WasmIsolation::InProcess, ..settings.clone() };
    let (native, wasm) =
        (shop.native(&["-DBAD=GOOD", "-DWITH_PLAY"], "instant"), shop.wasm("instant", INSTANT));
    // Seen to work while it was not asked, and from then on stopped after every answer.
    let held = shop.native(&["-DBAD=WORKS_ONCE", "-DWITH_PLAY"], "held");
    let cases = [
        BenchCase { name: "native child", spec: native, settings: settings.clone() },
        BenchCase { name: "native child, held", spec: held, settings: settings.clone() },
        BenchCase { name: "wasm child", spec: wasm.clone(), settings },
        BenchCase { name: "wasm in process", spec: wasm, settings: inside },
    ];
    println!("{:<20}{:>7}{:>11}{:>11}{:>14}", "", "tables", "p50 ns", "p99 ns", "questions/s");
    for case in &cases {
        for tables in TABLES {
            report(case, tables);
        }
    }
}

fn report(case: &BenchCase, tables: usize) {
    let since = Instant::now();
    let mut spans: Vec<Duration> = thread::scope(|scope| {
        let tables: Vec<_> = (0..tables).map(|_| scope.spawn(|| play(case))).collect();
        tables.into_iter().flat_map(|table| table.join().expect("a table does not panic")).collect()
    });
    let rate = spans.len() as f64 / (since.elapsed() - THINK).as_secs_f64();
    spans.sort_unstable();
    let at = |share: usize| spans[spans.len() * share / 100].as_nanos();
    let (p50, p99) = (at(50), at(99));
    println!("{:<20}{tables:>7}{p50:>11}{p99:>11}{rate:>14.0}", case.name);
}

/// Plays the games of one table, and gives how long each question took.
fn play(case: &BenchCase) -> Vec<Duration> {
    let columns = "abcdefghijklmno".chars();
    let moves: Vec<Move> =
        columns.flat_map(|x| (1..=15).map(move |y| stone(&format!("{x}{y}")))).collect();
    let mut player = player(&case.spec, &case.settings);
    let mut spans = Vec::with_capacity(GAMES * PLIES / 2);
    player.new_game(&setup()).expect("the engine gets ready");
    assert!(ask(&mut *player, &[], Some(PATIENT)).outcome.is_ok());
    thread::sleep(THINK);
    for _ in 0..GAMES {
        player.new_game(&setup()).expect("the engine gets ready");
        for plies in (0..PLIES).step_by(2) {
            let since = Instant::now();
            let reply = ask(&mut *player, &moves[..plies], Some(PATIENT));
            spans.push(since.elapsed());
            assert!(reply.outcome.is_ok_and(|answer| answer.is_some()));
        }
    }
    spans
}
