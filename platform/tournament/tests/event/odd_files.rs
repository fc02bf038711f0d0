//! Events with something else in place of a file: nothing waits for ever, and every error names its
//! file.

use std::fs;
use std::path::Path;

use tengen_tournament::{Event, EventConfig, RunOutcome, Stop};

use crate::test_event::{MisbehavingRoster, TestEvent, config, finish, run};

/// A pipe that no process writes to.
fn pipe(path: &Path) {
    assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
}

#[test]
fn a_pipe_in_place_of_a_file_of_an_event_is_told_and_repaired() {
    for name in ["event.toml", "event.db", "event.db-wal", "event.db-journal", "games.jsonl"] {
        let test = TestEvent::new();
        finish(&test.dir, config(2, 4, 1));
        let path = test.dir.join(name);
        let kept = test.dir.with_file_name("kept");
        if path.exists() {
            fs::rename(&path, &kept).unwrap();
        }
        pipe(&path);
        if name != "games.jsonl" {
            let error = Event::open(&test.dir).err().expect("no file").to_string();
            for words in [name, "not a plain file", "resume"] {
                assert!(error.contains(words), "no `{words}` in: {error}");
            }
        }
        Event::repair(&test.dir).unwrap();
        let mut event = Event::open(&test.dir).unwrap();
        assert_eq!(run(&mut event, &Stop::new(), &mut |_| {}), RunOutcome::Finished, "{name}");
        assert_eq!(event.tally().len(), 4, "{name}");
    }
}

#[test]
fn a_pipe_in_place_of_the_lock_is_told() {
    let test = TestEvent::new();
    finish(&test.dir, config(2, 2, 1));
    let lock = test.dir.join("lock");
    fs::remove_file(&lock).unwrap();
    pipe(&lock);
    let error = Event::repair(&test.dir).unwrap_err().to_string();
    assert!(error.contains("lock") && error.contains("not a plain file"), "{error}");
}

/// A person who plays an event received from others must not thereby overwrite a file of their own.
#[test]
fn a_link_in_place_of_an_unfinished_file_leads_nowhere() {
    let (test, event) = TestEvent::finished(config(2, 2, 1));
    let mine = test.dir.with_file_name("mine");
    fs::write(&mine, "dear").unwrap();
    let records = test.dir.join("games.jsonl");
    std::os::unix::fs::symlink(&mine, test.dir.join("games.jsonl.tmp")).unwrap();
    event.export_records(&records).unwrap();
    assert_eq!(fs::read_to_string(&mine).unwrap(), "dear");
    assert_eq!(fs::read_to_string(&records).unwrap().lines().count(), 2);
}

/// The same for every file that is opened to write, by a link or by a second name.
#[test]
fn nothing_is_written_through_a_link_in_an_event_that_was_sent() {
    let names = [
        "lock",
        "lock-owner",
        "games.jsonl",
        "spoiled.jsonl",
        "event.db",
        "event.db-wal",
        "event.db-shm",
        "event.db-journal",
        "event.toml.tmp",
        "event.db.tmp",
        "event.db.damaged",
        "event.db.damaged-wal",
    ];
    for (name, is_hard) in names.iter().flat_map(|name| [(name, false), (name, true)]) {
        let test = TestEvent::new();
        drop(Event::create(&test.dir, config(2, 4, 1)).unwrap());
        let (mine, away) = (test.dir.with_file_name("mine"), test.dir.join(name));
        // A database that is read is none of another's.
        match *name {
            "event.db" => fs::rename(&away, &mine).unwrap(),
            _ => {
                fs::write(&mine, "dear").unwrap();
                let _absent = fs::remove_file(&away);
            }
        }
        let before = fs::read(&mine).unwrap();
        match is_hard {
            true => fs::hard_link(&mine, &away).unwrap(),
            false => std::os::unix::fs::symlink(&mine, &away).unwrap(),
        }
        for _ in 0..2 {
            let roster = MisbehavingRoster::new(None);
            // It may do without, or be told, or be repaired.
            if let Ok(mut event) = Event::open(&test.dir) {
                let _told = event.run(&roster, &*roster.time, &Stop::new(), &mut |_| {});
                let _told = event.keep_discarded();
            }
            let _repaired = Event::repair(&test.dir);
        }
        assert_eq!(fs::read(&mine).unwrap(), before, "{name}, hard: {is_hard}");
    }
}

#[test]
fn a_file_of_options_that_is_none_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("cup.toml");
    let read = |path: &Path| EventConfig::read(path).unwrap_err().to_string();
    pipe(&file);
    for path in [file.as_path(), folder.path(), Path::new("/dev/zero")] {
        assert!(read(path).ends_with("not a plain file"), "{}", read(path));
        let suite = format!("opening = 'book'\nopenings = '{}'", path.display());
        let mut config = EventConfig::from_toml(&suite, "cup.toml".as_ref()).unwrap();
        let error = config.load_openings().unwrap_err().to_string();
        assert!(error.ends_with("not a plain file"), "{error}");
    }
    fs::remove_file(&file).unwrap();
    fs::write(&file, b"games = 2\n# \xff\n").unwrap();
    let wrong = read(&file);
    for words in ["cup.toml", "line 2", "UTF-8"] {
        assert!(wrong.contains(words), "no `{words}` in: {wrong}");
    }
    fs::File::create(&file).unwrap().set_len(1 << 40).unwrap();
    assert!(read(&file).ends_with("larger than 64 MiB"), "{}", read(&file));
}
