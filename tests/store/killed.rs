//! `kill -9`, at any moment.

use std::collections::BTreeMap;
use std::fs::File;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use crate::small_event::{SmallEvent, tell_to, told};

/// Some events are killed again and again, from their making to their end, until there were so many
/// kills.
fn kill(kills: u32) {
    let mut lots = 0x5eed_u64;
    let mut left = kills;
    while left > 0 {
        let event = SmallEvent::new(60);
        let (log, summary) = (event.beside("log"), event.beside("summary"));
        let mut known = BTreeMap::new();
        loop {
            let mut command = event.go_on("2");
            tell_to(&mut command, &log);
            command.stdout(Stdio::from(File::create(&summary).unwrap()));
            let mut child = command.spawn().unwrap();
            if left > 0 {
                // Nothing is waited for: the moment is drawn by lot.
                thread::sleep(moment(&mut lots));
                child.kill().unwrap();
            }
            let status = child.wait().unwrap();
            for (number, result) in told(&log) {
                let before = known.insert(number, result.clone());
                assert!(before.is_none_or(|before| before == result), "game {number}");
            }
            event.assert_kept(&known);
            if status.code() == Some(0) {
                break;
            }
            assert_eq!(status.code(), None, "{}", std::fs::read_to_string(&log).unwrap());
            left -= 1;
        }
        event.assert_finished(&std::fs::read_to_string(summary).unwrap());
    }
}

/// While the program starts, makes the event, plays, or comes to its end.
fn moment(lots: &mut u64) -> Duration {
    *lots = lots.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    let longest = [12_000, 40_000, 120_000][(*lots >> 60) as usize % 3];
    Duration::from_micros((*lots >> 20) % longest)
}

#[test]
fn killed_at_any_moment_it_keeps_what_it_told_and_goes_on() {
    kill(200);
}

#[test]
#[ignore = "a thousand kills take minutes"]
fn killed_a_thousand_times_it_keeps_what_it_told_and_goes_on() {
    kill(1000);
}
