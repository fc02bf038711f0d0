//! Brains that misbehave, as processes: each costs its engine that game by the right failure, the
//! next game begins, and nothing is left behind.
#![cfg(unix)]

mod common;

use std::time::Duration;

use common::{BRIEF, EngineBuilder, PATIENT, ask, in_game, point, quirk, script, setup, stone};
use tengen_arbiter::{Action, Failure, Limits, SearchInfo};
use tengen_hosts::{
    CheckScope, CheckStep, EngineSpec, GameVariant, HostError, HostSettings, Interrupt,
    RestartPolicy, check, player, probe, probe_for,
};
use tengen_players::{Fault, Player, RealTime, Request};
use tengen_rules::{Answer, Ask, Procedure, Rule, Size};

/// Plays a game up to the failure, and begins the next.
fn fault_of(shop: &EngineBuilder, spec: &EngineSpec, settings: &HostSettings) -> Fault {
    let mut player = player(spec, settings);
    let fault = first_fault(&mut *player);
    player.new_game(&setup()).expect("the next game begins");
    assert!(!shop.processes().is_empty());
    drop(player);
    assert!(!shop.has_processes(), "nothing is left behind");
    fault
}

fn first_fault(player: &mut dyn Player) -> Fault {
    player.new_game(&setup()).expect("a game begins");
    let mut moves = Vec::new();
    for theirs in ["h8", "h9", "i10", "k3"].map(stone) {
        moves.push(theirs);
        match ask(player, &moves, Some(PATIENT)).outcome {
            Err(fault) => return fault,
            Ok(Some(Action::Answer(Answer::Move(ours)))) => moves.push(ours),
            Ok(other) => panic!("{other:?}"),
        }
    }
    panic!("no failure");
}

/// Lets a brain answer twice, in each of two games.
fn plays(spec: &EngineSpec, settings: &HostSettings) -> Option<SearchInfo> {
    let mut player = player(spec, settings);
    let mut info = None;
    for _ in 0..2 {
        player.new_game(&setup()).expect("a game begins");
        let first = point(&ask(&mut *player, &[], Some(PATIENT))).expect("a move");
        let moves = [first.into(), stone("o15")];
        let reply = ask(&mut *player, &moves, Some(PATIENT));
        assert!(point(&reply).is_some(), "{reply:?}");
        info = reply.info;
    }
    info
}

#[test]
fn each_misdeed_is_its_own_failure() {
    let shop = EngineBuilder::new();
    let cases = [
        ("junk", Failure::ProtocolError, "`h8 or so`"),
        ("error", Failure::ProtocolError, "ERROR no move comes to mind"),
        ("unknown", Failure::ProtocolError, "UNKNOWN"),
        ("flood-lines", Failure::ResourceLimit, "1 MiB"),
        ("flood-bytes", Failure::ResourceLimit, "1 MiB"),
        ("crash", Failure::Crash, "SIGABRT"),
        ("exit", Failure::Crash, "exited with code 0"),
    ];
    let settings = HostSettings { strict_protocol: true, ..shop.settings() };
    for (mode, failure, words) in cases {
        let fault = fault_of(&shop, &quirk(&shop, mode), &settings);
        assert_eq!(fault.failure, failure, "{mode}: {}", fault.detail);
        assert!(fault.detail.contains(words), "{mode}: {}", fault.detail);
    }
}

#[test]
fn what_is_no_answer_is_waited_out_and_kept() {
    let shop = EngineBuilder::new();
    for (mode, words) in
        [("junk", "h8 or so"), ("error", "ERROR no move comes to mind"), ("unknown", "UNKNOWN")]
    {
        let mut player = in_game(&quirk(&shop, mode), &shop.settings());
        let reply = ask(&mut *player, &[], Some(BRIEF));
        assert_eq!(reply.outcome, Ok(None), "{mode}");
        assert!(reply.answered_at - reply.asked_at >= BRIEF, "{mode}");
        let said = player.take_said();
        assert!(said.iter().any(|line| line.contains(words)), "{mode}: {said:?}");
    }
    for mode in ["error-first", "junk-first", "twice", "text-after"] {
        let mut player = in_game(&quirk(&shop, mode), &shop.settings());
        let first = point(&ask(&mut *player, &[], Some(PATIENT))).expect("a move");
        let moves = [first.into(), stone("o15")];
        assert!(point(&ask(&mut *player, &moves, Some(PATIENT))).is_some(), "{mode}");
        assert!(!player.take_said().is_empty(), "{mode}: it is in the record");
    }
}

