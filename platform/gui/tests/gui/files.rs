//! Games saved, opened, copied and pasted, and what is said when that cannot be.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tengen_arbiter::Termination;
use tengen_gui::app::{
    Command, Document, EventPhase, FileCommand, FilePurpose, GameArchive, GameCommand, GameForm,
    Language, PlayerSpec, SettingsStore,
};
use tengen_rules::{BySeat, Move, Procedure, Rule, Seat};

use crate::events;
use crate::test_app::{TestApp, is_over, point};
use crate::test_folder::TestFolder;

const BLACK_WINS: &str = "h8 a1 i8 b1 j8 c1 k8 d1 l8";

impl TestFolder {
    fn save(&mut self, path: &Path) -> Result<(), String> {
        self.name_file(FilePurpose::Save, path);
        self.done()
    }

    fn open(&mut self, path: &Path) -> Result<(), String> {
        self.name_file(FilePurpose::Open, path);
        self.done()
    }

    /// Waits for what was asked; the dialog stays open with the problem.
    fn done(&mut self) -> Result<(), String> {
        self.update_until(|app| app.file_dialog().is_none_or(|dialog| dialog.problem.is_some()));
        match self.app.file_dialog() {
            Some(dialog) => Err(dialog.problem.clone().unwrap()),
            None => Ok(()),
        }
    }

    /// Plays a game of two persons that Black wins.
    fn play(&mut self) {
        self.begin(GameForm { rule: Rule::Renju, ..GameForm::default() });
        self.click(BLACK_WINS);
        self.wait(is_over);
    }

    fn moves(&self) -> Vec<Move> {
        self.snapshot().rows.iter().map(|row| row.mv).collect()
    }
}

#[test]
fn a_game_is_saved_in_every_format_and_opened_again() {
    let mut test_folder = TestFolder::new();
    test_folder.play();
    let (played, moves) = (test_folder.snapshot(), test_folder.moves());
    for format in ["jsonl", "json", "sgf", "psq", "pos", "offset", "txt", "lib"] {
        let path = test_folder.path(&format!("game.{format}"));
        test_folder.apply(Command::SelectTab(0));
        test_folder.save(&path).unwrap();
        let app = &test_folder.app;
        let told = app.status_message().map_or("", |(told, _)| told);
        assert!(told.contains(&path.display().to_string()), "{told} {:?}", app.notice());
        test_folder.open(&path).unwrap();
        let opened = test_folder.snapshot();
        assert_eq!(test_folder.moves(), moves, "{format}");
        assert!(matches!(test_folder.app.tab().unwrap().document, Document::Opened(_)));
        if format.starts_with("json") {
            assert_eq!((&opened.rows, opened.result), (&played.rows, played.result));
            assert_eq!(opened.rule, Rule::Renju);
        }
        if format == "sgf" {
            assert_eq!((opened.rule, opened.result), (Rule::Renju, played.result));
        }
    }
}

/// Files of other programs, by what is in them.
#[test]
fn files_of_other_programs_are_opened() {
    let mut test_folder = TestFolder::new();
    let rif = "<?xml version=\"1.0\"?><database><players><player id=\"1\" surname=\"Meritee\"/>\
               </players><games><game id=\"7\" black=\"1\" bresult=\"1\"><move>h8 i9 h9</move>\
               </game></games></database>";
    let contest = "{[C5][\u{9ed1} B][b W][\u{5148}\u{624b}\u{80dc}];B(H,8);W(I,9);B(H,9)}";
    for (name, bytes) in [
        ("games.rif", rif.as_bytes()),
        ("C5.txt", contest.as_bytes()),
        ("three.pos", &[3, 112, 98, 97][..]),
        ("old.lib", &b"\x78\0\x69\0\x68\x40"[..]),
    ] {
        let path = test_folder.path(name);
        fs::write(&path, bytes).unwrap();
        test_folder.open(&path).unwrap();
        let moves: Vec<String> = test_folder.moves().iter().map(Move::to_string).collect();
        assert_eq!(moves, ["h8", "i9", "h9"], "{name}");
    }
    let board = test_folder.path("board.pos");
    fs::write(&board, ".....\n.X...\n..O..\n...X.\n.....\n").unwrap();
    test_folder.open(&board).unwrap();
    assert_eq!(test_folder.snapshot().size.to_string(), "5");
}

