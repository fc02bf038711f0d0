//! The processes of one engine, seen from the arbiter: the one it started, or those that went on in
//! its place.

use std::io;
use std::process::ExitStatus;
#[cfg(target_os = "linux")]
use std::time::Duration;

use super::{
    Cpus, JobCpu, StartedProcess, Usage, continue_group, has_ended, kill_descendants, kill_group,
    reap, stop_group, terminate_group,
};

/// How long the process that was started may take to end once others go on in its place.
#[cfg(target_os = "linux")]
const STARTER: Duration = Duration::from_millis(5);

/// The processes that went on in the place of the one that was started, by their numbers here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Inside {
    /// The first of its namespace: when it ends, the kernel ends all others in that namespace.
    pub init: u32,
    /// The one that runs the engine.
    pub engine: u32,
}

/// The processes of one engine until they are reaped.
pub(crate) struct Job {
    /// The one that was started. All of them are in its group.
    child: StartedProcess,
    inside: Option<Inside>,
    /// Whether it is known which process goes on. Before that, no code of the engine runs.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    is_started: bool,
    /// Whether the process that was started is still to be reaped, though others went on.
    is_starter_left: bool,
}

impl Job {
    pub(crate) fn new(child: StartedProcess) -> Job {
        Job { child, inside: None, is_started: false, is_starter_left: false }
    }

    /// The process that runs the engine.
    pub(crate) fn engine(&self) -> u32 {
        self.inside.map_or_else(|| self.child.id(), |inside| inside.engine)
    }

    /// The processes that all others descend from: a process that loses its parent becomes a child
    /// of the first of its namespace.
    pub(crate) fn roots(&self) -> impl Iterator<Item = u32> {
        [Some(self.engine()), self.inside.map(|inside| inside.init)].into_iter().flatten()
    }

    /// Other processes go on in the place of the one that was started, and that one ends; or it
    /// goes on itself.
    ///
    /// # Errors
    /// When these are no children of this process.
    pub(crate) fn adopt(&mut self, inside: Option<Inside>) -> io::Result<()> {
        self.is_started = true;
        let Some(inside) = inside else { return Ok(()) };
        #[cfg(target_os = "linux")]
        {
            use super::unix::is_child;
            if !is_child(inside.init) || !is_child(inside.engine) {
                return Err(io::ErrorKind::InvalidData.into());
            }
            self.inside = Some(inside);
            // It ends as soon as it has said which process goes on. If not, it is looked for later.
            self.is_starter_left = true;
            super::unix::wait_patiently(STARTER, || {
                self.reap_starter();
                Ok(!self.is_starter_left)
            })?;
            Ok(())
        }
        #[cfg(not(target_os = "linux"))]
        {
            let _ = inside;
            Err(io::ErrorKind::Unsupported.into())
        }
    }

    /// Reaps the process that was started, if others went on in its place and it has ended.
    pub(crate) fn reap_starter(&mut self) {
        if self.is_starter_left {
            self.is_starter_left = !self.child.is_reaped();
        }
    }

    /// Kills all of them, and says whether none can be left.
    pub(crate) fn kill(&mut self) -> bool {
        let Some(inside) = self.inside else {
            // First, while they are known by the child.
            kill_descendants(self.child.id());
            kill_group(&mut self.child);
            return false;
        };
        #[cfg(target_os = "linux")]
        for pid in [inside.engine, inside.init] {
            super::unix::kill_child(pid);
        }
        let _ = inside;
        self.reap_starter();
        if self.is_starter_left {
            self.child.kill();
        }
        true
    }

    /// Stops them until they are continued.
    pub(crate) fn pause(&self) {
        stop_group(&self.child);
    }

    /// Lets them go on.
    pub(crate) fn resume(&self) {
        continue_group(&self.child);
    }

    /// Lets every thread of theirs run on these CPUs alone; only those of the engine's process if
    /// that is `single`.
    pub(crate) fn bind_to(&self, cpus: &Cpus, is_single: bool) {
        #[cfg(windows)]
        {
            let _ = is_single;
            self.child.bind_to(cpus);
        }
        #[cfg(not(windows))]
        cpus.apply_to(self.engine(), is_single);
    }

    /// Asks them to end.
    pub(crate) fn terminate(&self) {
        terminate_group(&self.child);
    }

    /// Whether the engine's process has ended; it is not reaped by that.
    pub(crate) fn has_ended(&mut self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(inside) = self.inside {
            return super::unix::child_has_ended(inside.engine);
        }
        // If it ended well, other processes go on in its place, which are not known yet. It may
        // have ended between two looks, so this is one more.
        #[cfg(target_os = "linux")]
        if !self.is_started {
            return super::unix::child_has_failed(self.child.id());
        }
        has_ended(&mut self.child)
    }

    /// What all of them take; no more is counted than `most`.
    pub(crate) fn usage(&self, most: Usage) -> Option<Usage> {
        #[cfg(windows)]
        let usage = {
            let _ = most;
            Some(self.child.usage())
        };
        #[cfg(not(windows))]
        let usage = super::usage(self.engine(), most);
        usage
    }

    /// The CPU time of the engine's process and, unless that is `single`, of those it started.
    pub(crate) fn cpu(&self, is_single: bool) -> Option<JobCpu> {
        #[cfg(windows)]
        let cpu = {
            let _ = is_single;
            Some(self.child.cpu())
        };
        #[cfg(not(windows))]
        let cpu = super::job_cpu(self.engine(), is_single);
        cpu
    }

    /// The CPU time of all that descend from the first of them, in nanoseconds.
    pub(crate) fn cpu_of_all(&self) -> Option<u64> {
        #[cfg(windows)]
        let cpu = self.cpu(false).map(|job| job.total());
        #[cfg(not(windows))]
        let cpu = self
            .roots()
            .filter_map(|root| super::job_cpu(root, false))
            .map(|job| job.total())
            .reduce(u64::saturating_add);
        cpu
    }

    /// Waits until all of them have ended, and reaps them. They must have been killed before. Gives
    /// how the engine's process ended, and the most bytes of memory that it had in use, where that
    /// is known.
    ///
    /// # Errors
    /// When the kernel does not let one of them end. It is reaped when it does.
    pub(crate) fn reap(self) -> io::Result<(ExitStatus, Option<u64>)> {
        #[cfg(target_os = "linux")]
        if let Some(inside) = self.inside {
            let ended = super::unix::reap_child(inside.engine);
            super::unix::reap_child(inside.init)?;
            if self.is_starter_left {
                super::unix::reap_child(self.child.id())?;
            }
            return ended;
        }
        let group = self.child.id();
        let ended = reap(self.child);
        #[cfg(target_os = "linux")]
        super::unix::reap_group(group);
        let _ = group;
        ended
    }
}
