//! All processes of an engine together: what they do unasked, what they find, and that they keep
//! nothing else waiting.
#![cfg(target_os = "linux")]

mod common;

use std::fs::{self, File, Permissions};
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use common::{EngineBuilder, PATIENT, ask, bad_brain, in_game, point, state, stone, within};
use tengen_hosts::{package, probe};

/// Longer than anything takes here.
const LONG: Duration = Duration::from_secs(60);

#[test]
fn processes_that_work_unasked_are_all_stopped() {
    for behaviour in ["HAS_WORKERS", "CHURNS"] {
        let shop = EngineBuilder::new();
        let mut player = in_game(&bad_brain(&shop, behaviour), &shop.settings());
        let first = point(&ask(&mut *player, &[], Some(PATIENT))).unwrap();
        let is_stopped = |pid: u32| matches!(state(pid), Some('T' | 'Z' | 'X') | None);
        // Itself and its three helpers at the least.
        let all_are = || {
            let pids = shop.processes();
            let stopped = pids.iter().filter(|pid| state(**pid) == Some('T')).count();
            stopped >= 4 && pids.into_iter().all(is_stopped)
        };
        assert!(within(LONG, all_are), "{behaviour}: {:?}", shop.processes());
        // What they used until then is charged with the next question.
        ask(&mut *player, &[first.into(), stone("o15")], Some(PATIENT));
        let charged = player.timing().correction.unasked;
        assert!(charged > 0 || behaviour == "CHURNS", "{behaviour}: nothing is charged");
        drop(player);
        assert!(within(LONG, || shop.processes().is_empty()), "{behaviour}");
    }
}

#[test]
fn a_lease_on_an_engine_keeps_no_start_waiting() {
    let shop = EngineBuilder::new();
    let spec = shop.bad("GOOD");
    let holder = File::open(&spec.path).unwrap();
    // The system sends the holder a signal when its lease is broken.
    // SAFETY: to ignore a signal runs no code.
    unsafe { libc::signal(libc::SIGIO, libc::SIG_IGN) };
    // SAFETY: the descriptor is open, and the command takes a number.
    let code = unsafe { libc::fcntl(holder.as_raw_fd(), libc::F_SETLEASE, libc::F_WRLCK) };
    if code != 0 {
        // Not every file system has leases.
        return;
    }
    let refused = probe(&spec, &shop.settings()).unwrap_err().to_string();
    assert!(refused.contains("another program holds a lease"), "{refused}");
    drop(holder);
    probe(&spec, &shop.settings()).unwrap();
}

/// Plays e5 if its environment is what it should be.
const LOOKS: &str = r#"#!/bin/sh
while read -r line; do
    case "$line" in
    START*) echo OK;;
    ABOUT*) echo 'name="Looks"';;
    BEGIN*|TURN*)
        names=$(env | cut -d= -f1 | grep -v -e '^_$' -e '^RUST_BACKTRACE$' | sort | tr '\n' ' ')
        if [ "$names" = "HOME LANG PATH PWD TENGEN_ENGINE TMPDIR " ] &&
            [ "$HOME" = "$TMPDIR" ] && echo notes > "$HOME/notes"; then
            echo 4,4
        else
            echo "MESSAGE $names in $HOME"
            echo 1,1
        fi;;
    END*) exit;;
    esac
done
"#;

#[test]
fn a_program_finds_a_small_environment_with_a_home() {
    let shop = EngineBuilder::new();
    let path = shop.path().join("pbrain-looks");
    fs::write(&path, LOOKS).unwrap();
    fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
    let found = package::command("cmd:./pbrain-looks", Some(shop.path()), None);
    let mut player = in_game(&found.unwrap().unwrap(), &shop.settings());
    let reply = ask(&mut *player, &[], Some(PATIENT));
    assert_eq!(point(&reply).unwrap().to_string(), "e11", "{reply:?}");
}
