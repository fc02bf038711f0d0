//! The form of a new event, filled in by its labels.

use std::time::Duration;

use eframe::egui::Role;
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::app::{EventCommand, EventForm, EventPhase, FormField, UserAction};
use tengen_rules::Procedure;
use tengen_tournament::{Event, EventConfig};

use crate::events::{form, session_of, test_app, wait};
use crate::test_app::TestApp;
use crate::windows::{Shown, press, repaint_delay, type_in, window};

fn open(folder: &std::path::Path) -> Shown {
    let mut test = test_app(folder);
    test.wait_for_engines();
    let command = test.app.command(UserAction::NewEvent).expect("events are played here");
    test.apply(command);
    window(test)
}

fn of(window: &Shown) -> &EventForm {
    window.state().app().event_form().expect("the form is open")
}

fn scroll_to(window: &mut Shown, role: Role, label: &str) {
    window.get_by_role_and_label(role, label).scroll_to_me();
    window.run_steps(10);
}

fn tick(window: &mut Shown, label: &str) {
    scroll_to(window, Role::CheckBox, label);
    window.get_by_role_and_label(Role::CheckBox, label).click();
    window.run_steps(3);
}

fn write(window: &mut Shown, label: &str, text: &str) {
    scroll_to(window, Role::TextInput, label);
    type_in(window, label, text);
}

/// Opens the part of the form that is asked for rarely.
fn unfold(window: &mut Shown) {
    window.get_by_label("More").click();
    window.run_steps(30);
}

fn is_enabled(window: &Shown, label: &str) -> bool {
    !window.get_by_role_and_label(Role::Button, label).accesskit_node().is_disabled()
}

fn choose(window: &mut Shown, label: &str) {
    scroll_to(window, Role::Button, label);
    press(window, label);
}

#[test]
fn the_form_is_filled_in_by_its_labels_and_writes_the_file_of_the_event() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path());
    window.run();
    assert_eq!(repaint_delay(&window), Duration::MAX, "nothing changes, nothing is drawn");
    window.get_by_label("Choose two engines or more");
    assert!(!is_enabled(&window, "Begin"));
    tick(&mut window, "DICE");
    tick(&mut window, "MEEK");
    write(&mut window, "Time control", "5+0.5");
    tick(&mut window, "Stop when decided (SPRT)");
    window.get_by_role_and_label(Role::SpinButton, "Elo 1");
    unfold(&mut window);
    write(&mut window, "Seed", "7");
    choose(&mut window, "A game spoiled by the machine: is played again");
    choose(&mut window, "A late answer: is replaced");
    choose(&mut window, "A new process for each game: always");
    for flag in ["Draw by scores", "Win by scores"] {
        tick(&mut window, flag);
    }
    write(&mut window, "Memory of each engine", "350MiB");
    write(&mut window, "Options, one per line 1", "Depth=6");
    write(&mut window, "Name in results 2", "meeker");
    let filled = of(&window).filled().unwrap();
    let said = "tc = '5+0.5'\nseed = 7\n\
                spoiled = 'replay'\nlate = 'substitute'\nrestart = 'on'\n\
                memory = '350MiB'\ngames = 10000\nsprt = 'elo0=0,elo1=5'\n\
                engines = [{ id = 'dice', options = { Depth = '6' } }, \
                { id = 'meek', label = 'meeker' }]\n\
                [adjudicate-draw]\nstones = 40\nmoves = 8\nscore = 10\n\
                [adjudicate-resign]\nmoves = 3\nscore = 9000\n";
    assert_eq!(filled, EventConfig::from_toml(said, "said.toml".as_ref()).unwrap());
    // A form that was left is found again, and so it is by the command line.
    press(&mut window, "Cancel");
    assert_eq!(EventConfig::read(&folder.path().join("form.toml")).unwrap(), filled);
}

