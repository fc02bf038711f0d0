//! What the manager's side writes, and what it makes of what it hears.

use tengen_arbiter::Limits;
use tengen_gomocup::{
    About, AskResult, BrainFault, Dialect, DialogueQuestion, GameTerms, GameType, GomocupDialogue,
    LineEnd, LogKind, NewGameResult, OFF_BOARD, Response, SearchReport, Swap2Lines, TextDialogue,
};
use tengen_rules::{Answer, Ask, Color, Move, Rule, Size, Zone};

#[path = "../common/mod.rs"]
mod common;
mod starts;

use common::{MOVE, lines as all_lines, moves, stone};

const PLACE: Ask = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };

/// The lines written since the last time, those of INFO left out.
fn lines(brain: &mut GomocupDialogue) -> Vec<String> {
    let mut lines = all_lines(brain);
    lines.retain(|line| !line.starts_with("INFO"));
    lines
}

fn ask(brain: &mut GomocupDialogue, position: &str, ask: Ask) -> AskResult {
    brain.ask(&DialogueQuestion { moves: &moves(position), ask, limits: Limits::default() })
}

/// A brain in a game on 15×15, everything written so far forgotten.
fn in_game(rule: Rule) -> GomocupDialogue {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    brain.clears_board();
    brain.new_game(&GameTerms::new(rule, Size::STANDARD));
    assert_eq!(brain.receive(b"OK"), Response::Ready);
    lines(&mut brain);
    brain
}

/// One that was asked for a move in such a game.
fn asked(position: &str) -> GomocupDialogue {
    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, position, MOVE);
    brain
}

/// Begins a game by the plainest terms.
fn begin(brain: &mut GomocupDialogue) {
    brain.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD));
    brain.receive(b"OK");
}

/// A brain in such a game that is held strictly to the protocol.
fn strictly(rule: Rule) -> GomocupDialogue {
    in_game(rule).strict(true)
}

fn log_other(heard: Response<'_>) {
    assert!(matches!(heard, Response::Log { kind: LogKind::Other, .. }), "{heard:?}");
}

fn dialect(brain: &GomocupDialogue) -> Dialect {
    brain.dialect().expect("brains differ")
}

fn report(brain: &GomocupDialogue) -> &SearchReport {
    brain.report().expect("brains tell of their search")
}

/// A line is noted, and nothing else comes of it.
fn noted(brain: &mut GomocupDialogue, line: &str) {
    let heard = brain.receive(line.as_bytes());
    let Response::Log { kind: LogKind::Unexpected, text, report: None } = &heard else {
        panic!("{heard:?}")
    };
    assert_eq!(text, line.trim());
}

#[test]
fn everything_is_told_once_and_then_what_changes() {
    let mut brain = GomocupDialogue::new(LineEnd::CrLf);
    let size = Size::new(20, 15).unwrap();
    let terms = GameTerms {
        time: "180+0.5,move=30".parse().unwrap(),
        game_type: GameType::Tournament,
        max_memory: Some(350 << 20),
        folder: Some("/data\nx".to_owned()),
        options: vec![("hash_size".to_owned(), "4096".to_owned()), ("Style".into(), "a b".into())],
        ..GameTerms::new(Rule::Caro, size)
    };
    brain.new_game(&terms);
    assert_eq!(brain.output(), b"RECTSTART 20,15\r\n");
    brain.written(brain.output().len());
    brain.receive(b"OK");
    let own = Some(179_999_999_999);
    let limits = Limits { own, depth: Some(9), nodes: Some(5000), ..Limits::default() };
    let put = |brain: &mut GomocupDialogue, position: &str, limits| {
        brain.ask(&DialogueQuestion { moves: &moves(position), ask: MOVE, limits });
        all_lines(brain)
    };
    assert_eq!(
        put(&mut brain, "", limits),
        [
            "INFO max_memory 367001600",
            "INFO timeout_match 180000",
            "INFO timeout_turn 30000",
            "INFO game_type 2",
            "INFO rule 8",
            "INFO folder /data x",
            "INFO time_increment 500",
            "INFO hash_size 4096",
            "INFO Style a b",
            "INFO max_depth 9",
            "INFO max_node 5000",
            "INFO time_left 179999",
            "BEGIN",
        ]
    );
    brain.receive(b"0,0");
    let limits = Limits { own: None, depth: None, ..limits };
    assert_eq!(
        put(&mut brain, "a15 b15", limits),
        ["INFO max_depth -1", "INFO time_left 2147483647", "TURN 1,0"]
    );
    brain.receive(b"2,0");
}

