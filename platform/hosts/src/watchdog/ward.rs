use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use super::leash::Leash;
use super::wait::{Finding, Wait};
use super::{Target, Watched};
use crate::platform::{self, Activity, Cpus, Load, Mark, Usage};
use crate::scratch::{self, Scratch};

/// The CPU time that a child may use between two looks while it waits: it has an answer to finish
/// writing, and a pipe to go back to.
const REST: u64 = 100_000;
/// The most threads of an engine. Each takes memory and a number of the system's, which nothing
/// else counts by the engine.
const MOST_THREADS: u64 = 512;
/// The most processes. One that has a wall around it makes none.
const MOST_PROCESSES: u64 = 64;
/// Every so many looks the memory is counted, and every so many the files.
const MEMORY_LOOKS: u32 = 2;
const FOLDER_LOOKS: u32 = 20;
/// And every so many its CPU time is renewed, of which it has far more.
const CPU_LOOKS: u32 = 4096;
const MIB: u64 = 1 << 20;
/// How long a child may take to end that was asked to by a signal.
const TERM: Duration = Duration::from_millis(200);
/// How soon, and then how often, it is looked at whether a child has ended.
const NAP: Duration = Duration::from_micros(100);
const MOST_NAP: Duration = Duration::from_millis(10);

/// What an engine in a child may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// Its memory.
    pub memory_mib: Option<u32>,
    /// The files in its private folder.
    pub folder_mib: Option<u32>,
}

/// A child that is not reaped yet, and what was seen of it from outside.
pub(crate) struct Ward {
    child: Child,
    bounds: Bounds,
    desk: Option<Scratch>,
    mark: Option<Mark>,
    has_ended: bool,
    looks: u32,
    /// The most memory that was seen, in bytes.
    peak: u64,
    /// What it had too much of.
    breach: Option<String>,
    /// A wait and the CPU time at the last look.
    seen: Option<(u64, u64)>,
    /// What the scheduler had done with it when its time was over, and when that was.
    load: Option<Box<(Load, Instant)>>,
    /// Its input, if it is a text engine, which is stopped only once it has settled.
    input: Option<u64>,
    wait: Option<Wait>,
}

/// How a child ended.
#[derive(Debug)]
pub(crate) struct End {
    pub status: Option<ExitStatus>,
    /// Why it was stopped, if for using too much.
    pub breach: Option<String>,
    /// What it may have died of, if it ended by itself.
    pub shortage: Option<String>,
    /// What the scheduler did with it until it was stopped because its time was over, and when that
    /// was.
    pub load: Option<Box<(Load, Instant)>>,
}

impl Ward {
    /// Takes charge of a child that starts in the folder, if it has one.
    pub(crate) fn new(child: Child, bounds: Bounds, desk: Option<Scratch>) -> Ward {
        Ward {
            child,
            bounds,
            desk,
            mark: None,
            has_ended: false,
            looks: 0,
            peak: 0,
            breach: None,
            seen: None,
            load: None,
            input: None,
            wait: None,
        }
    }

    /// Of a text engine, which reads from the pipe of that number.
    pub(crate) fn reading(self, input: Option<u64>) -> Ward {
        Ward { input, ..self }
    }

    /// And of all that has the same mark, until it is known that nothing can leave its group.
    pub(crate) fn marked(self, mark: Mark) -> Ward {
        Ward { mark: Some(mark), ..self }
    }

    fn is_alone(&mut self) {
        self.mark = None;
    }

    /// Kills it because its time is over. What its threads did until then is asked first: it goes
    /// with them.
    pub(super) fn end_late(&mut self) {
        if self.load.is_none() {
            let load = platform::load_of_group(self.child.id());
            self.load = load.map(|load| Box::new((load, Instant::now())));
        }
        self.kill();
    }

    pub(super) fn kill(&mut self) {
        // First, while they are known by the child.
        platform::kill_descendants(self.child.id());
        platform::kill_group(&mut self.child);
        if let Some(mark) = &self.mark {
            mark.kill_all();
        }
    }

    pub(super) fn stop(&self) {
        platform::stop_group(&self.child);
    }

    pub(super) fn go_on(&self) {
        platform::continue_group(&self.child);
    }

    /// Lets a child that was told to end do so: for so long by itself, then for as long as a signal
    /// may take. Gives whether it ended by itself.
    pub(crate) fn let_end(&mut self, patience: Duration) -> bool {
        self.go_on();
        if self.ends_within(patience) {
            return true;
        }
        platform::terminate_group(&self.child);
        self.ends_within(TERM);
        false
    }

    fn ends_within(&mut self, patience: Duration) -> bool {
        let (begun, mut nap) = (Instant::now(), NAP);
        while !platform::has_ended(&mut self.child) {
            if begun.elapsed() >= patience {
                return false;
            }
            thread::sleep(nap);
            nap = (nap * 2).min(MOST_NAP);
        }
        true
    }

    pub(super) fn cpu_time(&self) -> Option<u64> {
        platform::cpu_time_of_all(self.child.id(), self.mark.is_none())
    }

    pub(super) fn activity(&self) -> Option<Activity> {
        platform::activity(self.child.id(), self.input, self.mark.is_none())
    }

    pub(super) fn is_several(&self) -> bool {
        platform::is_several(self.child.id(), self.mark.is_none())
    }

    /// Lets it run on these CPUs alone.
    pub(super) fn give(&self, cpus: &Cpus) {
        cpus.give(self.child.id(), self.mark.is_none());
    }

    pub(super) fn load(&self) -> Option<Load> {
        platform::load(self.child.id())
    }

