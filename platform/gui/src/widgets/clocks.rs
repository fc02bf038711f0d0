//! The players with their clocks.

use eframe::egui::{
    Align, Color32, Frame, Label, Layout, Painter, Rect, RichText, Role, Sense, Shape, Stroke, Ui,
    WidgetInfo, vec2,
};
use tengen_arbiter::Nanos;
use tengen_rules::Seat;

use super::{Scene, player_menu, stone};
use crate::app::{ClockReading, ClockState, Text};
use crate::theme::accent;

/// Both players with their colours and clocks. Returns when one of the clocks changes.
pub(crate) fn clocks(ui: &mut Ui, scene: &Scene<'_>) -> Option<Nanos> {
    let read = |seat| (seat, ClockReading::read(scene.snapshot, seat, scene.now));
    let readings = Seat::ALL.map(read);
    for (seat, reading) in &readings {
        card(ui, scene, *seat, reading);
    }
    readings.iter().filter_map(|(_, reading)| reading.next_change).min()
}

fn card(ui: &mut Ui, scene: &Scene<'_>, seat: Seat, reading: &ClockReading) {
    let Scene { snapshot, palette, settings, .. } = *scene;
    let asked = snapshot.asked.is_some_and(|asked| asked.seat == seat);
    let color = accent(snapshot.seats[seat].accent, settings.dark);
    let expired = reading.state == ClockState::Expired;
    let short = expired || (reading.is_running() && reading.is_low());
    let edge = match (short, asked) {
        (true, _) => Stroke::new(1.5, palette.danger),
        (false, true) => Stroke::new(1.5, color),
        (false, false) => Stroke::new(1.0, palette.edge),
    };
    let frame = Frame::new().fill(palette.card).stroke(edge).corner_radius(8);
    let drawn = frame.inner_margin(10).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            player_header(ui, scene, seat);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                left(ui, scene, seat, reading)
            });
        });
        ui.horizontal(|ui| below(ui, scene, seat, reading));
    });
    if asked {
        // A bar at the edge marks the side to move.
        let card = drawn.response.rect;
        let bar =
            Rect::from_min_size(card.left_top() + vec2(0.0, 8.0), vec2(4.0, card.height() - 16.0));
        ui.painter().rect_filled(bar, 2.0, color);
    }
    ui.add_space(2.0);
}

/// The stone and the name.
fn player_header(ui: &mut Ui, scene: &Scene<'_>, seat: Seat) {
    let Scene { snapshot, tr, settings, .. } = *scene;
    let seated = &snapshot.seats[seat];
    let (rect, drawn) = ui.allocate_exact_size(vec2(22.0, 22.0), Sense::hover());
    stone(ui.painter(), rect.center(), 10.0, seated.color);
    drawn.widget_info(|| {
        let text = tr.fill(Text::Plays, &[tr.name(&seated.name), tr.color(seated.color)]);
        WidgetInfo::labeled(Role::Image, true, text)
    });
    if snapshot.series.is_some() {
        let color = accent(seated.accent, settings.dark);
        ui.label(RichText::new(&seated.name).size(16.0).strong().color(color));
    } else {
        player_menu(ui, scene, seat);
    }
}

