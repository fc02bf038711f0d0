//! What is in no file is there again after the program was killed.

use std::fs;
use std::path::PathBuf;

use tempfile::TempDir;
use tengen_gui::app::{
    AnalysisCommand, App, Brush, Command, Document, EditorCommand, FileCommand, FilePurpose,
    GameArchive, GameForm, SettingsStore,
};

use crate::test_app::{TestApp, analysis, is_over, point};

const LINES: &str = "(;GM[4]SZ[15]RU[renju];B[hh]C[one](;W[hi])(;W[ih]C[two];B[gg]))";

/// A folder of games, as a program that is killed leaves it.
struct TestFolder {
    folder: TempDir,
}

impl TestFolder {
    fn new() -> TestFolder {
        TestFolder { folder: tempfile::tempdir().unwrap() }
    }

    fn dir(&self) -> PathBuf {
        self.folder.path().join("unsaved")
    }

    fn test_app(&self) -> TestApp {
        let mut test = TestApp::with(Some(GameArchive::new(self.folder.path())));
        test.app.use_settings_store(SettingsStore::open(self.folder.path().join("gui.toml"), "C"));
        test.app.restore();
        test
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
    fn wait(&self, test: &mut TestApp, done: impl Fn(&[String]) -> bool) {
        while !done(&self.kept()) {
            test.app.update();
            std::thread::yield_now();
        }
    }

    /// What the next program finds in the folder as it is now, when all of it is read.
    fn restored(&self, is_read: impl Fn(&App) -> bool) -> (TestFolder, TestApp) {
        let killed = self.killed();
        let mut next = killed.test_app();
        next.update_until(is_read);
        (killed, next)
    }

    /// The folder as it is now, while the program that writes there has not ended.
    fn killed(&self) -> TestFolder {
        let test_folder = TestFolder::new();
        fs::create_dir(test_folder.dir()).unwrap();
        for path in self.files() {
            let folder = test_folder.dir().join(path.parent().unwrap().file_name().unwrap());
            fs::create_dir_all(&folder).unwrap();
            fs::copy(&path, folder.join(path.file_name().unwrap())).unwrap();
        }
        test_folder
    }
}

fn begun() -> (TestFolder, TestApp) {
    let test_folder = TestFolder::new();
    let test = test_folder.test_app();
    (test_folder, test)
}

fn has(text: &'static str) -> impl Fn(&[String]) -> bool {
    move |kept| kept.iter().any(|kept| kept.contains(text))
}

#[test]
fn variations_and_comments_are_there_again() {
    let (test_folder, mut test) = begun();
    test.paste("h8i9h9");
    test.apply(Command::Analyse);
    test.look_at(2);
    test.apply(Command::Click(point("g7")));
    test.apply(Command::Analysis(AnalysisCommand::Comment("why not".to_owned())));
    test_folder.wait(&mut test, has("why not"));
    let tree = analysis(&test.app).tree().clone();
    let (killed, mut next) = test_folder.restored(|app| app.tabs().0.len() == 2);
    next.apply(Command::SelectTab(1));
    assert_eq!(*analysis(&next.app).tree(), tree);
    assert!(analysis(&next.app).saved.is_unsaved(), "it is still in no file");
    let rows: Vec<String> = next.snapshot().rows.iter().map(|row| row.mv.to_string()).collect();
    assert_eq!(rows, ["h8", "i9", "g7"], "what was worked on is shown");
    // It is kept on under its name, and forgotten when it is given up.
    next.apply(Command::Analysis(AnalysisCommand::Comment("because".to_owned())));
    killed.wait(&mut next, has("because"));
    assert_eq!(killed.kept().len(), 2);
    next.apply(Command::CloseActiveTab);
    next.apply(Command::DiscardTab);
    killed.wait(&mut next, |kept| kept.len() == 1);
}

#[test]
fn a_file_that_was_changed_is_there_again_with_the_changes_and_forgotten_once_it_is_saved() {
    let test_folder = TestFolder::new();
    let path = test_folder.folder.path().join("lines.sgf");
    fs::write(&path, LINES).unwrap();
    let mut test = test_folder.test_app();
    test.file(FileCommand::Open(path.clone()));
    test.update_until(|app| app.tab().is_some());
    test.app.update();
    assert!(test_folder.kept().is_empty(), "the file holds it");
    test.look_at(1);
    test.apply(Command::Analysis(AnalysisCommand::Comment("three".to_owned())));
    test_folder.wait(&mut test, has("three"));
    let (killed, mut next) = test_folder.restored(|app| app.tab().is_some());
    assert_eq!(analysis(&next.app).saved.path(), Some(&*path));
    assert_eq!(analysis(&next.app).comment(1), "three");
    assert_eq!(fs::read_to_string(&path).unwrap(), LINES, "the file itself waits for its person");
    next.file(FileCommand::Save);
    next.update_until(|app| !analysis(app).saved.is_unsaved());
    killed.wait(&mut next, <[String]>::is_empty);
    assert!(fs::read_to_string(&path).unwrap().contains("C[three]"));
}

#[test]
fn positions_and_pasted_games_are_there_again() {
    let (test_folder, mut test) = begun();
    test.editor(EditorCommand::Open);
    for command in [
        EditorCommand::Brush(Brush::White),
        EditorCommand::Click(point("a1")),
        EditorCommand::Click(point("b2")),
    ] {
        test.editor(command);
    }
    test.paste("(;GM[4]SZ[15];B[hh])(;GM[4]SZ[20];B[aa];W[bb])");
    test.paste("h8i9h9");
    test.paste(LINES);
    test_folder.wait(&mut test, |kept| kept.len() == 4);
    let (_killed, next) = test_folder.restored(|app| app.tabs().0.len() == 4);
    let mut found: Vec<String> = Vec::new();
    for tab in next.app.tabs().0 {
        found.push(match &tab.document {
            Document::Editor(editor) => format!("{} stones", editor.stones().count()),
            Document::Collection(games) => format!("{} games", games.len()),
            Document::Opened(opened) => format!("{} plies", opened.snapshot().rows.len()),
            Document::Analysis(analysis) => format!("{} nodes", analysis.tree().len()),
            _ => "something else".to_owned(),
        });
    }
    found.sort();
    assert_eq!(found, ["2 games", "2 stones", "3 plies", "5 nodes"]);
    // What was ended in peace is there again as well.
    test.app.update();
    drop(test);
    let mut test = test_folder.test_app();
    test.update_until(|app| app.tabs().0.len() == 4);
}

#[test]
fn games_that_are_over_are_there_again_until_they_are_closed() {
    let (test_folder, mut test) = begun();
    test.begin(GameForm::default());
    test.click("h8 a1 i8 b1 j8 c1 k8 d1 l8");
    test.wait(is_over);
    let games = test_folder.folder.path().join("games");
    while fs::read_dir(&games).map_or(0, Iterator::count) == 0 {
        std::thread::yield_now();
    }
    test.app.update();
    drop(test);
    let mut test = test_folder.test_app();
    test.update_until(|app| app.tab().is_some());
    assert_eq!(test.snapshot().rows.len(), 9);
    let title = test.app.tab().unwrap().document.title(test.app.tr());
    assert_eq!(title, "Person – Person");
    test.apply(Command::CloseActiveTab);
    test.app.update();
    drop(test);
    assert!(test_folder.test_app().app.tab().is_none());
}

#[test]
fn what_another_window_has_open_is_not_opened_twice() {
    let test_folder = TestFolder::new();
    let mut first = test_folder.test_app();
    first.paste("h8i9h9");
    test_folder.wait(&mut first, |kept| kept.len() == 1);
    let mut second = TestApp::with(Some(GameArchive::new(test_folder.folder.path())));
    assert!(!second.app.restore());
    second.paste("h8i9");
    test_folder.wait(&mut second, |kept| kept.len() == 2);
    // What the first window leaves behind goes to the third one, and nothing of the second's.
    drop(first);
    let mut third = TestApp::with(Some(GameArchive::new(test_folder.folder.path())));
    assert!(third.app.restore());
    third.update_until(|app| app.tab().is_some());
    assert_eq!((third.tabs(), third.snapshot().rows.len()), (1, 3));
    third.apply(Command::CloseActiveTab);
    third.apply(Command::DiscardTab);
    test_folder.wait(&mut third, |kept| kept.len() == 1);
    drop((second, third));
    let mut last = test_folder.test_app();
    last.update_until(|app| app.tab().is_some());
    assert_eq!((last.tabs(), last.snapshot().rows.len()), (1, 2));
    last.apply(Command::CloseActiveTab);
    last.apply(Command::DiscardTab);
    drop(last);
    drop(test_folder.test_app());
    let left =
        fs::read_dir(test_folder.dir()).unwrap().flatten().filter(|entry| entry.path().is_dir());
    assert_eq!(left.count(), 0, "folders in which nothing is kept go");
}

#[test]
fn what_was_done_last_is_kept_at_the_end() {
    let (test_folder, mut test) = begun();
    test.paste(LINES);
    test.apply(Command::Analysis(AnalysisCommand::Comment("the last word".to_owned())));
    drop(test);
    assert!(has("the last word")(&test_folder.kept()));
}

#[test]
fn what_is_damaged_is_put_aside_with_a_message() {
    let (test_folder, mut test) = begun();
    test.paste("h8i9h9");
    test_folder.wait(&mut test, |kept| kept.len() == 1);
    let killed = test_folder.killed();
    let folder = killed.files()[0].parent().unwrap().to_owned();
    let broken = [folder.join("0.toml"), folder.join("1.toml")];
    let no_game = "[study]\nchanged = true\nsgf = '(;GM[4]SZ[15];B[hh];W[hh])'";
    for damage in [&b"\0\xff"[..], no_game.as_bytes()] {
        broken.iter().for_each(|path| fs::write(path, damage).unwrap());
        let mut next = killed.test_app();
        next.update_until(|app| app.tabs().0.len() == 1 && app.notice().is_some());
        let notice = next.app.notice().unwrap();
        assert!(notice.starts_with("An autosaved tab is damaged"), "{notice}");
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
    let test_folder = TestFolder::new();
    let folder = test_folder.dir().join("0");
    // What is no file is refused by the system, as a disk is that fails for a moment.
    fs::create_dir_all(folder.join("0.toml")).unwrap();
    let mut test = test_folder.test_app();
    test.update_until(|app| app.notice().is_some());
    let notice = test.app.notice().unwrap();
    assert!(notice.contains("cannot be opened now: "), "{notice}");
    assert!(folder.join("0.toml").is_dir());
}

#[test]
fn a_folder_that_cannot_be_written_is_said_once_and_the_work_goes_on() {
    let test_folder = TestFolder::new();
    fs::write(test_folder.dir(), "a file where the folder would be").unwrap();
    let mut test = test_folder.test_app();
    test.paste(LINES);
    test.update_until(|app| app.notice().is_some());
    let notice = test.app.notice().unwrap();
    assert!(notice.starts_with("Autosave failed"), "{notice}");
    test.apply(Command::DismissNotice);
    test.apply(Command::Analysis(AnalysisCommand::Comment("more".to_owned())));
    let path = test_folder.folder.path().join("saved.sgf");
    test.name_file(FilePurpose::Save, &path);
    test.update_until(|app| !analysis(app).saved.is_unsaved());
    assert!(fs::read_to_string(&path).unwrap().contains("C[more]"));
}

#[test]
fn what_could_not_be_kept_is_kept_at_the_end_at_the_latest() {
    let test_folder = TestFolder::new();
    fs::write(test_folder.dir(), "a file where the folder would be").unwrap();
    let mut test = test_folder.test_app();
    test.paste(LINES);
    test.update_until(|app| app.notice().is_some());
    assert!(test.app.has_unsaved_work());
    fs::remove_file(test_folder.dir()).unwrap();
    drop(test);
    assert!(has("C[two]")(&test_folder.kept()));
}

#[test]
fn what_is_too_large_is_said_and_what_was_kept_stays() {
    let (test_folder, mut test) = begun();
    test.paste(LINES);
    test_folder.wait(&mut test, |kept| kept.len() == 1);
    test.apply(Command::Analysis(AnalysisCommand::Comment("x".repeat(17 << 20))));
    test.update_until(|app| app.notice().is_some());
    assert!(test.app.notice().unwrap().starts_with("This tab is too large to autosave"));
    assert!(test_folder.kept()[0].contains("C[two]") && test.app.has_unsaved_work());
    let (killed, mut next) = test_folder.restored(|app| app.tab().is_some());
    let notice = next.app.notice().unwrap();
    assert!(notice.contains("this is an older version of it"), "{notice}");
    next.apply(Command::Analysis(AnalysisCommand::Comment("small again".to_owned())));
    killed.wait(&mut next, has("small again"));
    assert!(!killed.kept()[0].contains("older state"));
}
