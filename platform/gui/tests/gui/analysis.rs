//! Lines that are tried out beside a game.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{
    AnalysisCommand, AnalysisSession, App, Command, FileCommand, FilePurpose, Language,
};

use crate::matches::{FIVE, event, played};
use crate::test_app::{TestApp, analysis, point};
use crate::windows::{
    Shown, finished, key, press, press_last, repaint_delay, save_as, set_file_name, strike,
    type_in, update_until, window,
};

fn tabs(window: &Shown) -> usize {
    window.state().app().tabs().0.len()
}

/// An analysis of a match that is over.
fn studied() -> TestApp {
    let mut test = TestApp::new();
    test.app.open_match(played(event(""), FIVE));
    test.apply(Command::Analyse);
    test
}

#[test]
fn a_line_is_tried_out_and_the_game_stays_as_it_is() {
    let mut window = finished();
    key(&mut window, Key::A);
    assert_eq!(tabs(&window), 2);
    window.get_by_label("Try variations; the game itself does not change");
    key(&mut window, Key::ArrowLeft);
    press(&mut window, "G7");
    window.get_by_label("G7 black 9");
    key(&mut window, Key::ArrowLeft);
    window.get_by_role_and_label(Role::Button, "variation G7");
    press(&mut window, "variation L8");
    window.get_by_label("L8 black 9");
    press(&mut window, "Delete from here");
    assert!(window.query_by_label("variation L8").is_none());
    let (tabs, _) = window.state().app().tabs();
    assert_eq!(tabs[0].document.snapshot().unwrap().rows.len(), 9, "the game has its end");
}

#[test]
fn lines_that_go_off_stand_in_the_move_list_and_a_click_follows_them() {
    let mut window = varied();
    press(&mut window, "A1");
    press(&mut window, "instead of move 9: L8");
    window.get_by_label("L8 black 9");
    press(&mut window, "instead of move 9: G7 A1");
    window.get_by_label("G7 black 9");
    key(&mut window, Key::ArrowRight);
    window.get_by_label("A1 white 10");
}

#[test]
fn what_an_engine_says_of_a_position_stays_with_its_move() {
    let mut test = studied();
    test.look_at(6);
    let engine = AnalysisCommand::Engine(Some("aloud".to_owned()));
    test.apply(Command::Analysis(engine));
    let mut window = window(test);
    press(&mut window, "A1");
    let said = |app: &App, ply: usize| {
        let info = app.snapshot().unwrap().rows[ply - 1].info;
        info.map(|info| (info.eval, info.depth))
    };
    // It says 35 for the side to move, and the other one has moved.
    update_until(&mut window, |app| said(app, 7) == Some((Some(-35), 4)));
    window.get_by_label("1  depth 4/6  ·  +35  ·  1.23M nodes  ·  1.23M nodes/s");
    key(&mut window, Key::ArrowLeft);
    assert_eq!(said(window.state().app(), 7), Some((Some(-35), 4)), "it is not forgotten");
    press(&mut window, "instead of move 7: K8 K9 L8");
    assert_eq!(said(window.state().app(), 7), Some((Some(35), 4)), "the player's own word");
    press(&mut window, "instead of move 7: A1");
    assert_eq!(said(window.state().app(), 7), Some((Some(-35), 4)));
}

#[test]
fn an_engine_goes_through_a_game_from_its_end() {
    let mut test = studied();
    let time = Arc::clone(&test.time);
    let engine = AnalysisCommand::Engine(Some("aloud".to_owned()));
    test.apply(Command::Analysis(engine));
    let shown = |app: &App| {
        let tab = app.tab().unwrap();
        tab.view.shown(&tab.document.snapshot().unwrap())
    };
    test.look_at(4);
    let mut window = window(test);
    press(&mut window, "Analyse all");
    assert_eq!(shown(window.state().app()), 9);
    let step = Duration::from_nanos(AnalysisSession::TIME_PER_MOVE);
    assert!(repaint_delay(&window) <= step, "it goes on by itself");
    let begun = |app: &App| {
        let analysis = app.tab().unwrap().document.analysis().unwrap();
        analysis.next_step_in() == Some(AnalysisSession::TIME_PER_MOVE)
    };
    for plies in (5..9).rev() {
        update_until(&mut window, begun);
        time.advance(AnalysisSession::TIME_PER_MOVE);
        update_until(&mut window, |app| shown(app) == plies);
    }
    update_until(&mut window, begun);
    time.advance(AnalysisSession::TIME_PER_MOVE - 1);
    window.run_steps(3);
    assert_eq!(shown(window.state().app()), 5, "it is not time yet");
    key(&mut window, Key::ArrowLeft);
    time.advance(AnalysisSession::TIME_PER_MOVE);
    window.run_steps(3);
    assert_eq!(shown(window.state().app()), 4, "looking elsewhere stops it");
    window.get_by_role_and_label(Role::Button, "Analyse all");
}

