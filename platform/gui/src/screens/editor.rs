//! The screen of the position editor.

use eframe::egui::{
    Align, Button, CentralPanel, CursorIcon, Frame, Label, Layout, Margin, Panel, RichText, Role,
    Sense, Ui, WidgetInfo,
};
use tengen_rules::{Color, Size};

use super::new_game::{rule_buttons, sides};
use crate::app::{
    Brush, Command, EditorCommand, PositionEditor, Text, UserAction, UserFile, translator,
};
use crate::widgets::{Look, Textures, primary, static_board};

/// The position editor: the board, and the brushes and settings beside it.
#[derive(Default)]
pub(crate) struct EditorScreen {
    art: Textures,
}

impl EditorScreen {
    pub(crate) fn show(&mut self, ui: &mut Ui, look: Look<'_>, editor: &PositionEditor) {
        let palette = look.palette;
        let side = Frame::new().fill(palette.panel).inner_margin(Margin::same(16));
        Panel::right("draft").frame(side).default_size(340.0).show(ui, |ui| {
            choices(ui, look, editor);
            ui.add_space(14.0);
            verdict(ui, look, editor);
        });
        let ground = Frame::new().fill(palette.surround).inner_margin(Margin::same(14));
        CentralPanel::default().frame(ground).show(ui, |ui| {
            self.board(ui, look, editor);
        });
    }

    fn board(&mut self, ui: &mut Ui, look: Look<'_>, editor: &PositionEditor) {
        let app = look.app;
        let (room, _) = ui.allocate_exact_size(ui.available_size(), Sense::hover());
        let (tr, picture) = (app.tr(), app.picture(UserFile::BoardPicture).cloned());
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
                look.send(Command::Editor(EditorCommand::Click(point)));
            }
        }
    }
}

/// The brush, the side to move, and the rule.
fn choices(ui: &mut Ui, look: Look<'_>, editor: &PositionEditor) {
    let Look { tr, palette, .. } = look;
    let say = |command| look.send(Command::Editor(command));
    let heading = |ui: &mut Ui, text: Text| {
        ui.add_space(8.0);
        ui.colored_label(palette.weak, tr.text(text));
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
    let mut rule = editor.rule();
    ui.horizontal_wrapped(|ui| rule_buttons(ui, tr, &mut rule));
    if rule != editor.rule() {
        say(EditorCommand::Rule(rule));
    }
    heading(ui, Text::Board);
    let (mut width, mut height) = (editor.size().width(), editor.size().height());
    ui.horizontal(|ui| sides(ui, tr, &mut width, &mut height));
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
fn verdict(ui: &mut Ui, look: Look<'_>, editor: &PositionEditor) {
    let Look { app, keys, tr, palette, .. } = look;
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
            look.send_all(command);
        }
    });
}
