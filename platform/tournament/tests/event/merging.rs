//! Two events that become one, and how that one grows.

use std::path::Path;

use tengen_tournament::{
    ChangeKind, EngineEntry, Event, EventConfig, EventError, EventFormat, RestartOption,
    RunOutcome, SetAside, StageConfig, Stop,
};

use crate::spoiled::{discarded, play_spoiled};
use crate::test_event::{TestEvent, config, export, finish, run};

fn open(dir: &Path) -> Event {
    Event::open(dir).unwrap()
}

fn of(ids: &[&str], games: u32, seed: u64) -> EventConfig {
    let engines = ids.iter().map(|id| EngineEntry::new(*id)).collect();
    EventConfig { engines, ..config(2, games, seed) }
}

/// Plays two events to their end, and makes one of them.
fn merged(one: EventConfig, other: EventConfig) -> (TestEvent, Event) {
    let (first, second, both) = (TestEvent::new(), TestEvent::new(), TestEvent::new());
    drop((finish(&first.dir, one), finish(&second.dir, other)));
    let event = Event::merge(&first.dir, &second.dir, &both.dir, "today").unwrap();
    assert!(event.is_finished());
    (both, event)
}

/// How many games every two engines have, by their labels, once all are played.
fn meetings(event: &mut Event) -> Vec<(String, String, u64)> {
    assert_eq!(run(event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    assert_eq!(event.recount().unwrap(), *event.tally());
    assert_eq!(event.total(), event.tally().len());
    let labels = event.config().labels();
    let mut meetings = Vec::new();
    for (one, label) in labels.iter().enumerate() {
        for (other, rival) in labels.iter().enumerate().skip(one + 1) {
            let games = event.tally().score(one, other).games();
            meetings.push((label.clone(), rival.clone(), games));
        }
    }
    meetings
}

fn games_of(meetings: &[(String, String, u64)], wanted: [&str; 2]) -> u64 {
    let is_wanted = |(one, other, _): &&(String, String, u64)| {
        wanted == [one.as_str(), other] || wanted == [other.as_str(), one]
    };
    meetings.iter().find(is_wanted).unwrap().2
}

/// An engine that did not start for one event plays in the other, and is not said to have been set
/// aside from both.
#[test]
fn who_was_set_aside_in_one_event_is_told_with_that() {
    let aside = |engine: &str| SetAside { engine: engine.into(), reason: "it is broken".into() };
    let one = EventConfig { set_aside: vec![aside("c"), aside("d")], ..of(&["a", "b"], 2, 1) };
    let other = EventConfig { set_aside: vec![aside("d")], ..of(&["a", "c"], 2, 1) };
    let (_both, event) = merged(one, other);
    let told = &event.config().set_aside;
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].engine == "c" && told[0].reason.starts_with("in "), "{told:?}");
    assert_eq!(told[1], aside("d"));
}

#[test]
fn two_events_of_the_same_rules_become_one() {
    let (one, other, both) = (TestEvent::new(), TestEvent::new(), TestEvent::new());
    drop(finish(&one.dir, config(3, 4, 5)));
    let mut engines: Vec<EngineEntry> = ["e1", "x"].map(EngineEntry::new).into();
    engines[1].label = Some("new".to_owned());
    let stop = Stop::new();
    let mut half = Event::create(&other.dir, EventConfig { engines, ..config(2, 400, 6) }).unwrap();
    run(&mut half, &stop, &mut |_| stop.request());
    let there = half.tally().len();
    drop(half);
    let mut event = Event::merge(&one.dir, &other.dir, &both.dir, "today").unwrap();
    assert_eq!((event.tally().len(), event.total()), (12 + there, 412));
    assert_eq!(event.config().labels(), ["e0", "e1", "e2", "new"]);
    let games = |event: &Event| event.tally().score(1, 3).games();
    assert_eq!(games(&event), there);
    assert_eq!(event.recount().unwrap(), *event.tally());
    assert_eq!(event.changes().unwrap()[0].kind, ChangeKind::Merged);
    let merged: Vec<_> = event.records().map(Result::unwrap).collect();
    for record in &merged {
        assert_eq!(tengen_record::replay(record).as_ref(), Ok(&record.result));
    }
    let before = export(&open(&one.dir));
    assert!(export(&event).starts_with(&before), "the first event's records are the same");
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    assert_eq!((games(&event), event.tally().len()), (400, 412));
    let again = Event::merge(&one.dir, &other.dir, &both.dir, "today").err().unwrap();
    assert!(matches!(again, EventError::Exists { .. }), "{again}");
    let file = std::fs::read_to_string(both.dir.join("event.toml")).unwrap();
    assert!(file.contains("[[parts]]"), "{file}");
}

