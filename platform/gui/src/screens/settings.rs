//! The settings dialog.

use eframe::egui::{Button, Grid, TextEdit, Ui, WidgetInfo, vec2};

use super::dialog_frame::dialog_frame;
use super::new_game::number;
use crate::app::{Command, Dialog, FileCommand, FilePurpose, Text, UserAction};
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
pub(crate) fn settings(ui: &Ui, look: Look<'_>, picture: &str) {
    let Look { app, tr, .. } = look;
    dialog_frame(ui, look, Text::SettingsTitle, 560.0, |ui| {
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
            ui.label(tr.text(Text::PictureLabel));
            path_field(ui, look, picture);
            ui.end_row();
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

/// The path of a picture, and a button to use it.
fn path_field(ui: &mut Ui, look: Look<'_>, picture: &str) {
    let tr = look.tr;
    ui.horizontal(|ui| {
        let mut path = picture.to_owned();
        let field = TextEdit::singleline(&mut path).desired_width(240.0);
        let field = ui.add(field).on_hover_text(tr.text(Text::PictureTip));
        let info = || WidgetInfo::text_edit(true, picture, picture, "");
        field.widget_info(|| with_label(info(), tr.text(Text::PictureLabel)));
        if field.changed() {
            look.send(Command::ShowDialog(Dialog::Settings { picture: path.clone() }));
        }
        let typed = path.trim();
        let button = Button::new(tr.text(Text::PictureUse));
        if ui.add_enabled(!typed.is_empty(), button).clicked() {
            look.send(Command::SetBoardPicture(typed.into()));
        }
        if ui.button(tr.text(Text::Browse)).clicked() {
            look.send(Command::File(FileCommand::OpenDialog(FilePurpose::BoardPicture)));
        }
    });
}
