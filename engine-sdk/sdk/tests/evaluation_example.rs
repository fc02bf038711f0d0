//! The engine that is an evaluation and nothing else.

#[path = "../examples/evaluation.rs"]
mod evaluation;
mod game;

use evaluation::Shapes;
use tengen_sdk::{Engine, SearchEngine};

#[test]
fn an_author_writes_no_more_than_forty_lines() {
    assert!(game::lines_of_code(include_str!("../examples/evaluation.rs")) <= 40);
}

#[test]
fn it_beats_an_engine_that_only_stops_fives() {
    game::assert_strong::<SearchEngine<Shapes>>();
}

#[test]
fn its_options_are_declared_once() {
    let text = SearchEngine::<Shapes>::describe().to_string();
    assert!(text.contains("option int Three 30 0..500 tune\n"), "{text}");
    assert!(text.contains("option int Hash 16 1..4096 MiB\n"), "{text}");
    let mut engine = SearchEngine::<Shapes>::default();
    assert_eq!(engine.set_option("Three", "70"), Ok(()));
    assert!(engine.set_option("Three", "501").is_err());
    assert!(engine.set_option("Four", "1").is_err());
}