#[test]
fn a_game_that_goes_on_is_saved_as_it_stands() {
    let mut test_folder = TestFolder::new();
    test_folder.begin(GameForm::default());
    test_folder.click("h8 i9");
    test_folder.wait_asked(2);
    let path = test_folder.path("open.jsonl");
    test_folder.save(&path).unwrap();
    test_folder.open(&path).unwrap();
    let opened = test_folder.snapshot();
    assert_eq!(opened.rows.len(), 2);
    assert_eq!(opened.result.unwrap().termination, Termination::Aborted);
}

#[test]
fn several_games_are_chosen_from() {
    let mut test_folder = TestFolder::new();
    test_folder.play();
    let (one, many) = (test_folder.path("one.jsonl"), test_folder.path("many.jsonl"));
    test_folder.save(&one).unwrap();
    let line = fs::read_to_string(&one).unwrap();
    fs::write(&many, format!("{line}{line}{{\"format\":1\n{line}")).unwrap();
    test_folder.open(&many).unwrap();
    assert!(test_folder.app.notice().unwrap().starts_with("1 game could not be read"));
    let Document::Collection(games) = &test_folder.app.tab().unwrap().document else {
        panic!("several games are a collection");
    };
    assert_eq!((games.len(), games.damaged, games.lines()[2].plies), (3, 1, 9));
    assert!(test_folder.app.snapshot().is_none());
    test_folder.file(FileCommand::OpenListed(2));
    assert_eq!(test_folder.moves().len(), 9);
    // The file is read again for each game, and may be gone by then.
    fs::remove_file(&many).unwrap();
    test_folder.apply(Command::SelectTab(1));
    test_folder.file(FileCommand::OpenListed(0));
    let notice = test_folder.app.notice().unwrap();
    assert!(notice.ends_with("file or folder not found"), "{notice}");
}

#[test]
fn what_is_copied_is_pasted_again() {
    let mut test_folder = TestFolder::new();
    test_folder.play();
    let moves = test_folder.moves();
    test_folder.file(FileCommand::CopyGame);
    let sgf = test_folder.app.take_copied().unwrap();
    assert!(sgf.starts_with("(;"), "{sgf}");
    test_folder.look_at(4);
    test_folder.file(FileCommand::CopyPosition);
    let points = test_folder.app.take_copied().unwrap();
    assert_eq!(points, "h8a1i8b1");
    test_folder.paste(&sgf);
    assert_eq!(test_folder.moves(), moves);
    test_folder.paste(&points);
    assert_eq!(test_folder.moves(), moves[..4]);
    test_folder.paste("0,0, 1,1");
    assert_eq!(test_folder.moves()[0], Move::Stone(point("h8")));
    test_folder.paste("T20 S19");
    assert_eq!(test_folder.snapshot().size.width(), 20);
}

#[test]
fn what_cannot_be_pasted_says_why() {
    let mut test_folder = TestFolder::new();
    for (text, expected) in [
        ("what a nice day", "not a game or an event"),
        ("h8 h8", "damaged: line 1: move 2: h8 is occupied"),
        ("(;GM[4]SZ[15];B[hh];B[hi])", "damaged"),
        ("{\"format\":9}", "format 9 is not known"),
    ] {
        test_folder.paste(text);
        let notice = test_folder.app.notice().unwrap();
        assert!(notice.starts_with("The clipboard: ") && notice.contains(expected), "{notice}");
    }
    test_folder.apply(Command::SetLanguage(Language::Chinese));
    test_folder.paste("何");
    assert!(test_folder.app.notice().unwrap().starts_with("剪贴板：不是棋谱"));
}

