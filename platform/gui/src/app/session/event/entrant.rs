//! An engine in the event form.

use tengen_tournament::EngineEntry;

/// An engine in the event form, and what is typed about it.
#[derive(Clone, PartialEq, Debug)]
pub struct Entrant {
    /// Everything else about it.
    pub entry: EngineEntry,
    /// Its name in results; empty is its id.
    pub label: String,
    /// Its own time control; empty is the event's.
    pub tc: String,
    /// Its options, one per line: `Depth=6`.
    pub options: String,
}

impl Entrant {
    /// The entrant of a configuration entry.
    pub fn new(entry: EngineEntry) -> Entrant {
        let options = entry.options.iter().map(|(name, value)| format!("{name}={value}"));
        Entrant {
            label: entry.label.clone().unwrap_or_default(),
            tc: entry.tc.map(|tc| tc.to_string()).unwrap_or_default(),
            options: options.collect::<Vec<_>>().join("\n"),
            entry,
        }
    }

    /// The configuration entry; none if something typed is not valid.
    pub(super) fn filled(&self) -> Option<EngineEntry> {
        let mut entry = self.entry.clone();
        let label = self.label.trim();
        entry.label = (!label.is_empty()).then(|| label.to_owned());
        let tc = self.tc.trim();
        entry.tc = if tc.is_empty() { None } else { Some(tc.parse().ok()?) };
        let lines = self.options.lines().map(str::trim).filter(|line| !line.is_empty());
        let option = |line: &str| {
            let (name, value) = line.split_once('=')?;
            Some((name.trim().to_owned(), value.trim().to_owned()))
        };
        let options: Option<Vec<_>> = lines.map(option).collect();
        let options = options?;
        if options.iter().any(|(name, _)| name.is_empty()) {
            return None;
        }
        entry.options = options.into_iter().collect();
        Some(entry)
    }
}
