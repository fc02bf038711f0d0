//! What the threads of another process are doing, as Linux reports it.

use std::fs;
use std::os::unix::fs::MetadataExt;

use super::proc::Stat;
use super::{Activity, JobCpu, proc, sched};

/// What the threads of a process are doing together, and those of all that it has started, unless
/// it is `alone`. Its input is the pipe of that inode. None when it is gone.
pub(crate) fn activity(pid: u32, input: Option<u64>, alone: bool) -> Option<Activity> {
    let mut found = one(pid, input)?;
    if !alone {
        for helper in proc::descendants(pid) {
            // One that has just ended does nothing.
            found = found.and(one(helper, input).unwrap_or(Activity::Ended));
        }
    }
    Some(found)
}

/// The CPU time of a process and of all that it has started, unless it is `alone`.
pub(crate) fn job_cpu(pid: u32, alone: bool) -> Option<JobCpu> {
    let mut job = JobCpu { processes: vec![(pid, proc::cpu_time(pid)?)], reaped: 0 };
    if !alone {
        job.reaped = sched::reaped(pid);
        for helper in proc::descendants(pid) {
            // One that has just been reaped has no clock.
            if let Some(cpu) = proc::cpu_time(helper) {
                job.reaped = job.reaped.saturating_add(sched::reaped(helper));
                job.processes.push((helper, cpu));
            }
        }
    }
    Some(job)
}

/// How many threads a process has, and all that it has started, unless it is `alone`.
pub(crate) fn job_threads(pid: u32, alone: bool) -> u64 {
    let pids = if alone { vec![pid] } else { proc::job(pid) };
    pids.into_iter().map(proc::threads).sum()
}

/// Whether a process has more than one thread, or, unless it is `alone`, has started others.
pub(crate) fn has_several_threads(pid: u32, alone: bool) -> bool {
    let mut helpers = Vec::new();
    proc::threads(pid) > 1
        || !alone && {
            proc::children_of_thread(pid, pid, &mut helpers);
            !helpers.is_empty()
        }
}

fn one(pid: u32, input: Option<u64>) -> Option<Activity> {
    let mut found = Activity::Ended;
    for thread in proc::thread_numbers(pid).ok()? {
        found = found.and(of_thread(pid, thread, input));
        if found == Activity::Working {
            break;
        }
    }
    Some(found)
}

fn of_thread(pid: u32, thread: u32, input: Option<u64>) -> Activity {
    let task = format!("/proc/{pid}/task/{thread}");
    let Ok(call) = fs::read_to_string(format!("{task}/syscall")) else {
        return of_state(&task);
    };
    let mut words = call.split_whitespace();
    // A thread that runs, or waits outside of any call, has no number.
    let number = words.next().and_then(|word| word.parse::<libc::c_long>().ok());
    let first =
        words.next().and_then(|word| u32::from_str_radix(word.trim_start_matches("0x"), 16).ok());
    let Some(number @ 0..) = number else { return Activity::Working };
    // A wait for no descriptor at all is how some sleep.
    if SLEEPS.contains(&number) || SELECTS.contains(&number) && first == Some(0) {
        return Activity::Napping;
    }
    if READS.contains(&number) {
        let is_input = || {
            let pipe = fs::metadata(format!("/proc/{pid}/fd/{}", first?)).ok()?;
            Some(Some(pipe.ino()) == input)
        };
        return if is_input() == Some(true) { Activity::Reading } else { of_state(&task) };
    }
    match number {
        _ if POLLS.contains(&number) => Activity::Reading,
        _ if EVENTS.contains(&number) => Activity::Polling,
        libc::SYS_futex => Activity::Asleep,
        _ => of_state(&task),
    }
}

/// What the state of a thread alone shows: one that waits for the disk works.
fn of_state(task: &str) -> Activity {
    let Some(stat) = Stat::read(&format!("{task}/stat")) else { return Activity::Ended };
    match stat.state() {
        Some('S') => Activity::Asleep,
        Some('Z' | 'X') => Activity::Ended,
        _ => Activity::Working,
    }
}

/// Sleeps that end by themselves.
const SLEEPS: [libc::c_long; 2] = [libc::SYS_nanosleep, libc::SYS_clock_nanosleep];
/// Waits whose first argument is one more than the greatest descriptor.
#[cfg(target_arch = "x86_64")]
const SELECTS: [libc::c_long; 2] = [libc::SYS_select, libc::SYS_pselect6];
#[cfg(not(target_arch = "x86_64"))]
const SELECTS: [libc::c_long; 1] = [libc::SYS_pselect6];
const READS: [libc::c_long; 2] = [libc::SYS_read, libc::SYS_readv];
/// Waits for descriptors, which go on by themselves after a stop.
#[cfg(target_arch = "x86_64")]
const POLLS: [libc::c_long; 4] =
    [libc::SYS_poll, libc::SYS_ppoll, libc::SYS_select, libc::SYS_pselect6];
#[cfg(not(target_arch = "x86_64"))]
const POLLS: [libc::c_long; 2] = [libc::SYS_ppoll, libc::SYS_pselect6];
/// Waits for descriptors that a stop breaks off, by an error that not every program expects.
#[cfg(target_arch = "x86_64")]
const EVENTS: [libc::c_long; 2] = [libc::SYS_epoll_wait, libc::SYS_epoll_pwait];
#[cfg(not(target_arch = "x86_64"))]
const EVENTS: [libc::c_long; 1] = [libc::SYS_epoll_pwait];

#[cfg(test)]
mod tests {
    use std::process::{Child, Command, Stdio};
    use std::time::{Duration, Instant};

    use super::*;

    fn child(shell: &str) -> (Child, u64) {
        let mut command = Command::new("sh");
        command.args(["-c", shell]).stdin(Stdio::piped()).stdout(Stdio::null());
        let child = command.spawn().unwrap();
        let input = super::super::inode(child.stdin.as_ref().unwrap()).unwrap();
        (child, input)
    }

    fn becomes(child: &Child, input: u64, wanted: Activity) -> bool {
        let since = Instant::now();
        while since.elapsed() < Duration::from_secs(60) {
            if activity(child.id(), Some(input), false) == Some(wanted) {
                return true;
            }
            std::thread::yield_now();
        }
        false
    }

    fn end(mut child: Child) {
        drop(child.stdin.take());
        child.kill().unwrap();
        child.wait().unwrap();
    }

    #[test]
    fn a_thread_that_waits_for_input_is_told_from_one_that_sleeps_or_works() {
        let (reader, input) = child("read line");
        assert!(becomes(&reader, input, Activity::Reading));
        assert!(becomes(&reader, input + 1, Activity::Asleep), "that is another pipe");
        assert!(!has_several_threads(reader.id(), false));
        end(reader);
        let (sleeper, input) = child("exec sleep 600");
        assert!(becomes(&sleeper, input, Activity::Napping));
        end(sleeper);
        let (spinner, input) = child("while :; do :; done");
        assert!(becomes(&spinner, input, Activity::Working));
        end(spinner);
    }

    #[test]
    fn a_helper_that_is_not_done_keeps_its_parent_from_rest() {
        let (mut parent, input) = child("sleep 600 & read line; kill $!");
        let since = Instant::now();
        while !has_several_threads(parent.id(), false) {
            assert!(since.elapsed() < Duration::from_secs(60));
            std::thread::yield_now();
        }
        assert!(!has_several_threads(parent.id(), true));
        assert!(becomes(&parent, input, Activity::Napping));
        drop(parent.stdin.take());
        parent.wait().unwrap();
        assert_eq!(activity(parent.id(), Some(input), true), None);
    }
}
