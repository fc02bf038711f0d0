//! The fields of where a server in this window listens.

use eframe::egui::{Align2, Label, Response, RichText, Role, TextEdit, Ui, WidgetInfo};

use super::new_game::number;
use crate::app::{ListenForm, Text, Translator};
use crate::theme::Palette;

/// The width of a text field.
const FIELD: f32 = 460.0;

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
    drawn.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, label);
        info.current_text_value = Some(if is_hidden { String::new() } else { typed.clone() });
        info
    });
    let drawn = drawn.on_hover_text(tip);
    ui.end_row();
    drawn
}

/// Where the server listens, and who can come there.
pub(super) fn listen_rows(ui: &mut Ui, tr: Translator, palette: Palette, form: &mut ListenForm) {
    ui.label(tr.text(Text::ListenAt));
    ui.horizontal(|ui| {
        let label = tr.text(Text::ListenAddress);
        let field = TextEdit::singleline(&mut form.address).desired_width(160.0);
        let drawn = ui.add(field);
        drawn.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::TextInput, true, label);
            info.current_text_value = Some(form.address.clone());
            info
        });
        drawn.on_hover_text(label);
        let label = tr.text(Text::ListenPort);
        ui.label(RichText::new(label).color(palette.weak));
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
