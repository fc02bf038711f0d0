//! Reads the text of `tengen_describe`, by the grammar in `ABI.md`.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use tengen_rules::{Procedure, Rule, Size};

use super::{EngineDescription, EngineOption, OptionKind, RuleSupport};

/// The most lines of a description that are read.
const LINES: usize = 4096;

/// A line of a description that begins with a word of the grammar and does not go on as it says.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line} of its description, `{text}`: {problem}")]
pub struct DescriptionError {
    /// The line's number, from 1.
    pub line: usize,
    /// The line.
    pub text: String,
    /// What is wrong with it, and what it should be.
    pub problem: String,
}

impl EngineDescription {
    /// Reads the text of `tengen_describe`. Lines that begin with an unknown word are passed over,
    /// as the ABI asks; so are those beyond the first 4096.
    ///
    /// # Errors
    /// Names the first line that begins with a known word and is malformed.
    pub fn parse(text: &str) -> Result<EngineDescription, DescriptionError> {
        let mut description = EngineDescription::default();
        for (line, number) in text.lines().take(LINES).zip(1..) {
            let line = line.trim();
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            description.read_line(word, rest.trim()).map_err(|problem| DescriptionError {
                line: number,
                text: line.to_owned(),
                problem,
            })?;
        }
        Ok(description)
    }

    fn read_line(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match word {
            "name" => self.name = Some(text(rest)?),
            "version" => self.version = Some(text(rest)?),
            "author" => self.author = Some(text(rest)?),
            "about" => self.about = Some(text(rest)?),
            "rule" => self.rules.push(read_rule(rest)?),
            "opening" => {
                for name in text(rest)?.split_whitespace() {
                    let known = name.parse::<Procedure>().map_err(|error| error.to_string())?;
                    self.openings.push(known.name().to_owned());
                }
            }
            "threads" => self.threads = Some(read_threads(rest)?),
            "option" => {
                let option = read_option(rest)?;
                if self.options.iter().any(|known| known.name == option.name) {
                    return Err(format!("the option {} is described twice", option.name));
                }
                self.options.push(option);
            }
            _ => {}
        }
        Ok(())
    }
}

fn text(rest: &str) -> Result<String, String> {
    match rest {
        "" => Err("nothing follows the word".to_owned()),
        rest => Ok(rest.to_owned()),
    }
}

fn range<T: FromStr + PartialOrd + Display>(text: &str) -> Result<RangeInclusive<T>, String> {
    let wrong = || format!("`{text}` is no range; write LOWEST..HIGHEST, as 1..8");
    let (low, high) = text.split_once("..").ok_or_else(wrong)?;
    let number = |text: &str| text.parse::<T>().map_err(|_| wrong());
    let (low, high) = (number(low)?, number(high)?);
    if low > high {
        return Err(format!("the range {low}..{high} is empty; its lower end comes first"));
    }
    Ok(low..=high)
}

/// Nothing may follow.
fn end<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<(), String> {
    match words.next() {
        Some(word) => Err(format!("`{word}` is one word too many")),
        None => Ok(()),
    }
}

fn read_rule(rest: &str) -> Result<RuleSupport, String> {
    let mut words = rest.split_whitespace();
    let rule = words.next().ok_or("no rule is named; write rule NAME 15..15")?;
    let rule = rule.parse::<Rule>().map_err(|error| error.to_string())?;
    let all = Size::MIN..=Size::MAX;
    let sizes = match words.next() {
        Some(sizes) => range::<u8>(sizes)?,
        None => all.clone(),
    };
    if !all.contains(sizes.start()) || !all.contains(sizes.end()) {
        return Err(format!("the sides of a board are {} to {}", all.start(), all.end()));
    }
    end(words)?;
    Ok(RuleSupport { rule, sizes })
}

fn read_threads(rest: &str) -> Result<RangeInclusive<u32>, String> {
    let threads = range::<u32>(rest)?;
    if *threads.start() == 0 {
        return Err("an engine has one thread at least".to_owned());
    }
    Ok(threads)
}

fn read_option(rest: &str) -> Result<EngineOption, String> {
    const FORMS: &str = "write option int NAME DEFAULT LOWEST..HIGHEST, bool NAME DEFAULT, choice \
                         NAME DEFAULT A|B, or string NAME \"DEFAULT\"";
    let mut words = rest.split_whitespace();
    let (Some(kind), Some(name)) = (words.next(), words.next()) else {
        return Err(FORMS.to_owned());
    };
    if kind == "string" {
        let (default, tune) = read_string(rest)?;
        return Ok(EngineOption {
            name: name.to_owned(),
            value: OptionKind::Text { default },
            tune,
        });
    }
    let default = words.next().ok_or(FORMS)?;
    let value = match kind {
        "int" => {
            let default = default
                .parse::<i64>()
                .map_err(|_| format!("its default, `{default}`, is no whole number"))?;
            let range = range::<i64>(words.next().ok_or(FORMS)?)?;
            if !range.contains(&default) {
                return Err(format!("its default, {default}, lies out of its range"));
            }
            OptionKind::Int { default, range, unit: None }
        }
        "bool" => OptionKind::Bool {
            default: default
                .parse()
                .map_err(|_| format!("its default, `{default}`, is neither true nor false"))?,
        },
        "choice" => {
            let choices: Vec<String> =
                words.next().ok_or(FORMS)?.split('|').map(str::to_owned).collect();
            if !choices.iter().any(|choice| choice == default) {
                return Err(format!("its default, `{default}`, is none of its choices"));
            }
            OptionKind::Choice { default: default.to_owned(), words: choices }
        }
        kind => return Err(format!("there is no kind `{kind}`; {FORMS}")),
    };
    let mut option = EngineOption { name: name.to_owned(), value, tune: false };
    // A unit, then the mark.
    let mut has_unit = false;
    for word in words {
        match (word, &mut option.value) {
            ("tune", _) if !option.tune => option.tune = true,
            (word, OptionKind::Int { unit, .. }) if !has_unit && !option.tune => {
                *unit = Some(word.to_owned());
                has_unit = true;
            }
            (word, _) => return Err(format!("`{word}` is one word too many")),
        }
    }
    Ok(option)
}

/// The default of a text is in quotes, so that it may be empty and hold spaces.
fn read_string(rest: &str) -> Result<(String, bool), String> {
    const FORM: &str = "its default is not in quotes; write option string NAME \"DEFAULT\"";
    let quoted = rest.splitn(3, char::is_whitespace).nth(2).unwrap_or("").trim();
    let (default, after) =
        quoted.strip_prefix('"').and_then(|text| text.rsplit_once('"')).ok_or(FORM)?;
    match after.trim() {
        "" => Ok((default.to_owned(), false)),
        "tune" => Ok((default.to_owned(), true)),
        after => Err(format!("`{after}` follows the default")),
    }
}
