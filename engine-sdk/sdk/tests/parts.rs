//! Each part of an engine made of parts can be replaced.

use std::sync::atomic::{AtomicU32, Ordering};

use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::opening::{OpeningAnswers, OpeningSearch, SearchedOpenings};
use tengen_sdk::search::{MoveHistory, MoveOrder, Report, TriedMove};
use tengen_sdk::{
    Color, Engine, GameInfo, Limits, Parts, Placement, Point, Position, Rule, SearchEngine, Size,
    Swap2, Thinking, Zone,
};

/// The framework's evaluation, and the time manager that is set.
#[derive(Default)]
struct Usual;

impl Parts for Usual {
    type Eval = ThreatEval;
    type Options = ();

    fn evaluation(&self, _: &GameInfo) -> ThreatEval {
        ThreatEval::default()
    }
}

fn position(points: &str) -> Position {
    let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
    for point in points.split_ascii_whitespace() {
        position.play(point.parse().unwrap()).unwrap();
    }
    position
}

fn within(nodes: u64) -> Thinking<'static> {
    let limits = Limits { nodes: Some(nodes), multipv: 1, ..Limits::default() };
    Thinking::free().with_limits(limits)
}

static RANKED: AtomicU32 = AtomicU32::new(0);
static REWARDED: AtomicU32 = AtomicU32::new(0);

/// Tries the points far from the centre first.
#[derive(Clone, Default)]
struct Outward;

impl MoveOrder for Outward {
    fn rank(&self, analysis: &Analysis, tried: TriedMove, _: i32) -> i32 {
        RANKED.fetch_add(1, Ordering::Relaxed);
        let center = analysis.size().center();
        i32::from(tried.point.x().abs_diff(center.x()) + tried.point.y().abs_diff(center.y()))
    }

    fn reward(&mut self, _: TriedMove, _: i32) {
        REWARDED.fetch_add(1, Ordering::Relaxed);
    }
}

#[test]
fn an_order_of_ones_own_is_asked_and_told() {
    let position = position("h8 i9 j6 g11 l11 h5");
    let thinking = Thinking::free();
    let limits = Limits { depth: Some(3), multipv: 1, ..Limits::default() };
    let thinking = thinking.with_limits(limits);
    let usual = SearchEngine::<Usual>::default().choose(&position, &thinking).nodes;
    let outward = SearchEngine::<Usual, Outward>::default().choose(&position, &thinking).nodes;
    assert!(RANKED.load(Ordering::Relaxed) > 1000 && REWARDED.load(Ordering::Relaxed) > 0);
    // A bad order costs nodes.
    assert!(outward > usual, "{outward} {usual}");
}

/// Answers two questions itself.
#[derive(Default)]
struct Fixed;

impl OpeningAnswers for Fixed {
    fn swap<E: Evaluate, O: MoveOrder>(
        &mut self,
        _: &mut OpeningSearch<'_, E, O>,
        position: &Position,
        _: Color,
    ) -> bool {
        position.ply() % 2 == 1
    }

    fn swap2<E: Evaluate, O: MoveOrder>(
        &mut self,
        search: &mut OpeningSearch<'_, E, O>,
        position: &Position,
    ) -> Swap2 {
        // The search of the engine is at hand.
        let mut analysis = Analysis::of(position);
        let (value, best) = search.value(&mut analysis, position.to_move(), 1);
        assert!(value.abs() < 30_000 && best.is_some());
        Swap2::KeepWhite
    }
}

#[test]
fn openings_of_ones_own_answer_the_questions() {
    type Mine = SearchEngine<Usual, MoveHistory, Fixed>;
    let one = position("h8");
    let three = position("h8 a1 h9");
    assert!(Mine::default().swap(&one, Color::White, &within(500)));
    assert!(!Mine::default().swap(&position("h8 h9"), Color::White, &within(500)));
    assert_eq!(Mine::default().swap2(&three, &within(500)), Swap2::KeepWhite);
    // What it leaves out, the framework answers.
    let placement = Placement { min: 3, max: 3, zone: Zone::Anywhere, canonical: false };
    let empty = Position::new(Rule::Freestyle, Size::STANDARD);
    assert_eq!(Mine::default().place(&empty, &placement, &within(2000)).len(), 3);
    // By the framework's own, Black two ahead is the better colour.
    type Usually = SearchEngine<Usual, MoveHistory, SearchedOpenings>;
    assert_eq!(Usually::default().swap2(&three, &within(5000)), Swap2::TakeBlack);
    assert!(!Usually::default().swap(&three, Color::Black, &within(5000)));
}

/// Ends after the second iteration.
#[derive(Default)]
struct Twice(u32);

impl Parts for Twice {
    type Eval = ThreatEval;
    type Options = ();

    fn evaluation(&self, _: &GameInfo) -> ThreatEval {
        ThreatEval::default()
    }

    fn goes_on(&mut self, report: &Report, _: &Thinking<'_>) -> bool {
        self.0 += 1;
        report.depth < 2
    }
}

/// Breaks the search off at once.
#[derive(Default)]
struct AtOnce;

impl Parts for AtOnce {
    type Eval = ThreatEval;
    type Options = ();

    fn evaluation(&self, _: &GameInfo) -> ThreatEval {
        ThreatEval::default()
    }

    fn is_enough(&mut self, _: &Thinking<'_>) -> bool {
        true
    }
}

#[test]
fn a_time_manager_of_ones_own_ends_the_search() {
    let position = position("h8 i9 j6 g11 l11 h5");
    let mut twice = SearchEngine::<Twice>::default();
    assert_eq!(twice.choose(&position, &within(100_000)).depth, 2);
    assert_eq!(twice.parts().0, 2);
    let choice = SearchEngine::<AtOnce>::default().choose(&position, &within(100_000));
    assert_eq!(choice.depth, 0);
    let is_legal = |point: Point| position.check(point).is_ok();
    assert!(choice.mv.point().is_some_and(is_legal));
}
