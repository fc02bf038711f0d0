//! Reads the text of `tengen_describe`.

use std::ops::RangeInclusive;

use tengen_rules::Rule;

/// The most lines of a description that are read.
const LINES: usize = 4096;

/// What an engine says of itself, read from the text of `tengen_describe`.
///
/// ```
/// use tengen_packages::EngineDescription;
/// let description = EngineDescription::parse("name Hoshi\nrule renju 15..15\nunheard of\n");
/// assert_eq!(description.name.as_deref(), Some("Hoshi"));
/// assert_eq!(description.rules.len(), 1);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineDescription {
    /// The engine's name.
    pub name: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// Who wrote it.
    pub author: Option<String>,
    /// One line about it.
    pub about: Option<String>,
    /// The rules it plays; none named is all of them.
    pub rules: Vec<RuleSupport>,
    /// The opening procedures it answers for, by their command-line words; none named is all.
    pub openings: Vec<String>,
    /// How many threads it can use.
    pub threads: Option<RangeInclusive<u32>>,
    /// Its options.
    pub options: Vec<EngineOption>,
}

/// A rule that an engine plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleSupport {
    /// What wins.
    pub rule: Rule,
    /// The sides of the boards it plays on, in points.
    pub sizes: RangeInclusive<u8>,
}

/// An option that an engine has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineOption {
    /// Its name.
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
    /// Any text.
    Text {
        /// Unless it is set.
        default: String,
    },
}

impl EngineDescription {
    /// Reads the text of `tengen_describe`. Lines that are unknown or make no sense are passed
    /// over, as the ABI asks; so are those beyond the first 4096.
    pub fn parse(text: &str) -> EngineDescription {
        let mut description = EngineDescription::default();
        for line in text.lines().take(LINES) {
            let (word, rest) = line.trim().split_once(char::is_whitespace).unwrap_or((line, ""));
            description.read_line(word, rest.trim());
        }
        description
    }

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

    fn read_line(&mut self, word: &str, rest: &str) {
        let text = || (!rest.is_empty()).then(|| rest.to_owned());
        match word {
            "name" => self.name = text(),
            "version" => self.version = text(),
            "author" => self.author = text(),
            "about" => self.about = text(),
            "rule" => self.rules.extend(read_rule(rest)),
            "opening" => self.openings.extend(rest.split_whitespace().map(str::to_owned)),
            "threads" => self.threads = range(rest),
            "option" => self.options.extend(read_option(rest)),
            _ => {}
        }
    }
}

impl EngineOption {
    fn to_text(&self) -> String {
        let name = &self.name;
        match &self.value {
            OptionKind::Int { default, range, unit } => {
                let (low, high) = (range.start(), range.end());
                let unit = unit.as_ref().map(|unit| format!(" {unit}")).unwrap_or_default();
                let tune = if self.tune { " tune" } else { "" };
                format!("int {name} {default} {low}..{high}{unit}{tune}")
            }
            OptionKind::Bool { default } => format!("bool {name} {default}"),
            OptionKind::Choice { default, words } => {
                format!("choice {name} {default} {}", words.join("|"))
            }
            OptionKind::Text { default } => format!("string {name} \"{default}\""),
        }
    }
}

fn range<T: std::str::FromStr>(text: &str) -> Option<RangeInclusive<T>> {
    let (low, high) = text.split_once("..")?;
    Some(low.parse().ok()?..=high.parse().ok()?)
}

fn read_rule(rest: &str) -> Option<RuleSupport> {
    let mut words = rest.split_whitespace();
    let rule = words.next()?.parse().ok()?;
    let sizes = match words.next() {
        Some(sizes) => range(sizes)?,
        None => tengen_rules::Size::MIN..=tengen_rules::Size::MAX,
    };
    Some(RuleSupport { rule, sizes })
}

fn read_option(rest: &str) -> Option<EngineOption> {
    let mut words = rest.split_whitespace();
    let (kind, name, default) = (words.next()?, words.next()?, words.next());
    let mut tune = false;
    let value = match kind {
        "int" => {
            let (default, range) = (default?.parse().ok()?, range(words.next()?)?);
            let mut unit = None;
            for word in words {
                match word {
                    "tune" => tune = true,
                    word => unit = Some(word.to_owned()),
                }
            }
            OptionKind::Int { default, range, unit }
        }
        "bool" => OptionKind::Bool { default: default?.parse().ok()? },
        "choice" => OptionKind::Choice {
            default: default?.to_owned(),
            words: words.next()?.split('|').map(str::to_owned).collect(),
        },
        "string" => OptionKind::Text { default: text_default(rest) },
        _ => return None,
    };
    Some(EngineOption { name: name.to_owned(), value, tune })
}

/// A text's default is all that follows the name, in quotes so that it may be empty.
fn text_default(rest: &str) -> String {
    let after_name = rest.splitn(3, char::is_whitespace).nth(2).unwrap_or("").trim();
    after_name.trim_matches('"').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSHI: &str = "name Hoshi\nversion 1.2.0\nauthor A. Author\nabout one line of text\n\
        rule renju 15..15\nrule freestyle 10..22\nopening swap2 contest\nthreads 1..8\n\
        option int Hash 16 1..4096 MiB\noption int FourBonus 900 0..5000 tune\n\
        option bool Book true\noption choice Style solid solid|wild\noption string Weights \"\"\n";

    #[test]
    fn the_header_of_the_manual_is_read_whole() {
        let hoshi = EngineDescription::parse(HOSHI);
        assert_eq!(EngineDescription::parse(&hoshi.to_text()), hoshi);
        assert_eq!(hoshi.author.as_deref(), Some("A. Author"));
        assert_eq!(hoshi.about.as_deref(), Some("one line of text"));
        assert!(hoshi.plays(Rule::Renju, 15, 15) && !hoshi.plays(Rule::Renju, 15, 19));
        assert!(hoshi.plays(Rule::Freestyle, 20, 15) && !hoshi.plays(Rule::Caro, 15, 15));
        assert!(hoshi.opens("contest") && !hoshi.opens("rif"));
        assert_eq!(hoshi.threads, Some(1..=8));
        let hash = OptionKind::Int { default: 16, range: 1..=4096, unit: Some("MiB".into()) };
        let names: Vec<_> = hoshi.options.iter().map(|option| option.name.as_str()).collect();
        assert_eq!(names, ["Hash", "FourBonus", "Book", "Style", "Weights"]);
        assert_eq!((&hoshi.options[0].value, hoshi.options[0].tune), (&hash, false));
        assert!(hoshi.options[1].tune);
        assert_eq!(hoshi.options[4].value, OptionKind::Text { default: String::new() });
    }

    #[test]
    fn lines_that_make_no_sense_are_passed_over() {
        let odd = EngineDescription::parse(
            "\n \nfuture x\nrule go 19..19\noption int A\nthreads many\nname N",
        );
        assert_eq!(
            odd,
            EngineDescription { name: Some("N".into()), ..EngineDescription::default() }
        );
    }

    #[test]
    fn an_engine_that_names_no_rule_plays_all() {
        assert!(EngineDescription::default().plays(Rule::Caro, 5, 32));
        assert!(EngineDescription::default().opens("swap2"));
    }
}
