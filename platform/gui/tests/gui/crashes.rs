//! What is in no file is there again after the program was killed.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use tengen_gui::app::{
    Archive, Brush, Command, Document, DraftCommand, FileCommand, House, Look, Memory, Purpose,
    Setup, Study, StudyCommand,
};

use crate::room::{Room, is_over, point};

const LINES: &str = "(;GM[4]SZ[15]RU[renju];B[hh]C[one](;W[hi])(;W[ih]C[two];B[gg]))";

/// A folder of games, as a program that is killed leaves it.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        Desk { folder: tempfile::tempdir().unwrap() }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("unsaved")
    }

    fn room(&self) -> Room {
        let mut room = Room::with(Some(Archive::new(self.folder.path())));
        room.house.remember(Memory::open(self.folder.path().join("gui.toml"), "C"));
        room.house.restore();
        room
    }

    /// The files of what is kept, in the folders of all windows.
    fn files(&self) -> Vec<PathBuf> {
        let inside = |folder: PathBuf| fs::read_dir(folder).into_iter().flatten().flatten();
        let folders = inside(self.dir()).map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = folders.flat_map(inside).map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|end| end == "toml"));
        paths.sort();
        paths
    }

    /// What is kept, each whole.
    fn kept(&self) -> Vec<String> {
        self.files().iter().filter_map(|path| fs::read_to_string(path).ok()).collect()
    }

    /// Draws frames until what is kept is so.
    fn wait(&self, room: &mut Room, done: impl Fn(&[String]) -> bool) {
        while !done(&self.kept()) {
            room.house.settle();
            std::thread::yield_now();
        }
    }

    /// The folder as it is now, while the program that writes there has not ended.
    fn killed(&self) -> Desk {
        let desk = Desk::new();
        fs::create_dir(desk.dir()).unwrap();
        for path in self.files() {
            let folder = desk.dir().join(path.parent().unwrap().file_name().unwrap());
            fs::create_dir_all(&folder).unwrap();
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        desk
    }
}

fn file(room: &mut Room, command: FileCommand) {
    room.house.apply(Command::File(command));
}

fn study(house: &House) -> &Study {
    house.table().unwrap().document.study().unwrap()
}

fn has(text: &'static str) -> impl Fn(&[String]) -> bool {
    move |kept| kept.iter().any(|kept| kept.contains(text))
}

#[test]
fn variations_and_comments_are_there_again() {
    let desk = Desk::new();
    let mut room = desk.room();
    file(&mut room, FileCommand::Paste("h8i9h9".to_owned()));
    room.house.apply(Command::Analyse);
    room.house.apply(Command::Look(Look::After(2)));
    room.house.apply(Command::Click(point("g7")));
    room.house.apply(Command::Study(StudyCommand::Comment("why not".to_owned())));
    desk.wait(&mut room, has("why not"));
    let tree = study(&room.house).tree().clone();
    let killed = desk.killed();
    let mut next = killed.room();
    next.settle_until(|house| house.tables().0.len() == 2);
    next.house.apply(Command::Front(1));
    assert_eq!(*study(&next.house).tree(), tree);
    assert!(study(&next.house).is_unsaved(), "it is still in no file");
    let rows: Vec<String> = next.snapshot().rows.iter().map(|row| row.mv.to_string()).collect();
    assert_eq!(rows, ["h8", "i9", "g7"], "what was worked on is shown");
    // It is kept on under its name, and forgotten when it is given up.
    next.house.apply(Command::Study(StudyCommand::Comment("because".to_owned())));
    killed.wait(&mut next, has("because"));
    assert_eq!(killed.kept().len(), 2);
    next.house.apply(Command::Close);
    next.house.apply(Command::Discard);
    killed.wait(&mut next, |kept| kept.len() == 1);
}

#[test]
fn a_file_that_was_changed_is_there_again_with_the_changes_and_forgotten_once_it_is_saved() {
    let desk = Desk::new();
    let path = desk.folder.path().join("lines.sgf");
    fs::write(&path, LINES).unwrap();
    let mut room = desk.room();
    file(&mut room, FileCommand::Open(path.clone()));
    room.settle_until(|house| house.table().is_some());
    room.house.settle();
    assert!(desk.kept().is_empty(), "the file holds it");
    room.house.apply(Command::Look(Look::After(1)));
    room.house.apply(Command::Study(StudyCommand::Comment("three".to_owned())));
    desk.wait(&mut room, has("three"));
    let killed = desk.killed();
    let mut next = killed.room();
    next.settle_until(|house| house.table().is_some());
    assert_eq!(study(&next.house).path(), Some(&*path));
    assert_eq!(study(&next.house).comment(1), "three");
    assert_eq!(fs::read_to_string(&path).unwrap(), LINES, "the file itself waits for its person");
    file(&mut next, FileCommand::Save);
    next.settle_until(|house| !study(house).is_unsaved());
    killed.wait(&mut next, <[String]>::is_empty);
    assert!(fs::read_to_string(&path).unwrap().contains("C[three]"));
}

