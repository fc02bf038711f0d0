use eframe::egui::{Button, CentralPanel, Frame, RichText, Ui, vec2};
use tengen_rules::Color;

use crate::app::{Text, UserAction};
use crate::widgets::{Look, stone};

/// The screen without tabs.
pub(crate) fn welcome(ui: &mut Ui, look: Look<'_>) {
    let Look { app, keys, tr, palette, .. } = look;
    let frame = Frame::new().fill(palette.ground);
    CentralPanel::default().frame(frame).show(ui, |ui| {
        ui.vertical_centered(|ui| {
            ui.add_space((ui.available_height() * 0.28).max(20.0));
            let (rect, _) = ui.allocate_exact_size(vec2(150.0, 44.0), eframe::egui::Sense::hover());
            for index in 0..5 {
                let color = if index == 2 { Color::White } else { Color::Black };
                let at = rect.left_center() + vec2(15.0 + 30.0 * index as f32, 0.0);
                stone(ui.painter(), at, 12.5, color);
            }
            ui.label(RichText::new("Tengen").size(34.0).strong().color(palette.text));
            ui.label(RichText::new(tr.text(Text::AboutIs)).size(16.0).color(palette.weak));
            ui.add_space(22.0);
            let wide = vec2(150.0, 26.0);
            let text = RichText::new(tr.text(Text::NewGame)).color(palette.on_accent).strong();
            let begin = ui.add(Button::new(text).fill(palette.accent).min_size(wide));
            if begin.on_hover_text(keys.text(ui.ctx(), UserAction::NewGame)).clicked() {
                look.send_all(app.command(UserAction::NewGame));
            }
            ui.add_space(4.0);
            let actions = [
                UserAction::HostTable,
                UserAction::JoinTable,
                UserAction::Open,
                UserAction::NewEvent,
                UserAction::OpenEvent,
                UserAction::Engines,
            ];
            for action in actions {
                let command = app.command(action);
                let button = Button::new(tr.text(action.label())).min_size(wide);
                let drawn = ui.add_enabled(command.is_some(), button);
                if drawn.on_hover_text(keys.text(ui.ctx(), action)).clicked() {
                    look.send_all(command);
                }
            }
            ui.add_space(12.0);
            ui.colored_label(palette.weak, tr.text(Text::WelcomeTip));
            ui.label(RichText::new(tr.text(Text::GamesAutosaved)).small().color(palette.weak));
        });
    });
}
