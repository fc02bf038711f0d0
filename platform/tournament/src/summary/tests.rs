use super::*;
use tengen_arbiter::GameResult;
use tengen_rules::{BySeat, Seat};

#[test]
fn is_the_object_that_scripts_read() {
    let mut tally = Tally::default();
    let seats = BySeat { first: 0, second: 1 };
    let crash = GameResult { winner: Some(Seat::Second), termination: Termination::Crash };
    let draw = GameResult { winner: None, termination: Termination::BoardFull };
    tally.add_game(seats, crash);
    tally.add_game(seats, draw);
    let summary = Summary::new(&tally, &["a".to_owned(), "b".to_owned()], Path::new("cup"));
    let json = serde_json::to_value(&summary).unwrap();
    let of = |line: usize, key: &str| json["standings"][line][key].as_f64().unwrap();
    let [best, last] = [0, 1].map(|line| of(line, "elo"));
    assert!((best - 190.85).abs() < 0.01 && (last + 190.85).abs() < 0.01);
    let [first, second] = [0, 1].map(|line| summary.standings[line].clone());
    assert!(first.elo_low.is_none_or(|low| low < 0.0), "two games say little: {first:?}");
    assert_eq!((first.elo_high, second.elo_low), (None, None));
    assert_eq!(
        json,
        serde_json::json!({
            "games": 2,
            "standings": [
                {
                    "engine": "b", "points": 1.5, "wins": 1, "draws": 1, "losses": 0,
                    "elo": best, "elo_low": first.elo_low, "elo_high": null, "elo_error": null,
                    "spoiled": 0, "terminations": {},
                },
                {
                    "engine": "a", "points": 0.5, "wins": 0, "draws": 1, "losses": 1,
                    "elo": last, "elo_low": null, "elo_high": second.elo_high,
                    "elo_error": null, "spoiled": 0, "terminations": { "crash": 1 },
                },
            ],
            "terminations": { "board_full": 1, "crash": 1 },
            "repeated": { "games": 2, "distinct": 2 },
            "spoiled": {
                "games": 0, "replayed": 0, "void": 0, "losers": [], "numbers": [],
                "void_numbers": [],
            },
            "dir": "cup",
        })
    );
    assert_eq!(summary.cross_table[0][1], WinDrawLoss { wins: 1, draws: 1, losses: 0 });
}

#[test]
fn the_pairs_of_a_match_are_those_of_its_first_engine() {
    let mut tally = Tally::default();
    let seats = BySeat { first: 0, second: 1 };
    tally.add_pair(seats, Some(Seat::First), Some(Seat::Second));
    tally.add_pair(seats, Some(Seat::First), None);
    tally.add_game(seats, GameResult { winner: None, termination: Termination::BoardFull });
    let labels = ["a", "b", "c"].map(str::to_owned);
    let pairs = Summary::new(&tally, &labels[..2], Path::new("cup")).pairs.unwrap();
    assert_eq!(pairs.engine, "a");
    assert_eq!(pairs.counts.iter().sum::<u64>(), 2);
    assert_eq!(pairs.counts, tally.pairs(0, 1).counts);
    assert!(pairs.los > 0.5 && pairs.nelo.is_some(), "{pairs:?}");
    assert_eq!(Summary::new(&tally, &labels, Path::new("cup")).pairs, None);
}

#[test]
fn a_shutout_has_no_elo_in_json() {
    let mut tally = Tally::default();
    let won = GameResult { winner: Some(Seat::First), termination: Termination::Five };
    tally.add_game(BySeat { first: 1, second: 0 }, won);
    let summary = Summary::new(&tally, &["a".to_owned(), "b".to_owned()], Path::new("cup"));
    assert_eq!((summary.standings[0].index, summary.standings[0].elo), (1, None));
    assert_eq!(summary.standings[0].performance.unwrap().value(), f64::INFINITY);
}
