use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::random::mix;
use tengen_sdk::{Color, Point};

/// The SDK's evaluation, a little off in a way that depends on the game's seed, so that two games
/// from one opening are not the same game.
#[derive(Clone, Debug, Default)]
pub(crate) struct SeededEval {
    pub(crate) eval: ThreatEval,
    pub(crate) seed: u64,
    /// The greatest error, in units of the evaluation.
    pub(crate) variety: u32,
}

impl Evaluate for SeededEval {
    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32 {
        let spread = u64::from(2 * self.variety + 1);
        let error = (mix(analysis.hash() ^ self.seed) % spread) as i32 - self.variety as i32;
        self.eval.evaluate(analysis, to_move) + error
    }

    fn promise(&self, analysis: &Analysis, point: Point, to_move: Color) -> i32 {
        self.eval.promise(analysis, point, to_move)
    }
}
