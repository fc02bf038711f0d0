//! The widgets of the window: functions of the state that return commands.

mod analysis;
mod background;
mod board;
mod chat_line;
mod clocks;
mod controls;
mod engines;
mod game_list;
mod graph;
mod menus;
mod moves;
mod opening;
mod panes;
mod player_menu;
mod prompt;
mod score;
mod sprt;
mod table;
mod table_panes;
mod tabs;
mod textures;

pub(crate) use analysis::analysis;
pub(crate) use background::WindowPicture;
pub(crate) use board::{BoardWidget, static_board};
pub(crate) use clocks::clocks;
pub(crate) use controls::controls;
pub(crate) use engines::engines;
pub(crate) use game_list::{game_list, result_text};
pub(crate) use graph::graph;
pub(crate) use menus::menus;
pub(crate) use moves::moves;
pub(crate) use opening::opening;
pub(crate) use panes::panes;
pub(crate) use player_menu::player_menu;
pub(crate) use prompt::prompt;
pub(crate) use score::{players_score, score};
pub(crate) use sprt::test;
pub(crate) use table::table;
pub(crate) use tabs::tabs;
pub(crate) use textures::Textures;

use std::cell::RefCell;

use eframe::egui::{
    Align, Button, Color32, ComboBox, Frame, Label, Layout, Painter, Pos2, Response, RichText,
    Role, Stroke, Ui, WidgetInfo, vec2,
};
use tengen_arbiter::Nanos;
use tengen_rules::Color;

use crate::app::{
    AnalysisSession, App, Command, NetworkCommand, Settings, Snapshot, TableInfo, Text, Translator,
    UserAction, View,
};
use crate::keys::Keymap;
use crate::theme::Palette;

/// What screens and widgets are drawn with, and where they put the commands of the user.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub app: &'a App,
    pub keys: &'a Keymap,
    pub tr: Translator,
    pub palette: Palette,
    pub commands: &'a RefCell<Vec<Command>>,
}

impl Look<'_> {
    /// Has a command applied after the frame.
    pub fn send(self, command: Command) {
        self.commands.borrow_mut().push(command);
    }

    /// The same for several, or none.
    pub fn send_all(self, commands: impl IntoIterator<Item = Command>) {
        self.commands.borrow_mut().extend(commands);
    }
}

/// What the widgets of a tab are drawn from.
#[derive(Clone, Copy)]
pub(crate) struct Scene<'a> {
    pub look: Look<'a>,
    pub snapshot: &'a Snapshot,
    pub view: &'a View,
    pub settings: &'a Settings,
    pub tr: Translator,
    pub palette: Palette,
    /// The current time, on the clock of the snapshot.
    pub now: Nanos,
    /// The table on a server, if it is one.
    pub table: Option<&'a TableInfo>,
}

impl<'a> Scene<'a> {
    /// The analysis, if it is one.
    pub fn analysis(&self) -> Option<&'a AnalysisSession> {
        self.look.app.tab()?.document.analysis()
    }
}

/// A stone beside a text, with a rim that shows in either theme.
pub(crate) fn stone(painter: &Painter, center: Pos2, radius: f32, color: Color) {
    let (fill, rim) = match color {
        Color::Black => (Color32::from_gray(18), Color32::from_gray(120)),
        Color::White => (Color32::from_gray(250), Color32::from_gray(130)),
    };
    painter.circle(center, radius, fill, Stroke::new(1.0, rim));
}

/// The button of an action, disabled when it means nothing now, with its key on hover.
pub(crate) fn action_button(
    ui: &mut Ui,
    look: Look<'_>,
    action: UserAction,
    label: &str,
    tip: &str,
) -> Response {
    let Look { app, keys, .. } = look;
    let command = app.command(action);
    let button = ui.add_enabled(command.is_some(), Button::new(label));
    let key = keys.text(ui.ctx(), action);
    let tip = match (tip.is_empty(), key.is_empty()) {
        (true, _) => key,
        (false, true) => tip.to_owned(),
        (false, false) => format!("{tip} ({key})"),
    };
    let button = if tip.is_empty() { button } else { button.on_hover_text(tip) };
    if button.clicked() {
        look.send_all(command);
    }
    button
}

