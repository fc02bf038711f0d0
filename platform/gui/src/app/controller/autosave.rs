use std::sync::Arc;

use super::{App, Tab};
use crate::app::autosave::{self, Autosave, AutosaveContent, AutosaveProblem, AutosavedTab};
use crate::app::files::GameCollection;
use crate::app::unsaved::UnsavedState;
use crate::app::{Document, GameData, Navigation, OpenedGame, Text, Translator};

/// What is kept of a table.
pub(super) struct AutosaveEntry {
    name: String,
    /// Which state of its document.
    state: UnsavedState,
    /// Whether that state has been handed over.
    is_sent: bool,
}

impl App {
    /// Has what changed on the tables kept as soon as the person rests, and what is in a file now
    /// forgotten.
    pub(super) fn autosave_changes(&mut self) {
        let wanted = self.autosave.as_ref().map(Autosave::take_wanted).unwrap_or_default();
        self.autosave(|name| wanted.contains(name));
        if let Some(problem) = self.autosave.as_ref().and_then(Autosave::take_problem) {
            self.notice = Some(self.tr().autosave_problem(&problem));
        }
    }

    /// Has what changed on the tables kept at once.
    pub(super) fn autosave_all(&mut self) {
        self.autosave(|_| true);
    }

    fn autosave(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let Some(autosave) = &self.autosave else { return };
        for tab in &mut self.tabs {
            let known = tab.kept.take();
            let Some(now) = tab.document.unsaved() else {
                if let Some(kept) = known {
                    autosave.forget(&kept.name);
                }
                continue;
            };
            let mut kept = match known {
                Some(kept) if kept.state == now => kept,
                known => {
                    let name = known.map_or_else(|| autosave.name(), |kept| kept.name);
                    autosave.changed(&name);
                    AutosaveEntry { name, state: now, is_sent: false }
                }
            };
            if !kept.is_sent && is_wanted(&kept.name) {
                if let Some(work) = work(tab) {
                    autosave.keep(&kept.name, work);
                }
                kept.is_sent = true;
            }
            tab.kept = Some(kept);
        }
    }

    /// Whether the end of the program would lose what is on a table.
    pub fn has_unsaved_work(&self) -> bool {
        let is_kept = |kept: &AutosaveEntry| {
            let autosave = self.autosave.as_ref();
            autosave.is_some_and(|autosave| !autosave.is_failing(&kept.name))
        };
        let mut tabs = self.tabs.iter();
        tabs.any(|tab| tab.is_unsaved() && !tab.kept.as_ref().is_some_and(is_kept))
    }

    /// Whether the window is to be closed, whatever lies on its tables.
    pub fn is_closing(&self) -> bool {
        self.is_closing
    }

    /// Has what was kept of a table forgotten.
    pub(super) fn forget_autosave(&self, kept: Option<&AutosaveEntry>) {
        if let (Some(autosave), Some(kept)) = (&self.autosave, kept) {
            autosave.forget(&kept.name);
        }
    }

    /// Puts on tables what was in no file when the program ended, as it is read. Returns whether
    /// there is anything.
    pub(super) fn restore_unsaved(&mut self) -> bool {
        let (paths, problem) = self.autosave.as_mut().map(Autosave::claim).unwrap_or_default();
        if let Some(problem) = problem {
            self.notice = Some(self.tr().autosave_problem(&problem));
        }
        let found = !paths.is_empty();
        let read = move || paths.iter().map(|path| autosave::read(path)).collect::<Vec<_>>();
        self.spawn(read, |app, works| {
            let mut said = Vec::new();
            for found in works {
                match found.and_then(|found| app.restore_one(found)) {
                    Ok(false) => {}
                    Ok(true) => said.push(app.tr().text(Text::AutosaveOld).to_owned()),
                    Err(problem) => said.push(app.tr().autosave_problem(&problem)),
                }
            }
            if !said.is_empty() {
                app.notice = Some(said.join("\n"));
            }
        });
        found
    }

