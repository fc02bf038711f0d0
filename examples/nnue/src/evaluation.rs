//! The evaluation that the search asks.

use std::sync::Arc;

use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::{Color, Point, Size};

use crate::accumulator::{Accumulator, LineChange};
use crate::network::{Network, Sums};

/// The SDK's evaluation, corrected by the network where there is one.
#[derive(Clone)]
pub struct NetworkEval {
    plain: ThreatEval,
    network: Option<Arc<Network>>,
    lines: Accumulator,
    /// The sums of Black and of White.
    sums: Option<[Sums; 2]>,
}

impl NetworkEval {
    /// One with this network.
    pub fn new(network: Option<Arc<Network>>) -> NetworkEval {
        let lines = Accumulator::new(Size::STANDARD);
        NetworkEval { plain: ThreatEval::default(), network, lines, sums: None }
    }

    /// Brings the sums up to date with one line.
    #[inline]
    fn change(network: &Network, sums: &mut [Sums; 2], change: LineChange) {
        for (side, sums) in sums.iter_mut().enumerate() {
            network.change(sums, change.before[side], change.after[side]);
        }
    }
}

impl Evaluate for NetworkEval {
    fn begin(&mut self, analysis: &Analysis) {
        let Some(network) = &self.network else { return };
        self.lines = Accumulator::of(analysis);
        let mut sums = [network.start(); 2];
        for patterns in self.lines.patterns() {
            for (sums, pattern) in sums.iter_mut().zip(patterns) {
                network.add(sums, pattern);
            }
        }
        self.sums = Some(sums);
    }

    #[inline]
    fn place(&mut self, _: &Analysis, point: Point, color: Color) {
        if let (Some(network), Some(sums)) = (&self.network, &mut self.sums) {
            self.lines.place(point, color, |change| Self::change(network, sums, change));
        }
    }

    #[inline]
    fn remove(&mut self, _: &Analysis, point: Point, color: Color) {
        if let (Some(network), Some(sums)) = (&self.network, &mut self.sums) {
            self.lines.remove(point, color, |change| Self::change(network, sums, change));
        }
    }

    fn evaluate(&self, analysis: &Analysis, to_move: Color) -> i32 {
        let plain = self.plain.evaluate(analysis, to_move);
        let (Some(network), Some([black, white])) = (&self.network, &self.sums) else {
            return plain;
        };
        plain
            + match to_move {
                Color::Black => network.value(black, white),
                Color::White => network.value(white, black),
            }
    }

    fn promise(&self, analysis: &Analysis, point: Point, to_move: Color) -> i32 {
        self.plain.promise(analysis, point, to_move)
    }
}
