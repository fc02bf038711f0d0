//! The network: its weights, and what it makes of a position.

use std::fmt::Write as _;

use crate::accumulator::{PATTERNS, canonical};
use crate::lanes::Lanes;

/// How many numbers a pattern has.
pub(crate) const WIDTH: usize = 16;
/// How many numbers the layer behind has.
pub(crate) const HIDDEN: usize = 16;
/// What 1 is in the sums of patterns, and in the weights of the layers.
pub(crate) const SUM_ONE: i32 = 512;
pub(crate) const WEIGHT_ONE: i32 = 64;
/// Sums and the layer behind count from 0 up to 2.
pub(crate) const MOST: i32 = 2;
/// What 1 at the end is, in the unit of the SDK's evaluation.
pub(crate) const VALUE_ONE: i32 = 100;

const VECTORS: usize = WIDTH / Lanes::COUNT;
/// The first line of the file, which says how large the network is.
const HEAD: &str = "tengen-nnue 1 7 16 16";
/// How many rows of patterns a line of the file holds.
const ROWS_A_LINE: usize = 2;

/// The numbers of one side, summed over its patterns.
pub(crate) type Sums = [Lanes; VECTORS];

/// The weights.
pub struct Network {
    /// For each pattern; a mirrored one has the same.
    patterns: Vec<Sums>,
    start: Sums,
    layer: [[Sums; 2]; HIDDEN],
    layer_start: [i32; HIDDEN],
    last: [i32; HIDDEN],
    last_start: i32,
}

/// What is wrong with a file of weights.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// It does not begin as one does.
    Head,
    /// A word of this line is no whole number of 16 bits.
    Number {
        /// The line, counted from 1.
        line: usize,
    },
    /// There are too few numbers, or too many.
    Length {
        /// As many as there are.
        found: usize,
        /// As many as there should be.
        expected: usize,
    },
}

