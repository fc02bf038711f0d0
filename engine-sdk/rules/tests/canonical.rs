//! The table of canonical openings against the corpus, and every triple against the table.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tengen_rules::{Point, Size, Zone, canonical};

#[derive(Deserialize)]
struct Listed {
    code: String,
    romaji: String,
    chinese: String,
    #[serde(rename = "type")]
    kind: String,
    moves: [String; 3],
    /// How many different images it has on the board.
    orbit: usize,
}

fn listed() -> Vec<Listed> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/canonical_openings.json");
    serde_json::from_str(&fs::read_to_string(path).expect("the list")).expect("openings")
}

#[test]
fn the_table_is_the_list() {
    let listed = listed();
    assert_eq!(listed.len(), canonical::ALL.len());
    for (listed, opening) in listed.iter().zip(&canonical::ALL) {
        assert_eq!(listed.code, opening.code);
        assert_eq!(listed.romaji, opening.romaji);
        assert_eq!(listed.chinese, opening.chinese);
        assert_eq!(listed.kind == "direct", opening.is_direct());
        assert_eq!(listed.moves, opening.points.map(|point| point.to_string()));
    }
}

#[test]
fn every_triple_round_the_centre_is_one_opening_in_one_of_its_orientations() {
    let size = Size::STANDARD;
    let within = |radius| size.points().filter(move |p| Zone::Within(radius).contains(*p, size));
    let mut images: BTreeMap<&str, usize> = BTreeMap::new();
    for second in within(1) {
        for third in within(2) {
            let points = [size.center(), second, third];
            let distinct = second != third && !points[1..].contains(&points[0]);
            let opening = canonical::recognise(size, points);
            assert_eq!(opening.is_some(), distinct, "{points:?}");
            if let Some(opening) = opening {
                *images.entry(opening.code).or_default() += 1;
            }
        }
    }
    for listed in listed() {
        assert_eq!(images[&*listed.code], listed.orbit, "{}", listed.code);
    }
}

#[test]
fn stones_elsewhere_make_no_opening() {
    let none = |text: [&str; 3]| {
        let points: [Point; 3] = text.map(|point| point.parse().unwrap());
        assert_eq!(canonical::recognise(Size::STANDARD, points), None, "{text:?}");
    };
    none(["h9", "h8", "h10"]);
    none(["h8", "h10", "h9"]);
    none(["h8", "h9", "k8"]);
    none(["h8", "h9", "h16"]);
}
