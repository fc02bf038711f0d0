//! What the last check of an engine came to, by what its file has in it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tengen_hosts::{EngineSpec, HostSettings, engine_hash, package::make_private};
use tengen_players::{RealTime, Time};

/// The folder in that of the user.
const FOLDER: &str = "checks";

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct LastCheck {
    pub ok: bool,
    /// Whether only what takes little time was checked.
    pub quick: bool,
    pub steps: usize,
    pub failed: Vec<String>,
    /// When, in seconds since the beginning of 1970.
    pub at: u64,
    pub version: String,
}

impl LastCheck {
    /// One that has just been made: the name of each step and whether it passed.
    pub(crate) fn now<'a>(
        steps: impl IntoIterator<Item = (&'a str, bool)>,
        is_quick: bool,
    ) -> LastCheck {
        let steps: Vec<_> = steps.into_iter().collect();
        let failed = steps.iter().filter(|(_, ok)| !ok).map(|(name, _)| (*name).to_owned());
        let failed: Vec<String> = failed.collect();
        LastCheck {
            ok: failed.is_empty(),
            quick: is_quick,
            steps: steps.len(),
            failed,
            at: RealTime::new().date().unwrap_or(0),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        }
    }

    /// Keeps it for that engine as it is now. Where it cannot be kept, it is not.
    pub(crate) fn keep(&self, spec: &EngineSpec, settings: &HostSettings) {
        let kept = || -> Option<()> {
            let file = file(settings, &engine_hash(spec).ok()?)?;
            make_private(file.parent()?.parent()?).ok()?;
            make_private(file.parent()?).ok()?;
            let text = serde_json::to_string(self).ok()?;
            tengen_files::write(&file, text.as_bytes(), false).ok()
        };
        if kept().is_none() {
            log::debug!("the result of the check of {} could not be kept", spec.id);
        }
    }

    /// The last one of the engine that has that hash.
    pub(super) fn read(settings: &HostSettings, hash: &str) -> Option<LastCheck> {
        let text = std::fs::read_to_string(file(settings, hash)?).ok()?;
        serde_json::from_str(&text).ok()
    }

    /// `passed all 22 checks on 2026-11-22`.
    pub(super) fn text(&self) -> String {
        let LastCheck { steps, failed, version, quick, .. } = self;
        let quick = if *quick { "quick " } else { "" };
        let came = match failed.len() {
            0 => format!("passed all {steps} {quick}checks"),
            count => format!("failed {count} of {steps} {quick}checks: {}", failed.join(", ")),
        };
        format!("{came}, on {} by tengen {version}", self.date())
    }

    fn date(&self) -> String {
        let at = i64::try_from(self.at).unwrap_or(i64::MAX);
        let date = jiff::Timestamp::from_second(at);
        date.map_or_else(
            |_| "an unknown day".to_owned(),
            |date| date.strftime("%Y-%m-%d").to_string(),
        )
    }
}

fn file(settings: &HostSettings, hash: &str) -> Option<PathBuf> {
    Some(settings.cache.as_ref()?.join(FOLDER).join(format!("{hash}.json")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_check_is_told_in_words() {
        let check = LastCheck {
            at: 1_795_355_500,
            ..LastCheck::now([("loads", true), ("undo", false)], false)
        };
        let text = check.text();
        assert!(text.starts_with("failed 1 of 2 checks: undo, on 2026-11-22 by"), "{text}");
        let check = LastCheck::now([("loads", true)], true);
        assert!(check.text().starts_with("passed all 1 quick checks, on 2"), "{}", check.text());
    }
}
