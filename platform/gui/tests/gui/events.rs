//! Events in the window: from the form to the last game.

use std::path::Path;
use std::sync::mpsc;
use std::time::Duration;

use eframe::egui::{Key, Modifiers, Role};
use egui_kittest::kittest::{NodeT, Queryable};
use tempfile::TempDir;
use tengen_gui::app::{
    App, Dialog, Document, EventChange, EventCommand, EventForm, EventPage, EventPhase,
    EventSession, EventSnapshot, FileCommand,
};
use tengen_players::RealTime;
use tengen_tournament::{ChangeKind, Event, EventConfig, EventProgress, Stop};

use crate::engine_list::RandomRoster;
use crate::test_app::TestApp;
use crate::windows::{Shown, press, repaint_delay, strike, update_until, window};

pub fn test_app(folder: &Path) -> TestApp {
    TestApp::with_events(folder)
}

pub fn form(games: u32) -> EventForm {
    let text = format!("size = 9\ngames = {games}\nconcurrency = 2\nengines = ['dice', 'meek']");
    EventForm::new(EventConfig::from_toml(&text, "cup.toml".as_ref()).unwrap())
}

pub fn begin(test: &mut TestApp, form: EventForm) {
    test.event(EventCommand::OpenForm);
    test.event(EventCommand::Edit(Box::new(form)));
    test.event(EventCommand::Begin);
}

/// An event of so many games that is played, and the folder of all events.
fn begun(games: u32) -> (TempDir, TestApp) {
    let folder = tempfile::tempdir().unwrap();
    let mut test = test_app(folder.path());
    begin(&mut test, form(games));
    (folder, test)
}

pub fn session_of(app: &App) -> &EventSession {
    match &app.tab().unwrap().document {
        Document::Event(session) => session,
        _ => panic!("an event lies in front"),
    }
}

fn session(test: &TestApp) -> &EventSession {
    session_of(&test.app)
}

fn shown_session(window: &Shown) -> &EventSession {
    session_of(window.state().app())
}

pub fn wait(test: &TestApp, condition: impl Fn(&EventSnapshot) -> bool) -> EventSnapshot {
    session(test).wait_until(condition);
    session(test).snapshot()
}

#[test]
fn an_event_is_played_from_the_form_and_its_games_opened() {
    let (folder, mut test) = begun(8);
    let shown = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((shown.phase, shown.finished, &shown.problem), (EventPhase::Finished, 8, &None));
    assert_eq!(shown.summary.standings.iter().map(|line| line.wins + line.draws).sum::<u64>(), 8);
    // The folder is that of any event, and the form is remembered.
    assert!(shown.dir.starts_with(folder.path()));
    let event_again = Event::open(&shown.dir).unwrap();
    assert_eq!(event_again.summary().games, 8);
    assert!(shown.dir.join("games.jsonl").is_file());
    assert_eq!(EventForm::remembered(folder.path()), form(8));
    assert_eq!(session(&test).count(), 8);
    let (line, number) = (session(&test).line(3).unwrap(), session(&test).number(3).unwrap());
    assert_eq!(line.number, number);
    test.event(EventCommand::OpenGame(number));
    test.update_until(|app| matches!(app.tab().unwrap().document, Document::Opened(_)));
    assert_eq!(test.snapshot().result, line.result);
}

#[test]
fn an_event_rests_goes_on_stops_and_is_resumed_from_its_folder() {
    let (_folder, mut test) = begun(100_000);
    wait(&test, |shown| shown.finished > 2);
    test.event(EventCommand::Pause(true));
    assert!(session(&test).snapshot().paused);
    test.event(EventCommand::Pause(false));
    let before = session(&test).snapshot().finished;
    wait(&test, |shown| shown.finished > before);
    test.event(EventCommand::Pause(true));
    test.event(EventCommand::Stop);
    let stopped = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((stopped.phase, &stopped.problem), (EventPhase::Stopped, &None));
    assert!(session(&test).running_games().iter().all(Option::is_none));
    // The folder opens as a file does, and its games are all there.
    test.file(FileCommand::Open(stopped.dir.clone()));
    test.update_until(|app| app.tabs().0.len() == 2);
    let again = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((again.phase, again.finished), (EventPhase::Stopped, stopped.finished));
    assert_eq!(session(&test).count() as u64, stopped.finished);
    test.event(EventCommand::Resume);
    wait(&test, |shown| shown.finished > stopped.finished);
    test.event(EventCommand::Finish);
    let closed = wait(&test, |shown| !shown.phase.is_running());
    assert!(closed.finished > stopped.finished && closed.problem.is_none());
}

#[test]
fn an_event_is_paused_continued_and_stopped_from_elsewhere() {
    let (_folder, mut test) = begun(100_000);
    let dir = wait(&test, |shown| shown.finished > 2).dir;
    let order = |kind| Event::open(&dir).unwrap().order(kind, "", "today").unwrap();
    order(ChangeKind::Paused);
    wait(&test, |shown| shown.paused);
    // The button of the window does what the command does.
    test.event(EventCommand::Pause(false));
    wait(&test, |shown| !shown.paused && !shown.changing);
    let before = session(&test).snapshot().finished;
    wait(&test, |shown| shown.finished > before);
    // A stop ends the pause of the window.
    test.event(EventCommand::Pause(true));
    order(ChangeKind::Stopped);
    let stopped = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!(
        (stopped.phase, stopped.paused, &stopped.problem),
        (EventPhase::Stopped, false, &None)
    );
}

