use eframe::egui::{
    Align, Button, Frame, Id, Key, Label, Layout, Modal, Order, RichText, Role, TextEdit, Ui,
    WidgetInfo,
};

use crate::app::{Command, FileCommand, FileDialog, House, Purpose, Text};
use crate::theme::Palette;
use crate::widgets::primary;

/// The formats that a game is saved in by one click.
const FORMATS: [&str; 5] = ["sgf", "jsonl", "psq", "pos", "offset"];

/// The dialog in which a file is named: a field to type in, and the system's own dialog beside it.
pub(crate) fn file_dialog(
    ui: &Ui,
    house: &House,
    dialog: &FileDialog,
    palette: Palette,
    commands: &mut Vec<Command>,
) {
    let words = house.words();
    let (title, tip, label) = match dialog.purpose {
        Purpose::Open => (Text::Open, Some(Text::FileOpenTip), Text::DoOpen),
        Purpose::Save => (Text::SaveAs, Some(Text::FileSaveTip), Text::DoSave),
        Purpose::Picture => (Text::SavePicture, None, Text::DoSave),
    };
    let mut say = |command| commands.push(Command::File(command));
    let frame = Frame::popup(ui.style()).fill(palette.panel).corner_radius(12).inner_margin(24);
    let id = Id::unique("file");
    let area = Modal::default_area(id).order(Order::Middle);
    let modal = Modal::new(id).area(area).frame(frame).show(ui.ctx(), |ui| {
        ui.set_width(560.0);
        ui.label(RichText::new(words.text(title)).heading().strong());
        ui.add_space(8.0);
        let mut name = dialog.name.clone();
        let field = TextEdit::singleline(&mut name).desired_width(f32::INFINITY);
        let field = ui.add(field);
        field.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::TextInput, true, words.text(Text::FileName));
            info.current_text_value = Some(dialog.name.clone());
            info
        });
        let entered = field.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
        if ui.memory(|memory| memory.focused().is_none()) && !entered {
            field.request_focus();
        }
        if name != dialog.name {
            say(FileCommand::Name(name.clone()));
        }
        if dialog.purpose == Purpose::Save {
            ui.horizontal(|ui| {
                for format in FORMATS {
                    let chosen = name.ends_with(&format!(".{format}"));
                    if ui.add(Button::selectable(chosen, format)).clicked() {
                        let path = std::path::Path::new(&name).with_extension(format);
                        say(FileCommand::Name(path.display().to_string()));
                    }
                }
            });
        }
        if let Some(tip) = tip {
            ui.add(Label::new(RichText::new(words.text(tip)).color(palette.weak)).wrap());
        }
        if !dialog.lost.is_empty() {
            let text = words.fill(Text::FileLost, &[&words.lost(&dialog.lost)]);
            ui.add(Label::new(RichText::new(text).color(palette.accent)).wrap());
        }
        if let Some(problem) = &dialog.problem {
            ui.add(Label::new(RichText::new(problem).color(palette.danger)).wrap());
        }
        ui.add_space(10.0);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let done = primary(ui, palette, words.text(label), !dialog.name.trim().is_empty());
            if done.clicked() || entered {
                say(FileCommand::Do);
            }
            if ui.button(words.text(Text::Cancel)).clicked() {
                say(FileCommand::Cancel);
            }
            if dialog.purpose == Purpose::Save && ui.button(words.text(Text::DoCopy)).clicked() {
                say(FileCommand::Copy);
            }
            if house.can_browse() {
                let browse = Button::new(words.text(Text::Browse));
                if ui.add_enabled(!dialog.browsing, browse).clicked() {
                    say(FileCommand::Browse);
                }
            }
        });
    });
    if modal.should_close() {
        say(FileCommand::Cancel);
    }
}