#[test]
fn bad_files_are_told_in_words_and_the_dialog_stays() {
    let mut test_folder = TestFolder::new();
    let bytes = |name: &str, bytes: &[u8]| {
        let path = test_folder.path(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let cases = [
        (bytes("cut.jsonl", b"{\"format\":1,\"rule\":"), "damaged: "),
        (bytes("picture.sgf", b"\x89PNG\r\n\x1a\n\0\0"), "not a game or an event"),
        (bytes("note.txt", b"buy milk"), "not a game or an event"),
        (bytes("empty.sgf", b""), "not a game or an event"),
        (bytes("board.psq", b"Piskvorky 15x15, 11:11, 0\n99,1,0\n"), "damaged: line 2"),
        (test_folder.path("gone.sgf"), "file or folder not found"),
        (test_folder.folder.path().to_owned(), "not a game or an event"),
    ];
    for (path, expected) in cases {
        let problem = test_folder.open(&path).unwrap_err();
        assert!(problem.starts_with(&path.display().to_string()), "{problem}");
        assert!(problem.contains(expected), "{problem}");
    }
    assert!(test_folder.app.tab().is_none());
}

#[test]
fn a_record_that_was_changed_is_no_game() {
    let mut test_folder = TestFolder::new();
    test_folder.play();
    let path = test_folder.path("game.jsonl");
    test_folder.save(&path).unwrap();
    let text =
        fs::read_to_string(&path).unwrap().replace("\"winner\":\"first\"", "\"winner\":null");
    fs::write(&path, text).unwrap();
    test_folder.open(&path).unwrap();
    let notice = test_folder.app.notice().unwrap();
    assert!(notice.contains("damaged: result: the record says neither wins"), "{notice}");
    assert_eq!(test_folder.tabs(), 1);
}

#[test]
fn a_save_that_fails_leaves_the_game_and_the_file_as_they_were() {
    let mut test_folder = TestFolder::new();
    test_folder.play();
    let gone = test_folder.path("gone/game.sgf");
    let folder = test_folder.path("folder.sgf");
    fs::create_dir(&folder).unwrap();
    for (path, expected) in [
        (gone, "file or folder not found"),
        (folder, "it is a folder"),
        (test_folder.path("game.doc"), "the name must end in .jsonl"),
    ] {
        let problem = test_folder.save(&path).unwrap_err();
        assert!(problem.contains(expected), "{problem}");
    }
    if Path::new("/dev/full").exists() {
        let full = tengen_gui::app::FileProblem::System {
            name: "/dev/full".into(),
            error: fs::write("/dev/full", "x").unwrap_err(),
        };
        let tr = test_folder.app.tr();
        assert_eq!(tr.file_problem(&full), "/dev/full: the disk is full");
    }
    assert_eq!(test_folder.moves().len(), 9);
    let path = test_folder.path("game.pos");
    test_folder.save(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "h8a1i8b1j8c1k8d1l8\n");
    assert_eq!(
        fs::read_dir(test_folder.folder.path()).unwrap().count(),
        2,
        "nothing is left beside it"
    );
}

#[cfg(unix)]
#[test]
fn a_device_is_nothing_to_save_a_game_in() {
    let mut test_folder = TestFolder::new();
    let pipe = test_folder.path("pipe.sgf");
    std::os::unix::net::UnixListener::bind(&pipe).unwrap();
    test_folder.paste("h8i9h9");
    test_folder.save(&pipe).unwrap_err();
    assert!(!fs::symlink_metadata(&pipe).unwrap().is_file(), "it is what it was");
}

#[test]
fn a_picture_needs_a_name_of_one() {
    let mut test_folder = TestFolder::new();
    test_folder.play();
    let (text, picture) = (test_folder.path("board.txt"), test_folder.path("board.png"));
    test_folder.name_file(FilePurpose::Picture, &text);
    assert!(test_folder.done().unwrap_err().contains(".png for a picture"));
    test_folder.name_file(FilePurpose::Picture, &picture);
    let (path, diagram) = test_folder.app.take_picture().unwrap();
    assert_eq!((&path, diagram.stones.len(), diagram.row.len()), (&picture, 9, 5));
    test_folder.app.save_picture(path, || b"a picture".to_vec());
    test_folder.done().unwrap();
    assert_eq!(fs::read(picture).unwrap(), b"a picture");
}

#[test]
fn a_game_is_played_on_from_any_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = TestApp::with(Some(GameArchive::new(folder.path())));
    test.paste("h8i9h9i10");
    test.look_at(3);
    test.file(FileCommand::PlayHere);
    let form = test.app.form().unwrap().clone();
    assert_eq!((form.opening, form.book.len()), (Procedure::Book, 3));
    let seats = BySeat { first: PlayerSpec::Person, second: PlayerSpec::Person };
    test.apply(Command::EditGameForm(GameForm { seats, ..form }));
    test.apply(Command::StartGame);
    let asked = test.wait_asked(3);
    assert_eq!(asked.asked.unwrap().seat, Seat::Second);
    test.click("a1");
    test.wait_asked(4);
    test.play(GameCommand::TakeBack);
    test.wait_asked(3);
    test.click("a2");
    test.wait_asked(4);
    // It is kept like every other, with the stones it began with.
    drop(test);
    let mut test = TestApp::with(Some(GameArchive::new(folder.path())));
    test.app.restore();
    let rows = test.snapshot().rows.clone();
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[3].mv, Move::Stone(point("a2")));
}

