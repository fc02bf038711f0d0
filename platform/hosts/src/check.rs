//! Checks whether an engine behaves: `tengen engines check`. `docs/check.md` says what each check
//! is for and what to do if it fails.

mod answers;
mod boards;
mod calls;
mod clocks;
mod games;
mod library;
mod limits;
mod observer;
mod openings;
mod options;
mod positions;
mod report;
mod resources;
mod sizes;
mod suite;
mod tactics;
mod tested_engine;
mod text;
mod text_engine;
mod text_resources;
mod timing;

use std::path::PathBuf;

use crate::probe::probe_text;
use crate::protocol::Ready;
use crate::{HostError, HostSettings};
pub(crate) use positions::extend;
pub use report::{CheckEvent, CheckStep, CheckVerdict};
pub(crate) use report::{CheckReport, NotPassed, StepResult, not_checked};
use suite::Suite;
use tengen_packages::{EngineKind, EngineSpec, ExportedFunctions, inspect, shown};
use tengen_rules::{Rule, Size};
use tested_engine::TestedEngine;
use text_engine::TestedTextEngine;
pub(crate) use timing::{ATTEMPTS, TimingVerdict, is_excused, judge_timing};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CheckScope {
    /// The rule; none is every rule that it plays.
    pub rule: Option<Rule>,
    /// The board; none is every sort of board that it plays on.
    pub size: Option<Size>,
    /// Whether it is checked on less: fewer boards, games and clocks.
    pub quick: bool,
}

/// Checks an engine as it would play, with the options that its specification sets. Calls every
/// function it exports with whatever a game may bring, plays games against it, and checks every
/// answer. If a step kills the engine, it is started again; the first step that hangs is the last.
pub fn check(spec: &EngineSpec, settings: &HostSettings, scope: CheckScope) -> Vec<CheckStep> {
    check_aloud(spec, settings, scope, |_| {})
}

/// Does as [`check`], and passes each step to `on_event` as soon as it is done. The settings'
/// interrupt cuts it short.
pub fn check_aloud(
    spec: &EngineSpec,
    settings: &HostSettings,
    scope: CheckScope,
    on_event: impl FnMut(CheckEvent<'_>) + 'static,
) -> Vec<CheckStep> {
    let mut report = CheckReport::new(on_event);
    if spec.kind.is_text() {
        // As before an event: which line end it takes, and how it wants the stones of swap2. If it
        // does not answer, the checks report why.
        let _ = probe_text(spec, settings, None);
        let tested = TestedTextEngine::new(spec.clone(), settings.clone(), scope);
        return Suite::run(tested, report);
    }
    let mut tested = TestedEngine::new(spec.clone(), settings.clone(), scope);
    match load(&mut tested, spec, &mut report) {
        true => Suite::run(tested, report),
        false => report.into_steps(),
    }
}

/// Loads a library or a module. Gives whether it is there to be asked more.
fn load(tested: &mut TestedEngine, spec: &EngineSpec, report: &mut CheckReport) -> bool {
    if spec.kind != EngineKind::Builtin {
        let looked = inspect(&spec.path, spec.kind);
        let asks_for_time = looked.as_ref().is_ok_and(ExportedFunctions::asks_for_time);
        let seen = looked.map(|exports| exports.names().collect::<Vec<_>>().join(" "));
        let advice = "export the functions of tengen.h by their names";
        if !report.add("file", advice, seen.map_err(|error| error.to_string())) {
            return false;
        }
        if asks_for_time {
            let why = "it contains the clock of the standard library, which panics in WebAssembly; \
                       ask left_us, or Thinking::left, instead";
            report.add("a clock of its own", "", not_checked(why));
        }
    }
    report.begin("load");
    let loaded = tested.start();
    let seen = loaded.as_ref().map(|ready| format!("ABI 1.{}", ready.minor));
    let advice = "it is loaded and told its options as in a game: see the manifest, --option, and \
                  what it printed";
    if !report.add("load", advice, seen.map_err(HostError::to_string)) {
        return false;
    }
    if let Ok(ready) = &loaded {
        report.add("sandbox", "", Ok::<_, String>(sandbox(ready)));
    }
    if spec.kind != EngineKind::Builtin {
        report.add("files", "", Ok::<_, String>(files(spec)));
    }
    if !report.add("description", limits::DESCRIBE, limits::description(tested)) {
        return false;
    }
    let boards = tested.boards_there();
    if let Err(wrong) = &boards {
        let advice = "name a rule and a board that it plays";
        report.add("board", advice, Err::<String, _>(wrong.as_str()));
    }
    boards.is_ok()
}

/// The sandbox of the engine. A layer that this machine lacks is no fault of the engine.
fn sandbox(ready: &Ready) -> String {
    let gaps: Vec<_> = ready.gaps.iter().map(ToString::to_string).collect();
    let without = if gaps.is_empty() { String::new() } else { " but not ".to_owned() };
    format!("{}{without}{}", ready.layers.join(" "), gaps.join(", "))
}

/// What an engine may read besides the system's own files, and run.
fn files(spec: &EngineSpec) -> String {
    let list = |paths: &[PathBuf]| {
        let name = |path: &PathBuf| match path.is_dir() {
            true => format!("{}/", shown(path)),
            false => shown(path),
        };
        paths.iter().map(name).collect::<Vec<_>>().join(", ")
    };
    let mut told = format!("reads {}", list(&spec.readable()));
    if !spec.helpers.is_empty() {
        told += &format!("; runs {}", list(&spec.helpers));
    }
    for unread in &spec.unread {
        told += &format!("; not {unread}");
    }
    told
}
