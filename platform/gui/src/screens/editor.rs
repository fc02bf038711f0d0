//! The screen of the position editor.

use eframe::egui::{
    Align, Button, CentralPanel, CursorIcon, Frame, Label, Layout, Margin, Panel, RichText, Role,
    Sense, Ui, WidgetInfo,
};
use tengen_rules::{Color, Rule, Size};

use super::new_game::side;
use crate::app::{
    App, Brush, Command, EditorCommand, PositionEditor, Text, UserAction, translator,
};
use crate::keys::Keymap;
use crate::theme::Palette;
use crate::widgets::{Textures, primary, static_board};

/// The position editor: the board, and the brushes and settings beside it.
#[derive(Default)]
pub(crate) struct EditorScreen {
    art: Textures,
}

impl EditorScreen {
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        app: &App,
        keys: &Keymap,
        editor: &PositionEditor,
        palette: Palette,
        commands: &mut Vec<Command>,
    ) {
        let side = Frame::new().fill(palette.panel).inner_margin(Margin::same(16));
        Panel::right("draft").frame(side).default_size(340.0).show(ui, |ui| {
            choices(ui, app, editor, palette, commands);
            ui.add_space(14.0);
            verdict(ui, app, keys, editor, palette, commands);
        });
        let ground = Frame::new().fill(palette.ground).inner_margin(Margin::same(14));
        CentralPanel::default().frame(ground).show(ui, |ui| {
            self.board(ui, app, editor, commands);
        });
    }

    fn board(
        &mut self,
        ui: &mut Ui,
        app: &App,
        editor: &PositionEditor,
        commands: &mut Vec<Command>,
    ) {
        let (room, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let (tr, picture) = (app.tr(), app.picture().cloned());
        let grid =
            static_board(ui, &mut self.art, room, &editor.diagram(), app.settings(), picture);
        for point in editor.size().points() {
            let id = ui.scope_id().with(point);
            let place = ui.interact(grid.around(point), id, Sense::CLICK);
            place.widget_info(|| {
                let name = translator::point(point);
                let text = match editor.stone(point) {
                    Some(color) => format!("{name} {}", tr.color(color)),
                    None => name,
                };
                WidgetInfo::labeled(Role::Button, true, text)
            });
            if place.on_hover_cursor(CursorIcon::PointingHand).clicked() {
                commands.push(Command::Editor(EditorCommand::Click(point)));
            }
        }
    }
}

/// The brush, the side to move, and the rule.
fn choices(
    ui: &mut Ui,
    app: &App,
    editor: &PositionEditor,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let mut say = |command| commands.push(Command::Editor(command));
    let heading = |ui: &mut Ui, text: Text| {
        ui.add_space(8.0);
        ui.label(RichText::new(tr.text(text)).color(palette.weak));
    };
    ui.label(RichText::new(tr.text(Text::SetUp)).heading().strong());
    heading(ui, Text::EditorBrush);
    ui.horizontal_wrapped(|ui| {
        for brush in Brush::ALL {
            let label = tr.text(match brush {
                Brush::InTurn => Text::BrushInTurn,
                Brush::Black => Text::BrushBlack,
                Brush::White => Text::BrushWhite,
                Brush::Nothing => Text::BrushNothing,
            });
            if ui.add(Button::selectable(editor.brush == brush, label)).clicked() {
                say(EditorCommand::Brush(brush));
            }
        }
    });
    heading(ui, Text::EditorToMove);
    ui.horizontal(|ui| {
        for color in [Color::Black, Color::White] {
            let chosen = editor.to_move() == color;
            let button = ui.add(Button::selectable(chosen, tr.color(color)));
            button.widget_info(|| {
                let text = format!("{} {}", tr.text(Text::EditorToMove), tr.color(color));
                WidgetInfo::selected(Role::Button, true, chosen, text)
            });
            if button.clicked() {
                say(EditorCommand::ToMove(color));
            }
        }
    });
    heading(ui, Text::Rule);
    ui.horizontal_wrapped(|ui| {
        for rule in Rule::ALL {
            let button = Button::selectable(editor.rule() == rule, tr.rule(rule));
            if ui.add(button).on_hover_text(tr.rule_tip(rule)).clicked() {
                say(EditorCommand::Rule(rule));
            }
        }
    });
    heading(ui, Text::Board);
    let (mut width, mut height) = (editor.size().width(), editor.size().height());
    ui.horizontal(|ui| {
        side(ui, tr.text(Text::Columns), &mut width);
        ui.label("×");
        side(ui, tr.text(Text::Rows), &mut height);
    });
    if let Ok(size) = Size::new(width, height)
        && size != editor.size()
    {
        say(EditorCommand::Size(size));
    }
    ui.add_space(12.0);
    if ui.button(tr.text(Text::EditorClear)).clicked() {
        say(EditorCommand::Clear);
    }
}

/// Whether the position can be reached, and how to play from it.
fn verdict(
    ui: &mut Ui,
    app: &App,
    keys: &Keymap,
    editor: &PositionEditor,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let text = match editor.game() {
        Ok(points) => {
            let count = points.len().to_string();
            RichText::new(tr.fill(Text::EditorReady, &[&count])).color(palette.weak)
        }
        Err(problem) => RichText::new(tr.editor_problem(problem)).color(palette.danger),
    };
    ui.add(Label::new(text).wrap());
    ui.add_space(10.0);
    ui.with_layout(Layout::left_to_right(Align::Min), |ui| {
        let command = app.command(UserAction::PlayHere);
        let begin = primary(ui, palette, tr.text(Text::PlayHere), command.is_some());
        if begin.on_hover_text(keys.text(ui.ctx(), UserAction::PlayHere)).clicked() {
            commands.extend(command);
        }
    });
}