#[test]
fn a_brain_that_takes_lf_alone_is_spoken_to_so() {
    let shop = EngineBuilder::new();
    for mode in ["lf-number", "lf-word"] {
        let (spec, settings) = (quirk(&shop, mode), shop.settings());
        probe(&spec, &settings).unwrap();
        let learnt = HostSettings { dialects: settings.dialects.clone(), ..shop.settings() };
        assert_eq!(plays(&spec, &learnt), None, "{mode}");
    }
    // One that says no to START is tried so without having been asked before.
    assert_eq!(plays(&quirk(&shop, "lf-number"), &shop.settings()), None);
    let told = EngineSpec { lf_alone: Some(true), ..quirk(&shop, "lf-word") };
    assert_eq!(plays(&told, &shop.settings()), None);
}

#[test]
fn what_a_brain_leaves_unanswered_is_not_waited_for() {
    let shop = EngineBuilder::new();
    // Nothing here ends if a wait lasts as long as a brain may take to get ready.
    let settings = HostSettings { startup: Duration::from_secs(3600), ..shop.settings() };
    let mute = quirk(&shop, "mute");
    let told = probe(&mute, &settings).unwrap();
    assert!(!told.answers(Procedure::Swap2) && told.description.name.is_none());
    assert_eq!(plays(&mute, &settings), None);
    let told = probe(&quirk(&shop, "open-about"), &settings).unwrap();
    assert_eq!(told.description.name.as_deref(), Some("Open"));
}

#[test]
fn a_brain_is_asked_for_the_games_it_is_to_play() {
    let shop = EngineBuilder::new();
    let cache = Some(shop.path().join("cache"));
    let settings = HostSettings { cache, ..shop.settings() };
    let (rule, size) = (Rule::Renju, "19".parse::<Size>().unwrap());
    let variant = GameVariant { rule, size, opening: Procedure::None };
    let told = probe_for(&quirk(&shop, "fast"), &settings, &variant).unwrap();
    assert_eq!(
        (told.observed.boards, told.observed.rules),
        (vec![(size, true)], vec![(rule, true)])
    );
    // It is remembered where it is only listed.
    let told = probe(&quirk(&shop, "fast"), &settings).unwrap();
    let boards: Vec<_> = told.observed.boards.iter().map(|(size, _)| size.to_string()).collect();
    assert_eq!((boards.len(), told.observed.rules.len()), (3, 1), "{boards:?}");
    for (mode, words) in
        [("refuse", ["board of 19", "not on this board"]), ("no-rule", ["renju", "rule id"])]
    {
        let error = probe_for(&quirk(&shop, mode), &settings, &variant).unwrap_err();
        assert!(matches!(error, HostError::UnusableProgram { .. }), "{mode}: {error}");
        let error = error.to_string();
        assert!(words.iter().all(|word| error.contains(word)), "{mode}: {error}");
    }
}

#[test]
fn how_a_brain_wants_the_stones_of_swap2_is_learnt_when_it_is_asked() {
    let shop = EngineBuilder::new();
    let settings = shop.settings();
    let brain = quirk(&shop, "owners");
    let told = probe(&brain, &settings).unwrap();
    assert!(told.answers(Procedure::Swap2));
    let mut player = in_game(&brain, &settings);
    let moves = ["h8", "i9", "g6"].map(stone);
    let (limits, patience) = (Limits::default(), Some(PATIENT));
    let ask = Ask::ChooseOrPlace { count: 2 };
    let request = Request { limits, patience, ..Request::new(&moves, ask) };
    let black = Action::Answer(Answer::Choose(tengen_rules::Color::Black));
    assert_eq!(player.ask(&request, &RealTime::new()).outcome, Ok(Some(black)));
    assert_eq!(player.take_said(), [""; 0], "it was asked in the form that it takes");
}

