//! The options of an engine.

use eframe::egui::{
    Button, Checkbox, ComboBox, DragValue, Grid, RichText, Role, TextEdit, Ui, WidgetInfo, vec2,
};

use tengen_hosts::package::{EngineOption, OptionKind};
use tengen_lineup::EngineProfile;

use crate::app::{Command, EngineCommand, Text};
use crate::widgets::{Look, with_label};

/// The options of an engine, each with the widget of its kind.
pub(super) fn options(ui: &mut Ui, look: Look<'_>, id: &str, profile: &EngineProfile) {
    let Look { app, tr, palette, .. } = look;
    if profile.options.is_empty() {
        ui.colored_label(palette.weak, tr.text(Text::EngineOptionsNone));
        return;
    }
    ui.label(RichText::new(tr.text(Text::EngineOptions)).strong());
    let set = app.settings().engines.options.get(id);
    Grid::new(("options", id)).num_columns(3).spacing(vec2(12.0, 6.0)).show(ui, |ui| {
        for option in &profile.options {
            let value = set.and_then(|set| set.get(&option.name));
            ui.label(&option.name);
            let default = option.value.default_text();
            let shown = value.unwrap_or(&default);
            if let Some(value) = edit(ui, id, option, shown) {
                let value = (value != default).then_some(value);
                let set = EngineCommand::SetOption(id.to_owned(), option.name.clone(), value);
                look.send(Command::Engine(set));
            }
            if value.is_some() && ui.add(Button::new(tr.text(Text::EngineDefault))).clicked() {
                let unset = EngineCommand::SetOption(id.to_owned(), option.name.clone(), None);
                look.send(Command::Engine(unset));
            }
            ui.end_row();
        }
    });
}

/// The new value of the option, if it was changed.
fn edit(ui: &mut Ui, id: &str, option: &EngineOption, value: &str) -> Option<String> {
    let named = |info: WidgetInfo| with_label(info, &option.name);
    match &option.value {
        OptionKind::Int { range, unit, .. } => {
            let mut number: i64 = value.parse().unwrap_or(*range.start());
            let unit = unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            let drag = DragValue::new(&mut number).range(range.clone()).suffix(unit);
            let drawn = ui.add(drag);
            drawn.widget_info(|| named(WidgetInfo::drag_value(true, number as f64)));
            drawn.changed().then(|| number.to_string())
        }
        OptionKind::Bool { .. } => {
            let mut on = value == "true";
            let drawn = ui.add(Checkbox::without_text(&mut on));
            drawn.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &option.name));
            drawn.changed().then(|| on.to_string())
        }
        OptionKind::Choice { words, .. } => {
            let mut chosen = None;
            let combo = ComboBox::from_id_salt(("option", id, &option.name)).selected_text(value);
            let drawn = combo.show_ui(ui, |ui| {
                for choice in words {
                    if ui.selectable_label(choice == value, choice).clicked() {
                        chosen = Some(choice.clone());
                    }
                }
            });
            let info = || WidgetInfo::labeled(Role::ComboBox, true, &option.name);
            drawn.response.widget_info(info);
            chosen
        }
        OptionKind::Text { .. } => {
            let mut text = value.to_owned();
            let drawn = ui.add(TextEdit::singleline(&mut text).desired_width(180.0));
            drawn.widget_info(|| named(WidgetInfo::text_edit(true, value, value, "")));
            drawn.changed().then_some(text)
        }
    }
}
