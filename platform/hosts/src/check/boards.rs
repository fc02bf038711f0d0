//! The boards on which an engine is checked.

use std::ops::RangeInclusive;

use tengen_rules::{Rule, Size};

use super::CheckScope;
use crate::EngineDescription;

/// The rules that an engine plays of those it is checked on, each with boards that it plays on: the
/// standard one, the smallest, the largest, a wide and a high one. A quick check takes all of them
/// for the first rule, and one for the others.
pub(super) fn boards(described: &EngineDescription, scope: CheckScope) -> Vec<(Rule, Size)> {
    let wanted = |rule: &Rule| scope.rule.is_none_or(|only| only == *rule);
    let mut played: Vec<(Rule, RangeInclusive<u8>)> =
        described.rules.iter().map(|support| (support.rule, support.sizes.clone())).collect();
    if played.is_empty() {
        played = Rule::ALL.map(|rule| (rule, Size::MIN..=Size::MAX)).to_vec();
    }
    played.retain(|(rule, _)| wanted(rule));
    let mut boards = Vec::new();
    for (rule, sides) in played {
        let is_first = boards.is_empty();
        let mut sizes = of_range(&sides);
        if let Some(size) = scope.size {
            let plays = sides.contains(&size.width()) && sides.contains(&size.height());
            sizes = if plays { vec![size] } else { Vec::new() };
        }
        let most = if scope.quick && !is_first { 1 } else { sizes.len() };
        boards.extend(sizes.into_iter().take(most).map(|size| (rule, size)));
    }
    boards
}

/// The board that is nearest to the standard one comes first.
fn of_range(sides: &RangeInclusive<u8>) -> Vec<Size> {
    let (low, high) = (*sides.start(), *sides.end());
    let usual = Size::STANDARD.width().clamp(low, high.max(low));
    let width = high.min(20);
    let height = low.max(width / 4 * 3);
    let sizes = [(usual, usual), (width, height), (height, width), (low, low), (high, high)];
    let mut known = Vec::new();
    for size in sizes.into_iter().filter_map(|(width, height)| Size::new(width, height).ok()) {
        if !known.contains(&size) {
            known.push(size);
        }
    }
    known
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(text: &str, scope: CheckScope) -> String {
        let described = EngineDescription::parse(text).unwrap();
        let boards = boards(&described, scope);
        boards.iter().map(|(rule, size)| format!("{rule} {size}")).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn every_sort_of_board_that_is_claimed_is_taken() {
        let all = CheckScope::default();
        assert_eq!(named("rule renju 15..15", all), "renju 15");
        assert_eq!(
            named("rule freestyle 10..22\nrule renju 15..15", all),
            "freestyle 15, freestyle 20x15, freestyle 15x20, freestyle 10, freestyle 22, renju 15"
        );
        let quick = CheckScope { quick: true, ..all };
        let sizes = "15, freestyle 20x15, freestyle 15x20, freestyle 5, freestyle 32";
        assert_eq!(named("", quick), format!("freestyle {sizes}, standard 15, renju 15, caro 15"));
        let size = Size::new(20, 15).ok();
        let only = CheckScope { rule: Some(Rule::Renju), size, quick: false };
        assert_eq!(named("", only), "renju 20x15");
        assert_eq!(named("rule renju 15..15", only), "");
    }
}
