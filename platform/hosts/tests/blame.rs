//! What an engine is charged for, and where the time of an unanswered question went: engines that
//! compute in threads of their own, on a busy machine and on whatever machine this is.
//!
//! The table of `docs/clocks.md` is what this prints:
//!
//! ```sh
//! TENGEN_TRIES=10 cargo nextest run -p tengen-hosts --test blame --run-ignored only --no-capture
//! ```
#![cfg(target_os = "linux")]

mod common;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use common::{EngineBuilder, PATIENT, ask, bad_brain, in_game, quirk, searcher};
use tengen_arbiter::{Cause, CpuStats, Failure, ForfeitCause, Nanos};
use tengen_hosts::{EngineSpec, HostSettings};
use tengen_players::Timing;

const SECOND: Nanos = 1_000_000_000;

/// Threads that compute until they are dropped.
struct BusyLoops {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyLoops {
    /// So many for each CPU, all of which run when this returns.
    fn of_each_cpu(count: usize) -> BusyLoops {
        BusyLoops::new(count * cpus())
    }

    /// So many in all.
    fn new(count: usize) -> BusyLoops {
        let (is_over, ready) =
            (Arc::new(AtomicBool::new(false)), Arc::new(Barrier::new(count + 1)));
        let spin = |_| {
            let (is_over, ready) = (Arc::clone(&is_over), Arc::clone(&ready));
            thread::spawn(move || {
                ready.wait();
                while !is_over.load(Ordering::Relaxed) {
                    black_box(0);
                }
            })
        };
        let threads = (0..count).map(spin).collect();
        ready.wait();
        BusyLoops { is_over, threads }
    }
}

impl Drop for BusyLoops {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.threads.drain(..).for_each(|thread| thread.join().unwrap());
    }
}

fn cpus() -> usize {
    thread::available_parallelism().unwrap().get()
}

/// What became of a question.
#[derive(Debug)]
struct Asked {
    is_answered: bool,
    /// How long it was waited for, and what of that is charged.
    spent: Nanos,
    charged: Nanos,
    timing: Timing,
}

impl Asked {
    fn cpu_stats(&self) -> CpuStats {
        self.timing.cpu_stats.expect("this system tells")
    }
}

/// Asks an engine that has so long to answer.
fn asked(shop: &EngineBuilder, spec: &EngineSpec, patience: Nanos) -> Asked {
    let mut player = in_game(spec, &shop.settings());
    let reply = ask(&mut *player, &[], Some(patience));
    let timing = player.timing();
    let spent = reply.answered_at - reply.asked_at;
    let charged = timing.correction.charge(spent);
    let is_answered = reply.outcome.expect("it answers, or does not").is_some();
    Asked { is_answered, spent, charged, timing }
}

/// A searcher of so many threads that compute for so many milliseconds each, or without end.
fn asked_searcher(threads: u32, ms: i32, patience: Nanos) -> Asked {
    let shop = EngineBuilder::new();
    let spec = searcher(&shop, threads, ms);
    asked(&shop, &spec, patience)
}

/// The time for which the CPUs of the machine had nothing to do, all together, and what of that
/// may be rounded: two counters of each CPU, in ticks.
fn idle() -> (Nanos, Nanos, usize) {
    const TICK: Nanos = SECOND / 100;
    let stat = std::fs::read_to_string("/proc/stat").unwrap();
    let is_cpu = |line: &&str| line.starts_with("cpu") && !line.starts_with("cpu ");
    let idle = |line: &str| -> Nanos {
        let fields = line.split_whitespace().skip(4).take(2);
        fields.map(|ticks| ticks.parse::<Nanos>().unwrap()).sum()
    };
    let lines: Vec<_> = stat.lines().filter(is_cpu).collect();
    let ticks: Nanos = lines.iter().map(|line| idle(line)).sum();
    (ticks * TICK, 2 * TICK * lines.len() as Nanos, lines.len())
}

/// How many milliseconds each of so many threads computes that together need this part of a time,
/// in hundredths, on a machine of their own.
fn work(threads: u32, patience: Nanos, hundredths: u64) -> i32 {
    let side_by_side = u64::from(threads).min(cpus() as u64);
    let each = patience / 1_000_000 * hundredths / 100 * side_by_side / u64::from(threads);
    i32::try_from(each).unwrap()
}

/// Two busy loops a CPU take a third or more of what any searcher asks for. It has its whole time
/// all the same, and no more: an engine that would be late on a quiet machine is.
#[test]
fn a_searcher_on_a_busy_machine_has_its_own_time_and_no_more() {
    let _load = BusyLoops::of_each_cpu(2);
    for threads in [1, 2, 8] {
        let asked = asked_searcher(threads, work(threads, SECOND, 60), SECOND);
        assert!(asked.is_answered && asked.charged <= SECOND, "{threads} threads: {asked:?}");
        let asked = asked_searcher(threads, 0, SECOND / 2);
        let (given_back, stats) = (asked.timing.correction.given_back, asked.cpu_stats());
        assert!(!asked.is_answered && given_back > 0, "{threads} threads: {asked:?}");
        assert!(asked.charged > SECOND / 2, "{threads} threads: {asked:?}");
        assert_eq!(ForfeitCause::judge(stats, SECOND / 2).cause, Cause::Engine, "{asked:?}");
    }
}

