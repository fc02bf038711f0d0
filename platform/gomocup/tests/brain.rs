//! What the brain's side demands of its engine, and what it writes to a manager.

use tengen_gomocup::{
    About, Brain, Instruction, PvMove, SearchReport, SearchTask, UnsupportedAnswer,
};
use tengen_rules::{Answer, Ask, Color, Move, Point, Rule, Size, Zone};

const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };

fn brain() -> Brain {
    Brain::new(About { name: Some("Hoshi".to_owned()), ..About::default() })
}

/// Says the lines, gets ready for every game, and gives the question they come to.
fn think(brain: &mut Brain, lines: &[&str]) -> Option<SearchTask> {
    for line in lines {
        brain.receive(line.as_bytes());
    }
    loop {
        match brain.poll()? {
            Instruction::NewGame { .. } => brain.ready(),
            Instruction::Think(task) => return Some(*task),
            demand => panic!("{demand:?}"),
        }
    }
}

fn output(brain: &mut Brain) -> String {
    let text = String::from_utf8(brain.output().to_vec()).unwrap();
    brain.written(text.len());
    text.trim_end().to_owned()
}

fn points(text: &str) -> Vec<Point> {
    text.split_whitespace().map(|point| point.parse().unwrap()).collect()
}

fn stone(text: &str) -> Answer {
    Answer::Move(Move::Stone(text.parse().unwrap()))
}

/// What is written in answer to one line after START 15.
fn reply(line: &str) -> String {
    let mut brain = brain();
    assert_eq!(think(&mut brain, &["START 15"]), None);
    output(&mut brain);
    assert_eq!(think(&mut brain, &[line]), None, "{line}");
    output(&mut brain)
}

#[test]
fn a_judge_that_waits_for_nothing_is_served_in_order() {
    // As Gomocup's judge begins: no waiting for OK, and BOARD even where the board is empty.
    let mut brain = brain();
    let lines = [
        "START 20",
        "INFO timeout_turn 5000",
        "INFO timeout_match 120000",
        "INFO max_memory 367001600",
        "INFO game_type 1",
        "INFO rule 1",
        "INFO folder /tmp/x y",
        "INFO time_left 119000",
        "BOARD",
        "DONE",
    ];
    let task = think(&mut brain, &lines).unwrap();
    assert_eq!((task.rule, task.size), (Rule::Standard, Size::new(20, 20).unwrap()));
    assert!(task.moves.is_empty());
    assert_eq!(task.limits.own, Some(119_000_000_000));
    assert_eq!(task.limits.hard, Some(5_000_000_000));
    assert_eq!(task.allowance.max_memory, Some(367_001_600));
    brain.answer(&stone("a20")).unwrap();
    assert_eq!(output(&mut brain), "OK\n0,0");
    let task = think(&mut brain, &["INFO time_left 3000", "TURN 1,0"]).unwrap();
    assert_eq!(task.moves, points("a20 b20"));
    assert_eq!(task.limits.hard, Some(3_000_000_000));
}

#[test]
fn what_info_leaves_out_is_unlimited() {
    let mut brain = brain();
    let task = think(&mut brain, &["START 15", "BEGIN"]).unwrap();
    assert_eq!(task.limits, tengen_arbiter::Limits::default());
    brain.answer(&stone("h8")).unwrap();
    let info = [
        "info TIMEOUT_TURN 0",
        "INFO time_left 2147483647",
        "INFO timeout_match 0",
        "INFO max_memory 0",
        "INFO max_node 5000",
        "INFO max_depth 9",
        "INFO thread_num 4",
        "INFO hash_size 1024",
        "INFO time_increment 500",
        "INFO caution_factor 1",
        "INFO evaluate 3,4",
        "TURN 0,0",
    ];
    let task = think(&mut brain, &info).unwrap();
    assert_eq!(task.limits.own, None);
    assert_eq!(task.limits.hard, Some(1_000_000), "as fast as possible");
    assert_eq!((task.limits.nodes, task.limits.depth), (Some(5000), Some(9)));
    assert_eq!((task.allowance.threads, task.allowance.max_memory), (Some(4), None));
    assert_eq!(task.allowance.increment_ms, Some(500));
    brain.answer(&stone("b1")).unwrap();
    let task = think(&mut brain, &["INFO max_node -1", "INFO time_left -5", "TURN 1,0"]).unwrap();
    assert_eq!((task.limits.nodes, task.limits.own), (None, Some(0)));
}

