//! Games a second of the whole program, and its memory, with engines that answer at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::artifacts;
use crate::engines;
use crate::process;
use crate::steps::Steps;
use crate::workspace;

/// How often the program's memory is looked at.
const LOOK: Duration = Duration::from_millis(20);

/// What is played: its name, the engine's file, where it runs, and the number of games.
const EVENTS: [(&str, &str, &str, u32); 3] = [
    ("native children", "libinstant.so", "child", 10_000),
    ("WASM children", "instant.wasm", "child", 10_000),
    ("WASM in process", "instant.wasm", "in-process", 100_000),
];

/// The task `throughput`.
pub(crate) fn task() -> Result<()> {
    let mut steps = Steps::default();
    steps.step("engines", engines::build_test_engines)?;
    steps.step("games a second", |_| run())?;
    steps.summarise();
    Ok(())
}

/// Plays each event once, two games at once, every result stored, and prints a table.
pub(crate) fn run() -> Result<()> {
    let program = artifacts::program()?;
    let engines = workspace::target()?.join("test-engines");
    println!("{:<18}{:>9}{:>12}{:>14}{:>14}", "", "games", "games/s", "RSS at 1/4", "RSS at end");
    for (name, file, isolation, games) in EVENTS {
        let engine = engines.join(file);
        if engine.exists() {
            let event = play(&program, &engine, isolation, games)?;
            println!("{name:<18}{games:>9}{:>12.0}{}", event.rate, event.memory());
        } else {
            println!("{name:<18}{games:>9}   not built: {}", engine.display());
        }
    }
    Ok(())
}

struct TimedEvent {
    /// Games a second of the whole run, start and report included.
    rate: f64,
    /// The program's resident memory in KiB, its engines not counted, from look to look.
    resident: Vec<u64>,
}

impl TimedEvent {
    fn memory(&self) -> String {
        let most = |looks: &[u64]| looks.iter().max().copied();
        let quarter = most(&self.resident[..self.resident.len().div_ceil(4)]);
        let mib = |kib: Option<u64>| match kib {
            Some(kib) => format!("{:.1} MiB", kib as f64 / 1024.0),
            None => "unknown".to_owned(),
        };
        format!("{:>14}{:>14}", mib(quarter), mib(most(&self.resident)))
    }
}

fn play(program: &Path, engine: &Path, isolation: &str, games: u32) -> Result<TimedEvent> {
    let out = workspace::target()?.join("throughput");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| out.display().to_string())?;
    }
    let mut command = Command::new(program);
    command.arg("match").args([engine, engine]).args(["--isolation", isolation]);
    command.args(["--concurrency", "2", "--json", "--games"]).arg(games.to_string());
    command.arg("--out").arg(&out).stdin(Stdio::null()).stdout(Stdio::piped());
    command.stderr(Stdio::null());
    let began = Instant::now();
    let child = command.spawn().with_context(|| process::words(&command))?;
    let looks = watch(&child);
    let output = child.wait_with_output()?;
    let spent = began.elapsed();
    ensure!(output.status.success(), "`{}` failed", process::words(&command));
    let summary: Value = serde_json::from_slice(&output.stdout)?;
    ensure!(summary["games"] == games, "only {} games were stored", summary["games"]);
    let played = summary["terminations"]["five"] == games;
    ensure!(played, "the games did not end by a five: {}", summary["terminations"]);
    Ok(TimedEvent { rate: f64::from(games) / spent.as_secs_f64(), resident: looks })
}

/// The memory of a running program until it ends; empty where the system has no /proc.
fn watch(child: &Child) -> Vec<u64> {
    let status = PathBuf::from(format!("/proc/{}/status", child.id()));
    let mut looks = Vec::new();
    // A program that has ended, but was not waited for, has no memory.
    while let Some(kib) = resident(&status) {
        looks.push(kib);
        thread::sleep(LOOK);
    }
    looks
}

fn resident(status: &Path) -> Option<u64> {
    let status = fs::read_to_string(status).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}
