use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::House;
use crate::app::{Dialog, Finding, Profile};

/// Something about the engines there are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineCommand {
    /// Ask this one what it is.
    Choose(String),
    /// Take one more, by its path or command.
    Add(String),
    /// Forget one that was added.
    Remove(String),
    /// Set an option of an engine; none is its default.
    Set(String, String, Option<String>),
    /// Examine this one.
    Try(String),
    /// Leave the examination.
    StopTrial,
}

/// What is known of the engine that is looked at.
#[derive(Clone, Default)]
pub struct Workshop {
    /// Which it is.
    pub chosen: Option<String>,
    /// What it says of itself, or why it does not; none while it is asked.
    pub profile: Option<Result<Profile, String>>,
    /// The last examination of it.
    pub trial: Option<Trial>,
}

/// An examination, as far as it has come.
#[derive(Clone, Default)]
pub struct Trial {
    /// What was found.
    pub findings: Vec<Finding>,
    /// Why it could not be done.
    pub problem: Option<String>,
    /// Whether it goes on.
    pub running: bool,
    stop: Arc<AtomicBool>,
}

/// The workshop, which threads write in.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Workshop>>);

impl Shared {
    fn open(&self) -> MutexGuard<'_, Workshop> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes about an engine, unless another is looked at by now.
    fn write(&self, id: &str, write: impl FnOnce(&mut Workshop)) {
        let mut workshop = self.open();
        if workshop.chosen.as_deref() == Some(id) {
            write(&mut workshop);
        }
    }
}

impl House {
    /// What is known of the engine that is looked at in the dialog of engines.
    pub fn workshop(&self) -> Workshop {
        self.workshop.open().clone()
    }

    /// The folder that engines are dropped into.
    pub fn engine_folder(&self) -> Option<std::path::PathBuf> {
        self.services.shelf.folder()
    }

    pub(super) fn apply_to_engines(&mut self, command: EngineCommand) {
        match command {
            EngineCommand::Choose(id) => self.look_at_engine(id),
            EngineCommand::Add(name) => self.add_engine(name),
            EngineCommand::Remove(id) => {
                self.settings.engines.added.retain(|added| *added != id);
                let mut workshop = self.workshop.open();
                if workshop.chosen.as_ref() == Some(&id) {
                    *workshop = Workshop::default();
                }
                drop(workshop);
                self.arrange_shelf();
            }
            EngineCommand::Set(id, name, value) => {
                let options = self.settings.engines.options.entry(id.clone()).or_default();
                match value {
                    Some(value) => drop(options.insert(name, value)),
                    None => drop(options.remove(&name)),
                }
                self.settings.engines.options.retain(|_, options| !options.is_empty());
                self.services.shelf.arrange(&self.settings.engines);
            }
            EngineCommand::Try(id) => self.try_engine(id),
            EngineCommand::StopTrial => self.stop_trial(),
        }
    }

    /// Has the shelf go by the settings, and looks what is there then.
    pub(super) fn arrange_shelf(&self) {
        self.services.shelf.arrange(&self.settings.engines);
        self.look_at_shelf();
    }

    fn add_engine(&mut self, name: String) {
        if !self.settings.engines.added.contains(&name) {
            self.settings.engines.added.push(name.clone());
        }
        self.arrange_shelf();
        self.dialog = Some(Dialog::Engines { path: String::new() });
        self.look_at_engine(name);
    }

    fn look_at_engine(&mut self, id: String) {
        self.stop_trial();
        *self.workshop.open() = Workshop { chosen: Some(id.clone()), ..Workshop::default() };
        let (shelf, wake) = (Arc::clone(&self.services.shelf), Arc::clone(&self.services.wake));
        let workshop = self.workshop.clone();
        self.on_engine_thread(move || {
            let profile = shelf.describe(&id);
            workshop.write(&id, |workshop| workshop.profile = Some(profile));
            wake();
        });
    }

    fn try_engine(&mut self, id: String) {
        self.stop_trial();
        let stop = Arc::new(AtomicBool::new(false));
        let trial = Trial { running: true, stop: Arc::clone(&stop), ..Trial::default() };
        self.workshop.write(&id, |workshop| workshop.trial = Some(trial));
        let (shelf, wake) = (Arc::clone(&self.services.shelf), Arc::clone(&self.services.wake));
        let workshop = self.workshop.clone();
        self.on_engine_thread(move || {
            // A newer trial of the same engine is another one's.
            let write = {
                let (id, stop) = (id.clone(), Arc::clone(&stop));
                move |write: Box<dyn FnOnce(&mut Trial)>| {
                    workshop.write(&id, |workshop| {
                        let trial = workshop.trial.as_mut();
                        if let Some(trial) = trial.filter(|trial| Arc::ptr_eq(&trial.stop, &stop)) {
                            write(trial);
                        }
                    });
                    wake();
                }
            };
            let told = write.clone();
            let go_on = move |finding| {
                told(Box::new(|trial| trial.findings.push(finding)));
                !stop.load(Ordering::Relaxed)
            };
            let done = shelf.examine(&id, Box::new(go_on));
            write(Box::new(|trial| {
                trial.running = false;
                trial.problem = done.err();
            }));
        });
    }

    fn stop_trial(&self) {
        if let Some(trial) = &mut self.workshop.open().trial {
            trial.stop.store(true, Ordering::Relaxed);
            trial.running = false;
        }
    }

    fn on_engine_thread(&mut self, work: impl FnOnce() + Send + 'static) {
        if let Err(error) = thread::Builder::new().name("engine shelf".to_owned()).spawn(work) {
            self.notice = Some(error.to_string());
        }
    }
}
