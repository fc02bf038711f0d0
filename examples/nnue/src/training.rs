//! Training: games of the plain search against itself, and a network that learns from them what the
//! search sees and its evaluation does not.
//!
//! The same [`TrainingPlan`] makes the same weights on the same machine.

mod games;
mod learner;

use std::thread;

use games::TrainingSample;
use learner::Learner;

/// How to train.
#[derive(Clone, Debug)]
pub struct TrainingPlan {
    /// How many games to play.
    pub games: usize,
    /// The nodes of each search.
    pub nodes: u64,
    /// How many threads play.
    pub threads: usize,
    /// How often to go through the positions.
    pub epochs: usize,
    /// What all chance follows from.
    pub seed: u64,
}

impl Default for TrainingPlan {
    fn default() -> TrainingPlan {
        TrainingPlan { games: 4000, nodes: 1000, threads: 2, epochs: 20, seed: 1 }
    }
}

/// What came of a training.
#[derive(Clone, Debug)]
pub struct Trained {
    /// The text of the file of weights.
    pub weights: String,
    /// The positions that it learnt from.
    pub positions: usize,
    /// How far the plain evaluation was off on positions set aside: the mean of the squared error,
    /// results counting from 0 to 1.
    pub plain_error: f32,
    /// The same with the network.
    pub error: f32,
}

/// Plays the games and trains. `tell` hears how it goes.
pub fn train(plan: &TrainingPlan, tell: &mut dyn FnMut(&str)) -> Trained {
    let samples = play(plan);
    tell(&format!("{} positions from {} games", samples.len(), plan.games));
    // Whole games are set aside, for positions of one game are alike.
    let is_aside = |sample: &TrainingSample| sample.game.is_multiple_of(16);
    let (aside, samples): (Vec<_>, Vec<_>) = samples.into_iter().partition(is_aside);
    let mut learner = Learner::new(plan.seed);
    let plain_error = learner.error(&aside);
    tell(&format!("plain evaluation: error {plain_error:.5}"));
    for epoch in 0..plan.epochs {
        // Large steps first, small ones at the end.
        let rate = 0.004 * 0.02_f32.powf(epoch as f32 / plan.epochs as f32);
        learner.learn(&samples, rate);
        tell(&format!("epoch {}: error {:.5}", epoch + 1, learner.error(&aside)));
    }
    Trained {
        weights: learner.weights().text(),
        positions: samples.len() + aside.len(),
        plain_error,
        error: learner.error(&aside),
    }
}

/// Plays all games, each from a seed of its own, so that threads change nothing.
fn play(plan: &TrainingPlan) -> Vec<TrainingSample> {
    let threads = plan.threads.clamp(1, plan.games.max(1));
    let part = |thread: usize| {
        let games = (thread..plan.games).step_by(threads);
        games.map(|game| games::play(game, plan)).collect::<Vec<_>>()
    };
    let mut parts: Vec<_> = thread::scope(|scope| {
        let running: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || part(thread))).collect();
        running.into_iter().flat_map(|part| part.join().expect("no game panics")).collect()
    });
    parts.sort_by_key(|samples| samples.first().map_or(0, |sample| sample.game));
    parts.into_iter().flatten().collect()
}
