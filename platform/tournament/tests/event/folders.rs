use std::fs;
use std::path::Path;
use std::thread;

use tengen_tournament::{Event, EventConfig, EventError, RunOutcome, Stop, StoreError};

use crate::test_event::{TestEvent, config, export, finish, run};

fn error<T>(result: Result<T, EventError>) -> (EventError, String) {
    let error = result.err().expect("an error");
    let text = error.to_string();
    (error, text)
}

#[test]
fn an_event_is_made_in_a_new_or_empty_folder() {
    let test = TestEvent::new();
    fs::create_dir_all(&test.dir).unwrap();
    let event = Event::create(&test.dir, config(2, 2, 1)).unwrap();
    assert_eq!(event.config(), &config(2, 2, 1));
    let mut names: Vec<_> = fs::read_dir(&test.dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| !name.ends_with("-wal") && !name.ends_with("-shm"))
        .collect();
    names.sort();
    assert_eq!(names, ["event.db", "event.toml", "lock", "lock-owner"]);
}

#[test]
fn what_is_there_already_is_not_touched() {
    let test = TestEvent::new();
    finish(&test.dir, config(2, 2, 1));
    let (kind, text) = error(Event::create(&test.dir, config(3, 2, 1)));
    assert!(matches!(kind, EventError::Exists { .. }));
    assert!(text.contains("tengen tournament resume") && text.contains("--out"), "{text}");
    assert_eq!(Event::open(&test.dir).unwrap().tally().len(), 2);

    let test = TestEvent::new();
    fs::create_dir_all(&test.dir).unwrap();
    fs::write(test.dir.join("thesis.tex.tmp"), "dear").unwrap();
    let (kind, text) = error(Event::create(&test.dir, config(2, 2, 1)));
    assert!(matches!(kind, EventError::NotEmpty { .. }));
    assert!(text.contains("--out"), "{text}");
    assert_eq!(fs::read_dir(&test.dir).unwrap().count(), 1);
}

#[test]
fn what_an_interrupted_making_left_is_replaced() {
    let test = TestEvent::new();
    fs::create_dir_all(&test.dir).unwrap();
    for name in ["event.db.tmp", "event.db.tmp-wal", "event.db.tmp-shm", "event.toml.tmp"] {
        fs::write(test.dir.join(name), "half").unwrap();
    }
    fs::write(test.dir.join("lock"), "").unwrap();
    fs::write(test.dir.join("lock-owner"), "process 7 on far\n").unwrap();
    Event::create(&test.dir, config(2, 2, 1)).unwrap();
}

/// A report is asked for again and again from the moment the command was given.
#[test]
fn an_event_may_be_opened_while_it_is_made() {
    for _ in 0..20 {
        let test = TestEvent::new();
        let dir = test.dir.as_path();
        thread::scope(|scope| {
            let made = scope.spawn(|| Event::create(dir, config(2, 2, 1)).map(drop));
            while !made.is_finished() {
                match Event::open(dir) {
                    Ok(event) => assert_eq!(event.config(), &config(2, 2, 1)),
                    Err(error) => assert!(matches!(error, EventError::NoEvent { .. }), "{error}"),
                }
            }
            made.join().unwrap().unwrap();
        });
        assert!(dir.join("event.toml").is_file());
    }
}

