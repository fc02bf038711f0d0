//! The move stack: what stands in it, and that what is shown is in sight.

use eframe::egui::{Key, Role};
use egui_kittest::kittest::Queryable;
use tengen_gui::app::{Decision, FileCommand, GameForm, PlayerSpec};
use tengen_rules::{Answer, BySeat, Color, Point, Procedure, Seat};

use crate::test_app::TestApp;
use crate::windows::{Shown, key, play, playing, press, snapshot, update_until, wait, window};

/// So many plies without a five.
fn long_game(plies: usize) -> String {
    let points = (0..15).flat_map(|y| (0..15).map(move |x| Point::new(x, y)));
    let (black, white): (Vec<Point>, Vec<Point>) =
        points.partition(|point| (point.x() + 2 * point.y()) % 4 < 2);
    let pairs = black.iter().zip(&white).flat_map(|(black, white)| [*black, *white]);
    pairs.take(plies).map(|point| point.to_string()).collect::<Vec<_>>().join("")
}

#[test]
fn the_move_shown_is_in_sight() {
    let mut test = TestApp::new();
    test.file(FileCommand::Paste(long_game(120)));
    let mut window = window(test);
    update_until(&mut window, |app| app.snapshot().is_some());
    let rows = |window: &Shown| {
        [1, 120].map(|ply| {
            let is_row = |node: &egui_kittest::Node<'_>| {
                let label = egui_kittest::kittest::NodeT::accesskit_node(node).label();
                label.is_some_and(|label| label.starts_with(&format!("{ply} ")))
            };
            window.query_all_by_role(Role::Button).any(|node| is_row(&node))
        })
    };
    key(&mut window, Key::End);
    assert_eq!(rows(&window), [false, true]);
    key(&mut window, Key::Home);
    key(&mut window, Key::ArrowRight);
    assert_eq!(rows(&window), [true, false], "the list goes where the board is");
    key(&mut window, Key::End);
    assert_eq!(rows(&window), [false, true]);
}

#[test]
fn decisions_of_an_opening_stand_between_the_moves() {
    let seats = BySeat { first: PlayerSpec::Person, second: PlayerSpec::Person };
    let mut window = playing(GameForm { seats, opening: Procedure::Swap, ..GameForm::default() });
    for point in ["H8", "H9", "G7"] {
        press(&mut window, point);
    }
    press(&mut window, "Place these stones");
    wait(&mut window, |now| now.rows.len() == 3 && now.asks_person().is_some());
    press(&mut window, "Take black");
    wait(&mut window, |snapshot| !snapshot.decisions.is_empty());
    let taken = Answer::Choose(Color::Black);
    let taken = Decision { after: 3, seat: Seat::Second, answer: taken };
    assert_eq!(*snapshot(&window).decisions, [taken]);
    let told = window.query_all_by_label("Person: black").count();
    assert_eq!(told, 2, "below the board and in the list");
    play(&mut window, "A1 B1");
    window.get_by_label("Person: black");
    press(&mut window, "Take back");
    wait(&mut window, |snapshot| snapshot.rows.len() == 4);
    assert_eq!(snapshot(&window).decisions.len(), 1);
}
