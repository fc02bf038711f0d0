//! What the scheduler of Linux says about threads.
//!
//! `schedstat` of each thread (proc_pid_schedstat in the kernel's
//! Documentation/scheduler/sched-stats.rst) has how long it ran and how long it stood in a run
//! queue, in nanoseconds. A thread that sleeps, waits for a lock or a pipe, or is stopped, stands
//! in none.

use std::fs;

use rustix::process::{WaitId, WaitIdOptions, waitid};
use rustix::thread::{CpuSet, sched_getaffinity};

use super::proc::Stat;
use super::sched_stats::{ProcessStats, SchedStats, ThreadStats};
use super::unix::pid_of;
use super::{proc, quota};

const SECOND: u64 = 1_000_000_000;

/// The account of a process and of all its descendants. None when it is gone.
pub(crate) fn sched_stats(pid: u32) -> Option<SchedStats> {
    let cpus = cpus(pid)?;
    let stolen = stolen().into_iter().filter(|&(cpu, _)| cpus.is_set(cpu as usize)).collect();
    let mut sched_stats =
        SchedStats { cpus: cpus.count().min(quota::cpus()), stolen, ..SchedStats::default() };
    let mut pids = vec![pid];
    let mut seen = 0;
    while let Some(&pid) = pids.get(seen) {
        seen += 1;
        add(pid, &mut sched_stats, &mut pids);
    }
    (!sched_stats.processes.is_empty()).then_some(sched_stats)
}

/// The same with all that is in its process group, though the one that started it is gone. They are
/// found among all processes of the machine, which takes a while.
pub(crate) fn sched_stats_of_group(pid: u32) -> Option<SchedStats> {
    let mut sched_stats = sched_stats(pid)?;
    let group = Stat::of(pid)?.group()?;
    for other in proc::all() {
        let is_new = !sched_stats.processes.iter().any(|process| process.id == other);
        if is_new && Stat::of(other).is_some_and(|stat| stat.group() == Some(group)) {
            let first = sched_stats.threads.len();
            add(other, &mut sched_stats, &mut Vec::new());
            // It is not known since when it waits.
            sched_stats.threads[first..].iter_mut().for_each(|thread| thread.waited = 0);
        }
    }
    Some(sched_stats)
}

/// Finds out whether one of the processes of an account stands stopped now.
pub(crate) fn find_halted(sched_stats: &mut SchedStats) {
    let is_halted = |process: &ProcessStats| proc::is_halted(process.id);
    sched_stats.halted = sched_stats.processes.iter().any(is_halted);
}

/// What is left of the account of a child after it was killed and has ended: that of its first
/// thread, and the CPU time of all threads. This does not reap it.
pub(crate) fn last_sched_stats(pid: u32) -> Option<SchedStats> {
    waitid(WaitId::Pid(pid_of(pid)?), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT).ok()?;
    sched_stats(pid)
}

/// The system's number of the calling thread.
pub(crate) fn own_thread() -> Option<u32> {
    rustix::thread::gettid().as_raw_nonzero().get().try_into().ok()
}

/// For how long a thread of this process has waited for a CPU, in nanoseconds.
pub(crate) fn thread_wait(thread: u32) -> Option<u64> {
    read_schedule(&format!("/proc/self/task/{thread}/schedstat")).map(|(_, waited)| waited)
}

/// The account of a thread of this process.
pub(crate) fn thread_stats(thread: u32) -> Option<SchedStats> {
    let (ran, waited) = read_schedule(&format!("/proc/self/task/{thread}/schedstat"))?;
    let cpu = thread_cpu_time(thread)?;
    Some(SchedStats {
        processes: vec![ProcessStats { id: thread, cpu }],
        threads: vec![ThreadStats { id: thread, process: thread, ran, waited }],
        cpus: 1,
        ..SchedStats::default()
    })
}

/// The CPU time of a thread of this process, in nanoseconds.
pub(crate) fn thread_cpu_time(thread: u32) -> Option<u64> {
    proc::cpu_time_of_thread(thread)
}

