//! `tengen brain`: engines as Gomocup brains, from the manager's side.

mod common;

use std::path::Path;

use common::brain::BrainProcess;
use common::{MINIMAL_C, ProgramRun, tengen};
use tempfile::TempDir;

/// The engine as a brain.
fn brain_of(engine: &Path) -> BrainProcess {
    BrainProcess::start(tengen(["brain"]).arg(engine))
}

#[test]
fn an_engine_plays_as_a_manager_asks() {
    let mut brain = BrainProcess::start(&mut tengen(["brain", "builtin:alphabeta"]));
    assert_eq!(brain.ask(&["START 15"]), "OK");
    assert!(brain.ask(&["ABOUT"]).contains("name=\"alphabeta\""));
    let terms = ["INFO rule 4", "INFO timeout_turn 60000", "INFO max_node 500", "BEGIN"];
    assert_eq!(brain.ask(&terms), "7,7");
    brain.say(&["INFO max_memory 367001600", "INFO time_left 50000", "TURN 0,0"]);
    let answer = brain.hear_point();
    assert_eq!(brain.ask(&[&format!("TAKEBACK {},{}", answer.0, answer.1)]), "OK");
    brain.say(&["BOARD", "7,7,2", "8,8,1", "9,9,2", "DONE"]);
    brain.hear_point();
    assert_eq!(brain.ask(&["RECTSTART 20,12"]), "OK");
    brain.say(&["INFO rule 0", "TURN 19,11"]);
    assert!(brain.hear_point().1 < 12);
    assert!(brain.ask(&["NONSENSE"]).starts_with("UNKNOWN"));
    assert!(brain.ask(&["INFO rule 2"]).starts_with("ERROR rule 2"));
    brain.end();
}

#[test]
fn swap2_is_settled_by_any_engine() {
    let folder = TempDir::new().unwrap();
    let undecided = common::bad_engine(folder.path(), "GOOD");
    for engine in [Path::new("builtin:alphabeta"), Path::new(MINIMAL_C), &undecided] {
        let mut brain = brain_of(engine);
        let info = ["INFO timeout_turn 60000", "INFO max_node 300"];
        assert_eq!(brain.ask(&[&info[..], &["START 15"]].concat()), "OK");
        let three = brain.ask(&["SWAP2BOARD", "DONE"]);
        assert_eq!(three.split(' ').count(), 3, "{three}");
        let stones: Vec<_> = three.split(' ').collect();
        assert_eq!(brain.ask(&["RESTART"]), "OK");
        let choice = brain.ask(&[&["SWAP2BOARD"][..], &stones, &["DONE"]].concat());
        assert!(choice == "SWAP" || (1..=2).contains(&choice.split(' ').count()), "{choice}");
        assert_eq!(brain.ask(&["RESTART"]), "OK");
        let five = [&["SWAP2BOARD"][..], &stones, &["0,0", "14,14", "DONE"]].concat();
        let choice = brain.ask(&five);
        assert!(choice == "SWAP" || choice.split(',').count() == 2, "{choice}");
        brain.end();
    }
}

#[test]
fn a_broken_engine_is_an_error_line_and_plays_on() {
    let folder = TempDir::new().unwrap();
    let segfault = if cfg!(windows) { "ended by an access violation" } else { "killed by SIGSEGV" };
    for (behaviour, words) in [
        ("CRASH", &["ERROR", segfault, "about to crash"][..]),
        ("EXIT", &["ERROR", "exit"]),
        ("INTERNAL", &["ERROR", "it all went wrong"]),
        ("LIE", &["ERROR", "not a free point"]),
    ] {
        let mut brain = brain_of(&common::bad_engine(folder.path(), behaviour));
        assert_eq!(brain.ask(&["START 15", "INFO timeout_turn 60000"]), "OK");
        // Alive after the first failure, and after the second.
        for lines in [&["BEGIN"][..], &["RESTART", "TURN 7,7"]] {
            brain.say(lines);
            let mut line = brain.hear();
            if line == "OK" {
                line = brain.hear();
            }
            for word in words {
                assert!(line.contains(word), "{behaviour}: no `{word}` in {line}");
            }
        }
        brain.end();
    }
    let crash = common::bad_engine(folder.path(), "CRASH_CONSTRUCTOR");
    let mut brain = brain_of(&crash);
    assert!(brain.ask(&["START 15"]).starts_with("ERROR"), "it says why it cannot start");
    brain.end();
}

#[test]
fn a_stop_is_heeded_while_the_engine_thinks() {
    let folder = TempDir::new().unwrap();
    for engine in [common::bad_engine(folder.path(), "POLLS"), "builtin:alphabeta".into()] {
        let mut brain = brain_of(&engine);
        assert_eq!(brain.ask(&["INFO timeout_turn 900000", "START 15"]), "OK");
        for turn in ["TURN 7,7", "TURN 9,9"] {
            brain.say(&["BOARD", "6,5,1", "8,8,2", "5,5,1", "7,6,2", "DONE", "YXSTOP"]);
            brain.hear_point();
            brain.say(&[turn, "ABOUT", "YXSTOP"]);
            brain.hear_point();
            assert!(!brain.hear().starts_with("ERROR"), "ABOUT waits for the answer");
        }
        brain.end();
    }
}

