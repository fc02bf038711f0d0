//! `tengen engines check`: shows what the check of an engine finds, as it finds it.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use clap::Args as ClapArgs;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use tengen_hosts::{
    CheckEvent, CheckScope, CheckStep, CheckVerdict, EngineSpec, HostSettings, check_aloud, resolve,
};
use tengen_rules::{Rule, Size};
use tengen_tournament::first_words;

use crate::engines::LastCheck;
use crate::flags::FolderArgs;
use crate::{CommandOutcome, WrongUse, report, stop};

#[derive(Debug, ClapArgs)]
pub(crate) struct CheckArgs {
    /// The engine: its id, its path, or builtin:NAME
    pub engine: String,
    /// Check it on this board: 20, or 20x15 [default: several that it plays]
    #[arg(long)]
    pub size: Option<Size>,
    /// Check only this rule: freestyle, standard, renju or caro
    #[arg(long)]
    pub rule: Option<Rule>,
    /// Set an option of the engine; can be given several times
    #[arg(long = "option", value_name = "NAME=VALUE")]
    pub options: Vec<String>,
    /// Check less: fewer boards, games and clocks
    #[arg(long)]
    pub quick: bool,
    #[command(flatten)]
    pub folder: FolderArgs,
    /// Print one JSON object when done, instead of a line for each check
    #[arg(long)]
    pub json: bool,
}

pub(crate) fn check(args: &CheckArgs) -> anyhow::Result<CommandOutcome> {
    let settings = HostSettings::this_program().context("cannot find this program")?;
    let spec = settings.enroll(spec(args).map_err(WrongUse)?)?;
    let scope = CheckScope { rule: args.rule, size: args.size, quick: args.quick };
    stop::raise_on_interrupt(&settings.interrupt)?;
    let begun = Instant::now();
    let steps = match args.json {
        true => check_aloud(&spec, &settings, scope, |_| {}),
        false => {
            let mut shown = VerdictLines::new();
            check_aloud(&spec, &settings, scope, move |event| shown.show(event))
        }
    };
    let failed = steps.iter().filter(|step| !step.is_ok()).count();
    if !settings.interrupt.is_raised() {
        let done = steps.iter().filter(|step| step.verdict != CheckVerdict::NotChecked);
        let done = done.map(|step| (&*step.name, step.is_ok()));
        LastCheck::now(done, args.quick).keep(&spec, &settings);
    }
    let spent = begun.elapsed();
    let object = || {
        json!({
            "engine": spec.id,
            "ok": failed == 0,
            "quick": args.quick,
            "seconds": spent.as_secs_f64(),
            "steps": steps.iter().map(json_of).collect::<Vec<_>>(),
        })
    };
    report::show(args.json, object, || summary(&spec, &steps, spent))?;
    Ok(match failed {
        _ if settings.interrupt.is_raised() => CommandOutcome::Interrupted,
        0 => CommandOutcome::Done,
        _ => CommandOutcome::Failed,
    })
}

/// The engine with its options as they are to be played.
fn spec(args: &CheckArgs) -> anyhow::Result<EngineSpec> {
    let mut spec = resolve(&args.engine, &args.folder.dir())?;
    for option in &args.options {
        let (name, value) = option
            .split_once('=')
            .filter(|(name, _)| !name.is_empty())
            .ok_or_else(|| anyhow!("--option {option}: expected NAME=VALUE"))?;
        spec.set_option(name, value);
    }
    Ok(spec)
}

fn json_of(step: &CheckStep) -> serde_json::Value {
    json!({
        "name": step.name,
        "verdict": step.verdict.name(),
        "ok": step.is_ok(),
        "detail": step.detail,
        "advice": step.advice,
        "same_as": step.same_as,
    })
}

fn summary(spec: &EngineSpec, steps: &[CheckStep], spent: Duration) -> String {
    let count = |verdict| steps.iter().filter(|step| step.verdict == verdict).count();
    let (failed, unchecked) = (count(CheckVerdict::Failed), count(CheckVerdict::NotChecked));
    let (done, seconds) = (steps.len() - unchecked, spent.as_secs_f64());
    let rest = match unchecked {
        0 => String::new(),
        unchecked => format!(", {unchecked} not checked"),
    };
    let repeated = steps.iter().filter(|step| step.same_as.is_some()).count();
    let verdict = match failed {
        0 => format!("all {done} checks passed"),
        failed if repeated == 0 => format!("{failed} of {done} checks failed"),
        failed => match failed - repeated {
            1 => format!("{failed} of {done} checks failed by one fault"),
            faults => format!("{failed} of {done} checks failed by {faults} faults"),
        },
    };
    let faults: String = steps.iter().map(|step| behind(step, steps)).collect();
    format!("\n{faults}{}: {verdict}{rest}, in {seconds:.1} s\n", spec.id)
}

/// A fault that several checks failed by, with those checks.
fn behind(step: &CheckStep, steps: &[CheckStep]) -> String {
    let is_same = |other: &&CheckStep| other.same_as.as_ref() == Some(&step.name);
    let same: Vec<_> = steps.iter().filter(is_same).map(|other| other.name.as_str()).collect();
    if same.is_empty() {
        return String::new();
    }
    let fault = first_words(&step.detail);
    format!("{fault}\n  fails because of it: {}, {}\n", step.name, same.join(", "))
}

/// Prints each verdict when it is there, and on a terminal what is being checked below.
struct VerdictLines {
    bar: Option<ProgressBar>,
}

impl VerdictLines {
    fn new() -> VerdictLines {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{spinner} {msg}  {elapsed}");
            let bar = ProgressBar::new_spinner().with_style(style.expect("the template is right"));
            bar.enable_steady_tick(Duration::from_millis(100));
            bar
        });
        VerdictLines { bar }
    }

    fn show(&mut self, event: CheckEvent<'_>) {
        match (event, &self.bar) {
            (CheckEvent::Begins(name), Some(bar)) => bar.set_message(format!("checking: {name}")),
            (CheckEvent::Begins(_), None) => {}
            (CheckEvent::Done(step), Some(bar)) => bar.suspend(|| print(step)),
            (CheckEvent::Done(step), None) => print(step),
        }
    }
}

impl Drop for VerdictLines {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// If standard output is closed, printing the summary fails too.
fn print(step: &CheckStep) {
    let mark = match step.verdict {
        CheckVerdict::Passed => "ok  ",
        CheckVerdict::Failed => "FAIL",
        CheckVerdict::NotChecked => "–   ",
    };
    let why = if step.verdict == CheckVerdict::NotChecked { "not checked: " } else { "" };
    let todo = step.advice.as_ref().map(|advice| format!(" – {advice}")).unwrap_or_default();
    let line = match &step.same_as {
        Some(first) => format!("{mark}  {:<32} the same fault as in `{first}`\n", step.name),
        None => format!("{mark}  {:<32} {why}{}{todo}\n", step.name, step.detail),
    };
    if let Err(error) = report::print(&line) {
        log::debug!("a verdict was not printed: {error:#}");
    }
}
