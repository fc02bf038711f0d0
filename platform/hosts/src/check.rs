mod openings;
mod positions;
mod steps;
mod tested_engine;
mod timing;

use std::path::PathBuf;

use crate::denials::Denials;
use crate::process::Ready;
use crate::{HostError, HostSettings, brain};
pub(crate) use positions::extend;
use tengen_packages::{EngineKind, EngineSpec, inspect, shown};
use tengen_rules::{Rule, Size};
use tested_engine::TestedEngine;
pub(crate) use timing::{ATTEMPTS, TimingVerdict, judge_timing};

/// What an engine is examined on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckScope {
    /// The rule; none is every rule that it plays.
    pub rule: Option<Rule>,
    /// The board; none is 15×15, or what the engine plays that is nearest to it.
    pub size: Option<Size>,
}

/// What one check of an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckStep {
    /// What was checked, in few words.
    pub name: String,
    /// Whether the engine passed.
    pub ok: bool,
    /// What was seen, or what is wrong and what to do.
    pub detail: String,
}

/// Examines an engine: calls every function it exports with what a game may bring, and looks at
/// every answer. Each step stands for itself; after one that kills the engine it is started anew.
/// An engine that cannot be loaded fails its first steps, and the rest are not tried.
pub fn check(spec: &EngineSpec, settings: &HostSettings, scope: CheckScope) -> Vec<CheckStep> {
    check_aloud(spec, settings, scope, |_| {})
}

/// Does as [`check`], and tells each step as soon as it is done. The settings' interrupt cuts it
/// short: the steps that remain fail.
pub fn check_aloud(
    spec: &EngineSpec,
    settings: &HostSettings,
    scope: CheckScope,
    on_step: impl FnMut(&CheckStep) + 'static,
) -> Vec<CheckStep> {
    let mut report = CheckReport { steps: Vec::new(), on_step: Box::new(on_step) };
    if spec.kind.is_text() {
        let denials = brain::check(spec, settings, scope, &mut report);
        report.add_denials(&denials);
        return report.steps;
    }
    if spec.kind != EngineKind::Builtin {
        let looked = inspect(&spec.path, spec.kind);
        let seen = looked.map(|exports| exports.names().collect::<Vec<_>>().join(" "));
        if !report.add("file", seen.map_err(|error| error.to_string())) {
            return report.steps;
        }
    }
    let mut tested = TestedEngine::new(spec.clone(), settings.clone(), scope);
    let loaded = tested.start();
    let seen = loaded.as_ref().map(|ready| format!("ABI 1.{}", ready.minor));
    if !report.add("load", seen.map_err(HostError::to_string)) {
        return report.steps;
    }
    if let Ok(ready) = &loaded {
        report.add("sandbox", Ok(sandbox(ready)));
    }
    if spec.kind != EngineKind::Builtin {
        report.add("files", Ok(files(spec)));
    }
    if let Err(wrong) = tested.boards() {
        report.add("board", Err(wrong));
        return report.steps;
    }
    steps::all(&mut tested, &mut report);
    openings::all(&mut tested, &mut report);
    steps::last(&mut tested, &mut report);
    report.add_denials(tested.denials());
    report.steps
}

/// The walls around the engine. One that this machine lacks is no fault of the engine's.
pub(crate) fn sandbox(ready: &Ready) -> String {
    let gaps: Vec<_> = ready.gaps.iter().map(ToString::to_string).collect();
    let without = if gaps.is_empty() { String::new() } else { " but not ".to_owned() };
    format!("{}{without}{}", ready.layers.join(" "), gaps.join(", "))
}

/// What an engine may read beside the system's own files, and run.
pub(crate) fn files(spec: &EngineSpec) -> String {
    let list = |paths: &[PathBuf]| {
        let name = |path: &PathBuf| match path.is_dir() {
            true => format!("{}/", shown(path)),
            false => shown(path),
        };
        paths.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let reads = format!("reads {}", list(&spec.readable()));
    match &spec.helpers[..] {
        [] => reads,
        helpers => format!("{reads}; runs {}", list(helpers)),
    }
}

/// What was seen, or what is wrong.
pub(crate) type StepResult = Result<String, String>;

/// The steps so far.
pub(crate) struct CheckReport {
    steps: Vec<CheckStep>,
    on_step: Box<dyn FnMut(&CheckStep)>,
}

impl CheckReport {
    /// Notes what the walls denied the engine all along, if anything: no fault, but often the
    /// reason of one.
    pub(crate) fn add_denials(&mut self, denials: &Denials) {
        if let Some(paths) = denials.of_all() {
            self.add("denied", Ok(paths));
        }
    }

    /// Notes a finding, and gives whether it is good.
    pub(crate) fn add(&mut self, name: impl Into<String>, result: StepResult) -> bool {
        let (ok, detail) = match result {
            Ok(seen) => (true, seen),
            Err(wrong) => (false, wrong),
        };
        let step = CheckStep { name: name.into(), ok, detail };
        (self.on_step)(&step);
        self.steps.push(step);
        ok
    }
}