/// The time left, with a sign if the clock is paused or expired.
fn left(ui: &mut Ui, scene: &Scene<'_>, seat: Seat, reading: &ClockReading) {
    let Scene { snapshot, tr, palette, .. } = *scene;
    let untimed = reading.left.is_none();
    let text = if untimed { tr.text(Text::NoClock).to_owned() } else { reading.left_text() };
    let rich = RichText::new(&text);
    let mut rich = if untimed { rich.size(13.0) } else { rich.monospace().size(28.0) };
    let color = match reading.state {
        ClockState::Expired => palette.danger,
        ClockState::Running | ClockState::Paused if untimed => palette.text,
        ClockState::Running | ClockState::Paused if reading.is_low() => palette.danger,
        ClockState::Running | ClockState::Paused => palette.text,
        ClockState::Stopped => palette.weak,
    };
    rich = rich.color(color);
    if reading.state != ClockState::Stopped {
        rich = rich.strong();
    }
    let state = tr.text(match reading.state {
        ClockState::Stopped => Text::ClockStopped,
        ClockState::Running if reading.is_low() => Text::ClockRunningLow,
        ClockState::Running => Text::ClockRunning,
        ClockState::Paused => Text::ClockPaused,
        ClockState::Expired => Text::ClockExpired,
    });
    let name = tr.color(snapshot.seats[seat].color);
    let in_words = tr.periods(reading);
    if reading.byo_yomi.is_some() {
        // From right to left.
        let periods = RichText::new(reading.periods_text()).monospace().size(15.0).color(color);
        ui.label(periods).on_hover_text(&in_words);
    }
    let label = ui.label(rich.color(color));
    label.widget_info(|| {
        let text = tr.fill(Text::ClockLabel, &[name, &text, state]);
        let text = if in_words.is_empty() { text } else { format!("{text}, {in_words}") };
        WidgetInfo::labeled(Role::Timer, true, text)
    });
    if !in_words.is_empty() {
        label.on_hover_text(in_words);
    }
    if matches!(reading.state, ClockState::Paused | ClockState::Expired) {
        let (rect, drawn) = ui.allocate_exact_size(vec2(16.0, 20.0), Sense::hover());
        drawn.on_hover_text(state);
        sign(ui.painter(), rect, reading.state, color);
    }
}

/// Two bars for a paused clock, a flag for an expired one.
fn sign(painter: &Painter, rect: Rect, state: ClockState, color: Color32) {
    let at = |x: f32, y: f32| rect.left_top() + vec2(x, y);
    match state {
        ClockState::Paused => {
            for x in [3.0, 10.0] {
                painter.rect_filled(Rect::from_min_max(at(x, 4.0), at(x + 4.0, 17.0)), 1.0, color);
            }
        }
        ClockState::Expired => {
            painter.line_segment([at(3.0, 2.0), at(3.0, 19.0)], Stroke::new(2.0, color));
            let cloth = vec![at(4.0, 2.0), at(15.0, 6.5), at(4.0, 11.0)];
            painter.add(Shape::convex_polygon(cloth, color, Stroke::NONE));
        }
        ClockState::Stopped | ClockState::Running => {}
    }
}

/// What the player does, the time used, and the time control.
fn below(ui: &mut Ui, scene: &Scene<'_>, seat: Seat, reading: &ClockReading) {
    let Scene { snapshot, tr, palette, .. } = *scene;
    let asked = snapshot.asked.filter(|asked| asked.seat == seat);
    let (doing, color) = match (reading.state, asked) {
        (ClockState::Expired, _) => (tr.text(Text::ClockExpired), palette.danger),
        (ClockState::Paused, _) => (tr.text(Text::ClockPaused), palette.text),
        (_, asked) => (asked.map_or("", |asked| tr.ask(asked.ask)), palette.text),
    };
    ui.colored_label(color, doing);
    ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
        if reading.used > 0 || reading.spent.is_some() {
            let used = tr.fill(Text::Used, &[&reading.used_text()]);
            ui.colored_label(palette.weak, used).on_hover_text(tr.text(Text::UsedTip));
        }
        if let Some((spent, cap)) = reading.spent_text() {
            let text = match cap {
                Some(cap) => tr.fill(Text::SpentOf, &[&spent, &cap]),
                None => tr.fill(Text::Spent, &[&spent]),
            };
            ui.colored_label(palette.text, text);
        }
        let control = &snapshot.seats[seat].control;
        if reading.left.is_some() {
            let text = RichText::new(tr.control(control)).small().color(palette.weak);
            let exact = format!("{}: {control}", tr.text(Text::TimeControlTip));
            ui.add(Label::new(text).truncate()).on_hover_text(exact);
        }
    });
}
