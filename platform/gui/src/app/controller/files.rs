//! Opens files, and handles the file dialog.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_arbiter::Termination;
use tengen_record::formats::Notation;
use tengen_rules::{Point, Size};

use super::{App, FileCommand, FileDialog, Tab};
use crate::app::controller::{Document, EngineCommand};
use crate::app::model::{Diagram, GameData, GameForm, OpenedGame, Text};
use crate::app::session::FormField;
use crate::app::storage::files::{
    self, FileContents, FileProblem, FilePurpose, FolderListing, GameCollection,
};

impl App {
    /// Runs a command about files and the clipboard.
    pub(super) fn apply_to_files(&mut self, command: FileCommand) {
        match command {
            FileCommand::OpenDialog(purpose) => self.open_file_dialog(purpose),
            FileCommand::SetName(name) => self.set_file_name(name),
            FileCommand::Save => self.save(),
            FileCommand::SaveAndClose => self.save_and_close(),
            FileCommand::Copy => self.copy_in_format(),
            FileCommand::Accept => self.accept_file(),
            FileCommand::Cancel => self.cancel_file(),
            FileCommand::Open(path) => self.open_file(path, None),
            FileCommand::OpenListed(index) => self.choose(index),
            FileCommand::CopyPosition => self.files.copied = self.position_text(),
            FileCommand::CopyGame => self.copy_game(),
            FileCommand::RequestPaste => self.files.paste_requested = true,
            FileCommand::Paste(text) => self.paste(&text),
            FileCommand::PlayHere => {
                if let Some(setup) = self.setup_here() {
                    self.open_form_with(setup);
                }
            }
        }
    }

    /// The active game as data to save.
    pub fn game_data(&self) -> Option<GameData> {
        self.tab()?.document.game_data()
    }

    /// A new game from the position shown.
    pub fn setup_here(&self) -> Option<GameForm> {
        let tab = self.tab()?;
        if let Document::Editor(editor) = &tab.document {
            return editor.setup(&self.last_form);
        }
        let snapshot = tab.document.snapshot()?;
        let rows = snapshot.rows.iter().take(tab.view.shown(&snapshot));
        let points: Option<Vec<Point>> = rows.map(|row| row.mv.point()).collect();
        let setup = GameForm {
            rule: snapshot.rule,
            width: snapshot.size.width(),
            height: snapshot.size.height(),
            ..self.last_form.clone()
        };
        Some(setup.with_book(points?))
    }

    /// The stones shown, as points.
    fn position_text(&self) -> Option<String> {
        let setup = self.setup_here()?;
        let size = Size::new(setup.width, setup.height).ok()?;
        Some(Notation::Pos.write(&setup.book, size))
    }

    fn open_file_dialog(&mut self, purpose: FilePurpose) {
        let tab = self.tab().map(|tab| tab.number);
        self.open_file_dialog_for(purpose, tab);
    }

    pub(super) fn open_file_dialog_for(&mut self, purpose: FilePurpose, tab: Option<u64>) {
        let folder = std::path::absolute(self.files.folder.join("."));
        let folder = folder.unwrap_or_else(|_| self.files.folder.clone());
        let ending = match purpose {
            FilePurpose::Save => tab.and_then(|number| self.tab_by_id(number)).map(ending_of),
            FilePurpose::Picture => Some("png"),
            _ => None,
        };
        let saved = tab.and_then(|number| self.tab_by_id(number)).zip(ending);
        let file = saved.map(|(tab, ending)| self.proposed_name(tab, ending));
        let name = folder.join(file.unwrap_or_default());
        self.files.asked += 1;
        self.files.dialog = Some(FileDialog::new(purpose, self.files.asked, tab));
        self.set_file_name(name.display().to_string());
    }

