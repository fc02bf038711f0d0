//! What an engine may use: memory, threads, its folder, and no time but its own.
#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use common::{
    BRIEF, EngineBuilder, PATIENT, ask, in_game, is_gone, number_after, point, setup, state, stone,
    ticks, within,
};
use tengen_arbiter::Failure;
use tengen_hosts::{EngineSpec, HostSettings};
use tengen_players::{Fault, Player};

/// Longer than anything here takes on the slowest machine.
const LONG: Duration = Duration::from_secs(60);

fn fault_of(spec: &EngineSpec, settings: &HostSettings) -> Fault {
    let mut player = in_game(spec, settings);
    let fault = ask(&mut *player, &[], Some(PATIENT)).outcome.unwrap_err();
    player.new_game(&setup()).expect("the next game begins");
    fault
}

/// An engine of the workshop that has answered once, and its process.
fn answered(shop: &EngineBuilder, spec: &EngineSpec, ponder: bool) -> (Box<dyn Player>, u32) {
    let settings = HostSettings { ponder, ..shop.settings() };
    let mut player = in_game(spec, &settings);
    assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
    let [pid] = shop.processes()[..] else { panic!("one engine runs") };
    (player, pid)
}

#[test]
fn memory_beyond_the_ceiling_is_a_resource_limit_with_its_figures() {
    let shop = EngineBuilder::new();
    let mut spec = shop.bad("HOG");
    spec.memory_mib = Some(64);
    let fault = fault_of(&spec, &shop.settings());
    assert_eq!(fault.failure, Failure::ResourceLimit, "{}", fault.detail);
    let used = number_after("used", &fault.detail).expect(&fault.detail);
    // The limit behind the ceiling is at half as much again, and room for stacks.
    assert!((58..=256).contains(&used), "{}", fault.detail);
    assert!(fault.detail.contains("of memory, of 64"), "{}", fault.detail);
}

#[test]
fn memory_below_the_ceiling_is_the_engines_own() {
    let shop = EngineBuilder::new();
    let mut spec = shop.bad("WORKS_ON");
    spec.memory_mib = Some(64);
    let (mut player, _) = answered(&shop, &spec, true);
    assert!(point(&ask(&mut *player, &[stone("a1"), stone("b1")], Some(PATIENT))).is_some());
}

#[test]
fn more_threads_than_an_engine_needs_are_a_resource_limit() {
    let shop = EngineBuilder::new();
    let fault = fault_of(&shop.bad("THREAD_BOMB"), &shop.settings());
    assert_eq!(fault.failure, Failure::ResourceLimit, "{}", fault.detail);
    assert!(number_after("ran", &fault.detail).is_some_and(|threads| threads > 512));
}

#[test]
fn an_engine_that_works_on_is_stopped_while_it_is_not_asked() {
    let shop = EngineBuilder::new();
    let (mut player, pid) = answered(&shop, &shop.bad("WORKS_ON"), false);
    let mut moves = Vec::new();
    for turn in 0..3 {
        assert!(within(LONG, || state(pid) == Some('T')), "it is not stopped in turn {turn}");
        let before = ticks(pid);
        // Time goes by for every process but the engine.
        let own = std::process::id();
        let until = ticks(own) + 5;
        assert!(within(LONG, || ticks(own) >= until));
        assert_eq!((ticks(pid), state(pid)), (before, Some('T')));
        moves.extend([stone(&format!("a{}", turn + 1)), stone(&format!("b{}", turn + 1))]);
        assert!(point(&ask(&mut *player, &moves, Some(PATIENT))).is_some());
    }
    drop(player);
    assert!(is_gone(pid));
}

#[test]
fn an_engine_that_may_ponder_works_on() {
    let shop = EngineBuilder::new();
    let (player, pid) = answered(&shop, &shop.bad("WORKS_ON"), true);
    let until = ticks(pid) + 10;
    assert!(within(LONG, || ticks(pid) >= until), "it does not work");
    drop(player);
    assert!(is_gone(pid));
}

#[test]
fn an_engine_whose_answer_took_long_is_stopped_at_once() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&shop.bad("POLLS"), &shop.settings());
    for turn in 0..3 {
        // It answers when its time is up, and the host gives it twice that.
        let limits = tengen_arbiter::Limits { hard: Some(BRIEF), ..Default::default() };
        let reply = common::ask_within(&mut *player, &[], limits, Some(PATIENT));
        assert!(point(&reply).is_some(), "turn {turn}: {reply:?}");
        let [pid] = shop.processes()[..] else { panic!("one engine runs") };
        // A signal takes a moment to arrive, but no look is needed for it to be sent.
        assert!(within(LONG, || state(pid) == Some('T')));
    }
}
