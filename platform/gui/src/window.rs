use std::time::Duration;

use eframe::egui::{
    self, Align2, Area, Button, Color32, Context, Event, Frame, Id, Key, KeyboardShortcut, Label,
    Margin, Modifiers, Order, Panel, RichText, Ui, ViewportBuilder, ViewportCommand, vec2,
};

use crate::app::{
    Arrangement, Command, Deed, Dialog, Document, FileCommand, House, Memory, Services, Text,
    is_ours,
};
use crate::keys::Keymap;
use crate::screens::{self, DraftScreen, EventScreen, TableScreen};
use crate::speaker::Speaker;
use crate::theme::{self, Palette};
use crate::{GuiError, drops, fonts, picture, widgets};

/// How long a new snapshot may wait to be drawn: quick games draw no more than so often.
const GATHER: Duration = Duration::from_millis(50);

/// The window of a house.
pub struct Window {
    house: House,
    keys: Keymap,
    /// Whether the system was asked for the clipboard.
    is_pasting: bool,
    table: TableScreen,
    draft: DraftScreen,
    event: EventScreen,
    /// What sounds are played with; none is silence.
    speaker: Option<Speaker>,
    /// The theme the context was given; none while it has not even its fonts.
    dark: Option<bool>,
    /// Whether every frame begins in the colour of panels, which need not be painted then: by
    /// software each pixel costs.
    is_cleared: bool,
}

/// Opens the house's window and shows it until it is closed; what is played ends with it. Settings
/// are what the memory holds, and are kept there. `furnish` puts on the tables what is to be there
/// at the start.
///
/// # Errors
/// When no window can be opened.
pub fn run(
    services: Services,
    memory: Option<Memory>,
    furnish: impl FnOnce(&mut House),
) -> Result<(), GuiError> {
    let Arrangement { width, height, maximized, .. } =
        memory.as_ref().map(|memory| memory.settings().window).unwrap_or_default();
    // `packaging/tengen.svg`, drawn 128 pixels wide.
    let icon = eframe::icon_data::from_png_bytes(include_bytes!("../assets/icon.png"));
    let viewport = ViewportBuilder::default()
        .with_title("Tengen")
        .with_app_id("tengen")
        .with_icon(icon.unwrap_or_default())
        .with_inner_size([f32::from(width), f32::from(height)])
        .with_maximized(maximized)
        .with_min_inner_size([760.0, 520.0]);
    let options = eframe::NativeOptions { viewport, dithering: false, ..Default::default() };
    let creator: eframe::AppCreator<'_> = Box::new(|creation| {
        let context = creation.egui_ctx.clone();
        let wake = std::sync::Arc::new(move || context.request_repaint_after(GATHER));
        let mut house = House::new(Services { wake, ..services });
        if let Some(memory) = memory {
            house.remember(memory);
        }
        furnish(&mut house);
        let speaker = Speaker::start();
        Ok(Box::new(Window { speaker, is_cleared: true, ..Window::new(house) }))
    });
    eframe::run_native("tengen", options, creator)
        .map_err(|error| GuiError::display(&error.to_string()))
}

impl Window {
    /// A window of this house, whose wake brings about a new frame.
    pub fn new(house: House) -> Window {
        Window {
            house,
            keys: Keymap::default(),
            is_pasting: false,
            table: TableScreen::default(),
            draft: DraftScreen::default(),
            event: EventScreen::default(),
            speaker: None,
            dark: None,
            is_cleared: false,
        }
    }

    /// What is shown.
    pub fn house(&self) -> &House {
        &self.house
    }

