use eframe::egui::{Color32, Frame, RichText, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use tengen_arbiter::Nanos;
use tengen_rules::{Color, Seat};

use super::{accent, stone};
use crate::app::{ClockFace, Snapshot, words};

/// Both seats: who sits there, with which colour, and the clock. Returns after how long one of the
/// clocks reads differently.
pub(crate) fn clocks(ui: &mut Ui, snapshot: &Snapshot, now: Nanos) -> Option<Nanos> {
    let faces = Seat::ALL.map(|seat| (seat, ClockFace::read(snapshot, seat, now)));
    for (seat, face) in &faces {
        clock(ui, snapshot, *seat, face);
    }
    faces.iter().filter_map(|(_, face)| face.next_change).min()
}

fn clock(ui: &mut Ui, snapshot: &Snapshot, seat: Seat, face: &ClockFace) {
    let seated = &snapshot.seats[seat];
    let asked = snapshot.asked.filter(|asked| asked.seat == seat);
    let visuals = ui.visuals();
    let edge = if asked.is_some() {
        Stroke::new(2.0, accent(seated.engine))
    } else {
        Stroke::new(2.0, visuals.faint_bg_color)
    };
    let frame = Frame::new().fill(visuals.faint_bg_color).stroke(edge);
    frame.corner_radius(6).inner_margin(8).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            let (rect, drawn) = ui.allocate_exact_size(vec2(20.0, 20.0), Sense::hover());
            stone(ui.painter(), rect.center(), 9.0, seated.color);
            drawn.widget_info(|| {
                let text = format!("{} plays {}", seated.name, seated.color);
                WidgetInfo::labeled(Role::Image, true, text)
            });
            ui.label(RichText::new(&seated.name).size(16.0).strong().color(accent(seated.engine)));
        });
        ui.horizontal(|ui| {
            left(ui, seated.color, face);
            ui.vertical(|ui| {
                ui.label(RichText::new(seated.control.to_string()).weak())
                    .on_hover_text("The time control");
                let doing = asked.map_or("", |asked| words::ask(asked.ask));
                let spent = face.spent_text().unwrap_or_default();
                let space = if doing.is_empty() { "" } else { " · " };
                ui.label(format!("{doing}{space}{spent}"));
            });
        });
    });
    ui.add_space(4.0);
}

/// What is left, large.
fn left(ui: &mut Ui, color: Color, face: &ClockFace) {
    let text = face.left_text();
    let mut rich = RichText::new(&text).monospace().size(30.0);
    rich = if face.running && face.is_low() {
        rich.color(Color32::from_rgb(0xe0, 0x4a, 0x3a)).strong()
    } else if face.running {
        rich.strong()
    } else {
        rich.weak()
    };
    let response = ui.label(rich);
    let state = if face.running { "running" } else { "standing" };
    response.widget_info(|| {
        WidgetInfo::labeled(Role::Timer, true, format!("{color} clock {text} {state}"))
    });
}
