//! A long event with engines that are killed again and again: what the program uses must not grow.
#![cfg(target_os = "linux")]

#[path = "../common/mod.rs"]
mod common;
mod usage;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use common::{assert_whole, tengen};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tengen_random::Random;
use usage::{TABLES, UsageSample};

/// How often the program is looked at.
const LOOK: Duration = Duration::from_millis(10);
/// A process is killed after so many looks at most.
const KILL_EVERY: usize = 6;
/// How often progress is printed.
const TELL: Duration = Duration::from_secs(10);
/// How long a process that is no longer needed may take to go.
const GONE: Duration = Duration::from_secs(10);

#[test]
#[ignore = "takes long; `cargo xtask soak` runs it"]
fn what_the_program_uses_does_not_grow_while_its_engines_are_killed() {
    let games = std::env::var("TENGEN_SOAK_GAMES").expect("cargo xtask soak sets it");
    let games: u64 = games.parse().expect("a number of games");
    println!("{}", usage::HEAD);
    let styles: [(&str, &[&str]); 2] = [("kept", &[]), ("restarted", &["--restart"])];
    let grown = styles.map(|(name, flags)| (name, play(name, flags, games / 2)));
    assert!(grown.iter().all(|(_, grown)| grown.is_empty()), "{grown:?}");
}

/// Plays an event to its end, prints what was used, and returns what grew.
fn play(name: &str, flags: &[&str], games: u64) -> Vec<String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("it lies in target");
    let folder = target.join("soak");
    let _ = fs::remove_dir_all(&folder);
    let (temporary, out) = (folder.join("tmp"), folder.join("event"));
    fs::create_dir_all(&temporary).expect("a folder for the event");
    let engines = copy_engines(&target.join("test-engines"), &folder);
    let (number, tables) = (games.to_string(), TABLES.to_string());
    let mut event = tengen(["match", "--tc", "60+1", "--json", "--games", &number]);
    // A folder an engine, which must go with it.
    event.args(["--concurrency", &tables, "--folder-limit", "1MiB"]).args(flags).args(&engines);
    event.arg("--out").arg(&out).env("TMPDIR", &temporary);
    event.stdout(Stdio::piped()).stderr(Stdio::null());
    let began = Instant::now();
    let child = event.spawn().expect("the program starts");
    let (samples, kills) = kill_engines(name, child.id(), &out, &temporary);
    let output = child.wait_with_output().expect("the program ends");
    let spent = began.elapsed().as_secs_f64();
    assert!(output.status.success(), "{event:?} failed");
    let summary: Value = serde_json::from_slice(&output.stdout).expect("a summary");
    let quarters = usage::quarters(&samples);
    for (number, quarter) in (1..).zip(quarters) {
        println!("{}", usage::row(if number == 1 { name } else { "" }, number, quarter));
    }
    let crashes = summary["terminations"]["crash"].as_u64().unwrap_or(0);
    println!(
        "{:<12}{games} games in {spent:.1} s, {kills} processes killed, {crashes} games lost by a \
         crash\n",
        ""
    );
    assert_eq!(common::games(&summary), games, "{name}");
    assert_whole(&out, games);
    assert!(kills > 0 && crashes > 0, "{name}: no engine was killed in a game");
    let since = Instant::now();
    while usage::processes_of(&folder) > 0 {
        assert!(since.elapsed() < GONE, "{name}: processes of engines are left");
        thread::sleep(LOOK);
    }
    let left = fs::read_dir(&temporary).expect("the folder is there").count();
    assert_eq!(left, 0, "{name}: temporary files are left");
    usage::growth(quarters)
}

/// Kills engines of a running event at moments that a seed decides. Returns what the program used
/// from look to look, and how many it killed.
fn kill_engines(name: &str, program: u32, out: &Path, temporary: &Path) -> (Vec<UsageSample>, u32) {
    let (mut samples, mut random, mut told) = (Vec::new(), Random::new(2026), Instant::now());
    let (mut until_kill, mut kills) = (1_i64, 0);
    while let Some(sample) = usage::sample(program, temporary) {
        samples.push(sample);
        // An engine that dies while it is asked for its name is refused, and rightly so.
        until_kill -= i64::from(out.join("event.toml").exists());
        if until_kill == 0 {
            until_kill = 1 + random.below(KILL_EVERY) as i64;
            // At a moment that no look has chosen.
            thread::sleep(Duration::from_micros(random.below(3_000) as u64));
            let children = usage::children(program);
            if !children.is_empty() {
                let child = Pid::from_raw(children[random.below(children.len())] as i32);
                // It may have ended by itself.
                let _ = kill_process(child.expect("a process has a number"), Signal::KILL);
                kills += 1;
            }
        }
        if told.elapsed() > TELL {
            told = Instant::now();
            println!("{} and {kills} killed so far", usage::row(name, 0, sample));
        }
        thread::sleep(LOOK);
    }
    (samples, kills)
}

/// Copies the engines, so that their processes are known by their command lines. One plays itself
/// where the other cannot be built.
fn copy_engines(built: &Path, folder: &Path) -> [PathBuf; 2] {
    let names = ["libinstant.so", "instant.wasm"].into_iter();
    let copied = names.filter(|name| fs::copy(built.join(name), folder.join(name)).is_ok());
    let copies: Vec<PathBuf> = copied.map(|name| folder.join(name)).collect();
    assert!(!copies.is_empty(), "no engine in {}: cargo xtask soak builds it", built.display());
    [copies[0].clone(), copies[copies.len() - 1].clone()]
}
