//! Text engines that have something to finish after their answer: none hears a command before it
//! has done so, and none works on for nothing.
#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use common::{
    EngineBuilder, PATIENT, ask, in_game, point, quirk, setup, state, stone, tail, within,
};
use tengen_hosts::player;
use tengen_players::Player;
use tengen_rules::Move;

/// Longer than anything here takes on the slowest machine.
const LONG: Duration = Duration::from_secs(60);

/// Asks so many times, with `between` looking at its process before each question. Gives how long
/// each answer took.
fn asked(
    player: &mut dyn Player,
    shop: &EngineBuilder,
    times: usize,
    between: impl Fn(u32),
) -> Vec<Duration> {
    player.new_game(&setup()).unwrap();
    let mut moves: Vec<Move> = Vec::new();
    let replies = (0..times).map(|turn| {
        let reply = ask(player, &moves, Some(PATIENT));
        let ours = point(&reply).unwrap_or_else(|| panic!("turn {turn}: {:?}", reply.outcome));
        let free = "abcdefghijklmno".chars().flat_map(|x| (1..=15).map(move |y| format!("{x}{y}")));
        moves.push(ours.into());
        let theirs = free.map(|name| stone(&name)).find(|theirs| !moves.contains(theirs));
        moves.push(theirs.expect("a free point"));
        let [pid] = shop.processes()[..] else { panic!("one brain runs") };
        between(pid);
        Duration::from_nanos(reply.answered_at - reply.asked_at)
    });
    replies.collect()
}

#[test]
fn a_brain_that_is_asked_at_once_hears_it_when_it_is_done() {
    for mode in ["works", "sleeps", "ponders", "works 0 0", "works 50 0"] {
        let shop = EngineBuilder::new();
        let mut player = player(&tail(&shop, mode), &shop.settings());
        for _ in 0..2 {
            asked(&mut *player, &shop, 20, |_| {});
        }
    }
}

#[test]
fn a_brain_that_thought_is_stopped_once_it_is_done() {
    for mode in ["works", "sleeps"] {
        let shop = EngineBuilder::new();
        let mut player = player(&tail(&shop, mode), &shop.settings());
        asked(&mut *player, &shop, 20, |pid| {
            assert!(within(LONG, || state(pid) == Some('T')), "{mode}: it is not stopped");
        });
    }
}

#[test]
fn a_brain_that_works_on_is_stopped_and_finishes_on_its_own_clock() {
    let shop = EngineBuilder::new();
    let mut player = player(&tail(&shop, "ponders"), &shop.settings());
    let spent = asked(&mut *player, &shop, 20, |pid| {
        assert!(within(LONG, || state(pid) == Some('T')), "it is not stopped");
    });
    // The time to come to where it reads, and then to think.
    let (settling, thought) = (Duration::from_millis(3), Duration::from_millis(2));
    assert!(spent[1..].iter().all(|&spent| spent >= settling + thought), "{spent:?}");
}

#[test]
fn what_a_brain_does_before_a_game_is_on_no_clock() {
    let shop = EngineBuilder::new();
    let _player = in_game(&tail(&shop, "prepares 200"), &shop.settings());
    let [pid] = shop.processes()[..] else { panic!("one brain runs") };
    let ticks = common::ticks(pid);
    assert!(ticks >= 18, "it used {ticks} ticks before its game, of 20");
}

#[test]
fn a_brain_that_another_process_continues_is_stopped_again_and_loses_nothing() {
    let shop = EngineBuilder::new();
    let mut player = player(&quirk(&shop, "slow 5"), &shop.settings());
    asked(&mut *player, &shop, 5, |pid| {
        for _ in 0..5 {
            // On a busy machine it may be seen to work, and is frozen then: no signal ends that.
            let is_stopped = || matches!(state(pid), Some('T' | 'D'));
            assert!(within(LONG, is_stopped), "it is not stopped");
            // SAFETY: the call takes numbers alone.
            assert_eq!(unsafe { libc::kill(pid as libc::pid_t, libc::SIGCONT) }, 0);
        }
    });
}

#[test]
fn a_brain_of_one_thread_is_stopped_too() {
    let shop = EngineBuilder::new();
    let mut player = player(&quirk(&shop, "slow 5"), &shop.settings());
    asked(&mut *player, &shop, 5, |pid| {
        assert!(within(LONG, || state(pid) == Some('T')), "it is not stopped");
    });
}
