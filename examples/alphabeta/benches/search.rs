//! What the analysis of a stone costs, and how fast the search goes.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use tengen_sdk::analysis::Analysis;
use tengen_sdk::eval::{Evaluate, ThreatEval};
use tengen_sdk::search::{Budget, Search};
use tengen_sdk::{Color, Point, Rule, Size};

/// A game of some stones, without a win soon.
const GAME: &str = "h8 i9 j6 g11 l11 h5 d9 e12";

fn position(rule: Rule) -> Analysis {
    let mut analysis = Analysis::new(rule, Size::STANDARD);
    for (ply, point) in GAME.split(' ').enumerate() {
        analysis.place(point.parse().expect("a point"), Color::of_ply(ply));
    }
    analysis
}

fn analysis(c: &mut Criterion) {
    let mut group = c.benchmark_group("analysis");
    for rule in [Rule::Freestyle, Rule::Renju] {
        let mut analysis = position(rule);
        let points: Vec<Point> = analysis.near().iter().collect();
        group.throughput(Throughput::Elements(points.len() as u64));
        group.bench_function(format!("{rule}: a stone laid and taken away"), |b| {
            b.iter(|| {
                for &point in &points {
                    analysis.place(point, Color::Black);
                    analysis.remove(point);
                }
            });
        });
    }
    group.throughput(Throughput::Elements(1));
    let (analysis, eval) = (position(Rule::Freestyle), ThreatEval::default());
    group.bench_function("evaluation", |b| {
        b.iter(|| eval.evaluate(black_box(&analysis), Color::Black));
    });
    group.bench_function("a board from scratch", |b| b.iter(|| position(Rule::Freestyle)));
    group.finish();
}

fn search(c: &mut Criterion) {
    const NODES: u64 = 20_000;
    let mut group = c.benchmark_group("search");
    group.sample_size(10).throughput(Throughput::Elements(NODES));
    let budget = Budget { nodes: Some(NODES), ..Budget::default() };
    for rule in [Rule::Freestyle, Rule::Renju] {
        let mut analysis = position(rule);
        let mut first = Search::new(ThreatEval::default(), 16);
        let report = first.run(&mut analysis, Color::Black, &budget, &mut ());
        assert_eq!(report.nodes, NODES, "the position is not decided");
        group.bench_function(format!("{rule}: nodes"), |b| {
            b.iter_batched_ref(
                || Search::new(ThreatEval::default(), 16),
                |search| search.run(&mut analysis, Color::Black, &budget, &mut ()),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, analysis, search);
criterion_main!(benches);
