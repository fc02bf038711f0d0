//! What an engine says about itself: name, rules, options.

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::ops::RangeInclusive;

use tengen_rules::{Procedure, Rule, Size};

/// Text that is usually a literal.
type CowStr = Cow<'static, str>;

/// What an engine says of itself. The default plays every rule on every board after every opening.
///
/// ```
/// use tengen_sdk::{Description, OptionSpec};
/// let description = Description {
///     about: "counts lines".into(),
///     options: vec![OptionSpec::int("Depth", 6, 1..=20).tune()],
///     ..Description::default()
/// };
/// assert!(description.to_string().contains("option int Depth 6 1..20 tune\n"));
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Description {
    /// The name; empty for the Cargo package's.
    pub name: CowStr,
    /// The version; empty for the Cargo package's.
    pub version: CowStr,
    /// The authors; empty for the Cargo package's.
    pub author: CowStr,
    /// One line about it; empty for the Cargo package's.
    pub about: CowStr,
    /// The rules it plays, and the sides of the boards it plays them on.
    pub rules: Vec<(Rule, RangeInclusive<u8>)>,
    /// The opening procedures it plays.
    pub openings: Vec<Procedure>,
    /// The numbers of threads it can use.
    pub threads: RangeInclusive<u32>,
    /// The options it has.
    pub options: Vec<OptionSpec>,
}

impl Default for Description {
    fn default() -> Description {
        Description {
            name: CowStr::default(),
            version: CowStr::default(),
            author: CowStr::default(),
            about: CowStr::default(),
            rules: Rule::ALL.map(|rule| (rule, Size::MIN..=Size::MAX)).to_vec(),
            openings: Procedure::ALL.to_vec(),
            threads: 1..=1,
            options: Vec::new(),
        }
    }
}

impl Description {
    /// The same, its empty texts filled from the Cargo package.
    pub(crate) fn or_cargo(mut self, cargo: &Cargo) -> Description {
        let fill = |text: &mut CowStr, from: &'static str| {
            if text.is_empty() {
                *text = CowStr::Borrowed(from);
            }
        };
        fill(&mut self.name, cargo.name);
        fill(&mut self.version, cargo.version);
        fill(&mut self.author, cargo.authors);
        fill(&mut self.about, cargo.description);
        self
    }

    /// The option of that name.
    pub(crate) fn option(&self, name: &str) -> Option<&OptionSpec> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// The lines of `tengen_describe`.
impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = [
            ("name", &self.name),
            ("version", &self.version),
            ("author", &self.author),
            ("about", &self.about),
        ];
        for (word, text) in lines {
            let text = one_line(text);
            if !text.is_empty() {
                writeln!(f, "{word} {text}")?;
            }
        }
        for (rule, sides) in &self.rules {
            writeln!(f, "rule {rule} {}..{}", sides.start(), sides.end())?;
        }
        if !self.openings.is_empty() {
            f.write_str("opening")?;
            for opening in &self.openings {
                write!(f, " {}", opening.name())?;
            }
            f.write_char('\n')?;
        }
        writeln!(f, "threads {}..{}", self.threads.start(), self.threads.end())?;
        self.options.iter().try_for_each(|option| writeln!(f, "option {option}"))
    }
}

/// Control characters would end a line, or the C string.
fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().trim().into()
}

/// What Cargo says of the engine's package.
#[doc(hidden)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cargo {
    /// `CARGO_PKG_NAME`.
    pub name: &'static str,
    /// `CARGO_PKG_VERSION`.
    pub version: &'static str,
    /// `CARGO_PKG_AUTHORS`.
    pub authors: &'static str,
    /// `CARGO_PKG_DESCRIPTION`.
    pub description: &'static str,
}

/// One option of an engine.
///
/// ```
/// use tengen_sdk::OptionSpec;
/// let option = OptionSpec::int("FourBonus", 900, 0..=5000).tune();
/// assert_eq!(option.to_string(), "int FourBonus 900 0..5000 tune");
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    name: CowStr,
    kind: OptionType,
    unit: CowStr,
    tune: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum OptionType {
    Int { default: i64, range: RangeInclusive<i64> },
    Bool { default: bool },
    Choice { default: CowStr, choices: Vec<CowStr> },
    String { default: CowStr },
}

impl OptionSpec {
    fn new(name: impl Into<CowStr>, kind: OptionType) -> OptionSpec {
        OptionSpec { name: name.into(), kind, unit: CowStr::default(), tune: false }
    }

