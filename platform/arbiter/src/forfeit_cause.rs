//! Who is to blame for a game lost by time: the engine or the host.

use core::fmt;

use crate::Nanos;

/// Where the time of a question went that was not answered in time, as the system of the machine
/// tells it. Nothing in it is the player's own word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CpuStats {
    /// The CPU time of all threads of the player's processes.
    pub cpu: Nanos,
    /// For how long others kept the player waiting, or the thread of the arbiter that listened to
    /// it: what would have been saved of the time of the wall, had the CPUs that it may use been
    /// its own. What the player's threads took from each other is not in that; what a
    /// hypervisor took from their CPU is.
    pub waited: Nanos,
    /// For how long the machine slept. No clock of a game counts that, but what comes after it is
    /// slow.
    pub suspended: Nanos,
    /// Whether a process of the player stood stopped when its time was over, though the arbiter had
    /// sent no signal to stop it.
    pub halted: bool,
    /// Whether the machine had no memory or no processes left for the player: its process could not
    /// be started, or the kernel killed it though it kept to its own limit.
    pub short: bool,
}

/// Who is to blame for an answer that was late or never came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// The player: it computed, or waited for something, too long.
    Engine,
    /// The host: it let the player wait for a CPU.
    Scheduling,
    /// The host: it slept.
    Suspend,
    /// The host: the arbiter itself was stopped, by a signal, a debugger or a frozen container.
    Stopped,
    /// The player: somebody other than the arbiter had stopped it. Nobody knows who, and a player
    /// can do that to itself.
    Halted,
    /// The host: it had no memory or no processes left.
    Shortage,
}

impl Cause {
    /// Every cause.
    pub const ALL: [Cause; 6] = [
        Cause::Engine,
        Cause::Scheduling,
        Cause::Suspend,
        Cause::Stopped,
        Cause::Halted,
        Cause::Shortage,
    ];

