//! What a brain says of itself.

use alloc::string::String;
use core::fmt;

/// A brain's answer to ABOUT, `name="…", version="…", author="…", country="…"`, or a free
/// text.
///
/// ```
/// use tengen_gomocup::About;
/// let about = About::parse(r#"name="Hoshi, the star", version="1.2", author=Me, country="CZ""#);
/// assert_eq!(about.name.as_deref(), Some("Hoshi, the star"));
/// assert_eq!(about.author.as_deref(), Some("Me"));
/// assert_eq!(About::parse("Hoshi 1.2 by Me").name, None);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    pub name: Option<String>,
    pub version: Option<String>,
    pub author: Option<String>,
    /// The whole answer.
    pub text: String,
}

impl About {
    /// Reads an answer. Keys may be in either case and any order, values without quotes; what is
    /// not of that form is in [`About::text`] alone.
    pub fn parse(text: &str) -> About {
        let mut about = About { text: text.into(), ..About::default() };
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('=') {
            let key = before.rsplit([',', ';', ' ', '\t']).find(|word| !word.is_empty());
            let (value, after) = value(after);
            rest = after;
            let named = about
                .fields_mut()
                .into_iter()
                .find(|(name, _)| key.is_some_and(|key| key.eq_ignore_ascii_case(name)));
            if let Some((_, field)) = named
                && field.is_none()
                && !value.is_empty()
            {
                *field = Some(value.into());
            }
        }
        about
    }

    fn fields(&self) -> [(&'static str, Option<&str>); 3] {
        [
            ("name", self.name.as_deref()),
            ("version", self.version.as_deref()),
            ("author", self.author.as_deref()),
        ]
    }

    fn fields_mut(&mut self) -> [(&'static str, &mut Option<String>); 3] {
        [("name", &mut self.name), ("version", &mut self.version), ("author", &mut self.author)]
    }
}

/// The value at the front of a text, and what follows it.
fn value(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    match text.strip_prefix('"') {
        Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
        None => {
            let (value, rest) = text.split_once(',').unwrap_or((text, ""));
            (value.trim_end(), rest)
        }
    }
}

impl fmt::Display for About {
    /// The fields that are known, or else the text. Quotes within a value cannot be said and become
    /// apostrophes, line ends become spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        for (name, value) in self.fields() {
            if let Some(value) = value {
                let sayable = value.replace('"', "'").replace(['\r', '\n'], " ");
                write!(f, "{separator}{name}=\"{sayable}\"")?;
                separator = ", ";
            }
        }
        if separator.is_empty() { f.write_str(&self.text) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn real_answers_are_read() {
        let known = r#"name="Rapfi", version="0.43.02", author="Rapfi developers""#;
        let about = About::parse(&(known.to_owned() + r#", country="China""#));
        assert_eq!(about.name.as_deref(), Some("Rapfi"));
        assert_eq!(about.version.as_deref(), Some("0.43.02"));
        assert_eq!(about.to_string(), known);
        let tight = About::parse(r#"name="m",author="J H",version="1",country="KOR",www="a=b""#);
        assert_eq!(tight.author.as_deref(), Some("J H"));
        assert_eq!(tight.version.as_deref(), Some("1"));
        let loose = About::parse("Name = Hoshi , VERSION= 2");
        assert_eq!(loose.name.as_deref(), Some("Hoshi"));
        assert_eq!(loose.version.as_deref(), Some("2"));
    }

    #[test]
    fn free_text_stays_text() {
        for text in
            ["", "Hoshi", "=", "a=b=c", "name=", "name=\"", "\"name\"=x", "\u{5929}\u{5143}"]
        {
            let about = About::parse(text);
            assert_eq!(about.name, None, "{text}");
            assert_eq!(about.to_string(), text);
        }
    }

    #[test]
    fn a_quote_in_a_name_does_not_break_the_form() {
        let name = Some("the \"star\"\nof".into());
        let about = About { name, author: Some("Me".into()), ..About::default() };
        let read = About::parse(&about.to_string());
        assert_eq!(read.name.as_deref(), Some("the 'star' of"));
        assert_eq!(read.author.as_deref(), Some("Me"));
    }
}
