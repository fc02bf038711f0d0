//! The new game form.

pub(super) mod more;

use std::ops::RangeInclusive;

use eframe::egui::{Color32, ComboBox, DragValue, Frame, Grid, Id, RichText, Ui, WidgetInfo, vec2};
use tengen_lineup::EngineList;
use tengen_rules::{Procedure, Rule, Seat};

use super::dialog_frame::{form_area, form_dialog};
use crate::app::{ClockKind, Command, GameForm, PlayerSpec, Text, Translator};
use crate::widgets::{Look, menu_field, paragraph, stone, with_label};

/// The board sizes with a button.
const SIDES: [u8; 4] = [9, 15, 19, 20];

/// The height of a window in which the form has space for the description of the opening.
const ROOMY: f32 = 600.0;

pub(crate) fn new_game(ui: &Ui, look: Look<'_>, form: &GameForm) {
    let Look { app, tr, .. } = look;
    let engine_list = app.engine_list();
    let mut setup = form.clone();
    let (id, title) = (Id::unique("new game"), tr.text(Text::NewGame));
    let clicks = form_dialog(ui, look, id, title, 560.0, |ui| {
        ui.add_space(8.0);
        form_area(ui, id, 250.0, |ui| {
            seats(ui, look, &engine_list, &mut setup);
            ui.add_space(10.0);
            Grid::new("what").num_columns(2).spacing(vec2(18.0, 10.0)).show(ui, |ui| {
                more::presets(ui, look, &mut setup);
                rule_row(ui, tr, &mut setup.rule);
                board(ui, tr, &mut setup);
                opening(ui, tr, &mut setup);
                clock(ui, tr, &mut setup, true);
            });
            ui.add_space(4.0);
            more::more(ui, look, &mut setup);
        });
        ui.add_space(8.0);
        let roomy = ui.ctx().content_rect().height() >= ROOMY;
        let (color, text) = remark(look, &engine_list, &setup, roomy);
        paragraph(ui, color, text);
        ui.add_space(10.0);
        (Text::Begin, setup.check().is_ok())
    });
    let is_resized = (setup.width, setup.height) != (form.width, form.height);
    if let Some(named) = form.named().filter(|_| is_resized && setup.book == form.book) {
        setup = setup.with_named(named);
    }
    if clicks.begins || setup != *form {
        look.send(Command::EditGameForm(setup));
    }
    if clicks.begins {
        look.send(Command::StartGame);
    }
    if clicks.closes {
        look.send(Command::CloseGameForm);
    }
}

/// Both players, side by side.
fn seats(ui: &mut Ui, look: Look<'_>, engine_list: &EngineList, setup: &mut GameForm) {
    let Look { tr, palette, .. } = look;
    ui.columns(2, |columns| {
        for (ui, seat) in columns.iter_mut().zip(Seat::ALL) {
            let frame = Frame::new().fill(palette.card).corner_radius(8).inner_margin(12);
            frame.show(ui, |ui| {
                ui.set_width(ui.available_width());
                let (label, color) = match seat {
                    Seat::First => (Text::FirstSeat, tengen_rules::Color::Black),
                    Seat::Second => (Text::SecondSeat, tengen_rules::Color::White),
                };
                let label = tr.text(label);
                ui.horizontal(|ui| {
                    let (rect, _) =
                        ui.allocate_exact_size(vec2(18.0, 18.0), eframe::egui::Sense::hover());
                    stone(ui.painter(), rect.center(), 8.0, color);
                    ui.colored_label(palette.weak, label);
                });
                spec(ui, tr, engine_list, label, seat, &mut setup.seats[seat]);
            });
        }
    });
    ui.add_space(4.0);
    ui.vertical_centered(|ui| {
        if ui.button(tr.text(Text::SwapSeats)).clicked() {
            std::mem::swap(&mut setup.seats.first, &mut setup.seats.second);
        }
    });
}

fn spec(
    ui: &mut Ui,
    tr: Translator,
    engine_list: &EngineList,
    label: &str,
    seat: Seat,
    spec: &mut PlayerSpec,
) {
    let person = tr.text(Text::Person);
    let name = match spec {
        PlayerSpec::Person => person.to_owned(),
        PlayerSpec::Engine(id) => engine_list.name(id).to_owned(),
    };
    let text = RichText::new(&name).size(15.0);
    let combo = ComboBox::from_id_salt(("sits", seat.name())).selected_text(text).truncate();
    let combo = combo.height(420.0).width(ui.available_width());
    menu_field(ui, combo, label, &name, |ui| {
        ui.selectable_value(spec, PlayerSpec::Person, person);
        for engine in &engine_list.engines {
            ui.selectable_value(spec, PlayerSpec::Engine(engine.id.clone()), &engine.name);
        }
    });
}

pub(super) fn rule_row(ui: &mut Ui, tr: Translator, chosen: &mut Rule) {
    ui.label(tr.text(Text::Rule));
    ui.horizontal(|ui| rule_buttons(ui, tr, chosen));
    ui.end_row();
}

pub(super) fn rule_buttons(ui: &mut Ui, tr: Translator, chosen: &mut Rule) {
    for rule in Rule::ALL {
        ui.selectable_value(chosen, rule, tr.rule(rule)).on_hover_text(tr.rule_tip(rule));
    }
}

