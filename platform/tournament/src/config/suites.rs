//! The balanced opening suites that come with the program.

use tengen_record::formats::suite;
use tengen_rules::{Point, Rule, Size};

/// The suites by rule and board, as `cargo xtask suites` makes them.
const SUITES: [(Rule, u8, &str); 7] = [
    (Rule::Freestyle, 15, include_str!("../../suites/freestyle-15.pos")),
    (Rule::Freestyle, 20, include_str!("../../suites/freestyle-20.pos")),
    (Rule::Standard, 15, include_str!("../../suites/standard-15.pos")),
    (Rule::Standard, 20, include_str!("../../suites/standard-20.pos")),
    (Rule::Renju, 15, include_str!("../../suites/renju-15.pos")),
    (Rule::Caro, 15, include_str!("../../suites/caro-15.pos")),
    (Rule::Caro, 20, include_str!("../../suites/caro-20.pos")),
];
/// Of the boards for which there is no suite, those that are as small on one side as this, or
/// smaller, are too small for that of another.
const TOO_SMALL: u8 = 12;

/// The balanced positions for a rule and a board. Where no suite was made for the board, it is that
/// of the next smaller board, or of the smallest; none where the board is much smaller still.
pub(super) fn balanced(rule: Rule, size: Size) -> Option<Vec<Vec<Point>>> {
    let side = size.width().min(size.height());
    let of_rule = SUITES.iter().filter(|suite| suite.0 == rule);
    let fitting = of_rule.clone().filter(|suite| suite.1 <= side).max_by_key(|suite| suite.1);
    let suite = fitting.or_else(|| of_rule.clone().min_by_key(|suite| suite.1));
    let (_, _, text) = suite.filter(|_| side > TOO_SMALL)?;
    suite::read(text, rule, size).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every suite is one, has no position twice, and serves its board and those that have none.
    #[test]
    fn every_suite_can_be_played() {
        for (rule, side, text) in SUITES {
            let size = Size::new(side, side).unwrap();
            let positions = suite::read(text, rule, size).unwrap();
            assert!(positions.len() >= 20, "{rule} on {size}: {}", positions.len());
            assert_eq!(balanced(rule, size), Some(positions.clone()));
            let mut boards: Vec<_> = positions
                .into_iter()
                .map(|mut stones| {
                    stones.sort_unstable();
                    stones
                })
                .collect();
            boards.sort_unstable();
            let count = boards.len();
            boards.dedup();
            assert_eq!(boards.len(), count, "{rule} on {size}");
        }
        let of = |text: &str| balanced(Rule::Renju, text.parse().unwrap());
        assert!(of("17").is_some() && of("20x13").is_some());
        assert_eq!(of("12"), None);
    }

    /// What each suite says of its own balance: the check of its making.
    #[test]
    fn black_makes_about_half_of_the_points() {
        for (rule, side, text) in SUITES {
            let share = text.split("Black made ").nth(1).and_then(|rest| rest.split(' ').next());
            let share: f64 = share.and_then(|share| share.parse().ok()).unwrap();
            assert!((35.0..=65.0).contains(&share), "{rule} on {side}: {share}");
        }
    }
}
