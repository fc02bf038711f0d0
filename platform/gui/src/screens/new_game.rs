//! The new game form.

use eframe::egui::{
    Button, ComboBox, DragValue, Frame, Grid, Id, Label, RichText, Role, Ui, WidgetInfo, vec2,
};
use tengen_rules::{Procedure, Rule, Seat};

use super::dialog_frame::{button_row, modal};
use crate::app::{
    App, ClockKind, Command, EngineList, GameForm, GameFormProblem, PlayerSpec, Text, Translator,
};
use crate::theme::Palette;
use crate::widgets::{primary, stone};

/// The board sizes with a button.
const SIDES: [u8; 4] = [9, 15, 19, 20];

/// The height of a window in which the form has space for the description of the opening.
const ROOMY: f32 = 600.0;

/// The new game form.
pub(crate) fn new_game(
    ui: &Ui,
    app: &App,
    form: &GameForm,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let engine_list = app.engine_list();
    let mut setup = form.clone();
    let mut closed = false;
    let id = Id::unique("new game");
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(560.0);
        ui.label(RichText::new(tr.text(Text::NewGame)).heading().strong());
        ui.add_space(8.0);
        seats(ui, tr, palette, &engine_list, &mut setup);
        ui.add_space(10.0);
        Grid::new("what").num_columns(2).spacing(vec2(18.0, 10.0)).show(ui, |ui| {
            rule(ui, tr, &mut setup);
            board(ui, tr, &mut setup);
            opening(ui, tr, &mut setup);
            clock(ui, tr, &mut setup, true);
        });
        ui.add_space(8.0);
        let roomy = ui.ctx().content_rect().height() >= ROOMY;
        ui.add(Label::new(remark(app, palette, &engine_list, &setup, roomy)).wrap());
        ui.add_space(10.0);
        button_row(ui, |ui| {
            if primary(ui, palette, tr.text(Text::Begin), setup.check().is_ok()).clicked() {
                commands.push(Command::EditGameForm(setup.clone()));
                commands.push(Command::StartGame);
            }
            closed = ui.button(tr.text(Text::Cancel)).clicked();
        });
    });
    if setup != *form {
        commands.push(Command::EditGameForm(setup));
    }
    if closed || shown.should_close() {
        commands.push(Command::CloseGameForm);
    }
}

/// Both players, side by side.
fn seats(
    ui: &mut Ui,
    tr: Translator,
    palette: Palette,
    engine_list: &EngineList,
    setup: &mut GameForm,
) {
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
                    ui.label(RichText::new(label).color(palette.weak));
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
    let drawn = combo.height(420.0).width(ui.available_width()).show_ui(ui, |ui| {
        if ui.add(Button::selectable(spec.is_person(), person)).clicked() {
            *spec = PlayerSpec::Person;
        }
        for engine in &engine_list.engines {
            let chosen = *spec == PlayerSpec::Engine(engine.id.clone());
            if ui.add(Button::selectable(chosen, &engine.name)).clicked() {
                *spec = PlayerSpec::Engine(engine.id.clone());
            }
        }
    });
    drawn.response.widget_info(|| combo_info(label, &name));
}

pub(super) fn combo_info(label: &str, value: &str) -> WidgetInfo {
    let mut info = WidgetInfo::labeled(Role::ComboBox, true, label);
    info.current_text_value = Some(value.to_owned());
    info
}

pub(super) fn rule(ui: &mut Ui, tr: Translator, setup: &mut GameForm) {
    ui.label(tr.text(Text::Rule));
    ui.horizontal(|ui| {
        for rule in Rule::ALL {
            let button = Button::selectable(setup.rule == rule, tr.rule(rule));
            if ui.add(button).on_hover_text(tr.rule_tip(rule)).clicked() {
                setup.rule = rule;
            }
        }
    });
    ui.end_row();
}

