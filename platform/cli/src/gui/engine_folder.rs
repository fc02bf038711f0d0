//! The engines that the window offers: those of a folder, built-in and added ones.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tengen_gui::app::{
    CheckCallback, CheckFinding, EngineInstance, EngineList, EngineProfile, EngineProvider,
    EngineSettings, ListedEngine, OptionField, OptionFieldKind,
};
use tengen_hosts::package::BUILTINS;
use tengen_hosts::{
    CheckEvent, CheckScope, CheckStep, CheckVerdict, EngineSpec, GameVariant, HostSettings,
    check_aloud, discover, package, probe, resolve,
};

use crate::engine_instance::start_instance;

/// The engines of a folder, the built-in ones, and those that the user added.
pub(super) struct EngineFolder {
    dir: PathBuf,
    kept: Mutex<EngineSettings>,
}

impl EngineProvider for EngineFolder {
    fn list(&self) -> EngineList {
        let listed = |spec: &EngineSpec| ListedEngine { id: spec.id.clone(), name: name(spec) };
        let builtins = BUILTINS.iter().filter_map(|name| EngineSpec::builtin(name));
        let mut engine_list = EngineList {
            engines: builtins.map(|spec| listed(&spec)).collect(),
            ..EngineList::default()
        };
        match discover(&self.dir) {
            Ok(found) => {
                engine_list.engines.extend(found.engines.iter().map(listed));
                let refused = found.refused.iter();
                engine_list.refused = refused
                    .map(|refusal| (package::shown(&refusal.path), refusal.reason.to_string()))
                    .collect();
            }
            Err(error) => engine_list.problem = Some(error.to_string()),
        }
        for id in self.kept().added {
            match resolve(&id, &self.dir) {
                Ok(spec) => {
                    let ListedEngine { name, .. } = listed(&spec);
                    engine_list.engines.push(ListedEngine { id, name });
                }
                Err(error) => engine_list.refused.push((id, error.to_string())),
            }
        }
        engine_list
    }

    fn start_engine(&self, id: &str, variant: &GameVariant) -> Result<EngineInstance, String> {
        let spec = self.spec(id).map_err(|error| format!("{error:#}"))?;
        start_instance(spec, variant).map_err(|error| format!("{error:#}"))
    }

    fn folder(&self) -> Option<PathBuf> {
        Some(self.dir.clone())
    }

    fn configure(&self, kept: &EngineSettings) {
        kept.clone_into(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn describe(&self, id: &str) -> Result<EngineProfile, String> {
        self.ask(id).map_err(|error| format!("{error:#}"))
    }

    fn check(&self, id: &str, mut on_finding: CheckCallback) -> Result<(), String> {
        let settings = HostSettings::this_program().map_err(|error| error.to_string())?;
        let spec = self.spec(id).and_then(|spec| Ok(settings.enroll(spec)?));
        let spec = spec.map_err(|error| format!("{error:#}"))?;
        let interrupt = settings.interrupt.clone();
        check_aloud(&spec, &settings, CheckScope::default(), move |event| {
            let CheckEvent::Done(step) = event else { return };
            let finding =
                CheckFinding { name: step.name.clone(), ok: step.is_ok(), detail: detail(step) };
            if !on_finding(finding) {
                interrupt.raise();
            }
        });
        Ok(())
    }
}

impl EngineFolder {
    pub(super) fn new(dir: PathBuf) -> EngineFolder {
        EngineFolder { dir, kept: Mutex::default() }
    }

    /// The folder.
    pub(super) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The name of an engine, if it exists.
    pub(super) fn name(&self, id: &str) -> Option<String> {
        resolve(id, &self.dir).ok().map(|spec| name(&spec))
    }

    /// The engines that the user added, and the options.
    pub(super) fn kept(&self) -> EngineSettings {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// An engine with the user's options.
    fn spec(&self, id: &str) -> anyhow::Result<EngineSpec> {
        let mut spec = resolve(id, &self.dir)?;
        for (name, value) in self.kept().options.get(id).into_iter().flatten() {
            spec.set_option(name, value);
        }
        Ok(spec)
    }

    fn ask(&self, id: &str) -> anyhow::Result<EngineProfile> {
        let spec = resolve(id, &self.dir)?;
        let probe = probe(&spec, &HostSettings::this_program()?)?;
        let description = probe.description;
        let manifest = |name: &str| spec.options.iter().find(|(known, _)| known == name);
        let options = description.options.iter();
        Ok(EngineProfile {
            kind: spec.kind.to_string(),
            rules: description.rules.iter().map(ToString::to_string).collect(),
            options: options
                .map(|known| {
                    let mut option = option(known);
                    if let Some((_, value)) = manifest(&option.name) {
                        value.clone_into(&mut option.default);
                    }
                    option
                })
                .collect(),
            name: spec.name.or(description.name),
            path: spec.path,
            version: description.version,
            author: description.author,
            about: description.about,
            layers: probe.layers,
        })
    }
}

fn name(spec: &EngineSpec) -> String {
    spec.name.clone().unwrap_or_else(|| spec.id.clone())
}

/// What was seen, or what is wrong and what to do.
fn detail(step: &CheckStep) -> String {
    match (&step.advice, step.verdict) {
        (Some(advice), _) => format!("{} – {advice}", step.detail),
        (None, CheckVerdict::NotChecked) => format!("not checked: {}", step.detail),
        _ => step.detail.clone(),
    }
}

/// An option, as the window has it.
fn option(option: &package::EngineOption) -> OptionField {
    use package::OptionKind as Known;
    let (kind, default) = match &option.value {
        Known::Int { default, range, unit } => {
            (OptionFieldKind::Int { range: range.clone(), unit: unit.clone() }, default.to_string())
        }
        Known::Bool { default } => (OptionFieldKind::Bool, default.to_string()),
        Known::Choice { default, words } => {
            (OptionFieldKind::Choice(words.clone()), default.clone())
        }
        Known::Text { default } => (OptionFieldKind::Text, default.clone()),
    };
    OptionField { name: option.name.clone(), kind, default }
}
