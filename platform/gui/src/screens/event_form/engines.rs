//! The engines of the event form.

use eframe::egui::{Button, RichText, Role, ScrollArea, TextEdit, Ui};

use tengen_tournament::EngineEntry;

use super::fields::{hint, table, text};
use crate::app::{App, Entrant, EventForm, Text};
use crate::widgets::{Look, card, name_field};

/// The engines to choose: the known ones, and those that a file named.
pub(super) fn choose(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let Look { app, tr, .. } = look;
    let engine_list = app.engine_list();
    let mut offered: Vec<(String, String)> =
        engine_list.engines.iter().map(|engine| (engine.id.clone(), engine.name.clone())).collect();
    for Entrant { entry, .. } in &form.entrants {
        if !offered.iter().any(|(id, _)| *id == entry.id) {
            offered.push((entry.id.clone(), name(app, &entry.id)));
        }
    }
    ui.label(RichText::new(tr.text(Text::EnginesTitle)).strong());
    if offered.is_empty() {
        ui.label(tr.text(Text::EventEnginesNone));
    }
    let area = ScrollArea::vertical().id_salt("event engines").max_height(130.0);
    area.auto_shrink([false, true]).show(ui, |ui| {
        ui.horizontal_wrapped(|ui| {
            for (id, name) in offered {
                let count = form.seats(&id);
                let mut plays = count > 0;
                let name = if count > 1 { format!("{name} ×{count}") } else { name };
                if ui.checkbox(&mut plays, name).on_hover_text(&id).changed() {
                    form.seat(&id, plays);
                }
            }
        });
    });
}

/// A row that adds an engine which plays from another machine.
pub(super) fn add_remote(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let tr = look.tr;
    ui.horizontal(|ui| {
        let (label, tip) = (tr.text(Text::EventRemoteName), tr.text(Text::EventRemoteTip));
        text(ui, look, label, label, true, &mut form.remote_name);
        let is_named = !form.remote_name.trim().is_empty();
        let button = Button::new(tr.text(Text::EventRemoteAdd));
        if ui.add_enabled(is_named, button).on_hover_text(tip).clicked() {
            form.add_remote();
        }
    });
}

/// What the form calls an engine.
fn name(app: &App, id: &str) -> String {
    match id.strip_prefix(EngineEntry::REMOTE) {
        Some(team) => app.tr().fill(Text::EventRemoteOf, &[team]),
        None => app.engine_list().name(id).to_owned(),
    }
}

/// The settings of each engine.
pub(super) fn each(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let Look { app, tr, palette, .. } = look;
    let (mut twice, mut out) = (None, None);
    for (place, entrant) in form.entrants.iter_mut().enumerate() {
        card(ui, palette, |ui| {
            let name = format!("{}  {}", place + 1, name(app, &entrant.entry.id));
            ui.horizontal(|ui| {
                ui.label(RichText::new(name).strong());
                if ui.button(tr.text(Text::EntrantAgain)).clicked() {
                    twice = Some(entrant.clone());
                }
                if ui.button(tr.text(Text::EntrantRemove)).clicked() {
                    out = Some(place);
                }
            });
            table(ui, &format!("entrant {place}"), |ui| particulars(ui, look, place, entrant));
        });
    }
    if let Some(place) = out {
        form.entrants.remove(place);
    }
    form.entrants.extend(twice);
}

fn particulars(ui: &mut Ui, look: Look<'_>, place: usize, entrant: &mut Entrant) {
    let tr = look.tr;
    let of = |label: Text| format!("{} {}", tr.text(label), place + 1);
    let is_tc = |text: &str| text.is_empty() || text.parse::<tengen_arbiter::TimeControl>().is_ok();
    ui.label(tr.text(Text::EntrantLabel));
    text(ui, look, &of(Text::EntrantLabel), &entrant.entry.id, true, &mut entrant.label);
    ui.end_row();
    ui.label(tr.text(Text::EntrantTc));
    let (tip, fine) = (tr.text(Text::EntrantTcTip), is_tc(entrant.tc.trim()));
    text(ui, look, &of(Text::EntrantTc), tip, fine, &mut entrant.tc);
    ui.end_row();
    ui.label(tr.text(Text::EntrantOptions));
    let rows = entrant.options.lines().count().max(1);
    let field = TextEdit::multiline(&mut entrant.options).desired_rows(rows).desired_width(280.0);
    let drawn = ui.add(field.hint_text(hint(look, tr.text(Text::EntrantOptionsHint))));
    name_field(&drawn, Role::TextInput, &of(Text::EntrantOptions), &entrant.options);
    ui.end_row();
}
