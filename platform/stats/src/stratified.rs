use crate::WinDrawLoss;
use crate::normal::distribution;

/// What is compared must vary at least so much to be about normally distributed.
const LEAST_VARIANCE: f64 = 5.0;

/// How one group of games differs from all games of the same kinds, of which it is a part.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct GroupFit {
    /// The points of the group beyond what its games were expected to give.
    pub surplus: f64,
    /// The chi² of its wins and losses together.
    pub chi2: f64,
    /// How likely a chi² as great or greater is if the group is drawn by lot from all games.
    pub p: f64,
}

/// Compares a group with all games, kind by kind: for each, the group's score and that of all its
/// games, the group's included.
///
/// If the group's games of a kind are drawn by lot, its wins and losses are distributed
/// hypergeometrically. Their differences from what is expected, and their covariances, are added up
/// over the kinds; χ² = dᵀV⁻¹d has two degrees of freedom. That is the generalized
/// Cochran–Mantel–Haenszel test (A. Agresti, "Categorical Data Analysis", 7.5). Where draws are too
/// rare to be normally distributed, only points are compared, with one degree of freedom; and where
/// there are too few games for that, nothing is.
///
/// ```
/// use tengen_stats::{WinDrawLoss, stratified};
/// let all = WinDrawLoss { wins: 500, draws: 100, losses: 400 };
/// let usual = stratified([(WinDrawLoss { wins: 50, draws: 10, losses: 40 }, all)]);
/// assert!(usual.surplus.abs() < 1e-9 && usual.p > 0.999);
/// let odd = stratified([(WinDrawLoss { wins: 20, draws: 10, losses: 70 }, all)]);
/// assert!((odd.surplus + 30.0).abs() < 1e-9 && odd.p < 1e-6);
/// ```
pub fn stratified(kinds: impl IntoIterator<Item = (WinDrawLoss, WinDrawLoss)>) -> GroupFit {
    let (mut won, mut lost) = (0.0, 0.0);
    let (mut of_wins, mut of_losses, mut of_both) = (0.0, 0.0, 0.0);
    for (group, all) in kinds {
        let (some, games) = (group.games() as f64, all.games() as f64);
        if games < 2.0 || some == 0.0 || some == games {
            continue;
        }
        let [wins, losses] = [all.wins, all.losses].map(|count| count as f64 / games);
        won += group.wins as f64 - some * wins;
        lost += group.losses as f64 - some * losses;
        let spread = some * (games - some) / (games - 1.0);
        of_wins += spread * wins * (1.0 - wins);
        of_losses += spread * losses * (1.0 - losses);
        of_both -= spread * wins * losses;
    }
    let surplus = (won - lost) / 2.0;
    let of_points = (of_wins + of_losses - 2.0 * of_both) / 4.0;
    let of_draws = of_wins + of_losses + 2.0 * of_both;
    if of_points < LEAST_VARIANCE {
        return GroupFit { surplus, chi2: 0.0, p: 1.0 };
    }
    if of_draws < LEAST_VARIANCE {
        // Half a point is the least difference: the correction for continuity (F. Yates, 1934).
        let beyond = (surplus.abs() - 0.25).max(0.0);
        let chi2 = beyond * beyond / of_points;
        return GroupFit { surplus, chi2, p: 2.0 * distribution(-chi2.sqrt()) };
    }
    let determinant = of_wins * of_losses - of_both * of_both;
    let chi2 =
        (won * won * of_losses - 2.0 * won * lost * of_both + lost * lost * of_wins) / determinant;
    // Two degrees of freedom: P(χ² > x) = e^(−x/2).
    GroupFit { surplus, chi2, p: (-chi2 / 2.0).exp() }
}

#[cfg(test)]
mod tests {
    use tengen_random::Random;

    use super::*;

    fn score(wins: u64, draws: u64, losses: u64) -> WinDrawLoss {
        WinDrawLoss { wins, draws, losses }
    }

    #[test]
    fn nothing_to_compare_with_is_no_difference() {
        let none = GroupFit { surplus: 0.0, chi2: 0.0, p: 1.0 };
        assert_eq!(stratified([]), none);
        assert_eq!(stratified([(score(5, 0, 0), score(5, 0, 0))]), none, "it is all there is");
        assert_eq!(stratified([(score(5, 0, 0), score(9, 0, 0))]), none, "all games are alike");
    }

    #[test]
    fn without_draws_it_is_the_test_of_two_proportions() {
        // 30 of 100 against 50 of 100.
        let fit = stratified([(score(30, 0, 70), score(80, 0, 120))]);
        let variance = 0.4 * 0.6 * 100.0 * 100.0 / 199.0;
        assert!((fit.chi2 - 9.75 * 9.75 / variance).abs() < 1e-9 && fit.surplus == -10.0);
        assert!((fit.p - 0.0050).abs() < 3e-4, "{}", fit.p);
    }

    #[test]
    fn a_rare_draw_or_few_games_are_nothing_odd() {
        let all = score(5000, 1, 4999);
        assert!(stratified([(score(50, 1, 49), all)]).p > 0.5);
        assert_eq!(stratified([(score(0, 0, 9), all)]).p, 1.0);
        assert!(stratified([(score(10, 0, 90), all)]).p < 1e-10);
    }

    /// Groups that are drawn by lot are found odd as often as the p-value says.
    #[test]
    fn honest_groups_are_seldom_odd() {
        let mut random = Random::new(7);
        let mut odd = [0; 3];
        for _ in 0..4000 {
            let mut kinds = Vec::new();
            for kind in 0..6u64 {
                let mut results: Vec<u64> =
                    (0..120).map(|game| (game * (kind + 1) + kind) % 7 % 3).collect();
                random.shuffle(&mut results);
                let count = |games: &[u64]| {
                    let of = |result| games.iter().filter(|one| **one == result).count() as u64;
                    score(of(0), of(1), of(2))
                };
                kinds.push((count(&results[..30]), count(&results)));
            }
            let p = stratified(kinds).p;
            for (place, bound) in [0.5, 0.05, 0.01].into_iter().enumerate() {
                odd[place] += u32::from(p < bound);
            }
        }
        assert!((1850..2150).contains(&odd[0]), "{odd:?}");
        assert!((140..260).contains(&odd[1]), "{odd:?}");
        assert!((15..70).contains(&odd[2]), "{odd:?}");
    }
}
