//! Whether an answer was late, or the machine busy.

use tengen_arbiter::{CpuStats, Nanos};

/// How often a question with a deadline is tried at most, where the machine spoils the timing.
pub(crate) const ATTEMPTS: usize = 8;

/// What one timed answer shows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TimingVerdict {
    /// It was read before the deadline.
    InTime,
    /// It was read too late, by the engine's own doing.
    Late,
    /// It was read too late, and the machine may be to blame: the question is tried again.
    Inconclusive,
    /// It was read too late, and the system does not tell why: the question is tried again.
    Untold,
}

/// Judges an answer by the moment when it was read, as a game does. The machine is suspected sooner
/// than there: another try costs no game.
pub(crate) fn judge_timing(
    allowed: Nanos,
    spent: Nanos,
    cpu_stats: impl FnOnce() -> Option<CpuStats>,
) -> TimingVerdict {
    if spent <= allowed {
        return TimingVerdict::InTime;
    }
    match cpu_stats() {
        Some(CpuStats { waited, suspended: 0, .. }) if spent.saturating_sub(waited) > allowed => {
            TimingVerdict::Late
        }
        Some(_) => TimingVerdict::Inconclusive,
        None => TimingVerdict::Untold,
    }
}

/// Whether the machine excuses an answer that was late each time it was asked for: it slept, or let
/// the engine wait for a CPU for as long as the answer was late. Where that was a quarter of the
/// time or more, what the engine itself took may also be twice as long as it should, because its
/// caches and the other half of its core are not its own either.
pub(crate) fn is_excused(allowed: Nanos, spent: Nanos, cpu_stats: Option<CpuStats>) -> bool {
    let Some(CpuStats { waited, suspended, .. }) = cpu_stats else { return false };
    let own = spent.saturating_sub(waited);
    own <= allowed || suspended > 0 || waited >= spent / 4 && own <= 2 * allowed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_excuses_up_to_twice_the_time() {
        let is_excused = |spent, waited| {
            is_excused(1000, spent, Some(CpuStats { waited, ..CpuStats::default() }))
        };
        assert!(is_excused(2400, 1750) && is_excused(4600, 3370));
        assert!(!is_excused(4600, 2500), "it took more than twice the time itself");
        assert!(is_excused(1250, 300), "without the wait it was in time");
        assert!(!is_excused(1110, 100), "the machine was hardly busy");
    }

    #[test]
    fn a_machine_that_slept_excuses_and_one_that_tells_nothing_does_not() {
        let slept = CpuStats { suspended: 1, ..CpuStats::default() };
        assert!(is_excused(1000, 9000, Some(slept)) && !is_excused(1000, 1001, None));
    }

    fn idle_of(cpu: Nanos) -> CpuStats {
        CpuStats { cpu, ..CpuStats::default() }
    }

    #[test]
    fn an_answer_is_judged_by_the_moment_it_was_read() {
        let busy = CpuStats { cpu: 90, waited: 1, ..CpuStats::default() };
        let asleep = CpuStats { suspended: 200_000_000, ..idle_of(105) };
        let idle = idle_of(105);
        assert_eq!(judge_timing(100, 100, || unreachable!("it is in time")), TimingVerdict::InTime);
        assert_eq!(judge_timing(100, 101, || Some(idle)), TimingVerdict::Late);
        assert_eq!(judge_timing(100, 101, || None), TimingVerdict::Untold);
        assert_eq!(judge_timing(100, 101, || Some(busy)), TimingVerdict::Inconclusive);
        assert_eq!(judge_timing(100, 102, || Some(busy)), TimingVerdict::Late);
        assert_eq!(judge_timing(100, 102, || Some(asleep)), TimingVerdict::Inconclusive);
    }
}