/// A full-width button with its text at the left.
pub(crate) fn line(ui: &mut Ui, button: Button<'_>) -> Response {
    let size = vec2(ui.available_width(), ui.spacing().interact_size.y);
    let layout = Layout::left_to_right(Align::Center).with_main_justify(true);
    let layout = layout.with_main_align(Align::LEFT);
    ui.allocate_ui_with_layout(size, layout, |ui| ui.add(button.truncate())).inner
}

/// An important button.
pub(crate) fn primary(ui: &mut Ui, palette: Palette, label: &str, enabled: bool) -> Response {
    let text = RichText::new(label).color(palette.on_accent).strong();
    ui.add_enabled(enabled, Button::new(text).fill(palette.accent))
}

/// A text that is wrapped.
pub(crate) fn paragraph(ui: &mut Ui, color: Color32, text: impl Into<String>) -> Response {
    ui.add(Label::new(RichText::new(text).color(color)).wrap())
}

/// A link, and a button at the right that copies it.
pub(crate) fn link_row(ui: &mut Ui, look: Look<'_>, label: &str, link: &str) {
    let Look { tr, palette, .. } = look;
    ui.horizontal(|ui| {
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let copy = copy_button(ui, look, link);
            copy.widget_info(|| {
                let text = format!("{}: {label}", tr.text(Text::DoCopy));
                WidgetInfo::labeled(Role::Button, true, text)
            });
            ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                let text = RichText::new(link).small().monospace().color(palette.weak);
                ui.add(Label::new(text).truncate()).on_hover_text(link);
            });
        });
    });
}

/// Where an event is seen in a browser, and a button that copies it.
pub(crate) fn page_row(ui: &mut Ui, look: Look<'_>, url: &str) {
    let Look { tr, palette, .. } = look;
    ui.horizontal(|ui| {
        let text = RichText::new(tr.fill(Text::EventUrl, &[url])).color(palette.weak);
        ui.add(Label::new(text).truncate());
        copy_button(ui, look, url);
    });
}

fn copy_button(ui: &mut Ui, look: Look<'_>, link: &str) -> Response {
    let copy = ui.button(look.tr.text(Text::DoCopy));
    if copy.clicked() {
        look.send(Command::Network(NetworkCommand::CopyLink(link.to_owned())));
    }
    copy
}

/// Content on the ground of a card, as wide as there is room.
pub(crate) fn card(ui: &mut Ui, palette: Palette, content: impl FnOnce(&mut Ui)) {
    Frame::new().fill(palette.card).corner_radius(8).inner_margin(10).show(ui, |ui| {
        ui.set_width(ui.available_width());
        content(ui);
    });
}

/// Gives a field its label and its value, for screen readers.
pub(crate) fn name_field(drawn: &Response, role: Role, label: &str, value: &str) {
    drawn.widget_info(|| {
        let mut info = WidgetInfo::labeled(role, true, label);
        info.current_text_value = Some(value.to_owned());
        info
    });
}

/// Information for screen readers, with this label.
pub(crate) fn with_label(mut info: WidgetInfo, label: &str) -> WidgetInfo {
    info.label = Some(label.to_owned());
    info
}

/// A field that opens a menu to choose from.
pub(crate) fn menu_field(
    ui: &mut Ui,
    combo: ComboBox<'_>,
    label: &str,
    chosen: &str,
    menu: impl FnOnce(&mut Ui),
) -> Response {
    let drawn = combo.show_ui(ui, menu).response;
    name_field(&drawn, Role::ComboBox, label, chosen);
    drawn
}
