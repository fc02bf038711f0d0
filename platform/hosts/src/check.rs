//! Checks whether an engine behaves: `tengen check`.

mod openings;
mod positions;
mod steps;
mod tested_engine;
mod text;
mod timing;

use std::path::PathBuf;

use crate::protocol::Ready;
use crate::sandbox::denials::Denials;
use crate::{HostError, HostSettings};
pub(crate) use positions::extend;
use tengen_packages::{EngineKind, EngineSpec, inspect, shown};
use tengen_rules::{Rule, Size};
use tested_engine::TestedEngine;
pub(crate) use timing::{ATTEMPTS, TimingVerdict, judge_timing};

/// What an engine is checked on.
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

/// Checks an engine: calls every function it exports with what a game may bring, and checks every
/// answer. Each step stands for itself; after one that kills the engine it is started again. An
/// engine that cannot be loaded fails its first steps, and the rest are not tried.
pub fn check(spec: &EngineSpec, settings: &HostSettings, scope: CheckScope) -> Vec<CheckStep> {
    check_aloud(spec, settings, scope, |_| {})
}

/// Does as [`check`], and passes each step to `on_step` as soon as it is done. The settings'
/// interrupt cuts it short: the steps that remain fail.
pub fn check_aloud(
    spec: &EngineSpec,
    settings: &HostSettings,
    scope: CheckScope,
    on_step: impl FnMut(&CheckStep) + 'static,
) -> Vec<CheckStep> {
    let mut report = CheckReport { steps: Vec::new(), on_step: Box::new(on_step) };
    if spec.kind.is_text() {
        let denials = text::check(spec, settings, scope, &mut report);
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

/// The sandbox of the engine. A layer that this machine lacks is no fault of the engine.
pub(crate) fn sandbox(ready: &Ready) -> String {
    let gaps: Vec<_> = ready.gaps.iter().map(ToString::to_string).collect();
    let without = if gaps.is_empty() { String::new() } else { " but not ".to_owned() };
    format!("{}{without}{}", ready.layers.join(" "), gaps.join(", "))
}

/// What an engine may read besides the system's own files, and run.
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
    /// Adds what the sandbox denied the engine, if anything: no fault, but often the reason of one.
    pub(crate) fn add_denials(&mut self, denials: &Denials) {
        if let Some(paths) = denials.of_all() {
            self.add("denied", Ok(paths));
        }
    }

    /// Adds a step, and gives whether it passed.
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
