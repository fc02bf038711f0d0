//! The new event form.

use eframe::egui::{Checkbox, CollapsingHeader, ComboBox, Id, Label, RichText, Ui};
use tengen_rules::Procedure;
use tengen_tournament::{OpeningOrder, Openings, SequentialTest, Symmetries, allowed_cpus};

use super::dialog_frame::{form_area, form_dialog};
use super::listen_fields::{link_rows, listen_rows};
use super::new_game::{number, rule_row, sides};
use crate::app::{
    Command, EventCommand, EventForm, EventFormProblem, FileCommand, FilePurpose, FormField, Text,
    Translator, is_crowded,
};
use crate::widgets::{Look, menu_field, paragraph};

mod engines;
mod fields;
mod more;

use fields::{check, choice, field, field_with, real, table};

/// The number of games of a new test: enough for most differences.
const GAMES_OF_TEST: u32 = 10_000;

/// The new event form.
pub(crate) fn event_form(ui: &Ui, look: Look<'_>, known: &EventForm) {
    let Look { tr, palette, .. } = look;
    let mut form = known.clone();
    let (id, title) = (Id::unique("event form"), tr.text(Text::NewEvent).trim_end_matches('…'));
    let clicks = form_dialog(ui, look, id, title, 680.0, |ui| {
        ui.add_space(8.0);
        form_area(ui, id, 230.0, |ui| {
            engines::choose(ui, look, &mut form);
            engines::add_remote(ui, look, &mut form);
            ui.add_space(8.0);
            table(ui, "event", |ui| {
                rules(ui, look, &mut form);
                field(ui, look, &mut form, FormField::TimeControl);
                games(ui, look, &mut form);
                server(ui, look, &mut form);
            });
            ui.add_space(4.0);
            let more = CollapsingHeader::new(tr.text(Text::EventMore)).id_salt("event more");
            more.show_unindented(ui, |ui| more::more(ui, look, &mut form));
        });
        ui.add_space(8.0);
        let filled = form.filled();
        if let Err(problem) = &filled {
            let untouched = *problem == EventFormProblem::TooFew && form.entrants.is_empty();
            let color = if untouched { palette.weak } else { palette.danger };
            paragraph(ui, color, problem.text(tr));
        }
        if filled.as_ref().is_ok_and(|config| is_crowded(config, allowed_cpus().len())) {
            paragraph(ui, palette.danger, tr.text(Text::EventCrowded));
        }
        (Text::Begin, filled.is_ok())
    });
    if clicks.begins || form != *known {
        look.send(Command::Event(EventCommand::Edit(Box::new(form))));
    }
    if clicks.begins {
        look.send(Command::Event(EventCommand::Begin));
    }
    if clicks.closes {
        look.send(Command::Event(EventCommand::CloseForm));
    }
}

/// Where the event is served, if it is.
fn server(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let tr = look.tr;
    ui.label(tr.text(Text::EventServer));
    // Remote engines come in there.
    let mut is_shown = form.is_shown || form.has_remote();
    let served = Checkbox::new(&mut is_shown, tr.text(Text::EventServe));
    if ui.add_enabled(!form.has_remote(), served).changed() {
        form.is_shown = is_shown;
    }
    ui.end_row();
    if is_shown {
        listen_rows(ui, look, &mut form.listen);
        link_rows(ui, tr, &mut form.listen);
    }
}

fn rules(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let tr = look.tr;
    rule_row(ui, tr, &mut form.config.rule);
    ui.label(tr.text(Text::Board));
    ui.horizontal(|ui| sides(ui, tr, &mut form.width, &mut form.height));
    ui.end_row();
    opening(ui, tr, form);
    if let Some(tip) = tr.opening_tip(form.config.opening) {
        ui.label("");
        ui.add(Label::new(RichText::new(tip).small().color(look.palette.weak)).wrap());
        ui.end_row();
    }
    if form.config.opening == Procedure::Book {
        book(ui, look, form);
    }
}

fn opening(ui: &mut Ui, tr: Translator, form: &mut EventForm) {
    let label = tr.text(Text::Opening);
    ui.label(label);
    let name = tr.opening(form.config.opening);
    let combo = ComboBox::from_id_salt("event opening").height(420.0).width(280.0);
    menu_field(ui, combo.selected_text(name), label, name, |ui| {
        for procedure in Procedure::ALL {
            ui.selectable_value(&mut form.config.opening, procedure, tr.opening(procedure));
        }
    });
    ui.end_row();
}

/// The opening positions.
fn book(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    field_with(ui, look, form, FormField::Openings, |ui| {
        if ui.button(look.tr.text(Text::Browse)).clicked() {
            look.send(Command::File(FileCommand::OpenDialog(FilePurpose::Openings)));
        }
    });
    if let Openings::Positions(positions) = &form.config.openings
        && !positions.is_empty()
        && form.typed(FormField::Openings).trim().is_empty()
    {
        let count = look.tr.fill(Text::EventPositions, &[&positions.len().to_string()]);
        ui.label("");
        ui.colored_label(look.palette.weak, count);
        ui.end_row();
    }
    let orders =
        [(OpeningOrder::Sequential, Text::OrderSequential), (OpeningOrder::Random, Text::Random)];
    choice(ui, look, Text::EventOrder, &mut form.config.openings_order, &orders);
    let ways = [
        (None, Text::SymmetriesUsual),
        (Some(Symmetries::None), Text::SymmetriesNone),
        (Some(Symmetries::Random), Text::Random),
        (Some(Symmetries::All), Text::SymmetriesAll),
    ];
    choice(ui, look, Text::EventSymmetries, &mut form.config.openings_symmetries, &ways);
    field(ui, look, form, FormField::OpeningsStart);
    field(ui, look, form, FormField::OpeningsCount);
}

/// The number of games, in total and at once, and the test.
fn games(ui: &mut Ui, look: Look<'_>, form: &mut EventForm) {
    let tr = look.tr;
    let tests = form.config.sprt.is_some();
    let label = tr.text(if tests { Text::EventGamesMost } else { Text::EventGames });
    ui.label(label).on_hover_text(tr.text(Text::EventGamesTip));
    number(ui, label, &mut form.config.games, 1..=1_000_000);
    ui.end_row();
    let label = tr.text(Text::EventConcurrency);
    ui.label(label);
    number(ui, label, &mut form.config.concurrency, 1..=1024);
    ui.end_row();
    if form.entrants.len() != 2 && !tests {
        return;
    }
    let mut on = tests;
    check(ui, tr.text(Text::EventSprt), tr.text(Text::EventSprtTip), &mut on);
    if on != tests {
        let usual = "elo0=0,elo1=5".parse::<SequentialTest>().ok();
        form.config.sprt = usual.filter(|_| on);
        if on {
            form.config.games = form.config.games.max(GAMES_OF_TEST);
        }
    }
    ui.horizontal(|ui| {
        let Some(SequentialTest(test)) = &mut form.config.sprt else { return };
        for (label, value, range) in [
            (Text::SprtElo0, &mut test.elo0, -1000.0..=1000.0),
            (Text::SprtElo1, &mut test.elo1, -1000.0..=1000.0),
            (Text::SprtAlpha, &mut test.alpha, 0.001..=0.499),
            (Text::SprtBeta, &mut test.beta, 0.001..=0.499),
        ] {
            real(ui, look, label, value, range);
        }
    });
    ui.end_row();
}
