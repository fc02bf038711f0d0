//! `tengen engines show`: all that is known of one engine.

use clap::Args as ClapArgs;
use serde_json::{Value, json};
use tengen_hosts::{EngineOption, HostSettings, OptionKind, probe};
use tengen_lineup::WaitNotice;

use super::last_check::LastCheck;
use super::{UsableEngine, openings};
use crate::flags::FolderArgs;
use crate::{CommandOutcome, report};

#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// The engine: its id, its path, or builtin:NAME
    pub engine: String,
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn show(args: &ShowArgs) -> anyhow::Result<CommandOutcome> {
    let settings = HostSettings::this_program()?;
    let spec = args.folder.find(&args.engine)?;
    let probe = {
        let _waiting = WaitNotice::new(format!("{} to start and describe itself", spec.id));
        probe(&spec, &settings)?
    };
    let last_check = LastCheck::read(&settings, &probe.hash);
    let card = EngineCard { engine: UsableEngine { spec, probe }, settings, last_check };
    report::show(args.json, || card.json(), || card.text())?;
    Ok(CommandOutcome::Done)
}

struct EngineCard {
    engine: UsableEngine,
    settings: HostSettings,
    last_check: Option<LastCheck>,
}

impl EngineCard {
    fn text(&self) -> String {
        let UsableEngine { spec, probe } = &self.engine;
        let description = &probe.description;
        let name = self.engine.name().unwrap_or_default();
        let version = description.version.clone().unwrap_or_default();
        let mut text = format!("{}: {name} {version}\n\n", spec.id);
        let mut put = |label: &str, value: String| {
            if !value.is_empty() {
                text += &format!("{label:<10} {value}\n");
            }
        };
        put("author", description.author.clone().unwrap_or_default());
        put("about", description.about.clone().unwrap_or_default());
        put("kind", spec.kind.to_string());
        put("file", spec.path.display().to_string());
        put("sha256", probe.hash.clone());
        put("plays", self.engine.rules().join(", "));
        put("openings", openings(&description.openings));
        let exports: Vec<_> = probe.exports.iter().map(|export| export.name()).collect();
        put("exports", exports.join(" "));
        put("reads", self.readable().join("\n           "));
        put("not read", spec.unread.join("\n           "));
        put("limits", self.limits());
        put("sandbox", self.engine.sandbox());
        put("last check", self.last_check.as_ref().map_or("never".to_owned(), LastCheck::text));
        if description.options.is_empty() {
            text += "\nIt has no options.\n";
            return text;
        }
        let mut table = report::table(["Option", "Kind", "Default", "Values", "Tune", "Set"]);
        for option in &description.options {
            let [kind, default, values] = cells(option);
            let tune = if option.tune { "yes" } else { "" }.to_owned();
            let set = self.set(&option.name).unwrap_or_default().to_owned();
            table.add_row([option.name.clone(), kind, default, values, tune, set]);
        }
        text + &format!("\n{table}\n")
    }

    /// What its manifest sets an option to.
    fn set(&self, name: &str) -> Option<&str> {
        let set = self.engine.spec.options.iter().rfind(|(known, _)| known == name);
        set.map(|(_, value)| &**value)
    }

    /// Every file and folder that it may read.
    fn readable(&self) -> Vec<String> {
        let readable = self.engine.spec.readable();
        readable.iter().map(|path| path.display().to_string()).collect()
    }

    /// What it may use, as its manifest and the usual settings have it.
    fn limits(&self) -> String {
        let spec = &self.engine.spec;
        let memory = spec.memory_mib.map_or("none".to_owned(), |mib| format!("{mib} MiB"));
        let threads = self.engine.probe.description.threads.as_ref();
        let uses = threads.map(|range| format!("uses {} to {}", range.start(), range.end()));
        let given = spec.threads.map(|threads| format!("is given {threads}"));
        let threads = tengen_lineup::joined([uses, given].into_iter().flatten(), ", ");
        let threads = if threads.is_empty() { "not told".to_owned() } else { threads };
        let startup = self.settings.startup.as_secs();
        format!("memory {memory}; threads {threads}; {startup} s to start")
    }

    fn json(&self) -> Value {
        let mut value = self.engine.json();
        let spec = &self.engine.spec;
        let option = |option: &EngineOption| {
            let mut value = option_json(option);
            if let Some(set) = self.set(&option.name) {
                value["set"] = json!(set);
            }
            value
        };
        let threads = self.engine.probe.description.threads.as_ref();
        value["options"] = self.engine.probe.description.options.iter().map(option).collect();
        value["limits"] = json!({
            "memory_mib": spec.memory_mib,
            "threads": spec.threads,
            "startup_seconds": self.settings.startup.as_secs(),
        });
        value["threads"] = json!(threads.map(|range| [range.start(), range.end()]));
        value["last_check"] = json!(self.last_check);
        value
    }
}

/// The kind, the default and the values of an option.
fn cells(option: &EngineOption) -> [String; 3] {
    let (kind, values) = match &option.value {
        OptionKind::Int { range, unit, .. } => {
            let unit = unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
            ("int", format!("{} to {}{unit}", range.start(), range.end()))
        }
        OptionKind::Bool { .. } => ("bool", "true, false".to_owned()),
        OptionKind::Choice { words, .. } => ("choice", words.join(", ")),
        OptionKind::Text { .. } => ("string", String::new()),
    };
    [kind.to_owned(), option.value.default_text(), values]
}

fn option_json(option: &EngineOption) -> Value {
    let mut value = match &option.value {
        OptionKind::Int { default, range, unit } => json!({
            "kind": "int", "default": default, "range": [range.start(), range.end()], "unit": unit,
        }),
        OptionKind::Bool { default } => json!({ "kind": "bool", "default": default }),
        OptionKind::Choice { default, words } => {
            json!({ "kind": "choice", "default": default, "values": words })
        }
        OptionKind::Text { default } => json!({ "kind": "string", "default": default }),
    };
    value["name"] = json!(option.name);
    value["tune"] = json!(option.tune);
    value
}
