//! Native engines that misbehave: each costs its own game, and the next one is played.

mod common;

use std::thread;

use common::{
    BRIEF, EngineBuilder, PATIENT, ask, ask_within, in_game, interrupt_two_questions, point, setup,
    stone,
};
use tengen_arbiter::{Action, Failure, GameResult, Limits, Termination};
use tengen_hosts::{HostSettings, player, probe};
use tengen_players::Player;

#[test]
fn an_engine_that_behaves_plays_game_after_game() {
    let shop = EngineBuilder::new();
    let mut player = player(&shop.bad("GOOD"), &shop.settings());
    for _ in 0..3 {
        player.new_game(&setup()).unwrap();
        let reply = ask(&mut *player, &[], Some(PATIENT));
        assert_eq!(point(&reply).unwrap().to_string(), "a1");
        assert_eq!(reply.info.unwrap().nodes, 17);
        assert!(reply.answered_at > reply.asked_at);
        let reply = ask(&mut *player, &[stone("a1"), stone("b1")], Some(PATIENT));
        assert_eq!(point(&reply).unwrap().to_string(), "c1");
        let reply = ask(&mut *player, &[stone("b1")], None);
        assert_eq!(point(&reply).unwrap().to_string(), "a1");
        player.end_game(GameResult { winner: None, termination: Termination::Agreement });
    }
}

#[test]
fn an_engine_reads_its_own_time_and_the_kernel_that_of_one_that_ran_out() {
    let shop = EngineBuilder::new();
    let mut good = in_game(&shop.bad("GOOD"), &shop.settings());
    let reply = ask(&mut *good, &[], Some(PATIENT));
    let timing = good.timing();
    assert!(timing.own.unwrap() <= reply.answered_at - reply.asked_at, "{timing:?}");
    assert_eq!(timing.cpu_stats, None, "it was in time");

    let mut endless = in_game(&shop.bad("LOOP_CHOOSE"), &shop.settings());
    let reply = ask(&mut *endless, &[], Some(BRIEF));
    assert_eq!(reply.outcome, Ok(None));
    assert!(reply.answered_at - reply.asked_at >= BRIEF);
    let timing = endless.timing();
    assert_eq!(timing.own, None, "it told nothing");
    assert_eq!(timing.cpu_stats.is_some(), cfg!(target_os = "linux"));
    assert!(timing.cpu_stats.is_none_or(|cpu_stats| cpu_stats.cpu > 0), "it computed: {timing:?}");
}

#[test]
fn a_failure_is_told_with_its_cause_and_last_words() {
    let shop = EngineBuilder::new();
    for (behaviour, words) in [
        ("CRASH", &[common::SEGFAULT, "about to crash"][..]),
        ("EXIT", &["exited with code 3"]),
        ("INTERNAL", &["it all went wrong"]),
    ] {
        let mut player = in_game(&shop.bad(behaviour), &shop.settings());
        let fault = ask(&mut *player, &[], Some(PATIENT)).outcome.expect_err(behaviour);
        assert_eq!(fault.failure, Failure::Crash, "{behaviour}");
        for words in words {
            assert!(fault.detail.contains(words), "{behaviour}: {}", fault.detail);
        }
        player.new_game(&setup()).expect("the next game begins");
    }
}

#[test]
fn an_engine_that_was_late_is_asked_again_in_the_same_game() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&shop.bad("LOOP_FIRST"), &shop.settings());
    assert_eq!(ask(&mut *player, &[], Some(BRIEF)).outcome, Ok(None));
    let mut moves = vec![stone("a1"), stone("b2")];
    for theirs in ["o15", "o14"] {
        let again = point(&ask(&mut *player, &moves, Some(PATIENT))).expect("a move");
        assert!(!moves.contains(&again.into()), "it was told of the moves in its place");
        moves.extend([again.into(), stone(theirs)]);
    }
}

#[test]
fn an_engine_that_polls_its_clock_answers_when_it_is_up() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&shop.bad("POLLS"), &shop.settings());
    let limits = Limits { hard: Some(BRIEF), ..Limits::default() };
    let reply = ask_within(&mut *player, &[], limits, Some(PATIENT));
    assert!(point(&reply).is_some(), "{reply:?}");
    assert!(reply.answered_at - reply.asked_at >= BRIEF / 10 * 9);
}

#[test]
fn a_claim_that_is_refused_is_followed_by_its_move() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&shop.bad("CLAIMS"), &shop.settings());
    let moves = [stone("a1")];
    let reply = ask(&mut *player, &moves, Some(PATIENT));
    assert_eq!(reply.outcome, Ok(Some(Action::Claim)));
    let limits = Limits { retry: true, ..Limits::default() };
    let reply = ask_within(&mut *player, &moves, limits, Some(PATIENT));
    assert_eq!(point(&reply).unwrap().to_string(), "b1");
}

#[test]
fn an_engine_reads_its_own_package_and_no_other() {
    let shop = EngineBuilder::new();
    let mut spec = shop.bad("FETCHES");
    let package = shop.path().join("package");
    std::fs::create_dir(&package).unwrap();
    std::fs::write(package.join("weights"), "12345").unwrap();
    std::fs::write(shop.path().join("outside"), "secret").unwrap();
    spec.folder = Some(package);
    let mut player = in_game(&spec, &shop.settings());
    let reply = ask(&mut *player, &[], Some(PATIENT));
    assert_eq!(point(&reply).unwrap().to_string(), "e5");
}

