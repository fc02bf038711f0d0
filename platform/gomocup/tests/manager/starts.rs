//! How a game begins, and when a process plays another one.

use super::*;

#[test]
fn every_game_begins_with_start() {
    let mut brain = in_game(Rule::Standard);
    let terms = GameTerms::new(Rule::Renju, Size::STANDARD);
    assert_eq!(brain.new_game(&terms), NewGameResult::Sent);
    assert_eq!(lines(&mut brain), ["START 15"]);
    assert_eq!(brain.receive(b"ok"), Response::Ready);
    ask(&mut brain, "", MOVE);
    assert!(all_lines(&mut brain).contains(&"INFO rule 4".to_owned()));
    brain.receive(b"7,7");
    let size = Size::new(20, 20).unwrap();
    assert_eq!(brain.new_game(&GameTerms::new(Rule::Renju, size)), NewGameResult::Sent);
    assert_eq!(lines(&mut brain), ["START 20"]);
}

#[test]
fn unknown_to_another_start_starts_the_process_again() {
    let mut brain = in_game(Rule::Standard);
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    brain.new_game(&terms);
    lines(&mut brain);
    assert_eq!(brain.receive(b"UNKNOWN command"), Response::StartAgain);
    brain.started_again();
    assert_eq!(brain.new_game(&terms), NewGameResult::Sent);
    assert_eq!(lines(&mut brain), ["START 15"]);
    assert_eq!(brain.receive(b"OK"), Response::Ready);
    // Learnt once, it is not tried again.
    assert_eq!(brain.new_game(&terms), NewGameResult::StartAgain);
}

#[test]
fn a_process_gets_another_game_only_where_it_is_known_to_clear_its_board() {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    assert_eq!(brain.new_game(&terms), NewGameResult::Sent);
    brain.receive(b"OK");
    assert_eq!(brain.new_game(&terms), NewGameResult::StartAgain);
    brain.clears_board();
    assert_eq!(brain.new_game(&terms), NewGameResult::Sent);
    brain.needs_new_process();
    brain.started_again();
    brain.clears_board();
    assert_eq!(dialect(&brain).starts_again, Some(false), "once it did not");
}

#[test]
fn the_first_sign_of_old_stones_ends_the_reuse_of_a_process() {
    let in_second_game = || {
        let mut brain = asked("");
        brain.receive(b"7,7");
        assert_eq!(
            brain.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD)),
            NewGameResult::Sent
        );
        brain.receive(b"OK");
        ask(&mut brain, "h8", MOVE);
        brain
    };
    for sign in ["7,7", "15,0", "-1,3 what else"] {
        let mut brain = in_second_game();
        assert_eq!(brain.receive(sign.as_bytes()), Response::StartAgain, "{sign}");
        assert_eq!(dialect(&brain).starts_again, Some(false));
        // The same question in another process, where the same answer is the brain's own doing.
        brain.started_again();
        begin(&mut brain);
        ask(&mut brain, "h8", MOVE);
        assert_ne!(brain.receive(sign.as_bytes()), Response::StartAgain, "{sign}");
    }
    // What is no sign of them.
    let mut brain = in_second_game();
    noted(&mut brain, "ERROR Unknown command: INFO time_left");
    noted(&mut brain, "let me see");
    assert!(!brain.doubts_board());
    assert!(matches!(brain.receive(b"8,8"), Response::Answer(_)));
    // Of an ERROR the answer tells, which may follow.
    let mut brain = in_second_game();
    noted(&mut brain, "ERROR my stone is there");
    assert!(brain.doubts_board());
    assert!(matches!(brain.receive(b"8,8"), Response::Answer(_)));
    assert!(!brain.doubts_board());
    ask(&mut brain, "h8 j7 a1", MOVE);
    noted(&mut brain, "ERROR my stone is there");
    brain.needs_new_process();
    brain.started_again();
    begin(&mut brain);
    ask(&mut brain, "h8 j7 a1", MOVE);
    noted(&mut brain, "ERROR my stone is there");
    assert!(!brain.doubts_board(), "there is no other game of which stones can be left");
    // What another process showed is no reason to replace one that has begun no game.
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    brain.clears_board();
    brain.needs_new_process();
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    assert_eq!(brain.new_game(&terms), NewGameResult::Sent);
    // One that is checked is told of what it did.
    let mut brain = in_game(Rule::Standard);
    brain.judge_every_answer();
    begin(&mut brain);
    ask(&mut brain, "h8", MOVE);
    noted(&mut brain, "ERROR my stone is there");
    assert!(!brain.doubts_board());
    assert_eq!(brain.receive(b"7,7"), Response::Answer(stone("h8")));
    // Held strictly to the protocol it is not waited for.
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    let mut brain = strictly(Rule::Standard);
    brain.clears_board();
    brain.new_game(&terms);
    brain.receive(b"OK");
    ask(&mut brain, "h8", MOVE);
    assert_eq!(brain.receive(b"ERROR my stone is there"), Response::StartAgain);
}

#[test]
fn error_to_start_is_a_refusal() {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    brain.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD));
    let fault = BrainFault::Refused("size of the board".to_owned());
    assert_eq!(fault.to_string(), "refused the board: ERROR size of the board");
    assert_eq!(brain.receive(b"ERROR size of the board"), Response::Fault(fault));
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    assert_eq!(brain.new_game(&terms), NewGameResult::StartAgain);
}
