//! The sandbox that a child process builds around itself before it loads its engine. No layer needs
//! root. Each is a best effort, and the layers that hold are reported when the engine is ready.

#[cfg(target_os = "linux")]
mod calls;
pub(crate) mod denials;
#[cfg(target_os = "linux")]
mod files;
#[cfg(unix)]
mod limits;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod namespaces;
#[cfg(target_os = "linux")]
mod rights;
#[cfg(target_os = "linux")]
mod trail;
#[cfg(target_os = "linux")]
mod user;
#[cfg(target_os = "linux")]
mod world;

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(windows)]
use crate::platform::StartedProcess;
use crate::platform::{self, GroupPlace, Inside};
use crate::protocol::Unhosted;
use denials::ReportAddress;
#[cfg(target_os = "linux")]
use rustix::thread::CapabilitySet;
#[cfg(target_os = "linux")]
use world::Unmade;

/// The process dies with the thread that started it.
#[cfg(not(windows))]
const PARENT_DEATH: &str = "parent_death";
/// Nothing it starts gains rights.
#[cfg(not(windows))]
const NO_NEW_PRIVS: &str = "no_new_privs";
/// It has no rights beyond its user's own, not even root's.
#[cfg(not(windows))]
const NO_CAPABILITIES: &str = "no_capabilities";
#[cfg(not(windows))]
const OWN_USER: &str = "own_user";
/// It sees nothing but what it may use: its package and the system's libraries, which it cannot
/// change, and a folder in memory.
pub(crate) const MOUNT_NS: &str = "mount_ns";
/// It sees no processes but its own, which end with the first of them.
pub(crate) const PID_NS: &str = "pid_ns";
/// It has a network of its own, in which nothing is.
pub(crate) const NET_NS: &str = "net_ns";
/// What `/proc` shows it are its own processes.
#[cfg(target_os = "linux")]
const OWN_PROC: &str = "own_proc";
/// It reads its package and the system's libraries, and writes its scratch folder, if it has one.
#[cfg(not(windows))]
const LANDLOCK: &str = "landlock";
/// It makes no system call that reaches out of its process, or of its processes if it is a program.
pub(crate) const SECCOMP: &str = "seccomp";
/// No other process of its user reads or writes its memory. Only where Landlock does not see to
/// that already: the arbiter of a plain user could not look at its files either.
#[cfg(target_os = "linux")]
const UNDUMPABLE: &str = "undumpable";
/// It is a module of WebAssembly.
pub(crate) const WASM: &str = "wasm";
/// It runs in the arbiter's own process.
pub(crate) const IN_PROCESS: &str = "in_process";

/// The layers that may be required by name. An engine of another kind may have others beside
/// them, which are as sure as the kind.
#[cfg(windows)]
pub const SANDBOX_LAYERS: [&str; platform::LAYERS.len()] = platform::LAYERS;
/// The same.
#[cfg(not(windows))]
pub const SANDBOX_LAYERS: [&str; 17] = [
    PARENT_DEATH,
    NO_NEW_PRIVS,
    NO_CAPABILITIES,
    OWN_USER,
    LANDLOCK,
    "landlock_tcp",
    "landlock_signals",
    SECCOMP,
    MOUNT_NS,
    PID_NS,
    NET_NS,
    "ipc_ns",
    "uts_ns",
    "cgroup_ns",
    "cgroup_memory",
    "cgroup_pids",
    "cgroup_cpu",
];

/// Why a layer is missing that is not to be put up.
pub(crate) const LEFT_OUT: &str = "it was left out to see what it costs";

/// Those that depend on the machine alone, and never on the engine.
pub(crate) const MACHINE_LAYERS: [&str; 9] = [
    "user_ns",
    PID_NS,
    NET_NS,
    "ipc_ns",
    "uts_ns",
    "cgroup_ns",
    "cgroup_memory",
    "cgroup_pids",
    "cgroup_cpu",
];

/// Why a layer of Linux is missing elsewhere. Windows has others in its place.
#[cfg(not(any(target_os = "linux", windows)))]
const OTHER_SYSTEM: &str = "only Linux has it";

