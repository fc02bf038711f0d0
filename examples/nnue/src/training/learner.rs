//! The network with numbers that can be varied a little, and the gradient of its error.

use tengen_sdk::random::Random;

use super::games::TrainingSample;
use crate::accumulator::PATTERNS;
use crate::network::{HIDDEN, MOST, RoundedWeights, SUM_ONE, VALUE_ONE, WEIGHT_ONE, WIDTH, rows};

/// The value that is worth a result of about 0.73.
const SCALE: f32 = 150.0;
/// The weight of the search's value in the target; the rest is the game's result.
const SEARCH_SHARE: f32 = 0.75;
/// Positions that are learnt from together.
const BATCH: usize = 256;

/// Where each part of the network begins in the list of its numbers.
const START: usize = PATTERNS * WIDTH;
const LAYER: usize = START + WIDTH;
const LAYER_START: usize = LAYER + 2 * WIDTH * HIDDEN;
const LAST: usize = LAYER_START + HIDDEN;
const LAST_START: usize = LAST + HIDDEN;
const NUMBERS: usize = LAST_START + 1;

/// A network that learns, by the method of Adam.
pub(super) struct Learner {
    numbers: Vec<f32>,
    gradient: Vec<f32>,
    /// The running means of the gradient and of its square.
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
    random: Random,
}

/// What the layers count for one position.
struct Layers {
    sums: [[f32; WIDTH]; 2],
    hidden: [f32; HIDDEN],
    value: f32,
}

fn clamp(number: f32) -> f32 {
    number.clamp(0.0, MOST as f32 - 0.01)
}

/// Whether a number is where the clamp lets changes through.
fn is_free(number: f32) -> bool {
    number > 0.0 && number < MOST as f32 - 0.01
}

fn result(value: f32) -> f32 {
    1.0 / (1.0 + (-value / SCALE).exp())
}

/// The target for a position.
fn target(sample: &TrainingSample) -> f32 {
    let searched = result(sample.value as f32);
    match sample.result {
        Some(played) => SEARCH_SHARE * searched + (1.0 - SEARCH_SHARE) * played,
        None => searched,
    }
}

impl Learner {
    pub(super) fn new(seed: u64) -> Learner {
        let mut random = Random::new(seed);
        let mut small = |most: f32| {
            let number = random.below(20_001) as f32 / 10_000.0 - 1.0;
            number * most
        };
        let mut numbers = vec![0.0; NUMBERS];
        numbers[WIDTH..START].fill_with(|| small(0.02));
        numbers[START..LAYER].fill(0.3);
        numbers[LAYER..LAYER_START].fill_with(|| small(0.25));
        numbers[LAYER_START..LAST].fill(0.2);
        // The network begins as one that corrects nothing.
        numbers[LAST..LAST_START].fill_with(|| small(0.01));
        let none = vec![0.0; NUMBERS];
        let (gradient, mean, square) = (none.clone(), none.clone(), none);
        Learner { numbers, gradient, mean, square, steps: 0, random }
    }

    fn layers(&self, sample: &TrainingSample) -> Layers {
        let mut sums = [[0.0; WIDTH]; 2];
        for (sums, patterns) in sums.iter_mut().zip(&sample.patterns) {
            sums.copy_from_slice(&self.numbers[START..LAYER]);
            for &(pattern, count) in patterns {
                let row = &self.numbers[usize::from(pattern) * WIDTH..][..WIDTH];
                for (sum, number) in sums.iter_mut().zip(row) {
                    *sum += f32::from(count) * number;
                }
            }
        }
        let inputs = || sums.iter().flatten().map(|&sum| clamp(sum));
        let hidden = std::array::from_fn(|index| {
            let weights = &self.numbers[LAYER + index * 2 * WIDTH..][..2 * WIDTH];
            let sum: f32 = inputs().zip(weights).map(|(input, weight)| input * weight).sum();
            sum + self.numbers[LAYER_START + index]
        });
        let last = &self.numbers[LAST..LAST_START];
        let value: f32 = hidden.iter().zip(last).map(|(&sum, weight)| clamp(sum) * weight).sum();
        Layers { sums, hidden, value: value + self.numbers[LAST_START] }
    }

    fn value(sample: &TrainingSample, layers: &Layers) -> f32 {
        sample.plain + layers.value * VALUE_ONE as f32
    }