#[test]
fn engines_join_and_leave_an_event_and_it_gets_more_games() {
    let (_folder, mut test) = begun(4);
    let whole = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!((whole.phase, whole.total), (EventPhase::Finished, 4));
    let change = |test: &mut TestApp, change| {
        test.event(EventCommand::Change(change));
        let shown = wait(test, |shown| !shown.phase.is_running());
        assert_eq!(shown.problem, None);
        shown
    };
    // It is not running: it is changed, and may then be resumed.
    let grown = change(&mut test, EventChange::Add("third".to_owned()));
    assert_eq!((grown.phase, grown.total), (EventPhase::Stopped, 4 + 8));
    let longer = change(&mut test, EventChange::Extend(6));
    assert_eq!((longer.phase, longer.total, longer.config.games), (EventPhase::Stopped, 18, 6));
    let fewer = change(&mut test, EventChange::Remove(1));
    assert!(fewer.config.engines[1].removed.is_some());
    test.event(EventCommand::Change(EventChange::Remove(0)));
    let refused = wait(&test, |shown| !shown.phase.is_running());
    assert!(refused.problem.unwrap().contains("fewer than two"), "and nothing is changed");
    test.event(EventCommand::Resume);
    let played = wait(&test, |shown| shown.phase == EventPhase::Finished);
    assert_eq!((played.finished, played.total), (4 + 6, 4 + 6));
}

#[test]
fn a_running_event_is_changed_while_it_runs() {
    let (_folder, mut test) = begun(100_000);
    wait(&test, |shown| shown.finished > 2);
    test.event(EventCommand::Change(EventChange::Add("third".to_owned())));
    let grown = wait(&test, |shown| shown.config.engines.len() == 3);
    assert_eq!((grown.phase, grown.total), (EventPhase::Playing, 300_000));
    test.event(EventCommand::Stop);
    wait(&test, |shown| !shown.phase.is_running());
}

/// To start a newcomer takes long, and the run may end meanwhile.
#[test]
fn a_change_that_comes_after_the_end_of_a_run_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = test_app(folder.path());
    begin(&mut test, form(100_000));
    wait(&test, |shown| shown.finished > 2);
    let (release, wanted) = mpsc::channel();
    *test.held.lock().unwrap() = Some(wanted);
    test.event(EventCommand::Change(EventChange::Add("third".to_owned())));
    test.event(EventCommand::Stop);
    wait(&test, |shown| !shown.phase.is_running());
    drop(release);
    let shown = wait(&test, |shown| shown.config.engines.len() == 3);
    assert_eq!((shown.phase, shown.total), (EventPhase::Stopped, 300_000));
}

#[test]
fn a_running_event_is_not_closed_without_a_question_and_found_again() {
    let (_folder, test) = begun(100_000);
    let shown = wait(&test, |shown| shown.finished > 2);
    let mut window = window(test);
    strike(&mut window, Modifiers::COMMAND, Key::W);
    window.get_by_label("This event is running");
    press(&mut window, "Cancel");
    assert_eq!(window.state().app().tabs().0.len(), 1);
    strike(&mut window, Modifiers::COMMAND, Key::W);
    press(&mut window, "Stop and close");
    assert!(window.state().app().tab().is_none());
    // Its thread may still write; the list says what it has found.
    press(&mut window, "Open event…");
    let found = |dialog: &Dialog| match dialog {
        Dialog::Events { past: Some(past) } => past.len(),
        _ => 0,
    };
    update_until(&mut window, |app| app.dialog().map(found) == Some(1));
    let name = shown.dir.file_name().unwrap().to_string_lossy().into_owned();
    let is_same = |label: String| label.starts_with(&name);
    window.get_by(|node| node.label().is_some_and(is_same)).click();
    window.run_steps(3);
    let app = window.state().app();
    assert!(app.dialog().is_none());
    assert!(matches!(&app.tab().unwrap().document, Document::Event(session)
        if session.snapshot().dir == shown.dir));
}

/// Plays some games of an event as the command line does.
fn play_elsewhere(dir: &Path, games: u64) -> u64 {
    let (mut event, stop) = (Event::open(dir).unwrap(), Stop::new());
    let before = event.tally().len();
    let mut observe = |progress: &EventProgress<'_>| {
        if progress.finished >= before + games {
            stop.request();
        }
    };
    event.run(&RandomRoster, &RealTime::new(), &stop, &mut observe).unwrap();
    event.tally().len()
}