pub(super) fn board(ui: &mut Ui, tr: Translator, setup: &mut GameForm) {
    ui.label(tr.text(Text::Board));
    ui.horizontal(|ui| {
        for points in SIDES {
            let chosen = (setup.width, setup.height) == (points, points);
            if ui.add(Button::selectable(chosen, format!("{points}×{points}"))).clicked() {
                (setup.width, setup.height) = (points, points);
            }
        }
        ui.add_space(10.0);
        side(ui, tr.text(Text::Columns), &mut setup.width);
        ui.label("×");
        side(ui, tr.text(Text::Rows), &mut setup.height);
    });
    ui.end_row();
}

/// One side of the board size.
pub(super) fn side(ui: &mut Ui, label: &str, points: &mut u8) {
    number(ui, label, points, 5..=32);
}

/// A number in a range, with a label for screen readers.
pub(super) fn number<N: eframe::egui::emath::Numeric>(
    ui: &mut Ui,
    label: &str,
    value: &mut N,
    range: std::ops::RangeInclusive<N>,
) {
    let shown = value.to_f64();
    let drawn = ui.add(DragValue::new(value).range(range).speed(0.2));
    drawn.widget_info(|| {
        let mut info = WidgetInfo::drag_value(true, shown);
        info.label = Some(label.to_owned());
        info
    });
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
    let drawn = ComboBox::from_id_salt("opening")
        .height(420.0)
        .width(280.0)
        .selected_text(&name)
        .show_ui(ui, |ui| {
            for procedure in offered {
                let button = Button::selectable(setup.opening == procedure, named(procedure));
                if ui.add(button).clicked() {
                    setup.opening = procedure;
                }
            }
        });
    drawn.response.widget_info(|| combo_info(label, &name));
    if let Some(tip) = tr.opening_tip(setup.opening) {
        drawn.response.on_hover_text(tip);
    }
    ui.end_row();
}

/// The clock; without one, how long engines think, where there may be any.
pub(super) fn clock(ui: &mut Ui, tr: Translator, setup: &mut GameForm, has_engines: bool) {
    ui.label(tr.text(Text::Clock));
    ui.horizontal(|ui| {
        for kind in ClockKind::ALL {
            let label = tr.text(match kind {
                ClockKind::Off => Text::ClockOff,
                ClockKind::Game => Text::ClockGame,
                ClockKind::Move => Text::ClockMove,
            });
            if ui.add(Button::selectable(setup.clock == kind, label)).clicked() {
                setup.clock = kind;
            }
        }
    });
    ui.end_row();
    ui.label("");
    ui.horizontal(|ui| {
        ui.set_min_height(26.0);
        let mut field = |label: Text, value: &mut u32, least: u32, most: u32| {
            let label = tr.text(label);
            ui.label(RichText::new(label).weak());
            number(ui, label, value, least..=most);
        };
        match setup.clock {
            ClockKind::Off if !has_engines => {}
            ClockKind::Off => field(Text::EngineThinks, &mut setup.engine_time, 1, 3600),
            ClockKind::Game => {
                field(Text::SecondsGame, &mut setup.main, 1, 86_400);
                field(Text::SecondsMore, &mut setup.increment, 0, 3600);
            }
            ClockKind::Move => field(Text::SecondsMove, &mut setup.per_move, 1, 86_400),
        }
    });
    ui.end_row();
}

/// What is wrong with the form, or a description of the rule and the opening.
fn remark(
    app: &App,
    palette: Palette,
    engine_list: &EngineList,
    setup: &GameForm,
    roomy: bool,
) -> RichText {
    let tr = app.tr();
    let wrong = |text: String| RichText::new(text).color(palette.danger);
    match setup.check() {
        Err(GameFormProblem::Size) => wrong(tr.text(Text::SizeProblem).to_owned()),
        Err(GameFormProblem::Opening(error)) => wrong(tr.opening_problem(&error)),
        Ok(_) => match (app.form_problem(), &engine_list.problem) {
            (Some(problem), _) => wrong(problem.to_owned()),
            (None, Some(problem)) => wrong(tr.fill(Text::NoEngines, &[problem])),
            (None, None) => {
                let opening = tr.opening_tip(setup.opening).filter(|_| roomy);
                let tips: Vec<&str> =
                    [Some(tr.rule_tip(setup.rule)), opening].into_iter().flatten().collect();
                RichText::new(tips.join("\n")).color(palette.weak)
            }
        },
    }
}