#[test]
fn a_board_in_any_order_becomes_a_game() {
    let mut brain = brain();
    let board = ["START 15", "BOARD", "7,7,2", "8,7,2", "6,6,1", "5,5,2", "4,4,1", "DONE"];
    let task = think(&mut brain, &board).unwrap();
    assert_eq!(task.moves, points("h8 g9 i8 e11 f10"));
    assert_eq!(task.ask, MOVE);
    brain.answer(&stone("a1")).unwrap();
    // The brain's own stones are Black's where both have as many.
    let task = think(&mut brain, &["BOARD", "7,7,1", "8,7,2", "DONE"]).unwrap();
    assert_eq!(task.moves, points("h8 i8"));
}

#[test]
fn field_3_bars_points_and_is_no_stone() {
    let mut brain = brain();
    let lines = ["START 15", "INFO rule 4", "BOARD", "7,7,1", "9,9,3", "8,7,2", "DONE"];
    let task = think(&mut brain, &lines).unwrap();
    assert_eq!(task.moves, points("h8 i8"));
    assert_eq!(task.barred, points("j6"));
    brain.answer(&stone("a1")).unwrap();
    assert_eq!(think(&mut brain, &["TURN 0,0"]).unwrap().barred, points("j6"));
}

#[test]
fn a_board_that_cannot_be_is_an_error_and_changes_nothing() {
    let cases = [
        (vec!["7,7,1", "7,7,2"], "ERROR 7,7 was told twice"),
        (vec!["15,0,1"], "ERROR 15,0 is not on the board"),
        (vec!["7,7,1", "8,8,1"], "ERROR with these stones it is not the brain's turn"),
        (vec!["7,7,4"], "ERROR expected `x,y,1, x,y,2 or x,y,3`, not `7,7,4`"),
        (vec!["7,7"], "ERROR the owner of the stone is missing"),
        (vec!["hello"], "ERROR command `hello`"),
    ];
    for (block, error) in cases {
        let mut brain = brain();
        let lines = [vec!["START 15", "BOARD"], block, vec!["DONE"]].concat();
        assert_eq!(think(&mut brain, &lines), None);
        assert_eq!(output(&mut brain), format!("OK\n{error}"));
    }
    let mut brain = brain();
    think(&mut brain, &["START 15", "BOARD", "7,7,2", "ABOUT"]);
    assert_eq!(output(&mut brain), "OK\nERROR a block without DONE\nname=\"Hoshi\"");
}

#[test]
fn every_rule_has_its_number_and_others_are_refused() {
    let rules = [(0, Rule::Freestyle), (1, Rule::Standard), (4, Rule::Renju), (8, Rule::Caro)];
    for (mask, rule) in rules {
        let mut brain = brain();
        let info = format!("INFO rule {mask}");
        assert_eq!(think(&mut brain, &["START 15", &info, "BEGIN"]).unwrap().rule, rule);
    }
    for mask in [-1, 2, 3, 5, 6, 12, 16, 99] {
        let known = "expected 0 freestyle, 1 standard, 4 renju or 8 caro";
        let refused = format!("ERROR rule {mask} is not played here: {known}");
        let mut brain = brain();
        let info = format!("INFO rule {mask}");
        // The brain says it when told, and again in place of a move: not every manager reads the
        // first.
        assert_eq!(think(&mut brain, &["START 15", &info, "BEGIN"]), None);
        assert_eq!(output(&mut brain), format!("OK\n{refused}\n{refused}"));
        assert_eq!(think(&mut brain, &["INFO rule 1", "BEGIN"]).unwrap().rule, Rule::Standard);
    }
}

