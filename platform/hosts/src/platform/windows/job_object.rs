//! The job object of one engine: it counts and limits what all its processes use, and ends them.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::{FILETIME, HANDLE, NTSTATUS};
use windows_sys::Win32::System::JobObjects as jobs;
use windows_sys::Win32::System::ProcessStatus::{GetProcessMemoryInfo, PROCESS_MEMORY_COUNTERS};
use windows_sys::Win32::System::Threading::{
    GetCurrentThread, GetThreadTimes, NORMAL_PRIORITY_CLASS, OpenProcess, PROCESS_ACCESS_RIGHTS,
    PROCESS_QUERY_INFORMATION, PROCESS_SET_INFORMATION, PROCESS_SUSPEND_RESUME,
    THREAD_ACCESS_RIGHTS, THREAD_QUERY_LIMITED_INFORMATION,
};

use super::{Cpus, check};
use crate::platform::{GroupLimits, Usage};

/// What an engine may not do with what it shares a desktop with: reach into other windows, the
/// clipboard or the settings of the display, or end the session.
const CLOSED_UI: jobs::JOB_OBJECT_UILIMIT = jobs::JOB_OBJECT_UILIMIT_HANDLES
    | jobs::JOB_OBJECT_UILIMIT_READCLIPBOARD
    | jobs::JOB_OBJECT_UILIMIT_WRITECLIPBOARD
    | jobs::JOB_OBJECT_UILIMIT_SYSTEMPARAMETERS
    | jobs::JOB_OBJECT_UILIMIT_DISPLAYSETTINGS
    | jobs::JOB_OBJECT_UILIMIT_GLOBALATOMS
    | jobs::JOB_OBJECT_UILIMIT_DESKTOP
    | jobs::JOB_OBJECT_UILIMIT_EXITWINDOWS;
/// The most processes of one job whose numbers are read.
const MOST_LISTED: usize = 1024;
/// How often the processes of a job are listed again while new ones appear.
const LISTS: u32 = 8;
/// The nanoseconds in what the system counts time in.
const TICK: u64 = 100;

windows_link::link!("ntdll.dll" "system" fn NtSuspendProcess(process: HANDLE) -> NTSTATUS);
windows_link::link!("ntdll.dll" "system" fn NtResumeProcess(process: HANDLE) -> NTSTATUS);
windows_link::link!("ntdll.dll" "system" fn NtGetNextThread(
    process: HANDLE,
    thread: HANDLE,
    rights: THREAD_ACCESS_RIGHTS,
    attributes: u32,
    flags: u32,
    next: *mut HANDLE
) -> NTSTATUS);

/// The numbers of the processes of a job, as the system lists them.
#[repr(C)]
struct ProcessList {
    assigned: u32,
    listed: u32,
    numbers: [usize; MOST_LISTED],
}

/// What a job keeps its processes from.
pub(super) struct HeldLimits {
    flags: jobs::JOB_OBJECT_LIMIT,
    pub has_closed_ui: bool,
}

impl HeldLimits {
    /// Whether they end with the process that holds the job.
    pub(super) fn ends_with_owner(&self) -> bool {
        self.flags & jobs::JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE != 0
    }

    pub(super) fn has_memory(&self) -> bool {
        self.flags & jobs::JOB_OBJECT_LIMIT_JOB_MEMORY != 0
    }

    pub(super) fn has_processes(&self) -> bool {
        self.flags & jobs::JOB_OBJECT_LIMIT_ACTIVE_PROCESS != 0
    }
}

/// A job object. The system ends all processes in it when the last handle is closed: with this
/// value, and when this process ends in whatever way.
#[derive(Debug)]
pub(super) struct JobObject {
    handle: OwnedHandle,
    /// The processes that are suspended, and how often each was.
    suspended: Mutex<BTreeMap<u32, (OwnedHandle, u32)>>,
}