/// Finds out what is the same for all engines, in a process that others are copies of.
pub(crate) fn find_system() {
    #[cfg(target_os = "linux")]
    files::find_system();
}

/// A layer of the sandbox that is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SandboxGap {
    pub layer: String,
    /// Why it is missing.
    pub reason: String,
}

impl fmt::Display for SandboxGap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.layer, self.reason)
    }
}

/// What an engine may use outside its own memory.
#[derive(Clone, Copy, Default, Debug)]
#[cfg_attr(windows, allow(dead_code, reason = "a process of Windows is born in its sandbox"))]
pub(crate) struct SandboxPolicy<'a> {
    /// The folders and files it may read; the system's libraries come on top.
    pub reads: &'a [&'a Path],
    /// The folder it may write in, and the most bytes of a file there.
    pub writes: Option<(&'a Path, u64)>,
    /// The folder that a program which builds an engine may write, and run what it makes there.
    pub builds: Option<&'a Path>,
    /// The memory it may use, where the process is to be limited in it.
    pub memory_mib: Option<u32>,
    /// Of a program, which runs in place of this process, the files and folders that it may run
    /// programs from, and read; those of the system come on top.
    pub runs: Option<&'a [&'a Path]>,
    /// Whether its processes may speak to each other by sockets of this machine, where these reach
    /// no others.
    pub local_sockets: bool,
    /// Copies of files, each with the path of what it is of, where it is to be seen.
    pub copies: &'a [(PathBuf, PathBuf)],
}

/// The layers of the sandbox that hold, and those that are missing.
#[derive(Default, Debug)]
pub(crate) struct Sandbox {
    /// Whether none is wanted.
    is_open: bool,
    held: Vec<&'static str>,
    gaps: Vec<SandboxGap>,
    /// The layers that are not put up.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    left_out: Vec<String>,
    /// What it is denied is reported there.
    #[cfg(target_os = "linux")]
    reporter: Option<denials::DenialReporter>,
    /// Whether what it sees can be changed without changing what others see.
    #[cfg(target_os = "linux")]
    has_mounts: bool,
    /// The descriptor of a namespace of networks that is to be its own.
    #[cfg(target_os = "linux")]
    net_ns: Option<i32>,
    /// Whether it may write in `/tmp`, because that is its own.
    #[cfg(target_os = "linux")]
    has_temporary: bool,
    /// Whether it sees the `/tmp` of the machine, and the sockets there.
    #[cfg(unix)]
    sees_temporary: bool,
    /// The copies that it sees where their originals lie.
    shown: Vec<(PathBuf, PathBuf)>,
    /// The user that it is to become, or why it cannot.
    #[cfg(target_os = "linux")]
    user: Option<Result<u32, String>>,
    /// Whether the arbiter cannot renew its limits while it runs.
    #[cfg(unix)]
    is_for_long: bool,
}

impl Sandbox {
    /// The layers that hold, in the order in which they were added.
    pub(crate) fn held(&self) -> &[&'static str] {
        &self.held
    }

    /// The layers that are missing.
    pub(crate) fn gaps(&self) -> &[SandboxGap] {
        &self.gaps
    }

    /// What is missing of these layers, or of all if none are named, for people. A layer that is
    /// not there is one that nothing here puts up.
    pub(crate) fn gaps_among(&self, layers: &[String]) -> Vec<String> {
        if layers.is_empty() {
            return self.gaps.iter().map(ToString::to_string).collect();
        }
        let lost = layers.iter().filter(|layer| !self.held.iter().any(|held| held == layer));
        let told = |layer: &String| {
            let gap = self.gaps.iter().find(|gap| gap.layer == *layer);
            gap.map_or_else(|| layer.clone(), ToString::to_string)
        };
        lost.map(told).collect()
    }

    /// From here on no more layers are put up: a debugger could not look through them.
    pub(crate) fn leave_open(&mut self) {
        self.is_open = true;
        let others = SANDBOX_LAYERS.into_iter().filter(|layer| !self.held.contains(layer));
        for layer in others.collect::<Vec<_>>() {
            self.note(layer, Err("a debugger is to be attached".to_owned()));
        }
    }

