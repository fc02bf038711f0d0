//! Which CPUs an event is played on.

use std::fmt;
use std::str::FromStr;

use super::ParseOptionError;

/// Which CPUs the tables of an event are bound to, with the engines that play at them (`auto`,
/// `none`, `0,2,4-7`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Affinity {
    /// Each table to one CPU while its engines answer at once, if no engine may use more than one
    /// thread or work while it is not asked; to no CPU as soon as an engine thinks.
    #[default]
    Auto,
    /// Left to the system.
    None,
    /// Each table to the next CPU of the list.
    Cpus(Vec<usize>),
}

impl FromStr for Affinity {
    type Err = ParseOptionError;

    fn from_str(text: &str) -> Result<Affinity, ParseOptionError> {
        match text {
            "auto" => Ok(Affinity::Auto),
            "none" => Ok(Affinity::None),
            list => read_list(list).map(Affinity::Cpus).ok_or_else(|| {
                ParseOptionError::new(text, "auto, none, or a list of CPUs as in 0,2,4-7")
            }),
        }
    }
}

fn read_list(text: &str) -> Option<Vec<usize>> {
    let mut cpus = Vec::new();
    for part in text.split(',') {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let (from, to) = (from.parse::<u16>().ok()?, to.parse::<u16>().ok()?);
        if from > to {
            return None;
        }
        cpus.extend((from..=to).map(usize::from));
    }
    let mut sorted = cpus.clone();
    sorted.sort_unstable();
    sorted.dedup();
    (sorted.len() == cpus.len()).then_some(cpus)
}

impl fmt::Display for Affinity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Affinity::Auto => f.write_str("auto"),
            Affinity::None => f.write_str("none"),
            Affinity::Cpus(cpus) => {
                let cpus: Vec<String> = cpus.iter().map(usize::to_string).collect();
                f.write_str(&cpus.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges_read() {
        for text in ["auto", "none", "0", "0,2", "3,1"] {
            assert_eq!(text.parse::<Affinity>().unwrap().to_string(), text);
        }
        assert_eq!("5,0-2".parse::<Affinity>().unwrap().to_string(), "5,0,1,2");
        for text in ["", "all", "3-1", "1,1", "0-3,2", "-1", "1,"] {
            let error = text.parse::<Affinity>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}`: expected auto")), "{error}");
        }
    }
}
