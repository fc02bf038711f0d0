//! Processes that leave the group of their engine, on a machine that has no filter of system calls
//! to keep an engine from starting them.
#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use common::{EngineBuilder, PATIENT, ask, bad_brain, point, setup, stone, without};
use tengen_arbiter::Failure;
use tengen_hosts::player;

#[test]
fn those_of_an_engine_that_died_are_found() {
    let shop = EngineBuilder::new();
    let settings = without(&shop, &["seccomp"]);
    let mut player = player(&shop.bad("LEAVES_ORPHANS"), &settings);
    // Another engine is not disturbed by that.
    let mut other = tengen_hosts::player(&shop.bad("GOOD"), &settings);
    other.new_game(&setup()).unwrap();
    for _ in 0..2 {
        player.new_game(&setup()).unwrap();
        let fault = ask(&mut *player, &[], Some(PATIENT)).outcome.unwrap_err();
        assert_eq!(fault.failure, Failure::Crash, "{}", fault.detail);
        assert_eq!(shop.processes().len(), 1, "some of its processes are left");
        assert!(point(&ask(&mut *other, &[stone("b2")], Some(PATIENT))).is_some());
    }
}

#[test]
fn those_of_a_brain_end_with_it() {
    let shop = EngineBuilder::new();
    for settings in [without(&shop, &["seccomp"]), shop.settings()] {
        let spec = bad_brain(&shop, "LEAVES_GROUP");
        let mut player = player(&spec, &settings);
        let mut other = tengen_hosts::player(&shop.bad("GOOD"), &settings);
        player.new_game(&setup()).unwrap();
        other.new_game(&setup()).unwrap();
        // Those of its first question have lost their parents, those of its second one not.
        let first = point(&ask(&mut *player, &[], Some(PATIENT))).unwrap();
        let moves = [first.into(), stone("o15")];
        assert!(point(&ask(&mut *player, &moves, Some(PATIENT))).is_some());
        let all_run = || shop.processes().len() >= 8;
        assert!(common::within(Duration::from_secs(60), all_run), "it has six, beside the two");
        drop(player);
        // Twice, for a look misses a process that ends meanwhile, and with it those it has started.
        let one_runs = || shop.processes().len() == 1 && shop.processes().len() == 1;
        assert!(common::within(Duration::from_secs(60), one_runs), "left: {:?}", shop.processes());
        assert!(point(&ask(&mut *other, &[stone("b2")], Some(PATIENT))).is_some());
    }
}