#[test]
fn what_was_read_last_is_told_of_a_brain_that_says_no_more() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { startup: Duration::from_secs(5), ..shop.settings() };
    let error = probe(&quirk(&shop, "half-start"), &settings).unwrap_err().to_string();
    assert!(error.contains("did not say that it is ready"), "{error}");
    assert!(error.contains("name=\"Half\" (without a line end)"), "{error}");
}

#[test]
fn a_brain_that_was_late_is_asked_again_in_the_same_game() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&quirk(&shop, "no-begin"), &shop.settings());
    assert_eq!(ask(&mut *player, &[], Some(BRIEF)).outcome, Ok(None));
    let moves = [stone("a1"), stone("b2")];
    let again = point(&ask(&mut *player, &moves, Some(PATIENT))).expect("a move");
    assert!(!moves.contains(&again.into()), "it was told of the moves in its place");
}

#[test]
fn a_brain_that_never_gets_ready_is_a_stall() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { startup: Duration::from_millis(300), ..shop.settings() };
    let mut player = player(&quirk(&shop, "hang-start"), &settings);
    for _ in 0..2 {
        let fault = player.new_game(&setup()).unwrap_err();
        assert_eq!(fault.failure, Failure::Stall, "{}", fault.detail);
        assert!(!shop.has_processes());
    }
}

#[test]
fn every_manner_of_speaking_is_understood() {
    let shop = EngineBuilder::new();
    let modes = "fast lower cr crlf no-about free-about banner ok-info error-info debug suggest \
                 one-game ponder";
    for mode in modes.split_whitespace() {
        assert_eq!(plays(&quirk(&shop, mode), &shop.settings()), None, "{mode}");
    }
    let settings = HostSettings { restart: RestartPolicy::On, ..shop.settings() };
    plays(&quirk(&shop, "fast"), &settings);
    let told = plays(&quirk(&shop, "message"), &shop.settings()).expect("it told of its search");
    assert_eq!((told.depth, told.seldepth, told.eval), (13, 26, Some(-7)));
    assert_eq!(told.nodes, 240_000);
}

#[test]
fn a_process_plays_on_only_if_it_clears_its_board() {
    let shop = EngineBuilder::new();
    let first_moves = |mode: &str, is_probed: bool| {
        let (spec, settings) = (quirk(&shop, mode), shop.settings());
        if is_probed {
            probe(&spec, &settings).expect("it can be asked");
        }
        let mut player = player(&spec, &settings);
        let game = |_| {
            player.new_game(&setup()).expect("a game begins");
            let first = point(&ask(&mut *player, &[], Some(PATIENT))).expect("a move");
            (first, player.take_said().pop().unwrap_or_default())
        };
        (0..3).map(game).collect::<Vec<_>>()
    };
    for is_probed in [false, true] {
        let moves = first_moves("keeps", is_probed);
        assert!(moves.iter().all(|one| *one == moves[0]), "on an empty board: {moves:?}");
    }
    let questions = |is_probed| first_moves("counts", is_probed).into_iter().map(|(_, said)| said);
    let each = |counts: [u32; 3]| counts.map(|count| format!("MESSAGE question {count}"));
    assert!(questions(false).eq(each([1, 1, 1])), "nothing is known of it");
    assert!(questions(true).eq(each([1, 2, 3])), "one process plays all games");
    // Twice as long as an answer is waited for that may be left out.
    let moves = first_moves("counts 1000", true).into_iter().map(|(_, said)| said);
    assert!(moves.eq(each([1, 2, 3])), "one that works at START is about to begin a game");
}

/// The processes in which a brain begins so many games and answers twice in each, after it has been
/// asked what it is.
fn processes_of_games(shop: &EngineBuilder, spec: &EngineSpec, restart: RestartPolicy) -> Vec<u32> {
    let settings = HostSettings { restart, ..shop.settings() };
    probe(spec, &settings).expect("it can be asked");
    let mut player = player(spec, &settings);
    let game = |_| {
        player.new_game(&setup()).expect("a game begins");
        let first = point(&ask(&mut *player, &[], Some(PATIENT))).expect("a move");
        let theirs = if first == stone("o15").point().unwrap() { "a1" } else { "o15" };
        let moves = [first.into(), stone(theirs)];
        assert!(point(&ask(&mut *player, &moves, Some(PATIENT))).is_some());
        let [pid] = shop.processes()[..] else { panic!("one brain runs") };
        pid
    };
    (0..4).map(game).collect()
}

