//! The start of engines on a machine on which their processes fail before they reach the engine.
#![cfg(target_os = "linux")]

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt;

use common::{EngineBuilder, PATIENT, ask, in_game, point, setup};
use tengen_arbiter::{Cause, Failure, ForfeitCause};
use tengen_hosts::{EngineSpec, HostError, HostSettings, player, probe};

/// Settings with a host that is a script: at its n-th start `case` says what is done.
fn with_host(shop: &EngineBuilder, case: &str) -> HostSettings {
    let settings = shop.settings();
    let (folder, host) = (shop.path().display(), settings.program.display());
    let text = format!(
        "#!/bin/sh\necho >> {folder}/starts\nn=$(wc -l < {folder}/starts)\ncase $n in\n{case}\n\
         esac\nexec {host} \"$@\"\n"
    );
    let program = shop.path().join("host");
    fs::write(&program, text).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    HostSettings { program, ..settings }
}

fn starts(shop: &EngineBuilder) -> usize {
    fs::read_to_string(shop.path().join("starts")).unwrap().lines().count()
}

fn own() -> EngineSpec {
    EngineSpec::builtin("alphabeta").unwrap()
}

#[test]
fn a_start_that_fails_is_tried_again() {
    let shop = EngineBuilder::new();
    let settings = with_host(&shop, "1) echo no memory >&2; exit 2;;\n2) kill -9 $$;;");
    let mut player = in_game(&own(), &settings);
    assert_eq!(starts(&shop), 3);
    assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
}

#[test]
fn a_machine_that_starts_nothing_is_to_blame_itself() {
    let shop = EngineBuilder::new();
    let settings = with_host(&shop, "*) echo no memory >&2; exit 2;;");
    let error = probe(&own(), &settings).unwrap_err();
    assert!(matches!(error, HostError::Start { .. }), "{error}");
    assert!(error.to_string().contains("no memory"), "{error}");
    let tries = starts(&shop);
    assert!((2..10).contains(&tries), "{tries}");
    let mut player = player(&own(), &settings);
    let fault = player.new_game(&setup()).unwrap_err();
    assert_eq!(fault.failure, Failure::Stall, "{}", fault.detail);
    let stats = player.timing().cpu_stats.unwrap();
    assert_eq!(ForfeitCause::judge(stats, 1).cause, Cause::Shortage);
}

#[test]
fn a_namespace_in_which_it_would_have_no_user_is_left_alone_from_then_on() {
    let shop = EngineBuilder::new();
    // The frame by which a process says that it has got into one.
    let frame = r"\014\000\000\000\013\000\000\000\001\000\000\000uid_map:";
    let settings = with_host(&shop, &format!("1) printf '{frame}'; exit 2;;"));
    let found = probe(&own(), &settings).unwrap();
    let gap = found.gaps.iter().find(|gap| gap.layer == "pid_ns").unwrap();
    assert!(gap.reason.contains("uid_map"), "{gap}");
    probe(&own(), &settings).unwrap();
    assert_eq!(starts(&shop), 3, "it is not tried once more");
}

#[test]
fn a_layer_that_was_there_before_is_waited_for() {
    let shop = EngineBuilder::new();
    let settings = with_host(&shop, "2) set -- \"$@\" --leave-out net_ns;;");
    let first = probe(&own(), &settings).unwrap();
    if !first.layers.iter().any(|layer| layer == "net_ns") {
        println!("skipped: {:?}", first.gaps);
        return;
    }
    assert_eq!(probe(&own(), &settings).unwrap().layers, first.layers);
    assert_eq!(starts(&shop), 3);
}