pub(super) fn board(ui: &mut Ui, tr: Translator, setup: &mut GameForm) {
    ui.label(tr.text(Text::Board));
    ui.horizontal(|ui| {
        for points in SIDES {
            let chosen = (setup.width, setup.height) == (points, points);
            if ui.selectable_label(chosen, format!("{points}×{points}")).clicked() {
                (setup.width, setup.height) = (points, points);
            }
        }
        ui.add_space(10.0);
        sides(ui, tr, &mut setup.width, &mut setup.height);
    });
    ui.end_row();
}

/// Both sides of a board.
pub(super) fn sides(ui: &mut Ui, tr: Translator, width: &mut u8, height: &mut u8) {
    number(ui, tr.text(Text::Columns), width, 5..=32);
    ui.label("×");
    number(ui, tr.text(Text::Rows), height, 5..=32);
}

/// A number in a range, with a label for screen readers.
pub(super) fn number<N: eframe::egui::emath::Numeric>(
    ui: &mut Ui,
    label: &str,
    value: &mut N,
    range: RangeInclusive<N>,
) {
    let shown = value.to_f64();
    let drawn = ui.add(DragValue::new(value).range(range).speed(0.2));
    drawn.widget_info(|| with_label(WidgetInfo::drag_value(true, shown), label));
    drawn.on_hover_text(label);
}

pub(super) fn opening(ui: &mut Ui, tr: Translator, setup: &mut GameForm) {
    let label = tr.text(Text::Opening);
    ui.label(label);
    let stones = setup.book.len().to_string();
    let named = |procedure| match procedure {
        Procedure::Book => tr.fill(Text::PositionSetUp, &[&stones]),
        procedure => tr.opening(procedure).to_owned(),
    };
    let offered = GameForm::procedures().chain((!setup.book.is_empty()).then_some(Procedure::Book));
    let name = named(setup.opening);
    let combo = ComboBox::from_id_salt("opening").height(420.0).width(280.0).selected_text(&name);
    let drawn = menu_field(ui, combo, label, &name, |ui| {
        for procedure in offered {
            ui.selectable_value(&mut setup.opening, procedure, named(procedure));
        }
    });
    if let Some(tip) = tr.opening_tip(setup.opening) {
        drawn.on_hover_text(tip);
    }
    ui.end_row();
}

/// The clock; without one, how long engines think, where there may be any.
pub(super) fn clock(ui: &mut Ui, tr: Translator, setup: &mut GameForm, has_engines: bool) {
    ui.label(tr.text(Text::Clock));
    ui.horizontal(|ui| {
        for (kind, label) in [
            (ClockKind::Off, Text::ClockOff),
            (ClockKind::Game, Text::ClockGame),
            (ClockKind::Move, Text::ClockMove),
        ] {
            ui.selectable_value(&mut setup.clock, kind, tr.text(label));
        }
    });
    ui.end_row();
    let mut row = |fields: &mut [(Text, &mut u32, RangeInclusive<u32>)]| {
        ui.label("");
        ui.horizontal(|ui| {
            ui.set_min_height(26.0);
            for (label, value, range) in fields {
                let label = tr.text(*label);
                ui.weak(label);
                number(ui, label, *value, range.clone());
            }
        });
        ui.end_row();
    };
    match setup.clock {
        ClockKind::Off if !has_engines => row(&mut []),
        ClockKind::Off => row(&mut [(Text::EngineThinks, &mut setup.engine_time, 1..=3600)]),
        ClockKind::Game => {
            row(&mut [
                (Text::SecondsGame, &mut setup.main, 1..=86_400),
                (Text::SecondsMore, &mut setup.increment, 0..=3600),
            ]);
            row(&mut [(Text::MoveCap, &mut setup.cap, 0..=86_400)]);
            row(&mut [(Text::SessionLength, &mut setup.session, 0..=1000)]);
            row(&mut [
                (Text::ByoYomiPeriods, &mut setup.periods, 0..=100),
                (Text::PeriodSeconds, &mut setup.period, 1..=3600),
            ]);
        }
        ClockKind::Move => row(&mut [(Text::SecondsMove, &mut setup.per_move, 1..=86_400)]),
    }
}

/// What is wrong with the form, or a description of the rule and the opening.
fn remark(
    look: Look<'_>,
    engine_list: &EngineList,
    setup: &GameForm,
    roomy: bool,
) -> (Color32, String) {
    let Look { app, tr, palette, .. } = look;
    let problem = match (setup.check(), app.form_problem(), &engine_list.problem) {
        (Err(problem), ..) => tr.game_form_problem(problem),
        (Ok(_), Some(problem), _) => problem.to_owned(),
        (Ok(_), None, Some(problem)) => tr.fill(Text::NoEngines, &[problem]),
        (Ok(_), None, None) => {
            let opening = tr.opening_tip(setup.opening).filter(|_| roomy);
            let tips: Vec<&str> = [tr.rule_tip(setup.rule)].into_iter().chain(opening).collect();
            return (palette.weak, tips.join("\n"));
        }
    };
    (palette.danger, problem)
}
