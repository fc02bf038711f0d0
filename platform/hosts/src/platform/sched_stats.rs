//! The scheduler's account of an engine: which of its threads ran, and which could have.

/// What Linux counts stolen time in, when it tells of it: USER_HZ is 100 wherever it runs.
const TICK: u64 = 10_000_000;

/// The scheduler's account of a child so far: of all its processes and their threads, in
/// nanoseconds. Threads and processes that have ended are in it by their CPU time alone.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SchedStats {
    /// Each process: the CPU time of all threads that it has had, and of the children that it has
    /// reaped.
    pub processes: Vec<ProcessStats>,
    /// The threads of all of them.
    pub threads: Vec<ThreadStats>,
    /// How many CPUs they may use.
    pub cpus: u32,
    /// The numbers of those, and for how long a hypervisor has kept each from running though it had
    /// work. Empty where that is not known.
    pub stolen: Vec<(u32, u64)>,
    /// Whether one of the processes stands stopped. Looked at where an engine is killed because its
    /// time is over, alone: one that has answered is paused.
    pub halted: bool,
    /// Whether a program waits for its next line, looked at there too.
    pub reading: bool,
    /// The CPU time of everything in its control group, where the kernel counts that: what ended,
    /// and what cannot be found any more, too.
    pub group_cpu: Option<u64>,
    /// For how long none of the processes ran though one could have, where the kernel counts that.
    pub stalled: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ProcessStats {
    pub id: u32,
    pub cpu: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct ThreadStats {
    pub id: u32,
    /// That of its first thread.
    pub process: u32,
    pub ran: u64,
    /// For how long it could have run, and something else did.
    pub waited: u64,
}

impl SchedStats {
    /// Adds what is known from later: of what is in both, the greater figures.
    pub(crate) fn merge(&mut self, later: &SchedStats) {
        for process in &later.processes {
            match self.processes.iter_mut().find(|known| known.id == process.id) {
                Some(known) => known.cpu = known.cpu.max(process.cpu),
                None => self.processes.push(*process),
            }
        }
        for thread in &later.threads {
            match self.threads.iter_mut().find(|known| known.id == thread.id) {
                Some(known) => {
                    known.ran = known.ran.max(thread.ran);
                    known.waited = known.waited.max(thread.waited);
                }
                None => self.threads.push(*thread),
            }
        }
    }

    /// What has come to that time since an earlier account; nothing where it is not counted. Before
    /// its first account a process was not there.
    pub(crate) fn stalled_since(&self, earlier: &SchedStats) -> u64 {
        self.stalled.map_or(0, |now| now.saturating_sub(earlier.stalled.unwrap_or(0)))
    }

    /// The most that a hypervisor took from one of the CPUs since an earlier account. The kernel
    /// tells whole ticks: where there was any, up to one more may have gone.
    pub(crate) fn stolen_since(&self, earlier: &SchedStats) -> u64 {
        let lost = |&(cpu, now): &(u32, u64)| {
            let known = earlier.stolen.iter().find(|&&(known, _)| known == cpu);
            known.map_or(0, |&(_, before)| now.saturating_sub(before))
        };
        let most = self.stolen.iter().map(lost).max().unwrap_or(0);
        if most > 0 { most + TICK } else { 0 }
    }

    /// Adds what processes have used that left no account.
    pub(crate) fn add_gone(&mut self, cpu: u64) {
        const NO_PROCESS: u32 = 0;
        if cpu > 0 {
            self.processes.push(ProcessStats { id: NO_PROCESS, cpu });
        }
    }

    /// The CPU time since an earlier account. A process that was not there has used all of its own
    /// since.
    pub(crate) fn cpu_since(&self, before: &SchedStats) -> u64 {
        let used = |process: &ProcessStats| {
            let known = before.processes.iter().find(|known| known.id == process.id);
            process.cpu.saturating_sub(known.map_or(0, |known| known.cpu))
        };
        let seen = self.processes.iter().map(used).sum();
        let counted = self.group_cpu.zip(before.group_cpu);
        counted.map_or(seen, |(now, then)| now.saturating_sub(then).max(seen))
    }

    /// What each thread that is still there did since an earlier account. What it may have waited
    /// before that does not count.
    pub(crate) fn threads_since(&self, before: &SchedStats) -> Vec<ThreadStats> {
        let since = |thread: &ThreadStats| {
            let (ran, waited) = self.history(thread, before);
            let (ran, waited) = (thread.ran - ran, thread.waited - waited);
            ThreadStats { ran, waited, ..*thread }
        };
        self.threads.iter().map(since).collect()
    }

    /// How much a thread had run and waited at an earlier account, or may have.
    ///
    /// A process that becomes another program has one thread left, which takes the number of its
    /// first with what it had run and waited itself. Nothing shows that but that all others are
    /// gone.
    fn history(&self, thread: &ThreadStats, before: &SchedStats) -> (u64, u64) {
        let mut known = before.threads.iter().filter(|known| known.id == thread.id).peekable();
        if known.peek().is_none() {
            return (0, 0);
        }
        let is_other = |one: &&ThreadStats| one.process == thread.id && one.id != thread.id;
        let is_left = |other: &ThreadStats| self.threads.iter().any(|now| now.id == other.id);
        let others = || before.threads.iter().filter(is_other);
        let may_be_one = !others().any(is_left);
        let all = known.chain(others().filter(|_| may_be_one));
        let possible = all.filter(|one| one.ran <= thread.ran && one.waited <= thread.waited);
        let most = possible.max_by_key(|one| one.waited).map(|one| (one.ran, one.waited));
        // None: it is another of the same number, and may have waited before that.
        most.unwrap_or((0, thread.waited))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sched_stats(cpu: u64, threads: &[(u32, u64, u64)]) -> SchedStats {
        let thread = |&(id, ran, waited): &_| ThreadStats { id, process: 1, ran, waited };
        let threads = threads.iter().map(thread).collect();
        SchedStats {
            processes: vec![ProcessStats { id: 1, cpu }],
            threads,
            cpus: 2,
            ..SchedStats::default()
        }
    }

    #[test]
    fn threads_that_come_and_go_are_told_apart() {
        let before = sched_stats(100, &[(1, 10, 5), (2, 80, 0), (3, 10, 9)]);
        // Thread 2 has ended; 4 is new, and so is the second 3.
        let mut after = sched_stats(160, &[(1, 12, 9), (3, 4, 2), (4, 20, 30)]);
        assert_eq!(after.cpu_since(&before), 60);
        let expected = sched_stats(0, &[(1, 2, 4), (3, 4, 0), (4, 20, 30)]).threads;
        assert_eq!(after.threads_since(&before), expected);
        after.processes.push(ProcessStats { id: 9, cpu: 1000 });
        assert_eq!(after.cpu_since(&before), 1060, "a helper process counts");
        let (mut before, mut after) = (before, after);
        before.add_gone(10);
        after.add_gone(300);
        assert_eq!(after.cpu_since(&before), 1350, "and those that left no account");
        (before.group_cpu, after.group_cpu) = (Some(5000), Some(7000));
        assert_eq!(after.cpu_since(&before), 2000, "and those that are not found");
    }

    #[test]
    fn a_thread_that_takes_the_first_ones_place_brings_no_waits_with_it() {
        let before = sched_stats(100, &[(1, 10, 5), (2, 12, 5000)]);
        // It becomes another program by its second thread.
        let after = sched_stats(120, &[(1, 15, 5007)]);
        assert_eq!(after.threads_since(&before)[0].waited, 7);
        // It had run for less than the first.
        let before = sched_stats(100, &[(1, 90, 5), (2, 12, 5000)]);
        assert_eq!(after.threads_since(&before)[0].waited, 7);
        // Its second thread has only ended.
        let after = sched_stats(120, &[(1, 95, 30)]);
        assert_eq!(after.threads_since(&before)[0].waited, 25);
        // Others are still there.
        let before = sched_stats(100, &[(1, 10, 5), (2, 12, 6), (3, 10, 9)]);
        let after = sched_stats(160, &[(1, 20, 9), (3, 14, 9)]);
        let waited: Vec<_> = after.threads_since(&before).iter().map(|one| one.waited).collect();
        assert_eq!(waited, [4, 0]);
    }

    #[test]
    fn the_cpu_that_lost_most_tells_how_much_was_stolen() {
        let with =
            |stolen: &[(u32, u64)]| SchedStats { stolen: stolen.to_vec(), ..SchedStats::default() };
        let before = with(&[(0, 70 * TICK), (1, 90 * TICK)]);
        assert_eq!(with(&[(0, 70 * TICK), (1, 90 * TICK)]).stolen_since(&before), 0);
        assert_eq!(with(&[(0, 71 * TICK), (1, 93 * TICK)]).stolen_since(&before), 4 * TICK);
        // It may use another CPU since then: what that one lost before says nothing.
        assert_eq!(with(&[(0, 71 * TICK), (2, 99 * TICK)]).stolen_since(&before), 2 * TICK);
        assert_eq!(with(&[(0, 71 * TICK)]).stolen_since(&SchedStats::default()), 0);
    }

    #[test]
    fn what_is_known_from_later_completes_an_account() {
        let mut load_before = sched_stats(100, &[(1, 10, 5), (2, 80, 3)]);
        load_before.merge(&sched_stats(120, &[(1, 15, 9)]));
        assert_eq!(load_before, sched_stats(120, &[(1, 15, 9), (2, 80, 3)]));
    }
}
