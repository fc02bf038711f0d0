/// A ladder: players in an order, and newcomers who climb from the bottom, one after another. A
/// newcomer meets the one above it, takes its place if it wins, and goes on until it does not.
///
/// ```
/// use tengen_pairing::Ladder;
/// // 2 climbs to the top, whom 0 and 1 made up before.
/// let ladder = Ladder::new(3, 1);
/// let state = ladder.state(|_, _| Some(true));
/// assert_eq!((state.order, state.next), (vec![2, 0, 1], None));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ladder {
    players: usize,
    newcomers: usize,
}

/// How a ladder stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LadderState {
    /// The players from the top; those who have not begun are missing.
    pub order: Vec<usize>,
    /// The meeting that is to be played next: who climbs, and whom it meets.
    pub next: Option<[usize; 2]>,
    /// How many meetings were played.
    pub played: usize,
}

impl Ladder {
    /// A ladder of so many players from the top down, of whom the last ones are newcomers.
    ///
    /// # Panics
    /// When there would be nobody to meet, or nobody who climbs.
    pub fn new(players: usize, newcomers: usize) -> Ladder {
        assert!((1..players).contains(&newcomers), "a ladder has newcomers and others");
        Ladder { players, newcomers }
    }

    /// The most meetings that may come.
    pub fn most_meetings(&self) -> usize {
        (self.players - self.newcomers..self.players).sum()
    }

    /// How it stands where `wins` knows whether a newcomer has won of the one above it.
    pub fn state(&self, wins: impl Fn(usize, usize) -> Option<bool>) -> LadderState {
        let standing = self.players - self.newcomers;
        let mut order: Vec<usize> = (0..standing).collect();
        let mut played = 0;
        for climber in standing..self.players {
            order.push(climber);
            let mut place = order.len() - 1;
            while place > 0 {
                let above = order[place - 1];
                match wins(climber, above) {
                    None => return LadderState { order, next: Some([climber, above]), played },
                    Some(has_won) => {
                        played += 1;
                        if !has_won {
                            break;
                        }
                        order.swap(place, place - 1);
                        place -= 1;
                    }
                }
            }
        }
        LadderState { order, next: None, played }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use tengen_random::Random;

    /// Every meeting is asked for once, the one above is met, and where strength decides the ladder
    /// is in the order of strength in the end.
    #[test]
    fn newcomers_climb_as_far_as_they_win() {
        let mut random = Random::new(2);
        for players in [2, 3, 4, 7, 12, 25] {
            let mut strength: Vec<usize> = (0..players).collect();
            random.shuffle(&mut strength);
            let ladder = Ladder::new(players, players - 1);
            let mut results = BTreeMap::new();
            let state = loop {
                let state = ladder.state(|one, other| results.get(&(one, other)).copied());
                let Some([climber, above]) = state.next else { break state };
                let place = state.order.iter().position(|&at| at == climber).unwrap();
                assert_eq!(state.order[place - 1], above);
                let wins = strength[climber] > strength[above];
                assert_eq!(results.insert((climber, above), wins), None, "asked for twice");
            };
            assert!(state.order.windows(2).all(|two| strength[two[0]] > strength[two[1]]));
            assert_eq!(state.played, results.len());
            assert!(results.len() <= ladder.most_meetings());
        }
    }

    #[test]
    fn who_does_not_win_stays_below() {
        let state = Ladder::new(5, 2).state(|_, _| Some(false));
        assert_eq!((state.order, state.played), (vec![0, 1, 2, 3, 4], 2));
        let state = Ladder::new(5, 2).state(|climber, _| (climber == 3).then_some(true));
        assert_eq!(state.order, [3, 0, 1, 2, 4]);
        assert_eq!(state.next, Some([4, 2]));
    }
}
