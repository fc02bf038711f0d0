//! Lines read back as they print, and no line breaks a reader.

use proptest::prelude::*;
use tengen_gomocup::sau::{SauCommand, SauReply};
use tengen_gomocup::{
    About, BrainReply, Coords, Info, ManagerCommand, ParseCommandError, SearchReport, StoneField,
};

fn coords() -> impl Strategy<Value = Coords> {
    prop_oneof![
        (0..32, 0..32).prop_map(|(x, y)| Coords { x, y }),
        (any::<i32>(), any::<i32>()).prop_map(|(x, y)| Coords { x, y }),
    ]
}

/// One line without spaces around it.
fn text() -> impl Strategy<Value = String> {
    "[ -~天]{0,30}".prop_map(|text| text.trim().to_owned())
}

fn info() -> impl Strategy<Value = Info<'static>> {
    let numeric: [fn(i64) -> Info<'static>; 11] = [
        Info::TimeoutTurn,
        Info::TimeoutMatch,
        Info::TimeLeft,
        Info::TimeIncrement,
        Info::MaxMemory,
        Info::GameType,
        Info::Rule,
        Info::MaxDepth,
        Info::MaxNode,
        Info::ThreadNum,
        Info::HashSize,
    ];
    prop_oneof![
        (prop::sample::select(numeric.to_vec()), -i64::MAX..i64::MAX)
            .prop_map(|(make, value)| make(value)),
        text().prop_map(|path| Info::Folder(path.into())),
        coords().prop_map(Info::Evaluate),
        ("[a-z]{1,4}[_-]x", text())
            .prop_map(|(key, value)| Info::Other { key: key.into(), value: value.into() }),
    ]
}

fn command() -> impl Strategy<Value = ManagerCommand<'static>> {
    let field =
        prop::sample::select(vec![StoneField::Own, StoneField::Opponent, StoneField::Barred]);
    let words = vec![
        ManagerCommand::Restart,
        ManagerCommand::Begin,
        ManagerCommand::Board,
        ManagerCommand::YxBoard,
        ManagerCommand::Swap2Board,
        ManagerCommand::Done,
        ManagerCommand::About,
        ManagerCommand::End,
        ManagerCommand::YxStop,
        ManagerCommand::YxShowForbid,
    ];
    let side = 0..i32::MAX as u32;
    prop_oneof![
        any::<u32>().prop_map(ManagerCommand::Start),
        (side.clone(), side)
            .prop_map(|(width, height)| ManagerCommand::RectStart { width, height }),
        coords().prop_map(ManagerCommand::Turn),
        (coords(), field).prop_map(|(coords, field)| ManagerCommand::Stone(coords, field)),
        coords().prop_map(ManagerCommand::Point),
        info().prop_map(ManagerCommand::Info),
        coords().prop_map(ManagerCommand::TakeBack),
        coords().prop_map(ManagerCommand::Play),
        prop::sample::select(words),
    ]
}

fn reply() -> impl Strategy<Value = BrainReply<'static>> {
    let small = (0..100, 0..100).prop_map(|(x, y)| Coords { x, y });
    prop_oneof![
        Just(BrainReply::Ok),
        Just(BrainReply::Swap),
        coords().prop_map(BrainReply::Point),
        prop::collection::vec(coords(), 2..6).prop_map(BrainReply::Points),
        coords().prop_map(BrainReply::Suggest),
        prop::collection::vec(small, 0..9).prop_map(BrainReply::Forbid),
        text().prop_map(|text| BrainReply::Unknown(text.into())),
        text().prop_map(|text| BrainReply::Error(text.into())),
        text().prop_map(|text| BrainReply::Message(text.into())),
        text().prop_map(|text| BrainReply::Debug(text.into())),
        text().prop_map(|text| BrainReply::Info(text.into())),
    ]
}

/// The line in small letters, with a carriage return and spaces around it.
fn disguised(line: &str) -> String {
    format!(" \t{}  \r", line.to_ascii_lowercase())
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let word = "(?i)(START|TURN|BOARD|INFO|FORBID|MESSAGE|SUGGEST|OK|move|new|name\\?)?";
    (word, prop::collection::vec(any::<u8>(), 0..60))
        .prop_map(|(word, rest)| [word.as_bytes(), b" ", &rest].concat())
}