    /// A file name for the contents of a tab: its own file, or the players.
    pub(super) fn proposed_name(&self, tab: &Tab, extension: &str) -> String {
        let named = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
        let own = match &tab.document {
            Document::Opened(opened) => opened.path.as_deref().and_then(named),
            Document::Analysis(analysis) => analysis.saved.path().and_then(named),
            Document::Editor(editor) => {
                editor.saved.path().and_then(named).or_else(|| Some("position".to_owned()))
            }
            Document::Collection(_) => Some("games".to_owned()),
            _ => None,
        };
        let players = || {
            let snapshot = tab.document.snapshot()?;
            let seats = &snapshot.seats;
            let name = format!("{}-{}", seats.first.name, seats.second.name);
            Some(name.replace(|c: char| !c.is_alphanumeric() && c != '-', "_"))
        };
        let stem = own.or_else(players).unwrap_or_else(|| "game".to_owned());
        format!("{stem}.{extension}")
    }

    /// Reads the folder of the typed path, if it changed.
    pub(super) fn read_dialog_folder(&mut self) {
        let Some(dialog) = &mut self.files.dialog else { return };
        let (purpose, place) = (dialog.purpose, files::folder_of(&expand(dialog.name.trim())));
        if dialog.place == place {
            return;
        }
        dialog.place.clone_from(&place);
        let tr = self.tr();
        let look = move || FolderListing::read(&place, purpose, tr);
        let arrive = |app: &mut App, folder: FolderListing| {
            if let Some(dialog) = &mut app.files.dialog
                && dialog.place == folder.path
            {
                dialog.folder = Arc::new(folder);
            }
        };
        self.spawn(look, arrive);
    }

    /// Does what the dialog is for with the chosen file.
    fn accept_file(&mut self) {
        let Some(dialog) = self.files.dialog.as_mut().filter(|dialog| !dialog.is_busy) else {
            return;
        };
        dialog.problem = None;
        let (dialog_id, path) = (Some(dialog.number), expand(dialog.name.trim()));
        match dialog.purpose {
            FilePurpose::Open => self.open_file(path, dialog_id),
            FilePurpose::Save => self.save_file(path),
            FilePurpose::Engine => {
                self.finish_file(dialog_id, &path);
                self.apply_to_engines(EngineCommand::Add(path.display().to_string()));
            }
            FilePurpose::Openings => {
                self.finish_file(dialog_id, &path);
                if let Some(form) = &mut self.event_form {
                    form.type_in(FormField::Openings, path.display().to_string());
                }
            }
            FilePurpose::Use(of) => {
                self.finish_file(dialog_id, &path);
                self.use_file(of, Some(path));
            }
            FilePurpose::ChatPicture => self.show_picture(dialog_id, path),
            FilePurpose::Picture => {
                let extension = path.extension();
                let is_png = extension.is_some_and(|ending| ending.eq_ignore_ascii_case("png"));
                let name = path.display().to_string();
                match self.diagram() {
                    Some(diagram) if is_png => self.files.picture = Some((path, diagram)),
                    _ => self.file_failed(dialog_id, &FileProblem::NoFormat { name }),
                }
            }
        }
    }

    /// The board of which a picture is saved.
    fn diagram(&self) -> Option<Diagram> {
        let tab = self.dialog_tab()?;
        if let Document::Editor(editor) = &tab.document {
            return Some(editor.diagram());
        }
        let snapshot = tab.document.snapshot()?;
        Some(Diagram::new(&snapshot, tab.view.shown(&snapshot)))
    }

    /// Opens a file. Errors are shown in the dialog that asked, if any.
    fn open_file(&mut self, path: PathBuf, dialog_id: Option<u64>) {
        let file = path.clone();
        let arrive = move |app: &mut App, read: Result<FileContents, FileProblem>| match read {
            Ok(reading) => {
                app.finish_file(dialog_id, &file);
                app.open_contents(reading, &file);
            }
            Err(problem) => app.file_failed(dialog_id, &problem),
        };
        self.set_file_busy(dialog_id);
        self.spawn(move || files::open(&path), arrive);
    }

    pub(super) fn open_contents(&mut self, reading: FileContents, path: &Path) {
        match reading {
            FileContents::Games(games) => self.take_games(games, Some(path)),
            FileContents::Event(dir) => self.open_event(dir),
            FileContents::Config(config) => self.open_event_form_with(*config),
        }
    }

