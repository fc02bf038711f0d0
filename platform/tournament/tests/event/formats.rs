//! Events whose rounds follow from each other: how they are drawn, resumed, repaired and reported.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};

use tengen_arbiter::Game;
use tengen_testkit::Misbehavior;
use tengen_tournament::{
    Event, EventConfig, EventFormat, EventProgress, GameEnd, RunOutcome, ScheduledGame,
    SeedingOption, SpoiledOption, StageConfig, StageSummary, Stop, Watcher,
};

use crate::test_event::{MisbehavingRoster, TestEvent, config, export, finish, run};

fn of(own: StageConfig, engines: usize, games: u32, seed: u64) -> EventConfig {
    EventConfig { own, ..config(engines, games, seed) }
}

/// One event of each format, and one of stages.
fn all() -> Vec<EventConfig> {
    let stage = StageConfig::of;
    vec![
        of(StageConfig { rounds: Some(4), ..stage(EventFormat::Swiss) }, 7, 1, 3),
        of(StageConfig { third_place: Some(true), ..stage(EventFormat::Knockout) }, 6, 2, 4),
        of(
            StageConfig {
                deciders: Some(1),
                decider_tc: "nodes=7".parse().ok(),
                seeding: Some(SeedingOption::Lot),
                ..stage(EventFormat::DoubleElimination)
            },
            5,
            2,
            5,
        ),
        of(StageConfig { newcomers: Some(2), ..stage(EventFormat::Ladder) }, 5, 2, 6),
        of(StageConfig { groups: Some(2), ..stage(EventFormat::Groups) }, 5, 1, 7),
        EventConfig {
            stages: vec![
                StageConfig { groups: Some(2), ..stage(EventFormat::Groups) },
                StageConfig { take: Some(4), ..stage(EventFormat::Swiss) },
                StageConfig { take: Some(2), games: Some(4), ..stage(EventFormat::Knockout) },
            ],
            ..config(6, 2, 8)
        },
    ]
}

fn drawn(event: &Event) -> Vec<ScheduledGame> {
    event.schedule().iter().collect()
}

/// Stops a run after a few games.
struct FewGames {
    stop: Stop,
    left: AtomicI64,
}

impl Watcher for FewGames {
    fn look(&self, _: usize, _: &ScheduledGame, _: &Game) {}

    fn over(&self, _: usize, _: &ScheduledGame, _: &Game, _: &GameEnd) {
        if self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.stop.request();
        }
    }
}

/// A run that is stopped after every few games, and one that is not, draw the same, play the same,
/// and stand the same in the end.
#[test]
fn a_resumed_event_draws_what_it_would_have_drawn() {
    for mut config in all() {
        config.games *= 3;
        let (whole, parts) = (TestEvent::new(), TestEvent::new());
        let expected = finish(&whole.dir, config.clone());
        drop(Event::create(&parts.dir, config.clone()).unwrap());
        let mut runs = 0;
        loop {
            let mut event = Event::open(&parts.dir).unwrap();
            let roster = MisbehavingRoster::new(None);
            let few = FewGames { stop: Stop::new(), left: AtomicI64::new(3) };
            let mut observe =
                |progress: &EventProgress<'_>| assert!(progress.finished <= progress.total);
            let outcome = event.run_watched(&roster, &*roster.time, &few.stop, &mut observe, &few);
            let outcome = outcome.unwrap();
            runs += 1;
            if outcome == RunOutcome::Finished && event.is_finished() {
                break;
            }
            assert!(runs < 200, "{}", config.own.format);
        }
        assert!(runs > 1);
        let event = Event::open(&parts.dir).unwrap();
        assert!(event.is_finished());
        assert_eq!(drawn(&event), drawn(&expected));
        assert_eq!(export(&event), export(&expected));
        assert_eq!(event.summary().stages, expected.summary().stages);
        assert_eq!(event.total(), event.tally().len());
        assert!(event.summary().stages.iter().all(|stage| stage.is_over));
    }
}

