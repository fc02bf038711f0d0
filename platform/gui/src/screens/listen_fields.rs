//! The fields of where a server in this window listens.

use eframe::egui::{Align2, Grid, Label, Response, RichText, Role, TextEdit, Ui, vec2};

use super::new_game::number;
use crate::app::{ListenForm, Text, Translator};
use crate::widgets::{Look, name_field};

/// The width of a text field.
const FIELD: f32 = 460.0;

/// A table of labels and fields.
pub(super) fn form_table(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    Grid::new(name).num_columns(2).min_col_width(120.0).spacing(vec2(18.0, 8.0)).show(ui, rows);
}

/// A row with a text field.
pub(super) fn text_row(
    ui: &mut Ui,
    tr: Translator,
    label: Text,
    tip: Text,
    typed: &mut String,
    is_hidden: bool,
) -> Response {
    let (label, tip) = (tr.text(label), tr.text(tip));
    ui.label(label);
    let field = TextEdit::singleline(typed).desired_width(FIELD).password(is_hidden);
    let field = field.align(Align2::LEFT_CENTER);
    let drawn = ui.add(field.hint_text(RichText::new(tip).small()));
    name_field(&drawn, Role::TextInput, label, if is_hidden { "" } else { typed });
    let drawn = drawn.on_hover_text(tip);
    ui.end_row();
    drawn
}

/// Where the server listens, and who can reach it.
pub(super) fn listen_rows(ui: &mut Ui, look: Look<'_>, form: &mut ListenForm) {
    let Look { tr, palette, .. } = look;
    ui.label(tr.text(Text::ListenAt));
    ui.horizontal(|ui| {
        let label = tr.text(Text::ListenAddress);
        let field = TextEdit::singleline(&mut form.address).desired_width(160.0);
        let drawn = ui.add(field);
        name_field(&drawn, Role::TextInput, label, &form.address);
        drawn.on_hover_text(label);
        let label = tr.text(Text::ListenPort);
        ui.colored_label(palette.weak, label);
        number(ui, label, &mut form.port, 1..=u16::MAX);
    });
    ui.end_row();
    ui.label("");
    let (text, color) = match form.is_reachable() {
        true => (Text::ListenAll, palette.accent),
        false => (Text::ListenLocal, palette.weak),
    };
    ui.add(Label::new(RichText::new(tr.text(text)).small().color(color)).wrap());
    ui.end_row();
}

/// How others reach it, and whether what they say is encrypted.
pub(super) fn link_rows(ui: &mut Ui, tr: Translator, form: &mut ListenForm) {
    text_row(ui, tr, Text::ServerShown, Text::ServerShownTip, &mut form.shown, false);
    let (label, tip) = (Text::ServerCertificate, Text::ServerCertificateTip);
    text_row(ui, tr, label, tip, &mut form.certificate, false);
    text_row(ui, tr, Text::ServerKey, Text::ServerKeyTip, &mut form.key, false);
}