impl JobObject {
    pub(super) fn new(limits: GroupLimits) -> io::Result<JobObject> {
        // SAFETY: No name and no attributes are given; the handle that comes back is owned here.
        let handle = unsafe { jobs::CreateJobObjectW(ptr::null(), ptr::null()) };
        if handle.is_null() {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: As above.
        let handle = unsafe { OwnedHandle::from_raw_handle(handle) };
        let job = JobObject { handle, suspended: Mutex::default() };
        let mut extended = jobs::JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
        let basic = &mut extended.BasicLimitInformation;
        basic.LimitFlags = jobs::JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
            | jobs::JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
            | jobs::JOB_OBJECT_LIMIT_ACTIVE_PROCESS
            | jobs::JOB_OBJECT_LIMIT_PRIORITY_CLASS;
        // With a higher one it would take the CPUs of others.
        basic.PriorityClass = NORMAL_PRIORITY_CLASS;
        basic.ActiveProcessLimit = u32::try_from(limits.tasks).unwrap_or(u32::MAX);
        if let Some(memory) = limits.memory {
            basic.LimitFlags |= jobs::JOB_OBJECT_LIMIT_JOB_MEMORY;
            extended.JobMemoryLimit = usize::try_from(memory).unwrap_or(usize::MAX);
        }
        job.set(jobs::JobObjectExtendedLimitInformation, &extended)?;
        Ok(job)
    }

    /// What the job keeps its processes from: this process's own job without a handle.
    pub(super) fn held(job: Option<&JobObject>) -> io::Result<HeldLimits> {
        let handle = job.map_or(ptr::null_mut(), |job| job.handle.as_raw_handle());
        let extended = extended_limits(handle)?;
        let mut ui = jobs::JOBOBJECT_BASIC_UI_RESTRICTIONS::default();
        // SAFETY: The struct is that of its class, and its size is given.
        let is_ui_told = unsafe {
            jobs::QueryInformationJobObject(
                handle,
                jobs::JobObjectBasicUIRestrictions,
                (&raw mut ui).cast(),
                mem::size_of_val(&ui) as u32,
                ptr::null_mut(),
            )
        };
        Ok(HeldLimits {
            flags: extended.BasicLimitInformation.LimitFlags,
            has_closed_ui: is_ui_told != 0 && ui.UIRestrictionsClass & CLOSED_UI == CLOSED_UI,
        })
    }

    fn set<T>(&self, class: jobs::JOBOBJECTINFOCLASS, value: &T) -> io::Result<()> {
        // SAFETY: `value` is the struct of that class, and its size is given.
        check(unsafe {
            jobs::SetInformationJobObject(
                self.handle.as_raw_handle(),
                class,
                ptr::from_ref(value).cast(),
                mem::size_of::<T>() as u32,
            )
        })
    }

    /// Puts a process into the job that runs nothing yet. Where it is in another job already, as
    /// this one may be and then all its children are, the system may refuse one that also keeps it
    /// from the windows and the clipboard of others; then that is left out.
    pub(super) fn assign(&self, process: &OwnedHandle) -> io::Result<()> {
        let closed = jobs::JOBOBJECT_BASIC_UI_RESTRICTIONS { UIRestrictionsClass: CLOSED_UI };
        let has_ui = self.set(jobs::JobObjectBasicUIRestrictions, &closed).is_ok();
        let assign = || {
            // SAFETY: Both handles are open.
            check(unsafe {
                jobs::AssignProcessToJobObject(self.handle.as_raw_handle(), process.as_raw_handle())
            })
        };
        if has_ui && assign().is_ok() {
            return Ok(());
        }
        let open = jobs::JOBOBJECT_BASIC_UI_RESTRICTIONS { UIRestrictionsClass: 0 };
        self.set(jobs::JobObjectBasicUIRestrictions, &open)?;
        assign()
    }

    /// Ends all its processes at once.
    pub(super) fn kill(&self) {
        // A job without processes has none to end.
        // SAFETY: The handle is open.
        unsafe { jobs::TerminateJobObject(self.handle.as_raw_handle(), 1) };
    }

    fn numbers(&self) -> Vec<u32> {
        let mut list = ProcessList { assigned: 0, listed: 0, numbers: [0; MOST_LISTED] };
        // If there are more, the system lists as many as have room, and fails.
        // SAFETY: The struct has the layout of that class, and its size is given.
        unsafe {
            jobs::QueryInformationJobObject(
                self.handle.as_raw_handle(),
                jobs::JobObjectBasicProcessIdList,
                (&raw mut list).cast(),
                mem::size_of::<ProcessList>() as u32,
                ptr::null_mut(),
            )
        };
        let listed = (list.listed as usize).min(MOST_LISTED);
        list.numbers[..listed].iter().map(|number| *number as u32).collect()
    }

    fn processes(&self, rights: PROCESS_ACCESS_RIGHTS) -> impl Iterator<Item = OwnedHandle> {
        self.numbers().into_iter().filter_map(move |number| open(number, rights))
    }

    /// Lets all its processes run on these CPUs alone, and keeps them from changing that. Wine does
    /// not keep that limit, so each process is told as well.
    pub(super) fn bind_to(&self, cpus: &Cpus) {
        let limited = extended_limits(self.handle.as_raw_handle()).and_then(|mut limits| {
            limits.BasicLimitInformation.LimitFlags |= jobs::JOB_OBJECT_LIMIT_AFFINITY;
            limits.BasicLimitInformation.Affinity = cpus.mask();
            self.set(jobs::JobObjectExtendedLimitInformation, &limits)
        });
        if let Err(error) = limited {
            log::debug!("an engine is not kept on its CPUs: {error}");
        }
        self.processes(PROCESS_SET_INFORMATION).for_each(|process| cpus.apply_to(&process));
    }

    /// The CPU time, in nanoseconds, of all processes that it has ever had.
    pub(super) fn cpu_time(&self) -> u64 {
        let mut account = jobs::JOBOBJECT_BASIC_ACCOUNTING_INFORMATION::default();
        // SAFETY: The struct is that of the class, and its size is given.
        unsafe {
            jobs::QueryInformationJobObject(
                self.handle.as_raw_handle(),
                jobs::JobObjectBasicAccountingInformation,
                (&raw mut account).cast(),
                mem::size_of_val(&account) as u32,
                ptr::null_mut(),
            )
        };
        let counted = (account.TotalUserTime + account.TotalKernelTime) as u64 * TICK;
        if counted > 0 {
            return counted;
        }
        // Wine counts no time in a job, and knows that of no other process, but of its threads.
        self.processes(PROCESS_QUERY_INFORMATION)
            .flat_map(|process| threads(&process))
            .map(|thread| time_of(thread.as_raw_handle()))
            .sum()
    }

    /// What its processes use now.
    pub(super) fn usage(&self) -> Usage {
        let mut usage = Usage::default();
        for process in self.processes(PROCESS_QUERY_INFORMATION) {
            usage.memory += memory(&process).PagefileUsage as u64;
            usage.processes += 1;
            usage.threads += threads(&process).len() as u64;
        }
        usage
    }

    fn suspended(&self) -> MutexGuard<'_, BTreeMap<u32, (OwnedHandle, u32)>> {
        self.suspended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Suspends every thread of every process in it, until they are resumed. A process that one of
    /// them started meanwhile is found by listing them again.
    pub(super) fn suspend(&self) {
        let mut suspended = self.suspended();
        let mut seen = Vec::new();
        for _ in 0..LISTS {
            let mut numbers = self.numbers();
            numbers.retain(|number| !seen.contains(number));
            if numbers.is_empty() {
                break;
            }
            for number in numbers {
                seen.push(number);
                let opened = || Some((open(number, PROCESS_SUSPEND_RESUME)?, 0));
                let known = suspended.remove(&number).or_else(opened);
                let Some((process, times)) = known else { continue };
                // SAFETY: The handle is open and has that right.
                if unsafe { NtSuspendProcess(process.as_raw_handle()) } >= 0 {
                    suspended.insert(number, (process, times + 1));
                }
            }
        }
    }

    /// Lets them go on.
    pub(super) fn resume(&self) {
        for (process, times) in mem::take(&mut *self.suspended()).into_values() {
            for _ in 0..times {
                // One that has ended cannot be resumed.
                // SAFETY: The handle is open and has that right.
                unsafe { NtResumeProcess(process.as_raw_handle()) };
            }
        }
    }
}

/// The limits of a job; those of this process's own for no handle.
fn extended_limits(job: HANDLE) -> io::Result<jobs::JOBOBJECT_EXTENDED_LIMIT_INFORMATION> {
    let mut extended = jobs::JOBOBJECT_EXTENDED_LIMIT_INFORMATION::default();
    // SAFETY: The struct is that of its class, and its size is given.
    check(unsafe {
        jobs::QueryInformationJobObject(
            job,
            jobs::JobObjectExtendedLimitInformation,
            (&raw mut extended).cast(),
            mem::size_of_val(&extended) as u32,
            ptr::null_mut(),
        )
    })?;
    Ok(extended)
}

fn open(number: u32, rights: PROCESS_ACCESS_RIGHTS) -> Option<OwnedHandle> {
    // SAFETY: It takes any number.
    let process = unsafe { OpenProcess(rights, 0, number) };
    // SAFETY: A handle that is not null is open, and owned here.
    (!process.is_null()).then(|| unsafe { OwnedHandle::from_raw_handle(process) })
}

/// The threads of a process. A snapshot of the tool help library would list those of the whole
/// system, which takes longer the more it has.
fn threads(process: &OwnedHandle) -> Vec<OwnedHandle> {
    let mut found: Vec<OwnedHandle> = Vec::new();
    loop {
        let last = found.last().map_or(ptr::null_mut(), |thread| thread.as_raw_handle());
        let mut next = ptr::null_mut();
        // SAFETY: The process and the last thread, if there is one, are open, and the next is
        // written to a handle of this function.
        let status = unsafe {
            NtGetNextThread(
                process.as_raw_handle(),
                last,
                THREAD_QUERY_LIMITED_INFORMATION,
                0,
                0,
                &mut next,
            )
        };
        if status < 0 || next.is_null() {
            return found;
        }
        // SAFETY: It is open, and owned here.
        found.push(unsafe { OwnedHandle::from_raw_handle(next) });
    }
}

/// The CPU time of the calling thread, in nanoseconds.
pub(crate) fn own_cpu_time() -> Option<u64> {
    // SAFETY: It stands for the calling thread, and is not closed.
    Some(time_of(unsafe { GetCurrentThread() }))
}

/// The CPU time that a thread has used, in nanoseconds.
fn time_of(thread: HANDLE) -> u64 {
    let mut times = [FILETIME::default(); 4];
    let [made, ended, kernel, user] = &mut times;
    // SAFETY: The thread is open, and each pointer is to a time of this function.
    unsafe { GetThreadTimes(thread, made, ended, kernel, user) };
    let ticks =
        |time: FILETIME| u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime);
    (ticks(times[2]) + ticks(times[3])) * TICK
}

