use tengen_rules::{Color, Point, Rule, Size};

use super::*;
use crate::random::Random;

/// Whether two analyses know the same.
fn assert_same(one: &Analysis, other: &Analysis) {
    assert_eq!(one.hash, other.hash);
    assert_eq!(one.near, other.near);
    for color in Color::ALL {
        let (one, other) = (&one.sides[color], &other.sides[color]);
        assert_eq!((&one.points, &one.counts), (&other.points, &other.counts), "{color}");
    }
    for point in one.size.points() {
        for color in Color::ALL {
            assert_eq!(one.shapes(point, color), other.shapes(point, color), "{point} {color}");
            assert_eq!(one.threat(point, color), other.threat(point, color), "{point} {color}");
        }
    }
}

/// Lays and takes away stones at random; every so often compares with what `check` finds.
fn wander(rule: Rule, size: Size, seed: u64, mut check: impl FnMut(&Analysis)) {
    let mut random = Random::new(seed);
    let mut analysis = Analysis::new(rule, size);
    let points: Vec<Point> = size.points().collect();
    for step in 0..300 {
        let point = points[random.below(points.len())];
        match analysis.get(point) {
            Some(_) if random.below(3) == 0 => analysis.remove(point),
            Some(_) => {}
            None => analysis.place(point, Color::ALL[random.below(2)]),
        }
        if step % 20 == 0 {
            check(&analysis);
        }
    }
}

#[test]
fn incremental_equals_from_scratch() {
    let sizes = [(5, 5), (15, 15), (20, 15), (6, 32), (32, 32)];
    for (seed, rule) in Rule::ALL.into_iter().enumerate() {
        for (width, height) in sizes {
            let size = Size::new(width, height).unwrap();
            wander(rule, size, seed as u64, |analysis| {
                let mut scratch = Analysis::new(rule, size);
                for (point, color) in analysis.board().stones() {
                    scratch.place(point, color);
                }
                assert_same(analysis, &scratch);
            });
        }
    }
}

#[test]
fn fives_and_fouls_are_those_of_the_rules() {
    for rule in Rule::ALL {
        for seed in 0..20 {
            wander(rule, Size::STANDARD, seed, |analysis| {
                for point in analysis.size().points().filter(|&point| analysis.is_empty(point)) {
                    for color in Color::ALL {
                        let five = analysis.threat(point, color) == Threat::Five;
                        assert_eq!(five, analysis.board().wins(rule, point, color), "{point}");
                    }
                    if rule == Rule::Renju {
                        assert_eq!(analysis.foul(point), analysis.board().foul(point), "{point}");
                    }
                }
            });
        }
    }
}

/// A board from rows of `.`, `X` (Black) and `O` (White), the top row first.
fn board(rule: Rule, rows: &[&str]) -> Analysis {
    let size = Size::new(rows[0].len() as u8, rows.len() as u8).unwrap();
    let mut analysis = Analysis::new(rule, size);
    for (y, row) in rows.iter().rev().enumerate() {
        for (x, stone) in row.chars().enumerate() {
            let point = Point::new(x as u8, y as u8);
            match stone {
                'X' => analysis.place(point, Color::Black),
                'O' => analysis.place(point, Color::White),
                _ => {}
            }
        }
    }
    analysis
}

#[test]
fn a_four_is_defended_at_its_gap_and_under_caro_at_its_ends() {
    let rows = [".......", ".......", "OXXXX..", ".......", ".......", ".......", "......."];
    let gap = Point::new(5, 4);
    for (rule, expected) in
        [(Rule::Freestyle, vec![gap]), (Rule::Caro, vec![gap, Point::new(6, 4)])]
    {
        let analysis = board(rule, &rows);
        assert_eq!(analysis.threat(gap, Color::Black), Threat::Five);
        let defences = analysis.defences(gap, Color::Black);
        assert_eq!(defences.iter().collect::<Vec<_>>(), expected, "{rule}");
    }
}

#[test]
fn a_full_board_has_nothing_left() {
    let size = Size::new(5, 5).unwrap();
    let mut analysis = Analysis::new(Rule::Freestyle, size);
    for (ply, point) in size.points().enumerate() {
        analysis.place(point, Color::of_ply(ply));
    }
    assert!(analysis.is_full() && analysis.near().is_empty());
    assert_eq!(analysis.counts(Color::Black), &[0; Shape::COUNT]);
}