#[test]
fn swap2_is_answered_in_all_its_forms() {
    let place = |count| Ask::Place { count, zone: Zone::Anywhere, canonical: false };
    let mut brain = brain();
    let task = think(&mut brain, &["START 15", "SWAP2BOARD", "DONE"]).unwrap();
    assert_eq!(task.ask, place(3));
    brain.answer(&Answer::Place(points("h8 i9 g6"))).unwrap();
    assert_eq!(output(&mut brain), "OK\n7,7 8,6 6,9");
    // The opponent took White and plays on: the three stones are kept.
    assert_eq!(think(&mut brain, &["TURN 0,14"]).unwrap().moves, points("h8 i9 g6 a1"));
    brain.answer(&stone("b1")).unwrap();
    output(&mut brain);

    let three = ["RESTART", "SWAP2BOARD", "7,7", "8,6", "6,9", "DONE"];
    let task = think(&mut brain, &three).unwrap();
    assert_eq!((task.ask, task.moves), (Ask::ChooseOrPlace { count: 2 }, points("h8 i9 g6")));
    brain.answer(&Answer::Choose(Color::Black)).unwrap();
    assert_eq!(output(&mut brain), "OK\nSWAP");
    assert_eq!(think(&mut brain, &["TURN 0,14"]).unwrap().moves, points("h8 i9 g6 a1"));
    brain.answer(&stone("b1")).unwrap();
    output(&mut brain);

    think(&mut brain, &three);
    brain.answer(&Answer::Choose(Color::White)).unwrap();
    assert_eq!(output(&mut brain), "OK", "the move says it");
    let Some(Instruction::Think(task)) = brain.poll() else { panic!() };
    assert_eq!((task.ask, task.moves), (MOVE, points("h8 i9 g6")));
    brain.answer(&stone("a1")).unwrap();
    assert_eq!(output(&mut brain), "0,14");
    assert_eq!(think(&mut brain, &["TURN 1,14"]).unwrap().moves, points("h8 i9 g6 a1 b1"));
    brain.answer(&stone("c1")).unwrap();
    output(&mut brain);

    think(&mut brain, &three);
    brain.answer(&Answer::Place(points("a1 b1"))).unwrap();
    assert_eq!(output(&mut brain), "OK\n0,14 1,14");

    let five = ["RESTART", "SWAP2BOARD", "7,7", "8,6", "6,9", "0,14", "1,14", "DONE"];
    assert_eq!(think(&mut brain, &five).unwrap().ask, Ask::Choose);
    brain.answer(&Answer::Choose(Color::Black)).unwrap();
    assert_eq!(output(&mut brain), "OK\nSWAP");
    think(&mut brain, &five);
    brain.answer(&Answer::Choose(Color::White)).unwrap();
    assert_eq!(think(&mut brain, &[]).unwrap().moves.len(), 5);
    brain.answer(&stone("c1")).unwrap();
    assert_eq!(output(&mut brain), "OK\n2,14");
    assert_eq!(reply("SWAP2BOARD"), "");
    think(&mut brain, &["SWAP2BOARD", "7,7", "DONE"]);
    assert_eq!(output(&mut brain), "ERROR swap2 asks nothing of 1 stones");
}

#[test]
fn taken_back_stones_are_gone() {
    let mut brain = brain();
    think(&mut brain, &["START 15", "TURN 7,7"]);
    brain.answer(&stone("i9")).unwrap();
    output(&mut brain);
    assert_eq!(think(&mut brain, &["TAKEBACK 8,6", "TAKEBACK 7,7", "TAKEBACK 7,7"]), None);
    assert_eq!(output(&mut brain), "OK\nOK\nERROR no stone on 7,7");
    assert_eq!(think(&mut brain, &["BEGIN"]).unwrap().moves, []);
}

#[test]
fn play_decides_the_brains_move() {
    let mut brain = brain();
    think(&mut brain, &["START 15", "PLAY 7,7", "PLAY 7,7"]);
    assert_eq!(output(&mut brain), "OK\n7,7\nERROR no stone can be laid on 7,7");
    assert_eq!(think(&mut brain, &["TURN 8,6"]).unwrap().moves, points("h8 i9"));
}

