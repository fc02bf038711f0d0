//! Which CPU a table and its engines share.
//!
//! A table and its engines take turns. While they answer at once, most of a question is the way
//! there and back, and where each of them is on a CPU of its own, that is the time in which a CPU
//! that sleeps wakes up: 5 µs on one CPU, 40 to 80 µs on two of a busy machine, and 200 µs and more
//! where an idle one sleeps deeply. So they are bound to one. Whoever thinks for longer is not: it
//! gains nothing by that, and loses where something else has work on that CPU.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::platform::{self, Cpus};
use crate::watchdog::Watched;

/// An answer that took so long was thought about, or else something had the CPU meanwhile. Two of
/// them close together are thoughts.
const LONG: Duration = Duration::from_millis(1);
const CLOSE: u32 = 16;
/// One that took so long was thought about.
const THOUGHT: Duration = Duration::from_millis(10);
/// So many quicker answers in a row, and the table is bound with its engines.
const QUICK: u32 = 64;
/// It is looked after so many answers whether that was of use; if they took longer than this on the
/// average, and twice what they did before, it is not tried again before so many times as many.
const TRIAL: u32 = 1024;
const SLOW: Duration = Duration::from_micros(100);
const PATIENCE: u32 = 16;

/// How many tables of this process are bound to each CPU.
static BOUND: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

thread_local! {
    static TABLE: RefCell<Table> = RefCell::new(Table::new());
}

/// Gives the table of this thread to somebody.
pub(crate) fn with_table<T>(f: impl FnOnce(&mut Table) -> T) -> T {
    TABLE.with_borrow_mut(f)
}

/// The thread that asks engines, and where it does.
pub(crate) struct Table {
    /// The CPU that it is bound to, and those it may go back to.
    bound: Option<(usize, Cpus)>,
    quick: Streak,
    /// How many quick answers make up for the long ones.
    debt: u32,
    /// What an answer took before it was bound.
    before: Duration,
    /// How many quick answers are wanted.
    wanted: u32,
}

/// Answers in a row.
#[derive(Default)]
struct Streak {
    answers: u32,
    sum: Duration,
}

impl Streak {
    fn mean(&self) -> Duration {
        self.sum / self.answers.max(1)
    }
}

impl Table {
    fn new() -> Table {
        let (before, quick) = (Duration::ZERO, Streak::default());
        Table { bound: None, quick, debt: 0, before, wanted: QUICK }
    }

    /// The CPU that it is bound to.
    pub(crate) fn cpu(&self) -> Option<usize> {
        self.bound.as_ref().map(|bound| bound.0)
    }

    /// The CPUs that it may use, and whoever it asks.
    pub(crate) fn home(&self) -> Option<Cpus> {
        self.bound.as_ref().map(|bound| bound.1).or_else(Cpus::of_this_thread)
    }

    /// An engine that may share has answered.
    fn heard(&mut self, spent: Duration) {
        if spent >= LONG {
            self.debt += CLOSE;
            if self.bound.is_none() || self.debt > CLOSE || spent >= THOUGHT {
                self.release();
            }
            return;
        }
        self.debt = self.debt.saturating_sub(1);
        self.quick.answers += 1;
        self.quick.sum += spent;
        if self.bound.is_none() && self.quick.answers >= self.wanted {
            self.before = self.quick.mean();
            self.bind();
            self.quick = Streak::default();
        } else if self.bound.is_some() && self.quick.answers >= TRIAL {
            let mean = self.quick.mean();
            if mean > SLOW && mean > 2 * self.before {
                self.release();
                self.wanted = (self.wanted.max(TRIAL)).saturating_mul(PATIENCE);
            }
            self.quick = Streak::default();
        }
    }

    /// Binds the thread: to the CPU it is on, unless others have more room.
    fn bind(&mut self) {
        let Some(home) = Cpus::of_this_thread() else { return };
        let mut tables = BOUND.lock().unwrap_or_else(PoisonError::into_inner);
        let cpus: Vec<usize> = home.iter().collect();
        let Some(cpu) = roomiest(&cpus, &tables, platform::current_cpu()) else { return };
        if Cpus::one(cpu).is_some_and(|one| one.take()) {
            *tables.entry(cpu).or_default() += 1;
            self.bound = Some((cpu, home));
        }
    }

