//! Exhibits of which more is to be seen than how they end.

use std::collections::BTreeSet;

use tengen_arbiter::Termination::{Crash, ResourceLimit, Timeout};
use tengen_record::GameRecord;
use tengen_rules::{Point, Seat, Size};
use tengen_tournament::Schedule;

use crate::common::done;
use crate::exhibit::ExpectedEnding::{Loses, Plays};
use crate::exhibit::{self, Exhibit};
use crate::show::{Show, ShowOutcome, holds};
use crate::{brain, in_c, native};

/// The exhibits of this room.
pub(crate) const ALL: &[Exhibit] =
    &[STRUCK, STOPPED, SLOW, STRUCK_BRAIN, STOPPED_BRAIN, SLOW_BRAIN, BUFFERS];

const STRUCK: Exhibit =
    exhibit::native("gets any signal at some move", &["BAD=SIGNALS"], Loses(Crash)).unix();
const STOPPED: Exhibit =
    exhibit::native("gets a signal that stops it at some move", &["BAD=STOPS"], Loses(Timeout))
        .unix();
const SLOW: Exhibit =
    exhibit::native("takes slightly too long for every move", &["BAD=SLOW"], Loses(Timeout))
        .tc("0.15")
        .event("margin = 0.1");
const STRUCK_BRAIN: Exhibit = exhibit::brain(STRUCK.does, &["BAD=STRIKES"], Loses(Crash)).unix();
const STOPPED_BRAIN: Exhibit =
    exhibit::brain(STOPPED.does, &["BAD=STRIKES"], Loses(Timeout)).unix();
const SLOW_BRAIN: Exhibit =
    exhibit::brain(SLOW.does, &["BAD=SLOW"], Loses(Timeout)).tc("0.15").event("margin = 0.1");
/// What is in them is in no process's account.
pub(crate) const BUFFERS: Exhibit = exhibit::brain(
    "fills pipes and sockets that no process reads",
    &["BAD=ATTACKS", "ATTACK=ATTACK_BUFFERS"],
    Loses(ResourceLimit),
)
.tc("move=5")
.memory(64)
.unix();
/// What such a one has for a game, the margin included, in nanoseconds.
const WHOLE: u64 = 250_000_000;

/// The signals that stop a process.
const STOPS: [u64; 4] = [19, 20, 21, 22];
/// Those that do nothing to one which does not ask for them: of a child, of going on, of urgent
/// data, and of a window's size.
const HARMLESS: [u64; 4] = [17, 18, 23, 28];

/// The signal that strikes in a game of that seed, as the engine draws it.
fn signal(seed: u64) -> u64 {
    let others: Vec<u64> = (1..=31).filter(|signal| !STOPS.contains(signal)).collect();
    others[(seed % others.len() as u64) as usize]
}

/// Which of its moves it strikes at.
fn strikes_at(seed: u64) -> usize {
    1 + (seed >> 8) as usize % 3
}

/// The first seed of an event in which every signal strikes an engine.
fn seed_of_all(games: u32) -> u64 {
    let strikes = |seed: u64| -> BTreeSet<u64> {
        let schedule = Schedule::new(3, games, seed);
        let games =
            schedule.iter().filter(|game| [game.seats.first, game.seats.second].contains(&0));
        games.map(|game| signal(game.seed)).collect()
    };
    (0..).find(|&seed| strikes(seed).len() == 31 - STOPS.len()).expect("there are many seeds")
}

/// How many moves the exhibit made.
fn moves(seat: Seat, record: &GameRecord) -> usize {
    record.actions.iter().filter(|action| action.seat == seat).count()
}

#[test]
fn every_signal_at_some_move() {
    let games = 36;
    let seed = seed_of_all(games);
    let ends = |record: &GameRecord| {
        if HARMLESS.contains(&signal(record.header.seed)) { Plays } else { Loses(Crash) }
    };
    let shown = Show { games, seed, ends: Some(&ends), ..Show::of(&STRUCK) }.run();
    for (seat, record) in shown.games().filter(|(_, record)| ends(record) != Plays) {
        let seed = record.header.seed;
        assert_eq!(moves(seat, record) + 1, strikes_at(seed), "signal {}", signal(seed));
    }
}

/// The stone that stands for a signal: points count from the left of the lowest row.
fn stone_of(signal: u64) -> Point {
    let width = u64::from(Size::STANDARD.width());
    Point::new((signal % width) as u8, (signal / width) as u8)
}

