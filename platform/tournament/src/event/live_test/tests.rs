use std::collections::VecDeque;

use tengen_rules::Seat;
use tengen_testkit::Dice;

use super::*;
use crate::store::{StoreWriter, StoredGame};

/// A game of that line. Its winner is part of a line.
fn game(schedule: &Schedule, number: u64, line: u64) -> StoredGame {
    let mut game = StoredGame::example(schedule, number, line);
    game.result.winner = [None, Some(Seat::First), Some(Seat::Second)][line as usize % 3];
    game.conditions.is_void = line == 20;
    game
}

/// The numbers of the games that are no evidence, as the rule says it: of a pair with a game that
/// is in one of a lower number.
fn repeats(games: &[StoredGame], schedule: &Schedule) -> Vec<u64> {
    let played: Vec<&StoredGame> = games.iter().filter(|game| !game.conditions.is_void).collect();
    let (mut before, mut repeats) = (Vec::new(), Vec::new());
    for game in &played {
        let twin = schedule.twin(game.number);
        let other = played.iter().find(|other| twin == Some(other.number));
        if twin.is_some() && other.is_none_or(|other| other.number > game.number) {
            continue;
        }
        let pair: Vec<&&StoredGame> = other.into_iter().chain([game]).collect();
        let lines = pair.iter().map(|game| (game.seats.first, game.seats.second, game.line));
        let lines: Vec<(usize, usize, u64)> = lines.collect();
        if lines.iter().any(|line| before.contains(line)) {
            repeats.extend(pair.iter().map(|game| game.number));
        }
        before.extend(lines);
    }
    repeats
}

/// The same games, saved in any order: what is evidence follows from them alone, in the database
/// and in a test, which sees games before they are there.
#[test]
fn the_order_in_which_games_end_makes_no_difference() {
    for trial in 0..20 {
        let mut dice = Dice::new(trial);
        // The last game of every two engines has no other one.
        let schedule = Schedule::new(2 + trial as usize % 3, 15, 0);
        let lines = 3 + dice.below(18);
        let games: Vec<StoredGame> =
            (1..=schedule.len()).map(|number| game(&schedule, number, dice.below(lines))).collect();
        let expected = repeats(&games, &schedule);
        let mut known: Option<Tally> = None;
        for _ in 0..4 {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("event.db");
            Store::create(&path, "", &[], &[]).unwrap();
            let mut writer = StoreWriter::open(&path, schedule.clone()).unwrap();
            let config = EventConfig::default();
            let store = Store::open(&path).unwrap();
            let test = LiveTest::new(schedule.clone(), &config, &Tally::default(), &[], store);
            let mut left = games.clone();
            let mut waiting: VecDeque<GameBatch> = VecDeque::new();
            while !left.is_empty() || !waiting.is_empty() {
                let mut seen = test.seen();
                if !left.is_empty() && dice.chance(700) {
                    let batch = GameBatch::from(left.swap_remove(dice.index(left.len())));
                    seen.completes_a_pair(&batch, &schedule);
                    waiting.push_back(batch);
                    continue;
                }
                let some = waiting.drain(..dice.index(waiting.len() + 1));
                let commit = writer.commit(some.collect::<Vec<_>>().into_iter()).unwrap();
                let saved: Vec<u64> = commit.games.iter().map(|game| game.number).collect();
                seen.lines.forget(&saved);
            }
            writer.close().unwrap();
            let store = Store::open(&path).unwrap();
            store.verify(|number| schedule.twin(number)).unwrap();
            let tally = store.tally().unwrap();
            let again = (1..=schedule.len()).filter(|number| store.is_again(*number));
            assert_eq!(again.collect::<Vec<u64>>(), expected, "trial {trial}");
            let seen = test.seen();
            assert_eq!(seen.tally.pairs(0, 1), tally.pairs(0, 1), "trial {trial}");
            assert!(seen.lines.lowest.is_empty() && seen.lines.waiting.is_empty());
            assert_eq!(*known.get_or_insert_with(|| tally.clone()), tally, "trial {trial}");
        }
    }
}