impl std::fmt::Display for WeightsError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            WeightsError::Head => write!(f, "it does not begin with {HEAD:?}: train it anew"),
            WeightsError::Number { line } => write!(f, "line {line} has a word that is no weight"),
            WeightsError::Length { found, expected } => {
                write!(f, "it has {found} weights instead of {expected}")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

/// The weights as whole numbers, in the order of the file.
pub(crate) struct RoundedWeights {
    /// For each pattern that is not the mirror image of an earlier one.
    pub(crate) patterns: Vec<[i16; WIDTH]>,
    pub(crate) start: [i16; WIDTH],
    /// First what the sums of the side to move count, then those of the other.
    pub(crate) layer: Vec<[i16; 2 * WIDTH]>,
    pub(crate) layer_start: [i16; HIDDEN],
    pub(crate) last: [i16; HIDDEN],
    pub(crate) last_start: i16,
}

/// The patterns that have a row in the file.
pub(crate) fn rows() -> impl Iterator<Item = usize> {
    (0..PATTERNS).filter(|&pattern| canonical(pattern) == pattern)
}

impl RoundedWeights {
    /// The text of the file.
    pub(crate) fn text(&self) -> String {
        let line = |numbers: &mut dyn Iterator<Item = i16>| {
            let words: Vec<String> = numbers.map(|number| number.to_string()).collect();
            words.join(" ")
        };
        let mut text = format!("{HEAD}\n");
        let mut add = |numbers: &mut dyn Iterator<Item = i16>| {
            writeln!(text, "{}", line(numbers)).expect("a string grows");
        };
        for rows in self.patterns.chunks(ROWS_A_LINE) {
            add(&mut rows.iter().flatten().copied());
        }
        add(&mut self.start.into_iter());
        self.layer.iter().for_each(|row| add(&mut row.iter().copied()));
        add(&mut self.layer_start.into_iter());
        add(&mut self.last.into_iter());
        add(&mut [self.last_start].into_iter());
        text
    }
}

fn sums(numbers: &[i16]) -> Sums {
    std::array::from_fn(|vector| {
        let first = vector * Lanes::COUNT;
        Lanes::new(std::array::from_fn(|lane| numbers[first + lane]))
    })
}

impl Network {
    /// Reads a file of weights.
    ///
    /// # Errors
    /// When it is not what [`crate::training`] writes.
    pub fn read(bytes: &[u8]) -> Result<Network, WeightsError> {
        let text = std::str::from_utf8(bytes).map_err(|_| WeightsError::Head)?;
        let mut lines = (1..).zip(text.lines());
        if lines.next().map(|(_, head)| head) != Some(HEAD) {
            return Err(WeightsError::Head);
        }
        let mut all: Vec<i16> = Vec::new();
        for (line, text) in lines {
            for word in text.split_ascii_whitespace() {
                all.push(word.parse().map_err(|_| WeightsError::Number { line })?);
            }
        }
        let rows: Vec<usize> = rows().collect();
        let layer_at = (rows.len() + 1) * WIDTH;
        let expected = layer_at + 2 * WIDTH * HIDDEN + 2 * HIDDEN + 1;
        if all.len() != expected {
            return Err(WeightsError::Length { found: all.len(), expected });
        }
        let row = |index: usize| sums(&all[index * WIDTH..(index + 1) * WIDTH]);
        let patterns = (0..PATTERNS).map(|pattern| {
            let index = rows.binary_search(&canonical(pattern));
            row(index.expect("every pattern has a row"))
        });
        let layer_row = |index: usize| {
            let at = layer_at + index * 2 * WIDTH;
            [sums(&all[at..at + WIDTH]), sums(&all[at + WIDTH..at + 2 * WIDTH])]
        };
        let rest = &all[layer_at + 2 * WIDTH * HIDDEN..];
        Ok(Network {
            patterns: patterns.collect(),
            start: row(rows.len()),
            layer: std::array::from_fn(layer_row),
            layer_start: std::array::from_fn(|index| i32::from(rest[index])),
            last: std::array::from_fn(|index| i32::from(rest[HIDDEN + index])),
            last_start: i32::from(rest[2 * HIDDEN]),
        })
    }

    pub(crate) fn start(&self) -> Sums {
        self.start
    }

    /// Counts one pattern more.
    #[inline]
    pub(crate) fn add(&self, sums: &mut Sums, pattern: u16) {
        let numbers = &self.patterns[usize::from(pattern)];
        for (sum, number) in sums.iter_mut().zip(numbers) {
            *sum = sum.add(*number);
        }
    }

    /// Counts one pattern instead of another.
    #[inline]
    pub(crate) fn change(&self, sums: &mut Sums, before: u16, after: u16) {
        let (before, after) =
            (&self.patterns[usize::from(before)], &self.patterns[usize::from(after)]);
        for ((sum, before), after) in sums.iter_mut().zip(before).zip(after) {
            *sum = sum.sub(*before).add(*after);
        }
    }

    /// What the side to move has more than the SDK's evaluation says, in its unit.
    #[inline]
    pub(crate) fn value(&self, mover: &Sums, other: &Sums) -> i32 {
        let most = (MOST * SUM_ONE - 1) as i16;
        let clamp = |sums: &Sums| sums.map(|sum| sum.clamp(most));
        let inputs = [clamp(mover), clamp(other)];
        let mut value = self.last_start * WEIGHT_ONE;
        for index in 0..HIDDEN {
            let mut sum = self.layer_start[index] * SUM_ONE;
            for (input, weights) in inputs.iter().zip(&self.layer[index]) {
                for (lanes, weights) in input.iter().zip(weights) {
                    sum += lanes.dot(*weights);
                }
            }
            value += (sum / SUM_ONE).clamp(0, MOST * WEIGHT_ONE) * self.last[index];
        }
        // Large weights of the last layer would go beyond 32 bits here.
        let value = i64::from(value) * i64::from(VALUE_ONE);
        (value / i64::from(WEIGHT_ONE * WEIGHT_ONE)) as i32
    }
}