#[test]
fn a_game_without_clock_is_not_told_to_hurry() {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    brain.new_game(&GameTerms::new(Rule::Renju, Size::STANDARD));
    brain.receive(b"OK");
    ask(&mut brain, "", MOVE);
    let lines = all_lines(&mut brain);
    for line in ["INFO timeout_turn 2147483647", "INFO timeout_match 0", "INFO rule 4"] {
        assert!(lines.contains(&line.to_owned()), "{lines:?}");
    }
}

#[test]
fn the_terms_of_a_game_can_be_told_before_its_first_question() {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    brain.clears_board();
    let terms =
        GameTerms { max_memory: Some(1 << 20), ..GameTerms::new(Rule::Renju, Size::STANDARD) };
    for _ in 0..2 {
        brain.new_game(&terms);
        all_lines(&mut brain);
        brain.receive(b"OK");
        brain.send_terms();
        let told = all_lines(&mut brain);
        assert_eq!(told.first().map(String::as_str), Some("INFO max_memory 1048576"));
        assert!(told.iter().all(|line| !line.contains("time_left")), "{told:?}");
        brain.send_terms();
        assert_eq!(brain.output(), b"");
        ask(&mut brain, "", MOVE);
        assert_eq!(all_lines(&mut brain), ["INFO time_left 2147483647", "BEGIN"]);
        brain.receive(b"7,7");
    }
}

#[test]
fn the_cheapest_line_brings_the_brain_to_the_position() {
    let mut brain = asked("h8");
    assert_eq!(lines(&mut brain), ["TURN 7,7"]);
    assert_eq!(brain.receive(b"8,6"), Response::Answer(stone("i9")));
    ask(&mut brain, "h8 i9 j10", MOVE);
    assert_eq!(lines(&mut brain), ["TURN 9,5"]);
    brain.receive(b"0,0");
    // Its last move and the one before were taken back, and another one played.
    ask(&mut brain, "h8 i9 a1", MOVE);
    assert_eq!(lines(&mut brain), ["BOARD", "7,7,2", "8,6,1", "0,14,2", "DONE"]);
    brain.receive(b"0,0");
    // Now it plays the other colour.
    ask(&mut brain, "h8 i9 a1 a15", MOVE);
    assert_eq!(lines(&mut brain), ["BOARD", "7,7,1", "8,6,2", "0,14,1", "0,0,2", "DONE"]);
    brain.receive(b"5,5");
    // The protocol has no pass, but it can give the owners of the stones.
    ask(&mut brain, "h8 pass i9", MOVE);
    assert_eq!(lines(&mut brain), ["BOARD", "7,7,2", "8,6,2", "DONE"]);
}

#[test]
fn an_opening_is_told_in_playing_order() {
    let mut brain = in_game(Rule::Renju);
    ask(&mut brain, "h8 h9 j10", MOVE);
    assert_eq!(lines(&mut brain), ["BOARD", "7,7,2", "7,6,1", "9,5,2", "DONE"]);
    brain.receive(b"0,0");
    ask(&mut brain, "h8 h9 j10 a15 g7", MOVE);
    assert_eq!(lines(&mut brain), ["TURN 6,8"]);
}

