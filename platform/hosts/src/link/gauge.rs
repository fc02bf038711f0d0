use std::thread::{self, ThreadId};
use std::time::{Duration, Instant};

use tengen_arbiter::{Lapse, Nanos, Strain};

use crate::platform::{self, Load};

/// A reading so young serves for a question that begins now. Taking one costs some microseconds,
/// and an engine that answers at once is asked every five.
const FRESH: Duration = Duration::from_millis(1);

/// All that the system tells of the time at one moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Reading {
    /// Of the child.
    pub child: Load,
    /// For how long this thread has waited for a CPU.
    pub listener: Nanos,
    /// For how long the machine has slept.
    pub slept: Nanos,
}

impl Reading {
    /// The reading with that of the child, for the thread that listens to it.
    pub(crate) fn with(child: Option<Load>) -> Option<Reading> {
        let (child, listener) = (child?, platform::own_wait()?);
        Some(Reading { child, listener, slept: platform::slept() })
    }
}

/// Tells where the time of a question went.
pub(crate) struct Gauge {
    base: Option<Base>,
    /// When the question began.
    began: Instant,
}

struct Base {
    reading: Reading,
    at: Instant,
    /// Whose waits it has.
    listener: ThreadId,
}

impl Gauge {
    pub(crate) fn new() -> Gauge {
        Gauge { base: None, began: Instant::now() }
    }

    /// Forgets a child.
    pub(crate) fn renew(&mut self) {
        self.base = None;
    }

    /// A question begins. `read` is called unless there is a reading that will do.
    pub(crate) fn begin(&mut self, read: impl FnOnce() -> Option<Reading>) {
        let (now, listener) = (Instant::now(), thread::current().id());
        self.began = now;
        let serves = |base: &Base| base.listener == listener && now - base.at < FRESH;
        if !self.base.as_ref().is_some_and(serves) {
            self.base = read().map(|reading| Base { reading, at: now, listener });
        }
    }

    /// The question is over, and took too long. `after` is a reading of now.
    pub(crate) fn end(&self, after: Option<Reading>) -> Option<Strain> {
        let base = self.base.as_ref().filter(|base| base.listener == thread::current().id())?;
        let age = self.began.saturating_duration_since(base.at).as_nanos() as Nanos;
        Some(strain(&base.reading, &after?, age))
    }
}

/// What lies between two readings. The first is by `age` older than the question, and whatever
/// waiting there may have been in that time is not counted.
fn strain(before: &Reading, after: &Reading, age: Nanos) -> Strain {
    let since = |of: fn(&Reading) -> Nanos| of(after).saturating_sub(of(before));
    let cpu = since(|reading| reading.child.cpu);
    let others = cpu.saturating_sub(since(|reading| reading.child.ran));
    let waits = since(|reading| reading.child.waited) + since(|reading| reading.listener);
    let slept = since(|reading| reading.slept);
    Strain {
        cpu,
        waited: waits.saturating_sub(others).saturating_sub(age),
        suspended: if slept >= Lapse::SLEEP { slept } else { 0 },
    }
}

#[cfg(test)]
mod tests {
    use tengen_arbiter::Cause;

    use super::*;

    const SECOND: Nanos = 1_000_000_000;

    /// A machine on which the main thread of a child ran and waited for so long, others of its
    /// threads ran, this thread waited, and everything slept.
    fn machine(ran: Nanos, waited: Nanos, others: Nanos, listener: Nanos, slept: Nanos) -> Reading {
        Reading { child: Load { cpu: ran + others, ran, waited }, listener, slept }
    }

    /// The cause that is found when a question of one second ran out.
    fn cause(after: Reading) -> Cause {
        let before = machine(5, 6, 7, 8, 9);
        let sum = |a: Reading| Reading {
            child: Load {
                cpu: a.child.cpu + before.child.cpu,
                ran: a.child.ran + before.child.ran,
                waited: a.child.waited + before.child.waited,
            },
            listener: a.listener + before.listener,
            slept: a.slept + before.slept,
        };
        Lapse::judge(strain(&before, &sum(after), 0), SECOND, SECOND + 1).cause
    }

    #[test]
    fn causes_are_told_apart() {
        assert_eq!(cause(machine(SECOND, 0, 0, 0, 0)), Cause::Engine, "it computes");
        assert_eq!(cause(machine(0, 0, 0, 0, 0)), Cause::Engine, "it sleeps");
        let half = SECOND / 2;
        assert_eq!(cause(machine(half, half, 0, 0, 0)), Cause::Scheduling, "it waits");
        assert_eq!(cause(machine(half, 0, 0, half, 0)), Cause::Scheduling, "we wait");
        assert_eq!(cause(machine(half, 0, 0, 0, SECOND)), Cause::Suspend, "nobody runs");
    }

    #[test]
    fn an_engine_that_keeps_itself_waiting_is_to_blame() {
        let half = SECOND / 2;
        assert_eq!(cause(machine(half, half, 3 * half, 0, 0)), Cause::Engine);
        assert_eq!(cause(machine(half, 0, half, half, 0)), Cause::Engine);
    }

    #[test]
    fn what_lies_before_the_question_counts_for_nobody() {
        let strain = strain(&Reading::default(), &machine(9, 300, 0, 40, 0), 60);
        assert_eq!(strain, Strain { cpu: 9, waited: 280, suspended: 0 });
    }

    #[test]
    fn a_reading_serves_for_a_millisecond() {
        let mut gauge = Gauge::new();
        assert_eq!(gauge.end(Some(Reading::default())), None, "nothing began");
        gauge.begin(|| Some(Reading::default()));
        let mut again = false;
        gauge.base.as_mut().unwrap().at += FRESH;
        gauge.begin(|| {
            again = true;
            None
        });
        assert!(!again);
        gauge.base.as_mut().unwrap().at -= 3 * FRESH;
        gauge.begin(|| Some(machine(1, 2, 3, 4, 0)));
        assert_eq!(gauge.base.as_ref().unwrap().reading.child.ran, 1);
    }

    #[test]
    fn another_threads_reading_does_not_serve() {
        let mut gauge = Gauge::new();
        gauge.begin(|| Some(Reading::default()));
        let strain = thread::spawn(move || gauge.end(Some(Reading::default()))).join().unwrap();
        assert_eq!(strain, None);
    }
}
