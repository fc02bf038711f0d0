//! A field as an option.

use crate::tokens::RawField;

/// The whole numbers that an option may be.
const INTEGERS: [&str; 10] =
    ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
const FORM: &str =
    "#[option(default = …, range = a..=b, unit = \"…\", values = [\"…\"], name = \"…\", tune)]";

/// An option as it is declared.
pub(crate) struct DerivedOption {
    pub ident: String,
    pub ty: String,
    /// Its name on the command line.
    pub name: String,
    pub kind: Kind,
    /// An expression.
    pub default: String,
    pub unit: Option<String>,
    pub tune: bool,
}

/// What an option takes.
pub(crate) enum Kind {
    Int { range: String },
    Bool,
    Choice { values: String },
    Text,
}

impl DerivedOption {
    pub(crate) fn new(raw: &RawField) -> Result<DerivedOption, String> {
        let RawField { ident, ty, arguments } = raw;
        let wrong = |problem: &str| format!("the option `{ident}`: {problem}; expected {FORM}");
        let known = ["default", "range", "unit", "values", "name", "tune"];
        let get = |key: &str| {
            let found = arguments.iter().find(|(known, _)| known == key);
            found.map(|(_, value)| value.clone())
        };
        if let Some((key, _)) = arguments.iter().find(|(key, _)| !known.contains(&&**key)) {
            return Err(wrong(&format!("`{key}` is unknown")));
        }
        let has_value = |(key, value): &(String, String)| value.is_empty() == (key == "tune");
        if let Some((key, _)) = arguments.iter().find(|argument| !has_value(argument)) {
            return Err(wrong(&format!("`{key}` has no value, or one too many")));
        }
        let default = get("default").ok_or_else(|| wrong("there is no default"))?;
        let (range, values) = (get("range"), get("values"));
        let kind = match &**ty {
            "bool" => Kind::Bool,
            "String" => values.clone().map_or(Kind::Text, |values| Kind::Choice { values }),
            ty if INTEGERS.contains(&ty) => {
                Kind::Int { range: range.clone().ok_or_else(|| wrong("there is no range"))? }
            }
            ty => return Err(wrong(&format!("`{ty}` is no whole number, bool or String"))),
        };
        if range.is_some() && !matches!(kind, Kind::Int { .. }) {
            return Err(wrong("only a whole number has a range"));
        }
        if values.is_some() && !matches!(kind, Kind::Choice { .. }) {
            return Err(wrong("only a String has values to choose from"));
        }
        let name = match get("name") {
            None => camel(ident),
            Some(name) => name.trim_matches('"').to_owned(),
        };
        if name.is_empty() || name.contains(char::is_whitespace) {
            return Err(wrong("a name has no spaces and is not empty"));
        }
        let (unit, tune) = (get("unit"), get("tune").is_some());
        Ok(DerivedOption { ident: ident.clone(), ty: ty.clone(), name, kind, default, unit, tune })
    }
}

/// `four_bonus` as `FourBonus`.
fn camel(ident: &str) -> String {
    let words = ident.split('_').filter(|word| !word.is_empty());
    words
        .map(|word| {
            let (first, rest) = word.split_at(word.chars().next().map_or(0, char::len_utf8));
            first.to_uppercase() + rest
        })
        .collect()
}
