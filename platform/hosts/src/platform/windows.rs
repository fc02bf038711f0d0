//! What differs between operating systems, for Windows.

mod affinity;
mod job_object;
mod launch;
mod pipe;
mod token;

use std::ffi::OsStr;
use std::fs::{File, Metadata};
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsHandle, AsRawHandle, OwnedHandle};
use std::os::windows::process::ExitStatusExt;
use std::path::Path;
use std::process::{ChildStdin, Command, ExitStatus};
use std::sync::LazyLock;
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, WAIT_OBJECT_0};
use windows_sys::Win32::System::Console::{
    GetStdHandle, STD_ERROR_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetStdHandle,
};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows_sys::Win32::System::SystemInformation::{GlobalMemoryStatusEx, MEMORYSTATUSEX};
use windows_sys::Win32::System::Threading::{
    GetCurrentProcess, GetExitCodeProcess, INFINITE, ResumeThread, WaitForSingleObject,
};

use super::{HostPipes, JobCpu, TreeSize, Usage};
use job_object::{HeldLimits, JobObject};

pub(crate) use affinity::{Cpus, current_cpu};
pub(crate) use job_object::own_cpu_time;
pub(crate) use launch::spawn;
pub(crate) use pipe::{has_input, wait_for_input};

/// What a call of the system says that gives 0 when it fails.
fn check(result: i32) -> io::Result<()> {
    if result == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A text as the system reads it, with a zero at its end.
fn wide(text: &OsStr) -> Vec<u16> {
    text.encode_wide().chain([0]).collect()
}

/// Not every user may make links here.
pub(crate) fn link(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// The most files and folders that are counted in one tree. A tree with this many has too many.
const MOST_ENTRIES: u64 = 10_000;

/// The bytes of the files in a folder and in all that are in it.
pub(crate) fn tree_size(folder: &Path) -> TreeSize {
    let (mut bytes, mut entries) = (0_u64, 0);
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        // What is gone by now holds nothing.
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            entries += 1;
            if entries > MOST_ENTRIES {
                return TreeSize::Uncountable;
            }
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => {
                    // A listing shows the size that an open file had when it was last closed.
                    let opened = std::fs::symlink_metadata(entry.path()).unwrap_or(metadata);
                    bytes = bytes.saturating_add(opened.len());
                }
                Err(_) => {}
            }
        }
    }
    TreeSize::Bytes(bytes)
}

pub(crate) fn remove_tree(folder: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(folder)
}

/// Processes without a parent are not found here.
pub(crate) fn adopt_orphans() {}

/// There are none here.
pub(crate) fn signal_of(_: ExitStatus) -> Option<i32> {
    None
}

/// The parent ends it after its time.
pub(crate) fn limit_oneself(_: u64, _: Duration) {}

/// Another process needs rights here that engines do not have.
pub(crate) fn hide_memory() -> Result<(), String> {
    Err("only Linux has it".to_owned())
}

/// A child of this process with all that it starts, until it is reaped.
#[derive(Debug)]
pub(crate) struct StartedProcess {
    process: OwnedHandle,
    id: u32,
    job: JobObject,
    /// What it runs on first, which waits to [begin](StartedProcess::begin).
    first_thread: OwnedHandle,
}

impl StartedProcess {
    pub(crate) fn id(&self) -> u32 {
        self.id
    }

    /// Kills it, and all that it has started. One that is gone is as good as killed.
    pub(super) fn kill(&mut self) {
        self.job.kill();
    }

    /// Lets it run from its beginning.
    pub(crate) fn begin(&self) -> io::Result<()> {
        // SAFETY: The thread is that of the process, which waits for this.
        match unsafe { ResumeThread(self.first_thread.as_raw_handle()) } {
            u32::MAX => Err(io::Error::last_os_error()),
            _ => Ok(()),
        }
    }

    /// Gives whether it has ended.
    pub(super) fn is_reaped(&mut self) -> bool {
        self.ends_within(0)
    }

    fn ends_within(&self, millis: u32) -> bool {
        // SAFETY: The handle is open.
        unsafe { WaitForSingleObject(self.process.as_raw_handle(), millis) == WAIT_OBJECT_0 }
    }

    /// Lets all processes of its job run on these CPUs alone.
    pub(super) fn bind_to(&self, cpus: &Cpus) {
        self.job.bind_to(cpus);
    }

    /// What all processes of its job use.
    pub(super) fn usage(&self) -> Usage {
        self.job.usage()
    }

