//! Matchings with their proofs.

use super::*;
use tengen_random::Random;

/// The duals prove that no perfect matching weighs more: no edge has a negative slack, blossoms
/// counted, every matched one has none, and no blossom's dual is negative.
fn prove(search: &Matcher) {
    let mut sums = vec![Cost::NOTHING; (search.count + 1) * (search.count + 1)];
    let mut stack: Vec<usize> =
        (search.count + 1..=search.most).filter(|&at| search.is_top(at)).collect();
    while let Some(blossom) = stack.pop() {
        assert!(search.duals[blossom] >= Cost::NOTHING);
        let within: Vec<usize> =
            (1..=search.count).filter(|&vertex| search.petal(blossom, vertex) != 0).collect();
        assert!(within.len() % 2 == 1);
        for &one in &within {
            for &other in &within {
                sums[one * (search.count + 1) + other] += search.duals[blossom];
            }
        }
        stack.extend(search.petals[blossom].iter().filter(|&&petal| petal > search.count));
    }
    for one in 1..=search.count {
        assert_eq!(search.mate[search.mate[one]], one);
        for other in (1..=search.count).filter(|&other| other != one) {
            let slack = search.slack((one, other)) + sums[one * (search.count + 1) + other];
            assert!(slack >= Cost::NOTHING, "{one} {other}");
            assert!(slack == Cost::NOTHING || search.mate[one] != other, "{one} {other}");
        }
    }
}

fn random_costs(count: usize, most: usize, random: &mut Random) -> Vec<Cost> {
    let mut costs = vec![Cost::NOTHING; count * count];
    for one in 0..count {
        for other in 0..one {
            let mut number = || random.below(most) as i128;
            // Few values of the first number, so that the second decides often.
            let cost = Cost { first: number() % 4, second: number() % 3, third: number() };
            (costs[one * count + other], costs[other * count + one]) = (cost, cost);
        }
    }
    costs
}

/// The least cost by trying all perfect matchings.
fn tried(costs: &[Cost], count: usize, left: &mut Vec<usize>) -> Cost {
    let Some(one) = left.pop() else { return Cost::NOTHING };
    let mut best = Cost { first: i128::MAX, ..Cost::NOTHING };
    for place in 0..left.len() {
        let other = left.remove(place);
        best = best.min(costs[one * count + other] + tried(costs, count, left));
        left.insert(place, other);
    }
    left.push(one);
    best
}

#[test]
fn small_graphs_agree_with_all_matchings_tried() {
    let mut random = Random::new(5);
    for round in 0..1500 {
        let count = 2 * (1 + round % 4);
        let costs = random_costs(count, [2, 5, 1000][round % 3], &mut random);
        let partners = least_cost_matching(count, |one, other| costs[one * count + other]);
        let all = (0..count).map(|one| costs[one * count + partners[one]]);
        let cost = all.fold(Cost::NOTHING, Cost::add);
        assert_eq!(cost.half(), tried(&costs, count, &mut (0..count).collect()), "{round}");
    }
}

#[test]
fn every_matching_comes_with_a_proof() {
    let mut random = Random::new(6);
    for round in 0..300 {
        let count = 2 * (1 + random.below(24));
        let costs = random_costs(count, [2, 3, 9, 100, 1 << 40][round % 5], &mut random);
        // However few edges are looked at first.
        for kept in [1, 2, 5, count] {
            let begun = Matcher::new(count, |one, other| costs[one * count + other]);
            prove(&solve(begun, kept));
        }
    }
}

#[test]
fn costs_may_be_as_great_as_they_say() {
    let great = 1 << 111;
    let cost = |one: usize, other: usize| {
        let number = if one.abs_diff(other) == 100 { 7 } else { great };
        Cost { first: number, second: number, third: number }
    };
    let partners = least_cost_matching(200, cost);
    assert!((0..100).all(|one| partners[one] == one + 100));
}