    /// Lets the thread go wherever it may, until its engines have answered at once for a while.
    pub(crate) fn release(&mut self) {
        (self.quick, self.debt) = (Streak::default(), 0);
        if let Some((cpu, home)) = self.bound.take() {
            home.take();
            let mut tables = BOUND.lock().unwrap_or_else(PoisonError::into_inner);
            tables.entry(cpu).and_modify(|tables| *tables = tables.saturating_sub(1));
        }
    }
}

/// The CPU with the fewest tables, the one where the thread is before others; none where there is
/// no choice.
fn roomiest(cpus: &[usize], tables: &BTreeMap<usize, usize>, here: usize) -> Option<usize> {
    let tables = |cpu: usize| tables.get(&cpu).copied().unwrap_or(0);
    let best = cpus.iter().copied().min_by_key(|&cpu| (tables(cpu), cpu != here));
    best.filter(|_| cpus.len() > 1)
}

impl Drop for Table {
    fn drop(&mut self) {
        self.release();
    }
}

/// One engine's part in where its table is.
pub(crate) struct Sharer {
    may: bool,
    asked: Instant,
}

impl Sharer {
    /// Of an engine that may share the CPU of its table: one of one thread, which does not work
    /// while it is not asked.
    pub(crate) fn new(may: bool) -> Sharer {
        Sharer { may, asked: Instant::now() }
    }

    /// The engine is about to be asked.
    pub(crate) fn ask(&mut self, watched: &Watched) {
        if self.may {
            with_table(|table| watched.join(table));
            self.asked = Instant::now();
        }
    }

    /// The engine has answered.
    pub(crate) fn answer(&self) {
        if self.may {
            with_table(|table| table.heard(self.asked.elapsed()));
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::thread;

    use super::*;

    const QUICKLY: Duration = Duration::from_micros(50);

    fn hear(table: &mut Table, answers: u32, spent: Duration) {
        (0..answers).for_each(|_| table.heard(spent));
    }

    /// Every test has a thread of its own, which ends with it.
    fn alone(test: impl FnOnce(&mut Table) + Send) {
        let home = Cpus::of_this_thread().unwrap();
        if home.iter().count() > 1 {
            thread::scope(|scope| scope.spawn(|| test(&mut Table::new())).join().unwrap());
        }
    }

    #[test]
    fn a_table_is_bound_while_its_engines_answer_at_once() {
        alone(|table| {
            let home = Cpus::of_this_thread();
            hear(table, QUICK - 1, QUICKLY);
            table.heard(LONG);
            hear(table, QUICK - 1, QUICKLY);
            assert_eq!((table.cpu(), Cpus::of_this_thread()), (None, home));
            table.heard(QUICKLY);
            assert_eq!(Cpus::of_this_thread(), table.cpu().and_then(Cpus::one));
            assert_eq!(table.home(), home);
            hear(table, 10 * TRIAL, QUICKLY);
            assert!(table.cpu().is_some());
            table.heard(LONG);
            hear(table, CLOSE, QUICKLY);
            table.heard(LONG);
            assert!(table.cpu().is_some(), "it was something else, twice");
            table.heard(LONG);
            assert_eq!((table.cpu(), Cpus::of_this_thread()), (None, home));
            hear(table, QUICK, QUICKLY);
            assert!(table.cpu().is_some());
            table.heard(THOUGHT);
            assert_eq!((table.cpu(), Cpus::of_this_thread()), (None, home));
        });
    }

    #[test]
    fn what_is_of_no_use_is_left_and_not_tried_again_soon() {
        alone(|table| {
            hear(table, QUICK, QUICKLY);
            hear(table, TRIAL, 2 * QUICKLY);
            assert!(table.cpu().is_some());
            hear(table, TRIAL, 3 * QUICKLY);
            assert_eq!(table.cpu(), None);
            hear(table, TRIAL * PATIENCE - 1, QUICKLY);
            assert_eq!(table.cpu(), None);
            table.heard(QUICKLY);
            assert!(table.cpu().is_some());
        });
    }

    #[test]
    fn a_table_goes_where_it_is_or_where_fewer_are() {
        let tables = BTreeMap::from([(0, 2), (1, 1), (2, 1)]);
        assert_eq!(roomiest(&[0, 1, 2], &tables, 2), Some(2));
        assert_eq!(roomiest(&[0, 1, 2], &tables, 0), Some(1));
        assert_eq!(roomiest(&[0, 1, 2, 3], &tables, 2), Some(3));
        assert_eq!(roomiest(&[3], &tables, 3), None);
    }
}
