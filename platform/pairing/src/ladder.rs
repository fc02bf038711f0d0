/// A ladder: players in an order, and newcomers that climb from the bottom, one after another. A
/// newcomer meets the one above it, takes its place if it wins, and goes on until it does not.
///
/// ```
/// use tengen_pairing::Ladder;
/// // 2 climbs to the top, whom 0 and 1 made up before.
/// let mut ladder = Ladder::new(3, 1);
/// while ladder.meeting().is_some() {
///     ladder.note(true);
/// }
/// assert_eq!(ladder.order(), [2, 0, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ladder {
    players: usize,
    /// The players from the top; those that have not begun are missing.
    order: Vec<usize>,
    /// Where the climber is in that order; none if no player is left to climb.
    climber: Option<usize>,
}

impl Ladder {
    /// A ladder of so many players from the top down; the last ones are newcomers.
    ///
    /// # Panics
    /// When there would be no player to meet, or none that climbs.
    pub fn new(players: usize, newcomers: usize) -> Ladder {
        assert!((1..players).contains(&newcomers), "a ladder has newcomers and others");
        let mut ladder =
            Ladder { players, order: (0..players - newcomers).collect(), climber: None };
        ladder.begin();
        ladder
    }

    /// The most meetings that may come in a ladder of so many players and newcomers.
    pub fn most_meetings(players: usize, newcomers: usize) -> usize {
        (players - newcomers..players).sum()
    }

    /// The players from the top; those that have not begun are missing.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The meeting that is to be played next: the climber, and the player above it.
    pub fn meeting(&self) -> Option<[usize; 2]> {
        let place = self.climber?;
        Some([self.order[place], self.order[place - 1]])
    }

    /// Takes in whether the climber has won the [next](Ladder::meeting) meeting.
    pub fn note(&mut self, has_won: bool) {
        let Some(place) = self.climber else { return };
        if has_won {
            self.order.swap(place, place - 1);
        }
        match place {
            2.. if has_won => self.climber = Some(place - 1),
            _ => self.begin(),
        }
    }

    /// Lets the next newcomer climb.
    fn begin(&mut self) {
        let newcomer = self.order.len();
        self.climber = (newcomer < self.players).then_some(newcomer);
        self.order.extend(self.climber);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tengen_random::Random;

    /// No two meet twice, each climber meets the player above it, and if strength decides, the
    /// ladder ends in the order of strength.
    #[test]
    fn newcomers_climb_as_far_as_they_win() {
        let mut random = Random::new(2);
        for players in [2, 3, 4, 7, 12, 25] {
            let mut strength: Vec<usize> = (0..players).collect();
            random.shuffle(&mut strength);
            let mut ladder = Ladder::new(players, players - 1);
            let mut met = BTreeSet::new();
            while let Some([climber, above]) = ladder.meeting() {
                let place = ladder.order().iter().position(|&at| at == climber).unwrap();
                assert_eq!(ladder.order()[place - 1], above);
                assert!(met.insert((climber, above)), "asked for twice");
                ladder.note(strength[climber] > strength[above]);
            }
            let order = ladder.order();
            assert_eq!(order.len(), players);
            assert!(order.windows(2).all(|two| strength[two[0]] > strength[two[1]]));
            assert!(met.len() <= Ladder::most_meetings(players, players - 1));
        }
    }

    #[test]
    fn who_does_not_win_stays_below() {
        let mut ladder = Ladder::new(5, 2);
        assert_eq!(ladder.meeting(), Some([3, 2]));
        ladder.note(false);
        assert_eq!(ladder.meeting(), Some([4, 3]));
        ladder.note(false);
        assert_eq!((ladder.meeting(), ladder.order()), (None, &[0, 1, 2, 3, 4][..]));
        let mut ladder = Ladder::new(5, 2);
        (0..3).for_each(|_| ladder.note(true));
        assert_eq!((ladder.meeting(), ladder.order()), (Some([4, 2]), &[3, 0, 1, 2, 4][..]));
    }
}