/// The other way round, on whatever machine this is: the host cannot have taken more than all
/// others ran.
#[test]
fn a_searcher_was_not_kept_waiting_by_more_than_others_ran() {
    for threads in [1, 2, 8, 3 * cpus() as u32] {
        let (before, since) = (idle(), Instant::now());
        let asked = asked_searcher(threads, 0, SECOND);
        let (after, span) = (idle(), since.elapsed().as_nanos() as Nanos);
        let (idle, rounding) = (after.0 - before.0, after.1);
        let stats = asked.cpu_stats();
        let others = (span * after.2 as Nanos).saturating_sub(idle + stats.cpu) + rounding;
        assert!(stats.waited <= others, "{threads} threads: {asked:?}, others {others}");
        assert!(!asked.is_answered && asked.charged > SECOND, "{threads} threads: {asked:?}");
    }
}

/// Its own helper processes took the CPUs from it, though they have no parent any more: they are no
/// others.
#[test]
fn helper_processes_are_no_excuse() {
    let shop = EngineBuilder::new();
    let spec = bad_brain(&shop, "ORPHANS_WORK");
    let (before, since) = (idle(), Instant::now());
    let asked = asked(&shop, &spec, 2 * SECOND);
    let (after, span) = (idle(), since.elapsed().as_nanos() as Nanos);
    let (idle, rounding) = (after.0 - before.0, after.1);
    let stats = asked.cpu_stats();
    let others = (span * after.2 as Nanos).saturating_sub(idle + stats.cpu) + rounding;
    assert!(stats.waited <= others, "{asked:?}, others {others}");
    assert!(!asked.is_answered && asked.charged > 2 * SECOND, "{asked:?}");
}

/// What is no answer may come when the time has already run out: then it is that that lost.
#[test]
fn the_cpu_time_of_a_failure_is_known() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { strict_protocol: true, ..shop.settings() };
    let mut player = in_game(&quirk(&shop, "junk"), &settings);
    let fault = ask(&mut *player, &[], Some(PATIENT)).outcome.unwrap_err();
    assert_eq!(fault.failure, Failure::ProtocolError, "{}", fault.detail);
    assert!(player.timing().cpu_stats.is_some());
}

#[test]
fn threads_that_sleep_on_a_busy_machine_are_no_excuse() {
    let _load = BusyLoops::of_each_cpu(1);
    let asked = asked_searcher(8, -1, 2 * SECOND);
    let stats = asked.cpu_stats();
    assert!(!asked.is_answered && asked.charged > 2 * SECOND, "{asked:?}");
    assert!(stats.waited < SECOND && stats.asleep > SECOND, "it is told that it slept: {asked:?}");
}

/// How engines are judged on a machine with nothing else to do, and beside 2, 8 and 30 busy loops:
/// the table of `docs/clocks.md`. It takes some minutes, and all CPUs.
#[test]
#[ignore = "takes all CPUs for minutes"]
fn the_guilty_are_judged_and_the_innocent_never_pay() {
    const TIME: Nanos = SECOND / 2;
    let tries: usize = std::env::var("TENGEN_TRIES").map_or(10, |text| text.parse().unwrap());
    println!("| busy loops | threads | hung: judged | needs 130 %: judged | needs 70 %: in time |");
    println!("|---|---|---|---|---|");
    let mut wrong = Vec::new();
    for load in [0, 2, 8, 30] {
        let _load = BusyLoops::new(load);
        for threads in [1, 2, 8, 0] {
            let mut cells = Vec::new();
            // Threads that sleep are as good as none.
            let kinds: &[(i32, bool)] = match threads {
                0 => &[(-1, false)],
                _ => &[
                    (0, false),
                    (work(threads, TIME, 130), false),
                    (work(threads, TIME, 70), true),
                ],
            };
            for &(ms, is_innocent) in kinds {
                let all = (0..tries).map(|_| asked_searcher(threads.max(1), ms, TIME));
                let all: Vec<Asked> = all.collect();
                let is_right = |asked: &&Asked| match is_innocent {
                    true => asked.is_answered && asked.charged <= TIME,
                    false => asked.charged > TIME,
                };
                let longest = all.iter().map(|asked| asked.spent).max().unwrap();
                let right = all.iter().filter(is_right).count();
                cells.push(format!("{right} of {tries}, in {:.1} s", longest as f64 / 1e9));
                wrong.extend(all.into_iter().filter(|asked| !is_right(&asked)));
            }
            let threads = if threads == 0 { "asleep".to_owned() } else { threads.to_string() };
            println!("| {load} | {threads} | {} |", cells.join(" | "));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
