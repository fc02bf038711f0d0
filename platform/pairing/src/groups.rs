//! Groups: how players are dealt into them, and how the best of them go on.

/// Deals so many players into groups by their seeds, there and back again: with three groups 0 1 2,
/// then 5 4 3, then 6 7 8…
///
/// # Panics
/// Without groups.
pub fn deal(players: usize, groups: usize) -> Vec<Vec<usize>> {
    assert!(groups > 0, "players are dealt into some groups");
    let mut dealt = vec![Vec::new(); groups];
    for player in 0..players {
        let (row, column) = (player / groups, player % groups);
        dealt[if row.is_multiple_of(2) { column } else { groups - 1 - column }].push(player);
    }
    dealt
}

/// The order in which the best of groups go on: all that were first of theirs, then all seconds…
/// `ranked` has each rank's players best first, with the group they come from. A player that would
/// meet one of its own group at once, where the first meets the last, the second the last but one
/// and so on, changes places with the nearest of its rank where that helps.
pub fn mix_groups(ranked: &[Vec<(usize, usize)>]) -> Vec<usize> {
    let ranks: Vec<usize> =
        ranked.iter().enumerate().flat_map(|(rank, all)| all.iter().map(move |_| rank)).collect();
    let mut order: Vec<(usize, usize)> = ranked.iter().flatten().copied().collect();
    let count = order.len();
    let size = count.next_power_of_two();
    // Which players have an opponent in the first round of a bracket, and which one.
    let rival = |at: usize| size - 1 - at;
    let clash = |order: &[(usize, usize)], at: usize| {
        rival(at) < count && order[at].1 == order[rival(at)].1
    };
    for at in (count / 2..count).rev() {
        if !clash(&order, at) {
            continue;
        }
        let near = (0..count).filter(|&other| ranks[other] == ranks[at] && other != at);
        let mut near: Vec<usize> = near.collect();
        near.sort_by_key(|&other| (other.abs_diff(at), other));
        for other in near {
            order.swap(at, other);
            if !clash(&order, at) && !clash(&order, other) {
                break;
            }
            order.swap(at, other);
        }
    }
    order.into_iter().map(|(player, _)| player).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_are_dealt_there_and_back_again() {
        assert_eq!(deal(8, 3), [vec![0, 5, 6], vec![1, 4, 7], vec![2, 3]]);
        for players in 2..=64 {
            for groups in 1..=players {
                let dealt = deal(players, groups);
                let sizes = dealt.iter().map(Vec::len);
                assert!(sizes.clone().max().unwrap() - sizes.min().unwrap() <= 1);
                let mut all: Vec<usize> = dealt.into_iter().flatten().collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..players));
            }
        }
    }

    /// However many groups, and whichever players are best: none meets its own group in the first
    /// round.
    #[test]
    fn groups_do_not_meet_at_once() {
        let mut random = tengen_random::Random::new(1);
        for groups in 2..=16 {
            for take in 2..=4 {
                for _ in 0..20 {
                    let ranked: Vec<Vec<(usize, usize)>> = (0..take)
                        .map(|rank| {
                            let mut row: Vec<(usize, usize)> =
                                (0..groups).map(|group| (group * take + rank, group)).collect();
                            random.shuffle(&mut row);
                            row
                        })
                        .collect();
                    let order = mix_groups(&ranked);
                    let size = order.len().next_power_of_two();
                    for at in (0..order.len()).filter(|at| size - 1 - at < order.len()) {
                        let other = size - 1 - at;
                        if at != other && groups > 2 {
                            assert_ne!(order[at] / take, order[other] / take, "{order:?}");
                        }
                    }
                    for (at, player) in order.iter().enumerate() {
                        assert_eq!(player % take, at / groups, "each keeps its rank");
                    }
                }
            }
        }
    }
}
