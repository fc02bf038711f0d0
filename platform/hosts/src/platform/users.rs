//! Numbers of users for engines, which no other process has.

use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The first of the numbers that no system gives to a user, by systemd's list, and how many there
/// are.
const FIRST: u32 = 0x7000_0000;
const COUNT: u32 = 0x1000_0000;

/// The number of a user that no other engine of this program has until this is dropped. Another
/// program on the machine begins somewhere else.
#[derive(Debug)]
pub(crate) struct UserNumber {
    /// Which one it is of those of this program.
    place: u32,
}

static NUMBERS: Mutex<TakenNumbers> = Mutex::new(TakenNumbers { taken: BTreeSet::new(), next: 0 });

#[derive(Debug)]
struct TakenNumbers {
    taken: BTreeSet<u32>,
    /// They are given in turn: something of an engine that has just ended may still be there.
    next: u32,
}

impl UserNumber {
    pub(crate) fn take() -> UserNumber {
        let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
        let mut places = (0..COUNT).map(|step| (numbers.next + step) % COUNT);
        // Each engine that runs has one, so that there are some left.
        let place = places.find(|place| !numbers.taken.contains(place)).unwrap_or(0);
        numbers.taken.insert(place);
        numbers.next = (place + 1) % COUNT;
        UserNumber { place }
    }

    pub(crate) fn get(&self) -> u32 {
        static BEGIN: OnceLock<u32> = OnceLock::new();
        let begin = BEGIN.get_or_init(|| RandomState::new().build_hasher().finish() as u32 % COUNT);
        FIRST + (begin + self.place) % COUNT
    }
}

impl Drop for UserNumber {
    fn drop(&mut self) {
        let mut numbers = NUMBERS.lock().unwrap_or_else(PoisonError::into_inner);
        numbers.taken.remove(&self.place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_taken_once_at_a_time() {
        let (one, other) = (UserNumber::take(), UserNumber::take());
        let numbers = [one.get(), other.get()];
        assert_ne!(numbers[0], numbers[1]);
        assert!(numbers.iter().all(|number| (FIRST..=i32::MAX as u32).contains(number)));
        let mut many: Vec<_> = (0..100).map(|_| UserNumber::take()).collect();
        drop(one);
        many.push(UserNumber::take());
        assert_ne!(many[100].get(), numbers[0], "a number rests when it is given back");
        let all: BTreeSet<_> = many.iter().map(UserNumber::get).collect();
        assert_eq!(all.len(), many.len());
        assert!(!all.contains(&other.get()));
    }
}
