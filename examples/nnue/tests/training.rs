//! A tiny network learns, is read back, and the engine plays with it.

use std::sync::{Arc, LazyLock};

use nnue::training::{Trained, TrainingPlan, train};
use nnue::{Network, NetworkEval, WeightsError};
use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::random::Random;
use tengen_sdk::search::{Budget, Search};
use tengen_sdk::{Color, Point, Rule, Size};

/// Some seconds of training.
static TRAINED: LazyLock<Trained> = LazyLock::new(|| {
    let plan = TrainingPlan { games: 64, nodes: 60, threads: 2, epochs: 8, seed: 3 };
    train(&plan, &mut |_| {})
});

#[test]
fn a_network_learns_what_the_plain_evaluation_misses() {
    let Trained { positions, plain_error, error, .. } = *TRAINED;
    assert!(positions > 500, "{positions}");
    assert!(error < plain_error, "{error} with the network, {plain_error} without");
}

#[test]
fn the_same_plan_makes_the_same_weights_with_any_number_of_threads() {
    let plan = TrainingPlan { games: 5, nodes: 20, threads: 1, epochs: 1, seed: 9 };
    let one = train(&plan, &mut |_| {}).weights;
    let three = train(&TrainingPlan { threads: 3, ..plan }, &mut |_| {}).weights;
    assert!(one == three);
}

#[test]
fn a_damaged_file_is_refused_with_the_reason() {
    let text = &TRAINED.weights;
    assert!(Network::read(text.as_bytes()).is_ok());
    let error = |text: &str| Network::read(text.as_bytes()).err();
    assert_eq!(error(""), Some(WeightsError::Head));
    assert_eq!(error(&text.replacen("nnue 1", "nnue 2", 1)), Some(WeightsError::Head));
    let (head, rest) = text.split_once('\n').unwrap();
    assert_eq!(error(&format!("{head}\nx{rest}")), Some(WeightsError::Number { line: 2 }));
    let more = error(&format!("{text} 7"));
    assert!(
        matches!(more, Some(WeightsError::Length { found, expected }) if found == expected + 1)
    );
}

/// The weights that are committed must fit the code.
#[test]
fn the_weights_of_the_repository_are_read() {
    let bytes = include_bytes!("../nnue.weights");
    assert!(Network::read(bytes).is_ok());
    assert!(bytes.len() < 200_000, "{}", bytes.len());
}

/// Evaluates by the sums that were kept, and checks them against sums made anew.
struct Checked(NetworkEval, NetworkEval);

impl Evaluate for Checked {
    fn begin(&mut self, analysis: &Analysis) {
        self.0.begin(analysis);
    }

    fn place(&mut self, analysis: &Analysis, point: Point, color: Color) {
        self.0.place(analysis, point, color);
    }

    fn remove(&mut self, analysis: &Analysis, point: Point, color: Color) {
        self.0.remove(analysis, point, color);
    }

    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32 {
        let mut anew = self.1.clone();
        anew.begin(analysis);
        let value = self.0.evaluate(analysis, to_move);
        assert_eq!(value, anew.evaluate(analysis, to_move));
        value
    }
}

#[test]
fn sums_that_are_kept_are_those_that_are_made_anew() {
    let network = Arc::new(Network::read(TRAINED.weights.as_bytes()).unwrap());
    let mut corrected = 0;
    for rule in Rule::ALL {
        let mut analysis = Analysis::new(rule, Size::new(9, 12).unwrap());
        let mut random = Random::new(rule as u64);
        let points: Vec<Point> = analysis.size().points().collect();
        for ply in 0..10 {
            let point = points[random.below(points.len())];
            if analysis.is_empty(point) {
                analysis.place(point, Color::of_ply(ply));
            }
        }
        let eval = NetworkEval::new(Some(Arc::clone(&network)));
        let mut search = Search::new(Checked(eval.clone(), eval.clone()), 1);
        let budget = Budget { nodes: Some(300), ..Budget::default() };
        search.run(&mut analysis, Color::Black, &budget, &mut ());
        let mut eval = eval;
        eval.begin(&analysis);
        let value = eval.evaluate(&analysis, Color::White);
        corrected += u32::from(value != ThreatEval::USUAL.evaluate(&analysis, Color::White));
    }
    assert!(corrected > 0, "the network says something");
}