#[test]
fn what_lay_on_the_tables_is_there_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let (one, many, gone) = (path("one.pos"), path("many.pos"), path("gone.pos"));
    fs::write(&one, "h8i9h9i10\n").unwrap();
    fs::write(&many, "h8i9\nh8i9h9\n").unwrap();
    fs::write(&gone, "h8i9\n").unwrap();
    let remembering = |mut test: TestApp| {
        test.app.use_settings_store(SettingsStore::open(path("gui.toml"), "C"));
        test
    };
    let mut test = remembering(events::test_app(&path("events")));
    for (count, file) in (1..).zip([&one, &many, &gone]) {
        test.file(FileCommand::Open(file.clone()));
        test.update_until(|app| app.tabs().0.len() == count);
    }
    events::begin(&mut test, events::form(2));
    let event = events::wait(&test, |shown| shown.phase == EventPhase::Finished).dir;
    test.app.update();
    drop(test);
    fs::remove_file(&gone).unwrap();
    let mut test = remembering(events::test_app(&path("events")));
    assert!(test.app.restore());
    test.update_until(|app| app.tabs().0.len() == 3 && app.notice().is_some());
    let notice = test.app.notice().unwrap();
    assert!(notice.starts_with(&gone.display().to_string()), "{notice}");
    let tr = test.app.tr();
    let titles = test.app.tabs().0.iter().map(|tab| tab.document.title(tr));
    let titles: BTreeSet<String> = titles.collect();
    let event = event.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(titles, BTreeSet::from([event, "many.pos".to_owned(), "one.pos".to_owned()]));
    // What is closed is not there a third time.
    for _ in 0..3 {
        test.apply(Command::CloseActiveTab);
    }
    test.app.update();
    drop(test);
    assert!(!remembering(TestApp::new()).app.restore());
}

#[test]
fn files_of_other_programs_open_and_say_what_was_not_read() {
    let mut test_folder = TestFolder::new();
    let path = test_folder.path("other.sgf");
    // In GBK, of a program for Go, with text behind the game.
    let text = b"(;GM[1]SZ[15]5A[6]PB[\xb1\xb1\xbe\xa9\xb6\xd3]RE[0-1];B[hh];W[hi])\n---\n\x1a\0";
    fs::write(&path, text).unwrap();
    test_folder.open(&path).unwrap();
    assert_eq!(test_folder.moves().len(), 2);
    let notice = test_folder.app.notice().unwrap();
    assert!(notice.starts_with("3 places could not be read as written; the first: "), "{notice}");
    assert!(notice.contains("GM: 1 is another game (Go)"), "{notice}");

    let path = test_folder.path("utf16.psq");
    let psq = "Piskvorky 15x15, 11:11, 0\r8,8,0\rA\rB\r-1\r".repeat(2);
    let bytes: Vec<u8> = psq.encode_utf16().flat_map(u16::to_le_bytes).collect();
    fs::write(&path, bytes).unwrap();
    test_folder.open(&path).unwrap();
    let Document::Collection(games) = &test_folder.app.tab().unwrap().document else {
        panic!("several games are a collection");
    };
    assert_eq!((games.len(), games.damaged, games.unread), (2, 0, 0));

    let path = test_folder.path("mixed.sgf");
    fs::write(&path, "(;GM[4]PB[[a]b];B[hh])(;GM[4];B[hh])(;GM[4];B[hh];W[h").unwrap();
    test_folder.open(&path).unwrap();
    let notice = test_folder.app.notice().unwrap();
    let told: Vec<&str> = notice.lines().collect();
    assert!(
        told[0].starts_with("1 game could not be read; the first: line 1, column 15"),
        "{notice}"
    );
    assert!(told[1].starts_with("1 place could not be read as written; the first: "), "{notice}");
}