    /// The CPU time that they have used, with that of those that are gone.
    pub(super) fn cpu(&self) -> JobCpu {
        JobCpu { processes: Vec::new(), reaped: self.job.cpu_time() }
    }

    /// The layers of the sandbox that hold it, and those that do not, with the reason.
    pub(crate) fn layers(&self) -> [(&'static str, Result<(), String>); LAYERS.len()] {
        layers(self.process.as_raw_handle(), Some(&self.job))
    }
}

/// It ends with the process that started it.
const PARENT_DEATH: &str = "parent_death";
/// It has no privilege, not even an administrator's.
const NO_CAPABILITIES: &str = "no_capabilities";
/// It writes nothing but its scratch folder, if it has one.
const LOW_INTEGRITY: &str = "low_integrity";
/// The system counts and limits the memory of all its processes together, and how many there are.
const JOB_MEMORY: &str = "job_memory";
const JOB_PROCESSES: &str = "job_processes";
/// It reaches no window of others, no clipboard and no settings of the desktop.
const JOB_UI: &str = "job_ui";

/// The layers of a sandbox here.
pub(crate) const LAYERS: [&str; 6] =
    [PARENT_DEATH, NO_CAPABILITIES, LOW_INTEGRITY, JOB_MEMORY, JOB_PROCESSES, JOB_UI];

/// The layers that hold this process, and those that do not, with the reason.
pub(crate) fn own_layers() -> [(&'static str, Result<(), String>); LAYERS.len()] {
    // SAFETY: It stands for this process, and is not closed.
    layers(unsafe { GetCurrentProcess() }, None)
}

fn layers(
    process: HANDLE,
    job: Option<&JobObject>,
) -> [(&'static str, Result<(), String>); LAYERS.len()] {
    let [privileges, integrity] = token::confinement(process);
    let held = JobObject::held(job)
        .map_err(|error| format!("the system does not tell its limits: {error}"));
    let of_job = |is_held: fn(&HeldLimits) -> bool, lacks: &str| match &held {
        Ok(held) if is_held(held) => Ok(()),
        Ok(_) => Err(lacks.to_owned()),
        Err(reason) => Err(reason.clone()),
    };
    let memory = match is_wine() {
        true => Err("Wine does not limit it".to_owned()),
        false => of_job(HeldLimits::has_memory, "no limit was set"),
    };
    [
        (PARENT_DEATH, of_job(HeldLimits::ends_with_owner, "its job outlives its owner")),
        (NO_CAPABILITIES, privileges),
        (LOW_INTEGRITY, integrity),
        (JOB_MEMORY, memory),
        (JOB_PROCESSES, of_job(HeldLimits::has_processes, "no limit was set")),
        (
            JOB_UI,
            of_job(
                |held| held.has_closed_ui,
                "the system does not limit it in the job that this process is in",
            ),
        ),
    ]
}

/// Whether this system is Wine, which takes some limits and does not keep them.
fn is_wine() -> bool {
    // SAFETY: Both names end with a zero, and the library is always loaded.
    unsafe {
        let library = GetModuleHandleW(wide("ntdll.dll".as_ref()).as_ptr());
        GetProcAddress(library, c"wine_get_version".as_ptr().cast()).is_some()
    }
}

/// From here on this process can change nothing but what is open to low integrity, such as its
/// scratch folder.
pub(crate) fn lower_integrity() -> io::Result<()> {
    token::lower_this_process()
}

/// Its job is its group.
pub(crate) fn give_group(_: &mut Command) {}

/// Kills a child with its job.
pub(crate) fn kill_group(child: &mut StartedProcess) {
    child.kill();
}

pub(crate) fn stop_group(child: &StartedProcess) {
    child.job.suspend();
}

pub(crate) fn has_ended(child: &mut StartedProcess) -> bool {
    child.is_reaped()
}

/// Nothing asks a process here to end but the end of its input.
pub(crate) fn terminate_group(_: &StartedProcess) {}

pub(crate) fn continue_group(child: &StartedProcess) {
    child.job.resume();
}

/// Waits until a child has ended. Gives how it ended, and the most memory that it had.
pub(crate) fn reap(child: StartedProcess) -> io::Result<(ExitStatus, Option<u64>)> {
    child.ends_within(INFINITE);
    let mut code = 0;
    // SAFETY: The handle is open, and the code is written to this function's own.
    check(unsafe { GetExitCodeProcess(child.process.as_raw_handle(), &mut code) })?;
    let most = job_object::memory(&child.process).PeakPagefileUsage as u64;
    Ok((ExitStatus::from_raw(code), Some(most)))
}

/// Takes the pipes away from the standard handles: what an engine prints goes to its log, and it
/// reads nothing.
pub(crate) fn take_pipes() -> io::Result<HostPipes> {
    let requests = File::from(io::stdin().as_handle().try_clone_to_owned()?);
    let answers = File::from(io::stdout().as_handle().try_clone_to_owned()?);
    let nothing = File::open("NUL")?;
    // SAFETY: These handles stay open: that of nothing is never closed, and the other is the
    // error output. The libraries of C keep numbers of their own for what they have opened at the
    // start, which follow; a name that ends in a zero is read, and nothing else holds the numbers.
    unsafe {
        let errors = GetStdHandle(STD_ERROR_HANDLE);
        check(SetStdHandle(STD_INPUT_HANDLE, nothing.as_raw_handle()))?;
        check(SetStdHandle(STD_OUTPUT_HANDLE, errors))?;
        libc::dup2(libc::open(c"NUL".as_ptr(), libc::O_RDONLY), 0);
        libc::dup2(2, 1);
    }
    std::mem::forget(nothing);
    Ok(HostPipes { requests, answers })
}

/// Waits until the arbiter lets this process go on.
pub(crate) fn wait_for_byte() -> io::Result<()> {
    use std::io::Read;
    File::from(io::stdin().as_handle().try_clone_to_owned()?).read_exact(&mut [0])
}

/// Nothing keeps a user's debuggers from this process.
pub(crate) fn allow_debuggers() {}

/// Pipes have no numbers here: this one stands for that of every engine.
pub(crate) fn inode(_: &ChildStdin) -> Option<u64> {
    Some(0)
}

/// Where the answers of a child go if its standard output is not the pipe.
pub(crate) fn answers() -> io::Result<File> {
    Ok(File::from(io::stdout().as_handle().try_clone_to_owned()?))
}

/// No program takes the place of this one here.
pub(crate) const REPLACES_PROGRAMS: bool = false;

/// Handles are not inherited here unless that is asked for.
pub(crate) fn close_others(_: Option<i32>) {}

/// Another handle of the same pipe.
pub(crate) fn duplicate(pipe: &ChildStdin) -> io::Result<ChildStdin> {
    Ok(pipe.as_handle().try_clone_to_owned()?.into())
}

/// Faults end the process by themselves here.
pub(crate) fn default_signals() {}

/// No other process knows the pipes of a child.
pub(crate) fn is_parent(_: u32) -> bool {
    true
}

/// How a process ended, for people: by its exit code, or by what the system ended it for.
pub(crate) fn describe_exit(status: ExitStatus) -> String {
    let code = status.code().unwrap_or_default();
    let reason = match code as u32 {
        0x8000_0003 => "a breakpoint",
        0xC000_0005 => "an access violation",
        0xC000_001D => "an illegal instruction",
        0xC000_0094 | 0xC000_0095 => "an integer division",
        0xC000_00FD => "a stack overflow",
        0xC000_0135 => "a missing DLL",
        0xC000_0138 | 0xC000_0139 => "a function that a DLL lacks",
        0xC000_0142 => "a DLL that did not start",
        0xC000_0374 => "a corrupted heap",
        0xC000_0409 => "an abort",
        0xC000_0017 | 0xC000_012D => "a lack of memory",
        0xC000_0000.. => "an error of the system",
        _ => return format!("exited with code {code}"),
    };
    format!("was ended by {reason} ({:#010x})", code as u32)
}

/// The bytes of memory that the machine has.
pub(crate) fn memory() -> Option<u64> {
    // Wine tells none to a thread that asks while another one is the first to ask.
    static MEMORY: LazyLock<Option<u64>> = LazyLock::new(|| {
        let mut status = MEMORYSTATUSEX::default();
        status.dwLength = std::mem::size_of_val(&status) as u32;
        // SAFETY: The struct says its size.
        check(unsafe { GlobalMemoryStatusEx(&mut status) }).ok()?;
        Some(status.ullTotalPhys)
    });
    *MEMORY
}

/// Makes a folder, and those above it.
pub(crate) fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

/// Lets an engine write in its scratch folder.
pub(crate) fn open_scratch(folder: &Path) -> io::Result<()> {
    token::open_to_low_integrity(folder)
}

/// A user's own folders are private here by inheritance.
pub(crate) fn is_private(_: &Metadata) -> bool {
    true
}
