use std::path::{Path, PathBuf};
use std::sync::Arc;

use tengen_record::formats::Notation;
use tengen_rules::{Point, Size};

use super::House;
use crate::app::files::{
    self, Collection, FileCommand, FileDialog, FileProblem, Folder, Purpose, Reading,
};
use crate::app::{Diagram, Dialog, Document, EngineCommand, Field, Opened, Setup, Text, Written};

impl House {
    /// Does what was asked about files and the clipboard.
    pub(super) fn apply_to_files(&mut self, command: FileCommand) {
        match command {
            FileCommand::Ask(purpose) => self.ask_file(purpose),
            FileCommand::Name(name) => self.name_file(name),
            FileCommand::Save => self.save(),
            FileCommand::SaveAndClose => self.save_and_close(),
            FileCommand::Copy => self.copy_in_format(),
            FileCommand::Do => self.do_file(),
            FileCommand::Cancel => self.cancel_file(),
            FileCommand::Open(path) => self.open_file(path, true),
            FileCommand::Choose(index) => self.choose(index),
            FileCommand::CopyPosition => self.files.copied = self.position_text(),
            FileCommand::CopyGame => self.copy_game(),
            FileCommand::AskPaste => self.files.wants_paste = true,
            FileCommand::Paste(text) => self.paste(&text),
            FileCommand::PlayHere => {
                if let Some(setup) = self.setup_here() {
                    self.open_form_with(setup);
                }
            }
        }
    }

    /// The game in front as it stands, to be written down.
    pub fn written(&self) -> Option<Written> {
        self.table()?.document.written()
    }

