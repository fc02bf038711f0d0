//! Games a second of the whole program, and its memory, with engines that answer at once. Each
//! event is played once, two games at once, every result stored. `cargo xtask throughput` builds
//! the engines and runs it.

#[path = "../tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use common::tengen;
use serde_json::Value;

/// What is played: its name, the engine's file, where it runs, and the number of games.
const EVENTS: [(&str, &str, &str, u32); 3] = [
    ("native children", "libinstant.so", "child", 10_000),
    ("WASM children", "instant.wasm", "child", 10_000),
    ("WASM in process", "instant.wasm", "in-process", 100_000),
];

/// How often the program's memory is looked at.
const LOOK: Duration = Duration::from_millis(20);

fn main() {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in target");
    let out = target.join("throughput");
    println!("{:<18}{:>9}{:>12}{:>14}{:>14}", "", "games", "games/s", "RSS at 1/4", "RSS at end");
    for (name, file, isolation, games) in EVENTS {
        let engine = target.join("test-engines").join(file);
        if !engine.exists() {
            println!("{name:<18}{games:>9}   not built: {}", engine.display());
            continue;
        }
        let _ = fs::remove_dir_all(&out);
        // Without an opening, as it was always measured.
        let mut event = tengen(["match", "--isolation", isolation, "--opening", "none", "--json"]);
        event.args(["--concurrency", "2", "--games", &games.to_string(), "--out"]).arg(&out);
        event.args([&engine, &engine]).stdout(Stdio::piped()).stderr(Stdio::null());
        let (began, mut resident) = (Instant::now(), Vec::new());
        let child = event.spawn().expect("the program starts");
        while let Some(kib) = resident_memory(child.id()) {
            resident.push(kib);
            thread::sleep(LOOK);
        }
        let output = child.wait_with_output().expect("the program ends");
        let rate = f64::from(games) / began.elapsed().as_secs_f64();
        assert!(output.status.success(), "{event:?} failed");
        let summary: Value = serde_json::from_slice(&output.stdout).expect("a summary");
        assert_eq!(summary["games"], games, "all games were stored");
        assert_eq!(summary["terminations"]["five"], games, "the games ended by a five");
        let quarter = most(&resident[..resident.len().div_ceil(4)]);
        println!("{name:<18}{games:>9}{rate:>12.0}{quarter:>14}{:>14}", most(&resident));
    }
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