#[test]
fn a_board_with_stones_is_emptied_by_start_and_all_is_told_again() {
    let mut brain = asked("");
    assert_eq!(lines(&mut brain), ["BEGIN"]);
    brain.receive(b"7,7");
    ask(&mut brain, "", MOVE);
    assert_eq!(lines(&mut brain), ["START 15"]);
    log_other(brain.receive(b"OK"));
    let said = all_lines(&mut brain);
    assert!(said.contains(&"INFO rule 1".to_owned()) && said.ends_with(&["BEGIN".to_owned()]));
    assert_eq!(brain.receive(b"7,7"), Response::Answer(stone("h8")));
    // A brain that minds is shown an empty board.
    ask(&mut brain, "", MOVE);
    lines(&mut brain);
    noted(&mut brain, "ERROR a game is under way");
    assert_eq!(lines(&mut brain), ["BOARD", "DONE"]);
    assert_eq!(brain.receive(b"7,7"), Response::Answer(stone("h8")));
}

#[test]
fn swap2_asks_for_three_stones() {
    let mut brain = in_game(Rule::Standard);
    assert_eq!(ask(&mut brain, "", PLACE), AskResult::Sent);
    assert_eq!(lines(&mut brain), ["SWAP2BOARD", "DONE"]);
    let points = ["h8", "i9", "g6"].map(|point| point.parse().unwrap()).to_vec();
    assert_eq!(brain.receive(b"7,7 8,6 6,9"), Response::Answer(Answer::Place(points)));
    // The other side took White: it is told all of it.
    ask(&mut brain, "h8 i9 g6 a1", MOVE);
    assert_eq!(lines(&mut brain), ["BOARD", "7,7,1", "8,6,2", "6,9,1", "0,14,2", "DONE"]);
}

#[test]
fn swap2_after_three_stones_swaps_stays_or_places_two() {
    let three = Ask::ChooseOrPlace { count: 2 };
    let mut brain = in_game(Rule::Standard);
    assert_eq!(ask(&mut brain, "h8 i9 g6", three), AskResult::Sent);
    assert_eq!(lines(&mut brain), ["SWAP2BOARD", "7,7", "8,6", "6,9", "DONE"]);
    assert_eq!(brain.receive(b"swap"), Response::Answer(Answer::Choose(Color::Black)));
    // The other side has played the fourth stone.
    ask(&mut brain, "h8 i9 g6 a1", MOVE);
    assert_eq!(lines(&mut brain), ["BOARD", "7,7,1", "8,6,2", "6,9,1", "0,14,2", "DONE"]);

    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, "h8 i9 g6", three);
    assert_eq!(brain.receive(b"0,14"), Response::Answer(Answer::Choose(Color::White)));
    lines(&mut brain);
    // The fourth stone came with the decision.
    assert_eq!(ask(&mut brain, "h8 i9 g6", MOVE), AskResult::Known(stone("a1")));
    assert_eq!(lines(&mut brain), [""; 0]);
    ask(&mut brain, "h8 i9 g6 a1 b1", MOVE);
    assert_eq!(lines(&mut brain)[0], "BOARD");

    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, "h8 i9 g6", three);
    let two = ["a1", "b1"].map(|point| point.parse().unwrap()).to_vec();
    assert_eq!(brain.receive(b"0,14 1,14"), Response::Answer(Answer::Place(two)));
}

#[test]
fn swap2_after_five_stones_swaps_or_stays() {
    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, "h8 i9 g6 a1 b1", Ask::Choose);
    assert_eq!(lines(&mut brain)[0], "SWAP2BOARD");
    assert_eq!(brain.receive(b"SWAP"), Response::Answer(Answer::Choose(Color::Black)));
    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, "h8 i9 g6 a1 b1", Ask::Choose);
    assert_eq!(brain.receive(b"2,14"), Response::Answer(Answer::Choose(Color::White)));
    assert_eq!(ask(&mut brain, "h8 i9 g6 a1 b1", MOVE), AskResult::Known(stone("c1")));
    // A stone that came with the decision and was refused is not given twice.
    assert_eq!(ask(&mut brain, "h8 i9 g6 a1 b1", MOVE), AskResult::Sent);
}

