//! The same work for several engines at once.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// Does the same for every item on this thread and others, at most `most` at once and no more than
/// there are CPUs. The results are in the order of the items.
pub fn side_by_side<T: Sync, R: Send>(
    items: &[T],
    most: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return };
            let result = work(item);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
        }
    };
    let cpus = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 1..cpus.min(most).min(items.len()) {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_done_once_and_comes_in_its_order() {
        let items: Vec<usize> = (0..100).collect();
        let count = AtomicUsize::new(0);
        let doubled = side_by_side(&items, 7, |item| {
            count.fetch_add(1, Ordering::Relaxed);
            2 * item
        });
        assert_eq!(doubled, items.iter().map(|item| 2 * item).collect::<Vec<_>>());
        assert_eq!(count.into_inner(), 100);
        assert!(side_by_side(&[0; 0], 7, |_| 0).is_empty());
    }
}