    /// Draws one frame, and does what was asked for in it.
    pub fn frame(&mut self, ui: &mut Ui) {
        let dark = self.house.settings().dark;
        if self.dark.is_none() {
            // Fonts are there from the next pass on.
            fonts::install(ui.ctx());
            ui.ctx().request_discard("fonts were given");
            if ui.ctx().will_discard() {
                self.dress(ui.ctx());
                return;
            }
        }
        self.dress(ui.ctx());
        self.settle();
        self.keys.follow(&self.house.settings().keys);
        let mut commands = self.keys.commands(ui.ctx(), &self.house);
        commands.extend(drops::commands(ui.ctx(), &self.house));
        commands.extend(arrangement(ui.ctx(), self.house.settings().window).map(Command::Arrange));
        self.hear_system(ui.ctx(), &mut commands);
        commands.extend(self.hear_end(ui.ctx()));
        let next_change = self.draw(ui, Palette::of(dark), &mut commands);
        if let Some(next_change) = next_change {
            ui.ctx().request_repaint_after(Duration::from_nanos(next_change));
        }
        if !commands.is_empty() {
            ui.ctx().request_repaint();
        }
        for command in commands {
            self.house.apply(command);
        }
        self.serve_system(ui.ctx());
    }

    /// The window is to be closed: where what lies on a table would be lost, asks first.
    fn hear_end(&self, context: &Context) -> Option<Command> {
        let is_asked = context.input(|input| input.viewport().close_requested());
        let loses = is_asked && !self.house.ends() && self.house.loses_at_end();
        loses.then(|| {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            Command::Show(Dialog::End)
        })
    }

    /// What the system brings: files that are dropped, and what copying and pasting mean.
    fn hear_system(&mut self, context: &Context, commands: &mut Vec<Command>) {
        let (events, dropped) =
            context.input(|input| (input.events.clone(), input.raw.dropped_files.clone()));
        let paths = dropped.iter().map(|file| file.path().to_path_buf());
        let paths = paths.filter(|path| is_ours(path) || drops::is_strange(path, &self.house));
        commands.extend(paths.map(|path| Command::File(FileCommand::Open(path))));
        if context.egui_wants_keyboard_input() || self.house.is_covered() {
            return;
        }
        // Systems turn these keys into what they mean to texts.
        for event in events {
            let (key, text) = match event {
                Event::Copy => (Key::C, None),
                Event::Cut => (Key::X, None),
                Event::Paste(text) => (Key::V, Some(text)),
                _ => continue,
            };
            let asked = text.is_some() && std::mem::take(&mut self.is_pasting);
            let bound = self.keys.deed(KeyboardShortcut::new(Modifiers::COMMAND, key));
            let deed = if asked { Some(Deed::Paste) } else { bound };
            match (deed, text) {
                (Some(Deed::Paste), Some(text)) if self.house.command(Deed::Paste).is_some() => {
                    commands.push(Command::File(FileCommand::Paste(text)));
                }
                (Some(deed), _) => commands.extend(self.house.command(deed)),
                _ => {}
            }
        }
    }

