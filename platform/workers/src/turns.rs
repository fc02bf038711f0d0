//! Which of several events the tables of a worker play for next.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How often what waits for its turn looks whether it still has to.
const LOOK: Duration = Duration::from_millis(100);
/// How long a table is kept for an event that has just played there and may want it again. Without
/// that, whoever waits at this moment gets it, and two events have equally many jobs.
const KEPT: Duration = Duration::from_millis(50);

/// Gives the tables of a worker to events, one job at a time: each event gets as many of the jobs
/// as its priority is of the priorities of all that have any.
///
/// It is start-time fair queueing (P. Goyal, H. Vin, H. Cheng, "Start-time Fair Queuing", 1997):
/// a job begins, in virtual time, when the event's last one ends, or now where it had none, and
/// lasts 1/priority; the job that begins first is played.
#[derive(Default)]
pub(crate) struct TurnKeeper {
    state: Mutex<TurnState>,
    news: Condvar,
}

#[derive(Default)]
struct TurnState {
    /// The tables that are being played at.
    taken: BTreeSet<usize>,
    /// The events that wait for each table.
    waiting: BTreeMap<usize, BTreeSet<String>>,
    /// The events that have just played at each table, until they wait again, and since when.
    left: BTreeMap<usize, BTreeMap<String, Instant>>,
    /// When, in virtual time, the last job of each event ends.
    ends: BTreeMap<String, f64>,
    now: f64,
}

impl TurnState {
    /// When the next job of an event begins in virtual time.
    fn start(&self, event: &str) -> f64 {
        self.ends.get(event).map_or(self.now, |end| end.max(self.now))
    }

    /// The event whose turn it is at a table.
    fn next(&self, table: usize, now: Instant) -> Option<&str> {
        if self.taken.contains(&table) {
            return None;
        }
        let left = self.left.get(&table).into_iter().flatten();
        let left = left.filter(|(_, since)| now.duration_since(**since) < KEPT);
        let waiting = self.waiting.get(&table)?.iter();
        waiting
            .chain(left.map(|(event, _)| event))
            .min_by(|one, other| self.start(one).total_cmp(&self.start(other)))
            .map(String::as_str)
    }

    fn charge(&mut self, event: &str, priority: u32) {
        self.now = self.start(event);
        let end = self.now + 1.0 / f64::from(priority.max(1));
        self.ends.insert(event.to_owned(), end);
    }
}

impl TurnKeeper {
    fn state(&self) -> MutexGuard<'_, TurnState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it is the turn of an event at a table. None when it need not wait any more.
    pub fn wait(
        &self,
        table: usize,
        event: &str,
        goes_on: impl Fn() -> bool,
    ) -> Option<TableTurn<'_>> {
        let mut state = self.state();
        state.waiting.entry(table).or_default().insert(event.to_owned());
        if state.left.get_mut(&table).is_some_and(|left| left.remove(event).is_some()) {
            self.news.notify_all();
        }
        let is_mine = loop {
            if !goes_on() {
                break false;
            }
            if state.next(table, Instant::now()) == Some(event) {
                break true;
            }
            let is_kept = state.left.get(&table).is_some_and(|left| !left.is_empty());
            let patience = if is_kept { KEPT } else { LOOK };
            let waited = self.news.wait_timeout(state, patience);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        if let Some(waiting) = state.waiting.get_mut(&table) {
            waiting.remove(event);
        }
        if is_mine {
            state.taken.insert(table);
        }
        drop(state);
        if !is_mine {
            self.news.notify_all();
        }
        is_mine.then(|| TableTurn {
            keeper: self,
            table,
            event: event.to_owned(),
            has_played: Cell::default(),
        })
    }

    /// Whether another event waits for that table.
    fn is_wanted(&self, table: usize) -> bool {
        self.state().waiting.get(&table).is_some_and(|waiting| !waiting.is_empty())
    }
}

/// A table, for one job of one event. It is given back when this is dropped.
pub(crate) struct TableTurn<'a> {
    keeper: &'a TurnKeeper,
    table: usize,
    event: String,
    has_played: Cell<bool>,
}

impl TableTurn<'_> {
    /// A job was taken.
    pub fn charge(&self, priority: u32) {
        self.has_played.set(true);
        self.keeper.state().charge(&self.event, priority);
    }

    /// Whether another event waits for the table.
    pub fn is_wanted(&self) -> bool {
        self.keeper.is_wanted(self.table)
    }
}

impl Drop for TableTurn<'_> {
    fn drop(&mut self) {
        let mut state = self.keeper.state();
        state.taken.remove(&self.table);
        if self.has_played.get() {
            let event = std::mem::take(&mut self.event);
            state.left.entry(self.table).or_default().insert(event, Instant::now());
        }
        drop(state);
        self.keeper.news.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many jobs each of these events gets of that many.
    fn shares(state: &mut TurnState, events: &[(&str, u32)], jobs: u32) -> Vec<u32> {
        state.waiting.insert(0, events.iter().map(|(event, _)| (*event).to_owned()).collect());
        let mut counts = vec![0; events.len()];
        for _ in 0..jobs {
            let next = state.next(0, Instant::now()).expect("some wait").to_owned();
            let place = events.iter().position(|(event, _)| *event == next).unwrap();
            state.charge(&next, events[place].1);
            counts[place] += 1;
        }
        counts
    }

    #[test]
    fn events_share_the_tables_by_their_priorities() {
        let mut state = TurnState::default();
        assert_eq!(shares(&mut state, &[("one", 2), ("two", 1)], 300), [200, 100]);
        assert_eq!(shares(&mut state, &[("one", 2), ("two", 1), ("three", 3)], 600)[2], 300);
    }

    #[test]
    fn an_event_that_had_no_jobs_does_not_catch_up() {
        let mut state = TurnState::default();
        shares(&mut state, &[("one", 1), ("two", 1)], 10);
        assert_eq!(shares(&mut state, &[("one", 1)], 1000), [1000]);
        assert_eq!(shares(&mut state, &[("one", 1), ("two", 1)], 10), [5, 5]);
    }

    #[test]
    fn a_table_is_given_to_one_event_at_a_time() {
        let keeper = TurnKeeper::default();
        let turn = keeper.wait(0, "one", || true).unwrap();
        assert!(!turn.is_wanted());
        let asked = std::cell::Cell::new(0);
        let some = || asked.replace(asked.get() + 1) < 2;
        assert!(keeper.wait(0, "two", some).is_none(), "it is taken");
        assert!(keeper.wait(1, "two", || true).is_some(), "the other one is free");
        drop(turn);
        assert!(keeper.wait(0, "two", || true).is_some());
    }

    #[test]
    fn a_table_is_kept_for_an_event_that_comes_back_for_its_turn() {
        let (mut state, now) = (TurnState::default(), Instant::now());
        state.waiting.insert(0, BTreeSet::from(["one".to_owned()]));
        state.charge("one", 1);
        state.charge("two", 2);
        state.left.insert(0, BTreeMap::from([("two".to_owned(), now)]));
        assert_eq!(state.next(0, now), Some("two"), "it has just played, and is to play again");
        assert_eq!(state.next(0, now + KEPT), Some("one"), "it did not come back");
    }
}
