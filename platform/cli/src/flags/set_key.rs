//! `--set KEY=VALUE`: any key of an event file, in its own words.

use std::ffi::OsString;
use std::iter::Peekable;
use std::str::FromStr;
use std::vec;

/// A key of an event file, and its value.
#[derive(Clone, Debug)]
pub(crate) struct SetKey {
    pub key: String,
    pub value: String,
}

impl FromStr for SetKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<SetKey, &'static str> {
        let (key, value) = text.split_once('=').ok_or("expected KEY=VALUE, as in stall=600")?;
        Ok(SetKey { key: key.trim().to_owned(), value: value.trim().to_owned() })
    }
}

/// The keys that were flags once, and whether each took a value.
const FLAGS: [(&str, bool); 9] = [
    ("alike", true),
    ("bracket-reset", true),
    ("decider-tc", true),
    ("deciders", true),
    ("margin-per", true),
    ("passing", false),
    ("send-board", false),
    ("stall", true),
    ("third-place", false),
];

/// Keys whose flags mean more than the key alone: where one is set, that is the flag.
const KEYS: [&str; 9] =
    ["affinity", "concurrency", "cpus", "dir", "opening", "openings", "out", "seed", "tc"];

/// The commands that make an event.
const COMMANDS: [&[&str]; 3] = [&["match"], &["tournament", "run"], &["gui"]];

/// The same command line, in which `--stall 5` is spelled `--set=stall=5`, and `--set tc=5` is
/// `--tc=5`.
pub(crate) fn in_one_spelling(arguments: Vec<OsString>) -> Vec<OsString> {
    let is_command = |words: &&[&str]| {
        let typed = arguments.iter().skip(1).take(words.len());
        typed.len() == words.len() && typed.zip(words.iter()).all(|(one, other)| one == other)
    };
    if !COMMANDS.iter().any(is_command) {
        return arguments;
    }
    let (mut spelled, mut rest) = (Vec::new(), arguments.into_iter().peekable());
    while let Some(argument) = rest.next() {
        if argument == "--" {
            spelled.push(argument);
            spelled.extend(rest);
            break;
        }
        let flag = argument.to_str().and_then(|text| text.strip_prefix("--")).unwrap_or_default();
        let (name, given) = match flag.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (flag, None),
        };
        if name == "set"
            && let Some(set) = given.clone().or_else(|| word(&mut rest))
        {
            let (key, value) = set.split_once('=').unwrap_or((&set, ""));
            let words = value.trim().trim_matches('"');
            let typed = match KEYS.contains(&key.trim()) {
                true => format!("--{}={words}", key.trim()),
                false => format!("--set={set}"),
            };
            spelled.push(typed.into());
            continue;
        }
        let Some(&(key, takes_value)) = FLAGS.iter().find(|(key, _)| *key == name) else {
            spelled.push(argument);
            continue;
        };
        let value = match (given, takes_value) {
            (Some(value), _) => value,
            (None, true) => word(&mut rest).unwrap_or_default(),
            (None, false) => "true".to_owned(),
        };
        spelled.push(format!("--set={key}={value}").into());
    }
    spelled
}

/// The next word, unless it is another flag.
fn word(rest: &mut Peekable<vec::IntoIter<OsString>>) -> Option<String> {
    let word = rest.next_if(|word| !word.to_string_lossy().starts_with("--"))?;
    Some(word.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_that_was_is_a_key_that_is_set() {
        let spelled = |typed: &str| {
            let words = typed.split(' ').map(OsString::from).collect();
            in_one_spelling(words).join(" ".as_ref()).into_string().unwrap()
        };
        assert_eq!(
            spelled("tengen match a b --stall 5 --passing --alike=board --games 2"),
            "tengen match a b --set=stall=5 --set=passing=true --set=alike=board --games 2"
        );
        assert_eq!(spelled("tengen gui --send-board"), "tengen gui --set=send-board=true");
        assert_eq!(spelled("tengen match a -- --stall 5"), "tengen match a -- --stall 5");
        assert_eq!(spelled("tengen play a --stall 5"), "tengen play a --stall 5");
        let run = "tengen tournament run x ";
        assert_eq!(spelled(&format!("{run}--stall --json")), format!("{run}--set=stall= --json"));
        assert_eq!(
            spelled(&format!("{run}--set opening=\"swap2\" --set=tc=move=5 --set alike=board")),
            format!("{run}--opening=swap2 --tc=move=5 --set=alike=board")
        );
    }
}