#[test]
fn positions_and_pasted_games_are_there_again() {
    let desk = Desk::new();
    let mut room = desk.room();
    room.house.apply(Command::Draft(DraftCommand::Open));
    for command in [
        DraftCommand::Brush(Brush::White),
        DraftCommand::Click(point("a1")),
        DraftCommand::Click(point("b2")),
    ] {
        room.house.apply(Command::Draft(command));
    }
    file(&mut room, FileCommand::Paste("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[20];B[aa];W[bb])".into()));
    file(&mut room, FileCommand::Paste("h8i9h9".to_owned()));
    file(&mut room, FileCommand::Paste(LINES.to_owned()));
    desk.wait(&mut room, |kept| kept.len() == 4);
    let killed = desk.killed();
    let mut next = killed.room();
    next.settle_until(|house| house.tables().0.len() == 4);
    let mut found: Vec<String> = Vec::new();
    for table in next.house.tables().0 {
        found.push(match &table.document {
            Document::Draft(draft) => format!("{} stones", draft.stones().count()),
            Document::Collection(games) => format!("{} games", games.len()),
            Document::Opened(opened) => format!("{} plies", opened.snapshot().rows.len()),
            Document::Study(study) => format!("{} nodes", study.tree().len()),
            _ => "something else".to_owned(),
        });
    }
    found.sort();
    assert_eq!(found, ["2 games", "2 stones", "3 plies", "5 nodes"]);
    // What was ended in peace is there again as well.
    room.house.settle();
    drop(room);
    let mut room = desk.room();
    room.settle_until(|house| house.tables().0.len() == 4);
}

#[test]
fn games_that_are_over_are_there_again_until_they_are_closed() {
    let desk = Desk::new();
    let mut room = desk.room();
    room.begin(Setup::default());
    room.click("h8 a1 i8 b1 j8 c1 k8 d1 l8");
    room.wait(is_over);
    let games = desk.folder.path().join("games");
    while fs::read_dir(&games).map_or(0, Iterator::count) == 0 {
        std::thread::yield_now();
    }
    room.house.settle();
    drop(room);
    let mut room = desk.room();
    room.settle_until(|house| house.table().is_some());
    assert_eq!(room.snapshot().rows.len(), 9);
    let title = room.house.table().unwrap().document.title(room.house.words());
    assert_eq!(title, "Person – Person");
    room.house.apply(Command::Close);
    room.house.settle();
    drop(room);
    assert!(desk.room().house.table().is_none());
}

#[test]
fn what_another_window_has_open_is_not_opened_twice() {
    let desk = Desk::new();
    let mut first = desk.room();
    file(&mut first, FileCommand::Paste("h8i9h9".to_owned()));
    desk.wait(&mut first, |kept| kept.len() == 1);
    let mut second = Room::with(Some(Archive::new(desk.folder.path())));
    assert!(!second.house.restore());
    file(&mut second, FileCommand::Paste("h8i9".to_owned()));
    desk.wait(&mut second, |kept| kept.len() == 2);
    // What the first window leaves behind goes to the third one, and nothing of the second's.
    drop(first);
    let mut third = Room::with(Some(Archive::new(desk.folder.path())));
    assert!(third.house.restore());
    third.settle_until(|house| house.table().is_some());
    assert_eq!((third.house.tables().0.len(), third.snapshot().rows.len()), (1, 3));
    third.house.apply(Command::Close);
    third.house.apply(Command::Discard);
    desk.wait(&mut third, |kept| kept.len() == 1);
    drop((second, third));
    let mut last = desk.room();
    last.settle_until(|house| house.table().is_some());
    assert_eq!((last.house.tables().0.len(), last.snapshot().rows.len()), (1, 2));
    last.house.apply(Command::Close);
    last.house.apply(Command::Discard);
    drop(last);
    drop(desk.room());
    let left = fs::read_dir(desk.dir()).unwrap().flatten().filter(|entry| entry.path().is_dir());
    assert_eq!(left.count(), 0, "folders in which nothing is kept go");
}

#[test]
fn what_was_done_last_is_kept_at_the_end() {
    let desk = Desk::new();
    let mut room = desk.room();
    file(&mut room, FileCommand::Paste(LINES.to_owned()));
    room.house.apply(Command::Study(StudyCommand::Comment("the last word".to_owned())));
    drop(room);
    assert!(has("the last word")(&desk.kept()));
}