#[test]
fn a_swiss_pairs_no_two_twice_and_tells_its_tie_breaks() {
    let folder = TestEvent::new();
    let event = finish(&folder.dir, all().swap_remove(0));
    let games = drawn(&event);
    assert_eq!(games.len(), 4 * 3);
    let mut met = BTreeSet::new();
    for game in &games {
        let (first, second) = (game.seats.first, game.seats.second);
        assert!(met.insert((first.min(second), first.max(second))));
    }
    let rounds: Vec<u64> = games.iter().map(|game| game.round).collect();
    assert_eq!(rounds, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4]);
    let stages = event.summary().stages;
    let [StageSummary { round: Some(4), rounds: Some(4), tables, .. }] = &stages[..] else {
        panic!("{stages:?}")
    };
    let names = ["buchholz-cut1", "buchholz", "sonneborn-berger"];
    assert_eq!(tables[0].tie_breaks, names);
    let lines = &tables[0].lines;
    assert_eq!(lines.iter().map(|line| line.byes).sum::<u32>(), 4);
    assert!(lines.iter().all(|line| line.byes <= 1));
    let points: f64 = lines.iter().filter_map(|line| line.points).sum();
    assert_eq!(points, 16.0, "twelve games and four byes");
    assert!(lines.windows(2).all(|two| two[0].points >= two[1].points));
    assert_eq!(event.summary().leader(), Some(lines[0].engine.as_str()));
}

#[test]
fn a_bracket_has_a_winner_and_every_loser_a_place() {
    for (place, matches) in [(1, 3 + 2 + 1), (2, 2 * 4)] {
        let folder = TestEvent::new();
        let config = all().swap_remove(place);
        let engines = config.engines.len();
        let event = finish(&folder.dir, config);
        let stages = event.summary().stages;
        let lines = &stages[0].tables[0].lines;
        assert_eq!((lines.len(), lines[0].place), (engines, 1));
        let last = if place == 1 { "third-place" } else { "second-final" };
        assert!(stages[0].bracket.iter().any(|line| line.section == last), "{stages:?}");
        let decided = stages[0].bracket.iter().rfind(|line| line.section != "third-place");
        assert_eq!(decided.unwrap().winner.as_deref(), Some(&*lines[0].engine));
        let played =
            stages[0].bracket.iter().filter(|line| line.winner.is_some() && !line.is_walkover);
        assert!((matches..=matches + 1).contains(&played.clone().count()), "{stages:?}");
        for line in played {
            let [one, other] = line.points;
            let winner = line.winner.as_deref();
            let leads = if one > other { 0 } else { 1 };
            assert!(line.by_seed || line.engines[leads].as_deref() == winner, "{line:?}");
            assert_eq!(line.by_seed, one == other);
        }
        assert!(drawn(&event).iter().all(|game| !game.is_fast || place == 2));
    }
}

