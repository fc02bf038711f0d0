//! Which CPUs threads and processes may run on, on Linux.

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::proc;
use super::unix::pid_of;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cpus(CpuSet);

impl Cpus {
    /// Those of the calling thread, if the system reports them.
    pub(crate) fn of_this_thread() -> Option<Cpus> {
        sched_getaffinity(None).ok().map(Cpus)
    }

    /// That one alone, if such a number can be.
    pub(crate) fn one(cpu: usize) -> Option<Cpus> {
        let mut set = CpuSet::new();
        (cpu < CpuSet::MAX_CPU).then(|| set.set(cpu))?;
        Some(Cpus(set))
    }

    /// Those of these numbers that can be.
    pub(crate) fn of(cpus: &[usize]) -> Cpus {
        let mut set = CpuSet::new();
        cpus.iter().filter(|cpu| **cpu < CpuSet::MAX_CPU).for_each(|cpu| set.set(*cpu));
        Cpus(set)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = usize> {
        (0..CpuSet::MAX_CPU).filter(|&cpu| self.0.is_set(cpu))
    }

    /// Lets the calling thread run on these alone. Gives whether that could be done.
    pub(crate) fn apply_here(&self) -> bool {
        sched_setaffinity(None, &self.0).is_ok()
    }

    /// Lets every thread of a process run on these alone, and of all that it has started, unless
    /// it is `alone`.
    pub(super) fn apply_to(&self, pid: u32, alone: bool) {
        let helpers = if alone { Vec::new() } else { proc::descendants(pid) };
        for pid in std::iter::once(pid).chain(helpers) {
            // Once more for what was started by a thread that had not been reached yet.
            for _ in 0..2 {
                for thread in proc::thread_numbers(pid).into_iter().flatten() {
                    // One that has ended needs no place.
                    let _ = pid_of(thread).map(|thread| sched_setaffinity(Some(thread), &self.0));
                }
            }
        }
    }
}

/// The CPU that the calling thread is on.
pub(crate) fn current_cpu() -> usize {
    sched_getcpu()
}
