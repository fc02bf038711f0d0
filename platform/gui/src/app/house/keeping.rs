use std::sync::Arc;

use super::{House, Table};
use crate::app::autosave::{self, Autosave, AutosaveProblem, Found, Work};
use crate::app::files::Collection;
use crate::app::unsaved::Unsaved;
use crate::app::{Document, Look, Opened, Text, Words, Written};

/// What is kept of a table.
pub(super) struct KeptAs {
    name: String,
    /// Which state of its document.
    state: Unsaved,
    /// Whether that state has been handed over.
    is_sent: bool,
}

impl House {
    /// Has what changed on the tables kept as soon as the person rests, and what is in a file now
    /// forgotten.
    pub(super) fn keep_what_is_unsaved(&mut self) {
        let wanted = self.autosave.as_ref().map(Autosave::take_wanted).unwrap_or_default();
        self.keep(|name| wanted.contains(name));
        if let Some(problem) = self.autosave.as_ref().and_then(Autosave::take_problem) {
            self.notice = Some(self.words().autosave_problem(&problem));
        }
    }

    /// Has what changed on the tables kept at once.
    pub(super) fn keep_all(&mut self) {
        self.keep(|_| true);
    }

    fn keep(&mut self, is_wanted: impl Fn(&str) -> bool) {
        let Some(autosave) = &self.autosave else { return };
        for table in &mut self.tables {
            let known = table.kept.take();
            let Some(now) = table.document.unsaved() else {
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
                    KeptAs { name, state: now, is_sent: false }
                }
            };
            if !kept.is_sent && is_wanted(&kept.name) {
                if let Some(work) = work(table) {
                    autosave.keep(&kept.name, work);
                }
                kept.is_sent = true;
            }
            table.kept = Some(kept);
        }
    }

    /// Whether the end of the program would lose what is on a table.
    pub fn loses_at_end(&self) -> bool {
        let is_kept = |kept: &KeptAs| {
            let autosave = self.autosave.as_ref();
            autosave.is_some_and(|autosave| !autosave.is_unkept(&kept.name))
        };
        let mut tables = self.tables.iter();
        tables.any(|table| table.is_unsaved() && !table.kept.as_ref().is_some_and(is_kept))
    }

    /// Whether the window is to be closed, whatever lies on its tables.
    pub fn ends(&self) -> bool {
        self.ends
    }

    /// Has what was kept of a table forgotten.
    pub(super) fn forget_kept(&self, kept: Option<&KeptAs>) {
        if let (Some(autosave), Some(kept)) = (&self.autosave, kept) {
            autosave.forget(&kept.name);
        }
    }

    /// Puts on tables what was in no file when the program ended, as it is read. Returns whether
    /// there is anything.
    pub(super) fn restore_unsaved(&mut self) -> bool {
        let (paths, problem) = self.autosave.as_mut().map(Autosave::claim).unwrap_or_default();
        if let Some(problem) = problem {
            self.notice = Some(self.words().autosave_problem(&problem));
        }
        let found = !paths.is_empty();
        let read = move || paths.iter().map(|path| autosave::read(path)).collect::<Vec<_>>();
        self.on_thread(read, |house, works| {
            let mut said = Vec::new();
            for found in works {
                match found.and_then(|found| house.restore_one(found)) {
                    Ok(false) => {}
                    Ok(true) => said.push(house.words().text(Text::KeptOld).to_owned()),
                    Err(problem) => said.push(house.words().autosave_problem(&problem)),
                }
            }
            if !said.is_empty() {
                house.notice = Some(said.join("\n"));
            }
        });
        found
    }

    /// Puts on a table what was kept, and says whether it is an older state.
    fn restore_one(&mut self, found: Found) -> Result<bool, AutosaveProblem> {
        let Found { name, work, is_old } = found;
        let front = (!self.tables.is_empty()).then_some(self.front);
        let trail = match &work {
            Work::Study { trail, .. } => trail.clone(),
            _ => Vec::new(),
        };
        let document = self.document_of_work(work).map_err(|reason| match &self.autosave {
            Some(autosave) => autosave.put_aside(&name, reason),
            None => AutosaveProblem::Damaged { aside: name.clone().into(), reason },
        })?;
        self.put(document);
        let table = &mut self.tables[self.front];
        if let Document::Study(study) = &mut table.document {
            let shown = study.follow(&trail);
            table.view.look(Look::After(shown), &study.snapshot());
        }
        let state = table.document.unsaved();
        table.kept = state.map(|state| KeptAs { name, state, is_sent: true });
        self.front = front.unwrap_or(self.front);
        Ok(is_old)
    }

    /// # Errors
    /// When it is not that of a game under its own rules; says why.
    fn document_of_work(&self, work: Work) -> Result<Document, String> {
        match work {
            Work::Position(draft) => Ok(Document::Draft(draft)),
            Work::Study { sheet, path, changed, .. } => {
                let game = Written::Sheet(Arc::clone(&sheet));
                let mut study = self.study_of((*sheet).clone(), &game.snapshot()?);
                if changed {
                    study.unsettle(path);
                }
                Ok(Document::Study(study))
            }
            Work::Games(mut games) => match (games.pop(), games.is_empty()) {
                (None, _) => Err("there is no game in it".to_owned()),
                (Some(game), true) => Ok(Document::Opened(Opened::new(game, None)?.pasted(true))),
                (Some(last), false) => {
                    let mut collection = Collection::default();
                    let games = games.into_iter().chain([last]);
                    games.for_each(|game| collection.take::<String>(Ok(game)));
                    Ok(Document::Collection(collection))
                }
            },
        }
    }
}

fn work(table: &Table) -> Option<Work> {
    match &table.document {
        Document::Study(study) => Some(Work::Study {
            sheet: Arc::clone(study.sheet()),
            path: study.path().map(std::path::Path::to_owned),
            changed: study.is_unsaved(),
            trail: study.trail(table.view.shown(&study.snapshot())),
        }),
        Document::Opened(opened) => Some(Work::Games(vec![opened.game.clone()])),
        Document::Collection(games) => {
            let game = |index| games.game(index).and_then(Result::ok);
            Some(Work::Games((0..games.len()).filter_map(game).collect()))
        }
        Document::Draft(draft) => Some(Work::Position(draft.clone())),
        _ => None,
    }
}

impl Words {
    /// What went wrong with keeping what is in no file.
    pub fn autosave_problem(self, problem: &AutosaveProblem) -> String {
        match problem {
            AutosaveProblem::Damaged { aside, reason } => {
                self.fill(Text::KeptDamaged, &[&aside.display().to_string(), reason])
            }
            AutosaveProblem::Unwritable { path, error } => {
                let path = path.display().to_string();
                self.fill(Text::KeptUnwritable, &[&path, &self.system(error)])
            }
            AutosaveProblem::Unclaimed { path, error } => {
                let path = path.display().to_string();
                self.fill(Text::KeptUnclaimed, &[&path, &self.system(error)])
            }
            AutosaveProblem::TooLarge => self.text(Text::KeptTooLarge).to_owned(),
        }
    }
}
