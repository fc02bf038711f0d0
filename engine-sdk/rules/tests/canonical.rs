//! The table of canonical openings against the corpus, and every triple against the table.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde::Deserialize;
use tengen_rules::{CanonicalOpening, Point, Size, Zone, canonical};

#[derive(Deserialize)]
struct ListedOpening {
    code: String,
    /// The code as RIF writes it.
    rif: String,
    english: String,
    japanese: String,
    romaji: String,
    chinese: String,
    #[serde(rename = "type")]
    kind: String,
    moves: [String; 3],
    /// How many different images it has on the board.
    orbit: usize,
}

fn listed() -> Vec<ListedOpening> {
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
        let (kind, number) = listed.code.split_at(1);
        assert_eq!(listed.rif, format!("{number}{kind}"));
        assert_eq!(listed.english, opening.english);
        assert_eq!(listed.japanese, opening.japanese);
        assert_eq!(listed.romaji, opening.romaji);
        assert_eq!(listed.chinese, opening.chinese);
        assert_eq!(listed.kind == "direct", opening.is_direct());
        assert_eq!(listed.moves, opening.points.map(|point| point.to_string()));
    }
}

/// Within one language no two openings share a name, and all languages call the same ones stars.
#[test]
fn names_tell_the_openings_apart_in_every_language() {
    type Name = fn(&CanonicalOpening) -> &'static str;
    let languages: [Name; 5] =
        [|o| o.code, |o| o.english, |o| o.japanese, |o| o.romaji, |o| o.chinese];
    for name in languages {
        let names: BTreeSet<&str> = canonical::ALL.iter().map(name).collect();
        assert_eq!(names.len(), canonical::ALL.len());
    }
    for opening in &canonical::ALL {
        let is_star = opening.japanese.ends_with('星');
        assert_eq!(opening.chinese.ends_with('星'), is_star, "{opening:?}");
        assert_eq!(opening.japanese.ends_with('月'), !is_star, "{opening:?}");
        assert_eq!(opening.chinese.ends_with('月'), !is_star, "{opening:?}");
        let english = opening.english;
        assert_eq!(english.ends_with(" Star") || english == "Comet", is_star, "{opening:?}");
        assert_eq!(english.ends_with(" Moon"), !is_star, "{opening:?}");
        assert_eq!(opening.romaji.ends_with("getsu"), !is_star, "{opening:?}");
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