#[test]
fn of_two_that_make_an_event_in_one_folder_one_does() {
    for _ in 0..20 {
        let test = TestEvent::new();
        let dir = test.dir.as_path();
        let makings = thread::scope(|scope| {
            let make = |seed| scope.spawn(move || Event::create(dir, config(2, 2, seed)).map(drop));
            [1, 2].map(make).map(|made| made.join().unwrap())
        });
        let refused: Vec<_> = makings.into_iter().filter_map(Result::err).collect();
        assert!(
            matches!(refused[..], [EventError::Running { .. } | EventError::Exists { .. }]),
            "{refused:?}"
        );
        Event::open(dir).unwrap();
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let test = TestEvent::new();
    let file = test.dir.with_file_name("file");
    fs::write(&file, "").unwrap();
    for dir in [file.join("cup"), file.clone()] {
        let (kind, text) = error(Event::create(&dir, config(2, 2, 1)));
        assert!(matches!(kind, EventError::File { .. }), "{text}");
        assert!(text.contains(dir.to_str().unwrap()), "{text}");
    }
}

/// The program may have been killed between the database and the configuration file.
#[test]
fn a_configuration_file_that_is_missing_is_written_as_it_was() {
    let test = TestEvent::new();
    drop(finish(&test.dir, config(2, 2, 1)));
    let path = test.dir.join("event.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    assert!(Event::exists(&test.dir));
    let (kind, _) = error(Event::create(&test.dir, config(2, 2, 1)));
    assert!(matches!(kind, EventError::Exists { .. }));
    assert_eq!(Event::open(&test.dir).unwrap().tally().len(), 2);
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_bad_configuration_makes_no_folder() {
    let test = TestEvent::new();
    let (kind, _) = error(Event::create(&test.dir, config(1, 2, 1)));
    assert!(matches!(kind, EventError::Config(_)));
    assert!(!test.dir.exists());
}

#[test]
fn no_event_is_no_event() {
    let test = TestEvent::new();
    for dir in [&test.dir, Path::new("Cargo.toml")] {
        let (_, text) = error(Event::open(dir));
        assert!(text.starts_with(dir.to_str().unwrap()), "{text}");
    }
    assert!(!Event::exists(&test.dir));
}

#[test]
fn a_changed_configuration_is_refused() {
    let test = TestEvent::new();
    Event::create(&test.dir, config(2, 2, 1)).unwrap();
    let path = test.dir.join("event.toml");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("games = 2", "games = 4")).unwrap();
    let (kind, text_of_error) = error(Event::open(&test.dir));
    assert!(matches!(kind, EventError::Changed { .. }), "{text_of_error}");
    let line = text.lines().position(|line| line.starts_with("games = ")).unwrap() + 1;
    assert!(text_of_error.contains(&format!("line {line}: games has changed")), "{text_of_error}");
    fs::write(&path, text.replace("concurrency = 2", "concurrency = 1")).unwrap();
    assert_eq!(Event::open(&test.dir).unwrap().config().concurrency, 1);
    fs::write(&path, text.replace("games = 2", "games = two")).unwrap();
    let (kind, text) = error(Event::open(&test.dir));
    assert!(matches!(kind, EventError::Frozen { .. }));
    assert!(text.contains("event.toml") && text.contains("line "), "{text}");
}

#[test]
fn concurrency_may_be_set_for_a_run() {
    let (test, mut event) = TestEvent::with(config(2, 2, 1));
    event.set_concurrency(5).unwrap();
    assert_eq!(event.config().concurrency, 5);
    assert!(event.set_concurrency(0).is_err());
    let unchanged = Event::open(&test.dir).unwrap();
    assert_eq!(unchanged.config(), &EventConfig { concurrency: 2, ..config(2, 2, 1) });
}

#[test]
fn a_damaged_database_is_told_apart() {
    let test = TestEvent::new();
    drop(finish(&test.dir, config(2, 2, 1)));
    let path = test.dir.join("event.db");
    let whole = fs::read(&path).unwrap();

    for damaged in [
        &b"This is a text that somebody saved under the wrong name."[..],
        &whole[..whole.len() / 3],
        b"",
    ] {
        fs::write(&path, damaged).unwrap();
        let (kind, text) = error(Event::open(&test.dir).and_then(|event| event.recount()));
        let is_damaged = matches!(kind, EventError::Store(StoreError::Damaged { .. }));
        assert!(is_damaged, "{} bytes: {text}", damaged.len());
    }

    fs::remove_file(&path).unwrap();
    let (kind, text) = error(Event::open(&test.dir));
    assert!(matches!(kind, EventError::Store(StoreError::Missing { .. })), "{text}");
    assert!(!path.exists(), "reading makes no database");

    fs::write(&path, &whole).unwrap();
    let newer = "PRAGMA user_version = 99; UPDATE sums SET sum = 99 WHERE name = 'format'";
    rusqlite::Connection::open(&path).unwrap().execute_batch(newer).unwrap();
    let (kind, text) = error(Event::open(&test.dir));
    let newer = EventError::Store(StoreError::Format { path, found: 99, expected: 5 });
    assert_eq!(kind.to_string(), newer.to_string(), "{text}");
}

#[test]
fn an_export_replaces_the_last_one_and_names_a_folder_that_is_not_there() {
    let (test, event) = TestEvent::finished(config(2, 2, 1));
    let path = test.dir.join("games.jsonl");
    fs::write(&path, "old").unwrap();
    event.export_records(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
    let (kind, text) = error(event.export_records(&test.dir.join("missing/games.jsonl")));
    assert!(matches!(kind, EventError::Export { .. }));
    assert!(text.contains("missing") && text.contains("is saved"), "{text}");
}

/// An event that was played goes on with more games, the first of which are those it has.
#[test]
fn an_event_can_have_more_games_than_it_began_with() {
    let whole = TestEvent::new();
    let expected = export(&finish(&whole.dir, config(3, 8, 5)));
    let test = TestEvent::new();
    drop(finish(&test.dir, config(3, 4, 5)));
    let old = fs::read_to_string(test.dir.join("event.toml")).unwrap();
    for (games, problem) in [(4, "play 4 already"), (2, "play 4 already")] {
        let error = Event::extend(&test.dir, games, "today").err().unwrap().to_string();
        assert!(error.contains(problem), "{error}");
    }
    let event = Event::extend(&test.dir, 8, "today").unwrap();
    let changes: Vec<String> = event.changes().unwrap().iter().map(ToString::to_string).collect();
    assert_eq!(changes, ["today: 4 games for every two engines became 8"]);
    assert_eq!((event.tally().len(), event.schedule().len()), (12, 24));
    drop(event);
    // As after a kill before the file was written.
    fs::write(test.dir.join("event.toml"), &old).unwrap();
    let mut event = Event::open(&test.dir).unwrap();
    assert_ne!(fs::read_to_string(test.dir.join("event.toml")).unwrap(), old);
    assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished);
    assert!(export(&event) == expected, "the same games as if it had begun so");

    let odd = TestEvent::new();
    drop(finish(&odd.dir, config(2, 3, 5)));
    let error = Event::extend(&odd.dir, 9, "today").err().unwrap().to_string();
    assert!(error.contains("odd number"), "{error}");
    assert!(Event::open(&odd.dir).is_ok());
}
