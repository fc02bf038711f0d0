//! Evaluation of positions: what a side to move may expect, and which moves look worth a try.

use tengen_rules::{Color, Point};

use crate::analysis::{Analysis, Shape, Threat};

/// Judges positions and moves for a [`Search`](crate::search::Search).
///
/// It must be a pure function of what it is given, or the search is not reproducible. One that
/// keeps sums of its own, as an incremental network does, keeps them up to date in
/// [`Evaluate::begin`], [`Evaluate::place`] and [`Evaluate::remove`]:
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::eval::Evaluate;
/// use tengen_sdk::{Color, Point};
///
/// /// Likes stones in the middle.
/// #[derive(Clone, Default)]
/// struct Middle {
///     /// What Black's stones are worth less what White's are.
///     lead: i32,
/// }
///
/// fn worth(analysis: &Analysis, point: Point, color: Color) -> i32 {
///     let center = analysis.size().center();
///     let distance = point.x().abs_diff(center.x()).max(point.y().abs_diff(center.y()));
///     let worth = 20 - i32::from(distance);
///     if color == Color::Black { worth } else { -worth }
/// }
///
/// impl Evaluate for Middle {
///     fn begin(&mut self, analysis: &Analysis) {
///         let stones = analysis.board().stones();
///         self.lead = stones.map(|(point, color)| worth(analysis, point, color)).sum();
///     }
///
///     fn place(&mut self, analysis: &Analysis, point: Point, color: Color) {
///         self.lead += worth(analysis, point, color);
///     }
///
///     fn remove(&mut self, analysis: &Analysis, point: Point, color: Color) {
///         self.lead -= worth(analysis, point, color);
///     }
///
///     fn evaluate(&self, _: &Analysis, to_move: Color) -> i32 {
///         if to_move == Color::Black { self.lead } else { -self.lead }
///     }
/// }
/// ```
pub trait Evaluate {
    /// A search of this position begins: what is kept is set up.
    fn begin(&mut self, _analysis: &Analysis) {}

    /// A stone has been laid. The searches for wins by threats alone lay theirs without this: they
    /// evaluate nothing.
    fn place(&mut self, _analysis: &Analysis, _point: Point, _color: Color) {}

    /// The stone that was laid last has been taken away.
    fn remove(&mut self, _analysis: &Analysis, _point: Point, _color: Color) {}

    /// The value of the position for the side to move, in the evaluator's own unit; within
    /// ±[`MAX_VALUE`]. No five is on the board, and the side to move cannot make one.
    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32;

    /// How promising a move is, for trying the better ones first. The point is empty. By default
    /// by the shapes that it makes and takes.
    fn promise(&self, analysis: &Analysis, point: Point, to_move: Color) -> i32 {
        ThreatEval::USUAL.promise(analysis, point, to_move)
    }
}

/// The greatest value an evaluation may have; beyond it lie proven wins.
pub const MAX_VALUE: i32 = 20_000;

/// What one side's shapes and threats are worth, on empty points.
///
/// ```
/// use tengen_sdk::analysis::Shape;
/// use tengen_sdk::eval::ThreatEval;
/// let mut eval = ThreatEval::default();
/// eval.mover.shapes[Shape::Three as usize] += 5;
/// assert_ne!(eval, ThreatEval::USUAL);
/// ```
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
///
/// ```
/// use tengen_sdk::analysis::Analysis;
/// use tengen_sdk::eval::{Evaluate, ThreatEval};
/// use tengen_sdk::{Color, Rule, Size};
/// let mut analysis = Analysis::new(Rule::Freestyle, Size::STANDARD);
/// analysis.place("h8".parse()?, Color::Black);
/// let (black, white) = (Color::Black, Color::White);
/// let value = |us| ThreatEval::USUAL.evaluate(&analysis, us);
/// assert!(value(black) > value(white));
/// # Ok::<(), tengen_sdk::rules::ParsePointError>(())
/// ```
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
        ThreatEval::USUAL
    }
}

impl ThreatEval {
    /// Weights that play well under every rule.
    pub const USUAL: ThreatEval =
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
        };

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
