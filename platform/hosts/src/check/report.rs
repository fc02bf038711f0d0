//! The verdicts of a check.

use crate::sandbox::denials::Denials;

/// What a check of one thing came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckVerdict {
    Passed,
    Failed,
    /// It cannot be asked of this engine, or was not: the detail says why.
    NotChecked,
}

impl CheckVerdict {
    /// `passed`, `failed` or `not checked`.
    pub const fn name(self) -> &'static str {
        match self {
            CheckVerdict::Passed => "passed",
            CheckVerdict::Failed => "failed",
            CheckVerdict::NotChecked => "not checked",
        }
    }
}

/// What one check of an engine found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckStep {
    /// What was checked, in few words.
    pub name: String,
    /// What it came to.
    pub verdict: CheckVerdict,
    /// What was seen, or what is wrong.
    pub detail: String,
    /// Where it failed, what to do.
    pub advice: Option<String>,
    /// Where it failed by a fault that was found before, the first check that found it.
    pub same_as: Option<String>,
}

impl CheckStep {
    /// Whether the engine did nothing wrong here.
    pub fn is_ok(&self) -> bool {
        self.verdict != CheckVerdict::Failed
    }
}

/// What happens while an engine is checked.
#[derive(Clone, Copy, Debug)]
pub enum CheckEvent<'a> {
    Begins(&'a str),
    Done(&'a CheckStep),
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum NotPassed {
    Failed(String),
    NotChecked(String),
}

impl From<String> for NotPassed {
    fn from(detail: String) -> NotPassed {
        NotPassed::Failed(detail)
    }
}

impl From<&str> for NotPassed {
    fn from(detail: &str) -> NotPassed {
        NotPassed::Failed(detail.to_owned())
    }
}

/// What was seen, or why the check was not passed.
pub(crate) type StepResult = Result<String, NotPassed>;

/// A check that does not apply, for this reason.
pub(crate) fn not_checked(why: impl Into<String>) -> StepResult {
    Err(NotPassed::NotChecked(why.into()))
}

/// How a failed engine's own fault begins, which has the same words whatever it was asked.
const FAULTS: [&str; 5] =
    ["panicked at ", "trapped: ", "was killed by ", "exited with code ", "Assertion `"];

/// What to do about such a fault.
const DEBUG: &str = "it dies by a fault of its own: docs/debugging.md says how to stop before \
                     that in a debugger";

/// The fault by which an engine has died, in words that differ in no figure from one check to
/// another; none where it has not.
fn fault_of(detail: &str) -> Option<String> {
    let line = detail.lines().next()?;
    let start = FAULTS.iter().filter_map(|fault| line.find(fault)).min()?;
    let end = line[start..].find(';').map_or(line.len(), |end| start + end);
    // Where memory lies differs from one process to the next.
    let is_address = |word: &&str| word.starts_with("0x");
    let words = line[start..end].split(' ').filter(|word| !is_address(word));
    Some(words.collect::<Vec<_>>().join(" "))
}

/// The steps so far.
pub(crate) struct CheckReport {
    steps: Vec<CheckStep>,
    on_event: Box<dyn FnMut(CheckEvent<'_>)>,
}

impl CheckReport {
    pub(crate) fn new(on_event: impl FnMut(CheckEvent<'_>) + 'static) -> CheckReport {
        CheckReport { steps: Vec::new(), on_event: Box::new(on_event) }
    }

    /// Adds what the sandbox denied the engine, if anything: no fault, but often the reason of one.
    pub(crate) fn add_denials(&mut self, denials: &Denials) {
        if let Some(paths) = denials.of_all() {
            self.add("denied", "", Ok::<_, String>(paths));
        }
    }

    pub(crate) fn begin(&mut self, name: &str) {
        (self.on_event)(CheckEvent::Begins(name));
    }

    /// Adds a step, with what to do where it failed, and gives whether it did not.
    pub(crate) fn add(
        &mut self,
        name: impl Into<String>,
        advice: &str,
        result: Result<String, impl Into<NotPassed>>,
    ) -> bool {
        let (verdict, detail) = match result.map_err(Into::into) {
            Ok(seen) => (CheckVerdict::Passed, seen),
            Err(NotPassed::NotChecked(why)) => (CheckVerdict::NotChecked, why),
            Err(NotPassed::Failed(wrong)) => (CheckVerdict::Failed, wrong),
        };
        // An engine that dies has another problem than the one this check is about. An engine that
        // ends by itself, or is killed, may have been told to end.
        let is_own = |fault: &String| {
            !["exited", "was killed by SIGKILL", "was killed by SIGSYS"]
                .iter()
                .any(|how| fault.starts_with(how))
        };
        let advice =
            if fault_of(&detail).is_some_and(|fault| is_own(&fault)) { DEBUG } else { advice };
        let has_advice = verdict == CheckVerdict::Failed && !advice.is_empty();
        let advice = has_advice.then(|| advice.to_owned());
        let same_as = self.same_before(verdict, &detail);
        let step = CheckStep { name: name.into(), verdict, detail, advice, same_as };
        (self.on_event)(CheckEvent::Done(&step));
        let is_ok = step.is_ok();
        self.steps.push(step);
        is_ok
    }

    /// The first check that failed by the same fault.
    fn same_before(&self, verdict: CheckVerdict, detail: &str) -> Option<String> {
        let is_failed = |step: &&CheckStep| step.verdict == CheckVerdict::Failed;
        let fault = fault_of(detail).filter(|_| verdict == CheckVerdict::Failed)?;
        let is_same = |step: &&CheckStep| fault_of(&step.detail).as_ref() == Some(&fault);
        let first = self.steps.iter().filter(is_failed).find(is_same)?;
        Some(first.name.clone())
    }

    pub(crate) fn into_steps(self) -> Vec<CheckStep> {
        self.steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_found_once() {
        let mut report = CheckReport::new(|_| {});
        let killed = "it was killed by SIGSEGV (bad memory access) at address 0x10 in f (a.c:3)";
        for (name, wrong) in [
            ("a", "answered a1, which is taken".to_owned()),
            ("b", format!("h8: {killed}; it said last:\nhello")),
            ("c", "answered a1, which is taken".to_owned()),
            ("d", format!("game 2: {killed}")),
            ("e", killed.replace("0x10", "0x7fa8")),
            ("f", killed.replace("a.c:3", "a.c:4")),
        ] {
            report.add(name, "answer so", Err::<String, _>(wrong));
        }
        let steps = report.into_steps();
        let advice: Vec<_> = steps.iter().map(|step| step.advice.as_deref()).collect();
        assert_eq!(advice[..2], [Some("answer so"), Some(DEBUG)]);
        let same: Vec<_> = steps.iter().map(|step| step.same_as.as_deref()).collect();
        assert_eq!(same, [None, None, None, Some("b"), Some("b"), None]);
    }
}
