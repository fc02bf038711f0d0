//! The form that opens a table for people elsewhere.

use eframe::egui::{Button, CollapsingHeader, Id, RichText, Role, Ui, WidgetInfo};
use tengen_rules::Seat;

use super::dialog_frame::{form_area, form_dialog};
use super::listen_fields::{form_table, link_rows, listen_rows, text_row};
use super::new_game::more::undo_row;
use super::new_game::{board, clock, number, opening, rule_row};
use crate::app::{Command, HostForm, HostFormProblem, NetworkCommand, Text, Translator};
use crate::widgets::{Look, paragraph};

/// The form that opens a table for people elsewhere.
pub(crate) fn host_form(ui: &Ui, look: Look<'_>, known: &HostForm) {
    let Look { app, tr, palette, .. } = look;
    let mut form = known.clone();
    let (id, title) = (Id::unique("host form"), tr.text(Text::HostTitle));
    let clicks = form_dialog(ui, look, id, title, 640.0, |ui| {
        paragraph(ui, palette.weak, tr.text(Text::HostTip));
        ui.add_space(8.0);
        form_area(ui, id, 250.0, |ui| {
            form_table(ui, "host", |ui| {
                rule_row(ui, tr, &mut form.game.rule);
                board(ui, tr, &mut form.game);
                opening(ui, tr, &mut form.game);
                clock(ui, tr, &mut form.game, false);
                people(ui, tr, &mut form);
                listen_rows(ui, look, &mut form.listen);
            });
            ui.add_space(4.0);
            let more = CollapsingHeader::new(tr.text(Text::TableMore)).id_salt("host more");
            more.show_unindented(ui, |ui| {
                form_table(ui, "host more", |ui| more_terms(ui, look, &mut form));
                ui.add_space(4.0);
                engines(ui, look, &mut form);
                ui.add_space(8.0);
                ui.label(RichText::new(tr.text(Text::ServerTitle)).strong());
                form_table(ui, "host server", |ui| {
                    let (label, tip) = (Text::ServerPassword, Text::ServerPasswordTip);
                    text_row(ui, tr, label, tip, &mut form.password, true);
                    link_rows(ui, tr, &mut form.listen);
                });
            });
        });
        ui.add_space(8.0);
        problem(ui, look, &form);
        (Text::HostOpen, form.check().is_ok() && !app.is_starting_server())
    });
    if form != *known {
        look.send(Command::Network(NetworkCommand::EditHostForm(Box::new(form))));
    }
    if clicks.begins {
        look.send(Command::Network(NetworkCommand::Host));
    }
    if clicks.closes {
        look.send(Command::Network(NetworkCommand::CloseHostForm));
    }
}

/// A button that is one of several; whether it was clicked.
fn choice(ui: &mut Ui, label: &str, text: &str, chosen: bool) -> bool {
    let drawn = ui.add(Button::selectable(chosen, text));
    drawn.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, chosen, format!("{label}: {text}"))
    });
    drawn.clicked()
}

/// The players, and the people who may come.
fn people(ui: &mut Ui, tr: Translator, form: &mut HostForm) {
    text_row(ui, tr, Text::OwnName, Text::OwnNameTip, &mut form.name, false);
    cut(&mut form.name, HostForm::MOST_NAME);
    let label = tr.text(Text::OwnSeat);
    ui.label(label);
    ui.horizontal(|ui| {
        for seat in [Some(Seat::First), Some(Seat::Second), None] {
            if choice(ui, label, tr.own_seat(seat), form.seat == seat) {
                form.seat = seat;
            }
        }
    });
    ui.end_row();
    let label = tr.text(Text::WhoComes);
    ui.label(label);
    ui.horizontal(|ui| {
        for (is_public, text) in [(true, Text::TablePublic), (false, Text::TablePrivate)] {
            if choice(ui, label, tr.text(text), form.is_public == is_public) {
                form.is_public = is_public;
            }
        }
    });
    ui.end_row();
    text_row(ui, tr, Text::TableTitle, Text::TableTitleTip, &mut form.title, false);
    cut(&mut form.title, HostForm::MOST_TITLE);
}

/// Keeps so many characters.
fn cut(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
    }
}

fn more_terms(ui: &mut Ui, look: Look<'_>, form: &mut HostForm) {
    let tr = look.tr;
    let mut row = |label: Text, value: &mut u32, most: u32| {
        let label = tr.text(label);
        ui.label(label);
        number(ui, label, value, 0..=most);
        ui.end_row();
    };
    row(Text::TableMargin, &mut form.margin, 100);
    row(Text::TableMoveLimit, &mut form.move_limit, 1024);
    row(Text::TableAbsence, &mut form.absence, 86_400);
    if form.absence > 0 {
        form.absence = form.absence.max(10);
    }
    undo_row(ui, look, &mut form.game.undo);
    ui.label("");
    let late = ui.checkbox(&mut form.substitutes, tr.text(Text::TableSubstitutes));
    late.on_hover_text(tr.text(Text::TableSubstitutesTip));
    ui.end_row();
    ui.label("");
    ui.checkbox(&mut form.swap, tr.text(Text::TableSwaps));
    ui.end_row();
    ui.label(tr.text(Text::TableAllows));
    ui.horizontal_wrapped(|ui| {
        for (text, value) in [
            (Text::AllowDraw, &mut form.draws),
            (Text::AllowPause, &mut form.pause),
            (Text::Chat, &mut form.chat),
            (Text::AllowPassing, &mut form.game.passing),
        ] {
            ui.checkbox(value, tr.text(text));
        }
    });
    ui.end_row();
}

/// The engines that seats may be handed to.
fn engines(ui: &mut Ui, look: Look<'_>, form: &mut HostForm) {
    let Look { app, tr, palette, .. } = look;
    ui.label(tr.text(Text::TableEngines));
    let list = app.engine_list();
    if list.engines.is_empty() {
        ui.colored_label(palette.weak, tr.text(Text::TableEnginesNone));
    }
    ui.horizontal_wrapped(|ui| {
        for engine in &list.engines {
            let known = form.engines.iter().position(|id| *id == engine.id);
            let mut is_chosen = known.is_some();
            if ui.checkbox(&mut is_chosen, &engine.name).changed() {
                match known {
                    Some(place) => drop(form.engines.remove(place)),
                    None => form.engines.push(engine.id.clone()),
                }
            }
        }
    });
}

/// What is wrong with the form, or why the server did not start.
fn problem(ui: &mut Ui, look: Look<'_>, form: &HostForm) {
    let Look { app, tr, palette, .. } = look;
    let problem = match form.check() {
        Err(HostFormProblem::Game(problem)) => Some(tr.game_form_problem(problem)),
        Err(HostFormProblem::Listen(problem)) => Some(tr.listen_problem(problem).to_owned()),
        Err(HostFormProblem::Password) => Some(tr.text(Text::ServerPasswordShort).to_owned()),
        Ok(_) => app.host_problem().map(str::to_owned),
    };
    if let Some(problem) = problem {
        paragraph(ui, palette.danger, problem);
    } else if app.is_starting_server() {
        ui.colored_label(palette.weak, tr.text(Text::HostStarting));
    }
}