#[test]
fn evaluations_in_a_file_stand_beside_their_moves() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.sgf");
    let text =
        "(;GM[4]SZ[15];B[hh];W[ih]C[eval -35, depth 4-6, 7 nodes](;B[hg]C[win in 9])(;B[gg]))";
    fs::write(&path, text).unwrap();
    let mut test = TestApp::new();
    test.file(FileCommand::Open(path));
    test.update_until(|app| app.snapshot().is_some());
    let infos: Vec<_> = test.snapshot().rows.iter().map(|row| row.info).collect();
    let told = |index: usize| infos[index].map(|info| (info.eval, info.win_in, info.depth));
    assert_eq!([told(0), told(1)], [None, Some((Some(-35), None, 4))]);
    assert_eq!(told(2), Some((None, Some(9), 0)));
}

#[test]
fn a_variation_becomes_the_main_line() {
    let mut window = varied();
    press(&mut window, "Make main line");
    key(&mut window, Key::ArrowLeft);
    let app = window.state().app();
    let analysis = app.tab().unwrap().document.analysis().unwrap();
    let names: Vec<String> = analysis.branches(8).iter().map(|(mv, _)| mv.to_string()).collect();
    assert_eq!(names, ["g7", "l8"]);
}

/// An analysis of a finished game, with a variation.
fn varied() -> Shown {
    let mut window = finished();
    key(&mut window, Key::A);
    key(&mut window, Key::ArrowLeft);
    press(&mut window, "G7");
    window
}

/// A finished analysed game, with a variation and a comment to it.
fn commented() -> Shown {
    let mut window = varied();
    type_in(&mut window, "Comment", "holds [so far]");
    window
}

#[test]
fn a_study_is_saved_and_opened_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.sgf");
    let mut window = commented();
    window.get_by_label_contains("Unsaved changes");
    press(&mut window, "Save");
    save_as(&mut window, &path);
    window.get_by_label_contains(&format!("Saved in {}", path.display()));
    let tree = analysis(window.state().app()).tree().clone();
    assert!(tree.has_variations() && !analysis(window.state().app()).saved.is_unsaved());
    // What is changed now goes to the same file, without a question.
    press(&mut window, "Delete from here");
    strike(&mut window, Modifiers::COMMAND, Key::S);
    update_until(&mut window, |app| !analysis(app).saved.is_unsaved());
    assert!(window.state().app().file_dialog().is_none());
    // And what was there is there again.
    fs::write(&path, tengen_record_of(&tree, window.state().app())).unwrap();
    strike(&mut window, Modifiers::COMMAND, Key::O);
    set_file_name(&mut window, &path);
    press(&mut window, "Open");
    update_until(&mut window, |app| app.tabs().0.len() == 3);
    assert_eq!(*analysis(window.state().app()).tree(), tree);
    key(&mut window, Key::ArrowLeft);
    window.get_by_role_and_label(Role::Button, "variation G7");
    press(&mut window, "variation G7");
    let comment = window.get_by_role_and_label(Role::TextInput, "Comment");
    assert_eq!(comment.value().unwrap(), "holds [so far]");
}

/// The SGF of a tree, with all else as the analysis in front has it.
fn tengen_record_of(tree: &tengen_record::formats::Tree, app: &App) -> String {
    let mut sheet = (**analysis(app).sheet()).clone();
    sheet.tree = tree.clone();
    tengen_record::formats::sgf::write(&sheet)
}

#[test]
fn unsaved_work_is_not_closed_without_a_question() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("kept.sgf");
    let mut window = commented();
    let close = |window: &mut Shown| {
        key(window, Key::Escape);
        strike(window, Modifiers::COMMAND, Key::W);
    };
    close(&mut window);
    window.get_by_label_contains("before closing?");
    press(&mut window, "Cancel");
    assert_eq!(tabs(&window), 2);
    close(&mut window);
    press_last(&mut window, "Save");
    set_file_name(&mut window, &path);
    press_last(&mut window, "Save");
    update_until(&mut window, |app| app.tabs().0.len() == 1);
    assert!(fs::read_to_string(&path).unwrap().contains("C[holds [so far\\]]"));
    let mut window = commented();
    close(&mut window);
    press(&mut window, "Discard");
    assert_eq!(tabs(&window), 1);
    // Without changes nothing is asked.
    key(&mut window, Key::A);
    close(&mut window);
    assert_eq!(tabs(&window), 1);
}

