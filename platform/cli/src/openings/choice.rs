//! The choice of positions for a book, by the games that were played from them.
//!
//! How far an engine sees decides which colour wins from a position: where a search of one ply says
//! half of them are Black's, one of two plies may say a good deal more or less. So the positions
//! are chosen until Black makes a half with each of several time controls.

use std::collections::BTreeMap;

/// What Black made in games from a position, in halves of a point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Played {
    /// The position's number among those drawn, counted from 0.
    pub number: u64,
    /// In the games with each time control.
    pub halves: Vec<u32>,
    /// In one more game with each, of another seed; of some positions only.
    pub again: Vec<u32>,
}

/// What the games that were played tell of games to come. Values of each time control are in order.
struct Outlook {
    /// Black's share over all positions.
    means: Vec<f64>,
    /// How the shares of a position with two time controls vary together.
    spread: Vec<Vec<f64>>,
    /// How much of what a position is off the mean is seen again in another game from it: less
    /// than all, since a part is luck.
    lasting: Vec<f64>,
    /// What Black can make in the games from a position, in halves of a point.
    full: f64,
}

impl Outlook {
    /// As how many positions, about which nothing is unusual, the sense counts that a few games do
    /// not overrule.
    const SENSE: f64 = 100.0;
    /// How much lasts, before it is known.
    const LASTING: f64 = 0.6;

    fn of(played: &[Played], games: u32) -> Outlook {
        let controls = 0..played.first().map_or(0, |one| one.halves.len());
        let full = f64::from(2 * games);
        let (many, quarter) = (played.len() as f64 + Outlook::SENSE, Outlook::SENSE / 4.0);
        let share = |one: &Played, control: usize| f64::from(one.halves[control]) / full;
        let mean = |control: usize| {
            let sum: f64 = played.iter().map(|one| share(one, control)).sum();
            (sum + Outlook::SENSE / 2.0) / many
        };
        let means: Vec<f64> = controls.clone().map(mean).collect();
        let off = |one: &Played, control: usize| share(one, control) - means[control];
        let together = |one: usize, other: usize| {
            let sum: f64 = played.iter().map(|at| off(at, one) * off(at, other)).sum();
            (sum + if one == other { quarter } else { 0.0 }) / many
        };
        let lasting = |control: usize| {
            let (mut again, mut all) = (quarter * Outlook::LASTING, quarter);
            for one in played.iter().filter(|one| !one.again.is_empty()) {
                let later = f64::from(one.again[control]) / 2.0 - means[control];
                again += off(one, control) * later;
                all += off(one, control).powi(2);
            }
            (again / all).clamp(0.2, 1.0)
        };
        let row = |one| controls.clone().map(|other| together(one, other)).collect();
        let spread = controls.clone().map(row).collect();
        let lasting = controls.clone().map(lasting).collect();
        Outlook { means, spread, lasting, full }
    }

    /// The shares that Black is to expect in games to come from such a position, by all games from
    /// it: the best linear guess.
    fn expected(&self, halves: &[u32]) -> Vec<f64> {
        let shares: Vec<f64> = halves.iter().map(|&of| f64::from(of) / self.full).collect();
        let weights = self.weights(&shares);
        let luck = |control: usize| {
            (1.0 - self.lasting[control]) * self.spread[control][control] * weights[control]
        };
        (0..shares.len()).map(|control| shares[control] - luck(control)).collect()
    }

    /// What the spread makes into how far these shares are off the means (Gauss and Seidel).
    fn weights(&self, shares: &[f64]) -> Vec<f64> {
        const ROUNDS: usize = 50;
        let mut weights = vec![0.0; shares.len()];
        for _ in 0..ROUNDS {
            for (at, row) in self.spread.iter().enumerate() {
                let sum: f64 = row.iter().zip(&weights).map(|(one, weight)| one * weight).sum();
                weights[at] += (shares[at] - self.means[at] - sum) / row[at];
            }
        }
        weights
    }
}

/// As many of some positions as can be chosen.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct BookChoice {
    /// Their places among those played, in order, and the share that Black is to expect from each.
    pub chosen: Vec<(usize, f64)>,
    /// The share to expect over all of them, with each time control.
    pub shares: Vec<f64>,
}

impl BookChoice {
    /// How far from a half the share with a time control may be.
    const OFF: f64 = 0.002;

    /// Chooses at most so many positions, from each of which so many games were played with each
    /// time control: those from which each colour made a quarter of the points at least, less as
    /// few as must go for Black to expect a half with each time control.
    pub fn of(played: &[Played], games: u32, most: usize) -> BookChoice {
        let controls = played.first().map_or(0, |one| one.halves.len());
        let outlook = Outlook::of(played, games);
        // Positions whose games ended alike are worth the same.
        let mut alike: BTreeMap<&[u32], Vec<usize>> = BTreeMap::new();
        for (place, one) in played.iter().enumerate() {
            let all = games * controls as u32;
            if (all..=3 * all).contains(&(2 * one.halves.iter().sum::<u32>())) {
                alike.entry(&one.halves).or_default().push(place);
            }
        }
        let mut groups: Vec<(Vec<f64>, Vec<usize>)> =
            alike.into_iter().map(|(halves, places)| (outlook.expected(halves), places)).collect();
        thin_out(&mut groups, controls, most);
        let mean = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let mut chosen: Vec<(usize, f64)> = groups
            .iter()
            .flat_map(|(shares, places)| places.iter().map(|&place| (place, mean(shares))))
            .collect();
        chosen.sort_unstable_by_key(|(place, _)| *place);
        let sums = off_a_half(&groups, controls);
        let shares = sums.iter().map(|off| 0.5 + off / chosen.len().max(1) as f64).collect();
        BookChoice { chosen, shares }
    }
}

