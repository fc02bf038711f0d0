//! Games saved, opened, copied and pasted, and what is said when that cannot be.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use tengen_arbiter::Termination;
use tengen_gui::app::{
    Archive, Command, Document, EventPhase, FileCommand, Language, Look, Memory, Occupant,
    PlayCommand, Purpose, Setup,
};
use tengen_rules::{BySeat, Move, Procedure, Rule, Seat};

use crate::desk::Desk;
use crate::events;
use crate::room::{Room, is_over, point};

const BLACK_WINS: &str = "h8 a1 i8 b1 j8 c1 k8 d1 l8";

impl Desk {
    /// Names a file in the dialog, as somebody who types does.
    fn name(&mut self, purpose: Purpose, path: &Path) {
        self.file(FileCommand::Ask(purpose));
        self.file(FileCommand::Name(path.display().to_string()));
        self.file(FileCommand::Do);
    }

    fn save(&mut self, path: &Path) -> Result<(), String> {
        self.name(Purpose::Save, path);
        self.done()
    }

    fn open(&mut self, path: &Path) -> Result<(), String> {
        self.name(Purpose::Open, path);
        self.done()
    }

    /// Waits for what was asked; the dialog stays open with the problem.
    fn done(&mut self) -> Result<(), String> {
        self.room.settle_until(|house| {
            house.file_dialog().is_none_or(|dialog| dialog.problem.is_some())
        });
        match self.room.house.file_dialog() {
            Some(dialog) => Err(dialog.problem.clone().unwrap()),
            None => Ok(()),
        }
    }

    /// Plays a game of two persons that Black wins.
    fn play(&mut self) {
        self.room.begin(Setup { rule: Rule::Renju, ..Setup::default() });
        self.room.click(BLACK_WINS);
        self.room.wait(is_over);
    }

    fn moves(&self) -> Vec<Move> {
        self.room.snapshot().rows.iter().map(|row| row.mv).collect()
    }
}

#[test]
fn a_game_is_saved_in_every_format_and_opened_again() {
    let mut desk = Desk::new();
    desk.play();
    let (played, moves) = (desk.room.snapshot(), desk.moves());
    for format in ["jsonl", "json", "sgf", "psq", "pos", "offset"] {
        let path = desk.path(&format!("game.{format}"));
        desk.room.house.apply(Command::Front(0));
        desk.save(&path).unwrap();
        let house = &desk.room.house;
        let told = format!("{:?} {:?}", house.news(), house.notice());
        assert!(told.contains(&path.display().to_string()), "{told}");
        desk.open(&path).unwrap();
        let opened = desk.room.snapshot();
        assert_eq!(desk.moves(), moves, "{format}");
        assert!(matches!(desk.room.house.table().unwrap().document, Document::Opened(_)));
        if format.starts_with("json") {
            assert_eq!((&opened.rows, opened.result), (&played.rows, played.result));
            assert_eq!(opened.rule, Rule::Renju);
        }
        if format == "sgf" {
            assert_eq!((opened.rule, opened.result), (Rule::Renju, played.result));
        }
    }
}

#[test]
fn a_game_that_goes_on_is_saved_as_it_stands() {
    let mut desk = Desk::new();
    desk.room.begin(Setup::default());
    desk.room.click("h8 i9");
    desk.room.wait_asked(2);
    let path = desk.path("open.jsonl");
    desk.save(&path).unwrap();
    desk.open(&path).unwrap();
    let opened = desk.room.snapshot();
    assert_eq!(opened.rows.len(), 2);
    assert_eq!(opened.result.unwrap().termination, Termination::Aborted);
}

#[test]
fn several_games_are_chosen_from() {
    let mut desk = Desk::new();
    desk.play();
    let (one, many) = (desk.path("one.jsonl"), desk.path("many.jsonl"));
    desk.save(&one).unwrap();
    let line = fs::read_to_string(&one).unwrap();
    fs::write(&many, format!("{line}{line}{{\"format\":1\n{line}")).unwrap();
    desk.open(&many).unwrap();
    assert!(desk.room.house.notice().unwrap().starts_with("1 more cannot be read"));
    let Document::Collection(games) = &desk.room.house.table().unwrap().document else {
        panic!("several games are a collection");
    };
    assert_eq!((games.len(), games.bad, games.lines()[2].plies), (3, 1, 9));
    assert!(desk.room.house.snapshot().is_none());
    desk.file(FileCommand::Choose(2));
    assert_eq!(desk.moves().len(), 9);
    // The file is read again for each game, and may be gone by then.
    fs::remove_file(&many).unwrap();
    desk.room.house.apply(Command::Front(1));
    desk.file(FileCommand::Choose(0));
    let notice = desk.room.house.notice().unwrap();
    assert!(notice.ends_with("it is not there, or its folder is gone"), "{notice}");
}

