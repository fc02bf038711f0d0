//! Finds what is to blame for a game lost on time: the engine or the host.

use core::fmt;

use crate::{Correction, Nanos};

/// Where the time of a question went that was not answered in time, as the operating system reports
/// it. Nothing in it is the player's own claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CpuStats {
    /// The CPU time of all threads of the player's processes.
    pub cpu: Nanos,
    /// For how long others kept the player, or the arbiter's thread that listened to it, waiting:
    /// the wall-clock time that would have been saved if the CPUs that it may use had been its own.
    /// What the player's threads took from each other is not included; what a hypervisor took from
    /// their CPU is.
    pub waited: Nanos,
    /// For how long at most the player slept, or waited for something else than a CPU: nothing of
    /// it ran then or could have.
    pub asleep: Nanos,
    /// For how long the machine slept. No clock of a game counts that, but what comes after it is
    /// slow.
    pub suspended: Nanos,
    /// Whether a process of the player stood stopped when its time was over, though the arbiter had
    /// sent no signal to stop it.
    pub halted: bool,
    /// Whether the player waited for its next line when its time was over, as it would after an
    /// answer.
    pub reading: bool,
    /// Whether the machine had no memory or no processes left for the player: its process could not
    /// be started, or the kernel killed it though it kept to its own limit.
    pub short: bool,
}

/// What is to blame for an answer that was late or never came.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Cause {
    /// The player: it computed, or waited for something, too long.
    Engine,
    /// The host: it let the player wait for a CPU. Only in records from before such time was given
    /// back.
    Scheduling,
    /// The host: it slept.
    Suspend,
    /// The host: the arbiter itself was stopped, by a signal, a debugger or a frozen container.
    Stopped,
    /// The player: something other than the arbiter had stopped it. What that was is not known, and
    /// a player can stop itself.
    Halted,
    /// The host: it had no memory or no processes left.
    Shortage,
}

impl Cause {
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

    pub fn from_name(name: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.name() == name)
    }

    /// Whether such a loss says nothing about the player.
    pub const fn is_host(self) -> bool {
        !matches!(self, Cause::Engine | Cause::Halted)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A game lost by time: what took the time of its last question, and what is to blame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ForfeitCause {
    pub cause: Cause,
    pub cpu_stats: CpuStats,
}

impl ForfeitCause {
    /// A stop of the arbiter, or of the whole machine, is too long from this part of the player's
    /// time on.
    pub const SHARE: Nanos = 20;
    /// The shortest time that is mentioned: less is within the error of the figures.
    const TELLING: Nanos = 1_000_000;
    /// The shortest sleep of a machine that counts: less is the error of reading two clocks.
    pub const SLEEP: Nanos = 100_000_000;

    /// The judgement of a question that was lost although the player's waits for a CPU had been
    /// given back to it. The player might use `allowed`, its margin included.
    ///
    /// The host is to blame if it had no memory or no processes left for the player, or if it slept
    /// for a good part of the question: that spoils the question, whatever the player does. In
    /// every other case the player is to blame.
    ///
    /// ```
    /// use tengen_arbiter::{Cause, ForfeitCause, CpuStats};
    /// const SECOND: u64 = 1_000_000_000;
    /// let busy = CpuStats { cpu: SECOND, waited: 30 * SECOND, ..CpuStats::default() };
    /// assert_eq!(ForfeitCause::judge(busy, SECOND).cause, Cause::Engine);
    /// let asleep = CpuStats { suspended: SECOND, ..busy };
    /// assert_eq!(ForfeitCause::judge(asleep, SECOND).cause, Cause::Suspend);
    /// ```
    pub fn judge(cpu_stats: CpuStats, allowed: Nanos) -> ForfeitCause {
        let cause = if cpu_stats.short {
            Cause::Shortage
        } else if ForfeitCause::spoils(cpu_stats.suspended, allowed) {
            Cause::Suspend
        } else if cpu_stats.halted {
            // It would not have answered even with the CPU to itself.
            Cause::Halted
        } else {
            Cause::Engine
        };
        ForfeitCause { cause, cpu_stats }
    }

    /// The judgement if the arbiter itself stood still for `stopped` of the `spent` time that the
    /// player was charged for. If the figures are known, time that was not the player's was given
    /// back: then the arbiter is to blame if it [spoiled](ForfeitCause::spoils) the question.
    /// Otherwise it is to blame if the answer might have been in time without the stop.
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
        let decides = match cpu_stats {
            Some(_) => ForfeitCause::spoils(stopped, allowed),
            None => stopped >= ForfeitCause::SLEEP && spent.saturating_sub(stopped) <= allowed,
        };
        if decides {
            let cpu_stats = cpu_stats.unwrap_or_default();
            return Some(ForfeitCause { cause: Cause::Stopped, cpu_stats });
        }
        Some(ForfeitCause::judge(cpu_stats?, allowed))
    }

    /// Whether a stop of the arbiter for so long, or a sleep of the machine, spoils a question that
    /// the player had `allowed` for, whatever the player does in it: it may have noticed, and must
    /// not have the choice.
    pub fn spoils(stopped: Nanos, allowed: Nanos) -> bool {
        stopped >= ForfeitCause::SLEEP && stopped >= allowed / ForfeitCause::SHARE
    }
}