    /// A game that begins with the position shown.
    pub fn setup_here(&self) -> Option<Setup> {
        let table = self.table()?;
        if let Document::Draft(draft) = &table.document {
            return draft.setup(&self.last_form);
        }
        let snapshot = table.document.snapshot()?;
        let rows = snapshot.rows.iter().take(table.view.shown(&snapshot));
        let points: Option<Vec<Point>> = rows.map(|row| row.mv.point()).collect();
        let setup = Setup {
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

    pub(super) fn ask_file(&mut self, purpose: Purpose) {
        let folder = std::path::absolute(self.files.folder.join("."));
        let folder = folder.unwrap_or_else(|_| self.files.folder.clone());
        let name = match purpose {
            Purpose::Save => folder.join(self.proposed_name("sgf")),
            Purpose::Picture => folder.join(self.proposed_name("png")),
            _ => folder.join(""),
        };
        self.files.dialog = Some(FileDialog::new(purpose));
        self.name_file(name.display().to_string());
    }

    /// A name for a file of the game in front: that of its own, or of its players.
    fn proposed_name(&self, extension: &str) -> String {
        let named = |path: &Path| Some(path.file_stem()?.to_string_lossy().into_owned());
        let own = match self.table().map(|table| &table.document) {
            Some(Document::Opened(opened)) => opened.path.as_deref().and_then(named),
            Some(Document::Study(study)) => study.path().and_then(named),
            Some(Document::Draft(_)) => Some("position".to_owned()),
            _ => None,
        };
        let players = || {
            let snapshot = self.snapshot()?;
            let seats = &snapshot.seats;
            let name = format!("{}-{}", seats.first.name, seats.second.name);
            Some(name.replace(|c: char| !c.is_alphanumeric() && c != '-', "_"))
        };
        let stem = own.or_else(players).unwrap_or_else(|| "game".to_owned());
        format!("{stem}.{extension}")
    }

    /// Reads the folder of what stands in the field, where it is another one than before.
    pub(super) fn look_into_folder(&mut self) {
        let Some(dialog) = &mut self.files.dialog else { return };
        let (purpose, place) = (dialog.purpose, files::folder_of(&expand(dialog.name.trim())));
        if dialog.place == place {
            return;
        }
        dialog.place.clone_from(&place);
        let look = move || Folder::read(&place, purpose);
        let arrive = |house: &mut House, folder: Folder| {
            if let Some(dialog) = &mut house.files.dialog
                && dialog.place == folder.path
            {
                dialog.folder = Arc::new(folder);
            }
        };
        self.on_thread(look, arrive);
    }

    /// Does with the file that is named what the dialog is for.
    fn do_file(&mut self) {
        let Some(dialog) = self.files.dialog.as_mut() else { return };
        dialog.problem = None;
        let path = expand(dialog.name.trim());
        match dialog.purpose {
            Purpose::Open => self.open_file(path, true),
            Purpose::Save => self.save_file(path),
            Purpose::Engine => {
                self.file_done(&path);
                self.apply_to_engines(EngineCommand::Add(path.display().to_string()));
            }
            Purpose::Openings => {
                self.file_done(&path);
                if let Some(form) = &mut self.event_form {
                    form.type_in(Field::Openings, path.display().to_string());
                }
            }
            Purpose::Ground => {
                self.file_done(&path);
                if let Some(Dialog::Settings { picture }) = &mut self.dialog {
                    *picture = path.display().to_string();
                }
                self.hang(path);
            }
            Purpose::Picture => {
                let is_png = path.extension().is_some_and(|extension| extension == "png");
                let name = path.display().to_string();
                match self.diagram() {
                    Some(diagram) if is_png => self.files.picture = Some((path, diagram)),
                    _ => self.file_failed(&FileProblem::NoFormat { name }),
                }
            }
        }
    }

    /// The board that is shown.
    fn diagram(&self) -> Option<Diagram> {
        let table = self.table()?;
        if let Document::Draft(draft) = &table.document {
            return Some(draft.diagram());
        }
        let snapshot = table.document.snapshot()?;
        Some(Diagram::new(&snapshot, table.view.shown(&snapshot)))
    }

    /// Opens a file, and says so where it cannot be; `in_front` where it was just asked for.
    pub(super) fn open_file(&mut self, path: PathBuf, in_front: bool) {
        let file = path.clone();
        let arrive = move |house: &mut House, read: Result<Reading, FileProblem>| {
            let front = house.front;
            match read {
                Ok(reading) => {
                    house.file_done(&file);
                    house.take_reading(reading, &file);
                    if !in_front && front < house.tables.len() {
                        house.front = front;
                    }
                }
                Err(problem) => house.file_failed(&problem),
            }
        };
        self.on_thread(move || files::open(&path), arrive);
    }

    pub(super) fn take_reading(&mut self, reading: Reading, path: &Path) {
        match reading {
            Reading::Games(games) => self.take_games(games, Some(path)),
            Reading::Event(dir) => self.open_event(dir),
            Reading::Config(config) => self.open_event_form_with(*config),
        }
    }

    /// Puts games on a table: a single one itself, several to choose from.
    fn take_games(&mut self, mut games: Collection, path: Option<&Path>) {
        if let Some(reason) = &games.first_bad {
            let bad = games.bad.to_string();
            self.notice = Some(self.words().fill(Text::SomeBad, &[&bad, reason]));
        }
        match (games.len(), games.game(0)) {
            (1, Some(game)) => self.put_written(game, path.map(Path::to_owned)),
            _ => {
                games.path = path.map(Path::to_owned);
                self.put(Document::Collection(games));
            }
        }
    }

    fn put_written(&mut self, game: Result<Written, FileProblem>, path: Option<PathBuf>) {
        let damaged = |reason| {
            let name = path.as_deref().map_or_else(String::new, |path| path.display().to_string());
            FileProblem::Damaged { name, reason }
        };
        match game.and_then(|game| Opened::new(game, path.clone()).map_err(damaged)) {
            Ok(mut opened) => {
                let archive = self.services.archive.as_ref();
                let holds = |path| archive.is_some_and(|archive| archive.holds(path));
                opened.is_own = opened.path.as_deref().is_some_and(holds);
                self.put(self.document_of(opened));
            }
            Err(problem) => self.file_failed(&problem),
        }
    }

    /// Opens a game of the collection in front.
    fn choose(&mut self, index: usize) {
        let Some(Document::Collection(games)) = self.table().map(|table| &table.document) else {
            return;
        };
        if let Some(game) = games.game(index) {
            self.put_written(game, None);
        }
    }

    fn paste(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match files::paste(text, self.words().text(Text::Clipboard)) {
            Ok(games) => self.take_games(games, None),
            Err(problem) => self.file_failed(&problem),
        }
    }

    /// Closes the dialog after its work, and remembers the folder.
    pub(super) fn file_done(&mut self, path: &Path) {
        self.files.dialog = None;
        if let Some(folder) = path.parent() {
            folder.clone_into(&mut self.files.folder);
        }
    }

    /// Says what went wrong: in the dialog while it is open, else above the tables.
    pub(super) fn file_failed(&mut self, problem: &FileProblem) {
        let text = self.words().file_problem(problem);
        match &mut self.files.dialog {
            Some(dialog) => dialog.problem = Some(text),
            None => self.notice = Some(text),
        }
    }
}

/// The path that was typed, `~` being the person's own folder.
fn expand(typed: &str) -> PathBuf {
    let home = || std::env::home_dir().filter(|home| home.is_absolute());
    match typed.strip_prefix("~/").and_then(|rest| Some(home()?.join(rest))) {
        Some(path) => path,
        None => PathBuf::from(typed),
    }
}
