//! Games that are the same again, in an event, in a test, and in two events that become one.

use std::fs;
use std::path::Path;

use tengen_record::formats::Notation;
use tengen_rules::{Point, Procedure, Size};
use tengen_tournament::{Event, EventConfig, Openings, RunOutcome, Stop, TestState};

use crate::runs::play_alike;
use crate::test_event::{TestEvent, config, export, finish, run};

/// A match from so many positions.
fn alike(positions: u8, games: u32) -> EventConfig {
    let rows = [0, 1, 2, 4, 5, 6];
    let place = |at: u8| Point::new(at % 7, rows[usize::from(at / 7)]);
    let positions = (0..positions).map(|at| vec![Point::new(3, 3), place(at)]).collect();
    EventConfig {
        opening: Procedure::Book,
        openings: Openings::Positions(positions),
        ..config(2, games, 3)
    }
}

fn play(event: &mut Event) {
    play_alike(event);
    assert_eq!(event.recount().unwrap(), *event.tally());
}

/// Whatever is counted again is in the points and in no other figure.
#[test]
fn pairs_that_come_again_count_once() {
    let (_once, mut event) = TestEvent::with(alike(4, 8));
    play(&mut event);
    let (often, mut again) = TestEvent::with(alike(4, 75));
    play(&mut again);
    let (one, other) = (event.summary(), again.summary());
    assert_eq!((other.repeated.games, other.repeated.distinct), (75, 8));
    assert_eq!(one.repeated.repeated(), 0);
    assert_eq!(again.tally().pairs(0, 1), event.tally().pairs(0, 1));
    assert_eq!(again.tally().played_pairs(0, 1).pairs(), 37);
    let figures = |event: &Event| event.tally().pairs_and_singles(0);
    assert_eq!(figures(&again), figures(&event), "the single game is one of them again");
    let pairs = other.pairs.unwrap();
    assert_eq!(pairs.repeated, 33);
    assert_eq!(pairs.los, one.pairs.unwrap().los);
    assert_eq!(again.tally().meetings(), event.tally().meetings());
    assert_eq!(other.standings.iter().map(|line| line.points).sum::<f64>(), 75.0, "as played");
    let reopened = Event::open(&often.dir).unwrap();
    assert_eq!(reopened.summary(), again.summary());
}

/// A test of engines that play alike ends when its positions are used up, and is not gone on with.
#[test]
fn a_test_without_new_openings_ends_without_a_verdict() {
    for (positions, openings_count, expected) in [(30, None, 30), (30, Some(12), 12), (0, None, 50)]
    {
        let sprt = "elo0=0,elo1=5".parse().ok();
        let book = EventConfig { sprt, openings_count, concurrency: 4, ..alike(positions, 4000) };
        let config = match positions {
            0 => EventConfig { opening: Procedure::None, openings: Openings::default(), ..book },
            _ => book,
        };
        let (test, mut event) = TestEvent::with(config);
        play(&mut event);
        let state = event.summary().sprt.unwrap();
        assert_eq!((state.accepted, state.inconclusive), (None, Some(TestState::USED_UP)));
        assert_eq!(state.played_pairs, expected, "{state:?}");
        assert!(event.summary().is_inconclusive() && event.is_finished());
        let games = event.tally().len();
        if positions > 0 {
            assert_eq!(games, 2 * expected, "no worker begins what would be no evidence");
        }
        let mut again = Event::open(&test.dir).unwrap();
        play(&mut again);
        assert_eq!(again.tally().len(), games);
    }
}