#[test]
fn a_field_that_cannot_be_read_says_how_it_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path());
    tick(&mut window, "DICE");
    tick(&mut window, "MEEK");
    assert!(is_enabled(&window, "Begin"));
    tick(&mut window, "CRASH");
    assert!(window.query_by_label("Stop when decided (SPRT)").is_none(), "a test is of two");
    unfold(&mut window);
    write(&mut window, "Memory of each engine", "lots");
    let told = "Memory of each engine: 350MiB or 2GiB; leave empty for no limit";
    window.get_by_label(told);
    assert!(!is_enabled(&window, "Begin"));
    write(&mut window, "Memory of each engine", "2GiB");
    assert_eq!(of(&window).typed(FormField::Memory), "2GiB");
    assert_eq!(of(&window).filled().err(), None);
    assert!(window.query_by_label(told).is_none(), "told");
    assert!(is_enabled(&window, "Begin"));
}

#[test]
fn an_engine_plays_twice_with_other_options() {
    let folder = tempfile::tempdir().unwrap();
    let mut window = open(folder.path());
    tick(&mut window, "DICE");
    unfold(&mut window);
    write(&mut window, "Options, one per line 1", "Depth=2");
    choose(&mut window, "Add again");
    write(&mut window, "Options, one per line 2", "Depth=4");
    let options = of(&window).filled().unwrap().engines;
    let options: Vec<_> = options.iter().map(|entry| entry.options["Depth"].as_str()).collect();
    assert_eq!(options, ["2", "4"]);
    window.get_by_role_and_label(Role::CheckBox, "DICE ×2");
    window.get_all_by_role_and_label(Role::Button, "Remove").next().unwrap().click();
    window.run_steps(3);
    assert_eq!(of(&window).entrants.len(), 1);
}

#[test]
fn openings_come_from_a_file_in_an_order() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.pos");
    std::fs::write(&suite, "h8 h9 i9\nh8 i9\n").unwrap();
    let mut test = test_app(folder.path());
    let mut asked = form(4);
    asked.config.opening = Procedure::Book;
    test.event(EventCommand::OpenForm);
    test.event(EventCommand::Edit(Box::new(asked)));
    let mut window = window(test);
    window.get_by_label(
        "Choose a file of opening positions, or another opening; balanced positions are there for \
         boards from 13x13 on",
    );
    write(&mut window, "File of opening positions", &suite.display().to_string());
    press(&mut window, "Order of positions: Random");
    press(&mut window, "Symmetries: All eight in turn");
    let mut filled = of(&window).filled().unwrap();
    filled.load_openings().unwrap();
    assert_eq!(filled.openings.positions().len(), 2);
    press(&mut window, "Begin");
    let session = session_of(window.state().app());
    session.wait_until(|shown| !shown.phase.is_running());
    let shown = session.snapshot();
    assert_eq!((shown.phase, shown.problem), (EventPhase::Finished, None));
    assert_eq!(*Event::open(&shown.dir).unwrap().config(), filled);
}

#[test]
fn a_test_of_two_engines_shows_how_it_stands_and_ends_when_it_decides() {
    let folder = tempfile::tempdir().unwrap();
    let mut test: TestApp = test_app(folder.path());
    // Dice of one kind are no stronger than dice of another by anything like so much.
    let mut asked = form(100_000);
    asked.config.sprt = "elo0=-5,elo1=300,alpha=0.0001,beta=0.0001".parse().ok();
    asked.type_in(FormField::Seed, "3");
    crate::events::begin(&mut test, asked);
    let shown = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((shown.phase, &shown.problem), (EventPhase::Finished, &None));
    let sprt = shown.summary.sprt.expect("it is a test");
    assert!(sprt.accepted.is_some() && shown.finished < shown.total);
    // It is known again where the event is opened again, and there is nothing to go on with.
    test.event(EventCommand::Open(shown.dir.clone()));
    let again = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((again.phase, again.summary.sprt), (EventPhase::Finished, Some(sprt)));
    let window = window(test);
    window.get_by_label("The test is decided");
    window.get_by_label("SPRT of −5 and +300 Elo");
    window.get_by_label("dice is stronger by −5 Elo rather than +300");
    assert!(!is_enabled(&window, "Resume"));
}
