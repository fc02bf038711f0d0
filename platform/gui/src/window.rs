//! The window: draws frames, and applies the commands of widgets, keys and the system.

use std::cell::RefCell;
use std::time::Duration;

use eframe::egui::{
    self, Align, Align2, Area, Button, Color32, Context, Event, Frame, Id, Key, KeyboardShortcut,
    Layout, Margin, Modifiers, Order, Panel, Ui, ViewportBuilder, ViewportCommand, vec2,
};

use crate::app::{
    App, AppServices, Command, Dialog, Document, FileCommand, SettingsStore, Text, UserAction,
    UserFile, WindowGeometry, is_game_or_event,
};
use crate::keys::Keymap;
use crate::screens::{self, EditorScreen, EventScreen, GameScreen};
use crate::speaker::Speaker;
use crate::theme::{self, Palette};
use crate::widgets::{Look, WindowPicture, paragraph};
use crate::{GuiError, dropped_files, fonts, picture, widgets};

/// The longest time before a new snapshot is drawn: fast games are drawn no more often.
const GATHER: Duration = Duration::from_millis(50);

/// The window of the app.
pub struct Window {
    app: App,
    keys: Keymap,
    /// Whether the system was asked for the clipboard.
    is_pasting: bool,
    tab: GameScreen,
    editor: EditorScreen,
    event: EventScreen,
    /// Plays sounds and music; none is silence.
    speaker: Option<Speaker>,
    /// The picture behind everything.
    background: WindowPicture,
    /// The theme of the context; none before its fonts are installed.
    dark: Option<bool>,
    /// Whether every frame is cleared in the panel colour, so that panels need not be painted: with
    /// software rendering every pixel costs.
    is_cleared: bool,
}

/// Opens the window and shows it until it is closed; all sessions end with it. Settings are read
/// from the store and saved there. `fill` opens the first tabs.
///
/// # Errors
/// When no window can be opened.
pub fn run(
    services: AppServices,
    settings_store: Option<SettingsStore>,
    fill: impl FnOnce(&mut App),
) -> Result<(), GuiError> {
    let WindowGeometry { width, height, maximized, .. } = settings_store
        .as_ref()
        .map(|settings_store| settings_store.settings().window)
        .unwrap_or_default();
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
        let mut app = App::new(AppServices { wake: wake.clone(), ..services });
        if let Some(settings_store) = settings_store {
            app.use_settings_store(settings_store);
        }
        fill(&mut app);
        let speaker = Speaker::start(wake);
        Ok(Box::new(Window { speaker, is_cleared: true, ..Window::new(app) }))
    });
    eframe::run_native("tengen", options, creator)
        .map_err(|error| GuiError::display(&error.to_string()))
}

impl Window {
    /// A window for this app, whose wake requests a new frame.
    pub fn new(app: App) -> Window {
        Window {
            app,
            keys: Keymap::default(),
            is_pasting: false,
            tab: GameScreen::default(),
            editor: EditorScreen::default(),
            event: EventScreen::default(),
            speaker: None,
            background: WindowPicture::default(),
            dark: None,
            is_cleared: false,
        }
    }

    pub fn app(&self) -> &App {
        &self.app
    }

    /// Draws one frame, and applies its commands.
    pub fn frame(&mut self, ui: &mut Ui) {
        let dark = self.app.settings().dark;
        if self.dark.is_none() {
            // Fonts exist from the next pass on.
            fonts::install(ui.ctx());
            ui.ctx().request_discard("fonts were given");
            if ui.ctx().will_discard() {
                self.apply_theme(ui.ctx());
                return;
            }
        }
        self.apply_theme(ui.ctx());
        self.update();
        self.keys.follow(&self.app.settings().keys);
        let mut commands = self.keys.commands(ui.ctx(), &self.app);
        commands.extend(dropped_files::commands(ui.ctx(), &self.app));
        commands.extend(geometry(ui.ctx(), self.app.settings().window).map(Command::SetGeometry));
        self.system_commands(ui.ctx(), &mut commands);
        commands.extend(self.close_command(ui.ctx()));
        let commands = RefCell::new(commands);
        let picture = self.app.picture(UserFile::Background);
        let palette = match self.background.paint(ui, picture.map(|picture| &**picture)) {
            true => Palette::of(dark).over_picture(),
            false => Palette::of(dark),
        };
        let next_change = self.draw(ui, palette, &commands);
        if let Some(next_change) = next_change {
            ui.ctx().request_repaint_after(Duration::from_nanos(next_change));
        }
        let commands = commands.into_inner();
        if !commands.is_empty() {
            ui.ctx().request_repaint();
        }
        for command in commands {
            self.app.apply(command);
        }
        self.apply_system_requests(ui.ctx());
    }