/// A test has as many openings as differ: what was played from one of two that are alike would only
/// seem to be new.
#[test]
fn a_test_plays_positions_that_are_alike_once() {
    let (folder, size) = (tempfile::tempdir().unwrap(), Size::STANDARD);
    let file = folder.path().join("some.pos");
    fs::write(&file, "h8 i9\nh8 g7\nh8 z99\nh8 h9\nh8 i9\n").unwrap();
    let listed = ["h8i9", "h8g7", "h8h9", "h8i9"]
        .map(|text| Notation::Pos.read(text, size).unwrap())
        .to_vec();
    let count = |sprt: Option<&str>, openings: Openings| {
        let sprt = sprt.map(|test| test.parse().unwrap());
        let opening = Procedure::Book;
        let mut config = EventConfig { sprt, opening, size, openings, ..config(2, 4, 3) };
        config.load_openings().map(|()| config.openings.positions().len())
    };
    let test = Some("elo0=0,elo1=5");
    assert_eq!(count(test, Openings::Positions(listed.clone())).unwrap(), 2);
    assert_eq!(count(None, Openings::Positions(listed)).unwrap(), 4);
    assert!(count(test, Openings::File(file.clone())).is_err(), "the wrong line is played");
    fs::write(&file, "h8 i9\nh8 g7\nh8 h9\nh8 i9\n").unwrap();
    assert_eq!(count(test, Openings::File(file.clone())).unwrap(), 2);
    assert_eq!(count(None, Openings::File(file)).unwrap(), 4);
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for file in fs::read_dir(from).unwrap().map(Result::unwrap) {
        if file.file_type().unwrap().is_file() {
            fs::copy(file.path(), to.join(file.file_name())).unwrap();
        }
    }
}

fn stop_after(event: &mut Event, games: u64) {
    let stop = Stop::new();
    let before = event.tally().len();
    run(event, &stop, &mut |progress| {
        if progress.finished >= before + games {
            stop.request();
        }
    });
}

/// A copied folder in which both have gone on: what was played before is in both.
#[test]
fn a_copy_is_merged_without_a_game_twice() {
    let (one, other, both) = (TestEvent::new(), TestEvent::new(), TestEvent::new());
    let concurrency = 1;
    let mut event = Event::create(&one.dir, EventConfig { concurrency, ..config(3, 1000, 5) });
    let event = event.as_mut().unwrap();
    stop_after(event, 41);
    copy(&one.dir, &other.dir);
    let common = event.tally().len();
    let whole = Event::merge(&one.dir, &other.dir, &both.dir, "today").unwrap();
    assert_eq!((whole.tally().len(), whole.total()), (common, 3000));
    let text = &whole.changes().unwrap()[0].text;
    assert!(text.contains(&format!("{common} games are in both")), "{text}");
    assert_eq!(export(&whole), export(event));
    drop(whole);

    stop_after(event, 10);
    let mut copied = Event::open(&other.dir).unwrap();
    while copied.tally().len() <= event.tally().len() {
        stop_after(&mut copied, 1);
    }
    let [len, longer] = [&*event, &copied].map(|event| event.tally().len());
    assert!(common < len && len < longer && longer < 3000);
    let out = TestEvent::new();
    let mut whole = Event::merge(&one.dir, &other.dir, &out.dir, "today").unwrap();
    assert_eq!((whole.tally().len(), whole.total()), (longer, 3000));
    assert_eq!(whole.recount().unwrap(), *whole.tally());
    assert!(export(&whole).starts_with(&export(event)), "those of the first were taken");
    // What was made has the other's games, too.
    let again = TestEvent::new();
    let same = Event::merge(&out.dir, &other.dir, &again.dir, "today").unwrap();
    assert_eq!((same.tally().len(), same.total()), (longer, 3000));
    assert_eq!(run(&mut whole, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    assert_eq!(whole.tally().len(), 3000);
}

/// Events that were only made alike are two: their games were played by themselves.
#[test]
fn events_of_one_seed_are_merged_as_two_and_count_what_is_the_same_once() {
    let (one, other, both) = (TestEvent::new(), TestEvent::new(), TestEvent::new());
    let began = |dir: &Path| finish(dir, config(2, 6, 5));
    let expected = began(&one.dir).tally().pairs(0, 1);
    drop(finish(&other.dir, EventConfig { games: 8, ..config(2, 6, 5) }));
    let event = Event::merge(&one.dir, &other.dir, &both.dir, "today").unwrap();
    assert_eq!(event.tally().len(), 14);
    assert_eq!((event.tally().repeated(), expected.pairs()), (6, 3));
    assert_eq!(event.tally().pairs(0, 1).pairs(), 4, "the fourth pair is new");
}