    /// A whole number. Names hold no spaces.
    pub fn int(name: impl Into<CowStr>, default: i64, range: RangeInclusive<i64>) -> OptionSpec {
        OptionSpec::new(name, OptionType::Int { default, range })
    }

    /// `true` or `false`.
    pub fn bool(name: impl Into<CowStr>, default: bool) -> OptionSpec {
        OptionSpec::new(name, OptionType::Bool { default })
    }

    /// One of some words.
    pub fn choice(
        name: impl Into<CowStr>,
        default: impl Into<CowStr>,
        choices: &[&'static str],
    ) -> OptionSpec {
        let choices = choices.iter().copied().map(CowStr::Borrowed).collect();
        OptionSpec::new(name, OptionType::Choice { default: default.into(), choices })
    }

    /// Any text.
    pub fn string(name: impl Into<CowStr>, default: impl Into<CowStr>) -> OptionSpec {
        OptionSpec::new(name, OptionType::String { default: default.into() })
    }

    /// The same, measured in a unit, as in `MiB`.
    pub fn unit(self, unit: impl Into<CowStr>) -> OptionSpec {
        OptionSpec { unit: unit.into(), ..self }
    }

    /// The same, marked as a parameter that a tuner may vary.
    pub fn tune(self) -> OptionSpec {
        OptionSpec { tune: true, ..self }
    }

    /// Whether the option can have this value.
    pub(crate) fn accepts(&self, value: &str) -> bool {
        match &self.kind {
            OptionType::Int { range, .. } => {
                value.parse().is_ok_and(|value| range.contains(&value))
            }
            OptionType::Bool { .. } => matches!(value, "true" | "false"),
            OptionType::Choice { choices, .. } => choices.iter().any(|choice| choice == value),
            OptionType::String { .. } => true,
        }
    }
}

impl fmt::Display for OptionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match &self.kind {
            OptionType::Int { default, range } => {
                write!(f, "int {name} {default} {}..{}", range.start(), range.end())?;
            }
            OptionType::Bool { default } => write!(f, "bool {name} {default}")?,
            OptionType::Choice { default, choices } => {
                write!(f, "choice {name} {default} {}", choices.join("|"))?;
            }
            OptionType::String { default } => write!(f, "string {name} \"{}\"", one_line(default))?,
        }
        if !self.unit.is_empty() {
            write!(f, " {}", self.unit)?;
        }
        if self.tune {
            f.write_str(" tune")?;
        }
        Ok(())
    }
}

/// Why an option was not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no option of that name.
    Unknown,
    /// The option cannot have that value.
    BadValue,
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OptionError::Unknown => "there is no such option",
            OptionError::BadValue => "the option cannot have that value",
        })
    }
}

impl std::error::Error for OptionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_read_as_the_abi_says() {
        let description = Description {
            name: "Hoshi".into(),
            version: "1.2.0".into(),
            author: "A. Author".into(),
            about: "one line\nof text".into(),
            rules: vec![(Rule::Renju, 15..=15), (Rule::Freestyle, 10..=22)],
            openings: vec![Procedure::Swap2, Procedure::Contest],
            threads: 1..=8,
            options: vec![
                OptionSpec::int("Hash", 16, 1..=4096).unit("MiB"),
                OptionSpec::int("FourBonus", 900, 0..=5000).tune(),
                OptionSpec::bool("Book", true),
                OptionSpec::choice("Style", "solid", &["solid", "wild"]),
                OptionSpec::string("Weights", ""),
            ],
        };
        let lines = "name Hoshi\nversion 1.2.0\nauthor A. Author\nabout one line of text\n\
            rule renju 15..15\nrule freestyle 10..22\nopening swap2 contest\nthreads 1..8\n\
            option int Hash 16 1..4096 MiB\noption int FourBonus 900 0..5000 tune\n\
            option bool Book true\noption choice Style solid solid|wild\n\
            option string Weights \"\"\n";
        assert_eq!(description.to_string(), lines);
    }

    #[test]
    fn values_outside_the_description_are_refused() {
        let hash = OptionSpec::int("Hash", 16, 1..=4096);
        assert!(hash.accepts("4096"));
        assert!(!hash.accepts("4097") && !hash.accepts("") && !hash.accepts("1x"));
        assert!(!OptionSpec::bool("Book", true).accepts("yes"));
        assert!(!OptionSpec::choice("Style", "a", &["a", "b"]).accepts("a|b"));
    }
}