#[test]
fn what_the_protocol_cannot_ask_is_unsayable() {
    let mut brain = in_game(Rule::Renju);
    let canonical = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: true };
    for (position, question) in [
        ("", canonical),
        ("", Ask::Move { zone: Zone::Within(0) }),
        ("h8 h9 j10", Ask::Swap),
        ("h8 h9 j10", Ask::Choose),
        ("h8 h9 j10", Ask::Declare { min: 1, max: 5 }),
        ("h8 h9 j10 a1", Ask::Offer { count: 2 }),
    ] {
        assert_eq!(ask(&mut brain, position, question), AskResult::Unsupported);
    }
    assert_eq!(lines(&mut brain), [""; 0]);
}

#[test]
fn an_answer_of_another_form_is_the_arbiters_to_judge() {
    let mut brain = asked("h8");
    let off = Answer::Move(Move::Stone(OFF_BOARD));
    assert_eq!(brain.receive(b"15,3"), Response::Answer(off));
    // Asked again, it is told the position anew: its own board has that stone.
    ask(&mut brain, "h8", MOVE);
    assert_eq!(lines(&mut brain)[1..], ["BOARD", "7,7,2", "DONE"]);
    assert_eq!(brain.receive(b"SWAP"), Response::Answer(Answer::Choose(Color::Black)));
    let mut brain = asked("h8").strict(true);
    let two = ["a15", "b15"].map(|point| point.parse().unwrap()).to_vec();
    assert_eq!(brain.receive(b"0,0 1,0"), Response::Answer(Answer::Place(two)));
}

#[test]
fn what_stands_behind_a_move_is_a_remark() {
    for (line, remark) in [
        ("8,6\tValue:0", "Value:0"),
        ("8,6 nodes 12,000", "nodes 12,000"),
        ("8,6;", ";"),
        ("8,6 9,9", "8,6 9,9"),
        ("8,6,0", ",0"),
        ("8,6,1,2", ",1,2"),
        ("8,6.5", ".5"),
        ("8,6, 9", ", 9"),
    ] {
        let mut brain = asked("h8");
        assert_eq!(brain.receive(line.as_bytes()), Response::Answer(stone("i9")), "{line}");
        assert_eq!(brain.take_remark().as_deref(), Some(remark));
        assert_eq!(brain.take_remark(), None);
        ask(&mut brain, "h8 i9 a1", MOVE);
        assert_eq!(brain.receive(b"9,9"), Response::Answer(stone("j6")));
        assert_eq!(brain.take_remark(), None);
    }
    for line in ["1,234,567 nodes", "12,345.6 a second"] {
        let mut brain = asked("h8");
        noted(&mut brain, line);
    }
    let mut brain = asked("h8").strict(true);
    assert!(matches!(brain.receive(b"8,6\tValue:0"), Response::Fault(BrainFault::Junk(_))));
}

#[test]
fn a_board_that_never_got_ready_is_not_used_again() {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    brain.new_game(&terms);
    assert_eq!(brain.new_game(&terms), NewGameResult::StartAgain);
}

#[test]
fn an_answer_given_twice_is_taken_once() {
    let mut brain = asked("h8");
    assert_eq!(brain.receive(b"8,6"), Response::Answer(stone("i9")));
    noted(&mut brain, "8,6");
    // The second may come when the next question has been written.
    ask(&mut brain, "h8 i9 a1", MOVE);
    noted(&mut brain, "8,6");
    assert_eq!(brain.receive(b"9,9"), Response::Answer(stone("j6")));
    // A brain that says nothing else means it.
    ask(&mut brain, "h8 i9 a1 j6 b1", MOVE);
    noted(&mut brain, "9,9");
    assert_eq!(brain.receive(b"9,9"), Response::Answer(stone("j6")));
    // A brain that is asked again after a refused move has not said its move twice.
    ask(&mut brain, "h8 i9 a1 j6 b1", MOVE);
    assert_eq!(brain.receive(b"7,7"), Response::Answer(stone("h8")));
    ask(&mut brain, "h8 i9 a1 j6 b1", MOVE);
    assert_eq!(brain.receive(b"7,7"), Response::Answer(stone("h8")));

    let mut brain = asked("h8").strict(true);
    brain.receive(b"8,6");
    let fault = BrainFault::Unasked("8,6".to_owned());
    assert_eq!(fault.to_string(), "said `8,6` without being asked");
    assert_eq!(brain.receive(b"8,6"), Response::Fault(fault));
}

