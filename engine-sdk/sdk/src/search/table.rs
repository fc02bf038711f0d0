//! The transposition table, which threads may share.

use std::sync::atomic::{AtomicU64, Ordering};

use tengen_rules::Point;

use super::value::is_proven;

/// What a stored value says of the true one.
///
/// ```
/// use tengen_sdk::search::{Bound, TranspositionTable};
/// let table = TranspositionTable::new(1);
/// table.put(1, None, 50, (4, Bound::Lower), 0);
/// // It is at least 50, which is enough where 40 was asked for.
/// assert!(table.get(1).is_some_and(|entry| entry.bound == Bound::Lower && entry.value(0) >= 40));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// It is the true value.
    #[default]
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// The stored result for one position.
///
/// ```
/// use tengen_sdk::search::{Bound, TranspositionTable, win_at};
/// let table = TranspositionTable::new(1);
/// table.put(1, None, win_at(7), (4, Bound::Exact), 4);
/// // A win three plies on, wherever the position comes up.
/// assert_eq!(table.get(1).unwrap().value(2), win_at(5));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    value: i16,
    /// Column and row; 255 in both when no move is known.
    best: (u8, u8),
    /// The plies that were searched below it.
    pub depth: i8,
    /// What the value says.
    pub bound: Bound,
    /// The search that stored it, counted from 1; 0 in an empty slot.
    age: u8,
}

const NO_MOVE: (u8, u8) = (255, 255);

impl TableEntry {
    /// The move that was best, where one is known.
    pub fn best(&self) -> Option<Point> {
        (self.best != NO_MOVE).then(|| Point::new(self.best.0, self.best.1))
    }

    /// The value as seen at this ply of the search.
    pub fn value(&self, ply: usize) -> i32 {
        let value = i32::from(self.value);
        if is_proven(value) { value - value.signum() * ply as i32 } else { value }
    }

    #[inline]
    fn to_bits(self) -> u64 {
        let [value, value_high] = self.value.to_le_bytes();
        let (x, y) = self.best;
        let depth = self.depth.cast_unsigned();
        u64::from_le_bytes([value, value_high, x, y, depth, self.bound as u8, self.age, 0])
    }

    #[inline]
    fn from_bits(bits: u64) -> TableEntry {
        let [value, value_high, x, y, depth, bound, age, _] = bits.to_le_bytes();
        let value = i16::from_le_bytes([value, value_high]);
        let bound = match bound {
            0 => Bound::Exact,
            1 => Bound::Lower,
            _ => Bound::Upper,
        };
        TableEntry { value, best: (x, y), depth: depth.cast_signed(), bound, age }
    }
}

/// One position: what is remembered, and the key mixed with that. If two threads write it at once,
/// the two halves do not match, and it is read as empty.
#[derive(Default)]
struct TableSlot {
    key: AtomicU64,
    bits: AtomicU64,
}

impl TableSlot {
    #[inline]
    fn read(&self) -> (u64, TableEntry) {
        let bits = self.bits.load(Ordering::Relaxed);
        (self.key.load(Ordering::Relaxed) ^ bits, TableEntry::from_bits(bits))
    }

    #[inline]
    fn write(&self, key: u64, entry: TableEntry) {
        let bits = entry.to_bits();
        self.key.store(key ^ bits, Ordering::Relaxed);
        self.bits.store(bits, Ordering::Relaxed);
    }
}

/// A transposition table of a fixed size, one position a slot. Threads share it by reference.
///
/// ```
/// use tengen_rules::Point;
/// use tengen_sdk::search::{Bound, TranspositionTable};
/// let table = TranspositionTable::new(1);
/// table.put(77, Some(Point::new(7, 7)), 120, (5, Bound::Exact), 0);
/// let entry = table.get(77).unwrap();
/// assert_eq!((entry.value(0), entry.depth, entry.bound), (120, 5, Bound::Exact));
/// ```
pub struct TranspositionTable {
    slots: Vec<TableSlot>,
    age: u8,
    /// Whether nothing has been searched since the slots were made.
    fresh: bool,
}