/// The CPU time of the calling thread, in nanoseconds.
pub(crate) fn own_cpu_time() -> Option<u64> {
    thread_cpu_time(own_thread()?)
}

/// Whether a thread of this process runs, or could.
pub(crate) fn is_thread_runnable(thread: u32) -> bool {
    is_runnable_at(&format!("/proc/self/task/{thread}/stat"))
}

/// Whether a thread of a process, or of a descendant of it, runs or could.
pub(crate) fn is_runnable(pid: u32) -> bool {
    proc::job(pid).into_iter().any(|pid| {
        let mut numbers = proc::thread_numbers(pid).into_iter().flatten();
        numbers.any(|id| is_runnable_at(&format!("/proc/{pid}/task/{id}/stat")))
    })
}

fn is_runnable_at(stat: &str) -> bool {
    Stat::read(stat).is_some_and(|stat| stat.state() == Some('R'))
}

/// The CPUs that a process may use.
fn cpus(pid: u32) -> Option<CpuSet> {
    sched_getaffinity(Some(pid_of(pid)?)).ok()
}

/// For how long each CPU had work and did not run, because the hypervisor of a virtual machine ran
/// something else, in nanoseconds since the start: "steal" in proc_stat(5). On other machines it is
/// 0.
fn stolen() -> Vec<(u32, u64)> {
    let text = fs::read_to_string("/proc/stat").unwrap_or_default();
    // The first line is the sum of the others, which come before everything else.
    let lines = text.lines().skip(1).map_while(|line| line.strip_prefix("cpu"));
    lines.filter_map(stolen_of).collect()
}

/// The same of all CPUs together.
pub(crate) fn stolen_in_all() -> u64 {
    stolen().into_iter().map(|(_, stolen)| stolen).sum()
}

/// What one line says after its `cpu`.
fn stolen_of(line: &str) -> Option<(u32, u64)> {
    // user nice system idle iowait irq softirq steal, in hundredths of a second.
    let mut fields = line.split_whitespace();
    let cpu = fields.next()?.parse().ok()?;
    Some((cpu, in_nanos(fields.nth(7)?.parse().ok()?)))
}

/// What the kernel counts in ticks of its own.
fn in_nanos(ticks: u64) -> u64 {
    ticks * SECOND / rustix::param::clock_ticks_per_second().max(1)
}

/// Adds one process to an account, and the children it has to `pids`.
fn add(pid: u32, sched_stats: &mut SchedStats, pids: &mut Vec<u32>) {
    // The threads come first: what they run until the second look is counted as run, not waited.
    for id in proc::thread_numbers(pid).into_iter().flatten() {
        if let Some((ran, waited)) = read_schedule(&format!("/proc/{pid}/task/{id}/schedstat")) {
            sched_stats.threads.push(ThreadStats { id, process: pid, ran, waited });
        }
        proc::children_of_thread(pid, id, pids);
    }
    if let Some(cpu) = proc::cpu_time(pid)
        && let Some(stat) = Stat::of(pid)
    {
        sched_stats.processes.push(ProcessStats { id: pid, cpu: cpu + reaped_in(&stat) });
    }
}

/// For how long a thread ran, and how long it could have.
fn read_schedule(path: &str) -> Option<(u64, u64)> {
    let text = proc::read(path)?;
    let mut numbers = text.split_whitespace().map(|number| number.parse().ok());
    Some((numbers.next()??, numbers.next()??))
}

/// The CPU time of the children that a process has reaped, in nanoseconds.
pub(super) fn reaped(pid: u32) -> u64 {
    Stat::of(pid).map_or(0, |stat| reaped_in(&stat))
}

fn reaped_in(stat: &Stat) -> u64 {
    let ticks = [16, 17].map(|number| stat.field::<u64>(number).unwrap_or(0));
    in_nanos(ticks.iter().sum())
}

