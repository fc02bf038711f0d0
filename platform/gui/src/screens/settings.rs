//! The settings dialog.

use eframe::egui::{Button, Grid, Role, TextEdit, Ui, WidgetInfo, vec2};

use super::dialog_frame::dialog_frame;
use super::new_game::number;
use crate::app::{Command, Dialog, FileCommand, FilePurpose, Text, UserAction, UserFile};
use crate::widgets::{Look, with_label};

/// An action, and a shorter label than in menus.
type SettingChoice = (UserAction, Option<Text>);

/// The choices, a row each.
const LINES: [(Text, &[SettingChoice]); 5] = [
    (Text::LanguageLabel, &[(UserAction::English, None), (UserAction::Chinese, None)]),
    (
        Text::ThemeLabel,
        &[(UserAction::Light, None), (UserAction::Dark, None), (UserAction::Sound, None)],
    ),
    (
        Text::Board,
        &[
            (UserAction::Kaya, None),
            (UserAction::Slate, None),
            (UserAction::Paper, None),
            (UserAction::OwnPicture, None),
        ],
    ),
    (
        Text::NumbersLabel,
        &[
            (UserAction::NumbersOff, Some(Text::Off)),
            (UserAction::NumbersLast, Some(Text::LastOnes)),
            (UserAction::NumbersAll, Some(Text::All)),
        ],
    ),
    (
        Text::Coordinates,
        &[
            (UserAction::Coordinates, None),
            (UserAction::FourEdges, None),
            (UserAction::Forbidden, None),
        ],
    ),
];

/// The settings dialog.
pub(crate) fn settings(ui: &Ui, look: Look<'_>, typed: &[String; UserFile::ALL.len()]) {
    let Look { app, tr, .. } = look;
    dialog_frame(ui, look, Text::SettingsTitle, 640.0, |ui| {
        Grid::new("settings").num_columns(2).spacing(vec2(18.0, 12.0)).show(ui, |ui| {
            for (label, actions) in LINES {
                ui.label(tr.text(label));
                ui.horizontal(|ui| {
                    for &(action, short) in actions {
                        let text = tr.text(short.unwrap_or(action.label()));
                        let chosen = app.is_on(action) == Some(true);
                        let command = app.command(action);
                        let button = Button::selectable(chosen, text);
                        if ui.add_enabled(command.is_some(), button).clicked() {
                            look.send_all(command);
                        }
                        if action == UserAction::NumbersLast {
                            last_numbers(ui, look);
                        }
                    }
                });
                ui.end_row();
            }
            for of in UserFile::ALL {
                ui.label(tr.text(of.label()));
                path_field(ui, look, of, typed);
                ui.end_row();
            }
        });
    });
}

/// How many of the last stones show numbers.
fn last_numbers(ui: &mut Ui, look: Look<'_>) {
    let app = look.app;
    let known = app.settings().last_numbers;
    let mut last = known;
    number(ui, app.tr().text(Text::LastHowMany), &mut last, 1..=99);
    if last != known {
        look.send(Command::SetLastNumbers(last));
    }
}

/// The path of a file, and buttons to use it, to look for it, and to do without.
fn path_field(ui: &mut Ui, look: Look<'_>, of: UserFile, typed: &[String; UserFile::ALL.len()]) {
    let Look { app, tr, .. } = look;
    ui.horizontal(|ui| {
        let known = &typed[of as usize];
        let mut path = known.clone();
        let field = TextEdit::singleline(&mut path).desired_width(220.0);
        let field = ui.add(field).on_hover_text(tr.text(of.tip()));
        let info = || WidgetInfo::text_edit(true, known, known, "");
        field.widget_info(|| with_label(info(), tr.text(of.label())));
        if field.changed() {
            let mut typed = typed.clone();
            typed[of as usize].clone_from(&path);
            look.send(Command::ShowDialog(Dialog::Settings { typed }));
        }
        let path = path.trim();
        let mut button = |label, is_enabled, command| {
            let button = Button::new(tr.text(label));
            let drawn = ui.add_enabled(is_enabled, button);
            let name = format!("{}: {}", tr.text(of.label()), tr.text(label));
            drawn.widget_info(|| WidgetInfo::labeled(Role::Button, is_enabled, &name));
            if drawn.clicked() {
                look.send(command);
            }
        };
        button(Text::PictureUse, !path.is_empty(), Command::UseFile(of, Some(path.into())));
        let dialog = FileCommand::OpenDialog(FilePurpose::Use(of));
        button(Text::Browse, true, Command::File(dialog));
        button(Text::Off, app.settings().file(of).is_some(), Command::UseFile(of, None));
    });
}