#[test]
fn a_brain_that_plays_by_chance_plays_on_if_it_plays_where_stones_lay() {
    let shop = EngineBuilder::new();
    let is_one = |pids: &[u32]| pids.iter().all(|pid| *pid == pids[0]);
    let are_new = |pids: &[u32]| pids.windows(2).all(|pair| pair[0] != pair[1]);
    let spec = quirk(&shop, "chance");
    let pids = processes_of_games(&shop, &spec, RestartPolicy::Auto);
    assert!(is_one(&pids), "{pids:?}");
    for mode in ["chance-keeps", "chance-board", "chance-own"] {
        let pids = processes_of_games(&shop, &quirk(&shop, mode), RestartPolicy::Auto);
        assert!(are_new(&pids), "{mode}: {pids:?}");
    }
    assert!(are_new(&processes_of_games(&shop, &spec, RestartPolicy::On)));
    // Its own word goes before that of the settings.
    let kept = EngineSpec { restart: Some(RestartPolicy::Off), ..quirk(&shop, "chance-keeps") };
    let pids = processes_of_games(&shop, &kept, RestartPolicy::On);
    assert!(is_one(&pids), "it was not asked for evidence: {pids:?}");
}

#[test]
fn the_first_sign_of_old_stones_in_play_brings_a_new_process_and_costs_nothing() {
    let shop = EngineBuilder::new();
    // It clears its board as long as it is asked what it is, and keeps its stones later.
    let settings = HostSettings { restart: RestartPolicy::Off, ..shop.settings() };
    let spec = quirk(&shop, "chance-late 1");
    let (mut player, mut other) = (player(&spec, &settings), player(&spec, &settings));
    let game = |player: &mut dyn Player| {
        player.new_game(&setup()).expect("a game begins");
        let mut moves = Vec::new();
        // Each of these points is asked for in every game.
        for theirs in ["h8", "i9", "g7", "c3", "m4"].map(stone) {
            if !moves.contains(&theirs) {
                moves.push(theirs);
                let reply = ask(player, &moves, Some(PATIENT));
                moves.push(point(&reply).expect("a move").into());
            }
        }
        player.take_said()
    };
    game(&mut *player);
    game(&mut *other);
    let before = shop.processes();
    let said = game(&mut *player);
    assert!(said.iter().any(|line| line.contains("ERROR a stone lies there")), "{said:?}");
    let now = shop.processes();
    assert!(before.len() == 2 && now.len() == 2 && now != before, "{before:?}, then {now:?}");
    // From then on none plays its games in one process.
    game(&mut *other);
    game(&mut *player);
    let last = shop.processes();
    assert!(last.len() == 2 && last.iter().all(|pid| !before.contains(pid) && !now.contains(pid)));
}

#[test]
fn an_error_before_each_move_is_no_sign_of_old_stones() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { restart: RestartPolicy::Off, ..shop.settings() };
    let mut player = in_game(&quirk(&shop, "error-first"), &settings);
    assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
    let before = shop.processes();
    player.new_game(&setup()).unwrap();
    player.take_said();
    assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
    assert_eq!(player.take_said().len(), 1, "it was asked once");
    assert_eq!(shop.processes(), before);
}

#[test]
fn a_check_tells_what_an_engine_did_and_not_what_a_game_makes_of_it() {
    let shop = EngineBuilder::new();
    let settings = HostSettings { restart: RestartPolicy::Off, ..shop.settings() };
    let scope = CheckScope { quick: true, ..CheckScope::default() };
    let checked = |mode: &str| check(&quirk(&shop, mode), &settings, scope);
    let steps = checked("chance-late 1");
    let mut failed = steps.iter().filter(|step| !step.is_ok());
    assert!(failed.any(|step| step.detail.contains("ERROR a stone lies there")), "{steps:#?}");
    assert!(!steps.iter().any(|step| step.detail.contains("StartAgain")), "{steps:#?}");
    let steps = checked("error-first");
    let mut rules = steps.iter().filter(|step| step.name.starts_with("INFO rule"));
    assert!(rules.all(CheckStep::is_ok), "{steps:#?}");
}