#[test]
fn forbidden_points_are_exact() {
    let mut brain = brain();
    // Blacks d8 f8 g8 h4 h6 h7: h8 is a double four.
    let stones = ["3,7,1", "5,7,1", "6,7,1", "7,11,1", "7,9,1", "7,8,1"];
    let white = ["0,0,2", "2,0,2", "4,0,2", "6,0,2", "8,0,2", "10,0,2"];
    let mut lines = vec!["START 15", "INFO rule 4", "YXBOARD"];
    lines.extend(stones);
    lines.extend(white);
    lines.extend(["DONE", "YXSHOWFORBID"]);
    assert_eq!(think(&mut brain, &lines), None);
    assert_eq!(output(&mut brain), "OK\nFORBID 0707.");
    // After White's stones alone, and under another rule, nothing is forbidden.
    think(&mut brain, &["INFO rule 1", "YXSHOWFORBID", "RESTART", "INFO rule 4", "YXSHOWFORBID"]);
    assert_eq!(output(&mut brain), "FORBID .\nOK\nFORBID .");
    // Seen by White: its field for Black's stones is 2.
    let mut lines = vec!["YXBOARD"];
    lines.extend(["3,7,2", "5,7,2", "6,7,2", "7,11,2", "7,9,2", "7,8,2", "0,0,1", "2,0,1"]);
    lines.extend(["4,0,1", "6,0,1", "8,0,1", "DONE", "YXSHOWFORBID"]);
    think(&mut brain, &lines);
    assert_eq!(output(&mut brain), "FORBID 0707.");
}

#[test]
fn what_cannot_be_done_is_an_error_and_what_is_not_known_unknown() {
    let cases = [
        ("HELLO", "UNKNOWN command `HELLO`"),
        ("SWAP3BOARD", "UNKNOWN command `SWAP3BOARD`"),
        ("START 4", "ERROR unsupported size: each side is 5 to 32"),
        ("START 33", "ERROR unsupported size: each side is 5 to 32"),
        ("RECTSTART 300,15", "ERROR unsupported size: each side is 5 to 32"),
        ("TURN 15,0", "ERROR 15,0 is not on the board"),
        ("TURN h8", "ERROR expected `TURN x,y`, not `TURN h8`"),
        ("7,7,1", "ERROR 7,7,1 outside a block"),
        ("DONE", "ERROR DONE outside a block"),
        ("YXSTOP", ""),
        ("", ""),
        ("   ", ""),
        ("about", "name=\"Hoshi\""),
    ];
    for (line, expected) in cases {
        assert_eq!(reply(line), expected, "{line}");
    }
    for line in ["RESTART", "BEGIN", "TURN 7,7", "TAKEBACK 7,7", "PLAY 7,7", "YXSHOWFORBID"] {
        let mut brain = brain();
        assert_eq!(think(&mut brain, &[line]), None);
        assert_eq!(output(&mut brain), "ERROR no game has been started", "{line}");
    }
    let mut brain = brain();
    assert_eq!(think(&mut brain, &["BOARD", "7,7,1", "DONE"]), None);
    assert_eq!(output(&mut brain), "ERROR no game has been started");
    assert!(think(&mut brain, &["START 15", "turn 7 , 7\0\r"]).is_some());
}

#[test]
fn an_engine_may_refuse() {
    let mut brain = brain();
    brain.receive(b"RECTSTART 20,15");
    let size = Size::new(20, 15).unwrap();
    assert_eq!(brain.poll(), Some(Instruction::NewGame { size }));
    brain.refuse("square boards only");
    assert_eq!(output(&mut brain), "ERROR square boards only");
    assert_eq!(think(&mut brain, &["BEGIN"]), None);
    assert_eq!(output(&mut brain), "ERROR no game has been started");
}