#[test]
fn a_format_that_cannot_hold_the_tree_says_so_and_saves_no_study() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = commented();
    press(&mut window, "Save");
    for (format, expected) in
        [("psq", "comments"), ("pos", "comments"), ("jsonl", "variations"), ("pgn", "comments")]
    {
        set_file_name(&mut window, &folder.path().join(format!("mine.{format}")));
        let told = window.get_by_label_contains("This format does not include:");
        let told = told.accesskit_node().value().unwrap();
        assert!(told.contains(expected) && told.contains("variations"), "{format}: {told}");
    }
    save_as(&mut window, &folder.path().join("mine.psq"));
    window.get_by_label_contains("This format does not include:");
    assert!(analysis(window.state().app()).saved.is_unsaved(), "the tree is in no file");
}

fn opened(test: &mut TestApp, path: &Path) {
    test.file(FileCommand::Open(path.to_owned()));
    test.update_until(|app| app.tab().is_some());
}

#[test]
fn an_opened_file_shows_all_its_variations() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lines.sgf");
    let text = "(;GM[4]SZ[15]RU[renju]AB[hh]AW[ih](;B[gg]C[first](;W[aa])(;W[bb];B[cc]))\
                (;C[aside];B[gi]C[second]))";
    fs::write(&path, text).unwrap();
    let mut test = TestApp::new();
    opened(&mut test, &path);
    assert_eq!(test.app.tab().unwrap().document.title(test.app.tr()), "Analysis: lines.sgf");
    let names = |test: &TestApp, plies: usize| -> Vec<String> {
        analysis(&test.app).branches(plies).iter().map(|(mv, _)| mv.to_string()).collect()
    };
    assert_eq!(names(&test, 2), ["g9", "g7"]);
    assert_eq!(names(&test, 3), ["a15", "b14"]);
    assert_eq!(analysis(&test.app).comment(2), "aside");
    test.look_at(3);
    test.apply(Command::Analysis(AnalysisCommand::Branch { after: 3, index: 1 }));
    assert_eq!(test.snapshot().rows.len(), 5);
    // Stones that were set up are no moves: nothing goes off among them, and they are saved so.
    test.look_at(1);
    for command in [
        Command::Click(point("a1")),
        Command::Analysis(AnalysisCommand::Delete),
        Command::Analysis(AnalysisCommand::Comment("lost".to_owned())),
    ] {
        test.apply(command);
    }
    assert!(!analysis(&test.app).saved.is_unsaved());
    test.look_at(2);
    test.apply(Command::Click(point("a1")));
    assert!(analysis(&test.app).saved.is_unsaved());
    test.file(FileCommand::CopyGame);
    let copied = test.app.take_copied().unwrap();
    assert!(copied.contains("AB[hh]AW[ih]") && copied.contains("B[ao]"), "{copied}");
    test.paste(&copied);
    assert_eq!(analysis(&test.app).branches(2).len(), 3);
}

#[test]
fn a_file_that_is_there_is_replaced_when_it_is_named_twice() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("there.pos");
    fs::write(&path, "h8\n").unwrap();
    let mut test = TestApp::new();
    test.paste("h8i9h9");
    test.name_file(FilePurpose::Save, &path);
    let asked = |app: &App| app.file_dialog().is_some_and(|dialog| dialog.problem.is_some());
    test.update_until(asked);
    let dialog = test.app.file_dialog().unwrap();
    assert!(dialog.problem.as_ref().unwrap().contains("already exists"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "h8\n");
    test.file(FileCommand::Accept);
    test.update_until(|app| app.file_dialog().is_none());
    assert_eq!(fs::read_to_string(&path).unwrap(), "h8i9h9\n");
}

#[test]
fn what_a_format_does_not_say_is_told_in_chinese_too() {
    let mut test = TestApp::new();
    test.apply(Command::SetLanguage(Language::Chinese));
    test.paste(
        "(;GM[4]SZ[15]RU[renju, RIF]EV[cup]PB[a]PW[b]TM[60]RE[B+Resign]END[resignation]XX[y];\
         B[hh]BL[59]C[good];W[hi](;B[aa])(;B[bb]))",
    );
    for format in ["jsonl", "psq", "pos", "offset"] {
        test.file(FileCommand::OpenDialog(FilePurpose::Save));
        test.file(FileCommand::SetName(format!("game.{format}")));
        let told = test.app.tr().lost(&test.app.file_dialog().unwrap().lost);
        assert!(told.contains("变化"), "{told}");
        assert!(!told.bytes().any(|byte| byte.is_ascii_alphabetic()), "{told}");
        test.file(FileCommand::Cancel);
    }
}