impl TranspositionTable {
    /// A table of at most this many MiB.
    pub fn new(mib: usize) -> TranspositionTable {
        let slots = (mib.max(1) << 20) / size_of::<TableSlot>();
        let slots = 1 << slots.ilog2();
        let slots = std::iter::repeat_with(TableSlot::default).take(slots).collect();
        TranspositionTable { slots, age: 1, fresh: true }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        if !self.fresh {
            self.slots.fill_with(TableSlot::default);
        }
        self.age = 1;
        self.fresh = true;
    }

    /// Begins a new search: what earlier ones stored gives way.
    pub fn begin(&mut self) {
        self.age = self.age % 255 + 1;
        self.fresh = false;
    }

    /// What is remembered of the position with that key.
    #[inline]
    pub fn get(&self, key: u64) -> Option<TableEntry> {
        let (known, entry) = self.slots[self.slot(key)].read();
        (known == key && entry.age != 0).then_some(entry)
    }

    /// Remembers a value that was found at this ply; a deeper one of the same search is kept.
    pub fn put(
        &self,
        key: u64,
        best: Option<Point>,
        value: i32,
        (depth, bound): (i32, Bound),
        ply: usize,
    ) {
        let slot = &self.slots[self.slot(key)];
        let (known, old) = slot.read();
        let depth = depth.clamp(-128, 127) as i8;
        let other = known != key;
        if other && old.age == self.age && old.depth > depth {
            return;
        }
        let best = match best {
            Some(point) => (point.x(), point.y()),
            None if other || old.age == 0 => NO_MOVE,
            None => old.best,
        };
        let value = if is_proven(value) { value + value.signum() * ply as i32 } else { value };
        slot.write(key, TableEntry { value: value as i16, best, depth, bound, age: self.age });
    }

    /// How full the table is of this search's positions, in permille, from a sample.
    pub fn permille(&self) -> u32 {
        let sample = self.slots.len().min(1000);
        let used = self.slots[..sample].iter().filter(|slot| slot.read().1.age == self.age).count();
        (used * 1000 / sample) as u32
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::super::value::win_at;
    use super::*;

    #[test]
    fn wins_are_stored_as_seen_from_their_position() {
        let table = TranspositionTable::new(1);
        let point = Point::new(7, 7);
        table.put(5, Some(point), win_at(9), (3, Bound::Exact), 4);
        let entry = table.get(5).unwrap();
        assert_eq!(entry.value(4), win_at(9));
        assert_eq!(entry.value(2), win_at(7));
        assert_eq!(entry.best(), Some(point));
        assert!(table.get(5 + table.slots.len() as u64).is_none());
    }

    #[test]
    fn a_deeper_result_of_the_same_search_stays() {
        let mut table = TranspositionTable::new(1);
        let other = 5 + table.slots.len() as u64;
        table.put(5, None, 10, (6, Bound::Exact), 0);
        table.put(other, None, 20, (2, Bound::Exact), 0);
        assert!(table.get(5).is_some());
        table.begin();
        table.put(other, None, 20, (2, Bound::Exact), 0);
        assert_eq!(table.get(other).unwrap().value(0), 20);
        table.clear();
        assert!(table.get(other).is_none());
    }

    #[test]
    fn what_is_put_is_got() {
        let entries =
            [(0, -128, Bound::Exact), (-20_000, 127, Bound::Lower), (1, -1, Bound::Upper)];
        let table = TranspositionTable::new(1);
        for (value, depth, bound) in entries {
            table.put(9, Some(Point::new(31, 0)), value, (depth, bound), 0);
            let entry = table.get(9).unwrap();
            assert_eq!(
                (entry.value(0), i32::from(entry.depth), entry.bound),
                (value, depth, bound)
            );
            assert_eq!(entry.best(), Some(Point::new(31, 0)));
        }
    }

    #[test]
    fn threads_that_write_one_slot_never_mix_two_positions() {
        let table = TranspositionTable::new(1);
        let size = table.slots.len() as u64;
        std::thread::scope(|scope| {
            for thread in 1..=2_u64 {
                let table = &table;
                scope.spawn(move || {
                    for _ in 0..20_000 {
                        table.put(thread * size, None, thread as i32, (1, Bound::Exact), 0);
                        for key in [1, 2] {
                            if let Some(entry) = table.get(key * size) {
                                assert_eq!(entry.value(0), key as i32);
                            }
                        }
                    }
                });
            }
        });
    }
}
