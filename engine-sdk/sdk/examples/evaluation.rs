//! An engine with only an evaluation of its own: stones near the centre are good, and so is every
//! shape that can become a five. The search, the openings and the clock are the framework's.

use tengen_sdk::analysis::{Analysis, Shape};
use tengen_sdk::eval::Evaluate;
use tengen_sdk::{Color, GameInfo, Options, Parts, SearchEngine, export_engine};

#[derive(Options)]
pub(crate) struct ShapeOptions {
    /// What a three is worth.
    #[option(default = 30, range = 0..=500, tune)]
    three: i32,
}

#[derive(Clone, Default)]
pub(crate) struct ShapeEval(i32);

impl Evaluate for ShapeEval {
    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32 {
        let side = |color: Color| {
            let count = |shape: Shape| analysis.counts(color)[shape as usize];
            self.0 * count(Shape::Three) + 6 * count(Shape::Two) + count(Shape::One)
        };
        2 * side(to_move) - side(!to_move)
    }
}

impl Parts for ShapeEval {
    type Eval = ShapeEval;
    type Options = ShapeOptions;

    fn evaluation(&self, _: &GameInfo) -> ShapeEval {
        self.clone()
    }

    fn set_options(&mut self, weights: &ShapeOptions) {
        self.0 = weights.three;
    }
}

export_engine!(SearchEngine<ShapeEval>);
