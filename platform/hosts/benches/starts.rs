//! What a start of an engine costs: a brain that does nothing is started again and again, with a
//! process for each game, and plays no move.
//!
//! `cargo bench --package tengen-hosts --bench starts` prints, for all layers and without each of
//! some, the CPU time of a start: of this program, of the process that hosts the brain, of the
//! brain itself and of all helpers, with their ends. What the kernel does later without charging a
//! process, such as removing a namespace, is not included. The goal is 3 ms.

#[path = "../tests/common/mod.rs"]
mod common;

use std::time::{Duration, Instant};

use common::{EngineBuilder, quirk, setup};
use tengen_hosts::{HostSettings, RestartPolicy, player};

const STARTS: u32 = 1000;
/// Layers that are left out, with the name of that.
const CASES: [(&str, &[&str]); 7] = [
    ("all layers", &[]),
    ("without control groups", &["cgroup_memory", "cgroup_pids", "cgroup_cpu"]),
    ("without net_ns", &["net_ns"]),
    ("without mount_ns", &["mount_ns"]),
    ("without pid_ns", &["pid_ns"]),
    ("without seccomp", &["seccomp"]),
    ("without landlock", &["landlock"]),
];

fn main() {
    let shop = EngineBuilder::new();
    let brain = quirk(&shop, "fast");
    let starts = std::env::var("STARTS").ok().and_then(|count| count.parse().ok());
    let starts: u32 = starts.unwrap_or(STARTS);
    println!("{:<26}{:>14}{:>12}", "", "CPU ms", "ms");
    for (name, left_out) in CASES {
        let left_out = left_out.iter().map(|layer| (*layer).to_owned()).collect();
        let settings = HostSettings { restart: RestartPolicy::On, left_out, ..shop.settings() };
        let mut player = player(&brain, &settings);
        // The first is another: what all share is made then.
        player.new_game(&setup()).expect("the brain gets ready");
        player.new_game(&setup()).expect("the brain gets ready");
        let (cpu, since) = (cpu_time(), Instant::now());
        for _ in 0..starts {
            player.new_game(&setup()).expect("the brain gets ready");
        }
        let each = |span: Duration| span.as_secs_f64() * 1e3 / f64::from(starts);
        println!("{name:<26}{:>14.2}{:>12.2}", each(cpu_time() - cpu), each(since.elapsed()));
    }
}

/// What this process has used, and all that it has reaped. Windows counts no such: there only the
/// time that went by is measured.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    Duration::ZERO
}

#[cfg(unix)]
fn cpu_time() -> Duration {
    let used = |who| {
        // SAFETY: a struct of integers may be zero.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        // SAFETY: the place is valid for the call.
        let code = unsafe { libc::getrusage(who, &mut usage) };
        assert_eq!(code, 0, "{}", std::io::Error::last_os_error());
        let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
        micros(usage.ru_utime) + micros(usage.ru_stime)
    };
    Duration::from_micros(used(libc::RUSAGE_SELF) + used(libc::RUSAGE_CHILDREN))
}
