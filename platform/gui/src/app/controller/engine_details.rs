//! The selected engine of the engine dialog, and its check.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use super::App;
use tengen_hosts::CheckStep;
use tengen_lineup::EngineProfile;

use crate::app::controller::Dialog;

/// A command about engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineCommand {
    /// Show details of this one.
    Select(String),
    /// Add one by its path or command.
    Add(String),
    /// Remove one that was added.
    Remove(String),
    /// Set an option of an engine; none is its default.
    SetOption(String, String, Option<String>),
    Check(String),
    StopCheck,
}

/// Details of the selected engine.
#[derive(Clone, Default)]
pub struct EngineDetails {
    /// Its id.
    pub chosen: Option<String>,
    /// What it says of itself, or why it cannot start; none while it is asked.
    pub profile: Option<Result<EngineProfile, String>>,
    /// The last check of it.
    pub check: Option<EngineCheck>,
}

/// A check, as far as it has come.
#[derive(Clone, Default)]
pub struct EngineCheck {
    /// The steps so far.
    pub steps: Vec<CheckStep>,
    /// Why it could not be done.
    pub problem: Option<String>,
    pub running: bool,
    stop: Arc<AtomicBool>,
}

/// The details, which threads write.
#[derive(Clone, Default)]
pub(super) struct SharedDetails(Arc<Mutex<EngineDetails>>);

impl SharedDetails {
    fn open(&self) -> MutexGuard<'_, EngineDetails> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the details, unless another engine is selected by now.
    fn write(&self, id: &str, write: impl FnOnce(&mut EngineDetails)) {
        let mut engine_details = self.open();
        if engine_details.chosen.as_deref() == Some(id) {
            write(&mut engine_details);
        }
    }
}

impl App {
    /// The details of the engine selected in the engine dialog.
    pub fn engine_details(&self) -> EngineDetails {
        self.engine_details.open().clone()
    }

    /// The folder that engines are dropped into.
    pub fn engine_folder(&self) -> Option<std::path::PathBuf> {
        self.services.provider.folder()
    }

    pub(super) fn apply_to_engines(&mut self, command: EngineCommand) {
        match command {
            EngineCommand::Select(id) => self.select_engine(id),
            EngineCommand::Add(name) => self.add_engine(name),
            EngineCommand::Remove(id) => {
                self.settings.engines.added.retain(|added| *added != id);
                let mut engine_details = self.engine_details.open();
                if engine_details.chosen.as_ref() == Some(&id) {
                    *engine_details = EngineDetails::default();
                }
                drop(engine_details);
                self.apply_engine_settings();
            }
            EngineCommand::SetOption(id, name, value) => {
                let options = self.settings.engines.options.entry(id.clone()).or_default();
                match value {
                    Some(value) => drop(options.insert(name, value)),
                    None => drop(options.remove(&name)),
                }
                self.settings.engines.options.retain(|_, options| !options.is_empty());
                self.services.provider.configure(&self.settings.engines);
            }
            EngineCommand::Check(id) => self.check_engine(id),
            EngineCommand::StopCheck => self.stop_check(),
        }
    }

    /// Tells the provider the settings, and lists the engines again.
    pub(super) fn apply_engine_settings(&self) {
        self.services.provider.configure(&self.settings.engines);
        self.refresh_engines();
    }

    fn add_engine(&mut self, name: String) {
        if !self.settings.engines.added.contains(&name) {
            self.settings.engines.added.push(name.clone());
        }
        self.apply_engine_settings();
        self.dialog = Some(Dialog::Engines { path: String::new() });
        self.select_engine(name);
    }

    fn select_engine(&mut self, id: String) {
        self.stop_check();
        *self.engine_details.open() =
            EngineDetails { chosen: Some(id.clone()), ..EngineDetails::default() };
        let provider = Arc::clone(&self.services.provider);
        let describe = move || (provider.describe(&id), id);
        self.spawn(describe, |app, (profile, id)| {
            app.engine_details.write(&id, |details| details.profile = Some(profile));
        });
    }

    fn check_engine(&mut self, id: String) {
        self.stop_check();
        let stop = Arc::new(AtomicBool::new(false));
        let check =
            EngineCheck { running: true, stop: Arc::clone(&stop), ..EngineCheck::default() };
        self.engine_details.write(&id, |engine_details| engine_details.check = Some(check));
        let (provider, wake) =
            (Arc::clone(&self.services.provider), Arc::clone(&self.services.wake));
        let engine_details = self.engine_details.clone();
        let check = move || {
            // The results of an older check of the same engine are dropped.
            let write = {
                let (id, stop) = (id.clone(), Arc::clone(&stop));
                move |write: Box<dyn FnOnce(&mut EngineCheck)>| {
                    engine_details.write(&id, |engine_details| {
                        let check = engine_details.check.as_mut();
                        if let Some(check) = check.filter(|check| Arc::ptr_eq(&check.stop, &stop)) {
                            write(check);
                        }
                    });
                    wake();
                }
            };
            let told = write.clone();
            let on_step = move |step: &CheckStep| {
                let step = step.clone();
                told(Box::new(|check| check.steps.push(step)));
                !stop.load(Ordering::Relaxed)
            };
            let done = provider.check(&id, Box::new(on_step));
            write(Box::new(|check| {
                check.running = false;
                check.problem = done.err();
            }));
        };
        if let Err(error) = thread::Builder::new().name("engine shelf".to_owned()).spawn(check) {
            self.notice = Some(error.to_string());
        }
    }

    fn stop_check(&self) {
        if let Some(check) = &mut self.engine_details.open().check {
            check.stop.store(true, Ordering::Relaxed);
            check.running = false;
        }
    }
}
