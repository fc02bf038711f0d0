//! The fields of the event form.

use std::ops::RangeInclusive;

use eframe::egui::{
    Button, DragValue, Grid, Label, RichText, Role, TextEdit, Ui, WidgetInfo, vec2,
};

use crate::app::{EventForm, FormField, Text};
use crate::widgets::{Look, name_field, with_label};

/// The width of the labels.
const LABELS: f32 = 190.0;
/// The width of a text field.
const FIELD: f32 = 280.0;

/// The heading of a group.
pub(super) fn heading(ui: &mut Ui, look: Look<'_>, text: Text) {
    ui.add_space(6.0);
    ui.separator();
    let text = RichText::new(look.tr.text(text)).size(16.0).strong();
    ui.label(text.color(look.palette.text));
    ui.add_space(2.0);
}

/// A table of labels and fields.
pub(super) fn table(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    let grid = Grid::new(name).num_columns(2).min_col_width(LABELS).spacing(vec2(18.0, 8.0));
    grid.show(ui, rows);
}

/// A row with a text field, and its format below it if the text is not valid.
pub(super) fn field(ui: &mut Ui, look: Look<'_>, form: &mut EventForm, field: FormField) {
    field_with(ui, look, form, field, |_| ());
}

/// The same with something beside the field.
pub(super) fn field_with(
    ui: &mut Ui,
    look: Look<'_>,
    form: &mut EventForm,
    field: FormField,
    beside: impl FnOnce(&mut Ui),
) {
    let Look { tr, palette, .. } = look;
    let (label, tip) = (tr.text(field.label()), tr.text(field.tip()));
    let fine = form.is_fine(field);
    ui.label(label);
    ui.vertical(|ui| {
        let mut typed = form.typed(field).to_owned();
        ui.horizontal(|ui| {
            if text(ui, look, label, tip, fine, &mut typed) {
                form.type_in(field, typed);
            }
            beside(ui);
        });
        if !fine {
            ui.add(Label::new(RichText::new(tip).small().color(palette.danger)).wrap());
        }
    });
    ui.end_row();
}

/// A text field. Returns whether it was changed.
pub(super) fn text(
    ui: &mut Ui,
    look: Look<'_>,
    label: &str,
    tip: &str,
    fine: bool,
    typed: &mut String,
) -> bool {
    let palette = look.palette;
    let color = if fine { palette.text } else { palette.danger };
    let field = TextEdit::singleline(typed).desired_width(FIELD).text_color(color);
    let drawn = ui.add(field.hint_text(hint(look, tip)));
    name_field(&drawn, Role::TextInput, label, typed);
    drawn.on_hover_text(tip).changed()
}

/// The hint in an empty field.
pub(super) fn hint(look: Look<'_>, tip: &str) -> RichText {
    RichText::new(tip).small().color(look.palette.weak)
}

/// A row with one of several values.
pub(super) fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    look: Look<'_>,
    label: Text,
    value: &mut T,
    values: &[(T, Text)],
) {
    let tr = look.tr;
    ui.label(tr.text(label));
    ui.horizontal(|ui| {
        for (this, text) in values {
            let (chosen, text) = (*value == *this, tr.text(*text));
            let drawn = ui.add(Button::selectable(chosen, text));
            drawn.widget_info(|| {
                let whole = tr.fill(Text::Named, &[tr.text(label), text]);
                WidgetInfo::selected(Role::Button, true, chosen, whole)
            });
            if drawn.clicked() {
                *value = *this;
            }
        }
    });
    ui.end_row();
}

/// A check box; it does not end its row.
pub(super) fn check(ui: &mut Ui, label: &str, tip: &str, value: &mut bool) {
    let drawn = ui.checkbox(value, label);
    if !tip.is_empty() {
        drawn.on_hover_text(tip);
    }
}

/// A row with a check box.
pub(super) fn flag(ui: &mut Ui, look: Look<'_>, label: Text, value: &mut bool) {
    ui.label("");
    check(ui, look.tr.text(label), "", value);
    ui.end_row();
}

/// The label before a number.
fn caption(ui: &mut Ui, look: Look<'_>, label: Text) -> &'static str {
    let label = look.tr.text(label);
    ui.colored_label(look.palette.weak, label);
    label
}

/// A number with its label before it.
pub(super) fn real(
    ui: &mut Ui,
    look: Look<'_>,
    label: Text,
    value: &mut f64,
    range: RangeInclusive<f64>,
) {
    let label = caption(ui, look, label);
    let speed = if *range.end() < 1.0 { 0.005 } else { 0.5 };
    let drawn = ui.add(DragValue::new(value).range(range).speed(speed).max_decimals(3));
    drawn.widget_info(|| with_label(WidgetInfo::drag_value(true, *value), label));
}

/// The same for a whole number.
pub(super) fn whole(
    ui: &mut Ui,
    look: Look<'_>,
    label: Text,
    value: &mut u32,
    range: RangeInclusive<u32>,
) {
    let label = caption(ui, look, label);
    crate::screens::new_game::number(ui, label, value, range);
}
