//! The transposition table.

use tengen_rules::Point;

use super::value::is_proven;

/// What a stored value says of the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Bound {
    /// It is the true value.
    #[default]
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

/// What is remembered of one position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TableEntry {
    key: u64,
    value: i16,
    /// Column and row; 255 in both when no move is known.
    best: (u8, u8),
    pub(super) depth: i8,
    pub(super) bound: Bound,
    /// The search that stored it, counted from 1; 0 in an empty slot.
    age: u8,
}

const NO_MOVE: (u8, u8) = (255, 255);

impl TableEntry {
    pub(super) fn best(&self) -> Option<Point> {
        (self.best != NO_MOVE).then(|| Point::new(self.best.0, self.best.1))
    }

    /// The value as seen at this ply of the search.
    pub(super) fn value(&self, ply: usize) -> i32 {
        let value = i32::from(self.value);
        if is_proven(value) { value - value.signum() * ply as i32 } else { value }
    }
}

/// A transposition table of a fixed size, one position a slot.
pub(super) struct TranspositionTable {
    slots: Vec<TableEntry>,
    age: u8,
    /// Whether nothing has been stored since the slots were made.
    fresh: bool,
}

impl TranspositionTable {
    /// A table of at most this many MiB.
    pub(super) fn new(mib: usize) -> TranspositionTable {
        let slots = (mib.max(1) << 20) / size_of::<TableEntry>();
        let slots = 1 << slots.ilog2();
        TranspositionTable { slots: vec![TableEntry::default(); slots], age: 1, fresh: true }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if !self.fresh {
            self.slots.fill(TableEntry::default());
        }
        self.age = 1;
        self.fresh = true;
    }

    /// Begins a new search: what earlier ones stored gives way.
    pub(super) fn begin(&mut self) {
        self.age = self.age % 255 + 1;
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<&TableEntry> {
        let entry = &self.slots[self.slot(key)];
        (entry.key == key && entry.age != 0).then_some(entry)
    }

    /// Remembers a value that was found at this ply; a deeper one of the same search is kept.
    pub(super) fn put(
        &mut self,
        key: u64,
        best: Option<Point>,
        value: i32,
        (depth, bound): (i32, Bound),
        ply: usize,
    ) {
        let slot = self.slot(key);
        let old = &mut self.slots[slot];
        let depth = depth.clamp(-128, 127) as i8;
        let other = old.key != key;
        if other && old.age == self.age && old.depth > depth {
            return;
        }
        let best = match best {
            Some(point) => (point.x(), point.y()),
            None if other || old.age == 0 => NO_MOVE,
            None => old.best,
        };
        let value = if is_proven(value) { value + value.signum() * ply as i32 } else { value };
        *old = TableEntry { key, value: value as i16, best, depth, bound, age: self.age };
        self.fresh = false;
    }

    /// How full the table is of this search's positions, in permille, from a sample.
    pub(super) fn permille(&self) -> u32 {
        let sample = self.slots.len().min(1000);
        let used = self.slots[..sample].iter().filter(|entry| entry.age == self.age).count();
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
        let mut table = TranspositionTable::new(1);
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
}
