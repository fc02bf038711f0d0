use super::*;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn every_two_engines_meet_equally_often_on_both_seats() {
    for engines in 2..=9 {
        for games in 1..=5 {
            let schedule = Schedule::new(engines, games, 1);
            let mut met = BTreeMap::<(usize, usize), u32>::new();
            for game in schedule.iter() {
                assert_ne!(game.seats.first, game.seats.second);
                *met.entry((game.seats.first, game.seats.second)).or_default() += 1;
            }
            assert_eq!(schedule.iter().count() as u64, schedule.len());
            for a in 0..engines {
                for b in 0..a {
                    let count = |a, b| met.get(&(a, b)).copied().unwrap_or(0);
                    assert_eq!(count(a, b) + count(b, a), games, "{a} {b} of {engines}");
                    assert_eq!(count(a, b).abs_diff(count(b, a)), games % 2);
                }
            }
        }
    }
}

#[test]
fn a_round_has_every_engine_once() {
    for engines in 2..=9 {
        let schedule = Schedule::new(engines, 4, 1);
        let mut rounds = BTreeMap::<u64, BTreeSet<(u64, usize)>>::new();
        for game in schedule.iter() {
            let round = rounds.entry(game.round).or_default();
            round.insert((game.pair, game.seats.first));
            round.insert((game.pair, game.seats.second));
        }
        for seats in rounds.values() {
            let playing: BTreeSet<usize> = seats.iter().map(|&(_, engine)| engine).collect();
            assert_eq!(playing.len(), seats.len(), "an engine plays one pair a round");
            assert_eq!(playing.len(), engines / 2 * 2);
        }
    }
}

#[test]
fn single_games_share_the_seats_out() {
    for engines in 2..=9_usize {
        let mut balance = vec![0_i32; engines];
        for game in Schedule::new(engines, 1, 1).iter() {
            balance[game.seats.first] += 1;
            balance[game.seats.second] -= 1;
        }
        assert!(balance.iter().all(|seats| seats.abs() <= 1), "{engines}: {balance:?}");
    }
}

#[test]
fn challengers_meet_every_other_and_no_others_meet() {
    for engines in 2..=9 {
        for challengers in 1..engines {
            for games in 1..=4 {
                let schedule = Schedule::gauntlet(engines, challengers, games, 1);
                let mut met = BTreeMap::<(usize, usize), u32>::new();
                for game in schedule.iter() {
                    *met.entry((game.seats.first, game.seats.second)).or_default() += 1;
                }
                assert_eq!(met.values().sum::<u32>() as u64, schedule.len());
                for one in 0..engines {
                    for other in 0..one {
                        let count = |a, b| met.get(&(a, b)).copied().unwrap_or(0);
                        let (there, back) = (count(one, other), count(other, one));
                        let meet = other < challengers && one >= challengers;
                        assert_eq!(there + back, if meet { games } else { 0 });
                        assert!(there.abs_diff(back) <= games % 2);
                    }
                }
                assert!(schedule.iter().zip(1..).all(|(game, number)| game.number == number));
            }
        }
    }
}

#[test]
fn a_round_of_a_gauntlet_has_one_opponent() {
    let schedule = Schedule::gauntlet(6, 2, 4, 1);
    assert_eq!(schedule.len(), 2 * 4 * 4);
    let first: Vec<_> = schedule.iter().take(4).map(|game| game.seats).collect();
    assert_eq!(first[0], BySeat { first: 0, second: 2 });
    assert_eq!(first[1], BySeat { first: 2, second: 0 });
    assert_eq!(first[2], BySeat { first: 2, second: 1 });
    let rounds: Vec<_> = schedule.iter().map(|game| game.round).collect();
    assert_eq!((rounds[0], rounds[3], rounds[4], rounds[31]), (1, 1, 2, 8));
}

#[test]
fn twins_are_the_two_games_of_a_pair() {
    for games in 1..=5 {
        let schedule = Schedule::new(4, games, 3);
        for game in schedule.iter() {
            let same_pair: Vec<u64> = schedule
                .iter()
                .filter(|other| other.pair == game.pair && other.number != game.number)
                .map(|other| other.number)
                .collect();
            assert_eq!(schedule.twin(game.number).as_slice(), same_pair);
        }
    }
}

#[test]
fn seeds_are_those_of_splitmix64() {
    // The first outputs of the published generator from state 0.
    assert_eq!(pair_seed(0, 0), 0xe220_a839_7b1d_cdaf >> 11);
    assert_eq!(pair_seed(0, 1), 0x6e78_9e6a_a1b9_65f4 >> 11);
    assert_eq!(pair_seed(0, 2), 0x06c4_5d18_8009_454f >> 11);
}

#[test]
fn parts_stand_one_behind_the_other() {
    let part = |schedule, engines: &[u16], meetings, first_pair| Part {
        schedule,
        engines: engines.into(),
        meetings,
        first_pair,
    };
    let before = Schedule::new(3, 4, 9);
    let newcomer = Schedule::gauntlet(4, 1, 4, 9);
    let more = Schedule::new(4, 3, 9);
    let grown = Schedule::of_parts([
        part(before.clone(), &[0, 1, 2], 0, 0),
        part(newcomer.clone(), &[3, 0, 1, 2], 0, 6),
        part(more.clone(), &[0, 1, 2, 3], 2, 12),
    ]);
    assert_eq!(grown.len(), 12 + 12 + 18);
    assert!(grown.iter().zip(1..).all(|(game, number)| game.number == number));
    assert!(grown.iter().take(12).eq(before.iter()), "what was there stays");
    let joined: Vec<_> = grown.iter().skip(12).take(12).collect();
    assert!(joined.iter().all(|game| game.seat_of(3).is_some()));
    assert_eq!(joined[0].seats.first + joined[0].seats.second, 3);
    let seeds: BTreeSet<u64> = grown.iter().map(|game| game.seed).collect();
    let pairs: BTreeSet<u64> = grown.iter().map(|game| game.pair).collect();
    assert_eq!((seeds.len(), pairs.len()), (24, 24), "every pair has its own");
    for game in grown.iter() {
        let same_pair =
            |other: &ScheduledGame| other.pair == game.pair && other.number != game.number;
        let twin = grown.iter().find(same_pair).map(|other| other.number);
        assert_eq!(grown.twin(game.number), twin);
    }
    let last = grown.get(42).unwrap();
    assert_eq!((last.meeting, grown.get(43), grown.get(0)), (4, None, None));
    for gone in [vec![], vec![3], vec![0, 2], vec![0, 1, 2, 3]] {
        let gone: BTreeSet<usize> = gone.into_iter().collect();
        let plays = |game: &ScheduledGame| gone.iter().all(|one| game.seat_of(*one).is_none());
        for schedule in [&grown, &before, &newcomer, &more] {
            let left = schedule.iter().filter(plays).count() as u64;
            assert_eq!(schedule.len_without(&gone), left, "without {gone:?}");
        }
    }
}

#[test]
fn there_is_no_game_outside() {
    let schedule = Schedule::new(3, 2, 0);
    assert_eq!(schedule.get(0), None);
    assert!(schedule.get(6).is_some());
    assert_eq!(schedule.get(7), None);
    assert_eq!(schedule.get(u64::MAX), None);
}