#[test]
fn what_a_brain_says_to_people_is_kept_for_the_record() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&quirk(&shop, "message"), &shop.settings());
    assert!(point(&ask(&mut *player, &[], Some(PATIENT))).is_some());
    let said = player.take_said();
    assert_eq!((said.len(), said[0].as_str()), (3, "MESSAGE a thought"));
    assert_eq!(player.take_said(), [""; 0]);
}

#[test]
fn a_brain_is_told_the_options_it_was_given() {
    let shop = EngineBuilder::new();
    let transcript = "> START 15\n< OK\n> INFO Style wild and free\n> BEGIN\n< 7,7\n";
    std::fs::write(shop.path().join("transcript.txt"), transcript).unwrap();
    let mut spec = script(&shop, "cmd:", "scripted.py transcript.txt");
    spec.set_option("Style", "wild and free");
    let mut player = in_game(&spec, &shop.settings());
    let reply = ask(&mut *player, &[], Some(PATIENT));
    assert!(point(&reply).is_some(), "{reply:?}");
}

#[test]
fn an_interrupt_ends_a_question() {
    let shop = EngineBuilder::new();
    let interrupt = Interrupt::new();
    let settings = HostSettings { interrupt: interrupt.clone(), ..shop.settings() };
    let mut player = in_game(&quirk(&shop, "hang"), &settings);
    let raiser = std::thread::spawn(move || interrupt.raise());
    let fault = ask(&mut *player, &[], None).outcome.unwrap_err();
    assert!(fault.detail.contains("interrupted"), "{}", fault.detail);
    raiser.join().unwrap();
    drop(player);
    assert!(!shop.has_processes());
}

#[test]
fn a_probe_tells_the_brains_name_and_whether_it_knows_swap2() {
    let shop = EngineBuilder::new();
    let told = probe(&quirk(&shop, "fast"), &shop.settings()).unwrap();
    assert_eq!(told.description.name.as_deref(), Some("Quirk"));
    assert_eq!(told.description.version.as_deref(), Some("1.0"));
    assert!(!told.answers(Procedure::Swap2) && told.answers(Procedure::Book));
    let told = probe(&script(&shop, "cmd:", "swap2.py"), &shop.settings()).unwrap();
    assert!(told.answers(Procedure::Swap2) && !told.answers(Procedure::Pro));
    let told = probe(&script(&shop, "sau:", "sau.py"), &shop.settings()).unwrap();
    assert_eq!(told.description.name.as_deref(), Some("Sau"));
    assert!(!told.answers(Procedure::Swap2));
    let refused = probe(&quirk(&shop, "refuse"), &shop.settings()).unwrap_err();
    assert!(refused.to_string().contains("not on this board"), "{refused}");
}

#[test]
fn swap2_is_answered_by_a_brain_that_knows_it() {
    let shop = EngineBuilder::new();
    let mut player = in_game(&script(&shop, "cmd:", "swap2.py place swap"), &shop.settings());
    let mut decide = |moves: &[tengen_rules::Move], ask| {
        let (limits, patience) = (Limits::default(), Some(PATIENT));
        let request = Request { limits, patience, ..Request::new(moves, ask) };
        match player.ask(&request, &RealTime::new()).outcome {
            Ok(Some(Action::Answer(answer))) => answer,
            other => panic!("{other:?}"),
        }
    };
    let zone = tengen_rules::Zone::Anywhere;
    let Answer::Place(stones) = decide(&[], Ask::Place { count: 3, zone, canonical: false }) else {
        panic!("three stones")
    };
    let mut moves: Vec<_> = stones.into_iter().map(Into::into).collect();
    let Answer::Place(stones) = decide(&moves, Ask::ChooseOrPlace { count: 2 }) else {
        panic!("two stones")
    };
    moves.extend(stones.into_iter().map(tengen_rules::Move::from));
    let black = tengen_rules::Color::Black;
    assert_eq!(decide(&moves, Ask::Choose), Answer::Choose(black));
}