impl fmt::Display for ForfeitCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |nanos: Nanos| nanos as f64 / 1e9;
        let CpuStats { cpu, waited, asleep, suspended, reading, .. } = self.cpu_stats;
        match self.cause {
            Cause::Engine => f.write_str("the engine's own time"),
            Cause::Scheduling => f.write_str("spoiled by the host, which was busy"),
            Cause::Suspend => f.write_str("spoiled by the host, which was suspended"),
            Cause::Stopped => {
                return f
                    .write_str("spoiled by the host: Tengen itself was stopped and did not run");
            }
            Cause::Shortage => {
                return f.write_str("spoiled by the host, which had no memory or processes left");
            }
            Cause::Halted => f.write_str(
                "the engine's process had been stopped by a signal that Tengen did not send",
            ),
        }?;
        if reading && self.cause == Cause::Engine {
            f.write_str(": it seems to wait for its next command, so its move may not have been ")?;
            f.write_str("flushed; within the last question its threads ran")?;
        } else {
            f.write_str(": within the last question its threads ran")?;
        }
        write!(f, " for {:.3} s in all", seconds(cpu))?;
        if asleep >= ForfeitCause::TELLING {
            write!(f, ", it slept or waited for something else than a CPU for ")?;
            write!(f, "{:.3} s", seconds(asleep))?;
        }
        if Correction::of_wait(waited).given_back > 0 {
            write!(f, ", and {:.3} s that it waited for a CPU were given back", seconds(waited))?;
        }
        if suspended > 0 {
            write!(f, "; the machine slept for {:.3} s", seconds(suspended))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    fn cause(cpu_stats: CpuStats) -> Cause {
        ForfeitCause::judge(cpu_stats, SECOND).cause
    }

    #[test]
    fn a_stop_of_the_arbiter_is_the_hosts_and_one_of_the_engine_its_own() {
        let judge = |spent, stopped| {
            ForfeitCause::judge_stopped(None, SECOND, spent, stopped).map(|forfeit| forfeit.cause)
        };
        assert_eq!(judge(20 * SECOND, 19 * SECOND), Some(Cause::Stopped));
        assert_eq!(judge(20 * SECOND, 18 * SECOND), None, "late all the same");
        assert_eq!(judge(SECOND + 1, ForfeitCause::SLEEP - 1), None);
        let busy = CpuStats { cpu: SECOND, ..CpuStats::default() };
        let judge = |stats, stopped| {
            ForfeitCause::judge_stopped(Some(stats), 4 * SECOND, 5 * SECOND, stopped).unwrap().cause
        };
        assert_eq!(judge(busy, SECOND / 5), Cause::Stopped, "a twentieth");
        assert_eq!(judge(busy, SECOND / 5 - 1), Cause::Engine, "that was given back");
        let halted = CpuStats { halted: true, ..CpuStats::default() };
        assert_eq!(judge(halted, SECOND), Cause::Stopped, "both stood still");
        assert_eq!(cause(halted), Cause::Halted);
        let waited = CpuStats { waited: SECOND / 2, ..halted };
        assert_eq!(cause(waited), Cause::Halted, "it would never have answered");
        assert!(Cause::Stopped.is_host() && !Cause::Halted.is_host());
        let short = CpuStats { short: true, ..halted };
        assert_eq!(cause(short), Cause::Shortage, "it was not even there");
        assert!(Cause::Shortage.is_host());
        assert!(ForfeitCause::spoils(SECOND, 20 * SECOND));
        assert!(!ForfeitCause::spoils(SECOND, 21 * SECOND));
        assert!(!ForfeitCause::spoils(1, 10));
    }

    /// Its waits were given back: it is late even without them.
    #[test]
    fn a_player_that_is_late_is_to_blame_whatever_it_waited() {
        for (cpu, waited) in [(SECOND, 0), (0, 0), (SECOND / 2, SECOND / 2), (0, 63 * SECOND)] {
            assert_eq!(cause(CpuStats { cpu, waited, ..CpuStats::default() }), Cause::Engine);
        }
    }

    #[test]
    fn a_sleep_of_the_machine_is_told_from_the_error_of_two_clocks() {
        let slept = |suspended| cause(CpuStats { suspended, ..CpuStats::default() });
        assert_eq!(slept(ForfeitCause::SLEEP), Cause::Suspend);
        assert_eq!(slept(ForfeitCause::SLEEP - 1), Cause::Engine);
    }

    #[test]
    fn every_cause_has_a_name_of_its_own() {
        assert!(Cause::ALL.iter().all(|cause| Cause::from_name(cause.name()) == Some(*cause)));
    }

    #[test]
    fn a_late_player_is_told_what_it_did_with_its_time() {
        let cpu_stats = CpuStats {
            cpu: SECOND,
            asleep: 26 * SECOND / 100,
            waited: SECOND / 50,
            ..CpuStats::default()
        };
        let told = ForfeitCause::judge(cpu_stats, SECOND).to_string();
        let expected = "the engine's own time: within the last question its threads ran for \
                        1.000 s in all, it slept or waited for something else than a CPU for \
                        0.260 s, and 0.020 s that it waited for a CPU were given back";
        assert_eq!(told, expected);
        let busy = CpuStats { asleep: 0, waited: 900_000, ..cpu_stats };
        let told = ForfeitCause::judge(busy, SECOND).to_string();
        assert!(told.ends_with("ran for 1.000 s in all"), "{told}");
        let told = ForfeitCause::judge(CpuStats { reading: true, ..busy }, SECOND).to_string();
        let expected = "the engine's own time: it seems to wait for its next command, so its move \
                        may not have been flushed; within the last question its threads ran for \
                        1.000 s in all";
        assert_eq!(told, expected);
    }
}