#[test]
fn junk_in_place_of_an_answer_is_noted_and_before_it_a_banner() {
    let begin = |is_strict| {
        let mut brain = GomocupDialogue::new(LineEnd::Lf).strict(is_strict);
        brain.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD));
        log_other(brain.receive(b"Hoshi 1.2, copyright by Me"));
        assert_eq!(brain.receive(b"OK"), Response::Ready);
        log_other(brain.receive(b"ready when you are"));
        ask(&mut brain, "h8", MOVE);
        brain
    };
    let mut brain = begin(false);
    noted(&mut brain, "h8 or so");
    assert_eq!(brain.receive(b"8,6"), Response::Answer(stone("i9")));
    let fault = BrainFault::Junk("h8 or so".to_owned());
    assert_eq!(begin(true).receive(b"h8 or so"), Response::Fault(fault));
}

#[test]
fn stones_of_swap2_are_shown_with_owners_to_a_brain_that_answers_nothing_else() {
    // As Rapfi: it drops the stones, and lays three as on an empty board.
    let mut brain = in_game(Rule::Renju);
    let three = Ask::ChooseOrPlace { count: 2 };
    ask(&mut brain, "h8 i9 g6", three);
    assert_eq!(lines(&mut brain), ["SWAP2BOARD", "7,7", "8,6", "6,9", "DONE"]);
    for _ in 0..3 {
        noted(&mut brain, "ERROR Color is not a valid value, must be one of [1, 2, 3].");
    }
    noted(&mut brain, "7,7 8,7 9,9");
    let owned = ["SWAP2BOARD", "7,7,2", "8,6,1", "6,9,2", "DONE"];
    assert_eq!(lines(&mut brain), owned);
    assert_eq!(brain.receive(b"SWAP"), Response::Answer(Answer::Choose(Color::Black)));
    assert_eq!(dialect(&brain).swap2, Some(Swap2Lines::Owners));
    // Learnt once, it holds for every process.
    brain.started_again();
    brain.new_game(&GameTerms::new(Rule::Renju, Size::STANDARD));
    brain.receive(b"OK");
    lines(&mut brain);
    ask(&mut brain, "h8 i9 g6", three);
    assert_eq!(lines(&mut brain), owned);
    assert_eq!(brain.receive(b"0,0"), Response::Answer(Answer::Choose(Color::White)));
    let mut other = GomocupDialogue::with_dialect(dialect(&brain));
    other.new_game(&GameTerms::new(Rule::Renju, Size::STANDARD));
    other.receive(b"OK");
    lines(&mut other);
    ask(&mut other, "h8 i9 g6 a1 b1", Ask::Choose);
    let five = ["SWAP2BOARD", "7,7,2", "8,6,1", "6,9,2", "0,14,1", "1,14,2", "DONE"];
    assert_eq!(lines(&mut other), five);
    // What is no answer to these either is the arbiter's to judge.
    let point = Answer::Move(Move::Stone("h8".parse().unwrap()));
    assert_eq!(other.receive(b"7,7"), Response::Answer(point));

    // A brain that answers to points is shown points for good.
    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, "h8 i9 g6", three);
    lines(&mut brain);
    noted(&mut brain, "ERROR what is max_node?");
    assert_eq!(brain.receive(b"0,0 1,1"), {
        let two = ["a15", "b14"].map(|point| point.parse().unwrap()).to_vec();
        Response::Answer(Answer::Place(two))
    });
    assert_eq!(dialect(&brain).swap2, Some(Swap2Lines::Points));
}

