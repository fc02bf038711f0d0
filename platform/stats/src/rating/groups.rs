//! Which players can be compared with each other.

use super::Meeting;

/// The group of each player, numbered from 0 in the order of the players: two are in one group
/// where a chain of opponents leads from one to the other.
pub(super) fn groups(players: usize, meetings: &[Meeting]) -> Vec<usize> {
    let mut leader: Vec<usize> = (0..players).collect();
    fn find(leader: &mut [usize], mut one: usize) -> usize {
        while leader[one] != one {
            leader[one] = leader[leader[one]];
            one = leader[one];
        }
        one
    }
    for meeting in meetings {
        let one = find(&mut leader, meeting.first);
        let other = find(&mut leader, meeting.second);
        leader[one.max(other)] = one.min(other);
    }
    let mut numbers = vec![usize::MAX; players];
    let mut next = 0;
    (0..players)
        .map(|one| {
            let number = &mut numbers[find(&mut leader, one)];
            if *number == usize::MAX {
                *number = next;
                next += 1;
            }
            *number
        })
        .collect()
}

/// Whether the games do not show the advantage of a seat: it could as well be a difference of
/// strength, for instance if one of two players always had the first seat.
pub(super) fn is_seat_unknown(players: usize, meetings: &[Meeting]) -> bool {
    let mut neighbors = vec![Vec::new(); players];
    for meeting in meetings {
        neighbors[meeting.first].push((meeting.second, -1_i64));
        neighbors[meeting.second].push((meeting.first, 1));
    }
    // Levels such that every first seat is one above its second.
    let mut levels = vec![None; players];
    for start in 0..players {
        if levels[start].is_some() {
            continue;
        }
        levels[start] = Some(0);
        let mut left = vec![(start, 0)];
        while let Some((one, level)) = left.pop() {
            for &(next, step) in &neighbors[one] {
                match levels[next] {
                    None => {
                        levels[next] = Some(level + step);
                        left.push((next, level + step));
                    }
                    Some(known) if known != level + step => return false,
                    Some(_) => {}
                }
            }
        }
    }
    true
}

/// The players that no finite ratings explain: a set of them made every point of its games with the
/// rest of its group, or none (L. Ford, American Mathematical Monthly 64, 1957). Of each group
/// that falls apart so, those of its smallest such set at the top or at the bottom.
pub(super) fn shutouts(players: usize, meetings: &[Meeting], groups: &[usize]) -> Vec<usize> {
    let (mut beats, mut beaten) = (vec![Vec::new(); players], vec![Vec::new(); players]);
    for &Meeting { first, second, score } in meetings {
        if score.wins + score.draws > 0 {
            beats[first].push(second);
            beaten[second].push(first);
        }
        if score.losses + score.draws > 0 {
            beats[second].push(first);
            beaten[first].push(second);
        }
    }
    let reached = |from: usize, edges: &[Vec<usize>]| {
        let mut seen = vec![false; players];
        let mut left = vec![from];
        seen[from] = true;
        while let Some(one) = left.pop() {
            for &next in &edges[one] {
                if !std::mem::replace(&mut seen[next], true) {
                    left.push(next);
                }
            }
        }
        seen
    };
    let mut found = Vec::new();
    for group in 0..groups.iter().max().map_or(0, |most| most + 1) {
        let members: Vec<usize> = (0..players).filter(|&one| groups[one] == group).collect();
        let (down, up) = (reached(members[0], &beats), reached(members[0], &beaten));
        let sets = [
            members.iter().copied().filter(|&one| !down[one]).collect::<Vec<_>>(),
            members.iter().copied().filter(|&one| !up[one]).collect(),
            members.iter().copied().filter(|&one| down[one]).collect(),
            members.iter().copied().filter(|&one| up[one]).collect(),
        ];
        if sets[0].is_empty() && sets[1].is_empty() {
            continue;
        }
        let parts = sets.into_iter().filter(|set| !set.is_empty() && set.len() < members.len());
        found.extend(parts.min_by_key(Vec::len).unwrap_or_default());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WinDrawLoss;

    fn meeting(first: usize, second: usize, wins: u64, draws: u64, losses: u64) -> Meeting {
        Meeting { first, second, score: WinDrawLoss { wins, draws, losses } }
    }

    #[test]
    fn a_chain_of_opponents_makes_a_group() {
        let games = [meeting(4, 1, 1, 0, 0), meeting(0, 2, 1, 0, 0), meeting(4, 2, 0, 1, 0)];
        assert_eq!(groups(6, &games), [0, 0, 0, 1, 0, 2]);
    }

    #[test]
    fn seats_that_never_change_say_nothing_of_their_advantage() {
        let one_way = [meeting(0, 1, 1, 0, 0), meeting(1, 2, 1, 0, 0), meeting(3, 2, 1, 0, 0)];
        assert!(is_seat_unknown(5, &one_way));
        assert!(!is_seat_unknown(3, &[one_way[0], meeting(1, 0, 0, 1, 0)]));
        // Round a circle none can be above the next.
        assert!(!is_seat_unknown(3, &[one_way[0], one_way[1], meeting(2, 0, 1, 0, 0)]));
    }

    #[test]
    fn who_only_won_or_only_lost_is_found() {
        let whole = [meeting(0, 1, 1, 0, 1), meeting(1, 2, 0, 1, 0)];
        assert_eq!(shutouts(3, &whole, &[0; 3]), []);
        let last = [meeting(0, 1, 1, 0, 1), meeting(1, 2, 5, 0, 0), meeting(2, 0, 0, 0, 5)];
        assert_eq!(shutouts(3, &last, &[0; 3]), [2]);
        let first = [meeting(2, 1, 4, 0, 0), meeting(1, 0, 1, 1, 0)];
        assert_eq!(shutouts(3, &first, &[0; 3]), [2]);
        // Two that are even beat two that are even.
        let halves = [meeting(0, 1, 1, 0, 1), meeting(2, 3, 1, 0, 1), meeting(0, 3, 2, 0, 0)];
        assert_eq!(shutouts(4, &halves, &[0; 4]).len(), 2);
    }
}
