//! Each operation on the disk fails in its turn.

use std::fs;

use crate::common::{ProgramRun, tengen};
use crate::disk::{DiskFault, fail_at, failed};
use crate::small_event::{SmallEvent, tell_to, told};

const GAMES: u64 = 6;

/// Plays an event with a fault at the first operation, one with a fault at the second, and so on,
/// until one comes through untouched.
fn fail_everywhere(fault: impl Fn(u32) -> DiskFault) {
    for number in 1.. {
        let event = SmallEvent::new(GAMES);
        if !fail_once(&event, fault(number), number) {
            assert!(number > 40, "only {number} operations failed");
            return;
        }
    }
}

/// Whether there was an operation of this number. The event is finished in any case.
fn fail_once(event: &SmallEvent, fault: DiskFault, number: u32) -> bool {
    let (hit, log) = (event.beside("hit"), event.beside("log"));
    let mut command = event.go_on("1");
    fail_at(&mut command, number, fault, &event.dir, &hit);
    tell_to(&mut command, &log);
    let run = ProgramRun::of(&mut command);
    let stderr = fs::read_to_string(&log).unwrap();
    let place = failed(&hit);
    assert!(!stderr.contains("panicked"), "{place:?}: {stderr}");
    event.assert_kept(&told(&log));
    match run.code {
        Some(0) => event.assert_finished(&run.stdout),
        Some(1) if fault != DiskFault::Kill => assert_helpful(event, &stderr, place.as_deref()),
        code => {
            assert!(code.is_none() && fault == DiskFault::Kill, "{place:?}: {code:?}: {stderr}")
        }
    }
    event.finish();
    place.is_some()
}

/// The message names a file or a folder of the event, and says what to do.
fn assert_helpful(event: &SmallEvent, stderr: &str, place: Option<&str>) {
    let message = stderr.lines().rfind(|line| line.starts_with("tengen: "));
    let message = message.unwrap_or_else(|| panic!("{place:?}: no message in {stderr}"));
    assert!(message.contains(event.dir.to_str().unwrap()), "{place:?}: {message}");
    let advice = ["try again", "check that"];
    assert!(advice.iter().any(|words| message.contains(words)), "{place:?}: {message}");
}

#[test]
fn an_error_at_any_operation_loses_nothing() {
    fail_everywhere(|_| DiskFault::Error);
}

#[test]
fn a_disk_that_is_full_or_dead_from_any_operation_on_loses_nothing() {
    fail_everywhere(|number| if number % 2 == 0 { DiskFault::Full } else { DiskFault::Dead });
}

#[test]
fn a_kill_within_any_operation_loses_nothing() {
    fail_everywhere(|_| DiskFault::Kill);
}

/// A repair that is cut short is begun again, and finds what the first one found.
#[test]
fn a_fault_within_a_repair_loses_nothing() {
    let whole = SmallEvent::new(GAMES);
    whole.finish();
    for number in 1.. {
        let event = SmallEvent::new(GAMES);
        fs::create_dir(&event.dir).unwrap();
        for name in ["event.toml", "event.db"] {
            fs::copy(whole.dir.join(name), event.dir.join(name)).unwrap();
        }
        event.alter("UPDATE games SET plies = plies + 1 WHERE number = 3");
        let (hit, fault) =
            (event.beside("hit"), if number % 2 == 0 { DiskFault::Kill } else { DiskFault::Error });
        let mut command = event.repair();
        fail_at(&mut command, number, fault, &event.dir, &hit);
        let run = ProgramRun::of(&mut command);
        assert!(!run.stderr.contains("panicked"), "{}", run.stderr);
        let place = failed(&hit);
        let again = ProgramRun::of(&mut event.repair());
        assert_eq!(again.code, Some(0), "{place:?}: {}", again.stderr);
        event.assert_finished(&again.stdout);
        // Five games were whole: in the database, or in a copy that was put aside first.
        let kept = |stderr: &str| stderr.contains("repaired").then(|| stderr.contains("5 of 6"));
        for stderr in [&run.stderr, &again.stderr] {
            assert_ne!(kept(stderr), Some(false), "{place:?}: {stderr}");
        }
        if place.is_none() {
            assert!(number > 40, "only {number} operations failed");
            return;
        }
    }
}

/// What cannot be told is saved all the same.
#[test]
fn an_output_that_cannot_be_written_is_told() {
    let event = SmallEvent::new(GAMES);
    let full = || fs::File::options().write(true).open("/dev/full").unwrap();
    let advice = ["standard output", "check that"];
    ProgramRun::of(event.go_on("1").stdout(full())).refused(1, &advice);
    for form in [&[][..], &["--json"]] {
        let mut command = tengen(["tournament", "report"]);
        command.args(form).arg(&event.dir).stdout(full());
        ProgramRun::of(&mut command).refused(1, &advice);
    }
    event.finish();
}
