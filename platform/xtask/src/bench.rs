//! Benchmarks, and games per second of the whole program with engines that answer at once.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use xshell::{Shell, cmd};

use crate::engines;
use crate::process::{self, RELEASE, cargo};
use crate::steps::Steps;

/// Every measurement: its name, and the words for cargo.
const BENCHES: [(&str, &str); 10] = [
    ("forbidden map", "bench --package tengen-rules --bench forbidden"),
    ("arbiter", "bench --package tengen-arbiter --bench arbiter"),
    ("record", "bench --package tengen-record --bench record"),
    ("table and store", "bench --package tengen-tournament --bench throughput"),
    ("ratings and tests", "bench --package tengen-stats --bench figures"),
    ("overhead a move", "bench --package tengen-hosts --bench overhead"),
    ("words of brains", "bench --package tengen-gomocup --bench dialogue"),
    ("ten thousand games in a report", "bench --package tengen-web"),
    ("alphabeta", "bench --package alphabeta"),
    // Without optimisation, for an optimised window takes long to build.
    ("games in the window", "test --workspace --test gui -- lists::frames --ignored --nocapture"),
];

/// What is played: its name, the engine's file, where it runs, and the number of games.
const EVENTS: [(&str, &str, &str, u32); 3] = [
    ("native children", "libinstant.so", "child", 10_000),
    ("WASM children", "instant.wasm", "child", 10_000),
    ("WASM in process", "instant.wasm", "in-process", 100_000),
];

/// How often the program's memory is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// The task `bench`.
pub(crate) fn run(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| {
        engines::build_examples(sh, notes)?;
        engines::build_test_engines(sh, notes)
    })?;
    for (name, words) in BENCHES {
        steps.step(name, |_| Ok(cargo(sh, words).run()?))?;
    }
    steps.step("games a second", |_| play_events(sh))
}

/// The task `throughput`.
pub(crate) fn throughput(sh: &Shell, steps: &mut Steps) -> Result<()> {
    steps.step("engines", |notes| engines::build_test_engines(sh, notes))?;
    steps.step("games a second", |_| play_events(sh))
}

/// Plays each event once, two games at once, every result stored, and prints a table.
fn play_events(sh: &Shell) -> Result<()> {
    let program = process::build_program(sh, RELEASE)?;
    let engines = process::target(sh, "test-engines")?;
    println!("{:<18}{:>9}{:>12}{:>14}{:>14}", "", "games", "games/s", "RSS at 1/4", "RSS at end");
    for (name, file, isolation, games) in EVENTS {
        let (engine, number) = (engines.join(file), games.to_string());
        if !engine.exists() {
            println!("{name:<18}{games:>9}   not built: {}", engine.display());
            continue;
        }
        let out = process::clear_target(sh, "throughput")?;
        // Without an opening, as it was always measured.
        let event = cmd!(
            sh,
            "{program} match {engine} {engine} --isolation {isolation} --opening none
             --concurrency 2 --json --games {number} --out {out}"
        );
        let mut event = Command::from(event);
        let (began, mut resident) = (Instant::now(), Vec::new());
        let child = event.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
        while let Some(kib) = resident_memory(child.id()) {
            resident.push(kib);
            thread::sleep(LOOK);
        }
        let output = child.wait_with_output()?;
        let rate = f64::from(games) / began.elapsed().as_secs_f64();
        let summary: Value =
            serde_json::from_slice(&output.stdout).context("no event was played")?;
        let (stored, ends) = (&summary["games"], &summary["terminations"]);
        ensure!(*stored == games, "only {stored} games were stored");
        ensure!(ends["five"] == games, "the games did not end by a five: {ends}");
        let quarter = most(&resident[..resident.len().div_ceil(4)]);
        println!("{name:<18}{games:>9}{rate:>12.0}{quarter:>14}{:>14}", most(&resident));
    }
    Ok(())
}

/// The memory of a program in KiB; none when it has ended, and where the system has no /proc.
fn resident_memory(program: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{program}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// The most of some amounts of memory in KiB.
fn most(resident: &[u64]) -> String {
    let most = resident.iter().max();
    most.map_or("unknown".to_owned(), |kib| format!("{:.1} MiB", *kib as f64 / 1024.0))
}