#[test]
fn what_is_copied_is_pasted_again() {
    let mut desk = Desk::new();
    desk.play();
    let moves = desk.moves();
    desk.file(FileCommand::CopyGame);
    let sgf = desk.room.house.take_copied().unwrap();
    assert!(sgf.starts_with("(;"), "{sgf}");
    desk.room.house.apply(Command::Look(Look::After(4)));
    desk.file(FileCommand::CopyPosition);
    let points = desk.room.house.take_copied().unwrap();
    assert_eq!(points, "h8a1i8b1");
    desk.file(FileCommand::Paste(sgf));
    assert_eq!(desk.moves(), moves);
    desk.file(FileCommand::Paste(points));
    assert_eq!(desk.moves(), moves[..4]);
    desk.file(FileCommand::Paste("0,0, 1,1".to_owned()));
    assert_eq!(desk.moves()[0], Move::Stone(point("h8")));
    desk.file(FileCommand::Paste("T20 S19".to_owned()));
    assert_eq!(desk.room.snapshot().size.width(), 20);
}

#[test]
fn what_cannot_be_pasted_says_why() {
    let mut desk = Desk::new();
    for (text, expected) in [
        ("what a nice day", "neither a game nor an event"),
        ("h8 h8", "damaged: line 1: move 2: h8 is occupied"),
        ("(;GM[4]SZ[15];B[hh];B[hi])", "damaged"),
        ("{\"format\":9}", "format 9 is not known"),
    ] {
        desk.file(FileCommand::Paste(text.to_owned()));
        let notice = desk.room.house.notice().unwrap();
        assert!(notice.starts_with("The clipboard: ") && notice.contains(expected), "{notice}");
    }
    desk.room.house.apply(Command::Speak(Language::Chinese));
    desk.file(FileCommand::Paste("何".to_owned()));
    assert!(desk.room.house.notice().unwrap().starts_with("剪贴板：不是棋谱"));
}

