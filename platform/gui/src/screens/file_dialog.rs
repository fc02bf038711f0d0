//! The file dialog.

use std::path::Path;

use eframe::egui::{
    Button, Frame, Id, Key, Label, Response, RichText, Role, ScrollArea, TextEdit, Ui, WidgetInfo,
};

use super::dialog_frame::{button_row, modal};
use crate::app::{
    App, Command, FileCommand, FileDialog, FilePurpose, FolderEntry, Text, Translator,
};
use crate::theme::Palette;
use crate::widgets::{line, primary};

/// The formats with a button.
const FORMATS: [&str; 5] = ["sgf", "jsonl", "psq", "pos", "offset"];

/// The greatest height of the list.
const LIST: f32 = 260.0;

/// The dialog in which a file is named: a field to type in, and below it the folder that the field
/// names.
pub(crate) fn file_dialog(
    ui: &Ui,
    app: &App,
    dialog: &FileDialog,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let tr = app.tr();
    let (title, tip, label) = match dialog.purpose {
        FilePurpose::Open => (Text::Open, Some(Text::FileOpenTip), Text::DoOpen),
        FilePurpose::Save => (Text::SaveAs, Some(Text::FileSaveTip), Text::DoSave),
        FilePurpose::Picture => (Text::SavePicture, None, Text::DoSave),
        FilePurpose::Engine => (Text::FileEngine, None, Text::DoTake),
        FilePurpose::Openings => (Text::FileSuite, Some(Text::EventOpeningsTip), Text::DoTake),
        FilePurpose::BoardPicture => (Text::FileGround, None, Text::DoTake),
    };
    let mut say = |command| commands.push(Command::File(command));
    let id = Id::unique("file");
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(560.0);
        ui.label(RichText::new(tr.text(title)).heading().strong());
        ui.add_space(8.0);
        let mut name = dialog.name.clone();
        let field = TextEdit::singleline(&mut name).desired_width(f32::INFINITY);
        let field = ui.add(field);
        field.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::TextInput, true, tr.text(Text::FileName));
            info.current_text_value = Some(dialog.name.clone());
            info
        });
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if ui.memory(|memory| memory.focused().is_none()) && !entered {
            field.request_focus();
        }
        if name != dialog.name {
            say(FileCommand::SetName(name.clone()));
        }
        list(ui, tr, dialog, palette, &mut say);
        if dialog.purpose == FilePurpose::Save {
            ui.horizontal(|ui| {
                for format in FORMATS {
                    let chosen = name.ends_with(&format!(".{format}"));
                    if ui.add(Button::selectable(chosen, format)).clicked() {
                        let path = std::path::Path::new(&name).with_extension(format);
                        say(FileCommand::SetName(path.display().to_string()));
                    }
                }
            });
        }
        if let Some(tip) = tip {
            ui.add(Label::new(RichText::new(tr.text(tip)).color(palette.weak)).wrap());
        }
        if !dialog.lost.is_empty() {
            let text = tr.fill(Text::FileLost, &[&tr.lost(&dialog.lost)]);
            ui.add(Label::new(RichText::new(text).color(palette.accent)).wrap());
        }
        if let Some(problem) = &dialog.problem {
            ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
        }
        ui.add_space(10.0);
        button_row(ui, |ui| {
            let done = primary(ui, palette, tr.text(label), !dialog.name.trim().is_empty());
            if done.clicked() || entered {
                say(FileCommand::Accept);
            }
            if ui.button(tr.text(Text::Cancel)).clicked() {
                say(FileCommand::Cancel);
            }
            if dialog.purpose == FilePurpose::Save && ui.button(tr.text(Text::DoCopy)).clicked() {
                say(FileCommand::Copy);
            }
        });
    });
    if shown.should_close() {
        say(FileCommand::Cancel);
    }
}

/// The entries of the folder: a click opens a folder or names a file, a double click chooses it.
fn list(
    ui: &mut Ui,
    tr: Translator,
    dialog: &FileDialog,
    palette: Palette,
    say: &mut impl FnMut(FileCommand),
) {
    let folder = &dialog.folder;
    let name = |path: std::path::PathBuf| FileCommand::SetName(path.display().to_string());
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let up = folder.path.parent().filter(|up| !up.as_os_str().is_empty());
        let button = Button::new(tr.text(Text::FolderUp));
        if ui.add_enabled(up.is_some(), button).clicked() {
            // The file name stays.
            let file = match dialog.purpose {
                FilePurpose::Save | FilePurpose::Picture => Path::new(&dialog.name).file_name(),
                _ => None,
            };
            say(name(up.unwrap_or(&folder.path).join(file.unwrap_or_default())));
        }
        let mut place = folder.path.display().to_string();
        if folder.left_out > 0 {
            let more = tr.fill(Text::FolderMore, &[&folder.left_out.to_string()]);
            place = format!("{more} · {place}");
        }
        let place = RichText::new(place).color(palette.weak);
        ui.add(Label::new(place).truncate());
    });
    let frame = Frame::new().fill(palette.ground).corner_radius(8).inner_margin(6);
    frame.show(ui, |ui| {
        ui.set_width(ui.available_width());
        let room = (ui.ctx().content_rect().height() - 420.0).clamp(80.0, LIST);
        ui.set_height(room);
        if folder.entries.is_empty() {
            let text = match &folder.problem {
                Some(problem) => problem.as_str(),
                None => tr.text(Text::FolderEmpty),
            };
            ui.label(RichText::new(text).color(palette.weak));
            return;
        }
        ui.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical().id_salt(&folder.path).auto_shrink([false, false]);
        area.show_rows(ui, 24.0, folder.entries.len(), |ui, rows| {
            for entry in &folder.entries[rows] {
                let path = folder.path.join(&entry.name);
                let chosen = Path::new(&dialog.name) == path;
                let row = row(ui, entry, chosen, palette);
                let keeps = matches!(dialog.purpose, FilePurpose::Save | FilePurpose::Picture);
                if row.clicked() && entry.is_folder {
                    let file = Path::new(&dialog.name).file_name().filter(|_| keeps);
                    say(name(path.join(file.unwrap_or_default())));
                } else if row.clicked() {
                    say(name(path));
                }
                if row.double_clicked() && !entry.is_folder {
                    say(FileCommand::Accept);
                }
            }
        });
    });
}

/// An entry of the list; a folder ends in a slash.
fn row(ui: &mut Ui, entry: &FolderEntry, chosen: bool, palette: Palette) -> Response {
    let text = match entry.is_folder {
        true => RichText::new(format!("{}/", entry.name)).color(palette.accent),
        false => RichText::new(&entry.name),
    };
    let text = if chosen { text.color(palette.on_accent) } else { text };
    line(ui, Button::selectable(chosen, text))
}