#[cfg(test)]
mod tests {
    use std::hint::black_box;
    use std::process::{Command, Stdio};
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn a_process_that_is_stopped_runs_no_more_and_its_account_outlives_it() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let alive = sched_stats(child.id()).unwrap();
        child.kill().unwrap();
        let last = last_sched_stats(child.id()).unwrap();
        assert_eq!((last.processes.len(), last.threads.len()), (1, 1));
        assert!(last.processes[0].cpu >= alive.processes[0].cpu, "{last:?} {alive:?}");
        assert!(last.threads[0].waited >= alive.threads[0].waited, "{last:?} {alive:?}");
        assert_eq!(sched_stats(child.id()), Some(last), "it has ended, but is not reaped");
        child.wait().unwrap();
        assert_eq!(sched_stats(child.id()), None);
    }

    #[test]
    fn every_thread_is_in_the_account() {
        let (tell, told) = mpsc::channel();
        let (end, ends) = mpsc::channel::<()>();
        let spinner = thread::spawn(move || {
            let id = rustix::thread::gettid().as_raw_nonzero().get();
            let path = format!("/proc/self/task/{id}/schedstat");
            while read_schedule(&path).unwrap().0 < 2_000_000 {
                black_box(id);
            }
            tell.send(id).unwrap();
            ends.recv().unwrap_err();
        });
        let id = u32::try_from(told.recv().unwrap()).unwrap();
        let own = sched_stats(std::process::id()).unwrap();
        let thread = own.threads.iter().find(|thread| thread.id == id).unwrap();
        assert!(thread.ran >= 2_000_000 && own.cpus >= 1, "{thread:?}");
        let process = own.processes.iter().find(|process| process.id == std::process::id());
        assert!(process.unwrap().cpu >= thread.ran);
        drop(end);
        spinner.join().unwrap();
    }

    #[test]
    fn helpers_are_in_the_account_whether_they_have_a_parent_or_not() {
        // The inner shell ends after it has started a helper, which then has no parent.
        let script = "sleep 1000 & echo $!; (sleep 1001 & echo $!); read line";
        let mut command = Command::new("sh");
        command.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::piped());
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().unwrap();
        let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
        let mut helper = || {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut output, &mut line).unwrap();
            line.trim().parse::<u32>().unwrap()
        };
        let (with, without) = (helper(), helper());
        let has = |sched_stats: &SchedStats, pid| {
            sched_stats.processes.iter().any(|process| process.id == pid)
        };
        let tree = sched_stats(child.id()).unwrap();
        let group = sched_stats_of_group(child.id()).unwrap();
        let mut process = super::super::StartedProcess::of_child(child.id());
        super::super::unix::kill_group(&mut process);
        child.wait().unwrap();
        assert!(has(&tree, with), "{tree:?}");
        assert!(has(&group, with) && has(&group, without), "{group:?}");
    }

    #[test]
    fn a_thread_knows_how_long_it_waited() {
        let own = own_thread().unwrap();
        let before = thread_wait(own).unwrap();
        assert!(thread_wait(own).unwrap() >= before);
        assert!(is_thread_runnable(own) && is_runnable(std::process::id()));
        let (stats, later) = (thread_stats(own).unwrap(), thread_cpu_time(own).unwrap());
        assert!((1..=later).contains(&stats.processes[0].cpu), "{stats:?} {later}");
    }

    #[test]
    fn what_was_stolen_is_told_of_each_cpu_that_may_be_used() {
        let line = "12 4705 150 1120 1644 25 0 38 7 3 1";
        assert_eq!(stolen_of(line), Some((12, in_nanos(7))));
        assert_eq!(stolen_of("12 4705 150"), None, "a kernel that does not count it");
        let own = sched_stats(std::process::id()).unwrap();
        assert!((1..=own.cpus as usize).contains(&own.stolen.len()), "{own:?}");
    }

    #[test]
    fn nothing_is_told_of_a_number_without_a_process() {
        // The number is beyond the most that the kernel gives out.
        assert_eq!(sched_stats((1 << 22) + 1), None);
    }
}
