//! What an engine says of itself in `tengen_describe`.

mod read;
#[cfg(test)]
mod tests;

use std::fmt;
use std::ops::RangeInclusive;

use tengen_rules::Rule;

pub use read::DescriptionError;

/// What an engine says of itself, read from the text of `tengen_describe`.
///
/// ```
/// use tengen_packages::EngineDescription;
/// let description = EngineDescription::parse("name Hoshi\nrule renju 15..15\nunheard of\n")?;
/// assert_eq!(description.name.as_deref(), Some("Hoshi"));
/// assert_eq!(description.rules.len(), 1);
/// let wrong = EngineDescription::parse("name Hoshi\nrule renju 15-15\n").unwrap_err();
/// assert_eq!((wrong.line, wrong.text.as_str()), (2, "rule renju 15-15"));
/// # Ok::<(), tengen_packages::DescriptionError>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineDescription {
    pub name: Option<String>,
    pub version: Option<String>,
    pub author: Option<String>,
    /// One line about it.
    pub about: Option<String>,
    /// The rules it plays; none named is all of them.
    pub rules: Vec<RuleSupport>,
    /// The opening procedures it answers for, by their command-line words; none named is all.
    pub openings: Vec<String>,
    /// How many threads it can use.
    pub threads: Option<RangeInclusive<u32>>,
    pub options: Vec<EngineOption>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSupport {
    pub rule: Rule,
    /// The sides of the boards it plays on, in points.
    pub sizes: RangeInclusive<u8>,
}

/// `renju 15`, `freestyle 10–22`.
impl fmt::Display for RuleSupport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.sizes.start(), self.sizes.end());
        write!(f, "{} {least}", self.rule)?;
        if least == most { Ok(()) } else { write!(f, "–{most}") }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    pub name: String,
    /// What it takes.
    pub value: OptionKind,
    /// Whether a tuner may vary it.
    pub tune: bool,
}

/// What an option takes, with its default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// A whole number.
    Int {
        /// Unless it is set.
        default: i64,
        /// What it may be.
        range: RangeInclusive<i64>,
        /// Its unit, as `MiB`.
        unit: Option<String>,
    },
    /// `true` or `false`.
    Bool {
        /// Unless it is set.
        default: bool,
    },
    /// One of several words.
    Choice {
        /// Unless it is set.
        default: String,
        /// What it may be.
        words: Vec<String>,
    },
    Text {
        /// Unless it is set.
        default: String,
    },
}

impl EngineDescription {
    /// The text that reads as this description.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let lines = [
            ("name", &self.name),
            ("version", &self.version),
            ("author", &self.author),
            ("about", &self.about),
        ];
        for (word, value) in lines {
            value.iter().for_each(|value| text += &format!("{word} {value}\n"));
        }
        for RuleSupport { rule, sizes } in &self.rules {
            text += &format!("rule {rule} {}..{}\n", sizes.start(), sizes.end());
        }
        if !self.openings.is_empty() {
            text += &format!("opening {}\n", self.openings.join(" "));
        }
        if let Some(threads) = &self.threads {
            text += &format!("threads {}..{}\n", threads.start(), threads.end());
        }
        for option in &self.options {
            text += &format!("option {}\n", option.to_text());
        }
        text
    }

    /// Whether it says that it plays this rule on boards of this width and height.
    pub fn plays(&self, rule: Rule, width: u8, height: u8) -> bool {
        let fits = |support: &RuleSupport| {
            support.rule == rule
                && support.sizes.contains(&width)
                && support.sizes.contains(&height)
        };
        self.rules.is_empty() || self.rules.iter().any(fits)
    }

    /// Whether it says that it answers for the opening procedure of this command-line word.
    pub fn opens(&self, procedure: &str) -> bool {
        self.openings.is_empty() || self.openings.iter().any(|word| word == procedure)
    }
}

impl OptionKind {
    /// The default as a text.
    pub fn default_text(&self) -> String {
        match self {
            OptionKind::Int { default, .. } => default.to_string(),
            OptionKind::Bool { default } => default.to_string(),
            OptionKind::Choice { default, .. } | OptionKind::Text { default } => default.clone(),
        }
    }
}

impl EngineOption {
    fn to_text(&self) -> String {
        let name = &self.name;
        let text = match &self.value {
            OptionKind::Int { default, range, unit } => {
                let (low, high) = (range.start(), range.end());
                let unit = unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
                format!("int {name} {default} {low}..{high}{unit}")
            }
            OptionKind::Bool { default } => format!("bool {name} {default}"),
            OptionKind::Choice { default, words } => {
                format!("choice {name} {default} {}", words.join("|"))
            }
            OptionKind::Text { default } => format!("string {name} \"{default}\""),
        };
        if self.tune { text + " tune" } else { text }
    }
}
