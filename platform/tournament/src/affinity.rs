//! Tables on CPUs that the event names.
//!
//! The processes of engines get the CPU of the thread that starts them, so a table and its engines
//! share it. If none is named, the host of the engines places them by how fast they answer.

use tengen_players::CpuClaim;

use crate::{Affinity, ConfigError, EventConfig};

/// Elsewhere a binding is a hint at most, which no process inherits.
const CAN_BIND: bool = cfg!(any(target_os = "linux", windows));

/// The CPU of each table in turn; empty to leave them to the system.
///
/// # Errors
/// When the configuration names a CPU that this process may not use.
pub(crate) fn plan(config: &EventConfig) -> Result<Vec<usize>, ConfigError> {
    let allowed = allowed_cpus();
    match &config.cpus {
        Affinity::None | Affinity::Auto => Ok(Vec::new()),
        Affinity::Cpus(cpus) => match cpus.iter().find(|&cpu| !allowed.contains(cpu)) {
            Some(cpu) if allowed.is_empty() => {
                let problem = format!("this system cannot bind to CPU {cpu}; use none");
                Err(ConfigError::option("cpus", problem))
            }
            Some(cpu) => {
                let problem = format!("there is no CPU {cpu}; this process may use {allowed:?}");
                Err(ConfigError::option("cpus", problem))
            }
            None => Ok(cpus.clone()),
        },
    }
}

/// The CPUs that this process may use, by their numbers; empty where the system does not tell.
pub fn allowed_cpus() -> Vec<usize> {
    if !CAN_BIND {
        return Vec::new();
    }
    core_affinity::get_core_ids().into_iter().flatten().map(|cpu| cpu.id).collect()
}

/// Binds the calling thread to this CPU, and with it the engines that it starts from now on.
///
/// # Errors
/// Where the system cannot, or the process may not use this CPU.
pub fn bind_thread(cpu: usize) -> std::io::Result<()> {
    if !CAN_BIND {
        return Err(std::io::ErrorKind::Unsupported.into());
    }
    match core_affinity::set_for_current(core_affinity::CoreId { id: cpu }) {
        true => Ok(()),
        false => Err(std::io::Error::last_os_error()),
    }
}

/// The warning for an event whose games have too few CPUs to be fair to their clocks, if they have
/// too few.
pub(crate) fn warning(config: &EventConfig, allowed: usize) -> Option<String> {
    if config.engines.iter().all(|engine| engine.remote().is_some()) {
        return None;
    }
    let threads = config.engines.iter().filter_map(|engine| engine.threads).max().unwrap_or(1);
    let cpus = match &config.cpus {
        Affinity::Cpus(cpus) => cpus.len(),
        _ => allowed,
    };
    // One of the two engines of a game works at a time, unless both may.
    let working = threads.max(1) as usize * if config.ponder { 2 } else { 1 };
    let wanted = config.concurrency.saturating_mul(working);
    (cpus > 0 && wanted > cpus).then(|| {
        let (games, each) = (config.concurrency, threads.max(1));
        let pondering = if config.ponder { ", two of which work" } else { "" };
        format!(
            "{games} games at once with engines of {each} threads{pondering} want {wanted} CPUs, \
             but there are {cpus}: engines will lose time to each other; lower --concurrency to \
             {}, or play games that the host spoils again with --spoiled replay",
            (cpus / working).max(1)
        )
    })
}

/// Keeps other events away from the CPUs of a plan, and gives those that other events already have.
pub(crate) fn claim(plan: &[usize]) -> Vec<CpuClaim> {
    let mut claims = Vec::new();
    for &cpu in plan {
        match CpuClaim::take(cpu) {
            Some(claim) => claims.push(claim),
            None => log::warn!(
                "CPU {cpu}: games of another event are bound to it too, and take time from each \
                 other; name other ones with --cpus"
            ),
        }
    }
    claims
}

/// Binds the calling thread, and the engines that it starts from now on, to the CPU of this table
/// of the plan (counted from 0), if there is a plan.
pub(crate) fn bind(plan: &[usize], table: usize) {
    if let Some(&cpu) = plan.get(table % plan.len().max(1))
        && let Err(error) = bind_thread(cpu)
    {
        log::warn!("table {}: cannot be bound to CPU {cpu}: {error}", table + 1);
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use crate::EngineEntry;

    fn config(concurrency: usize, affinity: Affinity) -> EventConfig {
        let engines = ["a", "b"].map(EngineEntry::new).to_vec();
        EventConfig { concurrency, cpus: affinity, engines, ..EventConfig::default() }
    }

    #[test]
    fn tables_are_bound_to_cpus_that_are_named() {
        let cpus = allowed_cpus();
        assert_eq!(plan(&config(1, Affinity::Cpus(cpus.clone()))).unwrap(), cpus);
        for free in [Affinity::Auto, Affinity::None] {
            assert!(plan(&config(cpus.len(), free)).unwrap().is_empty());
        }
    }

    #[test]
    fn more_games_than_cpus_are_warned_of() {
        let of = |concurrency| config(concurrency, Affinity::Auto);
        assert_eq!(warning(&of(4), 4), None);
        let text = warning(&of(5), 4).unwrap();
        assert!(text.contains("want 5 CPUs, but there are 4") && text.contains("to 4"), "{text}");
        let mut threaded = of(2);
        threaded.engines[1].threads = Some(2);
        assert_eq!(warning(&threaded, 4), None);
        threaded.ponder = true;
        assert!(warning(&threaded, 4).unwrap().contains("want 8 CPUs"));
        assert_eq!(warning(&of(900), 0), None, "it is not known");
        let engines = ["remote:a", "remote:b"].map(EngineEntry::new).to_vec();
        let elsewhere = EventConfig { engines, ..of(900) };
        assert_eq!(warning(&elsewhere, 4), None, "they have CPUs of their own");
        assert!(warning(&config(2, Affinity::Cpus(vec![3])), 4).is_some());
    }

    #[test]
    fn a_cpu_that_is_not_there_is_refused() {
        let last = *allowed_cpus().last().unwrap();
        assert_eq!(plan(&config(1, Affinity::Cpus(vec![last]))).unwrap(), [last]);
        let error = plan(&config(1, Affinity::Cpus(vec![last, 5000]))).unwrap_err().to_string();
        assert!(error.starts_with("cpus: there is no CPU 5000"), "{error}");
    }

    #[test]
    fn a_bound_thread_is_on_its_cpu() {
        let cpus = allowed_cpus();
        let last = cpus.len() - 1;
        std::thread::spawn(move || {
            bind(&cpus, last);
            assert_eq!(allowed_cpus(), [cpus[last]]);
            bind(&[], 3);
            assert_eq!(allowed_cpus(), [cpus[last]]);
        })
        .join()
        .unwrap();
    }
}