    /// The window is to be closed: asks first if work would be lost.
    fn close_command(&self, context: &Context) -> Option<Command> {
        let is_asked = context.input(|input| input.viewport().close_requested());
        let loses = is_asked && !self.app.is_closing() && self.app.asks_before_closing();
        loses.then(|| {
            context.send_viewport_cmd(ViewportCommand::CancelClose);
            Command::ShowDialog(Dialog::CloseWindow)
        })
    }

    /// Commands from the system: dropped files, copy and paste.
    fn system_commands(&mut self, context: &Context, commands: &mut Vec<Command>) {
        let (events, dropped) =
            context.input(|input| (input.events.clone(), input.raw.dropped_files.clone()));
        let paths = dropped.iter().map(|file| file.path().to_path_buf());
        let paths = paths
            .filter(|path| is_game_or_event(path) || dropped_files::is_unknown(path, &self.app));
        commands.extend(paths.map(|path| Command::File(FileCommand::Open(path))));
        if context.egui_wants_keyboard_input() || self.app.has_dialog() {
            return;
        }
        // Systems turn these keys into clipboard events.
        for event in events {
            let (key, text) = match event {
                Event::Copy => (Key::C, None),
                Event::Cut => (Key::X, None),
                Event::Paste(text) => (Key::V, Some(text)),
                _ => continue,
            };
            let asked = text.is_some() && std::mem::take(&mut self.is_pasting);
            let bound = self.keys.action(KeyboardShortcut::new(Modifiers::COMMAND, key));
            let action = if asked { Some(UserAction::Paste) } else { bound };
            match (action, text) {
                (Some(UserAction::Paste), Some(text))
                    if self.app.command(UserAction::Paste).is_some() =>
                {
                    commands.push(Command::File(FileCommand::Paste(text)));
                }
                (Some(action), _) => commands.extend(self.app.command(action)),
                _ => {}
            }
        }
    }

    /// What the app wants from the system: the clipboard, and a picture.
    fn apply_system_requests(&mut self, context: &Context) {
        if let Some(text) = self.app.take_copied() {
            context.copy_text(text);
        }
        if self.app.is_closing() {
            context.send_viewport_cmd(ViewportCommand::Close);
        }
        if self.app.take_paste_request() {
            self.is_pasting = true;
            context.send_viewport_cmd(ViewportCommand::RequestPaste);
        }
        if let Some((path, diagram)) = self.app.take_picture() {
            let settings = self.app.settings().clone();
            let ground = self.app.picture(UserFile::BoardPicture).cloned();
            self.app.save_picture(path, move || picture::png(&diagram, &settings, ground));
        }
    }

    /// Takes in the results of other threads, and plays sounds.
    fn update(&mut self) {
        self.app.update();
        if let (Some(sound), Some(speaker)) = (self.app.take_sound(), &self.speaker) {
            speaker.play(sound);
        }
        let speaker = self.speaker.as_mut();
        if let Some(reason) = speaker.and_then(|speaker| speaker.play_music(self.app.music())) {
            self.app.apply(Command::FileIsUnusable(UserFile::Music, reason));
        }
    }

    /// Applies the chosen theme to the context.
    fn apply_theme(&mut self, context: &egui::Context) {
        let dark = self.app.settings().dark;
        if self.dark != Some(dark) {
            theme::apply(context, dark);
            self.dark = Some(dark);
        }
    }

