//! Work on several threads, with the results in the order of the items.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does the work of each item on so many threads, and takes the results in the order of the items.
/// Only a few more items than threads exist at a time.
///
/// # Errors
/// The first of an item, or of taking what came of one.
///
/// # Panics
/// When the work does.
pub(super) fn in_order<T: Send, R: Send, E>(
    threads: usize,
    items: impl Iterator<Item = Result<T, E>>,
    work: impl Fn(T) -> R + Sync,
    mut see: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    type Done<R> = Result<R, Box<dyn Any + Send>>;
    let (to_do, waiting) = mpsc::sync_channel::<(u64, T)>(threads);
    let waiting = Mutex::new(waiting);
    let (finished, results) = mpsc::channel::<(u64, Done<R>)>();
    thread::scope(|scope| {
        for _ in 0..threads {
            let (waiting, finished, work) = (&waiting, finished.clone(), &work);
            scope.spawn(move || {
                // The lock is held while it waits: one waits for an item, the others for the lock.
                let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok();
                while let Some((place, item)) = next() {
                    // The thread that waits for this one has to hear of it.
                    let done = catch_unwind(AssertUnwindSafe(|| work(item)));
                    if finished.send((place, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(finished);
        // Dropped at the end of the block, whatever happens, so that the threads end.
        let to_do = to_do;
        let (mut sent, mut seen, mut early) = (0_u64, 0_u64, BTreeMap::new());
        let mut take = |sent: u64, most_open: u64| -> Result<(), E> {
            while sent - seen > most_open {
                let Ok((place, done)) = results.recv() else { break };
                early.insert(place, done.unwrap_or_else(|panic| resume_unwind(panic)));
                while let Some(done) = early.remove(&seen) {
                    seen += 1;
                    see(done)?;
                }
            }
            Ok(())
        };
        for item in items {
            take(sent, 2 * threads as u64)?;
            if to_do.send((sent, item?)).is_err() {
                break;
            }
            sent += 1;
        }
        take(sent, 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_done_is_taken_in_order() {
        let mut seen = Vec::new();
        let items = (0..1000_u32).map(Ok::<u32, ()>);
        in_order(
            4,
            items,
            |item| 2 * item,
            |done| {
                seen.push(done);
                Ok(())
            },
        )
        .unwrap();
        assert_eq!(seen, (0..1000).map(|item| 2 * item).collect::<Vec<_>>());
    }

    #[test]
    fn a_panic_ends_it_wherever_it_comes() {
        for wrong in [0, 1, 500, 999] {
            let items = (0..1000_u32).map(Ok::<u32, ()>);
            let work = |item| assert_ne!(item, wrong, "odd");
            let run = AssertUnwindSafe(|| in_order(2, items, work, |()| Ok(())));
            assert!(catch_unwind(run).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_error_of_an_item_ends_it() {
        let items = [Ok(1), Err("damaged"), Ok(3)].into_iter();
        assert_eq!(in_order(2, items, |item| item, |_| Ok(())), Err("damaged"));
        let items = (0..100).map(Ok::<u32, &str>);
        assert_eq!(in_order(2, items, |item| item, |_| Err("full")), Err("full"));
    }
}