    pub(crate) fn hold(&mut self, layer: &'static str) {
        self.held.push(layer);
    }

    /// The copies that are seen where their originals lie, and nowhere else.
    pub(crate) fn shown(&self) -> &[(PathBuf, PathBuf)] {
        &self.shown
    }

    fn note(&mut self, layer: &'static str, outcome: Result<(), String>) {
        match outcome {
            Ok(()) => self.hold(layer),
            Err(reason) => self.gaps.push(SandboxGap { layer: layer.to_owned(), reason }),
        }
    }

    /// The sandbox of a process that was born in it.
    #[cfg(windows)]
    pub(crate) fn of_started(child: &StartedProcess) -> Sandbox {
        let mut sandbox = Sandbox::default();
        sandbox.note_all(child.layers());
        sandbox
    }

    #[cfg(windows)]
    fn note_all(&mut self, layers: impl IntoIterator<Item = (&'static str, Result<(), String>)>) {
        layers.into_iter().for_each(|(layer, outcome)| self.note(layer, outcome));
    }

    /// These layers are not put up.
    pub(crate) fn leave_out(&mut self, layers: &[String]) {
        self.left_out = layers.to_vec();
    }

    #[cfg(target_os = "linux")]
    fn is_left_out(&self, layer: &str) -> bool {
        self.left_out.iter().any(|out| out == layer)
    }

    /// Makes this process die with the thread that started it. Gives whether that thread is still
    /// alive: it may have died before this was set.
    pub(crate) fn tie_to_parent(&mut self, parent: u32) -> bool {
        // Its job does that on Windows, and is told with its other limits.
        #[cfg(not(windows))]
        self.note(PARENT_DEATH, platform::die_with_parent());
        platform::prefer_to_die();
        platform::is_parent(parent)
    }

    /// Joins the control groups that were made for this process, and notes the layers that they
    /// cannot give here.
    pub(crate) fn join_groups(&mut self, places: &[GroupPlace], missing: &[(String, String)]) {
        let known = |name: &str| platform::GROUP_LAYERS.into_iter().find(|layer| *layer == name);
        for GroupPlace { layers, path } in places {
            let joined = platform::join_group(path);
            let outcome = joined.map_err(|error| format!("{}: {error}", path.display()));
            for layer in layers.iter().filter_map(|layer| known(layer)) {
                self.note(layer, outcome.clone());
            }
        }
        for (layer, reason) in missing {
            known(layer).inspect(|layer| self.note(layer, Err(reason.clone())));
        }
    }

    /// It is to become the user of that number, before it has anything of its engine.
    pub(crate) fn plan_user(&mut self, user: u32) {
        #[cfg(target_os = "linux")]
        {
            let may = match self.is_left_out(OWN_USER) {
                true => Err(LEFT_OUT.to_owned()),
                false => user::may_change(user),
            };
            self.is_for_long = may.is_ok() && !user::can_be_renewed();
            self.user = Some(may.map(|()| user));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = user;
    }

    /// That namespace of networks is to be its own, if there is one.
    pub(crate) fn plan_net(&mut self, net_ns: Option<i32>) {
        #[cfg(target_os = "linux")]
        {
            self.net_ns = net_ns;
        }
        #[cfg(not(target_os = "linux"))]
        let _ = net_ns;
    }

    /// Connects to the listener that hears what the engine is denied. If there is none, denials are
    /// not reported.
    pub(crate) fn connect(&mut self, report: Option<&ReportAddress>) {
        #[cfg(target_os = "linux")]
        {
            self.reporter = report.and_then(denials::DenialReporter::connect);
        }
        #[cfg(not(target_os = "linux"))]
        let _ = report;
    }

    /// Moves on into namespaces of its own, which takes new processes. `announce` tells the arbiter
    /// which these are before one of them goes on, or that it is still this one.
    ///
    /// # Errors
    /// When it must not go on.
    pub(crate) fn enter_namespaces(
        &mut self,
        parent: u32,
        announce: impl FnOnce(Option<Inside>) -> io::Result<()>,
    ) -> Result<(), Unhosted> {
        #[cfg(target_os = "linux")]
        {
            namespaces::enter(self, parent, announce)
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = parent;
            self.stay_outside("only Linux has it", announce)
        }
    }

    /// Goes on in the namespaces of the arbiter, and tells it so by `announce`.
    ///
    /// # Errors
    /// When it cannot be told.
    pub(crate) fn stay_outside(
        &mut self,
        reason: &str,
        announce: impl FnOnce(Option<Inside>) -> io::Result<()>,
    ) -> Result<(), Unhosted> {
        #[cfg(target_os = "linux")]
        namespaces::note_missing(self, reason);
        #[cfg(not(any(target_os = "linux", windows)))]
        for layer in [MOUNT_NS, PID_NS] {
            self.note(layer, Err(reason.to_owned()));
        }
        #[cfg(windows)]
        let _ = reason;
        Ok(announce(None)?)
    }

    /// From here on the process sees no more than `policy` allows, and a folder that the program
    /// itself writes in.
    ///
    /// # Errors
    /// When what it sees is neither that nor what it was before.
    pub(crate) fn enter_world(
        &mut self,
        policy: SandboxPolicy<'_>,
        own: Option<&Path>,
    ) -> Result<(), Unhosted> {
        if self.is_open {
            return Ok(());
        }
        #[cfg(target_os = "linux")]
        if self.has_mounts {
            let readable = files::readable(policy);
            let copies = world::placeable(policy.copies, &readable);
            let world = world::World {
                reads: readable.iter().map(PathBuf::as_path).collect(),
                copies: &copies,
                writes: own,
                scratch: policy.writes,
                has_processes: self.held.contains(&PID_NS),
            };
            match world.enter() {
                Ok(made) => {
                    self.has_temporary = made.has_temporary;
                    self.sees_temporary = made.sees_temporary;
                    self.shown = copies;
                    self.note(OWN_PROC, made.no_proc.map_or(Ok(()), Err));
                    self.hold(MOUNT_NS);
                }
                Err(Unmade::Undone(reason)) => self.note(MOUNT_NS, Err(reason)),
                Err(Unmade::Broken(reason)) => return Err(Unhosted::new(reason)),
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (policy, own);
        Ok(())
    }

    /// Whether sockets of this machine reach its own processes alone, as far as services keep
    /// to the usual places: those with a path are files that it must see, and those without belong
    /// to its network. A file that is read-only can be connected to all the same, and in `/tmp` are
    /// the sockets of others. A socket in a system folder that every program sees, such as `/opt`,
    /// is reached (`docs/security.md`).
    #[cfg(unix)]
    pub(crate) fn keeps_sockets_inside(&self) -> bool {
        let has_both = [MOUNT_NS, NET_NS].iter().all(|layer| self.held.contains(layer));
        self.is_open || (has_both && !self.sees_temporary)
    }

    /// Gives up the rights that are not needed even to prepare the engine's file.
    pub(crate) fn give_up_rights(&mut self) {
        if self.is_open {
            return;
        }
        #[cfg(target_os = "linux")]
        {
            self.note(NO_NEW_PRIVS, rights::no_new_privs());
            let is_other = matches!(self.user, Some(Ok(_)));
            let needed = if is_other { user::CHANGES } else { CapabilitySet::empty() };
            self.note(NO_CAPABILITIES, rights::no_capabilities(needed));
        }
        #[cfg(not(any(target_os = "linux", windows)))]
        for layer in [NO_NEW_PRIVS, NO_CAPABILITIES] {
            self.note(layer, Err(OTHER_SYSTEM.to_owned()));
        }
        #[cfg(unix)]
        limits::early(self);
    }

    /// Becomes the user that was planned, and keeps no right that this took.
    #[cfg(target_os = "linux")]
    fn become_user(&mut self, policy: SandboxPolicy<'_>) {
        let Some(planned) = self.user.take() else { return };
        let is_root = planned.is_ok() || rustix::process::geteuid().is_root();
        let changed = planned.and_then(|user| user::change(user, policy));
        if changed.is_err() && std::mem::take(&mut self.is_for_long) {
            // It stays the same user, so the arbiter can renew its limits.
            self.held.retain(|layer| *layer != limits::CPU_TIME);
            limits::cpu_time(self);
        }
        self.note(OWN_USER, changed);
        // Only the organiser may be allowed to read the engine's files, and the program has to read
        // them.
        let rights = match policy.runs {
            Some(_) if is_root => rights::pass_on(),
            _ => rights::only_kept(),
        };
        if let Err(reason) = rights {
            self.held.retain(|layer| *layer != NO_CAPABILITIES);
            self.note(NO_CAPABILITIES, Err(reason));
        }
    }

    /// Puts up what of the layer of system calls depends on the kind of the engine, and has what it
    /// is denied reported. Gives why it does not hold, if so.
    #[cfg(target_os = "linux")]
    fn close_calls(
        &mut self,
        call_policy: calls::CallPolicy,
        mut grants: denials::Grants,
    ) -> io::Result<Result<(), String>> {
        let left = calls::left(call_policy);
        let file_calls = denials::CALLS.iter().map(|(call, _)| *call);
        for call in file_calls.filter(|call| call_policy.run || left.contains(call)) {
            grants.allow_call(call);
        }
        // Kernels without Landlock cannot let a call go on that they ask about.
        let can_report = self.held.contains(&LANDLOCK);
        let reporter = self.reporter.take().filter(|_| can_report);
        if call_policy.run {
            if let Some(reporter) = reporter {
                reporter.install(&grants, &denials::OTHERS_GO)?;
            }
            // That has just sent a descriptor.
            return Ok(calls::close_last(call_policy));
        }
        if let Some(reporter) = reporter {
            let channel = Some(reporter.channel());
            let listed = match calls::listed(call_policy, channel, calls::CallRefusal::Told) {
                Ok(listed) => calls::instructions(&listed),
                Err(reason) => return Ok(Err(reason)),
            };
            if reporter.install(&grants, &listed)? {
                return Ok(Ok(()));
            }
        }
        let listed = calls::listed(call_policy, None, calls::CallRefusal::Silent);
        Ok(listed.and_then(|listed| calls::apply(&listed)))
    }

    /// Closes the sandbox: from here on the process can use no more than `policy` allows.
    ///
    /// # Errors
    /// When it waits for a listener that is gone, and must not go on.
    pub(crate) fn close(&mut self, policy: SandboxPolicy<'_>) -> io::Result<()> {
        if self.is_open {
            return Ok(());
        }
        #[cfg(target_os = "linux")]
        self.become_user(policy);
        #[cfg(unix)]
        limits::late(self, policy);
        #[cfg(target_os = "linux")]
        {
            let local_sockets = policy.local_sockets && self.keeps_sockets_inside();
            let files = files::close(self, SandboxPolicy { local_sockets, ..policy });
            if !self.held.contains(&LANDLOCK) && policy.runs.is_none() && policy.writes.is_none() {
                self.note(UNDUMPABLE, platform::hide_memory());
            }
            let call_policy = calls::CallPolicy {
                write: policy.writes.is_some(),
                open: files.guards_creation,
                run: policy.runs.is_some(),
                build: policy.builds.is_some(),
                signal: files.guards_signals,
                local_sockets,
            };
            // The last, because it forbids to add the others.
            let closed = match self.is_left_out(SECCOMP) {
                true => Err(LEFT_OUT.to_owned()),
                false => calls::close(call_policy),
            };
            let closed = match closed {
                Ok(()) => self.close_calls(call_policy, files.grants)?,
                missing => missing,
            };
            self.note(SECCOMP, closed);
        }
        #[cfg(windows)]
        {
            if let Err(error) = platform::lower_integrity() {
                log::debug!("the integrity cannot be lowered: {error}");
            }
            self.note_all(platform::own_layers());
        }
        #[cfg(not(any(target_os = "linux", windows)))]
        for layer in [LANDLOCK, SECCOMP] {
            self.note(layer, Err(OTHER_SYSTEM.to_owned()));
        }
        #[cfg(not(target_os = "linux"))]
        let _ = policy;
        Ok(())
    }
}