    /// Draws everything. Returns when to draw again.
    fn draw(
        &mut self,
        ui: &mut Ui,
        palette: Palette,
        commands: &RefCell<Vec<Command>>,
    ) -> Option<tengen_arbiter::Nanos> {
        let Window { app, keys, tab, editor, event, .. } = self;
        let look = Look { app, keys, tr: app.tr(), palette, commands };
        let is_plain = self.is_cleared && palette == Palette::of(look.app.settings().dark);
        let panel = if is_plain { Color32::TRANSPARENT } else { palette.panel };
        let bar = Frame::new().fill(panel).inner_margin(Margin::symmetric(10, 4));
        Panel::top("menus").frame(bar).show(ui, |ui| {
            widgets::menus(ui, look);
            if app.tabs().0.len() > 1 {
                widgets::tabs(ui, look);
            }
        });
        if let Some(notice) = app.notice() {
            let frame = Frame::new().fill(palette.card).inner_margin(Margin::symmetric(16, 6));
            Panel::top("notice").frame(frame).show(ui, |ui| {
                // The button keeps its place: the text has as many lines as it needs beside it.
                ui.with_layout(Layout::right_to_left(Align::Min), |ui| {
                    if ui.add(Button::new(app.tr().text(Text::Dismiss)).small()).clicked() {
                        look.send(Command::DismissNotice);
                    }
                    ui.with_layout(Layout::top_down(Align::Min), |ui| {
                        paragraph(ui, palette.text, notice);
                    });
                });
            });
        }
        let next_change = match app.tab().map(|tab| &tab.document) {
            Some(Document::Collection(games)) => {
                screens::collection(ui, look, games);
                None
            }
            Some(Document::Editor(position)) => {
                editor.show(ui, look, position);
                None
            }
            Some(Document::Event(session)) if session.game().is_none() => {
                event.show(ui, look, session)
            }
            Some(Document::Team(session)) => {
                screens::team(ui, look, session);
                None
            }
            Some(_) => tab.show(ui, look, panel),
            None => {
                screens::welcome(ui, look);
                None
            }
        };
        if let Some(form) = app.event_form() {
            screens::event_form(ui, look, form);
        }
        if let Some(form) = app.form() {
            screens::new_game(ui, look, form);
        }
        if let Some(form) = app.host_form() {
            screens::host_form(ui, look, form);
        }
        if let Some(form) = app.join_form() {
            screens::join_form(ui, look, form);
        }
        match app.dialog() {
            Some(Dialog::Settings { typed }) => screens::settings(ui, look, typed),
            Some(Dialog::Engines { path }) => screens::engines(ui, look, path),
            Some(Dialog::Keys { awaiting, taken }) => screens::keys(ui, look, *awaiting, *taken),
            Some(Dialog::About) => screens::about(ui, look),
            Some(Dialog::Events { past }) => screens::past_events(ui, look, past.as_deref()),
            Some(Dialog::ServeEvent { form }) => screens::serve_event(ui, look, form),
            Some(Dialog::NamePerson { seat, name }) => {
                screens::name_person(ui, look, *seat, name);
            }
            Some(Dialog::AddRemote { name }) => screens::add_remote(ui, look, name),
            Some(question) => screens::confirmation(ui, look, question),
            None => {}
        }
        // It may be opened from another dialog.
        if let Some(dialog) = app.file_dialog() {
            screens::file_dialog(ui, look, dialog);
        }
        let status_message = app.status_message();
        if let Some((text, _)) = status_message {
            // It is over the bottom of the board, so that nothing moves for it.
            let area = Area::new(Id::unique("news")).order(Order::Tooltip).interactable(false);
            area.anchor(Align2::LEFT_BOTTOM, vec2(24.0, -96.0)).show(ui.ctx(), |ui| {
                let frame = Frame::popup(ui.style()).fill(palette.card).corner_radius(8);
                frame.inner_margin(Margin::symmetric(14, 8)).show(ui, |ui| {
                    ui.set_max_width((ui.ctx().content_rect().width() - 120.0).min(640.0));
                    paragraph(ui, palette.text, text);
                });
            });
        }
        next_change.into_iter().chain(status_message.map(|(_, left)| left)).min()
    }
}

/// The size of the window, if it has changed.
fn geometry(context: &egui::Context, known: WindowGeometry) -> Option<WindowGeometry> {
    let (inner, maximized) = context.input(|input| {
        let viewport = input.viewport();
        (viewport.inner_rect, viewport.maximized.unwrap_or(false))
    });
    let mut now = WindowGeometry { maximized, ..known };
    // A maximized window says nothing about its normal size.
    if let Some(inner) = inner.filter(|_| !maximized) {
        (now.width, now.height) = (inner.width().round() as u16, inner.height().round() as u16);
    }
    (now != known).then_some(now)
}

impl eframe::App for Window {
    // A hidden window still plays sounds.
    fn logic(&mut self, _context: &egui::Context, _frame: &mut eframe::Frame) {
        self.update();
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.frame(ui);
    }

    fn clear_color(&self, _visuals: &egui::Visuals) -> [f32; 4] {
        Palette::of(self.app.settings().dark).panel.to_normalized_gamma_f32()
    }
}