#[test]
fn an_event_of_the_window_goes_on_elsewhere_and_comes_back() {
    let (_folder, mut test) = begun(100_000);
    wait(&test, |shown| shown.finished > 2);
    test.event(EventCommand::Stop);
    let stopped = wait(&test, |shown| !shown.phase.is_running());
    let played = play_elsewhere(&stopped.dir, 5);
    assert!(played >= stopped.finished + 5);
    test.event(EventCommand::Resume);
    let back = wait(&test, |shown| shown.finished > played);
    assert_eq!((back.phase, &back.problem), (EventPhase::Playing, &None));
    test.event(EventCommand::Stop);
    wait(&test, |shown| !shown.phase.is_running());
}

#[test]
fn what_cannot_be_played_is_said_in_the_window() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = test_app(folder.path());
    let mut gone = form(2);
    gone.seat("gone", true);
    begin(&mut test, gone);
    let shown = wait(&test, |shown| !shown.phase.is_running());
    assert_eq!(shown.problem.as_deref(), Some("gone: its file is gone"));
    let window = window(test);
    assert!(window.query_by_label("gone: its file is gone").is_some());
}

#[test]
fn the_pages_of_an_event_are_found_by_their_labels() {
    let (_folder, test) = begun(6);
    wait(&test, |shown| shown.phase == EventPhase::Finished);
    let mut window = window(test);
    assert_eq!(repaint_delay(&window), Duration::MAX, "nothing changes, nothing is drawn");
    for label in ["All games are finished", "6 of 6 games", "Cross table", "Elo"] {
        assert!(window.query_by_label(label).is_some(), "{label}");
    }
    press(&mut window, "Running games");
    assert!(window.query_by_label("No running games").is_some());
    press(&mut window, "Finished games");
    let session = shown_session(&window);
    assert_eq!(session.page, EventPage::FinishedGames);
    let rows = window.query_all_by_role(Role::Button);
    let found = rows.filter(|row| row.value().is_none()).count();
    assert!(found >= 6, "each game is a button of its own");
}

#[test]
fn the_wall_shows_the_games_that_are_played_and_enlarges_one() {
    let (_folder, mut test) = begun(100_000);
    wait(&test, |shown| shown.finished > 0);
    test.event(EventCommand::Pause(true));
    let mut window = window(test);
    press(&mut window, "Running games");
    let title = |window: &Shown| {
        let labels = window.query_all_by_role(Role::Button);
        let mut labels = labels.filter_map(|button| button.accesskit_node().label());
        labels.find(|label| label.starts_with("Game ") && label.contains(" – "))
    };
    let label = title(&window).expect("games are played");
    window.get_by_role_and_label(Role::Button, &label).click();
    window.run_steps(3);
    press(&mut window, "All boards");
    assert!(title(&window).is_some());
}

#[test]
fn an_event_is_steered_by_keys_and_menus() {
    let (_folder, test) = begun(100_000);
    wait(&test, |shown| shown.finished > 0);
    let mut window = window(test);
    let at = |window: &Shown| {
        let session = shown_session(window);
        (session.page, session.snapshot().paused, session.snapshot().phase)
    };
    strike(&mut window, Modifiers::COMMAND, Key::Num2);
    strike(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(at(&window), (EventPage::RunningGames, true, EventPhase::Playing));
    window.get_by_role_and_label(Role::Button, "Resume");
    strike(&mut window, Modifiers::COMMAND, Key::Num3);
    strike(&mut window, Modifiers::NONE, Key::P);
    assert_eq!(at(&window), (EventPage::FinishedGames, false, EventPhase::Playing));
    strike(&mut window, Modifiers::COMMAND, Key::Num1);
    press(&mut window, "Event");
    let finish = window.get_all_by_role_and_label(Role::Button, "Finish games, then stop");
    finish.last().expect("the menu has it, and the page").click();
    window.run_steps(3);
    let session = shown_session(&window);
    session.wait_until(|shown| !shown.phase.is_running());
    assert_eq!(at(&window), (EventPage::Standings, false, EventPhase::Stopped));
    window.run_steps(3);
    strike(&mut window, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::R);
    let session = shown_session(&window);
    session.wait_until(|shown| shown.phase == EventPhase::Playing);
    strike(&mut window, Modifiers::COMMAND, Key::Period);
    let session = shown_session(&window);
    session.wait_until(|shown| shown.phase == EventPhase::Stopped);
}

#[test]
fn a_damaged_event_says_so_and_is_repaired_by_a_button() {
    let (_folder, mut test) = begun(6);
    let played = wait(&test, |shown| shown.phase == EventPhase::Finished);
    std::fs::write(played.dir.join("event.db"), "nothing of this is a database").unwrap();
    test.event(EventCommand::Open(played.dir.clone()));
    let damaged = wait(&test, |shown| !shown.phase.is_running());
    assert!(damaged.damaged && damaged.problem.is_some_and(|text| text.contains("damaged")));
    let mut window = window(test);
    press(&mut window, "Repair");
    let session = shown_session(&window);
    session.wait_until(|shown| !shown.phase.is_running());
    let whole = session.snapshot();
    // The records that the run has exported have all its games.
    assert_eq!(
        (whole.phase, whole.finished, whole.repaired),
        (EventPhase::Finished, 6, Some((6, 6)))
    );
    window.run_steps(3);
    window.get_by_label("Repaired: 6 of 6 games are intact; the others will be played again");
}
