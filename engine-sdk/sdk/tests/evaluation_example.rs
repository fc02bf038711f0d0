//! The example engine that has only its own evaluation.

#[path = "../examples/evaluation.rs"]
mod evaluation;
mod game;

use evaluation::ShapeEval;
use tengen_sdk::{Engine, GameInfo, Limits, Position, Rule, SearchEngine, Size, Thinking};

#[test]
fn an_author_writes_no_more_than_forty_lines() {
    assert!(game::lines_of_code(include_str!("../examples/evaluation.rs")) <= 40);
}

#[test]
fn it_beats_an_engine_that_only_stops_fives() {
    game::assert_strong::<SearchEngine<ShapeEval>>();
}

#[test]
fn its_options_are_declared_once() {
    let text = SearchEngine::<ShapeEval>::describe().to_string();
    assert!(text.contains("option int Three 30 0..500 tune\n"), "{text}");
    assert!(text.contains("option int Hash 16 1..4096 MiB\n"), "{text}");
    let mut engine = SearchEngine::<ShapeEval>::default();
    assert_eq!(engine.set_option("Three", "70"), Ok(()));
    assert!(engine.set_option("Three", "501").is_err());
    assert!(engine.set_option("Four", "1").is_err());
}

#[test]
fn a_limit_on_depth_holds_for_threats_too() {
    let game = GameInfo::new(Rule::Freestyle, Size::STANDARD);
    let mut position = Position::new(game.rule, game.size);
    // Black wins by a four and a three, five plies from here.
    for point in "h8 g8 i8 a1 j8 c1 l9 e1 l10 a3".split(' ') {
        position.play(point.parse().unwrap()).unwrap();
    }
    let depth = |depth| {
        let limits = Limits { depth, nodes: Some(20_000), multipv: 1, ..Limits::default() };
        let thinking = Thinking::free().in_game(&game).with_limits(limits);
        SearchEngine::<ShapeEval>::default().choose(&position, &thinking).depth
    };
    assert_eq!(depth(None), 5);
    assert!(depth(Some(2)) <= 2);
}
