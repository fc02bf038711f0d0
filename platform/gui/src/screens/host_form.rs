//! The form that opens a table for people elsewhere.

use eframe::egui::{
    Button, CollapsingHeader, Grid, Id, Label, RichText, Role, ScrollArea, Ui, WidgetInfo, vec2,
};
use tengen_rules::Seat;

use super::dialog_frame::{button_row, modal};
use super::listen_fields::{link_rows, listen_rows, text_row};
use super::new_game::{board, clock, number, opening, rule};
use crate::app::{
    App, Command, GameFormProblem, HostForm, HostFormProblem, NetworkCommand, Text, Translator,
};
use crate::theme::Palette;
use crate::widgets::primary;

/// The form that opens a table for people elsewhere.
pub(crate) fn host_form(
    ui: &Ui,
    app: &App,
    known: &HostForm,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let mut form = known.clone();
    let id = Id::unique("host form");
    let (mut closed, mut begins) = (false, false);
    let shown = modal(ui, palette, id, |ui| {
        let room = ui.ctx().content_rect().size();
        ui.set_width((room.x - 100.0).min(640.0));
        ui.label(RichText::new(tr.text(Text::HostTitle)).heading().strong());
        ui.add(Label::new(RichText::new(tr.text(Text::HostTip)).color(palette.weak)).wrap());
        ui.add_space(8.0);
        let most = (room.y - 250.0).max(160.0);
        let area = ScrollArea::vertical().max_height(most).auto_shrink([false, true]);
        area.show(ui, |ui| {
            // Leave room for the scroll bar.
            ui.set_width(ui.available_width() - 14.0);
            table(ui, "host", |ui| {
                rule(ui, tr, &mut form.game);
                board(ui, tr, &mut form.game);
                opening(ui, tr, &mut form.game);
                clock(ui, tr, &mut form.game, false);
                people(ui, tr, &mut form);
                listen_rows(ui, tr, palette, &mut form.listen);
            });
            ui.add_space(4.0);
            let more = CollapsingHeader::new(tr.text(Text::TableMore)).id_salt("host more");
            more.show_unindented(ui, |ui| {
                table(ui, "host more", |ui| more_terms(ui, tr, &mut form));
                ui.add_space(4.0);
                engines(ui, app, palette, &mut form);
                ui.add_space(8.0);
                ui.label(RichText::new(tr.text(Text::ServerTitle)).strong());
                table(ui, "host server", |ui| {
                    let (label, tip) = (Text::ServerPassword, Text::ServerPasswordTip);
                    text_row(ui, tr, label, tip, &mut form.password, true);
                    link_rows(ui, tr, &mut form.listen);
                });
            });
        });
        ui.add_space(8.0);
        problem(ui, app, palette, &form);
        button_row(ui, |ui| {
            let fits = form.check().is_ok() && !app.is_starting_server();
            begins = primary(ui, palette, tr.text(Text::HostOpen), fits).clicked();
            closed = ui.button(tr.text(Text::Cancel)).clicked();
        });
    });
    if form != *known {
        commands.push(Command::Network(NetworkCommand::EditHostForm(Box::new(form))));
    }
    if begins {
        commands.push(Command::Network(NetworkCommand::Host));
    }
    if closed || shown.should_close() {
        commands.push(Command::Network(NetworkCommand::CloseHostForm));
    }
}

/// A table of labels and fields.
fn table(ui: &mut Ui, name: &str, rows: impl FnOnce(&mut Ui)) {
    Grid::new(name).num_columns(2).min_col_width(120.0).spacing(vec2(18.0, 8.0)).show(ui, rows);
}

/// A button that is one of several; whether it was clicked.
fn choice(ui: &mut Ui, label: &str, text: &str, chosen: bool) -> bool {
    let drawn = ui.add(Button::selectable(chosen, text));
    drawn.widget_info(|| {
        WidgetInfo::selected(Role::Button, true, chosen, format!("{label}: {text}"))
    });
    drawn.clicked()
}

/// Who is there, and who may come.
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

/// Keeps so many signs.
fn cut(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
    }
}

fn more_terms(ui: &mut Ui, tr: Translator, form: &mut HostForm) {
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
            (Text::AllowUndo, &mut form.undo),
            (Text::AllowDraw, &mut form.draws),
            (Text::AllowPause, &mut form.pause),
            (Text::AllowChat, &mut form.chat),
            (Text::AllowPassing, &mut form.passing),
        ] {
            ui.checkbox(value, tr.text(text));
        }
    });
    ui.end_row();
}

/// The engines that seats may be handed to.
fn engines(ui: &mut Ui, app: &App, palette: Palette, form: &mut HostForm) {
    let tr = app.tr();
    ui.label(tr.text(Text::TableEngines));
    let list = app.engine_list();
    if list.engines.is_empty() {
        ui.label(RichText::new(tr.text(Text::TableEnginesNone)).color(palette.weak));
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
fn problem(ui: &mut Ui, app: &App, palette: Palette, form: &HostForm) {
    let tr = app.tr();
    let problem = match form.check() {
        Err(HostFormProblem::Game(GameFormProblem::Size)) => {
            Some(tr.text(Text::SizeProblem).to_owned())
        }
        Err(HostFormProblem::Game(GameFormProblem::Opening(error))) => {
            Some(tr.opening_problem(&error))
        }
        Err(HostFormProblem::Listen(problem)) => Some(tr.listen_problem(problem).to_owned()),
        Err(HostFormProblem::Password) => Some(tr.text(Text::ServerPasswordShort).to_owned()),
        Ok(_) => app.host_problem().map(str::to_owned),
    };
    if let Some(problem) = problem {
        ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
    } else if app.is_starting_server() {
        ui.label(RichText::new(tr.text(Text::HostStarting)).color(palette.weak));
    }
}
