//! `kill -9`, at any moment.

use std::collections::BTreeMap;
use std::fs::File;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use tengen_random::Random;

use crate::small_event::{SmallEvent, tell_to, told};

/// Some events are killed again and again, from their making to their end, until there were so many
/// kills.
fn kill(kills: u32) {
    let mut random = Random::new(0x5eed);
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
                // Nothing is waited for: the moment is random.
                thread::sleep(moment(&mut random));
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
fn moment(random: &mut Random) -> Duration {
    let longest = [12_000, 40_000, 120_000][random.below(3)];
    Duration::from_micros(random.below(longest) as u64)
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
