//! How much of a question's time an engine lost to other processes on a busy machine.

use tengen_arbiter::Nanos;

/// What an engine and the machine did within a question.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Contention {
    pub lasted: Nanos,
    /// The CPUs that the engine could use.
    pub cpus: u32,
    /// The CPU time of all its threads, those included that have ended, and of its helpers.
    pub cpu: Nanos,
    /// How long each of its threads ran, and stood in a run queue.
    pub threads: Vec<(Nanos, Nanos)>,
    /// How long none of its threads ran though one could have, as the kernel counts it for all of
    /// its processes together; 0 where it does not.
    pub stalled: Nanos,
    /// How long the thread that listened to it stood in one.
    pub listener: Nanos,
    /// How long a CPU that it could use had work and did not run, because the hypervisor of a
    /// virtual machine ran something else.
    pub stolen: Nanos,
}

impl Contention {
    /// For how long the host kept the engine waiting, in wall-clock time: what it would have
    /// saved on a machine of its own.
    pub(crate) fn waited(&self) -> Nanos {
        // The kernel's count has threads that came and went, and misses no look.
        let lost = self.lost_time().max(self.stalled.min(self.lasted));
        // Each of the three may have a part of another, and its work took at least that long. What
        // a hypervisor took is counted as work too.
        let work = self.cpu.saturating_sub(self.stolen) / Nanos::from(self.cpus.max(1));
        (lost + self.reader_wait() + self.stolen_time()).min(self.lasted.saturating_sub(work))
    }

    /// What a hypervisor took from the engine. The kernel counts that as if the thread on the CPU
    /// had run. What was taken while the engine's threads stood in a queue is in their waits, and
    /// one that slept lost nothing, unless what was taken is all that it slept: then it was woken
    /// late.
    fn stolen_time(&self) -> Nanos {
        let (active, (ran, queued)) = (self.active(), self.ran_and_queued());
        let share = (u128::from(self.stolen) * ran).checked_div(ran + queued);
        let share = share.map_or(self.stolen, |share| share as Nanos);
        match self.lasted.saturating_sub(active) <= self.stolen {
            true => share,
            false => share.min(active),
        }
    }

    /// How long all its threads together ran, and stood in a queue.
    fn ran_and_queued(&self) -> (u128, u128) {
        let sum = |(ran, queued), &(one_ran, one_queued): &(Nanos, Nanos)| {
            (ran + u128::from(one_ran), queued + u128::from(one_queued))
        };
        self.threads.iter().fold((0, 0), sum)
    }

    /// The least time in which something of the engine ran or could have: that of its busiest
    /// thread.
    fn active(&self) -> Nanos {
        self.threads.iter().map(|&(ran, waited)| ran + waited).max().unwrap_or(0)
    }

    /// For how long nothing of it ran or could have, and its answer was not waited for.
    pub(crate) fn asleep(&self) -> Nanos {
        let idle = self.lasted.saturating_sub(self.busy());
        idle.saturating_sub(self.reader_wait())
    }

    /// What its threads lost.
    ///
    /// What a thread runs takes it that long on any number of CPUs, so that others which give their
    /// turn away again and again, and do nothing, make its work no shorter.
    fn lost_time(&self) -> Nanos {
        let longest = self.threads.iter().map(|&(ran, _)| ran).max().unwrap_or(0);
        self.average_loss().min(self.active().saturating_sub(longest))
    }

    /// What its threads lost, as an average.
    ///
    /// In the time `A` that the engine was active it asked for `D / A` CPUs on average, where `D`
    /// is all that its threads ran and waited for. It cannot have used more than there are, and on
    /// so many the work that it did would have taken `ran` divided by their number. The rest of
    /// `A` it lost to others. What its threads took from each other is not in that: they ran in
    /// place of each other, and `ran` has it.
    ///
    /// `A` is counted too low and `D / A` too high where threads do not work side by side. Both
    /// are against the engine.
    fn average_loss(&self) -> Nanos {
        let active = u128::from(self.active());
        let (seen, queued) = self.ran_and_queued();
        let ran = seen.max(u128::from(self.cpu));
        let (demand, cpus) = (ran + queued, u128::from(self.cpus.max(1)));
        let alone = if demand <= cpus * active {
            // The same as ran / (demand / active); no demand means that nothing was lost.
            (ran * active).checked_div(demand).unwrap_or(active)
        } else {
            ran / cpus
        };
        active.saturating_sub(alone) as Nanos
    }

    /// What the listener waited for while the engine had nothing to run. While it had, the engine
    /// itself may have kept the listener waiting: by its busiest thread, or by all CPUs at once.
    fn reader_wait(&self) -> Nanos {
        self.listener.min(self.lasted.saturating_sub(self.busy()))
    }

