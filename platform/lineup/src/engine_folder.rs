//! The engines of a folder, the built-in ones, and those that a person added.

use std::path::{Path, PathBuf};
use std::sync::Mutex;

use tengen_hosts::package::{BUILTINS, EngineOption, OptionKind, is_command, shown};
use tengen_hosts::{
    CheckEvent, CheckScope, EngineSpec, GameVariant, HostSettings, check_aloud, discover, probe,
    resolve,
};
use tengen_link::TableEngines;
use tengen_players::{EngineInstance, ListedEngine};
use tengen_tournament::{EngineEntry, EventConfig};

use crate::engine_provider::{
    CheckCallback, EngineList, EngineProfile, EngineProvider, EngineSettings,
};
use crate::{EngineRoster, causes, lock, start_instance};

/// The engines of a folder, the built-in ones, and those that a person added.
pub struct EngineFolder {
    dir: PathBuf,
    kept: Mutex<EngineSettings>,
}

impl TableEngines for EngineFolder {
    fn list(&self) -> Vec<ListedEngine> {
        self.known().engines
    }

    fn start(&self, id: &str, variant: &GameVariant) -> Result<EngineInstance, String> {
        let spec = self.spec(id).map_err(|error| causes(&error))?;
        start_instance(spec, variant).map_err(|error| causes(&error))
    }
}

impl EngineProvider for EngineFolder {
    fn known(&self) -> EngineList {
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
                    .map(|refusal| (shown(&refusal.path), refusal.reason.to_string()))
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

    fn folder(&self) -> Option<PathBuf> {
        Some(self.dir.clone())
    }

    fn configure(&self, kept: &EngineSettings) {
        kept.clone_into(&mut lock(&self.kept));
    }

    fn describe(&self, id: &str) -> Result<EngineProfile, String> {
        self.ask(id).map_err(|error| format!("{error:#}"))
    }

    fn check(&self, id: &str, mut on_step: CheckCallback) -> Result<(), String> {
        let settings = HostSettings::this_program().map_err(|error| error.to_string())?;
        let spec = self.spec(id).and_then(|spec| Ok(settings.enroll(spec)?));
        let spec = spec.map_err(|error| causes(&error))?;
        let interrupt = settings.interrupt.clone();
        check_aloud(&spec, &settings, CheckScope::default(), move |event| {
            let CheckEvent::Done(step) = event else { return };
            if !on_step(step) {
                interrupt.raise();
            }
        });
        Ok(())
    }

    fn enroll(&self, mut config: EventConfig) -> Result<(EventConfig, EngineRoster), String> {
        if config.dir == EventConfig::default().dir {
            config.dir.clone_from(&self.dir);
        }
        let kept = self.kept();
        for entry in &mut config.engines {
            furnish(entry, &kept, |id| self.name(id));
        }
        let (mut config, roster) = EngineRoster::enroll(config).map_err(|error| causes(&error))?;
        config.engines.iter_mut().for_each(shorten);
        Ok((config, roster))
    }

    fn gather(&self, config: &EventConfig) -> Result<EngineRoster, String> {
        EngineRoster::gather(config, None).map_err(|error| causes(&error))
    }

    fn newcomer(&self, config: &EventConfig, id: &str) -> Result<EngineEntry, String> {
        let mut entry = EngineEntry::new(id);
        furnish(&mut entry, &self.kept(), |id| self.name(id));
        // The event may have another folder of engines than this one.
        let is_far = config.dir != self.dir && is_plain(id);
        let folder = is_far.then_some(self.dir.as_path());
        let newcomer = EngineRoster::newcomer(config, entry, folder);
        let mut entry = newcomer.map_err(|error| causes(&error))?;
        shorten(&mut entry);
        Ok(entry)
    }
}

impl EngineFolder {
    pub fn new(dir: PathBuf) -> EngineFolder {
        EngineFolder { dir, kept: Mutex::default() }
    }

    /// The name of an engine, if it exists.
    fn name(&self, id: &str) -> Option<String> {
        resolve(id, &self.dir).ok().map(|spec| name(&spec))
    }

    /// The engines that the user added, and the options.
    fn kept(&self) -> EngineSettings {
        lock(&self.kept).clone()
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
                .map(|known| match manifest(&known.name) {
                    Some((_, value)) => with_default(known, value),
                    None => known.clone(),
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

/// An option with another default, where it can have that.
fn with_default(option: &EngineOption, value: &str) -> EngineOption {
    let mut option = option.clone();
    match &mut option.value {
        OptionKind::Int { default, .. } => *default = value.parse().unwrap_or(*default),
        OptionKind::Bool { default } => *default = value.parse().unwrap_or(*default),
        OptionKind::Choice { default, .. } | OptionKind::Text { default } => {
            value.clone_into(default);
        }
    }
    option
}

/// Whether that is the name of an engine in a folder, and no path or command.
fn is_plain(id: &str) -> bool {
    !is_command(id) && !Path::new(id).is_absolute()
}

/// Applies the user's options where the event has none, and gives an engine added by its path a
/// short label.
fn furnish(entry: &mut EngineEntry, kept: &EngineSettings, name: impl Fn(&str) -> Option<String>) {
    for (name, value) in kept.options.get(&entry.id).into_iter().flatten() {
        entry.options.entry(name.clone()).or_insert_with(|| value.clone());
    }
    if entry.label.is_none() && kept.added.contains(&entry.id) {
        entry.label = name(&entry.id);
    }
}

/// Labels a command by the engine's name, and a file by its file name: tables have no room for
/// either as typed.
fn shorten(entry: &mut EngineEntry) {
    if entry.label.is_some() {
        return;
    }
    let path = Path::new(&entry.id);
    entry.label = match is_command(&entry.id) {
        true => Some(entry.name.clone()).filter(|name| !name.is_empty()),
        false if path.is_absolute() => {
            path.file_name().map(|name| name.to_string_lossy().into_owned())
        }
        false => None,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_have_short_names() {
        let label = |id: &str, name: &str| {
            let mut entry = EngineEntry { name: name.to_owned(), ..EngineEntry::new(id) };
            shorten(&mut entry);
            entry.label
        };
        let some = |text: &str| Some(text.to_owned());
        assert_eq!(label("cmd:python3 far/away.py stay", "Swap2"), some("Swap2"));
        assert_eq!(label("sau:far/away", "Champion"), some("Champion"));
        assert_eq!(label("cmd:python3 far/away.py", ""), None);
        let path = std::env::temp_dir().join("pbrain-plain");
        assert_eq!(label(&path.display().to_string(), "Plain"), some("pbrain-plain"));
        assert_eq!(label("greedy", "Greedy"), None);
    }

    #[test]
    fn an_engine_brings_what_was_set_on_it_and_a_short_name() {
        let kept: EngineSettings = toml::from_str(
            "added = ['/far/away/libfast.so']\n\
             [options.'/far/away/libfast.so']\nDepth = '6'\nHash = '16'",
        )
        .unwrap();
        let mut added = EngineEntry::new("/far/away/libfast.so");
        added.options.insert("Depth".to_owned(), "2".to_owned());
        let name = |id: &str| id.ends_with("libfast.so").then(|| "fast".to_owned());
        furnish(&mut added, &kept, name);
        assert_eq!(added.label.as_deref(), Some("fast"));
        assert_eq!(added.options["Depth"], "2", "what the event says stays");
        assert_eq!(added.options["Hash"], "16");
        let mut other = EngineEntry::new("greedy");
        furnish(&mut other, &kept, name);
        assert_eq!(other, EngineEntry::new("greedy"));
    }
}