/// Each stage has only those that came through the one before.
#[test]
fn stages_are_fed_by_the_ones_before() {
    let folder = TestEvent::new();
    let event = finish(&folder.dir, all().swap_remove(5));
    let stages = event.summary().stages;
    let names = |stage: &StageSummary| -> BTreeSet<String> {
        stage.tables.iter().flat_map(|table| &table.lines).map(|line| line.engine.clone()).collect()
    };
    let best = |stage: &StageSummary, count| -> BTreeSet<String> {
        let of = |table: &tengen_tournament::StageTable| {
            table.lines.iter().take(count).map(|line| line.engine.clone()).collect::<Vec<_>>()
        };
        stage.tables.iter().flat_map(of).collect()
    };
    assert_eq!(stages.iter().map(|stage| stage.stage).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(stages[0].tables.len(), 2);
    assert_eq!(names(&stages[1]), best(&stages[0], 2));
    assert_eq!(names(&stages[2]), best(&stages[1], 2));
    let games = drawn(&event);
    assert!(games.windows(2).all(|two| two[0].stage <= two[1].stage));
    assert_eq!(games.iter().filter(|game| game.stage == 0).count(), 2 * 3 * 2);
    assert!(games.iter().filter(|game| game.stage == 2).count() >= 4);
}

/// An engine that always crashes loses its matches, and the others play on.
#[test]
fn an_engine_that_forfeits_loses_and_no_other_waits() {
    for config in all() {
        let folder = TestEvent::new();
        let mut event = Event::create(&folder.dir, config.clone()).unwrap();
        let roster = MisbehavingRoster::new(Some(Misbehavior::Crash));
        let stop = Stop::new();
        let outcome = event.run(&roster, &*roster.time, &stop, &mut |_| {}).unwrap();
        assert_eq!(outcome, RunOutcome::Finished);
        let stages = event.summary().stages;
        let first = &stages[0].tables;
        let table =
            first.iter().find(|table| table.lines.iter().any(|line| line.engine == "e0")).unwrap();
        let last = table.lines.iter().rposition(|line| line.engine == "e0").unwrap();
        let is_ladder = config.own.format == EventFormat::Ladder;
        assert!(last + 1 >= table.lines.len() / 2 || is_ladder, "{stages:?}");
        // None may have come so far as to meet the top of a ladder.
        assert!(is_ladder || event.summary().leader() != Some("e0"));
    }
}

/// A damaged game of an early round is played again, and what was drawn after it with it; games of
/// whole rounds are kept.
#[test]
fn a_repaired_event_keeps_whole_rounds() {
    for config in all() {
        let folder = TestEvent::new();
        let event = finish(&folder.dir, config.clone());
        let (games, expected) = (event.tally().len(), export(&event));
        drop(event);
        std::fs::remove_file(folder.dir.join("games.jsonl")).unwrap();
        spoil_a_game(&folder.dir.join("event.db"), games / 2);
        assert!(Event::open(&folder.dir).is_err(), "{}", config.own.format);
        let repaired = Event::repair(&folder.dir).unwrap().unwrap();
        assert!(repaired.kept >= games / 2 - 1 && repaired.kept < games, "{repaired}");
        let mut event = Event::open(&folder.dir).unwrap();
        assert!(!event.is_finished());
        assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
        assert_eq!(export(&event), expected);
    }
}

fn spoil_a_game(database: &Path, number: u64) {
    let connection = rusqlite::Connection::open(database).unwrap();
    let change = "UPDATE games SET plies = plies + 1 WHERE number = ?1";
    assert_eq!(connection.execute(change, [number]).unwrap(), 1);
}

#[test]
fn rounds_that_follow_from_each_other_cannot_be_extended() {
    let folder = TestEvent::new();
    drop(finish(&folder.dir, all().swap_remove(0)));
    let error = Event::extend(&folder.dir, 5, "today").err().unwrap().to_string();
    assert!(error.contains("games: rounds of swiss"), "{error}");
}

/// Candidates of a gauntlet are tested against the base side by side; a decided one plays no more.
#[test]
fn several_candidates_are_tested_at_once() {
    let folder = TestEvent::new();
    let config = EventConfig {
        own: StageConfig { challengers: Some(2), ..StageConfig::of(EventFormat::Gauntlet) },
        sprt: "elo0=0,elo1=30".parse().ok(),
        spoiled: SpoiledOption::Keep,
        concurrency: 1,
        ..config(3, 9000, 1)
    };
    let mut event = Event::create(&folder.dir, config).unwrap();
    let roster = MisbehavingRoster::new(Some(Misbehavior::Crash));
    let outcome = event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {}).unwrap();
    assert_eq!(outcome, RunOutcome::Finished);
    assert!(event.is_finished());
    let summary = event.summary();
    assert!(summary.sprt.is_none());
    let [lost, other] = &summary.tests[..] else { panic!("{:?}", summary.tests) };
    assert_eq!((lost.engine.as_str(), lost.against.as_str()), ("e0", "e2"));
    assert_eq!((other.engine.as_str(), other.against.as_str()), ("e1", "e2"));
    assert!(lost.test.accepted.is_some() && other.test.accepted.is_some());
    let [of_lost, of_other] = [0, 1].map(|engine| event.tally().score(engine, 2).games());
    assert!(of_lost.max(of_other) < 1000, "{of_lost} {of_other}: they play no more");
    // A run that begins with everything decided plays nothing.
    drop(event);
    let mut event = Event::open(&folder.dir).unwrap();
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| panic!("a game")), RunOutcome::Finished);
}

/// A file that contradicts itself is refused with the line of the key.
#[test]
fn a_contradiction_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("cup.toml");
    for (text, words) in [
        ("engines = ['a', 'b']\nformat = 'knockout'\ngames = 3\n", "line 3: games: 3 is an odd"),
        ("engines = ['a', 'b']\nrounds = 3\n", "line 2: rounds: round-robin has none"),
        (
            "engines = ['a', 'b', 'c']\n[[stage]]\nformat = 'swiss'\n[[stage]]\ntake = 2\n\
             format = 'knockout'\nrounds = 3\n",
            "line 7: stage 2: rounds: knockout has none",
        ),
        ("engines = ['a', 'b', 'c']\n\n[[stage]]\n[[stage]]\ntake = 4", "line 5: stage 2: take"),
        ("engines = ['a', 'b']\n[[stage]]\nround = 4\n", "line 3"),
    ] {
        std::fs::write(&path, text).unwrap();
        let error = EventConfig::read(&path).unwrap_err().to_string();
        assert!(error.starts_with(&path.display().to_string()), "{error}");
        assert!(error.contains(words), "no `{words}` in {error}");
    }
}