#[test]
fn a_sau_engine_plays_from_an_opening_that_was_set() {
    let shop = EngineBuilder::new();
    for mode in ["set", "chatty"] {
        let mut player =
            player(&script(&shop, "sau:", &format!("sau.py {mode}")), &shop.settings());
        for _ in 0..2 {
            player.new_game(&setup()).unwrap();
            let mut moves = vec![stone("h8"), stone("h9"), stone("i10")];
            for _ in 0..2 {
                let ours = point(&ask(&mut *player, &moves, Some(PATIENT))).expect("a move");
                assert!(!moves.contains(&ours.into()));
                moves.extend([ours.into(), stone(if moves.len() < 5 { "o1" } else { "o3" })]);
            }
        }
        drop(player);
        assert!(!shop.has_processes());
    }
}

#[test]
fn a_check_names_what_is_wrong() {
    let shop = EngineBuilder::new();
    let failed = |spec: &EngineSpec| {
        let settings = HostSettings { startup: Duration::from_secs(20), ..shop.settings() };
        let steps = check(spec, &settings, CheckScope::default());
        assert!(steps.len() > 3, "{steps:?}");
        let failed = steps.into_iter().filter(|step| !step.is_ok()).map(|step| step.name);
        failed.collect::<Vec<_>>()
    };
    assert_eq!(failed(&script(&shop, "cmd:", "swap2.py place stay")), [""; 0]);
    assert_eq!(failed(&script(&shop, "sau:", "sau.py")), [""; 0]);
    assert_eq!(failed(&quirk(&shop, "one-game")), [""; 0]);
    assert_eq!(failed(&quirk(&shop, "no-end")), ["END"]);
    assert_eq!(failed(&script(&shop, "cmd:", "swap2.py short")), ["SWAP2BOARD"]);
    assert!(failed(&quirk(&shop, "junk")).contains(&"TURN".to_owned()));
}

#[test]
fn a_program_that_misses_its_files_is_told_where_they_belong() {
    let shop = EngineBuilder::new();
    std::fs::write(shop.path().join("pbrain-lost"), "#!/bin/sh\nexec cat words.txt\n").unwrap();
    let found = tengen_hosts::package::command("cmd:sh pbrain-lost", Some(shop.path()), None);
    let spec = found.expect("a command").expect("its program is there");
    let steps = check(&spec, &shop.settings(), CheckScope::default());
    let failed = steps.iter().find(|step| !step.is_ok()).expect("it does not start");
    let advice = failed.advice.as_deref().unwrap_or_default();
    assert!(advice.contains("a folder of its own"), "{failed:?}");
}

#[test]
fn a_brain_is_checked_on_the_board_and_under_the_rule_asked_for() {
    let shop = EngineBuilder::new();
    let only = script(&shop, "cmd:", "swap2.py place stay 20");
    let steps = |scope| check(&only, &shop.settings(), scope);
    let refused = steps(CheckScope::default());
    let last = refused.last().expect("it is started");
    let advice = last.advice.as_deref().unwrap_or_default();
    assert!(!last.is_ok() && advice.contains("--size 20"), "{last:?}");
    let size = Some(Size::new(20, 20).expect("a board"));
    let wide = steps(CheckScope { size, ..CheckScope::default() });
    assert_eq!(wide.iter().find(|step| !step.is_ok()), None, "{wide:#?}");
    let names =
        |steps: &[CheckStep]| steps.iter().map(|step| step.name.clone()).collect::<Vec<_>>();
    assert!(names(&wide).iter().any(|name| name == "INFO rule, renju"), "{wide:#?}");
    let renju = steps(CheckScope { size, rule: Some(Rule::Renju), ..CheckScope::default() });
    assert_eq!(renju.iter().find(|step| !step.is_ok()), None, "{renju:#?}");
    assert!(names(&renju).iter().all(|name| !name.starts_with("INFO rule")), "{renju:#?}");
}