/// What a process has of memory. Of others Wine tells no private bytes; what they would take in the
/// page file is the same number.
pub(super) fn memory(process: &OwnedHandle) -> PROCESS_MEMORY_COUNTERS {
    let mut counters = PROCESS_MEMORY_COUNTERS::default();
    let size = mem::size_of_val(&counters) as u32;
    // SAFETY: The handle is open, and the struct has the size that is given.
    unsafe { GetProcessMemoryInfo(process.as_raw_handle(), &raw mut counters, size) };
    counters
}

#[cfg(test)]
mod tests {
    use std::process::{ChildStdin, ChildStdout, Command};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::platform::windows::{StartedProcess, spawn};

    /// What a process of a test is told to do, which is a run of this test program.
    const PART: &str = "TENGEN_TEST_PART";
    const LIMITS: GroupLimits = GroupLimits { memory: None, tasks: 64 };

    /// A part that a process of these tests plays.
    #[test]
    #[ignore = "run by other tests, in a process of their own"]
    fn part() {
        match std::env::var(PART).as_deref() {
            Ok("spin") => loop {
                std::hint::spin_loop();
            },
            _ => {}
        }
    }

    fn begin(part: &str) -> (StartedProcess, ChildStdin, ChildStdout) {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "--nocapture"]);
        command.arg(format!("{}::part", module_path!().split_once("::").unwrap().1));
        command
            .env_clear()
            .env(PART, part)
            .env("SystemRoot", std::env::var_os("SystemRoot").unwrap());
        let (process, input, output, _) = spawn(&mut command, LIMITS, false).unwrap();
        process.begin().unwrap();
        (process, input, output)
    }

    fn wait_until(what: impl Fn() -> bool) {
        let begun = Instant::now();
        while !what() {
            assert!(begun.elapsed() < Duration::from_secs(60), "it takes too long");
            thread::yield_now();
        }
    }

    #[test]
    fn a_job_counts_no_time_but_that_of_its_own_processes() {
        assert_eq!(JobObject::new(LIMITS).unwrap().cpu_time(), 0);
    }

    #[test]
    fn a_job_that_is_suspended_computes_nothing_until_it_is_resumed() {
        // With its pipes closed, it could not say that it runs.
        let (mut process, _input, _output) = begin("spin");
        let used = || process.job.cpu_time();
        wait_until(|| used() > 50_000_000);
        process.job.suspend();
        process.job.suspend();
        // What was under way is counted by then. Only time that goes by shows that a process rests.
        thread::sleep(Duration::from_millis(50));
        let before = used();
        thread::sleep(Duration::from_millis(300));
        assert!(used() <= before + 20_000_000, "{before} {}", used());
        process.job.resume();
        wait_until(|| used() > before + 50_000_000);
        process.kill();
        assert!(process.ends_within(10_000));
    }
}