    /// Holds a child that works while it waits, and gives whether it uses more than it may. One
    /// that has ended must not be waited for because others hold its pipes: they are killed.
    pub(super) fn look(&mut self, leash: &Leash) -> bool {
        if self.has_ended {
            return false;
        }
        if platform::has_ended(&mut self.child) {
            self.has_ended = true;
            self.kill();
            return false;
        }
        if self.input.is_some() {
            self.look_at_wait(leash);
        } else {
            self.look_at_rest(leash);
        }
        // What is stopped uses no more than it did.
        if self.breach.is_none() && !leash.is_held() {
            self.looks = self.looks.wrapping_add(1);
            if self.looks.is_multiple_of(CPU_LOOKS) {
                platform::renew_cpu_time(self.child.id());
            }
            self.breach = self.excess();
            return self.breach.is_some();
        }
        false
    }

    fn look_at_rest(&mut self, leash: &Leash) {
        let now = leash.waiting().and_then(|wait| Some((wait, self.cpu_time()?)));
        if let (Some((wait, before)), Some((still, after))) = (self.seen, now)
            && wait == still
            && after > before + REST
            && leash.hold_in(wait)
        {
            self.stop();
            leash.tighten();
            log::debug!("process {} worked while it was not asked", self.child.id());
        }
        self.seen = now;
    }

    /// The same of a text engine, which may finish what it does.
    fn look_at_wait(&mut self, leash: &Leash) {
        let Some(number) = leash.waiting() else { return };
        let (now, cpu) = (Instant::now(), self.cpu_time().unwrap_or(0));
        let Some(mut wait) = self.wait.take().filter(|wait| wait.number == number) else {
            self.wait = Some(Wait::new(number, cpu, now));
            return;
        };
        match wait.look(cpu, now, leash.is_due(number), || self.activity()) {
            Finding::Open => {}
            Finding::Settled => leash.settle(number),
            Finding::Stop => {
                leash.settle(number);
                if leash.hold_in(number) {
                    self.stop();
                }
            }
            Finding::Ponders => {
                if leash.hold_in(number) {
                    self.stop();
                    leash.tighten();
                    log::debug!("process {} worked while it was not asked", self.child.id());
                }
            }
        }
        self.wait = Some(wait);
    }

    /// What it has too much of, if of anything.
    fn excess(&mut self) -> Option<String> {
        if self.looks.is_multiple_of(FOLDER_LOOKS)
            && let (Some(desk), Some(most)) = (&self.desk, self.bounds.folder_mib)
        {
            let unlinked = platform::unlinked_bytes(self.child.id());
            let bytes = scratch::size(desk.path()).saturating_add(unlinked);
            if bytes > u64::from(most) * MIB {
                return Some(match bytes {
                    u64::MAX => "its folder holds too many files to count".to_owned(),
                    _ => format!("its folder holds {} of {most} MiB", bytes.div_ceil(MIB)),
                });
            }
        }
        if !self.looks.is_multiple_of(MEMORY_LOOKS) {
            return None;
        }
        let ceiling = self.bounds.memory_mib.map_or(u64::MAX, |mib| u64::from(mib) * MIB);
        let most = Usage { memory: ceiling, threads: MOST_THREADS, processes: MOST_PROCESSES };
        let usage = platform::usage(self.child.id(), most)?;
        self.peak = self.peak.max(usage.memory);
        let Usage { memory, threads, processes } = usage;
        if memory > ceiling {
            let (used, most) = (memory.div_ceil(MIB), ceiling / MIB);
            return Some(format!("used {used} MiB of memory, of {most}"));
        }
        if threads > MOST_THREADS {
            return Some(format!("ran {threads} threads, of {MOST_THREADS} at most"));
        }
        (processes > MOST_PROCESSES)
            .then(|| format!("ran {processes} processes, of {MOST_PROCESSES} at most"))
    }

    /// Kills the whole group and whoever left it, reaps the child, and removes its folder.
    pub(crate) fn bury(mut self) -> End {
        // A child that has ended keeps its own status; those it started may still run.
        self.kill();
        let mut load = self.load.take();
        if let Some(load) = &mut load {
            // The time that a thread stands in a queue is added when it leaves it. That is still
            // seen of the first one.
            platform::last_load(self.child.id()).inspect(|last| load.0.merge(last));
        }
        let (status, most) = match platform::reap(self.child) {
            Ok((status, most)) => (Some(status), most),
            Err(error) => {
                log::error!("a child was not reaped: {error}");
                (None, None)
            }
        };
        let peak = self.peak.max(most.unwrap_or(0));
        let shortage = self.bounds.memory_mib.and_then(|mib| shortage(peak, mib));
        End { status, breach: self.breach, shortage, load }
    }
}

/// What is to be said of an engine that ended with so much memory: nothing, unless that was nine
/// tenths of what it may have or more.
fn shortage(peak: u64, mib: u32) -> Option<String> {
    let ceiling = u64::from(mib) * MIB;
    let is_near = peak >= ceiling - ceiling / 10;
    is_near.then(|| format!("after it had used {} MiB of memory, of {mib}", peak.div_ceil(MIB)))
}

impl Watched {
    /// A child is kept by its walls from starting others, or those from leaving its group.
    pub(crate) fn is_alone(&self) {
        if let Target::Child(ward) = &mut *self.slot.target() {
            ward.is_alone();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shortage_is_nine_tenths_of_the_ceiling() {
        assert_eq!(shortage(89 * MIB, 100), None);
        let told = shortage(91 * MIB, 100).unwrap();
        assert!(told.contains("91 MiB") && told.contains("100"), "{told}");
    }
}