#[test]
fn what_an_engine_says_is_passed_on() {
    let mut brain = BrainProcess::start(&mut tengen(["brain", "builtin:alphabeta"]));
    let terms = ["INFO timeout_turn 60000", "INFO max_depth 4", "START 15", "TURN 7,7"];
    assert_eq!(brain.ask(&terms), "OK");
    let (messages, _) = brain.listen();
    let told = |word: &str| messages.iter().filter(|line| line.contains(word)).count();
    assert!(told("MESSAGE depth") >= 2, "each depth and then the whole: {messages:?}");
    assert!(told(" pv ") >= 2, "with its best line: {messages:?}");
    brain.end();

    if !cfg!(target_os = "linux") {
        // What that engine tries is Linux's.
        return;
    }
    let folder = TempDir::new().unwrap();
    let mut brain = brain_of(&common::bad_engine(folder.path(), "TRIES"));
    assert_eq!(brain.ask(&["INFO timeout_turn 60000", "START 15", "TURN 7,7"]), "OK");
    let (messages, answer) = brain.listen();
    assert!(answer.starts_with("ERROR"), "{answer}");
    assert!(messages.iter().any(|line| line.starts_with("DEBUG ")), "{messages:?}");
    brain.end();
}

#[test]
fn what_the_user_got_wrong_is_said_in_words() {
    let refused = |arguments: &[&str], words: &[&str]| {
        ProgramRun::of(&mut tengen(arguments.iter().copied())).refused(2, words);
    };
    refused(&["brain"], &["ENGINE"]);
    refused(&["brain", "nobody"], &["there is no engine `nobody`"]);
    refused(&["brain", "builtin:alphabeta", "--option", "Depth"], &["NAME=VALUE"]);
    refused(&["brain", "builtin:alphabeta", "--option", "Foo=1"], &["Foo", "no such option"]);
    refused(&["brain", "README.md"], &["README.md"]);
}

/// Ways a manager may leave while the engine thinks.
#[cfg(target_os = "linux")]
mod leaving {
    use std::io::Write;
    use std::process::{Command, Stdio};
    use std::sync::mpsc;
    use std::thread;

    use super::*;
    use common::processes_using;

    /// A brain with an engine that thinks for ever, and the engine's file.
    fn thinking(folder: &TempDir, behaviour: &str) -> (BrainProcess, std::path::PathBuf) {
        let engine = common::bad_engine(folder.path(), behaviour);
        let mut brain = brain_of(&engine);
        assert_eq!(brain.ask(&["INFO timeout_turn 900000", "START 15"]), "OK");
        brain.say(&["TURN 7,7"]);
        (brain, engine)
    }

    /// Waits until the kernel has ended them, in its own time.
    fn none_left(engine: &Path) {
        while processes_using(engine) > 0 {
            thread::yield_now();
        }
    }

    #[test]
    fn an_end_ends_a_thinking_engine() {
        let folder = TempDir::new().unwrap();
        let (brain, engine) = thinking(&folder, "LOOP_CHOOSE");
        brain.end();
        none_left(&engine);
    }

    #[test]
    fn the_end_of_the_input_ends_a_thinking_engine() {
        let folder = TempDir::new().unwrap();
        let (mut brain, engine) = thinking(&folder, "LOOP_CHOOSE");
        brain.to = None;
        assert_eq!(brain.wait().code(), Some(0));
        none_left(&engine);
    }

    #[test]
    fn signals_leave_no_process_behind() {
        let folder = TempDir::new().unwrap();
        for (signal, code) in [("INT", Some(130)), ("TERM", Some(130)), ("KILL", None)] {
            let (mut brain, engine) = thinking(&folder, "LOOP_CHOOSE");
            let brain_id = brain.child.id().to_string();
            let kill = Command::new("kill").args(["-s", signal, &brain_id]).status();
            assert!(kill.unwrap().success());
            assert_eq!(brain.wait().code(), code, "{signal}");
            none_left(&engine);
        }
    }

    #[test]
    fn a_manager_that_reads_no_more_is_gone() {
        let folder = TempDir::new().unwrap();
        let engine = common::bad_engine(folder.path(), "GOOD");
        let mut command = tengen(["brain"]);
        let mut child = command
            .arg(&engine)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut to = child.stdin.take().unwrap();
        to.write_all(b"START 15\n").unwrap();
        let brain = mpsc::channel().1;
        let mut brain = BrainProcess { child, to: Some(to), lines: brain };
        assert_eq!(brain.wait().code(), Some(0));
        none_left(&engine);
    }
}