proptest! {
    #[test]
    fn commands_read_as_they_print(command in command()) {
        let line = command.to_string();
        prop_assert_eq!(ManagerCommand::parse(line.as_bytes()), Ok(command));
    }

    #[test]
    fn replies_read_as_they_print(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(BrainReply::parse(line.as_bytes()), reply);
    }

    #[test]
    fn sau_moves_read_as_they_print(points in prop::collection::vec((0..26, 0..26), 1..9)) {
        let points: Vec<_> = points.into_iter().map(|(x, y)| Coords { x, y }).collect();
        let small = SauCommand::Move(points.clone()).to_string().to_ascii_lowercase();
        prop_assert_eq!(SauReply::parse(small.as_bytes()), SauReply::Move(points));
    }

    #[test]
    fn no_bytes_break_a_reader(line in line()) {
        let reply = BrainReply::parse(&line).to_string();
        prop_assert_eq!(BrainReply::parse(reply.as_bytes()).to_string(), reply);
        if let Err(ParseCommandError::Unknown(excerpt)) = ManagerCommand::parse(&line) {
            prop_assert!(excerpt.chars().count() <= 81);
            prop_assert!(!excerpt.contains(|c: char| c.is_control()));
        }
        let _ = SauReply::parse(&line);
        let text = String::from_utf8_lossy(&line);
        let _ = (About::parse(&text), SearchReport::parse(&text));
    }
}

#[test]
fn words_are_read_in_either_case_and_with_spaces_around() {
    let commands =
        ["TURN 7,8", "BEGIN", "INFO time_left 5", "SWAP2BOARD", "RECTSTART 20,15", "DONE"];
    for line in commands {
        let plain = ManagerCommand::parse(line.as_bytes()).unwrap();
        assert_eq!(ManagerCommand::parse(disguised(line).as_bytes()).unwrap(), plain);
    }
    for line in ["OK", "7,8", "SWAP", "7,8 9,10", "SUGGEST 7,8", "FORBID 07080910.", "UNKNOWN"] {
        let plain = BrainReply::parse(line.as_bytes());
        assert_eq!(BrainReply::parse(disguised(line).as_bytes()), plain);
        assert!(!matches!(plain, BrainReply::Text(_)), "{line}");
    }
}

#[test]
fn junk_is_named_with_an_excerpt() {
    for line in ["FOO 1", "BEGINNING", "TURN10,10", "7;8", "", "\u{5929}\u{5143}"] {
        let error = ManagerCommand::parse(line.as_bytes()).unwrap_err();
        assert_eq!(error, ParseCommandError::Unknown(line.into()));
    }
    let malformed = [
        ("START", "START size"),
        ("START -1", "START size"),
        ("START fifteen", "START size"),
        ("RECTSTART 20", "RECTSTART width,height"),
        ("RECTSTART 20,-1", "RECTSTART width,height"),
        ("TURN", "TURN x,y"),
        ("TURN 7", "TURN x,y"),
        ("TURN 7,8,9", "TURN x,y"),
        ("TAKEBACK h8", "TAKEBACK x,y"),
        ("PLAY", "PLAY x,y"),
        ("INFO", "INFO key value"),
        ("INFO rule", "INFO key value"),
        ("INFO time_left soon", "INFO key value"),
        ("7,8,4", "x,y,1, x,y,2 or x,y,3"),
        ("7,8,1,1", "x,y,1, x,y,2 or x,y,3"),
    ];
    for (line, form) in malformed {
        match ManagerCommand::parse(line.as_bytes()).unwrap_err() {
            ParseCommandError::Malformed { expected, excerpt } => {
                assert_eq!((expected, excerpt.as_str()), (form, line));
            }
            error => panic!("{line}: {error}"),
        }
    }
}

#[test]
fn forbidden_points_are_two_digits_a_number_and_a_full_stop() {
    let points = |list: &[(i32, i32)]| list.iter().map(|(x, y)| Coords { x: *x, y: *y }).collect();
    assert_eq!(
        BrainReply::parse(b"FORBID 09121011."),
        BrainReply::Forbid(points(&[(9, 12), (10, 11)]))
    );
    assert_eq!(BrainReply::parse(b"forbid 0912"), BrainReply::Forbid(points(&[(9, 12)])));
    assert_eq!(BrainReply::parse(b"FORBID ."), BrainReply::Forbid(vec![]));
    assert_eq!(BrainReply::Forbid(points(&[(0, 5)])).to_string(), "FORBID 0005.");
    assert_eq!(BrainReply::parse(b"FORBID 091."), BrainReply::Text("FORBID 091.".into()));
}

#[test]
fn sau_lines_are_read_as_engines_write_them() {
    let points = |list: &[(i32, i32)]| list.iter().map(|(x, y)| Coords { x: *x, y: *y }).collect();
    // Connect6 fills up a first move of one stone.
    assert_eq!(SauReply::parse(b"move JJ@@"), SauReply::Move(points(&[(9, 9)])));
    assert_eq!(SauReply::parse(b"move HHIG"), SauReply::Move(points(&[(7, 7), (8, 6)])));
    assert_eq!(SauReply::parse(b"Quit!"), SauReply::Text("Quit!".into()));
    for line in ["move", "move H", "move @@", "move H8", "move HH IG"] {
        assert_eq!(SauReply::parse(line.as_bytes()), SauReply::Misplaced);
    }
    // A name in GBK.
    let SauReply::Name(name) = SauReply::parse(b"name \xb2\xbb\xce\xa7") else { panic!() };
    assert!(!name.is_empty());
}