/// The signal that strikes a text engine, as the first stone of the game says.
fn first_signal(record: &GameRecord) -> u64 {
    let first = record.header.opening.book[0];
    (1..=31).find(|&signal| stone_of(signal) == first).expect("the stone of a signal")
}

#[test]
fn every_signal_at_some_move_of_a_text_engine() {
    let signals = (1..=31).filter(|signal| !STOPS.contains(signal));
    let stones: Vec<Point> = signals.map(stone_of).collect();
    let ends = |record: &GameRecord| {
        if HARMLESS.contains(&first_signal(record)) { Plays } else { Loses(Crash) }
    };
    let games = 2 * stones.len() as u32;
    let shown = Show { games, stones: &stones, ends: Some(&ends), ..Show::of(&STRUCK_BRAIN) }.run();
    let struck: BTreeSet<u64> = shown.records.iter().map(first_signal).collect();
    assert_eq!(struck.len(), stones.len());
    for (seat, record) in shown.games().filter(|(_, record)| ends(record) != Plays) {
        let signal = first_signal(record);
        assert_eq!(moves(seat, record) as u64, signal % 3, "signal {signal}");
    }
}

#[test]
fn every_signal_that_stops_a_text_engine() {
    let stones = STOPS.map(stone_of);
    let shown = Show { games: 8, stones: &stones, ..Show::of(&STOPPED_BRAIN) }.run();
    for (seat, record) in shown.games() {
        // It may be late before the signal strikes.
        assert!(moves(seat, record) as u64 <= first_signal(record) % 3);
    }
}

#[test]
fn every_signal_that_stops() {
    let shown = Show { games: 4, ..Show::of(&STOPPED) }.run();
    for (seat, record) in shown.games() {
        // It may be late before the signal strikes.
        assert!(moves(seat, record) < strikes_at(record.header.seed));
    }
}

#[test]
fn buffers_count() {
    Show::of(&BUFFERS).run();
}

#[test]
fn a_clock_is_not_overrun_bit_by_bit() {
    for exhibit in [SLOW, SLOW_BRAIN] {
        for (seat, record) in Show::of(&exhibit).run().games() {
            let own = record.actions.iter().filter(|action| action.seat == seat);
            assert!(own.map(|action| action.spent).sum::<u64>() <= WHOLE);
        }
    }
}

/// The exhibits that do that, in whatever form.
fn those(does: &str) -> [&'static Exhibit; 2] {
    let of = |room: &'static [Exhibit]| room.iter().find(|exhibit| exhibit.does.contains(does));
    [native::ALL, brain::ALL].map(|room| of(room).expect("there is one"))
}

#[test]
fn what_was_answered_before_the_end_counts() {
    for exhibit in those("right after its first answer") {
        for (seat, record) in Show::of(exhibit).run().games() {
            assert_eq!(moves(seat, record), 1, "{:?}", record.detail);
        }
    }
}

#[test]
fn an_engine_that_crashes_at_the_start_has_lost_in_every_format() {
    for exhibit in those("at the start of a game") {
        assert_lost_in_every_format(&Show::of(exhibit).run());
    }
}

fn assert_lost_in_every_format(shown: &ShowOutcome) {
    let games = shown.path("games.jsonl");
    let pgn = done(["convert", games.to_str().unwrap(), "-", "--to", "pgn"]);
    let told = |tag: &str| -> Vec<String> {
        let tagged = pgn.lines().filter_map(|line| line.strip_prefix(&format!("[{tag} \"")));
        tagged.map(|value| value.trim_end_matches("\"]").to_owned()).collect()
    };
    let [whites, blacks, results] = ["White", "Black", "Result"].map(told);
    assert_eq!(results.len(), shown.records.len());
    for (game, record) in shown.records.iter().enumerate() {
        let winner = record.result.winner.map(|seat| &record.header.seats[seat].id);
        let told = match &*results[game] {
            "1-0" => &whites[game],
            "0-1" => &blacks[game],
            other => panic!("game {game} ended {other}"),
        };
        assert_eq!(Some(told), winner);
    }
}

#[test]
fn processes_are_bounded_where_no_call_is_filtered() {
    let start = |exhibit: &&Exhibit| exhibit.does.contains("processes");
    let exhibits: Vec<&Exhibit> = in_c().filter(start).collect();
    assert_eq!(exhibits.len(), 11);
    for exhibit in exhibits {
        let shown = Show { without: &["seccomp"], ..Show::of(exhibit) }.run();
        for (seat, record) in shown.games() {
            assert!(!holds(record, seat, "seccomp"), "{}", exhibit.does);
        }
    }
}
