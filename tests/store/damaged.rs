//! Files that are no longer as they were written.

use std::fs::{self, File};
use std::path::Path;
use std::sync::OnceLock;

use tempfile::TempDir;
use tengen_random::Random;

use crate::common::{ProgramRun, tengen};
use crate::small_event::SmallEvent;

const GAMES: u64 = 40;

/// Copies a finished event, to damage its files.
fn finished() -> SmallEvent {
    static WHOLE: OnceLock<(TempDir, SmallEvent)> = OnceLock::new();
    let (copy, _) = WHOLE.get_or_init(|| {
        let event = SmallEvent::new(GAMES);
        event.finish();
        let copy = TempDir::new().unwrap();
        copy_files(&event.dir, copy.path());
        (copy, event)
    });
    let event = SmallEvent::new(GAMES);
    fs::create_dir(&event.dir).unwrap();
    copy_files(copy.path(), &event.dir);
    event
}

fn copy_files(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap().flatten() {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

fn report(event: &SmallEvent) -> ProgramRun {
    ProgramRun::of(tengen(["tournament", "report", "--json"]).arg(&event.dir))
}

fn repair(event: &SmallEvent) -> ProgramRun {
    ProgramRun::of(&mut event.repair())
}

/// Asserts that a command did what it should, or said which file is wrong and what to do.
fn assert_right_or_helpful(event: &SmallEvent, run: &ProgramRun, file: &str, what: &str) {
    if run.code == Some(0) {
        return event.assert_summary(&run.stdout);
    }
    let message = &run.stderr;
    assert_eq!(run.code, Some(1), "{what}: {message}");
    assert!(!message.contains("panicked"), "{what}: {message}");
    let path = event.dir.join(file);
    assert!(message.contains(path.to_str().unwrap()), "{what}: {message}");
    let advice = ["--repair", "delete the file", "check that", "put it back", "use the version"];
    assert!(advice.iter().any(|advice| message.contains(advice)), "{what}: {message}");
}

/// Whatever was done to the file, reports are right or none, and a repair leads to the same event.
fn recovers(event: &SmallEvent, file: &str, what: &str) {
    assert_right_or_helpful(event, &report(event), file, what);
    let resumed = ProgramRun::of(&mut event.go_on("2"));
    assert_right_or_helpful(event, &resumed, file, what);
    let repaired = repair(event);
    assert_eq!(repaired.code, Some(0), "{what}: {}", repaired.stderr);
    event.assert_finished(&repaired.stdout);
    event.assert_summary(&report(event).done());
}

#[test]
fn a_few_flipped_bytes_are_seen_or_are_nothing() {
    let mut random = Random::new(2026);
    for trial in 0..60 {
        let event = finished();
        let file = if trial % 5 == 4 { "event.toml" } else { "event.db" };
        let path = event.dir.join(file);
        let mut bytes = fs::read(&path).unwrap();
        // The first page of a database is the one that matters most.
        let end = if trial % 4 == 0 { bytes.len().min(200) } else { bytes.len() };
        let flips: Vec<(usize, u32)> =
            (0..1 + random.below(4)).map(|_| (random.below(end), random.below(8) as u32)).collect();
        for &(at, bit) in &flips {
            bytes[at] ^= 1 << bit;
        }
        fs::write(&path, bytes).unwrap();
        recovers(&event, file, &format!("{file}, bits {flips:?}"));
    }
}

/// Also what a report counts without a look at the games themselves.
#[test]
fn a_changed_column_of_a_game_is_seen_or_is_nothing() {
    for column in ["first", "second", "plies", "duration_ns", "replays", "void", "began", "line"] {
        let event = finished();
        event.alter(&format!("UPDATE games SET {column} = {column} + 1 WHERE number = 2"));
        recovers(&event, "event.db", column);
    }
}

#[test]
fn files_that_are_cut_empty_or_something_else_are_told() {
    type Damage = (&'static str, fn(&Path));
    let damages: [Damage; 8] = [
        ("empty", |path| fs::write(path, "").unwrap()),
        ("cut in half", |path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() / 2).unwrap();
        }),
        ("without its end", |path| {
            let file = File::options().write(true).open(path).unwrap();
            file.set_len(file.metadata().unwrap().len() - 1).unwrap();
        }),
        ("a text", |path| fs::write(path, "Dear Sir or Madam,\n").unwrap()),
        ("an archive", |path| fs::write(path, b"PK\x03\x04\x14\x00\x00\x00\x08\x00\xff").unwrap()),
        ("zeros", |path| fs::write(path, vec![0; 100_000]).unwrap()),
        ("a file twice", |path| fs::write(path, fs::read(path).unwrap().repeat(2)).unwrap()),
        ("missing", |path| fs::remove_file(path).unwrap()),
    ];
    for file in ["event.db", "event.toml"] {
        for (what, damage) in damages {
            for records in [true, false] {
                let event = finished();
                damage(&event.dir.join(file));
                if !records {
                    fs::remove_file(event.dir.join("games.jsonl")).unwrap();
                }
                recovers(&event, file, &format!("{file} is {what}"));
            }
        }
    }
}

/// What the records hold is not played again, even when the database is gone.
#[test]
fn a_lost_database_is_made_from_the_records() {
    let event = finished();
    let before = fs::read(event.dir.join("games.jsonl")).unwrap();
    fs::remove_file(event.dir.join("event.db")).unwrap();
    let repaired = repair(&event);
    assert!(repaired.stderr.contains("40 of 40 games"), "{}", repaired.stderr);
    repaired.done();
    let after = fs::read(event.dir.join("games.jsonl")).unwrap();
    assert!(before == after, "times and all");
}

#[test]
fn a_folder_in_the_place_of_a_file_is_told_and_repaired() {
    for file in ["event.db", "event.toml"] {
        let event = finished();
        let path = event.dir.join(file);
        fs::remove_file(&path).unwrap();
        fs::create_dir(&path).unwrap();
        for run in [report(&event), ProgramRun::of(&mut event.go_on("2"))] {
            run.refused(1, &[path.to_str().unwrap(), "plain file"]);
        }
        let summary = repair(&event).done();
        event.assert_finished(&summary);
    }
}

#[test]
fn both_files_gone_is_no_event() {
    let event = finished();
    fs::remove_file(event.dir.join("event.db")).unwrap();
    fs::remove_file(event.dir.join("event.toml")).unwrap();
    for run in [report(&event), repair(&event)] {
        run.refused(2, &[event.dir.to_str().unwrap(), "no event"]);
    }
}

#[test]
fn a_newer_format_is_told() {
    let event = finished();
    event.alter("PRAGMA user_version = 99; UPDATE sums SET sum = 99 WHERE name = 'format'");
    for run in [report(&event), ProgramRun::of(&mut event.go_on("2")), repair(&event)] {
        run.refused(1, &["event.db", "format 99", "use the version"]);
    }
}

/// The log of what was committed last, with which the program is killed.
#[test]
fn a_damaged_log_costs_no_more_than_it_holds() {
    let event = finished();
    // A log of another database, of older frames, of nothing.
    for log in [&b"not a log"[..], &[0; 5000], &[0x37; 40_000]] {
        fs::write(event.dir.join("event.db-wal"), log).unwrap();
        event.assert_summary(&report(&event).done());
        event.finish();
    }
}
