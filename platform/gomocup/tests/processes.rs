//! The brains of `tests/brains`, as processes behind pipes: each quirk as the manager's side hears
//! it. Nothing here waits for a time: every line that is read is sure to come.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

use tengen_arbiter::Limits;
use tengen_gomocup::sau::SauDialogue;
use tengen_gomocup::{
    AskResult, BrainFault, DialogueQuestion, GameTerms, GomocupDialogue, LineBuffer, LineEnd,
    LogKind, NewGameResult, Response, TextDialogue,
};
use tengen_rules::{Answer, Ask, Color, Move, Position, Rule, Size, Zone};

const MOVE: Ask = Ask::Move { zone: Zone::Anywhere };

fn brains() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/brains")
}

/// The C brain, compiled where its source is newer.
fn quirk() -> &'static Path {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let source = brains().join("brain.c");
        let binary = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pbrain-quirk");
        let written = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
        if written(&binary) > written(&source) {
            return binary;
        }
        // Tests may run in processes of their own, side by side.
        let mine = binary.with_extension(std::process::id().to_string());
        let status = Command::new("cc")
            .args(["-O1", "-Wall", "-Wextra", "-Werror", "-std=c11", "-o"])
            .args([&mine, &source])
            .status();
        assert!(status.expect("a C compiler").success());
        fs::rename(&mine, &binary).expect("a folder of our own");
        binary
    })
}

/// A process and the lines it writes.
struct Process {
    child: Child,
    lines: LineBuffer,
}

impl Process {
    fn start(command: &mut Command) -> Process {
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        Process { child: piped.spawn().expect("a brain"), lines: LineBuffer::new(4096) }
    }

    fn quirk(arguments: &[&str]) -> Process {
        Process::start(Command::new(quirk()).args(arguments))
    }

    fn python(script: &str, arguments: &[&str]) -> Process {
        Process::start(Command::new("python3").arg(brains().join(script)).args(arguments))
    }

    fn write(&mut self, bytes: &[u8]) {
        let pipe = self.child.stdin.as_mut().expect("a pipe");
        pipe.write_all(bytes).expect("a brain that reads");
    }

