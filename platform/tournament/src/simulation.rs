//! Events and games under a seeded simulator: virtual time, players that may do anything, a store
//! that fails. The outcome is compared with what a second, naive arbiter makes of what the players
//! saw and did.
//!
//! A seed is a scenario. The seed that failed is printed with the command that runs it again.

mod events;
mod fairness;
mod games;
mod referee;
mod roster;
mod scenario;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Names the seeds.
const VARIABLE: &str = "TENGEN_SIM_SEED";

/// Simulates the scenarios of these seeds, or of those that the environment names: one (`17`) or a
/// range of them (`1..1000`).
fn simulate(test: &str, seeds: Range<u64>, scenario: impl Fn(u64) + Sync) {
    let seeds = match std::env::var(VARIABLE) {
        Ok(text) => named(&text).unwrap_or_else(|| panic!("{VARIABLE}={text}: expected 1 or 1..9")),
        Err(_) => seeds,
    };
    let next = AtomicU64::new(seeds.start);
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if !seeds.contains(&seed) {
                return;
            }
            let reported = SeedReport { test, seed, next: &next };
            scenario(seed);
            drop(reported);
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(work);
        }
    });
}

fn named(text: &str) -> Option<Range<u64>> {
    match text.split_once("..") {
        Some((from, to)) => Some(from.parse().ok()?..to.parse().ok()?),
        None => text.parse().ok().map(|seed| seed..seed + 1),
    }
}

/// How often each situation was simulated, so that a simulator that reaches too few is noticed.
#[derive(Debug, Default)]
struct Coverage(Mutex<BTreeMap<String, u64>>);

impl Coverage {
    fn note(&self, what: impl ToString) {
        let mut coverage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        *coverage.entry(what.to_string()).or_default() += 1;
    }

    /// Asserts that all of these were reached often, unless the environment names the seeds.
    fn assert_all(&self, all: &[&str]) {
        let coverage = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        println!("{coverage:?}");
        let rare = |what: &&&str| coverage.get(**what).is_none_or(|count| *count < 20);
        let rare: Vec<_> = all.iter().filter(rare).collect();
        assert!(rare.is_empty() || std::env::var(VARIABLE).is_ok(), "hardly reached: {rare:?}");
    }
}

/// Reports the seed of a scenario that fails, and stops the others.
struct SeedReport<'a> {
    test: &'a str,
    seed: u64,
    next: &'a AtomicU64,
}

impl Drop for SeedReport<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            let SeedReport { test, seed, next } = self;
            next.store(u64::MAX / 2, Ordering::Relaxed);
            eprintln!(
                "the scenario of seed {seed} failed; to run it again:\n\
                 {VARIABLE}={seed} cargo nextest run -p tengen-tournament {test}"
            );
        }
    }
}