#[test]
fn an_answer_without_words_is_an_error() {
    let mut brain = brain();
    think(&mut brain, &["START 15", "BEGIN"]);
    assert_eq!(brain.answer(&Answer::Move(Move::Pass)), Err(UnsupportedAnswer));
    assert_eq!(output(&mut brain), "OK\nERROR the engine's answer cannot be said");
    assert_eq!(brain.answer(&stone("h8")), Err(UnsupportedAnswer), "nothing is asked any more");
    think(&mut brain, &["SWAP2BOARD", "DONE"]);
    assert_eq!(brain.answer(&Answer::Place(points("h8 i9"))), Err(UnsupportedAnswer));
}

#[test]
fn a_thinking_engine_is_left_alone_except_to_stop_and_to_end() {
    let mut brain = brain();
    think(&mut brain, &["START 15", "TURN 7,7"]);
    output(&mut brain);
    assert_eq!(think(&mut brain, &["ABOUT", "INFO time_left 5", "TURN 0,0"]), None);
    assert_eq!(output(&mut brain), "");
    assert_eq!(brain.backlog(), 3);
    brain.receive(b"YXSTOP");
    brain.receive(b"YXSTOP");
    assert_eq!(brain.poll(), Some(Instruction::Stop));
    assert_eq!(brain.poll(), None);
    brain.answer(&stone("i9")).unwrap();
    assert_eq!(think(&mut brain, &[]).unwrap().moves, points("h8 i9 a15"));
    assert_eq!(output(&mut brain), "8,6\nname=\"Hoshi\"");
    brain.receive(b"end");
    brain.receive(b"TURN 5,5");
    assert_eq!(brain.poll(), Some(Instruction::End));
    assert_eq!(brain.poll(), None);
    assert_eq!(brain.answer(&stone("b1")), Err(UnsupportedAnswer));
    assert_eq!(output(&mut brain), "");
}

#[test]
fn a_stop_that_came_with_its_question_is_not_lost() {
    let mut brain = brain();
    for line in ["START 15", "TURN 7,7", "YXSTOP", "TURN 0,0"] {
        brain.receive(line.as_bytes());
    }
    assert!(matches!(brain.poll(), Some(Instruction::NewGame { .. })));
    brain.receive(b"YXSTOP");
    brain.ready();
    assert!(matches!(brain.poll(), Some(Instruction::Think(_))));
    assert_eq!((brain.poll(), brain.poll()), (Some(Instruction::Stop), None));
    brain.answer(&stone("i9")).unwrap();
    assert!(matches!(brain.poll(), Some(Instruction::Think(_))));
    assert_eq!((brain.poll(), brain.poll()), (Some(Instruction::Stop), None));
    brain.answer(&stone("i8")).unwrap();
    assert_eq!((brain.poll(), brain.is_idle()), (None, true));
}

#[test]
fn a_search_is_told_so_that_it_is_read_again() {
    let mut brain = brain();
    let text = "depth 12-24 ev -42 n 240000 tm 350 pv 7,7 8,6";
    let report = SearchReport::parse(text).unwrap();
    brain.report(&report);
    assert_eq!(brain.output(), format!("MESSAGE {text}\n").as_bytes());
    brain.report(&SearchReport::default());
    for text in ["ev +M7", "ev -M4", "depth 3", "pv H8"] {
        output(&mut brain);
        brain.report(&SearchReport::parse(text).unwrap());
        assert_eq!(output(&mut brain), format!("MESSAGE {text}"));
    }
    assert_eq!(PvMove::Label { column: 7, row: 8 }.to_string(), "H8");
    output(&mut brain);
    brain.message("two\nlines");
    assert_eq!(output(&mut brain), "MESSAGE two lines");
}

#[test]
fn a_full_board_asks_for_nothing() {
    let mut brain = brain();
    let mut lines = vec!["START 5".to_owned(), "BOARD".to_owned()];
    for (ply, point) in Size::new(5, 5).unwrap().points().enumerate() {
        lines.push(format!("{},{},{}", point.x(), point.y(), 2 - ply % 2));
    }
    lines.push("DONE".to_owned());
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    assert_eq!(think(&mut brain, &lines), None);
    assert!(output(&mut brain).starts_with("OK\nERROR"));
}
