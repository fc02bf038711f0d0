//! What a line of `tengen rules replay` and of `tengen rules forbidden` costs, reading and
//! answering it included.

mod random_game;

use std::io::Cursor;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use random_game::RandomGame;
use tengen_record::{Replayer, answer_lines, forbidden_line};

/// How many lines one measurement answers.
const LINES: u64 = 1000;

fn replay(c: &mut Criterion) {
    let mut group = c.benchmark_group("replay");
    group.throughput(Throughput::Elements(LINES));
    for opening in ["none", "contest"] {
        let line = |seed| RandomGame { opening, plies: 40, seed }.line() + "\n";
        let text: String = (0..LINES).map(line).collect();
        group.bench_function(opening, |b| {
            let (mut output, mut replayer) = (Vec::new(), Replayer::new());
            b.iter(|| {
                output.clear();
                let answer = |line: &str| replayer.answer(line);
                answer_lines(Cursor::new(&text), &mut output, answer).expect("no input fails")
            });
        });
    }
    group.finish();
}

fn forbidden(c: &mut Criterion) {
    let mut group = c.benchmark_group("forbidden");
    group.throughput(Throughput::Elements(LINES));
    let corpus = include_str!("../../../tests/data/forbidden_named.jsonl");
    let text: String =
        corpus.lines().cycle().take(LINES as usize).map(|l| l.to_string() + "\n").collect();
    group.bench_function("named", |b| {
        let mut output = Vec::new();
        b.iter(|| {
            output.clear();
            answer_lines(Cursor::new(&text), &mut output, forbidden_line).expect("no input fails")
        });
    });
    group.finish();
}

criterion_group!(benches, replay, forbidden);
criterion_main!(benches);