    /// Puts on a table what was kept, and says whether it is an older state.
    fn restore_one(&mut self, found: AutosavedTab) -> Result<bool, AutosaveProblem> {
        let AutosavedTab { name, work, is_old } = found;
        let active = (!self.tabs.is_empty()).then_some(self.active);
        let trail = match &work {
            AutosaveContent::Analysis { trail, .. } => trail.clone(),
            _ => Vec::new(),
        };
        let document = self.document_of_work(work).map_err(|reason| match &self.autosave {
            Some(autosave) => autosave.put_aside(&name, reason),
            None => AutosaveProblem::Damaged { aside: name.clone().into(), reason },
        })?;
        self.open_tab(document);
        let tab = &mut self.tabs[self.active];
        if let Document::Analysis(analysis) = &mut tab.document {
            let shown = analysis.follow(&trail);
            tab.view.look(Navigation::After(shown), &analysis.snapshot());
        }
        let state = tab.document.unsaved();
        tab.kept = state.map(|state| AutosaveEntry { name, state, is_sent: true });
        self.active = active.unwrap_or(self.active);
        Ok(is_old)
    }

    /// # Errors
    /// When it is not that of a game under its own rules; says why.
    fn document_of_work(&self, work: AutosaveContent) -> Result<Document, String> {
        match work {
            AutosaveContent::Editor(draft) => Ok(Document::Editor(draft)),
            AutosaveContent::Analysis { sheet, path, changed, .. } => {
                let game = GameData::Sheet(Arc::clone(&sheet));
                let mut analysis = self.new_analysis((*sheet).clone(), &game.snapshot()?);
                if changed {
                    analysis.mark_unsaved(path);
                }
                Ok(Document::Analysis(analysis))
            }
            AutosaveContent::Games(mut games) => match (games.pop(), games.is_empty()) {
                (None, _) => Err("there is no game in it".to_owned()),
                (Some(game), true) => {
                    Ok(Document::Opened(OpenedGame::new(game, None)?.pasted(true)))
                }
                (Some(last), false) => {
                    let mut collection = GameCollection::default();
                    let games = games.into_iter().chain([last]);
                    games.for_each(|game| collection.take::<String>(Ok(game)));
                    Ok(Document::Collection(collection))
                }
            },
        }
    }
}

fn work(tab: &Tab) -> Option<AutosaveContent> {
    match &tab.document {
        Document::Analysis(analysis) => Some(AutosaveContent::Analysis {
            sheet: Arc::clone(analysis.sheet()),
            path: analysis.path().map(std::path::Path::to_owned),
            changed: analysis.is_unsaved(),
            trail: analysis.trail(tab.view.shown(&analysis.snapshot())),
        }),
        Document::Opened(opened) => Some(AutosaveContent::Games(vec![opened.game.clone()])),
        Document::Collection(games) => {
            let game = |index| games.game(index).and_then(Result::ok);
            Some(AutosaveContent::Games((0..games.len()).filter_map(game).collect()))
        }
        Document::Editor(draft) => Some(AutosaveContent::Editor(draft.clone())),
        _ => None,
    }
}

impl Translator {
    /// What went wrong with keeping what is in no file.
    pub fn autosave_problem(self, problem: &AutosaveProblem) -> String {
        match problem {
            AutosaveProblem::Damaged { aside, reason } => {
                self.fill(Text::AutosaveDamaged, &[&aside.display().to_string(), reason])
            }
            AutosaveProblem::Unwritable { path, error } => {
                let path = path.display().to_string();
                self.fill(Text::AutosaveUnwritable, &[&path, &self.system(error)])
            }
            AutosaveProblem::Unclaimed { path, error } => {
                let path = path.display().to_string();
                self.fill(Text::AutosaveUnclaimed, &[&path, &self.system(error)])
            }
            AutosaveProblem::TooLarge => self.text(Text::AutosaveTooLarge).to_owned(),
        }
    }
}
