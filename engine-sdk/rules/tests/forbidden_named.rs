//! The named cases of the corpus: one point's verdict and the whole list of each position.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tengen_rules::{Board, Color, Foul, Point, Size};

#[derive(Deserialize)]
struct NamedCase {
    name: String,
    black: Vec<String>,
    white: Vec<String>,
    point: String,
    legal: bool,
    kind: Option<String>,
    forbidden: Vec<String>,
}

fn cases() -> Vec<NamedCase> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/forbidden_named.jsonl");
    let text = fs::read_to_string(&path).expect("the corpus");
    text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect()
}

fn point(text: &str) -> Point {
    text.parse().expect("a point")
}

fn board(case: &NamedCase) -> Board {
    let mut board = Board::new(Size::STANDARD);
    for text in &case.black {
        board.place(point(text), Color::Black);
    }
    for text in &case.white {
        board.place(point(text), Color::White);
    }
    board
}

#[test]
fn every_named_point_gets_its_verdict() {
    let cases = cases();
    assert!(cases.len() >= 56, "only {} cases", cases.len());
    for case in cases {
        let kind = board(&case).foul(point(&case.point)).map(|foul| foul.name().replace('_', "-"));
        assert_eq!(kind, case.kind, "{}", case.name);
        assert_eq!(kind.is_none(), case.legal, "{}", case.name);
    }
}

#[test]
fn every_named_position_gets_its_whole_list() {
    for case in cases() {
        let listed: BTreeSet<Point> = case.forbidden.iter().map(|text| point(text)).collect();
        let map = board(&case).forbidden();
        let found: Vec<(Point, Foul)> = map.iter().collect();
        assert!(found.is_sorted_by_key(|(point, _)| *point), "{}", case.name);
        assert_eq!(found.len(), map.len(), "{}", case.name);
        assert_eq!(found.iter().map(|(point, _)| *point).collect::<BTreeSet<_>>(), listed);
    }
}