    /// Opens games: a single one in a tab, several as a list.
    fn take_games(&mut self, mut games: GameCollection, path: Option<&Path>) {
        let told = [
            (Text::SomeDamaged, games.damaged, &games.first_damaged),
            (Text::SomeUnread, games.unread, &games.first_unread),
        ];
        let told: Vec<String> = told
            .into_iter()
            .filter_map(|(text, count, first)| {
                Some(self.tr().fill(text, &[&count.to_string(), first.as_ref()?]))
            })
            .collect();
        if !told.is_empty() {
            self.notice = Some(told.join("\n"));
        }
        match (games.len(), games.game(0)) {
            // One good game of a damaged file is not the whole file.
            (1, Some(game)) if games.damaged == 0 || path.is_none() => {
                self.open_game_data(game, path.map(Path::to_owned), path.is_none())
            }
            _ => {
                games.path = path.map(Path::to_owned);
                self.open_tab(Document::Collection(games));
            }
        }
    }

    fn open_game_data(
        &mut self,
        game: Result<GameData, FileProblem>,
        path: Option<PathBuf>,
        is_pasted: bool,
    ) {
        let damaged = |reason| {
            let name = path.as_deref().map_or_else(String::new, |path| path.display().to_string());
            FileProblem::Damaged { name, reason }
        };
        match game.and_then(|game| OpenedGame::new(game, path.clone()).map_err(damaged)) {
            Ok(opened) => {
                let mut opened = opened.pasted(is_pasted);
                let archive = self.services.archive.as_ref();
                let holds = |path| archive.is_some_and(|archive| archive.holds(path));
                opened.is_own = opened.path.as_deref().is_some_and(holds);
                self.open_tab(self.new_document(opened));
            }
            Err(problem) => self.file_failed(None, &problem),
        }
    }

    /// Opens a game of the active list.
    fn choose(&mut self, index: usize) {
        let Some(Document::Collection(games)) = self.tab().map(|tab| &tab.document) else {
            return;
        };
        if let Some(game) = games.game(index) {
            self.open_game_data(game, None, false);
        }
    }

    fn paste(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match files::paste(text, self.tr().text(Text::Clipboard)) {
            Ok(games) => self.take_games(games, None),
            Err(problem) => self.file_failed(None, &problem),
        }
    }

    /// Marks the dialog as busy, so that nothing is done twice.
    pub(super) fn set_file_busy(&mut self, dialog_id: Option<u64>) {
        if let Some(dialog) = self.dialog_numbered(dialog_id) {
            dialog.is_busy = true;
        }
    }

    fn dialog_numbered(&mut self, number: Option<u64>) -> Option<&mut FileDialog> {
        self.files.dialog.as_mut().filter(|dialog| Some(dialog.number) == number)
    }

    /// Closes the dialog that asked.
    pub(super) fn close_dialog(&mut self, dialog_id: Option<u64>) {
        if self.dialog_numbered(dialog_id).is_some() {
            self.files.dialog = None;
        }
    }

    /// Closes the dialog that asked, and remembers the folder.
    pub(super) fn finish_file(&mut self, dialog_id: Option<u64>, path: &Path) {
        self.close_dialog(dialog_id);
        if let Some(folder) = path.parent() {
            folder.clone_into(&mut self.files.folder);
        }
    }

    /// Shows an error: in the dialog that asked while it is open, else above the tabs.
    pub(super) fn file_failed(&mut self, dialog_id: Option<u64>, problem: &FileProblem) {
        let text = self.tr().file_problem(problem);
        match self.dialog_numbered(dialog_id) {
            Some(dialog) => {
                dialog.problem = Some(text);
                dialog.is_busy = false;
            }
            None => self.notice = Some(text),
        }
    }
}

/// The ending of the format in which a tab is saved: a game without a result as a record, which can
/// be resumed.
pub(super) fn ending_of(tab: &Tab) -> &'static str {
    let is_open = match tab.document.game_data() {
        Some(GameData::Record(record)) => record.result.termination == Termination::Aborted,
        _ => false,
    };
    if is_open { "json" } else { "sgf" }
}

/// The typed path, with `~` as the home folder.
fn expand(typed: &str) -> PathBuf {
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    match typed.strip_prefix("~/").and_then(|rest| Some(home()?.join(rest))) {
        Some(path) => path,
        None => PathBuf::from(typed),
    }
}
