//! The board on the screen: what its points say, what is written on it, and where it lies.

use eframe::egui::{Key, Rect, Role, Vec2, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use tengen_gui::Window;
use tengen_gui::app::{GameForm, translator};
use tengen_rules::{Point, Procedure, Rule, Size};

use crate::matches::{FIVE, THREES, event, played, session, wait_for};
use crate::test_app::TestApp;
use crate::texts::{texts, texts_within};
use crate::windows::{
    Shown, finished, key, play, playing, press, snapshot, strike, wait, watching, window,
};

const SIZES: [(u8, u8); 7] = [(5, 5), (7, 5), (15, 15), (19, 19), (22, 22), (20, 15), (6, 22)];

fn at(window: &Shown, label: &str) -> Rect {
    window.get_by_label(label).rect()
}

#[test]
fn every_point_of_every_board_says_its_name() {
    for (width, height) in SIZES.into_iter().chain([(32, 20)]) {
        let window = playing(GameForm { width, height, ..GameForm::default() });
        let size = Size::new(width, height).unwrap();
        for point in size.points() {
            window.get_by_role_and_label(Role::Button, &translator::point(point));
        }
    }
    // A finished game asks for nothing, and its points are there to be read.
    let window = finished();
    for label in ["A1", "H8 black 1", "H9 white 2", "O15"] {
        window.get_by_role_and_label(Role::Image, label);
    }
}

#[test]
fn boards_fill_windows_of_every_size_and_lie_in_them() {
    let screens = [([760.0, 520.0], 1.0), ([1280.0, 900.0], 1.0), ([2560.0, 1440.0], 1.0)];
    for (screen, scale) in screens.into_iter().chain([([1280.0, 900.0], 2.0)]) {
        for (width, height) in SIZES {
            let mut test = TestApp::new();
            test.begin(GameForm { width, height, ..GameForm::default() });
            test.wait_asked(0);
            let builder = Harness::builder().with_size(screen).with_pixels_per_point(scale);
            let mut window = builder
                .build_ui_state(|ui, window: &mut Window| window.frame(ui), Window::new(test.app));
            window.run_steps(4);
            let corner = translator::point(Point::new(width - 1, height - 1));
            let (low, high) = (at(&window, "A1"), at(&window, &corner));
            let board = low.union(high);
            let clock = at(&window, "black clock no clock running");
            let prompt = at(&window, "Your move, black");
            let menu = window.get_by_role_and_label(Role::Button, "Board").rect();
            assert!(board.right() < clock.left() && board.bottom() < prompt.top(), "{board}");
            assert!(board.left() >= 0.0 && board.top() > menu.bottom(), "{board}");
            // Square, and as large as there is room for in one of the two ways.
            let cells = board.size() / vec2(f32::from(width), f32::from(height));
            assert!((cells.x - cells.y).abs() < 0.01, "{cells}");
            let room = vec2(clock.left(), prompt.top() - menu.bottom());
            let margin = Vec2::splat(2.5 * cells.x + 60.0);
            let fills = board.size() + margin;
            assert!(fills.x >= room.x * 0.8 || fills.y >= room.y * 0.8, "{board} in {room}");
        }
    }
}

#[test]
fn stones_show_as_many_numbers_as_are_wanted() {
    let mut window = finished();
    // The edges have figures, too.
    press(&mut window, "Board");
    press(&mut window, "Coordinates");
    let numbers = |window: &Shown| {
        let game_data = texts_within(window, at(window, "A1").union(at(window, "O15")));
        let mut numbers: Vec<u32> = game_data.iter().filter_map(|text| text.parse().ok()).collect();
        numbers.sort_unstable();
        numbers
    };
    let all: Vec<u32> = (1..=9).collect();
    assert_eq!(numbers(&window), all);
    for (wanted, label) in [(&all[..0], "No move numbers"), (&all[4..], "Last move numbers")] {
        press(&mut window, "Board");
        press(&mut window, label);
        assert_eq!(numbers(&window), wanted, "{label}");
    }
    // And so many as are typed.
    strike(&mut window, eframe::egui::Modifiers::COMMAND, Key::Comma);
    window.get_by_role_and_label(Role::SpinButton, "How many").set_value_accesskit(2.0);
    window.run_steps(3);
    press(&mut window, "Done");
    assert_eq!(numbers(&window), all[7..]);
}

#[test]
fn edges_are_labelled_on_two_sides_on_four_and_on_none() {
    let mut window = finished();
    let letters = |window: &Shown| texts(window).iter().filter(|text| *text == "O").count();
    assert_eq!(letters(&window), 1);
    for (label, expected) in [("Coordinates on all sides", 2), ("Coordinates", 0)] {
        press(&mut window, "Board");
        press(&mut window, label);
        assert_eq!(letters(&window), expected, "{label}");
    }
}

#[test]
fn a_forbidden_point_gives_its_reason_when_the_pointer_rests_on_it() {
    let gate = std::sync::Arc::new(crate::matches::Gate::default());
    let session = session(event("rule = 'renju'"), THREES, Some(gate.clone()));
    gate.let_pass(8);
    wait_for(&session, |snapshot| snapshot.rows.len() == 8);
    let mut window = watching(session);
    let reason = "H8 forbidden: double three";
    assert!(!texts(&window).iter().any(|text| text == reason));
    window.get_by_label(reason).hover();
    window.run_steps(8);
    assert!(texts(&window).iter().any(|text| text == reason));
    gate.open();
}

#[test]
fn a_stone_tells_its_move_when_the_pointer_rests_on_it() {
    let mut window = finished();
    window.get_by_label("I8 black 3").hover();
    window.run_steps(8);
    let game_data = texts(&window);
    for text in ["3  I8", "1.50 s", "depth 4, 100 nodes", "+35"] {
        assert!(game_data.iter().any(|known| known == text), "{text} in {game_data:?}");
    }
}

#[test]
fn the_winning_row_and_the_last_move_are_marked_on_the_board() {
    let session = played(event(""), FIVE);
    let mut window = watching(session);
    let row: Vec<String> = ["H8", "I8", "J8", "K8", "L8"].map(str::to_owned).to_vec();
    let circles = |window: &Shown| {
        let cell = at(window, "A1").width();
        let names = ["H8", "I8", "J8", "K8", "L8", "H9", "A1"];
        let mut marked = Vec::new();
        for (name, ply) in names.iter().zip([1, 3, 5, 7, 9, 2, 0]) {
            let color = if ply % 2 == 1 { "black" } else { "white" };
            let label = if ply == 0 { (*name).to_owned() } else { format!("{name} {color} {ply}") };
            let Some(node) = window.query_by_label(&label) else { continue };
            let rings = crate::texts::rings(window, node.rect().center(), cell * 0.3);
            if rings > 0 {
                marked.push((*name).to_owned());
            }
        }
        marked
    };
    assert_eq!(circles(&window), row);
    key(&mut window, Key::ArrowLeft);
    assert!(circles(&window).is_empty(), "the row is whole at the end alone");
    press(&mut window, "7 K8 black");
    assert_eq!(circles(&window), ["K8"], "the last move has a ring");
}

#[test]
fn a_zone_is_told_and_kept() {
    let mut window = playing(GameForm {
        opening: Procedure::Taraguchi10,
        rule: Rule::Renju,
        ..GameForm::default()
    });
    // The first move of it is the centre's.
    let zone = snapshot(&window).asked.unwrap();
    assert!(matches!(zone.ask, tengen_rules::Ask::Move { .. }), "{zone:?}");
    window.get_by_label_contains("Your move, black: ");
    press(&mut window, "A1");
    wait(&mut window, |snapshot| snapshot.refusal.is_some());
    window.get_by_label_contains("A1 is not ");
    assert_eq!(snapshot(&window).rows.len(), 0);
    play(&mut window, "H8");
    window.get_by_label("H8 black 1");
}

#[test]
fn offered_fifth_moves_are_told_and_one_is_kept() {
    let mut test = TestApp::new();
    test.begin(GameForm {
        opening: Procedure::Yamaguchi,
        rule: Rule::Renju,
        ..GameForm::default()
    });
    loop {
        let snapshot = test.wait(|snapshot| snapshot.asks_person().is_some());
        if snapshot.asks_person().unwrap().ask == tengen_rules::Ask::Pick {
            break;
        }
        test.answer(true);
    }
    let mut window = window(test);
    window.get_by_label("Pick one of the offered fifth moves");
    let offered: Vec<String> =
        snapshot(&window).offered.iter().map(|point| translator::point(*point)).collect();
    assert!(offered.len() > 1, "{offered:?}");
    for point in &offered {
        window.get_by_role_and_label(Role::Button, &format!("{point} offered"));
    }
    press(&mut window, &format!("{} offered", offered[0]));
    wait(&mut window, |snapshot| snapshot.rows.len() == 5);
    window.get_by_label(&format!("{} black 5", offered[0]));
}
