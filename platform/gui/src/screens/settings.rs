use eframe::egui::{Button, Grid, TextEdit, Ui, WidgetInfo, vec2};

use super::cover::cover;
use super::new_game::number;
use crate::app::{Command, Deed, Dialog, FileCommand, House, Purpose, Text};
use crate::theme::Palette;

/// A deed, and a shorter label than that of menus.
type Choice = (Deed, Option<Text>);

/// What is chosen from, in a line each.
const LINES: [(Text, &[Choice]); 5] = [
    (Text::LanguageLabel, &[(Deed::English, None), (Deed::Chinese, None)]),
    (Text::ThemeLabel, &[(Deed::Light, None), (Deed::Dark, None), (Deed::Sound, None)]),
    (
        Text::StyleLabel,
        &[(Deed::Kaya, None), (Deed::Slate, None), (Deed::Paper, None), (Deed::OwnPicture, None)],
    ),
    (
        Text::NumbersLabel,
        &[
            (Deed::NumbersOff, Some(Text::Off)),
            (Deed::NumbersLast, Some(Text::LastOnes)),
            (Deed::NumbersAll, Some(Text::All)),
        ],
    ),
    (
        Text::EdgesLabel,
        &[(Deed::Coordinates, None), (Deed::FourEdges, None), (Deed::Forbidden, None)],
    ),
];

/// How everything looks and sounds.
pub(crate) fn settings(
    ui: &Ui,
    house: &House,
    picture: &str,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    cover(ui, words, palette, Text::SettingsTitle, 560.0, commands, |ui, commands| {
        Grid::new("settings").num_columns(2).spacing(vec2(18.0, 12.0)).show(ui, |ui| {
            for (label, deeds) in LINES {
                ui.label(words.text(label));
                ui.horizontal(|ui| {
                    for &(deed, short) in deeds {
                        let text = words.text(short.unwrap_or(deed.label()));
                        let chosen = house.is_on(deed) == Some(true);
                        let command = house.command(deed);
                        let button = Button::selectable(chosen, text);
                        if ui.add_enabled(command.is_some(), button).clicked() {
                            commands.extend(command);
                        }
                        if deed == Deed::NumbersLast {
                            last_numbers(ui, house, commands);
                        }
                    }
                });
                ui.end_row();
            }
            ui.label(words.text(Text::PictureLabel));
            path_field(ui, house, picture, commands);
            ui.end_row();
        });
    });
}

/// How many of the last stones are numbered.
fn last_numbers(ui: &mut Ui, house: &House, commands: &mut Vec<Command>) {
    let known = house.settings().last_numbers;
    let mut last = known;
    number(ui, house.words().text(Text::LastHowMany), &mut last, 1..=99);
    if last != known {
        commands.push(Command::NumberLast(last));
    }
}

/// The path of a picture, and a button to take it.
fn path_field(ui: &mut Ui, house: &House, picture: &str, commands: &mut Vec<Command>) {
    let words = house.words();
    ui.horizontal(|ui| {
        let mut path = picture.to_owned();
        let field = TextEdit::singleline(&mut path).desired_width(240.0);
        let field = ui.add(field).on_hover_text(words.text(Text::PictureTip));
        field.widget_info(|| {
            let mut info = WidgetInfo::text_edit(true, picture, picture, "");
            info.label = Some(words.text(Text::PictureLabel).to_owned());
            info
        });
        if field.changed() {
            commands.push(Command::Show(Dialog::Settings { picture: path.clone() }));
        }
        let typed = path.trim();
        let button = Button::new(words.text(Text::PictureUse));
        if ui.add_enabled(!typed.is_empty(), button).clicked() {
            commands.push(Command::Picture(typed.into()));
        }
        if ui.button(words.text(Text::Browse)).clicked() {
            commands.push(Command::File(FileCommand::Ask(Purpose::Ground)));
        }
    });
}
