//! An evaluation that keeps sums of its own is told of every stone.

use std::cell::Cell;

use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::random::Random;
use tengen_sdk::search::{Budget, Search};
use tengen_sdk::{Color, Point, Rule, Size};

/// Knows at each evaluation what the board should add up to.
#[derive(Default)]
struct Sums {
    sum: i64,
    checked: Cell<u32>,
}

fn worth(point: Point, color: Color) -> i64 {
    let number = 1 + 37 * i64::from(point.x()) + 1009 * i64::from(point.y());
    if color == Color::Black { number } else { -3 * number }
}

fn counted(analysis: &Analysis) -> i64 {
    analysis.board().stones().map(|(point, color)| worth(point, color)).sum()
}

impl Evaluate for Sums {
    fn begin(&mut self, analysis: &Analysis) {
        self.sum = counted(analysis);
    }

    fn place(&mut self, analysis: &Analysis, point: Point, color: Color) {
        assert_eq!(analysis.get(point), Some(color), "told after the stone is there");
        self.sum += worth(point, color);
    }

    fn remove(&mut self, analysis: &Analysis, point: Point, color: Color) {
        assert!(analysis.is_empty(point), "told after the stone is gone");
        self.sum -= worth(point, color);
    }

    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32 {
        assert_eq!(self.sum, counted(analysis));
        self.checked.set(self.checked.get() + 1);
        ThreatEval::USUAL.evaluate(analysis, to_move)
    }
}

#[test]
fn sums_are_those_of_the_board_whenever_they_are_asked_for() {
    let mut checked = 0;
    for seed in 0..8 {
        let mut random = Random::new(seed);
        let rule = Rule::ALL[seed as usize % 4];
        let mut analysis = Analysis::new(rule, Size::STANDARD);
        for ply in 0..12 {
            let point = Point::new(4 + random.below(7) as u8, 4 + random.below(7) as u8);
            if analysis.is_empty(point) {
                analysis.place(point, Color::of_ply(ply));
            }
        }
        let mut search = Search::new(Sums::default(), 1);
        let budget =
            Budget { nodes: Some(3000), lines: 1 + seed as usize % 2, ..Budget::default() };
        let with_sums = search.run(&mut analysis, Color::Black, &budget, &mut ());
        checked += search.evaluator().checked.get();
        let usual =
            Search::new(ThreatEval::USUAL, 1).run(&mut analysis, Color::Black, &budget, &mut ());
        assert_eq!(with_sums, usual, "seed {seed}: it sees the same search");
    }
    assert!(checked > 1000, "{checked}");
}
