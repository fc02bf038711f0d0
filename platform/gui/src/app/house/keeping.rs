use super::{House, Table};
use crate::app::autosave::{self, Autosave, AutosaveProblem, Work};
use crate::app::files::Collection;
use crate::app::unsaved::Unsaved;
use crate::app::{Document, Look, Opened, Text, Words, Written};

/// What is kept of a table.
pub(super) struct Kept {
    name: String,
    /// Which state of its document.
    state: Unsaved,
}

impl House {
    /// Has what changed on the tables kept, and what is in a file now forgotten.
    pub(super) fn keep_what_is_unsaved(&mut self) {
        let Some(autosave) = &self.autosave else { return };
        for table in &mut self.tables {
            match (table.document.unsaved(), &table.kept) {
                (Some(now), Some(kept)) if kept.state == now => {}
                (Some(now), kept) => {
                    let name = kept.as_ref().map_or_else(Autosave::name, |kept| kept.name.clone());
                    if let Some(work) = work(table) {
                        autosave.keep(&name, work);
                    }
                    table.kept = Some(Kept { name, state: now });
                }
                (None, Some(kept)) => {
                    autosave.forget(&kept.name);
                    table.kept = None;
                }
                (None, None) => {}
            }
        }
        if let Some(problem) = autosave.take_problem() {
            self.notice = Some(self.settings.words().autosave_problem(&problem));
        }
    }

    /// Has what was kept of a table forgotten.
    pub(super) fn forget_kept(&self, kept: Option<&Kept>) {
        if let (Some(autosave), Some(kept)) = (&self.autosave, kept) {
            autosave.forget(&kept.name);
        }
    }

    /// Puts on tables what was in no file when the program ended, as it is read. Returns whether
    /// there is anything.
    pub(super) fn restore_unsaved(&mut self) -> bool {
        let paths = self.autosave.as_mut().map(Autosave::claim).unwrap_or_default();
        let found = !paths.is_empty();
        let read = move || paths.iter().map(|path| autosave::read(path)).collect::<Vec<_>>();
        self.on_thread(read, |house, works| {
            works.into_iter().for_each(|work| house.restore_one(work));
        });
        found
    }

    fn restore_one(&mut self, read: Result<(String, Work), AutosaveProblem>) {
        let (name, work) = match read {
            Ok(kept) => kept,
            Err(problem) => {
                self.notice = Some(self.words().autosave_problem(&problem));
                return;
            }
        };
        let front = (!self.tables.is_empty()).then_some(self.front);
        let trail = match &work {
            Work::Study { trail, .. } => trail.clone(),
            _ => Vec::new(),
        };
        if let Some(document) = self.document_of_work(work) {
            self.put(document);
            let table = &mut self.tables[self.front];
            if let Document::Study(study) = &mut table.document {
                let shown = study.follow(&trail);
                table.view.look(Look::After(shown), &study.snapshot());
            }
            table.kept = table.document.unsaved().map(|state| Kept { name, state });
            self.front = front.unwrap_or(self.front);
        }
    }

    fn document_of_work(&self, work: Work) -> Option<Document> {
        match work {
            Work::Position(draft) => Some(Document::Draft(draft)),
            Work::Study { sheet, path, changed, .. } => {
                let game = Written::Sheet(Box::new((*sheet).clone()));
                let snapshot = game.snapshot().ok()?;
                let mut study = self.study_of((*sheet).clone(), &snapshot);
                if changed {
                    study.unsettle(path);
                }
                Some(Document::Study(study))
            }
            Work::Games(mut games) if games.len() == 1 => {
                let opened = Opened::new(games.pop()?, None).ok()?;
                Some(Document::Opened(opened.pasted(true)))
            }
            Work::Games(games) => {
                let mut collection = Collection::default();
                games.into_iter().for_each(|game| collection.take::<String>(Ok(game)));
                Some(Document::Collection(collection))
            }
        }
    }
}

fn work(table: &Table) -> Option<Work> {
    match &table.document {
        Document::Study(study) => Some(Work::Study {
            sheet: std::sync::Arc::clone(study.sheet()),
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
            AutosaveProblem::TooLarge => self.text(Text::KeptTooLarge).to_owned(),
        }
    }
}
