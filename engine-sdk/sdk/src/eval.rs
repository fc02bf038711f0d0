//! Evaluation of positions: what a side to move may expect, and which moves look worth a try.

use tengen_rules::{Color, Point};

use crate::analysis::{Analysis, Shape, Threat};

/// Judges positions and moves for a [`Search`](crate::search::Search).
///
/// It must be a pure function of what it is given, or the search is not reproducible.
pub trait Evaluate {
    /// The value of the position for the side to move, in the evaluator's own unit; within
    /// ±[`MAX_VALUE`]. No five is on the board, and the side to move cannot make one.
    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32;

    /// How promising a move is, for trying the better ones first. The point is empty.
    fn promise(&self, analysis: &Analysis, point: Point, to_move: Color) -> i32;
}

/// The greatest value an evaluation may have; beyond it lie proven wins.
pub const MAX_VALUE: i32 = 20_000;

/// What one side's shapes and threats are worth, on empty points.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Weights {
    /// For each line of an empty point on which the side could make the shape, indexed by
    /// `shape as usize`.
    pub shapes: [i32; Shape::COUNT],
    /// For each empty point on which the side would threaten this, indexed by `threat as usize`;
    /// at most two points of a kind count.
    pub threats: [i32; Threat::COUNT],
}

/// Evaluates by the shapes and threats that each side could make.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreatEval {
    /// The side to move.
    pub mover: Weights,
    /// The side that waits.
    pub waiter: Weights,
    /// What each shape adds to the promise of a move that makes it, or takes it from the opponent.
    pub promise: [i32; Shape::COUNT],
}

impl Default for ThreatEval {
    fn default() -> ThreatEval {
        //  dead c1 one c2 two c3 three four straight double overline five
        ThreatEval {
            mover: Weights {
                shapes: [0, 0, 1, 2, 6, 9, 22, 30, 60, 60, 0, 0],
                // foul quiet three 3×3 four 4×3 4×4 straight five
                threats: [0, 0, 0, 60, 0, 200, 400, 400, 0],
            },
            waiter: Weights {
                shapes: [0, 0, 1, 2, 5, 7, 16, 20, 40, 40, 0, 0],
                threats: [0, 0, 0, 30, 0, 90, 150, 150, 0],
            },
            promise: [0, 1, 4, 6, 18, 22, 60, 70, 400, 300, 0, 5000],
        }
    }
}

impl ThreatEval {
    fn side(weights: &Weights, analysis: &Analysis, color: Color) -> i32 {
        let counts = analysis.counts(color);
        let shapes = counts.iter().zip(&weights.shapes).map(|(count, weight)| count * weight);
        let threats = Threat::ALL.into_iter().map(|threat| {
            analysis.points(color, threat).len().min(2) as i32 * weights.threats[threat as usize]
        });
        shapes.sum::<i32>() + threats.sum::<i32>()
    }
}

impl Evaluate for ThreatEval {
    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32 {
        let mover = ThreatEval::side(&self.mover, analysis, to_move);
        let waiter = ThreatEval::side(&self.waiter, analysis, !to_move);
        (mover - waiter).clamp(-MAX_VALUE, MAX_VALUE)
    }

    fn promise(&self, analysis: &Analysis, point: Point, to_move: Color) -> i32 {
        let sum = |color: Color| -> i32 {
            let shapes = analysis.shapes(point, color);
            let combined = match analysis.threat(point, color) {
                Threat::FourThree | Threat::DoubleFour => 300,
                Threat::DoubleThree => 80,
                _ => 0,
            };
            shapes.iter().map(|&shape| self.promise[shape as usize]).sum::<i32>() + combined
        };
        3 * sum(to_move) + 2 * sum(!to_move)
    }
}
