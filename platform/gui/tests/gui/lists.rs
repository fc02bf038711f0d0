//! Long lists of games.

use std::hint::black_box;
use std::time::{Duration, Instant};

use eframe::egui::{
    Context, Event, Modifiers, MouseWheelSource, MouseWheelUnit, Pos2, RawInput, Rect, Role,
    TouchPhase, pos2, vec2,
};
use egui_kittest::kittest::{NodeT, Queryable};
use tengen_gui::Window;
use tengen_gui::app::{EventCommand, EventPage, EventPhase, FileCommand};

use crate::events;
use crate::test_app::TestApp;
use crate::windows::{Shown, window};

const GAMES: usize = 10_000;

/// The numbers of the games that are laid out.
fn rows(window: &Shown) -> Vec<usize> {
    let number = |label: &str| label.split_once("  ")?.0.parse().ok();
    let buttons = window.query_all_by_role(Role::Button);
    buttons.filter_map(|row| number(&row.accesskit_node().label()?)).collect()
}

fn wheel(points: f32) -> Event {
    let delta = vec2(0.0, points);
    let (unit, phase, source) =
        (MouseWheelUnit::Point, TouchPhase::Move, MouseWheelSource::Unknown);
    Event::MouseWheel { unit, delta, phase, source, modifiers: Modifiers::NONE }
}

#[test]
fn of_ten_thousand_games_only_those_that_are_seen_are_laid_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("many.pos");
    std::fs::write(&file, "h8i9h9i10\n".repeat(GAMES)).unwrap();
    let mut test = TestApp::new();
    test.file(FileCommand::Open(file));
    test.update_until(|app| app.tab().is_some());
    let mut window = window(test);
    let seen = rows(&window);
    assert!((10..60).contains(&seen.len()), "{} rows", seen.len());
    assert_eq!(seen[0], 1);
    window.hover_at(pos2(400.0, 400.0));
    window.run_steps(2);
    window.event(wheel(-1e7));
    window.run_steps(60);
    let seen = rows(&window);
    assert!((10..60).contains(&seen.len()), "{} rows", seen.len());
    assert_eq!(seen.last(), Some(&GAMES));
}

/// Draws a frame as the program does, up to the triangles that the screen is given.
fn frame(context: &Context, window: &mut Window, events: Vec<Event>) -> Duration {
    let screen = Rect::from_min_size(Pos2::ZERO, vec2(1180.0, 820.0));
    let input = RawInput { screen_rect: Some(screen), events, ..RawInput::default() };
    let start = Instant::now();
    let mut output = context.run_ui(input, |ui| window.frame(ui));
    black_box(context.tessellate(output.shapes, output.pixels_per_point));
    let time = start.elapsed();
    output.textures_delta.clear();
    time
}

#[test]
#[ignore = "a measurement: `cargo xtask bench` prints it"]
fn frames_of_ten_thousand_finished_games() {
    let folder = tempfile::tempdir().unwrap();
    let mut test = events::test_app(folder.path());
    events::begin(&mut test, events::form(GAMES as u32));
    events::wait(&test, |shown| shown.phase == EventPhase::Finished);
    test.event(EventCommand::Show(EventPage::FinishedGames));
    let (mut window, context) = (Window::new(test.app), Context::default());
    let pointer = || Event::PointerMoved(pos2(400.0, 400.0));
    for _ in 0..20 {
        frame(&context, &mut window, vec![pointer()]);
    }
    let mut times: Vec<Duration> = (0..2000)
        .map(|turn| {
            // Ever on, and from the end back again.
            let points = if turn / 1000 % 2 == 0 { -230.0 } else { 230.0 };
            frame(&context, &mut window, vec![pointer(), wheel(points)])
        })
        .collect();
    times.sort_unstable();
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    let (p50, p99, most) = (at(0.5), at(0.99), at(1.0));
    println!("{GAMES} finished games, scrolled: p50 {p50:.2?}, p99 {p99:.2?}, most {most:.2?}");
}