    /// The least time in which it kept a CPU busy, or stood in a queue.
    fn busy(&self) -> Nanos {
        self.active().max(self.cpu / Nanos::from(self.cpus.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Any time would do.
    const T: Nanos = 840_000_000;

    /// So many threads each of which ran and waited so long, on so many CPUs.
    fn alike(count: u64, ran: Nanos, waited: Nanos, cpus: u32) -> Contention {
        let threads = vec![(ran, waited); count as usize];
        Contention { lasted: T, cpus, cpu: count * ran, threads, ..Contention::default() }
    }

    #[test]
    fn an_engine_alone_on_the_machine_is_not_kept_waiting() {
        for (threads, cpus) in [(1, 1), (1, 2), (2, 2), (8, 8), (3, 8)] {
            assert_eq!(alike(threads, T, 0, cpus).waited(), 0, "{threads} on {cpus}");
        }
    }

    /// What it waited, its listener waited and a hypervisor took may be the same time.
    #[test]
    fn its_work_is_paid_for_whatever_was_waited_beside_it() {
        let (stalled, listener) = (T, T);
        let gone = Contention { cpu: T / 2, stalled, listener, ..alike(0, 0, 0, 2) };
        assert_eq!(gone.waited(), T - T / 4, "threads that have ended");
        for (ran, waited) in [(T / 60, T - T / 60), (T / 40, T)] {
            let many = Contention { stalled, listener, ..alike(60, ran, waited, 2) };
            assert!(many.waited() <= T - (60 * ran / 2).min(T), "{}", many.waited());
        }
    }

    #[test]
    fn threads_that_crowd_each_other_are_not_kept_waiting_by_others() {
        for (threads, cpus) in [(2, 1), (8, 1), (8, 2), (3, 2), (500, 4)] {
            let ran = T * u64::from(cpus) / threads;
            let waited = alike(threads, ran, T - ran, cpus).waited();
            // A division of whole nanoseconds.
            assert!(waited <= threads, "{threads} on {cpus}: {waited}");
        }
    }

    #[test]
    fn what_others_took_was_waited_for_however_many_threads_lost_it() {
        // Two busy loops beside it on two CPUs.
        assert_eq!(alike(1, T / 2, T / 2, 2).waited(), T / 2);
        assert_eq!(alike(2, T / 2, T / 2, 2).waited(), T / 2);
        // Eight threads get eight tenths: on two CPUs of its own it needed eight tenths of T.
        assert_eq!(alike(8, T / 5, 4 * T / 5, 2).waited(), T / 5);
        // Of eight CPUs each is shared by two.
        assert_eq!(alike(8, T / 2, T / 2, 8).waited(), T / 2);
        // One CPU, shared by as many others as it has threads.
        assert_eq!(alike(4, T / 8, 7 * T / 8, 1).waited(), T / 2);
    }

    #[test]
    fn threads_that_sleep_change_nothing() {
        let mut engine = alike(1, T / 2, T / 2, 2);
        engine.threads.extend([(0, 0); 63]);
        assert_eq!(engine.waited(), T / 2, "the one that searches is not the first");
        let mut idle = alike(64, 0, 0, 2);
        assert_eq!(idle.waited(), 0);
        idle.threads[0] = (T, 0);
        idle.cpu = T;
        assert_eq!(idle.waited(), 0);
    }

    #[test]
    fn a_thread_that_starts_another_hardly_counts() {
        let mut engine = alike(1, T / 2, T / 2, 2);
        engine.threads.push((T / 1000, 0));
        engine.cpu += T / 1000;
        let lost = engine.waited();
        assert!((T / 2 - T / 500..=T / 2).contains(&lost), "{lost}");
    }

    #[test]
    fn helpers_and_threads_that_have_ended_count_as_its_own() {
        // A main thread that waits for helpers which fill both CPUs.
        let mut engine = alike(1, T / 3, 2 * T / 3, 2);
        engine.cpu += 2 * T - T / 3;
        assert_eq!(engine.waited(), 0);
    }

    #[test]
    fn one_slow_thread_of_many_is_an_average_loss() {
        // One of eight shares its CPU with another process, and is done last.
        let mut engine = alike(8, T / 2, 0, 8);
        engine.threads[0] = (T / 2, T / 2);
        assert!(engine.waited().abs_diff(T / 9) <= 1, "{}", engine.waited());
        // The others lose nothing by one that is slow where they have enough to do themselves.
        let mut engine = alike(8, T, 0, 8);
        engine.threads[0] = (T / 2, T / 2);
        engine.cpu -= T / 2;
        assert_eq!(engine.waited(), 0);
    }

    #[test]
    fn a_thread_that_is_done_last_waited_for_the_others_too() {
        // Two beside ten busy loops a CPU; one of them got its turns sooner.
        let mut engine = alike(2, T / 8, 7 * T / 8, 2);
        engine.threads[1] = (T / 8, T / 2);
        let charged = T - engine.waited();
        assert!((T / 8..T / 6).contains(&charged), "{charged} of {}", T / 8);
    }

    #[test]
    fn a_thread_that_gives_its_turn_away_makes_the_others_wait_no_longer() {
        // One that searches beside a busy loop, and one that stands in the queue all the time.
        let mut engine = alike(1, T / 2, T / 2, 2);
        engine.threads.push((T / 500, T - T / 500));
        engine.cpu += T / 500;
        let waited = engine.waited();
        assert!((T / 2..T / 2 + T / 200).contains(&waited), "{waited} of {T}");
        // Two that take turns beside it: they are charged what both CPUs could have done.
        engine.threads = vec![(T / 4, T / 4), (T / 4, T / 4), (T / 500, T - T / 500)];
        assert!(T - engine.waited() >= engine.cpu / 2, "{}", engine.waited());
    }

    #[test]
    fn what_it_slept_is_told_apart_from_what_it_waited() {
        let engine = Contention { listener: T / 8, ..alike(1, T / 4, T / 8, 2) };
        assert_eq!((engine.waited(), engine.asleep()), (T / 4, T / 2));
        assert_eq!(alike(2, T / 2, T / 2, 2).asleep(), 0);
    }

    #[test]
    fn the_kernels_count_speaks_for_threads_that_were_not_seen() {
        // One that came and went between two looks, beside one that slept.
        let unseen = Contention { stalled: T / 4, ..alike(1, 0, 0, 2) };
        assert_eq!(unseen.waited(), T / 4);
        // It says no more than what was seen to be lost already.
        let seen = Contention { stalled: T / 4, ..alike(1, T / 2, T / 2, 2) };
        assert_eq!(seen.waited(), T / 2);
        // Threads that crowd each other do not all stand still, so that it is 0 for them; and it
        // cannot be more than there was.
        let odd = Contention { stalled: 2 * T, listener: T, ..alike(1, 0, 0, 2) };
        assert_eq!(odd.waited(), T);
    }

    #[test]
    fn what_a_hypervisor_took_is_a_wait_and_counts_once() {
        let stolen = |engine| Contention { stolen: T / 4, ..engine };
        assert_eq!(stolen(alike(1, T, 0, 2)).waited(), T / 4);
        assert_eq!(stolen(alike(1, T / 8, 0, 2)).waited(), T / 8, "not more than it was active");
        assert_eq!(stolen(alike(1, 0, 0, 2)).waited(), 0, "a thread that sleeps loses nothing");
        let woken_late = Contention { stolen: T, ..alike(1, T / 100, 0, 2) };
        assert_eq!(woken_late.waited(), T);
        // Half of it was taken from what ran while the engine stood in the queue.
        assert_eq!(stolen(alike(1, T / 2, T / 2, 2)).waited(), T / 2 + T / 8);
        assert_eq!(Contention { stolen: 2 * T, ..alike(1, T, 0, 1) }.waited(), T);
    }

    #[test]
    fn a_listener_waits_when_the_engine_is_done() {
        let done = Contention { listener: T / 8, ..alike(1, 7 * T / 8, 0, 1) };
        assert_eq!(done.waited(), T / 8);
        let asleep = Contention { listener: T / 8, ..alike(1, 0, 0, 1) };
        assert_eq!(asleep.waited(), T / 8);
    }

    #[test]
    fn a_listener_that_the_engine_keeps_waiting_is_no_excuse() {
        // It floods the listener, which shares its CPU.
        let flood = Contention { listener: T / 2, ..alike(1, T, 0, 1) };
        assert_eq!(flood.waited(), 0);
        // Its threads take turns, so that none is active all the time, but all CPUs are.
        let turns = Contention { listener: T / 2, cpu: 2 * T, ..alike(4, T / 2, 0, 2) };
        assert_eq!(turns.waited(), 0);
    }

    #[test]
    fn the_wait_is_never_longer_than_the_question() {
        for (ran, waited) in [(0, T), (T / 3, 2 * T / 3), (1, T - 1)] {
            for (threads, cpus) in [(1, 1), (2, 2), (8, 2), (2, 8)] {
                let engine = Contention { listener: T, ..alike(threads, ran, waited, cpus) };
                assert!(engine.waited() <= T, "{engine:?}");
            }
        }
    }
}
