use std::fs;
use std::path::Path;

use rusqlite::Connection;
use tengen_tournament::{Event, EventError, RunOutcome, Stop, StoreError};

use crate::test_event::{TestEvent, config, export, finish, run};

/// A finished event of 30 games, and its records.
fn finished(test: &TestEvent) -> String {
    let event = finish(&test.dir, config(4, 5, 8));
    export(&event)
}

/// Repairs the event and plays it to its end; gives how many games were kept.
fn repair(dir: &Path) -> (u64, Event) {
    let repaired = Event::repair(dir).unwrap().expect("something is to be repaired");
    assert_eq!(repaired.total, 30);
    let mut event = Event::open(dir).unwrap();
    assert_eq!(event.tally().len(), repaired.kept);
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    (repaired.kept, event)
}

fn alter(dir: &Path, sql: &str) {
    let connection = Connection::open(dir.join("event.db")).unwrap();
    connection.execute_batch(sql).unwrap();
    connection.close().unwrap();
}

#[test]
fn a_whole_event_needs_no_repair() {
    let test = TestEvent::new();
    finished(&test);
    assert_eq!(Event::repair(&test.dir).unwrap(), None);
    assert_eq!(
        fs::read_dir(&test.dir)
            .unwrap()
            .flatten()
            .filter(|entry| { entry.file_name().to_str().unwrap().contains("damaged") })
            .count(),
        0
    );
    let nothing = Event::repair(&test.dir.join("nothing")).unwrap_err();
    assert!(matches!(nothing, EventError::NoEvent { .. }), "{nothing}");
}

/// The database itself sees nothing wrong with any of these.
#[test]
fn what_is_not_as_it_was_written_is_found_and_played_again() {
    for (alteration, lost) in [
        (
            "UPDATE games SET winner = 'first' WHERE number = 3 AND winner = 'second';
          UPDATE games SET winner = 'second' WHERE number = 4 AND winner = 'first';
          UPDATE games SET winner = NULL WHERE number = 5",
            1..=3,
        ),
        ("UPDATE games SET game = zeroblob(length(game)) WHERE number = 7", 1..=1),
        ("UPDATE games SET first = 3, second = 2 WHERE number = 9", 1..=1),
        ("UPDATE games SET detail = 'so to say' WHERE number = 10", 1..=1),
        ("UPDATE games SET sum = sum + 1 WHERE number < 4", 3..=3),
        ("UPDATE games SET number = 31 WHERE number = 30", 1..=1),
        ("DELETE FROM games WHERE number = 30", 1..=1),
        ("UPDATE tallies SET games = games + 1", 0..=0),
        ("UPDATE pairs SET later = 2 - later", 0..=0),
        ("DELETE FROM tallies", 0..=0),
        ("DELETE FROM sums", 0..=0),
        ("UPDATE event SET value = replace(value, 'games', 'gamez')", 0..=0),
        ("DROP TABLE tallies", 0..=0),
        ("DROP TABLE games", 30..=30),
    ] {
        let test = TestEvent::new();
        let expected = finished(&test);
        // What is exported is a copy of the games.
        fs::remove_file(test.dir.join("games.jsonl")).unwrap();
        alter(&test.dir, alteration);
        let refused = Event::open(&test.dir).and_then(|mut event| {
            let roster = crate::test_event::MisbehavingRoster::new(None);
            event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {})
        });
        let refused = refused.unwrap_err();
        let damaged = matches!(refused, EventError::Store(StoreError::Damaged { .. }));
        assert!(damaged, "{alteration}: {refused}");
        assert!(refused.to_string().contains("--repair"), "{refused}");
        let (kept, event) = repair(&test.dir);
        assert!(lost.contains(&(30 - kept)), "{alteration}: {kept} of 30 were kept");
        assert!(export(&event) == expected, "{alteration}");
        assert!(test.dir.join("event.db.damaged").exists());
        assert_eq!(Event::repair(&test.dir).unwrap(), None);
    }
}

#[test]
fn games_are_taken_from_the_exported_records_and_from_earlier_copies() {
    let test = TestEvent::new();
    let expected = finished(&test);
    fs::remove_file(test.dir.join("event.db")).unwrap();
    let (kept, event) = repair(&test.dir);
    assert_eq!(kept, 30);
    assert!(export(&event) == expected);
    drop(event);

    // A record that was tampered with is not believed.
    let records = test.dir.join("games.jsonl");
    let text = fs::read_to_string(&records).unwrap();
    let (one, other) = (r#""winner":"first""#, r#""winner":"second""#);
    assert!(text.contains(one));
    fs::write(&records, text.replacen(one, other, 1) + "no record\n").unwrap();
    fs::write(test.dir.join("event.db"), "not a database").unwrap();
    let (kept, event) = repair(&test.dir);
    assert_eq!(kept, 29);
    assert!(export(&event) == expected);
    drop(event);

    // The copy that the next repair makes is of a whole database but for one row.
    alter(&test.dir, "UPDATE games SET plies = plies + 1 WHERE number = 30");
    fs::remove_file(&records).unwrap();
    assert_eq!(repair(&test.dir).0, 29);
    fs::remove_file(&records).unwrap();
    fs::write(test.dir.join("event.db"), "").unwrap();
    fs::remove_file(test.dir.join("event.toml")).unwrap();
    let (kept, event) = repair(&test.dir);
    assert_eq!(kept, 29, "from event.db.damaged-2");
    assert!(export(&event) == expected);
}

/// The database has the configuration too, and a checksum of it.
#[test]
fn a_configuration_file_is_written_as_it_was() {
    let test = TestEvent::new();
    let expected = finished(&test);
    let toml = test.dir.join("event.toml");
    let whole = fs::read_to_string(&toml).unwrap();
    for damaged in ["", "games = [", "\u{0}", &whole.replace("games = 5", "games = 7")] {
        fs::write(&toml, damaged).unwrap();
        let refused = Event::open(&test.dir).err().expect("an error");
        assert!(refused.to_string().contains("delete the file"), "{refused}");
        let (kept, event) = repair(&test.dir);
        assert_eq!(kept, 30);
        assert_eq!(fs::read_to_string(&toml).unwrap(), whole);
        assert!(export(&event) == expected);
    }
    let copy = fs::read_to_string(test.dir.join("event.toml.damaged-2")).unwrap();
    assert_eq!(copy, "games = [");
}
