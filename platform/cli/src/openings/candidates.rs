//! Positions drawn by lot, and those of them that a short search calls even.

use std::collections::BTreeSet;

use tengen_random::Random;
use tengen_record::formats::suite::same_opening;
use tengen_rules::{Color, Opening, OpeningSettings, Point, Procedure, Rule, Size};
use tengen_sdk::analysis::{Analysis, Threat};
use tengen_sdk::eval::ThreatEval;
use tengen_sdk::search::{Budget, Search, Stakes, stakes};

use super::StoneCount;

/// What positions are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CandidateKind {
    pub rule: Rule,
    pub size: Size,
    pub stones: StoneCount,
    /// How far from the centre a stone may lie, on each axis.
    pub reach: u8,
    pub seed: u64,
}

/// Draws positions, each once under the symmetries of its board, and each one that a game can begin
/// from. What is drawn follows from the seed alone.
pub(super) struct Candidates {
    kind: CandidateKind,
    random: Random,
    seen: BTreeSet<(Vec<Point>, Vec<Point>)>,
}

impl Candidates {
    /// So many draws in a row that give nothing new mean that there is nothing new.
    const MOST_IN_VAIN: usize = 100_000;

    pub fn new(kind: CandidateKind) -> Candidates {
        Candidates { kind, random: Random::new(kind.seed), seen: BTreeSet::new() }
    }

    fn draw(&mut self) -> Vec<Point> {
        let CandidateKind { size, stones: StoneCount { least, most }, reach, .. } = self.kind;
        let count = usize::from(least) + self.random.below(usize::from(most - least) + 1);
        let mut axis = |center: u8, side: u8| {
            let first = center.saturating_sub(reach);
            let last = center.saturating_add(reach).min(side - 1);
            first + self.random.below(usize::from(last - first) + 1) as u8
        };
        let center = size.center();
        let mut stones = Vec::with_capacity(count);
        while stones.len() < count {
            let x = axis(center.x(), size.width());
            let stone = Point::new(x, axis(center.y(), size.height()));
            if !stones.contains(&stone) {
                stones.push(stone);
            }
        }
        stones
    }
}

impl Iterator for Candidates {
    type Item = Vec<Point>;

    fn next(&mut self) -> Option<Vec<Point>> {
        let CandidateKind { rule, size, .. } = self.kind;
        for _ in 0..Candidates::MOST_IN_VAIN {
            let stones = self.draw();
            let opening =
                OpeningSettings { book: stones.clone(), ..OpeningSettings::new(Procedure::Book) };
            let can_begin = Opening::new(&opening, rule, size).is_ok();
            if can_begin && self.seen.insert(same_opening(&stones, size)) {
                return Some(stones);
            }
        }
        None
    }
}

/// What searches may say of a position, in the unit of the SDK's evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct EvenRange {
    /// What Black is to be ahead by. Where a rule holds Black back, a position that is called even
    /// is not.
    pub lead: i32,
    /// How far from that it may be.
    pub most: u32,
}

impl EvenRange {
    fn contains(self, value: i32) -> bool {
        (value - self.lead).unsigned_abs() <= self.most
    }
}

/// Looks at positions with short searches of the SDK.
pub(super) struct Sieve {
    search: Search<ThreatEval>,
}

impl Sieve {
    /// The nodes of the two searches that both have to call a position even.
    const NODES: [u64; 2] = [40, 300];

    pub fn new() -> Sieve {
        Sieve { search: Search::new(ThreatEval::default(), 1) }
    }

    /// Whether neither colour threatens anything, and all searches say what they may.
    pub fn passes(&mut self, stones: &[Point], rule: Rule, size: Size, range: EvenRange) -> bool {
        let (mut analysis, us) = analysed(stones, rule, size);
        if !Color::ALL.into_iter().all(|color| is_quiet(&analysis, color)) {
            return false;
        }
        Sieve::NODES.into_iter().all(|nodes| {
            let value = self.value(&mut analysis, us, nodes);
            range.contains(if us == Color::Black { value } else { -value })
        })
    }

    /// What a search says for the side to move, in the unit of the SDK's evaluation.
    fn value(&mut self, analysis: &mut Analysis, us: Color, nodes: u64) -> i32 {
        self.search.clear(ThreatEval::default());
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        self.search.run(analysis, us, &budget, &mut ()).value
    }
}

fn analysed(stones: &[Point], rule: Rule, size: Size) -> (Analysis, Color) {
    let mut analysis = Analysis::new(rule, size);
    for (ply, &stone) in stones.iter().enumerate() {
        analysis.place(stone, Color::of_ply(ply));
    }
    (analysis, Color::of_ply(stones.len()))
}

/// Whether this colour, were it to move, would find nothing that forces anything.
fn is_quiet(analysis: &Analysis, color: Color) -> bool {
    analysis.points(color, Threat::Five).is_empty()
        && matches!(stakes(analysis, color), Stakes::Quiet)
}