#[test]
fn a_start_shows_what_was_left_unanswered() {
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    let mut brain = in_game(Rule::Standard);
    ask(&mut brain, "", PLACE);
    lines(&mut brain);
    brain.start_over(&terms);
    assert_eq!(lines(&mut brain), ["START 15"]);
    noted(&mut brain, "UNKNOWN command");
    noted(&mut brain, "ERROR Unknown command: DONE");
    assert_eq!(brain.receive(b"OK"), Response::Ready);

    ask(&mut brain, "", PLACE);
    brain.start_over(&terms);
    let points = ["h8", "i9", "g6"].map(|point| point.parse().unwrap()).to_vec();
    assert_eq!(brain.receive(b"7,7 8,6 6,9"), Response::Answer(Answer::Place(points)));
    assert_eq!(brain.receive(b"OK"), Response::Ready);
    ask(&mut brain, "", MOVE);
    assert_eq!(lines(&mut brain).last().unwrap(), "BEGIN");
    assert_eq!(brain.receive(b"7,7"), Response::Answer(stone("h8")));
}

#[test]
fn an_answer_to_about_may_have_no_line_end() {
    for line in [r#"name="Hoshi", version="1"OK"#, r#"name="Hoshi", version="1" ok"#] {
        let mut brain = in_game(Rule::Standard);
        brain.ask_about();
        brain.start_over(&GameTerms::new(Rule::Standard, Size::STANDARD));
        let Response::Introduced(about) = brain.receive(line.as_bytes()) else { panic!("{line}") };
        assert_eq!((about.name.as_deref(), about.version.as_deref()), (Some("Hoshi"), Some("1")));
        assert!(!brain.is_waiting());
    }
    // A name is no OK.
    let mut brain = in_game(Rule::Standard);
    brain.ask_about();
    brain.start_over(&GameTerms::new(Rule::Standard, Size::STANDARD));
    assert!(matches!(brain.receive(b"This is Gomok"), Response::About(_)));
    assert_eq!(brain.receive(b"OK"), Response::Ready);
}

#[test]
fn lf_alone_is_tried_where_cr_lf_was_never_understood() {
    let mut brain = GomocupDialogue::new(LineEnd::CrLf);
    let terms = GameTerms::new(Rule::Standard, Size::STANDARD);
    brain.new_game(&terms);
    brain.receive(b"ERROR not a number");
    assert!(brain.try_lf() && !brain.try_lf());
    brain.started_again();
    brain.new_game(&terms);
    assert_eq!(brain.output(), b"START 15\n");
    brain.receive(b"OK");
    assert_eq!(dialect(&brain).line_end, Some(LineEnd::Lf));
    brain.started_again();
    brain.new_game(&terms);
    assert_eq!(brain.output(), b"START 15\n");

    let mut brain = GomocupDialogue::new(LineEnd::CrLf);
    brain.new_game(&terms);
    brain.receive(b"OK");
    assert!(!brain.try_lf(), "it takes CR LF");
}

#[test]
fn suggest_is_confirmed_by_play() {
    let mut brain = asked("h8");
    lines(&mut brain);
    log_other(brain.receive(b"SUGGEST 8,6"));
    assert_eq!(lines(&mut brain), ["PLAY 8,6"]);
    assert_eq!(brain.receive(b"8,6"), Response::Answer(stone("i9")));
    ask(&mut brain, "h8 i9 a1", MOVE);
    assert_eq!(lines(&mut brain), ["TURN 0,14"]);
    brain.receive(b"0,0");
    noted(&mut brain, "SUGGEST 8,6");
}

