use super::*;
use std::collections::BTreeMap;
use tengen_random::Random;

/// Plays a bracket to its end; the seeds of each wave, and how it stands then.
fn play(
    bracket: &Bracket,
    mut wins: impl FnMut(usize, usize) -> bool,
) -> (Vec<Vec<[usize; 2]>>, BracketState) {
    let mut won = BTreeMap::new();
    let mut waves = Vec::new();
    loop {
        let state = bracket.state(|number, _| won.get(&number).copied());
        if state.ready.is_empty() {
            assert!(state.is_over());
            return (waves, state);
        }
        let mut wave = Vec::new();
        for &number in &state.ready {
            let [MatchSide::Player(one), MatchSide::Player(other)] = state.entrants[number] else {
                panic!("a match without two players is ready")
            };
            wave.push([one, other]);
            won.insert(number, if wins(one, other) { one } else { other });
        }
        waves.push(wave);
    }
}

fn favourite(one: usize, other: usize) -> bool {
    one < other
}

/// The first rounds of brackets of 8 and 16, as they are published everywhere.
#[test]
fn seeds_are_where_published_brackets_have_them() {
    let first = |players| {
        let bracket = Bracket::knockout(players, false);
        let waves = play(&bracket, favourite).0;
        waves[0].iter().map(|pair| pair.map(|seed| seed + 1)).collect::<Vec<_>>()
    };
    assert_eq!(first(4), [[1, 4], [2, 3]]);
    let of_eight = [[1, 8], [4, 5], [2, 7], [3, 6]];
    assert_eq!(first(8), of_eight);
    let of_sixteen = [[1, 16], [8, 9], [4, 13], [5, 12], [2, 15], [7, 10], [3, 14], [6, 11]];
    assert_eq!(first(16), of_sixteen);
}

/// Every field of 2 to 64: the favourites meet as late as they can, the byes go to the first seeds,
/// each player but the champion loses one match, and the places are the seeds.
#[test]
fn favourites_come_through_a_knockout() {
    for players in 2..=64_usize {
        for third_place in [false, true] {
            let bracket = Bracket::knockout(players, third_place);
            let (waves, state) = play(&bracket, favourite);
            let byes = players.next_power_of_two() - players;
            let begin: Vec<usize> = waves[0].iter().flatten().copied().collect();
            assert!((0..byes.min(players)).all(|seed| !begin.contains(&seed)), "{players}");
            let mut left = players.next_power_of_two();
            for wave in &waves {
                let far = |pair: &&[usize; 2]| (pair[0] < left / 2) != (pair[1] < left / 2);
                assert!(wave.iter().filter(far).all(|pair| pair[0] + pair[1] == left - 1));
                assert!(wave.iter().filter(far).count() + 1 >= wave.len(), "but for places");
                left /= 2;
            }
            let matches: usize = waves.iter().map(Vec::len).sum();
            assert_eq!(matches, players - 1 + usize::from(third_place && players > 3));
            let ranking = bracket.ranking(&state);
            assert!(ranking.iter().flatten().copied().eq(0..players));
            assert_eq!(ranking[..2], [[0], [1]]);
            if third_place && players > 3 {
                assert_eq!(ranking[2..4], [[2], [3]]);
            }
        }
    }
}

/// Any results: a player is out after one lost match in a knockout, and after two in a double
/// elimination.
#[test]
fn an_engine_that_has_lost_enough_plays_no_more() {
    let mut random = Random::new(4);
    for players in 2..=64 {
        for reset in [false, true] {
            let bracket = Bracket::double_elimination(players, reset);
            let mut lost = vec![0; players];
            let (waves, state) = play(&bracket, |one, other| {
                assert!(lost[one] < 2 && lost[other] < 2, "{players}: {one} {other}");
                let wins = random.coin();
                lost[if wins { other } else { one }] += 1;
                wins
            });
            assert!(waves.len() <= 2 * players.ilog2() as usize + 4);
            let ranking = bracket.ranking(&state);
            assert_eq!(ranking[0].len(), 1);
            assert_eq!(ranking.iter().flatten().count(), players);
            let champion = ranking[0][0];
            assert_eq!(state.winners.last(), Some(&MatchSide::Player(champion)));
            for player in (0..players).filter(|&player| player != champion) {
                let few = if reset { 2 } else { 1 };
                assert!((few..=2).contains(&lost[player]), "{players}: {player}");
            }
            assert!(lost[champion] < 2);
        }
    }
}

/// The published bracket of eight: losers of the first round play their neighbours, and losers of
/// the second come to the other end.
#[test]
fn the_losers_of_eight_are_where_published_brackets_have_them() {
    let (waves, _) = play(&Bracket::double_elimination(8, true), favourite);
    let waves: Vec<Vec<[usize; 2]>> = waves
        .iter()
        .map(|wave| wave.iter().map(|pair| pair.map(|seed| seed + 1)).collect())
        .collect();
    assert_eq!(waves[0], [[1, 8], [4, 5], [2, 7], [3, 6]]);
    assert_eq!(waves[1], [[1, 4], [2, 3], [8, 5], [7, 6]]);
    assert_eq!(waves[2], [[1, 2], [5, 3], [6, 4]]);
    assert_eq!(waves[3], [[3, 4]]);
    assert_eq!(waves[4], [[3, 2]]);
    assert_eq!(waves[5], [[1, 2]]);
    assert_eq!(waves.len(), 6, "no second final");
}

#[test]
fn a_lost_final_is_played_again() {
    let bracket = Bracket::double_elimination(4, true);
    // The second seed loses to the first once, and beats it from then on.
    let mut met = 0;
    let (waves, state) = play(&bracket, |one, other| {
        if sorted([one, other]) == [0, 1] {
            met += 1;
            return (met == 1) == (one == 0);
        }
        one < other
    });
    assert_eq!(waves[waves.len() - 2..], [[[0, 1]], [[1, 0]]]);
    assert_eq!(bracket.ranking(&state)[..2], [[1], [0]]);
    let once = Bracket::double_elimination(4, false);
    assert_eq!(once.matches().len() + 1, bracket.matches().len());
}

/// A player that comes down does not meet an earlier opponent again until so few are left that it
/// may have to.
#[test]
fn no_pair_meets_again_soon() {
    let mut random = Random::new(8);
    for players in [8, 16, 32, 64] {
        for _ in 0..200 {
            let bracket = Bracket::double_elimination(players, true);
            let (waves, _) = play(&bracket, |_, _| random.coin());
            let mut met = std::collections::BTreeSet::new();
            let last = players.ilog2() as usize;
            for (number, wave) in waves.iter().enumerate() {
                for pair in wave {
                    assert!(met.insert(sorted(*pair)) || number >= last, "{players} {number}");
                }
            }
        }
    }
}

fn sorted(mut pair: [usize; 2]) -> [usize; 2] {
    pair.sort_unstable();
    pair
}
