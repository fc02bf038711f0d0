//! Where the time of a question went that an engine did not answer: engines that compute in
//! threads of their own, on a machine that is busy, and on whatever machine this is.
#![cfg(target_os = "linux")]

mod common;

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Barrier};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use common::{EngineBuilder, PATIENT, ask, bad_brain, quirk, searcher, setup};
use tengen_arbiter::{Cause, CpuStats, Failure, ForfeitCause, Nanos};
use tengen_hosts::{EngineSpec, HostSettings, player};

const SECOND: Nanos = 1_000_000_000;

/// Threads that compute until they are dropped.
struct BusyLoops {
    is_over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl BusyLoops {
    /// So many for each CPU, all of which run when this returns.
    fn of_each_cpu(count: usize) -> BusyLoops {
        let count = count * cpus();
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

/// Where the time went of a searcher that does not answer.
fn cpu_stats(threads: u32, ms: i32, patience: Nanos) -> CpuStats {
    let shop = EngineBuilder::new();
    cpu_stats_of(&shop, &searcher(&shop, threads, ms), patience)
}

fn cpu_stats_of(shop: &EngineBuilder, spec: &EngineSpec, patience: Nanos) -> CpuStats {
    let mut player = player(spec, &shop.settings());
    player.new_game(&setup()).unwrap();
    let reply = ask(&mut *player, &[], Some(patience));
    assert_eq!(reply.outcome.unwrap(), None, "it does not answer");
    player.timing().cpu_stats.expect("this system tells")
}

fn cause(cpu_stats: CpuStats, patience: Nanos) -> Cause {
    ForfeitCause::judge(cpu_stats, patience - 1, patience).cause
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

/// Two busy loops a CPU take a third or more of what any searcher asks for.
#[test]
fn a_searcher_on_a_busy_machine_is_not_to_blame() {
    let _load = BusyLoops::of_each_cpu(2);
    for threads in [1, 2, 8] {
        let cpu_stats = cpu_stats(threads, 0, SECOND);
        assert_eq!(cause(cpu_stats, SECOND), Cause::Scheduling, "{threads} threads: {cpu_stats:?}");
        assert!(
            cpu_stats.cpu > 0 && cpu_stats.waited < 2 * SECOND,
            "{threads} threads: {cpu_stats:?}"
        );
    }
}

/// The other way round, on whatever machine this is: the host cannot have taken more than all
/// others ran, and where those did next to nothing, the searcher is to blame.
#[test]
fn a_searcher_was_not_kept_waiting_by_more_than_others_ran() {
    for threads in [1, 2, 8, 3 * cpus() as u32] {
        let (before, since) = (idle(), Instant::now());
        let cpu_stats = cpu_stats(threads, 0, SECOND);
        let (after, span) = (idle(), since.elapsed().as_nanos() as Nanos);
        let (idle, rounding) = (after.0 - before.0, after.1);
        let others = (span * after.2 as Nanos).saturating_sub(idle + cpu_stats.cpu) + rounding;
        assert!(cpu_stats.waited <= others, "{threads} threads: {cpu_stats:?}, others {others}");
        if others < SECOND / 20 {
            assert_eq!(cause(cpu_stats, SECOND), Cause::Engine, "{threads} threads: {cpu_stats:?}");
        }
    }
}

/// Its own helper processes took the CPUs from it, though they have no parent any more: they are no
/// others.
#[test]
fn helper_processes_excuse_nobody() {
    let shop = EngineBuilder::new();
    let spec = bad_brain(&shop, "ORPHANS_WORK");
    let (before, since) = (idle(), Instant::now());
    let cpu_stats = cpu_stats_of(&shop, &spec, 2 * SECOND);
    let (after, span) = (idle(), since.elapsed().as_nanos() as Nanos);
    let (idle, rounding) = (after.0 - before.0, after.1);
    let others = (span * after.2 as Nanos).saturating_sub(idle + cpu_stats.cpu) + rounding;
    assert!(cpu_stats.waited <= others, "{cpu_stats:?}, others {others}");
    if others < SECOND / 20 {
        assert_eq!(cause(cpu_stats, 2 * SECOND), Cause::Engine, "{cpu_stats:?}");
    }
}

/// What is no answer may come when the time has already run out: then it is that that lost.
#[test]
fn it_is_known_of_whoever_failed() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { strict_protocol: true, ..shop.settings() };
    let mut player = player(&quirk(&shop, "junk"), &settings);
    player.new_game(&setup()).unwrap();
    let fault = ask(&mut *player, &[], Some(PATIENT)).outcome.unwrap_err();
    assert_eq!(fault.failure, Failure::ProtocolError, "{}", fault.detail);
    assert!(player.timing().cpu_stats.is_some());
}

#[test]
fn threads_that_sleep_on_a_busy_machine_excuse_nobody() {
    const PATIENCE: Nanos = 4 * SECOND;
    let _load = BusyLoops::of_each_cpu(1);
    let cpu_stats = cpu_stats(8, -1, PATIENCE);
    assert_eq!(cause(cpu_stats, PATIENCE), Cause::Engine, "{cpu_stats:?}");
}