    /// Its name in records and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Cause::Engine => "engine",
            Cause::Scheduling => "scheduling",
            Cause::Suspend => "suspend",
            Cause::Stopped => "stopped",
            Cause::Halted => "halted",
            Cause::Shortage => "shortage",
        }
    }

    /// The cause of that name.
    pub fn from_name(name: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.name() == name)
    }

    /// Whether a loss by it says nothing of the player.
    pub const fn is_host(self) -> bool {
        !matches!(self, Cause::Engine | Cause::Halted)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A game lost by time: what took the time of its last question, and who is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForfeitCause {
    /// Who is to blame.
    pub cause: Cause,
    /// What took the time.
    pub cpu_stats: CpuStats,
}

impl ForfeitCause {
    /// The host has taken too much when it took this part of what the player might use.
    pub const SHARE: Nanos = 20;
    /// The shortest sleep of a machine; what is less is the error of reading two clocks.
    pub const SLEEP: Nanos = 100_000_000;

    /// The judgement. The player might use `allowed`, its margin included, and was waited for as
    /// long as `spent`.
    ///
    /// The host is to blame if it had no memory or no processes left for the player; if it slept
    /// within the question; or if it let the player wait for a
    /// twentieth of `allowed` or longer, and the answer would have been in time without that wait,
    /// unless somebody had stopped the player. In every other case the player is.
    ///
    /// ```
    /// use tengen_arbiter::{Cause, ForfeitCause, CpuStats};
    /// let cpu_stats = CpuStats { cpu: 960, waited: 50, ..CpuStats::default() };
    /// assert_eq!(ForfeitCause::judge(cpu_stats, 1000, 1010).cause, Cause::Scheduling);
    /// assert_eq!(ForfeitCause::judge(cpu_stats, 1000, 1051).cause, Cause::Engine);
    /// ```
    pub fn judge(cpu_stats: CpuStats, allowed: Nanos, spent: Nanos) -> ForfeitCause {
        let much = cpu_stats.waited > 0 && cpu_stats.waited >= allowed / ForfeitCause::SHARE;
        let cause = if cpu_stats.short {
            Cause::Shortage
        } else if cpu_stats.suspended >= ForfeitCause::SLEEP {
            Cause::Suspend
        } else if cpu_stats.halted {
            // It would not have answered, whoever had the CPU before.
            Cause::Halted
        } else if much && spent.saturating_sub(cpu_stats.waited) <= allowed {
            Cause::Scheduling
        } else {
            Cause::Engine
        };
        ForfeitCause { cause, cpu_stats }
    }

    /// The judgement where the arbiter itself did not run for `stopped`, of the time that the
    /// player was charged for. It is to blame if the answer might have been in time without that;
    /// else as [`ForfeitCause::judge`] has it, where it is known what took the time.
    ///
    /// ```
    /// use tengen_arbiter::{Cause, ForfeitCause};
    /// const SECOND: u64 = 1_000_000_000;
    /// let judge = |stopped| ForfeitCause::judge_stopped(None, 10 * SECOND, 11 * SECOND, stopped);
    /// assert_eq!(judge(2 * SECOND).unwrap().cause, Cause::Stopped);
    /// assert_eq!(judge(SECOND / 2), None);
    /// ```
    pub fn judge_stopped(
        cpu_stats: Option<CpuStats>,
        allowed: Nanos,
        spent: Nanos,
        stopped: Nanos,
    ) -> Option<ForfeitCause> {
        let decides = stopped >= ForfeitCause::SLEEP && spent.saturating_sub(stopped) <= allowed;
        if decides {
            let cpu_stats = cpu_stats.unwrap_or_default();
            return Some(ForfeitCause { cause: Cause::Stopped, cpu_stats });
        }
        Some(ForfeitCause::judge(cpu_stats?, allowed, spent))
    }

    /// Whether a stop of the arbiter for so long spoils a question that the player had `allowed`
    /// for, though nothing is lost by it yet: its clock was charged a part that is not its own.
    pub fn spoils(stopped: Nanos, allowed: Nanos) -> bool {
        stopped >= ForfeitCause::SLEEP && stopped >= allowed / ForfeitCause::SHARE
    }
}

impl fmt::Display for ForfeitCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |nanos: Nanos| nanos as f64 / 1e9;
        let CpuStats { cpu, waited, suspended, .. } = self.cpu_stats;
        match self.cause {
            Cause::Engine => f.write_str("the engine's own time"),
            Cause::Scheduling => f.write_str("spoiled by the host, which was busy"),
            Cause::Suspend => f.write_str("spoiled by the host, which was suspended"),
            Cause::Stopped => {
                f.write_str("spoiled by the host: Tengen itself was stopped and did not run")
            }
            Cause::Shortage => {
                return f.write_str("spoiled by the host, which had no memory or processes left");
            }
            Cause::Halted => f.write_str(
                "the engine's process had been stopped by a signal that Tengen did not send",
            ),
        }?;
        write!(f, ": within the last question its threads ran for {:.3} s", seconds(cpu))?;
        write!(f, " in all, and the host kept it waiting for {:.3} s", seconds(waited))?;
        if suspended > 0 {
            write!(f, "; the machine slept for {:.3} s", seconds(suspended))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    fn cause(cpu: Nanos, waited: Nanos, suspended: Nanos, spent: Nanos) -> Cause {
        let cpu_stats = CpuStats { cpu, waited, suspended, ..CpuStats::default() };
        ForfeitCause::judge(cpu_stats, SECOND, spent).cause
    }

    #[test]
    fn a_stop_of_the_arbiter_is_the_hosts_and_one_of_the_engine_its_own() {
        let busy = CpuStats { cpu: SECOND, ..CpuStats::default() };
        let judge = |stats, spent, stopped| {
            ForfeitCause::judge_stopped(Some(stats), SECOND, spent, stopped).unwrap().cause
        };
        assert_eq!(judge(busy, 20 * SECOND, 19 * SECOND), Cause::Stopped);
        assert_eq!(judge(busy, 20 * SECOND, 18 * SECOND), Cause::Engine, "late all the same");
        assert_eq!(judge(busy, SECOND + 1, ForfeitCause::SLEEP - 1), Cause::Engine);
        let halted = CpuStats { halted: true, ..CpuStats::default() };
        assert_eq!(judge(halted, SECOND + 1, 0), Cause::Halted);
        let waited = CpuStats { waited: SECOND / 2, ..halted };
        assert_eq!(judge(waited, SECOND + 1, 0), Cause::Halted, "it would never have answered");
        assert_eq!(judge(halted, SECOND + 1, SECOND), Cause::Stopped, "both stood still");
        assert!(Cause::Stopped.is_host() && !Cause::Halted.is_host());
        let short = CpuStats { short: true, ..halted };
        assert_eq!(judge(short, SECOND + 1, 0), Cause::Shortage, "it was not even there");
        assert!(Cause::Shortage.is_host());
        assert!(ForfeitCause::spoils(SECOND, 20 * SECOND));
        assert!(!ForfeitCause::spoils(SECOND, 21 * SECOND));
        assert!(!ForfeitCause::spoils(1, 10));
    }

    #[test]
    fn an_engine_that_computes_or_sleeps_is_to_blame() {
        assert_eq!(cause(SECOND, 0, 0, SECOND + 1), Cause::Engine);
        assert_eq!(cause(0, 0, 0, SECOND + 1), Cause::Engine);
        assert_eq!(cause(SECOND, SECOND / 20 - 1, 0, SECOND + 1), Cause::Engine);
    }

    #[test]
    fn a_wait_for_a_cpu_counts_from_a_twentieth_and_where_it_was_decisive() {
        assert_eq!(cause(SECOND / 2, SECOND / 20, 0, SECOND + 1), Cause::Scheduling);
        assert_eq!(cause(SECOND, SECOND / 2, 0, 3 * SECOND / 2), Cause::Scheduling);
        assert_eq!(cause(SECOND, SECOND / 2, 0, 3 * SECOND / 2 + 1), Cause::Engine);
    }

    #[test]
    fn a_sleep_of_the_machine_is_told_from_the_error_of_two_clocks() {
        assert_eq!(cause(SECOND, 0, ForfeitCause::SLEEP, SECOND + 1), Cause::Suspend);
        assert_eq!(cause(SECOND, 0, ForfeitCause::SLEEP - 1, SECOND + 1), Cause::Engine);
    }

    #[test]
    fn no_time_at_all_is_nobodys_wait() {
        let forfeit = ForfeitCause::judge(CpuStats::default(), 0, 1);
        assert_eq!(forfeit.cause, Cause::Engine);
        assert!(Cause::ALL.iter().all(|cause| Cause::from_name(cause.name()) == Some(*cause)));
    }
}