#[test]
fn what_is_damaged_is_put_aside_with_a_message() {
    let desk = Desk::new();
    let mut room = desk.room();
    file(&mut room, FileCommand::Paste("h8i9h9".to_owned()));
    desk.wait(&mut room, |kept| kept.len() == 1);
    let killed = desk.killed();
    let folder = killed.files()[0].parent().unwrap().to_owned();
    let broken = [folder.join("0.toml"), folder.join("1.toml")];
    let no_game = "[study]\nchanged = true\nsgf = '(;GM[4]SZ[15];B[hh];W[hh])'";
    for damage in [
        &b"[study]\nchanged = true\nsgf = '(;GM[4];B[hh"[..],
        b"\0\xff",
        b"",
        b"[games]\ntext = ''",
        no_game.as_bytes(),
    ] {
        broken.iter().for_each(|path| fs::write(path, damage).unwrap());
        let mut next = killed.room();
        next.settle_until(|house| house.tables().0.len() == 1 && house.notice().is_some());
        let notice = next.house.notice().unwrap();
        assert!(notice.starts_with("What was unsaved on a table cannot be read"), "{notice}");
        for path in &broken {
            let aside = path.with_extension("damaged");
            assert!(notice.contains(&aside.display().to_string()), "{notice}");
            assert_eq!(fs::read(aside).unwrap(), damage);
            assert!(!path.exists());
        }
    }
}

#[test]
fn what_cannot_be_read_now_stays_where_it_is() {
    let desk = Desk::new();
    let folder = desk.dir().join("0");
    // What is no file is refused by the system, as a disk is that fails for a moment.
    fs::create_dir_all(folder.join("0.toml")).unwrap();
    let mut room = desk.room();
    room.settle_until(|house| house.notice().is_some());
    let notice = room.house.notice().unwrap();
    assert!(notice.contains("cannot be opened now: "), "{notice}");
    assert!(folder.join("0.toml").is_dir());
}

#[test]
fn a_folder_that_cannot_be_written_is_said_once_and_the_work_goes_on() {
    let desk = Desk::new();
    fs::write(desk.dir(), "a file where the folder would be").unwrap();
    let mut room = desk.room();
    file(&mut room, FileCommand::Paste(LINES.to_owned()));
    room.settle_until(|house| house.notice().is_some());
    let notice = room.house.notice().unwrap();
    assert!(notice.starts_with("What is unsaved cannot be kept in"), "{notice}");
    room.house.apply(Command::DismissNotice);
    room.house.apply(Command::Study(StudyCommand::Comment("more".to_owned())));
    let path = desk.folder.path().join("saved.sgf");
    file(&mut room, FileCommand::Ask(Purpose::Save));
    file(&mut room, FileCommand::Name(path.display().to_string()));
    file(&mut room, FileCommand::Do);
    room.settle_until(|house| !study(house).is_unsaved());
    assert!(saved(&path).contains("C[more]"));
}

#[test]
fn what_could_not_be_kept_is_kept_at_the_end_at_the_latest() {
    let desk = Desk::new();
    fs::write(desk.dir(), "a file where the folder would be").unwrap();
    let mut room = desk.room();
    file(&mut room, FileCommand::Paste(LINES.to_owned()));
    room.settle_until(|house| house.notice().is_some());
    assert!(room.house.loses_at_end());
    fs::remove_file(desk.dir()).unwrap();
    drop(room);
    assert!(has("C[two]")(&desk.kept()));
}

fn saved(path: &Path) -> String {
    fs::read_to_string(path).unwrap()
}

#[test]
fn what_is_too_large_is_said_and_what_was_kept_stays() {
    let desk = Desk::new();
    let mut room = desk.room();
    file(&mut room, FileCommand::Paste(LINES.to_owned()));
    desk.wait(&mut room, |kept| kept.len() == 1);
    room.house.apply(Command::Study(StudyCommand::Comment("x".repeat(17 << 20))));
    room.settle_until(|house| house.notice().is_some());
    assert!(room.house.notice().unwrap().starts_with("This is too much to be kept"));
    assert!(desk.kept()[0].contains("C[two]") && room.house.loses_at_end());
    let killed = desk.killed();
    let mut next = killed.room();
    next.settle_until(|house| house.table().is_some());
    let notice = next.house.notice().unwrap();
    assert!(notice.contains("this is an older state of it"), "{notice}");
    next.house.apply(Command::Study(StudyCommand::Comment("small again".to_owned())));
    killed.wait(&mut next, has("small again"));
    assert!(!killed.kept()[0].contains("older state"));
}
