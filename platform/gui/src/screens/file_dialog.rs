//! The file dialog.

use std::path::Path;

use eframe::egui::{
    Button, Frame, Id, Key, Label, Response, RichText, Role, ScrollArea, TextEdit, Ui,
};

use super::dialog_frame::{button_row, modal};
use crate::app::{Command, FileCommand, FileDialog, FilePurpose, FolderEntry, Text};
use crate::theme::Palette;
use crate::widgets::{Look, line, name_field, paragraph, primary};

/// The formats with a button.
const FORMATS: [&str; 7] = ["sgf", "jsonl", "psq", "pos", "offset", "txt", "lib"];

/// The greatest height of the list.
const LIST: f32 = 260.0;

/// The dialog in which a file is named: a field to type in, and below it the folder that the field
/// names.
pub(crate) fn file_dialog(ui: &Ui, look: Look<'_>, dialog: &FileDialog) {
    let Look { tr, palette, .. } = look;
    let (title, tip, label) = match dialog.purpose {
        FilePurpose::Open => (Text::Open, Some(Text::FileOpenTip), Text::DoOpen),
        FilePurpose::Save => (Text::SaveAs, Some(Text::FileSaveTip), Text::Save),
        FilePurpose::Picture => (Text::SavePicture, None, Text::Save),
        FilePurpose::Engine => (Text::FileEngine, None, Text::DoTake),
        FilePurpose::Openings => (Text::FileSuite, Some(Text::EventOpeningsTip), Text::DoTake),
        FilePurpose::ChatPicture => (Text::ChatPictureTitle, None, Text::ChatSend),
        FilePurpose::Use(of) => (of.label(), Some(of.tip()), Text::DoTake),
    };
    let mut say = |command| look.send(Command::File(command));
    let id = Id::unique("file");
    let shown = modal(ui, palette, id, |ui| {
        ui.set_width(560.0);
        ui.label(RichText::new(tr.text(title)).heading().strong());
        ui.add_space(8.0);
        let mut name = dialog.name.clone();
        let field = TextEdit::singleline(&mut name).desired_width(f32::INFINITY);
        let field = ui.add(field);
        name_field(&field, Role::TextInput, tr.text(Text::File), &dialog.name);
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if ui.memory(|memory| memory.focused().is_none()) && !entered {
            field.request_focus();
        }
        if name != dialog.name {
            say(FileCommand::SetName(name.clone()));
        }
        list(ui, look, dialog, &mut say);
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
            paragraph(ui, palette.weak, tr.text(tip));
        }
        if !dialog.lost.is_empty() {
            paragraph(ui, palette.accent, tr.fill(Text::FileLost, &[&tr.lost(&dialog.lost)]));
        }
        if let Some(problem) = &dialog.problem {
            paragraph(ui, palette.danger, problem);
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
fn list(ui: &mut Ui, look: Look<'_>, dialog: &FileDialog, say: &mut impl FnMut(FileCommand)) {
    let Look { tr, palette, .. } = look;
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
            ui.colored_label(palette.weak, text);
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
