//! The distribution of a quantity, in bounded memory.

use std::ops::AddAssign;

/// So many classes for each power of two: no quantile is wrong by more than a sixteenth.
const CLASSES: u64 = 16;

/// The distribution of a quantity, such as a time in nanoseconds: any number of values, counted in
/// classes, in a fixed amount of memory.
///
/// ```
/// use tengen_stats::Spread;
/// let spread: Spread = (1..=1000).collect();
/// assert_eq!((spread.len(), spread.max()), (1000, Some(1000)));
/// let median = spread.quantile(0.5).unwrap();
/// assert!((500..=531).contains(&median));
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Spread {
    /// Grows to the class of the greatest number.
    counts: Vec<u64>,
    total: u64,
    max: u64,
}

impl Spread {
    pub fn add(&mut self, value: u64) {
        let class = class(value);
        if self.counts.len() <= class {
            self.counts.resize(class + 1, 0);
        }
        self.counts[class] += 1;
        self.total += 1;
        self.max = self.max.max(value);
    }

    /// How many numbers were counted.
    pub fn len(&self) -> u64 {
        self.total
    }

    pub fn is_empty(&self) -> bool {
        self.total == 0
    }

    /// The greatest of them, exactly.
    pub fn max(&self) -> Option<u64> {
        (self.total > 0).then_some(self.max)
    }

    /// A number that the given part of all, from 0 to 1, is not above; at most a sixteenth more
    /// than the least such number. None when nothing was counted.
    pub fn quantile(&self, part: f64) -> Option<u64> {
        let wanted = ((part * self.total as f64).ceil() as u64).clamp(1, self.total.max(1));
        let mut seen = 0;
        let class = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        })?;
        Some(last(class).min(self.max))
    }

    /// How many numbers are at least `from` and less than `to`, as far as the classes can tell.
    pub fn between(&self, from: u64, to: u64) -> u64 {
        let classes = self.counts.iter().enumerate();
        classes.filter(|(class, _)| (from..to).contains(&first(*class))).map(|(_, n)| n).sum()
    }
}

impl Spread {
    /// The classes that have a number, and how many: with [`Spread::max`] all there is to store.
    pub fn classes(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.counts.iter().copied().enumerate().filter(|(_, count)| *count > 0)
    }

    /// What [`Spread::classes`] and the greatest number were those of; none where there is no such
    /// class.
    pub fn from_classes(
        classes: impl IntoIterator<Item = (usize, u64)>,
        max: u64,
    ) -> Option<Spread> {
        let mut spread = Spread::default();
        for (number, count) in classes.into_iter().filter(|(_, count)| *count > 0) {
            if number > class(u64::MAX) {
                return None;
            }
            if spread.counts.len() <= number {
                spread.counts.resize(number + 1, 0);
            }
            spread.counts[number] += count;
            spread.total += count;
        }
        spread.max = if spread.total > 0 { max } else { 0 };
        Some(spread)
    }
}

impl AddAssign<&Spread> for Spread {
    fn add_assign(&mut self, other: &Spread) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
        self.total += other.total;
        self.max = self.max.max(other.max);
    }
}

impl Extend<u64> for Spread {
    fn extend<I: IntoIterator<Item = u64>>(&mut self, values: I) {
        values.into_iter().for_each(|value| self.add(value));
    }
}

impl FromIterator<u64> for Spread {
    fn from_iter<I: IntoIterator<Item = u64>>(values: I) -> Spread {
        let mut spread = Spread::default();
        spread.extend(values);
        spread
    }
}

/// Numbers below 16 have a class each; above, the highest five bits are the class.
fn class(value: u64) -> usize {
    let octave = u64::from(value.checked_ilog2().unwrap_or(0)).saturating_sub(4);
    (octave * CLASSES + (value >> octave)) as usize
}

/// The least number of a class.
fn first(class: usize) -> u64 {
    let octave = (class as u64 / CLASSES).saturating_sub(1);
    (class as u64 - octave * CLASSES) << octave
}

/// The greatest.
fn last(class: usize) -> u64 {
    let octave = (class as u64 / CLASSES).saturating_sub(1);
    first(class) + ((1 << octave) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_number_lies_in_its_class(value: u64) {
            let class = class(value);
            prop_assert!((first(class)..=last(class)).contains(&value));
            prop_assert!(last(class) - first(class) <= first(class) / CLASSES);
        }

        #[test]
        fn parts_add_up_and_are_stored(values in prop::collection::vec(any::<u64>(), 0..50)) {
            let (one, other) = values.split_at(values.len() / 2);
            let spread = |values: &[u64]| values.iter().copied().collect::<Spread>();
            let mut sum = spread(one);
            sum += &spread(other);
            prop_assert_eq!(&sum, &spread(&values));
            let stored = Spread::from_classes(sum.classes(), sum.max().unwrap_or(0));
            prop_assert_eq!(stored, Some(sum));
        }

        #[test]
        fn quantiles_are_those_of_a_sorted_list(
            mut values in prop::collection::vec(0_u64..1 << 40, 1..200),
            part in 0.0..=1.0_f64,
        ) {
            let spread: Spread = values.iter().copied().collect();
            values.sort_unstable();
            let count = values.len();
            let place = ((part * count as f64).ceil() as usize).clamp(1, count);
            let (exact, told) = (values[place - 1], spread.quantile(part).unwrap());
            prop_assert!((exact..=exact + exact / CLASSES).contains(&told), "{told} for {exact}");
            prop_assert_eq!(spread.between(0, u64::MAX), count as u64);
        }
    }

    #[test]
    fn classes_follow_each_other_without_a_gap() {
        for class in 0..class(u64::MAX) {
            assert_eq!(last(class) + 1, first(class + 1));
        }
    }

    #[test]
    fn nothing_has_no_quantile() {
        let none = Spread::default();
        assert_eq!((none.quantile(0.5), none.max(), none.is_empty()), (None, None, true));
    }
}