#[test]
fn events_of_other_rules_are_not_merged() {
    let one = TestEvent::new();
    drop(finish(&one.dir, config(2, 2, 5)));
    let unlike = [
        ("tc", EventConfig { tc: "nodes=2000".parse().unwrap(), ..config(2, 2, 5) }),
        ("size", EventConfig { size: "8".parse().unwrap(), ..config(2, 2, 5) }),
        ("format", EventConfig { own: StageConfig::of(EventFormat::Gauntlet), ..config(2, 2, 5) }),
        ("restart", EventConfig { restart: RestartOption::On, ..config(2, 2, 5) }),
    ];
    for (key, config) in unlike {
        let (other, out) = (TestEvent::new(), TestEvent::new());
        drop(finish(&other.dir, config));
        let error = Event::merge(&one.dir, &other.dir, &out.dir, "today").err().unwrap();
        assert!(matches!(error, EventError::Unlike { .. }), "{error}");
        assert!(error.to_string().contains(&format!("{key}: one has")), "{error}");
        assert!(!out.dir.exists(), "nothing is made");
    }
}

/// A challenger of one of two gauntlets challenges those that are added, and plays on.
#[test]
fn gauntlets_of_different_challengers_grow_as_one() {
    let gauntlet = |config| EventConfig { own: StageConfig::of(EventFormat::Gauntlet), ..config };
    let one = gauntlet(of(&["a", "c", "d"], 2, 5));
    let other = gauntlet(of(&["b", "d", "c", "e"], 4, 6));
    let (folder, event) = merged(one, other);
    assert_eq!(event.config().labels(), ["a", "b", "c", "d", "e"]);
    assert_eq!((event.config().own.challengers(), event.tally().len()), (2, 2 * 2 + 3 * 4));
    drop(event);
    drop(open(&folder.dir).add(&[EngineEntry::new("x")], "today").unwrap());
    let mut event = Event::extend(&folder.dir, 6, "today").unwrap();
    let all = meetings(&mut event);
    for challenger in ["a", "b"] {
        for other in ["c", "d", "e", "x"] {
            assert_eq!(games_of(&all, [challenger, other]), 6, "{challenger} and {other}");
        }
    }
    for nobody in [["a", "b"], ["c", "d"], ["e", "x"]] {
        assert_eq!(games_of(&all, nobody), 0, "{nobody:?}");
    }
}

#[test]
fn what_becomes_of_absent_engines_may_differ() {
    let wait = Some(tengen_tournament::Seconds(5_000_000_000));
    let other = EventConfig { remote_wait: wait, ..of(&["a", "c"], 2, 6) };
    let (_folder, event) = merged(of(&["a", "b"], 2, 5), other);
    assert_eq!(event.tally().len(), 4);
}

#[test]
fn gauntlets_in_which_all_are_challengers_are_not_merged() {
    let (one, other, out) = (TestEvent::new(), TestEvent::new(), TestEvent::new());
    for (test, ids) in [(&one, ["a", "b"]), (&other, ["b", "a"])] {
        let gauntlet =
            EventConfig { own: StageConfig::of(EventFormat::Gauntlet), ..of(&ids, 2, 5) };
        drop(finish(&test.dir, gauntlet));
    }
    let error = Event::merge(&one.dir, &other.dir, &out.dir, "today").err().unwrap();
    assert!(matches!(error, EventError::Unlike { .. }), "{error}");
    assert!(error.to_string().contains("challengers: every engine is a challenger"), "{error}");
    assert!(!out.dir.exists(), "nothing is made");
}