/// By how much all positions together are off a half of the points, with each time control.
fn off_a_half(groups: &[(Vec<f64>, Vec<usize>)], controls: usize) -> Vec<f64> {
    let of = |control: usize| {
        groups.iter().map(move |(shares, places)| (shares[control] - 0.5) * places.len() as f64)
    };
    (0..controls).map(|control| of(control).sum()).collect()
}

/// Takes positions out, each time the one without which the rest is nearest to a half, of several
/// the last drawn, until few enough are left and with each time control they are near it.
fn thin_out(groups: &mut [(Vec<f64>, Vec<usize>)], controls: usize, most: usize) {
    let mut left: usize = groups.iter().map(|(_, places)| places.len()).sum();
    let mut off = off_a_half(groups, controls);
    // Nothing is nearer than half a game.
    let is_far = |off: f64, left: usize| off.abs() > (BookChoice::OFF * left as f64).max(0.5);
    while left > most || off.iter().any(|&off| is_far(off, left)) {
        let without = |shares: &[f64]| -> f64 {
            off.iter().zip(shares).map(|(off, share)| (off - (share - 0.5)).powi(2)).sum()
        };
        let full = groups.iter_mut().filter(|(_, places)| !places.is_empty());
        let Some((shares, places)) =
            full.min_by(|one, other| without(&one.0).total_cmp(&without(&other.0)))
        else {
            return;
        };
        places.pop();
        left -= 1;
        off.iter_mut().zip(shares).for_each(|(off, share)| *off -= *share - 0.5);
    }
}

#[cfg(test)]
mod tests {
    use tengen_random::Random;

    use super::*;

    /// Positions from which Black wins with chances that were drawn by lot for each time control,
    /// about these means, and those chances.
    fn pool(count: usize, means: &[f64], seed: u64) -> (Vec<Played>, Vec<Vec<f64>>) {
        let mut random = Random::new(seed);
        let mut unit = || random.below(1 << 20) as f64 / f64::from(1 << 20);
        let mut chances = Vec::new();
        let played = (0..count as u64).map(|number| {
            // Most are nearly won for one side, and often for the same with the next control.
            let mut lot = unit();
            let chance = means.iter().map(|mean| {
                let sure = 0.3 * unit();
                lot = if unit() < 0.4 { lot } else { unit() };
                if lot < *mean { 1.0 - sure } else { sure }
            });
            let chance: Vec<f64> = chance.collect();
            let mut games = || chance.iter().map(|one| 2 * u32::from(unit() < *one)).collect();
            let (halves, again): (Vec<u32>, Vec<u32>) = (games(), games());
            chances.push(chance);
            Played { number, halves, again: if number % 8 == 0 { again } else { Vec::new() } }
        });
        (played.collect(), chances)
    }

    fn true_shares(choice: &BookChoice, chances: &[Vec<f64>]) -> Vec<f64> {
        let count = choice.chosen.len() as f64;
        let of = |control: usize| choice.chosen.iter().map(move |one| chances[one.0][control]);
        (0..chances[0].len()).map(|control| of(control).sum::<f64>() / count).collect()
    }

    /// Games to come are even with each time control, not only those that chose.
    #[test]
    fn black_makes_a_half_with_each_time_control() {
        for (seed, means) in [[0.5, 0.45, 0.4, 0.57], [0.6, 0.6, 0.58, 0.55]].iter().enumerate() {
            let (played, chances) = pool(20_000, means, seed as u64);
            let choice = BookChoice::of(&played, 1, 10_000);
            assert_eq!(choice.chosen.len(), 10_000);
            assert_eq!(choice, BookChoice::of(&played, 1, 10_000));
            for share in true_shares(&choice, &chances) {
                assert!((share - 0.5).abs() < 0.01, "{share}");
            }
            for share in &choice.shares {
                assert!((share - 0.5).abs() <= BookChoice::OFF + 1e-9, "{share}");
            }
        }
    }

    /// What is balanced already loses nothing but what is one-sided, and what is not little more
    /// than it must.
    #[test]
    fn no_more_go_than_must() {
        let is_mixed = |one: &&Played| (2..=6).contains(&one.halves.iter().sum::<u32>());
        let (played, _) = pool(4_000, &[0.5; 4], 3);
        let mixed = played.iter().filter(is_mixed).count();
        assert!(BookChoice::of(&played, 1, 4_000).chosen.len() > mixed * 9 / 10);
        let (played, _) = pool(4_000, &[0.5, 0.5, 0.43, 0.57], 4);
        let mixed = played.iter().filter(is_mixed).count();
        let left = BookChoice::of(&played, 1, 4_000).chosen.len();
        assert!((mixed * 6 / 10..mixed * 9 / 10).contains(&left), "{left} of {mixed}");
    }

    #[test]
    fn little_is_chosen_from_little() {
        assert_eq!(BookChoice::of(&[], 1, 5).chosen, []);
        let one = |halves: [u32; 4]| Played { number: 0, halves: halves.to_vec(), again: vec![] };
        let played = [one([2, 0, 2, 0]), one([2, 2, 2, 2]), one([0, 2, 0, 2])];
        let choice = BookChoice::of(&played, 1, 5);
        assert_eq!(choice.chosen.iter().map(|one| one.0).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(BookChoice::of(&played, 1, 1).chosen.len(), 1);
    }
}
