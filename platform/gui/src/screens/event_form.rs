use eframe::egui::{
    Align, Button, ComboBox, Frame, Grid, Id, Label, Layout, Modal, Order, RichText, Role,
    ScrollArea, TextEdit, Ui, WidgetInfo, vec2,
};
use tengen_rules::{Procedure, Rule};

use super::new_game::number;
use crate::app::{Command, EventCommand, EventForm, House, Text, Words};
use crate::theme::Palette;
use crate::widgets::primary;

/// The form of a new event.
pub(crate) fn event_form(
    ui: &Ui,
    house: &House,
    known: &EventForm,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let mut form = known.clone();
    let mut say = |command| commands.push(Command::Event(command));
    let frame = Frame::popup(ui.style()).fill(palette.panel).corner_radius(12).inner_margin(24);
    let id = Id::unique("event form");
    let area = Modal::default_area(id).order(Order::Middle);
    let mut closed = false;
    let modal = Modal::new(id).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(600.0);
        let heading = words.text(Text::NewEvent).trim_end_matches('…');
        ui.label(RichText::new(heading).heading().strong());
        ui.add_space(8.0);
        engines(ui, house, words, &mut form);
        ui.add_space(8.0);
        Grid::new("event").num_columns(2).spacing(vec2(18.0, 8.0)).show(ui, |ui| {
            rules(ui, words, &mut form);
            field(ui, words.text(Text::EventTc), words.text(Text::EventTcTip), &mut form.tc);
            ui.label(words.text(Text::EventGames));
            number(ui, words.text(Text::EventGames), &mut form.config.games, 1..=1_000_000);
            ui.end_row();
            ui.label(words.text(Text::EventConcurrency));
            number(ui, words.text(Text::EventConcurrency), &mut form.config.concurrency, 1..=1024);
            ui.end_row();
        });
        ui.add_space(8.0);
        let filled = form.filled();
        if let Err(problem) = &filled {
            ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if primary(ui, palette, words.text(Text::Begin), filled.is_ok()).clicked() {
                say(EventCommand::Edit(Box::new(form.clone())));
                say(EventCommand::Begin);
            }
            closed = ui.button(words.text(Text::Cancel)).clicked();
        });
    });
    if form != *known {
        say(EventCommand::Edit(Box::new(form)));
    }
    if closed || modal.should_close() {
        say(EventCommand::CloseForm);
    }
}

/// Who plays: those of the shelf, and those that a file named.
fn engines(ui: &mut Ui, house: &House, words: Words, form: &mut EventForm) {
    let listing = house.listing();
    ui.label(words.text(Text::EventEngines));
    ScrollArea::vertical().max_height(150.0).show(ui, |ui| {
        let mut offered: Vec<(String, String)> =
            listing.engines.iter().map(|engine| (engine.id.clone(), engine.name.clone())).collect();
        for entry in &form.config.engines {
            if !offered.iter().any(|(id, _)| *id == entry.id) {
                offered.push((entry.id.clone(), entry.id.clone()));
            }
        }
        ui.horizontal_wrapped(|ui| {
            for (id, name) in offered {
                let mut plays = form.seats(&id) > 0;
                if ui.checkbox(&mut plays, name).changed() {
                    form.seat(&id, plays);
                }
            }
        });
    });
}

fn rules(ui: &mut Ui, words: Words, form: &mut EventForm) {
    ui.label(words.text(Text::Rule));
    ui.horizontal(|ui| {
        for rule in Rule::ALL {
            let button = Button::selectable(form.config.rule == rule, words.rule(rule));
            if ui.add(button).on_hover_text(words.rule_tip(rule)).clicked() {
                form.config.rule = rule;
            }
        }
    });
    ui.end_row();
    ui.label(words.text(Text::Board));
    ui.horizontal(|ui| {
        number(ui, words.text(Text::Columns), &mut form.width, 5..=32);
        ui.label("×");
        number(ui, words.text(Text::Rows), &mut form.height, 5..=32);
    });
    ui.end_row();
    let label = words.text(Text::Opening);
    ui.label(label);
    let name = words.opening(form.config.opening);
    let drawn = ComboBox::from_id_salt("event opening")
        .height(420.0)
        .width(280.0)
        .selected_text(name)
        .show_ui(ui, |ui| {
            for procedure in Procedure::ALL {
                let chosen = form.config.opening == procedure;
                if ui.add(Button::selectable(chosen, words.opening(procedure))).clicked() {
                    form.config.opening = procedure;
                }
            }
        });
    drawn.response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::ComboBox, true, label);
        info.current_text_value = Some(name.to_owned());
        info
    });
    ui.end_row();
    if form.config.opening == Procedure::Book {
        field(ui, words.text(Text::EventOpenings), "", &mut form.openings);
    }
}

fn field(ui: &mut Ui, label: &str, tip: &str, value: &mut String) {
    ui.label(label);
    let drawn = ui.add(TextEdit::singleline(value).desired_width(280.0));
    drawn.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, label);
        info.current_text_value = Some(value.clone());
        info
    });
    if !tip.is_empty() {
        drawn.on_hover_text(tip);
    }
    ui.end_row();
}
