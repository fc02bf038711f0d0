//! The panes of a table on a server: what is said there, and its links and settings.

use eframe::egui::{Align, Button, Key, Layout, RichText, Role, ScrollArea, TextEdit, Ui};
use tengen_rules::Seat;

use super::table::command_button;
use super::{Scene, link_row, name_field, panes, paragraph};
use crate::app::{
    Command, FileCommand, FilePurpose, HostForm, NetworkCommand, TableCommand, TableInfo, Text,
};

/// The most characters of a line of chat.
const MOST_LINE: usize = 200;

/// What was said and what happened, and the field to say something.
pub(super) fn chat(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo) {
    let Scene { tr, palette, view, .. } = *scene;
    if view.chat_read != info.chat.len() {
        scene.look.send(Command::Network(NetworkCommand::Read(info.chat.len())));
    }
    if !info.settings.chat {
        ui.colored_label(palette.weak, tr.text(Text::ChatNone));
        return panes::happenings(ui, scene);
    }
    // The field keeps its place below the lines.
    ui.with_layout(Layout::bottom_up(Align::Min), |ui| {
        ui.horizontal(|ui| {
            let mut typed = view.saying.clone();
            let label = tr.text(Text::ChatField);
            let room = (ui.available_width() - 180.0).max(80.0);
            let field = TextEdit::singleline(&mut typed).desired_width(room).char_limit(MOST_LINE);
            let drawn = ui.add_enabled(info.is_connected(), field.hint_text(label));
            name_field(&drawn, Role::TextInput, label, &typed);
            let is_sent = drawn.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
            if drawn.changed() {
                scene.look.send(Command::Network(NetworkCommand::Type(typed.clone())));
            }
            let may_say = TableCommand::Chat(typed).fits(info, scene.snapshot);
            let button = Button::new(tr.text(Text::ChatSend));
            if (ui.add_enabled(may_say, button).clicked() || is_sent) && may_say {
                scene.look.send(Command::Network(NetworkCommand::Say));
                drawn.request_focus();
            }
            let may_show = TableCommand::ShowPicture(String::new()).fits(info, scene.snapshot);
            let button = Button::new(tr.text(Text::ChatPicture));
            if ui.add_enabled(may_show, button).clicked() {
                let dialog = FileCommand::OpenDialog(FilePurpose::ChatPicture);
                scene.look.send(Command::File(dialog));
            }
        });
        panes::happenings(ui, scene);
    });
}

/// The links to hand on, the settings, and what the host may do.
pub(super) fn about_table(ui: &mut Ui, scene: &Scene<'_>, info: &TableInfo) {
    let Scene { tr, palette, snapshot, .. } = *scene;
    ScrollArea::vertical().auto_shrink([false, false]).show(ui, |ui| {
        if !info.settings.title.is_empty() {
            ui.label(RichText::new(&info.settings.title).strong().color(palette.text));
        }
        for text in [tr.settings(&info.settings), tr.other_settings(&info.settings)] {
            paragraph(ui, palette.weak, text);
        }
        ui.add_space(6.0);
        let links = [(Text::LinkPlay, &info.links.play), (Text::LinkWatch, &info.links.watch)];
        for (label, link) in links {
            let Some(link) = link else { continue };
            ui.label(RichText::new(tr.text(label)).strong().color(palette.text));
            link_row(ui, scene.look, tr.text(label), link);
        }
        ui.add_space(8.0);
        ui.horizontal_wrapped(|ui| {
            let button = |ui: &mut Ui, label: &str, command| {
                command_button(ui, scene, info, label, command);
            };
            button(ui, tr.text(Text::StandUp), TableCommand::Stand);
            for seat in Seat::ALL {
                let name: String =
                    snapshot.seats[seat].name.chars().take(HostForm::MOST_NAME).collect();
                let label = tr.fill(Text::RemovePlayer, &[&name]);
                button(ui, &label, TableCommand::Remove(seat));
            }
            button(ui, tr.text(Text::EndTable), TableCommand::End);
        });
    });
}