    /// The mean of the squared error.
    pub(super) fn error(&self, samples: &[TrainingSample]) -> f32 {
        let square = |sample: &TrainingSample| {
            (result(Self::value(sample, &self.layers(sample))) - target(sample)).powi(2)
        };
        let sum: f64 = samples.iter().map(|sample| f64::from(square(sample))).sum();
        (sum / samples.len().max(1) as f64) as f32
    }

    /// Goes through all samples once, in an order of chance.
    pub(super) fn learn(&mut self, samples: &[TrainingSample], rate: f32) {
        let mut order: Vec<usize> = (0..samples.len()).collect();
        self.random.shuffle(&mut order);
        for batch in order.chunks(BATCH) {
            self.gradient.fill(0.0);
            for &index in batch {
                self.add_gradient(&samples[index]);
            }
            self.step(rate, batch.len() as f32);
        }
    }

    fn add_gradient(&mut self, sample: &TrainingSample) {
        let layers = self.layers(sample);
        // Of the cross entropy: simpler than that of the square, and it does not fade where the
        // result is all but certain.
        let slope = result(Self::value(sample, &layers)) - target(sample);
        let mut inputs = [0.0; 2 * WIDTH];
        self.gradient[LAST_START] += slope;
        for (index, &sum) in layers.hidden.iter().enumerate() {
            self.gradient[LAST + index] += slope * clamp(sum);
            if !is_free(sum) {
                continue;
            }
            let slope = slope * self.numbers[LAST + index];
            self.gradient[LAYER_START + index] += slope;
            let row = LAYER + index * 2 * WIDTH;
            for (place, &sum) in layers.sums.iter().flatten().enumerate() {
                self.gradient[row + place] += slope * clamp(sum);
                inputs[place] += slope * self.numbers[row + place];
            }
        }
        for (side, patterns) in sample.patterns.iter().enumerate() {
            let slopes = &mut inputs[side * WIDTH..(side + 1) * WIDTH];
            for (slope, &sum) in slopes.iter_mut().zip(&layers.sums[side]) {
                *slope *= f32::from(u8::from(is_free(sum)));
            }
            for (gradient, slope) in self.gradient[START..LAYER].iter_mut().zip(&*slopes) {
                *gradient += slope;
            }
            for &(pattern, count) in patterns {
                let row = &mut self.gradient[usize::from(pattern) * WIDTH..][..WIDTH];
                for (gradient, slope) in row.iter_mut().zip(&*slopes) {
                    *gradient += f32::from(count) * slope;
                }
            }
        }
    }

    fn step(&mut self, rate: f32, count: f32) {
        // As the authors of Adam recommend (Kingma and Ba 2015).
        const KEPT: [f32; 2] = [0.9, 0.999];
        self.steps += 1;
        let [first, second] = KEPT.map(|kept| 1.0 - kept.powi(self.steps));
        let state = self.mean.iter_mut().zip(&mut self.square);
        for ((number, &sum), (mean, square)) in
            self.numbers.iter_mut().zip(&self.gradient).zip(state)
        {
            let gradient = sum / count;
            *mean += (1.0 - KEPT[0]) * (gradient - *mean);
            *square += (1.0 - KEPT[1]) * (gradient * gradient - *square);
            *number -= rate * (*mean / first) / ((*square / second).sqrt() + 1e-8);
        }
    }

    /// As whole numbers.
    pub(super) fn weights(&self) -> RoundedWeights {
        let round =
            |number: f32, one: i32| (number * one as f32).round().clamp(-32_767.0, 32_767.0);
        let row = |at: usize, one: i32| -> [i16; WIDTH] {
            std::array::from_fn(|index| round(self.numbers[at + index], one) as i16)
        };
        let layer = |index: usize| -> [i16; 2 * WIDTH] {
            let at = LAYER + index * 2 * WIDTH;
            std::array::from_fn(|place| round(self.numbers[at + place], WEIGHT_ONE) as i16)
        };
        RoundedWeights {
            patterns: rows().map(|pattern| row(pattern * WIDTH, SUM_ONE)).collect(),
            start: row(START, SUM_ONE),
            layer: (0..HIDDEN).map(layer).collect(),
            layer_start: row(LAYER_START, WEIGHT_ONE),
            last: row(LAST, WEIGHT_ONE),
            last_start: round(self.numbers[LAST_START], WEIGHT_ONE) as i16,
        }
    }
}
