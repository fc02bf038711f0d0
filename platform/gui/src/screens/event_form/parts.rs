use std::ops::RangeInclusive;

use eframe::egui::{
    Button, DragValue, Grid, Label, RichText, Role, TextEdit, Ui, WidgetInfo, vec2,
};

use crate::app::{EventForm, Field, Text, Words};
use crate::theme::Palette;

/// How wide what is asked for is.
const LABELS: f32 = 190.0;
/// How wide a field to type in is.
const FIELD: f32 = 280.0;

/// What every question is drawn with.
#[derive(Clone, Copy)]
pub(super) struct Asking {
    pub words: Words,
    pub palette: Palette,
}

/// What the questions below it are about.
pub(super) fn heading(ui: &mut Ui, asking: Asking, text: Text) {
    ui.add_space(6.0);
    ui.separator();
    let text = RichText::new(asking.words.text(text)).size(16.0).strong();
    ui.label(text.color(asking.palette.text));
    ui.add_space(2.0);
}

/// Questions in rows: what is asked for, and where it is answered.
pub(super) fn table(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    let grid = Grid::new(name).num_columns(2).min_col_width(LABELS).spacing(vec2(18.0, 8.0));
    grid.show(ui, rows);
}

/// A row with a field to type in, which says below how it is written where it is not written so.
pub(super) fn field(ui: &mut Ui, asking: Asking, form: &mut EventForm, field: Field) {
    field_with(ui, asking, form, field, |_| ());
}

/// The same with something beside the field.
pub(super) fn field_with(
    ui: &mut Ui,
    asking: Asking,
    form: &mut EventForm,
    field: Field,
    beside: impl FnOnce(&mut Ui),
) {
    let Asking { words, palette } = asking;
    let (label, tip) = (words.text(field.label()), words.text(field.tip()));
    let fine = form.is_fine(field);
    ui.label(label);
    ui.vertical(|ui| {
        let mut typed = form.typed(field).to_owned();
        ui.horizontal(|ui| {
            if text(ui, asking, label, tip, fine, &mut typed) {
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

/// A field to type in; whether something was typed.
pub(super) fn text(
    ui: &mut Ui,
    asking: Asking,
    label: &str,
    tip: &str,
    fine: bool,
    typed: &mut String,
) -> bool {
    let Asking { palette, .. } = asking;
    let color = if fine { palette.text } else { palette.danger };
    let field = TextEdit::singleline(typed).desired_width(FIELD).text_color(color);
    let drawn = ui.add(field.hint_text(hint(asking, tip)));
    drawn.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, label);
        info.current_text_value = Some(typed.clone());
        info
    });
    drawn.on_hover_text(tip).changed()
}

/// What stands in a field that is empty.
pub(super) fn hint(asking: Asking, tip: &str) -> RichText {
    RichText::new(tip).small().color(asking.palette.weak)
}

/// A row with one of several values.
pub(super) fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    asking: Asking,
    label: Text,
    value: &mut T,
    values: &[(T, Text)],
) {
    let words = asking.words;
    ui.label(words.text(label));
    ui.horizontal(|ui| {
        for (this, text) in values {
            let (chosen, text) = (*value == *this, words.text(*text));
            let drawn = ui.add(Button::selectable(chosen, text));
            drawn.widget_info(|| {
                let whole = words.fill(Text::FormField, &[words.text(label), text]);
                WidgetInfo::selected(Role::Button, true, chosen, whole)
            });
            if drawn.clicked() {
                *value = *this;
            }
        }
    });
    ui.end_row();
}

/// A box to tick; it does not end its row.
pub(super) fn check(ui: &mut Ui, label: &str, tip: &str, value: &mut bool) {
    let drawn = ui.checkbox(value, label);
    if !tip.is_empty() {
        drawn.on_hover_text(tip);
    }
}

/// A row that is a box to tick.
pub(super) fn flag(ui: &mut Ui, asking: Asking, label: Text, value: &mut bool) {
    ui.label("");
    check(ui, asking.words.text(label), "", value);
    ui.end_row();
}

/// What a number is, before it.
fn caption(ui: &mut Ui, asking: Asking, label: Text) -> &'static str {
    let label = asking.words.text(label);
    ui.label(RichText::new(label).color(asking.palette.weak));
    label
}

/// A number with what it is before it.
pub(super) fn real(
    ui: &mut Ui,
    asking: Asking,
    label: Text,
    value: &mut f64,
    range: RangeInclusive<f64>,
) {
    let label = caption(ui, asking, label);
    let speed = if *range.end() < 1.0 { 0.005 } else { 0.5 };
    let drawn = ui.add(DragValue::new(value).range(range).speed(speed).max_decimals(3));
    drawn.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, *value);
        info.label = Some(label.to_owned());
        info
    });
}

/// The same for a whole number.
pub(super) fn whole(
    ui: &mut Ui,
    asking: Asking,
    label: Text,
    value: &mut u32,
    range: RangeInclusive<u32>,
) {
    let label = caption(ui, asking, label);
    crate::screens::new_game::number(ui, label, value, range);
}