/// After that every two engines have met as often, whichever event they came from.
#[test]
fn events_of_other_engines_grow_until_all_have_met_as_often() {
    let (folder, event) = merged(of(&["a", "b", "c"], 4, 5), of(&["d", "c", "e"], 2, 6));
    assert_eq!(event.tally().len(), 3 * 4 + 3 * 2);
    drop(event);
    let few = Event::extend(&folder.dir, 2, "today").err().unwrap().to_string();
    assert!(few.contains("name 4 or more"), "{few}");
    let mut event = Event::extend(&folder.dir, 4, "today").unwrap();
    let text = event.changes().unwrap().pop().unwrap().text;
    assert_eq!(text, "every two engines have 4 games, also those that had fewer");
    let all = meetings(&mut event);
    assert!(all.iter().all(|(_, _, games)| *games == 4), "{all:?}");
    drop(event);
    let mut event = Event::extend(&folder.dir, 6, "today").unwrap();
    let all = meetings(&mut event);
    assert!(all.iter().all(|(_, _, games)| *games == 6), "{all:?}");
    assert_eq!(event.tally().len(), 10 * 6);
    let full = Event::extend(&folder.dir, 6, "today").err().unwrap().to_string();
    assert!(full.contains("every two engines play 6 already"), "{full}");
}

fn changes(event: &Event) -> Vec<(u64, String, ChangeKind)> {
    let changes = event.changes().unwrap().into_iter();
    changes.map(|change| (change.number, change.date, change.kind)).collect()
}

/// What was changed in two events, how long their answers took, and what was played again.
#[test]
fn what_was_changed_and_what_was_played_again_stays_told() {
    let (one, other, both) = (TestEvent::new(), TestEvent::new(), TestEvent::new());
    let first = play_spoiled(&one, 2);
    let discarded = |event: &Event| discarded(event).lines().count();
    let before = discarded(&first);
    assert!(before > 0);
    drop(first);
    drop(play_spoiled(&other, 1));
    drop(open(&one.dir).add(&[EngineEntry::new("x")], "monday").unwrap());
    drop(open(&other.dir).add(&[EngineEntry::new("y")], "tuesday").unwrap());
    drop(open(&other.dir).remove(2, "it left", "friday").unwrap());
    let event = Event::merge(&one.dir, &other.dir, &both.dir, "today").unwrap();
    let changes = changes(&event);
    let at = event.config().labels().iter().position(|label| label == "y").unwrap();
    let expected = [
        ("monday", ChangeKind::Added),
        ("tuesday", ChangeKind::Added),
        ("friday", ChangeKind::Removed(at)),
        ("today", ChangeKind::Merged),
    ];
    let numbered = (1..).zip(expected).map(|(number, (date, kind))| (number, date.into(), kind));
    assert_eq!(changes, numbered.collect::<Vec<_>>());
    let others = discarded(&open(&other.dir));
    assert_eq!(discarded(&event), before + others);
    let lags = |dir: &Path| open(dir).tally().lags().len();
    assert_eq!(event.tally().lags().len(), lags(&one.dir) + lags(&other.dir));
    drop(event);
    // A repair keeps them, too.
    let sql = "UPDATE games SET detail = 'so to say' WHERE number = 1";
    rusqlite::Connection::open(both.dir.join("event.db")).unwrap().execute_batch(sql).unwrap();
    Event::repair(&both.dir).unwrap().expect("something is to be repaired");
    let repaired = open(&both.dir);
    assert_eq!(self::changes(&repaired), changes);
    assert_eq!(discarded(&repaired), before + others);
}
