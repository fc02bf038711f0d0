//! The walls that a child puts up around itself before it loads its engine. None needs root, and
//! each is a best effort: which held is told when the engine is ready.

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod files;
#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod rights;

use std::fmt;
use std::io;
use std::path::Path;

use crate::denials::ReportAddress;
use crate::platform;

/// The child dies with the thread that started it.
const PARENT_DEATH: &str = "parent_death";
/// Nothing it starts gains rights.
const NO_NEW_PRIVS: &str = "no_new_privs";
/// It has no rights beyond its user's own, not even root's.
const NO_CAPABILITIES: &str = "no_capabilities";
/// It reads its package and the system's libraries, and writes its private folder, if it has one.
const LANDLOCK: &str = "landlock";
/// It makes no system call that reaches out of its process, or of its processes if it is a program.
pub(crate) const SECCOMP: &str = "seccomp";
/// It is a module of WebAssembly.
pub(crate) const WASM: &str = "wasm";
/// It runs in the arbiter's own process.
pub(crate) const IN_PROCESS: &str = "in_process";

/// Why a wall of this system's own is missing elsewhere.
#[cfg(not(target_os = "linux"))]
const OTHER_SYSTEM: &str = "only Linux has it";

/// A wall that did not hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SandboxGap {
    /// The name of the layer, as it would be told if it held.
    pub layer: String,
    /// Why it did not.
    pub reason: String,
}

impl fmt::Display for SandboxGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.layer, self.reason)
    }
}

/// What an engine may reach outside its own memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SandboxPolicy<'a> {
    /// The folders and files it may read; the system's libraries come on top.
    pub reads: &'a [&'a Path],
    /// The folder it may write in, and the most bytes of a file there.
    pub writes: Option<(&'a Path, u64)>,
    /// The memory it may use, where the process is to be limited in it.
    pub memory_mib: Option<u32>,
    /// Of a program, which runs in place of this process, the files and folders that it may run
    /// programs from, and read; those of the system come on top.
    pub runs: Option<&'a [&'a Path]>,
}

/// The walls that hold, and those that do not.
#[derive(Default, Debug)]
pub(crate) struct Sandbox {
    held: Vec<&'static str>,
    gaps: Vec<SandboxGap>,
}

impl Sandbox {
    /// The layers that hold, in the order in which they were put up.
    pub(crate) fn held(&self) -> &[&'static str] {
        &self.held
    }

    /// Those that do not.
    pub(crate) fn gaps(&self) -> &[SandboxGap] {
        &self.gaps
    }

    pub(crate) fn hold(&mut self, layer: &'static str) {
        self.held.push(layer);
    }

    fn note(&mut self, layer: &'static str, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.hold(layer),
            Err(reason) => self.gaps.push(SandboxGap { layer: layer.to_owned(), reason }),
        }
    }

    /// Makes this process die with the thread that started it. Gives whether that is still there:
    /// it may have died before this was asked for.
    pub(crate) fn tie_to_parent(&mut self, parent: u32) -> bool {
        self.note(PARENT_DEATH, platform::die_with_parent());
        platform::is_parent(parent)
    }

    /// Gives up what is not needed even to get the engine's file ready.
    pub(crate) fn give_up_rights(&mut self) {
        #[cfg(target_os = "linux")]
        {
            self.note(NO_NEW_PRIVS, rights::no_new_privs());
            self.note(NO_CAPABILITIES, rights::no_capabilities());
        }
        #[cfg(not(target_os = "linux"))]
        for layer in [NO_NEW_PRIVS, NO_CAPABILITIES] {
            self.note(layer, Err(OTHER_SYSTEM.to_owned()));
        }
        #[cfg(unix)]
        limits::early(self);
    }

    /// Closes the walls: from here on the process reaches no further than that. What they deny it
    /// is told to whom `report` names.
    ///
    /// # Errors
    /// When it waits for somebody who is not there any more, and must not go on.
    pub(crate) fn close(
        &mut self,
        policy: SandboxPolicy<'_>,
        report: Option<&ReportAddress>,
    ) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        let reporter = report.and_then(platform::DenialReporter::connect);
        #[cfg(unix)]
        limits::late(self, policy);
        #[cfg(target_os = "linux")]
        {
            let files = files::close(self, policy);
            let call_policy = calls::CallPolicy {
                write: policy.writes.is_some(),
                open: files.guards_creation,
                run: policy.runs.is_some(),
                signal: files.guards_signals,
            };
            // The last, because it forbids to put up the others.
            self.note(SECCOMP, calls::close(call_policy));
            // Older kernels have no Landlock, and cannot let a call go on that they ask about.
            if let Some(reporter) = reporter.filter(|_| self.held.contains(&LANDLOCK)) {
                reporter.install(&files.grants)?;
            }
        }
        #[cfg(not(target_os = "linux"))]
        for layer in [LANDLOCK, SECCOMP] {
            self.note(layer, Err(OTHER_SYSTEM.to_owned()));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (policy, report);
        Ok(())
    }
}