    /// The next line; none at the end of its output.
    fn line(&mut self) -> Option<Vec<u8>> {
        loop {
            if let Some(line) = self.lines.pop() {
                return Some(line.to_vec());
            }
            let mut chunk = [0; 4096];
            let pipe = self.child.stdout.as_mut().expect("a pipe");
            match pipe.read(&mut chunk).expect("a pipe that can be read") {
                0 => return None,
                count => self.lines.push(&chunk[..count]),
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A process with its dialogue.
struct TestProcess {
    process: Process,
    manager: GomocupDialogue,
    /// The kinds and texts of what was for the log.
    log: Vec<(LogKind, String)>,
    /// A limit that is told by a key of Yixin's.
    nodes: Option<u64>,
}

impl TestProcess {
    /// The brain is held strictly to the protocol.
    fn strict(self) -> TestProcess {
        TestProcess { manager: self.manager.strict(true), ..self }
    }

    fn new(process: Process) -> TestProcess {
        let mut manager = GomocupDialogue::new(LineEnd::CrLf);
        manager.clears_board();
        TestProcess { process, manager, log: Vec::new(), nodes: None }
    }

    /// Writes what is to be written, and reads on to the next thing that is not for the log.
    fn receive(&mut self) -> Response<'static> {
        loop {
            self.process.write(self.manager.output());
            self.manager.written(self.manager.output().len());
            let line = self.process.line().expect("an answer");
            match self.manager.receive(&line) {
                Response::Log { kind, text, .. } => self.log.push((kind, text.into_owned())),
                Response::Ready => return Response::Ready,
                Response::StartAgain => return Response::StartAgain,
                Response::Answer(answer) => return Response::Answer(answer),
                Response::About(about) => return Response::About(about),
                Response::Introduced(about) => return Response::Introduced(about),
                Response::Ignored => return Response::Ignored,
                Response::Fault(fault) => return Response::Fault(fault),
            }
        }
    }

    fn new_game(&mut self) {
        let terms = GameTerms::new(Rule::Freestyle, Size::STANDARD);
        assert_eq!(self.manager.new_game(&terms), NewGameResult::Sent);
        assert_eq!(self.receive(), Response::Ready);
    }

    fn ask(&mut self, position: &Position, ask: Ask) -> Response<'static> {
        let limits = Limits { nodes: self.nodes, ..Limits::default() };
        match self.manager.ask(&DialogueQuestion { moves: position.moves(), ask, limits }) {
            AskResult::Known(answer) => Response::Answer(answer),
            AskResult::Sent => self.receive(),
            asked => panic!("{asked:?}"),
        }
    }

    /// Asks for a move, which must be legal, and plays it.
    fn play(&mut self, position: &mut Position) {
        match self.ask(position, MOVE) {
            Response::Answer(Answer::Move(Move::Stone(point))) => {
                position.play(point).expect("a legal move");
            }
            heard => panic!("{heard:?}"),
        }
    }
}

fn position(text: &str) -> Position {
    let mut position = Position::new(Rule::Freestyle, Size::STANDARD);
    for point in text.split_whitespace() {
        position.play(point.parse().unwrap()).unwrap();
    }
    position
}

#[test]
fn harmless_quirks_change_nothing() {
    let harmless = [
        "fast",
        "lower",
        "cr",
        "crlf",
        "no-about",
        "banner",
        "ok-info",
        "error-info",
        "message",
        "debug",
        "suggest",
    ];
    for mode in harmless {
        let mut tables = [0, 1].map(|_| TestProcess::new(Process::quirk(&[mode])));
        for _ in 0..2 {
            let mut position = position("h8 i9 g6");
            for test in &mut tables {
                test.nodes = Some(1000);
                test.new_game();
            }
            while position.ply() < 40 {
                tables[position.ply() % 2].play(&mut position);
            }
        }
        let said = |kind| tables[0].log.iter().filter(|(said, _)| *said == kind).count();
        match mode {
            "message" => {
                let report = tables[0].manager.report().expect("it told of its search");
                assert_eq!(report.info.nodes, 240_000);
            }
            "debug" => assert!(said(LogKind::Debug) >= 1000),
            "banner" | "ok-info" => assert!(said(LogKind::Other) > 0, "{mode}"),
            "error-info" => assert!(said(LogKind::Unexpected) > 0, "{mode}"),
            _ => {}
        }
    }
}

#[test]
fn about_is_printed_or_not() {
    for (mode, name) in [("fast", Some("Quirk")), ("free-about", None)] {
        let mut test = TestProcess::new(Process::quirk(&[mode]));
        test.manager.ask_about();
        let Response::About(about) = test.receive() else { panic!() };
        assert_eq!(about.name.as_deref(), name);
        test.new_game();
    }
    let mut test = TestProcess::new(Process::quirk(&["no-about"]));
    test.manager.ask_about();
    test.new_game();
}

#[test]
fn broken_answers_are_faults() {
    let faults = [
        ("junk", BrainFault::Junk("h8 or so".to_owned())),
        ("error", BrainFault::Error("no move comes to mind".to_owned())),
    ];
    for (mode, fault) in faults {
        let mut test = TestProcess::new(Process::quirk(&[mode])).strict();
        test.new_game();
        let heard = test.ask(&position("h8"), MOVE);
        assert_eq!(heard, Response::Fault(fault));
    }
    let mut test = TestProcess::new(Process::quirk(&["refuse"]));
    test.manager.new_game(&GameTerms::new(Rule::Freestyle, Size::STANDARD));
    let fault = BrainFault::Refused("not on this board".to_owned());
    assert_eq!(test.receive(), Response::Fault(fault));
    let mut test = TestProcess::new(Process::quirk(&["twice"])).strict();
    test.new_game();
    test.play(&mut position("h8"));
    assert!(matches!(test.receive(), Response::Fault(BrainFault::Unasked(_))));
}

#[test]
fn what_is_no_answer_is_noted_and_a_game_goes_on() {
    for mode in ["twice", "error-first", "junk-first"] {
        let mut test = TestProcess::new(Process::quirk(&[mode]));
        test.new_game();
        let mut game = position("h8");
        test.play(&mut game);
        game.play("o15".parse().unwrap()).unwrap();
        test.play(&mut game);
        let noted = |(kind, _): &&(LogKind, String)| *kind == LogKind::Unexpected;
        assert!(test.log.iter().filter(noted).count() > 0, "{mode}: {:?}", test.log);
    }
}

#[test]
fn an_answer_may_be_the_last_line() {
    let mut test = TestProcess::new(Process::quirk(&["exit"]));
    test.new_game();
    test.play(&mut position("h8"));
    assert_eq!(test.process.line(), None);
}

#[test]
fn a_brain_that_begins_no_other_game_is_started_again() {
    let mut test = TestProcess::new(Process::quirk(&["one-game"]));
    test.new_game();
    test.play(&mut position("h8"));
    test.manager.new_game(&GameTerms::new(Rule::Freestyle, Size::STANDARD));
    assert_eq!(test.receive(), Response::StartAgain);
    test.manager.started_again();
    test.process = Process::quirk(&["one-game"]);
    test.new_game();
    test.play(&mut position("h8"));
}

#[test]
fn a_brain_ends_when_told() {
    let mut test = TestProcess::new(Process::quirk(&[]));
    test.new_game();
    test.manager.end();
    test.process.write(test.manager.output());
    assert_eq!(test.process.line(), None);
    assert!(test.process.child.wait().unwrap().success());
}

#[test]
fn swap2_is_spoken_in_all_its_forms() {
    let place = Ask::Place { count: 3, zone: Zone::Anywhere, canonical: false };
    let three = Ask::ChooseOrPlace { count: 2 };
    for mode in ["swap", "stay", "place"] {
        let mut test = TestProcess::new(Process::python("swap2.py", &[mode, "stay"]));
        test.new_game();
        let Response::Answer(Answer::Place(stones)) = test.ask(&position(""), place) else {
            panic!()
        };
        let mut laid = Position::new(Rule::Freestyle, Size::STANDARD);
        for point in stones {
            laid.play(point).unwrap();
        }
        test.new_game();
        let heard = test.ask(&laid, three);
        match mode {
            "swap" => assert_eq!(heard, Response::Answer(Answer::Choose(Color::Black))),
            "stay" => {
                assert_eq!(heard, Response::Answer(Answer::Choose(Color::White)));
                test.play(&mut laid);
                laid.play("a1".parse().unwrap()).unwrap();
                test.play(&mut laid);
            }
            _ => {
                let Response::Answer(Answer::Place(two)) = heard else { panic!("{heard:?}") };
                for point in two {
                    laid.play(point).unwrap();
                }
                test.new_game();
                let heard = test.ask(&laid, Ask::Choose);
                assert_eq!(heard, Response::Answer(Answer::Choose(Color::White)));
                test.play(&mut laid);
            }
        }
    }
    let mut test = TestProcess::new(Process::python("swap2.py", &["unknown"]));
    test.new_game();
    let limits = Limits::default();
    test.manager.ask(&DialogueQuestion { moves: &[], ask: place, limits });
    let terms = GameTerms::new(Rule::Freestyle, Size::STANDARD);
    test.manager.start_over(&terms);
    assert_eq!(test.receive(), Response::Ready, "and no stones before");
}

#[test]
fn a_transcript_is_replayed() {
    let transcript =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("transcript-{}", std::process::id()));
    let text = "# a game\n> START 15\n< ok\n> TURN 7,7\n< MESSAGE hm\n< 8,6\n> BOARD\n> 7,7,2\n\
                > 0,14,1\n> *\n> DONE\n< SUGGEST 0,0\n> PLAY 0,0\n< 0,0\n! 3\n";
    fs::write(&transcript, text).unwrap();
    let mut test =
        TestProcess::new(Process::python("scripted.py", &[transcript.to_str().expect("a path")]));
    test.new_game();
    let mut game = position("h8");
    test.play(&mut game);
    assert_eq!(game.moves(), position("h8 i9").moves());
    // Another stone was laid in place of its own.
    test.play(&mut position("h8 a1 b2"));
    assert_eq!(test.process.child.wait().unwrap().code(), Some(3));
    fs::remove_file(&transcript).unwrap();
}

#[test]
fn sau_engines_play() {
    for mode in ["set", "chatty"] {
        let mut process = Process::python("sau.py", &[mode]);
        let mut platform = SauDialogue::new(LineEnd::Lf);
        platform.new_game(&GameTerms::new(Rule::Freestyle, Size::STANDARD));
        // Both colours from a set opening, and from the empty board.
        for text in ["", "h8", "h8 i9 g6", "h8 i9 g6 a1"] {
            let mut position = position(text);
            let (moves, limits) = (position.moves(), Limits::default());
            platform.ask(&DialogueQuestion { moves, ask: MOVE, limits });
            let answer = loop {
                process.write(platform.output());
                platform.written(platform.output().len());
                let line = process.line().expect("an answer");
                match platform.receive(&line) {
                    Response::Log { .. } => {}
                    Response::Answer(Answer::Move(Move::Stone(point))) => break point,
                    other => panic!("{other:?}"),
                }
            };
            position.play(answer).expect("a legal move");
        }
    }
}
