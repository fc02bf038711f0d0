//! `tengen engines`: lists and shows the engines of a folder.

mod card;
mod last_check;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::Args as ClapArgs;
use serde::Serialize;
use serde_json::json;
use tengen_hosts::package::{BUILTINS, legible};
use tengen_hosts::{
    EngineKind, EngineSpec, HostSettings, MachineWalls, Probe, discover, probe_all,
};
use tengen_lineup::WaitNotice;

use tengen_rules::Procedure;

pub(crate) use card::{ShowArgs, show};
pub(crate) use last_check::LastCheck;

use crate::flags::FolderArgs;
use crate::{CommandOutcome, WrongUse, report};

struct UsableEngine {
    spec: EngineSpec,
    probe: Probe,
}

#[derive(Serialize)]
struct UnusableFile {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    path: String,
    reason: String,
}

impl UnusableFile {
    fn new(id: Option<&str>, path: &Path, reason: &impl ToString) -> UnusableFile {
        let (id, path) = (id.map(str::to_owned), path.display().to_string());
        UnusableFile { id, path, reason: reason.to_string() }
    }
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ListArgs {
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object instead of a table
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn list(args: &ListArgs) -> anyhow::Result<CommandOutcome> {
    let settings = HostSettings::this_program()?;
    let walls = MachineWalls::find(&settings);
    let listing = discover(&args.folder.dir()).map_err(|error| WrongUse(error.into()))?;
    let mut refused: Vec<UnusableFile> = listing
        .refused
        .iter()
        .map(|refusal| UnusableFile::new(refusal.id.as_deref(), &refusal.path, &refusal.reason))
        .collect();
    let builtins = BUILTINS.iter().filter_map(|name| EngineSpec::builtin(name));
    let specs: Vec<EngineSpec> = listing.engines.into_iter().chain(builtins).collect();
    let begin =
        |spec: &EngineSpec| WaitNotice::new(format!("{} to start and describe itself", spec.id));
    let probes = probe_all(walls, &specs, &settings, begin);
    let mut loaded = Vec::new();
    for (spec, probed) in specs.into_iter().zip(probes) {
        match probed {
            Ok(probe) => loaded.push(UsableEngine { spec, probe }),
            Err(error) => refused.push(UnusableFile::new(Some(&spec.id), &spec.path, &error)),
        }
    }
    let engines = || loaded.iter().map(UsableEngine::json).collect::<Vec<_>>();
    let object = || json!({ "engines": engines(), "refused": refused });
    report::show(args.json, object, || list_text(&loaded, &refused))?;
    Ok(CommandOutcome::Done)
}

fn list_text(loaded: &[UsableEngine], refused: &[UnusableFile]) -> String {
    let mut table = report::table([
        "Engine", "Kind", "Name", "Version", "Plays", "Openings", "Reads", "Sandbox",
    ]);
    for engine in loaded {
        table.add_row([
            engine.spec.id.clone(),
            engine.spec.kind.to_string(),
            engine.name().unwrap_or_default(),
            engine.probe.description.version.clone().unwrap_or_default(),
            engine.rules().join(", "),
            openings(&engine.probe.description.openings),
            engine.reads(),
            engine.sandbox(),
        ]);
    }
    let mut text = format!("{table}\n");
    let gaps: BTreeSet<_> =
        loaded.iter().flat_map(|engine| &engine.probe.gaps).map(ToString::to_string).collect();
    if !gaps.is_empty() {
        text += "\nMissing layers of the sandbox:\n";
        gaps.iter().for_each(|gap| text += &format!("  {gap}\n"));
    }
    if !refused.is_empty() {
        text += "\nCannot be loaded:\n";
        for UnusableFile { path, reason, .. } in refused {
            text += &format!("  {}: {reason}\n", legible(path));
        }
    }
    text
}

/// The procedures by name; `all` when the engine names none or every one.
fn openings(names: &[String]) -> String {
    let all = Procedure::ALL.iter().all(|one| names.iter().any(|name| name == one.name()));
    if names.is_empty() || all { "all".to_owned() } else { names.join(", ") }
}

impl UsableEngine {
    fn name(&self) -> Option<String> {
        self.spec.name.clone().or(self.probe.description.name.clone())
    }

    /// `renju 15`, `freestyle 10–22`; `all` when the engine names none and could have.
    fn rules(&self) -> Vec<String> {
        let rules = &self.probe.description.rules;
        if rules.is_empty() && self.spec.kind.is_text() {
            return self.shown();
        }
        if rules.is_empty() {
            return vec!["all".to_owned()];
        }
        rules.iter().map(ToString::to_string).collect()
    }

    /// What a brain has shown by its answers, for it cannot say it: `15`, `not 20`, `not caro`.
    fn shown(&self) -> Vec<String> {
        let shown = &self.probe.observed;
        let not = |plays: bool| if plays { "" } else { "not " };
        let boards = shown.boards.iter().map(|(size, plays)| format!("{}{size}", not(*plays)));
        let rules = shown.rules.iter().map(|(rule, plays)| format!("{}{rule}", not(*plays)));
        boards.chain(rules).collect()
    }

    /// `hoshi-1.2/`, its folder; `itself`; or `itself, pbrain-hoshi.ini`, the files beside it that
    /// are its own.
    fn reads(&self) -> String {
        const MOST: usize = 3;
        let name = |path: &Path| {
            legible(&path.file_name().unwrap_or_default().to_string_lossy()).into_owned()
        };
        if self.spec.kind == EngineKind::Builtin {
            return String::new();
        }
        if let Some(folder) = &self.spec.folder {
            return format!("{}/", name(folder));
        }
        let beside = self.spec.reads.iter().filter(|path| **path != self.spec.path);
        let mut names: Vec<_> = beside.map(|path| name(path)).collect();
        let more = names.len().saturating_sub(MOST);
        names.truncate(MOST);
        names.insert(0, "itself".to_owned());
        names.extend((more > 0).then(|| format!("{more} more")));
        names.join(", ")
    }

    /// `complete`, or the layers that are missing.
    fn sandbox(&self) -> String {
        let gaps: Vec<_> = self.probe.gaps.iter().map(|gap| gap.layer.as_str()).collect();
        if gaps.is_empty() { "complete".to_owned() } else { format!("without {}", gaps.join(", ")) }
    }

    /// The programs of a text engine that cannot be started here.
    fn unfit(&self) -> Option<Vec<UnusableFile>> {
        let unfit = &self.spec.launch.as_ref()?.unfit;
        Some(
            unfit.iter().map(|unfit| UnusableFile::new(None, &unfit.path, &unfit.reason)).collect(),
        )
    }

    fn json(&self) -> serde_json::Value {
        let description = &self.probe.description;
        let rules: Vec<_> = description
            .rules
            .iter()
            .map(|support| {
                let sizes = [support.sizes.start(), support.sizes.end()];
                json!({ "rule": support.rule.name(), "sizes": sizes })
            })
            .collect();
        let shown = &self.probe.observed;
        let boards: BTreeMap<_, _> =
            shown.boards.iter().map(|(size, plays)| (size.to_string(), plays)).collect();
        let minded: BTreeMap<_, _> =
            shown.rules.iter().map(|(rule, plays)| (rule.name(), plays)).collect();
        let shown = self.spec.kind.is_text().then(|| json!({ "boards": boards, "rules": minded }));
        let exports: Vec<_> = self.probe.exports.iter().map(|export| export.name()).collect();
        let gaps: BTreeMap<_, _> =
            self.probe.gaps.iter().map(|gap| (&gap.layer, &gap.reason)).collect();
        let options: Vec<_> = description.options.iter().map(|option| &option.name).collect();
        json!({
            "id": self.spec.id,
            "kind": self.spec.kind.name(),
            "path": self.spec.path,
            "archive": self.spec.archive,
            "programs": self.spec.launch.as_ref().map(|launch| &launch.programs),
            "unfit": self.unfit(),
            "reads": self.spec.readable(),
            "unread": self.spec.unread,
            "runs": self.spec.helpers,
            "name": self.name(),
            "version": description.version,
            "author": description.author,
            "about": description.about,
            "rules": rules,
            "shown": shown,
            "openings": description.openings,
            "options": options,
            "exports": exports,
            "hash": self.probe.hash,
            "layers": self.probe.layers,
            "gaps": gaps,
        })
    }
}