    /// What the house wants of the system: the clipboard, and a picture.
    fn serve_system(&mut self, context: &Context) {
        if let Some(text) = self.house.take_copied() {
            context.copy_text(text);
        }
        if self.house.ends() {
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        if self.house.take_wants_paste() {
            self.is_pasting = true;
            context.send_viewport_cmd(ViewportCommand::RequestPaste);
        }
        if let Some((path, diagram)) = self.house.take_picture() {
            let settings = self.house.settings().clone();
            let ground = self.house.picture().cloned();
            self.house.save_picture(path, move || picture::png(&diagram, &settings, ground));
        }
    }

    /// Takes in what other threads have found, and lets it be heard.
    fn settle(&mut self) {
        self.house.settle();
        if let (Some(sound), Some(speaker)) = (self.house.take_sound(), &self.speaker) {
            speaker.play(sound);
        }
    }

    /// Gives the context the theme that is chosen.
    fn dress(&mut self, context: &egui::Context) {
        let dark = self.house.settings().dark;
        if self.dark != Some(dark) {
            theme::apply(context, dark);
            self.dark = Some(dark);
        }
    }

    /// Returns after how long a clock reads differently.
    fn draw(
        &mut self,
        ui: &mut Ui,
        palette: Palette,
        commands: &mut Vec<Command>,
    ) -> Option<tengen_arbiter::Nanos> {
        let Window { house, keys, table, draft, event, .. } = self;
        let panel = if self.is_cleared { Color32::TRANSPARENT } else { palette.panel };
        let bar = Frame::new().fill(panel).inner_margin(Margin::symmetric(10, 4));
        Panel::top("menus").frame(bar).show(ui, |ui| {
            widgets::menus(ui, house, keys, commands);
            if house.tables().0.len() > 1 {
                widgets::tabs(ui, house, commands);
            }
        });
        if let Some(notice) = house.notice() {
            let frame = Frame::new().fill(palette.card).inner_margin(Margin::symmetric(16, 6));
            Panel::top("notice").frame(frame).show(ui, |ui| {
                ui.horizontal(|ui| {
                    ui.label(RichText::new(notice).color(palette.text));
                    if ui.add(Button::new(house.words().text(Text::Dismiss)).small()).clicked() {
                        commands.push(Command::DismissNotice);
                    }
                });
            });
        }
        let next_change = match house.table().map(|table| &table.document) {
            Some(Document::Collection(games)) => {
                screens::collection(ui, house, games, palette, commands);
                None
            }
            Some(Document::Draft(position)) => {
                draft.show(ui, house, keys, position, palette, commands);
                None
            }
            Some(Document::Event(desk)) => event.show(ui, house, desk, palette, commands),
            Some(_) => table.show(ui, house, keys, palette, panel, commands),
            None => {
                screens::welcome(ui, house, keys, palette, commands);
                None
            }
        };
        if let Some(form) = house.event_form() {
            screens::event_form(ui, house, form, palette, commands);
        }
        if let Some(form) = house.form() {
            screens::new_game(ui, house, form, palette, commands);
        }
        match house.dialog() {
            Some(Dialog::Settings { picture }) => {
                screens::settings(ui, house, picture, palette, commands);
            }
            Some(Dialog::Engines { path }) => {
                screens::engines(ui, house, path, palette, commands);
            }
            Some(Dialog::Keys { awaiting, taken }) => {
                screens::keys(ui, house, keys, *awaiting, *taken, palette, commands);
            }
            Some(Dialog::About) => screens::about(ui, house, palette, commands),
            Some(Dialog::Running { table }) => {
                screens::running(ui, house, *table, palette, commands);
            }
            Some(Dialog::Events { past }) => {
                screens::past_events(ui, house, past.as_deref(), palette, commands);
            }
            Some(Dialog::End) => screens::end(ui, house, palette, commands),
            Some(Dialog::Unsaved { table }) => {
                screens::unsaved(ui, house, *table, palette, commands);
            }
            None => {}
        }
        // It may be asked for from another dialog.
        if let Some(dialog) = house.file_dialog() {
            screens::file_dialog(ui, house, dialog, palette, commands);
        }
        let news = house.news();
        if let Some((text, _)) = news {
            // It lies over the bottom of the board, and nothing moves for it.
            let area = Area::new(Id::unique("news")).order(Order::Tooltip).interactable(false);
            area.anchor(Align2::LEFT_BOTTOM, vec2(24.0, -96.0)).show(ui.ctx(), |ui| {
                let frame = Frame::popup(ui.style()).fill(palette.card).corner_radius(8);
                frame.inner_margin(Margin::symmetric(14, 8)).show(ui, |ui| {
                    ui.set_max_width((ui.ctx().content_rect().width() - 120.0).min(640.0));
                    ui.add(Label::new(RichText::new(text).color(palette.text)).wrap());
                });
            });
        }
        next_change.into_iter().chain(news.map(|(_, left)| left)).min()
    }
}

/// The measures of the window, when they are not those that are known.
fn arrangement(context: &egui::Context, known: Arrangement) -> Option<Arrangement> {
    let (inner, maximized) = context.input(|input| {
        let viewport = input.viewport();
        (viewport.inner_rect, viewport.maximized.unwrap_or(false))
    });
    let mut now = Arrangement { maximized, ..known };
    // What fills the screen says nothing of the size it goes back to.
    if let Some(inner) = inner.filter(|_| !maximized) {
        (now.width, now.height) = (inner.width().round() as u16, inner.height().round() as u16);
    }
    (now != known).then_some(now)
}

impl eframe::App for Window {
    // A window that is hidden is heard all the same.
    fn logic(&mut self, _context: &egui::Context, _frame: &mut eframe::Frame) {
        self.settle();
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        Palette::of(self.house.settings().dark).panel.to_normalized_gamma_f32()
    }
}