/// In the folder of engines the files that are named like a library are its package, and it opens
/// them by their names, too.
#[test]
fn an_engine_among_others_reads_the_files_named_like_it() {
    let shop = EngineBuilder::new();
    let mut spec = shop.bad("READS_NEIGHBOUR");
    let neighbour = shop.path().join("READS_NEIGHBOUR.weights");
    std::fs::write(&neighbour, "12345").unwrap();
    std::fs::write(shop.path().join("outside"), "secret").unwrap();
    spec.folder = None;
    spec.reads = vec![spec.path.clone(), neighbour];
    // Windows has no links that every user may make: in a scratch folder it finds them by
    // `tengen_fetch` alone.
    let scratch = [None, Some(16)];
    for folder_mib in scratch.into_iter().take(if cfg!(windows) { 1 } else { 2 }) {
        let settings = HostSettings { folder_mib, ..shop.settings() };
        let mut player = in_game(&spec, &settings);
        let reply = ask(&mut *player, &[], Some(PATIENT));
        let played = point(&reply).map(|point| point.to_string());
        assert_eq!(played.as_deref(), Some("e5"), "{folder_mib:?}: {:?}", reply.outcome);
    }
}

#[test]
fn an_engine_that_dies_between_questions_loses_that_game_only() {
    let shop = EngineBuilder::new();
    let mut player = player(&shop.bad("EXIT_AFTER"), &shop.settings());
    for _ in 0..2 {
        player.new_game(&setup()).unwrap();
        assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
        let moves = [stone("a1"), stone("b1")];
        let fault = ask(&mut *player, &moves, Some(PATIENT)).outcome.unwrap_err();
        assert_eq!(fault.failure, Failure::Crash);
        // It stays dead until the next game.
        let fault = ask(&mut *player, &moves, Some(PATIENT)).outcome.unwrap_err();
        assert_eq!(fault.failure, Failure::Crash);
    }
}

#[test]
fn an_engine_that_died_after_its_game_is_started_again() {
    let shop = EngineBuilder::new();
    let mut player = player(&shop.bad("HEARS_THE_END"), &shop.settings());
    for _ in 0..3 {
        player.new_game(&setup()).unwrap();
        assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
        player.end_game(GameResult { winner: None, termination: Termination::BoardFull });
    }
}

#[test]
fn options_are_set_or_refused_by_name() {
    let shop = EngineBuilder::new();
    let mut spec = shop.bad("OPTIONS");
    spec.options = vec![("Known".into(), "good".into())];
    probe(&spec, &shop.settings()).unwrap();
    for (name, value, why) in
        [("Known", "bad", "refuses the value"), ("Unknown", "1", "no such option")]
    {
        spec.options = vec![(name.into(), value.into())];
        let error = probe(&spec, &shop.settings()).unwrap_err().to_string();
        assert!(error.contains(name) && error.contains(why), "{error}");
    }
    let mut plain = shop.bad("GOOD");
    plain.options = vec![("Hash".into(), "16".into())];
    let error = probe(&plain, &shop.settings()).unwrap_err().to_string();
    assert!(error.contains("takes no options"), "{error}");
}

#[test]
fn a_program_that_is_no_host_is_named() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { program: "/no/such/program".into(), ..shop.settings() };
    let error = probe(&shop.bad("GOOD"), &settings).unwrap_err();
    assert!(error.to_string().contains("/no/such/program"), "{error}");
}

#[test]
fn an_interrupt_ends_every_question() {
    let shop = EngineBuilder::new();
    interrupt_two_questions(&shop.bad("LOOP_CHOOSE"), &shop.settings());
    assert!(!shop.has_processes());
}

#[test]
fn a_player_may_move_to_another_thread_between_games() {
    let shop = EngineBuilder::new();
    let mut player = player(&shop.bad("GOOD"), &shop.settings());
    for _ in 0..3 {
        player = thread::spawn(move || {
            player.new_game(&setup()).unwrap();
            assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
            player
        })
        .join()
        .unwrap();
    }
}

#[test]
fn a_process_plays_for_other_threads_where_those_stay() {
    let shop = EngineBuilder::new();
    let plays_on = |threads_stay| {
        let settings = HostSettings { threads_stay, ..shop.settings() };
        let mut player = player(&shop.bad("GOOD"), &settings);
        let play = |player: &mut dyn Player| {
            player.new_game(&setup()).unwrap();
            assert!(point(&ask(player, &[], Some(PATIENT))).is_some());
            shop.all_processes()
        };
        thread::scope(|scope| {
            let (played, is_played) = std::sync::mpsc::channel();
            let (over, is_over) = std::sync::mpsc::channel::<()>();
            scope.spawn(move || {
                let processes = play(&mut *player);
                played.send((player, processes)).unwrap();
                // It stays until the other one has played.
                assert!(is_over.recv().is_err());
            });
            let (mut player, before) = is_played.recv().unwrap();
            let is_same = play(&mut *player) == before;
            drop((player, over));
            is_same
        })
    };
    assert!(plays_on(true) && !plays_on(false));
}