#[test]
fn about_is_answered_or_not() {
    let mut brain = GomocupDialogue::new(LineEnd::Lf);
    brain.ask_about();
    brain.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD));
    assert_eq!(lines(&mut brain), ["ABOUT", "START 15"]);
    let about = br#"name="Hoshi", version="1""#;
    let Response::About(About { name, .. }) = brain.receive(about) else { panic!() };
    assert_eq!(name.as_deref(), Some("Hoshi"));
    log_other(brain.receive(b"a second line of it"));
    assert_eq!(brain.receive(b"OK"), Response::Ready);

    for reply in [&b"UNKNOWN command"[..], b"MESSAGE hello"] {
        let mut brain = GomocupDialogue::new(LineEnd::Lf);
        brain.ask_about();
        brain.new_game(&GameTerms::new(Rule::Standard, Size::STANDARD));
        assert!(matches!(brain.receive(reply), Response::Log { .. }));
        assert_eq!(brain.receive(b"OK"), Response::Ready);
        ask(&mut brain, "h8", MOVE);
        // What comes now is no answer to ABOUT.
        noted(&mut brain, "Hoshi");
    }
}

#[test]
fn unknown_and_error_to_something_optional_are_tolerated() {
    for is_strict in [false, true] {
        let mut brain = in_game(Rule::Standard).strict(is_strict);
        let limits = Limits { nodes: Some(1000), ..Limits::default() };
        let position = moves("h8");
        brain.ask(&DialogueQuestion { moves: &position, ask: MOVE, limits });
        noted(&mut brain, "ERROR what is max_node?");
        noted(&mut brain, "UNKNOWN INFO folder");
        log_other(brain.receive(b"OK"));
        assert_eq!(brain.receive(b"8,6"), Response::Answer(stone("i9")));
        noted(&mut brain, "UNKNOWN command");
    }
}

#[test]
fn unknown_and_error_to_a_question_are_noted_and_the_answer_waited_for() {
    let mut brain = asked("h8");
    // What Rapfi said when it had lost the first word of a line.
    noted(&mut brain, "ERROR Unknown command: TIME_LEFT");
    noted(&mut brain, "UNKNOWN command");
    assert_eq!(brain.receive(b"8,6"), Response::Answer(stone("i9")));

    let mut brain = asked("h8").strict(true);
    let fault = BrainFault::Error("no king".to_owned());
    assert_eq!(brain.receive(b"ERROR no king"), Response::Fault(fault));
    let mut brain = strictly(Rule::Standard);
    // Even where something has been told that it need not know.
    let limits = Limits { nodes: Some(1000), ..Limits::default() };
    brain.ask(&DialogueQuestion { moves: &[], ask: PLACE, limits });
    let fault = BrainFault::Unknown("SWAP2BOARD".to_owned());
    assert_eq!(brain.receive(b"UNKNOWN SWAP2BOARD"), Response::Fault(fault));
}

#[test]
fn messages_tell_of_the_search() {
    let mut brain = asked("h8");
    for line in ["MESSAGE Depth 2-3 | Eval 14 | Time 1ms | I7 J10", "debug x", "INFO TOTALNODES 77"]
    {
        assert!(matches!(brain.receive(line.as_bytes()), Response::Log { .. }));
    }
    let info = report(&brain).info;
    assert_eq!((info.depth, info.seldepth, info.eval, info.nodes), (2, 3, Some(14), 77));
    assert_eq!(brain.line_of(report(&brain)), ["i9", "j6"].map(|point| point.parse().unwrap()));
    brain.receive(b"8,6");
    assert_eq!(report(&brain).info.depth, 2, "it is kept until the next question");
    ask(&mut brain, "h8 i9 a1", MOVE);
    assert!(report(&brain).is_empty());
}

#[test]
fn from_where_a_brain_counts_rows_is_learnt_from_its_moves() {
    let mut brain = asked("h8");
    brain.receive(b"MESSAGE depth 2 pv I9 J10");
    // I9 from the bottom is 8,6.
    brain.receive(b"8,6");
    assert_eq!(brain.line_of(report(&brain)), ["i9", "j10"].map(|point| point.parse().unwrap()));
    ask(&mut brain, "h8 i9 a1", MOVE);
    brain.receive(b"MESSAGE depth 2 pv B3");
    assert_eq!(brain.line_of(report(&brain)), ["b3".parse().unwrap()]);
}