#[test]
fn bad_files_are_told_in_words_and_the_dialog_stays() {
    let mut desk = Desk::new();
    let bytes = |name: &str, bytes: &[u8]| {
        let path = desk.path(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    let cases = [
        (bytes("cut.jsonl", b"{\"format\":1,\"rule\":"), "damaged: "),
        (bytes("picture.sgf", b"\x89PNG\r\n\x1a\n\0\0"), "neither a game nor an event"),
        (bytes("note.txt", b"buy milk"), "neither a game nor an event"),
        (bytes("empty.sgf", b""), "neither a game nor an event"),
        (bytes("board.psq", b"Piskvorky 15x15, 11:11, 0\n99,1,0\n"), "damaged: line 2"),
        (desk.path("gone.sgf"), "it is not there, or its folder is gone"),
        (desk.folder.path().to_owned(), "neither a game nor an event"),
    ];
    for (path, expected) in cases {
        let problem = desk.open(&path).unwrap_err();
        assert!(problem.starts_with(&path.display().to_string()), "{problem}");
        assert!(problem.contains(expected), "{problem}");
    }
    assert!(desk.room.house.table().is_none());
}

#[test]
fn a_record_that_was_changed_is_no_game() {
    let mut desk = Desk::new();
    desk.play();
    let path = desk.path("game.jsonl");
    desk.save(&path).unwrap();
    let text =
        fs::read_to_string(&path).unwrap().replace("\"winner\":\"first\"", "\"winner\":null");
    fs::write(&path, text).unwrap();
    desk.open(&path).unwrap();
    let notice = desk.room.house.notice().unwrap();
    assert!(notice.contains("damaged: result: the record says nobody wins"), "{notice}");
    assert_eq!(desk.room.house.tables().0.len(), 1);
}

#[test]
fn a_save_that_fails_leaves_the_game_and_the_file_as_they_were() {
    let mut desk = Desk::new();
    desk.play();
    let gone = desk.path("gone/game.sgf");
    let folder = desk.path("folder.sgf");
    fs::create_dir(&folder).unwrap();
    for (path, expected) in [
        (gone, "it is not there, or its folder is gone"),
        (folder, "it is a folder"),
        (desk.path("game.txt"), "the name must end in .jsonl"),
    ] {
        let problem = desk.save(&path).unwrap_err();
        assert!(problem.contains(expected), "{problem}");
    }
    if Path::new("/dev/full").exists() {
        let full = tengen_gui::app::FileProblem::System {
            name: "/dev/full".into(),
            error: fs::write("/dev/full", "x").unwrap_err(),
        };
        let words = desk.room.house.words();
        assert_eq!(words.file_problem(&full), "/dev/full: the disk is full");
    }
    assert_eq!(desk.moves().len(), 9);
    let path = desk.path("game.pos");
    desk.save(&path).unwrap();
    assert_eq!(fs::read_to_string(&path).unwrap(), "h8a1i8b1j8c1k8d1l8\n");
    assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 2, "nothing is left beside it");
}

#[test]
fn a_picture_needs_a_name_of_one() {
    let mut desk = Desk::new();
    desk.play();
    let (text, picture) = (desk.path("board.txt"), desk.path("board.png"));
    desk.name(Purpose::Picture, &text);
    assert!(desk.done().unwrap_err().contains(".png for a picture"));
    desk.name(Purpose::Picture, &picture);
    let (path, diagram) = desk.room.house.take_picture().unwrap();
    assert_eq!((&path, diagram.stones.len(), diagram.row.len()), (&picture, 9, 5));
    desk.room.house.save_picture(path, || b"a picture".to_vec());
    desk.done().unwrap();
    assert_eq!(fs::read(picture).unwrap(), b"a picture");
}

#[test]
fn a_game_is_played_on_from_any_position() {
    let folder = tempfile::tempdir().unwrap();
    let mut room = Room::with(Some(Archive::new(folder.path())));
    room.house.apply(Command::File(FileCommand::Paste("h8i9h9i10".to_owned())));
    room.house.apply(Command::Look(Look::After(3)));
    room.house.apply(Command::File(FileCommand::PlayHere));
    let form = room.house.form().unwrap().clone();
    assert_eq!((form.opening, form.book.len()), (Procedure::Book, 3));
    let seats = BySeat { first: Occupant::Person, second: Occupant::Person };
    room.house.apply(Command::EditForm(Setup { seats, ..form }));
    room.house.apply(Command::Begin);
    let asked = room.wait_asked(3);
    assert_eq!(asked.asked.unwrap().seat, Seat::Second);
    room.click("a1");
    room.wait_asked(4);
    room.play(PlayCommand::TakeBack);
    room.wait_asked(3);
    room.click("a2");
    room.wait_asked(4);
    // It is kept like every other, with the stones it began with.
    drop(room);
    let mut room = Room::with(Some(Archive::new(folder.path())));
    room.house.restore();
    let rows = room.snapshot().rows.clone();
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
    let remembering = |mut room: Room| {
        room.house.remember(Memory::open(path("gui.toml"), "C"));
        room
    };
    let mut room = remembering(events::room(&path("events")));
    for (count, file) in (1..).zip([&one, &many, &gone]) {
        room.house.apply(Command::File(FileCommand::Open(file.clone())));
        room.settle_until(|house| house.tables().0.len() == count);
    }
    events::begin(&mut room, events::form(2));
    let event = events::wait(&room, |shown| shown.phase == EventPhase::Finished).dir;
    room.house.settle();
    drop(room);
    fs::remove_file(&gone).unwrap();
    let mut room = remembering(events::room(&path("events")));
    assert!(room.house.restore());
    room.settle_until(|house| house.tables().0.len() == 3 && house.notice().is_some());
    let notice = room.house.notice().unwrap();
    assert!(notice.starts_with(&gone.display().to_string()), "{notice}");
    let words = room.house.words();
    let titles = room.house.tables().0.iter().map(|table| table.document.title(words));
    let titles: BTreeSet<String> = titles.collect();
    let event = event.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(titles, BTreeSet::from([event, "many.pos".to_owned(), "one.pos".to_owned()]));
    // What is closed is not there a third time.
    for _ in 0..3 {
        room.house.apply(Command::Close);
    }
    room.house.settle();
    drop(room);
    assert!(!remembering(Room::new()).house.restore());
}
