//! `--engine KEY=VALUE...`: engines with settings of their own.

use anyhow::{anyhow, bail};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use tengen_tournament::{EngineEntry, Mebibytes};

use crate::WrongUse;

const ENGINE: &str = "engine";

/// Engines with their own settings: `--engine cmd=./pbrain-hoshi name=Hoshi tc=60`.
#[derive(Clone, Debug, Default)]
pub(crate) struct EngineSettingsArgs(Vec<Vec<String>>);

impl FromArgMatches for EngineSettingsArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineSettingsArgs, clap::Error> {
        let seats = matches.get_occurrences::<String>(ENGINE).into_iter().flatten();
        Ok(EngineSettingsArgs(seats.map(|settings| settings.cloned().collect()).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineSettingsArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Args for EngineSettingsArgs {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new(ENGINE)
                .long(ENGINE)
                .action(ArgAction::Append)
                .num_args(1..)
                .value_name("KEY=VALUE")
                .help("An engine with settings of its own: cmd=ENGINE tc=5+0")
                .long_help(
                    "An engine with settings of its own: cmd=ENGINE, then any of name=, tc=, \
                     margin=, memory=, threads=, rating=, option.NAME=, opening=none (the arbiter \
                     answers opening questions), restart=on, off or auto (see --restart), and \
                     line_end=lf, crlf or auto (for a text engine). Give it once for each engine",
                ),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineSettingsArgs::augment_args(command)
    }
}

impl EngineSettingsArgs {
    /// Engines, however many: those named, then those with settings.
    ///
    /// # Errors
    /// Names the setting that is wrong.
    pub(crate) fn any(&self, named: &[String]) -> anyhow::Result<Vec<EngineEntry>> {
        let mut entries: Vec<EngineEntry> = named.iter().map(EngineEntry::new).collect();
        for settings in &self.0 {
            entries.push(entry(settings).map_err(WrongUse)?);
        }
        Ok(entries)
    }

    /// The engines of an event: those named, then those with settings.
    ///
    /// # Errors
    /// Names the setting that is wrong.
    pub(crate) fn entries(&self, named: &[String]) -> anyhow::Result<Vec<EngineEntry>> {
        let entries = self.any(named)?;
        if entries.len() < 2 {
            let problem = "name two engines or more, by their ids or with --engine";
            bail!(WrongUse(anyhow!("{problem}")));
        }
        Ok(entries)
    }
}

fn entry(settings: &[String]) -> anyhow::Result<EngineEntry> {
    let mut entry = EngineEntry::default();
    for setting in settings {
        let known = setting.split_once('=').map(|(key, value)| set(&mut entry, key, value));
        match known {
            Some(Ok(true)) => {}
            Some(Err(problem)) => bail!("--engine {setting}: {problem}"),
            _ => {
                let keys = "cmd=, name=, tc=, margin=, memory=, threads=, rating=, opening=, \
                            restart=, line_end= or option.NAME=";
                bail!("--engine {setting}: expected {keys}")
            }
        }
    }
    match entry.id.is_empty() {
        true => bail!("--engine {}: no engine; name it with cmd=", settings.join(" ")),
        false => Ok(entry),
    }
}

/// Gives false for a key that is unknown.
fn set(entry: &mut EngineEntry, key: &str, value: &str) -> anyhow::Result<bool> {
    match key {
        "cmd" => value.clone_into(&mut entry.id),
        "name" => entry.label = Some(value.to_owned()).filter(|name| !name.is_empty()),
        "tc" => entry.tc = Some(value.parse()?),
        "margin" => entry.margin = Some(value.parse()?),
        "memory" => entry.memory_mib = Some(value.parse::<Mebibytes>()?.0),
        "rating" => entry.rating = Some(value.parse().map_err(|_| anyhow!("expected a number"))?),
        "opening" => entry.opening = value.parse()?,
        "restart" => entry.restart = Some(value.parse()?),
        "line_end" | "line-end" => entry.line_end = value.parse()?,
        "threads" => {
            let threads = value.parse().ok().filter(|threads| (1..=1024).contains(threads));
            entry.threads = Some(threads.ok_or_else(|| anyhow!("expected 1 to 1024"))?);
        }
        _ => {
            let Some(option) = key.strip_prefix("option.") else { return Ok(false) };
            entry.options.insert(option.to_owned(), value.to_owned());
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use tengen_tournament::{LineEndOption, OwnOpening, RestartOption};

    use super::*;

    fn seats(seats: &[&[&str]]) -> EngineSettingsArgs {
        EngineSettingsArgs(
            seats.iter().map(|seat| seat.iter().copied().map(str::to_owned).collect()).collect(),
        )
    }

    #[test]
    fn an_engine_may_have_settings_of_its_own() {
        let settings = ["name=A b", "cmd=./x -o=1", "tc=60+1,depth=8", "margin=0.5", "memory=2GiB"];
        let more = ["threads=2", "opening=none", "line_end=lf", "restart=off", "option.Hash=64"];
        let seats = seats(&[&[&settings[..], &more, &["option.Style=a=b"]].concat()]);
        let entries = seats.entries(&["greedy".to_owned()]).unwrap();
        assert_eq!(entries[0], EngineEntry::new("greedy"));
        let entry = &entries[1];
        assert_eq!((entry.id.as_str(), entry.label.as_deref()), ("./x -o=1", Some("A b")));
        assert_eq!(entry.tc.unwrap().to_string(), "60+1,depth=8");
        assert_eq!((entry.memory_mib, entry.threads), (Some(2048), Some(2)));
        assert_eq!((entry.opening, entry.line_end), (OwnOpening::None, LineEndOption::Lf));
        assert_eq!(entry.restart, Some(RestartOption::Off));
        assert_eq!(entry.options["Style"], "a=b");
        assert_eq!(entry.options["Hash"], "64");
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (settings, word) in [
            (&["name=A"][..], "cmd="),
            (&["cmd=a", "tc=never"], "--engine tc=never"),
            (&["cmd=a", "colour=red"], "--engine colour=red: expected"),
            (&["cmd=a", "red"], "--engine red: expected"),
            (&["cmd=a", "threads=0"], "1 to 1024"),
            (&["cmd=a", "opening=swap2"], "own or none"),
            (&["cmd=a", "line_end=cr"], "lf, crlf or auto"),
            (&["cmd=a", "restart=yes"], "on, off or auto"),
        ] {
            let error = seats(&[settings, settings]).entries(&[]).unwrap_err().to_string();
            assert!(error.contains(word), "no `{word}` in {error}");
        }
        let alone = seats(&[&["cmd=a"]]).entries(&[]).unwrap_err().to_string();
        assert!(alone.contains("two engines"), "{alone}");
    }
}
