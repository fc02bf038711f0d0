use std::fs;
use std::path::Path;

use rusqlite::Connection;
use tengen_tournament::{Event, EventConfig, EventError, RunOutcome, Stop, StoreError};

use crate::test_event::{MisbehavingRoster, TestEvent, WaitingRoster, config, export, finish, run};

/// Copies a database as it would be found after the program was killed: with its log, of which the
/// last `lost` bytes did not reach the disk.
fn copy_torn(from: &Path, to: &Path, lost: u64) -> u64 {
    fs::create_dir_all(to).unwrap();
    for name in ["event.toml", "event.db", "event.db-wal"] {
        fs::copy(from.join(name), to.join(name)).unwrap();
    }
    let log = fs::File::options().write(true).open(to.join("event.db-wal")).unwrap();
    let len = log.metadata().unwrap().len();
    log.set_len(len.saturating_sub(lost)).unwrap();
    len
}

/// Whatever the end of the log lost, the database opens with whole commits, its tallies are those
/// of its rows, and the event goes on to the same records.
#[test]
fn a_log_without_its_end_costs_only_what_was_not_told() {
    let straight = TestEvent::new();
    let expected = export(&finish(&straight.dir, config(3, 10, 5)));

    let (test, mut event) = TestEvent::with(config(3, 10, 5));
    let mut torn = Vec::new();
    run(&mut event, &Stop::new(), &mut |progress| {
        for lost in [0, 1, 5000, 20_000, 60_000, u64::MAX] {
            let dir = test.dir.with_file_name(format!("torn{}", torn.len()));
            let log = copy_torn(&test.dir, &dir, lost);
            torn.push((dir, lost, log, progress.finished));
        }
    });
    assert!(torn.len() >= 6);
    for (dir, lost, log, told) in torn {
        let mut event = Event::open(&dir).unwrap();
        assert_eq!(event.recount().unwrap(), *event.tally(), "{lost} of {log} bytes lost");
        if lost == 0 {
            assert!(event.tally().len() >= told, "what was told is there");
        }
        assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
        assert!(export(&event) == expected, "{lost} of {log} bytes lost");
    }
}

/// Makes the database refuse every game from this number on, as a full disk would.
fn refuse_from(dir: &Path, number: u64) {
    let connection = Connection::open(dir.join("event.db")).unwrap();
    let trigger = format!(
        "CREATE TRIGGER no_room BEFORE INSERT ON games WHEN NEW.number >= {number}
         BEGIN SELECT RAISE(ABORT, 'no room'); END"
    );
    connection.execute_batch(&trigger).unwrap();
}

#[test]
fn a_store_that_fails_stops_the_event_and_keeps_what_was_told() {
    let one_table = EventConfig { concurrency: 1, ..config(2, 2000, 1) };
    let (test, mut event) = TestEvent::with(one_table);
    refuse_from(&test.dir, 1000);
    let roster = MisbehavingRoster::new(None);
    let mut told = 0;
    let error = event
        .run(&roster, &*roster.time, &Stop::new(), &mut |progress| told = progress.finished)
        .unwrap_err();
    assert!(matches!(error, EventError::Store(StoreError::Failed { .. })), "{error}");
    assert!(error.to_string().contains("no room"), "{error}");
    assert!((1..1000).contains(&told));
    let mut event = Event::open(&test.dir).unwrap();
    assert_eq!(event.tally().len(), told);
    assert_eq!(event.recount().unwrap(), *event.tally());

    let connection = Connection::open(test.dir.join("event.db")).unwrap();
    connection.execute_batch("DROP TRIGGER no_room").unwrap();
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    assert_eq!(event.recount().unwrap(), *event.tally());
}

/// Some tables wait for ever when the store fails: they are interrupted, too.
#[test]
fn a_store_that_fails_waits_for_no_player() {
    struct MixedRoster(MisbehavingRoster, WaitingRoster);
    impl tengen_tournament::Roster for MixedRoster {
        fn player(&self, engine: usize) -> Box<dyn tengen_players::Player> {
            if engine < 3 { self.0.player(engine) } else { self.1.player(engine) }
        }
        fn interrupt(&self) {
            self.1.interrupt();
        }
    }
    let four_tables = EventConfig { concurrency: 4, ..config(4, 2, 1) };
    let (test, mut event) = TestEvent::with(four_tables);
    refuse_from(&test.dir, 1);
    let roster = MixedRoster(MisbehavingRoster::new(None), WaitingRoster::default());
    let error = event.run(&roster, &*roster.0.time, &Stop::new(), &mut |_| {}).unwrap_err();
    assert!(matches!(error, EventError::Store(_)), "{error}");
}

/// Rows without counts, or counts without rows, are damage, and no game is played on it.
#[test]
fn a_database_that_contradicts_itself_is_not_played_on() {
    for tampering in [
        "INSERT INTO games VALUES (2, 1, 0, NULL, 'five', 9, 9, x'', NULL, NULL, 0, 0, 0, 0, 0, \
         0, NULL, 0, 0)",
        "INSERT INTO games VALUES (5000, 1, 0, NULL, 'five', 9, 9, x'', NULL, NULL, 0, 0, 0, 0, 0, \
         0, NULL, 0, 0)",
        "INSERT INTO tallies VALUES (0, 1, '', 'five', 1)",
    ] {
        let (test, mut event) = TestEvent::with(config(2, 4, 1));
        let connection = Connection::open(test.dir.join("event.db")).unwrap();
        connection.execute_batch(tampering).unwrap();
        drop(connection);
        let roster = MisbehavingRoster::new(None);
        let error = event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {}).unwrap_err();
        assert!(matches!(error, EventError::Store(StoreError::Damaged { .. })), "{error}");
    }
}

/// Games that go into a file which is not there any more are lost: that is said at once.
#[cfg(unix)]
#[test]
fn a_database_that_is_deleted_while_the_event_runs_stops_it() {
    for whole_folder in [false, true] {
        let (test, mut event) = TestEvent::with(config(3, 40, 1));
        let (roster, mut told) = (MisbehavingRoster::new(None), 0);
        let outcome = event.run(&roster, &*roster.time, &Stop::new(), &mut |progress| {
            told = progress.finished;
            if whole_folder {
                // The files beside the database come and go.
                let _less = fs::remove_dir_all(&test.dir);
            } else {
                let _gone_already = fs::remove_file(test.dir.join("event.db"));
            }
        });
        let error = outcome.unwrap_err();
        assert!(matches!(error, EventError::Store(StoreError::Lost { .. })), "{error}");
        assert!(error.to_string().contains("was deleted or replaced"), "{error}");
        assert!(told > 0, "it had begun");
    }
}
